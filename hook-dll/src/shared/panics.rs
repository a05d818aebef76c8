//! Remembers where the recorder panicked, and prints nothing on the host's standard error.

use parking_lot::Mutex;

/// The file name, truncated, its length, and the line.
static PLACE: Mutex<([u8; 64], usize, u32)> = Mutex::new(([0; 64], 0, 0));

/// Replaces the panic hook of the standard library, which prints. The library is linked into this module, so
/// other modules keep theirs.
pub(crate) fn keep_quiet() {
    if cfg!(test) {
        return;
    }
    std::panic::set_hook(Box::new(|panic| {
        let Some(location) = panic.location() else { return };
        let name = location.file().rsplit(['/', '\\']).next().unwrap_or_default().as_bytes();
        if let Some(mut place) = PLACE.try_lock() {
            let len = name.len().min(place.0.len());
            place.0[..len].copy_from_slice(&name[..len]);
            (place.1, place.2) = (len, location.line());
        }
    }));
}

/// Where the last panic was, such as `drain.rs:120`.
pub(crate) fn place() -> String {
    let (name, len, line) = *PLACE.lock();
    format!("{}:{line}", String::from_utf8_lossy(&name[..len]))
}

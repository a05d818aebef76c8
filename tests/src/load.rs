//! Work for every core, so that a test or a measurement sees how a program fares on a busy machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Loops that do nothing as fast as they can. They end with this value.
#[derive(Debug)]
pub struct Load {
    is_over: Arc<AtomicBool>,
    loops: Vec<JoinHandle<()>>,
}

impl Load {
    /// Starts so many loops.
    pub fn start(count: usize) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let spin = |is_over: Arc<AtomicBool>| {
            std::thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            })
        };
        let loops = (0..count).map(|_| spin(Arc::clone(&is_over))).collect();
        Self { is_over, loops }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for busy in self.loops.drain(..) {
            let _ = busy.join();
        }
    }
}

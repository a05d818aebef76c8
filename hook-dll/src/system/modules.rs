//! The modules of the process: where they lie, whose they are, and which version they have.
#![expect(unsafe_code, reason = "calls Windows")]

use crate::system::guarded;
#[cfg(target_arch = "x86_64")]
use crate::system::process::is_wine;
use crate::system::process::pin_module;
use std::mem::offset_of;
use windows::Win32::Foundation::HMODULE;
use windows::Win32::Storage::FileSystem::VS_FFI_SIGNATURE;
use windows::Win32::System::Diagnostics::Debug::{
    IMAGE_FILE_HEADER, IMAGE_NT_HEADERS32, IMAGE_OPTIONAL_HEADER32,
};
use windows::Win32::System::LibraryLoader::{
    FindResourceW, GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
    GetModuleFileNameW, GetModuleHandleExW, LoadResource, LockResource,
};
#[cfg(target_arch = "x86_64")]
use windows::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};
use windows::Win32::System::ProcessStatus::K32EnumProcessModules;
use windows::Win32::System::SystemInformation::GetSystemWindowsDirectoryW;
use windows::Win32::System::SystemServices::IMAGE_DOS_HEADER;
use windows::Win32::System::Threading::GetCurrentProcess;
use windows::Win32::UI::WindowsAndMessaging::RT_VERSION;
use windows::core::PCWSTR;

/// Whether an address lies in this module.
#[cfg(target_arch = "x86_64")]
pub(crate) fn is_own_code(address: u64) -> bool {
    module_at(address).0.module == own_module()
}

/// The address of KiUserCallbackDispatcher under Wine, which swallows exceptions of window procedures. The
/// one of Windows ends the program.
#[cfg(target_arch = "x86_64")]
pub(crate) fn swallowing_dispatcher() -> Option<u64> {
    if !is_wine() {
        return None;
    }
    // SAFETY: GetModuleHandleW reads the literal up to its final zero.
    let ntdll = unsafe { GetModuleHandleW(windows::core::w!("ntdll.dll")) }.ok()?;
    // SAFETY: ntdll.dll stays loaded as long as the process.
    let function = unsafe { GetProcAddress(ntdll, windows::core::s!("KiUserCallbackDispatcher")) };
    function.map(|function| (function as *const ()).addr() as u64)
}

/// A module and its path. Lies on the stack, because the handler of a crash uses no heap.
pub(crate) struct ModuleName {
    module: HMODULE,
    path: [u16; 260],
    end: usize,
}

impl ModuleName {
    /// Whether the address lies in a module.
    #[cfg(target_arch = "x86")]
    pub(crate) fn is_known(&self) -> bool {
        self.end > 0
    }

    /// The file name without its folder.
    pub(crate) fn name(&self) -> &[u16] {
        let path = &self.path[..self.end];
        let start = path.iter().rposition(|&c| c == u16::from(b'\\')).map_or(0, |i| i + 1);
        &path[start..]
    }

    /// Its first address.
    pub(crate) fn base(&self) -> usize {
        self.module.0.expose_provenance()
    }

    /// Whether it belongs to the application: the program, or a module that is neither in the Windows
    /// folder nor this DLL.
    pub(crate) fn is_applications(&self) -> bool {
        if self.end == 0 || self.module == module_of(std::ptr::null()) {
            return self.end != 0;
        }
        let mut folder = [0; 260];
        // SAFETY: GetSystemWindowsDirectoryW writes to the local buffer alone, whose length it gets.
        let len = (unsafe { GetSystemWindowsDirectoryW(Some(&mut folder)) } as usize).min(folder.len());
        self.module != own_module() && !is_below(&folder[..len], &self.path[..self.end])
    }
}

/// Whether a path lies below a folder. Ignores the case of ASCII letters.
fn is_below(folder: &[u16], path: &[u16]) -> bool {
    let lower = |c: u16| if (0x41..=0x5A).contains(&c) { c + 0x20 } else { c };
    let folder = folder.strip_suffix(&[u16::from(b'\\')]).unwrap_or(folder);
    !folder.is_empty()
        && path.get(folder.len()) == Some(&u16::from(b'\\'))
        && path.iter().zip(folder).all(|(&a, &b)| lower(a) == lower(b))
}

/// The module an address lies in; the program's for null.
fn module_of(address: *const u16) -> HMODULE {
    let mut module = HMODULE::default();
    let from = if address.is_null() { 0 } else { GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS };
    let flags = from | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    // SAFETY: GetModuleHandleExW accepts any address; NULL means the program.
    let _ = unsafe { GetModuleHandleExW(flags, PCWSTR(address), &raw mut module) };
    module
}

fn own_module() -> HMODULE {
    module_of((pin_module as fn() -> bool as *const ()).cast())
}

/// The module an address lies in, and the offset there.
pub(crate) fn module_at(address: u64) -> (ModuleName, u64) {
    let mut name = ModuleName { module: HMODULE::default(), path: [0; 260], end: 0 };
    // Null would mean the program.
    if address != 0 {
        name.module = module_of(std::ptr::without_provenance(address as usize));
    }
    if !name.module.is_invalid() {
        // SAFETY: GetModuleFileNameW writes to the local buffer alone, whose length it gets.
        let len = unsafe { GetModuleFileNameW(Some(name.module), &mut name.path) } as usize;
        name.end = len.min(name.path.len());
    }
    let offset = address.wrapping_sub(name.module.0.addr() as u64);
    (name, offset)
}

/// The modules of this process: file name in lower case, first address, size.
pub(crate) fn modules() -> Vec<(String, usize, usize)> {
    // SAFETY: GetCurrentProcess has no preconditions.
    let process = unsafe { GetCurrentProcess() };
    let mut modules = vec![HMODULE::default(); 1024];
    let mut bytes = 0;
    let room = size_of_val(modules.as_slice()) as u32;
    // SAFETY: K32EnumProcessModules writes to the local buffer alone, whose length it gets.
    if !unsafe { K32EnumProcessModules(process, modules.as_mut_ptr(), room, &raw mut bytes) }.as_bool() {
        return Vec::new();
    }
    modules.truncate(bytes as usize / size_of::<HMODULE>());
    // The size comes from the image's header: to ask Windows for it takes tens of milliseconds.
    let describe = |module: HMODULE| {
        let mut path = [0; 1024];
        // SAFETY: GetModuleFileNameW writes to the local buffer alone, whose length it gets.
        let len = unsafe { GetModuleFileNameW(Some(module), &mut path) } as usize;
        let path = &path[..len.min(path.len())];
        let name = path.rsplit(|&unit| unit == u16::from(b'\\')).next().unwrap_or_default();
        let size = image_size(module.0.expose_provenance())?;
        Some((String::from_utf16_lossy(name).to_lowercase(), module.0.addr(), size as usize))
    };
    modules.into_iter().filter_map(describe).collect()
}

/// The version in the resources of a module, such as `10.0.19041.1`.
pub(crate) fn module_version(start: usize) -> Option<String> {
    const SIGNATURE: [u8; 4] = VS_FFI_SIGNATURE.to_le_bytes();
    let module = HMODULE(std::ptr::with_exposed_provenance_mut(start));
    // VS_VERSION_INFO is resource 1 of this type.
    let version_info = PCWSTR(std::ptr::without_provenance(1));
    // SAFETY: FindResourceW accepts any loaded module and integer names, and returns NULL if there is no such
    // resource.
    let found = unsafe { FindResourceW(Some(module), version_info, RT_VERSION) };
    if found.is_invalid() {
        return None;
    }
    // SAFETY: FindResourceW found the resource in this module.
    let loaded = unsafe { LoadResource(Some(module), found) }.ok()?;
    // SAFETY: LoadResource loaded it; a resource is not unlocked.
    let bytes = unsafe { LockResource(loaded) }.cast::<u8>().cast_const();
    // VS_FIXEDFILEINFO follows a short text. It begins with a signature; the version is its third
    // and fourth number.
    let mut head = [0; 128];
    let is_read = !bytes.is_null() && guarded::copy_into(bytes, &mut head);
    let at = head.windows(4).position(|window| window == SIGNATURE).filter(|_| is_read)?;
    let number = |offset: usize| head.get(at + offset..)?.first_chunk().map(|b| u16::from_le_bytes(*b));
    Some(format!("{}.{}.{}.{}", number(10)?, number(8)?, number(14)?, number(12)?))
}

/// A number at an offset in the header of an image.
fn header_word(base: usize, offset: usize) -> Option<u32> {
    let word = |at: usize| guarded::read(std::ptr::with_exposed_provenance::<u32>(base.wrapping_add(at)));
    word(word(offset_of!(IMAGE_DOS_HEADER, e_lfanew))? as usize + offset)
}

/// The size of an image in memory.
pub(crate) fn image_size(base: usize) -> Option<u32> {
    // The field lies at the same offset in images of 32 and of 64 bits.
    let optional = offset_of!(IMAGE_NT_HEADERS32, OptionalHeader);
    header_word(base, optional + offset_of!(IMAGE_OPTIONAL_HEADER32, SizeOfImage))
}

/// The time stamp of an image, by which symbol servers identify it together with its size.
pub(crate) fn image_time_stamp(base: usize) -> Option<u32> {
    let file = offset_of!(IMAGE_NT_HEADERS32, FileHeader);
    header_word(base, file + offset_of!(IMAGE_FILE_HEADER, TimeDateStamp))
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn a_folder_holds_what_is_below_it_and_not_its_namesakes() {
        let is = |folder: &str, path: &str| {
            let [folder, path] = [folder, path].map(|text| text.encode_utf16().collect::<Vec<_>>());
            is_below(&folder, &path)
        };
        assert!(is(r"C:\Windows", r"c:\windows\SYSTEM32\ntdll.dll") && is(r"C:\", r"C:\a.exe"));
        assert!(
            !is(r"C:\Windows", r"C:\Windows Tools\a.exe")
                && !is("", r"C:\a.exe")
                && !is(r"C:\Windows", r"C:\W")
        );
    }
}

//! The one place of this command that calls Windows: other processes, entered and left.
#![expect(unsafe_code, reason = "the fenced module of foreign calls")]

use anyhow::{Context, bail, ensure};
use replay_link::{Signal, Window};
use std::ffi::OsString;
use std::ffi::c_void;
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use win32_vocabulary::messages::BM_GETCHECK;
use windows::Win32::Foundation::{
    CloseHandle, ERROR_ACCESS_DENIED, ERROR_BAD_EXE_FORMAT, ERROR_ELEVATION_REQUIRED, ERROR_FILE_NOT_FOUND,
    ERROR_INTERNAL_ERROR, ERROR_INVALID_PARAMETER, ERROR_PATH_NOT_FOUND, FreeLibrary, HANDLE, HMODULE,
    LPARAM, WPARAM,
};
use windows::Win32::Security::{GetTokenInformation, TOKEN_ELEVATION, TOKEN_QUERY, TokenElevation};
use windows::Win32::Storage::FileSystem::{GetDriveTypeW, SearchPathW};
use windows::Win32::System::Console::{GetStdHandle, STD_ERROR_HANDLE, STD_HANDLE, STD_INPUT_HANDLE};
use windows::Win32::System::Diagnostics::Debug::WriteProcessMemory;
use windows::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
};
use windows::Win32::System::LibraryLoader::{
    DONT_RESOLVE_DLL_REFERENCES, GetModuleHandleW, GetProcAddress, LoadLibraryExW, LoadLibraryW,
};
use windows::Win32::System::Memory::{
    MEM_COMMIT, MEM_RELEASE, PAGE_READWRITE, VirtualAllocEx, VirtualFreeEx,
};
use windows::Win32::System::ProcessStatus::{
    K32EnumProcessModulesEx, K32GetModuleFileNameExW, LIST_MODULES_ALL,
};
use windows::Win32::System::SystemInformation::GetSystemWow64DirectoryW;
use windows::Win32::System::Threading::{
    CREATE_SUSPENDED, CreateProcessW, CreateRemoteThread, GetCurrentProcess, GetExitCodeProcess,
    GetExitCodeThread, GetProcessId, GetThreadId, INFINITE, IsWow64Process, OpenProcess, OpenProcessToken,
    PROCESS_ALL_ACCESS, PROCESS_INFORMATION, PROCESS_NAME_WIN32, QueryFullProcessImageNameW, ResumeThread,
    STARTF_USESTDHANDLES, STARTUPINFOW, TerminateProcess, WaitForInputIdle, WaitForSingleObject,
};
use windows::Win32::UI::WindowsAndMessaging::{
    CreateWindowExW, DestroyWindow, DispatchMessageW, FindWindowW, GetClientRect, GetForegroundWindow,
    GetWindowThreadProcessId, HWND_BROADCAST, MSG, PM_REMOVE, PeekMessageW, PostMessageW, SMTO_ABORTIFHUNG,
    SMTO_NORMAL, SW_SHOWNOACTIVATE, SendMessageTimeoutW, SetForegroundWindow, ShowWindow, WINDOW_EX_STYLE,
    WM_GETTEXT, WM_GETTEXTLENGTH, WM_NULL, WM_SETTINGCHANGE, WS_POPUP,
};
use windows::core::{HSTRING, PCSTR, PCWSTR, PWSTR};

/// How long a thread of ours may take inside another program.
const PATIENCE_MILLIS: u32 = 20_000;

/// A handle, closed when dropped.
struct Owned(HANDLE);

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: ours, and closed once.
        let _ = unsafe { CloseHandle(self.0) };
    }
}

/// Where the output of a program that we start goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// Where ours goes.
    Shared,
    /// All of it to our standard error: standard output is for what we say ourselves.
    OnErrors,
}

/// A program may not be entered or started, for want of rights.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Denied(pub(crate) String);

fn standard(which: STD_HANDLE) -> HANDLE {
    // SAFETY: no preconditions.
    unsafe { GetStdHandle(which) }.unwrap_or_default()
}

/// The file that a program's name means to CreateProcess.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let (name, mut path) = (HSTRING::from(name), [0; 1024]);
    // SAFETY: the names end in a zero, the buffer's length goes along.
    let len = unsafe { SearchPathW(None, &name, windows::core::w!(".exe"), Some(&mut path), None) };
    let path = path.get(..len as usize).filter(|path| !path.is_empty())?;
    Some(PathBuf::from(OsString::from_wide(path)))
}

/// Whether a system of 64 bits runs programs of 32: it has their system folder.
pub(crate) fn runs_x86() -> bool {
    let mut folder = [0; 260];
    // SAFETY: the buffer is ours, its length goes along.
    let len = unsafe { GetSystemWow64DirectoryW(Some(&mut folder)) };
    let folder = folder.get(..len as usize).filter(|folder| !folder.is_empty());
    folder.is_some_and(|folder| PathBuf::from(OsString::from_wide(folder)).join("ntdll.dll").is_file())
}

/// Tells all programs that the environment of new ones has changed.
pub(crate) fn tell_environment_changed() {
    let what = LPARAM(windows::core::w!("Environment").as_ptr() as isize);
    // SAFETY: the text lives as long as the program, and nobody waits for a window that hangs.
    unsafe {
        SendMessageTimeoutW(HWND_BROADCAST, WM_SETTINGCHANGE, WPARAM(0), what, SMTO_ABORTIFHUNG, 1000, None)
    };
}

/// Whether we run as administrator.
pub(crate) fn is_elevated() -> bool {
    let mut token = HANDLE::default();
    // SAFETY: no preconditions.
    let own = unsafe { GetCurrentProcess() };
    // SAFETY: our own process, and the handle is ours.
    if unsafe { OpenProcessToken(own, TOKEN_QUERY, &raw mut token) }.is_err() {
        return false;
    }
    let token = Owned(token);
    let (mut elevation, mut length) = (TOKEN_ELEVATION::default(), 0);
    let (place, size) = ((&raw mut elevation).cast(), size_of::<TOKEN_ELEVATION>() as u32);
    // SAFETY: the structure is of the class that is named, its size goes along.
    let told = unsafe { GetTokenInformation(token.0, TokenElevation, Some(place), size, &raw mut length) };
    told.is_ok() && elevation.TokenIsElevated != 0
}

/// Whether a folder is on a drive of this machine that stays.
pub(crate) fn is_on_local_drive(folder: &Path) -> bool {
    const FIXED: u32 = 3;
    let root: PathBuf = folder.components().take(2).collect();
    let root = HSTRING::from(root.as_os_str());
    // SAFETY: the path ends in a zero.
    unsafe { GetDriveTypeW(&root) == FIXED }
}

/// A window that nobody sees, and that gets messages.
pub(crate) struct HiddenWindow(windows::Win32::Foundation::HWND);

impl HiddenWindow {
    pub(crate) fn open() -> anyhow::Result<Self> {
        let (class, style) = (windows::core::w!("STATIC"), WINDOW_EX_STYLE(0));
        // SAFETY: a class of the system, and no pointers but texts.
        let window =
            unsafe { CreateWindowExW(style, class, class, WS_POPUP, 0, 0, 10, 10, None, None, None, None) };
        Ok(Self(window.context("no window can be opened here: use a session with a desktop")?))
    }

    /// Sends it a posted message, and has it handle what has come.
    pub(crate) fn knock(&self) {
        // SAFETY: the window is ours.
        let _ = unsafe { PostMessageW(Some(self.0), WM_NULL, WPARAM(0), LPARAM(0)) };
        let mut message = MSG::default();
        // SAFETY: the message is ours.
        while unsafe { PeekMessageW(&raw mut message, None, 0, 0, PM_REMOVE) }.as_bool() {
            // SAFETY: a message that was just taken.
            unsafe { DispatchMessageW(&raw const message) };
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

impl HiddenWindow {
    /// Shows it, as another program to switch to.
    pub(crate) fn show(&self) -> u64 {
        // SAFETY: the window is ours.
        let _ = unsafe { ShowWindow(self.0, SW_SHOWNOACTIVATE) };
        self.0.0.expose_provenance() as u64
    }

    /// Takes part in coming to the front; false if that takes too long.
    pub(crate) fn comes_to_front(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            self.knock();
            // SAFETY: no preconditions.
            if unsafe { GetForegroundWindow() } == self.0 {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
        }
    }

    /// Brings another program's window to the front: only who is there may.
    pub(crate) fn give_way_to(&self, window: u64) {
        // SAFETY: no preconditions.
        let _ = unsafe { SetForegroundWindow(Window(window).handle()) };
        self.knock();
    }
}

impl Drop for HiddenWindow {
    fn drop(&mut self) {
        // SAFETY: the window is ours, made on this thread.
        let _ = unsafe { DestroyWindow(self.0) };
    }
}

/// Another program.
pub(crate) struct Process {
    process: Owned,
    /// The first thread of a program that we started and that waits for `resume`.
    thread: Option<Owned>,
}

/// Lets a child end when we do, and with it all that it starts.
pub(crate) fn bind_child(child: &std::process::Child) -> anyhow::Result<Bond> {
    bind(HANDLE(child.as_raw_handle())).context("the replay cannot be bound to us")
}

/// What holds a process to us: when it is dropped, the process and all that it has started end.
pub(crate) struct Bond {
    _job: Owned,
}

fn bind(process: HANDLE) -> windows::core::Result<Bond> {
    // SAFETY: no preconditions.
    let job = Owned(unsafe { CreateJobObjectW(None, PCWSTR::null()) }?);
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    let size = size_of_val(&limits) as u32;
    let limits = (&raw const limits).cast();
    // SAFETY: the structure is of the class that is named, its size goes along.
    unsafe { SetInformationJobObject(job.0, JobObjectExtendedLimitInformation, limits, size) }?;
    // SAFETY: both handles are open.
    unsafe { AssignProcessToJobObject(job.0, process) }?;
    Ok(Bond { _job: job })
}

impl Process {
    /// Starts a program that does nothing yet.
    pub(crate) fn start_suspended(command: &[String], output: Output) -> anyhow::Result<Self> {
        let line: Vec<String> = command.iter().map(|argument| quote(argument)).collect();
        let line: Vec<u16> = line.join(" ").encode_utf16().chain([0]).collect();
        let mut startup = STARTUPINFOW { cb: size_of::<STARTUPINFOW>() as u32, ..Default::default() };
        if output == Output::OnErrors {
            startup.dwFlags = STARTF_USESTDHANDLES;
            startup.hStdInput = standard(STD_INPUT_HANDLE);
            startup.hStdOutput = standard(STD_ERROR_HANDLE);
            startup.hStdError = standard(STD_ERROR_HANDLE);
        }
        let mut started = PROCESS_INFORMATION::default();
        let mut create = || {
            // The system may change it.
            let mut line = line.clone();
            let line = Some(PWSTR(line.as_mut_ptr()));
            let (startup, started) = (&raw const startup, &raw mut started);
            // SAFETY: the line is ours, writable and ends in a zero; the structures are ours.
            unsafe {
                CreateProcessW(None, line, None, None, true, CREATE_SUSPENDED, None, None, startup, started)
            }
        };
        let is_internal = |error: &windows::core::Error| error.code() == ERROR_INTERNAL_ERROR.to_hresult();
        // The new process was gone before it had begun, which happens once in some thousand times under Wine:
        // nothing has been done yet.
        let done = create().or_else(|error| if is_internal(&error) { create() } else { Err(error) });
        done.map_err(|error| match error.code() {
            code if code == ERROR_ELEVATION_REQUIRED.to_hresult() => Denied(format!(
                "{} wants more rights than we have: start dashcam as administrator",
                command[0]
            ))
            .into(),
            code if [ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND].iter().any(|it| code == it.to_hresult()) => {
                anyhow::anyhow!(
                    "cannot start {}: there is no such program: check the name and the folder",
                    command[0]
                )
            }
            code if code == ERROR_BAD_EXE_FORMAT.to_hresult() => {
                anyhow::anyhow!("cannot start {}: it is no program of Windows: name an .exe", command[0])
            }
            _ => anyhow::Error::new(error).context(format!("cannot start {}", command[0])),
        })?;
        Ok(Self { process: Owned(started.hProcess), thread: Some(Owned(started.hThread)) })
    }

    /// A program that runs.
    pub(crate) fn open(pid: u32) -> anyhow::Result<Self> {
        // SAFETY: no preconditions.
        let process = unsafe { OpenProcess(PROCESS_ALL_ACCESS, false, pid) };
        let process = process.map_err(|error| match error.code() {
            code if code == ERROR_ACCESS_DENIED.to_hresult() => {
                let more = "is protected or has more rights than we have: start dashcam with the same rights";
                Denied(format!("process {pid} {more}")).into()
            }
            code if code == ERROR_INVALID_PARAMETER.to_hresult() => {
                anyhow::anyhow!("there is no process {pid}")
            }
            _ => anyhow::Error::new(error).context(format!("cannot open process {pid}")),
        })?;
        Ok(Self { process: Owned(process), thread: None })
    }

    /// Lets a program run that was started suspended.
    pub(crate) fn resume(&self) -> anyhow::Result<()> {
        if let Some(thread) = &self.thread {
            // SAFETY: the handle is open.
            ensure!(unsafe { ResumeThread(thread.0) } != u32::MAX, "the program cannot be resumed");
        }
        Ok(())
    }

    /// Waits for the end; the exit code.
    pub(crate) fn wait(&self) -> anyhow::Result<u32> {
        // SAFETY: the handle is open.
        unsafe { WaitForSingleObject(self.process.0, INFINITE) };
        let mut code = 0;
        // SAFETY: the handle is open, the number is ours.
        unsafe { GetExitCodeProcess(self.process.0, &raw mut code) }
            .context("the program left no exit code")?;
        Ok(code)
    }

    /// The id of the thread that waits for `resume`.
    pub(crate) fn first_thread(&self) -> Option<u32> {
        // SAFETY: the handle is open.
        let id = unsafe { GetThreadId(self.thread.as_ref()?.0) };
        (id != 0).then_some(id)
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        // SAFETY: the handle is open.
        unsafe { GetProcessId(self.process.0) }
    }

    /// Its end, as something to wait for.
    pub(crate) fn as_signal(&self) -> Signal {
        Signal::from(self.process.0)
    }

    /// The exit code; none while it runs.
    pub(crate) fn exit_code(&self) -> Option<u32> {
        // A code alone does not tell: 259 is one like any other.
        // SAFETY: the handle is open.
        let waited = unsafe { WaitForSingleObject(self.process.0, 0) };
        let mut code = 0;
        // SAFETY: the handle is open, the number is ours.
        let asked = unsafe { GetExitCodeProcess(self.process.0, &raw mut code) };
        (waited.0 == 0 && asked.is_ok()).then_some(code)
    }

    /// Waits until a program that was started has looked for messages for the first time; whether it has.
    pub(crate) fn wait_input_idle(&self, patience: Duration) -> bool {
        // SAFETY: the handle is open.
        unsafe { WaitForInputIdle(self.process.0, millis(patience)) == 0 }
    }

    /// Ends a program that we started, if it still runs; others are left alone.
    pub(crate) fn end_if_ours(&self) {
        if self.thread.is_some() && self.exit_code().is_none() {
            self.end();
        }
    }

    /// Lets a program end when we do, however that comes about, and with it all that it starts.
    pub(crate) fn bind_to_us(&self) -> anyhow::Result<Bond> {
        bind(self.process.0).context("the program cannot be bound to us")
    }

    /// Ends a program that could not be recorded.
    pub(crate) fn end(&self) {
        // SAFETY: the handle is open.
        let _ = unsafe { TerminateProcess(self.process.0, 1) };
    }

    /// The file name of the program.
    pub(crate) fn name(&self) -> Option<String> {
        let (mut path, mut len) = ([0; 1024], 1024);
        let path_room = PWSTR(path.as_mut_ptr());
        // SAFETY: the handle is open; the buffer is ours, its length goes along.
        let asked = unsafe {
            QueryFullProcessImageNameW(self.process.0, PROCESS_NAME_WIN32, path_room, &raw mut len)
        };
        asked.ok()?;
        let path = String::from_utf16_lossy(path.get(..len as usize)?);
        path.rsplit(['\\', '/']).next().map(str::to_owned)
    }

    /// Whether the program has our bitness.
    pub(crate) fn has_own_bitness(&self) -> anyhow::Result<bool> {
        let is_wow = |process: HANDLE| {
            let mut wow = Default::default();
            // SAFETY: the handle is open, the flag is ours.
            unsafe { IsWow64Process(process, &raw mut wow) }.map(|()| wow.as_bool())
        };
        // SAFETY: no preconditions.
        let own = unsafe { GetCurrentProcess() };
        Ok(is_wow(self.process.0)? == is_wow(own)?)
    }

    /// Refuses a program of the other bitness.
    pub(crate) fn check_bitness(&self) -> anyhow::Result<()> {
        if !self.has_own_bitness()? {
            let other = if cfg!(target_pointer_width = "64") { "x86" } else { "x64" };
            bail!("the program has the other bitness: use the dashcam.exe of the {other} folder");
        }
        Ok(())
    }

    /// Loads a DLL there.
    pub(crate) fn load_library(&self, dll: &Path) -> anyhow::Result<()> {
        // SAFETY: the name ends in a zero.
        let kernel = unsafe { GetModuleHandleW(windows::core::w!("kernel32.dll")) }?;
        // kernel32 lies at the same address in every process of one bitness.
        // SAFETY: the module is loaded, the name ends in a zero.
        let load = unsafe { GetProcAddress(kernel, windows::core::s!("LoadLibraryW")) }
            .context("no LoadLibraryW")?;
        let loaded = self.run(load as *const c_void, &dll.display().to_string())?;
        ensure!(loaded != 0, "{} cannot be loaded there", dll.display());
        Ok(())
    }

    /// Calls a function of a DLL there, with a text; what it returns.
    pub(crate) fn call(&self, dll: &Path, function: &str, text: &str) -> anyhow::Result<u32> {
        let base = self.module_base(dll).with_context(|| format!("{} is not there", dll.display()))?;
        let name = format!("{function}\0");
        let path = HSTRING::from(dll.as_os_str());
        // SAFETY: the path is a text; the module is only looked at.
        let local = unsafe { LoadLibraryExW(&path, None, DONT_RESOLVE_DLL_REFERENCES) }?;
        // SAFETY: the module is loaded, the name ends in a zero.
        let address = unsafe { GetProcAddress(local, PCSTR(name.as_ptr())) };
        let offset = address.map(|address| (address as *const c_void).addr() - local.0.addr());
        // SAFETY: loaded above.
        let _ = unsafe { FreeLibrary(local) };
        let offset = offset
            .with_context(|| format!("{} has no {function}: is it of another version?", dll.display()))?;
        self.run(std::ptr::without_provenance(base + offset), text)
    }

    fn module_base(&self, dll: &Path) -> Option<usize> {
        let wanted = dll.file_name()?.to_string_lossy().to_lowercase();
        let mut modules = vec![HMODULE::default(); 1024];
        let mut needed = 0;
        let bytes = (modules.len() * size_of::<HMODULE>()) as u32;
        // SAFETY: the vector is ours, its size goes along.
        let listed = unsafe {
            K32EnumProcessModulesEx(
                self.process.0,
                modules.as_mut_ptr(),
                bytes,
                &raw mut needed,
                LIST_MODULES_ALL.0,
            )
        };
        if !listed.as_bool() {
            return None;
        }
        modules.truncate(needed as usize / size_of::<HMODULE>());
        modules.into_iter().find_map(|module| {
            let mut name = [0; 520];
            // SAFETY: the buffer is ours, its length goes along.
            let len =
                unsafe { K32GetModuleFileNameExW(Some(self.process.0), Some(module), &mut name) } as usize;
            let path = String::from_utf16_lossy(&name[..len.min(name.len())]).to_lowercase();
            path.rsplit('\\').next().is_some_and(|file| file == wanted).then(|| module.0.addr())
        })
    }

    /// Runs a thread there that gets a text of ours; its exit code.
    fn run(&self, function: *const c_void, text: &str) -> anyhow::Result<u32> {
        let text: Vec<u16> = text.encode_utf16().chain([0]).collect();
        let size = size_of_val(text.as_slice());
        // SAFETY: no preconditions; the memory is the other process's.
        let remote = unsafe { VirtualAllocEx(self.process.0, None, size, MEM_COMMIT, PAGE_READWRITE) };
        ensure!(!remote.is_null(), "no memory in the program");
        // SAFETY: the text is ours and as long as said; the target was allocated with that size.
        unsafe { WriteProcessMemory(self.process.0, remote, text.as_ptr().cast(), size, None) }?;
        // SAFETY: every function called this way takes one pointer and returns a number.
        let function = unsafe {
            std::mem::transmute::<*const c_void, unsafe extern "system" fn(*mut c_void) -> u32>(function)
        };
        // SAFETY: the function exists at this address in the other process, as the callers have made sure.
        let thread =
            unsafe { CreateRemoteThread(self.process.0, None, 0, Some(function), Some(remote), 0, None) };
        let thread =
            Owned(thread.context("no thread may be started in the program: is it elevated or protected?")?);
        // SAFETY: the handle is open.
        let waited = unsafe { WaitForSingleObject(thread.0, PATIENCE_MILLIS) };
        ensure!(waited.0 == 0, "the program does not answer");
        let mut code = 0;
        // SAFETY: the handle is open, the number is ours.
        unsafe { GetExitCodeThread(thread.0, &raw mut code) }?;
        // Threads end with their process.
        if let Some(code) = self.exit_code() {
            bail!("the program ended by itself with code {code:#X} before it had begun: is a DLL missing?");
        }
        // SAFETY: allocated above, and the thread has ended.
        let _ = unsafe { VirtualFreeEx(self.process.0, remote, 0, MEM_RELEASE) };
        Ok(code)
    }
}

fn millis(patience: Duration) -> u32 {
    u32::try_from(patience.as_millis()).unwrap_or(INFINITE - 1)
}

/// Posts a message without pointers; false if the window is gone.
pub(crate) fn post(window: Window, message: u32, wparam: usize, lparam: isize) -> bool {
    // SAFETY: no pointers are posted.
    unsafe { PostMessageW(Some(window.handle()), message, WPARAM(wparam), LPARAM(lparam)) }.is_ok()
}

/// What a window of another program answers in time.
fn send_in_time(
    window: Window,
    message: u32,
    wparam: usize,
    lparam: isize,
    patience: Duration,
) -> Option<usize> {
    let mut answer = 0;
    // SAFETY: messages of the system whose pointers Windows carries over; the answer is ours.
    let sent = unsafe {
        SendMessageTimeoutW(
            window.handle(),
            message,
            WPARAM(wparam),
            LPARAM(lparam),
            SMTO_NORMAL,
            millis(patience),
            Some(&raw mut answer),
        )
    };
    (sent.0 != 0).then_some(answer)
}

/// Whether the window's thread takes messages.
pub(crate) fn is_answering(window: Window, patience: Duration) -> bool {
    send_in_time(window, WM_NULL, 0, 0, patience).is_some()
}

/// The text a control of another program keeps.
pub(crate) fn text_of(window: Window, patience: Duration) -> Option<String> {
    let len = send_in_time(window, WM_GETTEXTLENGTH, 0, 0, patience)?;
    let mut units = vec![0_u16; len + 1];
    let at = units.as_mut_ptr().expose_provenance().cast_signed();
    let len = send_in_time(window, WM_GETTEXT, units.len(), at, patience)?;
    Some(String::from_utf16_lossy(&units[..len.min(units.len())]))
}

/// The check state of a button of another program.
pub(crate) fn checked(window: Window, patience: Duration) -> Option<i64> {
    send_in_time(window, BM_GETCHECK, 0, 0, patience).map(|state| state as i64)
}

/// Width and height of a window's client area.
pub(crate) fn client_size(window: Window) -> Option<(i32, i32)> {
    let mut rect = Default::default();
    // SAFETY: the rectangle is ours.
    unsafe { GetClientRect(window.handle(), &raw mut rect) }.ok()?;
    Some((rect.right, rect.bottom))
}

/// The process of the first window of a class.
pub(crate) fn process_of_window(class: &str) -> Option<u32> {
    let class = HSTRING::from(class);
    // SAFETY: the class is a text.
    let window = unsafe { FindWindowW(&class, PCWSTR::null()) }.ok()?;
    let mut pid = 0;
    // SAFETY: the number is ours.
    unsafe { GetWindowThreadProcessId(window, Some(&raw mut pid)) };
    (pid != 0).then_some(pid)
}

/// A status of the recorder in its own words.
pub(crate) fn status_text(dll: &Path, status: u32) -> String {
    let path: Vec<u16> = dll.as_os_str().encode_wide().chain([0]).collect();
    // SAFETY: the path ends in a zero.
    let Ok(module) = (unsafe { LoadLibraryW(PCWSTR(path.as_ptr())) }) else {
        return format!("status {status}");
    };
    // SAFETY: the module is loaded, the name ends in a zero.
    let Some(text) = (unsafe { GetProcAddress(module, windows::core::s!("dashcam_status_text")) }) else {
        return format!("status {status}");
    };
    // SAFETY: that is the function's signature in dashcam.h.
    let text = unsafe {
        std::mem::transmute::<unsafe extern "system" fn() -> isize, extern "C" fn(u32) -> PCWSTR>(text)
    };
    // SAFETY: the function returns a text that lives as long as the module, which stays loaded.
    unsafe { text(status).to_string() }.unwrap_or_default()
}

/// An argument as programs of the Microsoft C runtime take it apart again.
fn quote(argument: &str) -> String {
    if !argument.is_empty() && !argument.contains([' ', '\t', '"']) {
        return argument.into();
    }
    let mut quoted = String::from('"');
    let mut backslashes = 0;
    for c in argument.chars() {
        match c {
            '\\' => backslashes += 1,
            '"' => {
                // Before a quote every backslash counts twice, and the quote has one of its own.
                quoted.extend(std::iter::repeat_n('\\', backslashes + 1));
                backslashes = 0;
            }
            _ => backslashes = 0,
        }
        quoted.push(c);
    }
    quoted.extend(std::iter::repeat_n('\\', backslashes));
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_as_they_are_taken_apart() {
        for (argument, quoted) in [
            ("plain", "plain"),
            ("", "\"\""),
            ("a b", "\"a b\""),
            (r#"say "hi""#, r#""say \"hi\"""#),
            (r"C:\a b\", r#""C:\a b\\""#),
            (r#"\\"x"#, r#""\\\\\"x""#),
        ] {
            assert_eq!(quote(argument), quoted);
        }
    }
}

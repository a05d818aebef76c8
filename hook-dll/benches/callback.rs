//! What a message costs the application: the callback's body, beside an empty one and beside the paper's way.
//!
//! Loads the DLL that DASHCAM_BENCH_DLL names, built with the feature `bench`, starts it, and calls the bodies of its hooks on
//! this program's own windows. Prints one JSON object per row for `cargo xtask bench`. Rounds of all contestants are
//! interleaved and the median counts, since the machine is shared.

#[cfg(not(all(windows, target_arch = "x86_64")))]
fn main() {
    eprintln!(
        "the callback runs on 64-bit Windows or under Wine only: `cargo xtask bench` takes care of that"
    );
}

#[cfg(all(windows, target_arch = "x86_64"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    on_windows::run()
}

#[cfg(all(windows, target_arch = "x86_64"))]
#[expect(unsafe_code, reason = "loads a DLL and calls it, as a host does")]
mod on_windows {
    use std::ffi::c_void;
    use std::fs::File;
    use std::hint::black_box;
    use std::io::Write;
    use std::os::windows::ffi::OsStrExt;
    use std::time::Instant;
    use windows::Win32::Foundation::{HMODULE, HWND, LPARAM, WPARAM};
    use windows::Win32::System::LibraryLoader::{GetProcAddress, LoadLibraryW};
    use windows::Win32::UI::WindowsAndMessaging::{
        AppendMenuW, CREATESTRUCTW, CWPSTRUCT, CreateMenu, CreatePopupMenu, CreateWindowExW, GetClassNameW,
        GetDlgCtrlID, GetParent, HMENU, InternalGetWindowText, LB_ADDSTRING, LB_SETCURSEL, MF_POPUP,
        MF_STRING, MSG, SendMessageW, SetMenu, WINDOW_EX_STYLE, WINDOW_STYLE, WS_CHILD, WS_OVERLAPPEDWINDOW,
    };
    use windows::core::{PCSTR, PCWSTR, s, w};

    type Failure = Box<dyn std::error::Error>;
    /// Messages per round: what a ring holds without being emptied.
    const MESSAGES: usize = 2000;
    const ROUNDS: usize = 41;

    /// The recorder, as a host sees it.
    struct Recorder {
        empty: unsafe extern "system" fn(*const MSG),
        posted: unsafe extern "system" fn(*const MSG),
        sent: unsafe extern "system" fn(*const CWPSTRUCT),
        stop: unsafe extern "C" fn() -> i32,
        get_stats: unsafe extern "C" fn(*mut Stats) -> i32,
    }

    #[repr(C)]
    #[derive(Default)]
    struct Stats {
        size: u32,
        threads: u32,
        counts: [u64; 6],
    }

    /// A function of the DLL.
    ///
    /// # Safety
    /// `T` is the function's type.
    unsafe fn symbol<T>(module: HMODULE, name: PCSTR) -> Result<T, Failure> {
        // SAFETY: the text ends in a zero.
        let found = unsafe { GetProcAddress(module, name) };
        let found = found.ok_or("the DLL was built without the feature `bench`")?;
        // SAFETY: the caller's promise.
        Ok(unsafe { std::mem::transmute_copy::<_, T>(&found) })
    }

    impl Recorder {
        fn start() -> Result<Self, Failure> {
            let path = std::env::var_os("DASHCAM_BENCH_DLL").ok_or("DASHCAM_BENCH_DLL names no DLL")?;
            let path: Vec<u16> = path.encode_wide().chain([0]).collect();
            // SAFETY: the text ends in a zero.
            let module = unsafe { LoadLibraryW(PCWSTR(path.as_ptr())) }?;
            // SAFETY: the signature of `dashcam.h`.
            let start: unsafe extern "C" fn(*const c_void) -> i32 =
                unsafe { symbol(module, s!("dashcam_start")) }?;
            let recorder = Self {
                // SAFETY: the signatures of `src/bench.rs`.
                empty: unsafe { symbol(module, s!("dashcam_bench_empty")) }?,
                // SAFETY: as above.
                posted: unsafe { symbol(module, s!("dashcam_bench_posted")) }?,
                // SAFETY: as above.
                sent: unsafe { symbol(module, s!("dashcam_bench_sent")) }?,
                // SAFETY: the signatures of `dashcam.h`.
                stop: unsafe { symbol(module, s!("dashcam_stop")) }?,
                // SAFETY: as above.
                get_stats: unsafe { symbol(module, s!("dashcam_get_stats")) }?,
            };
            // SAFETY: NULL means the defaults.
            let status = unsafe { start(std::ptr::null()) };
            if status == 0 { Ok(recorder) } else { Err(format!("dashcam_start answers {status}").into()) }
        }

        /// Empties the rings.
        fn drain(&self) -> Stats {
            let mut stats = Stats { size: size_of::<Stats>() as u32, ..Stats::default() };
            // SAFETY: the structure is ours.
            unsafe { (self.get_stats)(&raw mut stats) };
            stats
        }
    }

    /// The program's windows.
    struct Windows {
        main: HWND,
        edit: HWND,
        check: HWND,
        list: HWND,
        popup: HMENU,
    }

    fn window(
        class: PCWSTR,
        name: PCWSTR,
        style: u32,
        parent: Option<HWND>,
        id: usize,
    ) -> windows::core::Result<HWND> {
        let (ex, style) = (WINDOW_EX_STYLE(0), WINDOW_STYLE(style));
        let id = HMENU(std::ptr::without_provenance_mut(id));
        // SAFETY: the texts end in a zero, and the classes are the system's.
        unsafe { CreateWindowExW(ex, class, name, style, 10, 10, 300, 200, parent, Some(id), None, None) }
    }

    impl Windows {
        fn open() -> windows::core::Result<Self> {
            let main = window(w!("#32770"), w!("Rechnung 4711"), WS_OVERLAPPEDWINDOW.0, None, 0)?;
            let child = |class, name, style: u32, id| window(class, name, WS_CHILD.0 | style, Some(main), id);
            let edit = child(w!("Edit"), w!("a text of forty characters, more or less"), 0, 1001)?;
            // BS_AUTOCHECKBOX, LBS_NOTIFY
            let check = child(w!("Button"), w!("Gift wrap"), 3, 1002)?;
            let list = child(w!("ListBox"), w!(""), 1, 1003)?;
            for _ in 0..100 {
                let text = w!("an entry of the list").0.expose_provenance().cast_signed();
                // SAFETY: the window is ours and the text ends in a zero.
                unsafe { SendMessageW(list, LB_ADDSTRING, None, Some(LPARAM(text))) };
            }
            // SAFETY: the window is ours.
            unsafe { SendMessageW(list, LB_SETCURSEL, Some(WPARAM(50)), None) };
            // SAFETY: no preconditions.
            let (bar, popup) = (unsafe { CreateMenu() }?, unsafe { CreatePopupMenu() }?);
            for id in 1..=20 {
                // SAFETY: the menu is ours and the text ends in a zero.
                unsafe { AppendMenuW(popup, MF_STRING, id, w!("An &item\tCtrl+I")) }?;
            }
            // SAFETY: both menus are ours.
            unsafe { AppendMenuW(bar, MF_POPUP, popup.0.expose_provenance(), w!("&File")) }?;
            // SAFETY: window and menu are ours.
            unsafe { SetMenu(main, Some(bar)) }?;
            Ok(Self { main, edit, check, list, popup })
        }
    }

    /// The paper's way: ask for the names, format the line, write it, flush it.
    fn paper(file: &mut File, window: HWND, number: u32, text: &str) {
        let (mut class, mut name) = ([0; 256], [0; 256]);
        // SAFETY: the buffers are ours, their lengths go along.
        let class_len = unsafe { GetClassNameW(window, &mut class) } as usize;
        // SAFETY: as above.
        let name_len = unsafe { InternalGetWindowText(window, &mut name) }.max(0) as usize;
        // SAFETY: any handle may be asked about.
        let (parent, id) =
            (unsafe { GetParent(window) }.unwrap_or_default(), unsafe { GetDlgCtrlID(window) });
        let param = |name: &str, value: &str| format!("<param name=\"{name}\" value=\"{value}\"/>");
        let line = format!(
            "<msg type=\"{number}\">{}{}{}{}{}{}</msg>\n",
            param("window.hwnd", &window.0.addr().to_string()),
            param("window.parent.hwnd", &parent.0.addr().to_string()),
            param("window.resourceId", &id.to_string()),
            param("window.class", &String::from_utf16_lossy(&class[..class_len])),
            param("window.name", &String::from_utf16_lossy(&name[..name_len])),
            param("text", text),
        );
        file.write_all(line.as_bytes()).expect("the paper's log can be written");
        file.flush().expect("the paper's log can be flushed");
    }

    pub(super) fn run() -> Result<(), Failure> {
        let windows = Windows::open()?;
        let recorder = Recorder::start()?;
        let bench = Bench { recorder: &recorder, windows: &windows, dir: std::env::temp_dir() };
        bench.common()?;
        bench.rare()?;
        let stats = recorder.drain();
        let [received, rejected, recorded, shed, dropped, _] = stats.counts;
        if received != rejected + recorded + shed + dropped || dropped != 0 {
            return Err(format!("not everything was recorded: {:?}", stats.counts).into());
        }
        // SAFETY: nothing else uses the recorder.
        unsafe { (recorder.stop)() };
        Ok(())
    }

    struct Bench<'a> {
        recorder: &'a Recorder,
        windows: &'a Windows,
        dir: std::path::PathBuf,
    }

    fn posted(window: HWND, message: u32, wparam: usize, lparam: isize) -> MSG {
        MSG { hwnd: window, message, wParam: WPARAM(wparam), lParam: LPARAM(lparam), ..Default::default() }
    }

    fn sent(window: HWND, message: u32, wparam: usize, lparam: isize) -> CWPSTRUCT {
        CWPSTRUCT { lParam: LPARAM(lparam), wParam: WPARAM(wparam), message, hwnd: window }
    }

    impl Bench<'_> {
        fn common(&self) -> Result<(), Failure> {
            let (recorder, edit) = (self.recorder, self.windows.edit);
            let hit_test = sent(edit, 0x0084, 0, 0);
            let click = posted(edit, 0x0201, 1, 0x0007_000C);
            let character = posted(edit, 0x0102, 0x61, 1);
            let text: Vec<u16> =
                "Rechnung 4711 an Ärzte und Söhne, Köln 1".encode_utf16().chain([0]).collect();
            let set_text =
                sent(self.windows.main, 0x000C, 0, text.as_ptr().expose_provenance().cast_signed());
            let create = CREATESTRUCTW {
                hwndParent: self.windows.main,
                hMenu: HMENU(std::ptr::without_provenance_mut(1001)),
                style: WS_CHILD.0.cast_signed(),
                lpszName: PCWSTR(text.as_ptr()),
                lpszClass: w!("Edit"),
                ..Default::default()
            };
            let create = sent(edit, 0x0001, 0, (&raw const create).expose_provenance().cast_signed());
            let mut file = File::create(self.dir.join("dashcam-bench-paper.xml"))?;
            let mut mapped = memmap2::MmapMut::map_anon(1 << 20)?;
            mapped.fill(1);

            // SAFETY: each pointer is to a message of ours.
            let empty = || unsafe { (recorder.empty)(&raw const click) };
            // SAFETY: as above.
            let rejected = || unsafe { (recorder.sent)(&raw const hit_test) };
            // SAFETY: as above.
            let recorded = || unsafe { (recorder.posted)(&raw const click) };
            // SAFETY: as above.
            let typed = || unsafe { (recorder.posted)(&raw const character) };
            // SAFETY: as above.
            let named = || unsafe { (recorder.sent)(&raw const set_text) };
            // SAFETY: as above.
            let born = || unsafe { (recorder.sent)(&raw const create) };
            let line = std::cell::RefCell::new(&mut file);
            let paper_click = || paper(&mut line.borrow_mut(), edit, 0x0201, "");
            let paper_text = || {
                paper(
                    &mut line.borrow_mut(),
                    self.windows.main,
                    0x000C,
                    "Rechnung 4711 an Ärzte und Söhne, Köln 1",
                );
            };
            let (at, memory) = (std::cell::Cell::new(0), std::cell::RefCell::new(&mut mapped));
            let copy = |bytes: usize| {
                let source = [7u8; 512];
                let begin = at.get() % ((1 << 20) - 512);
                let mut memory = memory.borrow_mut();
                memory[begin..begin + bytes].copy_from_slice(black_box(&source[..bytes]));
                // SAFETY: every processor Windows runs on has it.
                memory[begin..begin + 8]
                    .copy_from_slice(&unsafe { std::arch::x86_64::_rdtsc() }.to_le_bytes());
                at.set(begin + bytes);
            };
            let (copy_click, copy_text) = (|| copy(80), || copy(80 + 8 + 80));
            let copy_birth = || copy(80 + 200);

            let [
                empty,
                rejected,
                recorded,
                typed,
                named,
                born,
                paper_click,
                paper_text,
                copy_click,
                copy_text,
                copy_birth,
            ] = self.measure([
                &empty,
                &rejected,
                &recorded,
                &typed,
                &named,
                &born,
                &paper_click,
                &paper_text,
                &copy_click,
                &copy_text,
                &copy_birth,
            ]);
            let the_paper = |value| ("the paper's way", value);
            row(
                "callback, rejected message",
                rejected,
                the_paper(paper_click),
                ("an empty body", empty),
                0.02,
            );
            let floor = ("rdtsc and a copy", copy_click);
            row("callback, recorded click", recorded, the_paper(paper_click), floor, 0.1);
            row("callback, recorded character", typed, the_paper(paper_click), floor, 0.1);
            row(
                "callback, recorded WM_SETTEXT of 40 characters",
                named,
                the_paper(paper_text),
                ("rdtsc and a copy", copy_text),
                0.2,
            );
            row(
                "callback, recorded WM_CREATE with class and name",
                born,
                the_paper(paper_text),
                ("rdtsc and a copy", copy_birth),
                0.3,
            );
            Ok(())
        }

        /// Kinds that ask the control, the menu or the edit.
        fn rare(&self) -> Result<(), Failure> {
            let Windows { main, edit, check, list, popup } = *self.windows;
            let handle = |window: HWND| window.0.expose_provenance().cast_signed();
            let recorder = self.recorder;
            let button = sent(main, 0x0111, 1002, handle(check));
            let choice = sent(main, 0x0111, 1003 | 1 << 16, handle(list));
            let open = sent(main, 0x0117, popup.0.expose_provenance(), 0);
            let select = sent(main, 0x011F, 7, popup.0.expose_provenance().cast_signed());
            let focus = sent(edit, 0x0007, 0, 0);
            let character = posted(edit, 0x0102, 0x61, 1);
            let leave = sent(edit, 0x0008, 0, 0);
            let mut file = File::create(self.dir.join("dashcam-bench-paper.xml"))?;
            let line = std::cell::RefCell::new(&mut file);
            // SAFETY: each pointer is to a message of ours.
            let send = |message: &CWPSTRUCT| unsafe { (recorder.sent)(message) };
            send(&open);
            send(&focus);
            let empty = || {
                let message = posted(edit, 0, 0, 0);
                // SAFETY: as above.
                unsafe { (recorder.empty)(&raw const message) }
            };
            let button = || send(&button);
            let choice = || send(&choice);
            let select = || send(&select);
            let result = || {
                // SAFETY: as above.
                unsafe { (recorder.posted)(&raw const character) };
                send(&leave);
            };
            let paper = || paper(&mut line.borrow_mut(), check, 0x0111, "");
            let [empty, button, choice, select, result, paper] =
                self.measure([&empty, &button, &choice, &select, &result, &paper]);
            let row = |name, ours| row(name, ours, ("the paper's way", paper), ("an empty body", empty), 1.0);
            row("callback, a check box's command with its state", button);
            row("callback, a list box's choice with its text", choice);
            row("callback, a menu item with the way to it", select);
            row("callback, an edit's text when it is left (and a character)", result);
            Ok(())
        }

        /// Nanoseconds per call, median of the rounds.
        fn measure<const N: usize>(&self, contestants: [&dyn Fn(); N]) -> [f64; N] {
            let mut times = [const { Vec::new() }; N];
            for _ in 0..ROUNDS {
                for (contestant, times) in contestants.iter().zip(&mut times) {
                    self.recorder.drain();
                    let start = Instant::now();
                    for _ in 0..MESSAGES {
                        contestant();
                    }
                    times.push(start.elapsed().as_nanos() as f64 / MESSAGES as f64);
                }
            }
            times.map(|mut times: Vec<f64>| {
                times.sort_by(f64::total_cmp);
                times[times.len() / 2]
            })
        }
    }

    fn row(name: &str, ours: f64, reference: (&str, f64), floor: (&str, f64), max_ratio: f64) {
        println!(
            r#"{{"row":"{name}","unit":"ns","ours":{ours:.1},"reference":{{"name":"{}","value":{:.1}}},"floor":{{"name":"{}","value":{:.1}}},"bound":{{"max_ratio":{max_ratio}}},"better":"lower"}}"#,
            reference.0, reference.1, floor.0, floor.1
        );
    }
}

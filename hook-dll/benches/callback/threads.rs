//! The cost of many threads: a recorded click on each in turn, and what the recorder's own
//! thread makes of them.
#![expect(unsafe_code, reason = "makes windows on threads of their own")]

use crate::recorder::{Failure, MESSAGES, Recorder, posted};
use crate::row::Row;
use serde_json::json;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use win32_vocabulary::messages::WM_LBUTTONDOWN;
use windows::Win32::UI::WindowsAndMessaging::{
    CreateWindowExW, DestroyWindow, WINDOW_EX_STYLE, WINDOW_STYLE,
};
use windows::core::w;

const NUMBERS: [usize; 6] = [1, 2, 4, 8, 16, 32];
const ROUNDS: usize = 15;
const DEADLINE: Duration = Duration::from_secs(30);

pub(crate) fn rows(recorder: &Recorder) -> Result<(), Failure> {
    let mut threads = Vec::new();
    let mut first = None;
    for number in NUMBERS {
        while threads.len() < number {
            threads.push(Hooked::start(*recorder)?);
        }
        let (mut callback, mut drain) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            recorder.drain();
            let nanos: f64 = threads.iter().map(|it| it.click(MESSAGES / number)).sum::<Result<f64, _>>()?;
            let begin = Instant::now();
            recorder.drain();
            let messages = (MESSAGES / number * number) as f64;
            callback.push(nanos / messages);
            drain.push(begin.elapsed().as_nanos() as f64 / messages);
        }
        let now = (median(callback), median(drain));
        let (of_one, drain_of_one) = *first.get_or_insert(now);
        let row = |what: &str, ours: f64, one: f64, plot: &str| {
            Row::new(&format!("{what}, {number} threads in turn"), "ns", ours)
                .reference(("of one thread", one))
                .bound(json!({ "max_ratio": 4.0 }))
                .point(plot, "hooked threads", number)
                .print();
        };
        row("callback, recorded click", now.0, of_one, "A recorded click, by the number of threads");
        row(
            "a click from the ring to the file",
            now.1,
            drain_of_one,
            "From the rings to the file, a message",
        );
    }
    threads.into_iter().try_for_each(Hooked::end)
}

/// A thread with a window, which the recorder has hooked.
struct Hooked {
    clicks: Sender<usize>,
    nanos: Receiver<f64>,
    thread: JoinHandle<()>,
}

impl Hooked {
    fn start(recorder: Recorder) -> Result<Self, Failure> {
        let ((clicks, wanted), (answers, nanos)) = (channel::<usize>(), channel());
        let thread = thread::spawn(move || {
            let (style, ex) = (WINDOW_STYLE(0), WINDOW_EX_STYLE(0));
            // SAFETY: the class is the system's, and the texts end in a zero.
            let window = unsafe {
                CreateWindowExW(ex, w!("Static"), w!(""), style, 0, 0, 9, 9, None, None, None, None)
            };
            let Ok(window) = window else { return };
            let click = posted(window, WM_LBUTTONDOWN, 1, 0x0007_000C);
            for messages in wanted {
                let begin = Instant::now();
                (0..messages).for_each(|_| recorder.posted(&click));
                if answers.send(begin.elapsed().as_nanos() as f64).is_err() {
                    break;
                }
            }
            // SAFETY: the window is this thread's own.
            let _ = unsafe { DestroyWindow(window) };
        });
        let hooked = Self { clicks, nanos, thread };
        let begin = Instant::now();
        loop {
            let before = recorder.drain().counts[2];
            hooked.click(1)?;
            if recorder.drain().counts[2] > before {
                return Ok(hooked);
            }
            if begin.elapsed() > DEADLINE {
                return Err("a thread was not hooked".into());
            }
        }
    }

    /// So many clicks, and how long they took.
    fn click(&self, messages: usize) -> Result<f64, Failure> {
        self.clicks.send(messages)?;
        Ok(self.nanos.recv()?)
    }

    fn end(self) -> Result<(), Failure> {
        drop((self.clicks, self.nanos));
        self.thread.join().map_err(|_| "a thread ended badly".into())
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

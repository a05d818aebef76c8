//! What the application takes of the pointer's input while the agent moves the pointer: a press that nobody
//! takes drags nothing.
//!
//! An input can be lost. It goes to whatever window lies there when it is taken, and Wine drops a press whose
//! window it cannot activate. So a hook looks at the messages of the thread for as long as a drag lasts.
//!
//! Under Wine a move comes twice: from the agent, and a moment later from the display, which was told
//! where its pointer has to be. Until that echo has come, the echo of an older move may still take
//! the pointer back.

use crate::win32::{pointer, process};
use message_log::Point;
use replay_link::Window;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use win32_vocabulary::messages::{
    WM_LBUTTONDBLCLK, WM_LBUTTONDOWN, WM_LBUTTONUP, WM_MOUSEMOVE, WM_NCLBUTTONDBLCLK, WM_NCLBUTTONDOWN,
    WM_NCLBUTTONUP, WM_NCMOUSEMOVE,
};
use windows::Win32::UI::WindowsAndMessaging::MSG;

/// What the left button and the pointer did, as messages say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PointerEvent {
    Press,
    /// The second press of a double click.
    DoublePress,
    Move,
    Release,
}

/// A message of the pointer that the application took.
#[derive(Debug, Clone, Copy)]
struct TakenInput {
    event: PointerEvent,
    window: Window,
    at: Point,
    /// Whether it comes from the agent, not from the display.
    is_own: bool,
}

/// What was taken, while anybody wants to know.
static TAKEN: Mutex<Option<Vec<TakenInput>>> = Mutex::new(None);
static MORE: Condvar = Condvar::new();

fn taken() -> MutexGuard<'static, Option<Vec<TakenInput>>> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs on the hooked thread, when it takes a message.
pub(crate) fn note(message: &MSG) {
    let event = match message.message {
        WM_NCLBUTTONDOWN | WM_LBUTTONDOWN => PointerEvent::Press,
        WM_NCLBUTTONUP | WM_LBUTTONUP => PointerEvent::Release,
        WM_NCLBUTTONDBLCLK | WM_LBUTTONDBLCLK => PointerEvent::DoublePress,
        WM_NCMOUSEMOVE | WM_MOUSEMOVE => PointerEvent::Move,
        _ => return,
    };
    if let Some(all) = taken().as_mut() {
        let window = Window(message.hwnd.0.addr() as u64);
        let at = Point { x: message.pt.x, y: message.pt.y };
        all.push(TakenInput { event, window, at, is_own: pointer::is_own_input() });
        MORE.notify_all();
    }
}

/// Forgets what was taken and keeps what is taken from now on.
pub(crate) fn begin() {
    *taken() = Some(Vec::new());
}

/// Keeps nothing any more.
pub(crate) fn end() {
    *taken() = None;
}

/// The first of these events, and the window that took it; none if it does not come in time.
pub(crate) fn next(wanted: &[PointerEvent], patience: Duration) -> Option<(PointerEvent, Window)> {
    wait(patience, |input| wanted.contains(&input.event)).map(|input| (input.event, input.window))
}

/// Whether the application takes the pointer's arrival at a place in time, and nothing older can follow it.
pub(crate) fn arrives(at: Point, patience: Duration) -> bool {
    let is_last = |input: &TakenInput| !input.is_own || !process::is_wine();
    let is_arrival = |input: &TakenInput| input.event == PointerEvent::Move && is_near(input.at, at);
    wait(patience, |input| is_arrival(input) && is_last(input)).is_some()
}

/// The same place: parts of the screen are not always whole pixels.
pub(crate) fn is_near(a: Point, b: Point) -> bool {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) <= 1
}

fn wait(patience: Duration, is_wanted: impl Fn(&TakenInput) -> bool) -> Option<TakenInput> {
    let find = |all: &Option<Vec<TakenInput>>| all.as_ref()?.iter().copied().find(|input| is_wanted(input));
    let (all, _) = MORE
        .wait_timeout_while(taken(), patience, |all| all.is_some() && find(all).is_none())
        .unwrap_or_else(PoisonError::into_inner);
    find(&all)
}

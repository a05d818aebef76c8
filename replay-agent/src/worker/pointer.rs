//! The real pointer, for the few acts that need it: dragging an item, resting on a widget, the place of
//! a context menu. Programs and Windows' own drag loops ask where the pointer is, and a drop goes to
//! what lies below it.
//!
//! One replay of the machine at a time has the pointer: a named mutex leases it. Each move ends when the
//! application has taken it and is idle again, and under Wine when the display has reported it too:
//! nothing waits for a clock. A drag whose press or release the program did not take did not happen,
//! which is an error.

use crate::act::item_places;
use crate::gui_thread::dispatch;
use crate::gui_thread::live::Live;
use crate::gui_thread::pointer_input::{self, PointerEvent, is_near};
use crate::win32::hooks::MessageHook;
use crate::win32::pointer::{
    self, Lease, LeftButton, double_click_time, double_click_width, position, window_at,
};
use crate::win32::process::process_id;
use crate::win32::windows::{bring_root_to_front, to_screen};
use crate::worker::threads::Threads;
use message_log::Point;
use replay_link::{Act, ItemRef, PointerButton, Trouble, Window};
use std::iter::successors;
use std::time::{Duration, Instant};
use win32_vocabulary::Control;

/// How far the first move goes: farther than a click may move, and hardly out of the window.
const FIRST_MOVE: i32 = 5;
/// How many moves make a drag.
const MOVES: i32 = 8;
/// How long the application may take for a move. A program that asks for the pointer's place instead takes
/// none; after a tenth of a second without a move Wine asks the display for that place, which the display
/// reports behind all moves of the agent's.
const PATIENCE: Duration = Duration::from_millis(150);
/// How long the program may take to take a press or a release: under load a thread waits for its turn.
const TAKEN: Duration = Duration::from_secs(2);
/// How often a lost press is tried again.
const PRESSES: u32 = 3;
/// How often the pointer is moved to a place that it does not keep.
const TRIES: u32 = 10;
/// Clicks no farther apart than this may be one double click.
const NEAR: u32 = 8;
/// How long another replay may have the pointer.
const LEASE: Duration = Duration::from_secs(30);
/// The same where the act can do without.
const SHORT_LEASE: Duration = Duration::from_secs(3);

const LEASED: &str = "another replay has the pointer of this machine";
const COVERED: &str = "a window of another program is in front of where the pointer has to go";
const RESTLESS: &str = "the pointer does not stay where it has to go: somebody else moves it";

fn unable(why: &str) -> Trouble {
    Trouble::Unable(why.into())
}

/// The last clicks and presses, so that two steps of a fast replay are not taken for one double click.
#[derive(Default)]
pub(crate) struct Clicks {
    /// The last click that was posted.
    last: Option<(Window, (i32, i32), Instant)>,
    /// Whether it may not have been posted yet.
    is_under_way: bool,
    /// The last press of the real pointer, of which Windows makes double clicks.
    pressed: Option<(Point, Instant)>,
}

impl Clicks {
    /// Waits until a click cannot be taken for part of the one before at the same place, in a window that
    /// decides so by the clock.
    pub(crate) fn keep_apart(&mut self, window: Window, act: &Act) {
        let Act::Click { point, .. } = act else { return };
        if let Some((before, at, when)) = self.last
            && before == window
            && at.0.abs_diff(point.0).max(at.1.abs_diff(point.1)) <= NEAR
            && Control::of_class(&window.class().to_string_lossy()).counts_clicks()
        {
            std::thread::sleep(double_click_time().saturating_sub(when.elapsed()));
        }
        self.last = Some((window, *point, Instant::now()));
        self.is_under_way = true;
    }

    /// The application is idle, so it has taken the last click: its time counts from here.
    pub(crate) fn settled(&mut self) {
        if let (true, Some((_, _, when))) = (std::mem::take(&mut self.is_under_way), &mut self.last) {
            *when = Instant::now();
        }
    }

    /// Where the real pointer goes down: so far beside the last press that Windows does not make a double
    /// click of the two.
    fn beside_the_last(&self, at: Point) -> Point {
        let width = double_click_width();
        let is_second = |&(before, when): &(Point, Instant)| {
            before.x.abs_diff(at.x).max(before.y.abs_diff(at.y)) < width.unsigned_abs()
                && when.elapsed() <= double_click_time()
        };
        self.pressed.filter(is_second).map_or(at, |(before, _)| Point { x: before.x + width, ..at })
    }
}

/// Watches what a thread takes of the pointer's input, until dropped.
struct InputWatch {
    _hook: MessageHook,
}

impl InputWatch {
    fn over(window: Window) -> Self {
        pointer_input::begin();
        Self { _hook: dispatch::hook(window.thread_and_process().0) }
    }
}

impl Drop for InputWatch {
    fn drop(&mut self) {
        pointer_input::end();
    }
}

/// Moves the pointer to where a right click is about to be posted. What its menu is about is often asked by
/// the place of the pointer (GetMessagePos), which is no part of a posted message. Nobody else has the
/// pointer until the lease is dropped. Without a lease the click is posted all the same.
pub(crate) fn lead(threads: &mut Threads, window: Window, act: &Act) -> Option<Lease> {
    let Act::Click { button: PointerButton::Right, point: (x, y), .. } = *act else { return None };
    let to = to_screen(window, Point { x, y });
    let lease = Lease::take(SHORT_LEASE).filter(|_| is_own(window_at(to)))?;
    if !is_near(position(), to) {
        let _watch = InputWatch::over(window);
        go(threads, to);
    }
    Some(lease)
}

/// Where the pointer goes down: on the item, or at the point.
pub(crate) fn start_of_drag(
    window: Window,
    item: Option<&ItemRef>,
    (x, y): (i32, i32),
) -> Result<Point, Trouble> {
    bring_root_to_front(window);
    let at = item.map(|item| item_places::of(&Live, window, item)).transpose()?.flatten();
    Ok(to_screen(window, at.unwrap_or(Point { x, y })))
}

/// Moves the pointer somewhere and lets it rest there.
pub(crate) fn hover(threads: &mut Threads, window: Window, to: Point) -> Result<(), Trouble> {
    let _lease = Lease::take(LEASE).ok_or_else(|| unable(LEASED))?;
    let _watch = InputWatch::over(window);
    if !go(threads, to) {
        return Err(unable(RESTLESS));
    }
    if is_own(window_at(to)) { Ok(()) } else { Err(unable(COVERED)) }
}

/// Presses, moves and releases in one go, since a control that waits for what follows a press takes nothing
/// but the pointer's messages.
pub(crate) fn drag(
    threads: &mut Threads,
    clicks: &mut Clicks,
    window: Window,
    from: Point,
    to: Point,
) -> Result<(), Trouble> {
    let _lease = Lease::take(LEASE).ok_or_else(|| unable(LEASED))?;
    let _watch = InputWatch::over(window);
    let from = press(threads, clicks, window, from)?;
    // The first move is a small one: the drag begins where it is taken, and most windows do not capture the
    // pointer before that.
    let near = |from: i32, to: i32| from + (to - from).clamp(-FIRST_MOVE, FIRST_MOVE);
    let takes_moves = move_to(threads, Point { x: near(from.x, to.x), y: near(from.y, to.y) }, TAKEN);
    let part = |from: i32, to: i32, step: i32| from + (to - from) * step / MOVES;
    // A program that asks for the pointer's place instead sees where it is in the end.
    for step in 1..if takes_moves { MOVES } else { 1 } {
        let between = Point { x: part(from.x, to.x, step), y: part(from.y, to.y, step) };
        move_to(threads, between, PATIENCE);
    }
    let stays = go(threads, to);
    pointer_input::begin();
    pointer::move_to(to, LeftButton::Release);
    match pointer_input::next(&[PointerEvent::Release], TAKEN) {
        Some(_) if stays => Ok(()),
        Some(_) => Err(unable(RESTLESS)),
        None => Err(unable("the pointer was released, and the program did not take notice of it")),
    }
}

/// Moves the pointer, and waits until the program has taken the move and is idle. False if it takes nothing
/// in time, as a program does that asks for the pointer's place.
fn move_to(threads: &mut Threads, to: Point, patience: Duration) -> bool {
    pointer_input::begin();
    pointer::move_to(to, LeftButton::Unchanged);
    let is_taken = pointer_input::next(&[PointerEvent::Move], patience).is_some();
    if is_taken {
        pointer_input::arrives(to, PATIENCE);
    }
    threads.settle(process_id(), PATIENCE);
    is_taken
}

/// Presses until the window takes it as a press, and returns where.
fn press(threads: &mut Threads, clicks: &mut Clicks, window: Window, at: Point) -> Result<Point, Trouble> {
    // Inside the window, or around it where it lets the pointer through.
    let is_above = |a: Window, b: Window| successors(Some(b), |window| window.parent()).any(|it| it == a);
    let is_here = |other: Window| is_above(window, other) || is_above(other, window);
    let mut why = "";
    for _ in 0..PRESSES {
        let at = clicks.beside_the_last(at);
        if !go(threads, at) {
            why = RESTLESS;
            continue;
        }
        let under = window_at(at);
        if !is_here(under) {
            why = match is_own(under) {
                true => "another window of the program is in front of where the pointer has to go",
                false => COVERED,
            };
            continue;
        }
        pointer_input::begin();
        pointer::move_to(at, LeftButton::Press);
        clicks.pressed = Some((at, Instant::now()));
        match pointer_input::next(&[PointerEvent::Press, PointerEvent::DoublePress], TAKEN) {
            Some((PointerEvent::Press, on)) if is_here(on) => return Ok(at),
            Some((PointerEvent::DoublePress, _)) => {
                why = "the press was taken for the second of a double click";
            }
            Some(_) => why = "the press went to another window",
            None => why = "the program did not take notice of the press",
        }
        pointer::move_to(at, LeftButton::Release);
        pointer_input::next(&[PointerEvent::Release], TAKEN);
    }
    Err(unable(why))
}

/// Moves the pointer until it stays there with the application idle: under Wine an older place comes back as
/// long as the display has moves under way. The pointer comes from beside, since the display reports nothing
/// of a pointer that is there already. False if it does not stay.
fn go(threads: &mut Threads, to: Point) -> bool {
    for _ in 0..TRIES {
        threads.settle(process_id(), PATIENCE);
        pointer::move_to(Point { x: to.x - 1, ..to }, LeftButton::Unchanged);
        pointer_input::begin();
        pointer::move_to(to, LeftButton::Unchanged);
        pointer_input::arrives(to, PATIENCE);
        threads.settle(process_id(), PATIENCE);
        if is_near(position(), to) {
            return true;
        }
    }
    false
}

fn is_own(window: Window) -> bool {
    window.thread_and_process().1 == process_id()
}

//! The real pointer, for the few things that nothing else does: dragging an item, resting on a widget, and
//! the place of a context menu. Programs and the system's own drag loops ask where the pointer is, and a drop
//! goes to what lies below it.
//!
//! One replay of the machine at a time has the pointer: it is leased by a named mutex. Each move ends
//! when the application has taken it and is done with it, and under Wine when the display has told it
//! too: no clock is waited for. A drag whose press or release the program did not take did not happen,
//! and that is said.

use crate::controls::{Kind, counts_clicks, kind_of};
use crate::hand::{Hand, Taken, is_near};
use crate::items;
use crate::threads::Threads;
use crate::win32::{self, Button, Lease, middle, on_screen, send_with};
use replay_link::{Act, ItemRef, PointerButton, Trouble, Window};
use std::iter::successors;
use std::time::{Duration, Instant};
use windows::Win32::Foundation::{POINT, RECT};

/// How far the first move goes: beyond what is still a click, and hardly out of the window.
const FIRST_MOVE: i32 = 5;
/// How many moves make a drag.
const MOVES: i32 = 8;
/// How long the application may take for a move. One that asks for the pointer's place instead takes
/// none; after a tenth of a second without a move Wine asks the display for that place, which is told
/// behind all our moves.
const PATIENCE: Duration = Duration::from_millis(150);
/// How long the program may take to take a press or a release: under load a thread waits for its turn.
const TAKEN: Duration = Duration::from_secs(2);
/// How often a press that was lost is tried again.
const PRESSES: u32 = 3;
/// How often the pointer is moved to a place that it does not keep.
const TRIES: u32 = 10;
/// Clicks no farther apart than this may be one double click.
const NEAR: u32 = 8;
/// How long another replay may have the pointer.
const LEASE: Duration = Duration::from_secs(30);
/// The same where it can be done without.
const SHORT_LEASE: Duration = Duration::from_secs(3);

/// The last clicks and presses, so that two steps of a fast replay are not taken for one double click.
#[derive(Default)]
pub(crate) struct Clicks {
    /// The last click that was posted.
    last: Option<(Window, (i32, i32), Instant)>,
    /// Whether it may not have been posted yet.
    is_under_way: bool,
    /// The last press of the real pointer, of which the system makes double clicks.
    pressed: Option<(POINT, Instant)>,
}

impl Clicks {
    /// Waits until a click is no longer part of the one before at the same place, in a window that tells so
    /// by the clock: no message does, only time.
    pub(crate) fn keep_apart(&mut self, window: Window, act: &Act) {
        let Act::Click { point, .. } = act else { return };
        let apart = win32::double_click_time();
        if let Some((before, at, when)) = self.last
            && before == window
            && at.0.abs_diff(point.0).max(at.1.abs_diff(point.1)) <= NEAR
            && counts_clicks(window)
        {
            std::thread::sleep(apart.saturating_sub(when.elapsed()));
        }
        self.last = Some((window, *point, Instant::now()));
        self.is_under_way = true;
    }

    /// The application is idle, so the last click has been made: its time counts from here.
    pub(crate) fn settled(&mut self) {
        if let (true, Some((_, _, when))) = (std::mem::take(&mut self.is_under_way), &mut self.last) {
            *when = Instant::now();
        }
    }

    /// Where the real pointer goes down: so far beside the last press that the system does not make a double
    /// click of the two.
    fn beside_the_last(&self, at: POINT) -> POINT {
        let width = win32::double_click_width();
        let is_second = |&(before, when): &(POINT, Instant)| {
            before.x.abs_diff(at.x).max(before.y.abs_diff(at.y)) < width.unsigned_abs()
                && when.elapsed() <= win32::double_click_time()
        };
        self.pressed.filter(is_second).map_or(at, |(before, _)| POINT { x: before.x + width, ..at })
    }
}

/// Moves the pointer to where a right click is about to be posted: what its menu is about is often asked by
/// the place of the pointer (GetMessagePos), which is no part of a posted message. Nobody else has the
/// pointer until this is dropped. Where it is not to be had, the click is posted all the same.
pub(crate) fn lead(threads: &mut Threads, window: Window, act: &Act) -> Option<Lease> {
    let Act::Click { button: PointerButton::Right, point: (x, y), .. } = *act else { return None };
    let to = on_screen(window, POINT { x, y });
    let lease = Lease::take(SHORT_LEASE)
        .filter(|_| win32::window_at(to).thread_and_process().1 == win32::process_id())?;
    if !is_near(win32::pointer_at(), to) {
        go(threads, &Hand::over(window.thread_and_process().0), to);
    }
    Some(lease)
}

/// Where the pointer goes down: on the item, or at the point.
pub(crate) fn spot(window: Window, item: Option<&ItemRef>, (x, y): (i32, i32)) -> Result<POINT, Trouble> {
    win32::to_front(window);
    let at = item.map(|item| place_of(window, item)).transpose()?.flatten();
    Ok(on_screen(window, at.unwrap_or(POINT { x, y })))
}

/// The middle of an item's text, where the control tells it.
pub(crate) fn place_of(window: Window, item: &ItemRef) -> Result<Option<POINT>, Trouble> {
    const LB_GETITEMRECT: u32 = 0x0198;
    const LVM_GETITEMRECT: u32 = 0x100E;
    const LVM_ENSUREVISIBLE: u32 = 0x1013;
    const LVIR_LABEL: i32 = 2;
    const TVM_GETITEMRECT: u32 = 0x1104;
    const TVM_ENSUREVISIBLE: u32 = 0x1114;
    let kind = kind_of(window);
    let mut rect = RECT::default();
    let is_told = match kind {
        Kind::ListBox => {
            let index = items::find(window, kind, item)?;
            send_with(window, LB_GETITEMRECT, index, &mut rect) != -1
        }
        Kind::ListView => {
            let index = items::find(window, kind, item)?;
            win32::send(window, LVM_ENSUREVISIBLE, index, 0);
            rect.left = LVIR_LABEL;
            send_with(window, LVM_GETITEMRECT, index, &mut rect) != 0
        }
        Kind::TreeView => {
            let handle = items::find_in_tree(window, item)?;
            win32::send(window, TVM_ENSUREVISIBLE, 0, handle);
            // While it is asked for, the rectangle begins with the item's handle.
            (rect.left, rect.top) = (handle as i32, (handle as i64 >> 32) as i32);
            send_with(window, TVM_GETITEMRECT, 1, &mut rect) != 0
        }
        _ => false,
    };
    Ok(is_told.then(|| POINT { x: (rect.left + 8).min(middle(rect).x), y: middle(rect).y }))
}

/// The pointer goes somewhere and rests.
pub(crate) fn hover(threads: &mut Threads, window: Window, to: POINT) -> Result<(), Trouble> {
    let _lease = Lease::take(LEASE).ok_or_else(|| unable(LEASED))?;
    if !go(threads, &Hand::over(window.thread_and_process().0), to) {
        return Err(unable(RESTLESS));
    }
    let is_ours = win32::window_at(to).thread_and_process().1 == win32::process_id();
    is_ours.then_some(()).ok_or_else(|| unable(COVERED))
}

/// The pointer goes down, moves, and goes up: all of it at once, since a control that waits for what comes of
/// a press takes nothing but the pointer's messages.
pub(crate) fn drag(
    threads: &mut Threads,
    clicks: &mut Clicks,
    window: Window,
    from: POINT,
    to: POINT,
) -> Result<(), Trouble> {
    let _lease = Lease::take(LEASE).ok_or_else(|| unable(LEASED))?;
    let hand = Hand::over(window.thread_and_process().0);
    let from = press(threads, clicks, &hand, window, from)?;
    // The first move is a small one: where it is taken, the drag begins, and most windows do not hold the
    // pointer before that.
    let near = |from: i32, to: i32| from + (to - from).clamp(-FIRST_MOVE, FIRST_MOVE);
    let takes_moves = move_to(threads, &hand, POINT { x: near(from.x, to.x), y: near(from.y, to.y) }, TAKEN);
    let part = |from: i32, to: i32, step: i32| from + (to - from) * step / MOVES;
    // Who asks for the pointer's place instead sees where it is in the end.
    for step in 1..if takes_moves { MOVES } else { 1 } {
        let between = POINT { x: part(from.x, to.x, step), y: part(from.y, to.y, step) };
        move_to(threads, &hand, between, PATIENCE);
    }
    let stays = go(threads, &hand, to);
    hand.forget();
    win32::pointer_to(to, Button::Up);
    match hand.next(&[Taken::Release], TAKEN) {
        Some(_) if stays => Ok(()),
        Some(_) => Err(unable(RESTLESS)),
        None => Err(unable("the pointer was released, and the program did not take notice of it")),
    }
}

/// Moves the pointer, and waits until the program has taken that and is done with it. False if it took
/// nothing in time: one that asks for the pointer's place does not.
fn move_to(threads: &mut Threads, hand: &Hand, to: POINT, patience: Duration) -> bool {
    hand.forget();
    win32::pointer_to(to, Button::Rest);
    let is_taken = hand.next(&[Taken::Move], patience).is_some();
    if is_taken {
        hand.arrives(to, PATIENCE);
    }
    threads.settle(win32::process_id(), PATIENCE);
    is_taken
}

const LEASED: &str = "another replay has the pointer of this machine";
const COVERED: &str = "a window of another program is in front of where the pointer has to go";
const RESTLESS: &str = "the pointer does not stay where it has to go: somebody else moves it";

fn unable(why: &str) -> Trouble {
    Trouble::Unable(why.into())
}

/// Presses until the window takes it as a press, and says where.
fn press(
    threads: &mut Threads,
    clicks: &mut Clicks,
    hand: &Hand,
    window: Window,
    at: POINT,
) -> Result<POINT, Trouble> {
    // Inside it, or around it where it lets the pointer through.
    let is_above = |a: Window, b: Window| successors(Some(b), |it| it.parent()).any(|it| it == a);
    let is_here = |other: Window| is_above(window, other) || is_above(other, window);
    let mut why = "";
    for _ in 0..PRESSES {
        let at = clicks.beside_the_last(at);
        if !go(threads, hand, at) {
            why = RESTLESS;
            continue;
        }
        let under = win32::window_at(at);
        if !is_here(under) {
            why = match under.thread_and_process().1 == win32::process_id() {
                true => "another window of the program is in front of where the pointer has to go",
                false => COVERED,
            };
            continue;
        }
        hand.forget();
        win32::pointer_to(at, Button::Down);
        clicks.pressed = Some((at, Instant::now()));
        match hand.next(&[Taken::Press, Taken::DoublePress], TAKEN) {
            Some((Taken::Press, on)) if is_here(on) => return Ok(at),
            Some((Taken::DoublePress, _)) => why = "the press was taken for the second of a double click",
            Some(_) => why = "the press went to another window",
            None => why = "the program did not take notice of the press",
        }
        win32::pointer_to(at, Button::Up);
        hand.next(&[Taken::Release], TAKEN);
    }
    Err(unable(why))
}

/// Moves the pointer until it stays there with the application idle: under Wine an older place comes back as
/// long as moves are on their way from the display. It comes from beside, for the display tells nothing of a
/// pointer that is there already. False if it does not stay.
fn go(threads: &mut Threads, hand: &Hand, to: POINT) -> bool {
    for _ in 0..TRIES {
        threads.settle(win32::process_id(), PATIENCE);
        win32::pointer_to(POINT { x: to.x - 1, ..to }, Button::Rest);
        hand.forget();
        win32::pointer_to(to, Button::Rest);
        hand.arrives(to, PATIENCE);
        threads.settle(win32::process_id(), PATIENCE);
        if is_near(win32::pointer_at(), to) {
            return true;
        }
    }
    false
}

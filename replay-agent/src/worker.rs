//! The agent's own thread: takes requests, answers them, ends with the replayer.
#![expect(unsafe_code, reason = "the entry for the replayer")]

use crate::threads::{self, Threads};
use crate::{acts, births, items, menus, pictures, pointer, watch, win32};
use replay_link::{
    Act, Births, Channel, Handle, Look, PointerButton, Reply, Request, Side, Signal, Trouble, Window, encode,
    snapshot, wait_any,
};
use std::time::{Duration, Instant};
use windows::Win32::Foundation::POINT;
use windows::core::PCWSTR;

/// How long a GUI thread may take to begin with an act or to answer a question.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts the agent; the text is the channel's name, a blank and the replayer's process id. 0 if all is well.
///
/// # Safety
/// `text` must be a text that ends in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn dashcam_agent_start(text: *const u16) -> u32 {
    // SAFETY: the caller's promise.
    let Ok(text) = (unsafe { PCWSTR(text).to_string() }) else { return 1 };
    let Some((name, pid)) = text.split_once(' ') else { return 1 };
    let Some(replayer) = pid.parse().ok().and_then(Handle::process) else { return 2 };
    let Ok(channel) = Channel::open(name, Side::Agent) else { return 3 };
    // The application goes on when this returns: its first window is to be seen.
    let (ready, watching) = std::sync::mpsc::channel();
    let started = std::thread::Builder::new().name("dashcam agent".into()).spawn(move || {
        let watch = births::watch();
        let _ = ready.send(());
        serve(&channel, &replayer, watch.is_some());
    });
    let _ = watching.recv_timeout(PATIENCE);
    if started.is_ok() { 0 } else { 4 }
}

fn serve(channel: &Channel, replayer: &Handle, sees_births: bool) {
    let own = win32::process_id();
    let mut births = Births::default();
    let mut threads = Threads::default();
    // Where the pointer goes down for the drag that is to come, and in which window.
    let mut grabbed = None;
    let mut clicks = pointer::Clicks::default();
    // The pointer, while it stands where a click has been posted to.
    let mut led = None;
    // Few acts make windows. What is not there at the first look after one is looked for afresh.
    let mut look = Look::Afresh;
    // When the last act was accepted, unless it has been waited for.
    let mut accepted = None;
    let signals = [channel.asked(), Signal::from(replayer)];
    // Nothing of ours stays behind but windows that no message comes to.
    while wait_any(&signals, None) == Some(0) {
        let Some((number, request)) = channel.request() else { continue };
        let request = match at_a_point(&mut threads, request) {
            Ok(request) => request,
            Err(trouble) => {
                channel.answer(number, &Reply::Trouble(trouble));
                continue;
            }
        };
        let reply = match request {
            Request::Snapshot => {
                births.tell(births::take());
                let look = std::mem::replace(&mut look, Look::Afresh);
                Reply::Windows(encode(&snapshot(own, &mut births, look)))
            }
            Request::Picture { window } => {
                let window = Window(window);
                let taken = threads.run(window, PATIENCE, move |answer| {
                    answer(
                        pictures::take(window).ok_or_else(|| Trouble::Unable("it cannot be drawn".into())),
                    );
                });
                flatten(taken).map_or_else(Reply::Trouble, |picture| Reply::Picture(picture.to_bytes()))
            }
            Request::Settle { patience_millis } => {
                let (outcome, idle) = threads.settle(own, Duration::from_millis(patience_millis));
                clicks.settled();
                led = None;
                let worked = accepted.take().zip(idle).map(|(from, to)| to.saturating_duration_since(from));
                let worked_micros = worked.map_or(0, |worked: Duration| worked.as_micros() as u64);
                Reply::Settled { outcome, worked_micros }
            }
            Request::Act { window, act: Act::Hover { point } } => {
                let window = Window(window);
                let spot =
                    threads.run(window, PATIENCE, move |answer| answer(pointer::spot(window, None, point)));
                done(flatten(spot).and_then(|to| pointer::hover(&mut threads, window, to)))
            }
            Request::Act { window, act: Act::Grab { item, point } } => {
                let window = Window(window);
                let spot = threads
                    .run(window, PATIENCE, move |answer| answer(pointer::spot(window, item.as_ref(), point)));
                done(flatten(spot).map(|from| grabbed = Some((window, from))))
            }
            Request::Act { window, act: Act::DropAt { point } } => {
                let to = win32::on_screen(Window(window), POINT { x: point.0, y: point.1 });
                let nothing = || Trouble::Unable("nothing is being dragged".into());
                let dragged = grabbed.take().ok_or_else(nothing);
                done(
                    dragged.and_then(|(window, from)| {
                        pointer::drag(&mut threads, &mut clicks, window, from, to)
                    }),
                )
            }
            Request::Act { window, act: Act::ChooseInMenu { path, command } } => {
                let chosen = menus::choose(&mut threads, Window(window), &path, command);
                led = None;
                done(chosen)
            }
            Request::Act { window, act } => {
                let window = Window(window);
                clicks.keep_apart(window, &act);
                led = pointer::lead(&mut threads, window, &act);
                let done = threads.run(window, PATIENCE, move |answer| {
                    items::begin_remarks();
                    let name = act.name();
                    match acts::prepare(window, act) {
                        Ok(doing) => {
                            win32::tell_recorder(window, &name);
                            // Told before it is done: what is done may open a dialog and come
                            // back much later.
                            answer(Ok((Instant::now(), items::remarks())));
                            doing();
                        }
                        Err(trouble) => answer(Err(trouble)),
                    }
                });
                match flatten(done) {
                    Ok((now, remarks)) => {
                        accepted = Some(now);
                        look = if sees_births { Look::AsBefore } else { Look::Afresh };
                        Reply::Done { remarks }
                    }
                    Err(trouble) => Reply::Trouble(trouble),
                }
            }
            Request::Watch { windows } => {
                watch::begin(windows.into_iter().map(Window).collect());
                Reply::Done { remarks: Vec::new() }
            }
            Request::Notices => Reply::Notices(watch::noted()),
            Request::Ask { window, question } => {
                let window = Window(window);
                let said = threads.run(window, PATIENCE, move |answer| answer(items::ask(window, &question)));
                flatten(said).map_or_else(Reply::Trouble, Reply::Answer)
            }
        };
        channel.answer(number, &reply);
    }
    drop(led);
    watch::end();
}

/// A right click on an item becomes one at the point where the item is now.
fn at_a_point(threads: &mut Threads, request: Request) -> Result<Request, Trouble> {
    let Request::Act { window, act: Act::RightClickItem { item } } = request else { return Ok(request) };
    let on = Window(window);
    let at = threads.run(on, PATIENCE, move |answer| answer(pointer::place_of(on, &item)));
    let unable = || Trouble::Unable("the control does not tell where its item is".into());
    let POINT { x, y } = flatten(at)?.ok_or_else(unable)?;
    let button = PointerButton::Right;
    Ok(Request::Act { window, act: Act::Click { button, times: 1, point: (x, y), modifiers: 0 } })
}

fn done(outcome: Result<(), Trouble>) -> Reply {
    outcome.map_or_else(Reply::Trouble, |()| Reply::Done { remarks: Vec::new() })
}

fn flatten<T>(said: Result<Result<T, Trouble>, threads::Silence>) -> Result<T, Trouble> {
    match said {
        Ok(said) => said,
        Err(threads::Silence::Gone) => Err(Trouble::Gone),
        Err(threads::Silence::Late) => Err(Trouble::Late),
        Err(threads::Silence::Busy) => {
            Err(Trouble::Unable("the thread of the window does not take messages".into()))
        }
    }
}

//! The agent's own thread: takes requests, answers them, ends with the replayer.
#![expect(unsafe_code, reason = "the entry for the replayer")]

use crate::threads::{self, Threads};
use crate::{acts, items, menus, pointer, win32};
use replay_link::{
    Act, Births, Channel, Handle, Reply, Request, Side, Signal, Trouble, Window, encode, snapshot, wait_any,
};
use std::time::Duration;
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
    let started =
        std::thread::Builder::new().name("dashcam agent".into()).spawn(move || serve(&channel, &replayer));
    if started.is_ok() { 0 } else { 4 }
}

fn serve(channel: &Channel, replayer: &Handle) {
    let own = win32::process_id();
    let mut births = Births::default();
    let mut threads = Threads::default();
    let mut held = None;
    let signals = [channel.asked(), Signal::from(replayer)];
    // Nothing of ours stays behind but windows that no message comes to.
    while wait_any(&signals, None) == Some(0) {
        let Some((number, request)) = channel.request() else { continue };
        let reply = match request {
            Request::Snapshot => Reply::Windows(encode(&snapshot(own, &mut births))),
            Request::Settle { patience_millis } => {
                Reply::Settled(threads.settle(own, Duration::from_millis(patience_millis)))
            }
            Request::Act { window, act: Act::Grab { item, point } } => {
                let window = Window(window);
                let spot = threads
                    .run(window, PATIENCE, move |answer| answer(pointer::spot(window, item.as_ref(), point)));
                // What was held before goes up first.
                held = None;
                match flatten(spot).and_then(|from| pointer::grab(&mut threads, from)) {
                    Ok(holding) => {
                        held = Some(holding);
                        Reply::Done
                    }
                    Err(trouble) => Reply::Trouble(trouble),
                }
            }
            Request::Act { window, act: Act::DropAt { point } } => {
                let to = win32::on_screen(Window(window), POINT { x: point.0, y: point.1 });
                match held.take() {
                    Some(holding) => {
                        pointer::drop_at(&mut threads, holding, to);
                        Reply::Done
                    }
                    None => Reply::Trouble(Trouble::Unable("nothing is being dragged".into())),
                }
            }
            Request::Act { window, act: Act::ChooseInMenu { path, command } } => {
                menus::choose(&mut threads, Window(window), &path, command)
                    .map_or_else(Reply::Trouble, |()| Reply::Done)
            }
            Request::Act { window, act } => {
                let window = Window(window);
                let done = threads.run(window, PATIENCE, move |answer| {
                    match acts::prepare(window, act) {
                        Ok(doing) => {
                            // Told before it is done: what is done may open a dialog and come back much later.
                            answer(Ok(()));
                            doing();
                        }
                        Err(trouble) => answer(Err(trouble)),
                    }
                });
                flatten(done).map_or_else(Reply::Trouble, |()| Reply::Done)
            }
            Request::Ask { window, question } => {
                let window = Window(window);
                let said = threads.run(window, PATIENCE, move |answer| answer(items::ask(window, &question)));
                flatten(said).map_or_else(Reply::Trouble, Reply::Answer)
            }
        };
        channel.answer(number, &reply);
    }
}

fn flatten<T>(said: Result<Result<T, Trouble>, threads::Silence>) -> Result<T, Trouble> {
    match said {
        Ok(said) => said,
        Err(threads::Silence::Gone) => Err(Trouble::Gone),
        Err(threads::Silence::Busy) => {
            Err(Trouble::Unable("the thread of the window does not take messages".into()))
        }
    }
}

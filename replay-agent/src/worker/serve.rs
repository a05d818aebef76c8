//! The agent's own thread: takes requests, answers them, ends with the replayer.
#![expect(unsafe_code, reason = "the entry point for the replayer")]

use crate::act::prepare::prepare;
use crate::act::{item_places, questions};
use crate::gui_thread::live::Live;
use crate::gui_thread::{creation, notices};
use crate::win32::pointer::Lease;
use crate::win32::process::process_id;
use crate::win32::windows::to_screen;
use crate::win32::{pictures, recorder};
use crate::worker::pointer::Clicks;
use crate::worker::threads::{Silence, Threads};
use crate::worker::{open_menu, pointer};
use message_log::Point;
use replay_link::{
    Act, Channel, Handle, Look, PointerButton, Question, Reply, Request, Side, Signal, Trouble, Window,
    WindowIds, encode, snapshot, wait_any,
};
use std::time::{Duration, Instant};
use windows::core::PCWSTR;

/// How long a GUI thread may take to begin an act or to answer a question.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts the agent. The text is the channel's name, a blank and the replayer's process id.
/// Returns 0 on success.
///
/// # Safety
/// `text` must be a text that ends in a zero.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "system" fn dashcam_agent_start(text: *const u16) -> u32 {
    // SAFETY: the caller promises a text that ends in a zero.
    let Ok(text) = (unsafe { PCWSTR(text).to_string() }) else { return 1 };
    let Some((name, pid)) = text.split_once(' ') else { return 1 };
    let Some(replayer) = pid.parse().ok().and_then(Handle::process) else { return 2 };
    let Ok(channel) = Channel::open(name, Side::Agent) else { return 3 };
    // The application goes on when this returns, and its first window has to be noted.
    let (ready, watching) = std::sync::mpsc::channel();
    let started = std::thread::Builder::new().name("dashcam agent".into()).spawn(move || {
        let watch = creation::watch();
        let _ = ready.send(());
        Worker::new(watch.is_some()).serve(&channel, &replayer);
    });
    let _ = watching.recv_timeout(PATIENCE);
    if started.is_ok() { 0 } else { 4 }
}

/// What the worker remembers between requests.
struct Worker {
    threads: Threads,
    ids: WindowIds,
    clicks: Clicks,
    /// Where the pointer goes down for the drag that is to come, and in which window.
    grabbed: Option<(Window, Point)>,
    /// The pointer, while it stands where a click has been posted to.
    lease: Option<Lease>,
    sees_creation: bool,
    /// Few acts create windows, so the snapshot right after an act may rely on the one before it.
    look: Look,
    /// When the last act was accepted, unless the replayer has waited since.
    accepted: Option<Instant>,
}

impl Worker {
    fn new(sees_creation: bool) -> Self {
        Self {
            threads: Threads::default(),
            ids: WindowIds::default(),
            clicks: Clicks::default(),
            grabbed: None,
            lease: None,
            sees_creation,
            look: Look::Afresh,
            accepted: None,
        }
    }

    /// Answers requests until the replayer ends. Then nothing of the agent stays behind but windows that
    /// get no messages.
    fn serve(&mut self, channel: &Channel, replayer: &Handle) {
        let signals = [channel.asked(), Signal::from(replayer)];
        while wait_any(&signals, None) == Some(0) {
            let Some((number, request)) = channel.request() else { continue };
            channel.answer(number, &self.answer(request).unwrap_or_else(Reply::Trouble));
        }
        self.lease = None;
        notices::end();
    }

    fn answer(&mut self, request: Request) -> Result<Reply, Trouble> {
        match request {
            Request::Snapshot => {
                self.ids.on_created(creation::take());
                let look = std::mem::replace(&mut self.look, Look::Afresh);
                Ok(Reply::Windows(encode(&snapshot(process_id(), &mut self.ids, look))))
            }
            Request::Picture { window } => {
                let picture = self.on_thread(Window(window), |window| {
                    pictures::take(window).ok_or_else(|| Trouble::Unable("it cannot be drawn".into()))
                })?;
                Ok(Reply::Picture(picture.to_bytes()))
            }
            Request::Settle { patience_millis } => Ok(self.settle(Duration::from_millis(patience_millis))),
            Request::Act { window, act } => self.act(Window(window), act),
            Request::Watch { windows } => {
                notices::watch(windows.into_iter().map(Window).collect());
                Ok(done())
            }
            Request::Notices => Ok(Reply::Notices(notices::since_watch())),
            Request::Ask { window, question } => self.ask(Window(window), question),
        }
    }

    fn ask(&mut self, window: Window, question: Question) -> Result<Reply, Trouble> {
        let answer = self.on_thread(window, move |window| questions::answer(&Live, window, &question))?;
        Ok(Reply::Answer(answer))
    }

    fn settle(&mut self, patience: Duration) -> Reply {
        let (outcome, idle) = self.threads.settle(process_id(), patience);
        self.clicks.settled();
        self.lease = None;
        let worked = self.accepted.take().zip(idle).map(|(from, to)| to.saturating_duration_since(from));
        let worked_micros = worked.map_or(0, |worked: Duration| worked.as_micros() as u64);
        Reply::Settled { outcome, worked_micros }
    }

    fn act(&mut self, window: Window, act: Act) -> Result<Reply, Trouble> {
        match act {
            Act::Hover { point } => {
                let to = self.on_thread(window, move |window| pointer::start_of_drag(window, None, point))?;
                pointer::hover(&mut self.threads, window, to)?;
            }
            Act::Grab { item, point } => {
                let from = self
                    .on_thread(window, move |window| pointer::start_of_drag(window, item.as_ref(), point))?;
                self.grabbed = Some((window, from));
            }
            Act::DropAt { point: (x, y) } => {
                let to = to_screen(window, Point { x, y });
                let nothing = || Trouble::Unable("nothing is being dragged".into());
                let (window, from) = self.grabbed.take().ok_or_else(nothing)?;
                pointer::drag(&mut self.threads, &mut self.clicks, window, from, to)?;
            }
            Act::ChooseInMenu { path, command } => {
                let chosen = open_menu::choose(&mut self.threads, window, &path, command);
                self.lease = None;
                chosen?;
            }
            // A right click on an item becomes one at the point where the item is now.
            Act::RightClickItem { item } => {
                let at = self.on_thread(window, move |window| item_places::of(&Live, window, &item))?;
                let unable = || Trouble::Unable("the control does not say where its item is".into());
                let Point { x, y } = at.ok_or_else(unable)?;
                let button = PointerButton::Right;
                return self.perform(window, Act::Click { button, times: 1, point: (x, y), modifiers: 0 });
            }
            act => return self.perform(window, act),
        }
        Ok(done())
    }

    /// Has the window's thread perform an act, and answers once the act is known to be possible.
    fn perform(&mut self, window: Window, act: Act) -> Result<Reply, Trouble> {
        self.clicks.keep_apart(window, &act);
        self.lease = pointer::lead(&mut self.threads, window, &act);
        let accepted = self.threads.run(window, PATIENCE, move |answer| {
            let name = act.name();
            match prepare(&Live, window, act) {
                Ok(prepared) => {
                    recorder::note_act(window, &name);
                    // Answered first: what the act opens may be a dialog, and the call then
                    // returns much later.
                    answer(Ok((Instant::now(), prepared.remarks)));
                    (prepared.perform)(&Live);
                }
                Err(trouble) => answer(Err(trouble)),
            }
        });
        let (accepted, remarks) = flatten(accepted)?;
        self.accepted = Some(accepted);
        self.look = if self.sees_creation { Look::AsBefore } else { Look::Afresh };
        Ok(Reply::Done { remarks })
    }

    /// Runs something on the thread of a window.
    fn on_thread<T: Send + 'static>(
        &mut self,
        window: Window,
        work: impl FnOnce(Window) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        flatten(self.threads.run(window, PATIENCE, move |answer| answer(work(window))))
    }
}

fn done() -> Reply {
    Reply::Done { remarks: Vec::new() }
}

fn flatten<T>(answer: Result<Result<T, Trouble>, Silence>) -> Result<T, Trouble> {
    match answer {
        Ok(answer) => answer,
        Err(Silence::Gone) => Err(Trouble::Gone),
        Err(Silence::NotBegun) => Err(Trouble::Late),
        Err(Silence::Busy) => Err(Trouble::Unable("the thread of the window does not take messages".into())),
    }
}

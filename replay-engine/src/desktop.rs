//! A desktop in memory: a program that answers each act as a recorded one did, with other handles, and with
//! whatever a test changes.
//!
//! It shows the recorded windows, takes the acts that a step comes to, in their order and to the right
//! windows only, and then shows the windows of the next moment. Every other act is kept as a stray. Edits
//! take characters and texts.

use crate::choice::{Secrets, TargetedAct};
use crate::choose::choose;
use crate::clock::Clock;
use crate::crash::Crash;
use crate::driver::{Act, Answer, Driver, Notice, Notices, Question, State, Trouble};
use crate::recording::{RecordedWindows, Recording};
use message_log::{Entry, Key, Keyframe, Param, Params, Rect, Value};
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;
use steps::{Effect, EffectKind};
use window_tree::{Node, Tree};

/// A clock that only moves when someone rests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Time(Rc<Cell<Duration>>);

impl Clock for Time {
    fn now(&self) -> Duration {
        self.0.get()
    }

    fn rest(&self, time: Duration) {
        self.0.set(self.0.get() + time);
    }
}

/// A window of the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Window {
    pub hwnd: u64,
    pub window_id: u64,
    pub parent: u64,
    pub owner: u64,
    pub class: String,
    pub name: String,
    pub id: Option<i64>,
    pub rect: Rect,
    pub visible: bool,
    pub enabled: bool,
    pub text: Option<String>,
    pub style: u64,
}

/// What the program shows, and which acts bring the next moment.
#[derive(Debug)]
struct Moment {
    step: usize,
    windows: Vec<Window>,
    wanted: Vec<(u64, Act)>,
    /// What windows are told when they have come.
    notices: Vec<Notice>,
}

/// How the program behaves otherwise than recorded.
#[derive(Default)]
pub(crate) struct Faults {
    /// After this step the program ends with this code.
    pub end: Option<(usize, u32)>,
    /// After this step it does not answer.
    pub hang: Option<usize>,
    /// What follows from this step comes so late.
    pub late: Option<(usize, Duration)>,
    /// Until then it is at work.
    pub works: bool,
    /// What is typed does not arrive.
    pub deaf_edits: bool,
    /// What this step commands does not come.
    pub mute: Option<usize>,
    /// What the recorder inside notes when the program ends.
    pub crash: Option<Crash>,
    /// Nobody can see what windows are told.
    pub blind: bool,
}

/// The program.
pub(crate) struct Desktop {
    moments: Vec<Moment>,
    at: usize,
    /// How many of the wanted acts have come.
    come: usize,
    due: Option<Duration>,
    texts: HashMap<u64, String>,
    time: Time,
    faults: Faults,
    ended: Option<u32>,
    hung: bool,
    notices: Vec<Notice>,
    /// Every act that was taken, and those nobody wanted.
    pub taken: Vec<Act>,
    pub strays: Vec<(u64, Act)>,
}

/// The live handle of a recorded window.
fn live(hwnd: u64) -> u64 {
    hwnd * 8 + 0x4000_0000
}

impl Desktop {
    /// The program of a recording; `change` makes another program of it: it gets each moment's windows with
    /// the step before which they are shown.
    pub(crate) fn new(
        (recording, entries): (&Recording, &[Entry]),
        secrets: &Secrets,
        time: &Time,
        faults: Faults,
        change: impl Fn(usize, &mut Vec<Window>),
    ) -> Self {
        let mut recorded_windows = RecordedWindows::new(entries.iter().cloned());
        let mut moments = Vec::new();
        let steps = recording.plan.steps.iter().map(|step| (step, choose(step, secrets).acts));
        let steps: Vec<_> = steps.filter(|(_, acts)| !acts.is_empty()).collect();
        let mut shown = steps.first().map_or(0, |(step, _)| step.first_event);
        for (step, acts) in steps {
            let mut windows = windows_of(recorded_windows.at(shown));
            change(step.number, &mut windows);
            let to =
                |targeted: &TargetedAct| live(targeted.to.as_ref().map_or(step.target.hwnd(), |to| to.hwnd));
            let wanted = acts.iter().map(|targeted| (to(targeted), targeted.act.clone())).collect();
            let notices = step.effects.iter().filter_map(notice).collect();
            moments.push(Moment { step: step.number, windows, wanted, notices });
            shown = recording.plan.events_after(step.number);
        }
        let mut windows = windows_of(recorded_windows.at(shown));
        change(usize::MAX, &mut windows);
        moments.push(Moment { step: usize::MAX, windows, wanted: Vec::new(), notices: Vec::new() });
        let mut desktop = Self {
            moments,
            at: 0,
            come: 0,
            due: None,
            texts: HashMap::new(),
            time: time.clone(),
            faults,
            ended: None,
            hung: false,
            notices: Vec::new(),
            taken: Vec::new(),
            strays: Vec::new(),
        };
        desktop.learn_texts();
        desktop
    }

    /// Whether every wanted act has come.
    pub(crate) fn is_over(&self) -> bool {
        self.at + 1 == self.moments.len()
    }

    /// Texts that the program set since the moment before.
    fn learn_texts(&mut self) {
        let before = self.at.checked_sub(1).map_or(&[][..], |at| &self.moments[at].windows);
        let old: HashMap<u64, &Option<String>> = before.iter().map(|it| (it.hwnd, &it.text)).collect();
        for Window { hwnd, text, .. } in &self.moments[self.at].windows {
            let is_new = old.get(hwnd).is_none_or(|old| *old != text);
            let is_deaf = self.faults.deaf_edits && self.texts.contains_key(hwnd);
            if let Some(text) = text.as_ref().filter(|_| is_new && !is_deaf) {
                self.texts.insert(*hwnd, text.clone());
            }
        }
    }

    fn proceed(&mut self) {
        if self.come == self.moments[self.at].wanted.len() && !self.is_over() {
            let step = self.moments[self.at].step;
            let late =
                self.faults.late.filter(|(late, _)| *late == step).map_or(Duration::ZERO, |(_, time)| time);
            let due = *self.due.get_or_insert(self.time.now() + late);
            if self.time.now() < due {
                return;
            }
            if self.faults.mute != Some(step) {
                self.notices.extend(self.moments[self.at].notices.iter().cloned());
            }
            (self.at, self.come, self.due) = (self.at + 1, 0, None);
            self.learn_texts();
            self.hung |= self.faults.hang == Some(step);
            let is_empty =
                !self.moments[self.at].windows.iter().any(|window| window.parent == 0 && window.visible);
            self.ended = match self.faults.end {
                Some((end, code)) if end == step => Some(code),
                _ => (self.is_over() && is_empty).then_some(0),
            };
        }
    }
}

impl Driver for Desktop {
    fn snapshot(&mut self) -> Result<Keyframe, Trouble> {
        self.proceed();
        match self.ended {
            Some(code) => Err(Trouble::Ended(code)),
            None => {
                let windows = self.moments[self.at].windows.iter().map(Window::params).collect();
                Ok(Keyframe { of_thread: None, windows, complete: true })
            }
        }
    }

    fn act(&mut self, window: u64, act: &Act) -> Result<(), Trouble> {
        self.proceed();
        if let Some(code) = self.ended {
            return Err(Trouble::Ended(code));
        }
        let moment = &self.moments[self.at];
        if !moment.windows.iter().any(|it| it.hwnd == window) {
            return Err(Trouble::Gone);
        }
        match act {
            Act::SetText { text } => drop(self.texts.insert(window, text.clone())),
            Act::Type { text } if !self.faults.deaf_edits => {
                self.texts.entry(window).or_default().push_str(text);
            }
            _ => {}
        }
        match moment.wanted.get(self.come) {
            Some((hwnd, wanted)) if *hwnd == window && is_same(wanted, act) => {
                self.come += 1;
                self.taken.push(act.clone());
            }
            _ => self.strays.push((window, act.clone())),
        }
        Ok(())
    }

    fn settle(&mut self, patience: Duration) -> State {
        self.proceed();
        if self.hung {
            self.time.rest(patience);
            return State::Hung;
        }
        if self.faults.works && self.due.is_some() {
            self.time.rest(patience);
            return State::Busy;
        }
        self.ended.map_or(State::Idle, State::Ended)
    }

    fn watch(&mut self, _: &[u64]) -> Result<(), Trouble> {
        self.notices.clear();
        if self.faults.blind { Err(Trouble::Unable("nobody sees commands".into())) } else { Ok(()) }
    }

    fn notices(&mut self) -> Result<Notices, Trouble> {
        self.proceed();
        Ok(Notices { all: self.notices.clone(), lost: Vec::new() })
    }

    fn crash(&mut self) -> Option<Crash> {
        self.faults.crash.clone()
    }

    fn ask(&mut self, window: u64, question: &Question) -> Result<Answer, Trouble> {
        match question {
            Question::Text => Ok(Answer::Text(self.texts.get(&window).cloned().unwrap_or_default())),
            _ => Err(Trouble::Unable("the model does not know".into())),
        }
    }
}

/// A recorded command as a window is told of it.
fn notice(effect: &Effect) -> Option<Notice> {
    let EffectKind::Command { command, source, code } = effect.what else { return None };
    let source = if source == 0 { 0 } else { live(source) };
    let (id, code, is_notify) = (command as u32, code as i32, code < 0);
    Some(Notice { window: live(effect.window.hwnd), source, id, code, is_notify })
}

/// Points depend on the window's size, and are not compared.
fn is_same(wanted: &Act, act: &Act) -> bool {
    match (wanted, act) {
        (Act::Click { button, times, .. }, Act::Click { button: b, times: t, .. }) => {
            button == b && times == t
        }
        (Act::Stroke { points }, Act::Stroke { points: p }) => points.len() == p.len(),
        (Act::Grab { item, .. }, Act::Grab { item: i, .. }) => item == i,
        (Act::DropAt { .. }, Act::DropAt { .. }) => true,
        (Act::DropFiles { files, .. }, Act::DropFiles { files: f, .. }) => files == f,
        (wanted, act) => wanted == act,
    }
}

/// The windows of a recorded tree as another run would show them.
fn windows_of(tree: &Tree) -> Vec<Window> {
    // What is below a window that the log does not tell is not told either.
    let is_told = |node: &Node| node.is_known && !node.is_outside && node.class().is_some();
    let is_shown = |node: &&Node| tree.ancestry(node.hwnd).into_iter().all(is_told);
    tree.walk().map(|(_, node)| node).filter(is_shown).map(Window::of).collect()
}

impl Window {
    fn of(node: &Node) -> Self {
        let other = |hwnd: u64| if hwnd == 0 { 0 } else { live(hwnd) };
        Self {
            hwnd: live(node.hwnd),
            window_id: node.window_id + 1000,
            parent: other(node.parent()),
            owner: other(node.owner()),
            class: node.class().map(ToString::to_string).unwrap_or_default(),
            name: node.name().map(ToString::to_string).unwrap_or_default(),
            id: node.resource_id().filter(|_| node.parent() != 0),
            rect: node.rect().unwrap_or_default(),
            visible: node.visible() != Some(false),
            enabled: node.enabled() != Some(false),
            text: node.own_text().map(ToString::to_string),
            style: node.style().unwrap_or(0),
        }
    }

    fn params(&self) -> Params {
        let mut params = Params::new()
            .with(Key::WindowHwnd, Value::Unsigned(self.hwnd))
            .with(Key::WindowId, Value::Unsigned(self.window_id))
            .with(Key::WindowParent, Value::Unsigned(self.parent))
            .with(Key::WindowOwner, Value::Unsigned(self.owner))
            .with_text(Key::WindowClass, self.class.as_str())
            .with_text(Key::WindowName, self.name.as_str())
            .with(Key::WindowStyle, Value::Unsigned(self.style))
            .with(Key::WindowRect, Value::Rect(self.rect))
            .with(Key::WindowVisible, Value::Flag(self.visible))
            .with(Key::WindowEnabled, Value::Flag(self.enabled));
        if let Some(id) = self.id {
            params.push(Param::Known(Key::WindowResourceId, Value::Signed(id)));
        }
        params
    }
}

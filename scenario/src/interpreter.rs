//! What happens when a trace is executed: ChimpCheck's Figure 7, rule by rule, on any [`Application`].
//!
//! The figure's oracles are the application's four abilities: *look* tells what is enabled and which
//! properties hold, *act* inserts an event, *idle* waits until the application has done with it,
//! *alive* tells a crash. Whatever the application does by itself between two rules is (Mutate): the
//! next look sees it.

use crate::event::{Action, Event};
use crate::property::Property;
use crate::scene::{Scene, Widget};
use crate::target::{Role, Target};
use crate::trace::Trace;
use fastrand::Rng;
use std::fmt;

/// A program under test.
pub trait Application {
    /// What it shows now.
    fn look(&mut self) -> Scene;

    /// What it shows now, with texts and check marks, which may take longer.
    fn look_closely(&mut self) -> Scene {
        self.look()
    }

    /// Does something to a widget of the last scene; 0 where the event needs none. The error says why it
    /// cannot be done: nothing has happened then.
    fn act(&mut self, event: &Event, widget: u64) -> Result<(), String>;

    /// The items of a widget of the last scene that an action could be done to, by the texts that lead to
    /// them: those of its window's menu for a menu.
    fn items(&mut self, _action: &Action, _widget: u64) -> Vec<Vec<String>> {
        Vec::new()
    }

    /// Waits until it has nothing left to do; false if that takes too long.
    fn idle(&mut self) -> bool;

    /// Waits a moment for what it may do by itself; false if nothing more is to be expected. What is not
    /// there yet may come: (Mutate).
    fn wait(&mut self) -> bool {
        false
    }

    /// Whether it still runs.
    fn alive(&mut self) -> Life;

    /// A predicate of the user's own; none if there is no such predicate.
    fn predicate(&mut self, _name: &str, _args: &[String], _scene: &Scene) -> Option<bool> {
        None
    }

    /// Begins anew. The error says why that is not possible.
    fn restart(&mut self) -> Result<(), String>;
}

/// Whether an application still runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Life {
    /// It runs.
    Running,
    /// It has ended by itself.
    Ended,
    /// It has crashed; what is known of that.
    Crashed(String),
}

/// How a trace ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All of it was executed.
    Success,
    /// The application crashed; what is known of that.
    Crash(String),
    /// This did not hold.
    Failed(Box<Property>),
    /// This could not be done, and why.
    Blocked(Box<Event>, String),
    /// The application was not done with the last event in time.
    Timeout,
}

/// The rules of Figure 7, and one for time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "their names are the figure's")]
pub enum Rule {
    Crash,
    NoOp,
    Enabled,
    Block1,
    Inferred,
    Block2,
    Seq1,
    Seq2,
    Seq3,
    AssertPass,
    AssertFail,
    Try1,
    Try2,
    Try3,
    Qualified,
    Unqualified,
    /// Not in the figure: the idle that (Seq-2) needs never came.
    Timeout,
}

/// An executed trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    /// How it ended.
    pub outcome: Outcome,
    /// The events that were executed, each with the widget it was done to: the trace that does the same
    /// again.
    pub executed: Vec<Event>,
    /// The rules that led there.
    pub rules: Vec<Rule>,
}

impl Execution {
    /// The executed events as a trace.
    pub fn trace(&self) -> Trace {
        Trace::sequence(self.executed.iter().cloned().map(Trace::from))
    }

    /// The executed events, and what they failed at: the property that did not hold, the event that
    /// could not be done.
    pub fn pinned(&self) -> Trace {
        let last = match &self.outcome {
            Outcome::Failed(property) => Some(Trace::Assert((**property).clone())),
            Outcome::Blocked(event, _) => Some(Trace::Event((**event).clone())),
            Outcome::Success | Outcome::Crash(_) | Outcome::Timeout => None,
        };
        Trace::sequence(self.executed.iter().cloned().map(Trace::from).chain(last))
    }
}

/// What is still to be done when a part is over.
enum Frame {
    /// The rest of a sequence.
    Sequence(Vec<Trace>),
    /// The end of a try.
    Try,
}

/// Executes a trace; chance decides in which order the widgets that `*` can mean are tried.
pub fn execute(trace: &Trace, application: &mut dyn Application, rng: &mut Rng) -> Execution {
    let mut run = Run { application, rng, executed: Vec::new(), rules: Vec::new(), frames: Vec::new() };
    let outcome = run.whole(trace.clone());
    Execution { outcome, executed: run.executed, rules: run.rules }
}

struct Run<'a> {
    application: &'a mut dyn Application,
    rng: &'a mut Rng,
    executed: Vec<Event>,
    rules: Vec<Rule>,
    /// The contexts that (Seq-1) and (Try-1) go through, the innermost last.
    frames: Vec<Frame>,
}

/// Where a step leads: to the unit, to another trace, or to a result.
type Step = Result<Trace, Outcome>;

impl Run<'_> {
    /// The big steps: small ones until there is a result.
    fn whole(&mut self, mut trace: Trace) -> Outcome {
        loop {
            if let Life::Crashed(report) = self.application.alive() {
                return self.result(Rule::Crash, Outcome::Crash(report));
            }
            let next = match trace {
                Trace::Unit => match self.frames.pop() {
                    // (No-Op) at the top, (Try-2) with succ inside a try, (Seq-2) before what comes next.
                    None => return self.end(),
                    Some(Frame::Try) => {
                        self.rules.extend([Rule::NoOp, Rule::Try2]);
                        Ok(Trace::Unit)
                    }
                    Some(Frame::Sequence(rest)) => self.after_idle(rest),
                },
                Trace::Sequence(mut parts) => {
                    parts.reverse();
                    let first = parts.pop().unwrap_or(Trace::Unit);
                    if !parts.is_empty() {
                        self.frames.push(Frame::Sequence(parts));
                    }
                    Ok(first)
                }
                Trace::Try(inner) => {
                    self.frames.push(Frame::Try);
                    Ok(*inner)
                }
                atom => {
                    self.contexts();
                    self.atom(atom)
                }
            };
            trace = match next.or_else(|outcome| self.unwind(outcome)) {
                Ok(trace) => trace,
                Err(outcome) => return outcome,
            };
        }
    }

    /// (No-Op) at the top: what was done last may still crash the application.
    fn end(&mut self) -> Outcome {
        let is_idle = self.application.idle();
        match self.application.alive() {
            Life::Crashed(report) => self.result(Rule::Crash, Outcome::Crash(report)),
            _ if !is_idle => self.result(Rule::Timeout, Outcome::Timeout),
            _ => self.result(Rule::NoOp, Outcome::Success),
        }
    }

    fn result(&mut self, rule: Rule, outcome: Outcome) -> Outcome {
        self.rules.push(rule);
        outcome
    }

    /// An atom inside sequences and tries steps through (Seq-1) and (Try-1).
    fn contexts(&mut self) {
        let Self { frames, rules, .. } = self;
        rules.extend(frames.iter().map(|frame| match frame {
            Frame::Sequence(_) => Rule::Seq1,
            Frame::Try => Rule::Try1,
        }));
    }

    /// (Seq-2): the next part only when the application is idle.
    fn after_idle(&mut self, mut rest: Vec<Trace>) -> Step {
        if !self.application.idle() {
            return Err(match self.application.alive() {
                Life::Crashed(report) => self.result(Rule::Crash, Outcome::Crash(report)),
                _ => self.result(Rule::Timeout, Outcome::Timeout),
            });
        }
        self.rules.push(Rule::Seq2);
        let next = rest.pop().unwrap_or(Trace::Unit);
        if !rest.is_empty() {
            self.frames.push(Frame::Sequence(rest));
        }
        Ok(next)
    }

    /// A result goes out through what it is in: a sequence ends with it (Seq-3), a try swallows what was
    /// blocked (Try-2) and nothing else (Try-3).
    fn unwind(&mut self, outcome: Outcome) -> Step {
        while let Some(frame) = self.frames.pop() {
            match (frame, &outcome) {
                (Frame::Sequence(_), _) => self.rules.push(Rule::Seq3),
                (Frame::Try, Outcome::Blocked(..)) => {
                    self.rules.push(Rule::Try2);
                    return Ok(Trace::Unit);
                }
                (Frame::Try, _) => self.rules.push(Rule::Try3),
            }
        }
        Err(outcome)
    }

    fn atom(&mut self, atom: Trace) -> Step {
        match atom {
            Trace::Event(event) => self.event(&event),
            Trace::Assert(property) => match self.comes_to_hold(&property) {
                Ok(true) => {
                    self.rules.push(Rule::AssertPass);
                    Ok(Trace::Unit)
                }
                Ok(false) => Err(self.result(Rule::AssertFail, Outcome::Failed(Box::new(property)))),
                Err(outcome) => Err(outcome),
            },
            Trace::When(property, inner) => match self.holds(&property)? {
                true => {
                    self.rules.push(Rule::Qualified);
                    Ok(*inner)
                }
                false => {
                    self.rules.push(Rule::Unqualified);
                    Ok(Trace::Unit)
                }
            },
            other => Ok(other),
        }
    }

    /// Whether a property holds, or comes to hold while the application may still do something by itself.
    fn comes_to_hold(&mut self, property: &Property) -> Result<bool, Outcome> {
        loop {
            let holds = self.holds(property)?;
            if holds || !self.application.wait() {
                return Ok(holds);
            }
        }
    }

    fn holds(&mut self, property: &Property) -> Result<bool, Outcome> {
        let scene = self.application.look_closely();
        let application = &mut *self.application;
        let mut predicates =
            |name: &str, args: &[String], scene: &Scene| application.predicate(name, args, scene);
        property.holds(&scene, &mut predicates).map_err(|why| {
            let event = Event::new(Action::Skip, Target::Focus);
            self.rules.push(Rule::Block1);
            Outcome::Blocked(Box::new(event), why)
        })
    }

    fn event(&mut self, event: &Event) -> Step {
        let is_concrete = event.is_concrete();
        let (done, blocked) =
            if is_concrete { (Rule::Enabled, Rule::Block1) } else { (Rule::Inferred, Rule::Block2) };
        let tried = match event.action {
            Action::Skip => Ok(event.clone()),
            Action::Sleep(_) | Action::Shell(_) => self.application.act(event, 0).map(|()| event.clone()),
            _ => self.on_widget(event),
        };
        match tried {
            Ok(executed) => {
                self.executed.push(executed);
                self.rules.push(done);
                Ok(Trace::Unit)
            }
            Err(why) => Err(self.result(blocked, Outcome::Blocked(Box::new(event.clone()), why))),
        }
    }

    /// Tries the widgets an event can mean until one works. A described one has to be the only one.
    fn on_widget(&mut self, event: &Event) -> Result<Event, String> {
        let mut scene = self.application.look();
        // What is described may still come; `*` is what is there now.
        while event.target != Target::Any && scene.candidates(event).is_empty() && self.application.wait() {
            scene = self.application.look();
        }
        let candidates = scene.candidates(event);
        if candidates.is_empty() {
            let has_ended = self.application.alive() == Life::Ended;
            return Err(if has_ended { "the application has ended".into() } else { absent(&scene, event) });
        }
        if matches!(event.target, Target::Widget(_)) && candidates.len() > 1 {
            return Err(format!("{} widgets are called that", candidates.len()));
        }
        let mut ways: Vec<(Event, u64)> = Vec::new();
        for widget in candidates {
            let target = match event.target {
                Target::Any => scene.describe(widget.key).unwrap_or(Target::Any),
                ref named => named.clone(),
            };
            let actions = self.actions(event, widget);
            ways.extend(actions.into_iter().map(|action| (Event::new(action, target.clone()), widget.key)));
        }
        if !event.is_concrete() {
            self.rng.shuffle(&mut ways);
            // Each kind of widget is as likely as any other: who is in a dialog with many fields gets out of
            // it by one of its few buttons.
            let mut roles: Vec<Role> = Role::ALL.to_vec();
            self.rng.shuffle(&mut roles);
            let role = |key: u64| scene.get(key).map(|widget| widget.role);
            ways.sort_by_key(|(_, key)| roles.iter().position(|it| role(*key) == Some(*it)));
        }
        let mut why = "it has no items".into();
        for (concrete, widget) in ways {
            match self.application.act(&concrete, widget) {
                Ok(()) => return Ok(concrete),
                Err(reason) => why = reason,
            }
        }
        Err(why)
    }

    /// What an event can mean for a widget: where it leaves the item open, an action for each.
    fn actions(&mut self, event: &Event, widget: &Widget) -> Vec<Action> {
        let with_item: fn(Vec<String>) -> Action = match &event.action {
            Action::Menu(path) if path.is_empty() => Action::Menu,
            Action::Select(path) if path.is_empty() => Action::Select,
            // Nobody clicks a tool bar: one clicks a tool.
            Action::Click(path)
                if path.is_empty() && event.target == Target::Any && widget.role == Role::ToolBar =>
            {
                Action::Click
            }
            action => return vec![action.clone()],
        };
        self.application.items(&event.action, widget.key).into_iter().map(with_item).collect()
    }
}

/// Why no widget can be meant.
fn absent(scene: &Scene, event: &Event) -> String {
    let meant = if event.target == Target::Any { Vec::new() } else { scene.find(&event.target) };
    match meant.as_slice() {
        [] if event.target == Target::Any => "there is no widget for it now".into(),
        [] => "there is no such widget".into(),
        [hidden, ..] if !hidden.is_displayed => "it is not shown".into(),
        _ => "it takes no input".into(),
    }
}

impl Outcome {
    /// Whether all went well.
    pub fn is_success(&self) -> bool {
        *self == Self::Success
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Success => f.write_str("success"),
            Self::Crash(report) => write!(f, "crash: {report}"),
            Self::Failed(property) => write!(f, "failed: {property}"),
            Self::Blocked(event, why) => write!(f, "blocked at {event}: {why}"),
            Self::Timeout => f.write_str("timeout: the application was not done in time"),
        }
    }
}

//! What the page shows, as data: steps, windows as changes, messages, and what a replay made of them.
//! Small, since ten thousand steps have to fit into one file: texts and windows that come again are kept
//! once, in tables.

use super::messages::{Behind, Row, Rows};
use crate::show::Application;
use message_log::{Entry, Kind};
use replay_engine::Recording;
use replay_engine::{Report, Shot, StepOutcome, StepReport, Verdict, Verification};
use replay_engine::{WindowChange, WindowFacts, WindowHistory, bounded};
use serde::Serialize;
use std::collections::HashMap;
use std::hash::Hash;
use steps::{Action, Effect, EffectKind, Step, sentence};
use window_tree::{Rebuild, Tree};

/// Effects of one step; more are counted.
const MAX_EFFECTS: usize = 30;
const MAX_LINE: usize = 300;

/// Everything the page shows. The names are short because some of them stand there a hundred thousand times.
#[derive(Debug, Serialize)]
pub(crate) struct Data {
    /// The file the log was read from.
    log: String,
    application: Application,
    events: u64,
    /// How the replay ended, if there was one.
    verdict: Option<Verdict>,
    remarks: Vec<String>,
    steps: Vec<StepData>,
    notes: Vec<NoteData>,
    /// The recorded windows before the first step, and those of the replay.
    begin: Vec<Change>,
    actual: Vec<Change>,
    /// Texts by number.
    texts: Vec<String>,
    /// Messages by number: name, level, whether posted, facts.
    lines: Vec<Line>,
    /// Effects by number: kind and text.
    effects: Vec<(&'static str, String)>,
    /// Windows by number.
    shapes: Vec<WindowFacts>,
    /// PNG in Base64 by number.
    pictures: Vec<String>,
}

/// Name, level, whether posted, facts.
type Line = (usize, usize, u8, usize);

/// A window that is gone, or is now so: its number, its shape, its parent, its owner. 0 is none.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Change {
    Gone([u32; 1]),
    Now([u32; 3]),
    Owned([u32; 4]),
}

#[derive(Debug, Default, Serialize)]
struct StepData {
    n: usize,
    /// Microseconds since the session's start.
    t: u64,
    /// In words.
    s: String,
    /// The kind of action.
    a: String,
    /// The window it was done to, and where in it.
    w: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<(i32, i32)>,
    /// Whether keys did it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    k: bool,
    /// What followed.
    e: Vec<usize>,
    /// Messages: which, window, microseconds after the step's beginning.
    m: Vec<(usize, u32, i64)>,
    /// How many messages there are in all.
    mm: usize,
    /// The recorded windows after it.
    x: Vec<Change>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r: Option<ReplayData>,
}

/// What a replay made of a step.
#[derive(Debug, Serialize)]
struct ReplayData {
    o: StepOutcome,
    /// Why it is unverified, and what would verify it.
    #[serde(skip_serializing_if = "Option::is_none")]
    u: Option<(String, String)>,
    act: usize,
    why: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    re: Vec<String>,
    d: Vec<usize>,
    us: u64,
    w: u32,
    x: Vec<Change>,
    /// What a script expects after it: whether it holds, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ex: Vec<(bool, String)>,
    /// Pictures before and after: window, left, top, width, height, picture.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pb: Vec<(u32, [i32; 4], usize)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pa: Vec<(u32, [i32; 4], usize)>,
}

impl ReplayData {
    /// An expectation that does not hold is a failure of its step.
    fn hold_to(&mut self, step_report: &StepReport) {
        let holds = step_report.outcome != StepOutcome::Failed;
        let text = step_report.text.strip_prefix("Expect: ").unwrap_or(&step_report.text);
        self.ex.push((holds, bounded(text, MAX_LINE)));
        if !holds {
            self.o = StepOutcome::Failed;
        }
    }
}

#[derive(Debug, Serialize)]
struct NoteData {
    /// After this step.
    after: usize,
    t: Option<u64>,
    kind: steps::NoteKind,
    text: String,
}

/// Reads the log a second time; `recording` is what the first reading found.
pub(crate) fn data(
    log: &str,
    recording: &Recording,
    entries: impl Iterator<Item = Entry>,
    result: Option<&Report>,
) -> Data {
    let mut making = Making::default();
    let plan = &recording.plan;
    let mut application = Application::default();
    let mut behind = Behind::new(&plan.steps);
    let mut rebuild = Rebuild::new();
    let mut steps: Vec<StepData> = plan.steps.iter().map(|step| making.step(step)).collect();
    let (mut begin, mut recorded, mut moment) = (Vec::new(), Windows::default(), 0);
    let mut seen =
        |moment: usize, tree: &Tree, steps: &mut [StepData], making: &mut Making, behind: &mut Behind| {
            if let Some(step) = moment.checked_sub(1).map(|place| &plan.steps[place]) {
                recorded.leave(tree, step);
            }
            let changes = recorded.changes(tree, &mut making.shapes);
            let Some(place) = moment.checked_sub(1) else {
                begin = changes;
                name_target(steps.first_mut(), plan.steps.first(), &recorded);
                return;
            };
            let step = &plan.steps[place];
            steps[place].x = changes;
            name_target(Some(&mut steps[place]), Some(step), &recorded);
            name_target(steps.get_mut(moment), plan.steps.get(moment), &recorded);
            let rows = std::mem::take(&mut behind.steps[place]);
            steps[place].mm = rows.total;
            steps[place].m = making.rows(rows, step.time, &recorded);
        };
    for entry in entries {
        while moment <= steps.len() && rebuild.events() >= plan.events_after(moment) {
            seen(moment, rebuild.tree(), &mut steps, &mut making, &mut behind);
            moment += 1;
        }
        if let Entry::Event(event) = &entry {
            behind.take(event, rebuild.events());
            if event.kind == Kind::Session {
                application = Application::of(event);
            }
        }
        rebuild.take(&entry);
    }
    for moment in moment..=steps.len() {
        seen(moment, rebuild.tree(), &mut steps, &mut making, &mut behind);
    }
    let actual = result.map_or_else(Vec::new, |result| making.replay(result, &mut steps));
    let notes = plan.notes.iter().map(|note| NoteData {
        after: recording.step_at(note.event),
        t: note.time,
        kind: note.kind,
        text: note.text.clone(),
    });
    Data {
        log: log.into(),
        application,
        events: plan.events,
        verdict: result.map(|result| result.verdict.clone()),
        remarks: result.map_or_else(Vec::new, |result| result.remarks.clone()),
        notes: notes.collect(),
        begin,
        actual,
        texts: making.texts.items,
        lines: making.lines.items,
        effects: making.effects.items,
        shapes: making.shapes.items,
        pictures: result.map_or_else(Vec::new, |result| result.pictures.clone()),
        steps,
    }
}

fn name_target(data: Option<&mut StepData>, step: Option<&Step>, windows: &Windows) {
    if let (Some(data), Some(step)) = (data, step)
        && data.w == 0
    {
        data.w = windows.number(step.target.hwnd());
    }
}

fn is_typing(action: &Action) -> bool {
    use Action::*;
    matches!(
        action,
        Type { .. } | TypeSecret { .. } | Shortcut { .. } | Keys { .. } | HotKey { .. } | AppCommand { .. }
    )
}

/// What followed, in words: its kind and its text.
fn effect(effect: &Effect) -> (&'static str, String) {
    let window = &effect.window;
    let name = match (&window.name[..], window.id) {
        ("", Some(id)) => format!("{} id {id}", window.class),
        ("", None) => window.class.clone(),
        (name, _) => format!("{} “{}”", window.class, bounded(name, 80)),
    };
    let (kind, text) = match &effect.what {
        EffectKind::Created => ("created", format!("{name} appears")),
        EffectKind::Destroyed => ("destroyed", format!("{name} goes")),
        EffectKind::Renamed { from: Some(from), to } => {
            ("renamed", format!("{name}: “{}” becomes “{}”", bounded(from, 80), bounded(to, 80)))
        }
        EffectKind::Renamed { from: None, to } => {
            ("renamed", format!("{name} is called “{}”", bounded(to, 80)))
        }
        EffectKind::Text { to } => ("text", format!("{name} has the text “{}”", bounded(to, 120))),
        EffectKind::Enabled => ("enabled", format!("{name} is enabled")),
        EffectKind::Disabled => ("disabled", format!("{name} is disabled")),
        EffectKind::Shown => ("shown", format!("{name} is shown")),
        EffectKind::Hidden => ("hidden", format!("{name} is hidden")),
        EffectKind::Command { command, code, .. } => {
            ("command", format!("command {command}, code {code}, to {name}"))
        }
    };
    (kind, bounded(&text, MAX_LINE))
}

/// Things by number, each kept once.
#[derive(Debug)]
struct Table<T> {
    numbers: HashMap<T, usize>,
    items: Vec<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), items: Vec::new() }
    }
}

impl<T: Hash + Eq + Clone> Table<T> {
    fn number(&mut self, item: &T) -> usize {
        if let Some(number) = self.numbers.get(item) {
            return *number;
        }
        self.items.push(item.clone());
        self.numbers.insert(item.clone(), self.items.len() - 1);
        self.items.len() - 1
    }
}

#[derive(Debug, Default)]
struct Making {
    texts: Table<String>,
    lines: Table<Line>,
    effects: Table<(&'static str, String)>,
    shapes: Table<WindowFacts>,
}

impl Making {
    fn step(&mut self, step: &Step) -> StepData {
        let kind = serde_json::to_value(&step.action).unwrap_or_default();
        let mut effects: Vec<_> = step.effects.iter().take(MAX_EFFECTS).map(effect).collect();
        if let Some(more @ 1..) = step.effects.len().checked_sub(MAX_EFFECTS) {
            effects.push(("more", format!("and {more} more")));
        }
        StepData {
            n: step.number,
            t: step.time,
            s: bounded(&sentence(step), MAX_LINE),
            a: kind["kind"].as_str().unwrap_or_default().into(),
            p: match step.action {
                Action::Click { point, .. } => point,
                _ => None,
            },
            k: kind["by"].get("keys").is_some() || is_typing(&step.action),
            e: effects.iter().map(|effect| self.effects.number(effect)).collect(),
            ..StepData::default()
        }
    }

    fn rows(&mut self, rows: Rows, start: u64, windows: &Windows) -> Vec<(usize, u32, i64)> {
        let row = |Row { name, hwnd, time, level, is_posted, facts }: Row| {
            let (name, facts) = (self.texts.number(&name), self.texts.number(&facts));
            let line = self.lines.number(&(name, level, u8::from(is_posted), facts));
            (line, windows.last_number(hwnd), time.cast_signed() - start.cast_signed())
        };
        rows.rows.into_iter().map(row).collect()
    }

    /// What the replay made of the steps; its windows before the first.
    fn replay(&mut self, result: &Report, steps: &mut [StepData]) -> Vec<Change> {
        let mut windows = Windows::default();
        let begin = windows.take(&result.begin, &mut self.shapes);
        for step_report in &result.steps {
            let Some(data) = step_report.number.checked_sub(1).and_then(|place| steps.get_mut(place)) else {
                continue;
            };
            match &mut data.r {
                Some(step) if step_report.is_expectation => step.hold_to(step_report),
                step => *step = Some(self.step_report(step_report, &mut windows)),
            }
        }
        begin
    }

    fn step_report(&mut self, step_report: &StepReport, windows: &mut Windows) -> ReplayData {
        let shots = |shots: &[Shot], windows: &Windows| {
            shots.iter().map(|shot| (windows.last_number(shot.hwnd), shot.rect, shot.picture)).collect()
        };
        let acted = step_report.window.map_or(0, |hwnd| windows.number(hwnd));
        let pb = shots(&step_report.before, windows);
        let x = windows.take(&step_report.windows, &mut self.shapes);
        ReplayData {
            o: step_report.outcome,
            u: match &step_report.verification {
                Verification::Unverified { reason, remedy } => {
                    Some((bounded(reason, MAX_LINE), bounded(remedy, MAX_LINE)))
                }
                Verification::Verified | Verification::Harmless => None,
            },
            act: self.texts.number(&bounded(&step_report.act, MAX_LINE)),
            why: self.texts.number(&step_report.because),
            re: step_report.remarks.iter().map(|remark| bounded(remark, MAX_LINE)).collect(),
            d: step_report.decisions.iter().map(|decision| self.texts.number(decision)).collect(),
            us: step_report.micros,
            w: if acted == 0 { step_report.window.map_or(0, |hwnd| windows.number(hwnd)) } else { acted },
            x,
            ex: Vec::new(),
            pb,
            pa: shots(&step_report.after, windows),
        }
    }
}

/// The numbers of windows. A handle that is used again gets another one.
#[derive(Debug, Default)]
struct Windows {
    history: WindowHistory,
    living: HashMap<u64, u32>,
    last: HashMap<u64, u32>,
    count: u32,
}

impl Windows {
    /// What a step left behind that the log tells later, or not at all.
    fn leave(&mut self, tree: &Tree, step: &Step) {
        let window = step.target.hwnd();
        match &step.action {
            Action::SetCheck { state, .. } => self.history.check(tree, window, *state),
            Action::Choose { .. } => self.history.check(tree, window, 1),
            Action::Type { result: Some(text), .. } | Action::Edit { result: Some(text), .. } => {
                self.history.text(tree, window, text);
            }
            _ => {}
        }
    }

    fn changes(&mut self, tree: &Tree, shapes: &mut Table<WindowFacts>) -> Vec<Change> {
        let changes = self.history.changes(tree);
        self.take(&changes, shapes)
    }

    fn take(&mut self, changes: &[WindowChange], shapes: &mut Table<WindowFacts>) -> Vec<Change> {
        let mut drawn = Vec::with_capacity(changes.len());
        for WindowChange { hwnd, now } in changes {
            let Some(shown) = now else {
                drawn.extend(self.living.remove(hwnd).map(|number| Change::Gone([number])));
                continue;
            };
            let number = *self.living.entry(*hwnd).or_insert_with(|| {
                self.count += 1;
                self.count
            });
            self.last.insert(*hwnd, number);
            let shape = u32::try_from(shapes.number(&shown.facts)).unwrap_or(u32::MAX);
            let (parent, owner) = (self.number(shown.parent), self.number(shown.owner));
            drawn.push(match owner {
                0 => Change::Now([number, shape, parent]),
                owner => Change::Owned([number, shape, parent, owner]),
            });
        }
        drawn
    }

    /// The number of a living window; 0 for none.
    fn number(&self, hwnd: u64) -> u32 {
        self.living.get(&hwnd).copied().unwrap_or(0)
    }

    /// The number of a window that was there once.
    fn last_number(&self, hwnd: u64) -> u32 {
        self.last.get(&hwnd).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log_files;
    use replay_engine::oracle::FileMap;
    use std::path::Path;

    fn data_of(result: Option<&Report>) -> Data {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/recordings/steps/invoice-crash.dashcam");
        let recording = crate::recording_file::read(&path, &FileMap::default()).unwrap();
        let entries = log_files::open(&path).unwrap().newest().map_while(Result::ok);
        data("invoice-crash", &recording, entries, result)
    }

    #[test]
    fn what_a_script_expects_stands_with_its_step_and_not_instead_of_it() {
        let text = include_str!("../../../tests/recordings/results/invoice-crash.json");
        let mut result: serde_json::Value = serde_json::from_str(text).unwrap();
        let steps = result["steps"].as_array_mut().unwrap();
        for (place, outcome) in [(3, "failed"), (3, "done")] {
            let mut step_report = steps[2].clone();
            step_report["text"] = serde_json::json!(format!("Expect: Frame is {outcome}"));
            (step_report["act"], step_report["outcome"]) = ("look".into(), outcome.into());
            step_report["is_expectation"] = true.into();
            steps.insert(place, step_report);
        }
        let data = data_of(Some(&serde_json::from_value(result).unwrap()));
        let step = data.steps[2].r.as_ref().unwrap();
        assert_ne!(data.texts[step.act], "look");
        assert_eq!(step.ex, [(true, "Frame is done".into()), (false, "Frame is failed".into())]);
        assert!(step.o == StepOutcome::Failed && !step.pa.is_empty(), "{step:?}");
        assert!(data.steps[3].r.as_ref().unwrap().ex.is_empty());
    }

    #[test]
    fn a_text_is_there_after_the_step_that_typed_it() {
        let data = data_of(None);
        let typed: Vec<&StepData> =
            data.steps.iter().filter(|step| step.s.contains("type “4.20” into “Unit price”")).collect();
        assert_eq!(typed.len(), 2);
        for step in typed {
            let shape = |change: &Change| match change {
                Change::Gone(_) => None,
                Change::Now([_, shape, _]) | Change::Owned([_, shape, ..]) => {
                    data.shapes.get(*shape as usize)
                }
            };
            let texts: Vec<&str> =
                step.x.iter().filter_map(shape).filter_map(|facts| facts.text.as_deref()).collect();
            assert_eq!(texts, ["4.20"], "after step {}", step.n);
        }
    }
}

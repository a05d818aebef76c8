//! What happened besides the user's doing and belongs into the story: marks, gaps, pauses, hangs, the crash.

use message_log::{Event, Key, Kind};
use serde::Serialize;
use win32_vocabulary::exceptions::{
    CPP_EXCEPTION, EXCEPTION_ACCESS_VIOLATION, EXCEPTION_BREAKPOINT, EXCEPTION_INT_DIVIDE_BY_ZERO,
    EXCEPTION_STACK_OVERFLOW, STATUS_HEAP_CORRUPTION, STATUS_STACK_BUFFER_OVERRUN,
};

/// Something to tell between steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// Microseconds since the session's start, where that is known.
    pub time: Option<u64>,
    /// How many events of the log came before it.
    pub event: u64,
    /// What kind of remark it is.
    pub kind: NoteKind,
    /// In words.
    pub text: String,
}

/// What it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// A mark that the host or the user set.
    Mark,
    /// Records are missing.
    Gap,
    /// The recorder changed its state.
    Recording,
    /// The program stopped responding.
    Hang,
    /// The program crashed.
    Crash,
}

impl Note {
    /// What an event tells, if it is one of these.
    pub fn of(event: &Event, number: u64) -> Option<Self> {
        let text = |key| event.params.text(key).map(|text| super::label::one_line(&text.to_string_lossy()));
        let count = |key| event.params.unsigned(key).unwrap_or(0);
        let (kind, text) = match &event.kind {
            Kind::Mark => {
                (NoteKind::Mark, format!("The program notes: {}", text(Key::Text).unwrap_or_default()))
            }
            Kind::Hang => {
                let seconds = count(Key::HangMillis).div_ceil(1000);
                (NoteKind::Hang, format!("The program does not answer for {seconds} s"))
            }
            Kind::Crash => (NoteKind::Crash, crash(event, text(Key::CrashModule))),
            Kind::Gap => (NoteKind::Gap, gap(count(Key::GapDropped), count(Key::GapShed), text(Key::Reason))),
            Kind::Recording => (NoteKind::Recording, recording(&text(Key::State)?, text(Key::Reason))?),
            _ => return None,
        };
        Some(Self { time: event.stamp.map(|stamp| stamp.time), event: number, kind, text })
    }

    /// Whether it is what a bug report is about.
    pub fn is_bad(&self) -> bool {
        matches!(self.kind, NoteKind::Crash | NoteKind::Hang)
    }

    /// A part of the log that cannot be read.
    pub fn loss(event: u64) -> Self {
        let text = "A part of the recording is missing here".into();
        Self { time: None, event, kind: NoteKind::Gap, text }
    }

    /// A log whose first segments are gone.
    pub fn late_beginning() -> Self {
        let text = "The beginning of the recording is gone".into();
        Self { time: None, event: 0, kind: NoteKind::Gap, text }
    }
}

fn crash(event: &Event, module: Option<String>) -> String {
    let code = event.params.unsigned(Key::CrashCode).unwrap_or(0) as u32;
    let name = match code {
        EXCEPTION_ACCESS_VIOLATION => " (access violation)",
        EXCEPTION_INT_DIVIDE_BY_ZERO => " (division by zero)",
        EXCEPTION_STACK_OVERFLOW => " (stack overflow)",
        STATUS_STACK_BUFFER_OVERRUN => " (fast fail)",
        STATUS_HEAP_CORRUPTION => " (heap corruption)",
        CPP_EXCEPTION => " (C++ exception)",
        EXCEPTION_BREAKPOINT => " (breakpoint)",
        _ => "",
    };
    let place = match (module, event.params.unsigned(Key::CrashOffset)) {
        (Some(module), Some(offset)) => format!(" in {module}+{offset:#x}"),
        (Some(module), None) => format!(" in {module}"),
        (None, _) => String::new(),
    };
    format!("The program crashes: {code:#010X}{name}{place}")
}

fn gap(dropped: u64, shed: u64, reason: Option<String>) -> String {
    let reason = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    match dropped.saturating_add(shed) {
        0 => format!("A part of the recording is missing here{reason}"),
        1 => format!("One message is missing here{reason}"),
        count => format!("{count} messages are missing here{reason}"),
    }
}

fn recording(state: &str, reason: Option<String>) -> Option<String> {
    let said = match state {
        "paused" => "Recording is paused",
        "resumed" => "Recording goes on",
        "disabled" => "Recording ends because of an error of its own",
        "failed" => "Recording fails",
        // The beginning and the end are told by the log itself.
        _ => return None,
    };
    Some(reason.map_or_else(|| said.into(), |reason| format!("{said}: {reason}")))
}

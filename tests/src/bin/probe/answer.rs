//! From request to reply.

use std::io::{BufRead, Write};

use harness::protocol::{Action, Reply, Request};
use serde_json::{Value, json};

use crate::programs::Programs;
use crate::{keys, win32};

pub(crate) fn until_end_of_input() -> std::io::Result<()> {
    let mut programs = Programs::default();
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let reply = match serde_json::from_str(&line?) {
            Ok(request) => answer(&mut programs, request).map_or_else(Reply::Error, Reply::Ok),
            Err(error) => Reply::Error(format!("not a request: {error}")),
        };
        let mut line = serde_json::to_string(&reply)?;
        line.push('\n');
        output.write_all(line.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

fn answer(programs: &mut Programs, request: Request) -> Result<Value, String> {
    Ok(match request {
        Request::Windows => json!(win32::top_level_windows()),
        Request::Children { hwnd } => json!(win32::descendants(hwnd)),
        Request::Text { hwnd } => json!(win32::text(hwnd)?),
        Request::Foreground => json!(win32::foreground()),
        Request::Start(start) => json!(programs.start(start)?),
        Request::ExitCode { pid } => json!(programs.exit_code(pid)?),
        Request::End { pid } => json!(programs.end(pid)?),
        Request::ReleaseModifiers => json!(win32::send(&keys::held_modifiers_released())?),
        Request::Input { actions } => {
            let strokes: Vec<_> = actions.iter().map(strokes).collect::<Result<Vec<_>, _>>()?.concat();
            json!(win32::send(&strokes)?)
        }
    })
}

fn strokes(action: &Action) -> Result<Vec<win32::Stroke>, String> {
    use win32::Stroke;
    Ok(match action {
        Action::MoveTo { x, y } => vec![Stroke::MoveTo { x: *x, y: *y }],
        Action::Button { button, down } => vec![Stroke::Button { button: *button, down: *down }],
        Action::Wheel { notches } => vec![Stroke::Wheel { notches: *notches }],
        Action::WheelSideways { notches } => vec![Stroke::WheelSideways { notches: *notches }],
        Action::Key { key, down } => keys::one(key, *down)?,
        Action::Type { text } => text.encode_utf16().flat_map(keys::typed).collect(),
        Action::Press { keys } => keys::pressed(keys)?,
    })
}

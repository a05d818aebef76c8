//! Which kind of file it is, and its picture.

use super::{machine, usage};
use crate::output::say;
use crate::text_file;
use anyhow::{Context, anyhow, bail, ensure};
use scenario::graph::Graph;
use scenario::{Action, Event, Generator, Property};
use std::path::Path;
use std::process::ExitCode;

/// A set of traces.
pub(crate) fn traces(path: &Path) -> anyhow::Result<Generator> {
    let text = text_file::read(path)?;
    scenario::read(&text).map_err(|wrong| anyhow!("{}: {}", path.display(), wrong.show(&text)))
}

/// Whether all of it can be done at all: what cannot is known before the program is started.
pub(super) fn allow(events: &[&Event], properties: &[&Property], allow_shell: bool) -> anyhow::Result<()> {
    let shell = |event: &&&Event| matches!(event.action, Action::Shell(_));
    if let Some(event) = events.iter().find(shell).filter(|_| !allow_shell) {
        bail!("`{event}` runs a command of the shell: --allow-shell lets it");
    }
    if let Some(name) = properties.iter().find_map(|property| property.predicate_name()) {
        bail!(
            "nobody has defined the predicate {name}: check its name; predicates of your own are for programs in Rust"
        );
    }
    Ok(())
}

pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

pub(super) fn draw(path: &Path, output: Option<&Path>, dot: bool) -> anyhow::Result<ExitCode> {
    /// More features than these are no picture.
    const MOST: usize = 24;
    let graph: Graph = match usage::is_use(path) {
        true => scenario::usage::picture(&usage::open(path)?, MOST),
        false => scenario::machine::picture(&machine::open(path)?),
    };
    ensure!(!graph.nodes.is_empty(), "{} has nothing to draw: it names no state", path.display());
    let ending = output.map(|path| path.extension().unwrap_or_default().to_ascii_lowercase());
    let is_dot = match ending.as_ref().map(|ending| ending.to_str()) {
        None => dot,
        Some(Some("dot" | "gv")) => true,
        Some(Some("svg")) if !dot => false,
        _ => bail!(
            "cannot write {}: a picture is an .svg, or a .dot for Graphviz; `dot -Tpng` makes others of it",
            output.unwrap_or(path).display()
        ),
    };
    let picture = if is_dot { graph.to_dot() } else { graph.to_svg() };
    match output {
        Some(output) => write(output, &picture)?,
        None => say(picture.trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}

//! A program under test as the trace language sees it, on the replayer's driver: widgets from its windows,
//! acts for its actions.

use super::widgets;
use replay_engine::driver::{Act, Answer, Driver, ItemRef, PointerButton, Question, State, Trouble};
use replay_engine::parse_keys;
use replay_engine::tree_of;
use scenario::{Action, Application, Direction, Event, Id, Interrupt, Life, Role, Scene, Target, Widget};
use std::time::{Duration, Instant};
use steps::{Place, control_of};
use win32_vocabulary::Control;
use win32_vocabulary::commands::{SC_CLOSE, SC_MAXIMIZE, SC_MINIMIZE, SC_RESTORE};
use win32_vocabulary::exceptions::FIRST_EXCEPTION;
use window_tree::{Sketch, Tree};

/// Longer than any program thinks about a click.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long after an act something may still come that nobody is busy with.
const SURPRISE: Duration = Duration::from_secs(2);

/// Starts the program anew.
pub(super) type Start<'a> = Box<dyn FnMut() -> anyhow::Result<Box<dyn Driver>> + 'a>;

/// A program under test.
pub(super) struct Live<'a> {
    driver: Box<dyn Driver>,
    start: Start<'a>,
    tree: Tree,
    /// The code it ended with.
    ended: Option<u32>,
    may_use_shell: bool,
    /// Since when nothing has been done to it.
    since: Instant,
}

impl<'a> Live<'a> {
    pub(super) fn new(mut start: Start<'a>, may_use_shell: bool) -> anyhow::Result<Self> {
        let driver = start()?;
        let mut live =
            Self { driver, start, tree: Tree::new(), ended: None, may_use_shell, since: Instant::now() };
        live.idle();
        Ok(live)
    }

    fn snapshot(&mut self) {
        match self.driver.snapshot() {
            Ok(frame) => self.tree = tree_of(frame),
            Err(trouble) => {
                self.note(&trouble);
                self.tree = Tree::new();
            }
        }
    }

    fn note(&mut self, trouble: &Trouble) {
        if let Trouble::Ended(code) = trouble {
            self.ended = Some(*code);
        }
    }

    fn scene(&mut self, is_close: bool) -> Scene {
        self.snapshot();
        let focus = self.focus();
        let mut widgets = Vec::new();
        let nodes: Vec<(u64, u64)> = self.tree.walk().map(|(_, node)| (node.hwnd, node.window_id)).collect();
        for (hwnd, window_id) in nodes {
            let place = Place::of(&self.tree, hwnd, window_id);
            let above = self.tree.ancestry(hwnd);
            let is_displayed = above.iter().all(|node| node.visible() == Some(true));
            let is_enabled = above.iter().all(|node| node.enabled() != Some(false));
            let Some(node) = self.tree.get(hwnd) else { continue };
            let sketch = Sketch::of(node);
            let role = match node.parent() {
                0 if place.window.is_dialog => Role::Dialog,
                0 => Role::Window,
                _ => widgets::role(place.control),
            };
            let parent = Some(node.parent()).filter(|parent| *parent != 0);
            let id = sketch.id.map(|id| match id {
                window_tree::Id::Number(id) => Id::Number(id),
                window_tree::Id::Name(name) => Id::Name(name),
            });
            let name = if parent.is_none() {
                place.window.title.clone()
            } else {
                place.label.clone().unwrap_or_default()
            };
            let (mut text, mut is_checked) = (sketch.name, None);
            if is_close && is_displayed {
                (text, is_checked) = self.details(hwnd, place.control, text);
            }
            let is_focused = hwnd == focus
                || parent.is_none() && self.tree.top_level(focus).is_some_and(|top| top.hwnd == hwnd);
            widgets.push(Widget {
                key: hwnd,
                parent,
                id,
                name,
                class: sketch.class,
                role,
                text,
                is_displayed,
                is_enabled,
                is_checked,
                is_focused,
            });
        }
        Scene { widgets }
    }

    /// The text and the check mark a control keeps to itself.
    fn details(&mut self, hwnd: u64, control: Control, text: String) -> (String, Option<bool>) {
        match control {
            Control::Edit
            | Control::RichEdit
            | Control::CodeEdit
            | Control::ComboBox
            | Control::ComboBoxEx => match self.driver.ask(hwnd, &Question::Text) {
                Ok(Answer::Text(text)) => (text, None),
                _ => (text, None),
            },
            Control::CheckBox | Control::RadioButton => match self.driver.ask(hwnd, &Question::Checked) {
                Ok(Answer::Number(state)) => (text, Some(state == 1)),
                _ => (text, None),
            },
            _ => (text, None),
        }
    }

    /// The window with the focus; 0 for none.
    fn focus(&mut self) -> u64 {
        let is_open =
            |node: &&window_tree::Node| node.visible() == Some(true) && node.enabled() != Some(false);
        let tops: Vec<u64> = self.tree.children(0).filter(is_open).map(|node| node.hwnd).collect();
        let mut answers = tops.into_iter().rev().map(|top| self.driver.ask(top, &Question::Focus));
        answers
            .find_map(|answer| match answer {
                Ok(Answer::Number(hwnd)) if hwnd != 0 => Some(hwnd.cast_unsigned()),
                _ => None,
            })
            .unwrap_or(0)
    }

    fn send(&mut self, window: u64, act: &Act) -> Result<(), String> {
        self.since = Instant::now();
        self.driver.act(window, act).map_err(|trouble| {
            self.note(&trouble);
            trouble.to_string()
        })
    }

    /// A click in the middle of a window.
    fn click(&mut self, window: u64, button: PointerButton, times: u8) -> Result<(), String> {
        let point = self.middle(window);
        self.send(window, &Act::Click { button, times, point, modifiers: 0 })
    }

    /// The window that shows at a point of another one, and the point in it.
    fn at(&self, window: u64, (x, y): (i32, i32)) -> (u64, (i32, i32)) {
        let (mut at, mut point) = (window, (x, y));
        while let Some((child, rect)) =
            self.tree.children(at).filter(|node| node.visible() == Some(true)).find_map(|node| {
                let rect = node.rect()?;
                let is_inside =
                    (rect.left..rect.right).contains(&point.0) && (rect.top..rect.bottom).contains(&point.1);
                is_inside.then_some((node.hwnd, rect))
            })
        {
            (at, point) = (child, (point.0 - rect.left, point.1 - rect.top));
        }
        (at, point)
    }

    /// The command of a menu item; texts as users read them.
    fn command(&mut self, window: u64, path: &[String]) -> Result<u32, String> {
        let commands = self.menu(window).ok_or("its menu cannot be read")?;
        let same = |text: &String| plain(text).to_lowercase();
        let found = commands.iter().find(|(_, texts)| texts.iter().map(same).eq(path.iter().map(same)));
        found.map(|(id, _)| *id).ok_or_else(|| {
            let (has, lacks) = (|depth: usize| offered(&commands, &path[..depth]), path.join(" ▸ "));
            let known = (0..path.len()).rev().find(|depth| !has(*depth).is_empty()).unwrap_or(0);
            let place =
                if known == 0 { "it has".into() } else { format!("{} has", path[..known].join(" ▸ ")) };
            format!("its menu has no {lacks}: {place} {}", has(known).join(", "))
        })
    }

    /// The commands of the menu of the window that one is in, with the texts that lead to each.
    fn menu(&mut self, window: u64) -> Option<Vec<(u32, Vec<String>)>> {
        let top = self.tree.top_level(window).map_or(window, |top| top.hwnd);
        match self.driver.ask(top, &Question::Menu) {
            Ok(Answer::Texts(lines)) => Some(lines.iter().filter_map(|line| numbered(line)).collect()),
            _ => None,
        }
    }

    /// The command of a tool, by its text or, since many have none, by `#` and the command itself.
    fn tool(&mut self, bar: u64, name: &str) -> Result<u32, String> {
        let same = |text: &str| plain(text).to_lowercase();
        let is_it = |(id, texts): &(u32, Vec<String>)| {
            format!("#{id}") == name || texts.last().is_some_and(|text| same(text) == same(name))
        };
        let tools = self.tools(bar);
        let found = tools.iter().find(|tool| is_it(tool));
        found.map(|(id, _)| *id).ok_or_else(|| {
            let names: Vec<String> = tools.iter().take(20).map(tool_name).collect();
            format!("it has no tool {name} that takes a click: it has {}", names.join(", "))
        })
    }

    fn tools(&mut self, bar: u64) -> Vec<(u32, Vec<String>)> {
        match self.driver.ask(bar, &Question::Items) {
            Ok(Answer::Texts(lines)) => lines.iter().filter_map(|line| numbered(line)).collect(),
            _ => Vec::new(),
        }
    }

    fn interrupt(&mut self, interrupt: Interrupt, window: u64) -> Result<(), String> {
        match interrupt {
            Interrupt::Minimise => {
                self.send(window, &Act::SysCommand { code: SC_MINIMIZE })?;
                self.idle();
                self.send(window, &Act::SysCommand { code: SC_RESTORE })
            }
            Interrupt::Resize => {
                let old = self.place(window)?;
                self.send(window, &Act::Place { rect: [old[0], old[1], old[2] - 40, old[3] - 40] })?;
                self.idle();
                self.send(window, &Act::Place { rect: old })
            }
            Interrupt::Switch => {
                self.since = Instant::now();
                self.driver.switch_away(window).map_err(|trouble| trouble.to_string())
            }
            Interrupt::Dpi => {
                let Ok(Answer::Number(dpi @ 1..)) = self.driver.ask(window, &Question::Dpi) else {
                    return Err("it does not adapt itself to the resolution of a screen".into());
                };
                let (dpi, larger) = (dpi as u32, dpi as u32 * 3 / 2);
                self.send(window, &Act::SetDpi { from: dpi, to: larger })?;
                self.idle();
                self.send(window, &Act::SetDpi { from: larger, to: dpi })
            }
            Interrupt::Focus => {
                let focus = self.focus();
                self.send(window, &Act::Blur)?;
                self.idle();
                self.send(if focus == 0 { window } else { focus }, &Act::Focus)
            }
        }
    }

    /// Left, top, right and bottom of a window.
    fn place(&self, window: u64) -> Result<[i32; 4], String> {
        let rect = self.tree.get(window).and_then(window_tree::Node::rect).ok_or("its place is not known")?;
        Ok([rect.left, rect.top, rect.right, rect.bottom])
    }

    /// The real pointer, from the selected item of a widget, or from its middle, to the middle of another.
    fn drag(&mut self, from: u64, to: &Target) -> Result<(), String> {
        let scene = self.scene(false);
        let found = scene.find(to);
        let [to] = found.as_slice() else {
            let said = if found.is_empty() { "there is no such widget" } else { "several widgets fit" };
            return Err(format!("{to}: {said}"));
        };
        let selected = match self.driver.ask(from, &Question::Selection) {
            Ok(Answer::Texts(texts)) => texts.into_iter().next(),
            _ => None,
        };
        let item = selected.map(|text| ItemRef { path: vec![text], ..ItemRef::default() });
        let point = self.middle(from);
        self.send(from, &Act::Grab { item, point })?;
        let point = self.middle(to.key);
        self.send(to.key, &Act::DropAt { point })
    }

    /// The middle of a window's client area.
    fn middle(&mut self, window: u64) -> (i32, i32) {
        match self.driver.ask(window, &Question::ClientSize) {
            Ok(Answer::Size(width, height)) => (width / 2, height / 2),
            _ => (1, 1),
        }
    }
}

impl Application for Live<'_> {
    fn look(&mut self) -> Scene {
        self.scene(false)
    }

    fn look_closely(&mut self) -> Scene {
        self.scene(true)
    }

    fn act(&mut self, event: &Event, widget: u64) -> Result<(), String> {
        if self.ended.is_some() {
            return Err("the application has ended".into());
        }
        let control = self.tree.get(widget).map_or(Control::Other, control_of);
        let item = |path: &[String]| ItemRef { path: path.to_vec(), ..ItemRef::default() };
        let (window, point) = match event.target {
            Target::Point(x, y) => {
                let (window, point) = self.at(widget, (x, y));
                (window, Some(point))
            }
            _ => (widget, None),
        };
        let button = |action: &Action| {
            if matches!(action, Action::RightClick(_)) { PointerButton::Right } else { PointerButton::Left }
        };
        match &event.action {
            Action::Click(path) if path.is_empty() && point.is_none() && control.is_button() => {
                self.send(window, &Act::Press)
            }
            Action::Click(path) if !path.is_empty() && control == Control::ToolBar => {
                let command = self.tool(window, path.last().map_or("", String::as_str))?;
                self.send(window, &Act::Tool { command })
            }
            Action::Click(path) if !path.is_empty() => {
                self.send(window, &Act::Select { items: vec![item(path)], add: false })
            }
            Action::DoubleClick(path) if !path.is_empty() => {
                self.send(window, &Act::Activate { item: item(path) })
            }
            action @ (Action::Click(_) | Action::DoubleClick(_) | Action::RightClick(_)) => {
                let times = if matches!(action, Action::DoubleClick(_)) { 2 } else { 1 };
                match point {
                    Some(point) => {
                        self.send(window, &Act::Click { button: button(action), times, point, modifiers: 0 })
                    }
                    None => self.click(window, button(action), times),
                }
            }
            Action::Hover => {
                let point = point.unwrap_or_else(|| self.middle(window));
                self.send(window, &Act::Hover { point })
            }
            Action::Type(text) => self.send(window, &Act::Type { text: text.replace('\n', "\r") }),
            Action::Keys(keys) => {
                let (modifiers, code) =
                    parse_keys(keys).ok_or_else(|| format!("there is no key “{keys}”"))?;
                self.send(window, &Act::Key { code, modifiers })
            }
            Action::Menu(path) => {
                let id = self.command(window, path)?;
                let top = self.tree.top_level(window).map_or(window, |top| top.hwnd);
                let done = self.send(top, &Act::Command { id, accelerator: false, path: Vec::new() });
                done.map_err(|why| {
                    format!("{} cannot be chosen: {why}, or the command greyed", path.join(" ▸ "))
                })
            }
            Action::Select(path) => self.send(window, &Act::Select { items: vec![item(path)], add: false }),
            Action::Scroll(direction, lines) => {
                let request = u32::from(*direction == Direction::Down);
                (0..*lines).try_for_each(|_| {
                    self.send(window, &Act::Scroll { vertical: true, request, position: None })
                })
            }
            Action::Close => self.send(window, &Act::SysCommand { code: SC_CLOSE }),
            Action::Minimise => self.send(window, &Act::SysCommand { code: SC_MINIMIZE }),
            Action::Maximise => self.send(window, &Act::SysCommand { code: SC_MAXIMIZE }),
            Action::Restore => self.send(window, &Act::SysCommand { code: SC_RESTORE }),
            Action::Switch => self.send(window, &Act::Focus),
            Action::Interrupt(interrupt) => self.interrupt(*interrupt, window),
            Action::Sleep(millis) => {
                std::thread::sleep(Duration::from_millis(*millis));
                Ok(())
            }
            Action::Shell(command) if self.may_use_shell => shell(command),
            Action::Shell(_) => Err("commands of the shell are not allowed: --allow-shell lets them".into()),
            Action::Drag(to) => self.drag(window, to),
            Action::Skip => Ok(()),
            Action::Other(what) => Err(format!("the trace language cannot “{what}”")),
        }
    }

    fn items(&mut self, action: &Action, widget: u64) -> Vec<Vec<String>> {
        let control = self.tree.get(widget).map_or(Control::Other, control_of);
        match action {
            Action::Menu(_) => {
                let commands = self.menu(widget).unwrap_or_default().into_iter();
                // A line between items has no text.
                let texts = commands.map(|(_, texts)| texts.iter().map(|text| plain(text)).collect());
                texts
                    .filter(|texts: &Vec<String>| texts.last().is_some_and(|text| !text.is_empty()))
                    .collect()
            }
            _ if control == Control::ToolBar => {
                self.tools(widget).iter().map(|tool| vec![tool_name(tool)]).collect()
            }
            _ => match self.driver.ask(widget, &Question::Items) {
                Ok(Answer::Texts(lines)) => {
                    lines.iter().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
                }
                _ => Vec::new(),
            },
        }
    }

    fn idle(&mut self) -> bool {
        // A dialog is shown when its loop has found the queue empty for the first time, which the first fence
        // has not waited for.
        let first = self.driver.settle(PATIENCE);
        let state = if first == State::Idle { self.driver.settle(PATIENCE) } else { first };
        match state {
            State::Idle => true,
            State::Ended(code) => {
                self.ended = Some(code);
                true
            }
            State::Busy | State::Hung => false,
        }
    }

    fn wait(&mut self) -> bool {
        let goes_on = self.ended.is_none() && self.since.elapsed() < SURPRISE;
        if goes_on {
            std::thread::sleep(Duration::from_millis(10));
        }
        goes_on
    }

    fn alive(&mut self) -> Life {
        match self.ended {
            None => Life::Running,
            // An exception that nobody caught is an error of the system.
            Some(code) if code >= FIRST_EXCEPTION => {
                let place = self.driver.crash().map(|crash| crash.place()).unwrap_or_default();
                Life::Crashed(format!("{code:#010X}{place}"))
            }
            Some(_) => Life::Ended,
        }
    }

    fn restart(&mut self) -> Result<(), String> {
        self.driver = (self.start)().map_err(|error| format!("{error:#}"))?;
        self.ended = None;
        self.idle();
        Ok(())
    }
}

/// A text as users read it.
fn plain(text: &str) -> String {
    text.replace('&', "").trim_end_matches(['.', '…', ' ', ':']).to_owned()
}

fn tool_name((id, texts): &(u32, Vec<String>)) -> String {
    let text = texts.last().map(|text| plain(text)).filter(|text| !text.is_empty());
    text.unwrap_or_else(|| format!("#{id}"))
}

/// What a menu offers below some of its texts.
fn offered(commands: &[(u32, Vec<String>)], below: &[String]) -> Vec<String> {
    let same = |text: &String| plain(text).to_lowercase();
    let starts = |texts: &&Vec<String>| {
        texts.len() > below.len() && texts.iter().zip(below).all(|(one, other)| same(one) == same(other))
    };
    let next = commands.iter().map(|(_, texts)| texts).filter(starts).map(|texts| plain(&texts[below.len()]));
    let mut offered: Vec<String> = next.filter(|text| !text.is_empty()).collect();
    offered.dedup();
    offered
}

/// A line of a number and texts.
fn numbered(line: &str) -> Option<(u32, Vec<String>)> {
    let (number, texts) = line.split_once('\t')?;
    Some((number.parse().ok()?, texts.split('\t').map(str::to_owned).collect()))
}

fn shell(command: &str) -> Result<(), String> {
    let (program, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let status = std::process::Command::new(program)
        .args([flag, command])
        .status()
        .map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("the command ended with {status}")) }
}

//! Puts messages together to gestures, thread by thread, and gestures to steps.
//!
//! Each thread has one gesture open at a time: an input that begins something ends the one before. What
//! happens to the windows of any thread is the effect of the gesture that began last.

use super::account::{Plan, Unaccounted};
use super::control::control_of;
use super::decide::{self, Meaning};
use super::effects::Effects;
use super::gesture::Gesture;
use super::input::{Act, Input};
use super::menu;
use super::merge;
use super::message::{self, InputMessage, MessageId, ObservedMessage};
use super::note::Note;
use super::place::{Place, Sketch};
use super::restless::Restless;
use super::sender::{is_same_spot, source_of, tells_focus, under};
use super::step::{Action, Span, Step};
use message_log::{Entry, Event, Hook, Key, Kind, Message};
use std::collections::HashMap;
use win32_vocabulary::Control;
use win32_vocabulary::commands::SC_KEYMENU;
use win32_vocabulary::menus::MF_POPUP;
use win32_vocabulary::messages::{
    WM_COMMAND, WM_CREATE, WM_DESTROY, WM_ENTERMENULOOP, WM_NCDESTROY, WM_NOTIFY, WM_SYSCOMMAND,
};
use window_tree::{ChangeKind, Node, Property, Rebuild};

/// A program that tells its own window to close because of an input does so at once, in microseconds.
const ANSWER_TIME: u64 = 500_000;
/// A menu that opens so long after the last input was opened by other means: an icon beside the clock.
const MENU_TIME: u64 = 2_000_000;
const ALONE: &str = "a modifier key alone";
/// Longer menus are not remembered.
const MAX_PATHS: usize = 10_000;

/// Makes a plan from the entries of a log.
#[derive(Debug, Default)]
pub struct Planner {
    rebuild: Rebuild,
    lanes: HashMap<u32, Lane>,
    /// The thread whose gesture began last.
    latest: u32,
    steps: Vec<(Step, Effects)>,
    unaccounted: Vec<Unaccounted>,
    notes: Vec<Note>,
    /// Menu paths by command.
    paths: HashMap<u64, Vec<String>>,
    has_begun: bool,
    /// Steps whose window is not known well enough yet.
    unsettled: Vec<usize>,
    /// Whether the log tells which modifiers are held; if not, the keys do.
    tells_modifiers: bool,
    /// What changes by timer, whatever the user does.
    restless: Restless,
}

/// What goes on in one thread.
#[derive(Debug, Default)]
struct Lane {
    open: Option<(Gesture, Effects)>,
    /// Modifier keys that are down and have not meant anything yet.
    held: Vec<InputMessage>,
    /// Those that went up again without meaning anything.
    released: Vec<InputMessage>,
    /// The modifiers that are down, by the keys.
    modifiers: u64,
    /// When the last input came.
    last_input: u64,
    /// Its last step's place in the plan.
    last_step: Option<usize>,
}

impl Planner {
    /// Takes the next entry of a log.
    pub fn take(&mut self, entry: &Entry) {
        let number = self.rebuild.events();
        let mut ending = None;
        match entry {
            Entry::Event(event) => {
                self.notes.extend(Note::of(event, number));
                match &event.kind {
                    Kind::Message(message) => {
                        ending = self.ending(message);
                        self.take_message(message, event, number);
                    }
                    Kind::Act => self.take_act(event, number),
                    _ => {}
                }
                self.has_begun = true;
            }
            Entry::Segment(head) if !self.has_begun && head.number > 0 => {
                // Which is all there is to say of what is missing before.
                self.notes = vec![Note::late_beginning()];
                self.has_begun = true;
            }
            Entry::Damage(damage) if damage.is_loss() => {
                let loss = Note::loss(number);
                if self.notes.last() != Some(&loss) {
                    self.notes.push(loss);
                }
            }
            _ => {}
        }
        let mut changes = self.rebuild.take(entry);
        if matches!(entry, Entry::Event(event) if matches!(event.kind, Kind::Keyframe(_))) {
            let (tree, steps) = (self.rebuild.tree(), &mut self.steps);
            self.unsettled.retain(|&step| !steps[step].0.target.settle(tree));
        }
        // The result of typing is told late, and is part of the step that typed.
        if matches!(entry, Entry::Event(event) if event.params.get(Key::ResultWindow).is_some()) {
            changes
                .retain(|change| !matches!(change.what, ChangeKind::Set { property: Property::OwnText, .. }));
        }
        if matches!(entry, Entry::Event(event) if event.params.flag(Key::Timer) == Some(true)) {
            self.restless.take(&changes);
        }
        if let Some((_, effects)) = self.lanes.get_mut(&self.latest).and_then(|lane| lane.open.as_mut()) {
            effects.take(&changes, self.rebuild.tree(), ending.as_ref());
        }
    }

    /// The end of the log.
    pub fn finish(mut self) -> Plan {
        let mut threads: Vec<u32> = self.lanes.keys().copied().collect();
        threads.sort_unstable();
        for thread in threads {
            self.close(thread);
            let lane = self.lanes.remove(&thread).unwrap_or_default();
            self.list(lane.held.iter().chain(&lane.released).map(|input| input.id), ALONE);
        }
        let Self { steps, mut unaccounted, notes, paths, rebuild, restless, .. } = self;
        let mut steps: Vec<Step> = steps
            .into_iter()
            .map(|(step, effects)| {
                let mut effects = effects.finish(rebuild.tree());
                effects.retain(|effect| !restless.is_of(effect));
                Step { effects, ..step }
            })
            .collect();
        steps.sort_by_key(|step| step.first_event);
        for (i, step) in steps.iter_mut().enumerate() {
            step.number = i + 1;
            match &mut step.action {
                Action::Shortcut { command, path, .. } => *path = paths.get(command).cloned(),
                Action::Tool { item, path } => *path = item.command.and_then(|id| paths.get(&id).cloned()),
                _ => {}
            }
        }
        unaccounted.sort_by_key(|input| input.id);
        Plan { steps, unaccounted, notes, events: rebuild.events() }
    }

    /// A window that the message ends, as it is now.
    fn ending(&self, message: &Message) -> Option<(Sketch, u64)> {
        let ends = matches!(message.number, WM_DESTROY | WM_NCDESTROY);
        let node = ends.then(|| self.rebuild.tree().get(message.hwnd)).flatten()?;
        Some((Sketch::of(node), node.parent()))
    }

    fn take_message(&mut self, message: &Message, event: &Event, number: u64) {
        let (thread, sequence, time) =
            event.stamp.map_or((0, number, 0), |stamp| (stamp.thread, stamp.sequence, stamp.time));
        let id = MessageId { thread, sequence };
        self.learn_path(message, event);
        let input = Input::of(message, event);
        if let Some(input) = input {
            let mut input = InputMessage::new(id, input, message, event);
            self.tells_modifiers |= event.params.get(Key::KeyModifiers).is_some();
            let lane = self.lanes.entry(thread).or_default();
            lane.modifiers = message::modifiers(lane.modifiers, message.number, message.wparam as u32);
            if !self.tells_modifiers {
                input.modifiers = lane.modifiers;
            }
            self.take_input(input, message, event, (number, time));
        }
        self.take_result(thread, event);
        self.take_hidden_input(id, message, event, (number, time));
        let Some(lane) = self.lanes.get_mut(&thread) else { return };
        // A modifier that is down belongs to what comes next.
        let is_over = !(lane.held.is_empty() && lane.released.is_empty());
        let is_late = time.saturating_sub(lane.last_input) > MENU_TIME;
        let Some((gesture, effects)) = &mut lane.open else { return };
        if !is_over {
            gesture.span.1 = sequence.max(gesture.span.1);
        }
        let class = event.params.text(Key::WindowClass).and_then(|class| class.as_str());
        let is_menu = |node: &Node| control_of(node) == Control::Menu;
        match message.number {
            // One that comes late was opened by other means, which its loop tells.
            WM_CREATE if class == Some("#32768") && !is_late => gesture.see_menu(true),
            WM_NCDESTROY if self.rebuild.tree().get(message.hwnd).is_some_and(is_menu) => {
                gesture.see_menu(false);
            }
            _ => {}
        }
        let is_own =
            input.is_some_and(|input| matches!(input, Input::Drop | Input::HotKey | Input::AppCommand));
        if decide::is_telling(message.number) || is_own {
            let tree = self.rebuild.tree();
            let source = source_of(message, event);
            let observed = ObservedMessage {
                number: message.number,
                hwnd: message.hwnd,
                params: event.params.clone(),
                source: source.map(|hwnd| Place::of(tree, hwnd, 0)),
            };
            let is_focus =
                observed.source.as_ref().is_some_and(|from| tells_focus(from.control, observed.code()));
            // What a timer commands is the program's own doing.
            let is_timed = event.params.flag(Key::Timer) == Some(true);
            if matches!(message.number, WM_COMMAND | WM_NOTIFY) && !is_focus && !is_timed {
                let to = tree.get(message.hwnd).map_or_else(Sketch::default, Sketch::of);
                effects.command(to, observed.command(), source.unwrap_or(0), observed.code().into());
            }
            if decide::ends_move(message.number) {
                gesture.moved_to = tree.get(message.hwnd).and_then(Node::rect);
            }
            gesture.hear(observed);
        }
    }

    /// Something done for the user by the agent of a replay.
    fn take_act(&mut self, event: &Event, number: u64) {
        let Some(stamp) = event.stamp else { return };
        let id = MessageId { thread: stamp.thread, sequence: stamp.sequence };
        let hwnd = event.params.unsigned(Key::WindowHwnd).unwrap_or(0);
        let message = Message { hwnd, ..Message::default() };
        let given = InputMessage::new(id, Input::Act(Act::of(event)), &message, event);
        self.lanes.entry(id.thread).or_default().last_input = stamp.time;
        self.begin(given, Vec::new(), 0, (number, stamp.time));
    }

    fn take_input(&mut self, input: InputMessage, message: &Message, event: &Event, at: (u64, u64)) {
        let thread = input.id.thread;
        let tree = self.rebuild.tree();
        let lane = self.lanes.entry(thread).or_default();
        lane.last_input = at.1;
        if !input.is_fresh {
            return self.follow(input);
        }
        if let Some((gesture, _)) = &mut lane.open {
            let on = tree.get(message.hwnd).map_or(Control::Other, control_of);
            if gesture.awaits_input() {
                gesture.target = Place::of(tree, message.hwnd, message.window_id);
                return gesture.join(input);
            }
            if gesture.continues_with(&input, on) {
                return gesture.join(input);
            }
        }
        let released = std::mem::take(&mut lane.released);
        if input.is_modifier() {
            lane.held.push(input);
            return self.list(released.iter().map(|input| input.id), ALONE);
        }
        let held = std::mem::take(&mut lane.held);
        self.list(released.iter().map(|input| input.id), ALONE);
        self.close(thread);
        // What was typed before is told with this message: before its own step.
        self.take_result(thread, event);
        self.begin(input, held, message.window_id, at);
    }

    /// What the user did without a message of his hands that says so: Alt alone opens the menu bar when it is
    /// released; the task bar and the icons beside the clock speak for him.
    fn take_hidden_input(&mut self, id: MessageId, message: &Message, event: &Event, at: (u64, u64)) {
        let Some(lane) = self.lanes.get_mut(&id.thread) else { return };
        let command = event.params.unsigned(Key::Command).unwrap_or(0);
        let opens_menu = message.number == WM_ENTERMENULOOP
            || message.number == WM_SYSCOMMAND && command == u64::from(SC_KEYMENU);
        if opens_menu && !(lane.held.is_empty() && lane.released.is_empty()) {
            let mut keys: Vec<InputMessage> = lane.held.drain(..).chain(lane.released.drain(..)).collect();
            let first = keys.remove(0);
            self.begin(first, Vec::new(), message.window_id, at);
            if let Some((gesture, _)) = self.lanes.get_mut(&id.thread).and_then(|lane| lane.open.as_mut()) {
                keys.into_iter().for_each(|key| gesture.join(key));
            }
            return;
        }
        let since = at.1.saturating_sub(lane.last_input);
        let is_told = message.number == WM_SYSCOMMAND
            && message.hook == Hook::Posted
            && since > ANSWER_TIME
            && menu::window_command(command).is_some();
        let has_menu = lane.open.as_ref().is_some_and(|(gesture, _)| gesture.has_menu);
        let is_tray = message.number == WM_ENTERMENULOOP && since > MENU_TIME && !has_menu;
        if is_told || is_tray {
            lane.last_input = at.1;
            self.begin(
                InputMessage::new(id, Input::Shell, message, event),
                Vec::new(),
                message.window_id,
                at,
            );
        }
    }

    /// An input that goes with another: a release, a move, a copy.
    fn follow(&mut self, input: InputMessage) {
        let tree = self.rebuild.tree();
        let Some(lane) = self.lanes.get_mut(&input.id.thread) else { return };
        let alone = match input.kind {
            Input::KeyUp if !lane.held.is_empty() => {
                // Pressed and released with nothing in between, unless a menu opens.
                lane.released.append(&mut lane.held);
                lane.released.push(input);
                return;
            }
            Input::KeyUp => "the release of a key pressed before the recording",
            Input::Up { .. } => "the release of a button pressed before the recording",
            Input::Move => "a move without effect",
            _ => "sent by the program itself",
        };
        match &mut lane.open {
            Some((gesture, _)) => {
                // What a press opens or closes may bring another window under a pointer that
                // stays where it is.
                let pressed = gesture.opener().point.map(|at| (gesture.opener().hwnd, at));
                let is_still = |to| {
                    input.hwnd != gesture.opener().hwnd
                        && pressed.is_some_and(|from| is_same_spot(tree, from, (input.hwnd, to)))
                };
                if let (Input::Up { .. }, Some(point)) = (input.kind, input.point)
                    && !is_still(point)
                {
                    let released = input.over.unwrap_or(Some((input.hwnd, point)));
                    let under = released.map(|(window, point)| under(tree, window, point));
                    gesture.is_released_elsewhere = under.is_none();
                    (gesture.released_on, gesture.released_at) = under.unzip();
                }
                gesture.join(input);
            }
            None => self.list([input.id].into_iter(), alone),
        }
    }

    fn begin(
        &mut self,
        first: InputMessage,
        held: Vec<InputMessage>,
        window_id: u64,
        (number, time): (u64, u64),
    ) {
        let thread = first.id.thread;
        self.close(thread);
        self.restless.begin();
        let target = Place::of(self.rebuild.tree(), first.hwnd, window_id);
        let mut gesture = Gesture::begin(first, target, number, time);
        gesture.hold(held);
        self.latest = thread;
        self.lanes.entry(thread).or_default().open = Some((gesture, Effects::default()));
    }

    /// Ends a thread's gesture: it becomes a step, a part of the step before, or nothing.
    fn close(&mut self, thread: u32) {
        let Some(lane) = self.lanes.get_mut(&thread) else { return };
        let Some((mut gesture, effects)) = lane.open.take() else { return };
        gesture.settle(self.rebuild.tree());
        let (action, target) = match decide::decide(&gesture) {
            Meaning::Done(action, target) => (action, *target),
            Meaning::Nothing(reason) => {
                if let Some((_, before)) = lane.last_step.and_then(|last| self.steps.get_mut(last)) {
                    before.extend(effects);
                }
                return self.list(gesture.inputs.into_iter(), reason);
            }
        };
        let span = Span { thread, first: gesture.span.0, last: gesture.span.1 };
        let step = Step {
            number: 0,
            time: gesture.time,
            thread,
            first_event: gesture.first_event,
            target,
            action,
            messages: vec![span],
            inputs: gesture.inputs,
            effects: Vec::new(),
        };
        if let Some((before, before_effects)) = lane.last_step.and_then(|last| self.steps.get_mut(last))
            && merge::merge(before, &step, effects.is_empty())
        {
            before_effects.extend(effects);
        } else {
            if !step.target.is_settled {
                self.unsettled.push(self.steps.len());
            }
            lane.last_step = Some(self.steps.len());
            self.steps.push((step, effects));
        }
        if let (Some((edit, text)), Some(last)) = (gesture.result, lane.last_step) {
            merge::give_result(&mut self.steps, last, edit, &text);
        }
    }

    /// The text of an edit after it was typed into.
    fn take_result(&mut self, thread: u32, event: &Event) {
        let (Some(edit), Some(text)) =
            (event.params.unsigned(Key::ResultWindow), event.params.text(Key::ResultText))
        else {
            return;
        };
        let text = text.to_string_lossy();
        let Some(lane) = self.lanes.get_mut(&thread) else { return };
        if let Some((gesture, _)) = &mut lane.open
            && gesture.target.hwnd() == edit
            && !gesture.typed().is_empty()
        {
            gesture.result = Some((edit, text.into_owned()));
        } else if let Some(last) = lane.last_step {
            merge::give_result(&mut self.steps, last, edit, &text);
        }
    }

    fn learn_path(&mut self, message: &Message, event: &Event) {
        let Some(path) = event.params.text(Key::MenuPath) else { return };
        let id = match message.number {
            WM_COMMAND => event.params.unsigned(Key::Command),
            // Popups are told by their place.
            _ if event.params.unsigned(Key::MenuFlags).is_none_or(|flags| flags as u32 & MF_POPUP != 0) => {
                None
            }
            _ => event.params.unsigned(Key::MenuItem),
        };
        if let Some(id) = id.filter(|_| self.paths.len() < MAX_PATHS) {
            self.paths.entry(id).or_insert_with(|| menu::labels(&path.to_string_lossy()));
        }
    }

    fn list(&mut self, ids: impl Iterator<Item = MessageId>, reason: &'static str) {
        self.unaccounted.extend(ids.map(|id| Unaccounted { id, reason }));
    }
}

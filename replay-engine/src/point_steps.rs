//! What has to hold before a step acts at a point: its window has the recorded size, and no other window lies
//! under the point.

use crate::driver::{Act, Answer, Driver, Question};
use crate::evidence::{Evidence, Position, Quiet, QuietWindow};
use crate::live_windows::{LiveWindows, is_visible};
use crate::replay::{Replay, StepContext};
use crate::text::describe_window;
use crate::verdict::{StepReport, Verdict};
use message_log::{Entry, Rect};
use steps::{WHOLE, control_of};
use win32_vocabulary::Control;
use win32_vocabulary::styles::{SS_NOTIFY, WS_MAXIMIZE, WS_MINIMIZE, WS_THICKFRAME};
use window_tree::{Node, Tree};

/// The points of an act, in ten-thousandths of the window's width and height.
pub(crate) fn points_of(act: &Act) -> &[(i32, i32)] {
    match act {
        Act::Click { point, .. }
        | Act::Grab { point, .. }
        | Act::DropAt { point }
        | Act::DropFiles { point, .. } => std::slice::from_ref(point),
        Act::Stroke { points } => points,
        _ => &[],
    }
}

impl<I: Iterator<Item = Entry>> Replay<'_, I> {
    /// Gives the window around a point its recorded size. Whether anything was done, so that the windows must
    /// be looked at again.
    pub(crate) fn restore_size(
        &mut self,
        context: &StepContext<'_>,
        (was, hwnd): (u64, u64),
        evidence: &mut Evidence,
        step_report: &mut StepReport,
    ) -> Result<bool, Verdict> {
        let Some((then, now)) = self.sizes(context, was, hwnd).filter(|(then, now)| then != now) else {
            return Ok(false);
        };
        let is_second_look = std::mem::replace(&mut evidence.is_sized, true);
        let top =
            self.resizable_top(context, was, hwnd).filter(|_| !self.options.keeps_size && !is_second_look);
        if let Some((top, rect)) = top
            && self.driver.act(top, &Act::Place { rect }).is_ok()
        {
            self.settle(context)?;
            let (width, height) = (rect[2] - rect[0], rect[3] - rect[1]);
            step_report.remarks.push(format!("the window was given its recorded size, {width} × {height}"));
            return Ok(true);
        }
        let sizes = format!("{} × {} instead of {} × {}", now.0, now.1, then.0, then.1);
        let announcement =
            format!("step {}: the window is {sizes}, so its point is only a guess", context.step.number);
        if evidence.add(Position::OtherSize(sizes)) {
            (self.announce)(&announcement);
        }
        Ok(false)
    }

    /// The sizes of a recorded window and its live counterpart.
    fn sizes(&self, context: &StepContext<'_>, was: u64, hwnd: u64) -> Option<((i32, i32), (i32, i32))> {
        let then = context.before.get(was).and_then(Node::rect)?;
        let now = self.live_windows.tree().get(hwnd).and_then(Node::rect)?;
        Some((size(then), size(now)))
    }

    /// The live top-level window and its rectangle with the recorded size, if a user could give it that size
    /// and it has another.
    fn resizable_top(&self, context: &StepContext<'_>, was: u64, hwnd: u64) -> Option<(u64, [i32; 4])> {
        let recorded = context.before.top_level(was)?;
        let live = self.live_windows.tree().top_level(hwnd)?;
        let is_free = |node: &Node| {
            let style = node.style().unwrap_or(0);
            let has = |bits: u32| style & u64::from(bits) != 0;
            has(WS_THICKFRAME) && !has(WS_MAXIMIZE) && !has(WS_MINIMIZE)
        };
        let (then, now) = (recorded.rect()?, live.rect()?);
        let (width, height) = size(then);
        let rect = [now.left, now.top, now.left + width, now.top + height];
        (is_free(recorded) && is_free(live) && size(then) != size(now)).then_some((live.hwnd, rect))
    }

    /// Why a point does not lie on the recorded window: a window covers it that did not.
    pub(crate) fn covered(
        &mut self,
        context: &StepContext<'_>,
        (was, hwnd): (u64, u64),
        recorded: &[(i32, i32)],
        live: &[(i32, i32)],
    ) -> Option<String> {
        let outer = context.before.get(was).and_then(Node::rect).map(size)?;
        // A drag and a line may end anywhere; what they are about lies where they begin.
        let (&(x, y), &now) = (recorded.first()?, live.first()?);
        let part = |part: i32, of: i32| {
            i32::try_from(i64::from(part) * i64::from(of) / i64::from(WHOLE)).unwrap_or(i32::MAX)
        };
        let then = around_point(&context.before, was, (part(x, outer.0), part(y, outer.1)));
        let then: Vec<u64> = then
            .into_iter()
            .filter_map(|hwnd| self.live_windows.find(&context.before, hwnd).hwnd())
            .collect();
        let tree = self.live_windows.tree();
        let covering = around_point(tree, hwnd, now).into_iter().find(|hwnd| !then.contains(hwnd))?;
        Some(format!("another window lies at its point: {}", describe_window(tree, covering)))
    }
}

/// The windows and the selection that a click on a background leaves as they are.
pub(crate) fn quiet(live_windows: &LiveWindows, driver: &mut dyn Driver, target: u64) -> Quiet {
    let windows = live_windows.tree().walk().map(|(_, node)| node);
    let windows = windows.filter(|node| {
        !crate::expect::is_transient(&node.class().map(ToString::to_string).unwrap_or_default())
    });
    let name = |node: &Node| node.name().map(ToString::to_string).unwrap_or_default();
    let windows = windows
        .map(|node| QuietWindow {
            hwnd: node.hwnd,
            window_id: node.window_id,
            visible: node.visible(),
            enabled: node.enabled(),
            name: name(node),
        })
        .collect();
    let selection = match driver.ask(target, &Question::Selection) {
        Ok(Answer::Texts(texts)) => Some(texts),
        _ => None,
    };
    Quiet { windows, selection }
}

fn size(rect: Rect) -> (i32, i32) {
    (rect.right.saturating_sub(rect.left), rect.bottom.saturating_sub(rect.top))
}

/// The windows that may take the clicks at a point of a window's client area: its children, its siblings and
/// those of the windows above it.
fn around_point(tree: &Tree, hwnd: u64, (mut x, mut y): (i32, i32)) -> Vec<u64> {
    let mut found = Vec::new();
    // The header of a list and the edit of a combo box are parts of their control.
    if tree.get(hwnd).is_some_and(|node| control_of(node).is_area()) {
        found.extend(at_point(tree, hwnd, (x, y)));
    }
    for node in tree.ancestry(hwnd).into_iter().skip(1).rev() {
        let Some(rect) = node.rect() else { break };
        (x, y) = (x.saturating_add(rect.left), y.saturating_add(rect.top));
        found.extend(at_point(tree, node.parent(), (x, y)).filter(|&other| other != node.hwnd));
    }
    found
}

/// The children that take the clicks at a point of their parent's client area. Labels and group boxes
/// let clicks through.
fn at_point(tree: &Tree, parent: u64, (x, y): (i32, i32)) -> impl Iterator<Item = u64> {
    let takes_clicks = |node: &&Node| match control_of(node) {
        Control::GroupBox => false,
        Control::Label => node.style().unwrap_or(0) & u64::from(SS_NOTIFY) != 0,
        _ => true,
    };
    let is_there = move |node: &&Node| {
        node.rect().is_some_and(|it| (it.left..it.right).contains(&x) && (it.top..it.bottom).contains(&y))
    };
    tree.children(parent)
        .filter(is_there)
        .filter(|node| is_visible(tree, node.hwnd) && node.enabled() != Some(false))
        .filter(takes_clicks)
        .map(|node| node.hwnd)
}

//! What the windows looked like on the way: as changes always, as pictures where they are wanted.
//!
//! A picture that was taken before is kept once, so a window that a step leaves alone costs nothing.

use crate::driver::{Driver, Picture};
use crate::live_windows::{LiveWindows, is_visible};
use crate::verdict::{Report, Shot, StepOutcome, StepReport};
use crate::window_history::{WindowChange, WindowHistory};
use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use steps::{Action, Step};
use window_tree::Node;

/// Windows of one moment.
const MAX_WINDOWS: usize = 6;
/// Bytes of all pictures; a page with more of them would not open any more.
const MAX_BYTES: usize = 24 << 20;

/// Windows and pictures of a replay.
#[derive(Debug, Default)]
pub(crate) struct Album {
    takes_pictures: bool,
    history: WindowHistory,
    pictures: Vec<String>,
    /// Pictures by the hash of their dots.
    places: HashMap<[u8; 32], usize>,
    bytes: usize,
    left_out: usize,
}

impl Album {
    pub(crate) fn new(takes_pictures: bool) -> Self {
        Self { takes_pictures, ..Self::default() }
    }

    /// The live windows that are otherwise than the last time.
    pub(crate) fn changes(&mut self, live_windows: &LiveWindows) -> Vec<WindowChange> {
        self.history.changes(live_windows.tree())
    }

    /// What a step made of the windows.
    pub(crate) fn keep(&mut self, step: &Step, live_windows: &LiveWindows, step_report: &mut StepReport) {
        let state = match step.action {
            Action::SetCheck { state, .. } => Some(state),
            Action::Choose { .. } => Some(1),
            _ => None,
        };
        if let (Some(state), Some(hwnd), StepOutcome::Done) = (state, step_report.window, step_report.outcome)
        {
            self.history.check(live_windows.tree(), hwnd, state);
        }
        step_report.windows = self.changes(live_windows);
    }

    /// Pictures of the windows that can be seen.
    pub(crate) fn take(&mut self, driver: &mut dyn Driver, live_windows: &LiveWindows) -> Vec<Shot> {
        if !self.takes_pictures {
            return Vec::new();
        }
        let tree = live_windows.tree();
        let size = |node: &Node| {
            let rect = node.rect().unwrap_or_default();
            [rect.left, rect.top, rect.right.saturating_sub(rect.left), rect.bottom.saturating_sub(rect.top)]
        };
        let seen = tree
            .children(0)
            .filter(|node| is_visible(tree, node.hwnd) && size(node)[2..].iter().all(|side| *side > 1));
        let seen: Vec<_> = seen.map(|node| (node.hwnd, size(node))).take(MAX_WINDOWS).collect();
        seen.into_iter().filter_map(|(hwnd, rect)| self.shot(driver, hwnd, rect)).collect()
    }

    fn shot(&mut self, driver: &mut dyn Driver, hwnd: u64, rect: [i32; 4]) -> Option<Shot> {
        let picture = driver.picture(hwnd)?;
        let hash = Sha256::digest(&picture.rgb).into();
        if let Some(&picture) = self.places.get(&hash) {
            return Some(Shot { hwnd, rect, picture });
        }
        let png = STANDARD.encode(encode(&picture)?);
        if self.bytes + png.len() > MAX_BYTES {
            self.left_out += 1;
            return None;
        }
        self.bytes += png.len();
        self.pictures.push(png);
        let place = self.pictures.len() - 1;
        self.places.insert(hash, place);
        Some(Shot { hwnd, rect, picture: place })
    }

    /// The end.
    pub(crate) fn finish(self, report: &mut Report) {
        report.pictures = self.pictures;
        if self.left_out > 0 {
            report.remarks.push(format!("{} pictures were left out: there were too many", self.left_out));
        }
    }
}

/// As PNG.
fn encode(picture: &Picture) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&picture.rgb).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

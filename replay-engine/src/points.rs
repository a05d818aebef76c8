//! Where a recorded point is in the live window, whose size may be another.
//!
//! The frame is taken to be as wide as it was; the area inside grows and shrinks, and with it whatever a
//! program draws there. Text does not: a letter stays at its distance from the corner, unless the letters
//! themselves are larger.

use steps::{WHOLE, control_of};
use win32_vocabulary::styles::ES_MULTILINE;
use window_tree::Node;

/// A recorded window and a live one.
pub(crate) struct Fit {
    x: Axis,
    y: Axis,
}

/// One direction, in pixels.
#[derive(Clone, Copy)]
struct Axis {
    /// The recorded window, its frame included: what points are parts of.
    recorded: i64,
    /// The area inside that frame, then and now.
    inside: i64,
    client: i64,
    /// How much larger everything in there is now: by this, of this.
    scale: (i64, i64),
}

impl Fit {
    pub(crate) fn new(recorded: Option<&Node>, live: Option<&Node>, client: Option<(i32, i32)>) -> Self {
        let (then, now) = (size(recorded), size(live));
        let client = client.map_or(now, |(width, height)| (width.into(), height.into()));
        let axis = |recorded: i64, live: i64, client: i64| {
            let inside = (recorded - (live - client)).max(1);
            Axis { recorded, inside, client, scale: (client, inside) }
        };
        let (mut x, mut y) = (axis(then.0, now.0, client.0), axis(then.1, now.1, client.1));
        if let Some(edit) = recorded.filter(|node| control_of(node).is_edit()) {
            let scale = text_scale(x, y, edit.style().unwrap_or(0) as u32 & ES_MULTILINE != 0);
            (x.scale, y.scale) = (scale, scale);
        }
        Self { x, y }
    }

    pub(crate) fn point(&self, (x, y): (i32, i32)) -> (i32, i32) {
        (self.x.fit(x), self.y.fit(y))
    }
}

/// How much larger the letters of a field are. A field of one line is as high as its letters; one of several
/// lines has larger letters if it grew alike both ways, and was only given more room otherwise.
fn text_scale(x: Axis, y: Axis, several_lines: bool) -> (i64, i64) {
    let (wide, high) = (x.client * y.inside, y.client * x.inside);
    let is_alike = (wide - high).abs() * 20 <= wide.max(high);
    if !several_lines || is_alike { y.scale } else { (1, 1) }
}

impl Axis {
    fn fit(self, part: i32) -> i32 {
        let whole = i64::from(WHOLE) * self.scale.1.max(1);
        let at = (self.recorded * i64::from(part) * self.scale.0 + whole / 2).div_euclid(whole);
        // What was inside stays inside; a pointer that left the window leaves it again.
        let was = self.recorded * i64::from(part) / i64::from(WHOLE);
        let is_inside = (0..self.inside).contains(&was) && self.client > 0;
        let at = if is_inside { at.clamp(0, self.client - 1) } else { at };
        i32::try_from(at).unwrap_or(0)
    }
}

fn size(node: Option<&Node>) -> (i64, i64) {
    let rect = node.and_then(Node::rect).unwrap_or_default();
    let part = |from: i32, to: i32| i64::from(to) - i64::from(from);
    (part(rect.left, rect.right), part(rect.top, rect.bottom))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(recorded: i64, frame: i64, client: i64) -> Axis {
        let inside = recorded - frame;
        Axis { recorded, inside, client, scale: (client, inside) }
    }

    #[test]
    fn a_window_of_the_same_size_gives_every_pixel_back() {
        for (size, frame) in [(1, 0), (333, 4), (1920, 16), (9_999, 0)] {
            let same = axis(size, frame, size - frame);
            for pixel in 0..size - frame {
                let part = (pixel * i64::from(WHOLE) + size / 2).div_euclid(size);
                assert_eq!(i64::from(same.fit(part as i32)), pixel, "of {size}");
            }
        }
    }

    #[test]
    fn a_drawing_grows_with_its_window() {
        assert_eq!(axis(200, 0, 400).fit(5_000), 200);
        assert_eq!(axis(200, 0, 100).fit(-500), -5, "a pointer that left the window");
        assert_eq!(axis(200, 0, 100).fit(9_999), 99, "the last pixel is still inside");
    }

    #[test]
    fn text_stays_where_it_is_in_a_wider_field() {
        let (x, y) = (axis(100, 0, 300), axis(20, 0, 20));
        assert_eq!(text_scale(x, y, false), (20, 20));
        assert_eq!(Axis { scale: (1, 1), ..x }.fit(1_000), 10);
        let higher = axis(100, 0, 110);
        assert_eq!(text_scale(x, higher, true), (1, 1), "more room");
        assert_eq!(text_scale(axis(100, 0, 200), axis(50, 0, 101), true), (101, 50), "larger letters");
        assert_eq!(text_scale(axis(100, 0, 200), axis(20, 0, 40), false), (40, 20), "larger letters");
    }
}

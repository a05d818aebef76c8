//! Links of link controls.

use super::mouse;
use super::plan::{Perform, Preparation};
use message_log::Point;
use replay_link::{PointerButton, Trouble};
use win32_vocabulary::Control;

/// Clicks a link, which is found by asking the control what lies where: no message returns a link's place.
pub(crate) fn follow(on: &Preparation<'_>, index: i32, name: Option<&str>) -> Result<Perform, Trouble> {
    const STEP: usize = 3;
    const INSET: i32 = STEP as i32;
    on.require(Control::Link, "has links")?;
    let (gui, window) = (on.gui, on.window);
    let (width, height) = gui.client_size(window).unwrap_or_default();
    let is_it = |x: i32, y: i32| {
        gui.link_at(window, Point { x, y })
            .is_some_and(|link| name.map_or(link.index == index, |name| link.id == name || link.url == name))
    };
    let mut places = (1..height).step_by(STEP).flat_map(|y| (1..width).step_by(STEP).map(move |x| (x, y)));
    let found = places.find(|&(x, y)| is_it(x, y));
    // Not at the very edge of the link.
    let inner = found.map(|(x, y)| {
        [(x + INSET, y + INSET), (x + INSET, y), (x, y)].into_iter().find(|&(x, y)| is_it(x, y))
    });
    let missing = || Trouble::NoItem(name.map_or_else(|| format!("link {}", index + 1), str::to_owned));
    let at = inner.flatten().ok_or_else(missing)?;
    Ok(Box::new(move |gui| mouse::click(gui, window, PointerButton::Left, 1, at, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, post};
    use crate::act::gui::{Call, LinkAt};
    use message_log::Rect;
    use replay_link::Act;
    use win32_vocabulary::messages::WM_LBUTTONDOWN;
    use win32_vocabulary::mouse::MK_LBUTTON;

    fn clicked(index: i32, name: Option<&str>) -> Result<Vec<Call>, Trouble> {
        let mut fake = Fake::with("SysLink");
        let link = LinkAt { index: 1, id: "more".into(), url: "https://example.org".into() };
        fake.link = Some((Rect { left: 50, top: 20, right: 90, bottom: 34 }, link));
        fake.act(Act::Link { index, name: name.map(Into::into) })
    }

    #[test]
    fn a_link_is_found_by_its_place_its_id_or_its_address() {
        // The first probe inside is at 52,22.
        let press = post(CONTROL, WM_LBUTTONDOWN, MK_LBUTTON as usize, 25 << 16 | 55);
        for (index, name) in [(1, None), (7, Some("more")), (7, Some("https://example.org"))] {
            assert!(clicked(index, name).unwrap().contains(&press), "{name:?}");
        }
        assert_eq!(clicked(0, None), Err(Trouble::NoItem("link 1".into())));
        assert_eq!(clicked(1, Some("less")), Err(Trouble::NoItem("less".into())));
        assert!(Fake::with("Static").act(Act::Link { index: 0, name: None }).is_err());
    }
}

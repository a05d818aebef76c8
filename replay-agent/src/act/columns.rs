//! Columns of list views and headers. A header notifies its parent, and a list view in turn its own.

use super::gui::{Call, ColumnChange, Details, Gui, Payload};
use super::plan::{Perform, Preparation, code_by_charset, notify, notify_with};
use replay_link::{Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::messages::{HDM_GETITEMCOUNT, HDM_SETITEMW, LVM_GETHEADER};
use win32_vocabulary::notifications::{
    HDN_BEGINDRAG, HDN_BEGINTRACKA, HDN_BEGINTRACKW, HDN_ENDDRAG, HDN_ENDTRACKA, HDN_ENDTRACKW,
    HDN_ITEMCLICKA, HDN_ITEMCLICKW, NM_RELEASEDCAPTURE,
};

/// The header of a list view, or the header itself, if it has this column.
fn header_with(on: &Preparation<'_>, column: i32) -> Result<Window, Trouble> {
    let (gui, window) = (on.gui, on.window);
    let header = match on.control() {
        Control::Header => window,
        Control::ListView => Window(gui.ask(window, LVM_GETHEADER, 0, 0).cast_unsigned() as u64),
        _ => return Err(on.not_a_control_that("has columns")),
    };
    if column < 0 || column as isize >= gui.ask(header, HDM_GETITEMCOUNT, 0, 0) {
        return Err(Trouble::NoItem(column.to_string()));
    }
    Ok(header)
}

pub(crate) fn click(on: &Preparation<'_>, index: i32) -> Result<Perform, Trouble> {
    let header = header_with(on, index)?;
    Ok(Box::new(move |gui| {
        let code = code_by_charset(gui, header, HDN_ITEMCLICKW, HDN_ITEMCLICKA);
        notify(gui, header, code, Details::Column { index, change: None });
        release_capture(gui, header);
    }))
}

pub(crate) fn resize(on: &Preparation<'_>, index: i32, width: i32) -> Result<Perform, Trouble> {
    let header = header_with(on, index)?;
    Ok(Box::new(move |gui| {
        let begin = code_by_charset(gui, header, HDN_BEGINTRACKW, HDN_BEGINTRACKA);
        let end = code_by_charset(gui, header, HDN_ENDTRACKW, HDN_ENDTRACKA);
        drag(gui, header, index, ColumnChange::Width(width), [begin, end]);
    }))
}

pub(crate) fn reorder(on: &Preparation<'_>, index: i32, order: i32) -> Result<Perform, Trouble> {
    let header = header_with(on, index)?;
    Ok(Box::new(move |gui| {
        drag(gui, header, index, ColumnChange::Order(order), [HDN_BEGINDRAG, HDN_ENDDRAG]);
        gui.call(&mut Call::Repaint(header));
    }))
}

/// Sends what a drag of a column or of its edge sends: its beginning, the change, its end. The parent may
/// refuse it, or alter the change.
fn drag(gui: &dyn Gui, header: Window, index: i32, mut change: ColumnChange, [begin, end]: [i32; 2]) {
    let report = |code, change: &mut ColumnChange| {
        let details = Details::Column { index, change: Some(*change) };
        let (answer, details) = notify_with(gui, header, code, details);
        if let Details::Column { change: Some(altered), .. } = details {
            *change = altered;
        }
        answer
    };
    if report(begin, &mut change) != 0 {
        return;
    }
    // The end of a column's move comes before the change itself, and its answer may refuse it.
    let is_move = matches!(change, ColumnChange::Order(_));
    if is_move && report(end, &mut change) != 0 {
        return;
    }
    gui.exchange(header, HDM_SETITEMW, index as usize, &mut Payload::Column(change));
    if !is_move {
        report(end, &mut change);
    }
    release_capture(gui, header);
}

/// The end of whatever the pointer does to a header; WinForms acts upon it.
fn release_capture(gui: &dyn Gui, header: Window) {
    notify(gui, header, NM_RELEASEDCAPTURE, Details::None);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, notice, send_with};
    use replay_link::Act;
    use win32_vocabulary::messages::CCM_GETUNICODEFORMAT;

    fn header() -> Fake {
        Fake::with("THeaderControl").answer(HDM_GETITEMCOUNT, &[3])
    }

    fn reported(code: i32, index: i32, change: Option<ColumnChange>) -> Call {
        notice(code, Details::Column { index, change })
    }

    fn released() -> Call {
        notice(NM_RELEASEDCAPTURE, Details::None)
    }

    #[test]
    fn a_click_is_reported_to_the_parent() {
        let calls = header().act(Act::ClickColumn { index: 1 }).unwrap();
        assert_eq!(calls, [reported(HDN_ITEMCLICKW, 1, None), released()]);
        let ansi = header().answer(CCM_GETUNICODEFORMAT, &[0]).act(Act::ClickColumn { index: 1 }).unwrap();
        assert_eq!(ansi[0], reported(HDN_ITEMCLICKA, 1, None));
    }

    #[test]
    fn a_list_view_has_a_header_of_its_own() {
        let header = Window(9);
        let view = Fake::with("SysListView32").window(9, "SysHeader32", Some(CONTROL));
        let view = view.answer(LVM_GETHEADER, &[9]).answer_of(header, HDM_GETITEMCOUNT, &[2]);
        let change = Payload::Column(ColumnChange::Width(80));
        let calls = view.act(Act::SizeColumn { index: 1, width: 80 }).unwrap();
        assert!(calls.contains(&send_with(header, HDM_SETITEMW, 1, change)), "{calls:?}");
    }

    #[test]
    fn a_width_changes_between_its_notifications() {
        let width = Some(ColumnChange::Width(120));
        let calls = header().act(Act::SizeColumn { index: 2, width: 120 }).unwrap();
        let set = send_with(CONTROL, HDM_SETITEMW, 2, Payload::Column(ColumnChange::Width(120)));
        assert_eq!(
            calls,
            [reported(HDN_BEGINTRACKW, 2, width), set, reported(HDN_ENDTRACKW, 2, width), released()]
        );
        let refused = header().veto(HDN_BEGINTRACKW).act(Act::SizeColumn { index: 2, width: 120 }).unwrap();
        assert_eq!(refused, [reported(HDN_BEGINTRACKW, 2, width)]);
    }

    #[test]
    fn a_move_may_be_refused_at_its_end() {
        let order = Some(ColumnChange::Order(0));
        let act = || Act::MoveColumn { index: 2, order: 0 };
        let both = [reported(HDN_BEGINDRAG, 2, order), reported(HDN_ENDDRAG, 2, order)];
        let set = send_with(CONTROL, HDM_SETITEMW, 2, Payload::Column(ColumnChange::Order(0)));
        let done = [set, released(), Call::Repaint(CONTROL)];
        assert_eq!(header().act(act()).unwrap(), [&both[..], &done].concat());
        let refused = header().veto(HDN_ENDDRAG).act(act()).unwrap();
        assert_eq!(refused, [&both[..], &[Call::Repaint(CONTROL)]].concat());
    }

    #[test]
    fn a_column_has_to_exist() {
        for index in [-1, 3] {
            let missing = header().act(Act::ClickColumn { index });
            assert_eq!(missing, Err(Trouble::NoItem(index.to_string())));
        }
        assert!(Fake::with("ListBox").act(Act::ClickColumn { index: 0 }).is_err());
    }
}

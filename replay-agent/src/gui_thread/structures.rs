//! The values of acts as the structures that Windows' messages carry.

use crate::act::gui::{ColumnChange, Date, Details, Message, Notification, Payload};
use crate::win32::messages::{send, send_text, send_with};
use message_log::Rect;
use replay_link::Window;
use windows::Win32::Foundation::{RECT, SYSTEMTIME};
use windows::Win32::UI::Controls::{
    HDI_ORDER, HDI_WIDTH, HDITEMW, HTREEITEM, LIST_VIEW_ITEM_STATE_FLAGS, LVITEMW, NM_TREEVIEW_ACTION,
    NMBCDROPDOWN, NMDATETIMECHANGE, NMDATETIMECHANGE_FLAGS, NMHDR, NMHEADERW, NMITEMACTIVATE, NMSELCHANGE,
    NMTOOLBARW, NMTREEVIEWW, NMUPDOWN, TREE_VIEW_ITEM_STATE_FLAGS, TVIF_HANDLE, TVIF_STATE, TVITEMW,
};

/// Sends a message. A rectangle, a date or a column comes back in it as the receiver left it.
pub(super) fn send_message(message: &mut Message) -> isize {
    let Message { to, number, wparam, payload } = message;
    let (to, number, wparam) = (*to, *number, *wparam);
    match payload {
        Payload::Number(lparam) => send(to, number, wparam, *lparam),
        Payload::Text(text) => send_text(to, number, wparam, text),
        Payload::Rect(rect) => {
            let mut structure =
                RECT { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
            let answer = send_with(to, number, wparam, &mut structure);
            let RECT { left, top, right, bottom } = structure;
            *rect = Rect { left, top, right, bottom };
            answer
        }
        Payload::Notification(notification) => notify(to, number, wparam, notification),
        Payload::ListItemState { state, mask } => {
            let mut item = LVITEMW {
                state: LIST_VIEW_ITEM_STATE_FLAGS(*state),
                stateMask: LIST_VIEW_ITEM_STATE_FLAGS(*mask),
                ..Default::default()
            };
            send_with(to, number, wparam, &mut item)
        }
        Payload::TreeItemState { item, state, mask } => {
            let mut item =
                TVITEMW { stateMask: TREE_VIEW_ITEM_STATE_FLAGS(*mask), ..tree_item(*item, *state) };
            send_with(to, number, wparam, &mut item)
        }
        Payload::Column(change) => send_with(to, number, wparam, &mut column(*change)),
        Payload::Date(date) => {
            let mut time = system_time(*date);
            let answer = send_with(to, number, wparam, &mut time);
            *date = date_of(time);
            answer
        }
        Payload::DateRange(first, last) => {
            send_with(to, number, wparam, &mut [system_time(*first), system_time(*last)])
        }
    }
}

fn notify(to: Window, number: u32, wparam: usize, notification: &mut Notification) -> isize {
    let Notification { control, id, code, details } = notification;
    let hdr = NMHDR { hwndFrom: control.handle(), idFrom: *id as usize, code: code.cast_unsigned() };
    match details {
        Details::None => send_with(to, number, wparam, &mut { hdr }),
        Details::ListItem { index } => {
            send_with(to, number, wparam, &mut NMITEMACTIVATE { hdr, iItem: *index, ..Default::default() })
        }
        Details::TreeItem { action, item, state } => {
            let (action, item) = (NM_TREEVIEW_ACTION(*action), tree_item(*item, *state));
            let mut structure = NMTREEVIEWW { hdr, action, itemNew: item, ..Default::default() };
            send_with(to, number, wparam, &mut structure)
        }
        Details::Column { index, change: None } => {
            send_with(to, number, wparam, &mut NMHEADERW { hdr, iItem: *index, ..Default::default() })
        }
        Details::Column { index, change: Some(change) } => {
            let mut item = column(*change);
            let mut structure = NMHEADERW { hdr, iItem: *index, pitem: &raw mut item, ..Default::default() };
            let answer = send_with(to, number, wparam, &mut structure);
            *change = match *change {
                ColumnChange::Width(_) => ColumnChange::Width(item.cxy),
                ColumnChange::Order(_) => ColumnChange::Order(item.iOrder),
            };
            answer
        }
        Details::Tool { command, rect } => {
            let mut structure =
                NMTOOLBARW { hdr, iItem: *command, rcButton: rect_of(*rect), ..Default::default() };
            send_with(to, number, wparam, &mut structure)
        }
        Details::DropDown { rect } => {
            send_with(to, number, wparam, &mut NMBCDROPDOWN { hdr, rcButton: rect_of(*rect) })
        }
        Details::Spin { position, delta } => {
            send_with(to, number, wparam, &mut NMUPDOWN { hdr, iPos: *position, iDelta: *delta })
        }
        Details::Date { flags, date } => {
            let (dw_flags, st) = (NMDATETIMECHANGE_FLAGS(*flags), system_time(*date));
            send_with(to, number, wparam, &mut NMDATETIMECHANGE { nmhdr: hdr, dwFlags: dw_flags, st })
        }
        Details::Dates { first, last } => {
            let (first, last) = (system_time(*first), system_time(*last));
            let mut structure = NMSELCHANGE { nmhdr: hdr, stSelStart: first, stSelEnd: last };
            send_with(to, number, wparam, &mut structure)
        }
    }
}

fn tree_item(item: isize, state: u32) -> TVITEMW {
    TVITEMW {
        mask: TVIF_HANDLE | TVIF_STATE,
        hItem: HTREEITEM(item),
        state: TREE_VIEW_ITEM_STATE_FLAGS(state),
        ..Default::default()
    }
}

fn column(change: ColumnChange) -> HDITEMW {
    match change {
        ColumnChange::Width(width) => HDITEMW { mask: HDI_WIDTH, cxy: width, ..Default::default() },
        ColumnChange::Order(order) => HDITEMW { mask: HDI_ORDER, iOrder: order, ..Default::default() },
    }
}

fn rect_of(rect: Rect) -> RECT {
    RECT { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom }
}

fn system_time(date: Date) -> SYSTEMTIME {
    SYSTEMTIME {
        wYear: date.year,
        wMonth: date.month,
        wDayOfWeek: date.weekday,
        wDay: date.day,
        wHour: date.hour,
        wMinute: date.minute,
        wSecond: date.second,
        wMilliseconds: date.millisecond,
    }
}

fn date_of(time: SYSTEMTIME) -> Date {
    Date {
        year: time.wYear,
        month: time.wMonth,
        day: time.wDay,
        weekday: time.wDayOfWeek,
        hour: time.wHour,
        minute: time.wMinute,
        second: time.wSecond,
        millisecond: time.wMilliseconds,
    }
}

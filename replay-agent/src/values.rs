//! Controls that stand somewhere between two numbers, and dates.

use crate::acts::{Doing, header, notify, of_kind};
use crate::controls::{Kind, kind_of};
use crate::dates;
use crate::win32::{self, focus, pair, send, send_with};
use replay_link::{Trouble, Window};
use windows::Win32::Foundation::SYSTEMTIME;
use windows::Win32::UI::Controls::{NMDATETIMECHANGE, NMDATETIMECHANGE_FLAGS, NMSELCHANGE, NMUPDOWN};

const WM_HSCROLL: u32 = 0x0114;
const WM_VSCROLL: u32 = 0x0115;
const THUMB_POSITION: i32 = 4;
const THUMB_TRACK: i32 = 5;
const END: i32 = 8;

/// A scroll message to the parent, or to the window itself for a bar of its own.
fn tell_scroll(window: Window, to: Window, vertical: bool, request: i32, position: i32) {
    let message = if vertical { WM_VSCROLL } else { WM_HSCROLL };
    let of = if window == to { 0 } else { window.0.cast_signed() as isize };
    send(to, message, pair(request, position).cast_unsigned() & 0xFFFF_FFFF, of);
}

/// A track bar's or spin's value.
pub(crate) fn set(window: Window, value: i32) -> Result<Doing, Trouble> {
    match kind_of(window) {
        Kind::TrackBar => Ok(Box::new(move || set_track_bar(window, value))),
        Kind::UpDown => Ok(Box::new(move || set_spin(window, value))),
        _ => of_kind(window, Kind::TrackBar, "has a value").map(|()| -> Doing { Box::new(|| ()) }),
    }
}

fn set_track_bar(bar: Window, value: i32) {
    const TBM_SETPOS: u32 = 0x0405;
    const TBM_GETPOS: u32 = 0x0400;
    const TBS_VERT: u32 = 2;
    focus(bar);
    send(bar, TBM_SETPOS, 1, value as isize);
    let value = send(bar, TBM_GETPOS, 0, 0) as i32;
    let vertical = bar.style() & TBS_VERT != 0;
    if let Some(parent) = bar.parent() {
        tell_scroll(bar, parent, vertical, THUMB_POSITION, value);
        tell_scroll(bar, parent, vertical, END, 0);
    }
}

/// The parent may refuse the change; then it is told that the value is another one.
fn set_spin(spin: Window, value: i32) {
    const EM_SETSEL: u32 = 0x00B1;
    const UDM_GETBUDDY: u32 = 0x046A;
    const UDM_SETPOS32: u32 = 0x0471;
    const UDM_GETPOS32: u32 = 0x0472;
    const UDN_DELTAPOS: i32 = -722;
    const UDS_HORZ: u32 = 0x40;
    let buddy = Window(send(spin, UDM_GETBUDDY, 0, 0).cast_unsigned() as u64);
    if buddy.0 != 0 {
        focus(buddy);
    }
    let now = send(spin, UDM_GETPOS32, 0, 0) as i32;
    let change = NMUPDOWN { hdr: header(spin, UDN_DELTAPOS), iPos: now, iDelta: value.wrapping_sub(now) };
    if notify(spin, change) != 0 {
        return;
    }
    send(spin, UDM_SETPOS32, 0, value as isize);
    let value = send(spin, UDM_GETPOS32, 0, 0) as i32;
    if kind_of(buddy) == Kind::Edit {
        // The number stands selected, as after a click.
        send(buddy, EM_SETSEL, 0, -1);
    }
    if let Some(parent) = spin.parent() {
        let vertical = spin.style() & UDS_HORZ == 0;
        tell_scroll(spin, parent, vertical, THUMB_POSITION, value);
        tell_scroll(spin, parent, vertical, END, value);
    }
}

/// A scroll bar. A position is set before it is told: applications ask for it, since the message has room for
/// sixteen bits only.
pub(crate) fn scroll(window: Window, vertical: bool, request: u32, position: Option<i32>) {
    const CONTROL: i32 = 2;
    const SBS_VERT: u32 = 1;
    let is_control = kind_of(window) == Kind::ScrollBar;
    let vertical = if is_control { window.style() & SBS_VERT != 0 } else { vertical };
    let to = if is_control { window.parent().unwrap_or(window) } else { window };
    let request = request as i32;
    let is_thumb = request == THUMB_POSITION || request == THUMB_TRACK;
    if let Some(position) = position.filter(|_| is_thumb) {
        win32::set_scroll_position(window, if is_control { CONTROL } else { i32::from(vertical) }, position);
    }
    tell_scroll(window, to, vertical, request, position.filter(|_| is_thumb).unwrap_or(0));
    if request != END {
        tell_scroll(window, to, vertical, END, 0);
    }
    if is_thumb && !is_control {
        // It may have scrolled by the difference to a position it had already.
        win32::repaint(window);
    }
}

/// A date, or none; of a calendar also several days.
pub(crate) fn set_date(window: Window, date: Option<&str>, until: Option<&str>) -> Result<Doing, Trouble> {
    let read = |date: &str| parse(date).ok_or_else(|| Trouble::Unable(format!("{date:?} is no date")));
    let (time, last) = (date.map(read).transpose()?, until.map(read).transpose()?);
    match (kind_of(window), time) {
        (Kind::DatePicker, _) => Ok(Box::new(move || set_picker(window, time))),
        (Kind::Calendar, Some(time)) => {
            Ok(Box::new(move || set_calendar(window, time, last.unwrap_or(time))))
        }
        _ => of_kind(window, Kind::DatePicker, "shows a date").map(|()| -> Doing { Box::new(|| ()) }),
    }
}

fn set_picker(picker: Window, time: Option<SYSTEMTIME>) {
    const DTM_GETSYSTEMTIME: u32 = 0x1001;
    const DTM_SETSYSTEMTIME: u32 = 0x1002;
    const DTN_DATETIMECHANGE: i32 = -759;
    const VALID: u32 = 0;
    const NONE: u32 = 1;
    focus(picker);
    let flag = if time.is_some() { VALID } else { NONE };
    let mut st = time.unwrap_or_default();
    if send_with(picker, DTM_SETSYSTEMTIME, flag as usize, &mut st) == 0 {
        return;
    }
    // As the control keeps it: within its limits.
    send_with(picker, DTM_GETSYSTEMTIME, 0, &mut st);
    let (nmhdr, flags) = (header(picker, DTN_DATETIMECHANGE), NMDATETIMECHANGE_FLAGS(flag));
    notify(picker, NMDATETIMECHANGE { nmhdr, dwFlags: flags, st });
}

fn set_calendar(calendar: Window, time: SYSTEMTIME, last: SYSTEMTIME) {
    const MCM_SETCURSEL: u32 = 0x1002;
    const MCM_SETSELRANGE: u32 = 0x1006;
    const MCN_SELCHANGE: i32 = -749;
    const MCN_SELECT: i32 = -746;
    const MCS_MULTISELECT: u32 = 2;
    focus(calendar);
    if calendar.style() & MCS_MULTISELECT == 0 {
        send_with(calendar, MCM_SETCURSEL, 0, &mut { time });
    } else {
        send_with(calendar, MCM_SETSELRANGE, 0, &mut [time, last]);
    }
    // A calendar of one day tells no second one.
    let end = if calendar.style() & MCS_MULTISELECT == 0 { SYSTEMTIME::default() } else { last };
    let told = |code| NMSELCHANGE { nmhdr: header(calendar, code), stSelStart: time, stSelEnd: end };
    notify(calendar, told(MCN_SELCHANGE));
    notify(calendar, told(MCN_SELECT));
}

fn parse(text: &str) -> Option<SYSTEMTIME> {
    let date = dates::parse(text)?;
    Some(SYSTEMTIME {
        wYear: date.year,
        wMonth: date.month,
        wDayOfWeek: date.weekday,
        wDay: date.day,
        wHour: date.hour,
        wMinute: date.minute,
        wSecond: date.second,
        wMilliseconds: 0,
    })
}

//! Dates, as the log has them and as date fields and calendars take them.

use super::gui::{Date, Details, Gui, Payload};
use super::plan::{Perform, Preparation, notify};
use replay_link::{Trouble, Window};
use win32_vocabulary::Control;
use win32_vocabulary::class_messages::{
    DTM_GETSYSTEMTIME, DTM_SETSYSTEMTIME, MCM_SETCURSEL, MCM_SETSELRANGE,
};
use win32_vocabulary::items::{GDT_NONE, GDT_VALID};
use win32_vocabulary::notifications::{DTN_DATETIMECHANGE, MCN_SELCHANGE, MCN_SELECT};
use win32_vocabulary::styles::MCS_MULTISELECT;

/// Sets a date, or none; of a calendar also several days.
pub(crate) fn set(on: &Preparation<'_>, date: Option<&str>, until: Option<&str>) -> Result<Perform, Trouble> {
    let window = on.window;
    let read = |date: &str| parse(date).ok_or_else(|| Trouble::Unable(format!("{date:?} is no date")));
    let (date, last) = (date.map(read).transpose()?, until.map(read).transpose()?);
    match (on.control(), date) {
        (Control::DatePicker, _) => Ok(Box::new(move |gui| set_picker(gui, window, date))),
        (Control::Calendar, Some(date)) => {
            Ok(Box::new(move |gui| set_calendar(gui, window, date, last.unwrap_or(date))))
        }
        // A calendar always has a date.
        _ => Err(on.not_a_control_that("shows a date")),
    }
}

fn set_picker(gui: &dyn Gui, picker: Window, date: Option<Date>) {
    gui.focus(picker);
    let flags = if date.is_some() { GDT_VALID } else { GDT_NONE };
    let mut payload = Payload::Date(date.unwrap_or_default());
    if gui.exchange(picker, DTM_SETSYSTEMTIME, flags as usize, &mut payload) == 0 {
        return;
    }
    // As the control keeps it: within its limits.
    gui.exchange(picker, DTM_GETSYSTEMTIME, 0, &mut payload);
    let Payload::Date(date) = payload else { return };
    notify(gui, picker, DTN_DATETIMECHANGE, Details::Date { flags, date });
}

fn set_calendar(gui: &dyn Gui, calendar: Window, first: Date, last: Date) {
    gui.focus(calendar);
    let is_range = gui.style(calendar) & MCS_MULTISELECT != 0;
    if is_range {
        gui.exchange(calendar, MCM_SETSELRANGE, 0, &mut Payload::DateRange(first, last));
    } else {
        gui.exchange(calendar, MCM_SETCURSEL, 0, &mut Payload::Date(first));
    }
    // A calendar of one day reports no second one.
    let last = if is_range { last } else { Date::default() };
    for code in [MCN_SELCHANGE, MCN_SELECT] {
        notify(gui, calendar, code, Details::Dates { first, last });
    }
}

/// `2026-11-16T09:00:00`, or the day alone.
fn parse(text: &str) -> Option<Date> {
    let mut numbers = text.split(['-', 'T', ' ', ':']).map(|part| part.parse::<u16>().ok());
    let mut next = || numbers.next();
    let (year, month, day) = (next()??, next()??, next()??);
    let mut rest = || next().map_or(Some(0), |number| number);
    let (hour, minute, second) = (rest()?, rest()?, rest()?);
    let is_date = (1601..=30_827).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let is_time = hour < 24 && minute < 60 && second < 60;
    (is_date && is_time).then(|| Date {
        year,
        month,
        day,
        weekday: weekday(year, month, day),
        hour,
        minute,
        second,
        millisecond: 0,
    })
}

/// The day of the week by Sakamoto's method; 0 is Sunday.
fn weekday(year: u16, month: u16, day: u16) -> u16 {
    const SHIFT: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let year = u32::from(year) - u32::from(month < 3);
    let shift = SHIFT[usize::from(month.clamp(1, 12)) - 1];
    ((year + year / 4 - year / 100 + year / 400 + shift + u32::from(day)) % 7) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::act::fake::{CONTROL, Fake, focus, notice, send_with};
    use crate::act::gui::Call;
    use replay_link::Act;
    use win32_vocabulary::class_messages::DTM_GETMONTHCAL;

    const MONDAY: Date =
        Date { year: 2026, month: 11, day: 16, weekday: 1, hour: 9, minute: 5, second: 59, millisecond: 0 };

    fn set_date(date: Option<&str>, until: Option<&str>) -> Act {
        Act::SetDate { date: date.map(Into::into), until: until.map(Into::into) }
    }

    #[test]
    fn dates_are_read_with_and_without_a_time() {
        assert_eq!(parse("2026-11-16T09:05:59"), Some(MONDAY));
        assert_eq!(parse("2024-02-29").unwrap().weekday, 4);
        for bad in ["", "2026", "2026-13-01", "2026-01-00", "2026-01-01T24:00:00", "soon"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_date_field_reports_the_date_that_it_keeps() {
        let set = |flag, date| send_with(CONTROL, DTM_SETSYSTEMTIME, flag, Payload::Date(date));
        let get = |date| send_with(CONTROL, DTM_GETSYSTEMTIME, 0, Payload::Date(date));
        // Beyond its limits it keeps another one.
        let kept = Date { year: 2025, ..MONDAY };
        let picker = || Fake::with("TDateTimePicker").answer(DTM_SETSYSTEMTIME, &[1]);
        let fake = picker().fills(DTM_GETSYSTEMTIME, Payload::Date(kept));
        let reported = |flags, date| notice(DTN_DATETIMECHANGE, Details::Date { flags, date });
        let calls = fake.act(set_date(Some("2026-11-16T09:05:59"), None)).unwrap();
        assert_eq!(calls, [focus(), set(0, MONDAY), get(MONDAY), reported(GDT_VALID, kept)]);
        let none = Date::default();
        let calls = picker().act(set_date(None, None)).unwrap();
        assert_eq!(calls, [focus(), set(1, none), get(none), reported(GDT_NONE, none)]);
        let refused = picker().answer(DTM_SETSYSTEMTIME, &[0]).act(set_date(None, None)).unwrap();
        assert_eq!(refused, [focus(), set(1, none)]);
    }

    #[test]
    fn a_calendar_takes_one_day_or_several() {
        let reported = |first, last| {
            [MCN_SELCHANGE, MCN_SELECT].map(|code| notice(code, Details::Dates { first, last }))
        };
        let (first, last) = (parse("2026-12-24").unwrap(), parse("2026-12-26").unwrap());
        let calls = |style, until| {
            Fake::with("TMonthCalendar").style(style).act(set_date(Some("2026-12-24"), until)).unwrap()
        };
        let one = [focus(), send_with(CONTROL, MCM_SETCURSEL, 0, Payload::Date(first))];
        assert_eq!(calls(0, None), [&one[..], &reported(first, Date::default())].concat());
        let range = Payload::DateRange(first, last);
        let several = [focus(), send_with(CONTROL, MCM_SETSELRANGE, 0, range)];
        let expected = [&several[..], &reported(first, last)].concat();
        assert_eq!(calls(MCS_MULTISELECT, Some("2026-12-26")), expected);
    }

    #[test]
    fn what_is_no_date_and_what_shows_none_is_refused() {
        assert!(Fake::with("SysDateTimePick32").act(set_date(Some("soon"), None)).is_err());
        assert!(Fake::with("SysMonthCal32").act(set_date(None, None)).is_err(), "a calendar has a date");
        assert!(Fake::with("Edit").act(set_date(Some("2026-12-24"), None)).is_err());
    }

    #[test]
    fn a_calendar_without_a_parent_reports_to_the_field_it_belongs_to() {
        let (frame, field) = (Window(1), Window(4));
        let fake = Fake::with("SysMonthCal32").window(4, "SysDateTimePick32", Some(frame));
        let fake = fake.answer_of(field, DTM_GETMONTHCAL, &[CONTROL.0 as isize]);
        let fake = fake.change(|calendar| (calendar.parent, calendar.owner) = (None, Some(frame)));
        let calls = fake.act(set_date(Some("2026-12-24"), None)).unwrap();
        let Some(Call::Send(message)) = calls.last() else { panic!("{calls:?}") };
        assert_eq!(message.to, field);
    }
}

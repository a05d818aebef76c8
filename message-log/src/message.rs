//! What a log calls a window message: by its name, or by a description where Windows gives it none.

use std::borrow::Cow;
use win32_vocabulary::messages::{self, FIRST_REGISTERED, WM_APP, WM_USER};

/// The name of a message, or a description such as `WM_USER+7` if it has none.
pub fn message_name(number: u32) -> Cow<'static, str> {
    match messages::name(number) {
        Some(name) => Cow::Borrowed(name),
        None => Cow::Owned(match number {
            WM_USER..WM_APP => format!("WM_USER+{}", number - WM_USER),
            WM_APP..FIRST_REGISTERED => format!("WM_APP+{}", number - WM_APP),
            FIRST_REGISTERED..=0xFFFF => format!("registered message {number:#06X}"),
            _ => format!("message {number:#06X}"),
        }),
    }
}

/// The number of the message with exactly this name.
pub fn message_number(name: &str) -> Option<u32> {
    messages::number(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_messages_of_the_papers_figure_have_their_names() {
        assert_eq!(
            [513, 514, 273, 1].map(message_name),
            ["WM_LBUTTONDOWN", "WM_LBUTTONUP", "WM_COMMAND", "WM_CREATE"]
        );
    }

    #[test]
    fn numbers_without_a_name_say_what_they_are() {
        assert_eq!(message_name(0x0407), "WM_USER+7");
        assert_eq!(message_name(0x8001), "WM_APP+1");
        assert_eq!(message_name(0xC123), "registered message 0xC123");
        assert_eq!(message_name(u32::MAX), "message 0xFFFFFFFF");
        assert_eq!(message_number("WM_NO_SUCH"), None);
    }
}

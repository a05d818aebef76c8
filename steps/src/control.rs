//! Which control a window is.

use win32_vocabulary::Control;
use win32_vocabulary::styles::{WS_CAPTION, WS_CHILD};
use window_tree::Node;

/// The control that a window is, by its class and its style.
pub fn control_of(node: &Node) -> Control {
    let Some(class) = node.class() else { return Control::Other };
    let style = node.style().unwrap_or(0) as u32;
    // A window with a title bar is not a control, whatever its class is called: `RegEdit_RegEdit`.
    if style & WS_CHILD == 0 && style & WS_CAPTION == WS_CAPTION {
        return Control::Other;
    }
    Control::guess(&class.to_string_lossy()).with_style(style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_log::{Event, Key, Kind, Message, Stamp, Value};
    use win32_vocabulary::Control::*;
    use window_tree::Tree;

    /// The kind of a child window.
    fn kind(class: &str, style: u64) -> Control {
        window(class, style | u64::from(WS_CHILD))
    }

    fn window(class: &str, style: u64) -> Control {
        let message = Message { number: 1, hwnd: 7, window_id: 1, ..Message::default() };
        let event = Event::new(Stamp { sequence: 1, time: 0, thread: 1 }, Kind::Message(message))
            .with_text(Key::WindowClass, class)
            .with(Key::WindowStyle, Value::Unsigned(style));
        let mut tree = Tree::new();
        tree.apply(&event);
        control_of(tree.get(7).unwrap())
    }

    #[test]
    fn controls_of_every_toolkit_are_known() {
        assert_eq!(kind("Button", 0), Button);
        assert_eq!(kind("Button", 0x5001_0003), CheckBox);
        assert_eq!(kind("WindowsForms10.BUTTON.app.0.141b42a_r6_ad1", 9), RadioButton);
        assert_eq!(kind("TButton", 1), Button);
        assert_eq!(kind("TCheckBox", 0), CheckBox);
        assert_eq!(kind("RICHEDIT50W", 0), RichEdit);
        assert_eq!(kind("TComboBox", 0), ComboBox);
        assert_eq!(kind("ComboLBox", 0), DropList);
        assert_eq!(kind("WindowsForms10.SysListView32.app.0.1", 0), ListView);
        assert_eq!(kind("Static", 0), Label);
        assert_eq!(kind("ThunderRT6CommandButton", 0), Button);
        assert_eq!(kind("ThunderRT6OptionButton", 0), RadioButton);
        assert_eq!(kind("TCheckListBox", 0), ListBox);
        assert_eq!(kind("LCLComboBox", 0), ComboBox);
        assert_eq!(kind("_wx_SysTabCtl32", 0), Tab);
        assert_eq!(kind("AfxControlBar140u", 0), ToolBar);
        assert_eq!(kind("GalleryCanvas", 0), Other);
    }

    #[test]
    fn a_frame_is_no_control_whatever_it_calls_itself() {
        assert_eq!(window("RegEdit_RegEdit", 0x14CF_0000), Other);
        assert_eq!(kind("REGEDIT", 0), Other);
        assert_eq!(kind("EditorFrame", 0), Other);
        assert_eq!(kind("Statistics", 0), Other);
        assert_eq!(window("tooltips_class32", 0x8000_0000), ToolTip);
    }
}

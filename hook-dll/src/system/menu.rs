//! Menus, asked only in ways that send no message.
#![expect(unsafe_code, reason = "calls Windows")]

use windows::Win32::UI::WindowsAndMessaging::{
    GetMenuItemCount, GetMenuStringW, GetSubMenu, HMENU, MF_BYCOMMAND, MF_BYPOSITION,
};

/// A menu.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Menu(pub(crate) usize);

impl Menu {
    fn handle(self) -> HMENU {
        HMENU(std::ptr::without_provenance_mut(self.0))
    }

    pub(crate) fn item_count(self) -> u32 {
        // SAFETY: GetMenuItemCount accepts any handle and returns -1 for an invalid one.
        u32::try_from(unsafe { GetMenuItemCount(Some(self.handle())) }).unwrap_or(0)
    }

    pub(crate) fn sub_menu(self, position: u32) -> Option<Self> {
        // SAFETY: GetSubMenu accepts any handle and position and returns NULL for an invalid one.
        let menu = unsafe { GetSubMenu(self.handle(), position.cast_signed()) };
        (!menu.is_invalid()).then(|| Self(menu.0.addr()))
    }

    /// Writes an item's label and returns the number of units.
    pub(crate) fn label(self, item: u32, by_position: bool, out: &mut [u16]) -> usize {
        let by = if by_position { MF_BYPOSITION } else { MF_BYCOMMAND };
        // SAFETY: GetMenuStringW writes to the local buffer alone, whose length it gets.
        let len = unsafe { GetMenuStringW(self.handle(), item, Some(out), by) };
        usize::try_from(len).unwrap_or(0).min(out.len())
    }
}

//! What an act comes down to: which messages, in which order, so that the window and its parent get what a
//! user's input would send them. And what a control says of itself.
//!
//! Pure: no Windows call, no thread, no clock. Everything is decided from what [`gui::Gui`] answers, so that
//! the unit tests run on any system.

mod buttons;
mod columns;
mod dates;
mod facts;
pub(crate) mod gui;
pub(crate) mod item_places;
mod items;
pub(crate) mod keys;
mod links;
mod lists;
mod menu_bar;
pub(crate) mod menu_way;
mod mouse;
pub(crate) mod plan;
pub(crate) mod prepare;
mod privacy;
pub(crate) mod questions;
mod selected;
mod text;
mod tool_bars;
mod trees;
mod values;
mod windows;

#[cfg(test)]
pub(crate) mod fake;

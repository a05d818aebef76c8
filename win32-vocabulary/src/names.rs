//! The macro behind every table of numbers: name and number are written once, and become a constant and,
//! where a number has one name only, a row of the table that is searched by number.

/// Defines constants: `names! { u32; WM_NULL = 0x0000, … }`. With `table NAMES;` in front, the same rows also
/// become a table of numbers and names.
macro_rules! names {
    (table $table:ident; $type:ty; $($name:ident = $number:literal),+ $(,)?) => {
        names! { $type; $($name = $number),+ }

        /// Every number of this table with its name.
        pub const $table: &[($type, &str)] = &[$(($number, stringify!($name))),+];
    };
    ($type:ty; $($name:ident = $number:literal),+ $(,)?) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of the Windows SDK: ", stringify!($number), ".")]
            pub const $name: $type = $number;
        )+
    };
}

//! Bits of lParam of key messages and of `WM_IME_COMPOSITION`.

names! {
    u32;
    KF_EXTENDED = 0x0100, KF_ALTDOWN = 0x2000, KF_REPEAT = 0x4000, KF_UP = 0x8000,
    GCS_RESULTSTR = 0x0800,
}

/// The scan code of the key.
pub const SCAN_CODE_MASK: u32 = 0x00FF_0000;

/// How far the `KF_` bits are shifted in lParam.
pub const KF_SHIFT: u32 = 16;

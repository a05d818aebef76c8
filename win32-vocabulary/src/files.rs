//! Files, drives and executable images.

names! {
    u32;
    FILE_SHARE_READ = 0x0001, DRIVE_FIXED = 3, DRIVE_RAMDISK = 6,
}

names! {
    u16;
    IMAGE_FILE_MACHINE_I386 = 0x014C, IMAGE_FILE_MACHINE_AMD64 = 0x8664, IMAGE_FILE_MACHINE_ARM64 = 0xAA64,
}

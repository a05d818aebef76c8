//! How much a developer command needs of the machine.

/// How much is needed; each kit has what the one before has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kit {
    /// To build for x64 Windows and to run that on a desktop
    Demo,
    /// To build everything that `cargo xtask build` builds
    Build,
    /// To test, measure and pack
    All,
}

//! Whether a verdict is true: programs that write what they did into a file (`samples/truth`) are recorded
//! with real pointer and keys and replayed, unchanged and changed. A replay that claims success must have had
//! the recorded outcome.

mod ends;
mod harmless;
mod lists;
mod program;
mod scene;
mod verdict;

//! What is recorded and how it is written.

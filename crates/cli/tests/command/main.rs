//! The command as a user runs it: arguments, files, exit codes.

mod arguments;
mod ask;
mod ask_each_body;
mod bad_lines;
mod clash;
mod common;
mod contacts;
mod golden_answers;
mod golden_hashes;
mod query;
mod render;
mod replay;
mod scenes;
mod view;

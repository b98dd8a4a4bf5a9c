//! An inspector as a game and its viewers meet it: real sockets, and clients of all kinds.
//!
//! Waits are bounded, and no test asserts how long anything takes.

mod common;
mod doors;
mod hostile;
mod streams;

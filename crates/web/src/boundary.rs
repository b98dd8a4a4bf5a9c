//! What WebAssembly exports and imports.
//!
//! No other file may name symbols, since two of one name would clash. Nothing else in here needs what the
//! lint forbids.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]

use std::time::Duration;

use crate::{buffers, engine};

#[cfg(target_family = "wasm")]
unsafe extern "C" {
    /// Milliseconds, from a clock of the page.
    safe fn now() -> f64;
}

/// Stands in for the clock of a page, so that the crate compiles everywhere.
#[cfg(not(target_family = "wasm"))]
fn now() -> f64 {
    0.0
}

/// The time since any moment that stays the same.
pub(crate) fn clock() -> Duration {
    Duration::try_from_secs_f64(1e-3 * now()).unwrap_or_default()
}

/// Makes room for a request of `length` bytes and returns where it begins; null if there is no memory.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn input(length: usize) -> *mut u8 {
    buffers::input(length)
}

/// Makes room for `length` bytes that go with the next request and returns where they begin; null if
/// there is no memory.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn attachment(length: usize) -> *mut u8 {
    buffers::attachment(length)
}

/// Answers the request.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn handle() {
    engine::answer();
}

/// Where the JSON text of the last reply begins.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn output() -> *const u8 {
    buffers::with_reply(|reply| reply.json.as_ptr())
}

/// How many bytes the JSON text of the last reply has.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn output_length() -> usize {
    buffers::with_reply(|reply| reply.json.len())
}

/// Where the bytes of the last reply begin.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn binary() -> *const u8 {
    buffers::with_reply(|reply| reply.binary.as_ptr())
}

/// How many bytes go with the last reply.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn binary_length() -> usize {
    buffers::with_reply(|reply| reply.binary.len())
}

//! The engine as WebAssembly: a page writes a request into a buffer, calls [`handle`], and reads the
//! reply from other buffers.
//!
//! | export | what it does |
//! | --- | --- |
//! | `input(length) -> pointer` | makes room for a request of that many bytes: a JSON text in UTF-8 |
//! | `attachment(length) -> pointer` | makes room for the bytes that go with it, such as a recording |
//! | `handle()` | answers the request |
//! | `output() -> pointer`, `output_length()` | the reply, a JSON text in UTF-8: `{"ok": …}` or `{"error": "…"}` |
//! | `binary() -> pointer`, `binary_length()` | the bytes that the reply refers to |
//!
//! It imports `env.now`, which returns milliseconds, as `performance.now` does. Any call may let the
//! memory grow, so views on it have to be made anew. An attachment is forgotten when its request has
//! been answered, and a reply is kept until the next. If `handle` traps, the reply says why, and the
//! instance is of no more use.
//!
//! On other platforms the crate is a library without exports, so that it can be checked like any other.

mod boundary;
mod buffers;
mod engine;

pub use boundary::{attachment, binary, binary_length, handle, input, output, output_length};

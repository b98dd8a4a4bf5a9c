//! What the crate promises, one file a promise.

mod hostile;

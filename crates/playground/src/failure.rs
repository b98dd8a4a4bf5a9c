//! Why a request cannot be answered.

use core::fmt::Display;

/// A sentence for who uses the page.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// `error` as the sentence.
    pub(crate) fn of(error: impl Display) -> Self {
        Self(error.to_string())
    }

    pub(crate) fn no_world() -> Self {
        Self::new("no world is open: load or generate a scene first")
    }
}

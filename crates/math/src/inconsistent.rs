//! What a check of an engine's own state found.

/// Parts of a structure that do not agree with each other. If there ever is one, it is a bug of this engine: the text says
/// where to look.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Inconsistent(String);

impl From<String> for Inconsistent {
    fn from(text: String) -> Self {
        Self(text)
    }
}

//! Exceptions.

use core::fmt::Display;

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

/// What is wrong with a row of an argument.
#[derive(Debug)]
pub(crate) struct RowProblem {
    pub(crate) row: usize,
    pub(crate) text: String,
}

impl RowProblem {
    pub(crate) fn new(row: usize, text: impl Display) -> Self {
        let text = text.to_string();
        Self { row, text }
    }

    /// The exception that names the argument and the row.
    pub(crate) fn of(self, argument: &str) -> PyErr {
        let Self { row, text } = self;
        refused(format!("{argument}[{row}]: {text}"))
    }
}

/// A `ValueError` with a message.
pub(crate) fn refused(message: impl Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}

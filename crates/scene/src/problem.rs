//! Problems of files, with line and field.

use core::fmt;

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problem {
    /// The line of the file, counted from 1; 0 if the value comes from no file.
    pub line: u32,
    /// The field, as in `bodies[3].shape.half_extents[1]`; empty for the file as a whole.
    pub path: String,
    /// What is wrong, and what would be right.
    pub text: String,
}

impl Problem {
    pub(crate) fn new(line: u32, path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            line,
            path: path.into(),
            text: text.into(),
        }
    }

    /// This problem, with the path of the object that contains it under `key`.
    #[must_use]
    pub(crate) fn inside_field(mut self, key: &str) -> Self {
        let separator = match self.path.chars().next() {
            None | Some('[') => "",
            Some(_) => ".",
        };
        self.path = format!("{key}{separator}{}", self.path);
        self
    }

    /// This problem, with the path of the list that contains it at `index`.
    #[must_use]
    pub(crate) fn inside_list(self, index: usize) -> Self {
        self.inside_field(&format!("[{index}]"))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.text)
        } else {
            write!(f, "{}: {}", self.path, self.text)
        }
    }
}

/// What is wrong with a file, in its order: of a shape and of a field of a body the first mistake. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// How many problems a message lists; it gives the number of the others.
    const NAMED: usize = 3;

    pub(crate) fn all(list: Vec<Problem>) -> Result<(), Self> {
        if list.is_empty() {
            Ok(())
        } else {
            Err(Self(list))
        }
    }

    /// The problems, in the order of the file.
    #[must_use]
    pub fn list(&self) -> &[Problem] {
        &self.0
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl fmt::Display for Problems {
    /// The first problems on one line, and the count of the others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().take(Self::NAMED).enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{problem}")?;
        }
        match self.0.len().saturating_sub(Self::NAMED) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

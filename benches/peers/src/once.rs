//! What is made when it is first asked for.

use std::error::Error;

/// What is made when it is first asked for: criterion calls a measurement's closure once a sample,
/// and not at all if a filter leaves the measurement out.
#[derive(Debug)]
pub struct Once<T> {
    made: Option<T>,
    error: Option<Box<dyn Error>>,
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self {
            made: None,
            error: None,
        }
    }
}

impl<T> Once<T> {
    /// The thing, made by the first call; `None` if it cannot be made.
    pub fn get(&mut self, make: impl FnOnce() -> Result<T, Box<dyn Error>>) -> Option<&mut T> {
        if self.made.is_none() && self.error.is_none() {
            match make() {
                Ok(made) => self.made = Some(made),
                Err(error) => self.error = Some(error),
            }
        }
        self.made.as_mut()
    }

    /// What went wrong, if anything did.
    ///
    /// # Errors
    /// The error of the maker.
    pub fn outcome(self) -> Result<(), Box<dyn Error>> {
        self.error.map_or(Ok(()), Err)
    }
}

//! Running work on one thread or on several. Only [`team`](crate::team) uses rayon.

#[cfg(feature = "parallel")]
use std::sync::Arc;

#[cfg(feature = "parallel")]
use crate::team::Team;

/// The number of pieces that work is divided into for each thread: with several small pieces, no
/// thread waits long for another.
#[cfg(feature = "parallel")]
const PIECES_PER_THREAD: usize = 4;

/// The threads that share work: the one that calls, and those that help it.
///
/// Clones share the helping threads. The number of threads never changes a result; it only changes
/// the order in which things are found. Without the cargo feature `parallel` there are no helping threads.
#[derive(Clone, Debug, Default)]
pub struct Workers {
    #[cfg(feature = "parallel")]
    team: Option<Arc<Team>>,
}

/// The operating system did not start the threads of [`Workers`].
#[cfg(feature = "parallel")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the operating system did not start {threads} threads: {reason}")]
pub struct StartError {
    /// The number of threads that were asked for, with the calling one.
    pub threads: usize,
    /// What the operating system said.
    pub reason: String,
}

impl Workers {
    /// The calling thread alone.
    #[must_use]
    pub fn alone() -> Self {
        Self::default()
    }
}

#[cfg(not(feature = "parallel"))]
impl Workers {
    /// How many threads there are, with the calling one.
    #[must_use]
    pub fn count(&self) -> usize {
        1
    }

    /// Into how many pieces to divide so many items: one, without threads.
    #[must_use]
    pub fn pieces(&self, _items: usize, _worthwhile: usize) -> usize {
        1
    }

    /// Runs the work.
    pub fn awake<R>(&self, work: impl FnOnce() -> R) -> R {
        work()
    }

    /// Calls `work` for each piece.
    pub fn for_each<T>(&self, pieces: impl Iterator<Item = T>, work: impl Fn(T)) {
        pieces.for_each(work);
    }

    /// Calls both functions.
    pub fn both<A, B>(&self, a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
        (a(), b())
    }
}

#[cfg(feature = "parallel")]
impl Workers {
    /// So many threads with the calling one; 0 counts as 1.
    ///
    /// # Errors
    /// The operating system does not start them.
    pub fn new(threads: usize) -> Result<Self, StartError> {
        if threads < 2 {
            return Ok(Self::alone());
        }
        match Team::new(threads - 1) {
            Ok(team) => Ok(Self {
                team: Some(Arc::new(team)),
            }),
            Err(error) => Err(StartError {
                threads,
                reason: error.to_string(),
            }),
        }
    }

    /// How many threads there are, with the calling one.
    #[must_use]
    pub fn count(&self) -> usize {
        1 + self.team.as_ref().map_or(0, |team| team.workers())
    }

    /// Into how many pieces to divide so many items, if fewer than `worthwhile` items do not pay
    /// for asking another thread.
    #[must_use]
    pub fn pieces(&self, items: usize, worthwhile: usize) -> usize {
        match self.count() {
            1 => 1,
            threads => (items / worthwhile).clamp(1, threads * PIECES_PER_THREAD),
        }
    }

    /// Runs the work on the calling thread, and wakes the others, so that they take pieces of it as soon as there are
    /// some. To wake a thread takes up to a tenth of a millisecond; so long a woken one looks for work before it sleeps.
    pub fn awake<R>(&self, work: impl FnOnce() -> R) -> R {
        match &self.team {
            Some(team) => team.awake(work),
            None => work(),
        }
    }

    /// Calls `work` for each piece, in any order. The other threads take part as soon as they are
    /// [awake](Self::awake); none is waited for that sleeps.
    pub fn for_each<T: Send>(
        &self,
        pieces: impl Iterator<Item = T> + Send,
        work: impl Fn(T) + Sync,
    ) {
        match &self.team {
            Some(team) => team.for_each(pieces, work),
            None => pieces.for_each(work),
        }
    }

    /// Calls both functions, at the same time if a thread is [awake](Self::awake) and free.
    pub fn both<A: Send, B: Send>(
        &self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        match &self.team {
            Some(team) => team.both(a, b),
            None => (a(), b()),
        }
    }
}

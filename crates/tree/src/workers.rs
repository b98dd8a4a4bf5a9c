//! Running work on one thread or on several. No other file of this crate or of the broad phase
//! uses rayon.

/// The number of pieces that work is divided into for each thread: with several small pieces, no
/// thread waits long for another.
#[cfg(feature = "parallel")]
const PIECES_PER_THREAD: usize = 4;

/// The threads of the caller's rayon pool that share the work.
///
/// Without the cargo feature `parallel` all work stays on the calling thread. The number of
/// threads never changes a result; it only changes the order in which things are found.
#[derive(Clone, Copy, Debug)]
pub struct Workers {
    #[cfg(feature = "parallel")]
    threads: usize,
}

#[cfg(not(feature = "parallel"))]
impl Workers {
    /// Work for so many threads; none counts as one.
    #[must_use]
    pub fn new(_threads: usize) -> Self {
        Self {}
    }

    /// Into how many pieces to divide so many items: one, without threads.
    #[must_use]
    pub fn pieces(self, _items: usize, _worthwhile: usize) -> usize {
        1
    }

    /// Calls `work` for each piece.
    pub fn for_each<T>(self, pieces: impl Iterator<Item = T>, work: impl Fn(T)) {
        pieces.for_each(work);
    }

    /// Calls both functions.
    pub fn both<A, B>(self, a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
        (a(), b())
    }
}

#[cfg(feature = "parallel")]
impl Workers {
    /// Work for so many threads; none counts as one.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let threads = threads.max(1);
        Self { threads }
    }

    /// Whether all work stays on this thread. It does outside of a pool, where rayon would start a
    /// pool of its own.
    fn is_alone(self) -> bool {
        self.threads == 1 || rayon::current_thread_index().is_none()
    }

    /// Into how many pieces to divide so many items, if fewer than `worthwhile` items do not pay
    /// for waking a thread.
    #[must_use]
    pub fn pieces(self, items: usize, worthwhile: usize) -> usize {
        if self.is_alone() {
            return 1;
        }
        (items / worthwhile).clamp(1, self.threads * PIECES_PER_THREAD)
    }

    /// Calls `work` for each piece, in any order.
    pub fn for_each<T: Send>(
        self,
        pieces: impl Iterator<Item = T>,
        work: impl Fn(T) + Send + Sync,
    ) {
        if self.is_alone() {
            pieces.for_each(work);
            return;
        }
        rayon::in_place_scope(|scope| {
            let work = &work;
            for piece in pieces {
                scope.spawn(move |_| work(piece));
            }
        });
    }

    /// Calls both functions, at the same time if a thread is free.
    pub fn both<A: Send, B: Send>(
        self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        if self.is_alone() {
            (a(), b())
        } else {
            rayon::join(a, b)
        }
    }
}

//! Running work on one thread or on several. No other file of this crate uses rayon.

/// The number of pieces that work is divided into for each thread: with several small pieces, no
/// thread waits long for another.
#[cfg(feature = "parallel")]
const PIECES_PER_THREAD: usize = 4;

/// The threads of the caller's rayon pool that share the work.
///
/// Their number never changes a result; it only changes the order in which things are found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workers {
    #[cfg(feature = "parallel")]
    threads: usize,
}

#[cfg(not(feature = "parallel"))]
impl Workers {
    pub(crate) fn new(_threads: usize) -> Self {
        Self {}
    }

    pub(crate) fn pieces(self, _items: usize, _worthwhile: usize) -> usize {
        1
    }

    pub(crate) fn for_each<T>(self, pieces: impl Iterator<Item = T>, work: impl Fn(T)) {
        pieces.for_each(work);
    }

    pub(crate) fn both<A, B>(self, a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
        (a(), b())
    }
}

#[cfg(feature = "parallel")]
impl Workers {
    pub(crate) fn new(threads: usize) -> Self {
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
    pub(crate) fn pieces(self, items: usize, worthwhile: usize) -> usize {
        if self.is_alone() {
            return 1;
        }
        (items / worthwhile).clamp(1, self.threads * PIECES_PER_THREAD)
    }

    /// Calls `work` for each piece, in any order.
    pub(crate) fn for_each<T: Send>(
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
    pub(crate) fn both<A: Send, B: Send>(
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

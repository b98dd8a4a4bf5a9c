//! One thread or several: the only place in this crate that knows.

/// How many pieces a thread is given of work that is cut up: so that none waits long for another.
#[cfg(feature = "parallel")]
const PIECES_PER_THREAD: usize = 4;

/// Those who share the work: threads of the rayon pool that the caller is in.
///
/// What they do never depends on how many they are, but for the order in which things are found.
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

    /// Whether nobody else is there. Outside of a pool nobody is: rayon would start one of its own.
    fn is_alone(self) -> bool {
        self.threads == 1 || rayon::current_thread_index().is_none()
    }

    /// Into how many pieces so many items are cut, if less than `worthwhile` are not worth waking a
    /// thread for.
    pub(crate) fn pieces(self, items: usize, worthwhile: usize) -> usize {
        if self.is_alone() {
            return 1;
        }
        (items / worthwhile).clamp(1, self.threads * PIECES_PER_THREAD)
    }

    /// Does some work for each piece, in any order.
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

    /// Does both, at the same time if there is a thread to spare.
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

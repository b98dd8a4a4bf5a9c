//! Results of several threads, in an order that does not depend on the threads.

use core::ops::Range;
#[cfg(feature = "parallel")]
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(feature = "parallel")]
use clearance_broadphase::Workers;

use crate::reserve::{bytes, cut_down};

/// How many pairs a thread takes at a time, unless the list of results says otherwise.
///
/// It is fixed, and the results of chunks are kept in order: so results do not depend on the number of threads.
const CHUNK: usize = 256;

/// How many empty chunks are kept however few results there are.
#[cfg(feature = "parallel")]
const IDLE_CHUNKS: usize = 64;

/// Appends the results of some successive items, given by their places. One call serves a chunk, so that it costs nothing to
/// go by way of `dyn`, and what gathers results is compiled once for each kind of them instead of for each closure.
pub(super) type Work<'w, R> = dyn Fn(Range<usize>, &mut Vec<R>) + Sync + 'w;

/// The results of all threads, in the order of the items that they come from.
#[derive(Clone)]
pub(crate) struct OrderedResults<R, M> {
    /// All results.
    pub(crate) items: Vec<R>,
    /// A small key for each result, computed while the result is still in the cache. Often it is all that is needed
    /// later.
    pub(crate) keys: Vec<M>,
    /// How many items a thread takes at a time; two chunks are worth waking threads for.
    pub(super) chunk: usize,
    /// The results of chunks that are done and wait for earlier ones, by the number of the chunk.
    #[cfg(feature = "parallel")]
    waiting: Vec<Option<Vec<R>>>,
    /// Empty lists, kept for their memory.
    #[cfg(feature = "parallel")]
    idle: Vec<Vec<R>>,
}

impl<R, M> Default for OrderedResults<R, M> {
    fn default() -> Self {
        Self::in_chunks_of(CHUNK)
    }
}

impl<R, M> OrderedResults<R, M> {
    /// For work that is more, or less, than to measure a pair: how many items a thread takes at a time.
    pub(crate) fn in_chunks_of(chunk: usize) -> Self {
        Self {
            items: Vec::new(),
            keys: Vec::new(),
            chunk,
            #[cfg(feature = "parallel")]
            waiting: Vec::new(),
            #[cfg(feature = "parallel")]
            idle: Vec::new(),
        }
    }

    /// Forgets all results.
    pub(crate) fn clear(&mut self) {
        self.truncate(0);
    }

    /// Leaves as many keys as items, and no more of them than `count`.
    fn truncate(&mut self, count: usize) {
        let count = count.min(self.items.len()).min(self.keys.len());
        self.items.truncate(count);
        self.keys.truncate(count);
    }

    /// Gives memory back that is not needed for so many items.
    pub(crate) fn cut_down(&mut self, items: usize) {
        self.truncate(items);
        cut_down(&mut self.items, items);
        cut_down(&mut self.keys, items);
        #[cfg(feature = "parallel")]
        {
            cut_down(&mut self.waiting, items / self.chunk);
            let idle: usize = self.idle.iter().map(Vec::capacity).sum();
            // These held results of chunks that waited. Where no chunk waits, a few are enough.
            if idle > IDLE_CHUNKS * self.chunk + items {
                self.idle.truncate(IDLE_CHUNKS);
            }
        }
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        let memory = bytes(&self.items) + bytes(&self.keys);
        #[cfg(feature = "parallel")]
        let memory = memory
            + bytes(&self.waiting)
            + bytes(&self.idle)
            + self.idle.iter().map(bytes).sum::<usize>();
        memory
    }
}

#[cfg(feature = "parallel")]
impl<R: Clone + Send + Sync, M: Send> OrderedResults<R, M> {
    /// Replaces all results by those of `count` items, computed chunk by chunk on all threads.
    ///
    /// A chunk that is done waits until all chunks before it are done. Then its results are copied behind theirs, while
    /// they are still in the cache.
    ///
    /// There is space for as many results as last time. The rest is appended in the end.
    pub(super) fn on_all_threads(
        &mut self,
        workers: &Workers,
        count: usize,
        work: &Work<'_, R>,
        key_of: impl Fn(&R) -> M + Sync,
    ) {
        // An item and its key have the same place.
        self.truncate(usize::MAX);
        let (space, chunk) = (self.items.len(), self.chunk);
        // Some chunks are left over if a thread panicked in the step before.
        self.waiting.clear();
        self.waiting.resize_with(count.div_ceil(chunk), || None);
        let pending = Mutex::new(PendingChunks {
            waiting: &mut self.waiting,
            idle: &mut self.idle,
            next: 0,
            all: &mut self.items,
            keys: &mut self.keys,
        });
        workers.for_each(0..count.div_ceil(chunk), |number| {
            let mut found = lock(&pending).idle.pop().unwrap_or_default();
            let first = number * chunk;
            work(first..count.min(first + chunk), &mut found);
            lock(&pending).waiting[number] = Some(found);
            append_finished_chunks(&pending, &key_of);
        });
        let placed = space - lock(&pending).all.len();
        self.truncate(placed);
        for mut found in self.waiting.drain(..).flatten() {
            self.keys.extend(found.iter().map(&key_of));
            self.items.append(&mut found);
            self.idle.push(found);
        }
    }
}

/// Chunks that are done but wait for earlier ones, and the space for the results of the next one.
#[cfg(feature = "parallel")]
struct PendingChunks<'a, R, M> {
    /// The results of chunks that are done, by the number of the chunk.
    waiting: &'a mut [Option<Vec<R>>],
    /// Empty lists, for the results of chunks to come.
    idle: &'a mut Vec<Vec<R>>,
    /// The number of the first chunk whose results are not in place yet.
    next: usize,
    /// The space that is left for results.
    all: &'a mut [R],
    /// The space that is left for their keys.
    keys: &'a mut [M],
}

#[cfg(feature = "parallel")]
impl<'a, R, M> PendingChunks<'a, R, M> {
    /// Takes the results of the next chunk and the space for them and for their keys; `None` if the chunk is not done
    /// yet, or if they do not fit.
    fn take_next(&mut self) -> Option<(Vec<R>, &'a mut [R], &'a mut [M])> {
        let waiting = self.waiting.get_mut(self.next)?;
        let space = self.all.len();
        let found = waiting.take_if(|found| found.len() <= space)?;
        self.next += 1;
        let all = self.all.split_off_mut(..found.len())?;
        let keys = self.keys.split_off_mut(..found.len())?;
        Some((found, all, keys))
    }
}

/// Copies the results of chunk after chunk into place, up to the first one that is not done or does not fit.
///
/// The lock is not held while results are copied.
#[cfg(feature = "parallel")]
fn append_finished_chunks<R: Clone, M>(
    pending: &Mutex<PendingChunks<R, M>>,
    key_of: &impl Fn(&R) -> M,
) {
    loop {
        let next = lock(pending).take_next();
        let Some((mut found, all, keys)) = next else {
            return;
        };
        all.clone_from_slice(&found);
        for (key, found) in keys.iter_mut().zip(&found) {
            *key = key_of(found);
        }
        found.clear();
        lock(pending).idle.push(found);
    }
}

/// Locks, also after a panic: if a thread panics, the step ends on all threads, and what is locked is not read again.
#[cfg(feature = "parallel")]
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

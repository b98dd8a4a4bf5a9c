//! One thread or several: the only place that knows.

use crate::WorldError;
use crate::columns::bytes;

/// How many pairs a thread takes at a time.
///
/// Fixed, and the results of chunks are kept in order: so the number of threads shows nowhere.
const CHUNK: usize = 256;

/// The least number of pairs worth waking threads for.
#[cfg(feature = "parallel")]
const WORTH_SHARING: usize = 2 * CHUNK;

/// The least number of bodies that a thread moves or bounds at a time: far less work than a pair.
#[cfg(feature = "parallel")]
const MANY_BODIES: usize = 2048;

/// The threads of a world: its own and its clones', so that worlds do not wait for each other.
#[derive(Clone, Debug)]
pub(crate) struct Threads {
    #[cfg(feature = "parallel")]
    pool: Option<std::sync::Arc<rayon::ThreadPool>>,
}

#[cfg(not(feature = "parallel"))]
impl Threads {
    pub(crate) fn new(threads: usize) -> Result<Self, WorldError> {
        match threads {
            0 => Err(WorldError::NoThreads),
            1 => Ok(Self {}),
            _ => Err(WorldError::NotParallel { threads }),
        }
    }

    pub(crate) fn count(&self) -> usize {
        1
    }

    pub(crate) fn map_into<T, R>(&self, items: &[T], out: &mut Vec<R>, map: impl Fn(&T) -> R) {
        map_on_this_thread(items, out, map);
    }

    pub(crate) fn gather<T, R, M>(
        &self,
        items: &[T],
        out: &mut Gathered<R, M>,
        work: impl Fn(&[T], &mut Vec<R>),
        mark: impl Fn(&R) -> M,
    ) {
        out.on_this_thread(items, work, mark);
    }
}

#[cfg(feature = "parallel")]
impl Threads {
    /// No pool for one thread; for more, a pool of that size.
    pub(crate) fn new(threads: usize) -> Result<Self, WorldError> {
        match threads {
            0 => Err(WorldError::NoThreads),
            1 => Ok(Self { pool: None }),
            _ => rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .thread_name(|index| format!("clearance-{index}"))
                .build()
                .map(|pool| Self {
                    pool: Some(pool.into()),
                })
                .map_err(|error| WorldError::ThreadStart {
                    threads,
                    reason: error.to_string(),
                }),
        }
    }

    pub(crate) fn count(&self) -> usize {
        let pool = self.pool.as_ref();
        pool.map_or(1, |pool| pool.current_num_threads())
    }

    /// Fills `out` with the images of `items`, in their order.
    pub(crate) fn map_into<T: Sync, R: Send>(
        &self,
        items: &[T],
        out: &mut Vec<R>,
        map: impl Fn(&T) -> R + Send + Sync,
    ) {
        use rayon::prelude::*;
        match &self.pool {
            Some(pool) if items.len() >= 2 * MANY_BODIES => pool.install(|| {
                let items = items.par_iter().with_min_len(MANY_BODIES);
                items.map(map).collect_into_vec(out);
            }),
            _ => map_on_this_thread(items, out, map),
        }
    }

    /// Fills `out` with what `work` makes of each chunk of `items`, in their order, and its marks.
    pub(crate) fn gather<T: Sync, R: Copy + Send + Sync, M: Copy + Send>(
        &self,
        items: &[T],
        out: &mut Gathered<R, M>,
        work: impl Fn(&[T], &mut Vec<R>) + Send + Sync,
        mark: impl Fn(&R) -> M + Send + Sync,
    ) {
        use rayon::prelude::*;
        match &self.pool {
            Some(pool) if items.len() >= WORTH_SHARING => pool.install(|| {
                let count = items.len().div_ceil(CHUNK);
                out.chunks
                    .resize_with(count.max(out.chunks.len()), Vec::new);
                let (chunks, idle) = out.chunks.split_at_mut(count);
                idle.iter_mut().for_each(Vec::clear);
                let pieces = items.par_chunks(CHUNK).zip(chunks.par_iter_mut());
                pieces.for_each(|(items, found)| {
                    found.clear();
                    work(items, found);
                });
                out.join(&mark);
            }),
            _ => out.on_this_thread(items, work, mark),
        }
    }
}

/// What threads find, in the order of where they look.
#[derive(Clone)]
pub(crate) struct Gathered<R, M> {
    /// All that was found.
    pub(crate) all: Vec<R>,
    /// The mark of each: made while what it marks is at hand, read without it.
    pub(crate) marks: Vec<M>,
    /// The same by chunks, where several threads looked; kept for their room.
    #[cfg(feature = "parallel")]
    chunks: Vec<Vec<R>>,
}

impl<R, M> Default for Gathered<R, M> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            marks: Vec::new(),
            #[cfg(feature = "parallel")]
            chunks: Vec::new(),
        }
    }
}

impl<R, M> Gathered<R, M> {
    fn on_this_thread<T>(
        &mut self,
        items: &[T],
        work: impl Fn(&[T], &mut Vec<R>),
        mark: impl Fn(&R) -> M,
    ) {
        self.all.clear();
        self.marks.clear();
        for items in items.chunks(CHUNK) {
            work(items, &mut self.all);
            let found = &self.all[self.marks.len()..];
            self.marks.extend(found.iter().map(&mark));
        }
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        let memory = bytes(&self.all) + bytes(&self.marks);
        #[cfg(feature = "parallel")]
        let memory = memory + bytes(&self.chunks) + self.chunks.iter().map(bytes).sum::<usize>();
        memory
    }
}

#[cfg(feature = "parallel")]
impl<R: Copy + Send + Sync, M: Copy + Send> Gathered<R, M> {
    /// Makes one list of the chunks: the list is given its length first, which writes only what it
    /// grows by, and then all threads copy.
    fn join(&mut self, mark: &(impl Fn(&R) -> M + Sync)) {
        let count = self.chunks.iter().map(Vec::len).sum();
        match self.chunks.iter().find_map(|chunk| chunk.first()) {
            Some(any) => {
                self.all.resize(count, *any);
                self.marks.resize(count, mark(any));
            }
            None => {
                self.all.clear();
                self.marks.clear();
            }
        }
        copy(&self.chunks, &mut self.all, &mut self.marks, mark);
    }
}

/// Copies the chunks, one behind the other, to where there is room for exactly as much, and makes
/// the marks.
#[cfg(feature = "parallel")]
fn copy<R: Copy + Send + Sync, M: Send>(
    chunks: &[Vec<R>],
    out: &mut [R],
    marks: &mut [M],
    mark: &(impl Fn(&R) -> M + Sync),
) {
    /// How many chunks one thread copies at a time.
    const FEW: usize = 32;
    if chunks.len() <= FEW {
        let (mut rest, mut rest_marks) = (out, marks);
        for chunk in chunks {
            let (place, behind) = rest.split_at_mut(chunk.len());
            place.copy_from_slice(chunk);
            rest = behind;
            let (place, behind) = rest_marks.split_at_mut(chunk.len());
            for (place, found) in place.iter_mut().zip(chunk) {
                *place = mark(found);
            }
            rest_marks = behind;
        }
        return;
    }
    let (left, right) = chunks.split_at(chunks.len() / 2);
    let middle = left.iter().map(Vec::len).sum();
    let (before, behind) = out.split_at_mut(middle);
    let (marks_before, marks_behind) = marks.split_at_mut(middle);
    rayon::join(
        || copy(left, before, marks_before, mark),
        || copy(right, behind, marks_behind, mark),
    );
}

fn map_on_this_thread<T, R>(items: &[T], out: &mut Vec<R>, map: impl Fn(&T) -> R) {
    out.clear();
    out.extend(items.iter().map(map));
}

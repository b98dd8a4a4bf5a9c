//! One thread or several: the only place that knows.

use crate::WorldError;

/// How many pairs a thread takes at a time.
///
/// Fixed, and the results of chunks are kept in order: so the number of threads shows nowhere.
#[cfg(feature = "parallel")]
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

    pub(crate) fn chunks_into<T, R>(
        &self,
        items: &[T],
        out: &mut Vec<Vec<R>>,
        work: impl Fn(&[T], &mut Vec<R>),
    ) {
        in_one_chunk(items, out, work);
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

    /// Fills each list of `out` with what `work` makes of a chunk of `items`, in their order.
    ///
    /// Lists beyond the number of chunks are left empty, and kept for their room.
    pub(crate) fn chunks_into<T: Sync, R: Send>(
        &self,
        items: &[T],
        out: &mut Vec<Vec<R>>,
        work: impl Fn(&[T], &mut Vec<R>) + Send + Sync,
    ) {
        use rayon::prelude::*;
        match &self.pool {
            Some(pool) if items.len() >= WORTH_SHARING => pool.install(|| {
                provide_empty_lists(items.len().div_ceil(CHUNK), out);
                let chunks = items.par_chunks(CHUNK).zip(out.par_iter_mut());
                chunks.for_each(|(items, out)| work(items, out));
            }),
            _ => in_one_chunk(items, out, work),
        }
    }
}

fn map_on_this_thread<T, R>(items: &[T], out: &mut Vec<R>, map: impl Fn(&T) -> R) {
    out.clear();
    out.extend(items.iter().map(map));
}

fn in_one_chunk<T, R>(items: &[T], out: &mut Vec<Vec<R>>, work: impl Fn(&[T], &mut Vec<R>)) {
    provide_empty_lists(1, out);
    work(items, &mut out[0]);
}

fn provide_empty_lists<R>(count: usize, lists: &mut Vec<Vec<R>>) {
    lists.iter_mut().for_each(Vec::clear);
    if lists.len() < count {
        lists.resize_with(count, Vec::new);
    }
}

//! The threads of a batch.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::PyResult;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::problem::refused;

/// The most rows that a thread takes at a time. Answers do not depend on it.
const MOST_OF_CHUNK: usize = 256;

/// How many chunks there are for each thread if there are few rows: so many that none waits long for another.
const CHUNKS_OF_THREAD: usize = 8;

/// Fewer rows of shapes without parts are answered at once, rather than by waking threads.
const FEW: usize = 512;

/// The most threads that a call may ask for.
const MOST_THREADS: usize = 1024;

/// Who answers a batch: the calling thread, or a pool.
pub(crate) enum Workers {
    Caller,
    Pool(Arc<ThreadPool>),
}

/// How much there is to do.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) rows: usize,
    /// Whether a shape is a composite, of which a single question may take long.
    pub(crate) has_parts: bool,
}

impl Load {
    fn is_light(self) -> bool {
        self.rows < if self.has_parts { 2 } else { FEW }
    }
}

/// A pool, and the process that made it: threads do not survive a fork.
struct Kept {
    process: u32,
    threads: usize,
    pool: Arc<ThreadPool>,
}

/// The pool of the last call that had one. Others end with the calls that use them.
static LAST: Mutex<Option<Kept>> = Mutex::new(None);

impl Workers {
    /// Those for a load; no number of threads stands for one for each processor.
    pub(crate) fn new(threads: Option<usize>, load: Load) -> PyResult<Self> {
        if load.is_light() && threads.is_none() {
            return Ok(Self::Caller);
        }
        let threads = threads.unwrap_or_else(processors);
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(refused(format!(
                "threads: is {threads}, must be from 1 to {MOST_THREADS}"
            )));
        }
        if threads == 1 || load.is_light() {
            return Ok(Self::Caller);
        }
        pool_of(threads).map(Self::Pool)
    }

    /// How many of some rows a thread takes at a time.
    fn chunk(&self, rows: usize) -> usize {
        match self {
            Self::Caller => MOST_OF_CHUNK,
            Self::Pool(pool) => {
                let chunks = CHUNKS_OF_THREAD * pool.current_num_threads();
                (rows / chunks).clamp(1, MOST_OF_CHUNK)
            }
        }
    }

    /// What `work` makes of each range of rows, in the order of the rows.
    pub(crate) fn map_ranges<T: Send>(
        &self,
        rows: usize,
        work: impl Fn(Range<usize>) -> T + Sync,
    ) -> Vec<T> {
        let size = self.chunk(rows);
        let range = |chunk: usize| chunk * size..rows.min((chunk + 1) * size);
        let chunks = rows.div_ceil(size);
        match self {
            Self::Caller => (0..chunks).map(|chunk| work(range(chunk))).collect(),
            Self::Pool(pool) => pool.install(|| {
                let chunks = (0..chunks).into_par_iter();
                chunks.map(|chunk| work(range(chunk))).collect()
            }),
        }
    }

    /// Lets `work` write the rows of each range into the bytes that belong to them.
    pub(crate) fn fill(
        &self,
        bytes: &mut [u8],
        size: usize,
        work: impl Fn(Range<usize>, &mut [u8]) + Sync,
    ) {
        let rows = self.chunk(bytes.len() / size);
        let fill = |(chunk, bytes): (usize, &mut [u8])| {
            let first = chunk * rows;
            work(first..first + bytes.len() / size, bytes);
        };
        match self {
            Self::Caller => bytes.chunks_mut(rows * size).enumerate().for_each(fill),
            Self::Pool(pool) => pool.install(|| {
                bytes.par_chunks_mut(rows * size).enumerate().for_each(fill);
            }),
        }
    }
}

/// The pool of so many threads; no number stands for one for each processor.
pub(crate) fn pool(threads: Option<usize>) -> PyResult<Arc<ThreadPool>> {
    pool_of(threads.unwrap_or_else(processors).clamp(1, MOST_THREADS))
}

/// How many processors there are. Asking takes longer than many a batch, since it reads files.
fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn pool_of(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = last.as_ref().filter(|kept| kept.process == process)
        && kept.threads == threads
    {
        return Ok(Arc::clone(&kept.pool));
    }
    let built = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = Arc::new(built.map_err(|error| refused(format!("threads: {error}")))?);
    let kept = Kept {
        process,
        threads,
        pool: Arc::clone(&pool),
    };
    if let Some(before) = last.replace(kept)
        && before.process != process
    {
        // Its threads are not here to be ended, and may have held locks when the process was forked.
        core::mem::forget(before.pool);
    }
    Ok(pool)
}

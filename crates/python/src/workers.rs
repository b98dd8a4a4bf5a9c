//! The threads of a batch.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::PyResult;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::problem::refused;

/// How many rows a thread takes at a time. Answers do not depend on it.
const CHUNK: usize = 256;

/// Fewer rows are answered at once, rather than by waking threads.
const FEW: usize = 512;

/// The most threads that a call may ask for.
const MOST_THREADS: usize = 1024;

/// Who answers a batch: the calling thread, or a pool.
pub(crate) enum Workers {
    Caller,
    Pool(Arc<ThreadPool>),
}

/// A pool, and the process that made it: threads do not survive a fork.
struct Kept {
    process: u32,
    threads: usize,
    pool: Arc<ThreadPool>,
}

static POOLS: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

impl Workers {
    /// Those for `rows` questions; no number of threads stands for one for each processor.
    pub(crate) fn new(threads: Option<usize>, rows: usize) -> PyResult<Self> {
        if rows < FEW && threads.is_none() {
            return Ok(Self::Caller);
        }
        let threads = threads.unwrap_or_else(processors);
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(refused(format!(
                "threads is {threads}, must be from 1 to {MOST_THREADS}"
            )));
        }
        if threads == 1 || rows < FEW {
            return Ok(Self::Caller);
        }
        pool_of(threads).map(Self::Pool)
    }

    /// What `work` makes of each range of rows, in the order of the rows.
    pub(crate) fn map_ranges<T: Send>(
        &self,
        rows: usize,
        work: impl Fn(Range<usize>) -> T + Sync,
    ) -> Vec<T> {
        let range = |chunk: usize| chunk * CHUNK..rows.min((chunk + 1) * CHUNK);
        let chunks = rows.div_ceil(CHUNK);
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
        let fill = |(chunk, bytes): (usize, &mut [u8])| {
            let first = chunk * CHUNK;
            work(first..first + bytes.len() / size, bytes);
        };
        match self {
            Self::Caller => bytes.chunks_mut(CHUNK * size).enumerate().for_each(fill),
            Self::Pool(pool) => pool.install(|| {
                bytes
                    .par_chunks_mut(CHUNK * size)
                    .enumerate()
                    .for_each(fill);
            }),
        }
    }
}

/// How many processors there are. Asking takes longer than many a batch, since it reads files.
fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn pool_of(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let process = std::process::id();
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let is_ours = |kept: &&Kept| kept.process == process && kept.threads == threads;
    if let Some(kept) = pools.iter().find(is_ours) {
        return Ok(Arc::clone(&kept.pool));
    }
    let built = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = Arc::new(built.map_err(|error| refused(format!("threads: {error}")))?);
    pools.push(Kept {
        process,
        threads,
        pool: Arc::clone(&pool),
    });
    Ok(pool)
}

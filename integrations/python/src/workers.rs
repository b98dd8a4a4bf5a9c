//! The threads of a batch, and Ctrl-C meanwhile.
//!
//! Python runs the handlers of signals in its main thread only, and only when that asks for it. So the thread that calls does not work itself
//! where a pool does: it waits for the end, and asks every now and then. Where it works alone, it asks between chunks, and within rows that take
//! long.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use pyo3::{PyErr, PyResult, Python};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::problem::refused;

/// The most rows that a thread takes at a time. Answers do not depend on it.
const MOST_OF_CHUNK: usize = 256;

/// The same where shapes have parts: such a row may take seconds, and an interrupted call waits for the end of the chunks begun.
const MOST_WITH_PARTS: usize = 1;

/// The same for rays at them and configurations of robots, each of which takes microseconds.
const MOST_SHORT: usize = 16;

/// The same for rays that are only read, each of which takes nanoseconds.
const MOST_READ: usize = 4096;

/// The same for rays that a thread brings into an order, which asks for signals between them.
const MOST_OF_PIECE: usize = 1 << 17;

/// How many chunks there are for each thread if there are few rows: so many that none waits long for another.
const CHUNKS_OF_THREAD: usize = 8;

/// Fewer rows of shapes without parts are answered at once, rather than by waking threads.
const FEW: usize = 512;

/// The most threads that a call may ask for.
const MOST_THREADS: usize = 1024;

/// How long signals wait: too short for people to notice, and so long that asking for them costs nothing, although a thread of Python
/// that computes meanwhile may keep the lock of the interpreter for 5 ms.
const PATIENCE: Duration = Duration::from_millis(50);

/// Who answers a batch.
pub(crate) struct Workers {
    /// `None` for the calling thread.
    pool: Option<Arc<ThreadPool>>,
    /// The most rows that a thread takes at a time.
    most: usize,
    /// How many chunks there are at least for each thread.
    chunks: usize,
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
    /// The calling thread alone.
    pub(crate) const CALLER: Self = Self {
        pool: None,
        most: MOST_OF_CHUNK,
        chunks: CHUNKS_OF_THREAD,
    };

    /// Those for a load; no number of threads stands for one for each processor.
    pub(crate) fn new(threads: Option<usize>, load: Load) -> PyResult<Self> {
        let most = if load.has_parts {
            MOST_WITH_PARTS
        } else {
            MOST_OF_CHUNK
        };
        let alone = Self {
            most,
            ..Self::CALLER
        };
        if load.is_light() && threads.is_none() {
            return Ok(alone);
        }
        let threads = threads.unwrap_or_else(processors);
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(refused(format!(
                "threads: is {threads}, must be from 1 to {MOST_THREADS}"
            )));
        }
        if threads == 1 || load.is_light() {
            return Ok(alone);
        }
        let pool = Some(pool_of(threads)?);
        Ok(Self { pool, ..alone })
    }

    /// The same threads, for rows that take microseconds each although shapes have parts.
    pub(crate) fn for_short_rows(self) -> Self {
        let most = self.most.max(MOST_SHORT);
        Self { most, ..self }
    }

    /// The same threads, for rays that are only read.
    pub(crate) fn for_reading(&self) -> Self {
        Self {
            pool: self.pool.clone(),
            most: MOST_READ,
            ..*self
        }
    }

    /// The same threads, for so many rays of which each thread brings those that it takes into an order.
    pub(crate) fn for_pieces(&self, rays: usize) -> Self {
        let threads = self
            .pool
            .as_ref()
            .map_or(1, |pool| pool.current_num_threads());
        let pieces = rays
            .max(1)
            .div_ceil(MOST_OF_PIECE)
            .next_multiple_of(threads);
        Self {
            pool: self.pool.clone(),
            most: rays.div_ceil(pieces).max(1),
            chunks: 1,
        }
    }

    /// How many of some rows a thread takes at a time.
    pub(crate) fn chunk(&self, rows: usize) -> usize {
        match &self.pool {
            None => self.most,
            Some(pool) => {
                let chunks = self.chunks * pool.current_num_threads();
                (rows / chunks).clamp(1, self.most)
            }
        }
    }

    /// What `work` makes of each range of rows, in the order of the rows; or what the handler of a signal raises meanwhile.
    pub(crate) fn map_ranges<T: Send>(
        &self,
        rows: usize,
        work: impl Fn(Range<usize>) -> T + Sync,
    ) -> PyResult<Vec<T>> {
        let size = self.chunk(rows);
        let range = |chunk: usize| chunk * size..rows.min((chunk + 1) * size);
        let chunks = 0..rows.div_ceil(size);
        let Some(pool) = &self.pool else {
            let signals = Signals::default();
            return signals
                .between(chunks.map(range))
                .map(|range| Ok(work(range?)))
                .collect();
        };
        in_pool(pool, |stop| {
            let found = chunks.into_par_iter().map(|chunk| {
                let is_stopped = stop.load(Ordering::Relaxed);
                (!is_stopped).then(|| work(range(chunk)))
            });
            found.while_some().collect()
        })
    }

    /// Lets `work` write the rows of each range into the bytes that belong to them. Those of some may be left as they were where the
    /// handler of a signal raises something.
    pub(crate) fn fill(
        &self,
        bytes: &mut [u8],
        size: usize,
        work: impl Fn(Range<usize>, &mut [u8]) + Sync,
    ) -> PyResult<()> {
        self.fill_while(bytes, size, |range, bytes, _| work(range, bytes))
    }

    /// [`Workers::fill`] where a single row may take long: `work` asks whether it goes on, and what it writes does not count if it does not.
    pub(crate) fn fill_while(
        &self,
        bytes: &mut [u8],
        size: usize,
        work: impl Fn(Range<usize>, &mut [u8], &Signals<'_>) + Sync,
    ) -> PyResult<()> {
        let rows = self.chunk(bytes.len() / size);
        let fill = |(chunk, bytes): (usize, &mut [u8]), signals: &Signals<'_>| {
            let first = chunk * rows;
            work(first..first + bytes.len() / size, bytes, signals);
        };
        let Some(pool) = &self.pool else {
            let signals = Signals::default();
            let mut chunks = signals.between(bytes.chunks_mut(rows * size).enumerate());
            return chunks.try_for_each(|chunk| {
                fill(chunk?, &signals);
                signals.raised.take().map_or(Ok(()), Err)
            });
        };
        in_pool(pool, |stop| {
            let chunks = bytes.par_chunks_mut(rows * size).enumerate();
            let left = chunks.filter(|_| !stop.load(Ordering::Relaxed));
            left.for_each(|chunk| fill(chunk, &Signals::heard_by(stop)));
        })
    }
}

/// What the handler of a signal raises, such as `KeyboardInterrupt`.
fn signals() -> PyResult<()> {
    // When the interpreter ends, nothing is there to be raised.
    Python::try_attach(|py| py.check_signals()).unwrap_or(Ok(()))
}

/// What a thread knows of signals while it works.
#[derive(Default)]
pub(crate) struct Signals<'s> {
    /// What the calling thread sets, where it is another one that asks for signals.
    stop: Option<&'s AtomicBool>,
    asked: Cell<Option<Instant>>,
    raised: RefCell<Option<PyErr>>,
}

impl<'s> Signals<'s> {
    fn heard_by(stop: &'s AtomicBool) -> Self {
        Self {
            stop: Some(stop),
            ..Self::default()
        }
    }

    /// What a handler raises, for which there is a look every now and then. Work that ends soon does not wait for one.
    fn look(&self) -> PyResult<()> {
        let asked = self.asked.get().unwrap_or_else(Instant::now);
        let is_due = asked.elapsed() >= PATIENCE;
        self.asked
            .set(Some(if is_due { Instant::now() } else { asked }));
        if is_due { signals() } else { Ok(()) }
    }

    /// Whether no handler has raised anything, now or before.
    pub(crate) fn go_on(&self) -> bool {
        if let Some(stop) = self.stop {
            return !stop.load(Ordering::Relaxed);
        }
        if self.raised.borrow().is_none() {
            let raised = self.look().err();
            self.raised.replace(raised);
        }
        self.raised.borrow().is_none()
    }

    /// The chunks of work for the calling thread, which asks for signals between them.
    pub(crate) fn between<T>(
        &self,
        chunks: impl Iterator<Item = T>,
    ) -> impl Iterator<Item = PyResult<T>> {
        // The first chunk waits for nothing.
        chunks.enumerate().map(|(number, chunk)| {
            if number > 0 {
                self.look()?;
            }
            Ok(chunk)
        })
    }
}

/// What `work` makes in a pool; or what the handler of a signal raises meanwhile, which tells `work` to stop.
pub(crate) fn in_pool<T: Send>(
    pool: &ThreadPool,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    let is_stopped = &stop;
    let (sender, receiver) = channel();
    pool.in_place_scope(|scope| {
        scope.spawn(move |_| {
            // The receiver is gone after a signal.
            let _ = sender.send(work(is_stopped));
        });
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok(made) => return Ok(made),
                Err(RecvTimeoutError::Timeout) => signals().inspect_err(|_| {
                    stop.store(true, Ordering::Relaxed);
                })?,
                // The scope goes on with the panic of `work`.
                Err(RecvTimeoutError::Disconnected) => return Err(refused("a thread panicked")),
            }
        }
    })
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
        // A batch in another thread of Python would be waited for.
        && Arc::strong_count(&kept.pool) == 1
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

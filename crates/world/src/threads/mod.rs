//! One thread or several: no other part of this crate depends on how many.

mod ordered;

use crate::WorldError;

pub(crate) use ordered::{Chunk, OrderedResults};

/// The least number of bodies that a thread moves or bounds at a time: far less work than a pair.
#[cfg(feature = "parallel")]
const MANY_BODIES: usize = 2048;

/// The least number of questions that a thread answers at a time: each takes about as long as a pair.
#[cfg(feature = "parallel")]
const MANY_QUESTIONS: usize = 64;

/// The threads of a world and of its clones. Other worlds have their own and do not wait for these.
#[derive(Clone, Debug, Default)]
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

    pub(crate) fn count_for(&self, _bodies: usize) -> usize {
        1
    }

    pub(crate) fn lend<R>(&self, _bodies: usize, work: impl FnOnce() -> R) -> R {
        work()
    }

    pub(crate) fn fill<T, R: Clone>(
        &self,
        items: &[T],
        out: &mut Vec<R>,
        blank: R,
        fill: impl Fn(&T, &mut R),
    ) {
        out.resize(items.len(), blank);
        fill_on_this_thread(items, out, fill);
    }

    pub(crate) fn answer<T, R: Clone>(
        &self,
        questions: &[T],
        answers: &mut Vec<R>,
        blank: R,
        answer: impl Fn(&T, &mut R),
    ) {
        self.fill(questions, answers, blank, answer);
    }

    pub(crate) fn gather<T, R, M>(
        &self,
        items: &[T],
        out: &mut OrderedResults<R, M>,
        work: impl Fn(Chunk<T>, &mut Vec<R>),
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

    /// How many threads so many bodies are worth.
    pub(crate) fn count_for(&self, bodies: usize) -> usize {
        if bodies < MANY_BODIES {
            1
        } else {
            self.count()
        }
    }

    /// Runs the work for so many bodies on one of the threads of the pool, which can then share it with
    /// the others: handing over takes as long as the work for a few hundred bodies.
    pub(crate) fn lend<R: Send>(&self, bodies: usize, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) if self.count_for(bodies) > 1 => pool.install(work),
            _ => work(),
        }
    }

    /// Makes `out` as long as `items`, and lets `fill` write the result of each item in place.
    ///
    /// Results are not returned by value: the processor is slow to load in one piece what was just stored
    /// number by number.
    pub(crate) fn fill<T: Sync, R: Clone + Send>(
        &self,
        items: &[T],
        out: &mut Vec<R>,
        blank: R,
        fill: impl Fn(&T, &mut R) + Send + Sync,
    ) {
        out.resize(items.len(), blank);
        match &self.pool {
            Some(pool) if items.len() >= 2 * MANY_BODIES => {
                fill_on_all_threads(pool, (items, out), MANY_BODIES, fill);
            }
            _ => fill_on_this_thread(items, out, fill),
        }
    }

    /// [`Threads::fill`] for questions, each of which is as much work as many bodies.
    pub(crate) fn answer<T: Sync, R: Clone + Send>(
        &self,
        questions: &[T],
        answers: &mut Vec<R>,
        blank: R,
        answer: impl Fn(&T, &mut R) + Send + Sync,
    ) {
        answers.resize(questions.len(), blank);
        match &self.pool {
            Some(pool) if questions.len() >= 2 * MANY_QUESTIONS => {
                fill_on_all_threads(pool, (questions, answers), MANY_QUESTIONS, answer);
            }
            _ => fill_on_this_thread(questions, answers, answer),
        }
    }

    /// Fills `out` with what `work` makes of each chunk of `items`, in their order, and its marks.
    pub(crate) fn gather<T: Sync, R: Copy + Send + Sync, M: Send>(
        &self,
        items: &[T],
        out: &mut OrderedResults<R, M>,
        work: impl Fn(Chunk<T>, &mut Vec<R>) + Send + Sync,
        mark: impl Fn(&R) -> M + Send + Sync,
    ) {
        match &self.pool {
            Some(pool) if items.len() >= 2 * out.chunk => {
                pool.install(|| out.on_all_threads(items, work, mark));
            }
            _ => out.on_this_thread(items, work, mark),
        }
    }
}

/// Threads halve what is left until so few are left, and whoever is done takes a half from another.
#[cfg(feature = "parallel")]
fn fill_on_all_threads<T: Sync, R: Send>(
    pool: &rayon::ThreadPool,
    (items, out): (&[T], &mut [R]),
    few: usize,
    fill: impl Fn(&T, &mut R) + Send + Sync,
) {
    use rayon::prelude::*;
    pool.install(|| {
        let places = items.par_iter().zip(out).with_min_len(few);
        places.for_each(|(item, place)| fill(item, place));
    });
}

fn fill_on_this_thread<T, R>(items: &[T], out: &mut [R], fill: impl Fn(&T, &mut R)) {
    for (item, place) in items.iter().zip(out) {
        fill(item, place);
    }
}

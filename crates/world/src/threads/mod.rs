//! One thread or several: no other part of this crate depends on how many.

mod ordered;
#[cfg(all(test, feature = "parallel"))]
mod tests;

use clearance_broadphase::Workers;

use crate::{MAX_THREADS, WorldError};

pub(crate) use ordered::OrderedResults;
use ordered::Work;

/// The least number of bodies of which the other threads are woken for a step, or asked to move or bound some.
const MANY_BODIES: usize = 1024;

/// How many bodies a thread moves or bounds at a time: far less work than as many pairs.
const BODIES_AT_A_TIME: usize = 256;

/// The least number of questions that are shared: the quickest, rays, take less than half a microsecond each.
const MANY_QUESTIONS: usize = 256;

/// How many questions a thread answers at a time.
const QUESTIONS_AT_A_TIME: usize = 32;

/// The threads of a world and of its clones. Other worlds have their own and do not wait for these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    workers: Workers,
}

impl Threads {
    /// So many threads, with the one that calls.
    pub(crate) fn new(threads: usize) -> Result<Self, WorldError> {
        Ok(Self {
            workers: start(check_count(threads)?)?,
        })
    }

    pub(crate) fn workers(&self) -> &Workers {
        &self.workers
    }

    pub(crate) fn count(&self) -> usize {
        self.workers.count()
    }

    /// Runs the work for so many bodies, and wakes the other threads if there are enough.
    pub(crate) fn awake<R>(&self, bodies: usize, work: impl FnOnce() -> R) -> R {
        if bodies < MANY_BODIES {
            work()
        } else {
            self.workers.awake(work)
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
        fill: impl Fn(&T, &mut R) + Sync,
    ) {
        out.resize(items.len(), blank);
        if items.len() < MANY_BODIES {
            fill_all(items, out, fill);
        } else {
            self.fill_in_pieces(items, out, BODIES_AT_A_TIME, fill);
        }
    }

    /// [`Threads::fill`] for questions, each of which is as much work as many bodies.
    pub(crate) fn answer<T: Sync, R: Clone + Send>(
        &self,
        questions: &[T],
        answers: &mut Vec<R>,
        blank: R,
        answer: impl Fn(&T, &mut R) + Sync,
    ) {
        answers.resize(questions.len(), blank);
        if questions.len() < MANY_QUESTIONS {
            fill_all(questions, answers, answer);
        } else {
            self.fill_in_pieces(questions, answers, QUESTIONS_AT_A_TIME, answer);
        }
    }

    fn fill_in_pieces<T: Sync, R: Send>(
        &self,
        items: &[T],
        out: &mut [R],
        at_a_time: usize,
        fill: impl Fn(&T, &mut R) + Sync,
    ) {
        let pieces = items.chunks(at_a_time).zip(out.chunks_mut(at_a_time));
        (self.workers).for_each(pieces, |(items, out)| fill_all(items, out, &fill));
    }

    /// Fills `out` with what `work` makes of `count` items, chunk by chunk, in their order, and with the keys of all results.
    pub(crate) fn gather<R: Clone + Send + Sync, M: Send>(
        &self,
        count: usize,
        out: &mut OrderedResults<R, M>,
        work: &Work<'_, R>,
        key_of: impl Fn(&R) -> M + Sync,
    ) {
        #[cfg(feature = "parallel")]
        if self.count() > 1 && count >= 2 * out.chunk {
            return out.on_all_threads(&self.workers, count, work, key_of);
        }
        out.clear();
        for first in (0..count).step_by(out.chunk) {
            work(first..count.min(first + out.chunk), &mut out.items);
            let found = &out.items[out.keys.len()..];
            out.keys.extend(found.iter().map(&key_of));
        }
    }
}

/// Refuses numbers of threads that no world can have, in whatever build and on whatever machine.
pub(crate) fn check_count(threads: usize) -> Result<usize, WorldError> {
    match threads {
        0 => Err(WorldError::NoThreads),
        1..=MAX_THREADS => Ok(threads),
        _ => Err(WorldError::TooManyThreads { threads }),
    }
}

#[cfg(feature = "parallel")]
fn start(threads: usize) -> Result<Workers, WorldError> {
    Workers::new(threads).map_err(|error| WorldError::ThreadStart {
        threads,
        reason: error.reason,
    })
}

#[cfg(not(feature = "parallel"))]
fn start(threads: usize) -> Result<Workers, WorldError> {
    if threads > 1 {
        return Err(WorldError::NotParallel { threads });
    }
    Ok(Workers::alone())
}

fn fill_all<T, R>(items: &[T], out: &mut [R], fill: impl Fn(&T, &mut R)) {
    for (item, place) in items.iter().zip(out) {
        fill(item, place);
    }
}

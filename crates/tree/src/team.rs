//! Threads that help the calling one.
//!
//! The calling thread does not hand its work over, which takes it two changes of threads, about a tenth of a
//! millisecond. It begins at once, and the workers take pieces from it. They are woken when a step begins, and where
//! much is to be done; in between they look for work some time before they sleep again.
//!
//! No worker is waited for that sleeps, since on a busy machine it may take many times as long as a step until it runs. So the
//! calling thread asks who is there, and gives work to those that answer. If one of them has gone to sleep meanwhile, it is
//! woken by the work.

use std::hint;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{Scope, ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, Yield};

/// How often the calling thread looks for answers before it begins: about two microseconds. Workers that are awake take
/// a tenth of that; those that answer later are given work between two pieces.
const LOOKS_FOR_ANSWERS: usize = 50;

/// How often a worker looks for work before it sleeps: for about a tenth of a millisecond, as long as it takes to be woken.
/// It does not let others run meanwhile: where other programs wait for its processor, it would get it back after milliseconds
/// only, but after a sleep at once.
const LOOKS_FOR_WORK: usize = 700;

/// The least number of pieces for which sleeping workers are woken.
const MANY_PIECES: usize = 8;

/// How often the calling thread looks whether the workers are done before it sleeps until they are: for about a twentieth
/// of a millisecond, a piece or two.
const LOOKS_FOR_THE_END: usize = 1000;

/// The threads that help.
#[derive(Debug)]
pub(crate) struct Team {
    pool: ThreadPool,
    shift: Arc<Shift>,
}

/// What the calling thread and the workers know of each other.
#[derive(Debug)]
struct Shift {
    /// How many calls of [`Team::awake`] have not ended.
    calls: AtomicUsize,
    /// The number of the last question who is there.
    question: AtomicUsize,
    workers: Vec<Worker>,
}

#[derive(Debug, Default)]
struct Worker {
    /// Whether it was woken and does not sleep again.
    is_woken: AtomicBool,
    /// Whether it looks for work, or must not: see [`Shift::without_looking`].
    is_looking: AtomicBool,
    /// The number of the question that it answered last; 0 if it has been given work since.
    answer: AtomicUsize,
}

impl Team {
    pub(crate) fn new(workers: usize) -> Result<Self, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(workers)
            .thread_name(|index| format!("clearance-{}", index + 1))
            .build()?;
        let shift = Shift {
            calls: AtomicUsize::new(0),
            question: AtomicUsize::new(0),
            workers: (0..workers).map(|_| Worker::default()).collect(),
        };
        Ok(Self {
            pool,
            shift: Arc::new(shift),
        })
    }

    pub(crate) fn workers(&self) -> usize {
        self.shift.workers.len()
    }

    /// The number of the current thread among the workers; `None` for all other threads.
    fn worker(&self) -> Option<usize> {
        self.pool.current_thread_index()
    }

    /// Runs the work while the workers are awake, or wake up. Calls within calls, and those of several threads, are as one.
    pub(crate) fn awake<R>(&self, work: impl FnOnce() -> R) -> R {
        if self.worker().is_some() {
            return work();
        }
        let is_first = self.shift.calls.fetch_add(1, Ordering::AcqRel) == 0;
        let _call = Counted(&self.shift.calls);
        // If it is not, whoever called first has woken them.
        if is_first {
            self.wake();
        }
        work()
    }

    /// Wakes the workers that sleep.
    fn wake(&self) {
        let mut sleeping = 0;
        for worker in &self.shift.workers {
            sleeping += usize::from(!worker.is_woken.swap(true, Ordering::AcqRel));
        }
        if sleeping == 0 {
            return;
        }
        let shift = Arc::clone(&self.shift);
        self.pool
            .spawn_broadcast(move |context| shift.look_for_work(context.index()));
    }

    /// Calls `work` for each piece. Workers take pieces as this thread does.
    pub(crate) fn for_each<T: Send>(
        &self,
        pieces: impl Iterator<Item = T> + Send,
        work: impl Fn(T) + Sync,
    ) {
        let (least, most) = pieces.size_hint();
        if matches!(most, Some(0 | 1)) || self.worker().is_some() {
            return pieces.for_each(work);
        }
        let pieces = Mutex::new(pieces.fuse());
        let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.take_pieces(least, &|before| {
            next().is_some_and(|piece| {
                before();
                work(piece);
                true
            })
        });
    }

    /// Does pieces on this thread and on the workers as long as there are any, at least `least`. `take` takes a piece, then
    /// calls the function that it is given, and then does the piece; it returns false if there is none.
    fn take_pieces(&self, least: usize, take: &(dyn Fn(&mut dyn FnMut()) -> bool + Sync)) {
        let busy = AtomicUsize::new(0);
        let help = || {
            let _busy = Counted(&busy);
            while take(&mut || ()) {}
        };
        self.awake(|| {
            self.pool.in_place_scope(|scope| {
                let mut question = self.shift.ask();
                if !question.wait_for(self.workers()) && least >= MANY_PIECES {
                    self.wake();
                }
                while take(&mut || {
                    for _ in 0..question.answers() {
                        give(scope, &busy, help);
                    }
                }) {}
                wait_until_done(&busy);
            });
        });
    }

    /// Calls both functions, the second one on a worker if one is there.
    pub(crate) fn both<A: Send, B: Send>(
        &self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        if let Some(worker) = self.worker() {
            let _busy = self.shift.without_looking(worker);
            return rayon::join(a, b);
        }
        if self.shift.calls.load(Ordering::Acquire) == 0 || !self.shift.ask().wait_for(1) {
            return (a(), b());
        }
        let busy = AtomicUsize::new(0);
        let mut second = None;
        let first = self.pool.in_place_scope(|scope| {
            give(scope, &busy, || {
                let _busy = Counted(&busy);
                second = Some(b());
            });
            let first = a();
            wait_until_done(&busy);
            first
        });
        match second {
            Some(second) => (first, second),
            None => {
                unreachable!("the scope passes on the panic of whoever did not come to the end")
            }
        }
    }
}

/// Gives a worker work that counts itself out of `busy` in the end.
fn give<'scope>(scope: &Scope<'scope>, busy: &AtomicUsize, work: impl FnOnce() + Send + 'scope) {
    busy.fetch_add(1, Ordering::AcqRel);
    scope.spawn(|_| work());
}

/// Waits until nobody is busy, for some time. They are about to end; to sleep and to be woken takes longer.
fn wait_until_done(busy: &AtomicUsize) {
    for _ in 0..LOOKS_FOR_THE_END {
        if busy.load(Ordering::Acquire) == 0 {
            return;
        }
        hint::spin_loop();
    }
}

impl Shift {
    /// Asks who is there.
    fn ask(&self) -> Question<'_> {
        Question {
            shift: self,
            number: 1 + self.question.fetch_add(1, Ordering::AcqRel),
            waiting: 0,
        }
    }

    /// What a worker does until it sleeps: it answers, and does what it is given.
    fn look_for_work(&self, worker: usize) {
        let Some(worker) = self.workers.get(worker) else {
            return;
        };
        // It was woken again before it went to sleep: this runs within another call of itself.
        if worker.is_looking.swap(true, Ordering::AcqRel) {
            return;
        }
        let (mut answered, mut looks) = (0, 0);
        while looks < LOOKS_FOR_WORK && self.calls.load(Ordering::Acquire) > 0 {
            let question = self.question.load(Ordering::Acquire);
            if question != answered {
                worker.answer.store(question, Ordering::Release);
                answered = question;
            }
            if rayon::yield_now() == Some(Yield::Executed) {
                looks = 0;
            } else {
                hint::spin_loop();
                looks += 1;
            }
        }
        worker.is_looking.store(false, Ordering::Release);
        worker.is_woken.store(false, Ordering::Release);
    }

    /// Keeps a worker that waits for another thread within its work from looking for more beneath it: rayon lets it do
    /// whatever is to be done meanwhile, and that it was woken may be among it.
    fn without_looking(&self, worker: usize) -> Option<NotLooking<'_>> {
        self.workers.get(worker).map(|worker| NotLooking {
            was_looking: worker.is_looking.swap(true, Ordering::AcqRel),
            worker,
        })
    }
}

/// A question who is there.
struct Question<'a> {
    shift: &'a Shift,
    number: usize,
    /// How many have answered and have not been given work.
    waiting: usize,
}

impl Question<'_> {
    /// Waits for so many answers, for a short time. Whether there were so many.
    fn wait_for(&mut self, workers: usize) -> bool {
        for _ in 0..LOOKS_FOR_ANSWERS {
            self.look();
            if self.waiting >= workers {
                return true;
            }
            hint::spin_loop();
        }
        false
    }

    /// How many answered since the last call.
    fn answers(&mut self) -> usize {
        self.look();
        std::mem::take(&mut self.waiting)
    }

    fn look(&mut self) {
        for worker in &self.shift.workers {
            let answer = &worker.answer;
            let is_there = answer.load(Ordering::Relaxed) == self.number
                && (answer.compare_exchange(self.number, 0, Ordering::AcqRel, Ordering::Relaxed))
                    .is_ok();
            self.waiting += usize::from(is_there);
        }
    }
}

/// A worker that does not begin to look for work until this is dropped.
struct NotLooking<'a> {
    worker: &'a Worker,
    was_looking: bool,
}

impl Drop for NotLooking<'_> {
    fn drop(&mut self) {
        (self.worker.is_looking).store(self.was_looking, Ordering::Release);
        if !self.was_looking {
            self.worker.is_woken.store(false, Ordering::Release);
        }
    }
}

/// One that counts until it is dropped.
struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

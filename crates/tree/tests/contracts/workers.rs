//! Threads that share work: every piece is done once, whoever is there.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clearance_tree::Workers;

const THREADS: [usize; 5] = [0, 1, 2, 3, 8];

fn workers(threads: usize) -> Workers {
    Workers::new(threads).expect("threads")
}

/// What becomes of so many pieces, of which some take longer.
fn squares(workers: &Workers, count: usize) -> Vec<usize> {
    let mut squares = vec![0; count];
    workers.for_each(squares.iter_mut().enumerate(), |(number, square)| {
        if number % 64 == 0 {
            std::thread::yield_now();
        }
        *square += number * number;
    });
    squares
}

fn expected(count: usize) -> Vec<usize> {
    (0..count).map(|number| number * number).collect()
}

#[test]
fn the_calling_thread_counts() {
    for (threads, count) in THREADS.into_iter().zip([1, 1, 2, 3, 8]) {
        assert_eq!(workers(threads).count(), count);
    }
    assert_eq!(Workers::alone().count(), 1);
}

#[test]
fn every_piece_is_done_once() {
    for threads in THREADS {
        let workers = workers(threads);
        for count in [0, 1, 2, 3, 100, 5000] {
            assert_eq!(squares(&workers, count), expected(count));
            workers.awake(|| {
                // Stages of a step, with work in between that is not shared.
                for _ in 0..20 {
                    assert_eq!(squares(&workers, count), expected(count));
                }
            });
        }
    }
}

#[test]
fn helpers_that_are_awake_take_part() {
    let workers = workers(3);
    let names = Mutex::new(Vec::new());
    workers.awake(|| {
        workers.for_each(0..300, |_| {
            std::thread::sleep(Duration::from_millis(1));
            let name = std::thread::current().name().map(str::to_owned);
            names.lock().expect("no panic").push(name);
        });
    });
    let mut names = names.into_inner().expect("no panic");
    assert_eq!(names.len(), 300);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 3, "{names:?}");
}

#[test]
fn both_functions_are_called() {
    fn sum(workers: &Workers, numbers: &[usize]) -> usize {
        if numbers.len() < 10 {
            return numbers.iter().sum();
        }
        let (first, second) = numbers.split_at(numbers.len() / 2);
        let (first, second) = workers.both(|| sum(workers, first), || sum(workers, second));
        first + second
    }
    let numbers: Vec<usize> = (0..10_000).collect();
    for threads in THREADS {
        let workers = workers(threads);
        assert_eq!(sum(&workers, &numbers), 49_995_000);
        assert_eq!(workers.awake(|| sum(&workers, &numbers)), 49_995_000);
    }
}

#[test]
fn work_within_work_is_done() {
    for threads in THREADS {
        let workers = workers(threads);
        let sum = AtomicUsize::new(0);
        workers.awake(|| {
            workers.for_each(0..50, |piece| {
                let (a, b) = workers.both(|| squares(&workers, 20), || squares(&workers, 30));
                assert_eq!((a, b), (expected(20), expected(30)));
                workers.awake(|| sum.fetch_add(piece, Ordering::Relaxed));
            });
        });
        assert_eq!(sum.into_inner(), 1225);
    }
}

#[test]
fn several_threads_share_the_helpers_of_a_clone() {
    let workers = workers(3);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let workers = workers.clone();
            scope.spawn(move || {
                for _ in 0..200 {
                    workers.awake(|| {
                        assert_eq!(squares(&workers, 300), expected(300));
                        assert_eq!(workers.both(|| 1, || 2), (1, 2));
                    });
                }
            });
        }
    });
}

#[test]
fn a_pool_of_the_caller_may_call() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    let workers = workers(3);
    pool.build().expect("threads").install(|| {
        for _ in 0..100 {
            workers.awake(|| assert_eq!(squares(&workers, 300), expected(300)));
        }
    });
}

#[test]
fn a_panic_reaches_the_caller_and_the_helpers_go_on() {
    for threads in [1, 2, 4] {
        let workers = workers(threads);
        for piece in [0, 1, 150, 299] {
            let panic = catch_unwind(AssertUnwindSafe(|| {
                workers.awake(|| {
                    workers.for_each(0..300, |number| {
                        std::thread::sleep(Duration::from_micros(20));
                        assert_ne!(number, piece, "on purpose");
                    });
                });
            }));
            assert!(panic.is_err());
            let panic = catch_unwind(AssertUnwindSafe(|| {
                workers.awake(|| workers.both(|| squares(&workers, 300), || panic!("on purpose")))
            }));
            assert!(panic.is_err());
            workers.awake(|| assert_eq!(squares(&workers, 300), expected(300)));
        }
    }
}

/// Steps follow each other while helpers wake up, fall asleep, or do both at once.
#[test]
fn helpers_that_fall_asleep_are_woken_again() {
    let workers = workers(4);
    for round in 0..3000 {
        workers.awake(|| {
            if round % 7 == 0 {
                std::thread::sleep(Duration::from_micros(300));
            }
            assert_eq!(squares(&workers, 10), expected(10));
        });
        if round % 100 == 0 {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// A helper that waits for one half of its work must not look for other work until that is done: nobody would go on.
#[test]
fn halves_of_halves_end_while_helpers_are_woken() {
    fn leaves(workers: &Workers, depth: usize) -> usize {
        if depth == 0 {
            return 1;
        }
        let (a, b) = workers.both(|| leaves(workers, depth - 1), || leaves(workers, depth - 1));
        a + b
    }
    for threads in [2, 4, 8] {
        let workers = workers(threads);
        for round in 0..3000 {
            assert_eq!(workers.awake(|| leaves(&workers, 5)), 32);
            if round % 50 == 0 {
                std::thread::sleep(Duration::from_micros(200));
            }
        }
    }
}

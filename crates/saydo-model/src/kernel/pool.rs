//! Fork and join over a fixed set of threads, for work that lasts microseconds.
//!
//! A model runs some two hundred small products per token, so waking threads through the operating system each time
//! would cost more than the work. Workers therefore spin for a moment after each job before they sleep, parts are
//! handed out by a counter so that a slow core takes fewer, and the caller works too and never waits for a worker
//! that did not start.
#![expect(unsafe_code, reason = "workers borrow the caller's closure for the length of one call")]

use super::shared::SharedSlice;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

/// How long an idle worker looks for work before it sleeps.
const SPIN: Duration = Duration::from_micros(200);

/// Outputs with fewer values are filled by the caller alone: sharing would cost more.
const MIN_SHARED: usize = 1 << 13;

/// Bit of `state` that says workers may join the job. Below it: how many have. Above it: the job's number.
const OPEN: u64 = 1 << 16;
const JOINED: u64 = OPEN - 1;
const NEXT_JOB: u64 = OPEN << 1;

/// Threads that run the parts of one job at a time.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// let pool = saydo_model::kernel::Pool::new(2);
/// let sum = AtomicUsize::new(0);
/// pool.run(10, |part| { sum.fetch_add(part, Ordering::Relaxed); });
/// assert_eq!(sum.into_inner(), 45);
/// ```
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    sleepers: Vec<Thread>,
    busy: Mutex<()>,
}

struct Shared {
    state: AtomicU64,
    job: AtomicPtr<Job<'static>>,
    asleep: AtomicUsize,
    stop: AtomicBool,
}

struct Job<'a> {
    run: &'a (dyn Fn(usize) + Sync),
    parts: usize,
    next: AtomicUsize,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Job<'_> {
    /// Runs parts until none are left; after a panic, no further part starts.
    fn work(&self) {
        loop {
            let part = self.next.fetch_add(1, Ordering::Relaxed);
            if part >= self.parts {
                return;
            }
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (self.run)(part))) {
                self.next.store(self.parts, Ordering::Relaxed);
                self.panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(panic);
            }
        }
    }
}

impl Pool {
    /// A pool that works on `threads` threads, the caller's included; 0 counts as 1, which runs everything inline.
    pub fn new(threads: usize) -> Self {
        let shared = Arc::new(Shared {
            state: AtomicU64::new(0),
            job: AtomicPtr::new(ptr::null_mut()),
            asleep: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
        });
        let workers: Vec<_> = (1..threads.clamp(1, 1024))
            .map(|_| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.serve())
            })
            .collect();
        let sleepers = workers.iter().map(|worker| worker.thread().clone()).collect();
        Self { shared, workers, sleepers, busy: Mutex::new(()) }
    }

    /// How many threads work, the caller's included.
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Calls `run` once with every number below `parts`, in any order and on any thread, and returns when all are
    /// done. A call from inside a part, or while another thread uses the pool, runs inline. A panic in a part is
    /// raised here again; parts not yet started are then left out.
    pub fn run(&self, parts: usize, run: impl Fn(usize) + Sync) {
        if self.workers.is_empty() || parts < 2 {
            return (0..parts).for_each(run);
        }
        // Nothing panics while this is held, so it cannot be poisoned.
        let Ok(free) = self.busy.try_lock() else {
            return (0..parts).for_each(run);
        };
        let job = Job { run: &run, parts, next: AtomicUsize::new(0), panic: Mutex::new(None) };
        self.shared.open(&job);
        if self.shared.asleep.load(Ordering::SeqCst) > 0 {
            self.sleepers.iter().for_each(Thread::unpark);
        }
        job.work();
        self.shared.close();
        drop(free);
        if let Some(panic) = job.panic.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            resume_unwind(panic);
        }
    }
}

impl Pool {
    /// Fills `out` in runs of whole rows of `width` values: calls `fill` with the number of a run's first row and the
    /// run. Small outputs are filled inline. Panics if `out` is not whole rows.
    pub fn fill_rows<T: Send>(&self, out: &mut [T], width: usize, fill: impl Fn(usize, &mut [T]) + Sync) {
        assert!(width > 0 && out.len().is_multiple_of(width), "{} values are not rows of {width}", out.len());
        let rows = out.len() / width;
        if out.len() < MIN_SHARED {
            return fill(0, out);
        }
        let per_run = rows.div_ceil(4 * self.threads()).max(1);
        let out = SharedSlice::new(out);
        self.run(rows.div_ceil(per_run), |run| {
            let first = run * per_run;
            let len = per_run.min(rows - first);
            // SAFETY: runs do not overlap, and each is filled once.
            fill(first, unsafe { out.range(first * width, len * width) });
        });
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        self.sleepers.iter().for_each(Thread::unpark);
        for worker in self.workers.drain(..) {
            // A worker catches every panic of a job, so there is nothing to pass on.
            let _ = worker.join();
        }
    }
}

impl Shared {
    /// Publishes a job. Nobody has joined: the last call's `close` waited for that, and `run` holds the lock.
    fn open(&self, job: &Job<'_>) {
        self.job.store(ptr::from_ref(job).cast_mut().cast(), Ordering::Relaxed);
        let number = self.state.load(Ordering::Relaxed) & !(OPEN | JOINED);
        self.state.store(number.wrapping_add(NEXT_JOB) | OPEN, Ordering::SeqCst);
    }

    /// Lets nobody join any more and waits for those who did. Cannot unwind: the job lives on the caller's stack.
    fn close(&self) {
        self.state.fetch_and(!OPEN, Ordering::AcqRel);
        let mut spins = 0_u32;
        while self.state.load(Ordering::Acquire) & JOINED != 0 {
            spins += 1;
            if spins < 10_000 { std::hint::spin_loop() } else { thread::yield_now() }
        }
    }

    /// A worker's life: join a job, work, look for the next, sleep when there is none.
    fn serve(&self) {
        let mut last = 0;
        let mut idle_since = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            let state = self.state.load(Ordering::SeqCst);
            let number = state & !(OPEN | JOINED);
            if state & OPEN != 0 && number != last {
                if self.state.compare_exchange(state, state + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                    last = number;
                    // SAFETY: the job was published before the state was opened, and `close` keeps it alive until
                    // the count raised here is lowered again.
                    unsafe { &*self.job.load(Ordering::Acquire) }.work();
                    self.state.fetch_sub(1, Ordering::Release);
                    idle_since = Instant::now();
                }
            } else if idle_since.elapsed() < SPIN {
                (0..16).for_each(|_| std::hint::spin_loop());
            } else {
                self.sleep(state);
                idle_since = Instant::now();
            }
        }
    }

    /// Sleeps unless the state changed since it was read; `run` looks at `asleep` after it changes the state.
    fn sleep(&self, seen: u64) {
        self.asleep.fetch_add(1, Ordering::SeqCst);
        if self.state.load(Ordering::SeqCst) == seen && !self.stop.load(Ordering::SeqCst) {
            thread::park();
        }
        self.asleep.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_runs_once_for_any_number_of_threads() {
        for threads in [0, 1, 2, 5] {
            let pool = Pool::new(threads);
            for parts in [0, 1, 2, 3, 100] {
                let counts: Vec<AtomicUsize> = (0..parts).map(|_| AtomicUsize::new(0)).collect();
                pool.run(parts, |part| {
                    counts[part].fetch_add(1, Ordering::Relaxed);
                });
                assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1));
            }
        }
    }

    #[test]
    fn many_short_jobs_in_a_row_all_finish() {
        let pool = Pool::new(3);
        let total = AtomicUsize::new(0);
        for _ in 0..2000 {
            pool.run(4, |part| {
                total.fetch_add(part, Ordering::Relaxed);
            });
        }
        assert_eq!(total.into_inner(), 2000 * 6);
    }

    #[test]
    fn a_call_inside_a_part_runs_inline() {
        let pool = Pool::new(2);
        let total = AtomicUsize::new(0);
        pool.run(3, |_| {
            pool.run(5, |part| {
                total.fetch_add(part, Ordering::Relaxed);
            })
        });
        assert_eq!(total.into_inner(), 30);
    }

    #[test]
    fn rows_are_filled_once_each() {
        let pool = Pool::new(2);
        for rows in [0, 1, 7, 5000] {
            let mut out = vec![0_usize; rows * 3];
            pool.fill_rows(&mut out, 3, |first, run| {
                run.iter_mut().enumerate().for_each(|(i, value)| *value += 3 * first + i);
            });
            assert!(out.iter().enumerate().all(|(i, value)| i == *value));
        }
    }

    #[test]
    fn a_panic_in_a_part_reaches_the_caller_and_the_pool_lives_on() {
        let pool = Pool::new(2);
        let failed = catch_unwind(AssertUnwindSafe(|| pool.run(8, |part| assert_ne!(part, 5))));
        assert!(failed.is_err());
        let count = AtomicUsize::new(0);
        pool.run(8, |_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(count.into_inner(), 8);
    }

    #[test]
    fn sleeping_workers_wake_for_the_next_job() {
        let pool = Pool::new(2);
        pool.run(2, |_| ());
        while pool.shared.asleep.load(Ordering::SeqCst) == 0 {
            thread::yield_now();
        }
        // Two parts that wait for each other finish only if the worker woke up.
        let arrived = AtomicUsize::new(0);
        pool.run(2, |_| {
            arrived.fetch_add(1, Ordering::SeqCst);
            while arrived.load(Ordering::SeqCst) < 2 {
                thread::yield_now();
            }
        });
        assert_eq!(arrived.into_inner(), 2);
    }
}

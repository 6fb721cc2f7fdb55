//! Many independent jobs on some threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// Does `work` for the numbers 0 to `count` − 1 on `threads` threads, and hands the results to
/// `watch` on the calling thread.
///
/// A thread that is free takes the next number, so that long and short jobs share the threads
/// evenly. When `stop` is set, no further job is begun. Nothing that comes out may depend on the
/// number of threads but its order.
pub(crate) fn on_threads<T: Send>(
    threads: usize,
    count: usize,
    stop: &AtomicBool,
    work: impl Fn(usize) -> T + Sync,
    watch: impl FnOnce(Receiver<T>),
) {
    let next = AtomicUsize::new(0);
    let (results, received) = channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            let (next, work, results) = (&next, &work, results.clone());
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let job = next.fetch_add(1, Ordering::Relaxed);
                    if job >= count || results.send(work(job)).is_err() {
                        break;
                    }
                }
            });
        }
        // the receiver ends when the last thread does
        drop(results);
        watch(received);
    });
}

/// The results of `task` for 0 … `count` − 1, in order, on all cores.
pub(crate) fn in_parallel<T: Send>(count: usize, task: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut done = Vec::new();
    let numbered = |i| (i, task(i));
    on_threads(cores, count, &AtomicBool::new(false), numbered, |results| {
        done.extend(results);
    });
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once_whatever_the_number_of_threads() {
        for threads in [1, 2, 7, 100] {
            let stop = AtomicBool::new(false);
            let mut done = Vec::new();
            on_threads(threads, 50, &stop, |job| job, |jobs| done.extend(jobs));
            done.sort_unstable();
            assert!(done.into_iter().eq(0..50), "{threads} threads");
        }
    }

    #[test]
    fn nothing_begins_after_the_stop() {
        let stop = AtomicBool::new(false);
        let mut done = 0;
        let work = |job| {
            if job == 3 {
                stop.store(true, Ordering::Relaxed);
            }
        };
        on_threads(1, 50, &stop, work, |jobs| done = jobs.iter().count());
        assert_eq!(done, 4);
        on_threads(
            2,
            0,
            &stop,
            |_| (),
            |jobs| assert_eq!(jobs.iter().count(), 0),
        );
    }
}

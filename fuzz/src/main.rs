//! Runs the targets on inputs made from the seeds by chance: the same inputs for the same number.
//!
//! ```text
//! cargo run --profile fuzz -p bristle-fuzz -- [EXECUTIONS] [SEED] [TARGET ...]
//! ```
//!
//! An input that makes a target panic or take longer than 10 s is written to the working folder, and
//! the exit code is 1; so it is if the process ever needs more than 1 GiB.

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use bristle_fuzz::{TARGETS, Target, seeds};

/// An input may take so long.
const LONGEST: Duration = Duration::from_secs(10);
/// The process may need so much memory, KiB.
const MOST_MEMORY: u64 = 1 << 20;
/// Longest input, bytes.
const LONGEST_INPUT: usize = 1 << 16;

/// What breaks readers: extreme numbers, brackets without end, other encodings.
const WORDS: [&str; 24] = [
    "1e308",
    "-1e308",
    "1e-320",
    "nan",
    "inf",
    "-0.0",
    "9223372036854775808",
    "1e999",
    "\"",
    "'''",
    "[[",
    "{",
    "}",
    "((((((((",
    "^-1e9",
    "/0",
    "\u{0}",
    "\u{202e}",
    "\r",
    "\t",
    "=",
    "µ",
    "[a.b]",
    "\n#",
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let number =
        |text: Option<String>, default: u64| text.and_then(|t| t.parse().ok()).unwrap_or(default);
    let executions = number(arguments.next(), 2_000);
    let seed = number(arguments.next(), 1);
    let chosen: Vec<String> = arguments.collect();
    panic::set_hook(Box::new(|_| {}));
    let mut good = true;
    for target in TARGETS {
        if chosen.is_empty() || chosen.iter().any(|name| name == target.0) {
            good &= campaign(target, executions, seed);
        }
    }
    let memory = most_memory();
    println!("largest memory: {} MiB", memory / 1024);
    if good && memory < MOST_MEMORY {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs one target; whether it withstood.
fn campaign((name, run): Target, executions: u64, seed: u64) -> bool {
    let start = Instant::now();
    let (report, reports) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        let mut chance = Chance::new(seed);
        let seeds = seeds(name);
        for k in 0..executions {
            let input = chance.input(&seeds);
            if report.send((k, Some(input.clone()))).is_err() {
                return;
            }
            let ran = panic::catch_unwind(AssertUnwindSafe(|| run(&input)));
            if ran.is_err() && report.send((k, None)).is_err() {
                return;
            }
        }
    });
    let (mut last, mut faults) = (Vec::new(), 0);
    loop {
        match reports.recv_timeout(LONGEST) {
            Ok((_, Some(input))) => last = input,
            Ok((k, None)) => {
                faults += 1;
                keep(name, k, "panic", &last);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                keep(name, 0, "hang", &last);
                println!("{name}: an input takes longer than {} s", LONGEST.as_secs());
                return false;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    let ended = worker.join().is_ok();
    let seconds = start.elapsed().as_secs_f64();
    println!("{name}: {executions} executions, {faults} panics, {seconds:.1} s");
    ended && faults == 0
}

fn keep(target: &str, k: u64, what: &str, input: &[u8]) {
    let name = format!("{what}-{target}-{k}");
    match std::fs::write(&name, input) {
        Ok(()) => println!("{target}: {what}, input in {name}"),
        Err(error) => println!("{target}: {what}; {name} cannot be written: {error}"),
    }
}

/// Largest memory of the process so far, KiB; 0 where the system does not say.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

/// Pseudo-random numbers (xorshift).
struct Chance(u64);

impl Chance {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }

    /// A seed with some changes.
    fn input(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut input = seeds[self.below(seeds.len())].clone();
        // other numbers leave the form whole, and come further
        let numbers_only = self.below(2) == 0;
        for _ in 0..=self.below(6) {
            if numbers_only {
                self.number(&mut input);
            } else {
                self.change(&mut input, seeds);
            }
        }
        input.truncate(LONGEST_INPUT);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let from = self.below(input.len() + 1);
        let to = (from + self.below(1 + input.len() / 4)).min(input.len());
        match self.below(8) {
            0 => drop(input.drain(from..to)),
            1 => {
                let part = input[from..to].to_vec();
                for _ in 0..=self.below(8) {
                    input.splice(from..from, part.iter().copied());
                }
            }
            2 | 3 => {
                let word = WORDS[self.below(WORDS.len())];
                input.splice(from..from, word.bytes());
            }
            4 => {
                let other = &seeds[self.below(seeds.len())];
                let part = &other[self.below(other.len())..];
                input.splice(from..to, part.iter().copied());
            }
            5 => self.number(input),
            _ => {
                let byte = self.below(256) as u8;
                if let Some(x) = input.get_mut(from) {
                    *x = byte;
                }
            }
        }
    }

    /// Another number in place of one.
    fn number(&mut self, input: &mut Vec<u8>) {
        let digits: Vec<usize> = (0..input.len())
            .filter(|&i| input[i].is_ascii_digit())
            .collect();
        if digits.is_empty() {
            return;
        }
        let place = digits[self.below(digits.len())];
        let word = WORDS[self.below(8)];
        input.splice(place..=place, word.bytes());
    }
}

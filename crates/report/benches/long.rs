//! The page of a long run: a million steps of a hundred channels, written within 10 s and 20 MB.
//!
//! ```text
//! cargo bench -p bristle-report --bench long [-- FOLDER]
//! ```
//!
//! With a folder, the page stays there as `report.html`, for `tools/test_report.py` to open.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may panic, and tells"
)]

use std::path::PathBuf;
use std::time::Instant;

use bristle_report::Report;
use bristle_results::{Channel, ChannelTable, Plot};

const ROWS: u32 = 1_000_000;
const CHANNELS: usize = 100;
/// Rows that the folder of a run keeps in memory for its page.
const KEPT: usize = 200_000;

fn main() {
    let folder = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let clock = Instant::now();
    let table = table();
    println!(
        "{ROWS} rows of {CHANNELS} channels made and kept in {:.2?}",
        clock.elapsed()
    );
    let clock = Instant::now();
    let mut report = Report::new("A long run").channels(&table).section("Plots");
    for i in 1..20 {
        let name = format!("channel.{i}");
        report = report.plot(Plot::over_time("a.svg", &name, "force").with("f", &name));
    }
    let place = tempfile::tempdir().unwrap();
    let folder = folder.map_or_else(|| place.path().to_owned(), PathBuf::from);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("report.html");
    report
        .section("All channels")
        .every_channel()
        .write(&path)
        .unwrap();
    let seconds = clock.elapsed().as_secs_f64();
    let megabytes = std::fs::metadata(&path).unwrap().len() as f64 / 1e6;
    println!("page of {megabytes:.1} MB written in {seconds:.2} s");
    // what the documentation promises
    assert!(seconds < 10.0 && megabytes < 20.0);
}

fn table() -> ChannelTable {
    let mut channels = vec![Channel::time()];
    let channel = |i| Channel::new(format!("channel.{i}"), "N", "force");
    channels.extend((1..CHANNELS).map(channel));
    let mut table = ChannelTable::bounded(channels, KEPT);
    let mut row = vec![0.0; CHANNELS];
    for i in 0..ROWS {
        row[0] = f64::from(i) * 1e-4;
        for (k, value) in row.iter_mut().enumerate().skip(1) {
            *value = (f64::from(i) * 1e-4 * (1.0 + k as f64)).sin();
        }
        table.push_row(&row).unwrap();
    }
    table
}

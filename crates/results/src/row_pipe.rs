//! Rows on their way to a file: their text is made and written beside the computation.

use std::fs::File;
use std::io;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

use crate::channel::Channel;
use crate::error::Result;
use crate::rows::{INTERVAL, RowCheck, RowWriter};

/// Values that go to the writer at once.
const BLOCK: usize = 8192;
/// Blocks that may wait for the writer: then the computation waits for it.
const WAITING: usize = 4;

/// What the writer is asked to do.
enum RowOrder {
    /// To write rows.
    Rows(Vec<f64>),
    /// To hand all text to the operating system, and to say so if somebody waits for it.
    HandOn(Option<SyncSender<()>>),
}

/// Writes rows of finite numbers as CSV into a file, on a thread of its own; the order is that of the calls.
#[derive(Debug)]
pub(crate) struct RowPipe {
    check: RowCheck,
    /// Rows that are not with the writer yet.
    block: Vec<f64>,
    rows: u64,
    handed_on: Instant,
    file: File,
    orders: Option<SyncSender<RowOrder>>,
    writer: Option<JoinHandle<io::Result<()>>>,
}

impl RowPipe {
    /// A writer to `file`.
    pub(crate) fn new(file: File, channels: &[Channel]) -> io::Result<Self> {
        let rows = RowWriter::new(file.try_clone()?, channels);
        let (orders, received) = mpsc::sync_channel(WAITING);
        let width = channels.len().max(1);
        let writer = Builder::new()
            .name("rows".to_owned())
            .spawn(move || write(rows, &received, width))?;
        Ok(Self {
            check: RowCheck::new(channels),
            block: Vec::with_capacity(BLOCK + width),
            rows: 0,
            handed_on: Instant::now(),
            file,
            orders: Some(orders),
            writer: Some(writer),
        })
    }

    /// Checks that `row` has one finite value for each channel.
    pub(crate) fn check(&self, row: &[f64]) -> Result<()> {
        self.check.check(row)
    }

    /// Appends a checked row, and hands rows on at least about once a second. An error belongs to this row or
    /// to one before it; the file then ends with its last complete row.
    pub(crate) fn push(&mut self, row: &[f64]) -> io::Result<()> {
        self.check.accepted(row);
        self.block.extend_from_slice(row);
        self.rows += 1;
        if self.handed_on.elapsed() >= INTERVAL {
            self.handed_on = Instant::now();
            self.send_block()?;
            return self.send(RowOrder::HandOn(None));
        }
        if self.block.len() >= BLOCK {
            return self.send_block();
        }
        Ok(())
    }

    /// Hands all rows to the operating system.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.send_block()?;
        let (done, is_done) = mpsc::sync_channel(1);
        self.send(RowOrder::HandOn(Some(done)))?;
        match is_done.recv() {
            Ok(()) => Ok(()),
            Err(_) => self.close(),
        }
    }

    /// Rows that were pushed.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// The file.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    fn send_block(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let next = Vec::with_capacity(self.block.capacity());
        let block = std::mem::replace(&mut self.block, next);
        self.send(RowOrder::Rows(block))
    }

    fn send(&mut self, order: RowOrder) -> io::Result<()> {
        match &self.orders {
            Some(orders) if orders.send(order).is_ok() => Ok(()),
            _ => self.close(),
        }
    }

    /// Lets the writer end, and hears how it went.
    fn close(&mut self) -> io::Result<()> {
        self.orders = None;
        let ended = self.writer.take().map(JoinHandle::join);
        match ended {
            Some(Ok(written)) => written,
            Some(Err(_)) => Err(io::Error::other("the writer of the table has failed")),
            None => Ok(()),
        }
    }
}

impl Drop for RowPipe {
    fn drop(&mut self) {
        // a run that ends without finishing keeps its last rows; nobody is left to report an error to
        let _ = self.send_block();
        let _ = self.close();
    }
}

/// Writes rows as they come. After an error the file is cut behind its last complete row.
fn write(mut rows: RowWriter<File>, orders: &Receiver<RowOrder>, width: usize) -> io::Result<()> {
    let mut carry_out = |order| match order {
        RowOrder::Rows(block) => block.chunks_exact(width).try_for_each(|row| rows.push(row)),
        RowOrder::HandOn(waiting) => {
            let flushed = rows.flush();
            if let (Ok(()), Some(waiting)) = (&flushed, waiting) {
                // who does not wait any more does not need to know
                let _ = waiting.send(());
            }
            flushed
        }
    };
    let written = orders.iter().try_for_each(&mut carry_out);
    let written = written.and_then(|()| carry_out(RowOrder::HandOn(None)));
    if written.is_err() {
        // if even this fails, the file has a torn last line and keeps its partial name
        let _ = rows.sink().set_len(rows.accepted());
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_file_in_their_order() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("rows.csv");
        let channels = [Channel::time(), Channel::new("x", "m", "place")];
        let file = File::create(&path).unwrap();
        let mut pipe = RowPipe::new(file, &channels).unwrap();
        let mut expected = "t,x\n".to_owned();
        for i in 0..20_000_u32 {
            pipe.push(&[f64::from(i), -0.5]).unwrap();
            expected.push_str(&bristle_units::format_number(f64::from(i)));
            expected.push_str(",-0.5\n");
            if i == 7 {
                pipe.flush().unwrap();
                assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
            }
        }
        assert_eq!(pipe.rows(), 20_000);
        drop(pipe);
        assert!(std::fs::read_to_string(&path).unwrap() == expected);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut pipe = RowPipe::new(full, &[Channel::time()]).unwrap();
        pipe.push(&[0.0]).unwrap();
        assert_eq!(pipe.flush().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}

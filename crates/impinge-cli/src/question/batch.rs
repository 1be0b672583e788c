//! Answers the rows of a pose file on several threads, and writes the answers in the order of the rows meanwhile.
//!
//! Some rows for each thread are read ahead. An answer is formatted by the thread that found it; another thread puts
//! them in order and writes each as soon as all before it are written. So a run that ends early, by an error or by
//! Ctrl-C, has printed the rows before the first that was not finished.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError};
use std::thread;

use impinge::{Pair, Pose};

use crate::input::poses::Poses;
use crate::output::error::Failure;
use crate::output::progress::RowProgress;
use crate::output::sheet::Sheet;
use crate::question::asker::{Answered, Asker, Question};

/// Rows read ahead for each thread: whole runs, so that answers are those of one long list.
const AHEAD: usize = 16 * Pair::RUN;

/// A row not yet answered.
struct Open {
    index: u64,
    pose_b: Pose,
    /// Bytes of the file up to its end.
    read: u64,
}

/// Some rows in a row.
#[derive(Default)]
pub(crate) struct Batch {
    open: Vec<Open>,
    /// Rows of all batches so far.
    rows: u64,
    /// Of this one, those written.
    written: usize,
    is_last: bool,
}

impl Batch {
    /// Takes the next rows; on an error those before it.
    pub(crate) fn read(&mut self, poses: &mut Poses, threads: usize) -> Result<(), Failure> {
        (self.is_last, self.written) = (false, 0);
        self.open.clear();
        while self.open.len() < AHEAD * threads {
            let Some(pose_b) = poses.next().transpose()? else {
                self.is_last = true;
                break;
            };
            self.open.push(Open { index: self.rows, pose_b, read: poses.read() });
            self.rows += 1;
        }
        Ok(())
    }

    /// Whether the file ended with this batch.
    pub(crate) fn is_last(&self) -> bool {
        self.is_last
    }

    /// Whether some of its rows were not written.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.written < self.open.len()
    }

    /// What came of its rows, their texts gone to the sheet, and of the writing. The first row that cannot be written
    /// ends it.
    pub(crate) fn answer<Q: Question + Sync>(
        &mut self,
        pair: &Pair,
        asker: &Asker<'_, Q>,
        sheet: &Mutex<Sheet>,
        progress: &mut RowProgress,
    ) -> (Vec<Answered>, io::Result<()>) {
        let (open, written) = (&self.open, &mut self.written);
        let stop = &AtomicBool::new(false);
        let (send, texts) = mpsc::channel();
        let ask = move |pair: &mut Pair, row: &Open| {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut answer = asker.ask(pair, row.index, &row.pose_b);
            let text = std::mem::replace(&mut answer.text, Ok(Vec::new()));
            // Sending fails when the writer has given up, which `stop` says too.
            let _ = send.send((row.index, text));
            Some(answer)
        };
        thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let outcome = write(open, texts, sheet, written, progress);
                stop.store(outcome.is_err(), Ordering::Relaxed);
                outcome
            });
            // Drops the sender with the query, which ends the writer.
            let first = open.first().map_or(0, |row| usize::try_from(row.index).unwrap_or(usize::MAX));
            let answers = pair.many_from(first, open, ask);
            let outcome = writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (answers.into_iter().flatten().collect(), outcome)
        })
    }
}

/// Writes rows in their order, whatever the order in which they come.
fn write(
    open: &[Open],
    texts: Receiver<(u64, io::Result<Vec<u8>>)>,
    sheet: &Mutex<Sheet>,
    written: &mut usize,
    progress: &mut RowProgress,
) -> io::Result<()> {
    let mut early = BTreeMap::new();
    for (index, text) in texts {
        early.insert(index, text);
        while let Some(row) = open.get(*written)
            && let Some(text) = early.remove(&row.index)
        {
            sheet.lock().unwrap_or_else(PoisonError::into_inner).put(&text?)?;
            *written += 1;
            progress.update(row.index + 1, row.read);
        }
    }
    Ok(())
}

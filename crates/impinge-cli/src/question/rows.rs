//! One question about one body, asked for every row of a file: points, rays.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::input::rows::{Row, Rows};
use crate::output::error::Failure;
use crate::output::format::AnswerFormat;
use crate::output::interrupt;
use crate::output::progress::RowProgress;
use crate::output::sheet::{Sheet, Title};
use crate::output::status::Status;

/// Rows read ahead for each thread.
const AHEAD: usize = 1024;

/// What is asked of each row.
pub(crate) trait RowQuestion: Sync {
    type Row: Row + Send + Sync;

    /// Whether the answer is that something touches, and the line to write.
    fn answer(&self, index: u64, row: &Self::Row) -> Result<(bool, Vec<u8>), Failure>;
}

/// Answers every row; returns how the process ends. `threads` is what was asked for.
pub(crate) fn answer_all<Q: RowQuestion>(
    question: &Q,
    rows: &mut Rows<Q::Row>,
    format: AnswerFormat,
    threads: Option<u16>,
    title: Title,
) -> Result<Status, Failure> {
    let sheet = Arc::new(Mutex::new(Sheet::on_stdout(format, true, title)));
    interrupt::close_on_ctrl_c(&sheet);
    let mut session = Session { question, sheet, touching: false, cut_short: false };
    // One at a time where someone may wait for the answer to a row before the next is sent.
    let ahead = if threads.is_none() && rows.size().is_none() { 1 } else { AHEAD * rayon::current_num_threads() };
    session.all(rows, ahead)
}

/// The rows of one run.
struct Session<'a, Q> {
    question: &'a Q,
    sheet: Arc<Mutex<Sheet>>,
    touching: bool,
    /// Whether rows that were read were not written.
    cut_short: bool,
}

impl<Q: RowQuestion> Session<'_, Q> {
    fn all(&mut self, rows: &mut Rows<Q::Row>, ahead: usize) -> Result<Status, Failure> {
        let outcome = self.each(rows, ahead);
        let answered = self.sheet().rows() > 0;
        let closed = match &outcome {
            Ok(()) => self.sheet().close(false),
            Err(failure) if failure.is_broken_pipe() || !answered => Ok(()),
            Err(_) => self.sheet().close(true),
        };
        match outcome.and(closed.map_err(Failure::from)) {
            Err(failure) if !failure.is_broken_pipe() => Err(failure),
            Err(_) if !self.touching && (self.cut_short || rows.next().is_some()) => Ok(Status::CutShort),
            _ => Ok(Status::of(self.touching)),
        }
    }

    /// Some rows at a time: read, answered on all threads, written. Those before a bad row are written too.
    fn each(&mut self, rows: &mut Rows<Q::Row>, ahead: usize) -> Result<(), Failure> {
        let mut progress = RowProgress::new(rows.size());
        let (mut some, mut first) = (Vec::new(), 0);
        loop {
            let read = read_some(rows, ahead, &mut some);
            let answer = |(k, row): (usize, &Q::Row)| self.question.answer(first + k as u64, row);
            let answers: Vec<_> = some.par_iter().enumerate().map(answer).collect();
            self.cut_short = !some.is_empty();
            for answer in answers {
                let (touching, text) = answer?;
                self.touching |= touching;
                self.sheet().put(&text)?;
            }
            self.cut_short = false;
            first += some.len() as u64;
            progress.update(first, rows.read());
            read?;
            if some.len() < ahead {
                return Ok(());
            }
        }
    }

    fn sheet(&self) -> MutexGuard<'_, Sheet> {
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the next rows; on an error those before it.
fn read_some<R: Row>(rows: &mut Rows<R>, most: usize, some: &mut Vec<R>) -> Result<(), Failure> {
    some.clear();
    while some.len() < most {
        let Some(row) = rows.next().transpose()? else { break };
        some.push(row);
    }
    Ok(())
}

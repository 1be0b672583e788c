//! The forms in which answers are written.

use clap::ValueEnum;

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    Text,
    Json,
    Jsonl,
}

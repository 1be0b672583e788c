//! What can go wrong in a bench run, each with its place and a remedy. All of it ends in exit status 2.

use std::path::{Path, PathBuf};

use impinge::broad::BoxError;
use impinge::{BuildError, MotionError, PoseError};

#[derive(Debug, thiserror::Error)]
pub(crate) enum BenchError {
    #[error("{0}; `impinge-bench help` shows the usage")]
    Usage(String),
    #[error("{}: {source}; generate the workloads first, or name their folder with --data", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}: {source}; check where the output goes (--out, --save)", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{}: {flaw}; generate the workloads again", path.display())]
    Format { path: PathBuf, flaw: Flaw },
    #[error("{}: pose {index}: {source}; generate the workloads again", path.display())]
    Pose { path: PathBuf, index: usize, source: PoseError },
    #[error("{}: motion {index}: {source}; generate the workloads again", path.display())]
    Motion { path: PathBuf, index: usize, source: MotionError },
    #[error("a generated pose was refused: {0}")]
    Placed(#[from] PoseError),
    #[error("a generated box was refused: {0}")]
    Boxed(#[from] BoxError),
    #[error("{name}: {source}")]
    Build { name: String, source: BuildError },
    #[error("{name}: parry refuses it: {reason}")]
    Rival { name: String, reason: String },
    #[error(transparent)]
    Mesh(#[from] impinge_io::ReadError),
    #[error("the thread pool did not start: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error("the digest: {0}; please report it")]
    Digest(#[from] Box<dyn std::error::Error + Send + Sync>),
    #[error("{case}: two threads found other pairs than one; please report it")]
    Differ { case: String },
}

/// What is wrong with a file's bytes, and where.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(crate) enum Flaw {
    #[error("it does not begin with {}", String::from_utf8_lossy(.0))]
    Magic([u8; 4]),
    #[error("cut off: {needed} bytes are announced after byte {at}, {left} are there")]
    Short { at: usize, needed: u64, left: usize },
    #[error("{0} bytes are left over at its end")]
    Long(usize),
    #[error("record {record} names hull {hull} of {count}")]
    Hull { record: usize, hull: u32, count: usize },
}

impl BenchError {
    pub(crate) fn usage(what: impl Into<String>) -> BenchError {
        BenchError::Usage(what.into())
    }

    /// For `map_err` on a failed write to `path`.
    pub(crate) fn write(path: &Path) -> impl FnOnce(std::io::Error) -> BenchError + '_ {
        |source| BenchError::Write { path: path.to_owned(), source }
    }
}

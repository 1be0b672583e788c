//! A folder for each test, and the binary run in it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a run has printed, and its exit status.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// The one JSON value on standard output.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {self:#?}"))
    }

    /// One JSON value a line.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line:?}"));
        self.out.lines().map(parse).collect()
    }

    /// Status 2, nothing on standard output, and every word on standard error.
    pub(crate) fn refused(&self, words: &[&str]) {
        assert_eq!(self.status, Some(2), "{self:#?}");
        assert_eq!(self.out, "", "{self:#?}");
        for word in words {
            assert!(self.err.contains(word), "`{word}` is not in {self:#?}");
        }
        assert!(!self.err.contains("panicked"), "{self:#?}");
    }

    /// [`Ran::refused`], with a line that says what to do.
    pub(crate) fn refused_with_help(&self, words: &[&str]) {
        self.refused(words);
        assert!(self.err.contains("help: "), "no remedy in {self:#?}");
    }
}

/// An empty folder of this name.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Folder {
        fs::write(self.path(name), bytes).unwrap();
        self
    }

    /// The binary in this folder; words are separated by spaces.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_impinge"));
        command.args(line.split_whitespace()).current_dir(&self.0).env_remove("NO_COLOR").stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Ran {
        let output = self.command(line).output().unwrap();
        Ran {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Removes `"stats"` from an answer after a check that it is there: its numbers may change with the engine.
pub(crate) fn without_stats(mut answer: Value) -> Value {
    let stats = answer.as_object_mut().and_then(|object| object.remove("stats")).expect("stats");
    for name in ["volume_tests", "primitive_tests", "iterations"] {
        assert!(stats[name].is_u64(), "{name} in {stats}");
    }
    assert_eq!(stats.as_object().map(|s| s.len()), Some(3));
    answer
}

//! Vector instructions, one set at a time: which set is used is a choice of the whole program, so the tests that choose
//! take turns. Other tests may run meanwhile: no set changes an answer.

use std::sync::{Mutex, MutexGuard, PoisonError};

use impinge::cpu;

static TURN: Mutex<()> = Mutex::new(());

/// The right to choose, until it is dropped.
pub(crate) struct Levels {
    _turn: MutexGuard<'static, ()>,
}

impl Levels {
    pub(crate) fn take() -> Levels {
        Levels { _turn: TURN.lock().unwrap_or_else(PoisonError::into_inner) }
    }

    pub(crate) fn choose(&self, level: cpu::Level) {
        cpu::force(Some(level));
    }
}

impl Drop for Levels {
    fn drop(&mut self) {
        cpu::force(None);
    }
}

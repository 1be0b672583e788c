//! Why a digest ends early: a body, a motion or a place of the set was refused. None should be.

use std::error::Error;

/// The reason of the refusal.
pub(crate) type Refused = Box<dyn Error + Send + Sync>;

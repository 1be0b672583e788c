//! What ends a digest: a body, a motion or a place of the set was refused. None should be.

use std::error::Error;

/// Why it was.
pub(crate) type Refused = Box<dyn Error + Send + Sync>;

//! Lines that show a world.

mod debug_line;
mod draw;
mod wire;

pub use debug_line::{DebugFlags, DebugLine, LineKind};

//! Many bodies, and the verbs over all of them.
//!
//! I-COLLIDE and V-COLLIDE (Lin §4 to §6; T. Hudson, M. Lin, J. Cohen, S. Gottschalk, D. Manocha 1997): boxes around
//! the bodies go through a broad phase; two bodies whose boxes meet are queried by a [`Pair`](crate::Pair), which is
//! kept, with what it remembers, for as long as the boxes meet.
//!
//! Invariant: bodies that come as near as `reach` have boxes that meet, each box being wider by half of it; so every
//! body that is near enough for a query reaches the exact test.

pub(crate) mod bodies;
pub(crate) mod body;
pub(crate) mod body_tree;
pub(crate) mod boxing;
pub(crate) mod change_log;
pub(crate) mod debug;
pub(crate) mod error;
pub(crate) mod events;
pub(crate) mod known_pair;
pub(crate) mod listing;
pub(crate) mod nearest;
pub(crate) mod noting;
pub(crate) mod paces;
pub(crate) mod pair_rules;
pub(crate) mod state;
pub(crate) mod time;
pub(crate) mod verbs;
pub(crate) mod view;

pub use body::{Body, BodyId};
pub use debug::{DebugFlags, DebugLine, LineKind};
pub use error::WorldError;
pub use events::{ContactEvent, EventKind, PointEvent};
pub use state::World;
pub use time::encounter::{Advance, Encounter, EncounterKind, End, Progress, Schedule};
pub use verbs::Met;
pub use view::{Found, View};

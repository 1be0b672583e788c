//! What is the matter with bodies that should be apart: do they clash, and how?
//!
//! In an assembly, parts touch on purpose, are modelled a little into each other, or lie inside each other by mistake.
//! [`between`] finds which of these holds for two bodies, up to a tolerance; [`among`] does so for every pair of an
//! assembly.
//!
//! ```
//! use impinge::clash::{self, ClashKind, ClashLimits};
//! use impinge::{glam::DVec3, Model, Pose, Round};
//!
//! let cube = Model::from(Round::cuboid(DVec3::ONE)?);
//! let limits = ClashLimits { tolerance: 0.001, clearance: Some(0.1) };
//! let kind_at = |x: f64| {
//!     let aside = Pose::at(DVec3::new(x, 0.0, 0.0)).ok()?;
//!     clash::between(&cube, &Pose::IDENTITY, &cube, &aside, &limits).map(|clash| clash.kind)
//! };
//! assert_eq!(kind_at(0.0), Some(ClashKind::Duplicate));
//! assert_eq!(kind_at(0.5), Some(ClashKind::Hard));
//! assert_eq!(kind_at(0.9995), Some(ClashKind::Touch));
//! assert_eq!(kind_at(1.05), Some(ClashKind::Clearance));
//! assert_eq!(kind_at(1.2), None);
//! # Ok::<(), impinge::BuildError>(())
//! ```

mod answer;
mod assembly;
mod assembly_body;
mod body_at;
mod classify_pair;
mod connected_pieces;
mod contained_in_shape;
mod crossing;
mod duplicate;
mod pair_stream;
mod separating_shift;
mod thin_overlap;
mod trial_lengths;

pub use answer::{Clash, ClashKind, ClashLimits};
pub use assembly::{PairClash, among};
pub use assembly_body::AssemblyBody;
pub use classify_pair::between;
pub use connected_pieces::connected_pieces;
pub use pair_stream::{PairChunk, PairStream};

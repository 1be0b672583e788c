//! How near two bodies come while they move, and when they touch and part.

pub(crate) mod coaxial;
#[cfg(test)]
pub(crate) mod contact_trials;
pub(crate) mod deforming;
pub(crate) mod functions;
pub(crate) mod impact;
pub(crate) mod impact_query;
pub(crate) mod movers;
pub(crate) mod parting;
pub(crate) mod sweep;
pub(crate) mod sweep_query;

pub use deforming::features::inclusion::Meeting;
pub use deforming::features::inclusion_query::Inclusion;
pub use deforming::mesh_encounter::{EncounterOptions, MeshEncounter, MeshEncounters};
pub use impact_query::{ImpactMethod, ImpactOptions};
pub use movers::contact_interval::ContactInterval;
pub use movers::next_contact;
pub use sweep_query::{SweepMethod, SweepOptions, SweptPair};

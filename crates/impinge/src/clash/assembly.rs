//! Finds the clashes of every body of an assembly with every other that comes near it, on all threads.

use std::sync::{Mutex, PoisonError};

use super::answer::{Clash, ClashLimits};
use super::assembly_body::AssemblyBody;
use super::classify_pair::between;
use super::pair_stream::PairStream;
use crate::broad::BoxError;
use crate::threads::{pool, share};

/// Two bodies of an assembly that clash.
///
/// ```
/// use impinge::{clash::{self, AssemblyBody, ClashLimits}, glam::DVec3, Pose, Round};
/// let ball = |x: f64| Ok(AssemblyBody::at(Round::sphere(1.0)?, Pose::at(DVec3::X * x)?));
/// let bodies = [0.0, 9.0, 1.5].into_iter().map(ball).collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
/// let found = clash::among(&bodies, &ClashLimits { tolerance: 0.001, clearance: None })?;
/// assert_eq!(found.iter().map(|pair| pair.bodies).collect::<Vec<_>>(), [[0, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PairClash {
    /// The indices of the bodies, the lesser first.
    pub bodies: [usize; 2],
    /// Their clash.
    pub clash: Clash,
}

/// Every clash of an assembly, in the order of its bodies; the same whatever the number of threads.
///
/// To stop early, to show progress, or to leave out pairs by rules of your own, take the pairs from a [`PairStream`]
/// and ask about each by [`between`].
///
/// ```
/// use impinge::clash::{self, AssemblyBody, ClashKind, ClashLimits};
/// use impinge::{glam::DVec3, Pose, Round};
/// let beam = AssemblyBody::in_place(Round::cuboid(DVec3::new(10.0, 1.0, 1.0))?);
/// let pipe = AssemblyBody::at(Round::cylinder(0.2, 8.0)?, Pose::at(DVec3::new(2.0, 0.0, 0.5))?);
/// let lamp = AssemblyBody::at(Round::sphere(0.25)?, Pose::at(DVec3::new(-2.0, 0.0, 0.75))?);
/// let limits = ClashLimits { tolerance: 0.001, clearance: None };
/// let clashes = clash::among(&[beam, pipe, lamp], &limits)?;
/// let told: Vec<_> = clashes.iter().map(|found| (found.bodies, found.clash.kind)).collect();
/// assert_eq!(told, [([0, 1], ClashKind::Hard), ([0, 2], ClashKind::Touch)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn among(bodies: &[AssemblyBody], limits: &ClashLimits) -> Result<Vec<PairClash>, BoxError> {
    let near = PairStream::start(bodies, limits.reach())?;
    let found = Mutex::new(Vec::new());
    let work = || {
        while let Some(chunk) = near.next_chunk() {
            let ask = |pair: [u32; 2]| {
                let mut bodies_of_pair = pair.map(|i| i as usize);
                bodies_of_pair.sort_unstable();
                let [a, b] = bodies_of_pair.map(|i| &bodies[i]);
                let clash = between(&a.model, &a.pose, &b.model, &b.pose, limits)?;
                Some(PairClash { bodies: bodies_of_pair, clash })
            };
            let clashes: Vec<PairClash> = chunk.pairs.into_iter().filter_map(ask).collect();
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(clashes);
        }
    };
    // The broad phase shares its work among the threads of the pool, so threads that wait for it must not be threads of
    // that pool.
    pool::on_own_threads(share::count(), &work);
    near.end();
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by_key(|clash| clash.bodies);
    Ok(found)
}

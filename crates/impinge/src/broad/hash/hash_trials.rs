//! Random sequences of inserts, moves and removals, for the tests of the two hashes.

use glam::DVec3;
use proptest::prelude::*;

use super::levels::Levels;
use crate::bound::Aabb;
use crate::broad::store::box_id::BoxId;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::broad_phase::BroadPhase;
use crate::broad::store::filter::{Filter, Mobility};

/// One change: a box is inserted, moved or removed, whichever fits the number.
#[derive(Debug, Clone)]
pub(crate) struct Act {
    what: usize,
    at: [f64; 3],
    sides: [f64; 3],
    group: u32,
    fixed: bool,
}

/// The frames of such changes, and the levels to run them with.
#[derive(Debug, Clone)]
pub(crate) struct Trial {
    pub(crate) levels: Levels,
    pub(crate) frames: Vec<Vec<Act>>,
}

impl Trial {
    /// Boxes on a lattice of quarters or anywhere, with sides from zero to hundreds.
    pub(crate) fn any(frames: usize, acts: usize) -> impl Strategy<Value = Trial> {
        let number = prop_oneof![(-20..20).prop_map(|k| f64::from(k) * 0.25), -5.0..5.0];
        let side = prop_oneof![Just(0.0), Just(0.25), Just(0.5), Just(1.0), 0.0..2.0, (-7.0..7.0).prop_map(f64::exp2)];
        let act = (0..100usize, prop::array::uniform3(number), prop::array::uniform3(side), 0..4u32, any::<bool>())
            .prop_map(|(what, at, sides, group, fixed)| Act { what, at, sides, group, fixed });
        let frames = prop::collection::vec(prop::collection::vec(act, 0..acts), 1..frames);
        let levels =
            prop_oneof![Just((0.5, 1.0)), Just((0.3, 1.0)), Just((0.25, 1.0)), Just((0.5, 2.0)), Just((0.8, 1.3))];
        (frames, levels)
            .prop_map(|(frames, (alpha, beta))| Trial { levels: Levels::new(alpha, beta).unwrap_or_default(), frames })
    }

    pub(crate) fn apply(acts: &[Act], boxes: &mut Boxes, ids: &mut Vec<BoxId>) {
        for act in acts {
            let min = DVec3::from_array(act.at);
            let bounds = Aabb::new(min, min + DVec3::from_array(act.sides));
            let chosen = act.what % ids.len().max(1);
            match act.what % 5 {
                0 | 1 if ids.len() < 40 => {
                    let filter = [Filter::ALL, Filter::ALL, Filter { group: 1, mask: 2 }, Filter { group: 2, mask: 3 }];
                    let mobility = if act.fixed { Mobility::Static } else { Mobility::Moving };
                    ids.push(boxes.insert(bounds, filter[act.group as usize], mobility).unwrap());
                }
                2 if !ids.is_empty() => boxes.remove(ids.swap_remove(chosen)).unwrap(),
                _ if !ids.is_empty() => boxes.update(ids[chosen], bounds).unwrap(),
                _ => {}
            }
        }
    }
}

/// The close pairs, sorted.
pub(crate) fn listed(phase: &mut dyn BroadPhase, boxes: &Boxes) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    phase.close(boxes, &mut |slice| pairs.extend_from_slice(slice));
    pairs.sort_unstable();
    pairs
}

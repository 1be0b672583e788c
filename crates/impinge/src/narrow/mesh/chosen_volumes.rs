//! The volumes that a descent uses besides boxes, where both trees have them: one kind that the user chose, or hulls.

use glam::DVec3;

use super::hulls::hull_tree::{HullMemory, HullPair};
use super::placed::tree_pair::TreePair;
use crate::bound::HullTree;
use crate::tree::descent::descend::Volumes;
use crate::tree::volumes::placed_volumes::PlacedVolumes;
use crate::tree::volumes::volume_pair::VolumePair;

/// The volumes of two trees.
#[allow(clippy::large_enum_variant, reason = "a box would be an allocation in every query")]
pub(crate) enum ChosenVolumes<'q> {
    /// Of any one kind.
    Fitted(VolumePair<'q>),
    /// Convex hulls behind oriented boxes.
    Hulls(HullPair<'q>),
}

impl<'q> ChosenVolumes<'q> {
    /// The volumes that both trees have besides the boxes of their nodes; `None` when not both have the same.
    #[inline(never)]
    pub(crate) fn of(
        trees: &'q TreePair<'q>,
        placed_volumes: &'q mut PlacedVolumes,
        memory: &'q mut HullMemory,
    ) -> Option<ChosenVolumes<'q>> {
        let (a, b) = (trees.placed.a, trees.placed.b);
        if let Some((a, b)) = a.hull_tree().zip(b.hull_tree()) {
            return hulls(trees, a.and(b), memory).map(ChosenVolumes::Hulls);
        }
        let (a, b) = (a.fitted_volumes()?, b.fitted_volumes()?);
        let volumes = if trees.swapped { [b, a] } else { [a, b] };
        let both = [trees.outer, trees.inner];
        VolumePair::new(both, volumes, &trees.inner_in_outer, &trees.frame, placed_volumes).map(ChosenVolumes::Fitted)
    }

    pub(crate) fn volumes(&self) -> &dyn Volumes {
        match self {
            ChosenVolumes::Fitted(volumes) => volumes,
            ChosenVolumes::Hulls(hulls) => hulls,
        }
    }
}

/// The hulls of both trees; `None` when they are too far apart for them.
fn hulls<'q>(trees: &'q TreePair<'q>, options: HullTree, memory: &'q mut HullMemory) -> Option<HullPair<'q>> {
    let (a, b) = (trees.placed.a, trees.placed.b);
    let (outer, inner) = if trees.swapped { (b, a) } else { (a, b) };
    let own = |v: DVec3| v.abs().max_element() / trees.outer.unit;
    let centres = own(trees.outer.centre) + own(trees.inner.centre);
    let reach = centres + own(trees.inner_in_outer.translation) + trees.frame.reach();
    HullPair::new(trees, [outer.hull_slots()?, inner.hull_slots()?], options, reach, memory)
}

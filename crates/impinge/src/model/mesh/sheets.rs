//! Sheets of triangles that occur wound both ways: which of their sides is the front.
//!
//! Of copies of a triangle one is in the tree, wound as it happened to be first. Over a sheet of two-sided triangles
//! the fronts are made to look one way: from each triangle on to those with a common edge, as far as the sheet goes.
//!
//! Cost: the triangles around each vertex, listed in two passes.

use super::triangle_mesh::{Incidence, Mesh};

/// Most triangles around a corner that are looked at.
const MOST_AROUND: usize = 256;

/// From where a triangle is seen that occurs wound both ways; all others are seen from their front.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FaceSide {
    #[default]
    Front,
    Back,
}

impl Incidence {
    pub(super) fn of(mesh: &Mesh) -> Incidence {
        let mut first = vec![0u32; mesh.points().len() + 1];
        for place in 0..mesh.place_count() {
            mesh.corner_places(place).iter().for_each(|&v| first[v as usize + 1] += 1);
        }
        for v in 1..first.len() {
            first[v] += first[v - 1];
        }
        let (mut next, mut around) = (first.clone(), vec![0u32; first[first.len() - 1] as usize]);
        for place in 0..mesh.place_count() {
            for v in mesh.corner_places(place) {
                around[next[v as usize] as usize] = place;
                next[v as usize] += 1;
            }
        }
        Incidence { first, around }
    }

    /// The triangles around a vertex.
    pub(super) fn around(&self, v: u32) -> &[u32] {
        let all = &self.around[self.first[v as usize] as usize..self.first[v as usize + 1] as usize];
        &all[..all.len().min(MOST_AROUND)]
    }

    /// The other triangles at an edge, and whether they are wound through it in the same direction.
    pub(super) fn beside<'s>(
        &'s self,
        mesh: &'s Mesh,
        place: u32,
        side: usize,
    ) -> impl Iterator<Item = (u32, bool)> + 's {
        let corners = mesh.corner_places(place);
        let [v, w] = [corners[side], corners[(side + 1) % 3]];
        self.around(v).iter().filter(move |&&t| t != place && v != w).filter_map(move |&t| {
            let other = mesh.corner_places(t);
            let at = (0..3).find(|&k| other[k] == v)?;
            let (next, before) = (other[(at + 1) % 3], other[(at + 2) % 3]);
            (next == w || before == w).then_some((t, next == w))
        })
    }
}

impl Mesh {
    /// Whether some triangle occurs wound both ways.
    pub(crate) fn has_sheets(&self) -> bool {
        self.duplicates.iter().any(|copy| copy.is_flipped())
    }

    /// Whether the triangle at a place does.
    pub(crate) fn is_two_sided(&self, place: u32) -> bool {
        self.copies(place).iter().any(|copy| copy.is_flipped())
    }

    /// The sides to which the triangle at a place pushes.
    pub(crate) fn sides(&self, place: u32) -> &'static [FaceSide] {
        if self.is_two_sided(place) { &[FaceSide::Front, FaceSide::Back] } else { &[FaceSide::Front] }
    }

    /// Which triangles are to be seen against their winding, so that the fronts of two-sided triangles with a common
    /// edge are one side of the sheet; empty where no triangle is two-sided.
    pub(super) fn turned_sheets(&self) -> Vec<bool> {
        if !self.has_sheets() {
            return Vec::new();
        }
        let around = Incidence::of(self);
        let (mut turned, mut seen) = (vec![false; self.triangles.len()], vec![false; self.triangles.len()]);
        let mut open = Vec::new();
        for first in (0..self.place_count()).filter(|&place| self.is_two_sided(place)) {
            if !std::mem::replace(&mut seen[first as usize], true) {
                open.push(first);
            }
            while let Some(place) = open.pop() {
                for (other, forward) in (0..3).flat_map(|side| around.beside(self, place, side)) {
                    if self.is_two_sided(other) && !std::mem::replace(&mut seen[other as usize], true) {
                        turned[other as usize] = turned[place as usize] != forward;
                        open.push(other);
                    }
                }
            }
        }
        turned
    }
}

//! A body of any kind as a tree of convex pieces: what every search through two bodies divides.
//!
//! | body | nodes | leaves | pieces |
//! |---|---|---|---|
//! | mesh | slots of its wide tree (node·8 + child) | slots with triangles | triangles, by place in leaf order |
//! | parts | nodes of the tree of hulls | the convex parts | the same |
//! | any other | the body itself, number 0 | the same | the same |
//!
//! Everything that lies in a node lies in its children. Which volumes bound a node depends on the query, and the query
//! computes them: cuboids and hulls for sweeps, oriented boxes and balls for the search for an impact.
//!
//! The walks over two bodies of parts ([`super::parts`]) take a mesh as one piece, since the engines for meshes know
//! its tree; [`BodyKind::halves`], [`BodyKind::slack`] and [`BodyKind::hull_radius`] are for these.

use std::ops::Range;

use glam::DVec3;
use smallvec::SmallVec;

use super::body::BodyKind;
use super::solid::Solid;
use crate::model::Model;
use crate::model::round::Core;

impl<'m> BodyKind<'m> {
    /// `None` for a body without points.
    pub(crate) fn with_points(model: &'m Model) -> Option<BodyKind<'m>> {
        match model {
            Model::Mesh(mesh) if mesh.is_empty() => None,
            Model::Deforming(body) if body.is_empty() => None,
            _ => Some(BodyKind::of(model)),
        }
    }

    /// The node that holds the whole body.
    pub(crate) fn root(&self) -> u32 {
        if let BodyKind::Parts(parts) = self { parts.root() } else { 0 }
    }

    /// The nodes below; none below a leaf.
    pub(crate) fn children(&self, node: u32) -> SmallVec<[u32; 8]> {
        match self {
            BodyKind::Solid(_) => SmallVec::new(),
            BodyKind::Parts(parts) => parts.children(node).into_iter().flatten().collect(),
            BodyKind::Mesh(mesh) => {
                let tree = mesh.tree();
                tree.slots_below(tree.child(node as usize)).map(|slot| slot as u32).collect()
            }
        }
    }

    /// The pieces of a leaf.
    pub(crate) fn pieces(&self, leaf: u32) -> Range<u32> {
        match self {
            BodyKind::Solid(_) => 0..1,
            BodyKind::Parts(_) => leaf..leaf + 1,
            BodyKind::Mesh(mesh) => mesh.tree().child(leaf as usize).as_leaf().map_or(0..0, |leaf| leaf.places()),
        }
    }

    /// The number of pieces.
    pub(crate) fn piece_count(&self) -> usize {
        match self {
            BodyKind::Solid(_) => 1,
            BodyKind::Parts(parts) => parts.piece_count(),
            BodyKind::Mesh(mesh) => mesh.triangle_count(),
        }
    }

    /// The two hulls below one; `None` for a part, and for a body that does not consist of parts.
    pub(crate) fn halves(&self, node: u32) -> Option<[u32; 2]> {
        if let BodyKind::Parts(parts) = self { parts.children(node) } else { None }
    }

    /// How far parts may reach beyond the hull around them.
    pub(crate) fn slack(&self, node: u32) -> f64 {
        if let BodyKind::Parts(parts) = self { parts.slack(node) } else { 0.0 }
    }

    /// How large the hull around parts is; 0 for a body that does not consist of parts.
    pub(crate) fn hull_radius(&self, node: u32) -> f64 {
        if let BodyKind::Parts(parts) = self { parts.body(node).radius() } else { 0.0 }
    }

    /// Normal and height of a half-space, margin included.
    pub(crate) fn half_space(&self) -> Option<(DVec3, f64)> {
        match self {
            BodyKind::Solid(Solid { core: Core::HalfSpace { normal, offset }, margin }) => {
                Some((*normal, offset + margin))
            }
            _ => None,
        }
    }
}

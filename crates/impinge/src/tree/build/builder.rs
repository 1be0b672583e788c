//! Builds the tree of a body's triangles, by the builder that was chosen.

use super::{mean, ploc, refit, sah, wide};
use crate::bound::{Aabb, Box32};
use crate::threads::share;
use crate::tree::nodes::{GRAIN, LEAF, SERIAL, Tree, WIDTH, own_units};
use glam::DVec3;

/// How a tree is built. The tree, and so the speed of queries, differs; the answers do not.
///
/// ```
/// assert_eq!("sah".parse(), Ok(impinge::Builder::Sah));
/// assert_eq!(impinge::Builder::default().to_string(), "auto");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Builder {
    /// The one that measured best: see `crates/impinge-bench/results`.
    #[default]
    Auto,
    /// Top-down by the surface area heuristic over binned centroids.
    Sah,
    /// Bottom-up by locally-ordered clustering.
    Ploc,
    /// Top-down across the longest principal axis, at the mean of the centroids: as RAPID and PQP do.
    Mean,
    /// As `Mean`, with two children a node and one triangle a leaf: so the papers count volume tests.
    Binary,
}

crate::error::named! { Builder { Auto = "auto", Sah = "sah", Ploc = "ploc", Mean = "mean", Binary = "binary" } }

impl Tree {
    /// Builds the tree of the triangles given by their corners; also returns the triangles' indices in leaf order.
    pub(crate) fn build(
        bounds: &Aabb,
        count: usize,
        triangle: impl Fn(usize) -> [DVec3; 3] + Sync,
        builder: Builder,
    ) -> (Tree, Vec<u32>) {
        let (centre, scale) = own_units(bounds);
        let bound = |i: usize| {
            let [p, q, r] = triangle(i);
            let place = |x: DVec3| (x - centre) * scale;
            Box32::around(place(p.min(q).min(r)), place(p.max(q).max(r)))
        };
        let boxes: Vec<Box32> = if count > SERIAL {
            share::fill(Box32::EMPTY, count, GRAIN, bound)
        } else {
            (0..count).map(bound).collect()
        };
        let binary = match builder {
            Builder::Sah => sah::build(&boxes),
            Builder::Auto | Builder::Ploc => ploc::build(boxes),
            Builder::Mean | Builder::Binary => mean::build(&boxes, |i| triangle(i).map(|x| (x - centre) * scale)),
        };
        let (width, leaf) = if builder == Builder::Binary { (2, 1) } else { (WIDTH, LEAF) };
        let (nodes, order) = wide::collapse(&binary, width, leaf);
        drop(binary);
        let built_cost = refit::cost(&nodes);
        (Tree { nodes, centre, unit: scale.recip(), built_cost }, order)
    }

    /// Builds the tree of boxes within these bounds, at least one and none empty, with one in each leaf; also returns
    /// their indices in leaf order.
    pub(crate) fn of_boxes(bounds: &Aabb, boxes: &[Aabb]) -> (Tree, Vec<u32>) {
        let (centre, scale) = own_units(bounds);
        let bound = |i: usize| Box32::around((boxes[i].min - centre) * scale, (boxes[i].max - centre) * scale);
        let (nodes, order) = wide::collapse(&ploc::build((0..boxes.len()).map(bound).collect()), WIDTH, 1);
        let built_cost = refit::cost(&nodes);
        (Tree { nodes, centre, unit: scale.recip(), built_cost }, order)
    }
}

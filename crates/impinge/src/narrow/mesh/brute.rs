//! The oracle: every triangle of `a` against every triangle of `b`, no tree, no filter.

use super::mesh_near::are_near;
use super::placed::closest_triangles::ClosestTriangles;
use super::placed::placed_meshes::PlacedMeshes;
use crate::answer::Stats;
use crate::prim::{lower_bound, nearest, triangles_overlap};

/// All pairs of overlapping triangles, by places in leaf order, up to `limit`.
pub(crate) fn find(placed: &PlacedMeshes<'_>, limit: usize, pairs: &mut Vec<[u32; 2]>, stats: &mut Stats) {
    let b: Vec<_> = (0..placed.b.place_count()).map(|j| placed.b_triangle(j)).collect();
    for i in 0..placed.a.place_count() {
        let a = placed.a_triangle(i);
        for (j, b) in b.iter().enumerate() {
            stats.primitive_tests += 1;
            if triangles_overlap(&a, b) {
                pairs.push([i, j as u32]);
                if pairs.len() >= limit {
                    return;
                }
            }
        }
    }
}

/// All pairs of triangles as near as `enough`, in scaled units, up to `limit`.
pub(crate) fn near(placed: &PlacedMeshes<'_>, enough: f64, limit: usize, stats: &mut Stats) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    for i in 0..placed.a.place_count() {
        let a = placed.a_triangle(i);
        for j in 0..placed.b.place_count() {
            stats.primitive_tests += 1;
            if are_near(&a, &placed.b_triangle(j), enough) {
                pairs.push([i, j]);
                if pairs.len() >= limit {
                    return pairs;
                }
            }
        }
    }
    pairs
}

/// The least distance over all pairs of triangles.
pub(crate) fn search(placed: &PlacedMeshes<'_>, stats: &mut Stats) -> Option<ClosestTriangles> {
    let b: Vec<_> = (0..placed.b.place_count()).map(|j| placed.b_triangle(j)).collect();
    let mut found: Option<ClosestTriangles> = None;
    for i in 0..placed.a.place_count() {
        let a = placed.a_triangle(i);
        for (j, b) in b.iter().enumerate() {
            stats.primitive_tests += 1;
            let near = nearest(&a, b);
            let places = [i, j as u32];
            if triangles_overlap(&a, b) {
                return Some(ClosestTriangles { overlap: true, lower: 0.0, near, places });
            }
            let lower = lower_bound(&a, b, &near);
            let best = found.get_or_insert(ClosestTriangles { overlap: false, lower, near, places });
            best.lower = best.lower.min(lower);
            if near.squared < best.near.squared {
                *best = ClosestTriangles { near, places, ..*best };
            }
        }
    }
    found
}

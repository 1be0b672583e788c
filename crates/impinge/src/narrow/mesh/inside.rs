//! Whether a point is inside a solid: exact for points that are not on its surface.
//!
//! A ray along +x crosses the surface; the crossings decide: their sum by direction (the winding number) when the
//! surface is oriented, else their parity. The ray is moved sideways by an infinitesimal `(ε, ε²)` in y and z, after H.
//! Edelsbrunner and E. Mücke, *Simulation of simplicity*, TOG 9(1), 1990: it then meets no edge and no vertex, so each
//! crossing counts once, and no sign of the test is zero except that of a face parallel to the ray, which it does not
//! cross. A point off the surface is on the same side before and after so small a move.
//!
//! A solid by winding number has its own rule (`model/mesh/winding.rs`), which is not exact: the point is taken into
//! the solid's frame and rounded.

use glam::{DVec2, DVec3};

use crate::math::{Relative, Sign, orient2d, orient3d};
use crate::model::Mesh;
use crate::prim::Triangle;
use crate::tree::descent::ray::along_x;

/// Whether `point` lies inside the solid `mesh`, placed by `placed`. Everything is scaled by `scale` before the
/// predicates.
pub(crate) fn is_inside(mesh: &Mesh, placed: &Relative, scale: f64, point: DVec3) -> bool {
    if mesh.is_solid_by_winding() {
        return mesh.holds_by_winding(placed.inverse().apply(point));
    }
    let (mut winding, mut crossings) = (0i64, 0u64);
    along_x(mesh.tree(), placed, point, |leaf| {
        for place in leaf.first..leaf.first + leaf.count {
            let t = mesh.corners(place).map(|x| placed.apply(x) * scale);
            let crossing = crossing(&t, point * scale);
            if crossing != 0 {
                winding += crossing * mesh.weight(place);
                crossings += 1 + mesh.copies(place).len() as u64;
            }
        }
    });
    if mesh.report().oriented { winding != 0 } else { crossings % 2 == 1 }
}

/// 1 or −1 when the moved ray from `p` leaves through the front or the back of `t`, else 0.
pub(crate) fn crossing(t: &Triangle, p: DVec3) -> i64 {
    let flat = |v: DVec3| DVec2::new(v.y, v.z);
    let x = flat(p);
    let side = moved_side(flat(t[0]), flat(t[1]), x);
    if side == Sign::Zero
        || moved_side(flat(t[1]), flat(t[2]), x) != side
        || moved_side(flat(t[2]), flat(t[0]), x) != side
    {
        return 0;
    }
    // The face is seen counter-clockwise from +x when `side` is positive: its normal then points along the ray, and the
    // crossing lies ahead when `p` is behind the face.
    let ahead = orient3d(t[0], t[1], t[2], p);
    match (side, ahead) {
        (Sign::Positive, Sign::Negative) => 1,
        (Sign::Negative, Sign::Positive) => -1,
        _ => 0,
    }
}

/// Side of the line `pq` on which `x + (ε, ε²)` lies; zero only when `p = q`.
fn moved_side(p: DVec2, q: DVec2, x: DVec2) -> Sign {
    match orient2d(p, q, x) {
        // (q − p) × (ε, ε²) = (q − p).x·ε² − (q − p).y·ε
        Sign::Zero if p.y != q.y => Sign::of(p.y - q.y),
        Sign::Zero => Sign::of(q.x - p.x),
        sign => sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn octahedron() -> Mesh {
        let v = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z];
        let t = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        Mesh::new(v.to_vec(), t.to_vec()).unwrap()
    }

    #[test]
    fn rays_through_edges_and_vertices_count_once() {
        let mesh = octahedron();
        assert!(mesh.report().oriented && mesh.report().volume.unwrap() > 0.0);
        let inside = |x, y, z| is_inside(&mesh, &Relative::IDENTITY, 1.0, DVec3::new(x, y, z));
        assert!(inside(0.0, 0.0, 0.0) && inside(-0.5, 0.0, 0.0) && inside(0.1, 0.2, 0.0) && inside(-0.2, 0.0, 0.3));
        assert!(
            !inside(-2.0, 0.0, 0.0) && !inside(-2.0, 0.5, 0.0) && !inside(-2.0, 0.0, 1.0) && !inside(2.0, 0.0, 0.0)
        );
        assert!(!inside(-0.9, 0.9, 0.0) && !inside(0.0, 1.5, 0.0));
    }
}

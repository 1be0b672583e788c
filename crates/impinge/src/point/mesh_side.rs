//! Whether a point off the surface of a solid mesh is inside: the decision of `narrow/mesh/inside.rs`, eight boxes at a
//! time.
//!
//! A ray along +x, moved sideways by an infinitesimal, crosses the surface; see there for why that is exact. Any other
//! of the six directions along axes does as well, with the coordinates in another order, and mirrored: the one in
//! which the ray leaves the mesh's box soonest is taken, so that it passes few triangles.
//!
//! **By the nearest triangle.** A closed, oriented surface in one piece that nowhere touches itself divides space in
//! two, and all its triangles have the outside on the same side. If all but one of them are surely farther from a point
//! than that one, nothing lies between the two, and the nearest point lies within that triangle: on which side of its
//! plane the point is, exactly, tells all. Whether a mesh is of this kind is a question about all pairs of its
//! triangles, which takes as long as some questions about a point for each triangle; so it is asked when as many of
//! these came, or when the user asks for it.
//!
//! Here the mesh stands in its own frame, so the boxes that the ray meets are found in `f32` in the tree's units,
//! widened by more than rounding; and triangles that lie wholly to one side of the ray, or behind, are passed over by
//! comparing coordinates, which is exact. What is left goes to the exact test.

use glam::DVec3;
use smallvec::SmallVec;

use super::nearest_triangle::NearestTriangle;
use crate::math::simd::{F32x8, Kernel, Simd, Vector, dispatch};
use crate::math::{Sign, normalising_scale, orient3d};
use crate::model::Mesh;
use crate::narrow::mesh::inside::crossing;
use crate::narrow::{Limit, Neighbours};
use crate::prim::Triangle;
use crate::tree::nodes::{Child, Leaf, WIDTH};

impl Mesh {
    /// The same mesh, after finding out whether it is closed, in one piece, and nowhere touches itself: then one
    /// triangle tells on which side of it a point is ([`Model::point_distance`](crate::Model::point_distance)), instead
    /// of a ray through all of it. Without this it is found out after as many questions as there are triangles. Answers
    /// are the same. Takes some microseconds for each triangle.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh, Model, Pose};
    /// let v = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from_array).to_vec();
    /// let mesh = Mesh::new(v, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let body = Model::from(mesh.ready_for_points());
    /// assert!(body.point_distance(&Pose::IDENTITY, DVec3::splat(0.1))?.inside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ready_for_points(self) -> Mesh {
        self.known_sides.keep(front_is_outside(&self));
        self
    }
}

/// Whether the front of all triangles is outside, or the back; `None` where that differs or is not known.
fn front_is_outside(mesh: &Mesh) -> Option<bool> {
    let report = mesh.report();
    let volume = report.volume?;
    let extent = (mesh.aabb().max - mesh.aabb().min).max_element();
    let is_plain = report.closed && report.oriented && report.manifold && report.components == 1;
    let is_simple = report.duplicate_triangles == 0 && report.degenerate_triangles == 0;
    // The volume is a sum of up to 2²⁸ terms that are no greater than the area times the extent, each with some
    // roundings.
    let is_certain = volume.abs() > 1e-6 * report.area * extent;
    if !(is_plain && is_simple && is_certain && is_joined_by_edges(mesh)) {
        return None;
    }
    let touches_itself = mesh.self_contacts_with(Limit::First, Neighbours::Folded).touching();
    (!touches_itself).then_some(volume > 0.0)
}

/// Whether one comes from every triangle to every other across edges.
fn is_joined_by_edges(mesh: &Mesh) -> bool {
    let count = mesh.place_count();
    let mut first = vec![0u32; mesh.points().len() + 1];
    for place in 0..count {
        mesh.corner_places(place).iter().for_each(|&v| first[v as usize + 1] += 1);
    }
    for v in 1..first.len() {
        first[v] += first[v - 1];
    }
    let (mut next, mut around) = (first.clone(), vec![0u32; 3 * count as usize]);
    for place in 0..count {
        for v in mesh.corner_places(place) {
            around[next[v as usize] as usize] = place;
            next[v as usize] += 1;
        }
    }
    let (mut seen, mut open, mut reached) = (vec![false; count as usize], vec![0], 1);
    seen[0] = true;
    while let Some(place) = open.pop() {
        let corners = mesh.corner_places(place);
        for k in 0..3 {
            let [v, w] = [corners[k], corners[(k + 1) % 3]];
            for &other in &around[first[v as usize] as usize..first[v as usize + 1] as usize] {
                if !seen[other as usize] && mesh.corner_places(other).contains(&w) {
                    seen[other as usize] = true;
                    reached += 1;
                    open.push(other);
                }
            }
        }
    }
    reached == count
}

/// Whether the point, which is not on the surface, is inside, when its nearest triangle is known.
pub(super) fn is_inside_from(mesh: &Mesh, at: DVec3, near: &NearestTriangle) -> bool {
    if near.is_alone && may_hold(mesh, at) && !mesh.is_solid_by_winding() {
        let known = mesh.known_sides.found().or_else(|| {
            let is_due = mesh.known_sides.is_due(mesh.place_count());
            // Not while others wait for it.
            is_due.then(|| front_is_outside(mesh)).inspect(|found| mesh.known_sides.keep(*found))
        });
        if let Some(Some(front_is_outside)) = known {
            let scale = scale_with(mesh, at);
            let [a, b, c] = mesh.corners(near.place).map(|x| x * scale);
            match orient3d(a, b, c, at * scale) {
                Sign::Positive => return !front_is_outside,
                Sign::Negative => return front_is_outside,
                Sign::Zero => {}
            }
        }
    }
    is_inside(mesh, at)
}

/// Whether a point may be inside.
fn may_hold(mesh: &Mesh, at: DVec3) -> bool {
    let bounds = mesh.aabb();
    mesh.is_solid() && bounds.min.cmple(at).all() && at.cmple(bounds.max).all()
}

/// A power of two that takes the mesh and the point to about 1, for exact predicates.
fn scale_with(mesh: &Mesh, at: DVec3) -> f64 {
    normalising_scale(mesh.aabb().reach().max(at.abs().max_element()))
}

/// Whether the point, which is not on the surface, is inside; never for a surface without an inside.
pub(super) fn is_inside(mesh: &Mesh, at: DVec3) -> bool {
    if !may_hold(mesh, at) {
        return false;
    }
    let bounds = mesh.aabb();
    if mesh.is_solid_by_winding() {
        return mesh.holds_by_winding(at);
    }
    let scale = scale_with(mesh, at);
    let (ahead, behind) = (bounds.max - at, at - bounds.min);
    let nearest = |axis: usize| (ahead[axis].min(behind[axis]), axis);
    let (_, axis) = [nearest(0), nearest(1), nearest(2)]
        .into_iter()
        .fold((f64::INFINITY, 0), |least, next| if next.0 < least.0 { next } else { least });
    let view = AxisView { axis, forward: ahead[axis] <= behind[axis] };
    let ray = Ray { mesh, at: view.of(at), view, scale, winding: 0, crossings: 0 };
    let (winding, crossings) = dispatch(Walk { ray });
    if mesh.report().oriented { winding != 0 } else { crossings % 2 == 1 }
}

/// Coordinates in the order in which the axis of the ray comes first, mirrored where the ray goes back along it.
#[derive(Debug, Clone, Copy)]
struct AxisView {
    axis: usize,
    forward: bool,
}

impl AxisView {
    #[inline(always)]
    fn of(self, p: DVec3) -> DVec3 {
        let turned = match self.axis {
            0 => p,
            1 => DVec3::new(p.y, p.z, p.x),
            _ => DVec3::new(p.z, p.x, p.y),
        };
        if self.forward { turned } else { DVec3::new(-turned.x, turned.y, turned.z) }
    }
}

struct Ray<'m> {
    mesh: &'m Mesh,
    /// As the view has it.
    at: DVec3,
    view: AxisView,
    /// For the exact predicates.
    scale: f64,
    winding: i64,
    crossings: u64,
}

impl Ray<'_> {
    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf) {
        for place in leaf.places() {
            let [a, b, c] = self.mesh.corners(place);
            let t = [self.view.of(a), self.view.of(b), self.view.of(c)];
            if !self.passes(&t) {
                self.cross(place, &t);
            }
        }
    }

    /// Whether the triangle is wholly beside the ray, or behind its beginning.
    #[inline(always)]
    fn passes(&self, [a, b, c]: &Triangle) -> bool {
        let (low, high) = (a.min(*b).min(*c), a.max(*b).max(*c));
        let p = self.at;
        low.y > p.y || high.y < p.y || low.z > p.z || high.z < p.z || high.x < p.x
    }

    /// In a mirror all crossings have the other sign, which does not matter.
    #[inline(never)]
    fn cross(&mut self, place: u32, t: &Triangle) {
        let crossing = crossing(&t.map(|x| x * self.scale), self.at * self.scale);
        if crossing != 0 {
            self.winding += crossing * self.mesh.weight(place);
            self.crossings += 1 + self.mesh.copies(place).len() as u64;
        }
    }
}

struct Walk<'q> {
    ray: Ray<'q>,
}

impl Kernel for Walk<'_> {
    type Output = (i64, u64);

    #[inline(always)]
    fn run<S: Simd>(self) -> (i64, u64) {
        let Walk { mut ray } = self;
        let tree = ray.mesh.tree();
        let centre = ray.view.of(tree.centre);
        let q = ((ray.at - centre) * tree.unit.recip()).as_vec3();
        // The point is within the box, so within 1 of the middle: three roundings of `f32`, and those of the middle.
        let middle = tree.centre.abs().max_element() / tree.unit / (1u64 << 51) as f64;
        let slack = S::F32x8::splat(1.0 / (1u32 << 20) as f32 + (middle * 1.001) as f32);
        let (x, y, z) = (S::F32x8::splat(q.x), S::F32x8::splat(q.y), S::F32x8::splat(q.z));
        let axes = [ray.view.axis, (ray.view.axis + 1) % 3, (ray.view.axis + 2) % 3];
        let forward = S::F32x8::splat(if ray.view.forward { 1.0 } else { -1.0 });
        let mut open: SmallVec<[Child; 96]> = SmallVec::new();
        open.extend(tree.nodes.first().map(|root| root.child[0]));
        while let Some(child) = open.pop() {
            if let Some(leaf) = child.as_leaf() {
                ray.leaf(leaf);
                continue;
            }
            let node = &tree.nodes[child.index()];
            let [i, j, k] = axes;
            let beside = S::F32x8::load(&node.centre[j]).sub(y).abs().le(S::F32x8::load(&node.half[j]).add(slack));
            let above = S::F32x8::load(&node.centre[k]).sub(z).abs().le(S::F32x8::load(&node.half[k]).add(slack));
            let behind = x.sub(S::F32x8::load(&node.centre[i]).mul(forward));
            let ahead = behind.le(S::F32x8::load(&node.half[i]).add(slack));
            let mut met = beside & above & ahead;
            while met != 0 {
                open.push(node.child[met.trailing_zeros() as usize % WIDTH]);
                met &= met - 1;
            }
        }
        (ray.winding, ray.crossings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_of(low: DVec3, high: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let corner = |i: u32| DVec3::select([i & 1, i >> 1 & 1, i >> 2].map(|b| b == 1).into(), high, low);
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        ((0..8).map(corner).collect(), sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect())
    }

    fn sides_of((vertices, triangles): (Vec<DVec3>, Vec<[u32; 3]>)) -> Option<bool> {
        front_is_outside(&Mesh::new(vertices, triangles).unwrap())
    }

    #[test]
    fn sides_are_known_of_one_surface_that_nowhere_touches_itself() {
        let (vertices, triangles) = box_of(DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(sides_of((vertices.clone(), triangles.clone())), Some(true));
        let turned: Vec<[u32; 3]> = triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        assert_eq!(sides_of((vertices.clone(), turned.clone())), Some(false));
        let mut pierced = vertices.clone();
        pierced[0] = DVec3::new(0.5, 2.5, 1.0);
        assert_eq!(sides_of((pierced, triangles.clone())), None);
        let flat = vertices.iter().map(|v| *v * DVec3::new(1.0, 1.0, 1e-9)).collect();
        assert_eq!(sides_of((flat, triangles.clone())), None, "which side has the volume is not certain");
        let open = triangles[1..].to_vec();
        assert_eq!(sides_of((vertices.clone(), open)), None);
        let with = |second: (Vec<DVec3>, Vec<[u32; 3]>)| {
            let moved = second.1.iter().map(|t| t.map(|v| v + 8));
            let both =
                (vertices.iter().copied().chain(second.0).collect(), triangles.iter().copied().chain(moved).collect());
            sides_of(both)
        };
        assert_eq!(with(box_of(DVec3::splat(5.0), DVec3::splat(6.0))), None, "two pieces");
        // From one corner of the first on, so that it is one piece by its vertices.
        let corner = box_of(DVec3::new(1.0, 2.0, 3.0), DVec3::splat(9.0));
        assert_eq!(with((corner.0, turned)), None, "two pieces that share a vertex");
    }
}

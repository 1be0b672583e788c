//! Whether a point off the surface of a solid mesh is inside: the decision of `narrow/mesh/inside.rs`, eight boxes at a
//! time.
//!
//! A ray along +x, moved sideways by an infinitesimal, crosses the surface; see there for why that is exact. Any other
//! of the six directions along axes does as well, with the coordinates in another order, and mirrored: the one in
//! which the ray leaves the mesh's box soonest is taken, so that it passes few triangles.
//!
//! Here the mesh stands in its own frame, so the boxes that the ray meets are found in `f32` in the tree's units,
//! widened by more than rounding; and triangles that lie wholly to one side of the ray, or behind, are passed over by
//! comparing coordinates, which is exact. What is left goes to the exact test.

use glam::DVec3;
use smallvec::SmallVec;

use crate::answer::Stats;
use crate::math::normalising_scale;
use crate::math::simd::{F32x8, Kernel, Simd, Vector, dispatch};
use crate::model::Mesh;
use crate::narrow::mesh::inside::crossing;
use crate::prim::Triangle;
use crate::tree::nodes::{Child, Leaf, WIDTH};

/// Whether the point, which is not on the surface, is inside; never for a surface without an inside.
pub(super) fn is_inside(mesh: &Mesh, at: DVec3, stats: &mut Stats) -> bool {
    let bounds = mesh.aabb();
    if !(mesh.is_solid() && bounds.min.cmple(at).all() && at.cmple(bounds.max).all()) {
        return false;
    }
    if mesh.is_solid_by_winding() {
        return mesh.holds_by_winding(at);
    }
    let scale = normalising_scale(bounds.reach().max(at.abs().max_element()));
    let (ahead, behind) = (bounds.max - at, at - bounds.min);
    let nearest = |axis: usize| (ahead[axis].min(behind[axis]), axis);
    let (_, axis) = [nearest(0), nearest(1), nearest(2)]
        .into_iter()
        .fold((f64::INFINITY, 0), |least, next| if next.0 < least.0 { next } else { least });
    let view = AxisView { axis, forward: ahead[axis] <= behind[axis] };
    let ray = Ray { mesh, at: view.of(at), view, scale, winding: 0, crossings: 0 };
    let (winding, crossings) = dispatch(Walk { ray, stats });
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
    stats: &'q mut Stats,
}

impl Kernel for Walk<'_> {
    type Output = (i64, u64);

    #[inline(always)]
    fn run<S: Simd>(self) -> (i64, u64) {
        let Walk { mut ray, stats } = self;
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
        let (mut opened, mut tests) = (0, 0);
        while let Some(child) = open.pop() {
            if let Some(leaf) = child.as_leaf() {
                tests += u64::from(leaf.count);
                ray.leaf(leaf);
                continue;
            }
            opened += 1;
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
        stats.iterations += opened;
        stats.volume_tests += WIDTH as u64 * opened;
        stats.primitive_tests += tests;
        (ray.winding, ray.crossings)
    }
}

//! Where a ray meets a mesh: the first point, any, or all.
//!
//! The leaves that the ray may meet come in the order in which it enters their boxes ([`crate::tree::descent::line`]);
//! the triangles of a leaf are tested four at a time, and those that may be met one by one, exactly
//! ([`super::triangle_hit`]). Of triangles met at the same point the one with the least index counts.

use super::line::{Line, LineHit};
use super::triangle_hit::{EdgeSides, MeshLine, TriangleHit};
use crate::math::normalising_scale;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Mesh;
use crate::narrow::mesh::mesh_contact::feature;
use crate::prim::{FourCorners, Part, ray_weights};
use crate::tree::descent::line::{LineQuery, TreeLine, along_line};
use crate::tree::nodes::{LEAF, Leaf};

/// The first hit of a ray with a mesh.
#[inline]
pub(super) fn first_of_mesh(mesh: &Mesh, line: &Line) -> Option<LineHit> {
    let line = &MeshLine::new(mesh, line)?;
    dispatch(Search { line, hits: First { line, best: None } }).best.map(|hit| described(line, &hit))
}

/// Whether a ray meets a mesh.
#[inline]
pub(super) fn any_of_mesh(mesh: &Mesh, line: &Line) -> bool {
    let Some(line) = &MeshLine::new(mesh, line) else { return false };
    dispatch(Search { line, hits: Any(false) }).0
}

/// All hits of a ray with a mesh, in the order of the ray.
pub(super) fn all_of_mesh(mesh: &Mesh, line: &Line) -> Vec<LineHit> {
    let Some(line) = &MeshLine::new(mesh, line) else { return Vec::new() };
    let mut found = dispatch(Search { line, hits: All(Vec::new()) }).0;
    in_order(mesh, &mut found);
    found.iter().map(|hit| described(line, hit)).collect()
}

/// What is kept of the hits.
trait Hits {
    fn add(&mut self, hit: TriangleHit);

    /// The distance beyond which hits are not needed; negative when no more are.
    fn limit(&self) -> f64;
}

struct First<'a, 'm> {
    line: &'a MeshLine<'m>,
    best: Option<TriangleHit>,
}

impl Hits for First<'_, '_> {
    fn add(&mut self, hit: TriangleHit) {
        let id = |hit: &TriangleHit| self.line.mesh.id(hit.place);
        if self
            .best
            .is_none_or(|best| hit.distance < best.distance || hit.distance == best.distance && id(&hit) < id(&best))
        {
            self.best = Some(hit);
        }
    }

    fn limit(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |hit| hit.distance)
    }
}

struct Any(bool);

impl Hits for Any {
    fn add(&mut self, _: TriangleHit) {
        self.0 = true;
    }

    fn limit(&self) -> f64 {
        if self.0 { -1.0 } else { f64::INFINITY }
    }
}

struct All(Vec<TriangleHit>);

impl Hits for All {
    fn add(&mut self, hit: TriangleHit) {
        self.0.push(hit);
    }

    fn limit(&self) -> f64 {
        f64::INFINITY
    }
}

struct Search<'a, 'm, H> {
    line: &'a MeshLine<'m>,
    hits: H,
}

impl<H: Hits> Kernel for Search<'_, '_, H> {
    type Output = H;

    #[inline(always)]
    fn run<S: Simd>(self) -> H {
        let Search { line, hits } = self;
        let end = line.in_tree(line.line.length);
        let in_tree = TreeLine::new(line.mesh.tree(), line.start, line.inverse, line.off);
        let mut leaves = Leaves { line, hits, end, sides: EdgeSides::default() };
        along_line::<S>(line.mesh.tree(), &in_tree, end, &mut leaves);
        leaves.hits
    }
}

struct Leaves<'a, 'm, H> {
    line: &'a MeshLine<'m>,
    hits: H,
    /// The end of the ray, in units of the tree.
    end: f64,
    sides: EdgeSides,
}

impl<H: Hits> LineQuery for Leaves<'_, '_, H> {
    #[inline(always)]
    fn leaf<S: Simd>(&mut self, leaf: Leaf) -> Option<f64> {
        let line = self.line;
        let mut corners: FourCorners = [[[0.0; LEAF]; 3]; 3];
        for lane in 0..LEAF {
            // Lanes to spare hold the last triangle again.
            let t = line.mesh.corners(leaf.first + (lane as u32).min(leaf.count - 1));
            for (corner, p) in corners.iter_mut().zip(t) {
                corner[0][lane] = p.x;
                corner[1][lane] = p.y;
                corner[2][lane] = p.z;
            }
        }
        let found = ray_weights::<S>(&corners, line.start, line.line.unit, line.off);
        let mut met = found.may_meet & ((1 << leaf.count) - 1);
        if met == 0 {
            return None;
        }
        while met != 0 {
            let lane = met.trailing_zeros() as usize;
            met &= met - 1;
            if let Some(hit) = line.hit(leaf.first + lane as u32, &found, lane, &mut self.sides) {
                self.hits.add(hit);
            }
        }
        let limit = self.hits.limit();
        Some(if limit < 0.0 { limit } else { line.in_tree(limit).clamp(0.0, self.end.max(0.0)) })
    }
}

/// Sorts hits along the ray and keeps one of those at the same vertex or edge.
fn in_order(mesh: &Mesh, found: &mut Vec<TriangleHit>) {
    found.sort_unstable_by(|x, y| x.distance.total_cmp(&y.distance).then(mesh.id(x.place).cmp(&mesh.id(y.place))));
    let key = |hit: &TriangleHit| {
        let corners = mesh.triangles[hit.place as usize];
        let corner = |i: u8| corners[usize::from(i) % 3];
        match hit.part {
            Part::Vertex(i) => Some([corner(i); 2]),
            Part::Edge(i) => Some([corner(i).min(corner(i + 1)), corner(i).max(corner(i + 1))]),
            Part::Face => None,
        }
    };
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|hit| key(hit).is_none_or(|key| seen.insert(key)));
}

fn described(line: &MeshLine<'_>, hit: &TriangleHit) -> LineHit {
    let corners = line.mesh.corners(hit.place);
    let sides = [corners[1] - corners[0], corners[2] - corners[0]];
    let scale = normalising_scale(sides[0].abs().max(sides[1].abs()).max_element());
    LineHit {
        distance: hit.distance,
        point: line.point(hit),
        normal: (sides[0] * scale).cross(sides[1] * scale).normalize_or_zero(),
        feature: feature(line.mesh, hit.place, hit.part),
        uv: [hit.weights[1], hit.weights[2]],
    }
}

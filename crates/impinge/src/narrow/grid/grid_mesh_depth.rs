//! How deep a solid mesh that is not convex is in another body: exact by a few convex pieces, else by bounds.
//!
//! After the way out of the hulls the bodies are certainly apart, so it comes first. If both bodies are a few convex
//! pieces, [`crate::narrow::depth::union_depth`] searches for the least of all translations; where that comes to a cap,
//! and for all other bodies, [`crate::narrow::depth::mesh_depth`] looks for a short one. An overlap query on the bodies
//! themselves has checked every translation returned.

use crate::narrow::context::Context;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::WitnessedGap;
use glam::DVec3;
use smallvec::SmallVec;

use super::dispatch::Query;
use super::grid_depth::Deepest;
use super::memory::Memory;
use crate::answer::{DepthKind, Stats};
use crate::math::{EPS, Interval, Relative};
use crate::model::round::Core;
use crate::model::{Convex, Mesh};
use crate::narrow::body::BodyKind;
use crate::narrow::depth::mesh_depth::{GapAfterShift, ShiftQuestion, ShiftSearch};
use crate::narrow::depth::{common_ball, union_depth};
use crate::narrow::mesh::mesh_query::MeshQuery;
use crate::narrow::method::Method;
use crate::narrow::solid::Solid;

/// Touching pairs of triangles whose normals are tried.
const MOST_CONTACTS: usize = 64;

/// Pieces of a union whose depth is searched for exactly.
const MOST_PIECES: usize = 16;

/// How far pieces may be off the mesh that they were cut from, by its size.
const CUT: f64 = 4e-12;

/// Bounds that differ by no more than this part of the depth count as equal.
const MEET: f64 = 1e-9;

impl Query<'_> {
    /// The way out, of solids that overlap, given that of their hulls.
    pub(crate) fn deepest_meshes(&self, hulls: Deepest, mut cx: Context<'_, Memory>) -> Deepest {
        let bodies = self.bodies();
        let [a, b] = bodies.map(|body| body.extent());
        let (size, reach) =
            (a.radius + b.radius, a.reach + 2.0 * b.reach + self.b_in_a.translation.abs().max_element());
        let touch = 512.0 * EPS * reach;
        let last = cx.memory.shift.take();
        let normals = self.normals(cx.lend());
        let pieced = self.deepest_in_pieces(cx.lend());
        let mut branches = std::mem::take(&mut cx.memory.branches);
        let near = |shift: DVec3, asked: ShiftQuestion| self.gap(shift, asked, cx.lend());
        let Some(mut search) = ShiftSearch::from(near, hulls.normal * (hulls.interval.upper + touch), size, touch)
        else {
            return Deepest {
                kind: DepthKind::UpperBound,
                interval: Interval { lower: 0.0, ..hulls.interval },
                ..hulls
            };
        };
        let (mut lower, mut kind, mut work) = (0.0, DepthKind::UpperBound, Stats::default());
        if let [Some(p), Some(q)] = bodies.map(|body| body.convex_pieces()) {
            let (clearance, within) = (touch + CUT * size, search.best().length());
            let searched = Context::new(&mut branches, &mut work);
            if let Some(least) = union_depth::least([p, q], &self.b_in_a, within, clearance, searched) {
                lower = (least.lower - 16.0 * clearance).max(0.0);
                let known = least.shift.is_none() && least.lower >= within;
                if known || least.shift.is_some_and(|shift| search.offer(shift)) {
                    kind = DepthKind::Exact;
                }
            }
        }
        if let Some(deep) = pieced {
            let clearance = touch + CUT * size;
            lower = (deep.interval.lower - 16.0 * clearance).max(lower);
            search.offer(deep.normal * (deep.interval.upper + clearance));
        }
        if kind != DepthKind::Exact {
            if !last.is_some_and(|last| search.again(last)) {
                search.onward();
            }
            search.along_axis(hulls.normal);
            search.along_normals(normals.iter().copied());
            let turn = self.b_in_a.rotation;
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                for way in [axis, -axis] {
                    search.along_axis(way);
                    search.along_axis(turn * way);
                }
            }
        }
        let (shift, witness) = search.end();
        cx.stats.iterations += work.iterations;
        if let (Some(witness), DepthKind::UpperBound) = (&witness, kind) {
            let [p, q] = witness.points;
            let balls = |share: f64| self.common_balls(q.lerp(p, share), cx.stats) - touch;
            lower = [0.5, 0.25, 0.75].map(balls).into_iter().fold(lower, f64::max);
        }
        cx.memory.shift = Some(shift);
        cx.memory.branches = branches;
        let upper = shift.length();
        if lower >= (1.0 - MEET) * upper {
            kind = DepthKind::Exact;
        }
        let normal = shift.normalize_or(hulls.normal);
        Deepest {
            interval: Interval { lower: lower.min(upper), upper },
            normal,
            witness: witness.or(hulls.witness),
            kind,
        }
    }

    /// The way out of pieces, where one body is a few convex ones and the other is curved: no shorter one frees the
    /// deepest pair of these, and one that frees all of them frees the bodies.
    fn deepest_in_pieces(&self, cx: Context<'_, Memory>) -> Option<Deepest> {
        let bodies = self.bodies();
        if bodies.iter().all(|body| body.convex_pieces().is_some()) {
            return None;
        }
        let [a, b] = bodies.map(BodyKind::in_pieces);
        self.deepest_parts([a?, b?], cx)
    }

    /// No translation shorter than this separates the bodies, by a point of `a`'s frame that lies inside both.
    fn common_balls(&self, point: DVec3, stats: &mut Stats) -> f64 {
        let [a, b] = self.bodies();
        let in_a = common_ball::buried(&a, point, stats);
        let in_b = common_ball::buried(&b, self.b_in_a.inverse().apply(point), stats);
        if in_a > 0.0 && in_b > 0.0 { in_a + in_b } else { 0.0 }
    }

    /// Whether the bodies overlap after a shift of `b`, or how far they are apart.
    fn gap(&self, shift: DVec3, asked: ShiftQuestion, mut cx: Context<'_, Memory>) -> GapAfterShift {
        let b_in_a = Relative { translation: self.b_in_a.translation + shift, ..self.b_in_a };
        let moved = Query { b_in_a, method: Method::Auto, ..*self };
        let enough = match asked {
            ShiftQuestion::IsFree => 0.0,
            ShiftQuestion::HowFar => f64::INFINITY,
        };
        match moved.nearest(enough, cx.lend()) {
            Outcome::Beyond => GapAfterShift::Free,
            Outcome::Apart(WitnessedGap { witness, .. }) => GapAfterShift::Apart(witness),
            Outcome::Touching(_) | Outcome::Contained(_) => GapAfterShift::Overlap,
        }
    }

    /// Normals of triangles that touch, from `a` to `b`.
    fn normals(&self, mut cx: Context<'_, Memory>) -> SmallVec<[DVec3; 2 * MOST_CONTACTS]> {
        let side = |mesh: &Mesh| if mesh.report().volume.is_some_and(|v| v < 0.0) { -1.0 } else { 1.0 };
        match self.bodies() {
            [BodyKind::Mesh(a), BodyKind::Mesh(b)] => {
                let query = MeshQuery::new(a, b, &self.b_in_a, Method::Auto);
                let pairs = query.touching(MOST_CONTACTS, cx.part(Memory::of_meshes));
                let normal = |t: [DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]).normalize_or_zero();
                let both = |[i, j]: [u32; 2]| {
                    [normal(a.corners(i)) * side(a), self.b_in_a.rotation * normal(b.corners(j)) * -side(b)]
                };
                pairs.into_iter().flat_map(both).collect()
            }
            bodies => {
                let side =
                    bodies.iter().find_map(|b| if let BodyKind::Mesh(mesh) = b { Some(side(mesh)) } else { None });
                let pairs = self.touching(MOST_CONTACTS, 0.0, cx.lend()).pairs;
                let contacts = pairs.iter().filter_map(|pair| self.contact(*pair, 0.0));
                contacts.map(|contact| contact.normal * side.unwrap_or(1.0)).collect()
            }
        }
    }
}

/// How large a body is.
struct Extent {
    /// About its centre.
    radius: f64,
    /// About the origin of its frame.
    reach: f64,
}

impl<'m> BodyKind<'m> {
    fn extent(self) -> Extent {
        let of = |convex: &Convex| Extent { radius: convex.radius(), reach: convex.reach() };
        match self {
            BodyKind::Mesh(mesh) => {
                let radius = mesh.hull().map_or(mesh.aabb().reach(), |hull| hull.radius());
                Extent { radius, reach: mesh.aabb().reach() }
            }
            BodyKind::Parts(parts) => of(parts.body(parts.root())),
            BodyKind::Solid(Solid { core, margin }) => {
                let core = match core {
                    Core::Polyhedron(convex) => of(convex),
                    Core::Smooth(body) => {
                        let radius = body.radius();
                        Extent { radius, reach: radius + body.centre().abs().max_element() }
                    }
                    Core::HalfSpace { offset, .. } => Extent { radius: 0.0, reach: offset.abs() },
                };
                Extent { radius: core.radius + margin, reach: core.reach + margin }
            }
        }
    }

    /// Itself, or the few convex bodies that make it up.
    fn in_pieces(self) -> Option<BodyKind<'m>> {
        match self {
            BodyKind::Mesh(mesh) if mesh.is_convex_solid() => self.hulled(),
            BodyKind::Mesh(mesh) => mesh.convex_parts().map(BodyKind::Parts),
            BodyKind::Parts(_) | BodyKind::Solid(_) => Some(self),
        }
    }

    /// Convex bodies with volume that make it up, where these are few.
    fn convex_pieces(self) -> Option<&'m [Convex]> {
        let pieces = match self {
            BodyKind::Mesh(mesh) => mesh.convex_pieces()?,
            BodyKind::Parts(parts) => parts.pieces(),
            BodyKind::Solid(Solid { core: Core::Polyhedron(convex), margin: 0.0 }) => std::slice::from_ref(convex),
            BodyKind::Solid(_) => return None,
        };
        (pieces.len() <= MOST_PIECES && pieces.iter().all(|piece| piece.face_count() >= 4)).then_some(pieces)
    }
}

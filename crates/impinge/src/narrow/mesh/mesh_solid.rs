//! A mesh against a convex body: the mesh's tree, and each triangle near the body by GJK.
//!
//! Boxes are ruled out by the body's own box, and where these meet, by GJK on the box, which stops at the first plane
//! with the cut-off between them. A triangle is a convex body of three corners. Whether one that seems to touch a
//! polyhedron does is decided exactly; and a body that touches no triangle of a solid mesh may lie inside it.

use std::ops::ControlFlow;

use glam::DVec3;

use super::inside::is_inside;
use super::placed::gjk_shapes::{Corners, Cuboid};
use crate::answer::{Containment, Element, Feature, Stats, Witness};
use crate::bound::Aabb;
use crate::math::{EPS, Interval, Relative, normalising_scale};
use crate::model::Mesh;
use crate::model::round::Core;
use crate::narrow::convex::polyhedra::exact_touch;
use crate::narrow::convex::simplex::gjk;
use crate::narrow::convex::simplex::gjk::{GjkEnd, GjkQuestion, GjkResult, GjkStart};
use crate::narrow::convex::simplex::minkowski::{Difference, Mapped};
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::WitnessedGap;
use crate::narrow::solid::Solid;
use crate::prim::{RegionWalk, Triangle};
use crate::tree::descent::probe::{Probe, probe};
use crate::tree::nodes::Leaf;

/// How the body lies relative to the mesh, in the mesh's frame: beyond what was asked for (also where the mesh is
/// empty), apart by closest points, touching in a common point, or inside.
pub(crate) type SolidOutcome = Outcome<WitnessedGap, Witness>;

/// How near the body comes to the mesh; beyond `enough` that need not be known.
pub(crate) fn nearest(
    mesh: &Mesh,
    solid: &Solid<'_>,
    place: &Relative,
    enough: f64,
    stats: &mut Stats,
) -> SolidOutcome {
    let mut search = Search::new(mesh, solid, place, enough);
    search.run(stats);
    match search.best {
        Some((Interval { upper: 0.0, .. }, witness)) => Outcome::Touching(witness),
        _ if search.is_contained() => Outcome::Contained(Containment::BInA),
        Some((interval, witness)) => Outcome::Apart(WitnessedGap { interval, witness }),
        None => Outcome::Beyond,
    }
}

/// Places of up to `limit` triangles as near as `envelope`, and whether there are none because the body lies inside.
pub(crate) fn touching(
    mesh: &Mesh,
    solid: &Solid<'_>,
    place: &Relative,
    envelope: f64,
    limit: usize,
    stats: &mut Stats,
) -> (Vec<u32>, Option<Containment>) {
    let mut search = Search::new(mesh, solid, place, envelope);
    search.collect = Some(limit);
    search.run(stats);
    let contained = search.found.is_empty() && limit > 0 && search.is_contained();
    (search.found, contained.then_some(Containment::BInA))
}

/// The contact of one triangle with the body: closest points, or the common one, and the normal of the triangle.
pub(crate) fn contact(mesh: &Mesh, place_of: u32, solid: &Solid<'_>, place: &Relative) -> Option<(Witness, DVec3)> {
    let mut search = Search::new(mesh, solid, place, f64::INFINITY);
    let _ = search.triangle(place_of, &mut Stats::default());
    let t = mesh.corners(place_of);
    let normal = (t[1] - t[0]).cross(t[2] - t[0]).normalize_or_zero();
    search.best.map(|(_, witness)| (witness, normal))
}

/// How near one triangle, by its place in leaf order, comes to the body, if they do not touch.
pub(crate) fn at(
    mesh: &Mesh,
    place_of: u32,
    solid: &Solid<'_>,
    place: &Relative,
    stats: &mut Stats,
) -> Option<(Interval, Witness)> {
    let mut search = Search::new(mesh, solid, place, f64::INFINITY);
    let _ = search.triangle(place_of, stats);
    search.best.filter(|(interval, _)| interval.upper > 0.0)
}

/// A lower bound on how far below the surface of a solid mesh the body lies; 0 when it is not inside.
pub(crate) fn buried(mesh: &Mesh, solid: &Solid<'_>, place: &Relative, stats: &mut Stats) -> f64 {
    let mut search = Search::new(mesh, solid, place, f64::INFINITY);
    search.run(stats);
    match search.best {
        Some((interval, _)) if interval.upper > 0.0 && search.is_contained() => interval.lower,
        _ => 0.0,
    }
}

/// How near one triangle comes to the body's core; `place` leads from the body's frame to the triangle's. `None` where
/// GJK cannot decide.
pub(crate) fn triangle_and_core(
    t: &Triangle,
    solid: &Solid<'_>,
    place: &Relative,
    stats: &mut Stats,
) -> Option<CoreGap> {
    match solid.core {
        Core::Polyhedron(body) => run(&Corners(*t), body, place, f64::INFINITY, stats),
        Core::Smooth(body) => run(&Corners(*t), body, place, f64::INFINITY, stats),
        Core::HalfSpace { normal, offset } => Some(lowest(t, normal, offset, place)),
    }
}

struct Search<'q> {
    mesh: &'q Mesh,
    solid: &'q Solid<'q>,
    place: &'q Relative,
    cutoff: f64,
    best: Option<(Interval, Witness)>,
    /// Every triangle within the cut-off is wanted, up to so many.
    collect: Option<usize>,
    found: Vec<u32>,
    tests: u64,
    /// Rounding of a distance near zero.
    noise: f64,
}

impl<'q> Search<'q> {
    fn new(mesh: &'q Mesh, solid: &'q Solid<'q>, place: &'q Relative, enough: f64) -> Search<'q> {
        let reach = mesh.aabb().reach() + 2.0 * extent(solid) + place.translation.abs().max_element();
        let noise = 128.0 * EPS * if mesh.is_empty() { 0.0 } else { reach };
        Search { mesh, solid, place, cutoff: enough, best: None, collect: None, found: Vec::new(), tests: 0, noise }
    }

    fn run(&mut self, stats: &mut Stats) {
        if self.mesh.is_empty() {
            return;
        }
        if let Core::HalfSpace { .. } = self.solid.core {
            for place in 0..self.mesh.place_count() {
                if self.triangle(place, stats).is_break() {
                    break;
                }
            }
        } else {
            let bounds = bounds(self.solid, self.place);
            stats.volume_tests += probe(self.mesh.tree(), &bounds, self);
        }
        stats.primitive_tests += self.tests;
    }

    /// Whether the body, which touches no triangle, lies inside the mesh.
    fn is_contained(&self) -> bool {
        let centre = match self.solid.core {
            Core::Polyhedron(body) => body.vertex(0),
            Core::Smooth(body) => body.centre(),
            // Unbounded: it is inside nothing.
            Core::HalfSpace { .. } => return false,
        };
        let scale = normalising_scale(self.mesh.aabb().reach().max(self.place.apply(centre).abs().max_element()));
        let holds = |x: DVec3| is_inside(self.mesh, &Relative::IDENTITY, scale, self.place.apply(x));
        match self.solid.core {
            _ if !self.mesh.is_solid() => false,
            // The body may reach in through a hole.
            Core::Polyhedron(body) if self.mesh.is_solid_by_winding() => body.vertices().iter().any(|&x| holds(x)),
            _ => holds(centre),
        }
    }

    fn triangle(&mut self, at: u32, stats: &mut Stats) -> ControlFlow<()> {
        self.tests += 1;
        let corners = Corners(self.mesh.corners(at));
        let enough = self.cutoff + self.solid.margin + self.noise;
        let near = match self.solid.core {
            Core::Polyhedron(body) => run(&corners, body, self.place, enough, stats),
            Core::Smooth(body) => run(&corners, body, self.place, enough, stats),
            Core::HalfSpace { normal, offset } => Some(lowest(&corners.0, normal, offset, self.place)),
        };
        let Some(near) = near else { return ControlFlow::Continue(()) };
        let (mut lower, mut upper) = (near.lower - self.solid.margin, near.upper - self.solid.margin);
        let mut touches = upper <= 0.0;
        if let Core::Polyhedron(body) = self.solid.core
            && self.solid.margin == 0.0
            && near.upper <= self.noise
        {
            touches = near.inside || exact_touch::triangle_touches(&corners.0, body, self.place);
        }
        if touches {
            (lower, upper) = (0.0, 0.0);
        } else {
            upper = (upper + self.noise).max(f64::MIN_POSITIVE);
            lower = (lower - self.noise).max(0.0);
        }
        if lower > self.cutoff || (!touches && self.cutoff == 0.0) {
            return ControlFlow::Continue(());
        }
        if let Some(limit) = self.collect {
            self.found.push(at);
            return if self.found.len() >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        }
        let below = self.best.as_ref().map_or(f64::INFINITY, |(interval, _)| interval.lower);
        if self.best.as_ref().is_none_or(|(interval, _)| upper < interval.upper) {
            let lower = lower.min(below);
            self.best = Some((Interval { lower, upper }, self.witness(at, &near, touches)));
            self.cutoff = self.cutoff.min(upper);
        } else if let Some((interval, _)) = &mut self.best {
            interval.lower = interval.lower.min(lower);
        }
        if touches { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn witness(&self, at: u32, near: &CoreGap, touches: bool) -> Witness {
        let [p, q] = near.points;
        let element = if near.inside { Element::Inside } else { Element::Surface };
        let toward = (q - p).normalize_or_zero();
        let points = if touches { [p; 2] } else { [p, q - toward * self.solid.margin] };
        let features = [Feature::Face { triangle: self.mesh.id(at) }, Feature::Convex { piece: 0, element }];
        Witness { points, features }
    }
}

/// A triangle over a half-space.
fn lowest(corners: &Triangle, normal: DVec3, offset: f64, place: &Relative) -> CoreGap {
    let normal = place.rotation * normal;
    let offset = offset + normal.dot(place.translation);
    let low = corners.iter().copied().min_by(|x, y| normal.dot(*x).total_cmp(&normal.dot(*y)));
    let low = low.unwrap_or(DVec3::ZERO);
    let height = normal.dot(low) - offset;
    let points = [low, low - normal * height];
    CoreGap { lower: height, upper: height, points, inside: height < 0.0 }
}

impl Probe for Search<'_> {
    fn cutoff(&self) -> f64 {
        self.cutoff
    }

    fn enters(&mut self, middle: DVec3, half: DVec3) -> bool {
        let (corners, stats) = (Cuboid { middle, half }, &mut Stats::default());
        let enough = self.cutoff + self.solid.margin + self.noise;
        match self.solid.core {
            Core::Polyhedron(body) => run(&corners, body, self.place, enough, stats).is_some(),
            Core::Smooth(body) => run(&corners, body, self.place, enough, stats).is_some(),
            Core::HalfSpace { .. } => true,
        }
    }

    fn leaf(&mut self, leaf: Leaf) -> ControlFlow<()> {
        (leaf.first..leaf.first + leaf.count).try_for_each(|at| self.triangle(at, &mut Stats::default()))
    }
}

/// What GJK said of a triangle and a core.
pub(crate) struct CoreGap {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) points: [DVec3; 2],
    /// The origin is in the simplex: certainly inside, up to rounding.
    pub(crate) inside: bool,
}

/// `None` when a plane has `enough` between them.
pub(crate) fn run<A: Mapped, B: Mapped + ?Sized>(
    a: &A,
    b: &B,
    place: &Relative,
    enough: f64,
    stats: &mut Stats,
) -> Option<CoreGap> {
    let ask = GjkQuestion { enough, ..GjkQuestion::DISTANCE };
    let found: GjkResult =
        gjk::distance::<RegionWalk, _, _>(&Difference::new(a, b, *place), &ask, &GjkStart::default(), stats);
    match found.end {
        GjkEnd::Enough => None,
        GjkEnd::Origin => {
            let noise = EPS * 64.0 * (a.radius() + b.radius());
            let p = found.simplex.common::<RegionWalk>(noise).blend(0);
            Some(CoreGap { lower: 0.0, upper: 0.0, points: [p; 2], inside: found.simplex.count == 4 })
        }
        _ => {
            let upper = found.upper();
            Some(CoreGap { lower: found.lower.min(upper), upper, points: found.points(), inside: false })
        }
    }
}

/// The box around the body, margin included, in the mesh's frame.
fn bounds(solid: &Solid<'_>, place: &Relative) -> Aabb {
    let farthest = |d: DVec3| {
        let own = place.rotation.transpose() * d;
        let p = match solid.core {
            Core::Polyhedron(body) => body.vertex(body.support(own, 0)),
            Core::Smooth(body) => body.support(own),
            Core::HalfSpace { .. } => DVec3::INFINITY,
        };
        d.dot(place.apply(p)) + solid.margin
    };
    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|d| [-farthest(-d), farthest(d)]);
    Aabb { min: DVec3::new(x[0], y[0], z[0]), max: DVec3::new(x[1], y[1], z[1]) }
}

/// Largest coordinate of the core in its own frame.
pub(crate) fn extent(solid: &Solid<'_>) -> f64 {
    match solid.core {
        Core::Polyhedron(body) => body.reach(),
        Core::Smooth(body) => body.centre().abs().max_element() + body.radius(),
        Core::HalfSpace { offset, .. } => offset.abs(),
    }
}

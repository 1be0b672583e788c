//! When two convex pieces that only translate touch: a ray cast against their difference.
//!
//! The portal ([`super::portal`]) answers, and where rounding hides it, the engine of this file.
//!
//! G. van den Bergen, *Ray casting against general convex objects*, 2004. With `a` moving by `r` relative to `b`, the
//! bodies touch at the share `λ` of the way for which `−λ·r` is a point of the difference. The simplex of GJK walks
//! towards `x = −λ·r` instead of the origin; whenever the plane through the support `p` across `v` has `x` on the far
//! side, `x` is moved along the ray on to that plane. Every move is by a plane that has all of the difference behind
//! it, so `λ` never overshoots.
//!
//! Here we deviate: any direction gives such a plane, not only `v`. After a move, `x` lies on the last plane, and `v`
//! is nearly parallel to it, so that its support is far to the side. So the search uses `v` tilted towards the last
//! normal, as long as that finds new points.
//!
//! Invariant: no point `−μ·r` with `μ < λ` is in the difference. The cast ends when `x` is a point of the difference,
//! up to rounding, or when the ray misses it. The general engine ([`super::advance`]) answers for every motion; this
//! one is the classic, and its oracle for translations. Cost: as a GJK query.

use glam::DVec3;

use super::difference_ray::DifferenceRay;
use super::facet::Names;
use super::portal::{Entry, Passage, through_portal};
use crate::answer::Stats;
use crate::math::Relative;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Convex;
use crate::model::round::Core;
use crate::narrow::convex::simplex::minkowski::{At, Mapped};
use crate::narrow::mesh::placed::gjk_shapes::Corners;
use crate::narrow::solid::Solid;
use crate::prim::{RegionWalk, Solver};

/// The most steps; after these the bound found so far is the answer.
const MOST_STEPS: usize = 256;
/// The most steps whose directions may be tilted.
const MOST_TILTS: usize = 16;
/// The cosine between `v` and the last normal from which on `v` is not tilted.
const STEEP: f64 = 0.8;
/// The weight of the last normal in a tilted direction; measured on hulls of many shapes, from cubes to needles.
const TILT: f64 = 3.0;

/// If the rounding error of the share may exceed this, it is computed again for the normal alone, which may be less.
const FINE: f64 = 1e-11;

/// How far one piece can move along the ray before it touches the other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cast {
    /// The share of the way after which the pieces touch, up to rounding; 0 if they touch at the start.
    pub(crate) share: f64,
    /// A share at which they certainly touch, soon after; not always known.
    pub(crate) upper: Option<f64>,
    /// The unit normal from `a` to `b`; zero when the share is 0.
    pub(crate) normal: DVec3,
    /// The point of the core of `a` where they touch, in `a`'s frame, up to rounding.
    pub(crate) point: DVec3,
    /// Three points of the difference around the ray, and the vertices that they are differences of.
    pub(crate) corners: Option<([DVec3; 3], Names)>,
}

/// Casts `a` along `way`, a vector of its own frame, towards `b`; `None` when they do not touch, and where one is a
/// half-space, since there is no bounded difference to cast against.
pub(crate) fn ray_cast([a, b]: [&Solid<'_>; 2], b_in_a: &Relative, way: DVec3, stats: &mut Stats) -> Option<Cast> {
    let margins = a.margin + b.margin;
    match (a.core, b.core) {
        (Core::Polyhedron(p), Core::Polyhedron(q)) => {
            let ray = DifferenceRay::new(p, q, b_in_a, way, margins);
            let passage = dispatch(OfPolyhedra { ray: &ray, stats });
            ray.end(passage, stats).ok()
        }
        (Core::Polyhedron(p), Core::Smooth(q)) => DifferenceRay::new(p, q, b_in_a, way, margins).cast(stats).ok(),
        (Core::Smooth(p), Core::Polyhedron(q)) => DifferenceRay::new(p, q, b_in_a, way, margins).cast(stats).ok(),
        (Core::Smooth(p), Core::Smooth(q)) => DifferenceRay::new(p, q, b_in_a, way, margins).cast(stats).ok(),
        (Core::HalfSpace { .. }, _) | (_, Core::HalfSpace { .. }) => None,
    }
}

/// Casts a triangle along `way` towards `b`, as [`ray_cast`] does. Where they do not touch: the normal, from the
/// triangle to `b`, of a plane that is between them all the way; zero where none is known.
pub(crate) fn triangle_cast(
    triangle: &Corners,
    b: &Solid<'_>,
    b_in_a: &Relative,
    way: DVec3,
    stats: &mut Stats,
) -> Result<Cast, DVec3> {
    match b.core {
        Core::Polyhedron(q) => {
            let ray = DifferenceRay::new(triangle, q, b_in_a, way, b.margin);
            let passage = dispatch(OfTriangle { ray: &ray, stats });
            ray.end(passage, stats)
        }
        Core::Smooth(q) => DifferenceRay::new(triangle, q, b_in_a, way, b.margin).cast(stats),
        Core::HalfSpace { .. } => Err(DVec3::ZERO),
    }
}

struct OfPolyhedra<'q, 'm> {
    ray: &'q DifferenceRay<'m, Convex, Convex>,
    stats: &'q mut Stats,
}

impl Kernel for OfPolyhedra<'_, '_> {
    type Output = Passage;

    #[inline(always)]
    fn run<S: Simd>(self) -> Passage {
        let [a, b] = &At::<S>::both(&self.ray.m);
        through_portal(&self.ray.between(a, b), self.stats)
    }
}

struct OfTriangle<'q, 'm> {
    ray: &'q DifferenceRay<'m, Corners, Convex>,
    stats: &'q mut Stats,
}

impl Kernel for OfTriangle<'_, '_> {
    type Output = Passage;

    #[inline(always)]
    fn run<S: Simd>(self) -> Passage {
        through_portal(&self.ray.between(self.ray.m.a, &At::<S>::of(self.ray.m.b)), self.stats)
    }
}

impl<'m, A: Mapped + ?Sized, B: Mapped + ?Sized> DifferenceRay<'m, A, B> {
    fn cast(&self, stats: &mut Stats) -> Result<Cast, DVec3> {
        let passage = through_portal(self, stats);
        self.end(passage, stats)
    }

    fn end(&self, passage: Passage, stats: &mut Stats) -> Result<Cast, DVec3> {
        match passage {
            Passage::Never(normal) => Err(normal),
            Passage::AtStart => {
                Ok(Cast { share: 0.0, upper: None, normal: DVec3::ZERO, point: DVec3::ZERO, corners: None })
            }
            Passage::Enters(Entry { lower, upper, normal, on_a, corners, names }) => {
                Ok(Cast { share: lower, upper, normal, point: on_a, corners: Some((corners, names)) })
            }
            Passage::Unsure => self.by_gjk(stats).ok_or(DVec3::ZERO),
        }
    }

    /// By a simplex that walks towards the ray.
    #[cold]
    fn by_gjk(&self, stats: &mut Stats) -> Option<Cast> {
        let DifferenceRay { way: r, near, .. } = *self;
        let (mut share, mut slack, mut normal) = (0.0, 0.0, DVec3::ZERO);
        let mut x = DVec3::ZERO;
        let mut v = -self.m.centre;
        // Points of the difference that carry the one nearest to `x`.
        let (mut simplex, mut names, mut count) = ([DVec3::ZERO; 4], [[0; 2]; 4], 0);
        let (mut on_a, mut weights) = ([DVec3::ZERO; 4], [0.0; 4]);
        for step in 0..MOST_STEPS {
            let square = v.length_squared();
            if square <= near * near {
                break;
            }
            let length = square.sqrt();
            let tilted = step < MOST_TILTS && v.dot(normal) < STEEP * length;
            let d = if tilted { v + normal * (TILT * length) } else { v };
            let mut probe = self.probe(d, x, names[0], stats);
            let is_new = |p: &Probe| count == 0 || p.d.dot(v) - p.height > p.noise && !simplex[..count].contains(&p.w);
            let mut new = is_new(&probe);
            if !new && probe.height <= probe.noise {
                if !tilted {
                    break;
                }
                probe = self.probe(v, x, names[0], stats);
                new = is_new(&probe);
                if !new && probe.height <= probe.noise {
                    break;
                }
            }
            if probe.height > probe.noise {
                let along = probe.d.dot(r);
                if along <= 0.0 {
                    return None;
                }
                share += probe.height / along;
                slack = probe.noise / along;
                if share - slack > 1.0 {
                    return None;
                }
                (x, normal) = (r * -share, probe.d / probe.length);
            }
            if new {
                count = count.min(3);
                (simplex[count], names[count], on_a[count]) = (probe.w, probe.names, probe.on_a);
                count += 1;
            }
            let from_x = [simplex[0] - x, simplex[1] - x, simplex[2] - x, simplex[3] - x];
            let foot = RegionWalk::foot(&from_x[..count]);
            for k in 0..foot.count {
                let from = usize::from(foot.kept[k]);
                (simplex[k], names[k], on_a[k]) = (simplex[from], names[from], on_a[from]);
            }
            (count, weights) = (foot.count, foot.weights);
            v = -foot.point;
        }
        if slack > FINE {
            slack = slack.min(self.noise_along(normal, stats) / normal.dot(r));
        }
        let point = (0..count).fold(DVec3::ZERO, |sum, k| sum + on_a[k] * weights[k]);
        let share = (share - slack).max(0.0);
        let corners = (count == 3 && share > 0.0).then(|| {
            let ([x, y, z, _], [i, j, k, _]) = (simplex, names);
            ([x, y, z], [i, j, k])
        });
        Some(Cast { share, upper: None, normal, point, corners })
    }

    /// The farthest point of the difference along `d`, and how far `x` is beyond the plane through it; `d` is not zero.
    fn probe(&self, d: DVec3, x: DVec3, hints: [u32; 2], stats: &mut Stats) -> Probe {
        let length = d.length();
        stats.iterations += 1;
        let apex = self.m.support(-d, hints, stats);
        let w = if self.margins > 0.0 { apex.w + d * (self.margins / length) } else { apex.w };
        Probe { d, length, w, on_a: apex.points[0], names: apex.names, height: d.dot(x - w), noise: self.near * length }
    }
}

/// What the support along one direction shows.
struct Probe {
    d: DVec3,
    length: f64,
    /// The farthest point of the difference, that of `a` in it, and the names of the vertices that make it.
    w: DVec3,
    on_a: DVec3,
    names: [u32; 2],
    /// How far `x` lies beyond the plane through that point, and how much of that may be rounding; both times the
    /// length of the direction.
    height: f64,
    noise: f64,
}

//! When two convex pieces that only translate touch: a ray cast against their difference.
//!
//! G. van den Bergen, *Ray casting against general convex objects*, 2004. With `a` moving by `r` relative to `b`, the
//! bodies touch at the share `λ` of the way for which `−λ·r` is a point of the [`Difference`]. The simplex of GJK walks
//! towards `x = −λ·r` instead of the origin; whenever the plane through the support `p` across `v` has `x` on the far
//! side, `x` is moved along the ray on to that plane. Every move is by a plane that has all of the difference behind
//! it, so `λ` never overshoots.
//!
//! Here we deviate: any direction gives such a plane, not only `v`. After a move, `x` lies on the last plane, and `v`
//! is nearly parallel to it, so that its support is far to the side. So the search uses `v` tilted towards the last
//! normal, as long as that finds new points. The first direction comes from an ellipsoid. Both together save a third of
//! the supports.
//!
//! Invariant: no point `−μ·r` with `μ < λ` is in the difference. The cast ends when `x` is a point of the difference,
//! up to rounding, or when the ray misses it. The general engine ([`super::advance`]) answers for every motion; this
//! one is the classic, and its oracle for translations. Cost: as a GJK query.

use glam::{DMat3, DVec3};

use super::facet::DifferenceFacet;
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::math::{EPS, Relative, normalising_scale};
use crate::model::Convex;
use crate::model::round::Core;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::convex::simplex::minkowski::{At, Difference, Mapped};
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
#[derive(Debug)]
pub(crate) struct Cast<'m> {
    /// The share of the way after which the pieces touch, up to rounding; 0 if they touch at the start.
    pub(crate) share: f64,
    /// The unit normal from `a` to `b`; zero when the share is 0.
    pub(crate) normal: DVec3,
    /// The point of the core of `a` where they touch, in `a`'s frame, up to rounding.
    pub(crate) point: DVec3,
    /// The facet of the difference through which the ray enters it, where polyhedra have one.
    pub(crate) facet: Option<DifferenceFacet<'m>>,
}

/// Casts `a` along `way`, a vector of its own frame, towards `b`; `None` when they do not touch, and where one is a
/// half-space, since there is no bounded difference to cast against.
pub(crate) fn ray_cast<'m>(
    [a, b]: [&Solid<'m>; 2],
    b_in_a: &Relative,
    way: DVec3,
    stats: &mut Stats,
) -> Option<Cast<'m>> {
    let margins = a.margin + b.margin;
    match (a.core, b.core) {
        (Core::Polyhedron(p), Core::Polyhedron(q)) => {
            let ray = Ray::new(p, q, b_in_a, way, margins).with_first_guess();
            let end = dispatch(Polyhedral { ray: &ray, stats })?;
            let facet = (end.count == 3 && margins == 0.0 && end.share > 0.0).then(|| {
                let ([x, y, z, _], [i, j, k, _]) = (end.simplex, end.names);
                DifferenceFacet::of_points(&Polyhedra { a: p, b: q, b_in_a: *b_in_a }, [x, y, z], [i, j, k], way)
            });
            Some(Cast { share: end.share, normal: end.normal, point: end.point, facet: facet.flatten() })
        }
        (Core::Polyhedron(p), Core::Smooth(q)) => Ray::new(p, q, b_in_a, way, margins).smooth(stats),
        (Core::Smooth(p), Core::Polyhedron(q)) => Ray::new(p, q, b_in_a, way, margins).smooth(stats),
        (Core::Smooth(p), Core::Smooth(q)) => Ray::new(p, q, b_in_a, way, margins).smooth(stats),
        (Core::HalfSpace { .. }, _) | (_, Core::HalfSpace { .. }) => None,
    }
}

/// The ray and the difference that it is cast against, in units of the difference.
struct Ray<'m, A: ?Sized, B: ?Sized> {
    m: Difference<'m, A, B>,
    way: DVec3,
    margins: f64,
    /// Points nearer to each other than this are taken to be the same.
    near: f64,
    /// The first direction tried, from `a` to `b`.
    first: DVec3,
}

/// The end of a cast: the normal of the plane last crossed, and the points that carry the end.
struct End {
    share: f64,
    normal: DVec3,
    point: DVec3,
    count: usize,
    simplex: [DVec3; 4],
    names: [[u32; 2]; 4],
}

struct Polyhedral<'q, 'm> {
    ray: &'q Ray<'m, Convex, Convex>,
    stats: &'q mut Stats,
}

impl Kernel for Polyhedral<'_, '_> {
    type Output = Option<End>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<End> {
        let Ray { ref m, way, margins, near, first } = *self.ray;
        let [a, b] = &At::<S>::both(m);
        Ray { m: m.between(a, b), way, margins, near, first }.cast(self.stats)
    }
}

impl<'m, A: Mapped + ?Sized, B: Mapped + ?Sized> Ray<'m, A, B> {
    fn new(a: &'m A, b: &'m B, b_in_a: &Relative, way: DVec3, margins: f64) -> Self {
        let mut m = Difference::new(a, b, *b_in_a);
        let (centre, radius) = (m.centre / m.scale, m.radius / m.scale);
        let size = centre.length() + radius + margins + way.length();
        m.scale = if (1e-30..1e30).contains(&size) { 1.0 } else { normalising_scale(size) };
        (m.centre, m.radius) = (centre * m.scale, radius * m.scale);
        let near = 64.0 * EPS * size * m.scale;
        Ray { way: way * m.scale, margins: margins * m.scale, near, first: -m.centre, m }
    }

    fn smooth<'n>(&self, stats: &mut Stats) -> Option<Cast<'n>> {
        self.cast(stats).map(|end| Cast { share: end.share, normal: end.normal, point: end.point, facet: None })
    }

    #[inline(always)]
    fn cast(&self, stats: &mut Stats) -> Option<End> {
        let Ray { way: r, near, .. } = *self;
        let (mut share, mut slack, mut normal) = (0.0, 0.0, DVec3::ZERO);
        let mut x = DVec3::ZERO;
        let mut v = self.first;
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
        Some(End { share: (share - slack).max(0.0), normal, point, count, simplex, names })
    }

    /// The rounding error of a height along `n`, from how far the difference and the way reach along each axis: so the
    /// width of a floor does not add to the error of heights above it. Where `b` is turned, each axis has the error of
    /// the longest one.
    #[cold]
    fn noise_along(&self, n: DVec3, stats: &mut Stats) -> f64 {
        let mut reach = self.way.abs();
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            for d in [axis, -axis] {
                let [p, q] = self.m.support(d, [0; 2], stats).points;
                reach = reach.max((p.abs() + q.abs()) * self.m.scale);
            }
        }
        let turned = if self.m.b_in_a.is_rotated() { reach.max_element() } else { 0.0 };
        let along = n.abs().dot(reach + self.margins + turned);
        64.0 * EPS * along
    }

    /// The farthest point of the difference along `d`, and how far `x` is beyond the plane through it; `d` is not zero.
    #[inline(always)]
    fn probe(&self, d: DVec3, x: DVec3, hints: [u32; 2], stats: &mut Stats) -> Probe {
        stats.iterations += 1;
        let length = d.length();
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

impl Ray<'_, Convex, Convex> {
    /// The same ray with a better first direction. The vertices of both bodies have the covariances `Σ`; vertices all
    /// over an ellipsoid have a third of its squared axes. So `yᵀ(Σa + Σb)⁻¹y = 6` about the centre is nearly the
    /// border of the difference of two ellipsoids, and the ray enters the bodies' difference about where it enters that
    /// ellipsoid.
    fn with_first_guess(self) -> Self {
        let (m, r) = (&self.m, self.way);
        let turn = m.b_in_a.rotation;
        let scatter = m.a.scatter() + turn * m.b.scatter() * turn.transpose();
        let size = scatter.x_axis.x + scatter.y_axis.y + scatter.z_axis.z;
        // Flat bodies are given some thickness. The adjugate of a symmetric matrix is the inverse but for a factor.
        let DMat3 { x_axis: x, y_axis: y, z_axis: z } =
            scatter * size.recip() + DMat3::from_diagonal(DVec3::splat(1e-3));
        let adjugate = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
        let edge = 6.0 * size * m.scale * m.scale * x.dot(adjugate.x_axis);
        let (by_way, by_centre) = (adjugate * r, adjugate * m.centre);
        let (square, half) = (r.dot(by_way), r.dot(by_centre));
        let root = (half * half - square * (m.centre.dot(by_centre) - edge)).max(0.0).sqrt();
        let share = (-(half + root) / square).clamp(0.0, 1.0);
        let guess = (by_way * -share - by_centre).normalize() * m.centre.length();
        if guess.is_finite() { Ray { first: guess, ..self } } else { self }
    }
}

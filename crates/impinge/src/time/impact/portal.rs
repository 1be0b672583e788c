//! Where a ray enters the Minkowski difference of two convex bodies: between a bound from below and one from above.
//!
//! G. Snethen, *XenoCollide: complex collision made simple*, Game Programming Gems 7, 2008. Seen along the ray, three
//! points of the difference make a triangle around the ray: the portal. The ray meets the portal in a point of the
//! difference, so it enters no later; and every plane with the difference behind it says that it enters no earlier. The
//! support across the portal gives such a plane, and a point that makes three smaller portals with the old one's
//! edges, through one of which the ray passes. Of polyhedra the portal is a triangle of a facet after a few steps.
//!
//! Here we deviate. All is measured in a frame of the ray, `across` it and `along` it, and a plane is a *slope*: how
//! far it rises along the ray for each step across. The first three points are sought near the place where the ray
//! enters a ball in place of the difference, not on its outline. And since portals only halve the error where a body is
//! curved, the next plane is there the one that touches the round pieces at the corners of the portal
//! ([`super::round_pieces`]): that is the last plane as soon as these are the right pieces. Of bodies that are known by
//! their supports alone every second slope is mixed from those at the corners, as the secant method does for one
//! unknown.
//!
//! Invariant: no point of the ray before `lower` is in the difference; the point at `upper` is in it by more than
//! rounding ([`super::surely_inside`]). Cost: five or six supports.

use arrayvec::ArrayVec;
use glam::{DVec2, DVec3};

use super::difference_ray::DifferenceRay;
use super::facet::Names;
use super::round_pieces::{CommonPlane, RoundPiece, Roundness};
use super::surely_inside::{Middle, surely_inside};
use crate::answer::Stats;
use crate::math::EPS;
use crate::narrow::convex::simplex::minkowski::Mapped;
use crate::prim::Rim;

/// The most points that are looked for until three of them are around the ray.
const MOST_FIRST: usize = 24;
/// The most steps afterwards.
const MOST_STEPS: usize = 64;
/// An interval wider than so many times the noise is left to another engine.
const WIDEST: f64 = 4096.0;
/// The steepest slope that is tried first.
const STEEPEST: f64 = 4.0;
/// The radius of a ball in place of the difference, as a share of that around it.
const ROUND: f64 = 0.7;
/// If the rounding of the share may exceed this, it is computed again for the normal alone, which may be less.
const FINE: f64 = 1e-11;

/// How the ray passes the difference.
pub(super) enum Passage {
    /// It does not meet it: a plane across this vector is between the difference and all of the ray, as far as that
    /// goes; zero where none is known.
    Never(DVec3),
    /// It meets it where it begins, up to rounding.
    AtStart,
    Enters(Entry),
    /// The portal is so thin, or the ray so near to the border, that rounding leaves open how it goes on.
    Unsure,
}

/// Where the ray enters.
pub(super) struct Entry {
    /// Shares of the way.
    pub(super) lower: f64,
    pub(super) upper: Option<f64>,
    /// The unit normal of the plane through the lower end, out of the difference.
    pub(super) normal: DVec3,
    /// The point of `a`, without its margin.
    pub(super) on_a: DVec3,
    /// Three points of the difference around the ray, and their names.
    pub(super) corners: [DVec3; 3],
    pub(super) names: Names,
}

/// A point of the difference, seen along the ray.
#[derive(Debug, Clone, Copy)]
struct Corner {
    across: DVec2,
    along: f64,
    /// That of the plane through it; not finite for a plane along the ray.
    slope: DVec2,
    on_a: DVec3,
    names: [u32; 2],
    /// The piece of the difference that it is on, and the centre of that of `a` in its frame.
    piece: RoundPiece,
    centre_a: DVec3,
}

/// A plane with all of the difference behind it: where it meets the ray, less the rounding of that.
#[derive(Debug, Clone, Copy)]
struct Bound {
    along: f64,
    slack: f64,
    slope: DVec2,
}

struct PortalSearch<'r, 'm, A: ?Sized, B: ?Sized> {
    ray: &'r DifferenceRay<'m, A, B>,
    /// Two unit vectors across the ray, and the one along it.
    axes: [DVec3; 2],
    unit: DVec3,
    /// How far the ray goes.
    length: f64,
    best: Bound,
    middle: Middle,
    round: Roundness,
    /// Whether the pieces of both bodies are known.
    known: bool,
}

/// Where the ray enters the difference.
#[inline(always)]
pub(super) fn through_portal<A: Mapped + ?Sized, B: Mapped + ?Sized>(
    ray: &DifferenceRay<'_, A, B>,
    stats: &mut Stats,
) -> Passage {
    let length = ray.way.length();
    let unit = ray.way / -length;
    if !unit.is_finite() {
        return Passage::Unsure;
    }
    match PortalSearch::new(ray, unit, length).enter(stats) {
        // The line enters before the ray begins: does it also leave before?
        Passage::AtStart => leaves_before(ray, -unit, stats),
        other => other,
    }
}

#[inline(never)]
fn leaves_before<A: Mapped + ?Sized, B: Mapped + ?Sized>(
    ray: &DifferenceRay<'_, A, B>,
    back: DVec3,
    stats: &mut Stats,
) -> Passage {
    match PortalSearch::new(ray, back, 0.0).enter(stats) {
        Passage::Never(normal) => Passage::Never(normal),
        Passage::Unsure => Passage::Unsure,
        Passage::AtStart | Passage::Enters(_) => Passage::AtStart,
    }
}

impl<'r, 'm, A: Mapped + ?Sized, B: Mapped + ?Sized> PortalSearch<'r, 'm, A, B> {
    #[inline(always)]
    fn new(ray: &'r DifferenceRay<'m, A, B>, unit: DVec3, length: f64) -> Self {
        let (e, f) = unit.any_orthonormal_pair();
        let seen = |v: DVec3| DVec3::new(e.dot(v), f.dot(v), unit.dot(v));
        let centre = seen(ray.m.centre);
        let [x, y] = [DVec3::Z, ray.m.b_in_a.rotation.z_axis].map(seen);
        PortalSearch {
            ray,
            axes: [e, f],
            unit,
            length,
            best: Bound { along: f64::NEG_INFINITY, slack: 0.0, slope: DVec2::ZERO },
            middle: Middle { across: centre.truncate(), along: centre.z, noise: ray.near },
            round: Roundness { axes: [x, y], margin: ray.margins },
            known: true,
        }
    }

    #[inline(always)]
    fn enter(mut self, stats: &mut Stats) -> Passage {
        let reach = (self.ray.m.radius + self.ray.margins) * (1.0 + 1e-12) + 2.0 * self.ray.near;
        let Middle { across, along, .. } = self.middle;
        if across.length_squared() > reach * reach || along + reach < 0.0 || along - reach > self.length {
            return Passage::Never(DVec3::ZERO);
        }
        match self.around_ray(reach, stats) {
            Ok(corners) => self.narrow(corners, stats),
            Err(Some(normal)) => Passage::Never(normal),
            Err(None) => Passage::Unsure,
        }
    }

    /// Three points around the ray, counterclockwise; else the normal of a plane that parts it from the difference, or
    /// `None` where rounding hides both.
    #[inline(always)]
    fn around_ray(&mut self, reach: f64, stats: &mut Stats) -> Result<[Corner; 3], Option<DVec3>> {
        let near = self.ray.near;
        let mut tilt = 0.5;
        let mut next = self.probe(self.first_slope(reach), [0; 2], stats);
        let mut found = [next; 3];
        let mut count = 0;
        for _ in 0..MOST_FIRST {
            if self.best.along > self.length {
                return Err(Some(self.normal()));
            }
            found[count] = next;
            count += 1;
            if count == 3 {
                let [x, y, z] = areas(&found);
                if x >= 0.0 && y >= 0.0 && z >= 0.0 && x + y + z > 0.0 {
                    return Ok(found);
                }
                if x <= 0.0 && y <= 0.0 && z <= 0.0 && x + y + z < 0.0 {
                    found.swap(1, 2);
                    return Ok(found);
                }
                let [a, b] = [foot(&found[0], &found[2]).0, foot(&found[1], &found[2]).0];
                let old = usize::from(a.length_squared() < b.length_squared());
                found[old] = found[2];
                count = 2;
            }
            let (to, slope) = if count == 2 { foot(&found[0], &found[1]) } else { (found[0].across, found[0].slope) };
            let off = to.length();
            let outward = if off > near {
                -to / off
            } else if count == 2 {
                // The ray passes through the points found: any side will do.
                (found[1].across - found[0].across).perp().normalize_or(DVec2::X)
            } else {
                DVec2::X
            };
            loop {
                let tilted = tilt < 2.0 * STEEPEST && slope.is_finite();
                next = if tilted {
                    self.probe(slope + outward * tilt, next.names, stats)
                } else {
                    self.probe_across(outward, stats)
                };
                let gain = next.across.dot(outward);
                if !tilted && gain < -2.0 * near {
                    return Err(Some(self.placed(outward.extend(0.0))));
                }
                if !tilted || gain > -0.5 * off {
                    break;
                }
                tilt *= 4.0;
            }
        }
        Err(None)
    }

    /// Smaller and smaller portals.
    #[inline(always)]
    fn narrow(&mut self, mut corners: [Corner; 3], stats: &mut Stats) -> Passage {
        let near = self.ray.near;
        let (mut guesses, mut before) = (true, f64::INFINITY);
        for _ in 0..MOST_STEPS {
            let areas = areas(&corners);
            let sum = areas[0] + areas[1] + areas[2];
            let weights = [areas[0] / sum, areas[1] / sum, areas[2] / sum];
            let portal = corners[0].along * weights[0] + corners[1].along * weights[1] + corners[2].along * weights[2];
            let slope = slope_of(&corners, sum);
            if !(sum > 0.0 && slope.is_finite() && portal.is_finite()) {
                return Passage::Unsure;
            }
            let noise = near * (1.0 + slope.length());
            if portal < -2.0 * noise {
                return Passage::AtStart;
            }
            let guess = if guesses && self.known && self.is_round(&corners) {
                self.guess(&corners, weights, slope, noise)
            } else {
                None
            };
            let mixed = corners[0].slope * weights[0] + corners[1].slope * weights[1] + corners[2].slope * weights[2];
            let mixes = guesses && !self.known && mixed.is_finite();
            let tried = match &guess {
                Some(guess) => guess.plane.slope,
                None if mixes => mixed,
                None => slope,
            };
            let next = self.probe(tried, corners[0].names, stats);
            if self.best.along > self.length {
                return Passage::Never(self.normal());
            }
            let fine = 8.0 * near * (1.0 + tried.length());
            if let Some(guess) = &guess
                && -guess.plane.most - self.best.along <= fine
            {
                return self.ended_by_pieces(&corners, guess, stats);
            }
            let gap = portal - self.best.along;
            let below = portal + slope.dot(next.across) - next.along;
            let is_plane = guess.is_none() && !mixes;
            if gap <= fine || is_plane && below <= 4.0 * noise {
                return self.ended(&corners, weights, portal, stats);
            }
            // The plane of the portal itself is next where a guess does not pay.
            guesses = is_plane || below > 0.0 && !(mixes && gap > 0.25 * before);
            before = gap;
            if below > 0.0 {
                let side = |k: usize| next.across.perp_dot(corners[k].across);
                let [x, y, z] = [side(0), side(1), side(2)];
                let left = if y >= 0.0 && z <= 0.0 {
                    0
                } else if z >= 0.0 && x <= 0.0 {
                    1
                } else {
                    2
                };
                corners[left] = next;
            }
        }
        Passage::Unsure
    }

    #[inline(always)]
    fn is_round(&self, corners: &[Corner; 3]) -> bool {
        let radii = |k: usize| corners[k].piece.radii[0] + corners[k].piece.radii[1];
        self.ray.margins > 0.0 || radii(0) + radii(1) + radii(2) > 0.0
    }

    /// The plane that the pieces at the corners touch.
    #[inline(never)]
    fn guess(&self, corners: &[Corner; 3], weights: [f64; 3], slope: DVec2, noise: f64) -> Option<Guess> {
        let (mut pieces, mut from, mut shares) = (ArrayVec::<RoundPiece, 3>::new(), [0; 3], [0.0; 3]);
        for (k, corner) in corners.iter().enumerate() {
            let known = pieces.iter().position(|piece| piece.is(&corner.piece));
            let at = known.unwrap_or(pieces.len());
            if known.is_none() {
                pieces.push(corner.piece);
                from[at] = k;
            }
            shares[at] += weights[k];
        }
        let plane = self.round.common_plane(&pieces, shares, slope, 4.0 * noise)?;
        Some(Guess { pieces, from, plane })
    }

    /// Of the best plane, of unit length and out of the difference.
    fn normal(&self) -> DVec3 {
        let slope = self.best.slope;
        self.placed(slope.extend(-1.0)) / (1.0 + slope.length_squared()).sqrt()
    }

    /// The lower end of the interval as a share, and the normal there.
    fn lower(&self, stats: &mut Stats) -> (f64, DVec3) {
        let Bound { along, slack, slope } = self.best;
        let (rise, normal) = ((1.0 + slope.length_squared()).sqrt(), self.normal());
        let gain = if slack > FINE * self.length {
            (slack - self.ray.noise_along(normal, stats) * rise).max(0.0)
        } else {
            0.0
        };
        (((along + gain) / self.length * (1.0 - 2.0 * EPS)).max(0.0), normal)
    }

    /// A share as an upper end.
    fn upper(&self, along: Option<f64>) -> Option<f64> {
        along.map(|along| along / self.length * (1.0 + 2.0 * EPS)).filter(|share| *share <= 1.0)
    }

    fn ended(&self, corners: &[Corner; 3], weights: [f64; 3], portal: f64, stats: &mut Stats) -> Passage {
        let steep = 1.0 + self.best.slope.length();
        if portal - self.best.along > WIDEST * self.ray.near * steep {
            return Passage::Unsure;
        }
        let (lower, normal) = self.lower(stats);
        let [x, y, z] = corners;
        let seen = [x.across.extend(x.along), y.across.extend(y.along), z.across.extend(z.along)];
        Passage::Enters(Entry {
            lower,
            upper: self.upper(surely_inside(&seen, &self.middle)),
            normal,
            on_a: x.on_a * weights[0] + y.on_a * weights[1] + z.on_a * weights[2],
            corners: [self.placed(seen[0]), self.placed(seen[1]), self.placed(seen[2])],
            names: [x.names, y.names, z.names],
        })
    }

    #[inline(never)]
    fn ended_by_pieces(&self, corners: &[Corner; 3], guess: &Guess, stats: &mut Stats) -> Passage {
        let Guess { pieces, from, plane } = guess;
        let (lower, normal) = self.lower(stats);
        let d = plane.slope.extend(-1.0);
        let rim = match plane.on_disc {
            Some((0, to_ray)) => to_ray,
            _ => self.round.rim(0, d).map_or(DVec3::ZERO, |(rim, _)| rim),
        };
        let (mut on_a, mut off) = (DVec3::ZERO, DVec2::ZERO);
        let mut names: Option<Names> = None;
        for (k, piece) in pieces.iter().enumerate().filter(|(k, _)| plane.weights[*k] > 0.0) {
            let corner = &corners[from[k]];
            let out = if matches!(plane.on_disc, Some((0, _))) { 1.0 } else { piece.radii[0] };
            on_a += (corner.centre_a + self.placed(rim * out)) * plane.weights[k];
            off += self.round.reach(piece, plane.slope).across * plane.weights[k];
            names.get_or_insert([corner.names; 3])[k] = corner.names;
        }
        let names = names.unwrap_or([corners[from[0]].names; 3]);
        let portal = -plane.most;
        let upper = if self.ray.margins > 0.0 {
            // The ball of the margin holds the place a little farther along the ray, as long as it is not farther from
            // the core: twice the cosine between normal and ray is how fast it comes nearer.
            let rise = (1.0 + plane.slope.length_squared()).sqrt();
            let off = if plane.on_disc.is_some() { 0.0 } else { off.length() };
            let beyond = 8.0 * (self.ray.near + off) * rise;
            (beyond * rise <= self.ray.margins).then_some(portal + beyond)
        } else {
            surely_inside(&self.round.around_ray(pieces, plane), &self.middle)
        };
        let upper = self.upper(upper);
        Passage::Enters(Entry { lower, upper, normal, on_a, corners: [DVec3::ZERO; 3], names })
    }

    /// A vector of the ray's frame in that of `a`.
    fn placed(&self, v: DVec3) -> DVec3 {
        self.axes[0] * v.x + self.axes[1] * v.y + self.unit * v.z
    }

    /// The slope with which the ray enters a ball around the middle, or one as near to its outline as makes sense.
    #[inline(always)]
    fn first_slope(&self, reach: f64) -> DVec2 {
        let (radius, off) = (ROUND * reach, -self.middle.across);
        let square = radius * radius - off.length_squared();
        if square > 0.0 { (off / square.sqrt()).clamp_length_max(STEEPEST) } else { off.normalize_or_zero() * STEEPEST }
    }

    /// The farthest point along the normal of a plane of this slope.
    #[inline(always)]
    fn probe(&mut self, slope: DVec2, hints: [u32; 2], stats: &mut Stats) -> Corner {
        let d = self.axes[0] * slope.x + self.axes[1] * slope.y - self.unit;
        let length = (1.0 + slope.length_squared()).sqrt();
        let corner = self.corner(d, length, slope, hints, stats);
        let slack = self.ray.near * length;
        let along = corner.along - slope.dot(corner.across) - slack;
        if along > self.best.along {
            self.best = Bound { along, slack, slope };
        }
        corner
    }

    /// The farthest point across the ray.
    #[inline(always)]
    fn probe_across(&mut self, outward: DVec2, stats: &mut Stats) -> Corner {
        let d = self.axes[0] * outward.x + self.axes[1] * outward.y;
        self.corner(d, 1.0, DVec2::INFINITY, [0; 2], stats)
    }

    #[inline(always)]
    fn corner(&mut self, d: DVec3, length: f64, slope: DVec2, hints: [u32; 2], stats: &mut Stats) -> Corner {
        let m = &self.ray.m;
        stats.iterations += 1;
        let (names, [p, q]) = m.farthest(-d, hints, stats);
        let (on_a, on_b) = (PieceEnd::of(m.a.rim(p), p), PieceEnd::of(m.b.rim(q), q));
        self.known &= on_a.known && on_b.known;
        let radii = [on_a.radius * m.scale, on_b.radius * m.scale];
        let (e, f, unit) = (self.axes[0], self.axes[1], self.unit);
        let seen = |v: DVec3| DVec3::new(e.dot(v), f.dot(v), unit.dot(v));
        let core = seen((p - m.b_in_a.apply(q)) * m.scale);
        let is_disc = radii[0] + radii[1] > 0.0;
        let centre = if is_disc { seen((on_a.centre - m.b_in_a.apply(on_b.centre)) * m.scale) } else { core };
        let point = if self.ray.margins > 0.0 {
            // The direction in the ray's frame.
            let d = if slope.is_finite() { slope.extend(-1.0) } else { seen(d) };
            core + d * (self.ray.margins / length)
        } else {
            core
        };
        let piece = RoundPiece { centre, radii };
        Corner { across: point.truncate(), along: point.z, slope, on_a: p, names, piece, centre_a: on_a.centre }
    }
}

/// The piece of one body that a support is on: a disc, or the support itself.
struct PieceEnd {
    centre: DVec3,
    radius: f64,
    known: bool,
}

impl PieceEnd {
    #[inline(always)]
    fn of(rim: Rim, support: DVec3) -> PieceEnd {
        match rim {
            Rim::Corner => PieceEnd { centre: support, radius: 0.0, known: true },
            Rim::Unknown => PieceEnd { centre: support, radius: 0.0, known: false },
            Rim::Disc { centre, radius } => PieceEnd { centre, radius, known: true },
        }
    }
}

/// A plane that is likely to be the last, and the pieces that it touches, with the corners that they are from.
struct Guess {
    pieces: ArrayVec<RoundPiece, 3>,
    from: [usize; 3],
    plane: CommonPlane,
}

/// Twice the areas of the triangles between the ray and the edge opposite to each corner.
#[inline(always)]
fn areas([a, b, c]: &[Corner; 3]) -> [f64; 3] {
    [b.across.perp_dot(c.across), c.across.perp_dot(a.across), a.across.perp_dot(b.across)]
}

/// The slope of the plane through three corners, twice whose area is given.
#[inline(always)]
fn slope_of([a, b, c]: &[Corner; 3], area: f64) -> DVec2 {
    let (p, q) = (b.across - a.across, c.across - a.across);
    let (h, k) = ((b.along - a.along) / area, (c.along - a.along) / area);
    DVec2::new(h * q.y - k * p.y, k * p.x - h * q.x)
}

/// The place between two corners that is nearest to the ray, and the slope between theirs.
#[inline(always)]
fn foot(a: &Corner, b: &Corner) -> (DVec2, DVec2) {
    let u = b.across - a.across;
    let square = u.length_squared();
    let share = if square > 0.0 { (-a.across.dot(u) / square).clamp(0.0, 1.0) } else { 0.0 };
    (a.across + u * share, a.slope + (b.slope - a.slope) * share)
}

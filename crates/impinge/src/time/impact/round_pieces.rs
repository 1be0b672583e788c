//! The plane that up to three pieces of a convex body touch, and that a ray meets before it meets any of them.
//!
//! A *piece* is a point, up to two discs and a ball, added up. Boxes, hulls, capsules, cylinders and cones are the
//! hulls of finitely many pieces, and so are their differences. Seen along a ray, a plane is a slope: how far it rises
//! along the ray for each step across. How far a plane of the slope `g` has to be moved against the ray until a piece
//! is behind it is a convex function of `g`, its *reach*; the place where the plane then touches the piece is the
//! gradient. Wanted is the slope at which the largest reach of all pieces is least: there some of them, with weights,
//! touch the plane around the ray.
//!
//! Newton's method on the conditions of that minimum: the reaches of the pieces that count are equal, and the weighted
//! places are on the ray. A piece with a negative weight no longer counts; one that reaches farther counts again. Where
//! the plane lies on a disc, the reach has a kink and no second derivative: the plane of the disc is tried first.
//!
//! What is found is a guess: the caller measures it with supports. Cost: some five steps.

use arrayvec::ArrayVec;
use glam::{DVec2, DVec3};

/// The most steps; half of the questions take five, and what takes more is left to the caller.
const MOST_STEPS: usize = 12;
/// A step of the slope shorter than this, as a share of it, is the last.
const LAST: f64 = 1e-7;
/// Curvatures that are less, as shares of all, are none.
const FLAT: f64 = 1e-12;

/// A piece, in the frame of a ray: two coordinates across it and one along it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundPiece {
    pub(super) centre: DVec3,
    /// Of the discs, 0 where it has none.
    pub(super) radii: [f64; 2],
}

/// What all pieces of a body have in common: the axes of their discs, and the radius of the ball.
#[derive(Debug, Clone, Copy)]
pub(super) struct Roundness {
    pub(super) axes: [DVec3; 2],
    pub(super) margin: f64,
}

/// The reach of a piece for a slope, and the first and second derivatives.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reach {
    pub(super) most: f64,
    pub(super) across: DVec2,
    bend: [f64; 3],
}

/// The plane found.
pub(super) struct CommonPlane {
    pub(super) slope: DVec2,
    /// The largest reach: the ray meets the plane at minus that.
    pub(super) most: f64,
    /// Of the pieces; 0 of those that do not count.
    pub(super) weights: [f64; 3],
    /// Where the plane lies on a disc: which, and from its centre to the ray.
    pub(super) on_disc: Option<(usize, DVec3)>,
}

impl RoundPiece {
    /// Whether it is the same one.
    #[inline]
    pub(super) fn is(&self, other: &RoundPiece) -> bool {
        self.centre == other.centre && self.radii[0] == other.radii[0] && self.radii[1] == other.radii[1]
    }
}

impl Reach {
    /// Where the plane of the slope touches.
    pub(super) fn along(&self, slope: DVec2) -> f64 {
        slope.dot(self.across) - self.most
    }
}

impl Roundness {
    /// From the axis of a disc to the point of its rim that is farthest along `d`, for a radius of 1; `None` where all
    /// of the disc is about as far.
    #[inline]
    pub(super) fn rim(&self, disc: usize, d: DVec3) -> Option<(DVec3, f64)> {
        let axis = self.axes[disc];
        let flat = d - axis * axis.dot(d);
        let length = flat.length();
        (length > FLAT).then(|| (flat / length, length))
    }

    #[inline]
    pub(super) fn reach(&self, piece: &RoundPiece, slope: DVec2) -> Reach {
        let d = slope.extend(-1.0);
        let mut found = Reach { most: piece.centre.dot(d), across: piece.centre.truncate(), bend: [0.0; 3] };
        for disc in 0..2 {
            let radius = piece.radii[disc];
            if radius > 0.0
                && let Some((rim, length)) = self.rim(disc, d)
            {
                found.most += radius * length;
                found.across += rim.truncate() * radius;
                let (t, bend) = (self.axes[disc].cross(rim), radius / length);
                found.bend[0] += bend * t.x * t.x;
                found.bend[1] += bend * t.x * t.y;
                found.bend[2] += bend * t.y * t.y;
            }
        }
        if self.margin > 0.0 {
            let length = d.length();
            let (unit, bend) = (slope / length, self.margin / length);
            found.most += self.margin * length;
            found.across += unit * self.margin;
            found.bend[0] += bend * (1.0 - unit.x * unit.x);
            found.bend[1] -= bend * unit.x * unit.y;
            found.bend[2] += bend * (1.0 - unit.y * unit.y);
        }
        found
    }

    /// The plane that these pieces touch, from a first slope and first weights; `None` where the steps do not end.
    pub(super) fn common_plane(
        &self,
        pieces: &ArrayVec<RoundPiece, 3>,
        first: [f64; 3],
        start: DVec2,
        noise: f64,
    ) -> Option<CommonPlane> {
        if let Some(found) = self.on_disc(pieces, first, noise) {
            return Some(found);
        }
        let mut counting: ArrayVec<usize, 3> = (0..pieces.len()).collect();
        let (mut weights, mut slope) = (first, start);
        let mut reaches = [Reach::default(); 3];
        for _ in 0..MOST_STEPS {
            for k in 0..pieces.len() {
                reaches[k] = self.reach(&pieces[k], slope);
            }
            let (step, next) = newton(&reaches, &counting, weights)?;
            let least = (0..counting.len()).fold(0, |l, k| if next[counting[k]] < next[counting[l]] { k } else { l });
            if next[counting[least]] < 0.0 && counting.len() > 1 {
                counting.remove(least);
                let sum = counting.iter().fold(0.0, |sum, &k| sum + next[k].max(0.0));
                weights = [0.0; 3];
                for &k in &counting {
                    weights[k] = if sum > 0.0 { next[k].max(0.0) / sum } else { 1.0 / counting.len() as f64 };
                }
                continue;
            }
            weights = next;
            let (length, size) = (step.length(), 1.0 + slope.length());
            slope += if length > size { step * (size / length) } else { step };
            if length > LAST * size {
                continue;
            }
            let mut most = f64::NEG_INFINITY;
            for k in 0..pieces.len() {
                reaches[k] = self.reach(&pieces[k], slope);
                most = if counting.contains(&k) { most.max(reaches[k].most) } else { most };
            }
            match (0..pieces.len()).find(|&k| reaches[k].most > most + noise) {
                // It has been left out, so there is room.
                Some(k) => counting.push(k),
                None => return slope.is_finite().then_some(CommonPlane { slope, most, weights, on_disc: None }),
            }
        }
        None
    }

    /// The plane of a disc of the piece with the greatest weight, if the ray meets that disc, and no other piece is
    /// beyond the plane.
    fn on_disc(&self, pieces: &ArrayVec<RoundPiece, 3>, weights: [f64; 3], noise: f64) -> Option<CommonPlane> {
        let main = (0..pieces.len()).fold(0, |main, k| if weights[k] > weights[main] { k } else { main });
        for disc in 0..2 {
            let (radius, axis) = (pieces[main].radii[disc], self.axes[disc]);
            let slope = axis.truncate() / -axis.z;
            if radius == 0.0 || !slope.is_finite() || slope.length_squared() > 1e12 {
                continue;
            }
            let mut rest = pieces[main];
            rest.radii[disc] = 0.0;
            let at = self.reach(&rest, slope);
            let centre = at.across.extend(slope.dot(at.across));
            let is_first = |k: usize| self.reach(&pieces[k], slope).most <= at.most + noise;
            if centre.length_squared() < radius * radius && (0..pieces.len()).all(is_first) {
                let mut weights = [0.0; 3];
                weights[main] = 1.0;
                return Some(CommonPlane { slope, most: at.most, weights, on_disc: Some((disc, -centre)) });
            }
        }
        None
    }

    /// Three points of the pieces that touch the plane, or nearly, around the ray: across it, and along it.
    pub(super) fn around_ray(&self, pieces: &ArrayVec<RoundPiece, 3>, plane: &CommonPlane) -> [DVec3; 3] {
        /// How far slopes are off the plane's, as a share.
        const TILT: f64 = 1e-6;
        const HALF_ROOT: f64 = 0.866_025_403_784_438_6;
        let g = plane.slope;
        let tilt = TILT * (1.0 + g.length());
        let point = |k: usize, slope: DVec2| {
            let reach = self.reach(&pieces[k], slope);
            reach.across.extend(reach.along(slope))
        };
        let counting: ArrayVec<usize, 3> = (0..pieces.len()).filter(|&k| plane.weights[k] > 0.0).collect();
        match (plane.on_disc, counting.as_slice()) {
            (Some((disc, to_ray)), &[main, ..]) => {
                let mut rest = pieces[main];
                rest.radii[disc] = 0.0;
                let reach = self.reach(&rest, g);
                let centre = reach.across.extend(reach.along(g));
                let axis = self.axes[disc];
                let u = to_ray.try_normalize().unwrap_or(axis.any_orthonormal_vector()) * pieces[main].radii[disc];
                let v = axis.cross(u) * HALF_ROOT;
                [centre + u, centre - u * 0.5 + v, centre - u * 0.5 - v]
            }
            (None, &[i, j, k]) => [point(i, g), point(j, g), point(k, g)],
            (None, &[i, j]) => {
                let (p, q) = (self.reach(&pieces[i], g), self.reach(&pieces[j], g));
                let side = (q.across - p.across).perp().normalize_or(DVec2::X) * tilt;
                let is_bent = |reach: &Reach| reach.bend[0] + reach.bend[2] > 0.0;
                let first = is_bent(&p) && (plane.weights[i] >= plane.weights[j] || !is_bent(&q));
                let (bent, other) = if first { (i, j) } else { (j, i) };
                [point(bent, g + side), point(bent, g - side), point(other, g)]
            }
            (_, &[k, ..]) => {
                let (x, y) = (DVec2::X * tilt, DVec2::Y * (tilt * HALF_ROOT));
                [point(k, g + x), point(k, g - x * 0.5 + y), point(k, g - x * 0.5 - y)]
            }
            (_, []) => [DVec3::ZERO; 3],
        }
    }
}

/// Newton's step of the slope, and the weights after it.
#[inline]
fn newton(reaches: &[Reach; 3], counting: &[usize], weights: [f64; 3]) -> Option<(DVec2, [f64; 3])> {
    let mut bend = [0.0; 3];
    for &k in counting {
        let (weight, [x, y, z]) = (weights[k].max(0.0), reaches[k].bend);
        bend = [bend[0] + weight * x, bend[1] + weight * y, bend[2] + weight * z];
    }
    let bent = |v: DVec2| DVec2::new(bend[0] * v.x + bend[1] * v.y, bend[1] * v.x + bend[2] * v.y);
    let all = bend[0] + bend[2];
    let mut next = [0.0; 3];
    match *counting {
        [i] => {
            let area = bend[0] * bend[2] - bend[1] * bend[1];
            if area <= FLAT * all * all {
                return None;
            }
            let p = reaches[i].across;
            next[i] = 1.0;
            let step = DVec2::new(bend[2] * p.x - bend[1] * p.y, bend[0] * p.y - bend[1] * p.x) / -area;
            Some((step, next))
        }
        [i, j] => {
            let (p, q) = (reaches[i].across, reaches[j].across - reaches[i].across);
            let (side, square) = (q.perp(), q.length_squared());
            let (across, aslant) = (side.dot(bent(side)), side.dot(bent(q)));
            if across.is_nan() || across <= FLAT * square * all {
                return None;
            }
            let along = (reaches[i].most - reaches[j].most) / square;
            let step = q * along - side * ((side.dot(p) + along * aslant) / across);
            next[j] = -q.dot(bent(step) + p) / square;
            next[i] = 1.0 - next[j];
            Some((step, next))
        }
        [i, j, k] => {
            let p = reaches[i].across;
            let (q, r) = (reaches[j].across - p, reaches[k].across - p);
            let area = q.perp_dot(r);
            if area == 0.0 {
                return None;
            }
            let (h, l) = (reaches[i].most - reaches[j].most, reaches[i].most - reaches[k].most);
            let step = DVec2::new(h * r.y - l * q.y, l * q.x - h * r.x) / area;
            let rest = -bent(step) - p;
            (next[j], next[k]) = (rest.perp_dot(r) / area, q.perp_dot(rest) / area);
            next[i] = 1.0 - next[j] - next[k];
            Some((step, next))
        }
        _ => None,
    }
}

//! Round bodies in closed form: how far a point is from the surface, and how far the body reaches.
//!
//! A ball's distance from a body is the centre's less the radius, and its depth is the radius plus the centre's depth;
//! a half-space meets a body where the body reaches lowest. Any two bodies: two points of them bound their distance
//! from above, and the reach of both along any direction bounds it from below.

use std::sync::Arc;

use glam::{DMat3, DVec2, DVec3};
use impinge::{BuildError, Convex, Model, Pose, Round, Support};
use impinge_testing::hulls::truth;
use impinge_testing::random::Random;

/// A convex body, as the library builds it.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Sphere(f64),
    Capsule(f64, f64),
    Box(DVec3),
    Cylinder(f64, f64),
    Cone(f64, f64),
    Ellipsoid(DVec3),
    /// `n·x ≤ d`, `n` a unit vector.
    HalfSpace(DVec3, f64),
    Hull(Vec<DVec3>),
    Segment(DVec3, DVec3),
    Triangle([DVec3; 3]),
    Polygon(Vec<DVec3>),
    Point(DVec3),
    /// A disc about the z axis, through the trait for users' shapes.
    Disc(f64),
    Margin(Box<Kind>, f64),
}

/// A flat disc in the plane z = 0, centred at the origin.
#[derive(Debug)]
struct Disc(f64);

impl Support for Disc {
    fn support(&self, direction: DVec3) -> DVec3 {
        direction.with_z(0.0).normalize_or_zero() * self.0
    }

    fn centre(&self) -> DVec3 {
        DVec3::ZERO
    }

    fn radius(&self) -> f64 {
        self.0
    }
}

/// Signed distance of `p` to the segments of a convex profile in the half-plane `ρ ≥ 0`, its corners from the lower end
/// of the axis to the upper: negative inside.
fn profile(p: DVec2, corners: &[DVec2]) -> f64 {
    let mut inside = f64::NEG_INFINITY;
    let mut nearest = f64::INFINITY;
    for pair in corners.windows(2) {
        let (d, r) = (pair[1] - pair[0], p - pair[0]);
        let out = DVec2::new(d.y, -d.x).normalize();
        inside = inside.max(out.dot(r));
        let t = (r.dot(d) / d.length_squared()).clamp(0.0, 1.0);
        nearest = nearest.min((pair[0] + d * t).distance(p));
    }
    if inside <= 0.0 { inside } else { nearest }
}

fn ellipsoid(r: DVec3, p: DVec3) -> f64 {
    let p = p.abs();
    let excess = |t: f64| (r * p / (r * r + t)).length_squared() - 1.0;
    let least = r.min_element();
    let (mut low, mut high) = (-least * least, p.length() * r.max_element() + 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let foot = r * r * p / (r * r + 0.5 * (low + high));
    // In the plane across the shortest axis, near the middle, the foot lies along that axis: as far as the surface.
    let undefined = (0..3).find(|&k| foot[k].is_nan());
    let mut foot = DVec3::from_array(foot.to_array().map(|x| if x.is_nan() { 0.0 } else { x }));
    if let Some(k) = undefined {
        foot[k] = r[k] * (1.0 - (foot / r).length_squared()).max(0.0).sqrt();
    }
    foot.distance(p).copysign((p / r).length_squared() - 1.0)
}

impl Kind {
    pub(crate) fn model(&self) -> Model {
        self.build().unwrap()
    }

    pub(crate) fn build(&self) -> Result<Model, BuildError> {
        Ok(match self {
            Kind::Hull(points) => Convex::hull(points)?.into(),
            _ => self.round()?.into(),
        })
    }

    fn round(&self) -> Result<Round, BuildError> {
        match self {
            Kind::Sphere(r) => Round::sphere(*r),
            Kind::Capsule(r, h) => Round::capsule(*r, *h),
            Kind::Box(sides) => Round::cuboid(*sides),
            Kind::Cylinder(r, h) => Round::cylinder(*r, *h),
            Kind::Cone(r, h) => Round::cone(*r, *h),
            Kind::Ellipsoid(radii) => Round::ellipsoid(*radii),
            Kind::HalfSpace(n, d) => Round::half_space(*n, *d),
            Kind::Hull(points) => Round::around(Convex::hull(points)?, 0.0),
            Kind::Segment(p, q) => Round::segment(*p, *q),
            Kind::Triangle([p, q, r]) => Round::triangle(*p, *q, *r),
            Kind::Polygon(points) => Round::polygon(points),
            Kind::Point(p) => Round::point(*p),
            Kind::Disc(r) => Round::custom(Arc::new(Disc(*r))),
            Kind::Margin(core, m) => match core.as_ref() {
                Kind::Hull(points) => Round::around(Convex::hull(points)?, *m),
                core => core.round()?.with_margin(*m),
            },
        }
    }

    /// How far `p` is from the body; less than zero inside, by the distance to the surface.
    pub(crate) fn distance(&self, p: DVec3) -> f64 {
        let flat = DVec2::new(p.x.hypot(p.y), p.z);
        let at = DVec2::new;
        match self {
            Kind::Sphere(r) => p.length() - r,
            Kind::Capsule(r, h) => (p - DVec3::Z * p.z.clamp(-0.5 * h, 0.5 * h)).length() - r,
            Kind::Box(sides) => {
                let q = p.abs() - *sides * 0.5;
                if q.max_element() > 0.0 { q.max(DVec3::ZERO).length() } else { q.max_element() }
            }
            Kind::Cylinder(r, h) => {
                profile(flat, &[at(0.0, -0.5 * h), at(*r, -0.5 * h), at(*r, 0.5 * h), at(0.0, 0.5 * h)])
            }
            Kind::Cone(r, h) => profile(flat, &[at(0.0, -0.5 * h), at(*r, -0.5 * h), at(0.0, 0.5 * h)]),
            Kind::Ellipsoid(r) => ellipsoid(*r, p),
            Kind::HalfSpace(n, d) => n.dot(p) - d,
            Kind::Disc(r) => (flat - at(flat.x.min(*r), 0.0)).length(),
            Kind::Margin(core, m) => core.distance(p) - m,
            _ => truth(self.corners().unwrap().as_slice(), &[p]).signed(),
        }
    }

    /// The corners, where the body is the hull of some.
    pub(crate) fn corners(&self) -> Option<Vec<DVec3>> {
        match self {
            Kind::Hull(points) | Kind::Polygon(points) => Some(points.clone()),
            Kind::Segment(p, q) => Some(vec![*p, *q]),
            Kind::Triangle(t) => Some(t.to_vec()),
            Kind::Point(p) => Some(vec![*p]),
            Kind::Box(sides) => Some(impinge_testing::shapes::cuboid(DVec3::ZERO, *sides * 0.5).vertices),
            _ => None,
        }
    }

    /// Corners and a margin, where the body is that.
    pub(crate) fn rounded_corners(&self) -> Option<(Vec<DVec3>, f64)> {
        match self {
            Kind::Sphere(r) => Some((vec![DVec3::ZERO], *r)),
            Kind::Capsule(r, h) => Some((vec![DVec3::Z * (-0.5 * h), DVec3::Z * (0.5 * h)], *r)),
            Kind::Margin(core, m) => core.rounded_corners().map(|(points, r)| (points, r + m)),
            _ => self.corners().map(|points| (points, 0.0)),
        }
    }

    /// The largest `n·x` over the body.
    pub(crate) fn reach(&self, n: DVec3) -> f64 {
        let side = n.x.hypot(n.y);
        match self {
            Kind::Sphere(r) => r * n.length(),
            Kind::Capsule(r, h) => r * n.length() + 0.5 * h * n.z.abs(),
            Kind::Box(sides) => n.abs().dot(*sides * 0.5),
            Kind::Cylinder(r, h) => r * side + 0.5 * h * n.z.abs(),
            Kind::Cone(r, h) => (0.5 * h * n.z).max(r * side - 0.5 * h * n.z),
            Kind::Ellipsoid(r) => (*r * n).length(),
            Kind::HalfSpace(m, d) => {
                if m.distance(n.normalize()) <= 1e-9 {
                    d * n.length()
                } else {
                    f64::INFINITY
                }
            }
            Kind::Disc(r) => r * side,
            Kind::Margin(core, m) => core.reach(n) + m * n.length(),
            _ => self.corners().unwrap().iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// Its size about its own centre.
    pub(crate) fn size(&self) -> f64 {
        match self {
            Kind::HalfSpace(..) => 0.0,
            _ => [DVec3::X, DVec3::Y, DVec3::Z]
                .map(|n| 0.5 * (self.reach(n) + self.reach(-n)))
                .into_iter()
                .fold(0.0, f64::max),
        }
    }

    /// About how far from its own origin the body lies, or its plane does.
    pub(crate) fn farthest(&self) -> f64 {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
        match self {
            Kind::HalfSpace(_, d) => d.abs(),
            Kind::Margin(core, m) => core.farthest() + m,
            _ => axes.map(|n| self.reach(n)).into_iter().fold(0.0, f64::max),
        }
    }

    /// Whether a distance to the body is found by finitely many steps.
    pub(crate) fn is_curved(&self) -> bool {
        match self {
            Kind::Cylinder(..) | Kind::Cone(..) | Kind::Ellipsoid(..) | Kind::Disc(..) => true,
            Kind::Margin(core, _) => core.is_curved(),
            _ => false,
        }
    }

    pub(crate) fn is_half_space(&self) -> bool {
        match self {
            Kind::HalfSpace(..) => true,
            Kind::Margin(core, _) => core.is_half_space(),
            _ => false,
        }
    }
}

/// One body of each kind, with a size of about one.
pub(crate) fn every_kind(random: &mut Random) -> Vec<Kind> {
    let hull: Vec<DVec3> = (0..12).map(|_| random.point(1.0)).collect();
    let polygon: Vec<DVec3> = (0..6).map(|_| random.point(1.0).with_z(0.0)).collect();
    let mut length = || random.within(0.2, 1.2);
    let mut kinds = vec![
        Kind::Sphere(length()),
        Kind::Capsule(length(), length()),
        Kind::Box(DVec3::new(length(), length(), length())),
        Kind::Cylinder(length(), length()),
        Kind::Cone(length(), length()),
        Kind::Ellipsoid(DVec3::new(length(), length(), length())),
        Kind::Disc(length()),
    ];
    let p = |random: &mut Random| random.point(1.0);
    kinds.extend([
        Kind::HalfSpace(p(random).normalize_or(DVec3::Z), random.within(-0.5, 0.5)),
        Kind::Hull(hull.clone()),
        Kind::Segment(p(random), p(random)),
        Kind::Triangle([p(random), p(random), p(random)]),
        Kind::Polygon(polygon),
        Kind::Point(p(random)),
    ]);
    let margin = random.within(0.05, 0.4);
    kinds.extend([
        Kind::Margin(Box::new(Kind::Box(DVec3::new(1.0, 0.5, 0.25))), margin),
        Kind::Margin(Box::new(Kind::Cylinder(0.5, 1.0)), margin),
        Kind::Margin(Box::new(Kind::Ellipsoid(DVec3::new(0.3, 0.5, 0.9))), margin),
        Kind::Margin(Box::new(Kind::Hull(hull)), margin),
        Kind::Margin(Box::new(Kind::Triangle([p(random), p(random), p(random)])), margin),
        Kind::Margin(Box::new(Kind::Sphere(0.5)), margin),
        Kind::Margin(Box::new(Kind::HalfSpace(DVec3::Z, 0.0)), margin),
    ]);
    kinds
}

/// A body at a random pose.
#[derive(Clone)]
pub(crate) struct Placed {
    pub(crate) kind: Kind,
    pub(crate) pose: Pose,
}

impl std::fmt::Debug for Placed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (t, q) = (self.pose.translation(), self.pose.rotation());
        write!(f, "{:?} at {:?} {:?}", self.kind, t.to_array(), q.to_array())
    }
}

impl Placed {
    /// Signed distance of the world's point `p`.
    pub(crate) fn distance(&self, p: DVec3) -> f64 {
        self.kind.distance(self.matrix().transpose() * (p - self.pose.translation()))
    }

    /// The largest `n·x` over the body in the world.
    pub(crate) fn reach(&self, n: DVec3) -> f64 {
        self.kind.reach(self.matrix().transpose() * n) + n.dot(self.pose.translation())
    }

    pub(crate) fn world(&self, points: &[DVec3]) -> Vec<DVec3> {
        points.iter().map(|p| self.pose.apply(*p)).collect()
    }

    fn matrix(&self) -> DMat3 {
        DMat3::from_quat(self.pose.rotation())
    }
}

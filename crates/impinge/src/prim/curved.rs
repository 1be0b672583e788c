//! Support mappings of curved bodies in closed form: cylinder, cone, ellipsoid.
//!
//! G. van den Bergen, *Collision Detection in Interactive 3D Environments*, §4.3.4. Axes along z, centred at the
//! origin. The direction is first brought to a largest component of 1, so that its length does not matter.

use glam::DVec3;

use super::{Rim, Support};

#[inline]
fn brought_to_one(d: DVec3) -> DVec3 {
    let largest = d.abs().max_element();
    if largest > 0.0 { d / largest } else { DVec3::Z }
}

/// `x² + y² ≤ radius²`, `|z| ≤ half`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cylinder {
    pub(crate) radius: f64,
    pub(crate) half: f64,
}

/// The rim point below `d`; the middle of the disc when `d` is along the axis.
#[inline]
fn rim(d: DVec3, radius: f64, z: f64) -> DVec3 {
    let across = d.x.hypot(d.y);
    if across > 0.0 { DVec3::new(d.x / across * radius, d.y / across * radius, z) } else { DVec3::new(0.0, 0.0, z) }
}

impl Support for Cylinder {
    fn support(&self, direction: DVec3) -> DVec3 {
        let d = brought_to_one(direction);
        rim(d, self.radius, self.half.copysign(d.z))
    }

    fn centre(&self) -> DVec3 {
        DVec3::ZERO
    }

    fn radius(&self) -> f64 {
        self.radius.hypot(self.half)
    }

    fn rim(&self, support: DVec3) -> Rim {
        Rim::Disc { centre: DVec3::new(0.0, 0.0, support.z), radius: self.radius }
    }
}

/// Apex at `z = half`, base disc at `z = −half`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cone {
    pub(crate) radius: f64,
    pub(crate) half: f64,
}

impl Support for Cone {
    /// The apex when its height along `d`, `half·d_z`, is at least that of the rim, `radius·|d_xy| − half·d_z`.
    fn support(&self, direction: DVec3) -> DVec3 {
        let d = brought_to_one(direction);
        if 2.0 * self.half * d.z >= self.radius * d.x.hypot(d.y) {
            DVec3::new(0.0, 0.0, self.half)
        } else {
            rim(d, self.radius, -self.half)
        }
    }

    /// The centroid: a quarter of the height above the base.
    fn centre(&self) -> DVec3 {
        DVec3::new(0.0, 0.0, -0.5 * self.half)
    }

    fn radius(&self) -> f64 {
        (1.5 * self.half).max(self.radius.hypot(0.5 * self.half))
    }

    fn rim(&self, support: DVec3) -> Rim {
        if support.z > 0.0 {
            Rim::Corner
        } else {
            Rim::Disc { centre: DVec3::new(0.0, 0.0, support.z), radius: self.radius }
        }
    }
}

/// `(x/a)² + (y/b)² + (z/c)² ≤ 1`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ellipsoid {
    pub(crate) radii: DVec3,
}

impl Support for Ellipsoid {
    /// The map `x ↦ radii·x` takes the unit ball here; `d` goes back by the transpose, `radii·d`, to a unit vector.
    fn support(&self, direction: DVec3) -> DVec3 {
        self.radii * brought_to_one(self.radii * brought_to_one(direction)).normalize()
    }

    fn centre(&self) -> DVec3 {
        DVec3::ZERO
    }

    fn radius(&self) -> f64 {
        self.radii.max_element()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No point of the surface, densely sampled, is farther than the support, and the support is on the surface.
    fn check(body: &dyn Support, surface: &[DVec3], on: impl Fn(DVec3) -> f64) {
        for i in 0..200 {
            let t = f64::from(i);
            let d = DVec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 10f64.powi(i % 40 - 20);
            let s = body.support(d);
            assert!(on(s).abs() < 1e-12, "{body:?} {d}: {s}");
            assert!(s.distance(body.centre()) <= body.radius() * (1.0 + 1e-15));
            for p in surface {
                assert!(d.dot(*p) <= d.dot(s) + 1e-14 * d.length() * body.radius(), "{body:?} {d}: {p} beyond {s}");
            }
        }
    }

    #[test]
    fn supports_are_extreme() {
        let around: Vec<DVec3> =
            (0..60).map(|i| DVec3::new((0.1 * f64::from(i)).cos(), (0.1 * f64::from(i)).sin(), 0.0)).collect();
        let (r, h) = (0.7, 1.9);
        let rims: Vec<DVec3> = around.iter().flat_map(|p| [*p * r + DVec3::Z * h, *p * r - DVec3::Z * h]).collect();
        check(&Cylinder { radius: r, half: h }, &rims, |p| {
            (p.x.hypot(p.y) - r).abs().min(p.x.hypot(p.y)) + p.z.abs() - h
        });
        let mut cone: Vec<DVec3> = around.iter().map(|p| *p * r - DVec3::Z * h).collect();
        cone.push(DVec3::Z * h);
        check(&Cone { radius: r, half: h }, &cone, |p| {
            if p.z > 0.0 { p.distance(DVec3::Z * h) } else { p.x.hypot(p.y) - r }
        });
        let radii = DVec3::new(0.01, 3.0, 20.0);
        let mut egg: Vec<DVec3> = around.iter().map(|p| *p * radii).collect();
        egg.extend(around.iter().map(|p| DVec3::new(p.x, 0.6 * p.y, 0.8 * p.y) * radii));
        check(&Ellipsoid { radii }, &egg, |p| (p / radii).length() - 1.0);
    }

    #[test]
    fn along_the_axis() {
        assert_eq!(Cylinder { radius: 1.0, half: 2.0 }.support(DVec3::Z * 1e-300), DVec3::Z * 2.0);
        assert_eq!(Cone { radius: 1.0, half: 2.0 }.support(-DVec3::Z), DVec3::Z * -2.0);
        assert_eq!(Ellipsoid { radii: DVec3::new(1.0, 2.0, 3.0) }.support(DVec3::Z * 1e200), DVec3::Z * 3.0);
    }
}

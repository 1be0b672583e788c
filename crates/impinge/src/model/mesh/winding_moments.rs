//! Moments of the triangles below each node of a tree: far triangles taken together, for winding numbers.
//!
//! The formulas, and the bound on what they leave out, are in `winding.rs`.

use glam::{DMat3, DVec3};

use crate::bound::Aabb;
use crate::prim::Triangle;
use crate::tree::nodes::{Below, Tree};

/// Moments of the triangles below each node of a tree.
#[derive(Debug, Clone)]
pub(crate) struct WindingMoments {
    pub(super) nodes: Vec<NodeMoments>,
    /// Area of all triangles.
    pub(super) area: f64,
}

/// Of the triangles below one node.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeMoments {
    /// Centre of the area, and how far triangles reach from it.
    centre: DVec3,
    radius: f64,
    /// `∫n dA`.
    normal: DVec3,
    /// `∫(x − centre)nᵀ dA`.
    second: DMat3,
}

/// The same about the origin, before the centre is known.
#[derive(Debug, Clone, Copy)]
struct Sums {
    area: f64,
    first: DVec3,
    normal: DVec3,
    second: DMat3,
    bounds: Aabb,
}

impl Sums {
    const NONE: Sums =
        Sums { area: 0.0, first: DVec3::ZERO, normal: DVec3::ZERO, second: DMat3::ZERO, bounds: Aabb::EMPTY };

    /// A triangle that counts `weight` times.
    fn of(t: &Triangle, weight: f64) -> Sums {
        let normal = (t[1] - t[0]).cross(t[2] - t[0]) * (0.5 * weight);
        let (area, middle) = (normal.length(), (t[0] + t[1] + t[2]) / 3.0);
        Sums {
            area,
            first: middle * area,
            normal,
            second: outer_product(middle, normal),
            bounds: Aabb::of(t.iter().copied()),
        }
    }

    fn and(&self, o: &Sums) -> Sums {
        let (a, b) = (&self.bounds, &o.bounds);
        Sums {
            area: self.area + o.area,
            first: self.first + o.first,
            normal: self.normal + o.normal,
            second: self.second + o.second,
            bounds: Aabb { min: a.min.min(b.min), max: a.max.max(b.max) },
        }
    }

    fn about_centre(&self) -> NodeMoments {
        let b = &self.bounds;
        // Within the box, whatever rounding made of it.
        let centre = if self.area > 0.0 { (self.first / self.area).clamp(b.min, b.max) } else { b.centre() };
        let radius = (b.max - centre).max(centre - b.min).length() * (1.0 + 1e-12);
        NodeMoments { centre, radius, normal: self.normal, second: self.second - outer_product(centre, self.normal) }
    }
}

/// `x·nᵀ`.
fn outer_product(x: DVec3, n: DVec3) -> DMat3 {
    DMat3::from_cols(x * n.x, x * n.y, x * n.z)
}

impl WindingMoments {
    /// `triangle` gives the corners at a place in leaf order, `weight` how often it counts.
    pub(crate) fn new(tree: &Tree, triangle: impl Fn(u32) -> Triangle, weight: impl Fn(u32) -> i64) -> WindingMoments {
        let scale = tree.unit.recip();
        let one = |place: u32| Sums::of(&triangle(place).map(|x| (x - tree.centre) * scale), weight(place) as f64);
        let mut sums = vec![Sums::NONE; tree.nodes()];
        // Children come after their parents.
        for n in (0..tree.nodes()).rev() {
            sums[n] = tree.below(n).fold(Sums::NONE, |sum, below| match below {
                Below::Node(child) => sum.and(&sums[child]),
                Below::Leaf(leaf) => leaf.places().fold(sum, |sum, place| sum.and(&one(place))),
            });
        }
        let area = sums.first().map_or(0.0, |root| root.area);
        WindingMoments { nodes: sums.iter().map(Sums::about_centre).collect(), area }
    }
}

impl NodeMoments {
    /// 4π times the winding number about `q`, to second order; `None` when it may be off by more than `error` times
    /// 4π for each unit of area.
    pub(super) fn seen_from(&self, q: DVec3, error: f64) -> Option<f64> {
        let r = self.centre - q;
        let d2 = r.length_squared();
        let near = d2.sqrt() - self.radius;
        let certain = near > 0.0 && 3.0 * self.radius * self.radius <= error * near.powi(4);
        certain.then(|| {
            let (d, c) = (d2.sqrt(), &self.second);
            let trace = c.x_axis.x + c.y_axis.y + c.z_axis.z;
            (self.normal.dot(r) + trace - 3.0 * r.dot(*c * r) / d2) / (d2 * d)
        })
    }
}

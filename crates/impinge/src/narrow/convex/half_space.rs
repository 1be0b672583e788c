//! A half-space and any convex body, in closed form: the lowest point of the body along the normal decides.

use glam::DVec3;
use smallvec::SmallVec;

use super::polyhedra::HullFeature;
use crate::answer::Element;
use crate::math::{EPS, Interval, Relative};
use crate::model::Convex;
use crate::model::round::Core;
use crate::narrow::convex::witnesses::{ConvexGap, ConvexOutcome, ConvexWitness, element};
use crate::narrow::outcome::Outcome;
use crate::narrow::solid::Solid;

/// How near the core of `b` is to the half-space `normal·x ≤ offset`, all in the frame of the half-space.
pub(crate) fn nearest(normal: DVec3, offset: f64, b: &Solid<'_>, b_in_a: &Relative) -> ConvexOutcome {
    let Some((lowest, carrier)) = lowest(normal, b, b_in_a) else { return opposite(normal, offset, b, b_in_a) };
    let height = normal.dot(lowest) - offset;
    let points = [lowest - normal * height, lowest];
    let near = ConvexWitness { points, elements: [Element::Surface, carrier] };
    if height <= 0.0 {
        return Outcome::Touching(ConvexWitness { points: [lowest; 2], ..near });
    }
    let noise = EPS * (8.0 * height + 24.0 * (lowest.length() + b_in_a.translation.length()) + 2.0 * offset.abs());
    ConvexOutcome::apart(Interval { lower: (height - noise).max(0.0), upper: height + noise }, near)
}

/// The point of the core of `b` lowest along `normal`, and what carries it; `None` for a half-space.
pub(crate) fn lowest(normal: DVec3, b: &Solid<'_>, b_in_a: &Relative) -> Option<(DVec3, Element)> {
    let down = -(b_in_a.rotation.transpose() * normal);
    let (point, carrier) = match b.core {
        Core::Polyhedron(body) => {
            let v = body.support(down, 0);
            (body.vertex(v), element(body, HullFeature::Vertex(v)))
        }
        Core::Smooth(body) => (body.support(down), Element::Surface),
        Core::HalfSpace { .. } => return None,
    };
    Some((b_in_a.apply(point), carrier))
}

/// How deep, without margins, the core of `b` is in the half-space: infinitely deep if both are half-spaces and no
/// translation that separates them is the shortest.
pub(crate) fn depth(normal: DVec3, offset: f64, b: &Solid<'_>, b_in_a: &Relative) -> (f64, [DVec3; 2], Element) {
    match lowest(normal, b, b_in_a) {
        Some((lowest, carrier)) => {
            let depth = offset - normal.dot(lowest);
            (depth, [lowest + normal * depth, lowest], carrier)
        }
        None => match opposite(normal, offset, b, b_in_a) {
            Outcome::Apart(ConvexGap { witness: near, .. }) => {
                (-near.points[0].distance(near.points[1]), near.points, Element::Surface)
            }
            _ => {
                let (turned, height) = facing(b, b_in_a);
                let parallel = turned == -normal;
                let (p, q) = (normal * offset, normal * -height);
                (if parallel { offset + height } else { f64::INFINITY }, [p, q], Element::Surface)
            }
        },
    }
}

/// Points of the half-space's border and of a body, side by side.
type Footprint = SmallVec<[[DVec3; 2]; 8]>;

/// The part of the most downward face that lies no higher than `above` over the half-space: its corners, and the points
/// where its edges reach that height, each beside the point of the border below it.
pub(crate) fn footprint(normal: DVec3, offset: f64, body: &Convex, b_in_a: &Relative, above: f64) -> Footprint {
    let down = -(b_in_a.rotation.transpose() * normal);
    let looks = |f: u32| body.face(f).normal.dot(down);
    let Some(face) = (0..body.face_count() as u32).max_by(|&f, &g| looks(f).total_cmp(&looks(g))) else {
        return Footprint::new();
    };
    let corners = body.face_edges(face).iter().map(|&h| b_in_a.apply(body.vertex(body.tail(h))));
    let height = |p: DVec3| normal.dot(p) - offset;
    let corners: SmallVec<[DVec3; 32]> = corners.collect();
    let above = above + 64.0 * EPS * (body.reach() + b_in_a.translation.length() + offset.abs());
    let mut points = Footprint::new();
    for (&p, &q) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let (low, high) = (height(p), height(q));
        if low <= above {
            points.push([p - normal * low, p]);
        }
        if (low <= above) != (high <= above) {
            let x = p + (q - p) * ((above - low) / (high - low));
            points.push([x - normal * above, x]);
        }
    }
    points
}

/// Two half-spaces are apart only when their normals are exactly opposite.
fn opposite(normal: DVec3, offset: f64, b: &Solid<'_>, b_in_a: &Relative) -> ConvexOutcome {
    let (turned, height) = facing(b, b_in_a);
    let gap = -height - offset;
    let points = [normal * offset, normal * -height];
    let near = ConvexWitness { points, elements: [Element::Surface; 2] };
    if turned != -normal {
        // A point far along both downward directions.
        let middle = -(normal + turned) * (offset.abs() + height.abs() + 1.0);
        let reach = 1.0 + normal.dot(turned);
        let deep = if reach > 0.0 { middle / reach } else { middle };
        return Outcome::Touching(ConvexWitness { points: [deep; 2], elements: [Element::Inside; 2] });
    }
    if gap <= 0.0 {
        return Outcome::Touching(ConvexWitness { points: [points[1]; 2], ..near });
    }
    let noise = EPS * (8.0 * gap + 24.0 * (height.abs() + offset.abs()));
    ConvexOutcome::apart(Interval { lower: (gap - noise).max(0.0), upper: gap + noise }, near)
}

/// Normal and offset of the half-space `b` in `a`'s frame.
fn facing(b: &Solid<'_>, b_in_a: &Relative) -> (DVec3, f64) {
    match b.core {
        Core::HalfSpace { normal, offset } => {
            let turned = b_in_a.rotation * normal;
            (turned, offset + turned.dot(b_in_a.translation))
        }
        _ => (DVec3::ZERO, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Round;

    #[test]
    fn floor_and_box() {
        let floor = Round::half_space(DVec3::Z, 1.0).unwrap();
        let Core::HalfSpace { normal, offset } = floor.core() else { panic!("{floor:?}") };
        let point = Convex::hull(&[DVec3::ZERO]).unwrap();
        for (z, gap) in [(3.0, 2.0), (1.0, 0.0), (-4.0, 0.0)] {
            let b_in_a = Relative { translation: DVec3::new(5.0, 6.0, z), ..Relative::IDENTITY };
            match nearest(normal, offset, &Solid::polyhedron(&point), &b_in_a) {
                Outcome::Apart(ConvexGap { interval: Interval { lower, upper }, witness: near }) => {
                    assert!(lower <= gap && gap <= upper && gap > 0.0);
                    assert_eq!(near.points, [DVec3::new(5.0, 6.0, 1.0), DVec3::new(5.0, 6.0, z)]);
                }
                Outcome::Touching(_) => assert_eq!(gap, 0.0),
                Outcome::Beyond | Outcome::Contained(_) => panic!(),
            }
        }
    }
}

//! The triangles of a convex hull, near enough to take its principal axes.
//!
//! OBBTree §4 weighs the hull's area. A hull is built for every node here, so it must be cheap: of more than
//! [`MOST_POINTS`] corners only the extreme ones along 13 axes and their opposites are taken. Points are added one by
//! one in `f64`: the faces that see the point go, and the rim of what they leave is joined to it. Nothing depends on
//! the result but the direction of axes, so a hull that rounding spoils does no harm, and a flat one is no hull.
//!
//! Cost: `O(n·f)` for `n ≤ 64` points and `f ≤ 2n` faces; every loop runs over one of these.

use glam::DVec3;

/// Most points whose hull is taken as it is.
const MOST_POINTS: usize = 64;

/// The hull's triangles; `None` where the corners are flat.
pub(super) fn hull_triangles(triangles: &[[DVec3; 3]]) -> Option<Vec<[DVec3; 3]>> {
    let points = chosen(triangles);
    let mut faces = tetrahedron(&points)?;
    let low = points.iter().fold(DVec3::INFINITY, |m, p| m.min(*p));
    let high = points.iter().fold(DVec3::NEG_INFINITY, |m, p| m.max(*p));
    let above = 1e-12 * (high - low).max_element();
    let mut rim: Vec<[usize; 2]> = Vec::new();
    for (i, &p) in points.iter().enumerate() {
        rim.clear();
        faces.retain(|face| {
            let seen = face.normal.dot(p - points[face.corners[0]]) > above;
            if seen {
                let [a, b, c] = face.corners;
                for edge in [[a, b], [b, c], [c, a]] {
                    // An edge between two faces that are seen comes twice, in both directions.
                    match rim.iter().position(|&[x, y]| [y, x] == edge) {
                        Some(other) => drop(rim.swap_remove(other)),
                        None => rim.push(edge),
                    }
                }
            }
            !seen
        });
        faces.extend(rim.iter().filter_map(|&[a, b]| Face::new([a, b, i], &points)));
        if faces.len() > 4 * MOST_POINTS {
            return None;
        }
    }
    Some(faces.iter().map(|face| face.corners.map(|v| points[v])).collect())
}

struct Face {
    corners: [usize; 3],
    /// Unit, outward.
    normal: DVec3,
}

impl Face {
    fn new(corners: [usize; 3], points: &[DVec3]) -> Option<Face> {
        let [p, q, r] = corners.map(|v| points[v]);
        let normal = (q - p).cross(r - p).try_normalize()?;
        Some(Face { corners, normal })
    }
}

/// Four points that span some volume: the farthest from the first, from their line, and from their plane.
fn tetrahedron(points: &[DVec3]) -> Option<Vec<Face>> {
    let farthest = |height: &dyn Fn(DVec3) -> f64| {
        (0..points.len()).max_by(|&i, &j| height(points[i]).total_cmp(&height(points[j])))
    };
    let p = *points.first()?;
    let a = farthest(&|x| x.distance_squared(p))?;
    let b = farthest(&|x| x.distance_squared(points[a]))?;
    let along = points[b] - points[a];

    let c = farthest(&|x| along.cross(x - points[a]).length_squared())?;
    let normal = along.cross(points[c] - points[a]);
    let d = farthest(&|x| normal.dot(x - points[a]).abs())?;
    let height = normal.dot(points[d] - points[a]);
    if height.abs() <= 1e-9 * along.length().powi(3) {
        return None;
    }
    let [b, c] = if height > 0.0 { [c, b] } else { [b, c] };
    [[a, b, c], [a, d, b], [b, d, c], [c, d, a]].into_iter().map(|corners| Face::new(corners, points)).collect()
}

/// The corners, or those among them that are extreme along some axes.
fn chosen(triangles: &[[DVec3; 3]]) -> Vec<DVec3> {
    if 3 * triangles.len() <= MOST_POINTS {
        return triangles.as_flattened().to_vec();
    }
    let axes = super::kdop::DIRECTIONS;
    let mut ends = [[(f64::INFINITY, DVec3::ZERO), (f64::NEG_INFINITY, DVec3::ZERO)]; super::kdop::DIRECTIONS.len()];
    for &p in triangles.iter().flatten() {
        for (axis, [low, high]) in axes.iter().zip(&mut ends) {
            let x = axis.dot(p);
            if x < low.0 {
                *low = (x, p);
            }
            if x > high.0 {
                *high = (x, p);
            }
        }
    }
    ends.into_iter().flatten().map(|(_, p)| p).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(hull: &[[DVec3; 3]]) -> f64 {
        hull.iter().map(|[p, q, r]| 0.5 * (*q - *p).cross(*r - *p).length()).sum()
    }

    #[test]
    fn the_hull_of_a_cube_with_points_inside() {
        let corner = |i: usize| DVec3::new([-1.0, 1.0][i & 1], [-1.0, 1.0][i >> 1 & 1], [-1.0, 1.0][i >> 2]);
        let mut soup: Vec<[DVec3; 3]> = (0..8).map(|i| [corner(i), corner(i) * 0.3, corner(7 - i) * 0.9]).collect();
        let hull = hull_triangles(&soup).unwrap();
        assert!(hull.len() == 12 && (area(&hull) - 24.0).abs() < 1e-12, "{} faces, {}", hull.len(), area(&hull));
        let inside: Vec<_> = (0..100).map(|i| soup[i % 8].map(|p| p * 0.5)).collect();
        soup.extend(inside);
        assert!((area(&hull_triangles(&soup).unwrap()) - 24.0).abs() < 1e-12);
    }

    #[test]
    fn flat_and_small_sets_have_none() {
        let p = DVec3::new(0.1, 0.2, 0.3);
        assert!(hull_triangles(&[[p; 3]]).is_none());
        assert!(hull_triangles(&[[p, p + DVec3::X, p + DVec3::Y], [p, p - DVec3::X, p - DVec3::Y]]).is_none());
    }
}

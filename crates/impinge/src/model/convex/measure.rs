//! Surface and volume of convex polyhedra, from differences to one corner, so that nothing is lost far from the origin.

use glam::DVec3;

use super::polyhedron::Convex;

/// Twice the vector area of face `f`: along its normal.
fn face_vector(convex: &Convex, f: u32) -> DVec3 {
    let corners = convex.face_edges(f);
    let at = |k: usize| convex.vertex(convex.tail(corners[k]));
    let origin = at(0);
    (2..corners.len()).fold(DVec3::ZERO, |sum, k| sum + (at(k - 1) - origin).cross(at(k) - origin))
}

/// Area of the surface; both sides of a flat body count, and a segment has none.
pub(crate) fn area(convex: &Convex) -> f64 {
    (0..convex.face_count() as u32).map(|f| 0.5 * face_vector(convex, f).length()).sum()
}

/// Volume; 0 for a flat body.
pub(crate) fn volume(convex: &Convex) -> f64 {
    if convex.face_count() < 4 {
        return 0.0;
    }
    let origin = convex.vertex(0);
    let cone = |f: u32| face_vector(convex, f).dot(convex.vertex(convex.tail(convex.face_edges(f)[0])) - origin) / 6.0;
    (0..convex.face_count() as u32).map(cone).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_box_far_away_and_of_flat_things() {
        let corners = |z: f64| {
            (0..8).map(move |i| DVec3::new(f64::from(i & 1), f64::from(2 * (i >> 1 & 1)), z * f64::from(i >> 2)))
        };
        let far = DVec3::splat(1e9);
        let cuboid = Convex::hull(&corners(3.0).map(|c| c + far).collect::<Vec<_>>()).unwrap();
        assert_eq!((area(&cuboid), volume(&cuboid)), (22.0, 6.0));
        let sheet = Convex::hull(&corners(0.0).collect::<Vec<_>>()).unwrap();
        assert_eq!((area(&sheet), volume(&sheet)), (4.0, 0.0));
        let segment = Convex::hull(&[DVec3::ZERO, DVec3::X]).unwrap();
        assert_eq!((area(&segment), volume(&segment)), (0.0, 0.0));
    }
}

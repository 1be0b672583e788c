//! The planes of the faces of a convex polyhedron, four side by side: which of them a point is highest over.
//!
//! Heights are taken from the centre of the body, so that nothing is lost far from the origin.

use glam::DVec3;

use crate::math::simd::{F64x4, Kernel, Simd, Vector, axes, dispatch};

const LANES: usize = 4;

/// Unit normals and offsets from the centre. Lanes to spare lie infinitely high.
#[derive(Debug, Clone, Copy)]
struct FourPlanes {
    normal: [[f64; LANES]; 3],
    offset: [f64; LANES],
}

/// The planes in the order of the faces.
#[derive(Debug, Clone, Default)]
pub(crate) struct FacePlanes {
    fours: Vec<FourPlanes>,
}

impl FacePlanes {
    /// From unit normals and the distances of the planes from the centre.
    pub(super) fn new(planes: impl ExactSizeIterator<Item = (DVec3, f64)>) -> FacePlanes {
        let empty = FourPlanes { normal: [[0.0; LANES]; 3], offset: [f64::INFINITY; LANES] };
        let mut fours = vec![empty; planes.len().div_ceil(LANES)];
        for (f, (normal, offset)) in planes.enumerate() {
            let (four, lane) = (&mut fours[f / LANES], f % LANES);
            (0..3).for_each(|i| four.normal[i][lane] = normal[i]);
            four.offset[lane] = offset;
        }
        FacePlanes { fours }
    }

    /// The greatest height of a point, given from the centre, and the first face that it is so high over; −∞ without
    /// faces.
    pub(crate) fn highest(&self, from_centre: DVec3) -> (f64, u32) {
        dispatch(Highest { planes: self, at: from_centre })
    }
}

struct Highest<'p> {
    planes: &'p FacePlanes,
    at: DVec3,
}

impl Kernel for Highest<'_> {
    type Output = (f64, u32);

    #[inline(always)]
    fn run<S: Simd>(self) -> (f64, u32) {
        let at = axes!(i => S::F64x4::splat(self.at[i]));
        let below = S::F64x4::splat(f64::NEG_INFINITY);
        // Two chains, so that one need not wait for the other: fours with an even and with an odd number.
        let (mut most, mut found) = ([below; 2], [S::F64x4::splat(0.0); 2]);
        let mut number = 0.0;
        for pair in self.planes.fours.chunks(2) {
            let second = pair.len() - 1;
            let heights = [height::<S>(&pair[0], &at), height::<S>(&pair[second], &at)];
            let numbers = [S::F64x4::splat(number), S::F64x4::splat(number + second as f64)];
            found = [most[0].if_lt(heights[0], numbers[0], found[0]), most[1].if_lt(heights[1], numbers[1], found[1])];
            most = [most[0].max(heights[0]), most[1].max(heights[1])];
            number += 2.0;
        }
        let (most, found) = ([most[0].array(), most[1].array()], [found[0].array(), found[1].array()]);
        let mut best = (f64::NEG_INFINITY, 0);
        for (chain, lane) in (0..LANES).flat_map(|lane| [(0, lane), (1, lane)]) {
            let (height, face) = (most[chain][lane], found[chain][lane] as u32 * LANES as u32 + lane as u32);
            if height > best.0 || height == best.0 && face < best.1 {
                best = (height, face);
            }
        }
        best
    }
}

#[inline(always)]
fn height<S: Simd>(four: &FourPlanes, at: &[S::F64x4; 3]) -> S::F64x4 {
    let along = axes!(i => S::F64x4::load(&four.normal[i]).mul(at[i]));
    along[0].add(along[1]).add(along[2]).sub(S::F64x4::load(&four.offset))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Convex;

    #[test]
    fn finds_the_first_of_the_highest_faces() {
        let mut state = 4u64;
        let mut coordinate = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 23) as f64 - 1.0
        };
        let mut point = || DVec3::new(coordinate(), coordinate(), coordinate());
        for count in 4..40 {
            let away = DVec3::new(100.0, -50.0, 3.0);
            let body = Convex::hull(&(0..count).map(|_| point() + away).collect::<Vec<_>>()).unwrap();
            for scale in [0.1, 1.0, 50.0] {
                let p = point() * scale + away;
                let heights: Vec<f64> = (0..body.face_count() as u32).map(|f| body.height(f, p)).collect();
                let most = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let (height, face) = body.face_planes().highest(p - body.centre());
                assert!(
                    (height - most).abs() < 1e-12 * (1.0 + scale)
                        && heights[face as usize] > most - 1e-12 * (1.0 + scale)
                );
            }
        }
        let cube: Vec<DVec3> =
            (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
        let cube = Convex::hull(&cube).unwrap();
        assert_eq!(cube.face_planes().highest(DVec3::ZERO), (-0.5, 0), "all are as high");
        assert_eq!(FacePlanes::default().highest(DVec3::X).0, f64::NEG_INFINITY);
    }
}

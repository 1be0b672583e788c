//! Trials that every volume has to pass: it contains its triangles, and its bounds hold, at every shape, scale and
//! pose.

use glam::{DMat3, DQuat, DVec3};

use crate::bound::trials::Trials;
use crate::bound::{AlignedBox, Bound, Kdop14, Kdop18, Kdop26, Obb, Placement, SLACK, Sphere, SweptSphere};
use crate::prim::{Triangle, nearest, triangles_overlap};

/// Every corner is inside: at any pose, a volume around that corner is not reported apart from the volume of the whole.
fn contains<B: Bound>(volume: &B, soup: &[[DVec3; 3]], to: &Placement) {
    let slack = SLACK * (4.0 + to.translation.abs().max_element());
    let moved = volume.place(to);
    for &p in soup.iter().flatten() {
        let inner = B::around(&[[p; 3]]);
        let apart = volume.apart(&inner.place(&Placement::IDENTITY)) - slack;
        assert!(apart <= 0.0, "{p} is {apart} outside of {volume:?}");
        let apart = B::around(&[[to.apply(p); 3]]).apart(&moved) - slack;
        assert!(apart <= 0.0, "{p}, placed, is {apart} outside of {moved:?}");
    }
}

/// `apart` ≤ distance of any two triangles ≤ `at_most`, up to the slack of the descent.
fn bounds_hold<B: Bound>(seed: u64) {
    let mut trials = Trials::new(seed);
    let (mut separated, mut pairs) = (0, 0);
    for _ in 0..3000 {
        let (a, b, to) = (trials.soup(), trials.soup(), trials.placement());
        let children: Vec<B> = b.chunks(4).map(B::around).collect();
        let (volume_a, mut volume_b) = (B::around(&a), B::around(&b));
        volume_b.tighten(&children);
        contains(&volume_b, &b, &to);
        let placed = volume_b.place(&to);
        let slack = SLACK * (4.0 + to.translation.abs().max_element());
        let (low, high) = (volume_a.apart(&placed) - slack, volume_a.at_most(&placed) + slack);
        let mut least = f64::INFINITY;
        for (s, t) in a.iter().zip(b.iter().cycle()).chain(a.iter().cycle().zip(&b)).chain(a.iter().zip(b.iter().rev()))
        {
            let t = t.map(|p| to.apply(p));
            let distance = nearest(s, &t).squared.sqrt();
            least = least.min(distance);
            // Which points are closest is found to some roundings of the coordinates.
            let found = 1e-14 * (1.0 + to.translation.abs().max_element());
            assert!(low <= distance + found, "{low} > {distance}: {a:?}\n{b:?}\n{to:?}\n{volume_a:?}\n{placed:?}");
            assert!(high >= distance - found, "{high} < {distance}: {volume_a:?}\n{placed:?}");
        }
        pairs += usize::from(least > 1e-3);
        separated += usize::from(least > 1e-3 && low > 0.0);
    }
    assert!(5 * separated > 3 * pairs, "only {separated} of {pairs} were told apart");
}

#[test]
fn aligned_boxes_bound() {
    bounds_hold::<AlignedBox>(1);
}

#[test]
fn oriented_boxes_bound() {
    bounds_hold::<Obb>(2);
}

#[test]
fn swept_spheres_bound() {
    bounds_hold::<SweptSphere>(3);
}

#[test]
fn kdops_bound() {
    bounds_hold::<Kdop14>(4);
    bounds_hold::<Kdop18>(5);
    bounds_hold::<Kdop26>(6);
}

#[test]
fn spheres_bound() {
    bounds_hold::<Sphere>(7);
}

/// A rectangle by its middle, the unit vectors along its sides, and half their lengths.
#[derive(Debug, Clone, Copy)]
struct Rectangle {
    centre: DVec3,
    sides: [DVec3; 2],
    half: [f64; 2],
}

impl Rectangle {
    fn random(random: &mut Trials, reach: f64) -> Rectangle {
        let m = DMat3::from_quat(random.rotation());
        let half = [0, 1].map(|_| [0.0, 1e-6, random.within(0.0, 1.0), 1.0][random.below(4)]);
        Rectangle { centre: random.point(reach), sides: [m.x_axis, m.y_axis], half }
    }

    fn swept(&self) -> SweptSphere {
        SweptSphere::flat(self.centre, self.sides, self.half)
    }

    fn halves(&self) -> [Triangle; 2] {
        let corner =
            |x: f64, y: f64| self.centre + self.sides[0] * (x * self.half[0]) + self.sides[1] * (y * self.half[1]);
        let [p, q, r, s] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        [[p, q, r], [p, r, s]]
    }

    fn distance(&self, o: &Rectangle) -> f64 {
        let pairs = self.halves().into_iter().flat_map(|s| o.halves().map(|t| (s, t)));
        let distance = |(s, t)| if triangles_overlap(&s, &t) { 0.0 } else { nearest(&s, &t).squared.sqrt() };
        pairs.map(distance).fold(f64::INFINITY, f64::min)
    }
}

/// The distance of two rectangles is that of the triangles they are made of.
#[test]
fn rectangles_are_as_far_apart_as_their_triangles() {
    let mut random = Trials::new(8);
    for trial in 0..40_000 {
        let reach = [0.1, 1.0, 3.0][trial % 3];
        let (a, mut b) = (Rectangle::random(&mut random, reach), Rectangle::random(&mut random, reach));
        if trial % 4 == 0 {
            // Parallel, or nearly so.
            let turn = DQuat::from_axis_angle(random.rotation() * DVec3::X, 10f64.powi(-(random.below(17) as i32)));
            b.sides = a.sides.map(|s| turn * s);
        }
        let (got, exact) = (a.swept().apart(&b.swept()), a.distance(&b));
        assert!(got <= exact + 1e-14, "{got} > {exact}: {a:?} {b:?}");
        assert!(got >= exact - 1e-9, "{got} < {exact}: {a:?} {b:?}");
    }
}

//! How deep two closed soups are in each other, found by trying: shifts along many directions, each tested by brute
//! force.

use glam::DVec3;
use impinge_testing::soup::Soup;

type Triangle = [DVec3; 3];

/// Two closed soups, the second in the frame of the first.
pub(crate) struct Solids {
    a: Vec<Triangle>,
    b: Vec<Triangle>,
}

impl Solids {
    pub(crate) fn new(a: &Soup, b: &Soup) -> Solids {
        Solids { a: a.corners(), b: b.corners() }
    }

    /// Whether the soups overlap when the second one is shifted, in plain arithmetic; not for positions that merely
    /// touch.
    pub(crate) fn overlap(&self, shift: DVec3) -> bool {
        let b: Vec<Triangle> = self.b.iter().map(|t| t.map(|x| x + shift)).collect();
        let boxes: Vec<[DVec3; 2]> = b.iter().map(bounds).collect();
        self.a.iter().any(|s| {
            let [low, high] = bounds(s);
            let near = |[l, h]: &[DVec3; 2]| l.cmple(high).all() && low.cmple(*h).all();
            b.iter().zip(&boxes).any(|(t, around)| near(around) && cross(s, t))
        }) || components(&b).into_iter().any(|x| inside(&self.a, x))
            || components(&self.a).into_iter().any(|x| inside(&b, x))
    }

    /// The shortest shift seen that frees them, of `steps` lengths up to `most` along `ways` directions, refined.
    pub(crate) fn least(&self, ways: u32, steps: u32, most: f64) -> f64 {
        let mut best = most;
        for way in directions(ways) {
            let lengths = (1..=steps).map(|k| most * f64::from(k) / f64::from(steps));
            let Some(free) = lengths.take_while(|t| *t < best).find(|t| !self.overlap(way * *t)) else { continue };
            let (mut low, mut high) = (free - most / f64::from(steps), free);
            for _ in 0..20 {
                let middle = 0.5 * (low + high);
                if self.overlap(way * middle) { low = middle } else { high = middle }
            }
            best = best.min(high);
        }
        best
    }
}

/// Directions spread evenly, the axes among them.
pub(crate) fn directions(count: u32) -> impl Iterator<Item = DVec3> {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let spiral = (0..count).map(move |i| {
        let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(count);
        let (r, angle) = ((1.0 - z * z).sqrt(), golden * f64::from(i));
        DVec3::new(r * angle.cos(), r * angle.sin(), z)
    });
    DVec3::AXES.into_iter().flat_map(|x| [x, -x]).chain(spiral)
}

fn bounds(t: &Triangle) -> [DVec3; 2] {
    [t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2])]
}

fn cross(s: &Triangle, t: &Triangle) -> bool {
    let pierces = |s: &Triangle, t: &Triangle| (0..3).any(|k| pierced(t, s[k], s[(k + 1) % 3]));
    pierces(s, t) || pierces(t, s)
}

fn volume(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    (b - a).cross(c - a).dot(d - a)
}

/// Whether the segment passes through the inside of the triangle.
fn pierced([a, b, c]: &Triangle, p: DVec3, q: DVec3) -> bool {
    if (volume(*a, *b, *c, p) > 0.0) == (volume(*a, *b, *c, q) > 0.0) {
        return false;
    }
    let turns = [volume(p, q, *a, *b), volume(p, q, *b, *c), volume(p, q, *c, *a)];
    turns.iter().all(|v| *v > 0.0) || turns.iter().all(|v| *v < 0.0)
}

/// Inside or outside, by the number of crossings along a direction that is parallel to no face.
fn inside(surface: &[Triangle], x: DVec3) -> bool {
    let far = x + DVec3::new(0.8377, 0.3911, 0.3794) * 1e3;
    surface.iter().filter(|t| pierced(t, x, far)).count() % 2 == 1
}

/// A corner of each connected piece.
fn components(surface: &[Triangle]) -> Vec<DVec3> {
    let mut left: Vec<&Triangle> = surface.iter().collect();
    let mut found = Vec::new();
    while let Some(first) = left.pop() {
        found.push(first[0]);
        let mut reached = vec![first];
        while let Some(t) = reached.pop() {
            let (near, far) = left.into_iter().partition::<Vec<_>, _>(|u| u.iter().any(|x| t.contains(x)));
            reached.extend(near);
            left = far;
        }
    }
    found
}

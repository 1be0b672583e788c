//! When a vertex and a face, or two edges, with whole coordinates first meet while their points move straight.
//!
//! All values are computed with 256 binary places. With coordinates of a few bits a value that is not 0 at a root of
//! another function is far greater than 2⁻¹⁴⁰ (their resultant is a whole number), so one that is smaller is 0. Roots
//! of a polynomial are found between those of its derivative, by bisection. Nothing here divides polynomials or counts
//! changes of sign, as the library does.

use num_bigint::BigInt;
use num_bigint::Sign;

/// Binary places of a time.
const PLACES: usize = 256;
/// A value below `2^−ZERO` is 0.
const ZERO: usize = 140;

/// A point at time 0 and at time 1.
pub type MovingPoint = [[i64; 3]; 2];

/// Coefficients, the constant one first.
type Polynomial = Vec<BigInt>;
type Vector = [Polynomial; 3];

/// The first time at which a vertex, the first point, meets the face of the others, or the edge between the first two
/// points that between the others.
pub fn first_encounter(points: &[MovingPoint; 4], is_face: bool) -> Option<f64> {
    let points = points.map(|[start, end]| {
        [0, 1, 2].map(|k| vec![BigInt::from(start[k]), BigInt::from(end[k]) - BigInt::from(start[k])])
    });
    let case = Case::new(&points, is_face);
    let mut times = vec![BigInt::from(0)];
    match trimmed(&case.height).is_empty() {
        true => case.events().iter().for_each(|event| times.extend(roots(event))),
        false => times.extend(roots(&case.height)),
    }
    times.sort();
    let first = times.into_iter().find(|t| case.meets_at(t))?;
    Some((first >> (PLACES - 60)).to_string().parse::<f64>().unwrap() / 2f64.powi(60))
}

struct Case {
    is_face: bool,
    height: Polynomial,
    normal: Vector,
    /// Not negative where the features meet, if the normal is not 0 and the height is.
    insides: Vec<Polynomial>,
    /// For a point and the ends of a segment: their cross product, and the product of the ways to the ends.
    segments: Vec<(Vector, Polynomial)>,
}

impl Case {
    fn new(points: &[Vector; 4], is_face: bool) -> Case {
        let way = |i: usize, j: usize| minus(&points[j], &points[i]);
        let on_segment = |p: usize, a: usize, b: usize| {
            let (to_a, to_b) = (way(p, a), way(p, b));
            (cross(&to_a, &to_b), dot(&to_a, &to_b))
        };
        if is_face {
            let normal = cross(&way(1, 2), &way(1, 3));
            let inside = |i: usize, j: usize| dot(&cross(&way(i, j), &way(i, 0)), &normal);
            let insides = vec![inside(1, 2), inside(2, 3), inside(3, 1)];
            let segments = vec![on_segment(0, 1, 2), on_segment(0, 2, 3), on_segment(0, 3, 1)];
            return Case { is_face, height: dot(&way(1, 0), &normal), normal, insides, segments };
        }
        let normal = cross(&way(0, 1), &way(2, 3));
        let squared = dot(&normal, &normal);
        let share = |other: usize, from: usize| dot(&cross(&way(0, 2), &way(from, other)), &normal);
        // (r − p) × (s − r)·n = u·n², and (r − p) × (q − p)·n = v·n².
        let (u, v) = (share(3, 2), share(1, 0));
        let rest = |x: &Polynomial| combined(&squared, x, |a, b| a - b);
        let insides = vec![u.clone(), rest(&u), v.clone(), rest(&v)];
        let segments = vec![on_segment(0, 2, 3), on_segment(1, 2, 3), on_segment(2, 0, 1), on_segment(3, 0, 1)];
        Case { is_face, height: dot(&way(0, 2), &normal), normal, insides, segments }
    }

    fn events(&self) -> Vec<Polynomial> {
        let segments = self.segments.iter().flat_map(|(cross, product)| cross.iter().chain([product]));
        self.normal.iter().chain(&self.insides).chain(segments).cloned().collect()
    }

    fn meets_at(&self, t: &BigInt) -> bool {
        let is_zero = |v: &Vector| v.iter().all(|x| sign(x, t) == 0);
        if sign(&self.height, t) != 0 {
            return false;
        }
        if !is_zero(&self.normal) {
            return self.insides.iter().all(|x| sign(x, t) >= 0);
        }
        debug_assert_eq!(self.segments.len(), if self.is_face { 3 } else { 4 });
        self.segments.iter().any(|(cross, product)| is_zero(cross) && sign(product, t) <= 0)
    }
}

/// The sign of a value at a time, with [`PLACES`] binary places.
fn sign(p: &Polynomial, t: &BigInt) -> i32 {
    let degree = p.len().saturating_sub(1);
    let value =
        p.iter().enumerate().rev().fold(BigInt::from(0), |sum, (k, c)| sum * t + (c << (PLACES * (degree - k))));
    let limit = BigInt::from(1) << (PLACES * degree).saturating_sub(ZERO);
    if value.magnitude() < limit.magnitude() {
        0
    } else if value.sign() == Sign::Minus {
        -1
    } else {
        1
    }
}

/// All roots from 0 to 1.
fn roots(p: &Polynomial) -> Vec<BigInt> {
    let p = trimmed(p);
    if p.len() < 2 {
        return Vec::new();
    }
    let derivative: Polynomial = p.iter().enumerate().skip(1).map(|(k, c)| c * BigInt::from(k)).collect();
    let mut ends = vec![BigInt::from(0)];
    ends.extend(roots(&derivative));
    ends.push(BigInt::from(1) << PLACES);
    ends.sort();
    let mut found: Vec<BigInt> = ends.iter().filter(|t| sign(&p, t) == 0).cloned().collect();
    for pair in ends.windows(2) {
        let [mut low, mut high] = [pair[0].clone(), pair[1].clone()];
        let side = sign(&p, &low);
        if side * sign(&p, &high) != -1 {
            continue;
        }
        while &high - &low > BigInt::from(1) {
            let middle: BigInt = (&low + &high) >> 1;
            let is_low = exact_sign(&p, &middle) == side;
            *(if is_low { &mut low } else { &mut high }) = middle;
        }
        found.push(low);
    }
    found
}

fn exact_sign(p: &Polynomial, t: &BigInt) -> i32 {
    let degree = p.len() - 1;
    let value =
        p.iter().enumerate().rev().fold(BigInt::from(0), |sum, (k, c)| sum * t + (c << (PLACES * (degree - k))));
    match value.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

fn trimmed(p: &Polynomial) -> Polynomial {
    let length = p.iter().rposition(|c| c.sign() != Sign::NoSign).map_or(0, |last| last + 1);
    p[..length].to_vec()
}

fn combined(x: &Polynomial, y: &Polynomial, join: impl Fn(BigInt, BigInt) -> BigInt) -> Polynomial {
    let of = |p: &Polynomial, k: usize| p.get(k).cloned().unwrap_or_default();
    (0..x.len().max(y.len())).map(|k| join(of(x, k), of(y, k))).collect()
}

fn minus(x: &Vector, y: &Vector) -> Vector {
    [0, 1, 2].map(|k| combined(&x[k], &y[k], |a, b| a - b))
}

fn times(x: &Polynomial, y: &Polynomial) -> Polynomial {
    let mut product = vec![BigInt::from(0); x.len() + y.len()];
    for (i, a) in x.iter().enumerate() {
        for (j, b) in y.iter().enumerate() {
            product[i + j] += a * b;
        }
    }
    trimmed(&product)
}

fn cross(x: &Vector, y: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| combined(&times(&x[i], &y[j]), &times(&x[j], &y[i]), |a, b| a - b))
}

fn dot(x: &Vector, y: &Vector) -> Polynomial {
    let [a, b, c] = [0, 1, 2].map(|k| times(&x[k], &y[k]));
    combined(&combined(&a, &b, |x, y| x + y), &c, |x, y| x + y)
}

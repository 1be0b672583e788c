//! Whether two triangles, each possibly a segment or a point, have a common point.
//!
//! The intersection of two triangles, where it is not empty, is convex, and one of its extreme points lies on an edge
//! of one of them. So the triangles meet exactly when an edge of one meets the other: six edge–triangle tests, every
//! one decided by signs of determinants. Nothing is shared with the interval test of Devillers and Guigue.

use super::number::Number;

/// A point with exact or bounded coordinates.
pub type Point<T> = [T; 3];
/// Three corners in any order.
pub type Triangle<T> = [Point<T>; 3];

/// The vector from `q` to `p`.
pub fn minus<T: Number>(p: &Point<T>, q: &Point<T>) -> Point<T> {
    std::array::from_fn(|i| p[i].minus(&q[i]))
}

/// The cross product.
pub fn cross<T: Number>(u: &Point<T>, v: &Point<T>) -> Point<T> {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        u[j].times(&v[k]).minus(&u[k].times(&v[j]))
    })
}

/// The scalar product.
pub fn dot<T: Number>(u: &Point<T>, v: &Point<T>) -> T {
    u[0].times(&v[0]).plus(&u[1].times(&v[1])).plus(&u[2].times(&v[2]))
}

/// The first axis along which `v` is not zero; `Some(None)` for the zero vector, `None` where bounds do not tell.
fn axis<T: Number>(v: &Point<T>) -> Option<Option<usize>> {
    let mut unknown = false;
    for (i, x) in v.iter().enumerate() {
        match x.sign() {
            Some(0) => {}
            Some(_) => return Some(Some(i)),
            None => unknown = true,
        }
    }
    if unknown { None } else { Some(None) }
}

/// Side of the plane through `a`, `b`, `c` on which `p` lies.
fn side<T: Number>(a: &Point<T>, b: &Point<T>, c: &Point<T>, p: &Point<T>) -> Option<i8> {
    dot(&minus(p, a), &cross(&minus(b, a), &minus(c, a))).sign()
}

/// Turn of `a`, `b`, `c` seen along `axis`.
fn turn<T: Number>(axis: usize, a: &Point<T>, b: &Point<T>, c: &Point<T>) -> Option<i8> {
    cross(&minus(b, a), &minus(c, a))[axis].sign()
}

/// Whether `p`, known to be collinear with `a` and `b`, lies between them.
fn between<T: Number>(a: &Point<T>, b: &Point<T>, p: &Point<T>) -> Option<bool> {
    for i in 0..3 {
        if p[i].minus(&a[i]).sign()? * p[i].minus(&b[i]).sign()? > 0 {
            return Some(false);
        }
    }
    Some(true)
}

fn point_on_segment<T: Number>(p: &Point<T>, a: &Point<T>, b: &Point<T>) -> Option<bool> {
    if axis(&cross(&minus(a, p), &minus(b, p)))?.is_some() { Some(false) } else { between(a, b, p) }
}

/// Segments `p`–`q` and `r`–`s` in space, points among them.
pub fn segments_meet<T: Number>(p: &Point<T>, q: &Point<T>, r: &Point<T>, s: &Point<T>) -> Option<bool> {
    for (x, [a, b]) in [(p, [r, s]), (q, [r, s]), (r, [p, q]), (s, [p, q])] {
        if point_on_segment(x, a, b)? {
            return Some(true);
        }
    }
    let normal = cross(&minus(q, p), &minus(s, r));
    let Some(along) = axis(&normal)? else { return Some(false) };
    if side(p, q, r, s)? != 0 {
        return Some(false);
    }
    let apart = turn(along, p, q, r)? * turn(along, p, q, s)?;
    let other = turn(along, r, s, p)? * turn(along, r, s, q)?;
    Some(apart < 0 && other < 0)
}

/// Segment `p`–`q` against the triangle `t`.
pub fn segment_meets_triangle<T: Number>(p: &Point<T>, q: &Point<T>, t: &Triangle<T>) -> Option<bool> {
    let [a, b, c] = t;
    let normal = cross(&minus(b, a), &minus(c, a));
    let Some(along) = axis(&normal)? else { return segment_meets_edges(p, q, t) };
    let (sp, sq) = (dot(&minus(p, a), &normal).sign()?, dot(&minus(q, a), &normal).sign()?);
    if sp * sq > 0 {
        return Some(false);
    }
    if sp == 0 && sq == 0 {
        return Some(inside(along, p, t)? || inside(along, q, t)? || segment_meets_edges(p, q, t)?);
    }
    let turns = [side(p, q, a, b)?, side(p, q, b, c)?, side(p, q, c, a)?];
    Some(turns.iter().all(|&s| s >= 0) || turns.iter().all(|&s| s <= 0))
}

/// Whether `p`, in the plane of the proper triangle `t`, lies in it.
fn inside<T: Number>(along: usize, p: &Point<T>, [a, b, c]: &Triangle<T>) -> Option<bool> {
    let turns = [turn(along, a, b, p)?, turn(along, b, c, p)?, turn(along, c, a, p)?];
    Some(turns.iter().all(|&s| s >= 0) || turns.iter().all(|&s| s <= 0))
}

fn segment_meets_edges<T: Number>(p: &Point<T>, q: &Point<T>, [a, b, c]: &Triangle<T>) -> Option<bool> {
    Some(segments_meet(p, q, a, b)? || segments_meet(p, q, b, c)? || segments_meet(p, q, c, a)?)
}

/// Whether the triangles have a common point; `None` only where bounds do not tell.
pub fn triangles_meet<T: Number>(a: &Triangle<T>, b: &Triangle<T>) -> Option<bool> {
    for (s, t) in [(a, b), (b, a)] {
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            if segment_meets_triangle(&s[i], &s[j], t)? {
                return Some(true);
            }
        }
    }
    Some(false)
}

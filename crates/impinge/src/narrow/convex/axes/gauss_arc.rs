//! An arc on the sphere of directions, followed through the regions of a polyhedron's vertices.
//!
//! The vertex farthest along `−d` stays the same while `d` keeps to the region of that vertex: `d·u ≥ 0` for every edge
//! that leaves it along `u`. On the way from `d₀` to `d₁`, straight on the chord, the region is left through the edge
//! whose `d·u` vanishes first, and the head of that edge is the next vertex. An edge is crossed only if `d₁·u < 0`,
//! that is, if its head lies farther along `−d₁`: the walk is a climb to the vertex farthest along `−d₁`, so it ends
//! there and passes nothing twice. Cost: the edges around the vertices passed.
//!
//! With `d` the normal of a face of one body and `d₁` that of its neighbour, the edges crossed in the other body are
//! those that make a facet of the Minkowski difference together with the edge between the two faces.

use glam::DVec3;

use crate::model::Convex;
use crate::model::convex::polyhedron::HalfEdge;

/// The way still to go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arc {
    /// Where it is, and where it goes; of any length, less than half a turn apart.
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
    /// The vertex farthest along `−from`.
    pub(crate) vertex: u32,
}

impl Arc {
    /// The next edge crossed, as the half-edge from the vertex left to the one entered.
    pub(crate) fn cross(&mut self, body: &Convex) -> Option<HalfEdge> {
        let (mut first, mut found) = (f64::INFINITY, None);
        for &h in body.vertex_edges(self.vertex) {
            let u = body.leading(h);
            let end = u.dot(self.to);
            if end < 0.0 {
                let start = u.dot(self.from).max(0.0);
                let t = start / (start - end);
                if t < first {
                    (first, found) = (t, Some(h));
                }
            }
        }
        let h = found?;
        self.from += (self.to - self.from) * first;
        self.vertex = body.head(h);
        Some(h)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::convex::polyhedra::cases::Random;

    #[test]
    fn an_arc_ends_at_the_farthest_vertex_and_crosses_where_two_are_equally_far() {
        let mut r = Random(6);
        let mut crossings = 0;
        for _ in 0..300 {
            let body = r.solid();
            let (from, to) = (r.direction(), r.direction());
            let mut arc = Arc { from, to, vertex: body.support(-from, 0) };
            for step in 0.. {
                assert!(step < body.vertex_count());
                let tail = arc.vertex;
                let Some(h) = arc.cross(&body) else { break };
                assert_eq!((body.tail(h), body.head(h)), (tail, arc.vertex));
                let farthest = body.support(-arc.from, 0);
                for v in [tail, arc.vertex] {
                    assert!(arc.from.dot(body.vertex(v) - body.vertex(farthest)) < 1e-14);
                }
                crossings += 1;
            }
            assert!(to.dot(body.vertex(arc.vertex) - body.vertex(body.support(-to, 0))) < 1e-15);
        }
        assert!(crossings > 500, "{crossings}");
    }
}

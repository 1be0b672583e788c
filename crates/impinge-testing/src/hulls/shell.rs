//! Which triples and pairs of a point set lie on its convex hull, by trying all of them.
//!
//! Coplanar points give more triangles and edges than the hull has. That does no harm: every triangle and edge named
//! here lies on the hull, and every face and edge of the hull is covered.

use std::ops::Range;

use super::clouds::Clouds;

/// The boundary of a hull, or the whole of it where it is flat.
#[derive(Debug, Clone)]
pub struct Shell {
    /// Dimension of the hull: 0 to 3.
    pub dimension: usize,
    /// The points whose hull it is.
    pub points: Range<usize>,
    /// Triangles that together cover its faces; none below dimension 2.
    pub triangles: Vec<[usize; 3]>,
    /// Segments between its corners, every edge among them.
    pub edges: Vec<[usize; 2]>,
}

impl Shell {
    /// The hull of these points, found by trying all triples.
    pub fn of(clouds: &Clouds, points: Range<usize>) -> Shell {
        let first = points.start;
        let mut shell = Shell { dimension: 0, points: points.clone(), triangles: vec![], edges: vec![] };
        let Some(second) = points.clone().nth(1) else { return shell };
        let along = [first, second];
        let bent = points.clone().find_map(|p| clouds.cross_axis(along, [first, p]).map(|axis| (p, axis)));
        let Some((third, axis)) = bent else {
            // Sorted by coordinates, so the ends of a line come first and last.
            (shell.dimension, shell.edges) = (1, vec![[first, points.end - 1]]);
            return shell;
        };
        let across = [first, third];
        if points.clone().all(|p| clouds.determinant(along, across, [first, p]) == 0) {
            shell.dimension = 2;
            shell.outline(clouds, axis);
        } else {
            shell.dimension = 3;
            shell.wrap(clouds);
        }
        shell
    }

    /// A polygon, seen along `axis`: the pairs with all points on one side, and a fan over them.
    fn outline(&mut self, clouds: &Clouds, axis: usize) {
        for i in self.points.clone() {
            for j in i + 1..self.points.end {
                let mut sides = [false; 2];
                for p in self.points.clone() {
                    match clouds.cross_sign([i, j], [i, p], axis) {
                        1 => sides[0] = true,
                        -1 => sides[1] = true,
                        _ => {}
                    }
                }
                if sides != [true, true] {
                    self.edges.push([i, j]);
                }
            }
        }
        let hub = self.points.start;
        let fan = self.edges.iter().filter(|[i, j]| clouds.cross_sign([hub, *i], [hub, *j], axis) != 0);
        self.triangles = fan.map(|&[i, j]| [hub, i, j]).collect();
    }

    /// A body: the triples with all points on one side, and their edges.
    fn wrap(&mut self, clouds: &Clouds) {
        let (start, end) = (self.points.start, self.points.end);
        for i in start..end {
            for j in i + 1..end {
                for k in j + 1..end {
                    if supports(clouds, [i, j, k], start..end) {
                        self.triangles.push([i, j, k]);
                        self.edges.extend([[i, j], [i, k], [j, k]]);
                    }
                }
            }
        }
        self.edges.sort_unstable();
        self.edges.dedup();
    }
}

/// Whether the triple spans a plane with no points on one side of it.
fn supports(clouds: &Clouds, [i, j, k]: [usize; 3], points: Range<usize>) -> bool {
    let mut side = 0;
    for p in points {
        if p == i || p == j || p == k {
            continue;
        }
        let sign = clouds.determinant([i, j], [i, k], [i, p]);
        if sign * side < 0 {
            return false;
        }
        if sign != 0 {
            side = sign;
        }
    }
    side != 0
}

//! Corners in an order in which neighbours are near each other in memory: breadth first over the edges.
//!
//! Walks over the boundary then stay within a few cache lines. Small hulls keep the order of the points given. Linear.

use super::boundary::Hull;

/// Above this many corners, breadth first.
const SMALL: usize = 64;

/// Fills in the corners of a hull that has its loops, and sorts the facets by their first corner.
pub(super) fn arrange(hull: &mut Hull, points: usize) {
    const NONE: u32 = u32::MAX;
    let mut corners = hull.loops.clone();
    corners.sort_unstable();
    corners.dedup();
    let mut place = vec![NONE; points];
    for (k, &v) in corners.iter().enumerate() {
        place[v as usize] = k as u32;
    }
    if corners.len() > SMALL {
        let order = breadth_first(hull, &place, corners.len());
        corners = order.iter().map(|&k| corners[k as usize]).collect();
        for (k, &v) in corners.iter().enumerate() {
            place[v as usize] = k as u32;
        }
    }
    // Each facet starts with its first corner, and follows the facets that start before.
    let starts = hull.facets().map(|facet| {
        let first = (0..facet.len()).min_by_key(|&k| place[facet[k] as usize]).unwrap_or(0);
        (facet, first, [first, (first + 1) % facet.len()].map(|k| place[facet[k] as usize]))
    });
    let mut facets: Vec<(&[u32], usize, [u32; 2])> = starts.collect();
    facets.sort_unstable_by_key(|&(_, _, places)| places);
    let mut arranged = Hull { corners, ..Hull::default() };
    for (facet, first, _) in facets {
        arranged.push_facet([&facet[first..], &facet[..first]].into_iter().flatten().copied());
    }
    *hull = arranged;
}

/// Places in the order in which a breadth-first walk over the edges meets them.
fn breadth_first(hull: &Hull, place: &[u32], count: usize) -> Vec<u32> {
    let mut first = vec![0u32; count + 1];
    let edges =
        || hull.facets().flat_map(|f| (0..f.len()).map(|k| [f[k], f[(k + 1) % f.len()]].map(|v| place[v as usize])));
    for [tail, _] in edges() {
        first[tail as usize + 1] += 1;
    }
    for k in 0..count {
        first[k + 1] += first[k];
    }
    let mut heads = vec![0u32; hull.loops.len()];
    let mut next = first.clone();
    for [tail, head] in edges() {
        heads[next[tail as usize] as usize] = head;
        next[tail as usize] += 1;
    }
    let mut met = vec![false; count];
    let mut order = Vec::with_capacity(count);
    for start in 0..count {
        if met[start] {
            continue;
        }
        met[start] = true;
        order.push(start as u32);
        let mut done = order.len() - 1;
        while done < order.len() {
            let v = order[done] as usize;
            done += 1;
            for &w in &heads[first[v] as usize..first[v + 1] as usize] {
                if !met[w as usize] {
                    met[w as usize] = true;
                    order.push(w);
                }
            }
        }
    }
    order
}

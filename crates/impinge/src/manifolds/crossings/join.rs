//! Joins segments into curves by the names of their ends.
//!
//! Segments with the same two ends are one. A curve goes on where two segments have an end, and ends where one has, or
//! more than two. What is left then are closed curves. Everything is taken in the order of the names and of the
//! segments, so the curves do not depend on how the segments were found.
//!
//! Cost: the ends are sorted.

use std::collections::BTreeMap;

/// A segment between two named ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedSegment<E> {
    pub(super) ends: [E; 2],
    /// The triangles that cross there.
    pub(super) pair: [u32; 2],
}

/// A curve: its ends in order, of a closed one each once, and the triangles between each and the next.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JoinedCurve<E> {
    pub(super) ends: Vec<E>,
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) closed: bool,
}

/// The curves that segments make up.
pub(super) fn joined<E: Copy + Ord>(segments: &[NamedSegment<E>]) -> Vec<JoinedCurve<E>> {
    let mut first: BTreeMap<[E; 2], usize> = BTreeMap::new();
    for (k, segment) in segments.iter().enumerate().filter(|(_, segment)| segment.ends[0] != segment.ends[1]) {
        let mut ends = segment.ends;
        ends.sort_unstable();
        first.entry(ends).or_insert(k);
    }
    let mut kept: Vec<usize> = first.into_values().collect();
    kept.sort_unstable();
    let mut at: BTreeMap<E, Vec<usize>> = BTreeMap::new();
    for &k in &kept {
        segments[k].ends.iter().for_each(|end| at.entry(*end).or_default().push(k));
    }
    let mut walk = Walk { segments, at: &at, used: vec![false; segments.len()] };
    let mut curves = Vec::new();
    for (&end, meeting) in at.iter().filter(|(_, meeting)| meeting.len() != 2) {
        for &k in meeting {
            curves.extend(walk.curve(end, k));
        }
    }
    for k in kept {
        curves.extend(walk.curve(segments[k].ends[0], k));
    }
    curves
}

struct Walk<'s, E> {
    segments: &'s [NamedSegment<E>],
    at: &'s BTreeMap<E, Vec<usize>>,
    used: Vec<bool>,
}

impl<E: Copy + Ord> Walk<'_, E> {
    /// The curve that leaves an end along a segment, unless that is part of another.
    fn curve(&mut self, start: E, first: usize) -> Option<JoinedCurve<E>> {
        if self.used[first] {
            return None;
        }
        let (mut ends, mut pairs, mut along) = (vec![start], Vec::new(), 0usize);
        let (mut end, mut next) = (start, Some(first));
        while let Some(k) = next {
            self.used[k] = true;
            let segment = &self.segments[k];
            let forward = segment.ends[0] == end;
            along += usize::from(forward);
            end = segment.ends[usize::from(forward)];
            pairs.push(segment.pair);
            if end == start {
                break;
            }
            ends.push(end);
            let meeting = self.at.get(&end).map_or(&[][..], |meeting| &meeting[..]);
            next = meeting.iter().copied().find(|&other| meeting.len() == 2 && !self.used[other]);
        }
        let closed = end == start;
        // The way that most of its segments run.
        if 2 * along < pairs.len() {
            ends.reverse();
            pairs.reverse();
            if closed {
                ends.rotate_right(1);
            }
        }
        Some(JoinedCurve { ends, pairs, closed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curves(segments: &[[u32; 2]]) -> Vec<(Vec<u32>, Vec<u32>, bool)> {
        let named = |(k, &ends): (usize, &[u32; 2])| NamedSegment { ends, pair: [k as u32, 0] };
        let named: Vec<NamedSegment<u32>> = segments.iter().enumerate().map(named).collect();
        let told =
            |curve: JoinedCurve<u32>| (curve.ends, curve.pairs.iter().map(|pair| pair[0]).collect(), curve.closed);
        joined(&named).into_iter().map(told).collect()
    }

    #[test]
    fn open_closed_and_branching() {
        assert_eq!(curves(&[[2, 3], [1, 2], [3, 4]]), [(vec![1, 2, 3, 4], vec![1, 0, 2], false)]);
        assert_eq!(curves(&[[1, 2], [2, 3], [3, 1]]), [(vec![1, 2, 3], vec![0, 1, 2], true)]);
        // Three that meet in one point, one of them told twice.
        let branching = curves(&[[1, 0], [0, 2], [3, 0], [0, 3]]);
        assert_eq!(branching.iter().map(|c| c.0.clone()).collect::<Vec<_>>(), [vec![1, 0], vec![0, 2], vec![3, 0]]);
        // A loop that leaves a branching point and comes back is closed.
        let loop_at_branch = curves(&[[0, 1], [1, 2], [2, 0], [0, 5]]);
        assert_eq!(loop_at_branch.iter().filter(|c| c.2).count(), 1);
        assert!(curves(&[[1, 1]]).is_empty() && curves(&[]).is_empty());
    }

    #[test]
    fn closed_curves_run_as_their_segments_do() {
        // Its first segment is told the other way round.
        let (ends, pairs, closed) = curves(&[[2, 1], [2, 3], [3, 4], [4, 1]]).remove(0);
        assert!(closed && ends.len() == 4);
        for (k, pair) in pairs.iter().enumerate() {
            let ends = [ends[k], ends[(k + 1) % 4]];
            assert!(*pair == 0 && ends == [1, 2] || *pair > 0 && ends == [[2, 3], [3, 4], [4, 1]][*pair as usize - 1]);
        }
    }
}

//! Clashes grouped by the body that most of them have in common.
//!
//! A pipe that goes through ten beams is one problem, not ten. So the clashes of one kind are gathered as reviewers do
//! by hand: the body that takes part in most of them is taken with all of its clashes, then the one that takes part in
//! most of those left, and so on. (Connected components would not do: in a building everything stands on something.)
//! Among equals the body that sorts first is taken.
//!
//! Cost: m log m for m clashes: each is taken out once, and a body is looked at again only when it has lost some.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::super::found::kind::ReportedKind;

/// Clashes of one kind that have a body in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) kind: ReportedKind,
    pub(crate) body: u32,
    pub(crate) count: usize,
}

/// The groups, the most serious kind and the largest first; and for each clash the body of its group.
pub(crate) fn gather(clashes: &[(ReportedKind, [u32; 2])]) -> (Vec<Group>, Vec<u32>) {
    let mut groups = Vec::new();
    let mut owner = vec![u32::MAX; clashes.len()];
    for kind in ReportedKind::EACH {
        let of_kind: Vec<usize> = (0..clashes.len()).filter(|&i| clashes[i].0 == kind).collect();
        let mut by_body: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for &i in &of_kind {
            clashes[i].1.iter().for_each(|&body| by_body.entry(body).or_default().push(i));
        }
        let mut open: BTreeMap<u32, usize> = by_body.iter().map(|(&body, own)| (body, own.len())).collect();
        let mut heap: BinaryHeap<(usize, Reverse<u32>)> = open.iter().map(|(&body, &n)| (n, Reverse(body))).collect();
        while let Some((count, Reverse(body))) = heap.pop() {
            let left = open.get(&body).copied().unwrap_or(0);
            if left == 0 {
                continue;
            }
            if left < count {
                heap.push((left, Reverse(body)));
                continue;
            }
            for &i in by_body.get(&body).into_iter().flatten() {
                if owner[i] != u32::MAX {
                    continue;
                }
                owner[i] = body;
                for other in clashes[i].1 {
                    open.entry(other).and_modify(|left| *left -= 1);
                }
            }
            groups.push(Group { kind, body, count });
        }
    }
    (groups, owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_with_most_clashes_takes_them() {
        let hard = |pair| (ReportedKind::Hard, pair);
        let clashes =
            [hard([0, 5]), hard([1, 5]), hard([2, 5]), hard([0, 1]), hard([3, 4]), (ReportedKind::Touch, [0, 5])];
        let (groups, owner) = gather(&clashes);
        assert_eq!(owner, [5, 5, 5, 0, 3, 0]);
        let group = |kind, body, count| Group { kind, body, count };
        assert_eq!(
            groups,
            [
                group(ReportedKind::Hard, 5, 3),
                group(ReportedKind::Hard, 0, 1),
                group(ReportedKind::Hard, 3, 1),
                group(ReportedKind::Touch, 0, 1)
            ]
        );
    }

    #[test]
    fn every_clash_is_in_one_group() {
        let mut state = 5u64;
        let mut next = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let clashes: Vec<(ReportedKind, [u32; 2])> =
            (0..500).map(|_| (ReportedKind::EACH[next(5) as usize], [next(30) as u32, 30 + next(30) as u32])).collect();
        let (groups, owner) = gather(&clashes);
        assert_eq!(groups.iter().map(|group| group.count).sum::<usize>(), clashes.len());
        for ((_, pair), owner) in clashes.iter().zip(&owner) {
            assert!(pair.contains(owner));
        }
        for group in &groups {
            let own =
                clashes.iter().zip(&owner).filter(|(clash, owner)| clash.0 == group.kind && **owner == group.body);
            assert_eq!(own.count(), group.count);
        }
        assert!(
            groups.windows(2).all(|w| w[0].kind < w[1].kind || (w[0].kind == w[1].kind && w[0].count >= w[1].count))
        );
    }
}

//! Every broad phase on the boxes of trees that another engine had stored: at rest, and while they move a little to and
//! fro.
//!
//! The corpus is found through `IMPINGE_CORPUS`; without it these tests say so and pass.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;

use flate2::read::GzDecoder;
use glam::DVec3;
use impinge::bound::Aabb;
use impinge::broad::{BoxId, Boxes, Filter, Mobility, PairSet, Phase, plain_pairs};
use impinge_testing::environment;
use impinge_testing::random::Random;

/// One box a line, six numbers: the least corner, the greatest corner.
fn read(name: &str) -> Option<Vec<Aabb>> {
    let corpus = environment::corpus()?;
    let mut text = String::new();
    let file = File::open(corpus.join("broadphase").join(name)).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let row = |line: &str| {
        let numbers: Vec<f64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
        assert_eq!(numbers.len(), 6, "{line}");
        Aabb::new(DVec3::from_slice(&numbers[..3]), DVec3::from_slice(&numbers[3..]))
    };
    Some(text.lines().filter(|line| !line.trim().is_empty()).map(row).collect())
}

#[test]
fn every_phase_finds_the_pairs_of_the_corpus() {
    for (name, least) in [("bounds01.txt.gz", 280), ("bounds02.txt.gz", 4000), ("bounds03.txt.gz", 260)] {
        let Some(listed) = read(name) else { return };
        assert!(listed.len() >= least, "{name}: {}", listed.len());
        let mut boxes = Boxes::new();
        let insert = |(k, b): (usize, &Aabb)| {
            let mobility = if k.is_multiple_of(3) { Mobility::Static } else { Mobility::Moving };
            boxes
                .insert(*b, Filter { group: 1 << (k % 2), mask: if k.is_multiple_of(7) { 1 } else { 3 } }, mobility)
                .unwrap()
        };
        let ids: Vec<BoxId> = listed.iter().enumerate().map(insert).collect();
        let mut phases: Vec<_> =
            Phase::EACH.iter().map(|phase| (phase, phase.start(), PairSet::new(), BTreeSet::new())).collect();
        let mut r = Random::new(least as u64);
        for frame in 0..4 {
            let expected = plain_pairs(&boxes);
            assert!(expected.len() > listed.len() / 4, "{name}: {}", expected.len());
            for (phase, running, pairs, known) in &mut phases {
                running.refresh(&boxes);
                let events = pairs.update(running.as_mut(), &boxes);
                assert!(events.removed.iter().all(|pair| known.remove(pair)), "{phase} {name} {frame}");
                assert!(events.added.iter().all(|pair| known.insert(*pair)), "{phase} {name} {frame}");
                assert!(known.iter().eq(&expected), "{phase} {name} {frame}");
                let mut found = Vec::new();
                running.pairs(&boxes, &mut |slice| found.extend_from_slice(slice));
                found.sort_unstable();
                assert!(found == expected, "{phase} {name} {frame}");
            }
            boxes.settle();
            for (&id, b) in ids.iter().zip(&listed) {
                let by = r.point(0.2) * (b.max - b.min).max_element();
                boxes.update(id, Aabb::new(b.min + by, b.max + by)).unwrap();
            }
        }
    }
}

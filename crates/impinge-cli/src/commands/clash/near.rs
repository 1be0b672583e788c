//! The pairs of bodies that come near enough to be asked about, found by boxes and handed out in chunks.
//!
//! A thread of its own runs the broad phase and stays at most [`AHEAD`] chunks in front of those who take them, so that
//! the n² pairs of bodies that are all in one place are never stored. When nobody takes any more it is left to itself:
//! a broad phase cannot be stopped, and ends with the process.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use impinge::bound::Aabb;
use impinge::broad::{BoxError, Boxes, BroadPhase, Filter, Mobility, Phase};
use impinge::glam::DVec3;
use impinge::{Model, Outline, Pose};

use super::bodies::assembly::Assembly;

/// Pairs in a chunk, at most.
const CHUNK: usize = 32;
/// Triangles of the pairs in a chunk after which it is full. One pair may take a million times as long as another:
/// those that may take long are handed out and reported one by one, and only small ones share what that costs.
const HEAVY: u64 = 1 << 10;
/// Chunks found before they are asked for: 2 million pairs at most, 16 MiB.
const AHEAD: usize = 1 << 16;

/// The algorithm for one still assembly.
fn phase() -> Box<dyn BroadPhase> {
    Phase::Auto.start()
}

/// Pairs, and the place of the chunk among all.
pub(crate) struct Chunk {
    pub(crate) number: u64,
    pub(crate) pairs: Vec<[u32; 2]>,
}

#[derive(Debug, Default)]
struct Count {
    pairs: AtomicU64,
    whole: AtomicBool,
}

/// Where chunks come from, in an order that depends on the boxes alone.
pub(crate) struct Near {
    chunks: Mutex<(u64, Receiver<Vec<[u32; 2]>>)>,
    count: Arc<Count>,
    finder: JoinHandle<()>,
}

impl Near {
    /// Starts to look for the pairs whose boxes are not farther apart than `reach`.
    pub(crate) fn start(assembly: &Assembly, reach: f64) -> Result<Near, BoxError> {
        let mut boxes = boxes(assembly, reach)?;
        let count = Arc::new(Count::default());
        let (send, chunks) = mpsc::sync_channel(AHEAD);
        let shared = Arc::clone(&count);
        let weights: Vec<u64> = assembly.bodies.iter().map(|body| weight(&body.model)).collect();
        let finder = thread::spawn(move || {
            let mut phase = phase();
            phase.refresh(&boxes);
            boxes.settle();
            hand_out(phase, &boxes, &weights, &send, &shared);
            shared.whole.store(true, Ordering::Release);
        });
        Ok(Near { chunks: Mutex::new((0, chunks)), count, finder })
    }

    /// The next chunk; `None` after the last.
    pub(crate) fn next(&self) -> Option<Chunk> {
        let mut chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        let pairs = chunks.1.recv().ok()?;
        let number = chunks.0;
        chunks.0 += 1;
        Some(Chunk { number, pairs })
    }

    /// How many pairs were found in all; `None` when chunks are left.
    pub(crate) fn end(self) -> Option<u64> {
        if self.next().is_some() {
            return None;
        }
        // No list without its end is taken for whole.
        self.finder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Some(self.count.pairs.load(Ordering::Relaxed))
    }

    /// How many pairs were found, and whether these are all.
    pub(crate) fn found(&self) -> (u64, bool) {
        let whole = self.count.whole.load(Ordering::Acquire);
        (self.count.pairs.load(Ordering::Relaxed), whole)
    }
}

/// What a body adds to the work on a pair.
fn weight(model: &Model) -> u64 {
    match model {
        Model::Mesh(mesh) => mesh.triangle_count() as u64,
        Model::Convex(_) | Model::Round(_) | Model::Parts(_) => 1,
    }
}

fn hand_out(
    mut phase: Box<dyn BroadPhase>,
    boxes: &Boxes,
    weights: &[u64],
    send: &SyncSender<Vec<[u32; 2]>>,
    count: &Count,
) {
    let mut chunk = Vec::new();
    let (mut weight, mut wanted) = (0, true);
    let of = |body: u32| weights.get(body as usize).copied().unwrap_or(0);
    // Fails when nobody takes any more.
    let hand = |chunk: &mut Vec<[u32; 2]>| {
        count.pairs.fetch_add(chunk.len() as u64, Ordering::Relaxed);
        send.send(std::mem::take(chunk)).is_ok()
    };
    phase.pairs(boxes, &mut |pairs| {
        for &[i, j] in pairs {
            if !wanted {
                return;
            }
            chunk.push([i, j]);
            weight += of(i) + of(j);
            if chunk.len() == CHUNK || weight >= HEAVY {
                wanted = hand(&mut chunk);
                weight = 0;
            }
        }
    });
    if wanted && !chunk.is_empty() {
        hand(&mut chunk);
    }
}

/// The boxes of the bodies, in their order, each wider by half of `reach`. A body without bounds gets the box of all
/// others.
fn boxes(assembly: &Assembly, reach: f64) -> Result<Boxes, BoxError> {
    let own: Vec<Option<Aabb>> = assembly.bodies.iter().map(|body| bounds(&body.model)).collect();
    let some = own.iter().flatten().next().copied().unwrap_or(Aabb::new(DVec3::ZERO, DVec3::ZERO));
    let world = own.iter().flatten().fold(some, |a, b| a.join(b));
    let mut boxes = Boxes::new();
    boxes.reserve(own.len());
    for (body, bounds) in assembly.bodies.iter().zip(&own) {
        let filter = match (assembly.two_sets, body.against) {
            (false, _) => Filter::ALL,
            (true, false) => Filter { group: 1, mask: 2 },
            (true, true) => Filter { group: 2, mask: 1 },
        };
        boxes.insert(bounds.unwrap_or(world).reaching(reach), filter, Mobility::Moving)?;
    }
    Ok(boxes)
}

/// The box around a body where it stands: of a mesh, which is not moved, the least.
pub(crate) fn bounds(model: &Model) -> Option<Aabb> {
    match model {
        Model::Mesh(mesh) => mesh.bounds().map(|[min, max]| Aabb::new(min, max)),
        _ => model.outline(&Pose::IDENTITY, Outline::Fitted),
    }
}

#[cfg(test)]
mod tests {
    use impinge::{Mesh, Round};

    use super::*;
    use crate::commands::clash::bodies::assembly::Member;

    /// How many pairs the chunks of an assembly have in which every body meets every other.
    fn chunks(count: u32, model: &Model) -> Vec<usize> {
        let body = |i: u32| Member { name: i.to_string(), model: model.clone(), file: i, group: None, against: false };
        let assembly = Assembly { bodies: (0..count).map(body).collect(), two_sets: false, labels: Vec::new() };
        let near = Near::start(&assembly, 0.0).unwrap();
        std::iter::from_fn(|| near.next()).map(|chunk| chunk.pairs.len()).collect()
    }

    #[test]
    fn what_may_take_long_is_handed_out_by_itself() {
        let strip = |n: u32| {
            let points = (0..=n + 1).map(|i| DVec3::new(f64::from(i / 2), f64::from(i % 2), 0.0)).collect();
            Model::from(Mesh::new(points, (0..n).map(|i| [i, i + 1, i + 2]).collect()).unwrap())
        };
        assert_eq!(chunks(6, &strip(600)), [1; 15]);
        assert_eq!(chunks(6, &strip(200)), [3; 5]);
        assert_eq!(chunks(10, &strip(2)), [32, 13]);
        assert_eq!(chunks(9, &Round::sphere(1.0).unwrap().into()), [32, 4]);
    }
}

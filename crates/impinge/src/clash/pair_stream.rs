//! The pairs of bodies of an assembly that come near each other, found by boxes and handed out in chunks.
//!
//! A thread of its own runs the broad phase and stays at most [`AHEAD`] chunks ahead of the threads that take them, so
//! that the n² pairs of bodies that are all in one place are never stored. When nobody takes chunks any more, that
//! thread is not stopped, since a broad phase cannot be: it ends with the process. In a build without threads all
//! chunks are found, and stored, before the first is taken.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use glam::DVec3;

use super::assembly_body::AssemblyBody;
use super::body_at::BodyAt;
use crate::bound::Aabb;
use crate::broad::{BoxError, Mobility, NearPairs, Phase, Space};
use crate::model::Model;
use crate::threads::pool::{self, Finder};

/// The most pairs in a chunk.
const CHUNK: usize = 32;
/// A chunk is full when its pairs have so many triangles in all. One pair may take a million times as long as another:
/// pairs that may take long are handed out one by one, and only small ones share a chunk, which saves the cost of
/// handing them out.
const HEAVY: u64 = 1 << 10;
/// The most chunks found before they are taken: 2 million pairs at most, 16 MiB.
const AHEAD: usize = 1 << 16;

/// Some pairs of bodies, and the number of the chunk.
///
/// ```
/// use impinge::{clash::{AssemblyBody, PairStream}, Round};
/// let ball = AssemblyBody::in_place(Round::sphere(1.0)?);
/// let near = PairStream::start(&[ball.clone(), ball], 0.0)?;
/// let chunk = near.next_chunk().expect("there is one pair");
/// assert_eq!((chunk.number, chunk.pairs), (0, vec![[0, 1]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairChunk {
    /// Chunks are numbered from 0, in an order that depends only on the boxes of the bodies.
    pub number: u64,
    /// The indices of the bodies.
    pub pairs: Vec<[u32; 2]>,
}

#[derive(Debug, Default)]
struct Count {
    pairs: AtomicU64,
    whole: AtomicBool,
}

/// The pairs of bodies that may be as near as some reach, found while they are taken. Any number of threads may take
/// chunks from it.
///
/// ```
/// use impinge::clash::{AssemblyBody, PairStream};
/// use impinge::{glam::DVec3, Pose, Round};
/// let ball = Round::sphere(1.0)?;
/// let at = |x: f64| Ok(AssemblyBody::at(ball.clone(), Pose::at(DVec3::X * x)?));
/// let row = [0.0, 2.5, 9.0].into_iter().map(at).collect::<Result<Vec<_>, impinge::PoseError>>()?;
/// let near = PairStream::start(&row, 1.0)?;
/// while let Some(chunk) = near.next_chunk() {
///     assert_eq!((chunk.number, chunk.pairs), (0, vec![[0, 1]]));
/// }
/// assert_eq!(near.end(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PairStream {
    chunks: Mutex<(u64, Receiver<Vec<[u32; 2]>>)>,
    count: Arc<Count>,
    finder: Finder,
}

impl PairStream {
    /// Starts to look for the pairs whose boxes are no farther apart than `reach`.
    pub fn start(bodies: &[AssemblyBody], reach: f64) -> Result<PairStream, BoxError> {
        let mut near = near_pairs(bodies, reach)?;
        let count = Arc::new(Count::default());
        let shared = Arc::clone(&count);
        let weights: Vec<u64> = bodies.iter().map(|body| weight(&body.model)).collect();
        let (chunks, finder) = pool::finder(AHEAD, move |send| {
            hand_out(&mut near, &weights, send, &shared);
            shared.whole.store(true, Ordering::Release);
        });
        Ok(PairStream { chunks: Mutex::new((0, chunks)), count, finder })
    }

    /// The next chunk; `None` after the last.
    pub fn next_chunk(&self) -> Option<PairChunk> {
        let mut chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        let pairs = chunks.1.recv().ok()?;
        let number = chunks.0;
        chunks.0 += 1;
        Some(PairChunk { number, pairs })
    }

    /// How many pairs were found in all; `None` when there are chunks that nobody took.
    pub fn end(self) -> Option<u64> {
        if self.next_chunk().is_some() {
            return None;
        }
        // If the finding thread failed, the list is not complete: the caller must not take it for complete.
        self.finder.end();
        Some(self.count.pairs.load(Ordering::Relaxed))
    }

    /// How many pairs were found so far, and whether these are all.
    pub fn found(&self) -> (u64, bool) {
        let whole = self.count.whole.load(Ordering::Acquire);
        (self.count.pairs.load(Ordering::Relaxed), whole)
    }
}

/// How many triangles a body adds to the work on a pair.
fn weight(model: &Model) -> u64 {
    match model {
        Model::Mesh(mesh) => mesh.triangle_count() as u64,
        Model::Deforming(body) => body.mesh().triangle_count() as u64,
        Model::Convex(_) | Model::Round(_) | Model::Parts(_) => 1,
    }
}

fn hand_out(near: &mut NearPairs, weights: &[u64], send: &dyn Fn(Vec<[u32; 2]>) -> bool, count: &Count) {
    let mut chunk = Vec::new();
    let (mut weight, mut wanted) = (0, true);
    let of = |body: u32| weights.get(body as usize).copied().unwrap_or(0);
    // Sending fails when nobody takes chunks any more.
    let hand = |chunk: &mut Vec<[u32; 2]>| {
        count.pairs.fetch_add(chunk.len() as u64, Ordering::Relaxed);
        send(std::mem::take(chunk))
    };
    near.each(&mut |pairs| {
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

/// The bodies, in their order, each in a box that is wider by half of `reach`. A body without bounds gets the box
/// around all the others.
fn near_pairs(bodies: &[AssemblyBody], reach: f64) -> Result<NearPairs, BoxError> {
    let own: Vec<Option<Aabb>> = bodies.iter().map(|body| BodyAt::new(&body.model, &body.pose).bounds()).collect();
    let some = own.iter().flatten().next().copied().unwrap_or(Aabb::new(DVec3::ZERO, DVec3::ZERO));
    let world = own.iter().flatten().fold(some, |a, b| a.join(b));
    let mut near = NearPairs::new(Phase::Auto.start());
    for ((body, bounds), place) in bodies.iter().zip(&own).zip(0..) {
        near.put(place, Space::Box(bounds.unwrap_or(world).reaching(reach)), body.filter, Mobility::Moving)?;
    }
    Ok(near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Mesh, Round};

    /// The number of pairs in each chunk, for an assembly in which every body meets every other.
    fn chunks(count: usize, model: &Model) -> Vec<usize> {
        let near = PairStream::start(&vec![AssemblyBody::in_place(model); count], 0.0).unwrap();
        std::iter::from_fn(|| near.next_chunk()).map(|chunk| chunk.pairs.len()).collect()
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

//! The manifolds of any two bodies.

use super::list::Manifolds;
use super::memory::ManifoldMemory;
use super::options::ManifoldOptions;
use super::solids::SolidContact;
use crate::answer::Stats;
use crate::math::Pose;
use crate::narrow::Limit;
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::grid::memory::Memory;

/// Fills the list with the manifolds of two bodies.
pub(crate) fn manifolds(
    query: &Query<'_>,
    poses: [&Pose; 2],
    options: &ManifoldOptions,
    known: &mut ManifoldMemory,
    memory: &mut Memory,
    out: &mut Manifolds,
) {
    out.clear();
    let mut stats = Stats::default();
    match query.bodies() {
        [BodyKind::Solid(a), BodyKind::Solid(b)] => {
            let contact = SolidContact {
                a: &a,
                b: &b,
                b_in_a: &query.b_in_a,
                poses,
                method: query.method,
                options,
                pieces: [0, 0],
            };
            known.single = contact.add(known.single, Context::new(&mut memory.solids, &mut stats), out);
        }
        bodies => of_pieces(query, bodies, poses, options, known, Context::new(memory, &mut stats), out),
    }
    out.semantics = query.semantics();
    out.stats = stats;
}

/// Each two pieces that come near each other.
fn of_pieces(
    query: &Query<'_>,
    [a, b]: [BodyKind<'_>; 2],
    poses: [&Pose; 2],
    options: &ManifoldOptions,
    known: &mut ManifoldMemory,
    mut cx: Context<'_, Memory>,
    out: &mut Manifolds,
) {
    let limit = Limit::All.most();
    let mut touching = query.touching(limit, options.reach(), cx.lend());
    touching.pairs.sort_unstable();
    out.contained = touching.contained;
    out.complete = touching.pairs.len() < limit;
    let mut faces = Vec::with_capacity(touching.pairs.len());
    for &[i, j] in touching.pairs.iter() {
        let [BodyKind::Solid(p), BodyKind::Solid(q)] = [a.node(i), b.node(j)] else { continue };
        let contact =
            SolidContact { a: &p, b: &q, b_in_a: &query.b_in_a, poses, method: query.method, options, pieces: [i, j] };
        let mut blank = Default::default();
        let face = contact.add(known.of_pieces([i, j]), Context::new(&mut blank, cx.stats), out);
        faces.push(([i, j], face));
    }
    known.pieces = faces;
}

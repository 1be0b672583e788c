//! How near two bodies are of which one is made of parts: the walks over the trees of parts, with the engine for every
//! two nodes.
//!
//! `Auto` goes on from the last query where the bodies have moved little since ([`parts_front`]). What is remembered of
//! the closest two pieces is what a pair of convex bodies remembers; of other two polyhedra it is their closest
//! features.
//!
//! [`parts_front`]: crate::narrow::parts::parts_front

use super::dispatch::{Query, of_solids, simple};
use super::memory::Memory;
use crate::answer::{Stats, Witness};
use crate::math::Interval;
use crate::model::round::Core;
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::convex::closest;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::parts::parts_front::FrontPair;
use crate::narrow::parts::parts_pair;
use crate::narrow::parts::parts_pair::{ClosestParts, NodesGap, PartsQuestion, PartsTrees};
use crate::narrow::proximity::{Proximity, WitnessedGap};
use crate::narrow::solid::Solid;

impl Query<'_> {
    /// As [`Query::nearest_parts`] without a limit, where the pieces that were closest are apart and no others can have
    /// come as near since.
    #[inline(never)]
    pub(super) fn tracked_parts(&self, mut cx: Context<'_, Memory>) -> Option<(Interval, Witness)> {
        let [a, b] = self.bodies();
        let trees = PartsTrees { a, b };
        let (pieces, Method::Auto) = (cx.memory.pieces?, self.method) else { return None };
        let front = cx.memory.front.as_mut().filter(|front| front.is_begun())?;
        if !front.moves_to(&trees, &self.b_in_a) || !trees.are_pieces(pieces) {
            return None;
        }
        let [Some(a), Some(b)] = [a.node(pieces[0]).polyhedron(), b.node(pieces[1]).polyhedron()] else { return None };
        let pair = Polyhedra { a, b, b_in_a: self.b_in_a };
        let near = closest::tracked(&pair, cx.part(|m| &mut m.solids))?;
        let interval = pair.interval(near.distance(), f64::INFINITY);
        if cx.memory.parts_front().is_due(interval.upper) {
            cx.memory.solids.keep(&self.b_in_a, pair.apart(&near, f64::INFINITY));
            return None;
        }
        cx.stats.primitive_tests += 1;
        Some((interval, pair.witness(&near).with_pieces(pieces)))
    }

    pub(super) fn nearest_parts(&self, enough: f64, mut cx: Context<'_, Memory>) -> Proximity {
        let [a, b] = self.bodies();
        let trees = PartsTrees { a, b };
        let follows = self.method == Method::Auto && cx.memory.parts_front().moves_to(&trees, &self.b_in_a);
        let closest = if follows {
            self.closest_of_front(&trees, enough, cx.lend())
        } else {
            self.closest_parts(&trees, enough, cx.lend())
        };
        let Some((pieces, proximity)) = closest.best else { return Outcome::Beyond };
        match proximity.with_pieces(pieces) {
            Outcome::Apart(WitnessedGap { interval, witness }) => {
                Proximity::apart(Interval { lower: interval.lower.min(closest.lower), ..interval }, witness)
            }
            other => other,
        }
    }

    /// From nothing but the pieces that were closest.
    fn closest_parts(&self, trees: &PartsTrees<'_>, enough: f64, cx: Context<'_, Memory>) -> ClosestParts<Proximity> {
        let mut walk = std::mem::take(&mut cx.memory.walk);
        let ask = PartsQuestion { within: enough, enough: -1.0, seed: cx.memory.pieces };
        let test = |nodes: [u32; 2], cutoff: f64| NodesGap::of(self.at_nodes(nodes, cutoff, cx.memory));
        let closest = parts_pair::distance(trees, &ask, test, &mut walk, cx.stats);
        cx.memory.walk = walk;
        if let Some((pieces, _)) = &closest.best {
            cx.memory.pieces = Some(*pieces);
            cx.memory.solids = ConvexMemory::default();
        }
        closest
    }

    /// By what earlier queries have ruled out.
    fn closest_of_front(
        &self,
        trees: &PartsTrees<'_>,
        enough: f64,
        cx: Context<'_, Memory>,
    ) -> ClosestParts<Proximity> {
        let mut front = std::mem::take(&mut cx.memory.front).unwrap_or_default();
        let memory = &mut *cx.memory;
        let seed = memory.pieces.map(|nodes| FrontPair { nodes, features: memory.solids.features });
        let test = |pair: &mut FrontPair, far: f64| {
            if let [BodyKind::Solid(a), BodyKind::Solid(b)] = [trees.a.node(pair.nodes[0]), trees.b.node(pair.nodes[1])]
            {
                let own = seed.is_some_and(|seed| seed.nodes == pair.nodes).then_some(&mut memory.solids);
                return self.gap_of_solids([&a, &b], pair, far, own);
            }
            let proximity = self.at_nodes(pair.nodes, far, memory);
            let beyond = matches!(proximity, Outcome::Beyond);
            let gap = NodesGap::of(proximity);
            if beyond { NodesGap { lower: far, ..gap } } else { gap }
        };
        let found = front.search(trees, enough, seed, test, cx.stats);
        cx.memory.front = Some(front);
        if found.seed.map(|pair| pair.nodes) != cx.memory.pieces {
            cx.memory.pieces = found.seed.map(|pair| pair.nodes);
            cx.memory.solids = ConvexMemory::of_features(found.seed.and_then(|pair| pair.features));
        }
        found.closest
    }

    /// How near two convex nodes are: by the balls around them where these are far enough apart, else exactly. `own` is
    /// what is remembered of them alone.
    fn gap_of_solids(
        &self,
        [a, b]: [&Solid<'_>; 2],
        pair: &mut FrontPair,
        far: f64,
        own: Option<&mut ConvexMemory>,
    ) -> NodesGap<Proximity> {
        if let (Core::Polyhedron(p), Core::Polyhedron(q)) = (a.core, b.core)
            && pair.features.is_none()
            && own.is_none()
        {
            let balls = Polyhedra { a: p, b: q, b_in_a: self.b_in_a }.gap_of_balls();
            let lower = balls - (a.margin + b.margin) * (1.0 + 1e-12);
            if lower > far {
                return NodesGap { lower, upper: f64::INFINITY, near: Outcome::Beyond };
            }
        }
        let fresh = &mut ConvexMemory::of_features(pair.features);
        let (memory, stats) = (own.unwrap_or(fresh), &mut Stats::default());
        let cx = Context::new(&mut *memory, stats);
        let outcome = closest::nearest([a, b], &self.b_in_a, f64::INFINITY, self.method, cx);
        pair.features = memory.features;
        NodesGap::of(of_solids(outcome))
    }

    /// How near two nodes are: pieces, hulls, or bodies that have no tree of parts.
    pub(crate) fn at_nodes(&self, [i, j]: [u32; 2], enough: f64, of_all: &mut Memory) -> Proximity {
        let [a, b] = self.bodies();
        let mut memory = Memory { meshes: of_all.meshes.take(), ..Memory::default() };
        let pair = [a.node(i), b.node(j)];
        let proximity =
            simple(pair, &self.b_in_a, enough, self.method, Context::new(&mut memory, &mut Stats::default()));
        of_all.meshes = memory.meshes;
        proximity
    }
}

impl NodesGap<Proximity> {
    fn of(proximity: Proximity) -> NodesGap<Proximity> {
        let (lower, upper) = match &proximity {
            Outcome::Beyond => (f64::INFINITY, f64::INFINITY),
            Outcome::Apart(WitnessedGap { interval, .. }) => (interval.lower, interval.upper),
            _ => (0.0, 0.0),
        };
        NodesGap { lower, upper, near: proximity }
    }
}

//! Lists the encounters of the features of meshes that deform or move straight, of all bodies of a world.
//!
//! The bodies get the boxes of their ways through the span, as in a window of time ([`super::window`]), and every two
//! whose boxes meet, and of which one deforms, are asked for their list.
//!
//! Cost: a box for each body with a motion, the refresh of the broad phase, and the lists, shared among threads.

use crate::broad::Space;
use crate::model::Model;
use crate::pair::Pair;
use crate::path::Span;
use crate::threads::share;
use crate::time::{EncounterOptions, MeshEncounters};
use crate::world::body::{BodyId, PlacedBody};
use crate::world::state::{BoxesAround, World};
use crate::world::verbs::Met;

impl World {
    /// Which vertices meet faces, and which edges meet, of every two meshes of which one deforms, while each body
    /// follows its motion through a span: what a solver for cloth needs. A mesh with itself is
    /// [`Deforming::self_encounters`](crate::Deforming::self_encounters).
    ///
    /// The answer is `None` where the encounters of two bodies whose boxes meet are not known: where one of them is no
    /// mesh, or turns, or the span is not within the step; [`Pair::encounters`] has the rules. Two bodies that are left
    /// out by a filter or a rule, that have a sensor among them, or that meet nowhere are not listed.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use impinge::{glam::DVec3, Body, Deforming, EncounterOptions, Mesh, Pose, Span, Steady, World};
    /// let floor = [[-9., -9., 0.], [9., -9., 0.], [0., 9., 0.]].map(DVec3::from_array).to_vec();
    /// let leaf = [[0., 0., 1.], [1., 0., 2.], [0., 1., 4.]].map(DVec3::from_array).to_vec();
    /// let bent: Vec<DVec3> = leaf.iter().map(|v| *v - DVec3::Z).collect();
    /// let leaf = Deforming::new(Mesh::new(leaf, vec![[0, 1, 2]])?, &bent)?;
    /// let mut world = World::new();
    /// world.add(Body::new(Mesh::new(floor, vec![[0, 1, 2]])?, Pose::IDENTITY))?;
    /// let leaf = world.add(Body::new(leaf, Pose::IDENTITY))?;
    /// let falling = Steady::straight(Pose::IDENTITY, -DVec3::Z * 2.0, 0.0)?;
    /// world.set_motion(leaf, Some(Arc::new(falling)))?;
    /// let met = world.encounters(Span::UNIT, &EncounterOptions::default());
    /// let all = met[0].answer.as_ref().expect("nothing turns");
    /// assert!(met[0].b == leaf && all.list.len() == 2, "two of its corners pass the floor");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encounters(&mut self, span: Span, options: &EncounterOptions) -> Vec<Met<Option<MeshEncounters>>> {
        let (from, to) = (span.from(), span.to());
        self.set_reach(self.reach.max(options.near()));
        self.windows += 1;
        self.boxes_around = BoxesAround::Window(self.windows);
        let movers: Vec<u32> = self.movers.iter().copied().collect();
        for at in movers {
            let Some(body) = self.in_slot(at) else { continue };
            let Some(swept) = body.motion.as_ref().map(|motion| motion.swept_box(&body.model, from, to)) else {
                continue;
            };
            self.box_for_window(at, Space::reaching(swept, options.near()));
        }
        let mut pairs = Vec::new();
        let World { near, slots, rules, .. } = self;
        let id = |slot: u32| BodyId { slot, generation: slots[slot as usize].generation };
        let deforms = |placed: &PlacedBody| matches!(placed.body.model, Model::Deforming(_));
        near.each(&mut |some| {
            for &[i, j] in some {
                let [a, b] = [i, j].map(|slot| slots[slot as usize].body.as_ref());
                let asked =
                    a.zip(b).is_some_and(|(a, b)| (deforms(a) || deforms(b)) && !a.body.sensor && !b.body.sensor);
                if asked && rules.admit(id(i), id(j)) {
                    pairs.push([i.min(j), i.max(j)]);
                }
            }
        });
        pairs.sort_unstable();
        let ask = |k: usize| -> Option<Met<Option<MeshEncounters>>> {
            let [i, j] = pairs[k];
            let [a, b] = [i, j].map(|slot| slots[slot as usize].body.as_ref());
            let (a, b) = (a?, b?);
            let answer = Pair::new(&a.body.model, &b.body.model).encounters(a.motion(), b.motion(), span, options);
            Some(Met { a: id(i), b: id(j), answer })
        };
        let asked = share::map(pairs.len(), 1, ask).into_iter().flatten();
        asked.filter(|met| met.answer.as_ref().is_none_or(|all| !all.list.is_empty())).collect()
    }
}

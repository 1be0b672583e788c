//! Draws a world as lines.
//!
//! Lines come in one order: boxes, outlines, contacts and normals, and the tree; each in the order of the ids of
//! bodies, and the tree from its roots down. Cost: the lines, and the contacts where these are asked for.

use glam::DVec3;

use super::debug_line::{DebugFlags, DebugLine, LineKind};
use super::wire::wire;
use crate::bound::Aabb;
use crate::narrow::Limit;
use crate::narrow::body::BodyKind;
use crate::world::body::{BodyId, PlacedBody};
use crate::world::state::World;

/// The most contacts of two bodies that are drawn.
const MOST_CONTACTS: usize = 64;

/// The size of a cross, and of a normal, by that of the smaller body.
const CROSS: f64 = 0.02;
const NORMAL: f64 = 0.25;

impl World {
    /// Lines that show the world as it is now, to draw over a picture of it. The same world gives the same lines, in
    /// the same order.
    ///
    /// Contacts and normals are those of [`World::contacts`], without sensors and at most 64 of each two bodies. The
    /// tree is the one that a [`View`](crate::View) searches, and depends on how the bodies came to be where they are.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, DebugFlags, LineKind, Pose, Round, World};
    /// let mut world = World::new();
    /// let cube = Round::cuboid(DVec3::splat(2.0))?;
    /// world.add(Body::new(cube.clone(), Pose::IDENTITY))?;
    /// world.add(Body::new(cube, Pose::at(DVec3::X * 1.9)?))?;
    /// let lines = world.debug_lines(DebugFlags::OUTLINES | DebugFlags::NORMALS);
    /// let of = |kind| lines.iter().filter(|line| line.kind == kind).collect::<Vec<_>>();
    /// assert_eq!(of(LineKind::Outline).len(), 24);
    /// let [from, to] = of(LineKind::Normal)[0].ends;
    /// assert!((to - from).normalize().distance(DVec3::X) < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn debug_lines(&mut self, what: DebugFlags) -> Vec<DebugLine> {
        let mut lines = Vec::new();
        if what.contains(DebugFlags::BOXES) {
            self.placed().for_each(|(id, placed)| draw_box(placed.bounds, LineKind::Box, Some(id), &mut lines));
        }
        if what.contains(DebugFlags::OUTLINES) {
            self.draw_outlines(&mut lines);
        }
        let kinds = [(DebugFlags::CONTACTS, LineKind::Contact), (DebugFlags::NORMALS, LineKind::Normal)];
        let wanted = kinds.map(|(flag, kind)| what.contains(flag).then_some(kind));
        if wanted.iter().any(Option::is_some) {
            self.draw_contacts(wanted, &mut lines);
        }
        if what.contains(DebugFlags::TREE) {
            self.view();
            self.tree.node_boxes().for_each(|b| draw_box(Some(b), LineKind::Tree, None, &mut lines));
        }
        lines
    }

    fn placed(&self) -> impl Iterator<Item = (BodyId, &PlacedBody)> + '_ {
        (0..).zip(&self.slots).filter_map(|(at, slot)| Some((self.id(at), slot.body.as_ref()?)))
    }

    fn draw_outlines(&self, lines: &mut Vec<DebugLine>) {
        let bounds = self.placed().filter_map(|(_, placed)| placed.bounds);
        let all = bounds.fold(Aabb::EMPTY, |all, b| all.join(&b));
        let (middle, half) = if all.is_empty() { (DVec3::ZERO, 1.0) } else { (all.centre(), size(&all)) };
        for (id, placed) in self.placed() {
            let pose = &placed.body.pose;
            let middle = pose.rotation_matrix().transpose() * (middle - pose.translation());
            wire(BodyKind::of(&placed.body.model), middle, half, &mut |p, q| {
                let ends = [pose.apply(p), pose.apply(q)];
                lines.push(DebugLine { kind: LineKind::Outline, ends, body: Some(id) });
            });
        }
    }

    fn draw_contacts(&mut self, wanted: [Option<LineKind>; 2], lines: &mut Vec<DebugLine>) {
        for met in self.contacts(Limit::UpTo(MOST_CONTACTS)) {
            let sizes = [met.a, met.b].map(|id| self.known(id).ok().and_then(|placed| placed.bounds).map(|b| size(&b)));
            let size = sizes.into_iter().flatten().fold(f64::INFINITY, f64::min);
            let size = if size.is_finite() { size } else { 1.0 };
            for contact in met.answer.iter() {
                for &[on_a, on_b] in contact.points.iter() {
                    let at = on_a * 0.5 + on_b * 0.5;
                    let arms =
                        [DVec3::X, DVec3::Y, DVec3::Z].map(|way| [at - way * size * CROSS, at + way * size * CROSS]);
                    let cross = wanted[0].iter().flat_map(|kind| arms.map(|ends| (*kind, ends)));
                    let normal = wanted[1]
                        .filter(|_| contact.normal != DVec3::ZERO)
                        .map(|kind| (kind, [at, at + contact.normal * size * NORMAL]));
                    let body = Some(met.a);
                    lines.extend(cross.chain(normal).map(|(kind, ends)| DebugLine { kind, ends, body }));
                }
            }
        }
    }
}

/// Half of the diagonal.
fn size(b: &Aabb) -> f64 {
    (b.max * 0.5 - b.min * 0.5).length()
}

/// The twelve edges of a box.
fn draw_box(b: Option<Aabb>, kind: LineKind, body: Option<BodyId>, lines: &mut Vec<DebugLine>) {
    let Some(b) = b.filter(|b| !b.is_empty()) else { return };
    let ends = [b.min.to_array(), b.max.to_array()];
    let corner = |k: usize| DVec3::new(ends[k & 1][0], ends[k >> 1 & 1][1], ends[k >> 2][2]);
    for from in 0..8 {
        for to in [1, 2, 4].map(|bit| from | bit).into_iter().filter(|to| *to != from) {
            lines.push(DebugLine { kind, ends: [corner(from), corner(to)], body });
        }
    }
}

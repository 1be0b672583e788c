//! The bodies in a region of space: a box, or what several half-spaces have in common, as a camera sees it.
//!
//! A body is told by itself, not by its box: boxes that lie in the region wholly, or not at all, decide at once, and
//! the model of a body is asked about where its box does not.

use std::ops::ControlFlow;

use glam::DVec3;

use super::box_gap::BoxGap;
use super::places::{BoxRegion, BoxSide, Planes, Region};
use super::view_of::{Search, View};
use crate::bound::Aabb;
use crate::math::simd::{Simd, Vector};
use crate::tree::nodes::{Tree, TreeNode};
use crate::world::body::{Body, BodyId};

impl View<'_> {
    /// Which bodies touch the box? A box that is empty or has a NaN holds nothing; its ends may be infinite. Decided
    /// as [`overlap`](crate::overlap) of the body and a hull with the corners of the box.
    ///
    /// ```
    /// use impinge::{bound::Aabb, glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// let corner = |x: f64| Aabb::new(DVec3::splat(x), DVec3::splat(2.0));
    /// assert_eq!(world.view().in_box(&corner(0.5)), [ball]);
    /// assert!(world.view().in_box(&corner(0.6)).is_empty(), "only the boxes have common points");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_box(&self, region: &Aabb) -> Vec<BodyId> {
        let Some(mut cuboid) = BoxRegion::new(region, &self.world.tree.bounds()) else { return Vec::new() };
        let mut found = Vec::new();
        self.search(&mut Inside { region: &mut cuboid, found: &mut found });
        found.sort_unstable();
        found
    }

    /// Which bodies touch every one of these half-spaces? Each is a normal and an offset: the points `p` with
    /// `normal·p ≤ offset`, as of [`Round::half_space`](crate::Round::half_space). With the six of a camera these are
    /// the bodies in its frustum, and maybe some that pass by one of its edges; none that it sees is missing.
    ///
    /// Normals have any length. No point is in a half-space with a NaN, or whose normal is infinite; with a normal of
    /// 0, or an infinite offset, it has all points or none.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ids = [DVec3::Z * -5.0, DVec3::Z * 5.0, DVec3::new(9.0, 0.0, -5.0)].map(|at| {
    ///     let ball = Round::sphere(1.0).expect("a radius");
    ///     world.add(Body::new(ball, Pose::at(at).expect("not far"))).expect("not far")
    /// });
    /// // A camera at the origin looks along −z, 45° to each side, as far as 100.
    /// let sides = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y].map(|side| (side + DVec3::Z, 0.0));
    /// let frustum = [&sides[..], &[(DVec3::Z, -0.1), (DVec3::NEG_Z, 100.0)]].concat();
    /// assert_eq!(world.view().in_frustum(&frustum), [ids[0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_frustum(&self, half_spaces: &[(DVec3, f64)]) -> Vec<BodyId> {
        let Some(mut planes) = Planes::new(half_spaces) else { return Vec::new() };
        let mut found = Vec::new();
        self.search(&mut Inside { region: &mut planes, found: &mut found });
        found.sort_unstable();
        found
    }

    /// Shows the bodies whose boxes meet this one, in no order, until `visit` breaks off; bodies without bounds are
    /// among them. Every body that touches the box is shown; a box that is empty or has a NaN has none. For a caller
    /// that compares bodies in a way of its own.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use impinge::{bound::Aabb, glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// for x in 0..9 {
    ///     world.add(Body::new(Round::sphere(0.5)?, Pose::at(DVec3::X * f64::from(x))?))?;
    /// }
    /// let mut count = 0;
    /// world.view().boxes_near(&Aabb::new(DVec3::ZERO, DVec3::X * 3.0), |_| {
    ///     count += 1;
    ///     if count < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    /// });
    /// assert_eq!(count, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn boxes_near(&self, region: &Aabb, visit: impl FnMut(BodyId) -> ControlFlow<()>) {
        if !region.is_empty() {
            self.search(&mut Boxes { region, gap: BoxGap::NONE, visit, ended: false });
        }
    }
}

/// A body wholly within costs nothing, one across the border something.
struct Inside<'r, R> {
    region: &'r mut R,
    found: &'r mut Vec<BodyId>,
}

impl<R: Region> Search for Inside<'_, R> {
    const IN_ORDER: bool = false;

    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        match self.region.side(b) {
            BoxSide::Within => 0.0,
            BoxSide::Across => 1.0,
            BoxSide::Beyond => f64::INFINITY,
        }
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        1.0
    }

    fn enter(&mut self, tree: &Tree, _: &Aabb) {
        self.region.enter(tree);
    }

    #[inline(always)]
    fn bounds_in_tree<S: Simd>(&self, node: &TreeNode, _: f32) -> (S::F32x8, u32) {
        (S::F32x8::splat(0.0), self.region.meets::<S>(node))
    }

    #[inline(always)]
    fn limit_in_tree(&self, _: f64) -> f32 {
        1.0
    }

    #[inline(always)]
    fn is_enough(&mut self, id: BodyId, bound: f64) -> bool {
        if bound == 0.0 {
            self.found.push(id);
        }
        bound == 0.0
    }

    fn look(&mut self, id: BodyId, body: &Body, _: f64) {
        if self.region.touches(body) {
            self.found.push(id);
        }
    }
}

struct Boxes<'r, V> {
    region: &'r Aabb,
    gap: BoxGap,
    visit: V,
    ended: bool,
}

impl<V: FnMut(BodyId) -> ControlFlow<()>> Search for Boxes<'_, V> {
    const IN_ORDER: bool = false;

    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        if self.region.meets(b) { 0.0 } else { f64::INFINITY }
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        if self.ended { f64::NEG_INFINITY } else { 0.0 }
    }

    fn enter(&mut self, tree: &Tree, _: &Aabb) {
        self.gap = BoxGap::new(tree, self.region);
    }

    #[inline(always)]
    fn bounds_in_tree<S: Simd>(&self, node: &TreeNode, _: f32) -> (S::F32x8, u32) {
        self.gap.meets::<S>(node)
    }

    #[inline(always)]
    fn limit_in_tree(&self, _: f64) -> f32 {
        f32::MAX
    }

    #[inline(always)]
    fn is_sure(&self, bound_in_tree: f32) -> bool {
        bound_in_tree <= BoxGap::SURE
    }

    #[inline(always)]
    fn is_enough(&mut self, id: BodyId, _: f64) -> bool {
        self.ended |= (self.visit)(id).is_break();
        true
    }

    fn look(&mut self, id: BodyId, _: &Body, bound: f64) {
        self.is_enough(id, bound);
    }
}

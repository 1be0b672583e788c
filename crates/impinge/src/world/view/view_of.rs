//! A world as it is now, ready to be searched by any number of threads; and which of its bodies a search sees.

use std::fmt;

use crate::bound::Aabb;
use crate::broad::Filter;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::tree::descent::cheapest::{LeafSearch, cheapest_first};
use crate::tree::nodes::{Leaf, Tree, TreeNode};
use crate::world::body::{Body, BodyId};
use crate::world::body_tree::{BoxedBody, TreeLevel};
use crate::world::error::WorldError;
use crate::world::state::World;

/// What a caller's own rule says of a body.
type Rule<'w> = dyn Fn(BodyId, &Body) -> bool + Sync + 'w;

/// A world as it is now, for questions that need not ask every body: about rays, points, regions, and shapes that stand
/// or move. From [`World::view`].
///
/// Bodies are taken where they are placed. Every question leaves out the bodies that the view does not see; sensors are
/// seen. Lists are sorted, by the ids of the bodies unless it says otherwise, and answers do not depend on the number
/// of threads: they are those of the same verb about each body, one by one.
///
/// A view is small and can be copied, and several threads can ask it at once.
///
/// ```
/// use impinge::{glam::DVec3, Body, BodyId, Filter, Pose, Ray, Round, World};
/// let mut world = World::new();
/// let glass = Filter { group: 0b01, mask: u32::MAX };
/// let pane = Round::cuboid(DVec3::new(0.1, 9.0, 9.0))?;
/// world.add(Body { filter: glass, ..Body::new(pane, Pose::at(DVec3::X * 2.0)?) })?;
/// let wall = world.add(Body::new(Round::sphere(1.0)?, Pose::at(DVec3::X * 8.0)?))?;
/// let sight = Ray::new(DVec3::ZERO, DVec3::X)?;
///
/// let view = world.view();
/// assert!(view.ray(&sight).is_some_and(|found| found.body != wall), "the pane is nearer");
/// let is_clear = |_: BodyId, body: &Body| body.filter != glass;
/// let through = view.with_rule(&is_clear);
/// assert!(through.ray(&sight).is_some_and(|found| found.body == wall));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct View<'w> {
    pub(super) world: &'w World,
    filter: Filter,
    eye: Option<BodyId>,
    rule: Option<&'w Rule<'w>>,
    /// Whether sensors are seen.
    sensors: bool,
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let View { filter, eye, sensors, .. } = self;
        f.debug_struct("View").field("filter", filter).field("eye", eye).field("sensors", sensors).finish()
    }
}

impl World {
    /// The world as it is now, for questions about rays, points, regions and shapes. Costs what has changed since the
    /// last view, and nothing when nothing has.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// let ball = world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// assert_eq!(world.view().contains(DVec3::X * 0.5)?, [ball]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view(&mut self) -> View<'_> {
        self.tree.update(&self.slots, &mut self.changed);
        View { world: self, filter: Filter::ALL, eye: None, rule: None, sensors: true }
    }
}

impl<'w> View<'w> {
    /// The same view, of the bodies only that this filter admits, and whose filters admit it.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Filter, Pose, Round, World};
    /// let mut world = World::new();
    /// let [red, blue] = [0b01, 0b10].map(|group| Filter { group, mask: u32::MAX });
    /// world.add(Body { filter: red, ..Body::new(Round::sphere(1.0)?, Pose::IDENTITY) })?;
    /// let b = world.add(Body { filter: blue, ..Body::new(Round::sphere(1.0)?, Pose::IDENTITY) })?;
    /// let not_red = Filter { group: u32::MAX, mask: !0b01 };
    /// assert_eq!(world.view().with_filter(not_red).contains(DVec3::ZERO)?, [b]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_filter(self, filter: Filter) -> View<'w> {
        View { filter, ..self }
    }

    /// The same view, of the bodies only that `sees` is true of. It has to say the same of the same body every time.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// for number in 0..3 {
    ///     world.add(Body { user_data: number, ..Body::new(Round::sphere(1.0)?, Pose::IDENTITY) })?;
    /// }
    /// let odd = world.view().with_rule(&|_, body| body.user_data % 2 == 1);
    /// assert_eq!(odd.contains(DVec3::ZERO)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_rule(self, sees: &'w (dyn Fn(BodyId, &Body) -> bool + Sync + 'w)) -> View<'w> {
        View { rule: Some(sees), ..self }
    }

    /// The same view without sensors.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Round, World};
    /// let mut world = World::new();
    /// world.add(Body { sensor: true, ..Body::new(Round::sphere(1.0)?, Pose::IDENTITY) })?;
    /// assert_eq!(world.view().contains(DVec3::ZERO)?.len(), 1);
    /// assert!(world.view().without_sensors().contains(DVec3::ZERO)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_sensors(self) -> View<'w> {
        View { sensors: false, ..self }
    }

    /// What one of the bodies sees: not itself, and none that it may not meet, by its filter, [`Mobility`], what is
    /// [ignored](World::ignore) and the [rule](World::set_rule) of the world. The other settings of the view stay.
    ///
    /// [`Mobility`]: crate::Mobility
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Pose, Ray, Round, World};
    /// let mut world = World::new();
    /// let ids = [0.0, 3.0, 6.0].map(|x| {
    ///     let ball = Round::sphere(1.0).expect("a radius");
    ///     world.add(Body::new(ball, Pose::at(DVec3::X * x).expect("not far"))).expect("not far")
    /// });
    /// world.ignore(ids[0], ids[1], true)?;
    /// let ahead = Ray::new(DVec3::ZERO, DVec3::X)?;
    /// let found = world.view().seen_by(ids[0])?.ray(&ahead).expect("the third ball");
    /// assert_eq!(found.body, ids[2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such body.
    pub fn seen_by(self, id: BodyId) -> Result<View<'w>, WorldError> {
        self.world.known(id)?;
        Ok(View { eye: Some(id), ..self })
    }

    /// The world that is seen.
    ///
    /// ```
    /// use impinge::World;
    /// let mut world = World::new();
    /// assert!(world.view().world().is_empty());
    /// ```
    pub fn world(&self) -> &'w World {
        self.world
    }

    /// How many bytes the tree takes that views of this world search.
    ///
    /// ```
    /// use impinge::{Body, Pose, Round, World};
    /// let mut world = World::new();
    /// world.add(Body::new(Round::sphere(1.0)?, Pose::IDENTITY))?;
    /// assert!(world.view().bytes() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bytes(&self) -> usize {
        self.world.tree.bytes()
    }

    /// Whether the view sees a body, which has this filter.
    #[inline(always)]
    fn sees(&self, id: BodyId, filter: Filter) -> bool {
        let is_plain = self.sensors && self.eye.is_none() && self.rule.is_none();
        self.filter.admits(filter) && (is_plain || self.sees_body(id))
    }

    #[inline(never)]
    fn sees_body(&self, id: BodyId) -> bool {
        let Some(body) = self.world.in_slot(id.slot) else { return false };
        let by_eye = |eye: BodyId| {
            let own = self.world.in_slot(eye.slot);
            eye != id && own.is_some_and(|own| own.may_meet(body)) && self.world.rules.admit(eye, id)
        };
        (self.sensors || !body.sensor) && self.eye.is_none_or(by_eye) && self.rule.is_none_or(|rule| rule(id, body))
    }

    /// Shows the bodies that a search may use: first those without bounds, then the others, the cheapest boxes first.
    pub(super) fn search(&self, search: &mut impl Search) {
        for &slot in self.world.tree.unbounded() {
            if search.limit() == f64::NEG_INFINITY {
                return;
            }
            let id = self.world.id(slot);
            if let Some(body) = self.world.in_slot(slot).filter(|body| self.sees(id, body.filter)) {
                search.look(id, body, f64::NEG_INFINITY);
            }
        }
        for level in self.world.tree.levels() {
            search.enter(level.tree(), level.bounds());
            dispatch(Bodies { view: self, level, search });
        }
    }
}

/// What is sought among the bodies of a world.
pub(super) trait Search {
    /// Whether cheap bodies come before dear ones; else they come in no order, for less work.
    const IN_ORDER: bool = true;

    /// A lower bound on the cost of a body within a box; infinite where it is of no use.
    fn bound(&self, b: &Aabb) -> f64;

    /// What costs more is of no use: [`f64::NEG_INFINITY`] when nothing more is wanted.
    fn limit(&self) -> f64;

    /// A tree comes next, all of whose boxes are in `bounds`.
    fn enter(&mut self, tree: &Tree, bounds: &Aabb);

    /// Lower bounds on the costs of what is in the boxes of a node, and which are within a limit, in a unit of the
    /// search's own.
    fn bounds_in_tree<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32);

    /// The limit in that unit.
    fn limit_in_tree(&self, limit: f64) -> f32;

    /// Looks at a body whose own box has this bound; −∞ where it has no bounds.
    fn look(&mut self, id: BodyId, body: &Body, bound: f64);

    /// Whether a body has a bound of 0 for certain, by the bound of its box in the tree.
    #[inline(always)]
    fn is_sure(&self, _bound_in_tree: f32) -> bool {
        false
    }

    /// Looks at a body whose own box has this bound by that alone; `false` where it has to be looked at itself.
    #[inline(always)]
    fn is_enough(&mut self, _: BodyId, _bound: f64) -> bool {
        false
    }
}

/// A search among the bodies that a view sees, each by its own box.
struct Bodies<'a, 'w, Q> {
    view: &'a View<'w>,
    level: &'a TreeLevel,
    search: &'a mut Q,
}

impl<Q: Search> Kernel for Bodies<'_, '_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self) {
        cheapest_first::<S, _>(self.level.tree(), &mut self);
    }
}

impl<Q: Search> LeafSearch for Bodies<'_, '_, Q> {
    const IN_ORDER: bool = Q::IN_ORDER;

    #[inline(always)]
    fn bounds<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32) {
        self.search.bounds_in_tree::<S>(node, limit)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        let limit = self.search.limit();
        if limit == f64::NEG_INFINITY { f32::NEG_INFINITY } else { self.search.limit_in_tree(limit) }
    }

    #[inline(always)]
    fn look(&mut self, leaf: Leaf, bound_in_tree: f32) {
        let bound =
            if self.search.is_sure(bound_in_tree) { 0.0 } else { self.search.bound(self.level.bounds_at(leaf.first)) };
        // The order of the tests leaves what is far in memory for last.
        let is_useful = bound < f64::INFINITY && bound <= self.search.limit();
        if !is_useful {
            return;
        }
        let BoxedBody { id, filter } = *self.level.body_at(leaf.first);
        if self.view.sees(id, filter)
            && !self.search.is_enough(id, bound)
            && let Some(body) = self.view.world.in_slot(id.slot)
        {
            self.search.look(id, body, bound);
        }
    }
}

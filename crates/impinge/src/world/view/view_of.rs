//! A world as it is now, ready to be searched by any number of threads; and which of its bodies a search sees.

use std::fmt;

use crate::bound::Aabb;
use crate::broad::Filter;
use crate::broad::tree::seek::Seek;
use crate::world::body::{Body, BodyId, PlacedBody};
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
        self.box_movers_where_placed();
        self.near.refresh_tree();
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

    /// The body in a slot, if the view sees it.
    pub(super) fn seen(&self, slot: u32) -> Option<(BodyId, &'w PlacedBody)> {
        let placed = self.world.slots.get(slot as usize)?.body.as_ref()?;
        let (id, body) = (self.world.id(slot), &placed.body);
        let by_filter = self.filter.admits(body.filter) && (self.sensors || !body.sensor);
        let by_eye = |eye: BodyId| {
            let own = self.world.in_slot(eye.slot);
            eye != id && own.is_some_and(|own| own.may_meet(body)) && self.world.rules.admit(eye, id)
        };
        let sees = by_filter && self.eye.is_none_or(by_eye) && self.rule.is_none_or(|rule| rule(id, body));
        sees.then_some((id, placed))
    }

    /// Shows the bodies that a search may use: first those without bounds, then the others, the cheapest boxes first.
    pub(super) fn search(&self, search: &mut impl Search) {
        for &slot in self.world.near.unbounded() {
            if search.limit() == f64::NEG_INFINITY {
                return;
            }
            if let Some((id, body)) = self.seen(slot) {
                search.look(id, body, f64::NEG_INFINITY);
            }
        }
        self.world.near.seek(&mut Bodies { view: self, search });
    }
}

/// What is sought among the bodies of a world.
pub(super) trait Search {
    /// A lower bound on the cost of a body within a box; infinite where it is of no use.
    fn bound(&self, b: &Aabb) -> f64;

    /// What costs more is of no use: [`f64::NEG_INFINITY`] when nothing more is wanted.
    fn limit(&self) -> f64;

    /// Looks at a body whose own box has this bound.
    fn look(&mut self, id: BodyId, body: &PlacedBody, bound: f64);
}

/// A search among the bodies that a view sees, each by its own box.
struct Bodies<'a, 'w, S> {
    view: &'a View<'w>,
    search: &'a mut S,
}

impl<S: Search> Seek for Bodies<'_, '_, S> {
    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        self.search.bound(b)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.search.limit()
    }

    fn look(&mut self, slot: u32) {
        let Some((id, body)) = self.view.seen(slot) else { return };
        let bound = body.bounds.as_ref().map_or(f64::NEG_INFINITY, |b| self.search.bound(b));
        if bound < f64::INFINITY && bound <= self.search.limit() {
            self.search.look(id, body, bound);
        }
    }
}

//! The same bodies in a world of ours and in a tree of parry's.

use impinge::glam::{DQuat, DVec3};
use impinge::{Body, BodyId, Mobility, Model, Pose, World};
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::{Pose as Isometry, Rotation};
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use parry3d_f64::query::{Ray, RayCast, ShapeCastOptions, cast_shapes};
use parry3d_f64::shape::{Ball, Shape};

use super::sides::parry::vector;
use super::single_shapes::{SingleShape, single_shapes, stands_along_y};
use crate::error::BenchError;
use crate::random::Random;

/// What a world is like.
#[derive(Debug, Clone, Copy)]
pub(super) struct WorldKind {
    pub(super) name: &'static str,
    pub(super) bodies: usize,
    /// Half of the side of the cube that the bodies are in.
    half: f64,
    /// The sizes of the bodies.
    scales: &'static [f64],
    /// How far away one more body is.
    stray: Option<f64>,
}

const EVEN: &[f64] = &[1.0];

/// The worlds that are asked, and whether a quick run leaves one out.
pub(super) fn kinds(quick: bool) -> Vec<WorldKind> {
    let even = |name, bodies: usize| {
        let half = (bodies as f64).cbrt();
        WorldKind { name, bodies, half, scales: EVEN, stray: None }
    };
    let mut kinds = vec![even("1000", 1_000), even("20000", 20_000)];
    if !quick {
        kinds.push(even("100000", 100_000));
    }
    kinds.push(WorldKind { half: 0.5, ..even("300 in one place", 300) });
    kinds.push(WorldKind { scales: &[0.02, 0.1, 0.5, 5.0], ..even("20000 of many sizes", 20_000) });
    kinds.push(WorldKind { stray: Some(1e9), ..even("20000, one far away", 20_000) });
    kinds
}

/// The bodies of parry, and its tree.
pub(super) struct Theirs {
    shapes: Vec<Box<dyn Shape>>,
    /// Which shape each body has, and its place.
    bodies: Vec<(usize, Isometry)>,
    pub(super) tree: Bvh,
}

/// Both worlds.
pub(super) struct BothWorlds {
    pub(super) ours: World,
    pub(super) theirs: Theirs,
    pub(super) ids: Vec<BodyId>,
    /// Half of the side of the cube from which questions are asked.
    pub(super) half: f64,
}

impl BothWorlds {
    pub(super) fn new(kind: &WorldKind, random: &mut Random) -> Result<BothWorlds, BenchError> {
        let (mut ours, mut ids, mut bodies, mut shapes) = (World::new(), Vec::new(), Vec::new(), Vec::new());
        for scale in kind.scales {
            shapes.extend(single_shapes(random, *scale)?);
        }
        let half = kind.half;
        for k in 0..kind.bodies + usize::from(kind.stray.is_some()) {
            let which = k % shapes.len();
            let SingleShape { name, ours: model, .. } = &shapes[which];
            let inside =
                DVec3::new(random.between(-half, half), random.between(-half, half), random.between(-half, half));
            let at = kind.stray.filter(|_| k == kind.bodies).map_or(inside, |far| DVec3::X * far);
            let turn = random.rotation();
            let refused = |reason: String| BenchError::Rival { name: (*name).to_owned(), reason };
            let pose = Pose::new(at, turn).map_err(|e| refused(e.to_string()))?;
            let mobility = if k % 2 == 0 { Mobility::Static } else { Mobility::Moving };
            let body = Body { mobility, ..Body::new(model.clone(), pose) };
            ids.push(ours.add(body).map_err(|e| refused(e.to_string()))?);
            // Parry's y is our z, where a shape has an axis.
            let upright = if stands_along_y(name) {
                DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2)
            } else {
                DQuat::IDENTITY
            };
            bodies.push((which, isometry(at, turn * upright)));
        }
        let shapes: Vec<Box<dyn Shape>> = shapes.into_iter().map(|shape| shape.theirs).collect();
        let boxes: Vec<Aabb> = bodies.iter().map(|(which, place)| shapes[*which].compute_aabb(place)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Ploc, &boxes);
        let theirs = Theirs { shapes, bodies, tree };
        Ok(BothWorlds { ours, theirs, ids, half: half.max(2.0) })
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }
}

fn isometry(at: DVec3, turn: DQuat) -> Isometry {
    Isometry::from_parts(vector(at), Rotation::from_xyzw(turn.x, turn.y, turn.z, turn.w))
}

impl Theirs {
    pub(super) fn ray(&self, ray: &impinge::Ray) -> f64 {
        let ray_of = Ray::new(vector(ray.origin()), vector(ray.direction()));
        let found = self.tree.cast_ray(&ray_of, ray.length().min(f64::MAX), |leaf, best| {
            let (which, place) = &self.bodies[leaf as usize];
            Some(self.shapes[*which].cast_ray_and_get_normal(place, &ray_of, best, false)?.time_of_impact)
        });
        found.map_or(f64::INFINITY, |(_, time)| time)
    }

    /// The distance of the nearest body.
    pub(super) fn point(&self, point: DVec3) -> f64 {
        let point = vector(point);
        let found = self.tree.project_point(point, f64::MAX, |leaf, _| {
            let (which, place) = &self.bodies[leaf as usize];
            Some(self.shapes[*which].project_point(place, point, true))
        });
        found.map_or(f64::INFINITY, |(_, (distance, _))| distance)
    }

    pub(super) fn in_box(&self, region: &impinge::bound::Aabb) -> usize {
        let region = Aabb::new(vector(region.min), vector(region.max));
        self.tree.intersect_aabb(&region).count()
    }

    pub(super) fn cast(&self, radius: f64, start: DVec3, velocity: DVec3) -> f64 {
        let (ball, place) = (Ball::new(radius), isometry(start, DQuat::IDENTITY));
        let first = ball.compute_aabb(&place);
        let way = first.merged(&ball.compute_aabb(&isometry(start + velocity, DQuat::IDENTITY)));
        // As parry casts shapes against compounds: a ray against boxes made larger by the half of the moving one.
        let ray = Ray::new(first.center(), vector(velocity));
        let extents = first.half_extents();
        let found = self.tree.find_best(
            1.0,
            |node, _| {
                let b = node.aabb();
                let wide = Aabb::new(b.mins - extents, b.maxs + extents);
                if wide.intersects(&way) { wide.cast_local_ray(&ray, 1.0, true).unwrap_or(f64::MAX) } else { f64::MAX }
            },
            |leaf, best: f64| {
                let (which, other) = &self.bodies[leaf as usize];
                let options = ShapeCastOptions::with_max_time_of_impact(best);
                let still = vector(DVec3::ZERO);
                let hit = cast_shapes(&place, vector(velocity), &ball, other, still, &*self.shapes[*which], options);
                Some(hit.ok()??.time_of_impact)
            },
        );
        found.map_or(f64::INFINITY, |(_, time)| time)
    }

    /// Moves a body and its box; the tree has to be refitted then.
    pub(super) fn shift(&mut self, body: usize, by: DVec3) {
        let (which, place) = &mut self.bodies[body];
        place.translation += vector(by);
        let b = self.shapes[*which].compute_aabb(place);
        self.tree.insert_or_update_partially(b, body as u32, 0.0);
    }
}

/// A ball of this radius, for casts.
pub(super) fn ball(radius: f64) -> Result<Model, BenchError> {
    let refused = |source| BenchError::Build { name: "ball".to_owned(), source };
    Ok(impinge::Round::sphere(radius).map_err(refused)?.into())
}

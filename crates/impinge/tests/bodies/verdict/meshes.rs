//! The exact verdict on two posed bodies, and the comparison of every verb's answer with it.

use glam::DVec3;
use impinge::bound::Volume;
use impinge::{Builder, Mesh, Model, Pose};
use impinge_testing::distance::Square;
use impinge_testing::soup::{Soup, lies_inside, meeting_pairs, surface_distance};

use crate::verdict::engines::in_volume;
use crate::verdict::frames::into_frame_of_a;

/// Two bodies at two poses.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) a: Soup,
    pub(crate) b: Soup,
    pub(crate) pose_a: Pose,
    pub(crate) pose_b: Pose,
    /// Makes surfaces without an inside of both bodies.
    pub(crate) surface: bool,
}

impl Scene {
    /// Takes closed bodies as solids.
    pub(crate) fn new(a: Soup, b: Soup, pose_a: Pose, pose_b: Pose) -> Scene {
        Scene { a, b, pose_a, pose_b, surface: false }
    }

    /// Both bodies at the world's origin.
    pub(crate) fn at_origin(a: Soup, b: Soup) -> Scene {
        Scene::new(a, b, Pose::IDENTITY, Pose::IDENTITY)
    }

    /// `a` at the origin, `b` moved.
    pub(crate) fn moved(a: Soup, b: Soup, x: f64, y: f64, z: f64) -> Scene {
        Scene::new(a, b, Pose::IDENTITY, Pose::at(DVec3::new(x, y, z)).unwrap())
    }

    /// The same with every inside forgotten.
    pub(crate) fn without_insides(mut self) -> Scene {
        self.surface = true;
        self
    }

    /// `b` for `a` and `a` for `b`.
    pub(crate) fn swapped(&self) -> Scene {
        Scene { a: self.b.clone(), b: self.a.clone(), pose_a: self.pose_b, pose_b: self.pose_a, surface: self.surface }
    }

    /// The two models.
    pub(crate) fn models(&self, builder: Builder) -> [Model; 2] {
        [&self.a, &self.b].map(|soup| model(soup, builder, self.surface))
    }

    /// The two models, their trees in these volumes.
    pub(crate) fn models_in(&self, builder: Builder, volume: Volume) -> [Model; 2] {
        self.models(builder).map(|model| in_volume(model, volume))
    }

    /// The larger body's size about its own centre.
    pub(crate) fn size(&self) -> f64 {
        self.a.size().max(self.b.size())
    }

    /// The unit in the last place of the largest world coordinate that a point of the scene can have.
    pub(crate) fn ulp(&self) -> f64 {
        let reach = |soup: &Soup, pose: &Pose| {
            let most = soup.vertices.iter().map(|v| v.abs().max_element()).fold(0.0, f64::max);
            2.0 * (most + pose.translation().abs().max_element())
        };
        let most = reach(&self.a, &self.pose_a).max(reach(&self.b, &self.pose_b)).max(self.size());
        most * f64::EPSILON + f64::from_bits(1)
    }

    /// How much `b`'s corners are rounded when they are moved into `a`'s frame, which an interval of an answer has to
    /// cover.
    pub(crate) fn posing(&self) -> f64 {
        if self.pose_a == self.pose_b {
            return 0.0;
        }
        let moved = self.b.map(into_frame_of_a(&self.pose_a, &self.pose_b));
        let most = |soup: &Soup| soup.vertices.iter().map(|v| v.abs().max_element()).fold(0.0, f64::max);
        16.0 * f64::EPSILON * most(&self.b).max(most(&moved))
    }

    /// What is true of the coordinates after `b` was moved into `a`'s frame.
    pub(crate) fn truth(&self) -> Truth {
        let moved = self.b.map(into_frame_of_a(&self.pose_a, &self.pose_b));
        let pairs = meeting_pairs(&self.a, &moved);
        let inner = |x: &Soup, y: &Soup| !self.surface && is_closed(y) && lies_inside(x, y);
        let apart = pairs.is_empty();
        Truth {
            a_in_b: apart && inner(&self.a, &moved),
            b_in_a: apart && inner(&moved, &self.a),
            surface: if apart { surface_distance(&self.a, &moved) } else { None },
            empty: self.a.triangles.is_empty() || self.b.triangles.is_empty(),
            pairs,
        }
    }
}

/// A mesh as the library sees it; the empty soup is the empty mesh.
pub(crate) fn model(soup: &Soup, builder: Builder, surface: bool) -> Model {
    if soup.triangles.is_empty() {
        return Mesh::empty().into();
    }
    let mesh = Mesh::with_builder(soup.vertices.clone(), soup.triangles.clone(), builder).unwrap();
    if surface { mesh.into_surface().into() } else { mesh.into() }
}

/// Whether every edge, between exactly equal points, belongs to an even number of triangles.
pub(crate) fn is_closed(soup: &Soup) -> bool {
    let mut order: Vec<u32> = (0..soup.vertices.len() as u32).collect();
    let key = |i: u32| soup.vertices[i as usize].to_array().map(|x| (x + 0.0).to_bits());
    order.sort_by_key(|&i| key(i));
    let mut name = vec![0; order.len()];
    for w in 1..order.len() {
        let step = u32::from(key(order[w]) != key(order[w - 1]));
        name[order[w] as usize] = name[order[w - 1] as usize] + step;
    }
    let mut edges: Vec<[u32; 2]> = soup
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|e| e.map(|i| name[i as usize]))
        .filter(|[a, b]| a != b)
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.chunk_by(|a, b| a == b).all(|same| same.len() % 2 == 0)
}

/// The exact answers.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    /// Triangles with a common point, sorted.
    pub(crate) pairs: Vec<[u32; 2]>,
    /// Surfaces apart, and something of `a` inside the solid `b`.
    pub(crate) a_in_b: bool,
    /// Surfaces apart, and something of `b` inside the solid `a`.
    pub(crate) b_in_a: bool,
    /// Squared distance of the surfaces, when they are apart and neither is empty.
    pub(crate) surface: Option<Square>,
    /// One body is empty.
    pub(crate) empty: bool,
}

impl Truth {
    /// Whether the bodies have a common point.
    pub(crate) fn overlap(&self) -> bool {
        !self.pairs.is_empty() || self.a_in_b || self.b_in_a
    }

    /// The distance, to an ulp.
    pub(crate) fn distance(&self) -> f64 {
        match &self.surface {
            _ if self.overlap() => 0.0,
            Some(square) => square.root(),
            None => f64::INFINITY,
        }
    }
}

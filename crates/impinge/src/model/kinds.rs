//! The kinds of bodies there are.

use std::sync::Arc;

use super::convex::parts::Parts;
use super::convex::polyhedron::Convex;
use super::mesh::deforming_mesh::Deforming;
use super::mesh::triangle_mesh::Mesh;
use super::round::Round;

/// A body. A closed enum: one exhaustive `match` covers every pair, and "unsupported" cannot happen.
///
/// ```
/// use impinge::{glam::DVec3, Mesh, Model};
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
/// let model = Model::from(Mesh::new(corners, vec![[0, 1, 2]])?);
/// let same = model.clone(); // shares the preprocessed body
/// # let Model::Mesh(mesh) = same else { panic!() };
/// # assert!(!mesh.is_solid());
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub enum Model {
    /// Triangles: a surface without an inside, or a closed solid.
    Mesh(Arc<Mesh>),
    /// A convex polyhedron.
    Convex(Arc<Convex>),
    /// A shape in closed form, with or without a margin.
    Round(Arc<Round>),
    /// A tree of convex pieces.
    Parts(Arc<Parts>),
    /// Triangles whose vertices move: a mesh during a step of time.
    Deforming(Arc<Deforming>),
}

impl Model {
    /// What kind of body it is: `"mesh"`, `"convex"`, `"round"`, `"parts"` or `"deforming"`.
    ///
    /// ```
    /// use impinge::{Model, Round};
    /// let ball = Model::from(Round::sphere(1.0)?);
    /// assert_eq!(ball.kind(), "round");
    /// // A match leads to the body and its getters.
    /// assert!(matches!(&ball, Model::Round(round) if round.kind() == "sphere" && round.margin() == 1.0));
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn kind(&self) -> &'static str {
        match self {
            Model::Mesh(_) => "mesh",
            Model::Convex(_) => "convex",
            Model::Round(_) => "round",
            Model::Parts(_) => "parts",
            Model::Deforming(_) => "deforming",
        }
    }

    /// The triangles of a mesh; of one that deforms, as they are when its step begins.
    pub(crate) fn mesh(&self) -> Option<&Arc<Mesh>> {
        match self {
            Model::Mesh(mesh) => Some(mesh),
            Model::Deforming(body) => Some(&body.mesh),
            Model::Convex(_) | Model::Round(_) | Model::Parts(_) => None,
        }
    }

    /// No point of the body moves faster in its own frame between two times.
    pub(crate) fn fastest_between(&self, from: f64, to: f64) -> f64 {
        if let Model::Deforming(body) = self { body.fastest_between(from, to) } else { 0.0 }
    }

    /// The body as it is at a time.
    pub(crate) fn at(&self, t: f64) -> Model {
        if let Model::Deforming(body) = self { Model::Mesh(body.mesh_at(t)) } else { self.clone() }
    }
}

impl From<Mesh> for Model {
    fn from(mesh: Mesh) -> Model {
        Model::Mesh(Arc::new(mesh))
    }
}

impl From<Arc<Mesh>> for Model {
    fn from(mesh: Arc<Mesh>) -> Model {
        Model::Mesh(mesh)
    }
}

impl From<Deforming> for Model {
    fn from(body: Deforming) -> Model {
        Model::Deforming(Arc::new(body))
    }
}

impl From<Arc<Deforming>> for Model {
    fn from(body: Arc<Deforming>) -> Model {
        Model::Deforming(body)
    }
}

impl From<Convex> for Model {
    fn from(convex: Convex) -> Model {
        Model::Convex(Arc::new(convex))
    }
}

impl From<Parts> for Model {
    fn from(parts: Parts) -> Model {
        Model::Parts(Arc::new(parts))
    }
}

impl From<Round> for Model {
    fn from(round: Round) -> Model {
        Model::Round(Arc::new(round))
    }
}

impl From<&Model> for Model {
    fn from(model: &Model) -> Model {
        model.clone()
    }
}

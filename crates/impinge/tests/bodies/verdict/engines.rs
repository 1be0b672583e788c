//! Lists of engines and trees by what they can do: tests go through these lists and through `Method::EACH`.

use impinge::bound::{HullTree, Volume};
use impinge::{Mesh, Method, Model};

/// Every method that finds distances of convex bodies. Of the others, `Tree` is for meshes, and the rest pass the
/// question to another engine.
pub(crate) const DISTANCE: [Method; 10] = [
    Method::Auto,
    Method::Brute,
    Method::LinCanny,
    Method::LinCannyCells,
    Method::VClip,
    Method::Gjk,
    Method::GjkSignedVolumes,
    Method::GjkJohnson,
    Method::GjkNesterov,
    Method::EnhancedGjk,
];

/// Every method that finds depths of convex bodies.
pub(crate) const DEPTH: [Method; 5] = [Method::Auto, Method::Brute, Method::VClip, Method::Epa, Method::GaussMap];

/// Every method for convex bodies.
pub(crate) fn of_convex() -> Vec<Method> {
    Method::EACH.iter().copied().filter(|method| *method != Method::Tree).collect()
}

/// Every volume of a tree except the hull, which has options of its own.
pub(crate) const VOLUMES: [Volume; 8] = [
    Volume::Auto,
    Volume::Aabb,
    Volume::Obb,
    Volume::SweptSphere,
    Volume::Kdop14,
    Volume::Kdop18,
    Volume::Kdop26,
    Volume::Sphere,
];

/// Trees of hulls with all optimisations, each one left out, each one alone, and none.
pub(crate) fn hull_trees() -> Vec<(&'static str, HullTree)> {
    let (all, none) = (HullTree::default(), HullTree::PLAIN);
    vec![
        ("all", all),
        ("no leaf cache", HullTree { leaf_cache: false, ..all }),
        ("no maxdist", HullTree { maxdist: false, ..all }),
        ("no cut table", HullTree { cut_table: false, ..all }),
        ("no vertex cap", HullTree { vertex_cap: usize::MAX, ..all }),
        ("no simplex cache", HullTree { simplex_cache: false, ..all }),
        ("leaf cache", HullTree { leaf_cache: true, ..none }),
        ("maxdist", HullTree { maxdist: true, ..none }),
        ("cut table", HullTree { cut_table: true, ..none }),
        ("vertex cap", HullTree { vertex_cap: 0, ..none }),
        ("simplex cache", HullTree { simplex_cache: true, ..none }),
        ("none", none),
    ]
}

/// The same mesh, its tree in these volumes.
pub(crate) fn in_volume(model: Model, volume: Volume) -> Model {
    match model {
        Model::Mesh(mesh) => Mesh::clone(&mesh).with_volume(volume).into(),
        other => other,
    }
}

/// The same mesh, its tree of hulls.
pub(crate) fn hulled(model: Model, options: HullTree) -> Model {
    match model {
        Model::Mesh(mesh) => Mesh::clone(&mesh).with_hulls(options).into(),
        other => other,
    }
}

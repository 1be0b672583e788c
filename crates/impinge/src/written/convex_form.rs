//! Hulls and unions of them.
//!
//! A hull is written by its vertices and their indices among the points that it was made of, and made of these vertices
//! again. Points that were left out are only counted.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::form::{Format, written_as};
use crate::error::BuildError;
use crate::model::{Convex, Dropped, Parts};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConvexForm {
    format: Format,
    vertices: Vec<DVec3>,
    /// Empty where the vertices are all the points there were.
    #[serde(default)]
    ids: Vec<u32>,
    #[serde(default)]
    dropped: Dropped,
}

impl From<&Convex> for ConvexForm {
    fn from(body: &Convex) -> ConvexForm {
        let (vertices, ids) = (body.vertices().to_vec(), body.vertex_ids().to_vec());
        ConvexForm { format: Format, vertices, ids, dropped: body.dropped() }
    }
}

impl TryFrom<ConvexForm> for Convex {
    type Error = String;

    fn try_from(form: ConvexForm) -> Result<Convex, String> {
        let (vertices, ids) = (form.vertices.len(), form.ids.len());
        if vertices != ids && ids > 0 {
            return Err(format!("the hull has {vertices} vertices, but {ids} indices of them"));
        }
        let mut sorted = form.ids.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|two| two[0] == two[1]) {
            return Err(format!("two vertices of the hull have the index {}", twice[0]));
        }
        let hull = Convex::hull(&form.vertices).map_err(|error| error.to_string())?;
        Ok(hull.named(&form.ids, form.dropped))
    }
}

written_as!(Convex as ConvexForm);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartsForm {
    format: Format,
    #[serde(default = "is_exact")]
    exact: bool,
    pieces: Vec<Convex>,
}

fn is_exact() -> bool {
    true
}

impl From<&Parts> for PartsForm {
    fn from(parts: &Parts) -> PartsForm {
        PartsForm { format: Format, exact: parts.is_exact(), pieces: parts.pieces().to_vec() }
    }
}

impl TryFrom<PartsForm> for Parts {
    type Error = BuildError;

    fn try_from(form: PartsForm) -> Result<Parts, BuildError> {
        let parts = Parts::new(form.pieces)?;
        Ok(if form.exact { parts } else { parts.into_approximation() })
    }
}

written_as!(Parts as PartsForm);

//! Bodies of every kind, by the names of [`Model::kind`].

use serde::{Deserialize, Serialize, Serializer};

use crate::model::{Convex, Deforming, Mesh, Model, Parts, Round};

/// What is read. What is written borrows.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ModelForm {
    Mesh(Box<Mesh>),
    Convex(Box<Convex>),
    Round(Round),
    Parts(Parts),
    Deforming(Box<Deforming>),
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum ModelRef<'m> {
    Mesh(&'m Mesh),
    Convex(&'m Convex),
    Round(&'m Round),
    Parts(&'m Parts),
    Deforming(&'m Deforming),
}

impl Serialize for Model {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match self {
            Model::Mesh(body) => ModelRef::Mesh(body),
            Model::Convex(body) => ModelRef::Convex(body),
            Model::Round(body) => ModelRef::Round(body),
            Model::Parts(body) => ModelRef::Parts(body),
            Model::Deforming(body) => ModelRef::Deforming(body),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Model {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Model, D::Error> {
        Ok(match ModelForm::deserialize(deserializer)? {
            ModelForm::Mesh(body) => Model::from(*body),
            ModelForm::Convex(body) => Model::from(*body),
            ModelForm::Round(body) => Model::from(body),
            ModelForm::Parts(body) => Model::from(body),
            ModelForm::Deforming(body) => Model::from(*body),
        })
    }
}

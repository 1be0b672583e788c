//! The robots of the corpus as parts of an assembly, where their joints put them.

use std::collections::BTreeMap;
use std::path::Path;

use impinge::glam::{DAffine3, DQuat, DVec3};
use impinge_io::{Part, read};
use impinge_testing::urdf::{LinkShape, Urdf, UrdfLink};

use crate::files::cube;

/// The links of a robot, each with its pose in its own frame, and the joints that connect them.
pub(crate) struct Robot {
    urdf: Urdf,
    links: Vec<Part>,
}

impl Robot {
    pub(crate) fn read(file: &Path) -> Robot {
        let urdf = Urdf::read(file);
        let links = urdf.links.iter().map(part).collect();
        Robot { urdf, links }
    }

    pub(crate) fn links(&self) -> Vec<&str> {
        self.links.iter().map(|link| link.name.as_str()).collect()
    }

    /// The joints that turn, in the order of the file.
    pub(crate) fn turning(&self) -> Vec<&str> {
        let turning = self.urdf.joints.iter().filter(|joint| joint.axis != DVec3::ZERO);
        turning.map(|joint| joint.name.as_str()).collect()
    }

    /// The links where joints of these names and angles put them.
    pub(crate) fn placed(&self, angles: &BTreeMap<&str, f64>) -> Vec<Part> {
        let frame = |link: &str| {
            self.urdf.carriers(link).fold(DAffine3::IDENTITY, |frame, joint| {
                let turn = DQuat::from_scaled_axis(joint.axis * angles.get(joint.name.as_str()).unwrap_or(&0.0));
                joint.origin * DAffine3::from_quat(turn) * frame
            })
        };
        let mut links = self.links.clone();
        for link in &mut links {
            let frame = frame(&link.name);
            link.vertices.iter_mut().for_each(|v| *v = frame.transform_point3(*v));
        }
        links
    }
}

/// The geometry with which a link collides, in the frame of the link.
fn part(link: &UrdfLink) -> Part {
    let mut part = match &link.shape {
        LinkShape::Mesh(file) => read(file).unwrap().merged(),
        LinkShape::Cuboid(half) => {
            let (vertices, triangles) = cube();
            let vertices = vertices.into_iter().map(|v| DVec3::from_array(v) * *half).collect();
            Part { triangles, vertices, ..Part::default() }
        }
    };
    part.vertices.iter_mut().for_each(|v| *v = link.origin.transform_point3(*v));
    part.name.clone_from(&link.name);
    part
}

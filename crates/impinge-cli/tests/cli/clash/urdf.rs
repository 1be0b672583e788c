//! Reads as much of URDF as the robots of the corpus need: joints that turn or are fixed, meshes and boxes.

use std::collections::BTreeMap;
use std::path::Path;

use impinge::glam::{DAffine3, DQuat, DVec3, EulerRot};
use impinge_io::{Part, read};

use crate::files::cube;

/// The links of a robot, each with its pose in its own frame, and the joints that connect them.
pub(crate) struct Robot {
    joints: Vec<Joint>,
    links: Vec<Part>,
}

struct Joint {
    name: String,
    parent: String,
    child: String,
    origin: DAffine3,
    axis: DVec3,
}

impl Robot {
    pub(crate) fn read(file: &Path) -> Robot {
        let text = without_comments(&std::fs::read_to_string(file).unwrap());
        let joints = elements(&text, "joint").into_iter().filter_map(joint).collect();
        let links = elements(&text, "link").into_iter().filter_map(|link| body(link, file.parent().unwrap())).collect();
        Robot { joints, links }
    }

    pub(crate) fn links(&self) -> Vec<&str> {
        self.links.iter().map(|link| link.name.as_str()).collect()
    }

    /// The joints that turn, in the order of the file.
    pub(crate) fn turning(&self) -> Vec<&str> {
        self.joints.iter().filter(|joint| joint.axis != DVec3::ZERO).map(|joint| joint.name.as_str()).collect()
    }

    /// The links where joints of these names and angles put them.
    pub(crate) fn placed(&self, angles: &BTreeMap<&str, f64>) -> Vec<Part> {
        let frame = |link: &str| {
            let mut frame = DAffine3::IDENTITY;
            let mut at = link;
            while let Some(joint) = self.joints.iter().find(|joint| joint.child == at) {
                let turn = DQuat::from_scaled_axis(joint.axis * angles.get(joint.name.as_str()).unwrap_or(&0.0));
                frame = joint.origin * DAffine3::from_quat(turn) * frame;
                at = &joint.parent;
            }
            frame
        };
        let mut links = self.links.clone();
        for link in &mut links {
            let frame = frame(&link.name);
            link.vertices.iter_mut().for_each(|v| *v = frame.transform_point3(*v));
        }
        links
    }
}

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut left = String::new();
    while let Some((before, after)) = rest.split_once("<!--") {
        left += before;
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    left + rest
}

/// The text between the tags of this name, with the attributes of the opening tag.
fn elements<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let (open, close) = (format!("<{name} "), format!("</{name}>"));
    let whole = |element: &'t str| element.split_once(&close).map(|(inside, _)| inside);
    let closed = |element: &&'t str| element.split_once('>').is_some_and(|(head, _)| !head.ends_with('/'));
    text.split(&open).skip(1).filter(closed).filter_map(whole).collect()
}

/// The attributes of the first tag of a name.
fn tag<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.split_once(&format!("<{name} "))?.1.split_once('>').map(|(head, _)| head)
}

fn attribute<'t>(head: &'t str, name: &str) -> Option<&'t str> {
    head.split_once(&format!("{name}=\""))?.1.split_once('"').map(|(value, _)| value)
}

fn vector(text: &str) -> DVec3 {
    let numbers: Vec<f64> = text.split_whitespace().map(|x| x.parse().unwrap()).collect();
    DVec3::from_slice(&numbers)
}

fn origin(text: &str) -> DAffine3 {
    let Some(head) = tag(text, "origin") else { return DAffine3::IDENTITY };
    let part = |name: &str| attribute(head, name).map_or(DVec3::ZERO, vector);
    let turn = part("rpy");
    DAffine3::from_rotation_translation(DQuat::from_euler(EulerRot::ZYX, turn.z, turn.y, turn.x), part("xyz"))
}

fn joint(text: &str) -> Option<Joint> {
    let link = |name: &str| Some(attribute(tag(text, name)?, "link")?.to_owned());
    let turns = attribute(text, "type")? == "revolute";
    let axis = tag(text, "axis").filter(|_| turns).and_then(|head| attribute(head, "xyz")).map_or(DVec3::ZERO, vector);
    let name = attribute(text, "name")?.to_owned();
    Some(Joint { name, parent: link("parent")?, child: link("child")?, origin: origin(text), axis })
}

/// The geometry with which a link collides.
fn body(text: &str, folder: &Path) -> Option<Part> {
    let text = text.replace("<collision>", "<collision >");
    let collision = *elements(&text, "collision").first()?;
    let mut part = match tag(collision, "mesh") {
        Some(head) => {
            read(&folder.join(attribute(head, "filename")?.trim_start_matches("package://"))).unwrap().merged()
        }
        None => {
            let (vertices, triangles) = cube();
            let half = vector(attribute(tag(collision, "box")?, "size")?) / 2.0;
            let vertices = vertices.into_iter().map(|v| DVec3::from_array(v) * half).collect();
            Part { triangles, vertices, ..Part::default() }
        }
    };
    let origin = origin(collision);
    part.vertices.iter_mut().for_each(|v| *v = origin.transform_point3(*v));
    part.name = attribute(&text, "name")?.to_owned();
    Some(part)
}

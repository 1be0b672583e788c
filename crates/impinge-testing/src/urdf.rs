//! Reads as much of URDF as the robots of the corpus need: joints that turn or are fixed, meshes and boxes.

use std::path::{Path, PathBuf};

use glam::{DAffine3, DQuat, DVec3, EulerRot};

/// A robot as its file describes it.
#[derive(Debug)]
pub struct Urdf {
    /// The joints, in the order of the file.
    pub joints: Vec<UrdfJoint>,
    /// The links that have a shape to collide with.
    pub links: Vec<UrdfLink>,
}

/// A joint between two links.
#[derive(Debug)]
pub struct UrdfJoint {
    /// Its name.
    pub name: String,
    /// The link that it stands on.
    pub parent: String,
    /// The link that it carries.
    pub child: String,
    /// Where the child is in the frame of the parent when the joint stands at 0.
    pub origin: DAffine3,
    /// The axis in that frame; zero where the joint does not turn.
    pub axis: DVec3,
}

/// A link, and the shape with which it collides.
#[derive(Debug)]
pub struct UrdfLink {
    /// Its name.
    pub name: String,
    /// Where the shape is in the frame of the link.
    pub origin: DAffine3,
    /// The shape.
    pub shape: LinkShape,
}

/// The shape of a link.
#[derive(Debug)]
pub enum LinkShape {
    /// The file of a mesh.
    Mesh(PathBuf),
    /// Half the extents of a box about the origin.
    Cuboid(DVec3),
}

impl Urdf {
    /// Reads a file; meshes are below its folder.
    pub fn read(file: &Path) -> Urdf {
        let text = without_comments(&std::fs::read_to_string(file).unwrap());
        let joints = elements(&text, "joint").into_iter().filter_map(joint).collect();
        let links = elements(&text, "link").into_iter().filter_map(|link| body(link, file.parent().unwrap())).collect();
        Urdf { joints, links }
    }

    /// The joints that carry a link, the one nearest to it first.
    pub fn carriers<'u>(&'u self, link: &'u str) -> impl Iterator<Item = &'u UrdfJoint> {
        let above = move |link: &str| self.joints.iter().find(|joint| joint.child == link);
        std::iter::successors(above(link), move |joint| above(&joint.parent))
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

fn joint(text: &str) -> Option<UrdfJoint> {
    let link = |name: &str| Some(attribute(tag(text, name)?, "link")?.to_owned());
    let turns = attribute(text, "type")? == "revolute";
    let axis = tag(text, "axis").filter(|_| turns).and_then(|head| attribute(head, "xyz")).map_or(DVec3::ZERO, vector);
    let name = attribute(text, "name")?.to_owned();
    Some(UrdfJoint { name, parent: link("parent")?, child: link("child")?, origin: origin(text), axis })
}

/// The geometry with which a link collides.
fn body(text: &str, folder: &Path) -> Option<UrdfLink> {
    let text = text.replace("<collision>", "<collision >");
    let collision = *elements(&text, "collision").first()?;
    let shape = match tag(collision, "mesh") {
        Some(head) => LinkShape::Mesh(folder.join(attribute(head, "filename")?.trim_start_matches("package://"))),
        None => LinkShape::Cuboid(vector(attribute(tag(collision, "box")?, "size")?) / 2.0),
    };
    Some(UrdfLink { name: attribute(&text, "name")?.to_owned(), origin: origin(collision), shape })
}

//! The nodes of the default scene, parents before children, each with its transform in the scene.

use super::buffers::Buffers;
use super::json::Value;
use super::primitive::append_mesh;
use super::tables::{Mesh, Tables, refuse_weights};
use crate::budget::Budget;
use crate::document::Part;
use crate::error::{Fault, MALFORMED, NO_SURFACE};
use glam::{DAffine3, DMat4, DQuat, DVec3};

pub(super) fn read<'a>(
    tables: &Tables<'a>,
    buffers: Buffers<'a>,
    stem: &str,
    budget: &mut Budget,
) -> Result<Vec<Part>, Fault> {
    let mut visited = budget.vec(tables.nodes.len())?;
    visited.resize(tables.nodes.len(), false);
    let mut walk = Walk { tables, buffers, stem, budget, visited, parts: Vec::new(), vertices: 0 };
    match tables.scene {
        Some(roots) => walk.descend(roots)?,
        None => walk.descend_from_all_roots()?,
    }
    if walk.parts.is_empty() {
        return Err(Fault::new("no node of the default scene has a mesh of triangles", NO_SURFACE));
    }
    Ok(walk.parts)
}

struct Walk<'w, 'a> {
    tables: &'w Tables<'a>,
    buffers: Buffers<'a>,
    stem: &'w str,
    budget: &'w mut Budget,
    /// A node has one parent; meeting it again means a loop.
    visited: Vec<bool>,
    parts: Vec<Part>,
    vertices: usize,
}

impl<'a> Walk<'_, 'a> {
    fn descend_from_all_roots(&mut self) -> Result<(), Fault> {
        let mut is_child = self.budget.vec(self.tables.nodes.len())?;
        is_child.resize(self.tables.nodes.len(), false);
        for at in &self.tables.nodes {
            if let Some(children) = self.tables.json.value(*at).get("children")? {
                for child in children.elements()? {
                    let index = self.node_index(child)?;
                    is_child[index] = true;
                }
            }
        }
        for index in (0..is_child.len()).filter(|i| !is_child[*i]) {
            if let Some((children, transform)) = self.enter(index, None, DAffine3::IDENTITY)? {
                self.descend_below(children, Some(index as u32), transform)?;
            }
        }
        Ok(())
    }

    fn descend(&mut self, roots: Value<'a>) -> Result<(), Fault> {
        self.descend_below(roots, None, DAffine3::IDENTITY)
    }

    /// Visits the listed nodes, children of `parent`, and all below them, under `transform`.
    fn descend_below(&mut self, nodes: Value<'a>, parent: Option<u32>, transform: DAffine3) -> Result<(), Fault> {
        let mut open = Vec::new();
        self.budget.push(&mut open, (nodes.elements()?, parent, transform))?;
        while let Some((siblings, parent, transform)) = open.last_mut() {
            let (node, parent, transform) = (siblings.next(), *parent, *transform);
            let Some(node) = node else {
                open.pop();
                continue;
            };
            let index = self.node_index(node)?;
            if let Some((children, below)) = self.enter(index, parent, transform)? {
                self.budget.push(&mut open, (children.elements()?, Some(index as u32), below))?;
            }
        }
        self.budget.give_vec(open);
        Ok(())
    }

    fn node_index(&self, value: Value<'_>) -> Result<usize, Fault> {
        let index = value.index()? as usize;
        if index < self.tables.nodes.len() {
            return Ok(index);
        }
        Err(value.fault(format!("there is no node {index}"), MALFORMED))
    }

    /// Adds the part of a node; returns its children and the transform that applies to them.
    fn enter(
        &mut self,
        index: usize,
        parent: Option<u32>,
        above: DAffine3,
    ) -> Result<Option<(Value<'a>, DAffine3)>, Fault> {
        let node = self.tables.json.value(self.tables.nodes[index]);
        if std::mem::replace(&mut self.visited[index], true) {
            return Err(node.fault(format!("node {index} has two parents or is its own ancestor"), MALFORMED));
        }
        let (mut children, mut mesh) = (None, None);
        for (key, value) in node.members()? {
            match key {
                b"children" => children = Some(value),
                b"mesh" => mesh = Some(value),
                b"skin" => return Err(value.fault("the mesh has a skin", "export it with its pose applied")),
                b"weights" => refuse_weights(value)?,
                b"extensions" => refuse_instancing(value)?,
                _ => {}
            }
        }
        let transform = above * Local::read(node)?.affine();
        if let Some(mesh) = mesh {
            self.add_part(node, mesh, parent, transform)?;
        }
        Ok(children.map(|children| (children, transform)))
    }

    fn add_part(
        &mut self,
        node: Value<'a>,
        value: Value<'a>,
        group: Option<u32>,
        transform: DAffine3,
    ) -> Result<(), Fault> {
        let index = value.index()?;
        let mesh = self.tables.meshes.get(index as usize);
        let mesh = mesh.ok_or_else(|| value.fault(format!("there is no mesh {index}"), MALFORMED))?;
        let mut part = Part { group, ..Part::default() };
        append_mesh(self.tables, &mut self.buffers, mesh, transform, &mut part, self.budget)
            .map_err(|fault| fault.at(node.place()))?;
        if part.triangles.is_empty() {
            return Ok(());
        }
        part.name = self.name_of(node, mesh)?;
        self.vertices += part.vertices.len();
        if self.vertices > u32::MAX as usize {
            return Err(node.fault("the file holds more than 2³² vertices", "split the file"));
        }
        self.budget.push(&mut self.parts, part)
    }

    /// The name of the node, or else of its mesh, or else of the file.
    fn name_of(&mut self, node: Value<'a>, mesh: &Mesh) -> Result<String, Fault> {
        for value in [node.get("name")?, mesh.name.map(|at| self.tables.json.value(at))].into_iter().flatten() {
            self.budget.take(value.len())?;
            let name = value.string()?;
            if !name.is_empty() {
                return Ok(name.into_owned());
            }
        }
        self.budget.take(self.stem.len())?;
        Ok(self.stem.to_owned())
    }
}

/// The transform of a node: a matrix, or scale, then rotation, then translation.
pub(super) struct Local {
    pub(super) matrix: Option<DAffine3>,
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    scale: DVec3,
}

impl Default for Local {
    fn default() -> Local {
        Local { matrix: None, translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE }
    }
}

impl Local {
    pub(super) fn read(node: Value<'_>) -> Result<Local, Fault> {
        let mut local = Local::default();
        for (key, value) in node.members()? {
            match key {
                b"matrix" => local.matrix = Some(matrix(value)?),
                b"translation" => local.translation = DVec3::from_array(value.numbers()?),
                b"rotation" => local.rotation = rotation(value)?,
                b"scale" => local.scale = DVec3::from_array(value.numbers()?),
                _ => {}
            }
        }
        Ok(local)
    }

    pub(super) fn affine(&self) -> DAffine3 {
        let composed = DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation);
        self.matrix.unwrap_or(composed)
    }
}

fn matrix(value: Value<'_>) -> Result<DAffine3, Fault> {
    let matrix = DMat4::from_cols_array(&value.numbers()?);
    if matrix.row(3).to_array() != [0.0, 0.0, 0.0, 1.0] {
        return Err(value.fault("the last row of the matrix is not 0 0 0 1", MALFORMED));
    }
    Ok(DAffine3::from_mat4(matrix))
}

/// Rotations are stored in `f32`, so that their length is not exactly 1.
fn rotation(value: Value<'_>) -> Result<DQuat, Fault> {
    let [x, y, z, w] = value.numbers()?;
    if [x, y, z, w] == [0.0, 0.0, 0.0, 1.0] {
        return Ok(DQuat::IDENTITY);
    }
    let rotation = DQuat::from_xyzw(x, y, z, w);
    if (rotation.length() - 1.0).abs() > 1e-3 {
        return Err(
            value.fault(format!("the quaternion has length {}, not 1", rotation.length()), "divide it by its length")
        );
    }
    Ok(rotation.normalize())
}

fn refuse_instancing(extensions: Value<'_>) -> Result<(), Fault> {
    match extensions.get("EXT_mesh_gpu_instancing")? {
        Some(value) => Err(value.fault("GPU instancing is not supported", "export one node for each instance")),
        None => Ok(()),
    }
}

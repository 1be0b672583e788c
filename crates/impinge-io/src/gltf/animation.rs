//! The motion of one mesh of a glTF file: the translation and rotation of one node above or at it.
//!
//! The vertices of a part are those of the file at rest, so the poses returned are relative to that. With `A` the
//! transform above the animated node, `T₀R₀` its translation and rotation at rest and `TR` those at a time:
//!
//! ```text
//!     M = A·T·R·R₀⁻¹·T₀⁻¹·A⁻¹
//! ```
//!
//! a rotation about `c = A·T₀`, the node's origin at rest, which goes to `A·T`. The scale of the node itself cancels; a
//! scale above it has to be the same along all axes, where the node turns.
//!
//! Between keys that are linear the origin moves straight and the body turns at a constant rate. Keys with tangents are
//! returned as splines: `M` is affine in `T`, and with `l` the rotation of `A` it turns by the quaternion
//! `l·q·r₀⁻¹·l⁻¹`, which is linear in that of `R`, so tangents are transformed in the same way. Steps, scales, and
//! nodes that move above other moving nodes are refused.

use glam::DAffine3;

use super::buffers::Buffers;
use super::json::Value;
use super::scene::Local;
use super::tables::Tables;
use super::tracks::{BAKE, Tracks, track};
use crate::budget::Budget;
use crate::document::Animation;
use crate::error::{Fault, MALFORMED};

/// Reads an animation by its name or its number: the motion of the mesh that is named, or of the only mesh.
pub(super) fn read<'a>(
    root: Value<'a>,
    tables: &Tables<'a>,
    mut buffers: Buffers<'a>,
    (which, part): (&str, Option<&str>),
    budget: &mut Budget,
) -> Result<Animation, Fault> {
    let animation = choose(root, which)?;
    let nodes = Nodes::read(tables, budget)?;
    let body = nodes.body(tables, part)?;
    let channels =
        animation.get("channels")?.ok_or_else(|| animation.fault("\"channels\" is missing here", MALFORMED))?;
    let samplers =
        animation.get("samplers")?.ok_or_else(|| animation.fault("\"samplers\" is missing here", MALFORMED))?;
    let path = nodes.path(body);
    let mut mover = None;
    let (mut translation, mut rotation) = (None, None);
    for channel in channels.elements()? {
        let target = channel.get("target")?.ok_or_else(|| channel.fault("\"target\" is missing here", MALFORMED))?;
        let Some(node) = target.get("node")? else { continue };
        let node = node.index()? as usize;
        if !path.contains(&node) {
            continue;
        }
        if mover.replace(node).is_some_and(|before| before != node) {
            return Err(channel.fault("two nodes above the mesh move, one within the other", BAKE));
        }
        let what = target.get("path")?.ok_or_else(|| target.fault("\"path\" is missing here", MALFORMED))?;
        let index = channel.get("sampler")?.ok_or_else(|| channel.fault("\"sampler\" is missing here", MALFORMED))?;
        let sampler = samplers.elements()?.nth(index.index()? as usize);
        let sampler = sampler.ok_or_else(|| index.fault("there is no such sampler", MALFORMED))?;
        match what.string()?.as_ref() {
            "translation" => translation = Some(track::<3>(tables, &mut buffers, sampler, budget)?),
            "rotation" => rotation = Some(track::<4>(tables, &mut buffers, sampler, budget)?),
            other => return Err(what.fault(format!("the mesh is animated by {other}"), BAKE)),
        }
    }
    let Some(mover) = mover else {
        return Err(
            animation.fault("the animation does not move the mesh", "choose another animation, or another part")
        );
    };
    let node = tables.json.value(tables.nodes[mover]);
    let (above, rest) = (nodes.above(tables, mover)?, Local::read(node)?);
    Tracks { above, rest, translation, rotation, node }.animation(budget)
}

fn choose<'a>(root: Value<'a>, which: &str) -> Result<Value<'a>, Fault> {
    let none = || root.fault("the file has no animations", "give the motion by --motion-a or --motion-b");
    let all = root.get("animations")?.ok_or_else(none)?;
    let mut names = Vec::new();
    for (i, animation) in all.elements()?.enumerate() {
        let name = animation.get("name")?.map(Value::string).transpose()?.unwrap_or_default();
        if name == which || which.parse() == Ok(i) {
            return Ok(animation);
        }
        if i < 8 {
            names.push(if name.is_empty() { i.to_string() } else { crate::text::quote(name.as_bytes()) });
        }
    }
    let help = format!("there are {}", names.join(", "));
    Err(all.fault(format!("there is no animation {}", crate::text::quote(which.as_bytes())), help))
}

/// The parent of each node.
struct Nodes {
    parent: Vec<Option<u32>>,
}

impl Nodes {
    fn read(tables: &Tables<'_>, budget: &mut Budget) -> Result<Nodes, Fault> {
        let mut parent: Vec<Option<u32>> = budget.vec(tables.nodes.len())?;
        parent.resize(tables.nodes.len(), None);
        for (i, at) in tables.nodes.iter().enumerate() {
            let Some(children) = tables.json.value(*at).get("children")? else { continue };
            for child in children.elements()? {
                let slot = parent.get_mut(child.index()? as usize);
                *slot.ok_or_else(|| child.fault("there is no such node", MALFORMED))? = Some(i as u32);
            }
        }
        Ok(Nodes { parent })
    }

    /// The node of the part.
    fn body(&self, tables: &Tables<'_>, part: Option<&str>) -> Result<usize, Fault> {
        let (mut found, mut count) = (None, 0);
        for (i, at) in tables.nodes.iter().enumerate() {
            let node = tables.json.value(*at);
            let Some(mesh) = node.get("mesh")? else { continue };
            let own = node.get("name")?.map(Value::string).transpose()?.filter(|name| !name.is_empty());
            let mesh = tables.meshes.get(mesh.index()? as usize).and_then(|mesh| mesh.name);
            let other = mesh.map(|at| tables.json.value(at).string()).transpose()?;
            let name = own.or(other).unwrap_or_default();
            if part.is_none_or(|part| part == name) {
                count += 1;
                found.get_or_insert(i);
            }
        }
        match (found, count) {
            (Some(found), 1) => Ok(found),
            (None, _) => Err(Fault::new("no node with a mesh has that name", "`impinge info` lists the parts")),
            _ => Err(Fault::new(
                "several meshes could be meant, and a body moves as one",
                "choose one by its name with --part-a or --part-b; `impinge info` lists the parts",
            )),
        }
    }

    /// The node and those above it. Loops were refused when the mesh was read; should there be one, the walk ends.
    fn path(&self, node: usize) -> Vec<usize> {
        let up = |at: &usize| self.parent.get(*at).copied().flatten().map(|parent| parent as usize);
        std::iter::successors(Some(node), up).take(self.parent.len()).collect()
    }

    /// The transform above a node.
    fn above(&self, tables: &Tables<'_>, node: usize) -> Result<DAffine3, Fault> {
        let mut above = DAffine3::IDENTITY;
        for &at in self.path(node).iter().skip(1) {
            above = Local::read(tables.json.value(tables.nodes[at]))?.affine() * above;
        }
        Ok(above)
    }
}

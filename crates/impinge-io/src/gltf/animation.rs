//! The motion of one mesh of a glTF file: the translation and rotation of one node above or at it.
//!
//! The vertices of a part are those of the file at rest, so the poses handed back are relative to that. With `A` the
//! transform above the animated node, `T₀R₀` its translation and rotation at rest and `TR` those at a time:
//!
//! ```text
//!     M = A·T·R·R₀⁻¹·T₀⁻¹·A⁻¹
//! ```
//!
//! a rotation about `c = A·T₀`, the node's origin at rest, which goes to `A·T`. The scale of the node itself cancels; a
//! scale above it has to be the same along all axes, where the node turns.
//!
//! Only what is linear between its keys is read: the origin then moves straight and the body turns at a constant rate
//! from each key to the next. Steps, splines, and nodes that move above other moving nodes are refused.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::accessor;
use super::buffers::Buffers;
use super::json::Value;
use super::scene::Local;
use super::tables::Tables;
use crate::budget::Budget;
use crate::document::{Animation, Key};
use crate::error::{Fault, MALFORMED};

const BAKE: &str = "bake the animation to linear keys of translation and rotation of one node, and export it again";

/// Times and values of a channel.
struct Track<const N: usize> {
    keys: Vec<(f64, [f64; N])>,
}

/// An animation by its name or its number, of the mesh that is named, or of the only one.
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
    let keys = poses(&nodes.above(tables, mover)?, &Local::read(node)?, translation, rotation, node, budget)?;
    Ok(keys)
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

/// Who is below whom.
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

    /// The node and those above it. Loops were refused when the mesh was read; here they end.
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

fn track<'a, const N: usize>(
    tables: &Tables<'a>,
    buffers: &mut Buffers<'a>,
    sampler: Value<'a>,
    budget: &mut Budget,
) -> Result<Track<N>, Fault> {
    if let Some(how) = sampler.get("interpolation")?
        && how.string()? != "LINEAR"
    {
        return Err(how.fault(format!("the interpolation {} is not supported", how.string()?), BAKE));
    }
    let index = |key: &str| {
        let value = sampler.get(key)?;
        value.ok_or_else(|| sampler.fault(format!("\"{key}\" is missing here"), MALFORMED))?.index()
    };
    let (input, output) = (index("input")?, index("output")?);
    for index in [input, output] {
        accessor::fetch(tables, buffers, index, budget)?;
    }
    let times = accessor::numbers::<1>(tables, buffers, input)?;
    let values = accessor::numbers::<N>(tables, buffers, output)?;
    if times.count != values.count {
        let message = format!("there are {} times and {} values", times.count, values.count);
        return Err(sampler.fault(message, MALFORMED));
    }
    let mut keys = budget.vec(times.count)?;
    for i in 0..times.count {
        let (time, value) = (times.values::<1>(i)[0], values.values::<N>(i));
        if !time.is_finite() || value.iter().any(|x| !x.is_finite()) {
            return Err(sampler.fault(format!("key {i} is not finite"), crate::error::FINITE));
        }
        if keys.last().is_some_and(|(before, _)| time <= *before) {
            return Err(sampler.fault(format!("the time of key {i} is not later than that before"), MALFORMED));
        }
        keys.push((time, value));
    }
    Ok(Track { keys })
}

impl<const N: usize> Track<N> {
    /// The value at a time, `mix`ed of two keys; the first before all, the last after.
    fn at(&self, time: f64, mix: impl Fn([f64; N], [f64; N], f64) -> [f64; N]) -> [f64; N] {
        let next = self.keys.partition_point(|(t, _)| *t < time);
        match (next.checked_sub(1).map(|k| self.keys[k]), self.keys.get(next)) {
            (Some((t0, v0)), Some(&(t1, v1))) if time != t1 => mix(v0, v1, (time - t0) / (t1 - t0)),
            (_, Some(&(_, v))) | (Some((_, v)), None) => v,
            (None, None) => [0.0; N],
        }
    }
}

/// The poses at the times of both tracks.
fn poses(
    above: &DAffine3,
    rest: &Local,
    translation: Option<Track<3>>,
    rotation: Option<Track<4>>,
    node: Value<'_>,
    budget: &mut Budget,
) -> Result<Animation, Fault> {
    if rest.matrix.is_some() {
        return Err(node.fault("an animated node has a matrix", BAKE));
    }
    let linear = above.matrix3;
    let square = linear.transpose() * linear;
    let scale = square.x_axis.x;
    let even = (square * (1.0 / scale) - DMat3::IDENTITY).to_cols_array().iter().all(|x| x.abs() < 1e-6);
    if !(scale > 0.0 && scale.is_finite()) || (rotation.is_some() && !even) {
        return Err(node.fault("a node that turns is scaled unevenly from above", "export it with scales applied"));
    }
    let count = translation.as_ref().map_or(0, |t| t.keys.len()) + rotation.as_ref().map_or(0, |r| r.keys.len());
    let mut times: Vec<f64> = budget.vec(count)?;
    times.extend(translation.iter().flat_map(|t| t.keys.iter().map(|k| k.0)));
    times.extend(rotation.iter().flat_map(|r| r.keys.iter().map(|k| k.0)));
    times.sort_unstable_by(f64::total_cmp);
    times.dedup();
    let centre = above.transform_point3(rest.translation);
    let line = |a: [f64; 3], b: [f64; 3], s: f64| DVec3::from_array(a).lerp(DVec3::from_array(b), s).to_array();
    let unit = |q: [f64; 4]| {
        let q = DQuat::from_array(q);
        if (q.length() - 1.0).abs() < 1e-3 { Ok(q.normalize()) } else { Err(q.length()) }
    };
    let arc = |a: [f64; 4], b: [f64; 4], s: f64| match (unit(a), unit(b)) {
        (Ok(a), Ok(b)) => a.slerp(b, s).to_array(),
        _ => a,
    };
    let mut keys = budget.vec(times.len())?;
    for time in times {
        let at = translation.as_ref().map_or(rest.translation, |t| DVec3::from_array(t.at(time, line)));
        let turn = match rotation.as_ref().map(|r| unit(r.at(time, arc))) {
            None => DQuat::IDENTITY,
            Some(Ok(turn)) => {
                let local = DMat3::from_quat(turn * rest.rotation.conjugate());
                DQuat::from_mat3(&(linear * local * linear.inverse())).normalize()
            }
            Some(Err(length)) => {
                return Err(node.fault(format!("a key of its rotation has length {length}, not 1"), MALFORMED));
            }
        };
        keys.push(Key { time, translation: above.transform_point3(at) - turn * centre, rotation: turn });
    }
    Ok(Animation { centre, keys })
}

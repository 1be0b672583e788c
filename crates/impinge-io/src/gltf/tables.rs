//! The arrays of a glTF document that meshes are made of, each entry checked and small.

use super::json::{Json, Value};
use crate::budget::Budget;
use crate::error::{Fault, MALFORMED, NO_SURFACE};

/// Required extensions that do not change any surface, by prefix, and quantized positions, which are read.
const HARMLESS: &[&str] = &[
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_xmp",
    "KHR_animation_pointer",
    "KHR_node_visibility",
    "KHR_mesh_quantization",
];

pub(super) struct Tables<'a> {
    pub(super) json: Json<'a>,
    /// Offsets of the entries of `buffers` and `nodes`.
    pub(super) buffers: Vec<usize>,
    pub(super) nodes: Vec<usize>,
    pub(super) views: Vec<View>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) primitives: Vec<Primitive>,
    /// The array of root nodes of the default scene; without scenes, all nodes that are no one's child are roots.
    pub(super) scene: Option<Value<'a>>,
}

pub(super) struct View {
    pub(super) buffer: u32,
    pub(super) offset: u64,
    pub(super) len: u64,
    pub(super) stride: Option<u32>,
    pub(super) compressed: bool,
}

pub(super) struct Accessor {
    pub(super) at: usize,
    pub(super) view: Option<u32>,
    pub(super) offset: u64,
    pub(super) count: u64,
    pub(super) component: u32,
    pub(super) is_vec3: bool,
    pub(super) is_vec4: bool,
    pub(super) is_scalar: bool,
    pub(super) normalized: bool,
    pub(super) sparse: Option<Box<Sparse>>,
}

/// Replacement of some elements of an accessor.
pub(super) struct Sparse {
    pub(super) indices: Layout,
    pub(super) values: Layout,
}

/// Where elements lie: view, offset in it, number, component type, components of one element.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) view: u32,
    pub(super) offset: u64,
    pub(super) count: u64,
    pub(super) component: u32,
    pub(super) components: usize,
    pub(super) normalized: bool,
}

pub(super) struct Mesh {
    /// Offset of its name.
    pub(super) name: Option<usize>,
    pub(super) first: usize,
    pub(super) end: usize,
}

/// A primitive made of triangles.
pub(super) struct Primitive {
    pub(super) at: usize,
    pub(super) shape: Shape,
    pub(super) positions: u32,
    pub(super) indices: Option<u32>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Triangles,
    Strip,
    Fan,
}

impl<'a> Tables<'a> {
    pub(super) fn read(root: Value<'a>, budget: &mut Budget) -> Result<Tables<'a>, Fault> {
        let find = |key| root.get(key);
        check_version(root)?;
        if let Some(required) = find("extensionsRequired")? {
            check_extensions(required)?;
        }
        let offsets = |array, budget: &mut _| collect(array, budget, |value, _| value.members().map(|_| value.at()));
        let mut primitives = Vec::new();
        let meshes = collect(find("meshes")?, budget, |value, budget| Mesh::read(value, &mut primitives, budget))?;
        if primitives.is_empty() {
            return Err(root.fault("the file holds no mesh of triangles", NO_SURFACE));
        }
        Ok(Tables {
            json: root.json(),
            buffers: offsets(find("buffers")?, budget)?,
            nodes: offsets(find("nodes")?, budget)?,
            views: collect(find("bufferViews")?, budget, |value, _| View::read(value))?,
            accessors: collect(find("accessors")?, budget, Accessor::read)?,
            meshes,
            primitives,
            scene: default_scene(root)?,
        })
    }
}

fn collect<'a, T>(
    array: Option<Value<'a>>,
    budget: &mut Budget,
    mut read: impl FnMut(Value<'a>, &mut Budget) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let Some(array) = array else { return Ok(Vec::new()) };
    let mut items = budget.vec(array.elements()?.count())?;
    for value in array.elements()? {
        items.push(read(value, budget)?);
    }
    Ok(items)
}

fn check_version(root: Value<'_>) -> Result<(), Fault> {
    let asset =
        root.get("asset")?.ok_or_else(|| root.fault("the JSON text has no \"asset\"", "give a glTF 2.0 file"))?;
    let version = asset.get("version")?.ok_or_else(|| asset.fault("the version is missing", MALFORMED))?;
    if version.string()?.starts_with("2.") {
        return Ok(());
    }
    Err(version.fault(format!("glTF version {} is not supported", version.string()?), "export it as glTF 2.0"))
}

fn check_extensions(required: Value<'_>) -> Result<(), Fault> {
    for value in required.elements()? {
        let name = value.string()?;
        if !HARMLESS.iter().any(|known| name.starts_with(known)) {
            let name = crate::text::quote(name.as_bytes());
            return Err(value
                .fault(format!("the file needs the extension {name}, which is not supported"), "export it without"));
        }
    }
    Ok(())
}

fn default_scene(root: Value<'_>) -> Result<Option<Value<'_>>, Fault> {
    let Some(scenes) = root.get("scenes")? else { return Ok(None) };
    let chosen = root.get("scene")?;
    let index = chosen.map_or(Ok(0), Value::index)? as usize;
    match scenes.elements()?.nth(index) {
        Some(scene) => {
            let nodes = scene.get("nodes")?;
            Ok(Some(nodes.ok_or_else(|| scene.fault("the default scene is empty", NO_SURFACE))?))
        }
        None => Err(chosen.unwrap_or(scenes).fault(format!("there is no scene {index}"), MALFORMED)),
    }
}

fn has_extension(value: Value<'_>, names: &[&str]) -> Result<bool, Fault> {
    let Some(extensions) = value.get("extensions")? else { return Ok(false) };
    let mut found = extensions.members()?.filter(|(key, _)| names.iter().any(|name| name.as_bytes() == *key));
    Ok(found.next().is_some())
}

fn missing(value: Value<'_>, key: &str) -> Fault {
    value.fault(format!("\"{key}\" is missing here"), MALFORMED)
}

impl View {
    fn read(value: Value<'_>) -> Result<View, Fault> {
        let (mut buffer, mut offset, mut len, mut stride) = (None, 0, None, None);
        for (key, member) in value.members()? {
            match key {
                b"buffer" => buffer = Some(member.index()?),
                b"byteOffset" => offset = member.whole()?,
                b"byteLength" => len = Some(member.whole()?),
                b"byteStride" => stride = Some(member.index()?),
                _ => {}
            }
        }
        Ok(View {
            buffer: buffer.ok_or_else(|| missing(value, "buffer"))?,
            offset,
            len: len.ok_or_else(|| missing(value, "byteLength"))?,
            stride,
            compressed: has_extension(value, &["EXT_meshopt_compression", "KHR_meshopt_compression"])?,
        })
    }
}

impl Accessor {
    fn read(value: Value<'_>, budget: &mut Budget) -> Result<Accessor, Fault> {
        let mut accessor = Accessor {
            at: value.at(),
            view: None,
            offset: 0,
            count: 0,
            component: 0,
            is_vec3: false,
            is_vec4: false,
            is_scalar: false,
            normalized: false,
            sparse: None,
        };
        let mut sparse = None;
        for (key, member) in value.members()? {
            match key {
                b"bufferView" => accessor.view = Some(member.index()?),
                b"byteOffset" => accessor.offset = member.whole()?,
                b"count" => accessor.count = member.whole()?,
                b"componentType" => accessor.component = member.index()?,
                b"type" => {
                    let kind = member.string()?;
                    (accessor.is_vec3, accessor.is_vec4) = (kind == "VEC3", kind == "VEC4");
                    accessor.is_scalar = kind == "SCALAR";
                }
                b"normalized" => accessor.normalized = member.is_true(),
                b"sparse" => sparse = Some(member),
                _ => {}
            }
        }
        if accessor.count == 0 {
            return Err(value.fault("the accessor has no elements", MALFORMED));
        }
        if let Some(sparse) = sparse {
            budget.take(size_of::<Sparse>())?;
            accessor.sparse = Some(Box::new(Sparse::read(sparse, &accessor)?));
        }
        Ok(accessor)
    }
}

impl Sparse {
    fn read(sparse: Value<'_>, accessor: &Accessor) -> Result<Sparse, Fault> {
        let count = sparse.get("count")?.ok_or_else(|| missing(sparse, "count"))?.whole()?;
        if count == 0 {
            return Err(sparse.fault("the sparse accessor replaces nothing", MALFORMED));
        }
        let layout = |key: &str| {
            let value = sparse.get(key)?.ok_or_else(|| missing(sparse, key))?;
            Ok(Layout {
                view: value.get("bufferView")?.ok_or_else(|| missing(value, "bufferView"))?.index()?,
                offset: value.get("byteOffset")?.map_or(Ok(0), Value::whole)?,
                count,
                component: value.get("componentType")?.map_or(Ok(0), Value::index)?,
                components: 1,
                normalized: false,
            })
        };
        let (component, normalized) = (accessor.component, accessor.normalized);
        let values = Layout { component, components: 3, normalized, ..layout("values")? };
        Ok(Sparse { indices: layout("indices")?, values })
    }
}

impl Mesh {
    fn read(value: Value<'_>, primitives: &mut Vec<Primitive>, budget: &mut Budget) -> Result<Mesh, Fault> {
        let first = primitives.len();
        let array = value.get("primitives")?.ok_or_else(|| missing(value, "primitives"))?;
        for element in array.elements()? {
            if let Some(primitive) = Primitive::read(element)? {
                budget.push(primitives, primitive)?;
            }
        }
        if let Some(weights) = value.get("weights")? {
            refuse_weights(weights)?;
        }
        Ok(Mesh { name: value.get("name")?.map(Value::at), first, end: primitives.len() })
    }
}

/// Morph targets with weights other than zero move the surface.
pub(super) fn refuse_weights(weights: Value<'_>) -> Result<(), Fault> {
    for weight in weights.elements()? {
        if weight.number()? != 0.0 {
            return Err(weight.fault("morph targets are not applied", "export the mesh with its shape applied"));
        }
    }
    Ok(())
}

impl Primitive {
    /// `None` for points and lines.
    fn read(value: Value<'_>) -> Result<Option<Primitive>, Fault> {
        let shape = match value.get("mode")?.map_or(Ok(4), Value::whole)? {
            0..=3 => return Ok(None),
            4 => Shape::Triangles,
            5 => Shape::Strip,
            6 => Shape::Fan,
            mode => return Err(value.fault(format!("there is no primitive mode {mode}"), MALFORMED)),
        };
        if has_extension(value, &["KHR_draco_mesh_compression"])? {
            return Err(value.fault("the mesh is compressed with Draco", "export it without Draco compression"));
        }
        let attributes = value.get("attributes")?.ok_or_else(|| missing(value, "attributes"))?;
        let positions = attributes.get("POSITION")?.ok_or_else(|| missing(attributes, "POSITION"))?.index()?;
        let indices = value.get("indices")?.map(Value::index).transpose()?;
        Ok(Some(Primitive { at: value.at(), shape, positions, indices }))
    }
}

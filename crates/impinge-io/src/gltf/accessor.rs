//! Reads the elements of an accessor; every access is checked against the bounds of its view and its buffer.

use super::buffers::Buffers;
use super::tables::{Accessor, Layout, Sparse, Tables, View};
use crate::budget::Budget;
use crate::error::{CUT_OFF, FINITE, Fault, MALFORMED};
use glam::{DAffine3, DVec3};

const I8: u32 = 5120;
const U8: u32 = 5121;
const I16: u32 = 5122;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// Equally spaced elements in a slice; all of them lie within it.
#[derive(Clone, Copy)]
pub(super) struct Elements<'b> {
    bytes: &'b [u8],
    stride: usize,
    pub(super) count: usize,
    component: u32,
    normalized: bool,
}

impl<'b> Elements<'b> {
    /// Element `i` as a whole number; only for component types that are whole and without sign.
    pub(super) fn index(&self, i: usize) -> u32 {
        let at = &self.bytes[i * self.stride..];
        match self.component {
            U8 => u32::from(at[0]),
            U16 => u32::from(u16::from_le_bytes([at[0], at[1]])),
            _ => u32::from_le_bytes([at[0], at[1], at[2], at[3]]),
        }
    }

    pub(super) fn position(&self, i: usize) -> DVec3 {
        DVec3::from_array(self.values(i))
    }

    /// The numbers of element `i`, as many as it has.
    pub(super) fn values<const N: usize>(&self, i: usize) -> [f64; N] {
        let at = &self.bytes[i * self.stride..];
        let two = |c: usize| [at[2 * c], at[2 * c + 1]];
        let component = |c: usize| match self.component {
            I8 => self.scaled(f64::from(at[c] as i8), 127.0),
            U8 => self.scaled(f64::from(at[c]), 255.0),
            I16 => self.scaled(f64::from(i16::from_le_bytes(two(c))), 32767.0),
            U16 => self.scaled(f64::from(u16::from_le_bytes(two(c))), 65535.0),
            _ => f64::from(f32::from_le_bytes([at[4 * c], at[4 * c + 1], at[4 * c + 2], at[4 * c + 3]])),
        };
        std::array::from_fn(component)
    }

    fn scaled(&self, value: f64, most: f64) -> f64 {
        if self.normalized { (value / most).max(-1.0) } else { value }
    }
}

fn elements<'b>(
    tables: &Tables<'_>,
    buffers: &'b Buffers<'_>,
    layout: &Layout,
    strided: bool,
) -> Result<Elements<'b>, Fault> {
    let size = component_size(layout.component) * layout.components;
    let view = view(tables, layout.view)?;
    let bytes = buffers.get(view.buffer);
    let stride = view.stride.filter(|_| strided).map_or(size, |stride| stride as usize);
    if stride < size || size == 0 {
        return Err(Fault::new(format!("a stride of {stride} bytes is less than an element of {size}"), MALFORMED));
    }
    let view_end = view.offset.checked_add(view.len).filter(|end| *end <= bytes.len() as u64);
    let start = view.offset.checked_add(layout.offset);
    let reach = (layout.count - 1).checked_mul(stride as u64).and_then(|span| span.checked_add(size as u64));
    let end = start.zip(reach).and_then(|(start, reach)| start.checked_add(reach));
    match (start, end, view_end) {
        (Some(start), Some(end), Some(view_end)) if end <= view_end => Ok(Elements {
            bytes: &bytes[start as usize..end as usize],
            stride,
            count: layout.count as usize,
            component: layout.component,
            normalized: layout.normalized,
        }),
        _ => Err(Fault::new(
            format!(
                "{} elements do not fit into buffer view {} and its buffer of {} bytes",
                layout.count,
                layout.view,
                bytes.len()
            ),
            CUT_OFF,
        )),
    }
}

fn view<'t>(tables: &'t Tables<'_>, index: u32) -> Result<&'t View, Fault> {
    let view = tables.views.get(index as usize);
    let view = view.ok_or_else(|| Fault::new(format!("there is no buffer view {index}"), MALFORMED))?;
    if view.compressed {
        return Err(Fault::new("the mesh is compressed with meshopt", "export it without meshopt compression"));
    }
    Ok(view)
}

fn component_size(component: u32) -> usize {
    match component {
        I8 | U8 => 1,
        I16 | U16 => 2,
        U32 | F32 => 4,
        _ => 0,
    }
}

/// Fetches the data an accessor needs.
pub(super) fn fetch<'a>(
    tables: &Tables<'a>,
    buffers: &mut Buffers<'a>,
    index: u32,
    budget: &mut Budget,
) -> Result<(), Fault> {
    let accessor = get(tables, index)?;
    let place = |fault: Fault| fault.at(tables.json.value(accessor.at).place());
    if let Some(index) = accessor.view {
        let buffer = view(tables, index).map_err(place)?.buffer;
        buffers.fetch(tables, buffer, budget).map_err(place)?;
    }
    if let Some(sparse) = &accessor.sparse {
        for layout in [&sparse.indices, &sparse.values] {
            let buffer = view(tables, layout.view).map_err(place)?.buffer;
            buffers.fetch(tables, buffer, budget).map_err(place)?;
        }
    }
    Ok(())
}

pub(super) fn get<'t>(tables: &'t Tables<'_>, index: u32) -> Result<&'t Accessor, Fault> {
    tables.accessors.get(index as usize).ok_or_else(|| Fault::new(format!("there is no accessor {index}"), MALFORMED))
}

fn layout(accessor: &Accessor, components: usize) -> Result<Layout, Fault> {
    let view =
        accessor.view.ok_or_else(|| Fault::new("the accessor has no data", "export the mesh without compression"))?;
    Ok(Layout {
        view,
        offset: accessor.offset,
        count: accessor.count,
        component: accessor.component,
        components,
        normalized: accessor.normalized,
    })
}

/// The indices of a primitive.
pub(super) fn indices<'b>(tables: &Tables<'_>, buffers: &'b Buffers<'_>, index: u32) -> Result<Elements<'b>, Fault> {
    let accessor = get(tables, index)?;
    let place = |fault: Fault| fault.at(tables.json.value(accessor.at).place());
    if !accessor.is_scalar || !matches!(accessor.component, U8 | U16 | U32) || accessor.sparse.is_some() {
        return Err(place(Fault::new(
            "indices must be plain whole numbers of 8, 16 or 32 bits without sign",
            MALFORMED,
        )));
    }
    layout(accessor, 1).and_then(|layout| elements(tables, buffers, &layout, false)).map_err(place)
}

/// The positions of a primitive, before any sparse replacement.
pub(super) fn positions<'b>(tables: &Tables<'_>, buffers: &'b Buffers<'_>, index: u32) -> Result<Elements<'b>, Fault> {
    let accessor = get(tables, index)?;
    let place = |fault: Fault| fault.at(tables.json.value(accessor.at).place());
    if !accessor.is_vec3 || !matches!(accessor.component, I8 | U8 | I16 | U16 | F32) {
        return Err(place(Fault::new(
            "positions must be three numbers of 32-bit floating point, or quantized",
            MALFORMED,
        )));
    }
    layout(accessor, 3).and_then(|layout| elements(tables, buffers, &layout, true)).map_err(place)
}

/// The numbers of an animation, `N` for each element: floating point, or, for rotations, whole numbers that are scaled
/// to −1 to 1.
pub(super) fn numbers<'b, const N: usize>(
    tables: &Tables<'_>,
    buffers: &'b Buffers<'_>,
    index: u32,
) -> Result<Elements<'b>, Fault> {
    let accessor = get(tables, index)?;
    let place = |fault: Fault| fault.at(tables.json.value(accessor.at).place());
    let fits = [(1, accessor.is_scalar), (3, accessor.is_vec3), (4, accessor.is_vec4)].contains(&(N, true));
    let whole = N == 4 && accessor.normalized && matches!(accessor.component, I8 | U8 | I16 | U16);
    if !fits || !(accessor.component == F32 || whole) || accessor.sparse.is_some() {
        return Err(place(Fault::new(format!("an animation needs {N} plain floating-point numbers here"), MALFORMED)));
    }
    layout(accessor, N).and_then(|layout| elements(tables, buffers, &layout, true)).map_err(place)
}

/// Appends the positions of an accessor, moved by `transform`.
pub(super) fn append_positions(
    tables: &Tables<'_>,
    buffers: &Buffers<'_>,
    index: u32,
    transform: DAffine3,
    out: &mut Vec<DVec3>,
) -> Result<(), Fault> {
    let accessor = get(tables, index)?;
    let value = tables.json.value(accessor.at);
    let base = positions(tables, buffers, index)?;
    let first = out.len();
    out.extend((0..base.count).map(|i| transform.transform_point3(base.position(i))));
    if let Some(sparse) = &accessor.sparse {
        replace(tables, buffers, sparse, transform, &mut out[first..]).map_err(|fault| fault.at(value.place()))?;
    }
    match out[first..].iter().position(|p| !p.is_finite()) {
        None => Ok(()),
        Some(i) => Err(value.fault(format!("position {i} is not finite"), FINITE)),
    }
}

fn replace(
    tables: &Tables<'_>,
    buffers: &Buffers<'_>,
    sparse: &Sparse,
    transform: DAffine3,
    out: &mut [DVec3],
) -> Result<(), Fault> {
    if !matches!(sparse.indices.component, U8 | U16 | U32) {
        return Err(Fault::new("sparse indices must be whole numbers without sign", MALFORMED));
    }
    let indices = elements(tables, buffers, &sparse.indices, false)?;
    let values = elements(tables, buffers, &sparse.values, false)?;
    let count = out.len();
    for i in 0..indices.count {
        let index = indices.index(i);
        let slot = out.get_mut(index as usize).ok_or_else(|| {
            Fault::new(format!("sparse index {index} is out of range: there are {count} elements"), MALFORMED)
        })?;
        *slot = transform.transform_point3(values.position(i));
    }
    Ok(())
}

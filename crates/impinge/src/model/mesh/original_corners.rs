//! The corners of triangles as they were given, where equal vertices are one.
//!
//! Answers name vertices by the indices given to the builder. Of several vertices at one position the mesh keeps one;
//! where a corner named another of them, the index that it named is stored here. Files without indices name every
//! vertex once, in order, and need no such list.

/// Which vertices the corners of the triangles named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum OriginalCorners {
    /// The ones that were kept.
    #[default]
    Kept,
    /// Triangle `t` the vertices `3t`, `3t + 1` and `3t + 2`.
    InOrder,
    /// The ones that were kept, but for these corners (three times the place of the triangle, and which), in order.
    But(Vec<(u32, u32)>),
}

impl OriginalCorners {
    /// Of triangles with merged vertices: `ids` are those given, in leaf order, and `kept` the corners that are left.
    pub(crate) fn of(triangles: &[[u32; 3]], ids: &[u32], kept: impl Fn(usize) -> [u32; 3]) -> OriginalCorners {
        if triangles.iter().enumerate().all(|(t, corners)| *corners == in_order(t as u32)) {
            return OriginalCorners::InOrder;
        }
        let mut others = Vec::new();
        for (place, &id) in ids.iter().enumerate() {
            let (original, kept) = (triangles[id as usize], kept(place));
            others.extend((0..3).filter(|&k| original[k] != kept[k]).map(|k| ((3 * place + k) as u32, original[k])));
        }
        others.shrink_to_fit();
        OriginalCorners::But(others)
    }

    /// Corners of the triangle at a place in leaf order.
    pub(crate) fn at(&self, place: u32, id: u32, kept: [u32; 3]) -> [u32; 3] {
        match self {
            OriginalCorners::Kept => kept,
            OriginalCorners::InOrder => in_order(id),
            OriginalCorners::But(others) => {
                let mut corners = kept;
                let from = others.partition_point(|(corner, _)| *corner < 3 * place);
                for &(corner, vertex) in others[from..].iter().take_while(|(corner, _)| *corner < 3 * place + 3) {
                    corners[(corner - 3 * place) as usize] = vertex;
                }
                corners
            }
        }
    }

    /// Whether `holds` is true of every corner that may have named another vertex than the one kept; it is given the
    /// place of the triangle and the number of the corner.
    pub(crate) fn all_others(&self, ids: &[u32], holds: impl Fn(usize, usize, u32) -> bool) -> bool {
        match self {
            OriginalCorners::Kept => true,
            OriginalCorners::InOrder => {
                let mut corners = ids.iter().enumerate().flat_map(|(place, &id)| [0, 1, 2].map(|k| (place, k, id)));
                corners.all(|(place, k, id)| holds(place, k, in_order(id)[k]))
            }
            OriginalCorners::But(others) => {
                others.iter().all(|&(c, vertex)| holds(c as usize / 3, c as usize % 3, vertex))
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        if let OriginalCorners::But(others) = self { others.capacity() * size_of::<(u32, u32)>() } else { 0 }
    }
}

fn in_order(triangle: u32) -> [u32; 3] {
    [0, 1, 2].map(|k| triangle.wrapping_mul(3).wrapping_add(k))
}

//! Divides a part into its connected pieces, each with a name of its own.

use impinge::clash::connected_pieces;
use impinge_io::Part;

/// The pieces in the order of their first triangle, named `part/01`, `part/02`, … when there are several. Vertices that
/// no triangle names are dropped.
pub(crate) fn split(part: Part) -> Vec<Part> {
    let pieces = connected_pieces(&part.vertices, &part.triangles);
    let width = pieces.len().to_string().len();
    let several = pieces.len() > 1;
    let name = |i: usize| if several { format!("{}/{:0width$}", part.name, i + 1) } else { part.name.clone() };
    let named = |(i, (vertices, triangles))| Part { name: name(i), vertices, triangles, group: part.group };
    pieces.into_iter().enumerate().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::glam::DVec3;

    #[test]
    fn pieces_are_numbered_when_there_are_several() {
        let corners = |x: f64| [DVec3::X * x, DVec3::X * x + DVec3::Y, DVec3::X * x + DVec3::Z];
        let strip = |count: u32| Part {
            name: "strip".into(),
            vertices: (0..count).flat_map(|i| corners(f64::from(i))).collect(),
            triangles: (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
            group: Some(4),
        };
        let pieces = split(strip(12));
        assert_eq!(pieces.len(), 12);
        assert_eq!((pieces[0].name.as_str(), pieces[11].name.as_str()), ("strip/01", "strip/12"));
        assert!(pieces.iter().all(|piece| piece.group == Some(4) && piece.triangles == [[0, 1, 2]]));
        let single = split(strip(1));
        assert_eq!((single.len(), single[0].name.as_str()), (1, "strip"));
    }
}

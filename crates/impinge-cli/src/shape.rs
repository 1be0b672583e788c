//! Shapes in words: `box:1,2,3`.

use impinge::glam::DVec3;

use crate::error::Failure;
use crate::suggest;
use crate::text::number;

/// Every shape that can be said, with its measures; those of `true` are in.
const WORDS: [(&str, &str, bool); 5] = [
    ("box", "x,y,z", true),
    ("sphere", "r", false),
    ("capsule", "r,h", false),
    ("cylinder", "r,h", false),
    ("cone", "r,h", false),
];

/// Vertices and triangles of a closed mesh, wound outwards.
pub(crate) type Triangles = (Vec<DVec3>, Vec<[u32; 3]>);

/// The shape that `text` says; `None` when it does not start with the word of a shape.
pub(crate) fn parse(text: &str) -> Option<Result<Triangles, Failure>> {
    let (word, measures) = text.split_once(':')?;
    let &(_, names, is_in) = WORDS.iter().find(|(name, ..)| *name == word)?;
    if is_in {
        return Some(parse_box(text, measures));
    }
    Some(Err(Failure::Shape {
        word: text.to_owned(),
        problem: format!("the shape {word}:{names} is not in yet; of the shapes in words only box:x,y,z is"),
        help: "give a mesh file of the shape instead (STL, OBJ, PLY, OFF, glTF)".to_owned(),
    }))
}

/// What to say about a name with a colon that is neither a file nor a shape.
pub(crate) fn did_you_mean(text: &str) -> Option<String> {
    let (word, _) = text.split_once(':')?;
    let near = suggest::nearest(word, WORDS.iter().map(|(name, ..)| *name));
    let &(name, names, _) = WORDS.iter().find(|(name, ..)| near.first() == Some(name))?;
    Some(format!("did you mean the shape {name}:{names}?"))
}

fn parse_box(text: &str, measures: &str) -> Result<Triangles, Failure> {
    let refuse = |problem: String| Failure::Shape {
        word: text.to_owned(),
        problem,
        help: "write the three full sides, such as box:1,2,3".to_owned(),
    };
    let mut sides = Vec::new();
    for cell in measures.split(',') {
        match cell.trim().parse::<f64>() {
            Ok(side) if side.is_finite() && side > 0.0 => sides.push(side),
            Ok(side) => return Err(refuse(format!("a side of {} is not a positive length", number(side)))),
            Err(_) => return Err(refuse(format!("`{}` is not a number", cell.trim()))),
        }
    }
    match sides[..] {
        [x, y, z] => Ok(cuboid(DVec3::new(x, y, z))),
        _ => Err(refuse(format!("a box has three sides, not {}", sides.len()))),
    }
}

/// The box of these full sides about the origin: vertex `i` is at the high end of axis `k` when bit `k` of `i` is set.
pub(crate) fn cuboid(sides: DVec3) -> Triangles {
    let half = sides * 0.5;
    let end = |bit: u32, h: f64| if bit == 0 { -h } else { h };
    let vertices = (0..8u32).map(|i| DVec3::new(end(i & 1, half.x), end(i & 2, half.y), end(i & 4, half.z))).collect();
    let quads: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    (vertices, quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::Mesh;

    #[test]
    fn a_box_is_a_solid_of_its_volume() {
        let (vertices, triangles) = parse("box:1,2,3").unwrap().unwrap();
        let mesh = Mesh::new(vertices, triangles).unwrap();
        let report = mesh.report();
        assert!(mesh.is_solid() && report.closed && report.manifold && report.oriented);
        assert_eq!((report.components, report.volume, report.area), (1, Some(6.0), 22.0));
        assert_eq!(mesh.bounds().unwrap(), [DVec3::new(-0.5, -1.0, -1.5), DVec3::new(0.5, 1.0, 1.5)]);
    }

    #[test]
    fn what_is_not_a_shape_is_left_to_the_files() {
        for text in ["a.stl", "c:/a.stl", "ball:1", "box"] {
            assert!(parse(text).is_none(), "{text}");
        }
        assert_eq!(did_you_mean("bxo:1,2,3").as_deref(), Some("did you mean the shape box:x,y,z?"));
    }

    #[test]
    fn bad_measures_are_refused() {
        for text in ["box:", "box:1", "box:1,2", "box:1,2,3,4", "box:1,2,x", "box:1,2,0", "box:1,2,-3", "box:1,2,nan"] {
            assert!(parse(text).unwrap().is_err(), "{text}");
        }
    }

    #[test]
    fn round_shapes_say_that_they_are_not_in() {
        for text in ["sphere:0.5", "capsule:1,2", "cylinder:1,2", "cone:1,2"] {
            let error = parse(text).unwrap().unwrap_err().to_string();
            assert!(error.contains("not in yet"), "{error}");
        }
    }
}

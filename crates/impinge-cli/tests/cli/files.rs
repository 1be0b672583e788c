//! Small meshes in every format.

use std::io::Write as _;

/// A cube of side 2 about the origin, two triangles a side, wound outwards.
pub(crate) fn cube() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let end = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
    let vertices = (0..8u32).map(|i| [end(i & 1), end(i & 2), end(i & 4)]).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    (vertices, quads.iter().flat_map(|&[a, b, c, d]: &[u32; 4]| [[a, b, c], [a, c, d]]).collect())
}

fn obj_body(name: &str, offset: f64, base: u32) -> String {
    let (vertices, triangles) = cube();
    let mut text = format!("o {name}\n");
    for [x, y, z] in vertices {
        text += &format!("v {} {y} {z}\n", x + offset);
    }
    for t in triangles {
        let [a, b, c] = t.map(|i| i + 1 + base);
        text += &format!("f {a} {b} {c}\n");
    }
    text
}

pub(crate) fn cube_obj() -> String {
    obj_body("cube", 0.0, 0)
}

/// Two objects, `left` about x = -5 and `right` about x = 5.
pub(crate) fn two_cubes_obj() -> String {
    obj_body("left", -5.0, 0) + &obj_body("right", 5.0, 8)
}

/// A cube without its last triangle.
pub(crate) fn open_cube_obj() -> String {
    let text = cube_obj();
    let end = text.trim_end().rfind('\n').unwrap();
    text[..=end].to_owned()
}

pub(crate) fn cube_off() -> String {
    let (vertices, triangles) = cube();
    let mut text = format!("OFF\n{} {} 0\n", vertices.len(), triangles.len());
    for [x, y, z] in vertices {
        text += &format!("{x} {y} {z}\n");
    }
    for [a, b, c] in triangles {
        text += &format!("3 {a} {b} {c}\n");
    }
    text
}

pub(crate) fn ply_header(format: &str, vertices: usize, faces: usize) -> String {
    format!(
        "ply\nformat {format} 1.0\nelement vertex {vertices}\nproperty double x\nproperty double y\nproperty double z\n\
         element face {faces}\nproperty list uchar int vertex_indices\nend_header\n"
    )
}

pub(crate) fn cube_ply_binary() -> Vec<u8> {
    let (vertices, triangles) = cube();
    let mut bytes = ply_header("binary_little_endian", vertices.len(), triangles.len()).into_bytes();
    bytes.extend(vertices.iter().flatten().flat_map(|x| x.to_le_bytes()));
    for t in triangles {
        bytes.push(3);
        bytes.extend(t.iter().flat_map(|i| i.to_le_bytes()));
    }
    bytes
}

pub(crate) fn cube_stl() -> Vec<u8> {
    let (vertices, triangles) = cube();
    let mut bytes = vec![0; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for t in triangles {
        bytes.extend([0; 12]);
        bytes.extend(t.iter().flat_map(|&i| vertices[i as usize]).flat_map(|x| (x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

/// The buffer of a glTF file with the cube: positions as `f32`, then indices as `u16`.
pub(crate) fn cube_buffer() -> Vec<u8> {
    let (vertices, triangles) = cube();
    let mut bytes: Vec<u8> = vertices.iter().flatten().flat_map(|&x| (x as f32).to_le_bytes()).collect();
    bytes.extend(triangles.iter().flatten().flat_map(|&i| (i as u16).to_le_bytes()));
    bytes
}

/// glTF JSON with one node `crate`; `uri` is `"uri": "…",` or empty for GLB.
pub(crate) fn cube_gltf(uri: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"name":"crate","mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"buffers":[{{{uri}"byteLength":168}}],
"bufferViews":[{{"buffer":0,"byteLength":96}},{{"buffer":0,"byteOffset":96,"byteLength":72}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[-1,-1,-1],"max":[1,1,1]}},
{{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}}]}}"#
    )
}

pub(crate) fn cube_glb() -> Vec<u8> {
    let mut json = cube_gltf("").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let buffer = cube_buffer();
    let length = 12 + 8 + json.len() + 8 + buffer.len();
    let mut bytes = b"glTF".to_vec();
    for word in [2, length as u32, json.len() as u32] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((buffer.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(buffer);
    bytes
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

//! Small files of every format, written out by hand, and checks that every document must pass.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use impinge_io::{Document, read_bytes};

pub(crate) const POINTS: [[f32; 3]; 4] = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
pub(crate) const FACES: [[u16; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// An arrow with a notch at corner 3, whose fan from corner 0 would be wrong.
pub(crate) const OFF: &str =
    "OFF\n# arrow\n5 2 0\n0 0 0\n2 0 0 255 0 0\n2 2 0\n1 1 0\n0 2 0\n3 0 1 3 1 0 0\n5 0 1 2 3 4\n";

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

pub(crate) fn ascii_stl() -> String {
    let mut text = "solid tetra\n".to_owned();
    for face in FACES {
        text += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in face.map(|i| POINTS[i as usize]) {
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid tetra\n"
}

/// The header starts with `solid`, as that of some exporters does.
pub(crate) fn binary_stl() -> Vec<u8> {
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(4_u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        bytes.extend(face.iter().flat_map(|i| POINTS[*i as usize]).flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

pub(crate) fn obj() -> String {
    let mut text = "# tetra\nmtllib x.mtl\no one\n".to_owned();
    for [x, y, z] in POINTS {
        text += &format!("v {x} {y} {z}\n");
    }
    for [a, b, c] in FACES.map(|f| f.map(|i| i + 1)) {
        text += &format!("f {a}/1/1 {b}//2 {c}/\n");
    }
    text + "o two\nv 2 2 0\nv 3 0 0\nv 2.5 0.5 0\nf -3 \\\n-2 -1\n"
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Encoding {
    Ascii,
    Little,
    Big,
}

/// The arrow of [`OFF`], with scalars of several types and an element that is to be skipped.
pub(crate) fn ply(encoding: Encoding) -> Vec<u8> {
    let name = match encoding {
        Encoding::Ascii => "ascii",
        Encoding::Little => "binary_little_endian",
        Encoding::Big => "binary_big_endian",
    };
    let mut out = format!(
        "ply\nformat {name} 1.0\ncomment c\nobj_info i\nelement vertex 5\nproperty float x\nproperty double y\n\
         property short z\nproperty uchar red\nelement edge 1\nproperty int a\nproperty list uint ushort b\n\
         element face 2\nproperty int8 q\nproperty list uchar int vertex_indices\nproperty float32 r\nend_header\n"
    )
    .into_bytes();
    let mut put = |kind: char, value: f64, last: bool| match encoding {
        Encoding::Ascii => out.extend(format!("{value}{}", if last { '\n' } else { ' ' }).bytes()),
        _ => {
            let mut bytes = match kind {
                'b' => (value as i8).to_le_bytes().to_vec(),
                'h' => (value as i16).to_le_bytes().to_vec(),
                'i' => (value as i32).to_le_bytes().to_vec(),
                'f' => (value as f32).to_le_bytes().to_vec(),
                _ => value.to_le_bytes().to_vec(),
            };
            if encoding == Encoding::Big {
                bytes.reverse();
            }
            out.extend(bytes);
        }
    };
    for [x, y] in [[0., 0.], [2., 0.], [2., 2.], [1., 1.], [0., 2.]] {
        for (i, (kind, value)) in [('f', x), ('d', y), ('h', 0.), ('b', 9.)].into_iter().enumerate() {
            put(kind, value, i == 3);
        }
    }
    for (i, (kind, value)) in [('i', 7.), ('i', 2.), ('h', 1.), ('h', 2.)].into_iter().enumerate() {
        put(kind, value, i == 3);
    }
    for face in [&[0, 1, 3][..], &[0, 1, 2, 3, 4]] {
        put('b', -1.0, false);
        put('b', face.len() as f64, false);
        for i in face {
            put('i', f64::from(*i), false);
        }
        put('f', 4.0, true);
    }
    out
}

/// Positions, indices and a sparse replacement, as in [`gltf_json`].
pub(crate) fn gltf_data() -> Vec<u8> {
    let mut data: Vec<u8> = POINTS.as_flattened().iter().flat_map(|c| c.to_le_bytes()).collect();
    data.extend(FACES.as_flattened().iter().flat_map(|i| i.to_le_bytes()));
    data.extend([1, 0, 0, 0]);
    data.extend([5.0_f32; 3].iter().flat_map(|c| c.to_le_bytes()));
    data
}

/// Two nodes with meshes: a tetrahedron mirrored and raised by its parent, and a strip with a sparse corner and a fan.
pub(crate) fn gltf_json(buffer: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,2]}}],
"nodes":[{{"name":"up","translation":[0,0,1],"children":[1]}},{{"mesh":0,"scale":[-1,2,1]}},
{{"name":"moved \u00e9","mesh":1,"matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 1,2,3,1]}}],
"meshes":[{{"name":"tetra","primitives":[{{"attributes":{{"POSITION":0}},"indices":1}},{{"attributes":{{"POSITION":0}},"mode":0}}]}},
{{"primitives":[{{"attributes":{{"POSITION":2}},"mode":5}},{{"attributes":{{"POSITION":0}},"mode":6}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
{{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}},
{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","sparse":{{"count":1,
"indices":{{"bufferView":2,"componentType":5123}},"values":{{"bufferView":3}}}}}}],
"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":24}},
{{"buffer":0,"byteOffset":72,"byteLength":2}},{{"buffer":0,"byteOffset":76,"byteLength":12}}],
"buffers":[{{"byteLength":{}{buffer}}}]}}
"#,
        gltf_data().len()
    )
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, b| (bits << 8) | u32::from(*b)) << (8 * (3 - group.len()));
        for i in 0..4 {
            let digit = char::from(DIGITS[(bits >> (18 - 6 * i)) as usize % 64]);
            text.push(if i <= group.len() { digit } else { '=' });
        }
    }
    text
}

pub(crate) fn gltf() -> String {
    gltf_json(&format!(r#","uri":"data:application/octet-stream;base64,{}""#, base64(&gltf_data())))
}

pub(crate) fn glb_of(json: &str, data: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + data.len() as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(data);
    bytes
}

pub(crate) fn glb() -> Vec<u8> {
    glb_of(&gltf_json(""), &gltf_data())
}

/// Name, content, and whether a content that is cut off can always be told from a whole one.
pub(crate) fn all() -> Vec<(&'static str, Vec<u8>, bool)> {
    vec![
        ("ascii.stl", ascii_stl().into_bytes(), true),
        ("binary.stl", binary_stl(), true),
        ("two.obj", obj().into_bytes(), false),
        ("ascii.ply", ply(Encoding::Ascii), true),
        ("little.ply", ply(Encoding::Little), true),
        ("big.ply", ply(Encoding::Big), true),
        ("arrow.off", OFF.as_bytes().to_vec(), true),
        ("tetra.gltf", gltf().into_bytes(), true),
        ("tetra.glb", glb(), true),
        ("tetra.stl.gz", gzip(&binary_stl()), true),
        ("two.obj.gz", gzip(obj().as_bytes()), true),
    ]
}

/// What the readers promise of anything they accept, and of any error.
pub(crate) fn check(bytes: &[u8], name: &str) -> Option<Document> {
    match read_bytes(bytes, name) {
        Ok(document) => {
            for part in &document.parts {
                assert!(!part.triangles.is_empty());
                assert!(part.vertices.iter().all(|v| v.is_finite()));
                assert!(part.triangles.iter().flatten().all(|i| (*i as usize) < part.vertices.len()));
            }
            assert!(document.triangle_count() > 0);
            Some(document)
        }
        Err(error) => {
            assert!(error.to_string().starts_with(name) && !error.message().is_empty() && !error.help().is_empty());
            None
        }
    }
}

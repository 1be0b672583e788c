//! Each format gives the vertices, triangles and names that the file holds.

use glam::DVec3;
use impinge_io::{Document, Format, Part, read_bytes, write_obj, write_stl};

use super::samples::{self, Encoding, FACES, POINTS, gzip};

fn read(bytes: impl AsRef<[u8]>, name: &str) -> Document {
    read_bytes(bytes.as_ref(), name).unwrap_or_else(|error| panic!("{error}"))
}

fn points() -> Vec<DVec3> {
    POINTS.iter().map(|p| DVec3::from(p.map(f64::from))).collect()
}

fn corners(part: &Part) -> Vec<[DVec3; 3]> {
    part.triangles.iter().map(|t| t.map(|i| part.vertices[i as usize])).collect()
}

fn tetra() -> Vec<[DVec3; 3]> {
    FACES.iter().map(|f| f.map(|i| points()[i as usize])).collect()
}

/// Area of the triangles in the xy plane, with sign.
fn area(part: &Part) -> f64 {
    corners(part).iter().map(|[a, b, c]| (*b - *a).cross(*c - *a).z / 2.0).sum()
}

#[test]
fn stl_ascii() {
    let document = read(samples::ascii_stl(), "x.stl");
    assert_eq!((document.format, document.parts.len(), document.parts[0].name.as_str()), (Format::Stl, 1, "tetra"));
    assert_eq!(corners(&document.parts[0]), tetra());
}

#[test]
fn stl_ascii_in_the_wild() {
    let two = format!("{}{}", samples::ascii_stl(), samples::ascii_stl().replace("tetra", ""));
    let document = read(two.replace('\n', "\r\n").to_uppercase(), "wild.stl");
    let names: Vec<_> = document.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["TETRA", "wild"]);
    assert_eq!(document.triangle_count(), 8);
    let nan_normals = samples::ascii_stl().replace("normal 0 0 0", "normal nan -nan inf");
    assert_eq!(corners(&read(nan_normals, "x.stl").parts[0]), tetra());
}

#[test]
fn stl_binary() {
    let bytes = samples::binary_stl();
    assert!(bytes.starts_with(b"solid"));
    let document = read(&bytes, "folder/part.STL");
    assert_eq!((document.format, document.parts[0].name.as_str()), (Format::Stl, "part"));
    assert_eq!(corners(&document.parts[0]), tetra());
    assert_eq!(write_stl(&document.parts[0])[84..], bytes[84..]);
    let padded = [&bytes[..], b"\0\0\n"].concat();
    assert_eq!(corners(&read(padded, "x.stl").parts[0]), tetra());
}

#[test]
fn stl_binary_from_a_file_and_from_memory_agree() {
    let mut part = Part::default();
    for i in 0..10_000_u32 {
        let x = f64::from(i);
        part.vertices.extend([DVec3::new(x, 0.5, 0.25), DVec3::new(x, 1.5, 0.0), DVec3::new(0.0, x, -x)]);
        part.triangles.push([3 * i, 3 * i + 1, 3 * i + 2]);
    }
    let folder = std::env::temp_dir().join(format!("impinge-io-formats-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("many.stl");
    std::fs::write(&path, write_stl(&part)).unwrap();
    let document = impinge_io::read(&path).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(document, read(write_stl(&part), "many.stl"));
    assert_eq!((&document.parts[0].vertices, &document.parts[0].triangles), (&part.vertices, &part.triangles));
}

#[test]
fn obj_objects() {
    let document = read(samples::obj(), "x.obj");
    let names: Vec<_> = document.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!((document.format, names), (Format::Obj, vec!["one", "two"]));
    assert_eq!(corners(&document.parts[0]), tetra());
    assert_eq!(document.parts[1].vertices, [[2., 2., 0.], [3., 0., 0.], [2.5, 0.5, 0.]].map(DVec3::from));
    assert_eq!(document.parts[1].triangles, [[0, 1, 2]]);
    let whole = document.clone().merged();
    assert_eq!((whole.name.as_str(), whole.triangles.len(), whole.vertices.len()), ("x", 5, 7));
    assert_eq!(corners(&whole)[4], corners(&document.parts[1])[0]);
}

#[test]
fn obj_groups() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\ng a b\nf 2 4 3\ng\nf 1 2 4\ng a b\nf 1 3 4\n";
    let document = read(text, "groups.obj");
    let found: Vec<_> = document.parts.iter().map(|part| (part.name.as_str(), part.triangles.len())).collect();
    assert_eq!(found, [("groups", 2), ("a b", 2)]);
    let divided = read(text.replace("g a b\nf 2", "o one\ng x\nf 2"), "groups.obj");
    let found: Vec<_> = divided.parts.iter().map(|part| (part.name.as_str(), part.triangles.len())).collect();
    assert_eq!(found, [("groups", 1), ("one", 3)], "groups do not divide an object");
    let repeated = read("v 0 0 0\nv 1 0 0\nv 0 1 0\no a\nf 1 2 3\no a\nf 3 2 1\n", "x.obj");
    assert_eq!(repeated.parts.len(), 2, "two objects of one name are two bodies");
}

#[test]
fn objects_know_their_group() {
    let head = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let groups = |text: &str| read(format!("{head}{text}"), "x.obj").parts.iter().map(|p| p.group).collect::<Vec<_>>();
    let text = "o a\nf 1 2 3\no b\ng frame\nf 1 2 3\no c\nf 1 2 3\ng other\no d\nf 1 2 3\ng frame\no e\nf 1 2 3\n";
    assert_eq!(groups(text), [None, Some(0), Some(0), Some(1), Some(0)]);
    assert_eq!(groups("o a\ng one\nf 1 2 3\ng two\nf 3 2 1\n"), [Some(0)], "that of the first face");
    assert_eq!(groups("o a\ng one\nf 1 2 3\ng\no b\nf 3 2 1\n"), [Some(0), None]);
    assert_eq!(groups("g one\nf 1 2 3\ng two\nf 3 2 1\ng one\nf 1 2 3\n"), [None, None], "groups are the parts");
}

#[test]
fn obj_in_the_wild() {
    let text = "\u{feff}# comment \\\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5 # grey\n\tv 0 1 0\r\nvt 0 0\nvn 0 0 1\ns off\nusemtl m\nf 1/1/1 2/1/1 3/1/1 # one\nl 1 2\np 1\n";
    assert_eq!(read(text, "x.obj").parts[0].triangles, [[0, 1, 2]]);
    let counted = "3 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3";
    assert_eq!(read(counted, "x.obj").parts[0].triangles, [[0, 1, 2]]);
    let forward = "f 1 2 3 4\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    assert_eq!(area(&read(forward, "x.obj").parts[0]), 1.0);
    let continued = "v 0 0 \\\n0\nv 1 0 0\nv 0 1 0\nf 1 2\\\r\n 3\n# C:\\\nf 3 2 1\n";
    assert_eq!(read(continued, "x.obj").parts[0].triangles, [[0, 1, 2], [2, 1, 0]]);
    let mac = "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r";
    assert_eq!(read(mac, "no-extension").parts[0].triangles, [[0, 1, 2]]);
}

#[test]
fn obj_round_trip() {
    let vertices = vec![DVec3::new(0.1, 1e-300, -1e100), DVec3::new(1.0 / 3.0, 5e-324, 2.0), DVec3::splat(f64::MAX)];
    let part = |name: &str| Part {
        name: name.into(),
        vertices: vertices.clone(),
        triangles: vec![[0, 1, 2], [2, 1, 0]],
        group: None,
    };
    let parts = vec![part("one"), part("two")];
    assert_eq!(read(write_obj(&parts), "x.obj").parts, parts);
}

#[test]
fn ply_in_every_encoding() {
    for encoding in [Encoding::Ascii, Encoding::Little, Encoding::Big] {
        let document = read(samples::ply(encoding), "arrow.ply");
        let part = &document.parts[0];
        assert_eq!((document.format, part.name.as_str(), part.vertices.len()), (Format::Ply, "arrow", 5));
        assert_eq!(part.triangles[0], [0, 1, 3]);
        assert_eq!((part.triangles.len(), area(part)), (4, 1.0 + 3.0));
    }
}

#[test]
fn ply_with_faces_first() {
    let text = "ply\r\nformat ascii 1.0\r\nelement face 1\r\nproperty list uchar int vertex_index\r\nelement none 9\r\nelement vertex 4\r\nproperty double z\r\nproperty double y\r\nproperty double x\r\nend_header\r\n4 0 1 2 3\r\n0 0 0\r\n0 0 1\r\n0 1 1\r\n0 1 0\r\n";
    assert_eq!(area(&read(text, "x.ply").parts[0]), 1.0);
    assert_eq!(area(&read(text.replace("\r\n", "\n"), "x.ply").parts[0]), 1.0);
    assert_eq!(area(&read(text.replace("\r\n", "\r"), "x.ply").parts[0]), 1.0);
}

#[test]
fn off_and_its_variants() {
    let document = read(samples::OFF, "arrow.off");
    let part = &document.parts[0];
    assert_eq!((document.format, part.name.as_str()), (Format::Off, "arrow"));
    assert_eq!((part.vertices.len(), part.triangles.len(), area(part)), (5, 4, 4.0));
    let bare = samples::OFF.replace("OFF\n# arrow\n", "");
    assert_eq!(&read(bare, "arrow.off").parts[0], part, "the key word may be left out");
    for variant in ["COFF\n", "NOFF # normals\n", "STCNOFF\n", "OFF ", "OFF"] {
        let text = samples::OFF.replace("OFF\n# arrow\n", variant);
        assert_eq!(&read(&text, "arrow.off").parts[0], part, "{variant:?}");
        assert_eq!(read(&text, "unnamed").format, Format::Off);
    }
}

#[test]
fn gltf_json_and_glb() {
    for (bytes, name) in [(samples::gltf().into_bytes(), "x.gltf"), (samples::glb(), "x.glb")] {
        let document = read(bytes, name);
        let names: Vec<_> = document.parts.iter().map(|part| part.name.as_str()).collect();
        assert_eq!((document.format, names), (Format::Gltf, vec!["tetra", "moved é"]));
        let mirrored = |p: DVec3| DVec3::new(-p.x, 2.0 * p.y, p.z + 1.0);
        let expected: Vec<_> = tetra().iter().map(|[a, b, c]| [mirrored(*a), mirrored(*c), mirrored(*b)]).collect();
        assert_eq!(corners(&document.parts[0]), expected);
        let moved = |i: usize| points()[i] + DVec3::new(1.0, 2.0, 3.0);
        let sparse = DVec3::new(6.0, 7.0, 8.0);
        let expected = [
            [moved(0), sparse, moved(2)],
            [moved(2), sparse, moved(3)],
            [moved(0), moved(1), moved(2)],
            [moved(0), moved(2), moved(3)],
        ];
        assert_eq!(corners(&document.parts[1]), expected);
    }
}

#[test]
fn gltf_index_types_and_quantized_positions() {
    for (component, size, normalized) in [(5120, 1, false), (5121, 1, true), (5122, 2, true), (5123, 2, false)] {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["KHR_mesh_quantization"],"nodes":[{{"mesh":0}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"accessors":[
            {{"bufferView":0,"componentType":{component},"count":3,"type":"VEC3","normalized":{normalized}}},
            {{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}}],
            "bufferViews":[{{"buffer":0,"byteLength":24,"byteStride":8}},{{"buffer":0,"byteOffset":24,"byteLength":3}}],
            "buffers":[{{"byteLength":27}}]}}"#
        );
        let mut data = vec![0; 24];
        data[8..8 + size].fill(0x7f);
        data[16 + size..16 + 2 * size].fill(0x7f);
        data.extend([0, 1, 2, 0]);
        let part = read(samples::glb_of(&json, &data), "q.glb").merged();
        let stored = if size == 1 { 127.0 } else { 32639.0 };
        let scale = match component {
            5121 => 1.0 / 255.0,
            5122 => 1.0 / 32767.0,
            _ => 1.0,
        };
        assert!((part.vertices[1].x - stored * scale).abs() < 1e-15 * stored, "{component}");
        assert_eq!((part.vertices[2].y, part.triangles), (part.vertices[1].x, vec![[0, 1, 2]]));
    }
}

#[test]
fn gltf_buffers_beside_the_file() {
    let folder = std::env::temp_dir().join(format!("impinge-io-buffers-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("a b")).unwrap();
    std::fs::write(folder.join("a b/data.bin"), samples::gltf_data()).unwrap();
    std::fs::write(folder.join("x.gltf"), samples::gltf_json(r#","uri":"a%20b/data.bin""#)).unwrap();
    let document = impinge_io::read(&folder.join("x.gltf"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(document.unwrap().parts, read(samples::gltf(), "x.gltf").parts);
}

#[test]
fn everything_also_compressed() {
    for (name, bytes, _) in samples::all() {
        if !name.ends_with(".gz") {
            assert_eq!(read(gzip(&bytes), &format!("{name}.gz")), read(&bytes, name));
            assert_eq!(read(gzip(&bytes), name), read(&bytes, name), "compressed without saying so");
        }
    }
    let two_members = [gzip(b"v 0 0 0\nv 1 0 0\n"), gzip(b"v 0 1 0\nf 1 2 3\n")].concat();
    assert_eq!(read(two_members, "x.obj.gz").triangle_count(), 1);
}

#[test]
fn the_content_decides_over_the_extension() {
    for (name, bytes, _) in samples::all() {
        if name != "two.obj" {
            assert_eq!(read(&bytes, "wrong.obj").format, read(&bytes, name).format, "{name}");
        }
        assert_eq!(read(&bytes, "none").format, read(&bytes, name).format, "{name}");
    }
}

//! Animations of glTF files as motions.

use crate::files;
use crate::harness::Folder;

/// The cube under a node `arm` at rest at y = 3, with an animation `go`: `arm` goes from x = -5 to x = 5 in two
/// seconds, and turns by half a turn about z in the first; keys of the rotation are at other times than those of the
/// translation.
fn animated(folder: &Folder, interpolation: &str, more: &str) {
    let mut bytes = files::cube_buffer();
    let numbers: [&[f32]; 4] =
        [&[0.0, 2.0], &[-5.0, 3.0, 0.0, 5.0, 3.0, 0.0], &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]];
    bytes.extend(numbers.iter().flat_map(|x| x.iter()).flat_map(|x| x.to_le_bytes()));
    folder.write("cube.bin", bytes);
    let view = |at: usize, len: usize| format!(r#"{{"buffer":0,"byteOffset":{at},"byteLength":{len}}}"#);
    let accessor =
        |view: u32, kind: &str| format!(r#"{{"bufferView":{view},"componentType":5126,"count":2,"type":"{kind}"}}"#);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"name":"arm","translation":[0,3,0],"children":[1]}},{{"name":"crate","mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"buffers":[{{"uri":"cube.bin","byteLength":240}}],
"bufferViews":[{},{},{},{},{},{}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3"}},
{{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}},{},{},{},{}],
"animations":[{{"name":"go","channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}},
{{"sampler":1,"target":{{"node":0,"path":"rotation"}}}}{more}],
"samplers":[{{"input":2,"output":3,"interpolation":"{interpolation}"}},{{"input":4,"output":5}}]}}]}}"#,
        view(0, 96),
        view(96, 72),
        view(168, 8),
        view(176, 24),
        view(200, 8),
        view(208, 32),
        accessor(2, "SCALAR"),
        accessor(3, "VEC3"),
        accessor(4, "SCALAR"),
        accessor(5, "VEC4"),
    );
    folder.write("cube.gltf", text);
}

#[test]
fn a_node_moves_its_mesh() {
    let folder = Folder::new("animation_node");
    animated(&folder, "LINEAR", "");
    for name in ["go", "0"] {
        // It stands upright again when it comes to x = 2.
        let ran = folder.run(&format!("impact cube.gltf box:2,2,2 --animation-a {name} --pose-b 4,3,0 --format json"));
        assert_eq!(ran.status, Some(1), "{ran:#?}");
        let lower = ran.json()["time"]["lower"].as_f64().unwrap();
        assert!(lower <= 1.4 + 1e-9 && 1.4 - lower < 1e-6, "{ran:#?}");
    }
    // On its way it turns: a corner is √2 above the middle after a quarter of the turn.
    let near = folder.run("sweep cube.gltf point:-3.75,5,0 --animation-a go --format json").json();
    let distance = near["upper"].as_f64().unwrap();
    assert!((distance - (2.0 - 2f64.sqrt())).abs() < 1e-2, "{near}");
    let small = folder
        .run("impact cube.gltf box:2000,2000,2000 --animation-a go --pose-b 4000,3000,0 --units mm --format json");
    let lower = small.json()["time"]["lower"].as_f64().unwrap();
    assert!(lower <= 1.4 + 1e-9 && 1.4 - lower < 1e-6, "{small:#?}");
}

#[test]
fn what_is_no_rigid_motion_is_refused() {
    let folder = Folder::new("animation_bad");
    folder.write("p.obj", files::cube_obj());
    animated(&folder, "LINEAR", "");
    for (line, words) in [
        ("impact cube.gltf sphere:1 --animation-a stop", &["cube.gltf", "no animation", "stop", "go"][..]),
        ("impact p.obj sphere:1 --animation-a go", &["p.obj", "OBJ", "no animations"]),
        ("impact sphere:1 none.glb --animation-b 0", &["none.glb", "no such file"]),
    ] {
        folder.run(line).refused_with_help(words);
    }
    animated(&folder, "CUBICSPLINE", "");
    folder.run("impact cube.gltf sphere:1 --animation-a go").refused_with_help(&["CUBICSPLINE", "linear keys"]);
    animated(&folder, "LINEAR", r#",{"sampler":0,"target":{"node":1,"path":"translation"}}"#);
    folder.run("impact cube.gltf sphere:1 --animation-a go").refused_with_help(&["two nodes above the mesh move"]);
    animated(&folder, "LINEAR", r#",{"sampler":0,"target":{"node":0,"path":"scale"}}"#);
    folder.run("impact cube.gltf sphere:1 --animation-a go").refused_with_help(&["animated by scale"]);
}

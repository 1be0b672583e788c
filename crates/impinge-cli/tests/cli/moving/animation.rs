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
        // The cube is upright again when it comes to x = 2.
        let ran = folder.run(&format!("impact cube.gltf box:2,2,2 --animation-a {name} --pose-b 4,3,0 --format json"));
        assert_eq!(ran.status, Some(1), "{ran:#?}");
        let lower = ran.json()["time"]["lower"].as_f64().unwrap();
        assert!(lower <= 1.4 + 1e-9 && 1.4 - lower < 1e-6, "{ran:#?}");
    }
    // The cube turns on its way: after a quarter of the turn a corner is √2 above its middle.
    let near = folder.run("sweep cube.gltf point:-3.75,5,0 --animation-a go --format json").json();
    let distance = near["upper"].as_f64().unwrap();
    assert!((distance - (2.0 - 2f64.sqrt())).abs() < 1e-2, "{near}");
    let small = folder
        .run("impact cube.gltf box:2000,2000,2000 --animation-a go --pose-b 4000,3000,0 --units mm --format json");
    let lower = small.json()["time"]["lower"].as_f64().unwrap();
    assert!(lower <= 1.4 + 1e-9 && 1.4 - lower < 1e-6, "{small:#?}");
}

/// The same in a scene: the crate meets the box after 1.4 seconds, step by step and in continuous time.
#[test]
fn a_body_of_a_scene_moves_by_its_animation() {
    let folder = Folder::new("animation_scene");
    animated(&folder, "LINEAR", "");
    let scene = |animation: &str| {
        format!(
            "steps = 4\ninterval = 0.5\n[[body]]\nname = 'crate'\nmodel = 'cube.gltf'\nmotion.animation = '{animation}'\n\
             [[body]]\nname = 'box'\nmodel = 'box:2,2,2'\npose = [4, 3, 0]\n"
        )
    };
    folder.write("scene.toml", scene("go"));
    let ran = folder.run("run scene.toml --schedule queue");
    let first: serde_json::Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    assert!((first["time"].as_f64().unwrap() - 1.4).abs() < 1e-5, "{}", ran.out);
    let steps = folder.run("run scene.toml --format text").out;
    assert!(steps.contains("time 1.000000: 0 pairs of boxes, 0 touching"), "{steps}");
    assert!(steps.contains("crate touches box"), "{steps}");
    folder.write("scene.toml", scene("gone"));
    let ran = folder.run("run scene.toml");
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("cube.gltf") && ran.err.contains("gone"), "{}", ran.err);
}

/// The same node with tangents: `arm` swings from x = -5 over y = 7 to x = 5 in two seconds, and turns by a quarter
/// about z, slowly at both ends. `values` is how many values each channel has for two times.
fn splined(folder: &Folder, turning: &str, values: u32) {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut bytes = files::cube_buffer();
    let numbers: [&[f32]; 3] = [
        &[0.0, 2.0],
        &[0.0, 0.0, 0.0, -5.0, 3.0, 0.0, 5.0, 8.0, 0.0, 5.0, -8.0, 0.0, 5.0, 3.0, 0.0, 0.0, 0.0, 0.0],
        &[
            0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, half, half, 0.0,
            0.0, 0.0, 0.0,
        ],
    ];
    bytes.extend(numbers.iter().flat_map(|x| x.iter()).flat_map(|x| x.to_le_bytes()));
    folder.write("swing.bin", bytes);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"name":"arm","translation":[0,3,0],"children":[1]}},{{"name":"crate","mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"buffers":[{{"uri":"swing.bin","byteLength":344}}],
"bufferViews":[{{"buffer":0,"byteLength":96}},{{"buffer":0,"byteOffset":96,"byteLength":72}},
{{"buffer":0,"byteOffset":168,"byteLength":8}},{{"buffer":0,"byteOffset":176,"byteLength":72}},
{{"buffer":0,"byteOffset":248,"byteLength":96}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3"}},
{{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}},
{{"bufferView":2,"componentType":5126,"count":2,"type":"SCALAR"}},
{{"bufferView":3,"componentType":5126,"count":{values},"type":"VEC3"}},
{{"bufferView":4,"componentType":5126,"count":{values},"type":"VEC4"}}],
"animations":[{{"name":"go","channels":[{{"sampler":0,"target":{{"node":0,"path":"translation"}}}}{turning}],
"samplers":[{{"input":2,"output":3,"interpolation":"CUBICSPLINE"}},
{{"input":2,"output":4,"interpolation":"CUBICSPLINE"}}]}}]}}"#
    );
    folder.write("swing.gltf", text);
}

#[test]
fn a_node_swings_along_its_tangents() {
    let folder = Folder::new("animation_spline");
    let sweep = |folder: &Folder| folder.run("sweep swing.gltf point:0,9,0 --animation-a go --format json").json();
    splined(&folder, "", 6);
    // At x = 0 it is at y = 3 + 2·16/8, and the cube reaches 1 higher.
    let answer = sweep(&folder);
    let upper = answer["upper"].as_f64().unwrap();
    assert!((upper - 1.0).abs() < 1e-6 && (answer["time"].as_f64().unwrap() - 1.0).abs() < 1e-2, "{answer}");
    splined(&folder, r#",{"sampler":1,"target":{"node":0,"path":"rotation"}}"#, 6);
    // Half way the cube stands on its edge.
    let upper = sweep(&folder)["upper"].as_f64().unwrap();
    assert!((upper - (2.0 - 2f64.sqrt())).abs() < 1e-6, "{upper}");
    // A ceiling at y = 7 meets the corner of the cube when that is 4 above its height at rest; samples of the motion
    // show the same time.
    let hit = folder.run("impact swing.gltf box:100,2,100 --animation-a go --pose-b 0,8,0 --format json");
    assert_eq!(hit.status, Some(1), "{hit:#?}");
    let lower = hit.json()["time"]["lower"].as_f64().unwrap();
    let height = |t: f64| {
        let (s, y) = (t / 2.0, 3.0 + 8.0 * t * (1.0 - t / 2.0));
        let (z, w) = ((3.0 - 2.0 * s) * s * s * 0.5f64.sqrt(), 1.0 + (3.0 - 2.0 * s) * s * s * (0.5f64.sqrt() - 1.0));
        let angle = 2.0 * z.atan2(w);
        y + angle.cos().abs() + angle.sin().abs()
    };
    assert!((height(lower) - 7.0).abs() < 1e-5, "{lower}: {}", height(lower));
    let small = folder.run("sweep swing.gltf point:0,9000,0 --animation-a go --units mm --format json").json();
    assert!((small["upper"].as_f64().unwrap() - 1000.0 * (2.0 - 2f64.sqrt())).abs() < 1e-3, "{small}");
    splined(&folder, "", 2);
    folder.run("sweep swing.gltf sphere:1 --animation-a go").refused_with_help(&["2 times and 2 values", "3 for each"]);
    splined(&folder, r#",{"sampler":0,"target":{"node":0,"path":"scale"}}"#, 6);
    folder.run("sweep swing.gltf sphere:1 --animation-a go").refused_with_help(&["animated by scale", "linear keys"]);
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
    animated(&folder, "STEP", "");
    folder.run("impact cube.gltf sphere:1 --animation-a go").refused_with_help(&["STEP", "linear keys"]);
    animated(&folder, "CUBICSPLINE", "");
    folder.run("impact cube.gltf sphere:1 --animation-a go").refused_with_help(&["2 times and 2 values, not 3"]);
    animated(&folder, "LINEAR", r#",{"sampler":0,"target":{"node":1,"path":"translation"}}"#);
    folder.run("impact cube.gltf sphere:1 --animation-a go").refused_with_help(&["two nodes above the mesh move"]);
    animated(&folder, "LINEAR", r#",{"sampler":0,"target":{"node":0,"path":"scale"}}"#);
    folder.run("impact cube.gltf sphere:1 --animation-a go").refused_with_help(&["animated by scale"]);
}

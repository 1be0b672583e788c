//! `impinge info`.

use serde_json::json;

use crate::files;
use crate::harness::Folder;

#[test]
fn every_format_is_the_same_cube() {
    let folder = Folder::new("info_every_format");
    folder.write("c.obj", files::cube_obj()).write("c.off", files::cube_off()).write("c.ply", files::cube_ply_binary());
    folder.write("c.stl", files::cube_stl()).write("c.glb", files::cube_glb()).write("c.bin", files::cube_buffer());
    folder
        .write("c.gltf", files::cube_gltf(r#""uri":"c.bin","#))
        .write("c.obj.gz", files::gzip(files::cube_obj().as_bytes()));
    for (file, format) in [
        ("c.obj", "obj"),
        ("c.off", "off"),
        ("c.ply", "ply"),
        ("c.stl", "stl"),
        ("c.glb", "gltf"),
        ("c.gltf", "gltf"),
        ("c.obj.gz", "obj"),
    ] {
        let ran = folder.run(&format!("info {file} --format json"));
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{ran:#?}");
        let info = ran.json();
        let stl = file == "c.stl";
        for (name, value) in [
            ("verb", json!("info")),
            ("file", json!(file)),
            ("format", json!(format)),
            ("triangles", json!(12)),
            ("vertices", json!(if stl { 36 } else { 8 })),
            ("merged_vertices", json!(if stl { 28 } else { 0 })),
            ("unused_vertices", json!(0)),
            ("duplicate_triangles", json!(0)),
            ("degenerate_triangles", json!(0)),
            ("open_edges", json!(0)),
            ("nonmanifold_edges", json!(0)),
            ("misoriented_edges", json!(0)),
            ("closed", json!(true)),
            ("manifold", json!(true)),
            ("oriented", json!(true)),
            ("components", json!(1)),
            ("volume", json!(8.0)),
            ("area", json!(24.0)),
            ("bounds", json!([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]])),
            ("convex", json!(true)),
            ("hull", json!({"vertices": 8, "edges": 12, "faces": 6, "copies": if stl { 28 } else { 0 }, "inside": 0})),
        ] {
            assert_eq!(info[name], value, "{name} of {file}: {info}");
        }
        assert!(info["tree_nodes"].as_u64() > Some(0) && info["tree_bytes"].as_u64() > Some(0), "{info}");
        assert_eq!(info["parts"].as_array().map(Vec::len), Some(1));
    }
}

#[test]
fn parts_are_listed() {
    let folder = Folder::new("info_parts");
    folder.write("two.obj", files::two_cubes_obj());
    let info = folder.run("info two.obj --format json").json();
    let names: Vec<_> = info["parts"].as_array().unwrap().iter().map(|part| part["name"].clone()).collect();
    assert_eq!((names, &info["components"]), (vec![json!("left"), json!("right")], &json!(2)));
    assert_eq!((&info["parts"][1]["triangles"], &info["triangles"]), (&json!(12), &json!(24)));
    let text = folder.run("info two.obj");
    assert_eq!((text.status, text.err.as_str()), (Some(0), ""));
    assert!(text.out.starts_with("two.obj: OBJ, 2 parts\n"), "{text:#?}");
    assert!(text.out.ends_with("parts\n  left: solid, 12 triangles\n  right: solid, 12 triangles\n"), "{text:#?}");
}

#[test]
fn text_says_what_matters() {
    let folder = Folder::new("info_text");
    folder.write("open.obj", files::open_cube_obj());
    let open = folder.run("info open.obj");
    assert_eq!((open.status, open.err.as_str()), (Some(0), ""));
    for line in ["closed      no (3 edges open)", "used as     surface: it has no inside", "volume      -"] {
        assert!(open.out.contains(line), "{line} in {}", open.out);
    }
    let shape = folder.run("info box:1,2,3");
    assert!(shape.out.contains("volume      6\n") && shape.out.contains("area        22\n"), "{shape:#?}");
}

#[test]
fn flaws_are_noted_on_standard_error() {
    let folder = Folder::new("info_notes");
    let cube = files::cube_obj();
    let flipped = cube.replacen("f 1 5 7\n", "f 7 5 1\n", 1);
    assert_ne!(flipped, cube);
    folder.write("dup.obj", format!("{cube}f 1 5 7\nf 1 1 2\n")).write("flipped.obj", flipped);
    let ran = folder.run("info dup.obj");
    assert_eq!(ran.status, Some(0));
    assert!(ran.err.contains("note: dup.obj: 1 triangle is given more than once"), "{ran:#?}");
    assert!(ran.err.contains("note: dup.obj: 1 triangle has no area"), "{ran:#?}");
    let ran = folder.run("info flipped.obj");
    assert!(ran.err.contains("disagree at 3 edges about which side is outside"), "{ran:#?}");
    assert_eq!(folder.run("overlap flipped.obj dup.obj --pose-b 9,0,0").err, "");
}

#[test]
fn convex_or_not() {
    let folder = Folder::new("info_convex");
    // The top of a cube with a pyramid pushed into it: the mesh is closed, and its hull is the cube.
    let dented = files::cube_obj().replacen("f 5 6 8\nf 5 8 7\n", "v 0 0 0\nf 5 6 9\nf 6 8 9\nf 8 7 9\nf 7 5 9\n", 1);
    folder
        .write("two.obj", files::two_cubes_obj())
        .write("open.obj", files::open_cube_obj())
        .write("dented.obj", &dented);
    let two = folder.run("info two.obj --format json").json();
    assert_eq!((&two["convex"], &two["parts"][0]["convex"]), (&json!(false), &json!(true)), "{two}");
    assert_eq!(two["hull"], json!({"vertices": 8, "edges": 12, "faces": 6, "copies": 0, "inside": 8}));
    for file in ["open.obj", "dented.obj"] {
        let info = folder.run(&format!("info {file} --format json")).json();
        assert_eq!((&info["convex"], &info["hull"]["vertices"]), (&json!(false), &json!(8)), "{info}");
    }
    assert_eq!(folder.run("info dented.obj --format json").json()["closed"], json!(true));
    let text = folder.run("info two.obj");
    assert!(
        text.out.contains("  convex      no\n  hull        8 vertices, 12 edges, 6 faces (8 points inside)\n"),
        "{text:#?}"
    );
}

#[test]
fn shapes_in_words() {
    let folder = Folder::new("info_shapes");
    let ran = folder.run("info box:1,2,3 --format json");
    let expected = json!({"verb": "info", "file": "box:1,2,3", "format": "shape", "shape": "box", "margin": 0.0,
        "closed": true, "components": 1, "area": 22.0, "volume": 6.0, "bounds": [[-0.5, -1.0, -1.5], [0.5, 1.0, 1.5]],
        "convex": true, "hull": {"vertices": 8, "edges": 12, "faces": 6, "copies": 0, "inside": 0}, "parts": []});
    assert_eq!((ran.status, ran.err.as_str(), ran.json()), (Some(0), "", expected));
    let ran = folder.run("info half-space:0,0,1,2+0.5 --format json").json();
    let expected = json!({"verb": "info", "file": "half-space:0,0,1,2+0.5", "format": "shape", "shape": "half-space",
        "margin": 0.5, "closed": true, "components": 1, "area": null, "volume": null, "bounds": null, "convex": true,
        "hull": null, "parts": []});
    assert_eq!(ran, expected);
    let flat = folder.run("info triangle:0,0,0,1,0,0,0,1,0 --format json").json();
    assert_eq!(flat["hull"]["edges"], json!(3), "{flat}");
    let text = folder.run("info capsule:0.5,2+1");
    assert_eq!((text.status, text.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = text.out.lines().collect();
    assert_eq!(
        (lines[0], lines[1], lines[2]),
        ("capsule:0.5,2+1: shape in words", "  shape       capsule", "  margin      1")
    );
    assert_eq!(lines[8], "  bounds      (-1.5, -1.5, -2.5) to (1.5, 1.5, 2.5)");
}

#[test]
fn tuning_measures_every_tree() {
    let folder = Folder::new("info_tune");
    folder.write("two.obj", files::two_cubes_obj());
    let tune = folder.run("info two.obj --tune --format json").json()["tune"].clone();
    let trees = tune["trees"].as_array().unwrap();
    let names: Vec<&str> = trees.iter().map(|tree| tree["tree"].as_str().unwrap()).collect();
    let all = ["auto", "aabb", "aabb-sah", "aabb-ploc", "obb", "rss", "kdop14", "kdop18", "kdop26", "sphere", "hull"];
    assert_eq!(names, all, "{tune}");
    assert!(tune["poses"].as_u64() >= Some(1) && tune["left_out"] == json!([]), "{tune}");
    for verb in ["overlap", "distance", "within"] {
        let spent = |tree: &serde_json::Value| tree[format!("{verb}_ns")].as_u64().unwrap();
        let least = trees.iter().min_by_key(|tree| spent(tree)).unwrap();
        assert!(spent(least) > 0, "{tune}");
        let best = trees.iter().find(|tree| tree["tree"] == tune["best"][verb]).unwrap();
        // The default tree is recommended unless another is faster by a tenth; the printed means are rounded.
        let as_good = best["tree"] == "auto" && 10 * spent(best) <= 11 * spent(least) + 20;
        assert!(as_good || spent(best) == spent(least), "{verb}: {tune}");
    }
    let text = folder.run("info two.obj --tune");
    assert!(text.out.contains("best: --tree "), "{text:#?}");
    assert!(!folder.run("info two.obj").out.contains("best: --tree "));
}

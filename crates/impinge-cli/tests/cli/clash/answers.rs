//! `impinge clash`: each kind on small assemblies whose answers are known.

use serde_json::{Value, json};

use crate::files::cube;
use crate::harness::{Folder, Ran};

/// Boxes as objects of an OBJ file: name, least corner, sides.
pub(crate) fn boxes_obj(boxes: &[(&str, [f64; 3], [f64; 3])]) -> String {
    let (vertices, triangles) = cube();
    let mut text = String::new();
    for (i, (name, low, sides)) in boxes.iter().enumerate() {
        text += &format!("o {name}\n");
        for v in &vertices {
            let at = |k: usize| low[k] + sides[k] * (v[k] + 1.0) / 2.0;
            text += &format!("v {:?} {:?} {:?}\n", at(0), at(1), at(2));
        }
        for t in &triangles {
            let [a, b, c] = t.map(|v| v + 1 + 8 * i as u32);
            text += &format!("f {a} {b} {c}\n");
        }
    }
    text
}

/// Rectangles in the plane, as two triangles each: name, corner, two sides.
pub(crate) fn sheets_obj(sheets: &[(&str, [[f64; 3]; 3])]) -> String {
    let mut text = String::new();
    for (i, (name, [p, u, v])) in sheets.iter().enumerate() {
        text += &format!("o {name}\n");
        for (s, t) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
            let at = |k: usize| p[k] + s * u[k] + t * v[k];
            text += &format!("v {:?} {:?} {:?}\n", at(0), at(1), at(2));
        }
        let first = 4 * i + 1;
        text += &format!("f {} {} {} {}\n", first, first + 1, first + 2, first + 3);
    }
    text
}

/// `a`, `b` and kind of every clash.
pub(crate) fn kinds(ran: &Ran) -> Vec<[String; 3]> {
    let report = ran.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    report["clashes"].as_array().unwrap().iter().map(|c| [text(&c["a"]), text(&c["b"]), text(&c["kind"])]).collect()
}

/// Two boxes, the second with its least corner at (x, 0, 0); unit cubes unless other sides are given.
fn two(folder: &Folder, x: f64, sides: [f64; 3], options: &str) -> Value {
    folder.write("two.obj", boxes_obj(&[("p", [0.0; 3], [1.0; 3]), ("q", [x, 0.0, 0.0], sides)]));
    let ran = folder.run(&format!("clash two.obj --format json {options}"));
    let report = ran.json();
    let clashes = report["clashes"].as_array().unwrap();
    assert_eq!(ran.status, Some(i32::from(!clashes.is_empty())), "{ran:#?}");
    assert!(clashes.len() <= 1);
    assert_eq!((&report["bodies"], &report["pairs"], &report["partial"]), (&json!(2), &json!(1), &json!(false)));
    clashes.first().cloned().unwrap_or(Value::Null)
}

fn between(value: &Value, x: f64) -> bool {
    let (lower, upper) = (value["lower"].as_f64().unwrap(), value["upper"].as_f64().unwrap());
    lower <= x + 1e-12 && x - 1e-12 <= upper && upper - lower < 1e-9
}

#[test]
fn boxes_along_a_line() {
    let folder = Folder::new("clash_line");
    let unit = [1.0; 3];
    // Overlaps deeper than the tolerance.
    let hard = two(&folder, 0.75, unit, "");
    assert_eq!((&hard["kind"], &hard["a"], &hard["b"]), (&json!("hard"), &json!("two/p"), &json!("two/q")));
    assert!(between(&hard["depth"], 0.25) && hard["depth"]["kind"] == "exact" && hard["distance"].is_null());
    assert!(hard["points"][0].is_array() && hard["contained"].is_null() && hard["group"] == "two/p");
    // Overlaps or gaps within the tolerance, and faces exactly on each other.
    let sunk = two(&folder, 1.0 - 0.0005, unit, "");
    assert!(sunk["kind"] == "touch" && between(&sunk["depth"], 0.0005), "{sunk}");
    let flush = two(&folder, 1.0, unit, "");
    assert!(flush["kind"] == "touch" && between(&flush["depth"], 0.0), "{flush}");
    let near = two(&folder, 1.0005, unit, "");
    assert!(near["kind"] == "touch" && between(&near["distance"], 0.0005) && near["depth"].is_null(), "{near}");
    // A gap larger than the tolerance.
    assert!(two(&folder, 1.0015, unit, "").is_null());
    let close = two(&folder, 1.04, unit, "--clearance 0.05");
    assert!(close["kind"] == "clearance" && between(&close["distance"], 0.04), "{close}");
    assert!(two(&folder, 1.06, unit, "--clearance 0.05").is_null());
    // The same boxes with other tolerances.
    assert_eq!(two(&folder, 0.75, unit, "--tolerance 0.3")["kind"], "touch");
    assert_eq!(two(&folder, 1.0, unit, "--tolerance 0")["kind"], "touch");
    assert_eq!(two(&folder, 1.0 - 1e-9, unit, "--tolerance 0")["kind"], "hard");
    assert!(two(&folder, 1.0 + 1e-9, unit, "--tolerance 0").is_null());
}

#[test]
fn a_body_inside_another_and_a_body_given_twice() {
    let folder = Folder::new("clash_inside");
    let inside = two(&folder, 0.25, [0.5; 3], "");
    // The inner box touches the face y = 0 of the outer one; moved inwards it is contained.
    assert_eq!(inside["kind"], "hard", "{inside}");
    folder.write("in.obj", boxes_obj(&[("p", [0.0; 3], [1.0; 3]), ("q", [0.25; 3], [0.25; 3])]));
    let report = folder.run("clash in.obj --format json").json();
    let clash = &report["clashes"][0];
    assert_eq!((&clash["kind"], &clash["contained"]), (&json!("contained"), &json!("b_in_a")));
    assert!(between(&clash["depth"], 0.5), "out through the nearest side: {clash}");
    assert_eq!(folder.run("clash in.obj --surface --format json").json()["clashes"], json!([]));

    let twice = two(&folder, 0.0, [1.0; 3], "");
    assert_eq!(
        (&twice["kind"], &twice["depth"], &twice["distance"]),
        (&json!("duplicate"), &json!(null), &json!(null))
    );
    assert_eq!(two(&folder, 0.0005, [1.0; 3], "")["kind"], "duplicate");
    assert_eq!(two(&folder, 0.0005, [1.0; 3], "--tolerance 0.0001")["kind"], "hard");
    assert_eq!(two(&folder, 0.0, [1.0, 1.0, 1.01], "")["kind"], "hard");
}

/// Sheets have no inside, and so no depth: two that cross are a hard clash, two that only meet are a touch.
#[test]
fn surfaces_cross_or_meet() {
    let folder = Folder::new("clash_sheets");
    let floor = ("floor", [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    let wall = |z: f64| ("wall", [[1.0, 0.5, z], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    for (z, options, kind) in [
        (-0.5, "", Some("hard")),
        (-1.0, "", Some("touch")),
        (0.0, "", Some("touch")),
        (-0.0005, "", Some("touch")),
        (-0.002, "", Some("hard")),
        (-0.002, "--tolerance 0.01", Some("touch")),
        (0.0005, "", Some("touch")),
        (0.01, "", None),
        (0.0, "--tolerance 0", Some("touch")),
        (-1e-6, "--tolerance 0", Some("hard")),
    ] {
        folder.write("s.obj", sheets_obj(&[floor, wall(z)]));
        let report = folder.run(&format!("clash s.obj --format json {options}")).json();
        let clash = &report["clashes"][0];
        assert_eq!(clash["kind"].as_str(), kind, "{z} {options}: {report}");
        assert!(kind != Some("hard") || clash["depth"].is_null());
    }
    // Coplanar sheets whose common part has an area: they lie on each other.
    let patch = ("patch", [[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    folder.write("s.obj", sheets_obj(&[floor, patch]));
    assert_eq!(kinds(&folder.run("clash s.obj --format json"))[0][2], "touch");
    // Two sheets that cross exactly along edges of both meshes: no triangle crosses another, but the sheets do cross.
    let halves = |name: &str, u: [f64; 3]| {
        let back = u.map(|x| -x);
        [(name.to_owned(), [[0.0; 3], u, [0.0, 0.0, 1.0]]), (format!("{name}2"), [[0.0; 3], back, [0.0, 0.0, 1.0]])]
    };
    let [a, a2] = halves("a", [1.0, 0.0, 0.0]);
    let [b, b2] = halves("b", [0.0, 1.0, 0.0]);
    let sheet = |s: &[(String, [[f64; 3]; 3]); 2]| {
        let named: Vec<(&str, [[f64; 3]; 3])> = s.iter().map(|(n, c)| (n.as_str(), *c)).collect();
        sheets_obj(&named).replace("o a2\n", "").replace("o b2\n", "")
    };
    folder.write("a.obj", sheet(&[a, a2])).write("b.obj", sheet(&[b, b2]));
    assert_eq!(kinds(&folder.run("clash a.obj b.obj --format json"))[0][2], "hard");
    // A sheet inside a solid.
    folder.write("block.obj", boxes_obj(&[("block", [0.5, 0.5, -0.5], [1.0; 3])]));
    folder.write("s.obj", sheets_obj(&[floor]));
    let ran = folder.run("clash s.obj block.obj --format json");
    assert!(kinds(&ran)[0][2] == "hard" && ran.json()["clashes"][0]["depth"].is_null());
}

/// Two bodies that are not convex and fit into each other without any gap.
#[test]
fn a_peg_in_its_hole_touches() {
    let folder = Folder::new("clash_peg");
    // An angle of 3 x 3 x 1 with legs of 1, and a block in its corner.
    let outline = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
    let mut text = "o angle\n".to_owned();
    for z in [0.0, 1.0] {
        outline.iter().for_each(|[x, y]| text += &format!("v {x} {y} {z}\n"));
    }
    text += "f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n";
    for i in 0..6 {
        let j = (i + 1) % 6;
        text += &format!("f {} {} {} {}\n", i + 1, j + 1, j + 7, i + 7);
    }
    folder.write("angle.obj", text);
    for (corner, kind) in [(1.0, "touch"), (0.9995, "touch"), (0.9, "hard")] {
        folder.write("peg.obj", boxes_obj(&[("peg", [corner, corner, 0.0], [1.0; 3])]));
        let ran = folder.run("clash angle.obj peg.obj --format json");
        assert_eq!(kinds(&ran), [["angle", "peg", kind].map(str::to_owned)], "{ran:#?}");
    }
}

/// A tube about z with `n` sides, as one object: outer radius, inner radius (0 for a rod), from z to z, all shifted.
pub(crate) fn tube_obj(name: &str, n: usize, [outer, inner]: [f64; 2], [low, high]: [f64; 2], shift: f64) -> String {
    let radii = if inner > 0.0 { vec![outer, inner] } else { vec![outer] };
    let mut text = format!("o {name}\n");
    for (z, r) in [low, high].into_iter().flat_map(|z| radii.iter().map(move |r| (z, r))) {
        for k in 0..n {
            let (y, x) = (std::f64::consts::TAU * k as f64 / n as f64).sin_cos();
            text += &format!("v {:?} {:?} {:?}\n", r * x + shift, r * y + shift, z + shift);
        }
    }
    let ring = |i: usize, k: usize| i * n + k % n + 1;
    let rings = radii.len();
    for k in 0..n {
        let wall =
            |i: usize, j: usize| format!("f {} {} {} {}\n", ring(i, k), ring(i, k + 1), ring(j, k + 1), ring(j, k));
        text += &wall(0, rings);
        if rings == 2 {
            text += &(wall(3, 1) + &wall(2, 3) + &wall(1, 0));
        }
    }
    if rings == 1 {
        let cap = |k: &mut dyn Iterator<Item = usize>| k.fold("f".to_owned(), |f, v| f + &format!(" {v}")) + "\n";
        text += &(cap(&mut (1..=n).rev()) + &cap(&mut (n + 1..=2 * n)));
    }
    text
}

/// A rod that fills a bore is a touch only if shrinking both a little leaves them apart.
#[test]
fn a_rod_in_its_bore_touches() {
    let folder = Folder::new("clash_bore");
    // The coordinates of rod and tube are rounded when they are shifted: for some shifts the two overlap by that, on
    // opposite sides.
    for (n, shift) in [(4, 0.1), (6, 100.0 / 3.0), (32, 0.0), (32, 1000.1), (7, -12.3)] {
        for (radius, kind) in [(1.0, "touch"), (1.0003, "touch"), (1.01, "hard"), (0.5, "")] {
            folder.write("tube.obj", tube_obj("tube", n, [2.0, 1.0], [0.0, 3.0], shift));
            folder.write("rod.obj", tube_obj("rod", n, [radius, 0.0], [-0.7, 2.9], shift));
            let ran = folder.run("clash tube.obj rod.obj --format json");
            let found: Vec<String> = kinds(&ran).into_iter().map(|[_, _, kind]| kind).collect();
            assert_eq!(found.join(" "), kind, "{n} {shift} {radius}: {ran:#?}");
        }
        // A rod pushed in crosswise, or a rod with the same walls on both sides, does not fit: that is no touch.
        for [outer, inner] in [[1.5, 0.0], [2.0, 0.0], [2.0, 1.2]] {
            folder.write("rod.obj", tube_obj("rod", n, [outer, inner], [1.0, 4.0], shift));
            assert_eq!(kinds(&folder.run("clash tube.obj rod.obj --format json"))[0][2], "hard", "{n} {outer} {inner}");
        }
    }
    // Bodies larger and smaller than convex bodies may be: squares of their areas are too large or too small for an
    // `f64`.
    for scale in [1e100, 1e-100, 1e140] {
        for (radius, kind) in [(1.0, "touch"), (1.01, "hard")] {
            let tube = tube_obj("tube", 6, [2.0 * scale, scale], [0.0, 3.0 * scale], 0.1 * scale);
            let rod = tube_obj("rod", 6, [radius * scale, 0.0], [-0.7 * scale, 2.9 * scale], 0.1 * scale);
            folder.write("tube.obj", tube).write("rod.obj", rod);
            let ran = folder.run(&format!("clash tube.obj rod.obj --tolerance {} --format json", 1e-3 * scale));
            assert_eq!(kinds(&ran)[0][2], kind, "{scale} {radius}: {ran:#?}");
        }
    }
    // Two sheets thinner than the tolerance that cross; one has a hole.
    folder.write("tube.obj", tube_obj("tube", 32, [2.0, 1.9995], [0.0, 3.0], 0.0));
    folder.write("rod.obj", boxes_obj(&[("rod", [-3.0, -0.0001, 1.0], [6.0, 0.0002, 1.0])]));
    assert_eq!(kinds(&folder.run("clash tube.obj rod.obj --format json"))[0][2], "hard");
}

#[test]
fn what_is_inside_a_shape_in_words_is_contained() {
    let folder = Folder::new("clash_inside_words");
    folder.write("p.obj", boxes_obj(&[("p", [0.5; 3], [1.0; 3])]));
    folder.write("two.obj", boxes_obj(&[("p", [0.5; 3], [1.0; 3]), ("q", [7.0; 3], [1.0; 3])]).replace("o q\n", ""));
    folder.write("s.obj", sheets_obj(&[("s", [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])]));
    for (bodies, kind, contained) in [
        ("p.obj box:4,4,4", "contained", "b_in_a"),
        ("p.obj box:3,3,3", "hard", ""),
        ("p.obj box:2.9,2.9,2.9+0.2", "contained", "b_in_a"),
        ("p.obj sphere:2.59", "hard", ""),
        ("p.obj sphere:2.6", "contained", "a_in_b"),
        ("p.obj cylinder:2.2,3.1", "contained", "b_in_a"),
        ("p.obj cylinder:2.2,2.9", "hard", ""),
        ("p.obj half-space:0,0,1,2", "contained", "b_in_a"),
        ("p.obj half-space:0,0,1,1", "hard", ""),
        ("two.obj box:4,4,4", "contained", "b_in_a"),
        ("two.obj box:14.5,14.5,14.5", "hard", ""),
        ("s.obj sphere:1.5", "contained", "a_in_b"),
        ("box:1,1,1 box:4,4,4", "contained", "a_in_b"),
        ("box:1,1,1+0.1 box:1.1,1.1,1.1", "contained", "b_in_a"),
        ("box:1,1,1+0.1 box:1.15,1.15,1.15", "hard", ""),
        ("sphere:1 box:2.1,2.1,2.1", "contained", "b_in_a"),
        ("sphere:1.1 box:2.1,2.1,2.1", "hard", ""),
        ("capsule:0.5,1 ellipsoid:3,3,3", "contained", "a_in_b"),
        // Shapes without corners. Inside a polyhedron the answer is exact; inside a curved shape there has to be a
        // small gap.
        ("cylinder:1,2 box:2.0001,2.0001,2.0001", "contained", "b_in_a"),
        ("cylinder:1,2 box:2,2.1,2.1", "hard", ""),
        ("cone:1,2 box:2.0001,2.0001,2.0001", "contained", "b_in_a"),
        ("ellipsoid:1,2,3 box:2.0001,4.0001,6.0001", "contained", "b_in_a"),
        ("ellipsoid:1,2,3+0.1 box:2.2001,4.2001,6.2001", "contained", "b_in_a"),
        ("ellipsoid:1,2,3+0.1 box:2.2001,4.1999,6.2001", "hard", ""),
        ("cylinder:1,2 sphere:1.42", "contained", "a_in_b"),
        ("cylinder:1,2 sphere:1.41", "hard", ""),
        ("cylinder:1,2 cylinder:1.01,2.01", "contained", "a_in_b"),
        ("cone:1,2 cylinder:1.01,2.01", "contained", "a_in_b"),
        ("cylinder:1,2 cone:1.01,2.01", "hard", ""),
        ("cone:1,2 ellipsoid:1.8,1.8,1.8", "contained", "a_in_b"),
        ("ellipsoid:1,2,3 sphere:3.01", "contained", "a_in_b"),
        ("ellipsoid:1,2,3 sphere:2.99", "hard", ""),
        ("ellipsoid:1,2,3 ellipsoid:1.01,2.01,3.01", "contained", "a_in_b"),
        ("cylinder:1,2 half-space:0,0,1,1.0001", "contained", "a_in_b"),
        ("cylinder:1,2 half-space:0,0,1,1", "hard", ""),
        ("cylinder:1,2 segment:-9,0,0,9,0,0", "hard", ""),
    ] {
        let ran = folder.run(&format!("clash {bodies} --format json"));
        let clash = &ran.json()["clashes"][0];
        let told = (clash["kind"].as_str(), clash["contained"].as_str().unwrap_or(""));
        assert_eq!(told, (Some(kind), contained), "{bodies}: {clash}");
    }
}

/// A cube of side 1 whose faces are cut along one diagonal or along the other, with its least corner at (x, 0, 0).
fn cut_cube(turned: usize, x: f64) -> String {
    let mut text = String::new();
    (0..8).for_each(|i| text += &format!("v {:?} {} {}\n", x + f64::from(i & 1), i >> 1 & 1, i >> 2));
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    for face in faces {
        let [p, q, r, s] = std::array::from_fn(|k| face[(k + turned) % 4] + 1);
        text += &format!("f {p} {q} {r}\nf {p} {r} {s}\n");
    }
    text
}

/// The same convex solid given twice is a duplicate, however it is cut into triangles and whichever shape word names
/// it.
#[test]
fn the_same_solid_twice_is_a_duplicate() {
    let folder = Folder::new("clash_same_solid");
    for (x, options, kind) in [
        (0.0, "", "duplicate"),
        (0.0, "--tolerance 0", "duplicate"),
        (0.0005, "", "duplicate"),
        (0.0015, "", "hard"),
        (0.0015, "--tolerance 0.002", "duplicate"),
    ] {
        folder.write("p.obj", cut_cube(0, 0.0)).write("q.obj", cut_cube(1, x));
        let ran = folder.run(&format!("clash p.obj q.obj --format json {options}"));
        assert_eq!(kinds(&ran), [["p", "q", kind].map(str::to_owned)], "{x} {options}");
    }
    for (bodies, kind) in [
        ("box:1,2,3 box:1.0,2,3", "duplicate"),
        ("box:1,2,3 box:1.0005,2,3", "duplicate"),
        ("box:1,2,3 box:1,3,2", "hard"),
        ("box:1,2,3+0.1 box:1,2,3.0+0.1005", "duplicate"),
        ("box:1,2,3 box:0.8,1.8,2.8+0.1", "hard"),
        ("sphere:1 point:0,0,0+1", "duplicate"),
        ("capsule:0.5,2 segment:0,0,1,0,0,-1+0.5", "duplicate"),
        ("cylinder:1,2 cylinder:1.0,2", "duplicate"),
        ("cylinder:1,2 cylinder:1.01,2", "hard"),
        ("cone:1,2 cone:1,2.0", "duplicate"),
        ("cone:1,2 cylinder:1,2", "hard"),
        ("ellipsoid:1,2,3 ellipsoid:1,2,3.0", "duplicate"),
        ("ellipsoid:1,2,3+0.1 ellipsoid:1.1,2.1,3.1", "hard"),
    ] {
        let ran = folder.run(&format!("clash {bodies} --format json"));
        assert_eq!(kinds(&ran)[0][2], kind, "{bodies}");
    }
}

#[test]
fn shapes_in_words_are_bodies_too() {
    let folder = Folder::new("clash_words");
    folder.write("p.obj", boxes_obj(&[("low", [0.0, 0.0, -2.0], [1.0; 3]), ("high", [0.0, 0.0, 5.0], [1.0; 3])]));
    let ran = folder.run("clash p.obj half-space:0,0,1,0 sphere:1 --clearance 10 --format json");
    let found: Vec<[String; 3]> = kinds(&ran);
    let expected = [
        ["half-space:0,0,1,0", "p/high", "clearance"],
        ["half-space:0,0,1,0", "p/low", "contained"],
        ["half-space:0,0,1,0", "sphere:1", "hard"],
        ["p/high", "p/low", "clearance"],
        ["p/high", "sphere:1", "clearance"],
        ["p/low", "sphere:1", "touch"],
    ];
    assert_eq!(found, expected.map(|row| row.map(str::to_owned)));
    // Two half-spaces: there is no bounded body that could limit the search.
    let ran = folder.run("clash half-space:0,0,1,0 half-space:0,1,0,0 --format json");
    let clash = &ran.json()["clashes"][0];
    assert_eq!((&clash["kind"], &clash["depth"]["lower"], ran.status), (&json!("hard"), &json!(null), Some(1)));
}

#[test]
fn the_formats_say_the_same() {
    let folder = Folder::new("clash_formats");
    let boxes = [("p", [0.0; 3], [1.0; 3]), ("q,\"1\"", [0.75, 0.0, 0.0], [1.0; 3]), ("r", [3.0; 3], [1.0; 3])];
    folder.write("m.obj", boxes_obj(&boxes));
    let json = folder.run("clash m.obj --format json");
    let lines = folder.run("clash m.obj --format jsonl").lines();
    let report = json.json();
    assert_eq!((lines.len(), &lines[0]), (2, &report["clashes"][0]));
    let mut head = report.clone();
    head.as_object_mut().unwrap().remove("clashes");
    assert_eq!(lines[1], head);
    let csv = folder.run("clash m.obj --format csv");
    let rows: Vec<&str> = csv.out.lines().collect();
    assert_eq!(rows.len(), 2);
    assert!(rows[0].starts_with("id,a,b,kind,status,was,depth_lower,"));
    let id = report["clashes"][0]["id"].as_str().unwrap();
    assert!(rows[1].starts_with(&format!("{id},m/p,\"m/q,\"\"1\"\"\",hard,,,")), "{}", rows[1]);
    let text = folder.run("clash m.obj").out;
    for word in ["1 clash: 1 hard", "3 bodies, 3 pairs", "hard: m/p (1 clash)", "depth 0.25", id] {
        assert!(text.contains(word), "{word} in {text}");
    }
    let clear = folder.run("clash m.obj --kinds touch,duplicate");
    assert_eq!(clear.status, Some(0));
    assert!(clear.out.starts_with("clear: no clashes among 3 bodies"));
}

/// A pipe through three beams is one group, and each kind of clash has a group of its own.
#[test]
fn clashes_are_gathered_by_the_body_to_blame() {
    let folder = Folder::new("clash_groups");
    let beam = |y: f64| ([0.0, y, 0.0], [1.0, 0.2, 0.2]);
    let (b1, b2, b3) = (beam(1.0), beam(2.0), beam(3.0));
    let all = [
        ("b1", b1.0, b1.1),
        ("b2", b2.0, b2.1),
        ("b3", b3.0, b3.1),
        ("pipe", [0.4, 0.0, 0.05], [0.1, 4.0, 0.1]),
        ("slab", [0.0, 0.0, -0.1], [1.0, 4.0, 0.1]),
    ];
    folder.write("s.obj", boxes_obj(&all));
    let report = folder.run("clash s.obj --format json").json();
    let expected =
        json!([{"kind": "hard", "body": "s/pipe", "count": 3}, {"kind": "touch", "body": "s/slab", "count": 3}]);
    assert_eq!(report["groups"], expected);
    assert_eq!(report["counts"], json!({"duplicate": 0, "contained": 0, "hard": 3, "touch": 3, "clearance": 0}));
    let groups: Vec<&str> =
        report["clashes"].as_array().unwrap().iter().map(|c| c["group"].as_str().unwrap()).collect();
    assert_eq!(groups, ["s/pipe", "s/slab", "s/pipe", "s/slab", "s/pipe", "s/slab"]);
}

/// A cube with a cavity, and smaller cubes around the cavity, inside the walls: no body lies inside another.
#[test]
fn a_body_around_a_cavity_is_hard_and_neither_is_inside() {
    let folder = Folder::new("clash_cavity");
    let (vertices, triangles) = cube();
    let mut hollow = String::new();
    for (k, half) in [2.0, 1.5].into_iter().enumerate() {
        vertices.iter().for_each(|v| hollow += &format!("v {:?} {:?} {:?}\n", v[0] * half, v[1] * half, v[2] * half));
        for t in &triangles {
            let [a, b, c] = t.map(|v| v + 1 + 8 * k as u32);
            hollow += &if k == 0 { format!("f {a} {b} {c}\n") } else { format!("f {a} {c} {b}\n") };
        }
    }
    folder.write("hollow.obj", hollow);
    folder.write("around.obj", boxes_obj(&[("around", [-1.75; 3], [3.5; 3])]));
    folder.write("within.obj", boxes_obj(&[("within", [1.6; 3], [0.3; 3])]));
    for other in ["around.obj", "box:3.5,3.5,3.5"] {
        for files in [format!("hollow.obj {other}"), format!("{other} hollow.obj")] {
            let ran = folder.run(&format!("clash {files} --format json"));
            let clash = ran.json()["clashes"][0].clone();
            assert_eq!((&clash["kind"], &clash["contained"]), (&json!("hard"), &Value::Null), "{files}: {clash}");
        }
    }
    let ran = folder.run("overlap hollow.obj around.obj --format json");
    assert_eq!((ran.status, &ran.json()["contained"]), (Some(1), &json!("mutual")), "{ran:#?}");
    let clash = folder.run("clash hollow.obj within.obj --format json").json()["clashes"][0].clone();
    assert_eq!(clash["kind"], json!("contained"), "{clash}");
}

//! `--method`: every engine, and those that do not fit.

use serde_json::Value;

use crate::files;
use crate::harness::Folder;

const CLOSEST: [&str; 10] = [
    "auto",
    "brute",
    "lin-canny",
    "lin-canny-cells",
    "v-clip",
    "gjk",
    "gjk-signed-volumes",
    "gjk-johnson",
    "gjk-nesterov",
    "enhanced-gjk",
];
const APART: [&str; 3] = ["witness-plane", "separating-vector", "rabbitz"];
const DEPTH: [&str; 4] = ["auto", "brute", "epa", "gauss-map"];

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("p.obj", files::cube_obj()).write("two.obj", files::two_cubes_obj());
    folder.write("rows.csv", "x,y,z\n4,1,0\n3.5,1,0\n3,0.5,0\n2.5,0.25,0\n1.75,0,0.125\n1.5,0.125,0\n3,3,3\n");
    folder
}

fn rows(folder: &Folder, line: &str) -> Vec<Value> {
    let ran = folder.run(&format!("{line} --poses rows.csv --format jsonl"));
    assert_eq!((ran.status, ran.err.as_str(), ran.lines().len()), (Some(1), "", 7), "{line}: {ran:#?}");
    ran.lines()
}

fn same(line: &str, answers: &[Value], others: &[Value], names: &[&str]) {
    for (answer, other) in answers.iter().zip(others) {
        for name in names {
            let equal = match (answer[name].as_f64(), other[name].as_f64()) {
                (Some(x), Some(y)) => (x - y).abs() < 1e-9,
                _ => answer[name] == other[name],
            };
            assert!(equal && !answer[name].is_null(), "{line}, {name}: {answer} {other}");
        }
    }
}

#[test]
fn every_engine_gives_the_same_answer() {
    let folder = folder("engines_same");
    for bodies in ["p.obj p.obj --hull", "box:2,2,2 sphere:1", "two.obj box:2,2,2 --hull-parts"] {
        for (verb, names) in [
            ("overlap", &["overlap"][..]),
            ("contacts", &["count", "pairs"]),
            ("within --tolerance 0.75", &["within"]),
            ("distance", &["lower", "upper", "penetrating"]),
        ] {
            let line = format!("{verb} {bodies}");
            let answers = rows(&folder, &line);
            for method in CLOSEST.iter().chain(APART.iter().filter(|_| verb != "distance")) {
                let line = format!("{line} --method {method}");
                same(&line, &answers, &rows(&folder, &line), names);
            }
        }
        let line = format!("penetration {bodies}");
        let answers = rows(&folder, &line);
        for method in DEPTH {
            let line = format!("{line} --method {method}");
            same(&line, &answers, &rows(&folder, &line), &["upper", "penetrating"]);
        }
    }
}

#[test]
fn engines_that_do_not_answer_are_refused_with_those_that_do() {
    let folder = folder("engines_refused");
    for (line, words) in [
        (
            "distance sphere:1 box:1,1,1 --method epa",
            &["epa does not answer distance for two convex polyhedra", "auto, brute, lin-canny"][..],
        ),
        ("distance sphere:1 box:1,1,1 --method rabbitz", &["rabbitz does not answer distance", "gjk-johnson"]),
        (
            "penetration sphere:1 box:1,1,1 --method gjk",
            &["gjk does not answer penetration", "auto, brute, v-clip, epa"],
        ),
        (
            "overlap box:1,1,1 cone:1,1 --method v-clip",
            &["v-clip does not take a convex polyhedron and a smooth shape", "by auto, gjk"],
        ),
        ("penetration cone:1,1 cone:1,1 --method gauss-map", &["gauss-map does not take", "by auto, epa"]),
        ("overlap p.obj p.obj --method gjk", &["gjk does not take two meshes", "by auto, brute, tree", "with --hull"]),
        ("overlap p.obj sphere:1 --method brute", &["brute does not answer overlap for a mesh", "by auto, tree"]),
        ("overlap sphere:1 sphere:1 --method tree", &["tree does not take", "auto, brute, lin-canny"]),
        (
            "overlap sphere:1 half-space:0,0,1,0 --method gjk",
            &["gjk does not take a convex polyhedron and a half-space", "by auto"],
        ),
    ] {
        folder.run(line).refused_with_help(&["--method: "]);
        folder.run(line).refused_with_help(words);
    }
}

#[test]
fn engines_that_fit_are_taken() {
    let folder = folder("engines_taken");
    for line in [
        "overlap p.obj sphere:0.1 --method tree --pose-b 9,0,0",
        "distance cone:1,1 sphere:1 --method gjk --pose-b 9,0,0",
        "penetration cone:1,1 sphere:1 --method epa --pose-b 9,0,0",
        "penetration p.obj p.obj --method gauss-map --pose-b 9,0,0",
        "within two.obj sphere:1 --hull-parts --method rabbitz --tolerance 1",
    ] {
        let ran = folder.run(line);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{line}: {ran:#?}");
    }
}

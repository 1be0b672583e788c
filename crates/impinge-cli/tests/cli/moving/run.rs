//! `impinge run`: scenes step by step.

use serde_json::{Value, json};

use crate::files;
use crate::harness::Folder;

const FALLING: &str = "\
steps = 4
interval = 0.5
clearance = 0.3
[[body]]
name = 'floor'
model = 'half-space:0,0,1,0'
static = true
[[body]]
name = 'ball'
model = 'sphere:0.5'
pose = [0, 0, 1.5]
motion.velocity = [0, 0, -1]
[[body]]
name = 'cube'
model = 'cube.stl'
pose = [0, 0, 5]
";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_ball_falls_on_the_floor() {
    let folder = Folder::new("run_falls");
    folder.write("scene.toml", FALLING).write("cube.stl", files::cube_stl());
    let ran = folder.run("run scene.toml --no-times");
    assert_eq!(ran.status, Some(1));
    let steps = lines(&ran.out);
    let said: Vec<Value> =
        steps.iter().map(|s| json!([s["step"], s["time"], s["touching"].as_array().unwrap().len()])).collect();
    assert_eq!(said, [json!([0, 0.0, 0]), json!([1, 0.5, 0]), json!([2, 1.0, 1]), json!([3, 1.5, 1])]);
    assert_eq!((&steps[2]["touching"][0]["a"], &steps[2]["touching"][0]["b"]), (&json!("floor"), &json!("ball")));
    assert!(steps[0].get("near").is_none() && steps[0].get("ns").is_none());
    let deep = steps[3]["touching"][0]["contacts"][0]["depth"]["upper"].as_f64().unwrap();
    assert!((deep - 0.5).abs() < 1e-9, "{deep}");
    assert_eq!(folder.run("run scene.toml --no-times --threads 1").out, ran.out);
    for phase in ["all-pairs", "sweep-prune", "dynamic-tree", "coherent-hash"] {
        let other = folder.run(&format!("run scene.toml --no-times --phase {phase}"));
        let touching = |text: &str| lines(text).iter().map(|s| s["touching"].clone()).collect::<Vec<_>>();
        assert_eq!(touching(&other.out), touching(&ran.out), "{phase}");
    }
    let ran = folder.run("run scene.toml --steps 1");
    assert_eq!(ran.status, Some(0));
    assert!(lines(&ran.out)[0]["ns"]["broad"].is_u64());
}

/// The clearance widens the boxes in every step, the first one included.
#[test]
fn pairs_are_counted_with_the_clearance() {
    let folder = Folder::new("run_pairs");
    let ball = |name: &str, x: f64| format!("[[body]]\nname = '{name}'\nmodel = 'sphere:0.5'\npose = [{x}, 0, 0]\n");
    folder.write("scene.toml", format!("steps = 3\nclearance = 0.3\n{}{}", ball("a", 0.0), ball("b", 1.2)));
    for line in ["run scene.toml", "run scene.toml --phase sweep-prune"] {
        let steps = lines(&folder.run(line).out);
        let said: Vec<Value> = steps.iter().map(|s| json!([s["pairs"], s["near"].as_array().unwrap().len()])).collect();
        assert_eq!(said, vec![json!([1, 1]); 3], "{line}");
    }
}

/// The scene comes through a pipe that nobody writes to, and the run is interrupted while it waits for it.
#[cfg(unix)]
#[test]
fn ctrl_c_while_loading_leaves_a_marked_report() {
    use std::process::{Command, Stdio};
    let folder = Folder::new("run_ctrl_c");
    assert!(Command::new("mkfifo").arg(folder.path("scene.toml")).status().unwrap().success());
    for format in ["jsonl", "json", "text"] {
        let mut command = folder.command(&format!("run scene.toml --format {format}"));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Waits until the process has set its handler for Ctrl-C.
        std::thread::sleep(std::time::Duration::from_millis(700));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(130), "{format}: {out}");
        match format {
            "json" => assert_eq!(serde_json::from_str::<Value>(&out).unwrap()[0]["partial"], json!(true)),
            "jsonl" => assert_eq!(lines(&out)[0]["partial"], json!(true)),
            _ => assert_eq!(out, "partial: 0 rows answered\n"),
        }
    }
}

#[test]
fn poses_and_filters() {
    let folder = Folder::new("run_filters");
    folder.write("path.csv", "x,y,z\n0,0,9\n0,0,1\n");
    let ball = |name: &str, rest: &str| format!("[[body]]\nname = '{name}'\nmodel = 'sphere:1'\n{rest}\n");
    let scene = |head: &str| {
        let bodies = ball("a", "groups = [0]")
            + &ball("b", "groups = [1]\nmeets = [1]")
            + &ball("c", "motion.poses = 'path.csv'");
        format!("steps = 3\n{head}\n{bodies}")
    };
    folder.write("scene.toml", scene(""));
    let ran = folder.run("run scene.toml --format text");
    let clear = |step: u32, time: f64| format!("step {step}, time {time:.6}: ");
    assert!(ran.out.starts_with(&clear(0, 0.0)), "{}", ran.out);
    assert_eq!(ran.out.matches("a touches c").count(), 2, "{}", ran.out);
    assert_eq!(ran.out.matches("b touches c").count(), 2, "{}", ran.out);
    assert!(!ran.out.contains("a touches b"));
    folder.write("scene.toml", scene("ignore = [['c', 'a'], ['b', 'c']]"));
    let ran = folder.run("run scene.toml --format json");
    assert_eq!((ran.status, ran.json().as_array().unwrap().len()), (Some(0), 3));
}

#[test]
fn what_is_wrong_with_a_scene_is_said() {
    let folder = Folder::new("run_refused");
    folder.write("scene.toml", FALLING).write("cube.stl", files::cube_stl());
    folder.run("run scenes.toml").refused_with_help(&["scenes.toml", "no such file", "scene.toml"]);
    folder.run("run scene.toml --phase autp").refused_with_help(&["autp", "sweep-prune"]);
    folder.run("run scene.toml --steps 0").refused(&["--steps"]);
    let broken = [
        ("speed = 1\n", "", &["bad.toml:1", "speed", "docs/scene.md"][..]),
        ("steps = 0\n#", "", &["bad.toml", "0 steps"]),
        ("", "[[body]]\nname = 'x'\nmodel = 'spere:1'\n", &["spere:1", "sphere:r"]),
        ("", "[[body]]\nname = 'x'\nmodel = 'cubes.stl'\n", &["bad.toml", "body `x`", "cubes.stl", "cube.stl"]),
        (
            "",
            "[[body]]\nname = 'x'\nmodel = 'sphere:1'\npose = [0, 0, 0, 0, 0, 0, 2]\n",
            &["bad.toml", "`x`", "quaternion"],
        ),
        ("", "[[body]]\nname = 'x'\nmodel = 'sphere:1'\npose = [0, 0, 1e150]\n", &["bad.toml", "`x`", "1e150"]),
        ("", "[[body]]\nname = 'ball'\nmodel = 'sphere:1'\n", &["bad.toml", "two bodies", "ball"]),
        (
            "",
            "[[body]]\nname = 'x'\nmodel = 'sphere:1'\nmotion.poses = 'none.csv'\n",
            &["bad.toml", "body `x`", "none.csv"],
        ),
        (
            "",
            "[[body]]\nname = 'x'\nmodel = 'sphere:1'\nmotion.path = 'none.csv'\n",
            &["bad.toml", "body `x`", "none.csv"],
        ),
        (
            "",
            "[[body]]\nname = 'x'\nmodel = 'sphere:1'\npose = [1, 0, 0]\nmotion.poses = 'none.csv'\n",
            &["bad.toml", "body `x`", "leave out `pose`"],
        ),
    ];
    for (head, tail, said) in broken {
        folder.write("bad.toml", format!("{head}{FALLING}{tail}"));
        folder.run("run bad.toml").refused_with_help(said);
    }
    // When a body leaves the world, what was found before that is printed, and marked as incomplete.
    folder.write("far.toml", "steps = 9\n[[body]]\nname = 'x'\nmodel = 'sphere:1'\nmotion.velocity = [1e151, 0, 0]\n");
    let ran = folder.run("run far.toml --format jsonl");
    assert_eq!(ran.status, Some(2));
    assert!(
        lines(&ran.out).last().unwrap()["partial"] == json!(true) && ran.err.contains("`x`"),
        "{}{}",
        ran.out,
        ran.err
    );
    folder.write("empty.toml", "");
    let ran = folder.run("run empty.toml --no-times");
    assert_eq!((ran.status, lines(&ran.out)[0]["bodies"].clone()), (Some(0), json!(0)));
}

const BULLET: &str = "\
steps = 10
interval = 0.1
[[body]]
name = 'wall'
model = 'box:0.001,2,2'
static = true
[[body]]
name = 'bullet'
model = 'sphere:0.01'
pose = [-40.5, 0, 0]
motion.velocity = [100, 0, 0]
[[body]]
name = 'late'
model = 'sphere:0.5'
pose = [0, 9, 5.5]
motion = { velocity = [0, 0, -1], acceleration = [0, 0, -8] }
[[body]]
name = 'shelf'
model = 'box:2,2,0.1'
pose = [0, 9, 2.95]
static = true
";

/// The broad phase named by the option finds the pairs in continuous time, too: only hashes count cells.
#[test]
fn continuous_time_by_the_phase_that_was_asked_for() {
    let folder = Folder::new("run_schedule_phase");
    folder.write("scene.toml", FALLING).write("cube.stl", files::cube_stl());
    let run = |phase: &str, schedule: &str| {
        let mut said = lines(&folder.run(&format!("run scene.toml --schedule {schedule} --phase {phase}")).out);
        let last = said.pop().unwrap();
        (said, last["counts"]["cells"].as_u64().unwrap() > 0)
    };
    for schedule in ["fixed", "queue", "estimate"] {
        let (all, none) = run("all-pairs", schedule);
        let (hashed, cells) = run("coherent-hash", schedule);
        assert!(!all.is_empty() && all == hashed && !none && cells, "{schedule}");
    }
}

/// Fixed steps miss the bullet; in continuous time it is found, and all encounters come in the order of time.
#[test]
fn continuous_time_by_schedule() {
    let folder = Folder::new("run_schedule");
    folder.write("scene.toml", BULLET);
    let touched = |schedule: &str| {
        let ran = folder.run(&format!("run scene.toml --schedule {schedule}"));
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        let mut all = lines(&ran.out);
        let last = all.pop().unwrap();
        assert_eq!(
            (&last["end"], &last["encounters"], &last["time"]),
            (&json!("reached"), &json!(all.len()), &json!(1.0))
        );
        assert!(last["checks"].as_u64().unwrap() > 0);
        all
    };
    let pairs = |met: &[Value]| met.iter().map(|m| json!([m["a"], m["b"]])).collect::<Vec<_>>();
    assert_eq!(pairs(&touched("fixed")), [json!(["late", "shelf"])]);
    for schedule in ["queue", "estimate"] {
        let met = touched(schedule);
        assert_eq!(pairs(&met), [json!(["wall", "bullet"]), json!(["late", "shelf"])], "{schedule}");
        let [bullet, late] = [&met[0], &met[1]].map(|m| m["time"].as_f64().unwrap());
        assert!((bullet - 0.404895).abs() < 1e-6, "{bullet}");
        // 2 = t + 4t², less the envelope.
        assert!((late - (33f64.sqrt() - 1.0) / 8.0).abs() < 1e-6, "{late}");
        assert!((met[0]["closing"].as_f64().unwrap() - 100.0).abs() < 1e-6);
    }
    let text = folder.run("run scene.toml --schedule queue --format text").out;
    assert!(text.contains("wall touches bullet") && text.contains("2 encounters"), "{text}");
    assert_ne!(folder.run("run scene.toml --schedule never").status, Some(0));
}

/// A blade that turns at 1000 radians a second meets a post at every half turn, whatever the length of a step.
#[test]
fn each_turn_of_a_blade_is_reported_whatever_the_interval() {
    let folder = Folder::new("run_blade");
    let blade = "[[body]]\nname = 'blade'\nmodel = 'box:4,0.2,0.2'\nmotion.spin = [0, 0, 1000]\n";
    let post = "[[body]]\nname = 'post'\nmodel = 'box:0.1,0.1,4'\npose = [0, 1.5, 0]\nstatic = true\n";
    for (steps, interval) in [(1, "1"), (10, "0.1"), (100, "0.01")] {
        folder.write("scene.toml", format!("steps = {steps}\ninterval = {interval}\n{blade}{post}"));
        let last = lines(&folder.run("run scene.toml --schedule queue").out).pop().unwrap();
        assert_eq!((&last["encounters"], &last["late"]), (&json!(318), &json!(0)), "{steps} steps");
    }
}

/// The poses of a file are those at the steps: between two of them the body passes through the plate.
#[test]
fn poses_are_joined_in_continuous_time() {
    let folder = Folder::new("run_joined");
    folder.write("path.csv", "x,y,z\n-3,0,0\n3,0,0\n");
    let plate = "[[body]]\nname = 'plate'\nmodel = 'box:0.2,1,1'\n";
    let ball = "[[body]]\nname = 'ball'\nmodel = 'sphere:0.5'\nmotion.poses = 'path.csv'\n";
    folder.write("scene.toml", format!("steps = 2\ninterval = 1.0\n{plate}{ball}"));
    assert_eq!(folder.run("run scene.toml").status, Some(0));
    let met = lines(&folder.run("run scene.toml --schedule queue").out);
    assert!((met[0]["time"].as_f64().unwrap() - 0.4).abs() < 1e-6, "{met:?}");
}

/// A path has its own times, whatever the steps: the ball is at the plate after 0.4 of the second second.
#[test]
fn a_path_has_times_of_its_own() {
    let folder = Folder::new("run_path");
    folder.write("path.csv", "t,x,y,z\n1,-3,0,0\n2,3,0,0\n");
    let plate = "[[body]]\nname = 'plate'\nmodel = 'box:0.2,1,1'\n";
    let ball = "[[body]]\nname = 'ball'\nmodel = 'sphere:0.5'\nmotion.path = 'path.csv'\n";
    folder.write("scene.toml", format!("steps = 6\ninterval = 0.5\n{plate}{ball}"));
    let touching: Vec<usize> = lines(&folder.run("run scene.toml").out)
        .iter()
        .map(|step| step["touching"].as_array().unwrap().len())
        .collect();
    assert_eq!(touching, [0, 0, 0, 1, 0, 0]);
    let met = lines(&folder.run("run scene.toml --schedule queue").out);
    assert!((met[0]["time"].as_f64().unwrap() - 1.4).abs() < 1e-6, "{met:?}");
    folder.write("path.csv", "t,x,y,z\n1,-3,0,0\n1,3,0,0\n");
    let ran = folder.run("run scene.toml");
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("path.csv:3") && ran.err.contains("not later"), "{}", ran.err);
}

/// Bodies that overlap from the beginning meet when time begins; a clearance is met when the bodies come that near.
#[test]
fn standing_bodies_and_clearances_by_schedule() {
    let folder = Folder::new("run_standing");
    let ball = |name: &str, rest: &str| format!("[[body]]\nname = '{name}'\nmodel = 'sphere:0.5'\n{rest}\n");
    let head = "steps = 1\ninterval = 1.0\n";
    folder.write("standing.toml", format!("{head}{}{}", ball("one", ""), ball("two", "pose = [0.5, 0, 0]")));
    let back = "pose = [-2, 0, 0]\nmotion = { velocity = [2.6, 0, 0], acceleration = [-4, 0, 0] }";
    let wall = "[[body]]\nname = 'wall'\nmodel = 'box:0.1,4,4'\nstatic = true\n";
    folder.write("near.toml", format!("{head}clearance = 1.0\n{wall}{}", ball("ball", back)));
    for schedule in ["fixed", "queue", "estimate"] {
        let standing = folder.run(&format!("run standing.toml --schedule {schedule}"));
        assert_eq!(standing.status, Some(1), "{schedule}: {standing:#?}");
        assert_eq!(lines(&standing.out)[0]["time"], json!(0.0), "{schedule}: {standing:#?}");
    }
    for schedule in ["queue", "estimate"] {
        let near = folder.run(&format!("run near.toml --schedule {schedule}"));
        let time = lines(&near.out)[0]["time"].as_f64();
        assert!(time.is_some_and(|t| (t - 0.205_590_209).abs() < 1e-5), "{schedule}: {near:#?}");
    }
}

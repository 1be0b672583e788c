//! Any bytes taken as changes of documents that models, robots, motions and poses were written as, or as text: a
//! document is refused, or what it says is sound and is written as it was read. Also the fuzz target `documents`.

use std::fmt::Debug;

use impinge::glam::DVec3;
use impinge::{
    Ballistic, JointTrajectory, Limit, Model, Pair, Pose, Ray, Robot, Round, SampledPoses, Span, Steady, TimedPoses,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Bytes;

/// Reads a document and checks what it says; whether it was read.
type Check = fn(&Value) -> bool;

fn documents() -> Vec<(Value, Check)> {
    let corners = json!([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]);
    let faces = json!([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
    let mesh = json!({"format": 1, "inside": "enclosed", "builder": "auto", "vertices": corners, "triangles": faces});
    let hull = json!({"format": 1, "vertices": corners, "ids": [0, 1, 2, 3]});
    let pose = json!({"translation": [1.0, 0.5, 0.0], "rotation": [0.0, 0.6, 0.0, 0.8]});
    let shape = |shape: Value| json!({"round": {"format": 1, "shape": shape, "margin": 0.5}});
    let models = [
        json!({"mesh": mesh}),
        json!({"convex": hull}),
        json!({"parts": {"format": 1, "pieces": [hull, hull]}}),
        json!({"deforming": {"format": 1, "start": mesh, "end": [[0, 0, 1], [1, 0, 1], [0, 2, 1], [0, 0, 3]]}}),
        shape(json!({"sphere": {"radius": 1}})),
        shape(json!({"capsule": {"radius": 1, "height": 2}})),
        shape(json!({"box": {"sides": [1, 2, 3]}})),
        shape(json!({"cylinder": {"radius": 1, "height": 2}})),
        shape(json!({"ellipsoid": {"radii": [1, 2, 3]}})),
        shape(json!({"half-space": {"normal": [0, 0, 1], "offset": 1}})),
        shape(json!({"segment": [[0, 0, 0], [1, 0, 0]]})),
        shape(json!({"polygon": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]})),
        shape(json!({"hull": hull})),
    ];
    let joint = |name: &str, parent: &str, child: &str, kind: Value| json!({"name": name, "parent": parent, "child": child, "origin": pose, "axis": [0, 0, 1], "kind": kind});
    let limits = json!({"lower": -1.5, "upper": 2.5});
    let robot = json!({"format": 1, "base": pose, "joints": [
        joint("shoulder", "base", "arm", json!({"revolute": limits})),
        joint("slide", "arm", "hand", json!({"prismatic": limits})),
        joint("tip", "hand", "tool", json!("fixed")),
    ]});
    let rows = json!([[0.0, [0.0, 1.0]], [1.0, [0.5, 1.0]], [3.0, [1.0, -1.0]]]);
    let speeds = json!([{"rate": 1.0, "acceleration": 2.0}, {"rate": 3.0, "acceleration": "inf"}]);
    let knot =
        |time: f64| json!({"time": time, "values": [0.5, time], "rates": [0.0, 1.0], "accelerations": [0.0, 0.0]});
    let path = |path: Value| json!({"format": 1, "path": path});
    let steady = json!({"pose": pose, "centre": [0, 0, 0], "velocity": [1, 0, 0], "spin": [0, 0, 1], "start": 0.0});
    let poses = json!({"centre": [0, 0, 0], "rows": [[0.0, pose], [1.5, pose]]});
    let mut all: Vec<(Value, Check)> = models.into_iter().map(|model| (model, model_of as Check)).collect();
    all.push((robot, |document| {
        let Some(robot) = read::<Robot>(document) else { return false };
        let poses = robot.poses(&vec![0.0; robot.moving_joints().len()]);
        assert!(poses.is_err() || poses.is_ok_and(|poses| poses.len() == robot.links().len()));
        true
    }));
    for plan in [
        json!({"straight": rows}),
        json!({"spline": rows}),
        json!({"cubic": [knot(0.0), knot(1.0)]}),
        json!({"quintic": [knot(0.0), knot(2.0)]}),
        json!({"trapezoid": {"start": 1.0, "stops": [[0.0, 1.0], [2.0, 1.0]], "speeds": [speeds[0], speeds[0]]}}),
        json!({"sampled": {"rows": rows, "bounds": speeds}}),
    ] {
        all.push((path(plan), |document| {
            let Some(path) = read::<JointTrajectory>(document) else { return false };
            assert_eq!(path.values(path.span().from()).len(), path.joint_count());
            true
        }));
    }
    all.push((steady, |document| read::<Steady>(document).is_some()));
    all.push((poses, |document| read::<TimedPoses>(document).is_some()));
    all.push((pose, |document| read::<Pose>(document).is_some()));
    all.push((json!({"from": 0, "to": 2}), |document| read::<Span>(document).is_some()));
    all.push((json!({"origin": [0, 0, 0], "direction": [0, 0, 1], "length": "inf"}), |document| {
        read::<Ray>(document).is_some()
    }));
    all
}

pub(crate) fn check_document(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = serde_json::from_str::<Model>(text);
        let _ = serde_json::from_str::<(Robot, JointTrajectory, SampledPoses, Ballistic)>(text);
    }
    let mut bytes = Bytes(bytes);
    let documents = documents();
    let (mut document, check) = documents[usize::from(bytes.byte()) % documents.len()].clone();
    check(&document);
    for _ in 0..bytes.byte() % 4 {
        change(&mut document, &mut bytes);
    }
    check(&document);
}

/// The documents that are not read as they are.
pub(crate) fn unread() -> Vec<Value> {
    documents().into_iter().filter(|(document, check)| !check(document)).map(|(document, _)| document).collect()
}

/// What is read is written, and that is read to the same.
fn read<T: Serialize + DeserializeOwned + Debug>(document: &Value) -> Option<T> {
    let value = match serde_json::from_value::<T>(document.clone()) {
        Ok(value) => value,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return None;
        }
    };
    let written = serde_json::to_value(&value).expect("what was read can be written");
    let again: T = serde_json::from_value(written.clone()).expect("what was written can be read");
    assert_eq!(serde_json::to_value(&again).expect("it was written before"), written);
    Some(value)
}

fn model_of(document: &Value) -> bool {
    let Some(model) = read::<Model>(document) else { return false };
    let ball = Round::sphere(0.5).expect("a radius");
    let aside = Pose::at(DVec3::new(2.0, 0.1, 0.0)).expect("a place");
    let mut pair = Pair::new(&model, ball);
    let distance = pair.distance(&Pose::IDENTITY, &aside).interval;
    assert!(distance.lower <= distance.upper, "{distance:?}");
    let _ = pair.contacts(&Pose::IDENTITY, &aside, Limit::All);
    true
}

/// Changes a document somewhere: another number, another length of a list, a name left out, or something else there.
fn change(document: &mut Value, bytes: &mut Bytes<'_>) {
    let mut at = document;
    for _ in 0..8 {
        let choice = usize::from(bytes.byte());
        let is_end = match &*at {
            Value::Array(list) => list.is_empty() || choice.is_multiple_of(8),
            Value::Object(map) => map.is_empty() || choice.is_multiple_of(8),
            _ => true,
        };
        if is_end {
            break;
        }
        at = match at {
            Value::Array(list) => {
                let k = choice / 8 % list.len();
                &mut list[k]
            }
            Value::Object(map) => {
                let k = choice / 8 % map.len();
                match map.values_mut().nth(k) {
                    Some(value) => value,
                    None => return,
                }
            }
            _ => return,
        };
    }
    match (at, bytes.byte() % 4) {
        (Value::Array(list), 0) => drop(list.pop()),
        (Value::Array(list), 1) => list.extend(list.last().cloned()),
        (Value::Object(map), 0) => {
            let name = map.keys().nth(usize::from(bytes.byte()) % map.len().max(1)).cloned();
            name.and_then(|name| map.remove(&name));
        }
        (at, _) => *at = anything(bytes),
    }
}

fn anything(bytes: &mut Bytes<'_>) -> Value {
    let kind = bytes.byte() % 3;
    match bytes.byte() % 12 {
        0 => Value::Null,
        1 => json!("inf"),
        2 => json!("nan"),
        3 => json!([]),
        4 => json!({}),
        5 => json!(-1),
        6 => json!(u64::from(u32::MAX) + u64::from(bytes.byte())),
        7 => json!(1e308),
        8 => json!(usize::from(bytes.byte()) % 8),
        _ => json!(bytes.number(kind)),
    }
}

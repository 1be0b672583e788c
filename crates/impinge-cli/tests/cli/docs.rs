//! The examples of `docs/json.md`, kept true.

use std::path::Path;

use serde_json::Value;

use crate::harness::Folder;

/// Whether two numbers are equal up to rounding.
fn same(x: &Value, y: &Value) -> bool {
    match (x, y) {
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(name, value)| y.get(name).is_some_and(|other| same(value, other)))
        }
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
        (Value::Number(x), Value::Number(y)) if x.is_f64() && y.is_f64() => {
            x.as_f64().zip(y.as_f64()).is_some_and(|(x, y)| (x - y).abs() < 1e-9)
        }
        _ => x == y,
    }
}

/// The answer without the fields that may change from one version of the engine to the next.
fn settled(mut value: Value) -> Value {
    match &mut value {
        Value::Object(object) => {
            object.remove("stats");
            object.values_mut().for_each(|x| *x = settled(x.take()));
        }
        Value::Array(array) => array.iter_mut().for_each(|x| *x = settled(x.take())),
        _ => {}
    }
    value
}

#[test]
fn every_command_answers_as_the_page_says() {
    let folder = Folder::new("docs_json");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut count = 0;
    for block in page.split("```sh\n").skip(1) {
        let (command, rest) = block.split_once("\n```").unwrap();
        let Some(line) = command.strip_prefix("impinge ") else { continue };
        let (_, rest) = rest.split_once("```json\n").unwrap();
        let (answer, _) = rest.split_once("\n```").unwrap();
        let expected: Value = serde_json::from_str(answer).unwrap_or_else(|error| panic!("{error} in {answer}"));
        let (answer, expected) = (settled(folder.run(line).json()), settled(expected));
        assert!(same(&answer, &expected), "{command}\n{answer}\n{expected}");
        count += 1;
    }
    assert!(count >= 10, "{count} examples");
}

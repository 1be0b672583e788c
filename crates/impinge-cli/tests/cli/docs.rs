//! The examples of `docs/json.md`, kept true.

use std::path::Path;

use serde_json::Value;

use crate::harness::Folder;

/// What the engine may change between versions.
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
        assert_eq!(settled(folder.run(line).json()), settled(expected), "{command}");
        count += 1;
    }
    assert!(count >= 10, "{count} examples");
}

//! The facts about a file or a shape, as text for a reader.

use std::io::{self, Write as _};

use super::facts::{BodyJson, HullJson, PartJson, ShapeJson};
use super::tune::TuneJson;
use crate::output::text::{number, plural, point};

pub(super) fn of_shape(shape: &ShapeJson<'_>) -> String {
    let measure = |x: Option<f64>| x.map_or("-".to_owned(), number);
    let bounds =
        shape.bounds.map_or("-".to_owned(), |[low, high]| format!("{} to {}", point(low.into()), point(high.into())));
    let lines = [
        format!("{}: shape in words", shape.file),
        format!("  shape       {}", shape.shape),
        format!("  margin      {}", number(shape.margin)),
        "  convex      yes".to_owned(),
        format!("  hull        {}", shape.hull.as_ref().map_or("-".to_owned(), HullJson::in_words)),
        "  used as     solid: its inside counts".to_owned(),
        format!("  area        {}", measure(shape.area)),
        format!("  volume      {}", measure(shape.volume)),
        format!("  bounds      {bounds}"),
        String::new(),
    ];
    lines.join("\n")
}

pub(super) fn of_file(
    file: &str,
    format: &str,
    whole: &BodyJson,
    parts: &[PartJson],
    tune: Option<&TuneJson>,
) -> String {
    let mut lines = vec![
        format!("{file}: {format}, {}", plural(parts.len() as u64, "part", "parts")),
        counted(
            "vertices",
            whole.vertices,
            [(whole.unused_vertices, "unused"), (whole.merged_vertices, "exact copies")],
        ),
        counted(
            "triangles",
            whole.triangles,
            [(whole.duplicate_triangles, "duplicate"), (whole.degenerate_triangles, "degenerate")],
        ),
        format!("  components  {}", whole.components),
        verdict("closed", whole.closed, whole.open_edges, "open"),
        verdict("manifold", whole.manifold, whole.nonmanifold_edges, "with more than two triangles"),
        verdict("oriented", whole.oriented, whole.misoriented_edges, "whose triangles disagree about outside"),
        format!(
            "  used as     {}",
            if whole.closed { "solid: its inside counts" } else { "surface: it has no inside" }
        ),
        format!("  area        {}", number(whole.area)),
        format!("  volume      {}", whole.volume.map_or("-".to_owned(), number)),
    ];
    if let Some([low, high]) = whole.bounds {
        lines.push(format!("  bounds      {} to {}", point(low.into()), point(high.into())));
    }
    lines.push(format!("  convex      {}", whole.convex.map_or("-", |convex| if convex { "yes" } else { "no" })));
    lines.push(format!("  hull        {}", whole.hull.as_ref().map_or("-".to_owned(), HullJson::in_words)));
    lines.push(format!("  tree        {} nodes, {} bytes", whole.tree_nodes, whole.tree_bytes));
    if parts.len() > 1 {
        lines.push("parts".to_owned());
        lines.extend(parts.iter().map(|PartJson { name, body }| {
            let kind = if body.closed { "solid" } else { "surface" };
            format!("  {name}: {kind}, {}", plural(body.triangles as u64, "triangle", "triangles"))
        }));
    }
    lines.extend(tune.into_iter().flat_map(TuneJson::in_words));
    lines.push(String::new());
    lines.join("\n")
}

/// A count, with those of its kind that are special.
fn counted(name: &str, count: usize, special: [(usize, &str); 2]) -> String {
    let some: Vec<String> = special.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    let note = if some.is_empty() { String::new() } else { format!(" ({})", some.join(", ")) };
    format!("  {name:<10}  {count}{note}")
}

/// Yes, or no and at how many edges.
fn verdict(name: &str, holds: bool, edges: usize, which: &str) -> String {
    let answer = if holds { "yes" } else { "no" };
    let note = if edges == 0 { String::new() } else { format!(" ({} {which})", plural(edges as u64, "edge", "edges")) };
    format!("  {name:<10}  {answer}{note}")
}

/// What a user should know before trusting the file, on standard error.
pub(super) fn notes(file: &str, whole: &BodyJson) {
    let note = |text: String| drop(writeln!(io::stderr(), "note: {file}: {text}"));
    if whole.closed && !whole.oriented {
        let edges = plural(whole.misoriented_edges as u64, "edge", "edges");
        note(format!(
            "closed, but its triangles disagree at {edges} about which side is outside; answers do not depend on it, volume does"
        ));
    }
    if whole.duplicate_triangles > 0 {
        note(format!(
            "{} given more than once; they are kept",
            plural(whole.duplicate_triangles as u64, "triangle is", "triangles are")
        ));
    }
    if whole.degenerate_triangles > 0 {
        note(format!(
            "{} no area; they are kept and can touch",
            plural(whole.degenerate_triangles as u64, "triangle has", "triangles have")
        ));
    }
}

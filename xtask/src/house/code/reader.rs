//! Reads a file's tokens once from front to back and notes what [`Facts`] wants to know.
//!
//! Left out is what exists in tests only: every item behind `#[cfg(test)]`, `#[cfg(all(test, …))]` or `#[test]`.

use super::facts::{Child, Facts, Function, Import, Item, ItemKind, Module, NamedPath};
use super::lexer::{Kind, Token, tokens};
use super::tests_only::{is_for_tests, skipped};
use super::use_tree;

/// What the file with this text says about itself.
pub(crate) fn read(text: &str) -> Facts {
    let tokens = tokens(text);
    let closes = closing_brackets(&tokens);
    let facts = Facts { modules: vec![Module::default()], ..Facts::default() };
    let mut reader =
        Reader { tokens: &tokens, closes: &closes, at: 0, facts, around: Vec::new(), attributes: Vec::new() };
    while reader.at < tokens.len() && !reader.facts.test_only {
        reader.step();
    }
    reader.facts
}

/// For every token that opens a bracket, the place of the one that closes it; for others their own place.
fn closing_brackets(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut closes: Vec<usize> = (0..tokens.len()).collect();
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if ["(", "[", "{"].iter().any(|sign| token.is(sign)) {
            open.push(at);
        } else if [")", "]", "}"].iter().any(|sign| token.is(sign))
            && let Some(start) = open.pop()
        {
            closes[start] = at;
        }
    }
    for start in open {
        closes[start] = tokens.len().saturating_sub(1);
    }
    closes
}

struct Reader<'t> {
    tokens: &'t [Token<'t>],
    closes: &'t [usize],
    at: usize,
    facts: Facts,
    /// The braces around this place: where each ends, and the module that it is the body of.
    around: Vec<(usize, Option<usize>)>,
    /// Places of the attributes before this item.
    attributes: Vec<(usize, usize)>,
}

impl<'t> Reader<'t> {
    fn token(&self, at: usize) -> Option<&Token<'t>> {
        self.tokens.get(at)
    }

    fn is(&self, at: usize, text: &str) -> bool {
        self.token(at).is_some_and(|token| token.is(text))
    }

    fn name(&self, at: usize) -> Option<&'t str> {
        self.token(at).filter(|token| token.is_name()).map(|token| token.text)
    }

    /// The innermost module around this place.
    fn module_place(&self) -> usize {
        self.around.iter().rev().find_map(|(_, module)| *module).unwrap_or(0)
    }

    fn module(&mut self) -> &mut Module {
        let place = self.module_place();
        &mut self.facts.modules[place]
    }

    /// Not inside a function, an `impl` or any other braces but those of modules.
    fn at_item_level(&self) -> bool {
        self.around.last().is_none_or(|(_, module)| module.is_some())
    }

    fn step(&mut self) {
        let token = self.tokens[self.at];
        while self.around.last().is_some_and(|(end, _)| self.at >= *end) {
            self.around.pop();
        }
        let attributes_end = self.attributes.last().map(|(_, end)| *end);
        match token.text {
            _ if token.kind == Kind::Literal => self.at += 1,
            "#" => return self.attribute(),
            "pub" => self.at = self.after_visibility(),
            "use" if !self.is(self.at + 1, "<") => self.import(),
            "mod" if self.name(self.at + 1).is_some() => self.child(),
            "fn" if self.name(self.at + 1).is_some() => self.function(),
            "struct" | "enum" | "trait" | "type" => self.item(ItemKind::Type, 1),
            "union" if self.name(self.at + 1).is_some() && self.at_item_level() => self.item(ItemKind::Type, 1),
            "static" if self.is(self.at + 1, "mut") => self.item(ItemKind::Value, 2),
            "const" | "static" => self.item(ItemKind::Value, 1),
            "macro_rules" if self.is(self.at + 1, "!") => self.macro_item(),
            "impl" => {
                self.note_code();
                self.at += 1;
            }
            "{" => {
                self.around.push((self.closes[self.at], None));
                self.at += 1;
            }
            _ if token.is_name() => self.path(),
            _ => self.at += 1,
        }
        // Attributes belong to the item whose first token has now been read; its visibility may come in between.
        if attributes_end.is_some() && !token.is("pub") {
            self.attributes.clear();
        }
    }

    /// Inside functions nothing is declared for others, but at item level this file has code of its own.
    fn note_code(&mut self) {
        if self.at_item_level() {
            self.module().implements = true;
        }
    }

    fn attribute(&mut self) {
        let inner = self.is(self.at + 1, "!");
        let open = self.at + if inner { 2 } else { 1 };
        if !self.is(open, "[") {
            self.at += 1;
            return;
        }
        let close = self.closes[open];
        if !is_for_tests(&self.tokens[open + 1..close]) {
            if !inner {
                self.attributes.push((open + 1, close));
            }
            // Paths inside attributes count: `#[arg(value_parser = crate::units::read)]`.
            self.at = open + 1;
            while self.at < close {
                if self.tokens[self.at].is_name() { self.path() } else { self.at += 1 }
            }
            self.at = close + 1;
        } else if inner {
            self.facts.test_only = self.around.is_empty();
            self.at = self.around.last().map_or(self.tokens.len(), |(end, _)| *end);
        } else {
            self.skip_tests(close + 1);
        }
    }

    /// Steps over an item for tests; a file with tests only is noted as such.
    fn skip_tests(&mut self, from: usize) {
        let end = skipped(self.tokens, self.closes, from);
        let item = &self.tokens[from..end.min(self.tokens.len())];
        if let Some(place) = item.iter().position(|token| token.is("mod"))
            && item.last().is_some_and(|token| token.is(";"))
            && let Some(name) = item.get(place + 1).filter(|token| token.is_name())
        {
            let name = name.text.to_owned();
            let path = self.path_attribute().or_else(|| path_value(item));
            self.module().children.push(Child { name, path, test_only: true });
        }
        self.attributes.clear();
        self.at = end;
    }

    fn path_attribute(&self) -> Option<String> {
        self.attributes.iter().find_map(|&(start, end)| path_value(&self.tokens[start..end]))
    }

    /// The place behind `pub`, `pub(crate)`, `pub(in a::b)`.
    fn after_visibility(&self) -> usize {
        let open = self.at + 1;
        let restricted = self.is(open, "(")
            && (self.is(open + 1, "in") || self.closes[open] == open + 2)
            && ["in", "crate", "super", "self"].iter().any(|word| self.is(open + 1, word));
        if restricted { self.closes[open] + 1 } else { open }
    }

    /// Does `pub` in any form stand before the keyword at this place?
    fn is_visible(&self) -> bool {
        let mut before = self.at;
        while before > 0 && ["unsafe", "const", "async", "extern", "auto"].iter().any(|word| self.is(before - 1, word))
        {
            before -= 1;
        }
        if before > 0 && self.is(before - 1, "pub") {
            return true;
        }
        let open = (0..before).rev().take(12).find(|&open| self.is(open, "(") && self.closes[open] + 1 == before);
        open.is_some_and(|open| open > 0 && self.is(open - 1, "pub") && !self.is(open + 1, "self"))
    }

    fn import(&mut self) {
        let visible = self.is_visible();
        let line = self.tokens[self.at].line;
        let end = (self.at..self.tokens.len()).find(|&at| self.is(at, ";")).unwrap_or(self.tokens.len());
        for (path, name) in use_tree::names(&self.tokens[self.at + 1..end]) {
            self.module().imports.push(Import { path, name, visible, line });
        }
        self.at = end + 1;
    }

    fn child(&mut self) {
        let name = self.tokens[self.at + 1].text.to_owned();
        if self.is(self.at + 2, "{") {
            let parent = Some(self.module_place());
            let place = self.facts.modules.len();
            self.facts.modules.push(Module { name, parent, ..Module::default() });
            self.around.push((self.closes[self.at + 2], Some(place)));
            self.at += 3;
        } else {
            let path = self.path_attribute();
            self.module().children.push(Child { name, path, test_only: false });
            self.at += 2;
        }
    }

    fn function(&mut self) {
        let ends =
            (self.at..self.tokens.len()).find(|&at| self.is(at, "{") || (self.is(at, ";") && !self.in_array(at)));
        let line = self.tokens[self.at].line;
        if let Some(open) = ends.filter(|&at| self.is(at, "{")) {
            let name = self.tokens[self.at + 1].text.to_owned();
            let lines = self.tokens[self.closes[open]].line + 1 - line;
            self.facts.functions.push(Function { name, line, lines });
        }
        self.item(ItemKind::Value, 1);
    }

    /// The `;` of `[f64; 3]` does not end a function's head.
    fn in_array(&self, at: usize) -> bool {
        let open = (self.at..at).rev().find(|&open| self.is(open, "[") && self.closes[open] > at);
        open.is_some()
    }

    /// An item whose name stands `after` tokens behind its keyword.
    fn item(&mut self, kind: ItemKind, after: usize) {
        let named = self.name(self.at + after).filter(|name| *name != "_" && *name != "fn");
        if let Some(name) = named
            && self.at_item_level()
        {
            let item =
                Item { name: name.to_owned(), kind, visible: self.is_visible(), line: self.tokens[self.at].line };
            self.module().items.push(item);
        }
        self.at += 1;
    }

    fn macro_item(&mut self) {
        let exported = self.attributes.iter().any(|&(start, _)| self.is(start, "macro_export"));
        self.item(if exported { ItemKind::ExportedMacro } else { ItemKind::Macro }, 2);
        self.at += 2;
    }

    /// A name, with those that `::` adds to it.
    fn path(&mut self) {
        let start = self.at;
        let line = self.tokens[start].line;
        let mut names = vec![self.tokens[start].text.to_owned()];
        while self.is(self.at + 1, "::")
            && let Some(next) = self.name(self.at + 2)
        {
            names.push(next.to_owned());
            self.at += 2;
        }
        self.at += 1;
        let called = self.is(self.at, "!") && ["(", "[", "{"].iter().any(|sign| self.is(self.at + 1, sign));
        if called {
            self.note_code();
        }
        let continues = start > 0 && (self.is(start - 1, "::") || self.is(start - 1, "."));
        let module = self.module();
        module.names.extend(names.iter().cloned());
        if (names.len() > 1 || called) && !continues {
            module.paths.push(NamedPath { names, line });
        }
    }
}

/// The string of `path = "…"`.
fn path_value(tokens: &[Token<'_>]) -> Option<String> {
    let found = tokens.windows(3).find(|w| w[0].is("path") && w[1].is("=") && w[2].text.starts_with('"'))?;
    Some(found[2].text.trim_matches('"').to_owned())
}

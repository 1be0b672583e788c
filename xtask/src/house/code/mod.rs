//! What single files say: their words, modules, names and paths.

pub(crate) mod facts;
mod lexer;
mod reader;
mod tests_only;
#[cfg(test)]
mod trials;
mod use_tree;

pub(crate) use reader::read;

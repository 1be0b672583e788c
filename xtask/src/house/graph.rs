//! Cycles in a graph of things that use one another.

use std::collections::{BTreeMap, BTreeSet};

/// Who uses whom; every name that is used stands among the keys or uses nothing.
pub(super) type Uses = BTreeMap<String, BTreeSet<String>>;

/// The groups of at least two in which each reaches each other, sorted.
pub(super) fn cycles(uses: &Uses) -> Vec<Vec<String>> {
    let mut search = Search { uses, order: BTreeMap::new(), open: Vec::new(), found: Vec::new() };
    for name in uses.keys() {
        if !search.order.contains_key(name.as_str()) {
            search.visit(name);
        }
    }
    search.found.sort();
    search.found
}

/// R. Tarjan, *Depth-first search and linear graph algorithms* (1972).
struct Search<'g> {
    uses: &'g Uses,
    order: BTreeMap<&'g str, usize>,
    open: Vec<&'g str>,
    found: Vec<Vec<String>>,
}

impl<'g> Search<'g> {
    fn visit(&mut self, name: &'g str) -> usize {
        let own = self.order.len();
        self.order.insert(name, own);
        let mut lowest = own;
        self.open.push(name);
        for next in self.uses.get(name).into_iter().flatten() {
            if !self.order.contains_key(next.as_str()) {
                lowest = lowest.min(self.visit(next));
            } else if self.open.contains(&next.as_str()) {
                lowest = lowest.min(self.order[next.as_str()]);
            }
        }
        if lowest == own
            && let Some(start) = self.open.iter().position(|open| *open == name)
        {
            let mut group: Vec<String> = self.open.drain(start..).map(str::to_owned).collect();
            group.sort();
            if group.len() > 1 {
                self.found.push(group);
            }
        }
        lowest
    }
}

/// Everything that `start` uses, directly or by others, without itself, sorted.
pub(super) fn reached(uses: &Uses, start: &str) -> Vec<String> {
    let mut seen = BTreeSet::from([start.to_owned()]);
    let mut next = vec![start.to_owned()];
    while let Some(name) = next.pop() {
        for used in uses.get(&name).into_iter().flatten() {
            if seen.insert(used.clone()) {
                next.push(used.clone());
            }
        }
    }
    seen.remove(start);
    seen.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(edges: &[(&str, &str)]) -> Uses {
        let mut uses = Uses::new();
        for (from, to) in edges {
            uses.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        uses
    }

    #[test]
    fn no_cycle_in_a_diamond() {
        assert!(cycles(&uses(&[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])).is_empty());
    }

    #[test]
    fn every_cycle_is_one_group() {
        let graph = uses(&[("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "c"), ("e", "f")]);
        assert_eq!(cycles(&graph), [vec!["a", "b"], vec!["c", "d", "e"]]);
    }

    #[test]
    fn what_is_reached() {
        assert_eq!(reached(&uses(&[("a", "b"), ("b", "a"), ("b", "c"), ("d", "a")]), "a"), ["b", "c"]);
    }
}

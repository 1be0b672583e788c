//! The boxes that a search for something near has yet to look at: those of the node opened last first, and of one node
//! the nearest first.
//!
//! A box of a node is put where it belongs by counting how many of the others are nearer, eight comparisons at once: to
//! sort them one by one would branch on numbers that nothing predicts.

use crate::math::simd::{F32x8, Simd, Vector};
use crate::tree::nodes::{Child, WIDTH};

/// Boxes held without the heap.
const HELD: usize = 64;

/// Boxes to look at, each with a bound `K`.
pub(crate) struct NearestFirst<K> {
    held: [(K, Child); HELD],
    len: usize,
    /// What was put there before all that is held.
    before: Vec<(K, Child)>,
}

impl<K: Copy + Default> NearestFirst<K> {
    /// What is below the child of a root.
    #[inline(always)]
    pub(crate) fn new(root: Child) -> NearestFirst<K> {
        let mut held = [(K::default(), Child::node(0)); HELD];
        held[0].1 = root;
        NearestFirst { held, len: 1, before: Vec::new() }
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<(K, Child)> {
        if self.len == 0 {
            return self.before.pop();
        }
        self.len -= 1;
        Some(self.held[self.len % HELD])
    }

    /// Adds the children in the set bits of `wanted`; the one with the least `order` comes next. One below 0, or that
    /// is not a number, counts as 0; the last bits do not count.
    #[inline(always)]
    pub(crate) fn push<S: Simd>(
        &mut self,
        mut wanted: u32,
        order: S::F32x8,
        bounds: &[K; WIDTH],
        children: &[Child; WIDTH],
    ) {
        if self.len + WIDTH > HELD {
            self.before.extend_from_slice(&self.held[..self.len]);
            self.len = 0;
        }
        // No two are equal then: of boxes that are equally near, the first comes first.
        let order = order.max(S::F32x8::splat(0.0)).min(S::F32x8::splat(f32::MAX)).tag(&[0, 1, 2, 3, 4, 5, 6, 7]);
        let (all, orders) = (wanted, order.array());
        while wanted != 0 {
            let k = wanted.trailing_zeros() as usize % WIDTH;
            wanted &= wanted - 1;
            let later = (all & !order.le(S::F32x8::splat(orders[k]))).count_ones() as usize;
            self.held[(self.len + later) % HELD] = (bounds[k], children[k]);
        }
        self.len += all.count_ones() as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::{Kernel, dispatch};

    struct Pushed<'a>(&'a mut NearestFirst<f32>, u32, [f32; WIDTH], u32);
    impl Kernel for Pushed<'_> {
        type Output = ();
        fn run<S: Simd>(self) {
            let children: Vec<Child> = (0..WIDTH).map(|k| Child::node(self.3 as usize * WIDTH + k)).collect();
            let children = <[Child; WIDTH]>::try_from(children).unwrap();
            self.0.push::<S>(self.1, S::F32x8::load(&self.2), &self.2, &children);
        }
    }

    #[test]
    fn comes_in_the_order_of_a_sorted_stack() {
        let mut state = 9u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let mut open = NearestFirst::new(Child::node(0));
        let mut stack = vec![(0.0, Child::node(0))];
        let mut deepest = 0;
        for round in 1..4000 {
            // Many are equal, and slots that are not wanted may hold anything.
            let bounds = [(); WIDTH].map(|()| [f32::INFINITY, draw(6) as f32][usize::from(draw(5) > 0)]);
            let wanted = draw(256) as u32 & draw(256) as u32;
            dispatch(Pushed(&mut open, wanted, bounds, round));
            let mut new: Vec<usize> = (0..WIDTH).filter(|k| wanted >> k & 1 == 1).collect();
            new.sort_by(|&i, &j| bounds[i].total_cmp(&bounds[j]));
            stack.extend(new.iter().rev().map(|&k| (bounds[k], Child::node(round as usize * WIDTH + k))));
            deepest = deepest.max(stack.len());
            for _ in 0..draw(if round % 400 < 200 { 3 } else { 7 }) {
                assert_eq!(open.pop(), stack.pop(), "{round}");
            }
        }
        while let Some(next) = stack.pop() {
            assert_eq!(open.pop(), Some(next));
        }
        assert!(open.pop().is_none() && deepest > 2 * HELD, "{deepest}");
    }
}

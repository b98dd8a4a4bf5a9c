//! Sorted lists of pairs.

use crate::key::Key;

/// If the greatest key is more than this many times the number of pairs, sorting by comparison is
/// faster.
const SPAN: usize = 8;

/// Fewer pairs than this are sorted by comparison.
const FEW: usize = 64;

/// Memory that sorting reuses, so that a steady frame allocates nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    starts: Vec<u32>,
    copy: Vec<(Key, Key)>,
}

impl Sorter {
    pub(super) fn memory(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.copy.capacity() * size_of::<(Key, Key)>()
    }

    pub(super) fn capacity(&self) -> usize {
        self.copy.capacity()
    }

    pub(super) fn shrink_to(&mut self, capacity: usize) {
        self.copy.clear();
        self.copy.shrink_to(capacity);
    }

    /// Sorts by the first key, then by the second; no key is greater than `greatest`.
    ///
    /// A counting sort by the second key and then by the first; both are stable (Knuth, "The Art of
    /// Computer Programming", vol. 3, 5.2.5).
    pub(super) fn sort(&mut self, pairs: &mut [(Key, Key)], greatest: usize) {
        if pairs.len() < FEW || greatest / SPAN > pairs.len() || pairs.len() > u32::MAX as usize {
            pairs.sort_unstable_by_key(|&pair| rank(pair));
            return;
        }
        let Self { starts, copy } = self;
        copy.clear();
        copy.resize(pairs.len(), (0, 0));
        distribute(pairs, copy, |pair| pair.1 as usize, starts, greatest);
        distribute(copy, pairs, |pair| pair.0 as usize, starts, greatest);
    }
}

/// Copies pairs in the order of a key; pairs with equal keys keep their order.
fn distribute(
    from: &[(Key, Key)],
    to: &mut [(Key, Key)],
    key: impl Fn(&(Key, Key)) -> usize,
    starts: &mut Vec<u32>,
    greatest: usize,
) {
    starts.clear();
    starts.resize(greatest + 2, 0);
    for pair in from {
        starts[key(pair) + 1] += 1;
    }
    let mut sum = 0;
    for start in &mut *starts {
        sum += *start;
        *start = sum;
    }
    for pair in from {
        let start = &mut starts[key(pair)];
        to[*start as usize] = *pair;
        *start += 1;
    }
}

/// A pair as one number, in the same order: one comparison instead of two.
#[inline]
fn rank((a, b): (Key, u32)) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// The first index at or after `start` whose pair is not less than `than`.
///
/// An exponential search (Bentley and Yao, "An almost optimal algorithm for unbounded searching",
/// 1976): the index is usually close to `start`, and so in the cache.
fn first_from(pairs: &[(Key, u32)], start: usize, than: (Key, u32)) -> usize {
    let (mut low, mut step) = (start, 1);
    let is_less = |&pair: &(Key, u32)| rank(pair) < rank(than);
    while pairs.get(low + step - 1).is_some_and(is_less) {
        low += step;
        step *= 2;
    }
    let end = pairs.len().min(low + step);
    low + pairs[low..end].partition_point(is_less)
}

/// The first index whose pair is not less than `than`, searched for backwards from `end`. The pairs
/// at `end` and behind are not less.
fn first_up_to(pairs: &[(Key, u32)], end: usize, than: (Key, u32)) -> usize {
    let (mut high, mut step) = (end, 1);
    let is_less = |&pair: &(Key, u32)| rank(pair) < rank(than);
    while high >= step && !is_less(&pairs[high - step]) {
        high -= step;
        step *= 2;
    }
    let low = high.saturating_sub(step);
    low + pairs[low..high].partition_point(is_less)
}

/// Removes those of `others` that are in `pairs`; both are sorted. Bits in `ignored_bits` of the
/// second numbers of `pairs` are not compared.
pub(super) fn remove_sorted(pairs: &mut Vec<(Key, u32)>, others: &[(Key, u32)], ignored_bits: u32) {
    let Some(first) = others.first() else {
        return;
    };
    // `from` is the first pair that is not less than the next one to remove, `to` the place where
    // it goes.
    let mut from = first_from(pairs, 0, *first);
    let mut to = from;
    for (index, &other) in others.iter().enumerate() {
        let found = pairs.get(from).map(|&(a, b)| (a, b & !ignored_bits));
        let start = from + usize::from(found == Some(other));
        from = match others.get(index + 1) {
            Some(&next) => first_from(pairs, start, next),
            None => pairs.len(),
        };
        pairs.copy_within(start..from, to);
        to += from - start;
    }
    pairs.truncate(to);
}

/// Inserts sorted pairs into sorted pairs.
pub(super) fn insert_sorted(pairs: &mut Vec<(Key, Key)>, others: &[(Key, Key)]) {
    let mut left = pairs.len();
    pairs.extend_from_slice(others);
    let mut place = pairs.len();
    for &other in others.iter().rev() {
        let before = first_up_to(pairs, left, other);
        let after = left - before;
        pairs.copy_within(before..left, place - after);
        place -= after + 1;
        pairs[place] = other;
        left = before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_and_comparing_agree() {
        let mut state = 1_u64;
        let mut key = |span: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % span) as Key
        };
        let mut sorter = Sorter::default();
        for (count, span) in [(0, 1), (1, 1), (63, 10), (64, 10), (1000, 30), (1000, 9000)] {
            let mut pairs: Vec<_> = (0..count).map(|_| (key(span), key(span))).collect();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            sorter.sort(&mut pairs, span as usize - 1);
            assert_eq!(pairs, expected, "{count} of {span}");
        }
    }

    #[test]
    fn pairs_are_put_in_and_taken_out_again() {
        let all: Vec<(Key, u32)> = (0..40).map(|n| (n / 7, n % 7 * 2)).collect();
        for step in 1..40 {
            for start in 0..step {
                let others: Vec<_> = all.iter().copied().skip(start).step_by(step).collect();
                let marked = |pairs: &[(Key, u32)]| -> Vec<_> {
                    pairs.iter().map(|&(a, b)| (a, b | a & 1)).collect()
                };
                let mut pairs = marked(&all);
                remove_sorted(&mut pairs, &others, 1);
                assert_eq!(pairs.len(), all.len() - others.len());
                // Pairs that are absent, or differ in a bit that is compared, stay.
                let rest = pairs.clone();
                remove_sorted(&mut pairs, &others, 1);
                assert_eq!(pairs, rest);
                insert_sorted(&mut pairs, &marked(&others));
                assert_eq!(pairs, marked(&all));
                let odd: Vec<_> = all.iter().filter(|pair| pair.0 & 1 != 0).copied().collect();
                remove_sorted(&mut pairs, &odd, 0);
                assert_eq!(pairs, marked(&all));
            }
        }
    }
}

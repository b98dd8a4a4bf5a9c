//! Pairs in order.

use crate::Key;

/// If the keys span more than this many times the number of pairs, comparing is faster.
const SPAN: usize = 8;

/// Fewer pairs than this are compared, too.
const FEW: usize = 64;

/// What sorting keeps between frames, so that a steady frame allocates nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorter {
    starts: Vec<u32>,
    copy: Vec<(Key, Key)>,
}

impl Sorter {
    pub(super) fn memory(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.copy.capacity() * size_of::<(Key, Key)>()
    }

    /// Sorts by the first key, then by the second; no key is greater than `greatest`.
    ///
    /// Counting sort by the second key, then by the first, which leaves equal ones as they are
    /// (Knuth, "The Art of Computer Programming", vol. 3, 5.2.5).
    pub(super) fn sort(&mut self, pairs: &mut [(Key, Key)], greatest: usize) {
        if pairs.len() < FEW || greatest / SPAN > pairs.len() || pairs.len() > u32::MAX as usize {
            pairs.sort_unstable_by_key(|&(a, b)| u64::from(a) << 32 | u64::from(b));
            return;
        }
        let Self { starts, copy } = self;
        copy.clear();
        copy.resize(pairs.len(), (0, 0));
        distribute(pairs, copy, |pair| pair.1 as usize, starts, greatest);
        distribute(copy, pairs, |pair| pair.0 as usize, starts, greatest);
    }
}

/// Copies pairs in the order of a key; those of equal keys stay in their order.
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
}

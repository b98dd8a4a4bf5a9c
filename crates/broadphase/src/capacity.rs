//! When lists that are kept from frame to frame give memory back.

/// So many elements are kept whatever the need: a small list is not worth giving back.
const LEAST: usize = 1024;

/// A list with more than this many times the elements that it needs has spare capacity.
const SPARE: usize = 4;

/// A list with more than this many times what it needs holds what a crowd left.
const LEFT_OVER: usize = 64;

/// After so many frames with spare capacity it is given back: so a list that grows and shrinks from
/// frame to frame keeps what it needs at most, and a steady frame allocates nothing.
const FRAMES: u32 = 16;

/// A frame with capacity left over by a crowd counts for so many.
const LEFT_OVER_FRAMES: u32 = 8;

/// Counts the frames in which a list had spare capacity.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpareCapacity {
    frames: u32,
}

impl SpareCapacity {
    /// Ends a frame in which `capacity` elements were held and `needed` were used: whether the list had
    /// better shrink to [`capacity_for`] them.
    #[inline]
    pub fn is_excess(&mut self, needed: usize, capacity: usize) -> bool {
        let needed = needed.max(LEAST);
        if capacity <= SPARE * needed {
            self.frames = 0;
            return false;
        }
        let is_left_over = capacity > LEFT_OVER * needed;
        self.frames += if is_left_over { LEFT_OVER_FRAMES } else { 1 };
        let is_excess = self.frames >= FRAMES;
        if is_excess {
            self.frames = 0;
        }
        is_excess
    }
}

/// The capacity to which a list shrinks that needs so many elements.
#[inline]
#[must_use]
pub fn capacity_for(needed: usize) -> usize {
    2 * needed.max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_now_and_then_is_kept() {
        let mut spare = SpareCapacity::default();
        for frame in 0..1000 {
            let needed = if frame % 15 == 0 { 100_000 } else { 20_000 };
            assert!(!spare.is_excess(needed, 131_072));
        }
    }

    #[test]
    fn what_a_crowd_needed_is_given_back() {
        let mut spare = SpareCapacity::default();
        let frames = (1..).find(|_| spare.is_excess(0, 1 << 20));
        assert_eq!(frames, Some(2));
        let frames = (1..).find(|_| spare.is_excess(20_000, 100_000));
        assert_eq!(frames, Some(16));
        assert!((0..1000).all(|_| !spare.is_excess(0, capacity_for(0))));
    }
}

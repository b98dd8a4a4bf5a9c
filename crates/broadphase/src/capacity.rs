//! When lists that are reused from frame to frame release capacity.

/// Capacity for this many elements is always kept: releasing less is not worth the trouble.
const LEAST: usize = 1024;

/// A list has spare capacity if it holds more than this many times what it needs.
const SPARE: usize = 4;

/// A list with more than this many times what it needs is left over from a crowd, and is released
/// sooner.
const LEFT_OVER: usize = 64;

/// Spare capacity is released after this many frames. A list whose length varies from frame to
/// frame thus keeps its greatest capacity, and a steady frame allocates nothing.
const FRAMES: u32 = 16;

/// A frame with left-over capacity counts as this many frames with spare capacity.
const LEFT_OVER_FRAMES: u32 = 8;

/// Counts the frames in which a list had spare capacity.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpareCapacity {
    frames: u32,
}

impl SpareCapacity {
    /// Ends a frame in which the list had this capacity and needed so much of it. Returns whether
    /// the list should shrink to [`capacity_for`] what it needs.
    #[inline]
    pub(crate) fn is_excess(&mut self, needed: usize, capacity: usize) -> bool {
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

/// The capacity to which a list that needs so many elements shrinks.
#[inline]
#[must_use]
pub(crate) fn capacity_for(needed: usize) -> usize {
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

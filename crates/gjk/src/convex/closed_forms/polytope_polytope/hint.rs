//! What was nearest when a pair was last measured.

use core::sync::atomic::{AtomicU32, Ordering};

use clearance_math::Vector;
use clearance_math::internal::MapEach;

use super::difference::{FeatureCorner, Features};
use super::polytope::BoundaryPolytope;

/// Where it is kept what was nearest of a pair, or of two that share the place.
#[derive(Debug, Default)]
pub struct HintPlace([AtomicU32; 2]);

/// Where the search for the distance of a pair begins: at what was nearest when it was last measured.
///
/// It saves time where that still is nearest, and never changes an answer, whatever is in it, but for the lower bound of
/// pairs that are out of range: so one place may serve several pairs by turns, and threads may use it at the same time.
/// Its memory is not touched before it is used: most pairs are of shapes that need none.
#[derive(Clone, Copy, Debug)]
pub struct Hint<'a> {
    place: &'a HintPlace,
    /// Bits by which most other pairs are told from this one, above those of the features.
    tag: u32,
}

/// Bits of a number of a corner, edge or face.
const BITS: u32 = 8;

/// Bits of features: two numbers and which of them are what.
const FEATURES: u32 = 2 * BITS + 3;

impl HintPlace {
    /// The hint of a pair by a number that few pairs share, of which the upper bits count.
    #[inline(always)]
    pub fn hint(&self, number: u32) -> Hint<'_> {
        let tag = number >> FEATURES << FEATURES;
        Hint { place: self, tag }
    }
}

impl Hint<'_> {
    /// Keeps the features of a pair in canonical order.
    #[inline(always)]
    pub(super) fn set(self, features: Features) {
        let (kind, [first, second]) = match features {
            Features::FaceCorner(at) => (1 + at.of, [at.feature, at.corner]),
            Features::Edges(edges) => (3, edges),
            Features::EdgeCorner(at) => (4 + at.of, [at.feature, at.corner]),
            Features::Corners(corners) => (6, corners),
        };
        // The number of a boundary's edges, of which there are most, has so many bits.
        debug_assert!(first.max(second) < 1 << BITS);
        let number = (kind as u32) << (2 * BITS) | u32::from(first) << BITS | u32::from(second);
        self.put(self.tag | number);
    }

    #[inline(always)]
    fn put(self, kept: u32) {
        let (entry, before) = self.entry();
        // A store would take the line of the cache from other threads.
        if before != kept {
            entry.store(kept, Ordering::Relaxed);
        }
    }

    /// The entry of the pair and what is in it: the one that is its own, else a free one, else one by its tag.
    #[inline(always)]
    fn entry(&self) -> (&AtomicU32, u32) {
        let [first, second] = &self.place.0;
        let kept = [first, second].map_each(|entry| entry.load(Ordering::Relaxed));
        let is_second = if self.is_of(kept[0]) || self.is_of(kept[1]) {
            !self.is_of(kept[0])
        } else if kept[0] == 0 || kept[1] == 0 {
            kept[0] != 0
        } else {
            self.tag >> FEATURES & 1 == 1
        };
        if is_second {
            (second, kept[1])
        } else {
            (first, kept[0])
        }
    }

    /// Whether what is kept is of such a pair.
    #[inline(always)]
    fn is_of(&self, kept: u32) -> bool {
        kept != 0 && (kept ^ self.tag) >> FEATURES == 0
    }

    #[inline(always)]
    pub(super) fn is_set(self) -> bool {
        self.is_of(self.entry().1)
    }

    /// Keeps nothing.
    #[inline(always)]
    pub(super) fn clear(self) {
        self.put(0);
    }

    /// What was kept, if both polytopes have such features.
    #[inline(always)]
    pub(super) fn get<V: Vector>(
        self,
        polytopes: &[BoundaryPolytope<'_, V>; 2],
    ) -> Option<Features> {
        let number = self.entry().1 & ((1 << FEATURES) - 1);
        let [first, second] = [number >> BITS, number].map_each(|number| number as u16 & 0xff);
        let kind = number >> (2 * BITS);
        let of = usize::from(kind == 2 || kind == 5);
        let [own, other] = [&polytopes[of], &polytopes[1 - of]];
        let at = FeatureCorner::new(of, first, second);
        let (features, [firsts, seconds]) = match kind {
            1 | 2 => (
                Features::FaceCorner(at),
                [own.planes.len(), other.corners.len()],
            ),
            3 => (
                Features::Edges([first, second]),
                [own.edges.len(), other.edges.len()],
            ),
            4 | 5 => (
                Features::EdgeCorner(at),
                [own.edges.len(), other.corners.len()],
            ),
            6 => (
                Features::Corners([first, second]),
                [own.corners.len(), other.corners.len()],
            ),
            _ => return None,
        };
        let is_there = usize::from(first) < firsts && usize::from(second) < seconds;
        is_there.then_some(features)
    }
}

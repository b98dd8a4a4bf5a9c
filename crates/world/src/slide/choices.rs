//! The shortest way that leads beyond one plane of each of several bodies.
//!
//! A convex body is left on the far side of any plane that touches it: one of them is enough, and which one is a choice for
//! each body. All that were seen are tried together, by branch and bound.

use arrayvec::ArrayVec;
use clearance_math::internal::insertion_sort;
use clearance_math::{PreciseVector, tolerances};

use super::planes::{Plane, Planes};
use crate::BodyId;

/// How many planes are kept.
const MOST_CHOICES: usize = 256;

/// How many sets of planes are tried, at most.
const MOST_TRIED: usize = 1024;

/// How many of one body are tried.
const MOST_OF_BODY: usize = 32;

/// By how much a way may fail to lead beyond a plane, relative to the lengths that take part: by more than planes that are
/// solved for.
const ROUNDING: f64 = 4.0 * tolerances::SLIDE_PLANE_SLACK;

/// How nearly equal the normals of two planes are of which one is enough, as a cosine.
const SAME_NORMAL: f64 = 1.0 - 1e-9;

/// A body, its part, and the part of what is pushed.
pub(super) type Key = (BodyId, u32, u32);

/// Planes that touch bodies, those of each body behind one another.
pub(super) struct Choices<P> {
    planes: ArrayVec<(Key, Plane<P>), MOST_CHOICES>,
}

/// The best way so far.
struct BestWay<P> {
    way: Option<P>,
    length: f64,
    tried: usize,
}

impl<P: PreciseVector> Choices<P> {
    pub(super) fn none() -> Self {
        Self {
            planes: ArrayVec::new(),
        }
    }

    pub(super) fn add(&mut self, key: Key, plane: Plane<P>) {
        let mut end = self.planes.len();
        for (place, (other, known)) in self.planes.iter().enumerate() {
            if *other == key {
                end = place + 1;
                if known.normal.dot(plane.normal) > SAME_NORMAL {
                    return;
                }
            }
        }
        if !self.planes.is_full() {
            self.planes.insert(end, (key, plane));
        }
    }

    /// A way shorter than `most` beyond a plane of each body: the shortest of those that were tried.
    pub(super) fn shortest(&self, most: f64) -> Option<P> {
        let mut search = BestWay {
            way: None,
            length: most,
            tried: 0,
        };
        self.search(P::ZERO, &Planes::none(), &mut search);
        search.way
    }

    fn search(&self, way: P, planes: &Planes<P>, search: &mut BestWay<P>) {
        let Some(own) = self.planes_of_worst(way) else {
            (search.way, search.length) = (Some(way), way.length());
            return;
        };
        if planes.is_full() {
            return;
        }
        let mut next = ArrayVec::<(f64, Plane<P>), MOST_OF_BODY>::new();
        for (_, plane) in own.iter().take(MOST_OF_BODY) {
            search.tried += 1;
            if let Some(way) = planes.with(*plane).nearest(P::ZERO) {
                next.push((way.length(), *plane));
            }
        }
        insertion_sort(&mut next, |one, other| one.0 < other.0);
        for (length, plane) in next {
            if length < search.length && search.tried < MOST_TRIED {
                let planes = planes.with(plane);
                if let Some(way) = planes.nearest(P::ZERO) {
                    self.search(way, &planes, search);
                }
            }
        }
    }

    /// The planes of the body that a way leads into deepest, if it does into any.
    fn planes_of_worst(&self, way: P) -> Option<&[(Key, Plane<P>)]> {
        let missing = |(_, plane): &(Key, Plane<P>)| plane.bound - plane.normal.dot(way);
        let mut worst = None;
        let mut most: f64 = 0.0;
        for own in self.planes.chunk_by(|one, other| one.0 == other.0) {
            let least = own.iter().map(missing).fold(f64::INFINITY, f64::min);
            let slack = own
                .iter()
                .fold(way.length(), |sum, (_, plane)| sum.max(plane.bound.abs()));
            if least > most.max(ROUNDING * slack) {
                (worst, most) = (Some(own), least);
            }
        }
        worst
    }
}

//! The way that leads nearest to where a shape wants to go, with planes that must not be crossed.
//!
//! All planes are taken together, instead of one after another: in a corner the answer is the corner itself, whatever
//! its angle, and not a place between the walls that changes from frame to frame. One plane, the line of two, or the
//! corner of three decides it, so all of these are tried.

use clearance_math::PreciseVector;
pub(super) use clearance_math::internal::Plane;
use clearance_math::internal::nearest_allowed;

/// The most planes that are kept. More than three never decide, and older ones lie behind.
const MOST: usize = 12;

/// Room for them, and for the floor.
const ROOM: usize = MOST + 1;

/// How far a way leads at most for what planes demand, relative to that. Between planes that nearly face each other it
/// would lead ever farther.
const FARTHEST: f64 = 2.0;

/// How much cheaper the vertical is than the horizontal, for a shape that walks: squared, it is the part of its speed
/// that a slope of 45 degrees takes away.
const VERTICAL: f64 = 1.0 / 64.0;

/// The plane, without demanding a motion.
fn without_pushing<P: PreciseVector>(plane: Plane<P>) -> Plane<P> {
    Plane {
        bound: plane.bound.min(0.0),
        ..plane
    }
}

/// Some planes, the oldest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planes<P> {
    planes: [Plane<P>; ROOM],
    /// How far the shape went since a plane was found.
    ages: [f64; ROOM],
    count: usize,
}

impl<P: PreciseVector> Planes<P> {
    pub(super) fn none() -> Self {
        Self {
            planes: [Plane::default(); ROOM],
            ages: [0.0; ROOM],
            count: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn is_full(&self) -> bool {
        self.count == MOST
    }

    pub(super) fn add(&mut self, plane: Plane<P>) {
        if self.is_full() {
            self.remove(0);
        }
        self.planes[self.count] = plane;
        self.ages[self.count] = 0.0;
        self.count += 1;
    }

    /// The planes and one more.
    pub(super) fn with(&self, plane: Plane<P>) -> Self {
        let mut planes = *self;
        planes.add(plane);
        planes
    }

    fn remove(&mut self, index: usize) {
        self.planes.copy_within(index + 1..self.count, index);
        self.ages.copy_within(index + 1..self.count, index);
        self.count -= 1;
    }

    /// Takes over that the shape went some way, and forgets planes that were found longer ago than `longest`.
    pub(super) fn went(&mut self, way: P, longest: f64) {
        let length = way.length();
        for index in (0..self.count).rev() {
            let plane = &mut self.planes[index];
            plane.bound -= plane.normal.dot(way);
            if plane.leeway > 0.0 {
                *plane = without_pushing(*plane);
            }
            self.ages[index] += length;
            if self.ages[index] > longest {
                self.remove(index);
            }
        }
    }

    /// The way nearest to `wanted` that all planes allow. `None` if they allow none.
    pub(super) fn nearest(&self, wanted: P) -> Option<P> {
        nearest_allowed(&self.planes[..self.count], wanted)
    }

    /// The way nearest to `wanted` that all planes allow, for a shape that moves freely. Where there is no room to get
    /// away from all of them, or only far away, it stays as near to them as it is.
    pub(super) fn free_way(&self, wanted: P) -> P {
        let planes = self.planes[..self.count].iter();
        let demanded = planes.fold(0.0, |most: f64, plane| most.max(plane.bound));
        let longest = wanted.length() + FARTHEST * demanded;
        let way = self.nearest(wanted).filter(|way| way.length() <= longest);
        way.or_else(|| self.without_pushing().nearest(wanted))
            .unwrap_or(P::ZERO)
    }

    /// The way nearest to `wanted` for a shape that walks: slopes lift it and do not slow it down, and nothing pushes
    /// it down.
    pub(super) fn walking_way(&self, wanted: P, up: P) -> P {
        let squeeze = |way: P| way + up * ((VERTICAL - 1.0) * up.dot(way));
        let mut scaled = *self;
        scaled.planes[scaled.count] = Plane::new(up, 0.0);
        scaled.count += 1;
        for plane in &mut scaled.planes[..self.count] {
            let normal = plane.normal + up * ((1.0 / VERTICAL - 1.0) * up.dot(plane.normal));
            let length = normal.length();
            *plane = Plane {
                normal: normal / length,
                bound: plane.bound / length,
                leeway: plane.leeway / length,
            };
        }
        let way = scaled.free_way(squeeze(wanted));
        way + up * ((1.0 / VERTICAL - 1.0) * up.dot(way))
    }

    /// The planes, each demanding so much less.
    pub(super) fn relaxed(&self, less: f64) -> Self {
        let mut planes = *self;
        for plane in &mut planes.planes[..self.count] {
            plane.bound -= less;
        }
        planes
    }

    /// The planes without any that demand a motion.
    fn without_pushing(&self) -> Self {
        let mut planes = *self;
        for plane in &mut planes.planes[..self.count] {
            *plane = without_pushing(*plane);
        }
        planes
    }
}

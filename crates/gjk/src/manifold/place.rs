//! Places on the parts of surfaces that face each other.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{Number, Simd, f64x4};

/// What a corner of the common part is on one of the two parts of surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A corner, by its place in the list of corners.
    Corner(u8),
    /// A point of the side from this corner to the next.
    Side(u8),
    /// A point within.
    Inside,
}

impl Place {
    /// A number by which places are ordered.
    #[inline(always)]
    pub(super) const fn number(self) -> u32 {
        match self {
            Self::Corner(number) => number as u32,
            Self::Side(number) => SIDE + number as u32,
            Self::Inside => INSIDE,
        }
    }

    #[inline(always)]
    pub(super) fn of_number(number: u32) -> Self {
        if number < SIDE {
            Self::Corner(number as u8)
        } else if number < INSIDE {
            Self::Side((number - SIDE) as u8)
        } else {
            Self::Inside
        }
    }
}

/// The number of the first side.
const SIDE: u32 = 1 << 8;

/// The number of a point within.
pub(super) const INSIDE: u32 = 2 << 8;

/// The weights of the lesser and of the greater number of two places in what orders them.
const LESSER: u32 = 1 << 20;
const GREATER: u32 = 1 << 10;

/// What a corner of the common part is on each of the two parts, packed into the number by which corners are ordered: first
/// by the lesser place, then by the greater one, at last by that on a. So the order hardly depends on which shape is a, as
/// that can change from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Places(u32);

impl Places {
    #[inline(always)]
    pub(super) fn of(places: [Place; 2]) -> Self {
        let [a, b] = places.map_each(Place::number);
        Self(a.min(b) * LESSER + a.max(b) * GREATER + a)
    }

    #[inline(always)]
    pub(super) fn both(self) -> [Place; 2] {
        let a = self.0 % GREATER;
        let b = self.0 / LESSER + self.0 / GREATER % (LESSER / GREATER) - a;
        [a, b].map_each(Place::of_number)
    }

    /// The same as a number for lanes.
    #[inline(always)]
    pub(super) fn lane(self) -> f64 {
        f64::from(self.0)
    }

    /// The places in a lane.
    #[inline(always)]
    pub(super) fn of_lane(lane: f64) -> Self {
        Self(lane as u32)
    }

    /// Corners on one side, by their numbers, that lie within the other part.
    #[inline(always)]
    pub(super) fn corners<F: Number>(numbers: F, side: usize) -> F {
        Self::on(numbers, F::splat(numbers.set(), f64::from(INSIDE)), side)
    }

    /// Where sides of the part on one side are cut by sides of the other part, by their numbers.
    #[inline(always)]
    pub(super) fn crossings<S: Simd>(sides: f64x4<S>, others: f64x4<S>, side: usize) -> f64x4<S> {
        Self::on(sides + f64::from(SIDE), others + f64::from(SIDE), side)
    }

    /// What has these numbers on the part on one side, and on the other one.
    #[inline(always)]
    fn on<F: Number>(own: F, other: F, side: usize) -> F {
        order(if side == 0 {
            [own, other]
        } else {
            [other, own]
        })
    }
}

/// The number of [`Places`], from those of two places.
#[inline(always)]
pub(super) fn order<F: Number>([a, b]: [F; 2]) -> F {
    a.lesser(b) * f64::from(LESSER) + a.greater(b) * f64::from(GREATER) + a
}

#[cfg(test)]
mod tests {
    use clearance_math::internal::lanes::dispatch;

    use super::*;

    #[test]
    fn places_are_read_as_they_were_written_also_in_lanes() {
        let all = (0..16)
            .flat_map(|k| [Place::Corner(k), Place::Side(k)])
            .chain([Place::Inside]);
        for a in all.clone() {
            for b in all.clone() {
                let places = Places::of([a, b]);
                assert_eq!(places.both(), [a, b]);
                assert_eq!(Places::of_lane(places.lane()), places);
            }
        }
        for (own, other) in (0..16).flat_map(|own| (0..16).map(move |other| (own, other))) {
            let in_order = |side: usize, [own, other]: [Place; 2]| {
                Places::of(if side == 0 {
                    [own, other]
                } else {
                    [other, own]
                })
            };
            for side in [0, 1] {
                let [corner, crossing] = dispatch!(simd => in_lanes(simd, own, other, side));
                let wanted = in_order(side, [Place::Corner(own), Place::Inside]);
                assert_eq!(corner, wanted);
                let wanted = in_order(side, [Place::Side(own), Place::Side(other)]);
                assert_eq!(crossing, wanted);
            }
        }
    }

    #[inline(always)]
    fn in_lanes<S: Simd>(simd: S, own: u8, other: u8, side: usize) -> [Places; 2] {
        let [own, other] = [own, other].map_each(|k| f64x4::splat(simd, f64::from(k)));
        let lanes = [
            Places::corners(own, side),
            Places::crossings(own, other, side),
        ];
        lanes.map_each(|lanes| Places::of_lane(lanes.lane(3)))
    }
}

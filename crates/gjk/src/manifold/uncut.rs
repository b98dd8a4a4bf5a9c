//! Sides in the plane that wait to be cut: those of the pairs of a list are cut together.

use arrayvec::ArrayVec;
use clearance_math::internal::lanes::{Condition, Lanes, MatricesInLanes, Number, VectorsInLanes};
use clearance_math::internal::{MapEach, map_lanes};
use clearance_math::{Matrix, PreciseVector, Real, RelativePose, Vector};

use super::answer::Manifold;
use super::ends::Closest;
use super::facing::Facing;
use super::in_plane::{CutSides, PosesInLanes, SideFeatures, SidesInLanes, Touching};
use super::sides::OrderedShapes;
use crate::answer::Measured;
use crate::pair::Exchange;

/// Where the manifold of a pair goes: its points, but for those of sides in the plane, which are cut for many pairs at once.
pub(crate) struct Room<'m, V: Vector> {
    pub(crate) manifold: &'m mut Manifold<V>,
    pub(crate) uncut: &'m mut Uncut<V::Precise>,
}

/// The most pairs whose sides are cut at once.
pub(crate) const MOST_UNCUT: usize = 32;

pub(crate) type Uncut<P> = ArrayVec<FacingSides<P>, MOST_UNCUT>;

impl<V: Vector> Manifold<V> {
    /// Lets a function fill the manifold of one pair.
    #[inline(always)]
    pub(crate) fn fill_by(&mut self, fill: impl FnOnce(Room<'_, V>)) {
        let mut uncut = Uncut::new();
        fill(Room {
            manifold: self,
            uncut: &mut uncut,
        });
        if const { V::DIM == 2 } {
            uncut.iter().for_each(|sides| sides.cut(self));
        }
    }
}

/// Two sides of shapes of the plane that face each other, of which at least one has ends.
#[derive(Clone, Copy)]
pub(crate) struct FacingSides<P: PreciseVector> {
    sides: [SideInPlane<P>; 2],
    /// Of the pair, in the frame of a.
    normal: P,
    on_a: P,
    distance: f64,
    within: f64,
    a_in_world: RelativePose<P>,
    exchange: Exchange,
}

/// A side of a shape, in the frame of a.
#[derive(Clone, Copy)]
struct SideInPlane<P> {
    /// Twice the same point of a half-space.
    ends: [P; 2],
    normal: P,
    is_endless: bool,
    features: SideFeatures,
}

impl<P: PreciseVector> SideInPlane<P> {
    #[inline(always)]
    fn new(facing: &Facing<P>) -> Self {
        let (ends, corners) = match facing.corners.as_slice() {
            [first, last] => ([first.point, last.point], [first.number, last.number]),
            _ => ([facing.origin; 2], [0; 2]),
        };
        Self {
            ends,
            normal: facing.normal,
            is_endless: facing.corners.is_empty(),
            features: SideFeatures {
                corners,
                face: facing.feature,
            },
        }
    }
}

impl<P: PreciseVector> FacingSides<P> {
    #[inline(always)]
    pub(super) fn new<V: Vector<Precise = P>>(
        shapes: &OrderedShapes<'_, V>,
        pair: &Measured<P>,
        within: Real,
        facing: [&Facing<P>; 2],
    ) -> Self {
        Self {
            sides: facing.map_each(SideInPlane::new),
            normal: pair.normal,
            on_a: pair.on_a,
            distance: pair.distance,
            within: f64::from(within),
            a_in_world: *shapes.a_in_world,
            exchange: shapes.exchange,
        }
    }

    /// What they are, for the points of the manifold.
    #[inline(always)]
    pub(crate) fn touching(&self) -> Touching {
        Touching {
            sides: self.sides.map_each(|side| side.features),
            exchange: self.exchange,
        }
    }

    /// Fills the manifold with what they have in common.
    #[inline]
    pub(crate) fn cut<V: Vector<Precise = P>>(&self, manifold: &mut Manifold<V>) {
        CutSides::of_pairs::<f64, P>((), [self]).fill(0, self.touching(), manifold);
    }
}

impl<F: Number, P: PreciseVector> SidesInLanes<F, P> {
    #[inline(always)]
    fn of<const N: usize>(set: F::Set, sides: [&SideInPlane<P>; N]) -> Self
    where
        F: Lanes<N>,
    {
        let is_endless = map_lanes(&sides, |side| f64::from(u8::from(side.is_endless)));
        Self {
            ends: [
                VectorsInLanes::from_lanes(set, |lane| sides[lane].ends[0]),
                VectorsInLanes::from_lanes(set, |lane| sides[lane].ends[1]),
            ],
            normal: VectorsInLanes::from_lanes(set, |lane| sides[lane].normal),
            is_endless: F::of_lanes(set, is_endless).is_above(0.5),
        }
    }
}

impl<const N: usize> CutSides<N> {
    /// What as many pairs as there are lanes have in common.
    #[inline(always)]
    pub(crate) fn of_pairs<F: Lanes<N>, P: PreciseVector>(
        set: F::Set,
        pairs: [&FacingSides<P>; N],
    ) -> Self {
        let number = |numbers: [f64; N]| F::of_lanes(set, numbers);
        let closest = Closest {
            normal: VectorsInLanes::from_lanes(set, |lane| pairs[lane].normal),
            on_a: VectorsInLanes::from_lanes(set, |lane| pairs[lane].on_a),
            distance: number(map_lanes(&pairs, |pair| pair.distance)),
            within: number(map_lanes(&pairs, |pair| pair.within)),
            has_ends: F::Mask::of_all(set, true),
        };
        let sides = [
            SidesInLanes::of(set, map_lanes(&pairs, |pair| &pair.sides[0])),
            SidesInLanes::of(set, map_lanes(&pairs, |pair| &pair.sides[1])),
        ];
        let columns = [0, 1, 1].map_each(|column: usize| {
            let of_lane = |lane: usize| pairs[lane].a_in_world.rotation.column(column);
            VectorsInLanes::from_lanes(set, of_lane)
        });
        let place = |lane: usize| pairs[lane].a_in_world.translation;
        let origin = VectorsInLanes::from_lanes(set, place);
        let a_in_world = PosesInLanes {
            rotation: MatricesInLanes { columns },
            origin,
        };
        Self::new(&closest, &sides, &a_in_world)
    }
}

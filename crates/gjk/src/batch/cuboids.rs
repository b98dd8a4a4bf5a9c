//! Four or eight pairs of cuboids at a time.

use clearance_math::internal::lanes::{Condition, Lanes, MatricesInLanes, Number, VectorsInLanes};
use clearance_math::internal::map_lanes;
use clearance_math::{PreciseVector, RelativePose, Rotation, Vector};
use clearance_shapes::Cuboid;

use super::of_cores::{OfCuboids, PlacedCore, of_lanes};
use crate::answer::{AnswersInLanes, AskedInLanes, MeasuredInLanes};
use crate::convex::closed_forms::cuboid_cuboid::Pair;
use crate::convex::method::just_beyond;
use crate::manifold::{
    Closest, CutSides, Manifold, PosesInLanes, SidesInLanes, SidesOfRectangles, Touching,
};
use crate::pair::Exchange;

/// What was found about pairs of cuboids.
pub(super) struct CuboidAnswers<F: Number, P> {
    /// The lanes that are proven to be out of range.
    is_farther: F::Mask,
    /// The lower bounds of the distances in these lanes.
    least: F,
    /// The lanes whose distances and points are known.
    is_found: F::Mask,
    /// The distances of the rounded shapes, in the frames of a.
    pub(super) measured: MeasuredInLanes<F, P>,
    a: CuboidSides<F, P>,
    half_b: VectorsInLanes<F, P>,
    radius_b: F,
    boxes: Pair<F, P>,
}

/// Measures as many pairs of cuboids as there are lanes, in 2D or in 3D.
#[inline(always)]
pub(super) fn measure<F: Lanes<N>, V: Vector, const N: usize>(
    set: F::Set,
    pairs: &[&OfCuboids<V>; N],
) -> CuboidAnswers<F, V::Precise> {
    let (a, b) = (
        CuboidSides::new(set, map_lanes(pairs, |pair| &pair.a)),
        CuboidSides::new(set, map_lanes(pairs, |pair| &pair.b)),
    );
    let radii = a.radius + b.radius;
    let boxes = Pair::<F, _>::new(
        [a.half, b.half],
        a.rotation.transposed_times(&b.rotation),
        a.rotation.apply_transposed(b.origin - a.origin),
        [a.size, b.size],
    );

    let ways = boxes.widest_gaps();
    let least = ways.gap - boxes.rounding;
    let within: F = of_lanes(set, pairs, |pair| just_beyond(pair.within));
    // The range is a little larger than required and the bounds a little wider than found, as for
    // one pair.
    let cores_within = within + radii + (within.abs() + radii) * (16.0 * f64::EPSILON);
    let slack = (least.abs() + radii) * (4.0 * f64::EPSILON);
    let is_farther = ways.is_apart() & least.is_above(cores_within);

    let (measured, is_found) = boxes.measured_along(&ways, !is_farther);
    CuboidAnswers {
        is_farther,
        least: least - radii - slack,
        is_found,
        measured: measured.with_radii(a.radius, b.radius),
        a,
        half_b: b.half,
        radius_b: b.radius,
        boxes,
    }
}

impl<F: Number, P: PreciseVector> CuboidAnswers<F, P> {
    /// The pose of a in the world in one lane.
    #[inline(always)]
    pub(super) fn a_in_world(&self, lane: usize) -> RelativePose<P> {
        RelativePose {
            rotation: self.a.rotation.lane(lane),
            translation: self.a.origin.lane(lane),
        }
    }

    /// The pose of b in the frame of a in one lane.
    #[inline(always)]
    pub(super) fn b_in_a(&self, lane: usize) -> RelativePose<P> {
        RelativePose {
            rotation: self.boxes.rotation.lane(lane),
            translation: self.boxes.translation.lane(lane),
        }
    }

    /// In the plane, what the sides that face each other have in common, and those of a and b.
    #[inline(always)]
    pub(super) fn cut_sides<const N: usize>(&self, within: F) -> CutRectangles<F, P, N>
    where
        F: Lanes<N>,
    {
        let Self {
            measured, a, boxes, ..
        } = self;
        let of_a = SidesOfRectangles::towards(measured.normal, a.half);
        let in_b = boxes.rotation.apply_transposed(measured.normal).negated();
        let of_b = SidesOfRectangles::towards(in_b, self.half_b);
        let none = F::Mask::of_all(within.set(), false);
        let up = of_a.normal * a.radius;
        let side_a = SidesInLanes {
            ends: [of_a.ends[0] + up, of_a.ends[1] + up],
            normal: of_a.normal,
            is_endless: none,
        };
        let up = of_b.normal * self.radius_b;
        let side_b = SidesInLanes {
            // Written twice, since a closure is compiled for the oldest processor.
            ends: [
                boxes.rotation.apply(of_b.ends[0] + up) + boxes.translation,
                boxes.rotation.apply(of_b.ends[1] + up) + boxes.translation,
            ],
            normal: boxes.rotation.apply(of_b.normal),
            is_endless: none,
        };
        let closest = Closest {
            normal: measured.normal,
            on_a: measured.on_a,
            distance: measured.distance,
            within,
            has_ends: of_a.is_facing & of_b.is_facing,
        };
        let a_in_world = PosesInLanes {
            rotation: a.rotation,
            origin: a.origin,
        };
        let cut = CutSides::new(&closest, &[side_a, side_b], &a_in_world);
        let sides = [of_a, of_b];
        CutRectangles { cut, sides }
    }

    /// The answers in the frame of the world.
    #[inline(always)]
    pub(super) fn answers<V: Vector<Precise = P>, const N: usize>(
        &self,
        pairs: &[&OfCuboids<V>; N],
    ) -> AnswersInLanes<N>
    where
        F: Lanes<N>,
    {
        let in_world = self.measured.in_world(&self.a.rotation, self.a.origin);
        let is_near = self.is_found & in_world.is_in_single_precision();
        let asked = AskedInLanes {
            exchange: map_lanes(pairs, |pair| pair.exchange),
            within: map_lanes(pairs, |pair| pair.within),
        };
        AnswersInLanes::new(asked, (self.is_farther, self.least), (is_near, &in_world))
    }
}

/// What the sides of rectangles that face each other have in common.
pub(super) struct CutRectangles<F: Number, P, const N: usize> {
    cut: CutSides<N>,
    sides: [SidesOfRectangles<F, P>; 2],
}

impl<F: Number, P: PreciseVector, const N: usize> CutRectangles<F, P, N> {
    /// Fills the manifold of the pair in a lane.
    #[inline(always)]
    pub(super) fn fill<V: Vector<Precise = P>>(
        &self,
        lane: usize,
        exchange: Exchange,
        manifold: &mut Manifold<V>,
    ) {
        let [a, b] = &self.sides;
        let sides = [a.features(lane), b.features(lane)];
        self.cut.fill(lane, Touching { sides, exchange }, manifold);
    }
}

/// The cuboids on one side.
struct CuboidSides<F, P> {
    half: VectorsInLanes<F, P>,
    /// The bounding radius without the rounding radius, and that.
    size: F,
    radius: F,
    /// The pose in the world.
    rotation: MatricesInLanes<F, P>,
    origin: VectorsInLanes<F, P>,
}

impl<F: Number, P: PreciseVector> CuboidSides<F, P> {
    #[inline(always)]
    fn new<V: Vector<Precise = P>, const N: usize>(
        set: F::Set,
        sides: [&PlacedCore<V, Cuboid<V>>; N],
    ) -> Self
    where
        F: Lanes<N>,
    {
        let half = |lane: usize| sides[lane].core.half_extents.to_precise();
        Self {
            half: VectorsInLanes::from_lanes(set, half),
            size: of_lanes(set, &sides, |side| side.convex.core_bounding_radius()),
            radius: of_lanes(set, &sides, |side| side.convex.radius()),
            rotation: V::Rotation::matrices(set, map_lanes(&sides, |side| side.pose.rotation)),
            origin: VectorsInLanes::from_lanes(set, |lane| sides[lane].origin()),
        }
    }
}

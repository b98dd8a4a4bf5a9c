//! The chosen candidates as points of a manifold: one in each lane.

use clearance_math::internal::MapEach;
use clearance_math::internal::lanes::{FourMatrices, FourVectors, LANES, Simd, SimdBase, f64x4};
use clearance_math::{PreciseVector, Vector, round_nearest};

use super::spots::{Numbers, Spots};
use super::{Frames, TwoFaces};
use crate::answer::{PreciseVectors, precise, precise_vector};
use crate::manifold::answer::{MOST_POINTS, Manifold, ManifoldPoint, Touch};
use crate::manifold::sides::OrderedShapes;

/// Candidates of two faces, four of which are looked at.
struct Chosen<'a, S: Simd> {
    simd: S,
    numbers: &'a Numbers,
    four: [usize; LANES],
}

impl<S: Simd> Chosen<'_, S> {
    /// A number of each.
    #[inline(always)]
    fn lanes(&self, number: impl Fn(usize, usize) -> f64) -> f64x4<S> {
        let number = |candidate: usize| number(candidate / LANES, candidate % LANES);
        let [a, b, c, d] = self.four;
        f64x4::load_array(self.simd, [number(a), number(b), number(c), number(d)])
    }

    /// A vector of the frame of each.
    #[inline(always)]
    fn vectors<P: PreciseVector>(&self, frames: &Frames, number: usize) -> FourVectors<S, P> {
        let of = |group: usize| frames[group.min(2)][number];
        FourVectors::new([
            self.lanes(|group, _| of(group).x),
            self.lanes(|group, _| of(group).y),
            self.lanes(|group, _| of(group).z),
        ])
    }

    /// Where they are on the face that they belong to, in the frame of a.
    #[inline(always)]
    fn points<P: PreciseVector>(&self, faces: &TwoFaces) -> FourVectors<S, P> {
        let [one, two] = &self.numbers.shares;
        let (one, two) = (
            self.lanes(|group, k| one[group][k]),
            self.lanes(|group, k| two[group][k]),
        );
        let frames = &faces.frames;
        let level: FourVectors<S, P> =
            self.vectors(frames, 0) + self.vectors(frames, 1) * one + self.vectors(frames, 2) * two;
        let is_crossing = self.lanes(|group, _| group as f64).simd_ge(2.0);
        let normal = FourVectors::splat(self.simd, P::from_space(faces.normal));
        (level + normal * faces.plane.heights([one, two])).or_where_unset(is_crossing, level)
    }
}

impl TwoFaces {
    /// Appends the chosen candidates, given as bits.
    #[inline(always)]
    pub(super) fn push<S: Simd, V: Vector>(
        &self,
        (spots, numbers): (&Spots<S>, &Numbers),
        (chosen, sides): (u64, &OrderedShapes<V>),
        manifold: &mut Manifold<V>,
    ) {
        let simd = spots.distances[0].simd;
        let four = spots.by_rank(chosen);
        let lanes = Chosen {
            simd,
            numbers,
            four,
        };
        let normal = V::Precise::from_space(self.normal);
        let normal = sides.a_in_world.transform_direction(normal);
        let normal = FourVectors::splat(simd, normal);
        let rotation = FourMatrices::splat(simd, &sides.a_in_world.rotation);
        let origin = FourVectors::splat(simd, sides.a_in_world.translation);
        let points = rotation.apply(lanes.points(self)) + origin;
        let distances = lanes.lanes(|group, k| numbers.distances[group][k]);
        // A corner is kept as it is, to the last bit: it is a point of the surface that it belongs to.
        let to_a = lanes.lanes(|group, _| [0.0, -1.0, 0.0, 0.0][group]);
        let to_b = to_a + 1.0;
        let on: [PreciseVectors; 2] = [
            precise(points + normal * (distances * to_a)),
            precise(points + normal * (distances * to_b)),
        ];
        let distances = distances.to_array().map_each(round_nearest);
        for lane in 0..(chosen.count_ones() as usize).min(MOST_POINTS) {
            let touch = Touch {
                on: [precise_vector(&on[0], lane), precise_vector(&on[1], lane)],
                features: self.features(four[lane], spots),
            };
            let point = ManifoldPoint::new(distances[lane], touch, sides.exchange);
            manifold.points.push(point);
        }
    }
}

//! The faces of four pairs of cuboids as they are seen: the operations of `view` in SIMD lanes, in their order.

use clearance_math::lanes::{
    FourMatrices, FourVectors, LANES, Select, Simd, SimdBase, SimdFloat, SimdMask, f64x4, mask64x4,
};
use clearance_math::{DVec2, DVec3, PreciseVector, tolerances};

use super::flat::Flat;
use super::{CLEAR, Frames, Plane, TwoFaces};
use crate::axes_in_lanes::AxesInLanes;

/// Numbers, vectors and flat vectors of four lanes.
type Numbers = [f64; LANES];
type Vectors = [Numbers; 3];
type FlatVectors = [Numbers; 2];

/// The same frame of four pairs.
type FourOfFrame = [Vectors; 3];

/// Flat vectors in lanes.
type Flats<S> = [f64x4<S>; 2];

/// Four pairs of cuboids whose distances are known, in the frames of a.
pub(crate) struct FourCuboids<S: Simd, P> {
    pub(crate) half_extents: [FourVectors<S, P>; 2],
    pub(crate) radii: [f64x4<S>; 2],
    pub(crate) rotation_of_b: FourMatrices<S, P>,
    pub(crate) origin_of_b: FourVectors<S, P>,
    /// The normals of the pairs and their points on a.
    pub(crate) normal: FourVectors<S, P>,
    pub(crate) on_a: FourVectors<S, P>,
}

/// Four faces, in the frames of a.
#[derive(Clone, Copy)]
struct Faces<S: Simd, P> {
    middle: FourVectors<S, P>,
    half: [FourVectors<S, P>; 2],
    normal: FourVectors<S, P>,
    number: Numbers,
    is_facing: mask64x4<S>,
}

impl<S: Simd, P: PreciseVector> Faces<S, P> {
    #[inline(always)]
    fn toward(
        half_extents: FourVectors<S, P>,
        radius: f64x4<S>,
        direction: FourVectors<S, P>,
    ) -> Self {
        let simd = radius.simd;
        let (zero, one) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, 1.0));
        let (axes, length) = AxesInLanes::of_greatest(direction.abs());
        let along = axes.component(direction);
        let normal = axes.unit(simd) * one.copysign(along);
        let (is_y, is_z) = (axes.is_y & !axes.is_z, axes.is_z);
        let is_x = !(is_y | is_z);
        let number = is_y.select(f64x4::splat(simd, 2.0), zero);
        let number = is_z.select(f64x4::splat(simd, 4.0), number);
        let only = |is_first: mask64x4<S>, is_second: mask64x4<S>, is_third: mask64x4<S>| {
            FourVectors::new([
                is_first.select(half_extents.x, zero),
                is_second.select(half_extents.y, zero),
                is_third.select(half_extents.z, zero),
            ])
        };
        Self {
            middle: normal * (axes.component(half_extents) + radius),
            // The next axis of x is y.
            half: [only(is_z, is_x, is_y), only(is_y, is_z, is_x)],
            normal,
            number: (number + along.simd_lt(0.0).select(one, zero)).to_array(),
            is_facing: length.simd_ge(tolerances::FACING_COSINE),
        }
    }

    #[inline(always)]
    fn moved_by(self, rotation: &FourMatrices<S, P>, origin: FourVectors<S, P>) -> Self {
        Self {
            middle: rotation.apply(self.middle) + origin,
            half: [rotation.apply(self.half[0]), rotation.apply(self.half[1])],
            normal: rotation.apply(self.normal),
            ..self
        }
    }

    #[inline(always)]
    fn frame(&self) -> FourOfFrame {
        let [p, q] = self.half;
        [arrays(self.middle), arrays(p), arrays(q)]
    }
}

/// Four parallelograms in a plane.
#[derive(Clone, Copy)]
struct FourFlat<S: Simd> {
    middle: Flats<S>,
    half: [Flats<S>; 2],
}

impl<S: Simd> FourFlat<S> {
    #[inline(always)]
    fn seen_from(&self, other: &Self) -> Self {
        let [p, q] = other.half;
        let scale = f64x4::splat(p[0].simd, 1.0) / perp_dot(p, q);
        Self {
            middle: across(difference(self.middle, other.middle), other.half, scale),
            half: [
                across(self.half[0], other.half, scale),
                across(self.half[1], other.half, scale),
            ],
        }
    }

    #[inline(always)]
    fn within(&self, distance: f64x4<S>) -> Flats<S> {
        let [p, q] = self.half;
        let share = distance / perp_dot(p, q).abs();
        [
            length_squared(q).sqrt() * share,
            length_squared(p).sqrt() * share,
        ]
    }

    #[inline(always)]
    fn squared_diameter(&self) -> f64x4<S> {
        let [p, q] = self.half;
        let longest = length_squared(p).max(length_squared(q));
        length_squared([p[0] + q[0], p[1] + q[1]]).max(longest) * 4.0
    }

    #[inline(always)]
    fn arrays(&self) -> [FlatVectors; 3] {
        [
            flat_arrays(self.middle),
            flat_arrays(self.half[0]),
            flat_arrays(self.half[1]),
        ]
    }
}

#[inline(always)]
fn across<S: Simd>(v: Flats<S>, [p, q]: [Flats<S>; 2], scale: f64x4<S>) -> Flats<S> {
    [perp_dot(v, q) * scale, perp_dot(p, v) * scale]
}

#[inline(always)]
fn difference<S: Simd>(a: Flats<S>, b: Flats<S>) -> Flats<S> {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
fn perp_dot<S: Simd>(a: Flats<S>, b: Flats<S>) -> f64x4<S> {
    a[0] * b[1] - a[1] * b[0]
}

#[inline(always)]
fn length_squared<S: Simd>(v: Flats<S>) -> f64x4<S> {
    v[0] * v[0] + v[1] * v[1]
}

#[inline(always)]
fn arrays<S: Simd, P: PreciseVector>(vectors: FourVectors<S, P>) -> Vectors {
    let [x, y, z] = vectors.components();
    [x.to_array(), y.to_array(), z.to_array()]
}

#[inline(always)]
fn flat_arrays<S: Simd>([x, y]: Flats<S>) -> FlatVectors {
    [x.to_array(), y.to_array()]
}

/// A plane across the normal of each pair.
struct FourViews<S: Simd, P> {
    base: FourVectors<S, P>,
    normal: FourVectors<S, P>,
    right: FourVectors<S, P>,
    up: FourVectors<S, P>,
}

impl<S: Simd, P: PreciseVector> FourViews<S, P> {
    /// With the directions of `glam::DVec3::any_orthonormal_pair`: see T. Duff and others, "Building an orthonormal
    /// basis, revisited", 2017.
    #[inline(always)]
    fn along(normal: FourVectors<S, P>, base: FourVectors<S, P>) -> Self {
        let [x, y, z] = normal.components();
        let one = f64x4::splat(x.simd, 1.0);
        let sign = one.copysign(z);
        let a = -one / (sign + z);
        let b = x * y * a;
        Self {
            base,
            normal,
            right: FourVectors::new([one + sign * x * x * a, sign * b, -sign * x]),
            up: FourVectors::new([b, sign + y * y * a, -y]),
        }
    }

    #[inline(always)]
    fn seen(&self, vectors: FourVectors<S, P>) -> Flats<S> {
        [vectors.dot(self.right), vectors.dot(self.up)]
    }

    #[inline(always)]
    fn flat(&self, faces: &Faces<S, P>) -> FourFlat<S> {
        FourFlat {
            middle: self.seen(faces.middle - self.base),
            half: [self.seen(faces.half[0]), self.seen(faces.half[1])],
        }
    }

    /// The heights of the planes of faces at the base, and how they rise.
    #[inline(always)]
    fn plane(&self, faces: &Faces<S, P>) -> (f64x4<S>, Flats<S>) {
        let along = faces.normal.dot(self.normal);
        let scale = f64x4::splat(along.simd, 1.0) / along;
        let level = faces.normal.dot(faces.middle - self.base) * scale;
        let [x, y] = self.seen(faces.normal);
        (level, [x * -scale, y * -scale])
    }
}

/// Four pairs of faces of cuboids, seen along the normals of the pairs.
pub(crate) struct FourFaces {
    /// The lanes in which faces face each other, as bits.
    are_facing: u64,
    frames: [FourOfFrame; 3],
    numbers: [Numbers; 2],
    normal: Vectors,
    flats: [[FlatVectors; 3]; 2],
    seen_from_other: [[FlatVectors; 3]; 2],
    slack: Numbers,
    clear: [FlatVectors; 2],
    plane: (Numbers, FlatVectors),
    gap: (Numbers, FlatVectors),
}

/// The frames of one of four pairs. They are read where they are: to move all of them takes longer than to compute points
/// from some.
pub(crate) struct FramesOfLane<'a> {
    of_four: &'a [FourOfFrame; 3],
    lane: usize,
}

impl Frames for FramesOfLane<'_> {
    #[inline(always)]
    fn vector(&self, frame: usize, number: usize) -> DVec3 {
        let [x, y, z] = &self.of_four[frame][number];
        DVec3::new(x[self.lane], y[self.lane], z[self.lane])
    }
}

impl FourFaces {
    /// `None` if no faces face each other in any lane.
    #[inline(always)]
    pub(crate) fn new<S: Simd, P: PreciseVector>(cuboids: &FourCuboids<S, P>) -> Option<Self> {
        let ([half_a, half_b], [radius_a, radius_b]) = (cuboids.half_extents, cuboids.radii);
        let normal = cuboids.normal;
        let of_a = Faces::toward(half_a, radius_a, normal);
        let in_b = cuboids.rotation_of_b.apply_transposed(normal.negated());
        let of_b = Faces::toward(half_b, radius_b, in_b);
        let are_facing = (of_a.is_facing & of_b.is_facing).to_bitmask();
        if are_facing == 0 {
            return None;
        }
        let of_b = of_b.moved_by(&cuboids.rotation_of_b, cuboids.origin_of_b);
        let view = FourViews::along(normal, cuboids.on_a);
        let (a, b) = (view.flat(&of_a), view.flat(&of_b));
        let squared = a.squared_diameter().min(b.squared_diameter());
        let slack = squared.sqrt() * tolerances::MANIFOLD_SLACK;
        let clear = slack * CLEAR;
        let ((level, rise), (level_b, rise_b)) = (view.plane(&of_a), view.plane(&of_b));
        Some(Self {
            are_facing,
            frames: [
                of_a.frame(),
                of_b.frame(),
                [arrays(view.base), arrays(view.right), arrays(view.up)],
            ],
            numbers: [of_a.number, of_b.number],
            normal: arrays(view.normal),
            flats: [a.arrays(), b.arrays()],
            seen_from_other: [a.seen_from(&b).arrays(), b.seen_from(&a).arrays()],
            slack: slack.to_array(),
            clear: [flat_arrays(a.within(clear)), flat_arrays(b.within(clear))],
            plane: (level.to_array(), flat_arrays(rise)),
            gap: (
                (level_b - level).to_array(),
                flat_arrays(difference(rise_b, rise)),
            ),
        })
    }

    /// The faces of one pair; `None` if they do not face each other.
    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Option<TwoFaces<FramesOfLane<'_>>> {
        if self.are_facing >> lane & 1 == 0 {
            return None;
        }
        let vector = |[x, y, z]: &Vectors| DVec3::new(x[lane], y[lane], z[lane]);
        let flat = |[x, y]: &FlatVectors| DVec2::new(x[lane], y[lane]);
        let flats = |[middle, p, q]: &[FlatVectors; 3]| Flat {
            middle: flat(middle),
            half: [flat(p), flat(q)],
        };
        let plane = |(level, rise): &(Numbers, FlatVectors)| Plane {
            level: level[lane],
            rise: flat(rise),
        };
        let [number_a, number_b] = &self.numbers;
        Some(TwoFaces {
            frames: FramesOfLane {
                of_four: &self.frames,
                lane,
            },
            numbers: [number_a[lane] as usize, number_b[lane] as usize],
            normal: vector(&self.normal),
            flats: [flats(&self.flats[0]), flats(&self.flats[1])],
            seen_from_other: [
                flats(&self.seen_from_other[0]),
                flats(&self.seen_from_other[1]),
            ],
            slack: self.slack[lane],
            clear: [flat(&self.clear[0]), flat(&self.clear[1])],
            plane: plane(&self.plane),
            gap: plane(&self.gap),
        })
    }
}

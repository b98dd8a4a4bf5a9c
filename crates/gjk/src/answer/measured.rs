//! The results of the algorithms of this crate, in double precision and in a's frame.

use clearance_math::{
    PreciseVector, Real, RelativePose, Vector, greater_of, round_down, round_nearest, round_up,
    tolerances,
};

use super::proximity::{Separation, Status};
use crate::pair::Mirrored;

/// Up to this ratio of their sizes, half of what is beside the normal is as little for the one shape as for the other.
pub(crate) const ALIKE: f64 = 10.0;

/// The signed distance and the witness points of two cores or shapes, in a's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured<P> {
    /// The signed distance: the gap, or minus the penetration depth.
    pub distance: f64,
    /// The lower bound of the signed distance.
    pub lower: f64,
    /// The upper bound of the signed distance.
    pub upper: f64,
    /// The unit vector from a to b.
    pub normal: P,
    /// The point of a that is closest to b, or deepest inside b.
    pub on_a: P,
    /// The point of b that is closest to a, or deepest inside a.
    pub on_b: P,
    /// How the distance was found.
    pub status: Status,
}

/// The result of measuring two cores or shapes within a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome<P> {
    /// The distance and the witness points.
    Near(Measured<P>),
    /// The pair is proven to be farther apart than the range.
    Farther {
        /// A lower bound of the distance.
        lower: f64,
    },
    /// Two half-spaces whose overlap is unbounded.
    Unbounded,
}

/// The rounding error of subtracting the radii from a distance: one rounding of the sum and one of
/// each of three differences.
#[inline]
fn rounding_of_radii(distance: f64, radii: f64) -> f64 {
    4.0 * f64::EPSILON * (radii + distance.abs())
}

/// The lower bound of the distance of two shapes, from that of their cores and the sum of the
/// radii.
#[inline]
pub(crate) fn lower_with_radii(distance: f64, lower: f64, radii: f64) -> f64 {
    lower - radii - rounding_of_radii(distance, radii)
}

impl<P: PreciseVector> Outcome<P> {
    /// Subtracts the rounding radii of both cores.
    #[inline(always)]
    pub(crate) fn with_radii(mut self, radius_a: f64, radius_b: f64) -> Self {
        // In place: an answer that is made anew is copied.
        match &mut self {
            Self::Near(core) => *core = core.with_radii(radius_a, radius_b),
            Self::Farther { lower } => {
                *lower = lower_with_radii(*lower, *lower, radius_a + radius_b)
            }
            Self::Unbounded => {}
        }
        self
    }
}

impl<P: PreciseVector> Measured<P> {
    /// The result of a closed form whose rounding error is at most `rounding`.
    #[inline]
    pub(crate) fn exact(distance: f64, normal: P, (on_a, on_b): (P, P), rounding: f64) -> Self {
        Self {
            distance,
            lower: distance - rounding,
            upper: distance + rounding,
            normal,
            on_a,
            on_b,
            status: Status::Exact,
        }
    }

    /// Adds the rounding radii of both cores: the surfaces move towards each other along the
    /// normal.
    ///
    /// Both points move along the normal that the answer reports, so their difference remains
    /// `distance * normal` even if the radii are much larger than the cores.
    #[inline(always)]
    pub(crate) fn with_radii(self, radius_a: f64, radius_b: f64) -> Self {
        let radii = radius_a + radius_b;
        let rounding = rounding_of_radii(self.distance, radii);
        Self {
            distance: self.distance - radii,
            lower: lower_with_radii(self.distance, self.lower, radii),
            upper: self.upper - radii + rounding,
            normal: self.normal,
            on_a: self.on_a + self.normal * radius_a,
            on_b: self.on_b - self.normal * radius_b,
            status: self.status,
        }
    }

    /// Makes `on_b - on_a` equal to `distance * normal`, unless the rest is negligible for shapes of these sizes.
    ///
    /// Each point takes half of it. Where one shape is much smaller than the other, each takes as much as its shape has of
    /// the size of both, so that the point of the small one stays on it.
    pub(crate) fn with_points_along_normal(self, [size_a, size_b]: [f64; 2]) -> Self {
        let beside = self.on_b - self.on_a - self.normal * self.distance;
        let size = size_a + size_b;
        if beside.length() <= tolerances::POINTS_BESIDE_NORMAL * size {
            return self;
        }
        let is_alike = size_a.max(size_b) <= ALIKE * size_a.min(size_b);
        let share = if is_alike { 0.5 } else { size_a / size };
        Self {
            on_a: self.on_a + beside * share,
            on_b: self.on_b - beside * (1.0 - share),
            ..self
        }
    }

    /// The result with each of its vectors converted.
    pub(crate) fn map<Q>(self, convert: impl Fn(P) -> Q) -> Measured<Q> {
        Measured {
            distance: self.distance,
            lower: self.lower,
            upper: self.upper,
            normal: convert(self.normal),
            on_a: convert(self.on_a),
            on_b: convert(self.on_b),
            status: self.status,
        }
    }

    /// The result with a and b exchanged, in b's frame.
    pub(crate) fn flipped(self, b_in_a: &RelativePose<P>) -> Self {
        Self {
            normal: -b_in_a.inverse_transform_direction(self.normal),
            on_a: b_in_a.inverse_transform_point(self.on_b),
            on_b: b_in_a.inverse_transform_point(self.on_a),
            ..self
        }
    }

    /// The result with both points moved.
    #[inline]
    pub(crate) fn moved_by(self, offset: P) -> Self {
        Self {
            on_a: self.on_a + offset,
            on_b: self.on_b + offset,
            ..self
        }
    }

    /// The answer in the frame of the world, in which a is placed at `a`, rounded to single
    /// precision.
    #[inline]
    pub(crate) fn in_world<V: Vector<Precise = P>>(&self, a: &RelativePose<P>) -> Separation<V> {
        self.moved_to_world(a).rounded()
    }

    /// The result in the frame of the world, in which a is placed at `a`.
    #[inline(always)]
    pub(crate) fn moved_to_world(&self, a: &RelativePose<P>) -> Self {
        Self {
            normal: a.transform_direction(self.normal),
            on_a: a.transform_point(self.on_a),
            on_b: a.transform_point(self.on_b),
            ..*self
        }
    }

    /// Rounds a result that is already in the frame of the world to single precision.
    #[inline(always)]
    pub(crate) fn rounded<V: Vector<Precise = P>>(&self) -> Separation<V> {
        Separation {
            distance: round_nearest(self.distance),
            lower: round_down(self.lower),
            upper: round_up(self.upper),
            normal: V::from_precise(self.normal),
            position_a: self.on_a,
            position_b: self.on_b,
            part_a: 0,
            part_b: 0,
            status: if self.is_beyond_single_precision() {
                Status::Saturated
            } else {
                self.status
            },
        }
    }

    /// [`Measured::rounded`] for a result of which no number is beyond the range of single precision.
    #[inline(always)]
    pub(crate) fn rounded_in_range<V: Vector<Precise = P>>(&self) -> Separation<V> {
        let mut normal = V::ZERO;
        for k in 0..V::DIM {
            normal = normal.with_component(k, self.normal.component(k) as Real);
        }
        Separation {
            distance: self.distance as Real,
            lower: round_down(self.lower),
            upper: round_up(self.upper),
            normal,
            position_a: self.on_a,
            position_b: self.on_b,
            part_a: 0,
            part_b: 0,
            status: self.status,
        }
    }

    /// Whether the distance or a coordinate of a point is beyond the range of single precision.
    #[inline(always)]
    fn is_beyond_single_precision(&self) -> bool {
        let points = self.on_a.abs().max(self.on_b.abs());
        let greatest = (0..P::DIM).fold(self.distance.abs(), |most, k| {
            greater_of(most, points.component(k))
        });
        greatest > f64::from(Real::MAX)
    }
}

/// In the frame of the world.
impl<P: PreciseVector> Mirrored for Measured<P> {
    #[inline(always)]
    fn mirrored(self) -> Self {
        self.mirrored_if(true)
    }

    #[inline(always)]
    fn mirrored_if(self, is_exchanged: bool) -> Self {
        // Number by number, since a whole result that was just written would be waited for.
        let normal = if is_exchanged {
            -self.normal
        } else {
            self.normal
        };
        let (on_a, on_b) = if is_exchanged {
            (self.on_b, self.on_a)
        } else {
            (self.on_a, self.on_b)
        };
        Self {
            normal,
            on_a,
            on_b,
            ..self
        }
    }
}

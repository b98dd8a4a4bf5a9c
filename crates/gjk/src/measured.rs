//! What the algorithms of this crate return: double precision, in a's frame.

use clearance_math::{
    PreciseVector, Real, RelativePose, Vector, round_down, round_nearest, round_up, tolerances,
};

use crate::answer::{Separation, Status};

/// Signed distance and witness points of two cores or shapes, in a's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured<P> {
    /// The gap, or minus the depth.
    pub distance: f64,
    /// The signed distance is not below this.
    pub lower: f64,
    /// The signed distance is not above this.
    pub upper: f64,
    /// Unit vector from a to b.
    pub normal: P,
    /// The point of a nearest b or deepest in it.
    pub on_a: P,
    /// The point of b nearest a or deepest in it.
    pub on_b: P,
    /// How the distance was found.
    pub status: Status,
}

/// What is known of two cores or shapes after they were measured within a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome<P> {
    /// The distance and where it is taken.
    Near(Measured<P>),
    /// Proven to be farther apart than the range.
    Farther {
        /// The distance is not below this.
        lower: f64,
    },
    /// Half-spaces that overlap without bound.
    Unbounded,
}

/// How far taking the radii off a distance rounds: the sum and the three differences once each.
#[inline]
fn rounding_of_radii(distance: f64, radii: f64) -> f64 {
    4.0 * f64::EPSILON * (radii + distance.abs())
}

/// The lower bound of a distance of cores after both were swept by balls.
#[inline]
pub(crate) fn lower_with_radii(distance: f64, lower: f64, radii: f64) -> f64 {
    lower - radii - rounding_of_radii(distance, radii)
}

impl<P: PreciseVector> Measured<P> {
    /// A distance found by a closed form, wrong by no more than `rounding`.
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

    /// The pair after both cores were swept by balls: the surfaces move towards each other along the normal.
    ///
    /// Both points move along the one direction that the answer reports, so that their difference stays
    /// `distance * normal` however large the radii are beside the cores.
    #[inline]
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

    /// The answer with `on_b - on_a` equal to `distance * normal`: what lies beside is taken off both
    /// points, half of it each, unless it is too little to matter for shapes of that size.
    pub(crate) fn with_points_along_normal(self, size: f64) -> Self {
        let beside = self.on_b - self.on_a - self.normal * self.distance;
        if beside.length() <= tolerances::POINTS_BESIDE_NORMAL * size {
            return self;
        }
        Self {
            on_a: self.on_a + beside * 0.5,
            on_b: self.on_b - beside * 0.5,
            ..self
        }
    }

    /// The answer to the question with a and b exchanged, in b's frame.
    pub(crate) fn flipped(self, b_in_a: &RelativePose<P>) -> Self {
        Self {
            normal: -b_in_a.inverse_transform_direction(self.normal),
            on_a: b_in_a.inverse_transform_point(self.on_b),
            on_b: b_in_a.inverse_transform_point(self.on_a),
            ..self
        }
    }

    /// The answer in the world, in which a is placed at `a`, rounded to single precision.
    pub(crate) fn in_world<V: Vector<Precise = P>>(&self, a: &RelativePose<P>) -> Separation<V> {
        Self {
            normal: a.transform_direction(self.normal),
            on_a: a.transform_point(self.on_a),
            on_b: a.transform_point(self.on_b),
            ..*self
        }
        .rounded()
    }

    /// An answer in the world, rounded to single precision.
    #[inline]
    pub(crate) fn rounded<V: Vector<Precise = P>>(&self) -> Separation<V> {
        Separation {
            distance: round_nearest(self.distance),
            lower: round_down(self.lower),
            upper: round_up(self.upper),
            normal: V::from_precise(self.normal),
            point_a: V::from_precise(self.on_a),
            point_b: V::from_precise(self.on_b),
            status: if self.is_beyond_single_precision() {
                Status::Saturated
            } else {
                self.status
            },
        }
    }

    /// Whether rounding the distance or a point holds it to the greatest finite number.
    #[inline]
    fn is_beyond_single_precision(&self) -> bool {
        let points = self.on_a.abs().max(self.on_b.abs());
        let greatest =
            (0..P::DIM).fold(self.distance.abs(), |most, k| most.max(points.component(k)));
        greatest > f64::from(Real::MAX)
    }
}

//! What a ray hits, and what it is asked to hit.

use clearance_math::{
    PreciseVector, Ray, Real, RelativePose, Vector, round_down, round_nearest, round_up, tolerances,
};

use super::chord::{Chord, ChordCrossing};
use super::in_frame::RayInFrame;
use super::iterate::FoundEntry;
use crate::answer::Status;
use crate::pair::QueryError;

/// How a ray treats the inside of shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Interior {
    /// A ray that starts inside of a shape hits it at distance 0, without a normal.
    #[default]
    Solid,
    /// A ray that starts inside of a shape hits the place where it leaves the shape.
    Hollow,
}

/// Whether a ray hits the back faces of surfaces.
///
/// The front of a triangle in space is where its corners run counter-clockwise, and that of a segment of the plane
/// is on the right of the way from its first end to its second: outlines and closed meshes that run
/// counter-clockwise, seen from outside, have their front outside. The front of a height field is
/// the side to which its scale along y points. A solid is
/// hit from behind where a ray leaves it, which it does with [`Interior::Hollow`]. Points, flat hulls, and segments in
/// space have no back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BackFaces {
    /// They are hit, and the hit says so: [`RayHit::is_back_face`].
    #[default]
    Hit,
    /// The ray passes through them.
    Pass,
}

/// What a ray may hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayOptions {
    /// The greatest distance of a hit, in units of length; it may be infinite. A hit at exactly this
    /// distance counts.
    pub max_distance: Real,
    /// How the inside of shapes is treated.
    pub interior: Interior,
    /// Whether surfaces are hit from behind.
    pub back_faces: BackFaces,
}

/// No limit to the distance, solid shapes, and surfaces with two sides.
impl Default for RayOptions {
    fn default() -> Self {
        Self {
            max_distance: Real::INFINITY,
            interior: Interior::Solid,
            back_faces: BackFaces::Hit,
        }
    }
}

impl RayOptions {
    /// These options for a search that already found a hit at `distance`. The limit is a little farther
    /// than that, because the distance of a hit is cut off at the limit, and would then seem equal.
    #[must_use]
    pub fn up_to(self, distance: Real) -> Self {
        let beyond = distance + distance * (8.0 * Real::EPSILON) + Real::MIN_POSITIVE;
        Self {
            max_distance: self.max_distance.min(beyond),
            ..self
        }
    }

    /// Refuses a limit that is no distance.
    ///
    /// # Errors
    /// [`QueryError::MaxDistance`] if `max_distance` is negative or NaN.
    pub fn check(self) -> Result<(), QueryError> {
        if self.max_distance >= 0.0 {
            Ok(())
        } else {
            Err(QueryError::MaxDistance {
                value: self.max_distance,
            })
        }
    }
}

/// Where a ray hits a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit<V: Vector> {
    /// The length of the ray from its start to the hit, in units of length.
    pub distance: Real,
    /// The lower bound: the true distance is at least this.
    pub lower: Real,
    /// The upper bound: if the ray truly hits, and does not only pass within rounding, the true distance is
    /// at most this.
    pub upper: Real,
    /// The place of the hit, in the frame of the world, in double precision; [`RayHit::point`] gives it in single precision.
    pub position: V::Precise,
    /// The unit normal of the surface, on the side from which the ray comes, in the frame of the world.
    /// `None` where a ray starts inside of a solid shape.
    pub normal: Option<V>,
    /// Whether the surface is hit from behind: see [`BackFaces`]. A ray in the plane of a triangle hits its front.
    pub is_back_face: bool,
    /// The number of the part that is hit: see [`Composite`]. Zero if the shape is no composite, and [`RayHit::NO_PART`]
    /// where a ray starts inside of a solid mesh or a polygon, whose parts are its surface.
    ///
    /// [`Composite`]: clearance_shapes::Composite
    pub part: u32,
    /// How the distance was found. A ray that grazes a shape may have bounds that are far apart; the status
    /// is then [`Status::IterationLimit`].
    pub status: Status,
}

impl<V: Vector> RayHit<V> {
    /// The number of the part where a ray starts inside of a solid mesh or a polygon; no part has it.
    pub const NO_PART: u32 = u32::MAX;

    /// The place of the hit, in the frame of the world, rounded to single precision.
    #[must_use]
    pub fn point(&self) -> V {
        V::from_precise(self.position)
    }
}

/// A hit in double precision, in the frame of the shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitInFrame<P> {
    /// The length of the ray from its start to the hit, in units of length.
    pub distance: f64,
    /// The lower bound of that length.
    pub lower: f64,
    /// The upper bound of that length.
    pub upper: f64,
    /// The unit normal of the surface, on the side from which the ray comes. `None` where a ray starts
    /// inside of a solid shape.
    pub normal: Option<P>,
    /// Whether the surface is hit from behind.
    pub is_back_face: bool,
    /// How the distance was found.
    pub status: Status,
}

impl<P: PreciseVector> HitInFrame<P> {
    /// The hit of a ray that starts inside of a solid shape.
    pub(super) fn inside() -> Self {
        Self {
            distance: 0.0,
            lower: 0.0,
            upper: 0.0,
            normal: None,
            is_back_face: false,
            status: Status::Exact,
        }
    }

    /// The hit of a shape with an inside.
    #[inline(always)]
    pub(super) fn of_solid(
        ray: &RayInFrame<P>,
        chord: &Chord<P>,
        options: RayOptions,
    ) -> Option<Self> {
        let start = ray.start();
        if chord.leave.upper < start - ray.rounding {
            return None;
        }
        if chord.enter.at > start {
            return Self::at(ray, &chord.enter, options);
        }
        match options.interior {
            Interior::Solid => {
                let upper = (chord.enter.upper - start + ray.rounding).max(0.0);
                Some(Self {
                    upper,
                    status: Self::status(ray, upper, 0.0),
                    ..Self::inside()
                })
            }
            Interior::Hollow => Self::at(ray, &chord.leave.seen_from_inside(), options),
        }
    }

    /// The hit of a shape without an inside: where the ray meets it first.
    #[inline(always)]
    pub(super) fn of_surface(
        ray: &RayInFrame<P>,
        touch: &Chord<P>,
        options: RayOptions,
    ) -> Option<Self> {
        if touch.leave.upper < ray.start() - ray.rounding {
            return None;
        }
        let mut facing = touch.enter;
        if facing.normal.dot(ray.direction) > 0.0 {
            facing.normal = -facing.normal;
        }
        Self::at(ray, &facing, options)
    }

    /// The hit that iteration found.
    pub(super) fn of_iteration(
        ray: &RayInFrame<P>,
        found: &FoundEntry<P>,
        options: RayOptions,
    ) -> Option<Self> {
        let hit = Self::at(ray, &found.crossing, options)?;
        let status = match hit.status {
            Status::Exact if found.converged => Status::Converged,
            _ => Status::IterationLimit,
        };
        Some(Self { status, ..hit })
    }

    /// `None` if the crossing is proven to be beyond the end of the ray, or if the ray passes through what it is of.
    #[inline(always)]
    pub(super) fn at(
        ray: &RayInFrame<P>,
        crossing: &ChordCrossing<P>,
        options: RayOptions,
    ) -> Option<Self> {
        if crossing.is_from_behind && options.back_faces == BackFaces::Pass {
            return None;
        }
        let most = f64::from(options.max_distance);
        let lower = (crossing.lower + ray.middle - ray.rounding).max(0.0);
        if !(lower <= most) || lower == f64::INFINITY {
            return None;
        }
        // The sum with zero is positive: hits at a distance of zero are ordered by what they hit.
        let distance = (crossing.at + ray.middle).clamp(lower, most) + 0.0;
        let upper = (crossing.upper + ray.middle + ray.rounding).max(distance);
        Some(Self {
            distance,
            lower,
            upper,
            normal: Some(facing(ray, crossing.normal)),
            is_back_face: crossing.is_from_behind,
            status: Self::status(ray, upper - lower, distance),
        })
    }

    /// The status of a hit at `distance` whose bounds are apart by `gap`.
    #[inline(always)]
    fn status(ray: &RayInFrame<P>, gap: f64, distance: f64) -> Status {
        if gap <= tolerances::CONVERGED_GAP * (ray.bounding_radius + distance) {
            Status::Exact
        } else {
            Status::IterationLimit
        }
    }

    /// The status of this hit with bounds that are apart by `gap`, which may be more than its own.
    pub(super) fn status_within(&self, ray: &RayInFrame<P>, gap: f64) -> Status {
        match Self::status(ray, gap, self.distance) {
            Status::Exact => self.status,
            limited => limited,
        }
    }

    /// The hit in the frame of the world, in single precision. `ray` is the ray in the world, `unit` its direction, and
    /// `frame` the pose of the shape.
    #[inline(always)]
    pub(super) fn in_world<V: Vector<Precise = P>>(
        &self,
        ray: &Ray<V>,
        unit: P,
        frame: &RelativePose<P>,
    ) -> RayHit<V> {
        let turned = |normal| frame.transform_direction(normal);
        let normal = self.normal.map(turned);
        Self { normal, ..*self }.in_single_precision(ray, unit)
    }

    /// The hit in single precision, of a shape whose frame is not turned.
    #[inline(always)]
    pub(super) fn in_single_precision<V: Vector<Precise = P>>(
        &self,
        ray: &Ray<V>,
        unit: P,
    ) -> RayHit<V> {
        let point = ray.origin() + unit * self.distance;
        let coordinates = point.abs();
        let greatest =
            (0..P::DIM).fold(self.distance, |most, k| most.max(coordinates.component(k)));
        RayHit {
            distance: round_nearest(self.distance),
            lower: round_down(self.lower),
            upper: round_up(self.upper),
            position: point,
            normal: self.normal.map(V::from_precise),
            is_back_face: self.is_back_face,
            part: 0,
            status: if greatest > f64::from(Real::MAX) {
                Status::Saturated
            } else {
                self.status
            },
        }
    }
}

/// The unit normal, which never points away from where the ray comes, not even by rounding.
#[inline(always)]
fn facing<P: PreciseVector>(ray: &RayInFrame<P>, normal: P) -> P {
    let length = normal.length();
    if !(length > 0.0) {
        return -ray.direction;
    }
    let unit = normal / length;
    let away = unit.dot(ray.direction);
    if away > 0.0 {
        let level = unit - ray.direction * away;
        level.direction().unwrap_or(-ray.direction)
    } else {
        unit
    }
}

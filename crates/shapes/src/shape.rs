//! The shapes that users make.

use std::sync::Arc;

use clearance_math::{Aabb, Pose, PreciseVector, Real, Vec3, Vector, tolerances};

use crate::convex::half_space_bounds;
use crate::error::{check_number, check_vector};
use crate::{
    Cone, Convex, Core, Cuboid, Cylinder, Ellipsoid, HalfSpace, Hull, Requirement, Segment,
    ShapeError, Triangle,
};

/// The shape of a body, in the frame of the body; cheap to clone, because clones share their hull.
///
/// Made by fallible constructors only, so every value is valid. Lengths are in the caller's unit.
///
/// ```
/// use clearance::dim3::{Pose, Shape, Vec3};
///
/// let capsule = Shape::capsule(1.0, 0.5)?;
/// let top = capsule.bounds(&Pose::IDENTITY).max;
/// assert!((top - Vec3::new(0.5, 1.5, 0.5)).length() < 1e-6);
/// assert!(Shape::ball(-1.0).is_err());
/// # Ok::<(), clearance::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Shape<V: Vector> {
    /// A bounded convex shape.
    Convex(Convex<V>),
    /// Everything on one side of a plane.
    HalfSpace(HalfSpace<V>),
}

impl<V: Vector> Shape<V> {
    /// A circle or sphere of `radius` > 0 centred on the origin.
    ///
    /// # Errors
    /// A radius that is not finite or not positive.
    pub fn ball(radius: Real) -> Result<Self, ShapeError> {
        check_number("radius", radius, Requirement::Positive)?;
        Ok(Self::convex(Core::Point(V::ZERO), radius))
    }

    /// A rectangle or box centred on the origin; each of `half_extents` > 0.
    ///
    /// # Errors
    /// A half extent that is not finite or not positive.
    pub fn cuboid(half_extents: V) -> Result<Self, ShapeError> {
        check_vector("half_extents", half_extents, Requirement::Positive)?;
        Ok(Self::convex(Core::Cuboid(Cuboid { half_extents }), 0.0))
    }

    /// The segment from (0, -half_length) to (0, half_length) along y, swept by a ball.
    ///
    /// # Errors
    /// A negative `half_length`, a `radius` that is not positive, or one that is not finite.
    pub fn capsule(half_length: Real, radius: Real) -> Result<Self, ShapeError> {
        check_number("half_length", half_length, Requirement::NotNegative)?;
        check_number("radius", radius, Requirement::Positive)?;
        let b = V::axis(1) * half_length;
        Ok(Self::convex(segment_core(-b, b), radius))
    }

    /// The segment from `a` to `b`, swept by a ball of `radius` > 0; length zero makes a ball.
    ///
    /// ```
    /// use clearance::dim3::{Pose, Shape, Vec3};
    ///
    /// let shin = Shape::capsule_from_endpoints(Vec3::ZERO, Vec3::new(0.0, -0.4, 0.1), 0.05)?;
    /// assert!((shin.bounds(&Pose::IDENTITY).min.y + 0.45).abs() < 1e-6);
    /// let upright = Shape::capsule_from_endpoints(-Vec3::Y, Vec3::Y, 0.5)?;
    /// assert_eq!(upright, Shape::capsule(1.0, 0.5)?);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A coordinate that is not finite, or a radius that is not finite or not positive.
    pub fn capsule_from_endpoints(a: V, b: V, radius: Real) -> Result<Self, ShapeError> {
        check_vector("a", a, Requirement::Finite)?;
        check_vector("b", b, Requirement::Finite)?;
        check_number("radius", radius, Requirement::Positive)?;
        Ok(Self::convex(segment_core(a, b), radius))
    }

    /// The segment from `a` to `b`; length zero is allowed.
    ///
    /// # Errors
    /// A coordinate that is not finite.
    pub fn segment(a: V, b: V) -> Result<Self, ShapeError> {
        check_vector("a", a, Requirement::Finite)?;
        check_vector("b", b, Requirement::Finite)?;
        Ok(Self::convex(segment_core(a, b), 0.0))
    }

    /// The filled triangle between three points in any order; its corners may lie on a line or coincide.
    ///
    /// # Errors
    /// A coordinate that is not finite.
    pub fn triangle(a: V, b: V, c: V) -> Result<Self, ShapeError> {
        check_vector("a", a, Requirement::Finite)?;
        check_vector("b", b, Requirement::Finite)?;
        check_vector("c", c, Requirement::Finite)?;
        let core = if a == b || b == c {
            segment_core(a, c)
        } else if a == c {
            segment_core(a, b)
        } else {
            Core::Triangle(Triangle { a, b, c })
        };
        Ok(Self::convex(core, 0.0))
    }

    /// The convex hull of `points`: at least one, in any order; repeated and inner points are allowed.
    ///
    /// Costs O(n log n), see [`Hull::from_points`].
    ///
    /// # Errors
    /// No point at all, or a coordinate that is not finite.
    pub fn hull(points: &[V]) -> Result<Self, ShapeError> {
        Ok(Hull::from_points(points)?.into())
    }

    /// An ellipse or ellipsoid centred on the origin; each of `radii` > 0.
    ///
    /// # Errors
    /// A radius that is not finite or not positive.
    pub fn ellipsoid(radii: V) -> Result<Self, ShapeError> {
        check_vector("radii", radii, Requirement::Positive)?;
        let first = radii.component(0);
        if radii == V::splat(first) {
            return Self::ball(first);
        }
        let core = Ellipsoid::new(radii);
        let inset = core.inset();
        Ok(Self::Convex(Convex::new(Core::Ellipsoid(core), inset)))
    }

    /// All points x with `normal . x <= 0`: everything below a plane through the origin of the body.
    ///
    /// The outward normal must be of unit length within 1e-3, and is normalised.
    ///
    /// # Errors
    /// A normal that is not finite or not of unit length.
    pub fn half_space(normal: V) -> Result<Self, ShapeError> {
        check_vector("normal", normal, Requirement::Finite)?;
        let normal = normal.to_precise();
        let length = normal.length();
        if !((length - 1.0).abs() <= tolerances::UNIT_LENGTH_SLACK) {
            return Err(ShapeError::NotUnit { length });
        }
        Ok(Self::HalfSpace(HalfSpace {
            normal: normal / length,
            offset: 0.0,
        }))
    }

    /// The Minkowski sum of this shape and a ball of `radius` > 0.
    ///
    /// # Errors
    /// A radius that is not finite or not positive.
    pub fn rounded(&self, radius: Real) -> Result<Self, ShapeError> {
        check_number("radius", radius, Requirement::Positive)?;
        let radius = f64::from(radius);
        Ok(match self {
            Self::Convex(convex) => Self::Convex(convex.with_more_radius(radius)),
            Self::HalfSpace(half_space) => Self::HalfSpace(HalfSpace {
                normal: half_space.normal,
                offset: half_space.offset + radius,
            }),
        })
    }

    pub(crate) fn convex(core: Core<V>, radius: Real) -> Self {
        Self::Convex(Convex::new(core, f64::from(radius)))
    }

    /// The least box that holds the shape at `pose`, rounded outwards; infinite for a half-space.
    #[must_use]
    pub fn bounds(&self, pose: &Pose<V>) -> Aabb<V> {
        self.bounds_within(pose, 0.0)
    }

    /// The least box that holds all points within `distance` >= 0 of the shape at `pose`, rounded
    /// outwards; infinite for a half-space.
    #[must_use]
    pub fn bounds_within(&self, pose: &Pose<V>, distance: f64) -> Aabb<V> {
        match self {
            Self::Convex(convex) => convex.bounds_within(pose, distance),
            Self::HalfSpace(half_space) => half_space_bounds(half_space, pose, distance),
        }
    }

    /// The bytes on the heap that the shape shares with its clones.
    #[must_use]
    pub fn shared_memory(&self) -> usize {
        match self {
            Self::Convex(convex) => match convex.core() {
                Core::Hull(hull) => hull.memory(),
                _ => 0,
            },
            Self::HalfSpace(_) => 0,
        }
    }
}

/// The shape that [`Shape::hull`] makes of the vertices, without looking for them again.
///
/// ```
/// use clearance::dim2::{Hull, Shape, Vec2};
///
/// let corners = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
/// let hull = Hull::from_points(&corners)?;
/// assert_eq!(Shape::from(hull), Shape::hull(&corners)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<V: Vector> From<Hull<V>> for Shape<V> {
    fn from(hull: Hull<V>) -> Self {
        let core = match *hull.vertices() {
            [a] => Core::Point(a),
            [a, b] => segment_core(a, b),
            [a, b, c] => Core::Triangle(Triangle { a, b, c }),
            _ => Core::Hull(Arc::new(hull)),
        };
        Self::convex(core, 0.0)
    }
}

impl Shape<Vec3> {
    /// A cylinder about the y axis, centred on the origin.
    ///
    /// # Errors
    /// A number that is not finite or not positive.
    pub fn cylinder(half_height: Real, radius: Real) -> Result<Self, ShapeError> {
        check_number("half_height", half_height, Requirement::Positive)?;
        check_number("radius", radius, Requirement::Positive)?;
        let cylinder = Cylinder {
            half_height,
            radius,
        };
        Ok(Self::convex(Core::Cylinder(cylinder), 0.0))
    }

    /// A cone about the y axis: base at `-half_height`, apex at `+half_height`.
    ///
    /// # Errors
    /// A number that is not finite or not positive.
    pub fn cone(half_height: Real, radius: Real) -> Result<Self, ShapeError> {
        check_number("half_height", half_height, Requirement::Positive)?;
        check_number("radius", radius, Requirement::Positive)?;
        let cone = Cone {
            half_height,
            radius,
        };
        Ok(Self::convex(Core::Cone(cone), 0.0))
    }
}

fn segment_core<V: Vector>(a: V, b: V) -> Core<V> {
    if a == b {
        Core::Point(a)
    } else {
        Core::Segment(Segment { a, b })
    }
}

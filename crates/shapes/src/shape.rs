//! The public shape type and its constructors.

use std::sync::Arc;

use clearance_math::{Aabb, Pose, PreciseVector, Real, Vec3, Vector, tolerances};

use crate::composite::{CompositeKind, no_outer_side};
use crate::convex::half_space_bounds;
use crate::error::{check_number, check_vector};
use crate::{
    Composite, Cone, Convex, Core, Cuboid, Cylinder, Ellipsoid, HalfSpace, Hull, Requirement,
    Segment, ShapeError, Triangle,
};

/// The shape of a body, in the frame of the body. It is cheap to clone, because clones share the
/// vertices of a hull.
///
/// The constructors check their input, so every existing shape is valid. Lengths are in your unit
/// of length. Lists of points, triangles, heights and parts may be arrays, slices or `Vec`s, owned or borrowed: the shape
/// copies what it keeps, which costs little beside what it builds over it.
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
    /// A convex shape of finite size.
    Convex(Convex<V>),
    /// All points on one side of a line (2D) or plane (3D), such as the ground.
    HalfSpace(HalfSpace<V>),
    /// The union of numbered convex parts: a mesh, a polyline, a height field or a compound. Clones
    /// share it.
    Composite(Arc<Composite<V>>),
}

impl<V: Vector> From<Composite<V>> for Shape<V> {
    fn from(composite: Composite<V>) -> Self {
        Self::Composite(Arc::new(composite))
    }
}

impl<V: Vector> Shape<V> {
    /// A circle (2D) or sphere (3D) of `radius` > 0, centred on the origin of the body.
    ///
    /// # Errors
    /// A radius that is not finite or not positive.
    #[doc(alias("sphere", "circle"))]
    pub fn ball(radius: Real) -> Result<Self, ShapeError> {
        check_number("ball", "radius", radius, Requirement::Positive)?;
        Ok(Self::convex(Core::Point(V::ZERO), radius))
    }

    /// A rectangle (2D) or box (3D) centred on the origin of the body. Each of `half_extents`,
    /// which are half the side lengths, must be > 0.
    ///
    /// # Errors
    /// A half extent that is not finite or not positive.
    #[doc(alias("box", "rectangle"))]
    pub fn cuboid(half_extents: V) -> Result<Self, ShapeError> {
        check_vector(
            "cuboid",
            "half_extents",
            half_extents,
            Requirement::Positive,
        )?;
        Ok(Self::convex(Core::Cuboid(Cuboid { half_extents }), 0.0))
    }

    /// A capsule along the y axis of the body, centred on its origin: all points within `radius` of
    /// the segment from y = -half_length to y = +half_length. The total length is `2 * (half_length
    /// + radius)`.
    ///
    /// # Errors
    /// A negative `half_length`, a `radius` that is not positive, or a number that is not finite.
    pub fn capsule(half_length: Real, radius: Real) -> Result<Self, ShapeError> {
        check_number(
            "capsule",
            "half_length",
            half_length,
            Requirement::NotNegative,
        )?;
        check_number("capsule", "radius", radius, Requirement::Positive)?;
        let b = V::axis(1) * half_length;
        Ok(Self::convex(segment_core(-b, b), radius))
    }

    /// A capsule given by its end points: all points within `radius` > 0 of the segment from `a` to
    /// `b`. If `a` equals `b`, the capsule is a ball.
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
        check_vector("capsule", "a", a, Requirement::Finite)?;
        check_vector("capsule", "b", b, Requirement::Finite)?;
        check_number("capsule", "radius", radius, Requirement::Positive)?;
        Ok(Self::convex(segment_core(a, b), radius))
    }

    /// The line segment from `a` to `b`. A segment of length zero is a point.
    ///
    /// # Errors
    /// A coordinate that is not finite.
    pub fn segment(a: V, b: V) -> Result<Self, ShapeError> {
        check_vector("segment", "a", a, Requirement::Finite)?;
        check_vector("segment", "b", b, Requirement::Finite)?;
        Ok(Self::convex(segment_core(a, b), 0.0))
    }

    /// The filled triangle with three corners in any order. The corners may lie on one line or
    /// coincide.
    ///
    /// # Errors
    /// A coordinate that is not finite.
    pub fn triangle(a: V, b: V, c: V) -> Result<Self, ShapeError> {
        check_vector("triangle", "a", a, Requirement::Finite)?;
        check_vector("triangle", "b", b, Requirement::Finite)?;
        check_vector("triangle", "c", c, Requirement::Finite)?;
        Ok(Self::triangle_of(a, b, c))
    }

    /// The triangle with finite corners.
    #[inline]
    pub(crate) fn triangle_of(a: V, b: V, c: V) -> Self {
        let core = if a == b || b == c {
            segment_core(a, c)
        } else if a == c {
            segment_core(a, b)
        } else {
            Core::Triangle(Triangle { a, b, c })
        };
        Self::convex(core, 0.0)
    }

    /// The segment with finite ends.
    #[inline]
    pub(crate) fn segment_of(a: V, b: V) -> Self {
        Self::convex(segment_core(a, b), 0.0)
    }

    /// The convex hull of `points`, a convex polygon or polyhedron. At least one point is needed.
    /// The points may come in any order; repeated and interior points are allowed.
    ///
    /// Costs O(n log n) for n points: see [`Hull::from_points`].
    ///
    /// # Errors
    /// No points, or a coordinate that is not finite.
    #[doc(alias("convex_hull", "convex_polyhedron", "convex_polygon"))]
    pub fn hull(points: impl AsRef<[V]>) -> Result<Self, ShapeError> {
        Ok(Hull::from_points(points.as_ref())?.into())
    }

    /// An ellipse (2D) or ellipsoid (3D) centred on the origin of the body. `radii` are the half
    /// axes along the axes of the body, each > 0.
    ///
    /// # Errors
    /// A radius that is not finite or not positive.
    pub fn ellipsoid(radii: V) -> Result<Self, ShapeError> {
        check_vector("ellipsoid", "radii", radii, Requirement::Positive)?;
        let first = radii.component(0);
        if radii == V::splat(first) {
            return Self::ball(first);
        }
        let core = Ellipsoid::new(radii);
        let inset = core.inset();
        Ok(Self::Convex(Convex::new(Core::Ellipsoid(core), inset)))
    }

    /// The half-space of all points x with `normal . x <= 0`: everything below a line (2D) or plane
    /// (3D) through the origin of the body, where `normal` points up.
    ///
    /// The outward normal must be of unit length within 1e-3; it is then normalised.
    ///
    /// # Errors
    /// A normal that is not finite or not of unit length.
    #[doc(alias("plane", "halfspace", "world_boundary"))]
    pub fn half_space(normal: V) -> Result<Self, ShapeError> {
        check_vector("half_space", "normal", normal, Requirement::Finite)?;
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

    /// The shape of all points within `radius` > 0 of this shape. A cuboid becomes a box with
    /// rounded edges that is larger by `radius` on every side.
    ///
    /// # Errors
    /// A radius that is not finite or not positive, or a composite shape.
    #[doc(alias("round_cuboid", "radius"))]
    pub fn rounded(&self, radius: Real) -> Result<Self, ShapeError> {
        check_number("rounded", "radius", radius, Requirement::Positive)?;
        let radius = f64::from(radius);
        Ok(match self {
            Self::Convex(convex) => Self::Convex(convex.with_more_radius(radius)),
            Self::HalfSpace(half_space) => Self::HalfSpace(HalfSpace {
                normal: half_space.normal,
                offset: half_space.offset + radius,
            }),
            Self::Composite(composite) => {
                let kind = composite.kind().name();
                return Err(ShapeError::CannotRound { kind });
            }
        })
    }

    /// The same mesh, height field or 2D polyline, whose faces count on their outer sides only: for terrain and
    /// walls that are seen from one side.
    ///
    /// The outer side is the front that rays tell from the back: where the corners of a triangle run counter-clockwise,
    /// on the right of a segment, and where a height field's scale along y points. A face counts for a shape if the normal
    /// of their contact, where they are nearest or overlap the least, points to the outer side, and if they overlap by at
    /// most `depth`, >= 0, in units of length. That is a function of the two poses, and holds for distances, contacts,
    /// casts and slides alike; a cast asks it where the shape first comes within its range of the face, so that a shape
    /// which comes from behind passes. Rays pass from behind.
    ///
    /// A slide keeps clear of what counts, and does not end in an overlap that is deeper than a few skins: for platforms that a
    /// sliding character jumps through, choose a depth of 0.
    ///
    /// A shape that comes through from behind is pushed out by no more than `depth`, once most of it is through; one that
    /// sinks deeper than `depth` into the outer side falls through. Choose as much as bodies overlap at most in the game: a
    /// tenth of their size, say. A solid body is the way to keep things from a side that is not there.
    ///
    /// ```
    /// use clearance::dim2::{Placed, Pose, Shape, Vec2, contacts};
    ///
    /// // From right to left, so that the upper side is on the right.
    /// let platform = Shape::polyline(vec![Vec2::X, -Vec2::X])?.one_sided(0.1)?;
    /// let ball = Shape::ball(0.5)?;
    /// let mut found = Vec::new();
    /// for (height, is_met) in [(0.5, true), (0.45, true), (0.3, false), (-0.45, false)] {
    ///     let at = Pose::from_translation(Vec2::new(0.0, height));
    ///     contacts(Placed::new(&platform, &Pose::IDENTITY), Placed::new(&ball, &at), 0.01, &mut found)?;
    ///     assert_eq!(!found.is_empty(), is_met);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A depth that is negative or not finite; a shape that has no faces with an outer side.
    #[doc(alias("one_way", "back_face_culling"))]
    pub fn one_sided(self, depth: Real) -> Result<Self, ShapeError> {
        let shared = match self {
            Self::Composite(shared) if !matches!(shared.kind(), CompositeKind::Compound(_)) => {
                shared
            }
            _ => return Err(no_outer_side(self.kind_name())),
        };
        let own = match Arc::try_unwrap(shared) {
            Ok(own) => own,
            Err(shared) => shared.stretched(V::splat(1.0))?,
        };
        own.with_one_side(depth).map(Self::from)
    }

    pub(crate) fn convex(core: Core<V>, radius: Real) -> Self {
        Self::Convex(Convex::new(core, f64::from(radius)))
    }

    /// The smallest axis-aligned box around the shape at `pose`, rounded outwards. For a composite it
    /// is the box around the turned boxes of its tree's upper nodes, so it can be larger. For a half-space
    /// it is infinite, except on the bounded side if the normal is parallel to an axis of the
    /// world.
    #[must_use]
    pub fn bounds(&self, pose: &Pose<V>) -> Aabb<V> {
        self.bounds_within(pose, 0.0)
    }

    /// The smallest axis-aligned box around all points within `distance` >= 0 of the shape at
    /// `pose`, rounded outwards. For a half-space it is infinite, except on the bounded side if the
    /// normal is parallel to an axis of the world.
    #[must_use]
    pub fn bounds_within(&self, pose: &Pose<V>, distance: f64) -> Aabb<V> {
        match self {
            Self::Convex(convex) => convex.bounds_within(pose, distance),
            Self::HalfSpace(half_space) => half_space_bounds(half_space, pose, distance),
            Self::Composite(composite) => composite.bounds_within(pose, distance),
        }
    }

    /// An upper bound of the distance of the shape's points from the origin of the body, in units of
    /// length: infinite for a half-space.
    #[must_use]
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Convex(convex) => convex.core_bounding_radius() + convex.radius(),
            Self::HalfSpace(_) => f64::INFINITY,
            Self::Composite(composite) => composite.bounding_radius(),
        }
    }

    /// The radius of a shape that has the bits of [`Shape::ball`]; `None` for all others.
    #[doc(hidden)] // for the crates of this workspace
    #[must_use]
    pub fn ball_radius(&self) -> Option<Real> {
        let Self::Convex(convex) = self else {
            return None;
        };
        let Core::Point(center) = convex.core() else {
            return None;
        };
        let radius = convex.radius() as Real;
        // A hull of one point has no radius, its coordinates may be -0.0, and the radius of a rounded ball may be no
        // number of single precision.
        let is_centered = (0..V::DIM).all(|k| center.component(k).to_bits() == 0);
        let is_ball = radius > 0.0 && is_centered && f64::from(radius) == convex.radius();
        is_ball.then_some(radius)
    }

    /// The memory, in bytes, of the hull or composite that the shape shares with its clones; zero
    /// for other kinds.
    #[must_use]
    pub fn shared_memory(&self) -> usize {
        match self {
            Self::Convex(convex) => match convex.core() {
                Core::Hull(hull) => hull.memory(),
                _ => 0,
            },
            Self::HalfSpace(_) => 0,
            Self::Composite(composite) => composite.memory(),
        }
    }
}

/// Makes a shape of a hull without computing the hull again. The result equals that of
/// [`Shape::hull`].
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
    /// A cylinder about the y axis of the body, centred on its origin.
    ///
    /// # Errors
    /// A number that is not finite or not positive.
    pub fn cylinder(half_height: Real, radius: Real) -> Result<Self, ShapeError> {
        check_number(
            "cylinder",
            "half_height",
            half_height,
            Requirement::Positive,
        )?;
        check_number("cylinder", "radius", radius, Requirement::Positive)?;
        let cylinder = Cylinder {
            half_height,
            radius,
        };
        Ok(Self::convex(Core::Cylinder(cylinder), 0.0))
    }

    /// A cone about the y axis of the body, with its base at y = -half_height and its apex at y =
    /// +half_height.
    ///
    /// # Errors
    /// A number that is not finite or not positive.
    pub fn cone(half_height: Real, radius: Real) -> Result<Self, ShapeError> {
        check_number("cone", "half_height", half_height, Requirement::Positive)?;
        check_number("cone", "radius", radius, Requirement::Positive)?;
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

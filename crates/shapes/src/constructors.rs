//! The constructors of shapes, but for composites.

use std::sync::Arc;

use clearance_math::{PreciseVector, Real, Vec3, Vector, tolerances};

use crate::error::Requirement::{Finite, NotNegative, Positive};
use crate::error::{check_number, check_vector};
use crate::shape::segment_core;
use crate::{
    Cone, Convex, Core, Cuboid, Custom, CustomShape, Cylinder, Ellipsoid, HalfSpace, Hull, Shape,
    ShapeError, TaperedCapsule, TaperedCylinder, Triangle,
};

impl<V: Vector> Shape<V> {
    /// A circle (2D) or sphere (3D) of `radius` > 0, centred on the origin of the body.
    ///
    /// # Errors
    /// A radius that is not finite or not positive.
    #[doc(alias("sphere", "circle"))]
    pub fn ball(radius: Real) -> Result<Self, ShapeError> {
        check_number("ball", "radius", radius, Positive)?;
        Ok(Self::convex(Core::Point(V::ZERO), radius))
    }

    /// A rectangle (2D) or box (3D) centred on the origin of the body. Each of `half_extents`,
    /// which are half the side lengths, must be > 0.
    ///
    /// # Errors
    /// A half extent that is not finite or not positive.
    #[doc(alias("box", "rectangle"))]
    pub fn cuboid(half_extents: V) -> Result<Self, ShapeError> {
        check_vector("cuboid", "half_extents", half_extents, Positive)?;
        Ok(Self::convex(Core::Cuboid(Cuboid { half_extents }), 0.0))
    }

    /// A capsule along the y axis of the body, centred on its origin: all points within `radius` of
    /// the segment from y = -half_length to y = +half_length. The total length is `2 * (half_length
    /// + radius)`.
    ///
    /// # Errors
    /// A negative `half_length`, a `radius` that is not positive, or a number that is not finite.
    pub fn capsule(half_length: Real, radius: Real) -> Result<Self, ShapeError> {
        check_number("capsule", "half_length", half_length, NotNegative)?;
        check_number("capsule", "radius", radius, Positive)?;
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
        check_vector("capsule", "a", a, Finite)?;
        check_vector("capsule", "b", b, Finite)?;
        check_number("capsule", "radius", radius, Positive)?;
        Ok(Self::convex(segment_core(a, b), radius))
    }

    /// The line segment from `a` to `b`. A segment of length zero is a point.
    ///
    /// # Errors
    /// A coordinate that is not finite.
    pub fn segment(a: V, b: V) -> Result<Self, ShapeError> {
        check_vector("segment", "a", a, Finite)?;
        check_vector("segment", "b", b, Finite)?;
        Ok(Self::convex(segment_core(a, b), 0.0))
    }

    /// The filled triangle with three corners in any order. The corners may lie on one line or
    /// coincide.
    ///
    /// # Errors
    /// A coordinate that is not finite.
    pub fn triangle(a: V, b: V, c: V) -> Result<Self, ShapeError> {
        check_vector("triangle", "a", a, Finite)?;
        check_vector("triangle", "b", b, Finite)?;
        check_vector("triangle", "c", c, Finite)?;
        Ok(Self::triangle_of(a, b, c))
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
        check_vector("ellipsoid", "radii", radii, Positive)?;
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
        check_vector("half_space", "normal", normal, Finite)?;
        let normal = normal.to_precise();
        let length = normal.length();
        if !((length - 1.0).abs() <= tolerances::UNIT_LENGTH_SLACK) {
            return Err(ShapeError::NotUnit {
                shape: "half_space",
                length,
            });
        }
        Ok(Self::HalfSpace(HalfSpace {
            normal: normal / length,
            offset: 0.0,
        }))
    }

    /// A tapered capsule along the y axis of the body: the convex hull of a ball of `radius_top`
    /// about y = +half_length and one of `radius_bottom` about y = -half_length. If one ball contains
    /// the other, the shape is that ball.
    ///
    /// ```
    /// use clearance::dim3::{Pose, Shape};
    ///
    /// let egg = Shape::tapered_capsule(1.0, 0.25, 0.5)?;
    /// let bounds = egg.bounds(&Pose::IDENTITY);
    /// assert!((bounds.max.y - 1.25).abs() < 1e-6 && (bounds.min.y + 1.5).abs() < 1e-6);
    /// assert_eq!(Shape::tapered_capsule(1.0, 0.5, 0.5)?, Shape::capsule(1.0, 0.5)?);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A negative `half_length`, a radius that is not positive, or a number that is not finite.
    pub fn tapered_capsule(
        half_length: Real,
        radius_top: Real,
        radius_bottom: Real,
    ) -> Result<Self, ShapeError> {
        check_number("tapered_capsule", "half_length", half_length, NotNegative)?;
        let radii = [("radius_top", radius_top), ("radius_bottom", radius_bottom)];
        for (name, radius) in radii {
            check_number("tapered_capsule", name, radius, Positive)?;
        }
        let difference = f64::from(radius_top) - f64::from(radius_bottom);
        if difference == 0.0 {
            return Self::capsule(half_length, radius_top);
        }
        if difference.abs() >= 2.0 * f64::from(half_length) {
            let end = if difference > 0.0 {
                half_length
            } else {
                -half_length
            };
            let center = V::axis(1) * end;
            return Ok(Self::convex(
                Core::Point(center),
                radius_top.max(radius_bottom),
            ));
        }
        let core = TaperedCapsule::new(half_length, radius_top, radius_bottom);
        let inset = core.inset();
        Ok(Self::Convex(Convex::new(Core::TaperedCapsule(core), inset)))
    }

    /// The tapered cylinder, cylinder or cone of [`Shape::tapered_cylinder`], for code of both
    /// dimensions. Only call it in 3D.
    pub(crate) fn upright_tapered(
        half_height: Real,
        radius_top: Real,
        radius_bottom: Real,
    ) -> Result<Self, ShapeError> {
        check_number("tapered_cylinder", "half_height", half_height, Positive)?;
        let radii = [("radius_top", radius_top), ("radius_bottom", radius_bottom)];
        for (name, radius) in radii {
            check_number("tapered_cylinder", name, radius, NotNegative)?;
        }
        if radius_top == 0.0 && radius_bottom == 0.0 {
            return Err(ShapeError::NoRadius);
        }
        if radius_top == 0.0 {
            let cone = Cone {
                half_height,
                radius: radius_bottom,
            };
            return Ok(Self::convex(Core::Cone(cone), 0.0));
        }
        if radius_top == radius_bottom {
            let cylinder = Cylinder {
                half_height,
                radius: radius_top,
            };
            return Ok(Self::convex(Core::Cylinder(cylinder), 0.0));
        }
        let core = TaperedCylinder {
            half_height,
            radius_top,
            radius_bottom,
        };
        Ok(Self::convex(Core::TaperedCylinder(core), 0.0))
    }

    /// A convex shape of your own: see [`CustomShape`], and [`Support`](crate::Support) for the farthest points.
    ///
    /// ```
    /// use clearance::dim2::{Placed, Pose, Shape, Vec2, proximity};
    /// use clearance::math::DVec2;
    /// use clearance::shapes::{CustomShape, Support};
    ///
    /// /// The lens in which two discs overlap whose centres lie one radius apart.
    /// #[derive(Debug)]
    /// struct Lens {
    ///     radius: f32,
    /// }
    ///
    /// impl Support<DVec2> for Lens {
    ///     fn support(&self, direction: DVec2) -> DVec2 {
    ///         let radius = f64::from(self.radius);
    ///         // Beyond the arcs of 60 degrees to both sides the tips are farthest.
    ///         if direction.x.abs() <= 0.5 {
    ///             return DVec2::new(0.0, radius * 0.75_f64.sqrt().copysign(direction.y));
    ///         }
    ///         direction * radius - DVec2::new(0.5 * radius.copysign(direction.x), 0.0)
    ///     }
    ///
    ///     fn center(&self) -> DVec2 {
    ///         DVec2::ZERO
    ///     }
    ///
    ///     fn bounding_radius(&self) -> f64 {
    ///         f64::from(self.radius)
    ///     }
    /// }
    ///
    /// impl CustomShape<DVec2> for Lens {
    ///     fn key(&self) -> [u32; 8] {
    ///         [1, self.radius.to_bits(), 0, 0, 0, 0, 0, 0]
    ///     }
    /// }
    ///
    /// let lens = Shape::custom(Lens { radius: 2.0 })?;
    /// let (ball, beside) = (Shape::ball(1.0)?, Pose::from_translation(Vec2::new(5.0, 0.0)));
    /// let (a, b) = (Placed::new(&lens, &Pose::IDENTITY), Placed::new(&ball, &beside));
    /// let near = proximity(a, b, f32::INFINITY)?.near().unwrap();
    /// assert!((near.distance - 3.0).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// It can be rounded, be a part of a compound, and be asked every question. It can be neither
    /// scaled nor moved in its body, nor stored: a snapshot that stays in memory shares it, one that is
    /// written is refused.
    ///
    /// # Errors
    /// A centre or a bounding radius that cannot be. The shape is asked for its farthest points along
    /// the axes and diagonals, too: they must be finite, lie within the bounding radius, and none may
    /// be farther along the direction of another than the point for that direction.
    pub fn custom(shape: impl CustomShape<V::Precise> + 'static) -> Result<Self, ShapeError> {
        Ok(Self::convex(Core::Custom(Custom::new(shape)?), 0.0))
    }
}

impl Shape<Vec3> {
    /// A cylinder about the y axis of the body, centred on its origin.
    ///
    /// # Errors
    /// A number that is not finite or not positive.
    pub fn cylinder(half_height: Real, radius: Real) -> Result<Self, ShapeError> {
        check_number("cylinder", "half_height", half_height, Positive)?;
        check_number("cylinder", "radius", radius, Positive)?;
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
        check_number("cone", "half_height", half_height, Positive)?;
        check_number("cone", "radius", radius, Positive)?;
        let cone = Cone {
            half_height,
            radius,
        };
        Ok(Self::convex(Core::Cone(cone), 0.0))
    }

    /// A tapered cylinder about the y axis of the body: the convex hull of a disc of `radius_top` at y
    /// = +half_height and one of `radius_bottom` at y = -half_height. One of the radii, but not both,
    /// may be zero.
    ///
    /// ```
    /// use clearance::ShapeError;
    /// use clearance::dim3::Shape;
    ///
    /// let bucket = Shape::tapered_cylinder(0.5, 0.5, 0.25)?;
    /// assert_eq!(Shape::tapered_cylinder(0.5, 0.0, 0.0), Err(ShapeError::NoRadius));
    /// assert_eq!(Shape::tapered_cylinder(0.5, 0.0, 0.25)?, Shape::cone(0.5, 0.25)?);
    /// # Ok::<(), ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A `half_height` that is not positive, a negative radius, two radii of zero, or a number that is
    /// not finite.
    pub fn tapered_cylinder(
        half_height: Real,
        radius_top: Real,
        radius_bottom: Real,
    ) -> Result<Self, ShapeError> {
        Self::upright_tapered(half_height, radius_top, radius_bottom)
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

//! Scaled and translated shapes.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Real, Vector};

use crate::error::{check_number, check_vector};
use crate::{
    Cone, Convex, Core, Cuboid, Cylinder, HalfSpace, Requirement, Segment, Shape, ShapeError,
    TaperedCapsule, Triangle,
};

impl<V: Vector> Shape<V> {
    /// The shape scaled uniformly about the origin of its body, by `factor` > 0. The rounding
    /// radius is scaled too.
    ///
    /// Every kind but shapes of your own can be scaled uniformly. Coordinates are rounded to single precision. A hull is
    /// computed again, at the cost of [`Hull::from_points`](crate::Hull::from_points).
    ///
    /// ```
    /// use clearance::dim3::Shape;
    ///
    /// let capsule = Shape::capsule(1.0, 0.5)?;
    /// assert_eq!(capsule.scaled(2.0)?, Shape::capsule(2.0, 1.0)?);
    /// let refused = capsule.scaled(-1.0).unwrap_err().to_string();
    /// assert_eq!(refused, "capsule: factor is -1, must be finite and > 0");
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A factor that is not finite or not positive, or one with which a number of the shape leaves
    /// the range that its constructor allows; a shape of your own.
    pub fn scaled(&self, factor: Real) -> Result<Self, ShapeError> {
        check_number(self.kind_name(), "factor", factor, Requirement::Positive)?;
        self.stretched(V::splat(factor))
            .map_err(|error| match error {
                ShapeError::OutOfRange {
                    shape, axis, value, ..
                } => ShapeError::OutOfRange {
                    shape,
                    argument: "factor",
                    axis,
                    value,
                },
                other => other,
            })
    }

    /// The shape scaled about the origin of its body by `factors[k]` along each of its axes. A negative factor mirrors it.
    ///
    /// Factors that are equal but for their signs scale every kind but shapes of your own. Others give:
    ///
    /// | shape | result |
    /// | --- | --- |
    /// | point, segment, triangle, cuboid, hull without a radius | of the same kind |
    /// | ball centred on the origin, ellipsoid | an ellipsoid |
    /// | cylinder, cone, tapered cylinder | the same kind, if the factors of x and z are equal but for their signs |
    /// | half-space | a half-space |
    /// | mesh, polyline, height field | of the same kind |
    /// | compound | a compound of the stretched parts, if each of them can be stretched where it is (see below) |
    /// | capsule, tapered capsule, rounded shapes | none: a stretched ball is no ball |
    ///
    /// A part of a compound is stretched along its own axes, as this table says, if it is turned by quarter turns. If it is
    /// turned otherwise, its corners are moved: a cuboid becomes a hull. That is not possible for round parts but balls.
    ///
    /// Mirrored meshes and height fields keep their outer side: the corners of each triangle change their order. A cone
    /// whose apex points down is a tapered cylinder.
    ///
    /// Coordinates are rounded to single precision. A hull is computed again, at the cost of
    /// [`Hull::from_points`](crate::Hull::from_points).
    ///
    /// ```
    /// use clearance::dim3::{Shape, Vec3};
    ///
    /// let ball = Shape::ball(2.0)?;
    /// let egg = ball.scaled_by(Vec3::new(1.0, 1.5, 1.0))?;
    /// assert_eq!(egg, Shape::ellipsoid(Vec3::new(2.0, 3.0, 2.0))?);
    /// let capsule = Shape::capsule(1.0, 0.5)?;
    /// assert_eq!(capsule.scaled_by(Vec3::new(-2.0, 2.0, 2.0))?, Shape::capsule(2.0, 1.0)?);
    /// let refused = capsule.scaled_by(Vec3::new(1.0, 2.0, 1.0)).unwrap_err().to_string();
    /// let way_out = "must be equal but for their signs; or make it anew, of other numbers";
    /// assert_eq!(refused, format!("factors do not fit a capsule, {way_out}"));
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// Factors that are not finite or zero, that the kind does not allow, or with which a number of the shape leaves the
    /// range that its constructor allows.
    pub fn scaled_by(&self, factors: V) -> Result<Self, ShapeError> {
        check_vector(self.kind_name(), "factors", factors, Requirement::NotZero)?;
        self.stretched(factors)
    }

    fn stretched(&self, factors: V) -> Result<Self, ShapeError> {
        match self {
            Self::Convex(convex) => stretched_convex(convex, factors),
            Self::HalfSpace(half_space) => stretched_half_space(half_space, factors),
            Self::Composite(composite) => composite.stretched(factors).map(Self::from),
        }
    }

    /// The shape moved by `offset` in the frame of its body, so that its centre need not be the
    /// origin.
    ///
    /// Points, segments, triangles and hulls of any rounding radius can be moved, and so can balls
    /// and capsules. A cuboid becomes the hull of its corners, whose distances take somewhat longer
    /// to measure. Meshes, polylines and compounds can be moved. Cylinders, cones, tapered shapes,
    /// ellipsoids, height fields, half-spaces and shapes of your own always lie at the origin of their
    /// body: multiply the pose of the body instead, as in `pose * Pose::from_translation(offset)`.
    /// Coordinates are rounded to single precision.
    ///
    /// ```
    /// use clearance::dim2::{Pose, Shape, Vec2};
    ///
    /// let ball = Shape::ball(0.5)?.translated(Vec2::new(3.0, 0.0))?;
    /// let bounds = ball.bounds(&Pose::IDENTITY);
    /// assert!((bounds.min - Vec2::new(2.5, -0.5)).length() < 1e-6);
    /// let refused = Shape::half_space(Vec2::Y)?.translated(Vec2::X).unwrap_err();
    /// assert_eq!(refused.to_string(), "a half_space cannot be moved in its body, move the pose of the body");
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// An offset that is not finite or with which a coordinate leaves the range of numbers, or a
    /// kind that cannot be moved.
    pub fn translated(&self, offset: V) -> Result<Self, ShapeError> {
        check_vector(self.kind_name(), "offset", offset, Requirement::Finite)?;
        let convex = match self {
            Self::Convex(convex) => convex,
            Self::HalfSpace(_) => {
                let kind = "half_space";
                return Err(ShapeError::CannotMove { kind });
            }
            Self::Composite(composite) => return composite.translated(offset).map(Self::from),
        };
        let moved = |point: V| {
            in_range(
                convex.kind_name(),
                "offset",
                point.to_precise() + offset.to_precise(),
                point + offset,
            )
        };
        let shape = match convex.core() {
            Core::Cuboid(cuboid) => Self::hull(&try_map(&corners(cuboid), moved)?)?,
            core => match points(core) {
                Some(points) => Self::of_points(core, &try_map(&points, moved)?)?,
                None => {
                    let kind = name_of(convex);
                    return Err(ShapeError::CannotMove { kind });
                }
            },
        };
        Ok(shape.with_radius(convex.radius()))
    }

    /// The shape of the kind of `core` with the given points instead of its own.
    fn of_points(core: &Core<V>, points: &[V]) -> Result<Self, ShapeError> {
        match (core, points) {
            (Core::Point(_), &[a]) => Ok(Self::convex(Core::Point(a), 0.0)),
            (Core::Segment(_), &[a, b]) => Self::segment(a, b),
            (Core::Triangle(_), &[a, b, c]) => Self::triangle(a, b, c),
            _ => Self::hull(points),
        }
    }

    /// Adds a rounding radius to a shape that has none.
    fn with_radius(self, radius: f64) -> Self {
        match self {
            Self::Convex(convex) if radius > 0.0 => {
                Self::Convex(Convex::new(convex.core().clone(), radius))
            }
            other => other,
        }
    }
}

/// What the shape is called in a sentence.
fn name_of<V: Vector>(convex: &Convex<V>) -> &'static str {
    match convex.kind_name() {
        "custom" => "custom shape",
        "rounded" => "rounded shape",
        name => name,
    }
}

/// The corners of a shape without a radius that is the hull of them.
pub(crate) fn corners_of<V: Vector>(convex: &Convex<V>) -> Option<Vec<V>> {
    (convex.radius() == 0.0).then(|| core_corners(convex.core()))?
}

/// The vertices of a polytope core, in the frame of its body; `None` for a curved core.
#[must_use]
pub fn core_corners<V: Vector>(core: &Core<V>) -> Option<Vec<V>> {
    match core {
        Core::Cuboid(cuboid) => Some(corners(cuboid)),
        core => points(core),
    }
}

/// The points that define the core, or `None` if it is not defined by points.
fn points<V: Vector>(core: &Core<V>) -> Option<Vec<V>> {
    match core {
        Core::Point(a) => Some(vec![*a]),
        Core::Segment(Segment { a, b }) => Some(vec![*a, *b]),
        Core::Triangle(Triangle { a, b, c }) => Some(vec![*a, *b, *c]),
        Core::Hull(hull) => Some(hull.vertices().to_vec()),
        _ => None,
    }
}

/// The transformed point, unless it is beyond the range of single precision; `exact` is what it would be
/// without that limit.
fn in_range<V: Vector>(
    shape: &'static str,
    argument: &'static str,
    exact: V::Precise,
    point: V,
) -> Result<V, ShapeError> {
    match (0..V::DIM).find(|&axis| !point.component(axis).is_finite()) {
        None => Ok(point),
        Some(axis) => Err(ShapeError::OutOfRange {
            shape,
            argument,
            axis,
            value: exact.component(axis),
        }),
    }
}

/// Checks a rounding radius that was scaled: it must be within single precision, or not greater than it
/// was, since radii that were added up may be beyond.
fn check_radius(
    shape: &'static str,
    scaled: f64,
    before: f64,
    requirement: Requirement,
) -> Result<(), ShapeError> {
    let greatest = before.max(Real::MAX.into());
    let radius = if scaled <= greatest {
        scaled.min(Real::MAX.into())
    } else {
        scaled
    };
    check_number(shape, "radius", radius as Real, requirement)
}

fn corners<V: Vector>(cuboid: &Cuboid<V>) -> Vec<V> {
    let half = cuboid.half_extents;
    let corner = |number: usize| {
        V::from_fn(|k| {
            let sign = if number >> k & 1 == 0 { 1.0 } else { -1.0 };
            sign * half.component(k)
        })
    };
    (0..1 << V::DIM).map(corner).collect()
}

fn try_map<V: Vector>(
    points: &[V],
    map: impl Fn(V) -> Result<V, ShapeError>,
) -> Result<Vec<V>, ShapeError> {
    points.iter().map(|&point| map(point)).collect()
}

/// The product component by component.
pub(crate) fn product<V: Vector>(vector: V, factors: V) -> V {
    V::from_fn(|k| vector.component(k) * factors.component(k))
}

/// The factors without their signs.
pub(crate) fn sizes<V: Vector>(factors: V) -> V {
    V::from_fn(|k| factors.component(k).abs())
}

/// Whether factors are equal but for their signs.
pub(crate) fn are_even<V: Vector>(factors: V) -> bool {
    sizes(factors) == V::splat(factors.component(0).abs())
}

fn stretched_convex<V: Vector>(convex: &Convex<V>, factors: V) -> Result<Shape<V>, ShapeError> {
    let sizes = sizes(factors);
    let radius = convex.radius();
    // The radius of an ellipsoid is its inset, which does not stand in the way of scaling.
    let own_radius = match convex.core() {
        Core::Ellipsoid(ellipsoid) => ellipsoid.inset(),
        Core::TaperedCapsule(capsule) => capsule.inset(),
        _ => 0.0,
    };
    let is_ball = matches!(convex.core(), Core::Point(center) if *center == V::ZERO);
    let is_tapered = matches!(convex.core(), Core::TaperedCapsule(_));
    let is_custom = matches!(convex.core(), Core::Custom(_));
    if !are_even(factors) && !is_custom && (radius > own_radius || is_tapered) {
        if is_ball {
            let radii = V::from_fn(|k| (radius * f64::from(sizes.component(k))) as Real);
            return Shape::ellipsoid(radii);
        }
        let valid = "equal but for their signs; or make it anew, of other numbers";
        return Err(cannot_stretch(convex, valid));
    }
    let before = (radius - own_radius).max(0.0);
    let extra = before * f64::from(sizes.component(0));
    if before > 0.0 {
        check_radius(convex.kind_name(), extra, before, Requirement::Positive)?;
    }
    Ok(match stretched_core(convex, factors)? {
        Shape::Convex(scaled) => Shape::Convex(scaled.with_more_radius(extra)),
        other => other,
    })
}

/// The scaled core, and in the case of an ellipsoid its rounding radius.
fn stretched_core<V: Vector>(convex: &Convex<V>, factors: V) -> Result<Shape<V>, ShapeError> {
    let name = convex.kind_name();
    let stretched = |point: V| {
        let exact = point.to_precise().scaled_by(factors.to_precise());
        in_range(name, "factors", exact, product(point, factors))
    };
    let sizes = sizes(factors);
    let is_upside_down = factors.component(1) < 0.0;
    let axial = |half_height: Real, radius: Real| {
        if sizes.component(0) != sizes.component(V::DIM - 1) {
            let valid = "equal along x and z but for their signs";
            return Err(cannot_stretch(convex, valid));
        }
        let half_height = half_height * sizes.component(1);
        let radius = radius * sizes.component(0);
        check_number(name, "half_height", half_height, Requirement::Positive)?;
        check_number(name, "radius", radius, Requirement::Positive)?;
        Ok((half_height, radius))
    };
    let core = match convex.core() {
        Core::Cuboid(cuboid) => return Shape::cuboid(product(cuboid.half_extents, sizes)),
        Core::Ellipsoid(ellipsoid) => {
            let radii = product(ellipsoid.radii(), sizes);
            check_vector(name, "radii", radii, Requirement::Positive)?;
            return Shape::ellipsoid(radii);
        }
        Core::TaperedCapsule(capsule) => return scaled_capsule(capsule, factors),
        Core::Custom(_) => {
            let kind = name_of(convex);
            return Err(ShapeError::CannotScale { kind });
        }
        Core::TaperedCylinder(cylinder) => {
            let (half_height, radius_top) = axial(cylinder.half_height, cylinder.radius_top)?;
            let radius_bottom = cylinder.radius_bottom * sizes.component(0);
            let [top, bottom] = turned_over(is_upside_down, [radius_top, radius_bottom]);
            return Shape::upright_tapered(half_height, top, bottom);
        }
        Core::Cylinder(cylinder) => {
            let (half_height, radius) = axial(cylinder.half_height, cylinder.radius)?;
            Core::Cylinder(Cylinder {
                half_height,
                radius,
            })
        }
        Core::Cone(cone) => {
            let (half_height, radius) = axial(cone.half_height, cone.radius)?;
            if is_upside_down {
                return Shape::upright_tapered(half_height, radius, 0.0);
            }
            Core::Cone(Cone {
                half_height,
                radius,
            })
        }
        core @ (Core::Point(_) | Core::Segment(_) | Core::Triangle(_) | Core::Hull(_)) => {
            let points = points(core).unwrap_or_default();
            return Shape::of_points(core, &try_map(&points, stretched)?);
        }
    };
    Ok(Shape::convex(core, 0.0))
}

fn scaled_capsule<V: Vector>(capsule: &TaperedCapsule, factors: V) -> Result<Shape<V>, ShapeError> {
    let size = factors.component(0).abs();
    let is_upside_down = factors.component(1) < 0.0;
    let radii = [capsule.radius_top(), capsule.radius_bottom()].map_each(|radius| radius * size);
    let [top, bottom] = turned_over(is_upside_down, radii);
    Shape::tapered_capsule(capsule.half_length() * size, top, bottom)
}

/// The radii at the top and at the bottom.
fn turned_over(is_upside_down: bool, [top, bottom]: [Real; 2]) -> [Real; 2] {
    if is_upside_down {
        [bottom, top]
    } else {
        [top, bottom]
    }
}

fn cannot_stretch<V: Vector>(convex: &Convex<V>, valid: &'static str) -> ShapeError {
    let kind = name_of(convex);
    ShapeError::CannotStretch { kind, valid }
}

/// For points x with `normal . x <= offset`, the scaled points y = S x have `(S^-1 normal) . y <=
/// offset`.
fn stretched_half_space<V: Vector>(
    half_space: &HalfSpace<V>,
    factors: V,
) -> Result<Shape<V>, ShapeError> {
    let is_uniform = factors == V::splat(factors.component(0));
    let factors = factors.to_precise();
    let divided = V::Precise::from_fn(|k| half_space.normal.component(k) / factors.component(k));
    let length = divided.length();
    let offset = half_space.offset / length;
    check_radius("half_space", offset, half_space.offset, Requirement::Finite)?;
    let normal = if is_uniform {
        half_space.normal * factors.component(0).signum()
    } else {
        divided / length
    };
    Ok(Shape::HalfSpace(HalfSpace { normal, offset }))
}

//! Shapes at poses, and the errors of queries.

use clearance_math::{Pose, PoseError, Real, Vector};
use clearance_shapes::Shape;

/// How long a question about composites may search, unless [`Placed::with_effort`] says otherwise.
///
/// It counts what is looked at in vain: pairs of boxes of two composites, and pairs of parts by how long they take.
/// All of it takes some tens of milliseconds for most shapes, and up to seconds where thousands of curved parts are cast that
/// overlap at the start. A ball, a box or a character beside a mesh or a level needs a small share of it.
pub const DEFAULT_EFFORT: u32 = 1 << 18;

/// A shape at a pose: one of the two sides of a query.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a, V: Vector> {
    /// The shape, in the frame of its body.
    pub shape: &'a Shape<V>,
    /// The pose of the body in the world.
    pub pose: &'a Pose<V>,
    /// How long questions may search if the shape is a composite: see [`Placed::with_effort`].
    pub effort: u32,
    /// Which parts questions are about if the shape is a composite, all by default: see [`Placed::with_parts`].
    pub parts: Option<PartFilter<'a>>,
}

/// A function that decides whether a question is about a part of a composite, by the number of the part.
#[derive(Clone, Copy)]
pub struct PartFilter<'a>(&'a (dyn Fn(u32) -> bool + Sync + 'a));

impl core::fmt::Debug for PartFilter<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("PartFilter")
    }
}

impl<'a, V: Vector> Placed<'a, V> {
    /// Places `shape` at `pose`. Nothing is checked here; queries check the pose.
    #[must_use]
    pub fn new(shape: &'a Shape<V>, pose: &'a Pose<V>) -> Self {
        Self {
            shape,
            pose,
            effort: DEFAULT_EFFORT,
            parts: None,
        }
    }

    /// Leaves parts of a composite out of questions: those with numbers for which a function returns false. Nothing changes
    /// if the shape is no composite.
    ///
    /// The function must give the same answer whenever it is asked, and may be asked about any part, in any order. Cost:
    /// parts that are left out are looked at as before, up to this question about them. Where a search comes to its
    /// [effort](Self::with_effort) before it has found any other, the answer is [`Undecided`](crate::Proximity::Undecided).
    ///
    /// ```
    /// use clearance::dim2::{Placed, Pose, Ray, RayOptions, Shape, Vec2, cast_ray};
    ///
    /// let steps = [0.0, 1.0, 2.0, 3.0].map(|x| Vec2::new(x, x)).to_vec();
    /// let (steps, place) = (Shape::polyline(steps)?, Pose::IDENTITY);
    /// let ray = Ray::new(Vec2::new(0.0, 0.25), Vec2::new(2.0, 1.0))?;
    /// let is_first_out = |part: u32| part > 0;
    /// let all = cast_ray(&ray, Placed::new(&steps, &place), RayOptions::default())?;
    /// let some = cast_ray(&ray, Placed::new(&steps, &place).with_parts(&is_first_out), RayOptions::default())?;
    /// assert!(all.is_some_and(|hit| hit.part == 0) && some.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_parts(self, accepts: &'a (dyn Fn(u32) -> bool + Sync + 'a)) -> Self {
        Self {
            parts: Some(PartFilter(accepts)),
            ..self
        }
    }

    /// Whether questions are about a part, if the shape is a composite.
    #[inline]
    pub(crate) fn has_part(&self, number: u32) -> bool {
        let is_left_out = |PartFilter(accepts)| !accepts(number);
        !(matches!(self.shape, Shape::Composite(_)) && self.parts.is_some_and(is_left_out))
    }

    /// Whether some parts may not count.
    #[inline]
    pub(crate) fn is_selective(&self) -> bool {
        let Shape::Composite(composite) = self.shape else {
            return false;
        };
        self.parts.is_some() || composite.one_sided().is_some()
    }

    /// Limits how long questions may search if the shape is a composite; [`DEFAULT_EFFORT`] by default. Of the limits of two
    /// composites the smaller one counts.
    ///
    /// The effort counts what is looked at in vain: pairs of boxes of two composites, and pairs of parts by how long they
    /// take. A search that reaches the limit ends with what it knows: the status of a distance or a cast is then
    /// [`Status::IterationLimit`](crate::Status::IterationLimit), and the bounds hold; a list says that it is not
    /// [`Complete`](crate::Completeness::Complete); shapes that were not told apart [intersect](crate::intersects). Where
    /// the limit is depends on shapes, poses and effort alone, so the answers are equal on every platform. Rays need no
    /// limit: they test each part once at most.
    ///
    /// ```
    /// use clearance::dim2::{Placed, Pose, Shape, Vec2, proximity};
    ///
    /// // Two zigzags of two hundred lines beside each other.
    /// let zigzag = |x: f32| Shape::polyline((0..200).map(|k| Vec2::new(x + (k % 2) as f32, k as f32)).collect::<Vec<_>>());
    /// let (a, b) = (zigzag(0.0)?, zigzag(1.5)?);
    /// let [a, b] = [&a, &b].map(|shape| Placed::new(shape, &Pose::IDENTITY).with_effort(100));
    /// let near = proximity(a, b, f32::INFINITY)?.near().unwrap();
    /// assert!(near.lower <= 0.5 && 0.5 <= near.upper);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_effort(self, effort: u32) -> Self {
        Self { effort, ..self }
    }

    /// The same at another pose.
    pub(crate) fn at<'p>(self, pose: &'p Pose<V>) -> Placed<'p, V>
    where
        'a: 'p,
    {
        Placed { pose, ..self }
    }

    /// Whether the pose is valid.
    #[inline]
    pub(crate) fn is_valid(&self) -> bool {
        self.pose.checked().is_ok()
    }
}

/// One of the two shapes of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first shape.
    A,
    /// The second shape.
    B,
}

impl core::fmt::Display for Side {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::A => "a",
            Self::B => "b",
        })
    }
}

/// The error of a query with input that is not valid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A pose is not finite, or its rotation is not of unit length.
    #[error("{side}.pose.{error}")]
    Pose {
        /// The shape whose pose is not valid.
        side: Side,
        /// What is wrong with the pose.
        error: PoseError,
    },
    /// The range is NaN.
    #[error("within is NaN, must be a number or infinity")]
    Range,
    /// A shape is a composite, where a convex one or a half-space is needed.
    #[error("{side}.shape is a {kind}, must be convex")]
    NotConvex {
        /// The side of the shape.
        side: Side,
        /// The kind of the composite.
        kind: &'static str,
    },
    /// A shape is no surface of triangles, where one is needed.
    #[error("{side}.shape is a {kind}, must be a mesh or a height field")]
    NoTriangles {
        /// The side of the shape.
        side: Side,
        /// The kind of the shape.
        kind: &'static str,
    },
    /// The greatest distance of a ray is NaN or negative.
    #[error("max_distance is {value}, must be >= 0")]
    MaxDistance {
        /// The value that was given.
        value: Real,
    },
    /// The range of a cast is NaN, infinite or negative.
    #[error("within is {value}, must be finite and >= 0")]
    CastRange {
        /// The value that was given.
        value: Real,
    },
    /// A number of a motion is NaN or infinite.
    #[error("motion_{side}.{field}[{axis}] is {value}, must be finite")]
    Motion {
        /// The shape whose motion is not valid.
        side: Side,
        /// The field of the motion: `linear` or `angular`.
        field: &'static str,
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: Real,
    },
    /// A coordinate of a point is NaN, infinite or beyond the range of single precision.
    #[error(
        "point[{axis}] is {value}, must be finite and at most {:e} in size",
        Real::MAX
    )]
    Point {
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: f64,
    },
}

/// Checks the input, since the algorithms rely on valid poses.
pub(crate) fn check<V: Vector>(
    a: &Placed<V>,
    b: &Placed<V>,
    within: Real,
) -> Result<(), QueryError> {
    if within.is_nan() {
        return Err(QueryError::Range);
    }
    for (side, placed) in [(Side::A, a), (Side::B, b)] {
        if let Err(error) = placed.pose.checked() {
            return Err(QueryError::Pose { side, error });
        }
    }
    Ok(())
}

/// Checks what a query asks about, as shape a.
///
/// # Errors
/// [`QueryError`] if the pose is not valid, or if `within` is NaN.
pub fn check_side<V: Vector>(a: &Placed<V>, within: Real) -> Result<(), QueryError> {
    check(a, a, within)
}

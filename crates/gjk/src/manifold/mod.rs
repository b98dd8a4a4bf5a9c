//! Contact manifolds: the few points that stand for the region in which two convex shapes touch.
//!
//! The normal of the pair is known from measuring it. The part of each surface that [faces](facing) along it is looked
//! up; both are seen along the normal, and the corners of what they [have in common](candidates) are the points. Of too
//! many the [most important](reduce) are chosen. All of this is a function of the shapes and their poses alone.

mod along;
mod beside;
mod candidates;
mod clip;
mod crossing;
mod crossing_lanes;
mod facing;
mod feature;
mod matching;
mod outline;
mod place;
mod placed_segments;
mod points;
mod rectangles;
mod reduce;

use arrayvec::ArrayVec;
use clearance_math::{Real, RelativePose, Vector, compile_once, round_nearest};
use clearance_shapes::{Core, Shape};

use crate::answer::Separation;
use crate::measured::Outcome;
use crate::pair;
use crate::placed::{Placed, QueryError, Side, check};
pub(crate) use along::{Along, face_towards};
pub(crate) use beside::Beside;
pub(crate) use crossing_lanes::{OnePoint, one_point};
use facing::Facing;
pub use feature::Feature;
pub use matching::{PlacedManifold, match_points};
use placed_segments::PlacedSegments;
pub(crate) use rectangles::{FourCuboids, FourFaces, Reach};

/// The most points of a manifold in space.
const MOST_POINTS: usize = 4;

/// A point of a contact manifold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint<V> {
    /// The signed distance of the two surfaces here, along the normal, in your unit of length.
    pub distance: Real,
    /// The point on the surface of a, in the frame of the world.
    pub point_a: V,
    /// The point on the surface of b. It equals `point_a + distance * normal` up to rounding.
    pub point_b: V,
    /// What the point is on a.
    pub feature_a: Feature,
    /// What the point is on b.
    pub feature_b: Feature,
}

/// Two things of shapes in canonical order, in the order of the question.
#[inline(always)]
pub(crate) fn in_order_of_question<T>([a, b]: [T; 2], is_exchanged: bool) -> [T; 2] {
    if is_exchanged { [b, a] } else { [a, b] }
}

/// Where two shapes in canonical order touch, and what they are there.
#[derive(Clone, Copy)]
struct Touch<V> {
    on: [V; 2],
    features: [Feature; 2],
}

impl<V: Vector> ManifoldPoint<V> {
    /// The point of shapes that were exchanged for canonical order, or were not.
    #[inline(always)]
    fn new(distance: Real, touch: Touch<V>, is_exchanged: bool) -> Self {
        let [point_a, point_b] = in_order_of_question(touch.on, is_exchanged);
        let [feature_a, feature_b] = in_order_of_question(touch.features, is_exchanged);
        Self {
            distance,
            point_a,
            point_b,
            feature_a,
            feature_b,
        }
    }
}

/// The region in which two convex shapes touch or face each other, as a few points.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifold<V: Vector> {
    /// The answer of [`proximity`](crate::proximity). Its normal is that of all points.
    pub separation: Separation<V>,
    points: Points<V>,
}

/// The points of a manifold. They are filled where they stay: a whole list that was just written number by number takes
/// longer to move than to make.
type Points<V> = ArrayVec<ManifoldPoint<V>, MOST_POINTS>;

impl<V: Vector> Manifold<V> {
    /// Puts the manifold of two shapes into `found` that touch in one point: their closest points, which have these
    /// features.
    #[inline(always)]
    pub(crate) fn of_one_point(
        near: Separation<V>,
        [feature_a, feature_b]: [Feature; 2],
        found: &mut Option<Self>,
    ) {
        let manifold = found.insert(Self::without_points(near));
        // Not from the manifold: a processor would have to wait for numbers that were just written one by one.
        manifold.points.push(ManifoldPoint {
            distance: near.distance,
            point_a: near.point_a,
            point_b: near.point_b,
            feature_a,
            feature_b,
        });
    }

    /// A manifold to be filled, of shapes whose distance is `near`, in the order of the question.
    #[inline]
    pub(crate) fn without_points(near: Separation<V>) -> Self {
        Self {
            separation: near,
            points: Points::new(),
        }
    }

    /// The points, sorted by what they are on the two shapes: at least one, at most two in 2D and four in 3D.
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint<V>] {
        &self.points
    }

    /// The unit vector from a to b along which the distances of all points are measured.
    #[must_use]
    pub fn normal(&self) -> V {
        self.separation.normal
    }

    /// The manifold with a and b exchanged; the points keep their order.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.separation = self.separation.flipped();
        for point in &mut self.points {
            *point = ManifoldPoint {
                point_a: point.point_b,
                point_b: point.point_a,
                feature_a: point.feature_b,
                feature_b: point.feature_a,
                ..*point
            };
        }
        self
    }
}

/// Finds the contact manifold of two placed shapes that are not farther apart than `within`: the points where their
/// surfaces face each other, for a solver that pushes them apart. `None` if they are farther apart, and for two
/// half-spaces that overlap without bound.
///
/// Two faces have the corners of their common part, reduced to four in 3D; a face and an edge have two points, as
/// have parallel edges; all else has one. Points that are farther apart than `within` are left out. A point of the
/// least distance is always there, or one whose distance is the same up to 1e-5 of the size of the smaller face: where
/// rounded shapes lean a little, that is the end of a flat side instead of the round edge beside it. Faces may lean by
/// about 6 degrees to the normal.
///
/// The manifold is a function of the shapes and their poses. Exchanging `a` and `b` gives the mirrored one, bit for
/// bit. [`match_points`] finds its points again in the next frame. Nothing is allocated.
///
/// # Errors
/// [`QueryError`] if a pose is not finite, if a rotation is not of unit length, if `within` is NaN, or if a shape is a
/// composite.
///
/// ```
/// use clearance::dim3::{Placed, Pose, Shape, Vec3, contact_manifold};
///
/// let (floor, crate_) = (Shape::half_space(Vec3::Y)?, Shape::cuboid(Vec3::new(1.0, 0.5, 1.0))?);
/// let sunk = Pose::from_translation(Vec3::new(4.0, 0.375, 0.0));
/// let (floor, crate_) = (Placed::new(&floor, &Pose::IDENTITY), Placed::new(&crate_, &sunk));
/// let manifold = contact_manifold(floor, crate_, 0.0)?.unwrap();
/// assert_eq!(manifold.normal(), Vec3::Y);
/// let corners: Vec<Vec3> = manifold.points().iter().map(|point| point.point_b).collect();
/// let corner = |x, z| Vec3::new(x, -0.125, z);
/// assert_eq!(corners, [corner(5.0, 1.0), corner(5.0, -1.0), corner(3.0, -1.0), corner(3.0, 1.0)]);
/// assert!(manifold.points().iter().all(|point| point.distance == -0.125));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("contact_points"))]
pub fn contact_manifold<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
) -> Result<Option<Manifold<V>>, QueryError> {
    check(&a, &b, within)?;
    for (side, placed) in [(Side::A, a), (Side::B, b)] {
        if let Shape::Composite(composite) = placed.shape {
            let kind = composite.kind().name();
            return Err(QueryError::NotConvex { side, kind });
        }
    }
    Ok(manifold_of(a, b, within))
}

compile_once! {
    /// Answers as [`contact_manifold`] does, but does not check the poses.
    pub(crate) fn manifold_of<'a, V>(a: Placed<'a, V>, b: Placed<'a, V>, within: Real) -> Option<Manifold<V>> {
        let pair = pair::ordered(a, b);
        let (mut found, asked) = (None, Asked { within, is_exchanged: pair.is_exchanged });
        in_order([pair.a, pair.b], asked, &mut found);
        found
    }
}

/// What is asked about two shapes in canonical order.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    /// How far apart points may be.
    pub(crate) within: Real,
    /// Whether the shapes were exchanged for that order. The manifold is then that of b and a.
    pub(crate) is_exchanged: bool,
}

/// Finds the manifold of two shapes in canonical order, exchanged where they were exchanged for that.
fn in_order<V: Vector>([a, b]: [Placed<V>; 2], asked: Asked, found: &mut Option<Manifold<V>>) {
    let within = asked.within;
    let a_in_world = RelativePose::from_pose(a.pose);
    if let Some(segments) = PlacedSegments::new([a, b], &a_in_world)
        && let Some(measured) = segments.measure()
    {
        if round_nearest(measured.distance) <= within {
            segments.fill(&measured, asked, found);
        }
        return;
    }
    let b_in_a = a_in_world.of(b.pose);
    let sides = Sides {
        shapes: [a.shape, b.shape],
        a_in_world: &a_in_world,
        b_in_a: &b_in_a,
        is_exchanged: asked.is_exchanged,
    };
    if sides.are_round() {
        if let Some(near) = pair::measure(a, b, within).near()
            && near.distance <= within
        {
            *found = Some(sides.touching_in_a_point(near));
        }
        return;
    }
    let beyond = pair::just_beyond(within);
    // The answer stays where it was written: moving it takes longer than much of what is computed here.
    let outcome = pair::measure_shapes(a.shape, b.shape, &b_in_a, beyond);
    if let Outcome::Near(measured) = &outcome
        && round_nearest(measured.distance) <= within
    {
        let near = measured.in_world(&a_in_world);
        let manifold = found.insert(sides.without_points(near));
        sides.fill(measured, within, manifold);
    }
}

/// The manifold of two segments, rounded or not, in canonical order, whose distance was measured before: its points are
/// those of [`contact_manifold`]. `None` for other shapes.
pub(crate) fn of_segments<V: Vector>(
    placed: [Placed<V>; 2],
    measured: MeasuredWithin<V>,
) -> Option<Manifold<V>> {
    let a_in_world = RelativePose::from_pose(placed[0].pose);
    let segments = PlacedSegments::new(placed, &a_in_world)?;
    let mut found = None;
    let asked = Asked {
        within: measured.within,
        is_exchanged: false,
    };
    segments.fill(&segments.measure()?, asked, &mut found);
    Some(Manifold {
        separation: measured.near,
        ..found?
    })
}

/// The distance of two shapes, and how far apart points of their manifold may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeasuredWithin<V> {
    pub(crate) near: Separation<V>,
    pub(crate) within: Real,
}

/// Whether every contact of the shape is a point.
fn is_round<V: Vector>(shape: &Shape<V>) -> bool {
    let core = match shape {
        Shape::Convex(convex) => convex.core(),
        Shape::HalfSpace(_) | Shape::Composite(_) => return false,
    };
    matches!(core, Core::Point(_) | Core::Ellipsoid(_) | Core::Custom(_))
}

/// Finds the part of the surface that faces `direction`. `found` must be empty.
fn find_facing<V: Vector>(shape: &Shape<V>, direction: V::Precise, found: &mut Facing<V::Precise>) {
    match shape {
        Shape::Convex(convex) => found.set_convex(convex, direction),
        Shape::HalfSpace(half_space) => found.set_half_space(half_space),
        Shape::Composite(_) => unreachable!("composites are refused"),
    }
}

/// Two shapes in canonical order and their poses.
pub(crate) struct Sides<'a, V: Vector> {
    pub(crate) shapes: [&'a Shape<V>; 2],
    pub(crate) a_in_world: &'a RelativePose<V::Precise>,
    pub(crate) b_in_a: &'a RelativePose<V::Precise>,
    /// Whether they were exchanged for that. The manifold is then that of b and a.
    pub(crate) is_exchanged: bool,
}

impl<V: Vector> Sides<'_, V> {
    /// The manifold of shapes whose distance was measured before, in canonical order.
    pub(crate) fn manifold(&self, measured: MeasuredWithin<V>) -> Manifold<V> {
        if self.are_round() {
            return self.touching_in_a_point(measured.near);
        }
        let [a, b] = self.shapes;
        let outcome = pair::measure_shapes(a, b, self.b_in_a, f64::INFINITY);
        // Nothing is farther than infinity, and one of the shapes has an end.
        let Outcome::Near(precise) = &outcome else {
            return self.touching_in_a_point(measured.near);
        };
        let mut manifold = self.without_points(measured.near);
        self.fill(precise, measured.within, &mut manifold);
        manifold
    }

    fn are_round(&self) -> bool {
        self.shapes.into_iter().any(is_round)
    }

    /// A manifold to be filled, of shapes whose distance in canonical order is `near`.
    #[inline]
    fn without_points(&self, near: Separation<V>) -> Manifold<V> {
        let in_order = if self.is_exchanged {
            near.flipped()
        } else {
            near
        };
        Manifold::without_points(in_order)
    }

    /// Finds the part of a surface that faces along the normal from a to b, in the frame of its body.
    fn find_facing(&self, side: usize, normal: V::Precise, found: &mut Facing<V::Precise>) {
        if side == 0 {
            return find_facing(self.shapes[0], normal, found);
        }
        let in_b = -self.b_in_a.inverse_transform_direction(normal);
        find_facing(self.shapes[1], in_b, found);
    }

    /// The manifold of a shape that touches in points only: the closest points.
    fn touching_in_a_point(&self, near: Separation<V>) -> Manifold<V> {
        let normal = near.normal.to_precise();
        let normal = self.a_in_world.inverse_transform_direction(normal);
        let features = [0, 1].map(|side| {
            let mut facing = Facing::empty();
            self.find_facing(side, normal, &mut facing);
            facing.feature
        });
        let mut manifold = self.without_points(near);
        let on = [near.point_a, near.point_b];
        let point = ManifoldPoint::new(near.distance, Touch { on, features }, self.is_exchanged);
        manifold.points.push(point);
        manifold
    }
}

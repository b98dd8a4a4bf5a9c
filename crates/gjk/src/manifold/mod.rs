//! Contact manifolds: the few points that stand for the region in which two convex shapes touch.
//!
//! The normal of the pair is known from measuring it. The part of each surface that [faces](facing) along it is looked
//! up; both are seen along the normal, and the corners of what they [have in common](candidates) are the points. Of too
//! many the [most important](reduce) are chosen. All of this is a function of the shapes and their poses alone.

mod candidates;
mod clip;
mod crossing;
mod facing;
mod feature;
mod reduce;

use arrayvec::ArrayVec;
use clearance_math::{PreciseVector, Real, RelativePose, Vector, compile_once, round_nearest};
use clearance_shapes::{Convex, Core, Shape};

use crate::answer::Separation;
use crate::measured::{Measured, Outcome};
use crate::pair;
use crate::placed::{Placed, QueryError, Side, check};
use candidates::{Candidate, Candidates, View};
use clip::{MOST_COMMON, Place};
use facing::{Facing, edge_number};
pub use feature::Feature;

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

/// The region in which two convex shapes touch or face each other, as a few points.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifold<V: Vector> {
    /// The answer of [`proximity`](crate::proximity). Its normal is that of all points.
    pub separation: Separation<V>,
    points: ArrayVec<ManifoldPoint<V>, MOST_POINTS>,
}

impl<V: Vector> Manifold<V> {
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
/// bit. [`Feature`] tells its points apart from frame to frame. Nothing is allocated.
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
        let (first, second, is_exchanged) = pair::ordered(a, b);
        let found = in_order(first, second, within)?;
        Some(if is_exchanged { found.flipped() } else { found })
    }
}

/// The manifold of two shapes in canonical order.
fn in_order<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Option<Manifold<V>> {
    let is_far = |separation: &Separation<V>| !(separation.distance <= within);
    let a_in_world = RelativePose::from_pose(a.pose);
    let b_in_a = a_in_world.of(b.pose);
    let sides = Sides {
        shapes: [a.shape, b.shape],
        a_in_world: &a_in_world,
        b_in_a: &b_in_a,
    };
    if sides.are_round() {
        let near = pair::measure(a, b, within).near()?;
        return (!is_far(&near)).then(|| sides.touching_in_a_point(near));
    }
    let beyond = pair::just_beyond(within);
    let Outcome::Near(measured) = pair::measure_shapes(a.shape, b.shape, &b_in_a, beyond) else {
        return None;
    };
    let near = measured.in_world(&a_in_world);
    (!is_far(&near)).then(|| sides.filled(&measured, MeasuredWithin { near, within }))
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
}

impl<V: Vector> Sides<'_, V> {
    /// The manifold of shapes whose distance was measured before.
    pub(crate) fn manifold(&self, measured: MeasuredWithin<V>) -> Manifold<V> {
        if self.are_round() {
            return self.touching_in_a_point(measured.near);
        }
        let [a, b] = self.shapes;
        match pair::measure_shapes(a, b, self.b_in_a, f64::INFINITY) {
            Outcome::Near(precise) => self.filled(&precise, measured),
            // Nothing is farther than infinity, and one of the shapes has an end.
            Outcome::Farther { .. } | Outcome::Unbounded => self.touching_in_a_point(measured.near),
        }
    }

    fn are_round(&self) -> bool {
        self.shapes.into_iter().any(is_round)
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
        let [feature_a, feature_b] = [0, 1].map(|side| {
            let mut facing = Facing::empty();
            self.find_facing(side, normal, &mut facing);
            facing.feature
        });
        let point = ManifoldPoint {
            distance: near.distance,
            point_a: near.point_a,
            point_b: near.point_b,
            feature_a,
            feature_b,
        };
        Manifold {
            separation: near,
            points: core::iter::once(point).collect(),
        }
    }

    /// The manifold of two shapes that may touch in an area. `pair` is in a's frame.
    fn filled(&self, pair: &Measured<V::Precise>, measured: MeasuredWithin<V>) -> Manifold<V> {
        if crossing::is_crossing(self, pair) {
            return self.crossing_in_a_point(pair, measured.near);
        }
        let (mut a, mut b) = (Facing::empty(), Facing::empty());
        self.find_facing(0, pair.normal, &mut a);
        self.find_facing(1, pair.normal, &mut b);
        b.place(self.b_in_a);
        let view = View::new(pair);
        let mut all = Candidates::new();
        let slack = candidates::find([&a, &b], &view, &mut all);
        let most_distance = f64::from(measured.within).max(pair.distance + slack);
        let mut found = Candidates::new();
        take_sorted(
            &all,
            Limits {
                most_distance,
                slack,
            },
            &mut found,
        );
        add_own(&mut found, pair, slack);
        let is_line = V::DIM == 2 || a.is_line() || b.is_line();
        let most = if is_line { 2 } else { MOST_POINTS };
        let mut points = ArrayVec::new();
        for k in reduce::choose(&found, most, slack) {
            points.push(self.point(&found[k], &view, [&a, &b]));
        }
        Manifold {
            separation: measured.near,
            points,
        }
    }

    /// The manifold of two segments that cross: the closest points.
    fn crossing_in_a_point(&self, pair: &Measured<V::Precise>, near: Separation<V>) -> Manifold<V> {
        let in_world = |point| V::from_precise(self.a_in_world.transform_point(point));
        let mut points = ArrayVec::new();
        points.push(ManifoldPoint {
            distance: round_nearest(pair.distance),
            point_a: in_world(pair.on_a),
            point_b: in_world(pair.on_a + pair.normal * pair.distance),
            feature_a: Feature::Edge(0),
            feature_b: Feature::Edge(0),
        });
        Manifold {
            separation: near,
            points,
        }
    }

    fn point(
        &self,
        candidate: &Candidate,
        view: &View<V::Precise>,
        facing: [&Facing<V::Precise>; 2],
    ) -> ManifoldPoint<V> {
        let [on_a, on_b] = view.points(candidate, facing);
        let in_world = |point| V::from_precise(self.a_in_world.transform_point(point));
        let [feature_a, feature_b] =
            [0, 1].map(|side| feature_at(self.shapes[side], facing[side], candidate.places[side]));
        ManifoldPoint {
            distance: round_nearest(candidate.distance),
            point_a: in_world(on_a),
            point_b: in_world(on_b),
            feature_a,
            feature_b,
        }
    }
}

/// Makes sure that the closest points of the pair are among the candidates, or points just as near. Curved rims and
/// ends are deeper between their candidates; the closest points then replace the nearest one.
fn add_own<P: PreciseVector>(found: &mut Candidates, pair: &Measured<P>, slack: f64) {
    let is_as_near = |candidate: &Candidate| candidate.distance <= pair.distance + slack;
    if found.iter().any(is_as_near) {
        return;
    }
    let own = |places| Candidate {
        at: glam::DVec2::ZERO,
        height: 0.0,
        distance: pair.distance,
        places,
        is_exact: false,
    };
    let nearest = found
        .iter_mut()
        .min_by(|p, q| p.at.length_squared().total_cmp(&q.at.length_squared()));
    match nearest {
        Some(nearest) => *nearest = own(nearest.places),
        None => found.push(own([Place::Inside; 2])),
    }
}

/// Which candidates count.
struct Limits {
    /// Not those that are farther apart.
    most_distance: f64,
    /// Not those that are so near to an earlier one.
    slack: f64,
}

/// Appends the candidates that count to `found`, sorted by what they are on the two shapes.
fn take_sorted(all: &Candidates, limits: Limits, found: &mut Candidates) {
    let mut order: ArrayVec<u64, MOST_COMMON> = ArrayVec::new();
    for (candidate, k) in all.iter().zip(0..) {
        if candidate.distance <= limits.most_distance {
            order.push(rank(candidate.places) << 8 | k);
        }
    }
    order.sort_unstable();
    for &place in &order {
        let candidate = &all[(place & 0xff) as usize];
        if is_new(candidate, found, limits.slack) {
            let _ = found.try_push(*candidate);
        }
    }
}

/// The place in the order of candidates. It hardly depends on which shape is a, as that can change from frame to frame.
fn rank([a, b]: [Place; 2]) -> u64 {
    let [a, b] = [a, b].map(|place| u64::from(place.rank()));
    a.min(b) << 32 | a.max(b) << 16 | a
}

/// Whether no candidate before this one is at its place.
fn is_new(candidate: &Candidate, before: &[Candidate], slack: f64) -> bool {
    // Most are so far away that no square root is needed to see it.
    let far = 2.0 * slack * slack;
    before.iter().all(|other| {
        let squared = (other.at - candidate.at).length_squared();
        squared > far || squared.sqrt() > slack
    })
}

/// The feature at a place of the part of a shape's surface that faces the other shape.
fn feature_at<V: Vector>(shape: &Shape<V>, facing: &Facing<V::Precise>, place: Place) -> Feature {
    let corners = &facing.corners;
    match place {
        Place::Corner(k) => Feature::Corner(corners[usize::from(k)].number),
        Place::Side(k) if corners.len() > 2 => {
            let k = usize::from(k);
            let ends = [k, (k + 1) % corners.len()].map(|k| corners[k].number);
            edge_of(shape, ends)
        }
        Place::Side(_) | Place::Inside => facing.feature,
    }
}

fn edge_of<V: Vector>(shape: &Shape<V>, ends: [u32; 2]) -> Feature {
    match shape {
        Shape::Convex(convex) => Feature::Edge(edge_number::<V>(Convex::core(convex), ends)),
        Shape::HalfSpace(_) | Shape::Composite(_) => Feature::Face(0),
    }
}

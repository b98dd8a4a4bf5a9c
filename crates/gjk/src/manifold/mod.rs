//! Contact manifolds: the few points that stand for the region in which two convex shapes touch.
//!
//! The normal of the pair is known from measuring it. The part of each surface that [faces](facing) along it is looked
//! up; both are seen along the normal, and the corners of what they [have in common](candidates) are the points. Of too
//! many the [most important](reduce) are chosen. All of this is a function of the shapes and their poses alone.
//!
//! `points.rs` tells the cases apart: `in_space.rs` for faces, by `clip.rs` and `reduce.rs`, `beside.rs` for lines side by
//! side, `in_plane.rs` for all of the plane; `ends.rs` chooses which ends of lines become points. Capsules have a shorter
//! way: `placed_segments.rs`, with `crossing.rs` for those that cross. `matching.rs` finds the points of one frame again in
//! the next. Sides in the plane wait in `uncut.rs` until those of other pairs are known, too.

mod along;
mod answer;
mod beside;
mod candidates;
mod clip;
mod crossing;
mod ends;
mod facing;
mod feature;
mod in_plane;
mod in_space;
mod matching;
mod outline;
mod place;
mod placed_segments;
mod points;
mod reduce;
mod sides;
mod uncut;

use clearance_math::{Real, RelativePose, Vector, compile_once, round_nearest};
use clearance_shapes::Shape;

use crate::answer::{Measured, Outcome, Separation};
use crate::convex::closed_forms::polytope_polytope::Hint;
use crate::convex::{Hinted, method};
use crate::pair::{Exchange, Placed, QueryError, Question, Side, check};
pub(crate) use along::{face_towards, is_along};
pub(crate) use answer::ManifoldQuestion;
pub use answer::{Manifold, ManifoldPoint};
pub(crate) use beside::Beside;
pub(crate) use crossing::{OnePoint, one_point};
pub(crate) use ends::Closest;
pub(crate) use facing::SidesOfRectangles;
pub use feature::Feature;
pub(crate) use in_plane::{CutSides, PosesInLanes, SidesInLanes, Touching};
pub use matching::{PlacedManifold, match_points};
use placed_segments::PlacedSegments;
pub(crate) use sides::OrderedShapes;
pub(crate) use uncut::{MOST_UNCUT, Room, Uncut};

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
/// let corners: Vec<Vec3> = manifold.points().iter().map(|point| point.point_b()).collect();
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
            let kind = composite.kind_name();
            return Err(QueryError::NotConvex { side, kind });
        }
    }
    let question = Question { a, b, within };
    Ok(manifold_of(&Hinted {
        question,
        hint: None,
    }))
}

/// Answers as [`contact_manifold`] does, but does not check the poses.
pub(crate) fn manifold_of<V: Vector>(asked: &Hinted<V>) -> Option<Manifold<V>> {
    let mut found = Manifold::none();
    found.fill_by(|room| fill_manifold(asked, room));
    found.found().cloned()
}

compile_once! {
    /// The same, put where it is to stay. The manifold must have no points, and stays so if the shapes are farther apart.
    pub(crate) fn fill_manifold<'a, V>(asked: &'a Hinted<'a, V>, room: Room<'a, V>) {
        let Hinted { question: Question { a, b, within }, hint } = *asked;
        let pair = method::ordered(a, b);
        let asked = ManifoldQuestion { within, exchange: pair.exchange };
        in_order([pair.a, pair.b], asked, hint, room);
    }
}

/// Finds the manifold of two shapes in canonical order, exchanged where they were exchanged for that.
fn in_order<V: Vector>(
    [a, b]: [Placed<V>; 2],
    asked: ManifoldQuestion,
    hint: Option<Hint<'_>>,
    room: Room<'_, V>,
) {
    let within = asked.within;
    let a_in_world = RelativePose::from_pose(a.pose);
    if let Some(segments) = PlacedSegments::new([a, b], &a_in_world)
        && let Some(measured) = segments.measure()
    {
        if round_nearest(measured.distance) <= within {
            segments.fill(&measured, asked, room);
        }
        return;
    }
    let b_in_a = a_in_world.of(b.pose);
    let sides = OrderedShapes {
        shapes: [a.shape, b.shape],
        a_in_world: &a_in_world,
        b_in_a: &b_in_a,
        exchange: asked.exchange,
    };
    if sides.are_round() {
        if let Some(near) = method::measure(a, b, within).near()
            && near.distance <= within
        {
            sides.set_closest(near, room.manifold);
        }
        return;
    }
    let beyond = method::just_beyond(within);
    // The answer stays where it was written: moving it takes longer than much of what is computed here.
    let outcome = method::measure_shapes([a.shape, b.shape], &b_in_a, beyond, hint);
    if let Outcome::Near(measured) = &outcome
        && round_nearest(measured.distance) <= within
    {
        let near = measured.in_world(&a_in_world);
        sides.begin(near, room.manifold);
        sides.fill(measured, within, room);
    }
}

/// Fills the manifold of two segments, rounded or not, in canonical order, whose distance was measured before: its points are
/// those of [`contact_manifold`]. `false` for other shapes.
pub(crate) fn fill_segments<V: Vector>(
    placed: [Placed<V>; 2],
    near: Separation<V>,
    within: Real,
    manifold: &mut Manifold<V>,
) -> bool {
    let a_in_world = RelativePose::from_pose(placed[0].pose);
    let Some(segments) = PlacedSegments::new(placed, &a_in_world) else {
        return false;
    };
    let Some(measured) = segments.measure() else {
        return false;
    };
    let asked = ManifoldQuestion {
        within,
        exchange: Exchange::NONE,
    };
    manifold.fill_by(|room| segments.fill(&measured, asked, room));
    manifold.separation = near;
    true
}

impl<V: Vector> OrderedShapes<'_, V> {
    /// Fills the manifold of shapes whose distance was measured before, in canonical order; `precise` is the same in a's
    /// frame, if it is known.
    pub(crate) fn fill_measured(
        &self,
        near: Separation<V>,
        precise: Option<&Measured<V::Precise>>,
        within: Real,
        manifold: &mut Manifold<V>,
    ) {
        if self.are_round() {
            return self.set_closest(near, manifold);
        }
        let [a, b] = self.shapes;
        let measure = || method::measure_shapes([a, b], self.b_in_a, f64::INFINITY, None);
        let measured = precise.is_none().then(measure);
        if let (Some(precise), _) | (None, Some(Outcome::Near(precise))) = (precise, &measured) {
            self.begin(near, manifold);
            manifold.fill_by(|room| self.fill(precise, within, room));
        } else {
            // Never: nothing is farther than infinity, and one of the shapes has an end.
            self.set_closest(near, manifold);
        }
    }
}

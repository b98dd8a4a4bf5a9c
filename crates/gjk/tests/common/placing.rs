//! Bodies beside each other.

use clearance_gjk::Placed;
use clearance_math::{Matrix, Pose, PreciseVector, RelativePose, Rotation, Vector};
use clearance_shapes::{Convex, Shape, Support};

use super::kind::{Kind, Space, unturned};
use super::random::Pcg;

/// A shape with its pose.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Body<V: Vector> {
    pub(crate) shape: Shape<V>,
    pub(crate) pose: Pose<V>,
}

impl<V: Vector> Body<V> {
    pub(crate) fn new(shape: Shape<V>, pose: Pose<V>) -> Self {
        Self { shape, pose }
    }

    pub(crate) fn placed(&self) -> Placed<'_, V> {
        Placed::new(&self.shape, &self.pose)
    }

    pub(crate) fn moved_to(&self, translation: V::Precise) -> Self {
        let translation = V::from_precise(translation);
        Self::new(
            self.shape.clone(),
            Pose::new(translation, self.pose.rotation),
        )
    }

    /// The shape, which is not a half-space.
    pub(crate) fn convex(&self) -> &Convex<V> {
        match &self.shape {
            Shape::Convex(convex) => convex,
            other => panic!("{other:?} is not convex"),
        }
    }

    /// The farthest point along a unit direction of the world, in double precision.
    pub(crate) fn support(&self, direction: V::Precise) -> V::Precise {
        self.pose.position() + self.turned_support(direction)
    }

    /// [`Body::support`] relative to the origin of the body.
    fn turned_support(&self, direction: V::Precise) -> V::Precise {
        let turn = self.pose.rotation.matrix();
        let inward = turn.apply_transposed(direction);
        turn.apply(match &self.shape {
            Shape::Convex(convex) => convex.core().support(inward) + inward * convex.radius(),
            Shape::HalfSpace(half_space) => half_space.normal() * half_space.offset(),
            Shape::Composite(_) => panic!("composites have tests of their own"),
        })
    }

    /// The middle of the core in the world; the origin of a half-space.
    pub(crate) fn center(&self) -> V::Precise {
        let local = match &self.shape {
            Shape::Convex(convex) => convex.core_center(),
            Shape::HalfSpace(_) => V::Precise::ZERO,
            Shape::Composite(_) => panic!("composites have tests of their own"),
        };
        RelativePose::from_pose(&self.pose).transform_point(local)
    }

    /// The outward normal of a half-space in the world.
    pub(crate) fn plane_normal(&self) -> Option<V::Precise> {
        match &self.shape {
            Shape::Convex(_) | Shape::Composite(_) => None,
            Shape::HalfSpace(half_space) => {
                Some(RelativePose::from_pose(&self.pose).transform_direction(half_space.normal()))
            }
        }
    }

    /// The greatest distance of a point of the shape from the origin of its body.
    pub(crate) fn reach(&self) -> f64 {
        match &self.shape {
            Shape::Convex(convex) => convex.core_bounding_radius() + convex.radius(),
            Shape::HalfSpace(half_space) => half_space.offset(),
            Shape::Composite(_) => panic!("composites have tests of their own"),
        }
    }
}

/// The size that errors are relative to: the greater of the two reaches.
pub(crate) fn size_of<V: Vector>(a: &Body<V>, b: &Body<V>) -> f64 {
    a.reach().max(b.reach())
}

/// The least height of b over the highest of a along `normal`: never above the signed distance of
/// bounded shapes, and for a half-space only along its own normal.
pub(crate) fn height<V: Vector>(a: &Body<V>, b: &Body<V>, normal: V::Precise) -> f64 {
    // Subtracted before anything is added, so that a far off pair loses no digit.
    let apart = b.pose.position() - a.pose.position();
    normal.dot(apart + b.turned_support(-normal) - a.turned_support(normal))
}

/// A normal that a contact of the two can have.
pub(crate) fn normal_for<V: Vector>(random: &mut Pcg, a: &Body<V>, b: &Body<V>) -> V::Precise {
    let of_b = b.plane_normal().map(|normal| -normal);
    a.plane_normal()
        .or(of_b)
        .unwrap_or_else(|| random.direction())
}

/// How b stands to a.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placement {
    Far,
    Near,
    Touching,
    Shallow,
    Deep,
    Concentric,
    Identical,
}

impl Placement {
    pub(crate) const ALL: [Self; 7] = [
        Self::Far,
        Self::Near,
        Self::Touching,
        Self::Shallow,
        Self::Deep,
        Self::Concentric,
        Self::Identical,
    ];
}

/// A random shape at the origin, turned at random, by quarters or not at all.
pub(crate) fn body<V: Space>(kind: Kind, random: &mut Pcg, size: f64) -> Body<V> {
    let shape = V::shape(kind, random, size);
    let rotation = turned::<V>(random);
    Body::new(shape, Pose::new(V::ZERO, rotation))
}

/// Mostly any rotation, sometimes a quarter turn or none.
pub(crate) fn turned<V: Space>(random: &mut Pcg) -> V::Rotation {
    match random.below(8) {
        0 => unturned::<V>(),
        1 => V::quarter_turn(random),
        _ => V::any_rotation(random),
    }
}

/// b beside a, which is where it is: the points farthest along a common normal are joined and then
/// moved apart or together by a share of the size.
pub(crate) fn beside<V: Space>(
    random: &mut Pcg,
    a: &Body<V>,
    b: &Body<V>,
    placement: Placement,
) -> Body<V> {
    let normal = normal_for(random, a, b);
    let size = size_of(a, b);
    let origin = b.pose.position();
    let joined = origin + a.support(normal) - b.support(-normal);
    let centred = origin + a.center() - b.center();
    match placement {
        Placement::Far => b.moved_to(joined + normal * (size * random.log_between(2.0, 200.0))),
        Placement::Near => b.moved_to(joined + normal * (size * random.log_between(1e-4, 2.0))),
        Placement::Touching => b.moved_to(joined),
        Placement::Shallow => b.moved_to(joined - normal * (size * random.log_between(1e-4, 1e-2))),
        Placement::Deep => {
            let share = random.between(0.05, 0.7);
            b.moved_to(centred + (joined - centred) * share)
        }
        Placement::Concentric => b.moved_to(centred),
        Placement::Identical => Body::new(b.shape.clone(), a.pose),
    }
}

/// All ordered pairs of kinds in the dimension of `V`.
pub(crate) fn kind_pairs<V: Vector>() -> impl Iterator<Item = (Kind, Kind)> {
    Kind::all::<V>().flat_map(|a| Kind::all::<V>().map(move |b| (a, b)))
}

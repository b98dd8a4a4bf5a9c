//! Solids in motion, each of which is one body.
//!
//! A convex solid is cast as its hull. Of any other one each facet is met from the outside, and never from within; what
//! overlaps it at the start goes deeper, or leaves, as the depth of the whole says.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Real, Vector};
use clearance_shapes::Shape;

use crate::answer::Separation;
use crate::pair::Placed;
use crate::parts::{ByHulls, Unit, beside_origin, each_overlap, intersection, overlap};
use crate::questions::cast::answer::CastHit;
use crate::questions::cast::sides::Cast;

/// How many times the depth is measured on the way, at most.
const MOST_LOOKS: usize = 32;

/// How far the first look is ahead, as a share of the depth: all others are as far ahead as the depth, since nothing
/// leaves before it has gone that far.
const FIRST_LOOK: f64 = 1.0 / 64.0;

/// The least length of a look, relative to the size of the smaller shape.
const LEAST_LOOK: f64 = 1.0 / 1024.0;

/// By which share of the way the depth must grow on it for the shapes to approach each other; what is less may be the
/// error of the depth.
const DEEPER: f64 = 1.0 / 64.0;

/// The meeting of two shapes of which one is a convex solid: that of its hull. `None` if none is.
pub(crate) fn hit_of_hulls<V: Vector>(
    casts: [&Cast<V>; 2],
    hit: impl FnOnce(&Cast<V>, &Cast<V>) -> Option<CastHit<V>>,
) -> Option<Option<CastHit<V>>> {
    let placed = casts.map_each(|cast| cast.placed);
    ByHulls::new(placed)?;
    // Beside the origin, where it is as certain as anywhere at which facet they meet.
    beside_origin(placed, |placed, origin| {
        let hulls = ByHulls::new(placed)?;
        let [a, b] = [0, 1].map_each(|side| Cast {
            placed: hulls.sides[side],
            ..*casts[side]
        });
        let Some(hit) = hit(&a, &b) else {
            return Some(None);
        };
        let poses = [a, b].map_each(|cast| cast.pose_at(f64::from(hit.time)));
        let there = ByHulls::new([0, 1].map_each(|side| placed[side].at(&poses[side])))?;
        Some(Some(CastHit {
            separation: there.with_facets(hit.separation).moved_by(origin),
            ..hit
        }))
    })
}

/// What becomes of a shape and a solid that overlap at the start.
#[derive(Clone, Copy, Default)]
pub(super) struct Start<V: Vector> {
    /// Whether there are such.
    pub(super) overlaps: bool,
    /// When they first approach each other before they are apart, if they do.
    pub(super) deeper: Option<CastHit<V>>,
}

impl<V: Vector> Start<V> {
    pub(super) fn new(casts: [&Cast<V>; 2], until: Real) -> Self {
        let mut start = Self::default();
        let sides = casts.map_each(|cast| cast.placed);
        let is_plane = |side: &Placed<V>| matches!(side.shape, Shape::HalfSpace(_));
        if sides.iter().any(is_plane) || !intersection::intersect(sides[0], sides[1]) {
            return start;
        }
        let key = |hit: &CastHit<V>| (hit.time, hit.separation.distance);
        each_overlap(sides, &mut |units, near| {
            start.overlaps = true;
            let way = WayOfSolid { casts, units };
            let deeper = way.deeper(near).filter(|hit| hit.time <= until);
            if let Some(hit) = deeper
                && start.deeper.is_none_or(|first| key(&hit) < key(&first))
            {
                start.deeper = Some(hit);
            }
        });
        start
    }
}

/// A solid and something that overlaps it, on their way.
struct WayOfSolid<'a, 'u, V: Vector> {
    casts: [&'a Cast<'a, V>; 2],
    /// Beside the origin.
    units: [Unit<'u, V>; 2],
}

impl<V: Vector> WayOfSolid<'_, '_, V> {
    /// When both approach each other first, before they are apart.
    fn deeper(&self, mut now: Separation<V>) -> Option<CastHit<V>> {
        let least = LEAST_LOOK * self.radius();
        let (speed, mut time, mut share) = (self.speed(), 0.0, FIRST_LOOK);
        for _ in 0..MOST_LOOKS {
            let way = (share * -f64::from(now.distance)).max(least);
            let later = (time + way / speed).min(1.0);
            let next = self.overlap_at(later)?;
            let grown = f64::from(now.distance) - f64::from(next.distance);
            if grown > DEEPER * (later - time) * speed {
                return Some(CastHit::at(time, now));
            }
            if !(later < 1.0) {
                return None;
            }
            (now, time, share) = (next, later, 1.0);
        }
        None
    }

    /// How deep they overlap at a time; `None` if they do not.
    fn overlap_at(&self, time: f64) -> Option<Separation<V>> {
        let [of_a, of_b] = self.units;
        let [pose_a, pose_b] = [0, 1].map_each(|side| {
            let start = self.units[side].placed.pose;
            self.casts[side].motion.pose_at(start, time)
        });
        let near = overlap([of_a.at(&pose_a), of_b.at(&pose_b)])?;
        let origin = self.casts[0].placed.pose.position() - of_a.placed.pose.position();
        Some(near.moved_by(origin))
    }

    /// The radius of the smaller shape.
    fn radius(&self) -> f64 {
        let [a, b] = self
            .casts
            .map_each(|cast| cast.placed.shape.bounding_radius());
        a.min(b)
    }

    /// How fast any point of one can move as seen from the other, at most.
    fn speed(&self) -> f64 {
        let [a, b] = self.casts.map_each(|cast| cast.moving());
        let turning = self
            .casts
            .map_each(|cast| cast.moving().turn.angle * cast.placed.shape.bounding_radius());
        (b.linear - a.linear).length() + turning[0] + turning[1]
    }
}

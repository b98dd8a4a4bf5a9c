//! What the second and the fourth stage need to know of the ways that bodies went in the first.

use clearance_gjk::{Cast, Motion, Placed};
use clearance_math::internal::MapEach;
use clearance_math::{Pose, PreciseVector, Real, Rotation, Vec3, Vector, tolerances};
use clearance_shapes::Shape;

use crate::bodies::{Bodies, MovedPose};
use crate::range::SphereOnWay;

/// A body that turns farther than this in a step, in radians, may be anywhere in the ball around its
/// origin: up to there, a box around its first and its last pose that is inflated a little is smaller.
const MUCH_TURNED: f64 = 2.0;

/// The ways that moving bodies went in a step, where a body of the world is swept.
#[derive(Clone, Copy)]
pub(crate) struct Sweeps<'a, V: Vector> {
    pub(super) bodies: &'a Bodies<V>,
    /// Where the moving bodies were before the step, in the order of [`Bodies::moving`]; empty if none moved.
    starts: &'a [MovedPose<V>],
    dt: Real,
}

impl<'a, V: Vector> Sweeps<'a, V> {
    pub(crate) fn new(bodies: &'a Bodies<V>, starts: &'a [MovedPose<V>], dt: Real) -> Self {
        let is_any = bodies.is_any_swept() && dt != 0.0;
        Self {
            bodies,
            starts: if is_any { starts } else { &[] },
            dt,
        }
    }

    /// Whether no pair of bodies has to be looked at on its way.
    #[inline]
    pub(crate) fn are_none(&self) -> bool {
        self.starts.is_empty()
    }

    /// Whether one of two bodies is swept, one of them moved, and their bounding spheres may have met.
    ///
    /// The box around the way of a body that goes aslant has room for many that the body passes from afar.
    pub(crate) fn concern(&self, a: usize, b: usize) -> bool {
        let swept = &self.bodies.columns.swept;
        !self.are_none()
            && (swept[a] || swept[b])
            && (self.bodies.has_velocity(a) || self.bodies.has_velocity(b))
            && self.spheres(a, b).may_come_within(0.0)
    }

    /// The bounding sphere of b on its way as seen from that of a.
    fn spheres(&self, a: usize, b: usize) -> SphereOnWay<V::Precise> {
        let columns = &self.bodies.columns;
        let ends = [a, b].map_each(|slot| columns.poses[slot].position());
        let starts = [(a, ends[0]), (b, ends[1])].map_each(|(slot, end)| {
            let start = self.start(slot);
            start.map_or(end, |start| start.position())
        });
        let [from, to] = [starts, ends].map_each(|[a, b]| b - a);
        let spheres = columns.shapes.bounding_spheres();
        SphereOnWay {
            from,
            way: to - from,
            radii: f64::from(spheres[a].radius) + f64::from(spheres[b].radius),
            reach: from.length() + to.length(),
        }
    }

    /// The body in a slot on its way: from time 0 before the step to time 1 after it. `None` if vacant.
    pub(crate) fn cast(&self, slot: usize) -> Option<Cast<'a, V>> {
        let placed = self.bodies.placed(slot)?;
        let Some(start) = self.start(slot) else {
            return Some(Cast::resting(placed));
        };
        let way = placed.pose.position() - start.position();
        let angular = self.bodies.columns.velocities[slot].angular;
        let turn = V::Rotation::angular_in_space(angular) * self.dt;
        let turn = turn.clamp(Vec3::splat(-Real::MAX), Vec3::splat(Real::MAX));
        let motion = Motion {
            linear: V::from_precise(way),
            angular: V::Rotation::angular_from_space(turn),
        };
        Some(Cast::new(
            Placed {
                pose: start,
                ..placed
            },
            motion,
        ))
    }

    /// The corners of a box around all points within `distance` of the body on its way; `None` if it went none.
    ///
    /// A point at the distance r from the body's origin is, at the time t, within r * turn^2 / 8 of the
    /// straight line from where it was to where it is: the error of interpolating a function whose second
    /// derivative is at most r * turn^2. So the boxes of both poses, inflated by as much, contain the way.
    pub(crate) fn limits(&self, slot: usize, distance: f64) -> Option<[V::Precise; 2]> {
        let start = self.start(slot)?;
        let Placed {
            shape, pose: end, ..
        } = self.bodies.placed(slot)?;
        let around = |pose: &Pose<V>, distance| shape.limits_within(pose, distance);
        let merged = |[a, b]: [[V::Precise; 2]; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        let velocity = V::Rotation::angular_in_space(self.bodies.columns.velocities[slot].angular);
        let turn = f64::from(velocity.length()) * f64::from(self.dt);
        if matches!(shape, Shape::HalfSpace(_)) {
            return Some(if turn == 0.0 {
                merged([start, end].map_each(|pose| around(pose, distance)))
            } else {
                [f64::NEG_INFINITY, f64::INFINITY].map_each(V::Precise::splat)
            });
        }
        let radius = shape.bounding_radius();
        let reach = (end.position() - start.position()).length();
        // A meeting within the tolerance of casts must not depend on what the broad phase knows.
        let slack =
            8.0 * tolerances::CAST_GAP * radius + tolerances::SWEEP_BOX_ROUNDING * (radius + reach);
        let ends = if turn < MUCH_TURNED {
            let distance = distance + slack + radius * turn * turn / 8.0;
            [around(start, distance), around(end, distance)]
        } else {
            let reach = V::Precise::splat(radius + distance + slack);
            [start, end].map_each(|pose| {
                let center = pose.position();
                [center - reach, center + reach]
            })
        };
        Some(merged(ends))
    }

    /// Where a body was before the step, if it moved.
    #[inline]
    fn start(&self, slot: usize) -> Option<&'a Pose<V>> {
        if self.are_none() || !self.bodies.has_velocity(slot) {
            return None;
        }
        let start = self.starts.get(self.bodies.place_among_moving(slot))?;
        Some(&start.pose)
    }
}

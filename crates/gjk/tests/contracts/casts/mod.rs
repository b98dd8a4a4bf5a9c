//! Casts: nothing is missed, nothing is hit that is not there, and the bounds of the time hold.
//!
//! The judge samples the motion: poses and distances in double precision, computed here from the numbers
//! that the engine was given, with the distance of two convex sets that has a contract of its own.

mod cases;
mod composites;
mod joints;
mod known;
mod long_motions;
mod meshes;
mod touching;

use clearance_gjk::{
    Cast, CastHit, CastOptions, Difference, Motion, Outcome, Status, cast_shapes,
    measure_difference,
};
use clearance_math::{Matrix, Pose, PreciseVector, RelativePose, Rotation, Vector, tolerances};
use clearance_shapes::{Core, Shape};

use crate::common::Body;

/// A body and its motion.
#[derive(Clone, Debug)]
pub(crate) struct Mover<V: Vector> {
    pub(crate) body: Body<V>,
    pub(crate) motion: Motion<V>,
}

impl<V: Vector> Mover<V> {
    /// The cast, however long it takes.
    pub(crate) fn cast(&self) -> Cast<'_, V> {
        Cast::new(self.body.placed().with_effort(u32::MAX), self.motion)
    }

    pub(crate) fn rotation(&self, time: f64) -> <V::Precise as PreciseVector>::Matrix {
        let angular = V::Rotation::angular_in_space(self.motion.angular);
        let turn = angular.as_dvec3() * time;
        let start = self.body.pose.rotation.matrix();
        <V::Precise as PreciseVector>::Matrix::of_turn(turn).after(&start)
    }

    fn turns(&self) -> f64 {
        let angular = V::Rotation::angular_in_space(self.motion.angular);
        angular.as_dvec3().length().min(1e15)
    }

    /// The way that its points go, at most.
    fn reach(&self) -> f64 {
        self.motion.linear.to_precise().length() + size(&self.body.shape) * (1.0 + self.turns())
    }
}

/// The greatest distance of a point from the origin of the body.
pub(crate) fn size<V: Vector>(shape: &Shape<V>) -> f64 {
    match shape {
        Shape::Convex(convex) => convex.core_bounding_radius() + convex.radius(),
        Shape::HalfSpace(half_space) => half_space.offset(),
        Shape::Composite(composite) => composite.bounding_radius(),
    }
}

/// Two bodies in motion, none of them a composite, and at most one a half-space.
pub(crate) struct Judge<'a, V: Vector> {
    pub(crate) a: &'a Mover<V>,
    pub(crate) b: &'a Mover<V>,
    pub(crate) within: f64,
}

/// A signed distance from both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

impl<V: Vector> Judge<'_, V> {
    /// What rounding leaves of places: not what is asked about here.
    pub(crate) fn rounding(&self) -> f64 {
        let apart = self.a.body.pose.position() - self.b.body.pose.position();
        let reach = apart.length() + self.a.reach() + self.b.reach() + self.within;
        // The turning of a half-space carries its surface as far as the other body is away.
        let turned = [self.a, self.b].map(|mover| match &mover.body.shape {
            Shape::HalfSpace(_) => mover.turns(),
            _ => 0.0,
        });
        2e-14 * reach * (1.0 + turned[0] + turned[1])
    }

    /// How far apart the bodies may be that have met.
    pub(crate) fn tolerance(&self) -> f64 {
        let [a, b] = [self.a, self.b].map(|mover| match &mover.body.shape {
            Shape::HalfSpace(_) => f64::INFINITY,
            shape => size(shape),
        });
        let larger = self.finite(a, b) + self.within;
        2.0 * tolerances::CAST_GAP * a.min(b)
            + tolerances::CAST_OPEN * larger
            + 8.0 * self.rounding()
    }

    fn finite(&self, a: f64, b: f64) -> f64 {
        [a, b]
            .into_iter()
            .filter(|size| size.is_finite())
            .fold(0.0, f64::max)
    }

    /// How fast points may come nearer, for times that are rounded.
    pub(crate) fn speed(&self) -> f64 {
        self.a.reach() + self.b.reach()
    }

    /// The signed distance at a time.
    pub(crate) fn at(&self, time: f64) -> Sample {
        let start = self.b.body.pose.position() - self.a.body.pose.position();
        let velocity = self.b.motion.linear.to_precise() - self.a.motion.linear.to_precise();
        let to_a = self.a.rotation(time).transposed();
        let b_in_a = RelativePose {
            rotation: to_a.after(&self.b.rotation(time)),
            translation: to_a.apply(start + velocity * time),
        };
        match (&self.a.body.shape, &self.b.body.shape) {
            (Shape::HalfSpace(_), other) => self.above(&self.a.body.shape, other, &b_in_a),
            (other, Shape::HalfSpace(_)) => {
                self.above(&self.b.body.shape, other, &b_in_a.inverse())
            }
            (Shape::Convex(a), Shape::Convex(b)) => {
                let difference = Difference::new(a.core(), b.core(), b_in_a);
                let gap = tolerances::SMOOTH_DEPTH_GAP;
                let radii = a.radius() + b.radius();
                match measure_difference(&difference, f64::INFINITY, gap) {
                    Outcome::Near(measured) => Sample {
                        lower: measured.lower - radii,
                        upper: measured.upper - radii,
                    },
                    outcome => panic!("{outcome:?}"),
                }
            }
            _ => panic!("composites have a judge of their own"),
        }
    }

    /// How far a shape is above a half-space.
    fn above(
        &self,
        plane: &Shape<V>,
        other: &Shape<V>,
        in_plane: &RelativePose<V::Precise>,
    ) -> Sample {
        let (Shape::HalfSpace(plane), Shape::Convex(convex)) = (plane, other) else {
            panic!("one half-space and one convex shape");
        };
        let down = in_plane.inverse_transform_direction(-plane.normal());
        let support = <Core<V> as clearance_shapes::Support<V::Precise>>::support;
        let lowest = in_plane.transform_point(support(convex.core(), down));
        let height = plane.normal().dot(lowest) - plane.offset() - convex.radius();
        Sample {
            lower: height - self.rounding(),
            upper: height + self.rounding(),
        }
    }

    /// The larger of both sizes.
    pub(crate) fn size(&self) -> f64 {
        self.finite(size(&self.a.body.shape), size(&self.b.body.shape))
    }

    /// How far the points of an answer are outside of the bodies along the normal.
    fn gap_at_points(&self, time: f64, separation: &clearance_gjk::Separation<V>) -> f64 {
        let normal = separation.normal.to_precise();
        let outside = |mover: &Mover<V>, point: V, normal: V::Precise| {
            let Shape::Convex(convex) = &mover.body.shape else {
                return 0.0;
            };
            let rotation = mover.rotation(time);
            let start = mover.body.pose.position();
            let origin = start + mover.motion.linear.to_precise() * time;
            let support = <Core<V> as clearance_shapes::Support<V::Precise>>::support;
            let farthest = support(convex.core(), rotation.apply_transposed(normal));
            let height = rotation.apply(farthest).dot(normal) + convex.radius();
            ((point.to_precise() - origin).dot(normal) - height).abs()
        };
        let of_a = outside(self.a, separation.point_a(), normal);
        of_a.max(outside(self.b, separation.point_b(), -normal))
    }

    /// Judges an answer by samples at the given times.
    pub(crate) fn judge(
        &self,
        hit: Option<&CastHit<V>>,
        times: impl IntoIterator<Item = f64>,
    ) -> Result<(), String> {
        let Some(hit) = hit else {
            return self.is_free(times.into_iter().filter(|time| *time <= 1.0), 1.0);
        };
        let CastHit {
            time,
            time_lower,
            time_upper,
            separation,
            status,
        } = *hit;
        let ordered =
            0.0 <= time_lower && time_lower <= time && time <= time_upper && time_upper <= 1.0;
        if !ordered {
            return Err(format!("times {time_lower} {time} {time_upper}"));
        }
        let lower = f64::from(time_lower);
        let inside = (0..=16).map(|k| lower * f64::from(k) / 16.0);
        self.is_free(times.into_iter().chain(inside), lower)?;
        if status == Status::IterationLimit {
            return Ok(());
        }
        // The time is rounded, so that the bodies may be as much farther apart or have passed by.
        let blur = self.speed() * f64::from(time_upper - time_lower);
        let met = self.at(f64::from(time_upper));
        let near = self.within + self.tolerance() + blur;
        if met.lower > near && self.at(lower).lower > near {
            return Err(format!("not met: {met:?} at {time_upper}, {blur} of blur"));
        }
        // The points are joined along the normal, and the normal separates the bodies.
        let [on_a, on_b] = [separation.point_a(), separation.point_b()].map(V::to_precise);
        let normal = separation.normal.to_precise();
        let joined = on_b - on_a - normal * f64::from(separation.distance);
        let [rough, far] = [2e-3 * self.size(), 1e-6 * (on_a.length() + on_b.length())];
        if joined.length() > rough + far {
            return Err(format!(
                "points are not joined along the normal by {joined:?}"
            ));
        }
        if time > 0.0 && self.gap_at_points(f64::from(time), &separation) > rough + far + blur {
            return Err(format!(
                "the points are not those of the bodies: {separation:?}"
            ));
        }
        // They meet at the distance that was asked for, and not deeper.
        let [low, high] = [separation.lower, separation.upper].map(f64::from);
        let around = (
            self.within - self.tolerance(),
            self.within + self.tolerance(),
        );
        if time > 0.0 && (low > around.1 || high < around.0) {
            return Err(format!(
                "distance of {low} to {high} instead of {}",
                self.within
            ));
        }
        Ok(())
    }

    /// Whether the bodies are not certainly nearer than asked before a time.
    fn is_free(&self, times: impl Iterator<Item = f64>, end: f64) -> Result<(), String> {
        for time in times.filter(|time| (0.0..end).contains(time)) {
            let sample = self.at(time);
            if sample.upper < self.within - self.rounding() {
                return Err(format!("missed: {sample:?} at {time}, free until {end}"));
            }
        }
        Ok(())
    }
}

/// Casts, and says what is wrong.
pub(crate) fn cast<V: Vector>(judge: &Judge<V>) -> Option<CastHit<V>> {
    let options = CastOptions {
        within: judge.within as f32,
        ..CastOptions::default()
    };
    let (a, b) = (judge.a.cast(), judge.b.cast());
    let hit = cast_shapes(a, b, options).expect("valid input");
    let mirrored = cast_shapes(b, a, options).expect("valid input");
    assert_eq!(
        hit,
        mirrored.map(CastHit::flipped),
        "exchanging the sides changes the answer"
    );
    hit
}

pub(crate) fn resting<V: Vector>(shape: Shape<V>, pose: Pose<V>) -> Mover<V> {
    Mover {
        body: Body::new(shape, pose),
        motion: Motion::rest(),
    }
}

//! Arcs about a joint: the shape with its origin there, sampled densely where the arc leads.

use clearance_gjk::{
    Cast, CastHit, CastOptions, Difference, Motion, Outcome, Placed, cast_shapes,
    measure_difference,
};
use clearance_math::{Matrix, Pose, PreciseVector, RelativePose, Rotation, Vector, tolerances};
use clearance_shapes::Shape;

use super::size;
use crate::common::{Body, Pcg, Space, in_both_dimensions, iterations};
use crate::composite_shapes::convex;

in_both_dimensions!(arcs_about_a_joint_meet_what_is_on_them);

/// A shape that swings about a point of its frame.
struct Swing<V: Vector> {
    link: Body<V>,
    /// In the frame of the shape.
    joint: V,
    angular: V::Angular,
}

impl<V: Vector> Swing<V> {
    /// From the joint to the origin of the shape, in the frame of the world.
    fn arm(&self) -> V::Precise {
        let rotation = self.link.pose.rotation.matrix();
        rotation.apply(-self.joint.to_precise())
    }

    /// Where the shape is at a time: by turning it about the joint.
    fn at(&self, time: f64) -> RelativePose<V::Precise> {
        let angular = V::Rotation::angular_in_space(self.angular).as_dvec3();
        let turn = <V::Precise as PreciseVector>::Matrix::of_turn(angular * time);
        let joint = self.link.pose.position() - self.arm();
        RelativePose {
            rotation: turn.after(&self.link.pose.rotation.matrix()),
            translation: joint + turn.apply(self.arm()),
        }
    }

    /// The bounds of the signed distance from another body at a time.
    fn gap(&self, other: &Body<V>, time: f64) -> [f64; 2] {
        let (Shape::Convex(a), Shape::Convex(b)) = (&self.link.shape, &other.shape) else {
            panic!("two convex shapes");
        };
        let at = self.at(time);
        let to_a = at.rotation.transposed();
        let b_in_a = RelativePose {
            rotation: to_a.after(&other.pose.rotation.matrix()),
            translation: to_a.apply(other.pose.position() - at.translation),
        };
        let difference = Difference::new(a.core(), b.core(), b_in_a);
        match measure_difference(&difference, f64::INFINITY, tolerances::SMOOTH_DEPTH_GAP) {
            Outcome::Near(near) => {
                [near.lower, near.upper].map(|bound| bound - a.radius() - b.radius())
            }
            outcome => panic!("{outcome:?}"),
        }
    }

    fn cast(&self, other: &Body<V>, options: CastOptions) -> Option<CastHit<V>> {
        let link = self.link.shape.with_origin_at(self.joint).expect("finite");
        let joint = self.link.pose * Pose::from_translation(self.joint);
        let swing = Motion::new(V::ZERO, self.angular);
        let swing = Cast::new(Placed::new(&link, &joint), swing);
        cast_shapes(swing, Cast::resting(other.placed()), options).expect("valid input")
    }
}

/// A swing, and a body beside its arc.
fn any_swing<V: Space>(random: &mut Pcg) -> (Swing<V>, Body<V>) {
    let axis: clearance_math::DVec3 = random.direction();
    let angle = random.pick(&[0.3, 1.5, 3.0, 12.0]);
    let swing = Swing {
        link: Body::new(
            convex(random),
            Pose::new(random.point::<V>(4.0), V::any_rotation(random)),
        ),
        joint: random.point(3.0),
        angular: V::Rotation::angular_from_space((axis * angle).as_vec3()),
    };
    let place = V::from_precise(swing.at(random.between(0.0, 1.2)).translation);
    let place = place + random.point(1.5);
    let other = Body::new(convex(random), Pose::new(place, V::any_rotation(random)));
    (swing, other)
}

/// Checks that the link is free until the time of the answer, and has met then.
fn judge<V: Vector>(swing: &Swing<V>, other: &Body<V>, within: f32) -> Option<CastHit<V>> {
    let options = CastOptions {
        within,
        ..CastOptions::default()
    };
    let hit = swing.cast(other, options);
    let within = f64::from(within);
    let length = swing.arm().length() + size(&swing.link.shape);
    // Places are rounded to single precision when the origin is moved.
    let rounding = 4.0 * f64::from(f32::EPSILON) * (8.0 + length);
    let free_until = hit.map_or(1.0, |hit| f64::from(hit.time_lower));
    for time in (0..128).map(|k| free_until * f64::from(k) / 128.0) {
        let [_, upper] = swing.gap(other, time);
        let is_free = upper >= within - rounding || free_until == 0.0;
        assert!(
            is_free,
            "missed: {upper} at {time}, free until {free_until}"
        );
    }
    if let Some(hit) = hit {
        let angular = V::Rotation::angular_in_space(swing.angular).as_dvec3();
        let blur = angular.length() * length * f64::from(hit.time_upper - hit.time_lower);
        let [lower, _] = swing.gap(other, f64::from(hit.time_upper));
        let larger = size(&swing.link.shape).max(size(&other.shape)) + within;
        let near = within + rounding + blur + 1e-5 * larger;
        assert!(lower <= near, "not met: {lower} at {hit:?}");
    }
    hit
}

fn arcs_about_a_joint_meet_what_is_on_them<V: Space>() {
    let mut random = Pcg::new(0x1017);
    let (mut hits, count) = (0, iterations(300));
    for _ in 0..count {
        let (swing, other) = any_swing::<V>(&mut random);
        let within = random.pick(&[0.0, 0.0, 0.1]);
        let hit = judge(&swing, &other, within);
        hits += usize::from(hit.is_some_and(|hit| hit.time > 0.0));
    }
    assert!(10 * hits > count, "only {hits} hits of {count}");
}

//! What only the plane has.

use super::dim::ShapeHandle;
use super::dim::access::make;
use super::dim::shapes::vectors;
use super::only::{engine, pose_of};
use crate::border::{In, Out, Problem, Status, calls, guard};

calls! {
    /// A filled polygon that need not be convex: its outline and then its holes, `ring_count` rings in all, of which the first has
    /// `counts[0]` vertices, and so on. Rings may run either way round.
    make shape_polygon(vertices: In<[f32; 2]>, counts: In<usize>, ring_count: usize) {
        let counts = counts.array(ring_count, "counts")?;
        let all = counts.iter().try_fold(0usize, |all, &count| all.checked_add(count));
        let all = all.ok_or_else(|| Problem::argument("counts: their sum is too large"))?;
        let mut rest = vectors(vertices, all, "vertices")?.into_iter();
        let rings = counts.iter().map(|&count| rest.by_ref().take(count).collect());
        let mut rings: Vec<Vec<_>> = rings.collect();
        if rings.is_empty() {
            return Err(Problem::argument("ring_count is 0, must be at least 1"));
        }
        let outline = rings.remove(0);
        Ok(engine::Shape::polygon(outline, &rings)?)
    }

    /// Writes the rotation by an angle in radians, counter-clockwise, with the same bits on every platform: for the `rotation` of a pose.
    guard rotation_from_angle(angle: f32, rotation: Out<[f64; 2]>) {
        if !angle.is_finite() {
            let text = format!("angle is {angle}, must be finite");
            return Err(Problem::new(Status::ARGUMENT, text));
        }
        let turned = engine::Rotation::from_angle(angle);
        rotation.set([turned.cos(), turned.sin()], "rotation")
    }

    /// The angle of a rotation in radians, from -pi to pi, counter-clockwise.
    guard rotation_angle(rotation: In<[f64; 2]>, angle: Out<f32>) {
        let turned = pose_of([0.0; 2], *rotation.one("rotation")?)?.rotation;
        angle.set(turned.angle(), "angle")
    }
}

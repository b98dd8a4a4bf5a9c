//! Two segments, rounded or not, that cross each other: their closest points are the whole manifold.

use clearance_math::{PreciseVector, Vector, tolerances};
use clearance_shapes::{Convex, Core, Shape};

use super::Sides;
use crate::measured::Measured;

/// How far a segment may lean along the normal, relative to its length, so that what is computed here is off by
/// rounding only.
const LEANING: f64 = 1e-9;

/// How much farther apart the ends must be than they need to: rounding, and ends that are joined because they are near
/// each other, do not count then.
const MARGIN: f64 = 1.001;

/// Whether both shapes are segments in space whose insides are closest, and which are so far apart where they stop
/// running beside each other that they have no second point in common.
///
/// This is what clipping them would find, for a third of its time, and most capsules meet in this way. `false` does not
/// mean anything.
pub(super) fn is_crossing<V: Vector>(sides: &Sides<V>, pair: &Measured<V::Precise>) -> bool {
    let [Shape::Convex(a), Shape::Convex(b)] = sides.shapes else {
        return false;
    };
    let (Core::Segment(_), Core::Segment(_), 3) = (a.core(), b.core(), V::DIM) else {
        return false;
    };
    let ends_a = ends(a);
    let ends_b = ends(b).map(|end| sides.b_in_a.transform_point(end));
    let (u, v) = (ends_a[1] - ends_a[0], ends_b[1] - ends_b[0]);
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let leaning = |along: V::Precise| along.dot(pair.normal).powi(2);
    if leaning(u) > LEANING * LEANING * uu || leaning(v) > LEANING * LEANING * vv {
        return false;
    }
    // Along u, times its length: where each segment begins and ends, seen from where they cross.
    let [first_a, last_a] = ends_a.map(|end| u.dot(end - pair.on_a));
    let [first_b, last_b] = ends_b.map(|end| u.dot(end - pair.on_a));
    let first = first_a.max(first_b.min(last_b));
    let last = last_a.min(first_b.max(last_b));
    let stretch = (-first).max(last);
    // There they are apart by the stretch times the tangent of the angle between them. Both sides are squared, since
    // roots and quotients take time; the square of a sum is at most twice the sum of the squares.
    let crossed = uu * vv - uv * uv;
    let beside = MARGIN * tolerances::PARALLEL_OFFSET * (a.radius() + b.radius());
    let joined = 10.0 * tolerances::MANIFOLD_SLACK;
    let enough = 2.0 * (beside * beside + joined * joined * uu.max(vv));
    let is_oblique = uv * uv > LEANING * uu * vv;
    stretch > 0.0 && is_oblique && stretch * stretch * crossed > enough * uu * (uv * uv)
}

fn ends<V: Vector>(shape: &Convex<V>) -> [V::Precise; 2] {
    match shape.core() {
        Core::Segment(segment) => [segment.a.to_precise(), segment.b.to_precise()],
        _ => [V::Precise::ZERO; 2],
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::lanes::{dispatch, level};
    use clearance_math::{Pose, Quat, Real, RelativePose, Vec3};

    use super::*;
    use crate::manifold::candidates::{Candidates, View, find};
    use crate::manifold::facing::Facing;
    use crate::measured::Outcome;
    use crate::pair::measure_shapes;

    /// Whether two capsules at an angle are seen to cross, and how many candidates clipping them finds.
    fn answers(radius: Real, angle: Real, aside: Vec3) -> Option<(bool, usize)> {
        let shapes = [(1.0, radius), (0.5, 0.5 * radius)];
        let [a, b] = shapes.map(|(half, radius)| Shape::<Vec3>::capsule(half, radius).ok());
        let (a, b) = (a?, b?);
        let up = Vec3::Z * (1.4 * radius);
        let pose = Pose::new(up + aside, Quat::from_rotation_z(angle));
        let (identity, b_in_a) = (
            RelativePose::identity(),
            RelativePose::between(&Pose::IDENTITY, &pose),
        );
        let sides = Sides {
            shapes: [&a, &b],
            a_in_world: &identity,
            b_in_a: &b_in_a,
            is_exchanged: false,
        };
        let Outcome::Near(pair) = measure_shapes(&a, &b, &b_in_a, f64::INFINITY) else {
            return None;
        };
        let [mut of_a, mut of_b] = [Facing::empty(), Facing::empty()];
        sides.find_facing(0, pair.normal, &mut of_a);
        sides.find_facing(1, pair.normal, &mut of_b);
        of_b.place(&b_in_a);
        let mut found = Candidates::new();
        let facing = [&of_a, &of_b];
        dispatch!(level(), simd => find(simd, facing, &View::new(&pair), &mut found));
        Some((is_crossing(&sides, &pair), found.len()))
    }

    #[test]
    fn segments_that_cross_have_no_second_point() {
        let mut counts = [0; 3];
        for radius in [1e-3, 0.05, 0.5, 3.0] {
            for step in 1..200_u8 {
                let angle = 1e-4 * 1.06_f32.powi(i32::from(step));
                for aside in [Vec3::ZERO, Vec3::X * 0.3, Vec3::new(1.2, 0.02, 0.0)] {
                    let answers = answers(radius, angle, aside);
                    let (is_crossing, found) = answers.expect("nothing is beyond infinity");
                    assert!(!is_crossing || found == 0, "{radius} {angle} {aside}");
                    counts[usize::from(is_crossing) + usize::from(found > 0) * 2] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    }
}

//! Segment and segment: capsule and capsule.

use clearance_math::{PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::Segment;

use crate::measured::Measured;

/// The closest points of a + s u and b + t v, with s and t clamped to [0, 1].
///
/// With w = a - b, A = u.u, B = u.v, C = v.v, D = u.w, E = v.w the optimum without limits is s = (B
/// E - C D) / (A C - B^2), t = (B s + E) / C. If t must be clamped, s becomes (B t - D) / A,
/// clamped in turn. Source: Ericson, "Real-Time Collision Detection", 2005, section 5.1.9. Parallel
/// segments start from s = 0, which belongs to some pair of closest points once t is clamped.
///
/// The plane across the shortest link is checked against all four ends: that is the lower bound.
/// `None` where it fails (nearly parallel segments that nearly meet) and where the segments meet:
/// both are left to iteration.
pub(crate) fn measure<V: Vector>(
    a: &Segment<V>,
    b: &Segment<V>,
    b_in_a: &RelativePose<V::Precise>,
) -> Option<Measured<V::Precise>> {
    let start_a = a.a.to_precise();
    let start_b = b_in_a.transform_point(b.a.to_precise());
    let u = a.b.to_precise() - start_a;
    let v = b_in_a.transform_direction(b.b.to_precise() - b.a.to_precise());
    let w = start_a - start_b;
    let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
    let (uw, vw) = (u.dot(w), v.dot(w));
    let denominator = uu * vv - uv * uv;
    let parallel = !(denominator > tolerances::PARALLEL * uu * vv);
    let free = if parallel {
        0.0
    } else {
        (uv * vw - vv * uw) / denominator
    };
    let t = (uv * free.clamp(0.0, 1.0) + vw) / vv;
    let t = t.clamp(0.0, 1.0);
    let s = ((uv * t - uw) / uu).clamp(0.0, 1.0);
    // Holding s may have moved the best t once more.
    let t = ((uv * s + vw) / vv).clamp(0.0, 1.0);
    let (on_a, on_b) = (start_a + u * s, start_b + v * t);
    let apart = on_b - on_a;
    let distance = apart.length();
    let scale = start_a.length() + start_b.length() + uu.sqrt() + vv.sqrt();
    let rounding = tolerances::DIFFERENCE_ROUNDING * scale;
    if !(distance > 4.0 * rounding) {
        return None;
    }
    let normal = apart / distance;
    let highest_a = normal.dot(start_a).max(normal.dot(start_a + u));
    let lowest_b = normal.dot(start_b).min(normal.dot(start_b + v));
    let proven = lowest_b - highest_a >= distance - 2.0 * rounding;
    proven.then(|| Measured::exact(distance, normal, (on_a, on_b), 3.0 * rounding))
}

//! Ray and segment of the plane, watertight along polylines.
//!
//! The same argument as for [triangles](super::triangle) holds with one dimension less: the test is exact
//! for one line, which is the same for all segments of a polyline, and both segments at a vertex contain it.

use clearance_math::internal::MapEach;
use clearance_math::{DVec2, PreciseVector, Vector, tolerances};
use robust::{Coord, orient2d};

use super::chord::{Chord, ChordCrossing};
use super::in_frame::RayInFrame;

/// The side of the line on which a vertex lies: a number whose sign is exact.
#[inline]
fn side<P: PreciseVector>(ray: &RayInFrame<P>, vertex: DVec2) -> f64 {
    let (along, base) = (
        ray.along.in_space().truncate(),
        ray.base.in_space().truncate(),
    );
    let from_base = vertex - base;
    let value = along.perp_dot(from_base);
    if value.abs()
        > tolerances::RAY_PREDICATE_ROUNDING * ray.along_sum * from_base.abs().max_element()
    {
        value
    } else {
        exact_side(ray, vertex)
    }
}

#[cold]
#[inline(never)]
fn exact_side<P: PreciseVector>(ray: &RayInFrame<P>, vertex: DVec2) -> f64 {
    let coord = |p: DVec2| Coord { x: p.x, y: p.y };
    let through = ray.through.in_space().truncate();
    let base = ray.base.in_space().truncate();
    orient2d(coord(through), coord(vertex), coord(base))
}

/// Where the line meets a segment of the plane.
pub(super) fn touch<V: Vector>(
    ray: &RayInFrame<V::Precise>,
    ends: [V; 2],
) -> Option<Chord<V::Precise>> {
    let [a, b] = ends.map_each(Vector::to_precise);
    let sides = [a, b].map_each(|end| side(ray, end.in_space().truncate()));
    if sides[0] * sides[1] > 0.0 || is_one_sided(sides) {
        return None;
    }
    let places = [a, b].map_each(|end| (end - ray.base).dot(ray.direction));
    let across = (b - a).in_space().truncate().perp();
    let normal = V::Precise::from_space(across.extend(0.0));
    let crossing = |at: f64, error: f64| ChordCrossing::new(at, error + ray.rounding, normal);
    let [low, high] = [places[0].min(places[1]), places[0].max(places[1])];
    if sides == [0.0; 2] {
        return Some(Chord::new(crossing(low, 0.0), crossing(high, 0.0)));
    }
    // A mean of both places, weighted by the distance of the other end from the line.
    let [from_a, from_b] = sides.map_each(f64::abs);
    let sum = from_a + from_b;
    let at = (places[0] * from_b + places[1] * from_a) / sum;
    let width = ray.along.length();
    // The line is wrong by the rounding, and so are the distances of the ends from it.
    let error = 4.0 * ray.rounding * width / sum * (high - low);
    let mut touch = crossing(at, error.min(high - low));
    touch.is_from_behind = sides[0] < sides[1];
    touch.lower = touch.lower.max(low - ray.rounding);
    touch.upper = touch.upper.min(high + ray.rounding);
    Some(Chord::of_point(touch))
}

/// Whether both ends lie on one side of the line, neither of them on it.
fn is_one_sided([a, b]: [f64; 2]) -> bool {
    // The product of two tiny numbers may be zero.
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

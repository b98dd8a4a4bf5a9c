//! The distance of two polytopes by brute force: every edge against every edge, every corner
//! against every face.

use clearance_math::DVec3;

use super::pair::Pair;
use super::solid::Polytope;
use super::truth::Truth;

/// Brackets the distance of polytopes: by two of their points, and by the plane between these.
pub(crate) fn nearest_features(pair: &Pair) -> Truth {
    let (Some(a), Some(b)) = (pair.a.polytope(), pair.b.polytope()) else {
        panic!("polytopes only");
    };
    let mut shortest = b.corners[0] + pair.apart - a.corners[0];
    let mut offer = |between: DVec3| {
        if between.length_squared() < shortest.length_squared() {
            shortest = between;
        }
    };
    for [from, to] in segments(a, DVec3::ZERO) {
        for [start, end] in segments(b, pair.apart) {
            offer(between_segments([from, to], [start, end]));
        }
    }
    for &corner in &a.corners {
        for face in triangles(b, pair.apart) {
            offer(to_face(corner, face));
        }
    }
    for &corner in &b.corners {
        for face in triangles(a, DVec3::ZERO) {
            offer(-to_face(corner + pair.apart, face));
        }
    }
    Truth {
        low: plane_across(pair, shortest, a.all_edges().chain(b.all_edges())),
        high: shortest.length(),
    }
}

/// The best lower bound of planes across a vector.
///
/// A short one has few digits. Where an edge takes part the plane holds it, which brings those back
/// that matter.
fn plane_across(pair: &Pair, between: DVec3, edges: impl Iterator<Item = DVec3>) -> f64 {
    let along = edges.filter_map(DVec3::try_normalize);
    let held = along.map(|edge| {
        let once = between - edge * between.dot(edge);
        once - edge * once.dot(edge)
    });
    let normals = held.chain([between]).filter_map(DVec3::try_normalize);
    let heights = normals.map(|normal| -pair.sample(normal).height);
    heights.fold(f64::NEG_INFINITY, f64::max)
}

/// The edges; a point as one of no length.
fn segments(polytope: &Polytope, at: DVec3) -> impl Iterator<Item = [DVec3; 2]> {
    let corners = &polytope.corners;
    let point = polytope.edges.is_empty().then_some([0, 0]);
    let edges = polytope.edges.iter().copied().chain(point);
    edges.map(move |edge| edge.map(|k| corners[k] + at))
}

fn triangles(polytope: &Polytope, at: DVec3) -> impl Iterator<Item = [DVec3; 3]> {
    let corners = &polytope.corners;
    let faces = polytope.triangles.iter();
    faces.map(move |face| face.map(|k| corners[k] + at))
}

/// From a point of the first segment to one of the second, as near as rounding lets them be.
fn between_segments([from, to]: [DVec3; 2], [start, end]: [DVec3; 2]) -> DVec3 {
    let (u, v, w) = (to - from, end - start, start - from);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let (uw, vw) = (u.dot(w), v.dot(w));
    let on_first = |share: f64| {
        let point = from + u * share;
        to_segment(point, start, v)
    };
    let from_first = [0.0, 1.0].map(on_first);
    let from_second = [start, end].map(|point| -to_segment(point, from, u));
    let share = (uw * vv - uv * vw) / (uu * vv - uv * uv);
    let inner = if share.is_finite() {
        on_first(share.clamp(0.0, 1.0))
    } else {
        w
    };
    let all = [from_first, from_second].concat();
    all.into_iter().fold(inner, |best, other| {
        if other.length_squared() < best.length_squared() {
            other
        } else {
            best
        }
    })
}

/// From a point to the nearest of a segment.
fn to_segment(point: DVec3, start: DVec3, along: DVec3) -> DVec3 {
    let squared = along.length_squared();
    let share = if squared > 0.0 {
        ((point - start).dot(along) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    start + along * share - point
}

/// From a point to a point of a triangle: the nearest if that is inside; edges are looked at
/// elsewhere.
fn to_face(point: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a);
    let foot = point + normal * ((a - point).dot(normal) / normal.length_squared());
    let [u, v, w] = [a, b, c].map(|corner| corner - foot);
    let areas = [v.cross(w), w.cross(u), u.cross(v)].map(|cross| cross.dot(normal).max(0.0));
    let whole: f64 = areas.iter().sum();
    if !(whole > 0.0) {
        return a - point;
    }
    let on_face = (a - point) * areas[0] + (b - point) * areas[1] + (c - point) * areas[2];
    on_face / whole
}

//! Convex hulls in space: finds the dimension of the points, then the hull in that dimension.

use clearance_math::{DVec2, DVec3};

use super::exact::{cross, flattened, greatest, height};
use super::insertion::Insertion;
use super::lists::Lists;
use super::merge::merged;
use super::outline::Outline;
use super::plane;

/// The hull of `points`, which are distinct and sorted by x, then y, then z.
///
/// A polygon has two faces, a segment and a point none. O(n log n) for points as they come in
/// practice.
pub(super) fn outline(points: &[DVec3]) -> Outline {
    let (first, last) = (0, points.len() - 1);
    if first == last {
        return Outline::without_faces(vec![0]);
    }
    let side = |index: usize| cross([points[first], points[last], points[index]]);
    let (wide, squared) = greatest(points.len(), |index| side(index).length_squared());
    if squared == 0.0 {
        // The first and the last point on a line are its ends.
        return Outline::without_faces(vec![first as u32, last as u32]);
    }
    let base = [first, last, wide].map(|index| points[index]);
    let (top, distance) = greatest(points.len(), |index| height(base, points[index]).abs());
    if distance == 0.0 {
        return polygon(points, cross(base));
    }
    let mut simplex = [first, last, wide, top].map(|index| index as u32);
    if height(base, points[top]) > 0.0 {
        simplex.swap(0, 1);
    }
    let triangles = Insertion::new(points, simplex).run();
    merged(points, &triangles)
}

/// The hull of points in one plane with the given normal, of which the signs are exact.
fn polygon(points: &[DVec3], normal: DVec3) -> Outline {
    let leaning = normal.abs();
    let axis = (0..3).fold(
        0,
        |best, k| if leaning[k] > leaning[best] { k } else { best },
    );
    // No two points of the plane fall together, as the normal leans towards the axis.
    let mut flat: Vec<(DVec2, u32)> = (0..)
        .zip(points)
        .map(|(i, &p)| (flattened(p, axis), i))
        .collect();
    flat.sort_unstable_by(|(a, _), (b, _)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let shadows: Vec<DVec2> = flat.iter().map(|&(shadow, _)| shadow).collect();
    let mut vertices: Vec<u32> = plane::polygon(&shadows)
        .into_iter()
        .map(|position| flat[position as usize].1)
        .collect();
    // Start at the first point, which is a vertex, towards the lesser of its neighbours: neither
    // the axis nor points inside shall show in the answer.
    let first = vertices.iter().position(|&vertex| vertex == 0);
    vertices.rotate_left(first.unwrap_or(0));
    if vertices[1] > vertices[vertices.len() - 1] {
        vertices[1..].reverse();
    }
    let count = vertices.len() as u32;
    let mut loops = Lists::new();
    loops.push(0..count);
    loops.push((0..count).rev());
    Outline {
        dimension: 2,
        vertices,
        loops,
    }
}

//! Convex hulls in 3D: finds the dimension of the points, then their hull in that dimension.

use clearance_math::internal::MapEach;
use clearance_math::internal::heap_sort;
use clearance_math::{DVec2, DVec3};

use super::incremental::IncrementalHull;
use super::index_lists::IndexLists;
use super::merge_coplanar::merge_coplanar;
use super::plane;
use super::predicates::{argmax, cross, height, project_along};
use super::topology::Topology;

/// The convex hull of `points`, which must be distinct and sorted by x, then y, then z.
///
/// A polygon has two faces, a segment and a point have none. The expected cost is O(n log n).
pub(super) fn convex_hull(points: &[DVec3]) -> Topology {
    let (first, last) = (0, points.len() - 1);
    if first == last {
        return Topology::without_faces(vec![0]);
    }
    let triangle = |index: usize| cross([points[first], points[last], points[index]]);
    let (wide, squared) = argmax(points.len(), |index| triangle(index).length_squared());
    if squared == 0.0 {
        // All points are on a line, and sorted, so the first and the last one are the ends.
        return Topology::without_faces(vec![first as u32, last as u32]);
    }
    let base = [first, last, wide].map_each(|index| points[index]);
    let (top, distance) = argmax(points.len(), |index| height(base, points[index]).abs());
    if distance == 0.0 {
        return polygon(points, cross(base));
    }
    let mut tetrahedron = [first, last, wide, top].map_each(|index| index as u32);
    if height(base, points[top]) > 0.0 {
        tetrahedron.swap(0, 1);
    }
    let triangles = IncrementalHull::new(points, tetrahedron).run();
    merge_coplanar(points, &triangles)
}

/// The convex hull of points in one plane. The components of `normal` must have exact signs.
fn polygon(points: &[DVec3], normal: DVec3) -> Topology {
    let size = normal.abs();
    let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
    // The normal has a component along this axis, so no two points have the same projection.
    let mut flat: Vec<(DVec2, u32)> = (0..)
        .zip(points)
        .map(|(i, &p)| (project_along(axis, p), i))
        .collect();
    heap_sort(&mut flat, |(a, i), (b, j)| {
        let along_x = a.x.total_cmp(&b.x);
        along_x.then(a.y.total_cmp(&b.y)).then(i.cmp(j)).is_lt()
    });
    let projections: Vec<DVec2> = flat.iter().map(|&(projection, _)| projection).collect();
    let mut vertices: Vec<u32> = plane::polygon(&projections)
        .into_iter()
        .map(|position| flat[position as usize].1)
        .collect();
    // The loop starts at the first point, which is a vertex, and continues to the neighbour with the
    // lower index. So it depends neither on the axis of projection nor on interior points.
    let first = vertices.iter().position(|&vertex| vertex == 0);
    vertices.rotate_left(first.unwrap_or(0));
    if vertices[1] > vertices[vertices.len() - 1] {
        vertices[1..].reverse();
    }
    let count = vertices.len() as u32;
    let mut loops = IndexLists::new();
    loops.push(0..count);
    loops.push((0..count).rev());
    Topology {
        dimension: 2,
        vertices,
        loops,
    }
}

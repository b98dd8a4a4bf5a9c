//! Points on the surface of a convex shape, close enough together that their hull looks like it.

use clearance_gjk::core_corners;
use clearance_math::{PreciseVector, Vector};
use clearance_shapes::{Convex, Core, Hull, Support};

use crate::directions::{all_around, arc, facet, quarter, too_close};
use crate::turned::section;

/// Facets of a quarter of a circle for a shape that is known by its farthest points only.
const QUARTER_OF_CUSTOM: u32 = 8;

/// Points on the surface. Flat sides keep their corners, round ones are sampled.
pub(crate) fn surface_points<V: Vector>(convex: &Convex<V>) -> Vec<V> {
    let points = match convex.core() {
        Core::Hull(hull) => swept_hull(hull, convex.radius()),
        Core::Custom(_) => sampled(convex, QUARTER_OF_CUSTOM),
        Core::TaperedCapsule(_) => mirrored(convex),
        core => match core_corners(core) {
            Some(corners) => Hull::from_points(&corners)
                .map_or_else(|_| Vec::new(), |hull| swept_hull(&hull, convex.radius())),
            None => sampled(convex, quarter::<V::Precise>()),
        },
    };
    points.into_iter().map(V::from_precise).collect()
}

/// The farthest points along directions all around.
fn sampled<V: Vector>(convex: &Convex<V>, quarter: u32) -> Vec<V::Precise> {
    let directions = all_around::<V::Precise>(quarter).into_iter();
    let point = |direction| convex.core().support(direction) + direction * convex.radius();
    directions.map(point).collect()
}

/// The half section of a shape of the plane, and its mirror image.
fn mirrored<V: Vector>(convex: &Convex<V>) -> Vec<V::Precise> {
    let half = section(convex).into_iter();
    half.flat_map(|(_, point)| [point, point.with_component(0, -point.component(0))])
        .collect()
}

/// The corners of a hull, moved by a radius along all directions in which each is farthest.
///
/// The normals of the faces at a corner come first, so that flat sides stay flat, and then those of the
/// edges there, so that the roundings of edges are straight.
fn swept_hull<V: Vector>(hull: &Hull<V>, radius: f64) -> Vec<V::Precise> {
    let corners = hull.vertices();
    if radius == 0.0 {
        return corners.iter().map(|corner| corner.to_precise()).collect();
    }
    let mut directions = vec![Vec::<V::Precise>::new(); corners.len()];
    for face in hull.faces() {
        for &vertex in face.vertices {
            directions[vertex as usize].push(face.normal);
        }
    }
    round_edges(hull, &mut directions);
    for direction in all_around::<V::Precise>(quarter::<V::Precise>()) {
        let at_vertex = &mut directions[hull.support_index(direction) as usize];
        let is_axis = (0..V::DIM).any(|k| direction.component(k).abs() == 1.0);
        let close = too_close::<V::Precise>(is_axis);
        let is_far = |other: &V::Precise| (*other - direction).length() > close;
        if at_vertex.iter().all(is_far) {
            at_vertex.push(direction);
        }
    }
    let swept = corners.iter().zip(directions).flat_map(|(corner, list)| {
        let corner = corner.to_precise();
        list.into_iter()
            .map(move |direction| corner + direction * radius)
    });
    swept.collect()
}

/// Adds the directions across each edge to both of its ends.
fn round_edges<V: Vector>(hull: &Hull<V>, directions: &mut [Vec<V::Precise>]) {
    let position = |vertex: u32| hull.vertices()[vertex as usize].to_precise().in_space();
    for edge in hull.edges() {
        let [from, to] = edge
            .faces
            .map(|face| hull.face(face as usize).normal.in_space());
        let [start, end] = edge.vertices.map(position);
        // The first face lies to the left of the edge, so this points away from it.
        let outward = (end - start).cross(from);
        for direction in arc(from, to, outward, facet::<V::Precise>()) {
            for vertex in edge.vertices {
                directions[vertex as usize].push(V::Precise::from_space(direction));
            }
        }
    }
}

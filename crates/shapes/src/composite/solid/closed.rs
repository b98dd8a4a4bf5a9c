//! What a surface must be to have an inside, and whether it is convex.

use std::collections::HashMap;

use clearance_math::internal::MapEach;
use clearance_math::{DVec3, PreciseVector, Vector};

use super::height;
use crate::composite::vertices::bits;
use crate::hull::predicates;
use crate::{Hull, ShapeError};

/// Whether no point of a hull is above a facet, by exact signs: where no neighbour of a corner is higher, nothing is, since
/// the hull is convex.
pub(super) fn supports<V: Vector>(hull: &Hull<V>, facet: [V; 3]) -> bool {
    let [a, b, c] = facet.map_each(|corner| corner.to_precise().in_space());
    let normal = if const { V::DIM == 2 } {
        (b - a).cross(DVec3::Z)
    } else {
        (b - a).cross(c - a)
    };
    if hull.dimension() < V::DIM {
        return false;
    }
    let level = |vertex: u32| {
        let vertex = hull.vertices()[vertex as usize];
        // Exact signs of what is in the plane take long.
        if facet.contains(&vertex) {
            0.0
        } else {
            height(facet, vertex.to_precise())
        }
    };
    let mut highest = hull.support_index(V::Precise::from_space(normal));
    if level(highest) < 0.0 {
        // Rounding chose a corner beside the highest one.
        let mut beside = hull.neighbours(highest).iter();
        let Some(&next) = beside.find(|&&next| level(next) == 0.0) else {
            return false;
        };
        highest = next;
    }
    level(highest) <= 0.0
        && hull
            .neighbours(highest)
            .iter()
            .all(|&next| level(next) <= 0.0)
}

/// Checks that triangles form closed surfaces, each the same way round: along each side as many go one way as the other. Where bodies share
/// a side, more than two triangles meet at it. Returns whether no side is a hollow one.
pub(super) fn closed<V: Vector>(
    vertices: &[V],
    triangles: &[[u32; 3]],
) -> Result<bool, ShapeError> {
    // Vertices at equal coordinates are one: that with the least number.
    let mut numbers = HashMap::with_capacity(vertices.len());
    let numbered = vertices.iter().zip(0_u32..);
    let same: Vec<u32> = numbered
        .map(|(&vertex, number)| *numbers.entry(bits(vertex)).or_insert(number))
        .collect();
    let corners = |index: usize| triangles[index].map_each(|vertex| vertices[vertex as usize]);
    let mut sides = Vec::with_capacity(3 * triangles.len());
    for (index, triangle) in triangles.iter().enumerate() {
        if is_flat(corners(index)) {
            return Err(ShapeError::FlatTriangle { index });
        }
        let [a, b, c] = triangle.map_each(|vertex| same[vertex as usize]);
        sides.extend([[a, b], [b, c], [c, a]].map_each(|side| (side, index)));
    }
    sides.sort_unstable();
    let along = |side: [u32; 2]| {
        let begin = sides.partition_point(|&(other, _)| other < side);
        let count = sides[begin..]
            .iter()
            .take_while(|&&(other, _)| other == side);
        &sides[begin..begin + count.count()]
    };
    let mut is_convex = true;
    let (mut open, mut doubled) = (None::<usize>, None::<[usize; 2]>);
    for one_way in sides.chunk_by(|one, other| one.0 == other.0) {
        let ([from, to], index) = one_way[0];
        let other_way = along([to, from]);
        match (one_way, other_way) {
            // The ends of the side are in both planes, and from the other triangle the sign is the same: exact signs of what is in a
            // plane take long.
            ([_], [(_, across)]) if is_convex && from < to => {
                let is_end = |vertex: u32| [from, to].contains(&same[vertex as usize]);
                let apex = triangles[*across]
                    .into_iter()
                    .find(|&vertex| !is_end(vertex));
                is_convex = !apex.is_some_and(|apex| {
                    height(corners(index), vertices[apex as usize].to_precise()) > 0.0
                });
            }
            _ if one_way.len() == other_way.len() => is_convex &= one_way.len() == 1,
            ([_, (_, second), ..], _) if one_way.len() > other_way.len() => {
                let found = [index, *second];
                doubled = Some(doubled.map_or(found, |first| first.min(found)));
            }
            ([_], []) => open = Some(open.map_or(index, |first| first.min(index))),
            // The other way has more, and is met, too.
            _ => {}
        }
    }
    match (doubled, open) {
        (Some(triangles), _) => Err(ShapeError::SidesInOneDirection { triangles }),
        (None, Some(index)) => Err(ShapeError::NotClosed {
            list: "triangles",
            index,
        }),
        (None, None) => Ok(is_convex),
    }
}

/// Whether three points lie on a line, by exact signs.
fn is_flat<V: Vector>(corners: [V; 3]) -> bool {
    predicates::cross(corners.map_each(|corner| corner.to_precise().in_space())) == DVec3::ZERO
}

/// Refuses what has its outer side inside, or nothing inside.
pub(super) fn check_volume<V: Vector>(
    shape: &'static str,
    facets: impl Iterator<Item = [V; 3]>,
) -> Result<(), ShapeError> {
    let mut first = None;
    let volume: f64 = facets
        .map(|facet| {
            let corners = facet.map_each(|corner| corner.to_precise().in_space());
            let base = *first.get_or_insert(corners[0]);
            let [a, b, c] = corners.map_each(|corner| corner - base);
            if const { V::DIM == 2 } {
                a.cross(b).z / 2.0
            } else {
                a.dot(b.cross(c)) / 6.0
            }
        })
        .sum();
    if volume > 0.0 {
        Ok(())
    } else {
        Err(ShapeError::Volume { shape, volume })
    }
}

//! Segments and triangles.

use clearance_math::internal::MapEach;
use clearance_math::{PreciseVector, Vector, tolerances};
use clearance_shapes::{Segment, Triangle};

use super::{Corner, Facing, Line, across, is_facing};
use crate::manifold::feature::Feature;

pub(super) fn segment<V: Vector>(
    segment: &Segment<V>,
    direction: V::Precise,
    found: &mut Facing<V::Precise>,
) {
    let ends = numbered([segment.a, segment.b]);
    let whole = side_of(direction, ends);
    if let Some(normal) = normal_of(ends, direction) {
        for end in ends {
            let _ = found.corners.try_push(end);
        }
        found.set_plane(normal, whole);
    } else {
        set_line_or_point((None, ends), direction, found);
    }
}

/// The side of a segment in the plane that faces a direction; in space, the segment.
fn side_of<P: PreciseVector>(direction: P, [a, b]: [Corner<P>; 2]) -> Feature {
    if const { P::DIM == 3 } {
        return Feature::Edge(0);
    }
    let along = b.point - a.point;
    let turn = along.in_space().cross(direction.in_space()).z;
    Feature::Face(u32::from(turn < 0.0))
}

fn numbered<V: Vector, const N: usize>(points: [V; N]) -> [Corner<V::Precise>; N] {
    let mut numbers = 0..;
    points.map(|point| Corner {
        point: point.to_precise(),
        number: numbers.next().unwrap_or(0),
    })
}

/// The line between two corners, if it lies across the direction.
fn line<P: PreciseVector>(ends: [Corner<P>; 2], feature: Feature, direction: P) -> Option<Line<P>> {
    Some(Line {
        ends,
        normal: normal_of(ends, direction)?,
        feature,
    })
}

/// The normal of the line between two corners, if it lies across the direction.
#[inline]
fn normal_of<P: PreciseVector>(ends: [Corner<P>; 2], direction: P) -> Option<P> {
    let along = (ends[1].point - ends[0].point).direction()?;
    across(along, direction)
}

/// The line, or if there is none, the corner that is farthest along the direction.
fn set_line_or_point<P: PreciseVector, const N: usize>(
    (line, corners): (Option<Line<P>>, [Corner<P>; N]),
    direction: P,
    found: &mut Facing<P>,
) {
    if let Some(line) = line {
        found.set_line(&line);
    } else {
        let best = farthest(corners, direction);
        found.set_point(best.point, direction, Feature::Corner(best.number));
    }
}

/// The corner farthest along a direction; of several, the first.
fn farthest<P: PreciseVector, const N: usize>(corners: [Corner<P>; N], direction: P) -> Corner<P> {
    let mut best = corners[0];
    for corner in corners {
        if direction.dot(corner.point - best.point) > 0.0 {
            best = corner;
        }
    }
    best
}

pub(super) fn triangle<V: Vector>(
    triangle: &Triangle<V>,
    direction: V::Precise,
    found: &mut Facing<V::Precise>,
) {
    let corners = numbered([triangle.a, triangle.b, triangle.c]);
    if const { V::DIM == 2 } {
        return set_line_or_point((side(corners, direction), corners), direction, found);
    }
    let [a, b, c] = corners.map_each(|corner| corner.point.in_space());
    let normal = (b - a).cross(c - a);
    let longest = (b - a).length_squared().max((c - a).length_squared());
    if normal.length() > tolerances::MANIFOLD_SLACK * longest {
        let cosine = normal.dot(direction.in_space()) / normal.length();
        if is_facing(cosine.abs()) {
            let unit = V::Precise::from_space(normal * (cosine.signum() / normal.length()));
            let feature = Feature::Face(u32::from(cosine < 0.0));
            for corner in corners {
                found.corners.push(corner);
            }
            return found.set_plane(unit, feature);
        }
    }
    set_line_or_point((edge(corners, direction), corners), direction, found);
}

/// The three sides, by the numbers of their corners.
const SIDES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

/// The number of the side between two corners.
pub(super) fn edge_number(ends: [u32; 2]) -> u32 {
    match ends {
        [0, 1] | [1, 0] => 0,
        [1, 2] | [2, 1] => 1,
        _ => 2,
    }
}

/// The edge of a triangle in space that lies across the direction and is farthest along it. Of several, the longest,
/// which contains the others where the triangle is flat.
fn edge<P: PreciseVector>(corners: [Corner<P>; 3], direction: P) -> Option<Line<P>> {
    let highest = farthest(corners, direction).point;
    let slack = tolerances::MANIFOLD_SLACK * size(corners);
    let below = |corner: Corner<P>| direction.dot(highest - corner.point);
    let mut best = None;
    for (number, ends) in (0..).zip(SIDES) {
        let ends = ends.map_each(|k| corners[k]);
        let length = (ends[1].point - ends[0].point).length();
        if ends.into_iter().map(below).fold(f64::INFINITY, f64::min) > slack {
            continue;
        }
        if let Some(mut found) = line(ends, Feature::Edge(number), direction)
            && best.as_ref().is_none_or(|&(longest, _)| length > longest)
        {
            // Not beyond the normal of the face.
            let third = corners[3 - SIDES[number as usize].iter().sum::<usize>()].point;
            let inwards = third - ends[0].point;
            let above = found.normal.dot(inwards);
            if above > 0.0 {
                let along = ends[1].point - ends[0].point;
                let inwards = inwards - along * (inwards.dot(along) / along.length_squared());
                let level = found.normal - inwards * (above / inwards.length_squared());
                // A face that stands upright ends in another edge, or in a corner.
                match level.direction() {
                    Some(unit) if is_facing(unit.dot(direction)) => found.normal = unit,
                    _ => continue,
                }
            }
            best = Some((length, found));
        }
    }
    best.map(|(_, found)| found)
}

fn size<P: PreciseVector>(corners: [Corner<P>; 3]) -> f64 {
    let lengths = SIDES.map_each(|[from, to]| (corners[to].point - corners[from].point).length());
    lengths.into_iter().fold(0.0, f64::max)
}

/// The side of a triangle in the plane whose outward normal is nearest to the direction. Of several, the longest.
fn side<P: PreciseVector>(corners: [Corner<P>; 3], direction: P) -> Option<Line<P>> {
    let flat = tolerances::MANIFOLD_SLACK * size(corners);
    let mut best: Option<(f64, f64, Line<P>)> = None;
    for (number, ends) in (0..).zip(SIDES) {
        let third = corners[3 - ends[0] - ends[1]];
        let ends = ends.map_each(|k| corners[k]);
        let Some(found) = line(ends, Feature::Face(number), direction) else {
            continue;
        };
        // The normal is on the side of the direction. It leads inwards if the third corner lies above.
        if found.normal.dot(third.point - ends[0].point) > flat {
            continue;
        }
        let cosine = found.normal.dot(direction);
        let length = (ends[1].point - ends[0].point).length();
        let is_better = best.as_ref().is_none_or(|(most, longest, _)| {
            let ahead = cosine - most;
            ahead > tolerances::MANIFOLD_TIE
                || ahead > -tolerances::MANIFOLD_TIE && length > *longest
        });
        if is_better {
            best = Some((cosine, length, found));
        }
    }
    best.map(|(_, _, found)| found)
}

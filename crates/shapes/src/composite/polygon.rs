//! Outlines of the plane with an inside.

use core::cmp::Ordering;
use core::ops::Range;
use std::collections::HashSet;

use clearance_math::internal::MapEach;
use clearance_math::internal::heap_sort;
use clearance_math::{PreciseVector, Real, Vec2, Vector, compiled_in_plane};

use super::polyline::Polyline;
use super::simple_rings::are_simple;
use super::solid::height;
use super::vertices::bits;
use super::{Composite, CompositeKind};
use crate::{Shape, ShapeError};

/// The corners of all rings, and the sides between them.
pub(super) fn sides_of(
    outline: &[Vec2],
    holes: &[Vec<Vec2>],
) -> Result<(Vec<Vec2>, Vec<[u32; 2]>), ShapeError> {
    let (mut vertices, mut segments) = (Vec::new(), Vec::new());
    let rings = core::iter::once(outline).chain(holes.iter().map(Vec::as_slice));
    for (ring, corners) in rings.enumerate() {
        let count = corners.len();
        if count < 3 {
            return Err(ShapeError::RingTooShort { ring, count });
        }
        check_corners(corners, if ring == 0 { "vertices" } else { "hole" })?;
        let first = vertices.len() as u32;
        vertices.extend_from_slice(corners);
        let after = |k: u32| if k as usize + 1 == count { 0 } else { k + 1 };
        segments.extend((0..count as u32).map(|k| [first + k, first + after(k)]));
    }
    Ok((vertices, segments))
}

compiled_in_plane! {
    /// The area within the sides of an outline, but not within those of its holes.
    pub(super) fn area_within(
        vertices: Vec<Vec2>,
        sides: Vec<[u32; 2]>,
    ) -> Result<Shape<Vec2>, ShapeError> {
        let polyline = Polyline::new(vertices, sides)?;
        Composite::new(CompositeKind::Polyline(polyline))
            .with_inside()
            .map(Shape::from)
    }
}

/// Checks that the corners of a ring are finite.
fn check_corners(corners: &[Vec2], list: &'static str) -> Result<(), ShapeError> {
    let numbers = (0_usize..).zip(corners).flat_map(|(vertex, corner)| {
        let numbers = (0_usize..).zip(corner.to_array());
        numbers.map(move |(axis, value)| (vertex, axis, value))
    });
    match numbers.into_iter().find(|(.., value)| !value.is_finite()) {
        None => Ok(()),
        Some((vertex, axis, value)) => Err(ShapeError::Vertex {
            shape: "polygon",
            list,
            vertex,
            axis,
            value,
            user: None,
        }),
    }
}

impl<V: Vector> Polyline<V> {
    /// The ranges of the vertices of the rings of a polygon, and of their sides: the outline first. `None` if the segments are
    /// no rings one after another.
    #[must_use]
    pub fn rings(&self) -> Option<Vec<Range<usize>>> {
        let mut rings = Vec::new();
        let mut first = 0;
        for (index, ends) in self.segments().iter().enumerate() {
            let [low, high] =
                [ends[0].min(ends[1]), ends[0].max(ends[1])].map_each(|end| end as usize);
            if (low, high) == (first, index) && index > first + 1 {
                rings.push(first..index + 1);
                first = index + 1;
            } else if (low, high) != (index, index + 1) {
                return None;
            }
        }
        (first == self.vertices().len()).then_some(rings)
    }
}

/// Checks that the segments are rings which do not cross, and turns them so that the inside of the polygon is on the left
/// of each side. Returns the sides of which it must be checked that they have the inside on one side only: where rings do not
/// even touch, one of each.
pub(super) fn close<V: Vector>(polyline: &mut Polyline<V>) -> Result<Vec<u32>, ShapeError> {
    let Some(rings) = polyline.rings() else {
        let list = "segments";
        let index = polyline.segments().len() - 1;
        return Err(ShapeError::NotClosed { list, index });
    };
    let corner =
        |polyline: &Polyline<V>, index: usize| polyline.vertices()[index].to_precise().in_space();
    for (number, ring) in rings.iter().enumerate() {
        let base = corner(polyline, ring.start);
        let after = |k: usize| if k + 1 == ring.end { ring.start } else { k + 1 };
        let along = |k: usize| {
            (corner(polyline, k) - base)
                .cross(corner(polyline, after(k)) - base)
                .z
        };
        let area: f64 = ring.clone().map(along).sum();
        let is_left = (area > 0.0) == (number == 0);
        for k in ring.clone() {
            let ends = [k, after(k)].map_each(|end| end as u32);
            let [from, to] = ends;
            polyline.segments[k] = if is_left { ends } else { [to, from] };
        }
    }
    if are_simple(polyline) {
        return Ok(rings.iter().map(|ring| ring.start as u32).collect());
    }
    // What crosses one of equal sides crosses the first of them, and that has on its sides what all have.
    let mut seen = HashSet::with_capacity(polyline.segments().len());
    let is_new = |&side: &u32| {
        let [one, other] = polyline.ends(side).map_each(bits);
        seen.insert([one.min(other), one.max(other)])
    };
    let distinct: Vec<u32> = (0..polyline.segments().len() as u32)
        .filter(is_new)
        .collect();
    match crossing(polyline, &distinct) {
        Some(error) => Err(error),
        None => Ok(distinct),
    }
}

/// The first two of some sides that cross, by exact signs.
fn crossing<V: Vector>(polyline: &Polyline<V>, distinct: &[u32]) -> Option<ShapeError> {
    let sides: Vec<[V; 2]> = (0..polyline.segments().len() as u32)
        .map(|side| polyline.ends(side))
        .collect();
    let least = |side: usize, axis: usize| {
        sides[side][0]
            .component(axis)
            .min(sides[side][1].component(axis))
    };
    let most = |side: usize, axis: usize| {
        sides[side][0]
            .component(axis)
            .max(sides[side][1].component(axis))
    };
    let mut order: Vec<usize> = distinct.iter().map(|&side| side as usize).collect();
    heap_sort(&mut order, |&a, &b| {
        least(a, 0).total_cmp(&least(b, 0)).then(a.cmp(&b)).is_lt()
    });
    let mut open: Vec<usize> = Vec::new();
    let mut found: Option<[usize; 2]> = None;
    for &side in &order {
        open.retain(|&other| most(other, 0) >= least(side, 0));
        for &other in &open {
            let are_beside = most(other, 1) < least(side, 1) || most(side, 1) < least(other, 1);
            let pair = [side.min(other), side.max(other)];
            if !are_beside
                && do_cross(sides[side], sides[other])
                && found.is_none_or(|least| pair.cmp(&least) == Ordering::Less)
            {
                found = Some(pair);
            }
        }
        open.push(side);
    }
    found.map(|pair| ShapeError::Crossing {
        sides: pair,
        place: meeting(sides[pair[0]], sides[pair[1]]),
    })
}

/// Whether each of two segments has the ends of the other on either side.
fn do_cross<V: Vector>([a, b]: [V; 2], [c, d]: [V; 2]) -> bool {
    let heights = |from: V, to: V, ends: [V; 2]| {
        ends.map_each(|end| height([from, to, to], end.to_precise()))
    };
    let opposite =
        |[one, other]: [f64; 2]| (one > 0.0 && other < 0.0) || (one < 0.0 && other > 0.0);
    // Exact signs of what lies on one line take long: where ends are at one place, none are asked for.
    let have_common_end = a == c || a == d || b == c || b == d;
    !have_common_end && opposite(heights(a, b, [c, d])) && opposite(heights(c, d, [a, b]))
}

/// Where two segments cross, up to rounding.
fn meeting<V: Vector>([a, b]: [V; 2], [c, d]: [V; 2]) -> [Real; 2] {
    let [from, to] = [c, d].map_each(|end| height([a, b, b], end.to_precise()).abs());
    let place = (c.to_precise() * to + d.to_precise() * from) / (from + to);
    [0, 1].map_each(|axis| place.component(axis) as Real)
}

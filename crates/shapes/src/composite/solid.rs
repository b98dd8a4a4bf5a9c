//! Composites with an inside: closed meshes in space, and outlines in the plane.
//!
//! Inside is where the surface winds once or more. How often it winds around a point is counted along the line that
//! leads from the point along an axis: each facet that the line meets ahead of the point counts 1 if it faces ahead, and
//! -1 if it faces back. Whether it meets one is decided by exact signs. A point whose projection lies on the edge or the
//! corner of a projected facet counts as if it were moved by a tiny bit along both axes of the projection, along the
//! second one by much more than along the first. That is one and the same movement for all facets, and beside no edge it
//! changes anything; so the count is that of a point which no edge is in the way of.
//!
//! Source: Edelsbrunner and Muecke, "Simulation of Simplicity" (1990), for deciding ties by an infinitely small
//! movement. The exact signs are those of Shewchuk (1997), as for hulls.

use core::ops::Range;
use std::collections::HashMap;
use std::sync::OnceLock;

use clearance_math::internal::MapEach;
use clearance_math::{
    Aabb, DVec3, PreciseVector, Real, RelativePose, Vector, compile_once, tolerances,
};

use super::vertices::bits;
use super::{Composite, CompositeKind};
use crate::hull::predicates::{self, orientation, project_along};
use crate::{Core, Hull, Shape, ShapeError};

/// What is known of a composite that has an inside.
#[derive(Debug, PartialEq)]
pub(crate) struct Inside<V: Vector> {
    /// The hull of the vertices, if the solid is convex.
    convex: Option<Shape<V>>,
}

impl<V: Vector> Inside<V> {
    pub(super) fn memory(&self) -> usize {
        self.convex.as_ref().map_or(0, Shape::shared_memory)
    }
}

/// The numbers of one part of each connected piece, found when they are first asked for.
#[derive(Debug, Default)]
pub(crate) struct Pieces(OnceLock<Vec<u32>>);

/// They follow from the rest.
impl PartialEq for Pieces {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A solid within a composite: itself, or a member of a compound.
#[derive(Clone, Copy, Debug)]
pub struct Solid<'a, V: Vector> {
    /// The solid.
    pub composite: &'a Composite<V>,
    /// Its pose in the frame of the outer composite; `None` if it is the identity.
    pub pose: Option<&'a RelativePose<V::Precise>>,
    /// The number of its first part in the outer composite.
    pub first_part: u32,
}

impl<V: Vector> Solid<'_, V> {
    /// Whether a point of the outer composite's frame is inside; of one on the surface either may be said.
    #[must_use]
    pub fn contains(&self, point: V::Precise) -> bool {
        let local = self
            .pose
            .map_or(point, |pose| pose.inverse_transform_point(point));
        self.composite.winding(local) > 0
    }

    /// Whether a point of the outer composite's frame is in the box around the solid: no other is inside.
    #[must_use]
    pub fn is_in_box(&self, point: V::Precise) -> bool {
        let local = self
            .pose
            .map_or(point, |pose| pose.inverse_transform_point(point));
        let Aabb { min, max } = self.composite.local_bounds;
        let (low, high) = (min.to_precise(), max.to_precise());
        (0..V::DIM).all(|k| (low.component(k)..=high.component(k)).contains(&local.component(k)))
    }

    /// The outer unit normal of a part of the outer composite, in its frame; of a side of length zero that of one beside it.
    #[must_use]
    pub fn front(&self, number: u32) -> Option<V::Precise> {
        front_of(self, number)
    }

    fn front_beside(&self, number: u32) -> Option<V::Precise> {
        let own = number.checked_sub(self.first_part)?;
        let [corner, ..] = self.composite.facet(own)?;
        let beside = |away: u32| [own.checked_add(away), own.checked_sub(away)];
        let count = self.composite.part_count();
        let mut all = (0..count)
            .flat_map(beside)
            .flatten()
            .filter(|&other| other < count);
        let front = all.find_map(|other| {
            let has_corner = self.composite.facet(other)?.contains(&corner);
            match &*self.composite.part(other).filter(|_| has_corner)?.shape {
                Shape::Convex(convex) => convex.front(),
                _ => None,
            }
        })?;
        Some(
            self.pose
                .map_or(front, |pose| pose.transform_direction(front)),
        )
    }

    /// Whether a part of the outer composite is one of the solid's.
    #[must_use]
    pub fn has_part(&self, number: u32) -> bool {
        (self.first_part..self.first_part + self.composite.part_count()).contains(&number)
    }
}

impl<V: Vector> Composite<V> {
    /// Whether the composite itself is a closed surface with an inside.
    #[inline]
    #[must_use]
    pub fn is_solid(&self) -> bool {
        self.inside.is_some()
    }

    /// The hull of the vertices, if the composite itself is a convex solid.
    #[must_use]
    pub fn convex_hull(&self) -> Option<&Shape<V>> {
        self.inside.as_ref()?.convex.as_ref()
    }

    /// The same shape in which each convex solid is its hull, a single part; `None` if there is none.
    #[must_use]
    pub fn by_hulls(&self) -> Option<&Shape<V>> {
        match &self.kind {
            CompositeKind::Compound(compound) => compound.by_hulls(),
            _ => self.convex_hull(),
        }
    }

    /// The parts for which a part of [`Self::by_hulls`] stands: the facets of a solid, or one other part.
    #[must_use]
    pub fn parts_by_hulls(&self, number: u32) -> Option<Range<u32>> {
        match &self.kind {
            CompositeKind::Compound(compound) => compound.parts_by_hulls(number),
            _ => self.convex_hull().map(|_| 0..self.part_count()),
        }
    }

    /// Whether the composite or a member of it has an inside.
    #[inline]
    #[must_use]
    pub fn has_inside(&self) -> bool {
        match &self.kind {
            CompositeKind::Compound(compound) => !compound.solids.is_empty(),
            _ => self.inside.is_some(),
        }
    }

    /// The closed surfaces with an inside: the composite itself, or members of a compound.
    pub fn solids(&self) -> impl Iterator<Item = Solid<'_, V>> {
        let count = match &self.kind {
            CompositeKind::Compound(compound) => compound.solids.len(),
            _ => self.inside.is_some().into(),
        };
        (0..count).filter_map(|index| self.solid_at(index))
    }

    fn solid_at(&self, index: usize) -> Option<Solid<'_, V>> {
        match &self.kind {
            CompositeKind::Compound(compound) => {
                compound.members[compound.solids[index] as usize].solid()
            }
            _ => Some(Solid {
                composite: self,
                pose: None,
                first_part: 0,
            }),
        }
    }

    /// The solid that a part belongs to, if it does to one.
    #[must_use]
    pub fn solid_of(&self, number: u32) -> Option<Solid<'_, V>> {
        match &self.kind {
            CompositeKind::Compound(compound) => compound.solid_of(number),
            _ => self.solids().find(|solid| solid.has_part(number)),
        }
    }

    /// The number of one part of each connected piece: parts are connected that share a corner, by its coordinates.
    ///
    /// The first call costs O(n) for n parts, and memory for the answer. Those of a cloud of points are all of them.
    pub fn pieces(&self) -> impl Iterator<Item = u32> {
        let Pieces(pieces) = &self.pieces;
        let (all, listed) = match &self.kind {
            CompositeKind::Points(_) => (self.part_count(), &[][..]),
            _ => (0, &pieces.get_or_init(|| pieces_of(self))[..]),
        };
        (0..all).chain(listed.iter().copied())
    }

    /// The corners of a facet of a mesh, a polyline or a height field; of a segment the second one comes twice. `None` for other
    /// composites.
    #[must_use]
    pub fn facet(&self, number: u32) -> Option<[V; 3]> {
        match &self.kind {
            CompositeKind::Mesh(mesh) => Some(mesh.corners(number)),
            CompositeKind::Polyline(polyline) => {
                let [a, b] = polyline.ends(number);
                Some([a, b, b])
            }
            CompositeKind::HeightField(field) => field.corners(number),
            CompositeKind::Points(_) | CompositeKind::Voxels(_) | CompositeKind::Compound(_) => {
                None
            }
        }
    }

    /// How many times the surface of a mesh or a polyline of the plane goes around a point, which it does once
    /// counterclockwise for a point inside. Of a point on the surface either side may be said. The answer is exact.
    #[must_use]
    pub fn winding(&self, point: V::Precise) -> i32 {
        winding_of(self, point)
    }

    /// [`Self::winding`], where facets through the point count as ahead of it, or as behind.
    fn winding_with(&self, point: V::Precise, touching: bool) -> i32 {
        let (low, high) = (
            self.local_bounds.min.to_precise(),
            self.local_bounds.max.to_precise(),
        );
        let mut line = Line {
            point,
            axis: 0,
            ahead: 1.0,
            touching,
        };
        let mut nearest = f64::INFINITY;
        for axis in 0..V::DIM {
            let at = point.component(axis);
            // A number below all that single precision has: products with it must not vanish.
            if at.abs() < tolerances::LEAST_COORDINATE {
                line.point = line.point.with_component(axis, 0.0);
            }
            for (way, ahead) in [
                (high.component(axis) - at, 1.0),
                (at - low.component(axis), -1.0),
            ] {
                if !(way >= 0.0) {
                    return 0;
                }
                if way < nearest {
                    (nearest, line.axis, line.ahead) = (way, axis, ahead);
                }
            }
        }
        self.count(0, &line)
    }

    /// The sum over all facets below a node of the tree.
    fn count(&self, index: u32, line: &Line<V::Precise>) -> i32 {
        let node = self.node(index);
        let mut sum = 0;
        for (lane, child) in node.children.iter().enumerate() {
            if child.is_empty()
                || !line.may_meet::<V>(
                    [node.low, node.high].map_each(|side| side.map_each(|x| x[lane])),
                )
            {
                continue;
            }
            sum += match child.index() {
                Some(below) => self.count(below as u32, line),
                None => self
                    .facet(child.known_number())
                    .map_or(0, |facet| line.meets(facet)),
            };
        }
        sum
    }

    /// Refuses outlines with sides that do not have the inside on one side and the outside on the other.
    fn check_sides(&self, sides: &[u32]) -> Result<(), ShapeError> {
        for &side in sides {
            let Some([a, b, _]) = self.facet(side) else {
                continue;
            };
            let middle = (a.to_precise() + b.to_precise()) * 0.5;
            for touching in [false, true] {
                let times = self.winding_with(middle, touching);
                if !(0..=1).contains(&times) {
                    return Err(ShapeError::WindsAgain { side, times });
                }
            }
        }
        Ok(())
    }

    /// The corners of all facets; those of a mesh once each.
    fn corners(&self) -> Vec<V> {
        let CompositeKind::Mesh(mesh) = &self.kind else {
            let facets = (0..self.part_count()).filter_map(|number| self.facet(number));
            return facets.flatten().collect();
        };
        let mut are_used = vec![false; mesh.vertices().len()];
        for &corner in mesh.triangles().as_flattened() {
            are_used[corner as usize] = true;
        }
        let vertices = mesh.vertices().iter().zip(are_used);
        vertices
            .filter_map(|(&vertex, is_used)| is_used.then_some(vertex))
            .collect()
    }

    /// The same closed surface with an inside.
    pub(crate) fn with_inside(mut self) -> Result<Self, ShapeError> {
        let mut sides = Vec::new();
        let is_convex = match &mut self.kind {
            _ if self.one_sided.is_some() => return Err(ShapeError::SolidOnOneSide),
            CompositeKind::Mesh(mesh) if const { V::DIM == 3 } => {
                closed(mesh.vertices(), mesh.triangles())?
            }
            CompositeKind::Polyline(polyline) if const { V::DIM == 2 } => {
                sides = super::polygon::close(polyline)?;
                true
            }
            kind => return Err(ShapeError::NoInside { kind: kind.name() }),
        };
        let facets = || (0..self.part_count()).filter_map(|number| self.facet(number));
        let name = if const { V::DIM == 2 } {
            "polygon"
        } else {
            self.kind.name()
        };
        check_volume(name, facets())?;
        if const { V::DIM == 2 } {
            self.check_sides(&sides)?;
        }
        let hull = is_convex
            .then(|| Shape::hull(self.corners()).ok())
            .flatten();
        let convex = hull.filter(|hull| {
            let Shape::Convex(convex) = hull else {
                return false;
            };
            let Core::Hull(hull) = convex.core() else {
                return false;
            };
            facets().all(|facet| supports(hull, facet))
        });
        self.inside = Some(Inside { convex });
        Ok(self)
    }
}

compile_once! {
    fn winding_of<'a, V>(composite: &'a Composite<V>, point: V::Precise) -> i32 {
        composite.winding_with(point, false)
    }
}

compile_once! {
    fn front_of<'a, V>(solid: &'a Solid<'a, V>, number: u32) -> Option<V::Precise> {
        solid.front_beside(number)
    }
}

compile_once! {
    fn pieces_of<'a, V>(composite: &'a Composite<V>) -> Vec<u32> {
        match &composite.kind {
            CompositeKind::Compound(compound) => compound.pieces(),
            CompositeKind::Voxels(voxels) => voxels.pieces(),
            _ => connected_pieces(composite),
        }
    }
}

/// A ray from a point along an axis.
struct Line<P> {
    point: P,
    axis: usize,
    /// 1 or -1.
    ahead: f64,
    /// Whether facets through the point count.
    touching: bool,
}

impl<P: PreciseVector> Line<P> {
    /// Whether the line may meet what lies in a box.
    #[inline]
    fn may_meet<V: Vector<Precise = P>>(&self, [low, high]: [[Real; 3]; 2]) -> bool {
        (0..V::DIM).all(|k| {
            let at = self.point.component(k);
            let is_free = |ahead: f64| k == self.axis && self.ahead == ahead;
            (is_free(1.0) || f64::from(low[k]) <= at) && (is_free(-1.0) || at <= f64::from(high[k]))
        })
    }

    /// What a facet counts.
    fn meets<V: Vector<Precise = P>>(&self, facet: [V; 3]) -> i32 {
        let facing = if const { V::DIM == 2 } {
            self.facing_in_plane(facet)
        } else {
            self.facing_in_space(facet)
        };
        // The line crosses the plane where the height has become zero.
        let way = -height(facet, self.point) * facing * self.ahead;
        let is_ahead = facing != 0.0 && (way > 0.0 || (way == 0.0 && self.touching));
        if is_ahead {
            (facing * self.ahead) as i32
        } else {
            0
        }
    }

    /// Whether a segment that the whole line meets faces along the axis: 1, or -1; else 0.
    fn facing_in_plane<V: Vector<Precise = P>>(&self, [a, b, _]: [V; 3]) -> f64 {
        let other = 1 - self.axis;
        let at = self.point.component(other);
        let [from, to] = [a, b].map_each(|end| f64::from(end.component(other)) > at);
        match (from, to) {
            (false, true) => 1.0 - 2.0 * self.axis as f64,
            (true, false) => 2.0 * self.axis as f64 - 1.0,
            _ => 0.0,
        }
    }

    /// The same for a triangle: how often its projection along the axis goes around that of the point.
    fn facing_in_space<V: Vector<Precise = P>>(&self, facet: [V; 3]) -> f64 {
        let projected = |point: P| project_along(self.axis, point.in_space());
        let at = projected(self.point);
        let corners = facet.map_each(|corner| projected(corner.to_precise()));
        let mut facing = 0.0;
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            let is_up = to.x > at.x;
            if is_up == (from.x > at.x) {
                continue;
            }
            let side = orientation(from, to, at);
            let is_left = if side == 0.0 { is_up } else { side > 0.0 };
            if is_left == is_up {
                facing += if is_up { 1.0 } else { -1.0 };
            }
        }
        facing
    }
}

/// A number of the sign of the height of a point above a facet, on the side from which its corners run
/// counterclockwise, or above a segment on its right. The sign is exact.
pub(super) fn height<V: Vector>(facet: [V; 3], point: V::Precise) -> f64 {
    let [a, b, c] = facet.map_each(|corner| corner.to_precise().in_space());
    let point = point.in_space();
    if const { V::DIM == 2 } {
        return -orientation(a.truncate(), b.truncate(), point.truncate());
    }
    predicates::height([a, b, c], point)
}

/// Whether no point of a hull is above a facet, by exact signs: where no neighbour of a corner is higher, nothing is, since
/// the hull is convex.
fn supports<V: Vector>(hull: &Hull<V>, facet: [V; 3]) -> bool {
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
fn closed<V: Vector>(vertices: &[V], triangles: &[[u32; 3]]) -> Result<bool, ShapeError> {
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
fn check_volume<V: Vector>(
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

/// The first part of each set of parts that hang together.
fn connected_pieces<V: Vector>(composite: &Composite<V>) -> Vec<u32> {
    let count = composite.part_count();
    let mut leaders: Vec<u32> = (0..count).collect();
    let find = |leaders: &mut Vec<u32>, mut number: u32| {
        while leaders[number as usize] != number {
            leaders[number as usize] = leaders[leaders[number as usize] as usize];
            number = leaders[number as usize];
        }
        number
    };
    let mut at_corner = HashMap::with_capacity(count as usize);
    for number in 0..count {
        for corner in composite.facet(number).into_iter().flatten() {
            let other = *at_corner.entry(bits(corner)).or_insert(number);
            let (one, other) = (find(&mut leaders, number), find(&mut leaders, other));
            leaders[one.max(other) as usize] = one.min(other);
        }
    }
    let is_first =
        |&number: &u32| leaders[number as usize] == number && composite.facet(number).is_some();
    (0..count).filter(is_first).collect()
}

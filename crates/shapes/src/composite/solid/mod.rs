//! Composites with an inside: closed meshes in space, and outlines in the plane.
//!
//! | file | what it does |
//! | --- | --- |
//! | `winding.rs` | how often the surface winds around a point: inside is where it does once or more |
//! | `closed.rs` | what a surface must be to have an inside, and whether it is convex |

mod closed;
mod winding;

use core::ops::Range;

use clearance_math::{Aabb, PreciseVector, RelativePose, Vector, compile_once};

use super::{Composite, CompositeKind};
use crate::{Core, Shape, ShapeError};
use closed::{check_volume, closed, supports};
pub(super) use winding::height;

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
    fn front_of<'a, V>(solid: &'a Solid<'a, V>, number: u32) -> Option<V::Precise> {
        solid.front_beside(number)
    }
}

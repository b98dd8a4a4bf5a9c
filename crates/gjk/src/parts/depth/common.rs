//! Places that two shapes have in common, and the convex pieces around them that overlap there.

use clearance_math::{Pose, PreciseVector, RelativePose, Vector};
use clearance_shapes::{Shape, Solid};

use super::cell::{Around, Cell, Corners};
use super::obstacle::Piece;
use crate::answer::Separation;
use crate::parts::SurfacePart;
use crate::parts::inside::{Unit, place_of};

/// At how many places it is looked for one inside, between two.
const MOST_HALVINGS: i32 = 12;

/// How many pieces of a shape are tried that may lie inside of the other.
const MOST_PIECES: usize = 256;

/// How steeply it is looked below a facet from a point on its edge.
const BELOW_FACET: f64 = 0.125;

/// Two units where a was moved, and where it was before.
pub(super) struct Moved<'a, V: Vector> {
    pub(super) units: [Unit<'a, V>; 2],
    pub(super) before: [&'a Pose<V>; 2],
    /// How far around a place in both it matters what there is.
    pub(super) reach: f64,
    /// How many nodes and facets may still be looked at.
    pub(super) visits_left: &'a core::cell::Cell<usize>,
}

/// A place of a part of one unit that is inside of the other one, a solid.
struct InnerPlace<P> {
    /// Which of the two is the solid.
    solid: usize,
    place: P,
    /// The part of the other one.
    part: u32,
}

impl<'a, V: Vector> Moved<'a, V> {
    /// Convex pieces of both that overlap near parts that cross, in the places where the shapes were before; `None` if
    /// the parts do no more than touch.
    pub(super) fn pieces_at(&self, crossing: &Separation<V>) -> Option<[Piece<V>; 2]> {
        let parts = [crossing.part_a, crossing.part_b];
        let points = [crossing.position_a, crossing.position_b];
        (0..2).find_map(|solid| {
            let other = 1 - solid;
            let pose = RelativePose::from_pose(self.units[solid].placed.pose);
            let front = self.units[solid].solid?.front(parts[solid])?;
            let front = pose.transform_direction(front);
            let facet = SurfacePart::new(self.units[solid].placed, parts[solid])?.middle()?;
            let part = SurfacePart::new(self.units[other].placed, parts[other])?;
            let deepest = part.farthest(-front)?;
            let along = facet - points[solid];
            let below = facet - front * (along.length() * BELOW_FACET);
            // Points of the part between one on the surface and one that is probably below it.
            let ways = [
                (points[other], deepest),
                (points[solid], deepest),
                (points[solid], part.middle()?),
                (points[solid], below),
            ];
            ways.into_iter().find_map(|(from, to)| {
                (0..MOST_HALVINGS).find_map(|halvings| {
                    self.pieces_around(InnerPlace {
                        solid,
                        place: from + (to - from) * 0.5_f64.powi(halvings),
                        part: parts[other],
                    })
                })
            })
        })
    }

    /// Convex pieces of both that overlap, where one lies inside the other.
    pub(super) fn pieces_inside(&self) -> Option<[Piece<V>; 2]> {
        (0..2).find_map(|solid| {
            let inner = &self.units[1 - solid].placed;
            let common = |(part, place): (u32, V::Precise)| {
                let pose = RelativePose::from_pose(inner.pose);
                self.pieces_around(InnerPlace {
                    solid,
                    place: pose.transform_point(place),
                    part,
                })
            };
            match inner.shape {
                Shape::HalfSpace(_) => None,
                Shape::Convex(convex) => common((0, convex.core_center())),
                Shape::Composite(composite) => composite
                    .pieces()
                    .filter(|&number| inner.has_part(number))
                    .filter_map(|number| Some((number, place_of(composite, number)?)))
                    .take(MOST_PIECES)
                    .find_map(common),
            }
        })
    }

    fn pieces_around(&self, common: InnerPlace<V::Precise>) -> Option<[Piece<V>; 2]> {
        let InnerPlace { solid, place, part } = common;
        let (cell, clearance) = self.cell(solid, place)?;
        let other = 1 - solid;
        let unit = &self.units[other];
        let piece = if let Some(other_solid) = unit.solid {
            let front = RelativePose::from_pose(unit.placed.pose)
                .transform_direction(other_solid.front(part)?);
            // From the surface of the other solid a little into it.
            let (cell, _) = (1..MOST_HALVINGS).find_map(|halvings| {
                self.cell(other, place - front * (clearance * 0.5_f64.powi(halvings)))
            })?;
            Piece::Cell(cell)
        } else {
            let before = unit.placed.at(self.before[other]);
            Piece::Part(SurfacePart::new(before, part)?)
        };
        let cell = Piece::Cell(cell);
        Some(if solid == 0 {
            [cell, piece]
        } else {
            [piece, cell]
        })
    }

    /// A cell of a solid around a place, where the solid was before, and how far the surface is from the place; `None`
    /// if the place is not inside.
    fn cell(&self, index: usize, place: V::Precise) -> Option<(Corners<V::Precise>, f64)> {
        let unit = &self.units[index];
        let solid: Solid<V> = unit.solid?;
        let in_composite = RelativePose::from_pose(unit.placed.pose).inverse_transform_point(place);
        let local = solid.pose.map_or(in_composite, |pose| {
            pose.inverse_transform_point(in_composite)
        });
        if !(solid.is_in_box(in_composite) && solid.contains(in_composite)) {
            return None;
        }
        let around = Around {
            place: local,
            reach: self.reach,
        };
        let mut cell = Cell::new(solid.composite, around, self.visits_left)?;
        let before = RelativePose::from_pose(self.before[index]);
        for corner in &mut cell.corners {
            let in_composite = solid
                .pose
                .map_or(*corner, |pose| pose.transform_point(*corner));
            *corner = before.transform_point(in_composite);
        }
        Some((cell.corners, cell.clearance))
    }
}

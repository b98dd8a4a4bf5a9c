//! The way of a ray out of voxels that it starts in: faces between two whole cells are no surface.

use clearance_math::{Cell, PreciseVector, Vector};
use clearance_shapes::{Composite, CompositeKind, Voxels};

use super::answer::{HitInFrame, Interior};
use super::chord::{ChordCrossing, ChordSide};
use super::{RayInFrame, RayOptions};
use crate::pair::Placed;

/// Where a ray leaves the cells that it starts in.
#[derive(Clone, Copy)]
pub(super) struct WayOutOfCells<P> {
    /// The number of the last cell.
    pub(super) part: u32,
    /// The face of that cell, seen from inside.
    crossing: ChordCrossing<P>,
}

impl<P: PreciseVector> WayOutOfCells<P> {
    /// That of a hollow ray that starts in a whole cell and passes through another one; else `None`: then the answers of single
    /// cells are right, as those of tiles are.
    pub(super) fn find<V: Vector<Precise = P>>(
        line: &RayInFrame<P>,
        composite: &Composite<V>,
        b: &Placed<V>,
        options: RayOptions,
    ) -> Option<Self> {
        match composite.kind() {
            // With a filter of parts each cell answers for itself.
            CompositeKind::Voxels(voxels)
                if options.interior == Interior::Hollow && b.parts.is_none() =>
            {
                walk(line, voxels)
            }
            _ => None,
        }
    }

    /// The place where it leaves.
    pub(super) fn distance(&self, line: &RayInFrame<P>) -> f64 {
        self.crossing.at + line.middle
    }

    pub(super) fn hit(&self, line: &RayInFrame<P>, options: RayOptions) -> Option<HitInFrame<P>> {
        HitInFrame::at(line, &self.crossing, options)
    }
}

/// Walks from cell to cell. Each step is through the plane that comes first, in one order for all cells, so that no ray is lost
/// between two of them.
///
/// Source: Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing", 1987.
fn walk<V: Vector>(
    line: &RayInFrame<V::Precise>,
    voxels: &Voxels<V>,
) -> Option<WayOutOfCells<V::Precise>> {
    let whole_part = |cell| {
        let part = voxels.part_of(cell);
        part.filter(|&part| voxels.tile(part).is_none())
    };
    let mut cell = voxels.cell_at(line.origin)?;
    let mut part = whole_part(cell)?;
    let mut is_first = true;
    loop {
        let (axis, crossing) = first_crossing(line, voxels, cell)?;
        let mut next = cell.components();
        let step = if line.direction.component(axis) > 0.0 {
            1
        } else {
            -1
        };
        next[axis] = next[axis].wrapping_add(step);
        // Beyond the last number there are no cells.
        let is_there = (next[axis] > cell.component(axis)) == (step > 0);
        cell = V::Cell::from_components(next);
        match whole_part(cell).filter(|_| is_there) {
            Some(number) => part = number,
            None if is_first => return None,
            None => return Some(WayOutOfCells { part, crossing }),
        }
        is_first = false;
    }
}

/// The axis across which the line leaves a cell, and where.
fn first_crossing<V: Vector>(
    line: &RayInFrame<V::Precise>,
    voxels: &Voxels<V>,
    cell: V::Cell,
) -> Option<(usize, ChordCrossing<V::Precise>)> {
    let mut first: Option<(usize, ChordCrossing<_>)> = None;
    for axis in 0..V::DIM {
        let rate = line.direction.component(axis);
        if rate.abs() * line.bounding_radius <= line.rounding {
            continue;
        }
        let sign = rate.signum();
        let size = f64::from(voxels.size().component(axis));
        let end = f64::from(cell.component(axis)) + f64::from(u8::from(rate > 0.0));
        let side = ChordSide {
            normal: V::Precise::axis(axis) * sign,
            room: sign * (end * size - line.base.component(axis)),
            rate: rate.abs(),
        };
        let crossing = side.crossing(line);
        if first.is_none_or(|(_, first)| crossing.at < first.at) {
            first = Some((axis, crossing.seen_from_inside()));
        }
    }
    first
}

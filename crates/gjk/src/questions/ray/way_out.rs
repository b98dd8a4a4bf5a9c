//! The way of a ray out of voxels that it starts in: faces between two whole cells are no surface.

use arrayvec::ArrayVec;
use clearance_math::{Cell, PreciseVector, Vector};
use clearance_shapes::{Composite, PlacedVoxels, Voxels};

use super::answer::HitInFrame;
use super::chord::{ChordCrossing, ChordSide};
use super::{RayInFrame, RayOptions};

/// How many ways out are found. Where a ray starts in more voxels, the cells of the others answer for themselves.
const MOST_WAYS: usize = 8;

/// The ways out of the voxels of a composite.
pub(super) type WaysOut<'a, V> = ArrayVec<WayOutOfCells<'a, V>, MOST_WAYS>;

/// How a ray leaves the cells of some voxels, in one of which it starts.
pub(super) struct WayOutOfCells<'a, V: Vector> {
    voxels: PlacedVoxels<'a, V>,
    /// The number of the last cell in the composite.
    pub(super) part: u32,
    /// How far it is to where the ray leaves that cell.
    distance: f64,
    /// The hit there, in the frame of the composite, if it counts.
    pub(super) hit: Option<HitInFrame<V::Precise>>,
}

/// Adds those of a hollow ray that starts in whole cells and passes through others of the same voxels. Elsewhere the answers
/// of single cells are right, as those of tiles are.
pub(super) fn add_ways_out<'a, V: Vector>(
    line: &RayInFrame<V::Precise>,
    composite: &'a Composite<V>,
    options: RayOptions,
    ways_out: &mut WaysOut<'a, V>,
) {
    composite.each_voxels_at(line.origin, &mut |voxels| {
        let is_of_these = |way: &WayOutOfCells<V>| way.voxels.first_part == voxels.first_part;
        if !ways_out.is_full() && !ways_out.iter().any(is_of_these) {
            ways_out.extend(WayOutOfCells::find(line, voxels, options));
        }
    });
}

impl<'a, V: Vector> WayOutOfCells<'a, V> {
    fn find(
        line: &RayInFrame<V::Precise>,
        voxels: PlacedVoxels<'a, V>,
        options: RayOptions,
    ) -> Option<Self> {
        let own = voxels.pose.map(|pose| {
            let radius = line.bounding_radius + pose.translation.length();
            line.seen_from(pose, radius)
        });
        let line = own.as_ref().unwrap_or(line);
        let (number, crossing) = walk(line, voxels.voxels)?;
        let pose = voxels.pose;
        let turned = |normal| pose.map_or(normal, |pose| pose.transform_direction(normal));
        let hit = HitInFrame::at(line, &crossing, options);
        Some(Self {
            voxels,
            part: voxels.first_part + number,
            distance: crossing.at + line.middle,
            hit: hit.map(|hit| HitInFrame {
                normal: hit.normal.map(turned),
                ..hit
            }),
        })
    }

    /// Whether what a part answers at a distance is a face between two cells.
    pub(super) fn has_behind(&self, number: u32, distance: f64) -> bool {
        distance < self.distance && self.voxels.has_whole_cell(number)
    }
}

/// The last cell, and the face of it through which the ray leaves, seen from inside.
///
/// It is found from cell to cell. Each step is through the plane that comes first, in one order for all cells, so that no ray
/// is lost between two of them.
///
/// Source: Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing", 1987.
fn walk<V: Vector>(
    line: &RayInFrame<V::Precise>,
    voxels: &Voxels<V>,
) -> Option<(u32, ChordCrossing<V::Precise>)> {
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
            None => return Some((part, crossing)),
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

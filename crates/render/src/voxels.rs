//! The faces of voxels, without those between two whole cells.

use clearance_math::internal::MapEach;
use clearance_math::{Cell, Real, Vec2, Vector};
use clearance_shapes::Voxels;

/// The place of a corner of a cell: each of its numbers times the size.
fn corner<V: Vector>(size: V, [x, y, z]: [i64; 3]) -> V {
    (0..V::DIM).fold(V::ZERO, |corner, k| {
        let exact = [x, y, z][k] as f64 * f64::from(size.component(k));
        corner.with_component(k, exact as Real)
    })
}

/// The cell beside one along an axis, if there is such a number.
fn beside<C: Cell>(cell: C, axis: usize, step: i32) -> Option<C> {
    let mut at = cell.components();
    at[axis] = at[axis].checked_add(step)?;
    Some(C::from_components(at))
}

/// The cells that are whole cuboids.
fn whole_cells<V: Vector>(voxels: &Voxels<V>) -> impl Iterator<Item = V::Cell> {
    let entries = voxels.cells().entries();
    entries.filter_map(|(cell, entry)| (entry == 0).then_some(cell))
}

fn is_whole<V: Vector>(voxels: &Voxels<V>, cell: V::Cell) -> bool {
    voxels.cells().tile(cell) == Some(0)
}

/// The numbers of the parts that are no whole cuboids.
pub(crate) fn tiles<V: Vector>(voxels: &Voxels<V>) -> impl Iterator<Item = u32> {
    let entries = voxels.cells().entries().filter(|&(_, entry)| entry != 0);
    entries.filter_map(|(cell, _)| voxels.part_of(cell))
}

/// The triangles of the outer faces of whole cells in space, counterclockwise seen from outside; in the plane those of all of them.
pub(crate) fn triangles<V: Vector>(voxels: &Voxels<V>) -> impl Iterator<Item = [V; 3]> {
    let sides = if V::DIM == 3 { 0..6 } else { 5..6 };
    let is_outer = |cell: V::Cell, axis: usize, step: i32| {
        V::DIM == 2 || beside(cell, axis, step).is_none_or(|next| !is_whole(voxels, next))
    };
    let faces = whole_cells(voxels).flat_map(move |cell| {
        let sides = sides.clone().map(|side| (side / 2, 2 * (side % 2) - 1));
        let outer = sides.filter(move |&(axis, step)| is_outer(cell, axis as usize, step));
        outer.map(move |(axis, step)| (cell, axis as usize, step))
    });
    faces.flat_map(|(cell, axis, step)| {
        let at = |[across, up]: [i64; 2]| {
            let mut place = cell.components().map_each(i64::from);
            place[axis] += i64::from(step > 0);
            place[(axis + 1) % 3] += across;
            place[(axis + 2) % 3] += up;
            corner(voxels.size(), place)
        };
        let mut corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map_each(at);
        if step < 0 {
            corners.reverse();
        }
        let [a, b, c, d] = corners;
        [[a, b, c], [a, c, d]]
    })
}

/// The rows of whole cells of the plane that hang together, as a least and a greatest corner each.
pub(crate) fn rows(voxels: &Voxels<Vec2>) -> Vec<[Vec2; 2]> {
    let mut cells: Vec<_> = whole_cells(voxels).collect();
    cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
    let rows = cells.chunk_by(|a, b| a.y == b.y && a.x.checked_add(1) == Some(b.x));
    let row = |row: &[clearance_math::IVec2]| {
        let [first, last] =
            [row[0], row[row.len() - 1]].map_each(|cell| cell.components().map_each(i64::from));
        [
            corner(voxels.size(), first),
            corner(voxels.size(), [last[0] + 1, last[1] + 1, 0]),
        ]
    };
    rows.map(row).collect()
}

/// The outer sides of whole cells of the plane.
pub(crate) fn outline(voxels: &Voxels<Vec2>) -> impl Iterator<Item = [Vec2; 2]> {
    let sides = [(0, -1), (0, 1), (1, -1), (1, 1)];
    whole_cells(voxels).flat_map(move |cell| {
        let outer = sides.into_iter().filter(move |&(axis, step)| {
            beside(cell, axis, step).is_none_or(|next| !is_whole(voxels, next))
        });
        outer.map(move |(axis, step)| {
            [0, 1].map_each(|end| {
                let mut place = cell.components().map_each(i64::from);
                place[axis] += i64::from(step > 0);
                place[1 - axis] += end;
                corner(voxels.size(), place)
            })
        })
    })
}

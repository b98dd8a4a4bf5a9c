//! Cells, their numbers, their tree, edits and encodings.

mod tiles;

use super::*;
use crate::ShapeError;
use crate::composite::tests::{check_tree, composite};
use crate::composite::{CompositeKind, CompoundPart, OneWay};
use crate::encoding::bits_of;
use clearance_math::{IVec2, IVec3, Pose, Vec2, Vec3};

/// Numbers that look random, from 0 on.
struct Random(u32);

impl Random {
    fn below(&mut self, count: u32) -> i32 {
        self.0 = self.0.wrapping_mul(0x9e37_79b9).wrapping_add(0x85eb_ca6b);
        self.0 = self.0.rotate_left(13);
        (self.0 >> 8).rem_euclid(count) as i32
    }

    fn cell<C: Cell>(&mut self, reach: u32) -> C {
        let at = [(); 3].map(|()| self.below(2 * reach) - reach as i32);
        C::from_components(at)
    }

    fn cells<C: Cell>(&mut self, count: usize, reach: u32) -> Vec<C> {
        let mut cells: Vec<C> = Vec::new();
        for _ in 0..count {
            let cell = self.cell(reach);
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        cells
    }
}

fn voxels<V: Vector>(shape: &Shape<V>) -> &Voxels<V> {
    match composite(shape).kind() {
        CompositeKind::Voxels(voxels) => voxels,
        kind => panic!("no voxels: {kind:?}"),
    }
}

/// Half a cell, a slope and a ball.
fn palette<V: Vector>(size: V) -> [Tile<V>; 3] {
    let corner = |at: usize| {
        let is_far = |k: usize| f32::from(u8::from(at >> k & 1 == 1));
        (0..V::DIM).fold(V::ZERO, |corner, k| {
            corner.with_component(k, is_far(k) * size.component(k))
        })
    };
    let corners: Vec<V> = (0..1 << V::DIM).map(corner).collect();
    let half: Vec<V> = corners.iter().map(|&at| at.min(size * 0.5)).collect();
    let slope: Vec<V> = corners
        .iter()
        .copied()
        .filter(|at| *at != corners[2])
        .collect();
    let least = (0..V::DIM).fold(Real::INFINITY, |least, k| least.min(size.component(k)));
    let ball = Shape::ball(least * 0.25).and_then(|ball| ball.translated(size * 0.5));
    let shapes = [Shape::hull(half), Shape::hull(slope), ball];
    let mut user = 10;
    shapes.map(|shape| {
        user += 1;
        let shape = shape.expect("a valid tile");
        Tile {
            user,
            one_way: (user == 12).then_some(OneWay {
                normal: V::axis(1),
                depth: 0.125,
            }),
            ..Tile::new(shape)
        }
    })
}

fn in_chunks<V: Vector>(size: V, cells: &[V::Cell]) -> Shape<V> {
    let mut set = Cells::new();
    for &cell in cells {
        set.set(cell, true).expect("few chunks");
    }
    Shape::voxels_of(size, set).expect("valid voxels")
}

/// Finds everything of the shape again, by brute force.
fn check<V: Vector>(shape: &Shape<V>, cells: &[V::Cell]) {
    check_tree(shape);
    let own = voxels(shape);
    assert_eq!(own.cells().len(), cells.len());
    let parts = 0..own.part_count();
    assert_eq!(
        parts.filter(|&number| own.cell(number).is_some()).count(),
        cells.len()
    );
    let mut bounds = Aabb::empty();
    for &cell in cells {
        let number = own.part_of(cell).expect("a filled cell");
        assert_eq!(own.cell(number), Some(cell));
        bounds = bounds.merged(&composite(shape).part(number).expect("a part").bounds());
    }
    assert_eq!(composite(shape).local_bounds(), bounds);
}

fn cells_have_numbers_and_a_tree_of<V: Vector>() {
    let mut random = Random(7);
    let size = V::splat(0.3) + V::axis(0);
    for (count, reach) in [(1, 3), (20, 2), (60, 5), (300, 40), (400, 300)] {
        let cells: Vec<V::Cell> = random.cells(count, reach);
        let list = Shape::voxels(size, &cells).expect("valid voxels");
        for (number, &cell) in (0..).zip(&cells) {
            assert_eq!(voxels(&list).cell(number), Some(cell));
        }
        check(&list, &cells);
        check(&in_chunks(size, &cells), &cells);
        // Mirrored cells, along x only.
        let mirrored = list
            .scaled_by(V::splat(2.0) + V::axis(0) * -5.0)
            .expect("finite");
        let image = |cell: &V::Cell| {
            let [x, y, z] = cell.components();
            V::Cell::from_components([-1 - x, y, z])
        };
        let images: Vec<_> = cells.iter().map(image).collect();
        let factors = V::splat(2.0) + V::axis(0);
        let scaled = (0..V::DIM).fold(size, |scaled, k| {
            scaled.with_component(k, size.component(k) * factors.component(k))
        });
        assert_eq!(
            mirrored,
            Shape::voxels(scaled, &images).expect("valid voxels")
        );
    }
}

#[test]
fn cells_have_numbers_and_a_tree() {
    cells_have_numbers_and_a_tree_of::<Vec2>();
    cells_have_numbers_and_a_tree_of::<Vec3>();
}

fn boxes_of_cells_are_filled_of<V: Vector>() {
    let mut random = Random(11);
    let mut set = Cells::<V>::new();
    let mut filled = std::collections::HashSet::new();
    for round in 0..60 {
        let low: V::Cell = random.cell(25);
        let length = random.cell::<V::Cell>(15).components();
        let at = low.components();
        let high = V::Cell::from_components([0, 1, 2].map_each(|k| at[k] + length[k]));
        let is_filling = round % 3 != 2;
        set.set_box(low, high, is_filling).expect("few chunks");
        // The corners come in any order.
        let end = high.components();
        let [xs, ys, zs] = [0, 1, 2].map(|k| at[k].min(end[k])..=at[k].max(end[k]));
        let zs = if V::DIM == 3 { zs } else { 0..=0 };
        for z in zs {
            for y in ys.clone() {
                for x in xs.clone() {
                    let cell = V::Cell::from_components([x, y, z]);
                    if is_filling {
                        filled.insert(cell);
                    } else {
                        filled.remove(&cell);
                    }
                }
            }
        }
        assert_eq!(set.len(), filled.len());
        assert!(set.iter().all(|cell| filled.contains(&cell)));
    }
    let cells: Vec<_> = filled.into_iter().collect();
    check(
        &Shape::voxels_of(V::splat(0.5), set).expect("valid voxels"),
        &cells,
    );
}

#[test]
fn boxes_of_cells_are_filled() {
    boxes_of_cells_are_filled_of::<Vec2>();
    boxes_of_cells_are_filled_of::<Vec3>();
}

fn edits_keep_numbers_of<V: Vector>() {
    let mut random = Random(13);
    let size = V::splat(0.5);
    let first: Vec<V::Cell> = random.cells(40, 30);
    for mut shape in [
        Shape::voxels(size, &first).expect("valid voxels"),
        in_chunks(size, &first),
    ] {
        let mut cells = first.clone();
        for _ in 0..40 {
            let before = shape.clone();
            let numbers: Vec<_> = cells
                .iter()
                .map(|&cell| voxels(&shape).part_of(cell))
                .collect();
            if random.below(2) == 0 || cells.len() < 10 {
                let more: Vec<V::Cell> = random.cells(9, 80);
                shape.set_cells(&more, true).expect("room");
                let more = more.into_iter().filter(|cell| !cells.contains(cell));
                cells.extend(more.collect::<Vec<_>>());
            } else {
                let rest = cells.split_off(cells.len() - 8);
                shape.set_cells(&rest, false).expect("some are left");
            }
            check(&shape, &cells);
            for (&cell, &number) in cells.iter().zip(&numbers) {
                assert_eq!(voxels(&shape).part_of(cell), number);
            }
            assert!(
                before
                    .to_encoding()
                    .is_ok_and(|bits| bits == bits_of(&before))
            );
            let encoding = shape.to_encoding().expect("no code");
            assert_eq!(Shape::from_encoding(&encoding).as_ref(), Ok(&shape));
            assert_eq!(
                encoding,
                bits_of(&Shape::<V>::from_encoding(&encoding).expect("as above"))
            );
        }
    }
}

#[test]
fn edits_keep_numbers() {
    edits_keep_numbers_of::<Vec2>();
    edits_keep_numbers_of::<Vec3>();
}

#[test]
fn an_edit_leaves_other_shapes_as_they_were() {
    let mut shape = in_chunks(Vec3::ONE, &[IVec3::ZERO, IVec3::X * 100]);
    let before = shape.clone();
    let bits = bits_of(&before);
    shape
        .set_cells([IVec3::ZERO, IVec3::Y], false)
        .expect("one is left");
    shape.set_cells([IVec3::Z * 77], true).expect("room");
    assert_eq!(bits_of(&before), bits);
    // The chunk without cells was given to the new one.
    assert_eq!(voxels(&shape).cells().chunk_count(), 2);
    check(&shape, &[IVec3::X * 100, IVec3::Z * 77]);
}

#[test]
fn errors_of_voxels_name_the_cell() {
    let refused = |size, cells: &[[i32; 3]]| {
        let cells: Vec<_> = cells.iter().copied().map(IVec3::from).collect();
        Shape::voxels(size, cells).unwrap_err().to_string()
    };
    assert_eq!(
        refused(Vec3::new(1.0, 0.0, 1.0), &[[0; 3]]),
        "voxels: size[1] is 0, must be finite and > 0"
    );
    assert_eq!(
        refused(Vec3::ONE, &[[1, 0, 0], [0, 0, 0], [1, 0, 0]]),
        "voxels: cells[2] is the same as cells[0], must differ"
    );
    assert_eq!(
        refused(Vec3::splat(1e30), &[[0; 3], [0, 0, i32::MIN]]),
        "voxels: part 1 extends beyond the range of numbers"
    );
    let mut ball = Shape::<Vec2>::ball(1.0).expect("valid");
    let error = ball.set_cells([IVec2::ZERO], true).unwrap_err();
    assert_eq!(error.to_string(), "a ball has no cells, only voxels have");
    let mut one = Shape::voxels(Vec2::ONE, [IVec2::ZERO]).expect("valid");
    assert!(one.rounded(1.0).is_err() && one.clone().one_sided(1.0).is_err());
    let far = Cells::<Vec2>::new().set_box(IVec2::MIN, IVec2::MAX, true);
    assert!(far.is_err());
    check(&one, &[IVec2::ZERO]);
    one.set_cells([IVec2::ZERO, IVec2::ONE], false)
        .expect("none are left");
    assert!(voxels(&one).cells().is_empty());
}

#[test]
fn cells_at_the_ends_of_the_numbers_are_cells() {
    let cells = [[i32::MIN; 3], [i32::MAX; 3], [i32::MIN, 0, i32::MAX]].map(IVec3::from);
    check(
        &Shape::voxels(Vec3::splat(0.25), cells).expect("valid"),
        &cells,
    );
    let mirrored =
        Shape::voxels(Vec3::ONE, cells).and_then(|shape| shape.scaled_by(Vec3::splat(-1.0)));
    check(&mirrored.expect("valid"), &cells.map(|cell| !cell));
}

#[test]
fn masses_are_those_of_compounds() {
    let mut random = Random(17);
    let cells: Vec<IVec3> = random.cells(50, 6);
    let size = Vec3::new(0.5, 0.25, 2.0);
    let part = |cell: &IVec3| CompoundPart {
        shape: Shape::cuboid(size * 0.5).expect("valid"),
        pose: Pose::from_translation((cell.as_vec3() + 0.5) * size),
    };
    let compound = Shape::compound(cells.iter().map(part).collect::<Vec<_>>()).expect("valid");
    let shapes = [Shape::voxels(size, &cells).expect("valid"), compound];
    let [own, other] = shapes.map(|shape| shape.mass_properties(3.0).expect("solid"));
    assert_eq!(own.mass, other.mass);
    assert!((own.center_of_mass - other.center_of_mass).length() < 1e-13);
    let apart = own.inertia() - other.inertia();
    assert!(
        apart.to_cols_array().iter().all(|off| off.abs() < 1e-10),
        "{apart}"
    );
}

#[test]
fn a_terrain_takes_a_bit_a_cell() {
    let mut cells = Cells::<Vec3>::new();
    for (x, z) in (0..96).flat_map(|x| (0..96).map(move |z| (x, z))) {
        let height = 40 + (x * x + 3 * z) % 17;
        cells
            .set_box(IVec3::new(x, 0, z), IVec3::new(x, height, z), true)
            .expect("few chunks");
    }
    let chunks = cells.chunk_count() as usize;
    let shape = Shape::voxels_of(Vec3::ONE, cells).expect("valid");
    let bytes = shape.shared_memory();
    assert!(bytes <= 1024 * chunks, "{bytes} bytes in {chunks} chunks");
}

/// The filled cells that a box touches, by comparing it with each of them.
fn touched<V: Vector>(own: &Voxels<V>, [low, high]: [[Real; 3]; 2]) -> Vec<u32> {
    let touches = |cell: V::Cell| {
        (0..V::DIM).all(|k| {
            let (at, size) = (
                f64::from(cell.component(k)),
                f64::from(own.size().component(k)),
            );
            at * size <= f64::from(high[k]) && (at + 1.0) * size >= f64::from(low[k])
        })
    };
    let cells = own.cells().iter().filter(|&cell| touches(cell));
    cells.filter_map(|cell| own.part_of(cell)).collect()
}

/// Calls `ask` with the roots of all chunks.
fn each_chunk<V: Vector>(own: &Voxels<V>, mut ask: impl FnMut(u32)) {
    (0..own.cells().chunk_count()).for_each(|slot| ask(own.first_node(slot)));
}

fn ranges_miss_no_cell_of<V: Vector>() {
    let mut random = Random(31);
    let shape = scattered::<V>(&mut random);
    let own = voxels(&shape);
    let mut touching = 0;
    for number in 0..300 {
        // Corners on planes of the grid, and some inverted.
        let [low, reach] = [10, 4].map(|reach| -> V::Cell { random.cell(reach) });
        let at = |cell: V::Cell, k: usize| {
            cell.component(k % V::DIM) as Real * own.size().component(k % V::DIM)
        };
        let low = [0, 1, 2].map(|k| at(low, k));
        let high = [0, 1, 2].map(|k| {
            let along = at(reach, k);
            low[k] + if number % 8 == 0 { along } else { along.abs() }
        });
        let mut found = Vec::new();
        let mut are_few = true;
        each_chunk(own, |index| {
            are_few &= own.each_in_box(index, [low, high], &mut |part| {
                found.push(part);
                true
            });
        });
        if are_few {
            let mut expected = touched(own, [low, high]);
            touching += expected.len();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{low:?} {high:?}");
        }
    }
    assert!(touching > 300, "{touching}");
}

/// Some cells of a size that differs by axis.
fn scattered<V: Vector>(random: &mut Random) -> Shape<V> {
    let cells: Vec<V::Cell> = random.cells(400, if V::DIM == 3 { 7 } else { 12 });
    in_chunks(V::splat(0.3) + V::axis(0), &cells)
}

/// From corner to corner of the grid: lines along edges of cells and through corners are among them.
fn line<V: Vector>(own: &Voxels<V>, random: &mut Random) -> Option<LineOfParts> {
    let ends = [(); 2].map(|()| {
        let cell: V::Cell = random.cell(10);
        let at = |k: usize| f64::from(cell.component(k) as Real * own.size().component(k));
        [0, 1, 2].map(|k| if k < V::DIM { at(k) } else { 0.0 })
    });
    let way = [0, 1, 2].map(|k| ends[1][k] - ends[0][k]);
    let length = way.iter().map(|along| along * along).sum::<f64>().sqrt();
    (length > 0.0).then(|| LineOfParts {
        base: ends[0],
        direction: way.map(|along| along / length),
        start: 0.0,
        end: length as Real,
        slack: 1e-5,
    })
}

fn lines_miss_no_cell_of<V: Vector>() {
    let mut random = Random(31);
    let shape = scattered::<V>(&mut random);
    let own = voxels(&shape);
    let (mut met, mut looked_at) = (0, 0);
    for line in (0..300).filter_map(|_| line(own, &mut random)) {
        let mut found = Vec::new();
        each_chunk(own, |index| {
            own.each_on_line(index, &line, &mut |part| {
                found.push(part);
                line.end
            });
        });
        looked_at += found.len();
        let cells = own.cells().iter();
        let begins = cells.filter_map(|cell| Some((cell, begin_in(own, cell, &line)?)));
        let begins: Vec<_> = begins.collect();
        for (cell, _) in &begins {
            let part = own.part_of(*cell).expect("a filled cell");
            assert!(found.contains(&part), "{line:?} misses {cell:?}");
        }
        met += begins.len();
        // Who looks for the first cell only gets it, however soon the walk may end.
        let mut first = f64::INFINITY;
        each_chunk(own, |index| {
            own.each_on_line(index, &line, &mut |part| {
                let cell = own.cell(part).expect("a filled cell");
                first = begin_in(own, cell, &line).map_or(first, |begin| first.min(begin));
                first as Real
            });
        });
        let expected = begins.iter().map(|(_, begin)| *begin);
        let expected = expected.fold(f64::INFINITY, f64::min);
        assert!(first == expected || (first - expected).abs() < 1e-4);
    }
    assert!(met > 200 && looked_at < 2 * met, "{looked_at} for {met}");
}

/// Where a line begins to meet a cell, its border included, by the intervals in which it is between the planes of each axis.
fn begin_in<V: Vector>(own: &Voxels<V>, cell: V::Cell, line: &LineOfParts) -> Option<f64> {
    let [mut from, mut to] = [line.start, line.end].map(f64::from);
    for k in 0..V::DIM {
        let (at, size) = (
            f64::from(cell.component(k)),
            f64::from(own.size().component(k)),
        );
        let ends = [at, at + 1.0].map(|end| end * size - line.base[k]);
        if line.direction[k] == 0.0 {
            if ends[0] > 0.0 || ends[1] < 0.0 {
                return None;
            }
            continue;
        }
        let times = ends.map(|end| end / line.direction[k]);
        from = from.max(times[0].min(times[1]));
        to = to.min(times[0].max(times[1]));
    }
    (from <= to).then_some(from)
}

#[test]
fn ranges_and_lines_miss_no_cell() {
    ranges_miss_no_cell_of::<Vec2>();
    ranges_miss_no_cell_of::<Vec3>();
    lines_miss_no_cell_of::<Vec2>();
    lines_miss_no_cell_of::<Vec3>();
}

/// Also where the tree over chunks has the boxes of whole ones, and where chunks were emptied.
#[test]
fn the_limits_of_a_body_are_those_of_its_cells() {
    for side in [40, 70, 200] {
        let mut cells = Cells::<Vec3>::new();
        let (low, high) = (IVec3::ZERO, IVec3::new(side - 1, 2, side - 1));
        cells.set_box(low, high, true).expect("few chunks");
        cells.set(IVec3::splat(-100), true).expect("few chunks");
        let mut shape = Shape::voxels_of(Vec3::ONE, cells).expect("valid");
        shape
            .set_cells([IVec3::splat(-100)], false)
            .expect("others are left");
        let [low, high] = composite(&shape).limits_within(&Pose::IDENTITY, 0.0);
        let end = Vec3::new(side as Real, 3.0, side as Real).to_precise();
        let off = low.length() + (high - end).length();
        assert!(off < 1e-4, "{low} {high} of {side}");
    }
}

/// Cell by cell.
fn pieces_begin_beside_whole_cells_of<V: Vector>() {
    let mut random = Random(11);
    let size = V::splat(1.0);
    for reach in [3, 12, 70] {
        let mut cells = Cells::<V>::new();
        for _ in 0..400 {
            let (entry, cell) = ((random.below(12) - 8).max(0) as u8, random.cell(reach));
            cells.set_tile(cell, entry).expect("few chunks");
        }
        let shape = Shape::tiles_of(size, cells, palette(size)).expect("valid tiles");
        let own = voxels(&shape);
        let is_first = |&(cell, entry): &(V::Cell, u8)| {
            let [x, y, z] = cell.components();
            entry != 0 || own.cells().tile(V::Cell::from_components([x - 1, y, z])) != Some(0)
        };
        let first = own.cells().entries().filter(is_first);
        let expected: Vec<u32> = first.filter_map(|(cell, _)| own.part_of(cell)).collect();
        assert_eq!(own.pieces(), expected);
        assert!(reach > 12 || expected.len() < own.cells().len());
    }
}

#[test]
fn pieces_begin_beside_whole_cells() {
    pieces_begin_beside_whole_cells_of::<Vec2>();
    pieces_begin_beside_whole_cells_of::<Vec3>();
}

//! What is large, tiny or many times the same costs what the input holds, or is refused before anything is done.
//!
//! No time is measured: what is not so bounded takes hours here.

use clearance_math::{Cell, IVec3, PreciseVector, Real, Vec2, Vec3, Vector};
use clearance_shapes::{Cells, MassProperties, Shape, ShapeError, Tile};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Each cell with its entry.
fn sorted<V: Vector>(cells: &Cells<V>) -> Vec<([i32; 3], u8)> {
    let mut all: Vec<_> = (cells.entries())
        .map(|(cell, entry)| (cell.components(), entry))
        .collect();
    all.sort_unstable();
    all
}

fn some_cells<V: Vector>(rng: &mut Pcg64, tiles: u8) -> Cells<V> {
    let mut cells = Cells::new();
    // Some of them at the ends of the numbers.
    let bases = [0, 0, -40, i32::MIN, i32::MAX - 40];
    for _ in 0..120 {
        let at = [(); 3].map(|()| {
            let base = bases[rng.next_u32() as usize % bases.len()];
            base + (rng.next_u32() % 40) as i32
        });
        let entry = (rng.next_u32() % (u32::from(tiles) + 1)) as u8;
        (cells.set_tile(V::Cell::from_components(at), entry)).expect("there is room");
    }
    cells
}

/// A half and a slope of a cell.
fn palette<V: Vector>(size: V) -> Vec<Tile<V>> {
    let corner = |at: usize| V::from_fn(|k| (at >> k & 1) as Real * size.component(k));
    let corners: Vec<V> = (0..1 << V::DIM).map(corner).collect();
    let half: Vec<V> = corners.iter().map(|&at| at.min(size * 0.5)).collect();
    let shapes = [Shape::hull(half), Shape::hull(&corners[..=V::DIM])];
    (shapes.into_iter())
        .map(|shape| Tile::new(shape.expect("a hull")))
        .collect()
}

fn boxes_beyond_the_room_are_refused<V: Vector>() {
    let mut rng = Pcg64::seed_from_u64(3);
    let mut cells = some_cells::<V>(&mut rng, 1);
    // With chunks that are empty.
    let emptied: Vec<V::Cell> = cells.iter().take(20).collect();
    for cell in emptied {
        cells.set(cell, false).expect("it is there");
    }
    let before = cells.clone();
    let ends = [i32::MIN, -70_000_000, 0, 5, 70_000_000, i32::MAX];
    let mut end = |limit: usize| {
        let at = [(); 3].map(|()| ends[rng.next_u32() as usize % ends.len()]);
        let mut corner = [0; 3];
        corner[..limit].copy_from_slice(&at[..limit]);
        corner
    };
    let mut refused = 0;
    for round in 0..300 {
        // Rows, and boxes.
        let axes = if round % 2 == 0 { 1 } else { V::DIM };
        let (one, other) = (end(axes), end(axes));
        let [low, high] = [
            [0, 1, 2].map(|k: usize| one[k].min(other[k])),
            [0, 1, 2].map(|k: usize| one[k].max(other[k])),
        ];
        let is_large = (0..3).any(|k| i64::from(high[k]) - i64::from(low[k]) > 64 << 18);
        let [low, high] = [low, high].map(V::Cell::from_components);
        let mut own = cells.clone();
        let answer = own.set_box(low, high, true);
        assert_eq!(answer.is_err(), is_large, "{low} {high}");
        if is_large {
            refused += 1;
            let expected = ShapeError::TooManyChunks { most: 1 << 18 };
            assert_eq!(answer.expect_err("it is refused"), expected);
            assert!(own == before && sorted(&own) == sorted(&before));
        }
        // However large, there is nothing but these cells to be emptied.
        own.set_box(low, high, false).expect("it is emptied");
        let is_in = |cell: &V::Cell| {
            (0..V::DIM).all(|k| (low.component(k)..=high.component(k)).contains(&cell.component(k)))
        };
        assert!(own.iter().eq(before.iter().filter(|cell| !is_in(cell))));
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn boxes_of_cells_beyond_the_room_are_refused_before_any_is_filled() {
    boxes_beyond_the_room_are_refused::<Vec2>();
    boxes_beyond_the_room_are_refused::<Vec3>();
}

/// The masses of all cells one by one.
fn one_by_one<V: Vector>(shape: &Shape<V>) -> MassProperties<V> {
    let voxels = shape.as_voxels().expect("voxels");
    let whole = Shape::cuboid(voxels.size() * 0.5).expect("a cuboid");
    let whole = whole.translated(voxels.size() * 0.5).expect("it is moved");
    let all = voxels.cells().entries().map(|(cell, entry)| {
        let shape = match usize::from(entry).checked_sub(1) {
            Some(tile) => &voxels.palette()[tile].shape,
            None => &whole,
        };
        let corner = V::Precise::from_fn(|k| {
            f64::from(cell.component(k)) * f64::from(voxels.size().component(k))
        });
        let own = shape.mass_properties(1.0).expect("it has a mass");
        own.transformed(&clearance_math::Pose::from_translation(corner))
    });
    all.reduce(core::ops::Add::add).expect("there are cells")
}

fn assert_same<V: Vector>(found: &MassProperties<V>, expected: &MassProperties<V>, extent: f64) {
    let apart = (found.center_of_mass - expected.center_of_mass).length();
    assert!((found.mass / expected.mass - 1.0).abs() < 1e-12);
    assert!(apart <= 1e-12 * extent, "{apart} {extent}");
    let of =
        |properties: &MassProperties<V>| properties.inertia_in_space(properties.center_of_mass);
    let apart = of(found) - of(expected);
    let most = (apart.to_cols_array().into_iter()).fold(0.0, |most: f64, x| most.max(x.abs()));
    assert!(most <= 1e-12 * expected.mass * extent * extent, "{most}");
}

fn cells_of_any_size<V: Vector>() {
    let mut rng = Pcg64::seed_from_u64(4);
    for size in [1.0, 1e-30, 1e20] {
        let size = V::from_fn(|k| size * (1.0 + 0.3 * k as Real));
        let cells = some_cells::<V>(&mut rng, 2);
        let expected = sorted(&cells);
        let shape = Shape::tiles_of(size, cells, palette(size)).expect("tiles");
        let extent = shape.bounding_radius();
        let mass = shape.mass_properties(1.0).expect("it has a mass");
        assert_same(&mass, &one_by_one(&shape), extent);
        for mirrors in 0..1 << V::DIM {
            let is_mirrored = |k: usize| mirrors >> k & 1 == 1;
            let factors = V::from_fn(|k| if is_mirrored(k) { -0.5 } else { 0.5 });
            let scaled = shape.scaled_by(factors).expect("it is scaled");
            let image = |&(cell, entry): &([i32; 3], u8)| {
                let at = [0, 1, 2].map(|k| if is_mirrored(k) { !cell[k] } else { cell[k] });
                (V::Cell::from_components(at).components(), entry)
            };
            let mut images: Vec<_> = expected.iter().map(image).collect();
            images.sort_unstable();
            let own = scaled.as_voxels().expect("voxels");
            assert_eq!(sorted(own.cells()), images);
            let mass = scaled.mass_properties(1.0).expect("it has a mass");
            assert_same(&mass, &one_by_one(&scaled), extent);
        }
    }
}

#[test]
fn cells_of_any_size_at_the_ends_of_the_numbers_have_a_mass_and_a_mirror_image() {
    cells_of_any_size::<Vec2>();
    cells_of_any_size::<Vec3>();
}

/// A box of a thousand million cells is one of 250,000 chunks.
#[test]
fn boxes_of_very_many_cells_are_what_cuboids_are() {
    let mut cells = Cells::<Vec3>::new();
    (cells.set_box(IVec3::splat(-500), IVec3::splat(499), true)).expect("there is room");
    assert_eq!(cells.len(), 1_000_000_000);
    let shape = Shape::voxels_of(Vec3::splat(0.5), cells).expect("voxels");
    let cuboid = Shape::cuboid(Vec3::splat(250.0)).expect("a cuboid");
    let expected = cuboid.mass_properties(2.0).expect("it has a mass");
    for factors in [Vec3::ONE, -Vec3::ONE] {
        let shape = shape.scaled_by(factors).expect("it is mirrored");
        let mass = shape.mass_properties(2.0).expect("it has a mass");
        assert_same(&mass, &expected, 250.0);
        assert!(mass.center_of_mass.length() < 1e-9);
        assert_eq!(mass.volume, 1.25e8);
    }
    // All are too far: the first one is named.
    let cells = shape.as_voxels().expect("voxels").cells().clone();
    let refusal = Shape::voxels_of(Vec3::splat(1e36), cells).expect_err("it is too large");
    assert!(
        matches!(refusal, ShapeError::PartTooFar { .. }),
        "{refusal}"
    );
}
/// Tiles that are thin along one axis and large along the other reach farther by their rounding than by their cells.
#[test]
fn tiles_as_thin_as_numbers_go_have_bounds() {
    let ends = [i32::MIN, i32::MIN + 1, -5, 0, 7, i32::MAX - 1, i32::MAX];
    for [x, y] in [
        [1e-44, 1.0],
        [1e-30, 1e-30],
        [1.0, 1e-30],
        [1e-30, 1e20],
        [1e-38, 1e-44],
    ] {
        let size = Vec2::new(x, y);
        let tile = Shape::hull([Vec2::ZERO, size * Vec2::X, size * Vec2::new(0.5, 0.01)]);
        let tile = Tile::new(tile.expect("a triangle"));
        for (k, &low) in ends.iter().enumerate() {
            for &high in &ends[k..] {
                let mut cells = Cells::<Vec2>::new();
                for at in [low, high] {
                    (cells.set_tile(clearance_math::IVec2::splat(at), 1)).expect("there is room");
                }
                let shape = Shape::tiles_of(size, cells, [tile.clone()]).expect("tiles");
                let bounds = shape.bounds(&clearance_math::Pose::IDENTITY);
                let [least, most] = [f64::from(low), f64::from(high) + 1.0];
                for axis in 0..2 {
                    let (size, slack) = (f64::from(size.component(axis)), 1e-6);
                    let [min, max] =
                        [bounds.min, bounds.max].map(|end| f64::from(end.component(axis)));
                    let around = slack * (1.0 + least.abs() + most.abs()) * f64::from(x.max(y));
                    assert!(min <= least * size + size && max >= (most - 1.0) * size);
                    assert!(min >= least * size - around && max <= most * size + around);
                }
                let scaled = shape.scaled_by(Vec2::new(-2.0, 0.5));
                if let Ok(scaled) = scaled {
                    scaled.mass_properties(1.0).expect("it has a mass");
                }
            }
        }
    }
}

/// Polygons with very many corners: equal ones, spikes, and ways there and back.
#[test]
fn polygons_of_very_many_corners_are_made_or_refused() {
    let made = |corners: Vec<Vec2>| Shape::polygon(corners, &[]);
    const COUNT: usize = 40_000;
    let refused = made(vec![Vec2::ONE; COUNT]).expect_err("it has no area");
    assert!(matches!(refused, ShapeError::Volume { .. }), "{refused}");
    let triangle = [Vec2::ZERO, Vec2::X, Vec2::Y];
    let mut corners = triangle.to_vec();
    corners.extend(vec![Vec2::ZERO; COUNT]);
    let mass = made(corners).expect("a triangle").mass_properties(1.0);
    assert_eq!(mass.expect("it has a mass").volume, 0.5);
    let there_and_back = (0..COUNT).map(|k| triangle[k % 2] * 0.7);
    let mut corners = vec![Vec2::new(0.5, 5.0)];
    corners.extend(there_and_back);
    made(corners).expect("a triangle");
    let spikes = (0..COUNT).map(|k| {
        let angle = core::f64::consts::TAU * k as f64 / COUNT as f64;
        let length = if k % 2 == 0 { 1.0 } else { 0.5 };
        Vec2::new(
            (length * angle.cos()) as Real,
            (length * angle.sin()) as Real,
        )
    });
    let star = made(spikes.collect()).expect("a star");
    let area = star.mass_properties(1.0).expect("it has a mass").volume;
    let expected = 0.25 * COUNT as f64 * (core::f64::consts::TAU / COUNT as f64).sin();
    assert!((area / expected - 1.0).abs() < 1e-6, "{area} {expected}");
}

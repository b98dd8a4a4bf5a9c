//! Tiles of a palette.

use super::*;

/// Cells of all entries, as voxels and as the compound of their shapes.
fn voxels_with_tiles<V: Vector>(random: &mut Random, is_listed: bool) -> [Shape<V>; 2] {
    let size = V::splat(0.5) + V::axis(0) * 0.25;
    let cells: Vec<V::Cell> = random.cells(60, 4);
    let mut shape = if is_listed {
        Shape::tiles(size, &cells, palette(size)).expect("valid")
    } else {
        Shape::tiles_of(
            size,
            voxels(&in_chunks(size, &cells)).cells().clone(),
            palette(size),
        )
        .expect("valid")
    };
    for entry in 1..=3 {
        let own = (0..12).map(|_| cells[random.below(cells.len() as u32) as usize]);
        let own: Vec<_> = own.collect();
        shape.set_tiles(own, entry).expect("valid");
    }
    let own = voxels(&shape);
    let part = |number| {
        let cell = own.cell(number)?;
        let corner = (0..V::DIM).fold(V::ZERO, |corner, k| {
            corner.with_component(k, cell.component(k) as Real * size.component(k))
        });
        let entry = own.cells().tile(cell)?;
        assert_eq!(
            own.tile(number).map(|tile| tile.user),
            [None, Some(11), Some(12), Some(13)][usize::from(entry)]
        );
        Some(match own.tile(number) {
            Some(tile) => CompoundPart {
                shape: tile.shape.clone(),
                pose: Pose::from_translation(corner),
            },
            None => CompoundPart {
                shape: Shape::cuboid(size * 0.5).expect("valid"),
                pose: Pose::from_translation(corner + size * 0.5),
            },
        })
    };
    let parts: Vec<_> = (0..own.part_count()).filter_map(part).collect();
    let compound = Shape::compound(parts).expect("valid");
    [shape, compound]
}

fn tiles_are_parts_of<V: Vector>() {
    let mut random = Random(37);
    for round in 0..40 {
        let [shape, compound] = voxels_with_tiles::<V>(&mut random, round % 2 == 0);
        check_tree(&shape);
        assert_eq!(
            composite(&shape).local_bounds(),
            composite(&compound).local_bounds()
        );
        let [own, other] =
            [&shape, &compound].map(|shape| shape.mass_properties(2.0).expect("solid"));
        assert!((own.mass - other.mass).abs() < 1e-12 * own.mass);
        assert!((own.center_of_mass - other.center_of_mass).length() < 1e-12);
        let apart =
            own.inertia_in_space(V::Precise::ZERO) - other.inertia_in_space(V::Precise::ZERO);
        assert!(
            apart.to_cols_array().iter().all(|off| off.abs() < 1e-10),
            "{apart}"
        );
        let encoding = shape.to_encoding().expect("no code");
        let again = Shape::<V>::from_encoding(&encoding).expect("a valid encoding");
        assert_eq!((&again, bits_of(&again)), (&shape, encoding));
        // Mirrored twice, it is what it was.
        let factors = V::splat(1.0) + V::axis(0) * -2.0;
        let mirrored = shape.scaled_by(factors).expect("finite");
        check_tree(&mirrored);
        assert_ne!(mirrored, shape);
        assert_eq!(mirrored.scaled_by(factors).as_ref(), Ok(&shape));
        let image = compound.scaled_by(factors).expect("finite");
        let [own, other] = [&mirrored, &image].map(|shape| composite(shape).local_bounds());
        assert_eq!(own, other);
        let doubled =
            [&shape, &compound].map(|shape| shape.scaled_by(V::splat(2.0)).expect("finite"));
        assert_eq!(
            composite(&doubled[0]).local_bounds(),
            composite(&doubled[1]).local_bounds()
        );
    }
}

#[test]
fn tiles_are_parts() {
    tiles_are_parts_of::<Vec2>();
    tiles_are_parts_of::<Vec3>();
}

#[test]
fn tiles_can_be_edited() {
    let mut cells = Cells::<Vec2>::new();
    let (near, far) = (IVec2::ZERO, IVec2::new(70, 0));
    assert_eq!(cells.set_tile(near, 3), Ok(true));
    assert_eq!(cells.set_tile(near, 3), Ok(false));
    let whole = Shape::voxels(Vec2::ONE, [near, far]).expect("valid");
    assert_eq!((cells.tile(near), cells.tile(far)), (Some(3), None));
    let shared = cells.clone();
    // Whole cells again, by each of the ways, leave nothing behind.
    assert_eq!(cells.set(near, true), Ok(true));
    let mut plain = Cells::new();
    plain.set(near, true).expect("few chunks");
    assert!(cells == plain && cells.memory() <= plain.memory());
    cells.set_tile(far, 1).expect("few chunks");
    cells.set_box(near, far, true).expect("few chunks");
    assert!(!cells.has_tiles() && shared.tile(near) == Some(3));

    let mut shape = Shape::tiles(Vec2::ONE, [near, far], palette(Vec2::ONE)).expect("valid");
    let before = shape.clone();
    shape.set_tiles([far, IVec2::X], 2).expect("valid");
    assert_eq!(voxels(&shape).part_of(IVec2::X), Some(2));
    assert_eq!(voxels(&shape).tile(1).map(|tile| tile.user), Some(12));
    assert!(shape != before && before != whole);
    let bits = bits_of(&shape);
    let error = shape.set_tiles([near], 4).unwrap_err().to_string();
    assert_eq!(
        error,
        "voxels: a cell has the entry 4, the palette has 3 tiles"
    );
    assert_eq!(bits_of(&shape), bits);
    shape.set_cells([far], true).expect("valid");
    shape.set_cells([IVec2::X], false).expect("some are left");
    assert_eq!(voxels(&shape).cells(), voxels(&before).cells());
}

#[test]
fn errors_of_tiles_name_the_entry() {
    let refused = |shape: Result<Shape<Vec3>, ShapeError>| {
        let tile = Tile::new;
        let whole = Shape::hull([Vec3::ZERO, Vec3::ONE]).expect("valid");
        let palette = [whole, shape.expect("valid")].map(tile);
        let shape = Shape::tiles(Vec3::ONE, [IVec3::ZERO], palette);
        shape.unwrap_err().to_string()
    };
    assert_eq!(
        refused(Shape::cuboid(Vec3::splat(0.5))),
        "voxels: palette[1]: reaches from -0.5 to 0.5 along axis 0, must lie within 0 and 1, counted from the least corner \
         of the cell"
    );
    assert_eq!(
        refused(Shape::points([Vec3::ZERO], 0.0)),
        "voxels: palette[1]: a points cannot be a tile of voxels, must be a convex shape of the engine"
    );
    let tile = Tile {
        // Beside the cell by rounding only.
        shape: Shape::hull([Vec3::ZERO, Vec3::splat(1.0 + 2.0 * Real::EPSILON)]).expect("valid"),
        user: u64::MAX,
        one_way: None,
    };
    let shape = Shape::tiles(Vec3::ONE, [IVec3::ZERO], vec![tile.clone(); 255]).expect("valid");
    check_tree(&shape);
    let mut beside = shape.clone();
    beside.set_tiles([IVec3::ZERO], 1).expect("an entry");
    let mut found = Vec::new();
    each_chunk(voxels(&beside), |index| {
        let corners = [[1.0 + Real::EPSILON; 3], [2.0; 3]];
        voxels(&beside).each_in_box(index, corners, &mut |part| {
            found.push(part);
            true
        });
    });
    assert_eq!(found, [0]);
    let error = Shape::tiles(Vec3::ONE, [IVec3::ZERO], vec![tile; 256]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "voxels: palette has 256 tiles, must have at most 255"
    );
    let mut cells = Cells::new();
    cells.set_tile(IVec3::ZERO, 1).expect("few chunks");
    assert!(Shape::voxels_of(Vec3::ONE, cells).is_err());
    let mut cut = bits_of(&shape);
    while cut.numbers.pop().is_some() {
        // What ends right in front of the cells has none.
        let read = Shape::<Vec3>::from_encoding(&cut);
        assert!(read.is_err() || read.is_ok_and(|shape| voxels(&shape).cells().is_empty()));
    }
}

#[test]
fn errors_of_one_way_tiles_name_the_field() {
    let one_way = |normal, depth| {
        let half = Shape::hull([Vec3::ZERO, Vec3::X]).expect("valid");
        let one_way = Some(OneWay { normal, depth });
        let tile = Tile {
            one_way,
            ..Tile::new(half)
        };
        let shape = Shape::tiles(Vec3::ONE, [IVec3::ZERO], [tile]);
        shape.unwrap_err().to_string()
    };
    assert_eq!(
        one_way(Vec3::Y, -1.0),
        "voxels: palette[0]: one_way: depth is -1, must be finite and >= 0"
    );
    assert_eq!(
        one_way(Vec3::new(0.0, 2.0, 0.0), 0.0),
        "voxels: palette[0]: one_way: normal has length 2, must be of unit length (within 1e-3)"
    );
}

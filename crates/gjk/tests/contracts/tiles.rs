//! Tiles answer as the compound of their shapes does, bit for bit; they and parts of compounds that count from one side
//! answer as that side says.

use clearance_gjk::{
    BackFaces, Cast, CastOptions, Completeness, Interior, Motion, Placed, Proximity, RayHit,
    RayOptions, Separation, cast_ray, cast_ray_all_into, cast_shapes, contacts_into,
    point_proximity, proximity,
};
use clearance_math::{Cell, Pose, PreciseVector, Ray, Real, RelativePose};
use clearance_shapes::{Cells, CompositeKind, CompoundPart, OneWay, Shape, Support, Tile};

use crate::clouds::answers;
use crate::common::{Pcg, in_both_dimensions, iterations};
use crate::composite_shapes::{Composites, cells, convex};
use crate::voxels::{cuboid_at, hollow, size};

in_both_dimensions!(
    tiles_answer_as_compounds_of_their_shapes,
    hollow_rays_stop_at_tiles,
    mirrored_tiles_are_those_of_mirrored_compounds,
    one_way_parts_have_contacts_with_what_is_beyond,
    rays_pass_one_way_parts_from_behind,
    casts_pass_one_way_parts_from_behind,
    long_casts_meet_one_way_tiles,
    one_way_tiles_cost_little_where_they_do_not_count,
    rays_that_start_on_a_face_of_a_one_way_tile_hit_it,
    hollow_rays_that_pass_back_faces_stop_at_tiles,
);

/// A convex shape within a cell, with corners on a fine grid so that they are exact wherever the cell is.
fn tile<V: Composites>(size: V, random: &mut Pcg) -> Tile<V> {
    let mut corner = || {
        (0..V::DIM).fold(V::ZERO, |corner, k| {
            let share = random.pick(&[0.0, 0.0, 0.25, 0.5, 1.0, 1.0]);
            corner.with_component(k, share * size.component(k))
        })
    };
    let corners = [(); 6].map(|()| corner());
    let shape = match random.below(6) {
        0 => Shape::ball(0.0625).and_then(|ball| ball.translated(size * 0.5)),
        1 => Shape::segment(corners[0], corners[1]),
        2 => Shape::triangle(corners[0], corners[1], corners[2]),
        _ => Shape::hull(corners),
    };
    Tile::new(shape.expect("a tile"))
}

/// Voxels of which about half are tiles, and the compound of the shapes of their parts.
fn with_tiles<V: Composites>(random: &mut Pcg) -> (Shape<V>, Vec<CompoundPart<V>>) {
    let (size, cells) = (size::<V>(random), cells::<V>(random));
    let palette: Vec<_> = (0..4).map(|_| tile(size, random)).collect();
    let mut parts: Vec<_> = cells.iter().map(|&cell| cuboid_at(size, cell)).collect();
    let mut shape = Shape::tiles(size, &cells, palette.clone()).expect("valid voxels");
    for (part, &cell) in parts.iter_mut().zip(&cells) {
        let entry = random.below(8);
        let Some(tile) = palette.get(entry.wrapping_sub(1)) else {
            continue;
        };
        shape.set_tiles([cell], entry as u8).expect("an entry");
        let corner = part.pose.translation() - size * 0.5;
        *part = CompoundPart::new(tile.shape.clone(), Pose::from_translation(corner));
    }
    (shape, parts)
}

fn tiles_answer_as_compounds_of_their_shapes<V: Composites>() {
    let mut random = Pcg::new(4105);
    for round in 0..iterations(600) as u64 {
        let (shape, parts) = with_tiles::<V>(&mut random);
        let compound = Shape::compound(parts).expect("convex parts");
        let mut shapes = [shape, compound];
        if random.chance(0.3) {
            let factors = (0..V::DIM).fold(V::ZERO, |factors, k| {
                factors.with_component(k, random.pick(&[0.5, 1.0, 2.0]))
            });
            let scaled = shapes.each_ref().map(|shape| shape.scaled_by(factors));
            // Balls are not stretched.
            if let [Ok(voxels), Ok(compound)] = scaled {
                shapes = [voxels, compound];
            }
        }
        let other = match random.below(4) {
            0 => V::composite(&mut random),
            1 => with_tiles(&mut random).0,
            _ => convex(&mut random),
        };
        let [of_voxels, of_compound] = [0, 1].map(|k| answers(&shapes[k], &other, round));
        assert_eq!(
            of_voxels,
            of_compound,
            "{:?} {other:?}",
            shapes[1].to_encoding()
        );
    }
}

/// A ray that does not start in a whole cell answers as with the compound, and none passes a tile unseen.
fn hollow_rays_stop_at_tiles<V: Composites>() {
    let mut random = Pcg::new(4106);
    let (mut single, mut passed) = (0, 0);
    for _ in 0..iterations(2000) {
        let (shape, parts) = with_tiles::<V>(&mut random);
        let part = &parts[random.below(parts.len())];
        let inside = part.shape.bounds(&part.pose);
        let start = (inside.min + inside.max) * 0.5 + random.point::<V>(0.05);
        let ray = Ray::new(start, random.point::<V>(1.0) + V::axis(0)).expect("finite");
        let compound = Shape::compound(&parts[..]).expect("convex parts");
        let [of_voxels, of_compound] = [&shape, &compound].map(|shape| hollow_hit(&ray, shape));
        if !starts_in_whole_cell(&shape, start) {
            single += 1;
            assert_eq!(of_voxels, of_compound, "{ray:?} {:?}", shape.to_encoding());
            continue;
        }
        let [out, first] = [of_voxels, of_compound].map(|hit| hit.expect("a way out").distance);
        assert!(out >= first);
        passed += usize::from(out > first);
        for part in parts
            .iter()
            .filter(|part| part.shape.kind_name() != "cuboid")
        {
            let alone = Shape::compound([part.clone()]).expect("a convex part");
            let entry = hollow_hit(&ray, &alone).map_or(Real::INFINITY, |hit| hit.distance);
            assert!(out <= entry + 1e-5, "{ray:?} {:?}", shape.to_encoding());
        }
    }
    assert!(single > 100 && passed > 100, "{single} {passed}");
}

/// Shapes with the same parts: in the first one they count from all sides, in the second one most count from one side each.
fn one_way_shapes<V: Composites>(random: &mut Pcg) -> [Shape<V>; 2] {
    if random.chance(0.5) {
        with_one_way_tiles(random)
    } else {
        with_one_way_parts(random)
    }
}

fn any_side<V: Composites>(random: &mut Pcg) -> OneWay<V> {
    let away = random.point::<V>(1.0) + V::axis(1);
    let straight = V::axis(random.below(V::DIM));
    let normal = random.pick(&[straight, -straight, away]);
    OneWay {
        normal: normal * (1.0 / normal.to_precise().length() as Real),
        depth: random.pick(&[0.0, 0.05, 0.2, 10.0]),
    }
}

/// Compounds in a compound: most inner ones have a side, and at times the outer one.
fn with_one_way_parts<V: Composites>(random: &mut Pcg) -> [Shape<V>; 2] {
    let (mut plain, mut sided) = (Vec::new(), Vec::new());
    let place = |random: &mut Pcg, shape| {
        CompoundPart::new(
            shape,
            Pose::new(random.point::<V>(0.8), V::any_rotation(random)),
        )
    };
    for _ in 0..1 + random.below(5) {
        let inner = [(); 2].map(|()| {
            let shape = convex(random);
            place(random, shape)
        });
        let inner = Shape::compound(&inner[..1 + random.below(2)]).expect("convex parts");
        let outer = place(random, inner.clone());
        let shape = if random.chance(0.7) {
            inner.one_way(any_side(random)).expect("a side")
        } else {
            inner
        };
        sided.push(CompoundPart { shape, ..outer });
        plain.push(outer);
    }
    let [plain, sided] = [plain, sided].map(|parts| Shape::compound(parts).expect("compounds"));
    let sided = if random.chance(0.3) {
        sided.one_way(any_side(random)).expect("a side")
    } else {
        sided
    };
    [plain, sided]
}

fn with_one_way_tiles<V: Composites>(random: &mut Pcg) -> [Shape<V>; 2] {
    let (size, cells) = (size::<V>(random), cells::<V>(random));
    let mut palette: Vec<_> = (0..4).map(|_| tile(size, random)).collect();
    let all = Shape::tiles(size, &cells, palette.clone()).expect("valid voxels");
    for tile in &mut palette {
        tile.one_way = Some(any_side(random));
    }
    let mut shapes = [all, Shape::tiles(size, &cells, palette).expect("valid")];
    for cell in cells {
        let entry = random.below(6).saturating_sub(1) as u8;
        for shape in &mut shapes {
            shape.set_tiles([cell], entry).expect("an entry");
        }
    }
    shapes
}

/// How far the farthest point of a body lies beyond a tile along its side, counted from where it still counts; `None` if the
/// tile counts from all sides.
fn room<V: Composites>(
    shape: &Shape<V>,
    (part, normal): (u32, V),
    (body, pose): (&Shape<V>, &Pose<V>),
) -> Option<f64> {
    let Shape::Composite(composite) = shape else {
        return None;
    };
    let side = composite.outer_side(part)?;
    let up = side.normal;
    if normal.to_precise().dot(up) <= 1e-6 {
        return Some(f64::NEG_INFINITY);
    }
    let tile = composite.part(part).expect("a tile");
    let (Shape::Convex(tile_shape), Shape::Convex(body)) = (&*tile.shape, body) else {
        return Some(f64::NEG_INFINITY);
    };
    let identity = RelativePose::from_pose(&Pose::<V>::IDENTITY);
    let place = tile.pose.unwrap_or(identity);
    let own = place.inverse_transform_direction(up);
    let highest = place.transform_point(tile_shape.core().support(own));
    let top = highest.dot(up) + tile_shape.radius();
    let pose = RelativePose::from_pose(pose);
    let down = pose.inverse_transform_direction(-up);
    let lowest = pose.transform_point(body.core().support(down) + down * body.radius());
    Some(lowest.dot(up) - top + f64::from(side.depth))
}

/// What is this near the limit may count or not, by rounding; exactly at the limit it does.
const AT_LIMIT: [f64; 2] = [-1e-4, -1e-6];

fn one_way_parts_have_contacts_with_what_is_beyond<V: Composites>() {
    let mut random = Pcg::new(4108);
    let (mut left_out, mut found) = (0, 0);
    for _ in 0..iterations(1000) {
        let [all, shape] = one_way_shapes::<V>(&mut random);
        let body = convex(&mut random);
        let (origin, at) = (Pose::IDENTITY, random.point::<V>(1.5));
        let pose = Pose::new(at, V::any_rotation(&mut random));
        let body = Placed::new(&body, &pose);
        let (mut expected, mut own) = (Vec::new(), Vec::new());
        contacts_into(Placed::new(&all, &origin), body, 0.1, &mut expected).expect("valid");
        contacts_into(Placed::new(&shape, &origin), body, 0.1, &mut own).expect("valid");
        let room = |near: &Separation<V>| {
            let room = room(&shape, (near.part_a, near.normal), (body.shape, &pose));
            room.unwrap_or(f64::INFINITY)
        };
        let is_clear = |near: &Separation<V>| {
            let room = room(near);
            !(AT_LIMIT[0] < room && room < AT_LIMIT[1])
        };
        if !expected.iter().all(is_clear) {
            continue;
        }
        left_out += expected.len() - own.len();
        expected.retain(|near| room(near) >= AT_LIMIT[1]);
        assert_eq!(own, expected, "{:?} {body:?}", shape.to_encoding());
        found += own.len();
    }
    assert!(left_out > 50 && found > 50, "{left_out} {found}");
}

fn rays_pass_one_way_parts_from_behind<V: Composites>() {
    let mut random = Pcg::new(4109);
    let (mut passed, mut found) = (0, 0);
    for _ in 0..iterations(3000) {
        let [all, shape] = one_way_shapes::<V>(&mut random);
        let Shape::Composite(composite) = &shape else {
            panic!("voxels");
        };
        let [all, placed] = [&all, &shape].map(|shape| (shape, Pose::IDENTITY));
        let direction = random.point::<V>(1.0) + V::axis(0) * 0.01;
        let ray = Ray::new(random.point::<V>(1.0) - direction, direction).expect("finite");
        let mut hits = Vec::new();
        let interior = random.pick(&[Interior::Solid, Interior::Hollow]);
        let options = RayOptions {
            interior,
            ..RayOptions::default()
        };
        cast_ray_all_into(&ray, Placed::new(all.0, &all.1), options, &mut hits).expect("valid");
        let is_met = |hit: &RayHit<V>| {
            let side = composite.outer_side(hit.part);
            let normal = hit.normal.unwrap_or(V::ZERO).to_precise();
            let tile = composite.part(hit.part).expect("a part");
            let is_flat = matches!(&*tile.shape, Shape::Convex(tile) if tile.front().is_some());
            let is_outside = is_flat || !hit.is_back_face;
            side.is_none_or(|side| is_outside && normal.dot(side.normal) > 1e-6)
        };
        let first = hits.iter().find(|hit| is_met(hit)).map(|hit| hit.distance);
        let hit = cast_ray(&ray, Placed::new(placed.0, &placed.1), options).expect("valid");
        let own = hit.map(|hit| hit.distance);
        assert_eq!(own, first, "{ray:?} {:?}", shape.to_encoding());
        found += usize::from(first.is_some());
        passed += hits.iter().filter(|hit| !is_met(hit)).count();
    }
    assert!(passed > 50 && found > 50, "{passed} {found}");
}

fn casts_pass_one_way_parts_from_behind<V: Composites>() {
    let mut random = Pcg::new(4110);
    let (mut passed, mut found) = (0, 0);
    for _ in 0..iterations(600) {
        let [all, shape] = one_way_shapes::<V>(&mut random);
        let body = convex(&mut random);
        let (origin, at) = (Pose::IDENTITY, random.point::<V>(1.5));
        let pose = Pose::new(at, V::any_rotation(&mut random));
        let motion = random.point::<V>(3.0);
        let thrown = Cast::new(Placed::new(&body, &pose), Motion::from_linear(motion));
        let Shape::Composite(composite) = &shape else {
            panic!("voxels");
        };
        let (mut first, mut is_clear): (Option<Real>, _) = (None, true);
        for part in 0..composite.part_count() {
            let is_it = |number| number == part;
            let alone = Cast::resting(Placed::new(&all, &origin).with_parts(&is_it));
            let hit = cast_shapes(alone, thrown, CastOptions::default()).expect("valid");
            let Some(hit) = hit else {
                continue;
            };
            let there = Pose::new(pose.translation() + motion * hit.time, pose.rotation);
            let room = room(&shape, (part, hit.separation.normal), (&body, &there));
            let room = room.unwrap_or(f64::INFINITY);
            is_clear &= !(AT_LIMIT[0] < room && room < AT_LIMIT[1]);
            if room >= AT_LIMIT[1] {
                first = Some(first.map_or(hit.time, |first| first.min(hit.time)));
            } else {
                passed += 1;
            }
        }
        let placed = Cast::resting(Placed::new(&shape, &origin));
        let hit = cast_shapes(placed, thrown, CastOptions::default()).expect("valid");
        let own = hit.map(|hit| hit.time);
        match (own, first) {
            _ if !is_clear => {}
            (Some(own), Some(first)) => assert!((own - first).abs() < 1e-4, "{own} {first}"),
            _ => assert_eq!(own, first, "{thrown:?} {:?}", shape.to_encoding()),
        }
        found += usize::from(own.is_some());
    }
    assert!(passed > 50 && found > 50, "{passed} {found}");
}

/// The time at which a long cast ends is rounded by more than the place.
fn long_casts_meet_one_way_tiles<V: Composites>() {
    let mut random = Pcg::new(4111);
    let whole = (0..1 << V::DIM).map(|corner| {
        (0..V::DIM).fold(V::ZERO, |at, k| {
            at.with_component(k, (corner >> k & 1) as Real)
        })
    });
    let mut tile = Tile::new(Shape::hull(whole.collect::<Vec<_>>()).expect("a cuboid"));
    // Of unit length but for rounding.
    let normal = V::axis(1) * 0.9995;
    tile.one_way = Some(OneWay { normal, depth: 0.0 });
    let cell = V::Cell::from_components([0; 3]);
    let mut platform = Shape::tiles(V::splat(1.0), [cell], [tile]).expect("valid");
    platform.set_tiles([cell], 1).expect("an entry");
    let ball = Shape::ball(0.3).expect("valid");
    for _ in 0..iterations(1000) {
        let height = random.log_between(1.4, 1000.0) as Real;
        let at = V::splat(0.5).with_component(1, height);
        let (pose, origin) = (Pose::from_translation(at), Pose::IDENTITY);
        let motion = Motion::from_linear(V::axis(1) * -1000.0);
        let thrown = Cast::new(Placed::new(&ball, &pose), motion);
        let resting = Cast::resting(Placed::new(&platform, &origin));
        let hit = cast_shapes(thrown, resting, CastOptions::default()).expect("valid");
        let time = hit.expect("it meets the platform").time;
        assert!(
            (height - 1000.0 * time - 1.3).abs() < 1e-3,
            "{height} {time}"
        );
    }
}

/// A shape within thousands of tiles is told apart from them with an effort of a few boxes for each.
fn one_way_tiles_cost_little_where_they_do_not_count<V: Composites>() {
    let mut random = Pcg::new(4112);
    let whole = (0..1 << V::DIM).map(|corner| {
        (0..V::DIM).fold(V::ZERO, |at, k| {
            at.with_component(k, (corner >> k & 1) as Real)
        })
    });
    let mut tile = Tile::new(Shape::hull(whole.collect::<Vec<_>>()).expect("a cuboid"));
    let normal = V::axis(1);
    tile.one_way = Some(OneWay { normal, depth: 0.1 });
    let side = if V::DIM == 2 { 50 } else { 14 };
    let (mut cells, mut count) = (Cells::new(), 0);
    for x in 0..side {
        for y in 0..side {
            for z in 0..if V::DIM == 2 { 1 } else { side } {
                let cell = V::Cell::from_components([x, y, z]);
                cells.set_tile(cell, 1).expect("few chunks");
                count += 1;
            }
        }
    }
    let tiles = Shape::tiles_of(V::splat(1.0), cells, [tile]).expect("valid");
    let origin = Pose::IDENTITY;
    for _ in 0..iterations(20) {
        let middle = V::splat(side as Real / 2.0);
        let at = middle + random.point::<V>(2.0);
        let pose = Pose::new(at, V::any_rotation(&mut random));
        let body = if random.chance(0.5) {
            convex(&mut random)
                .scaled_by(V::splat(side as Real / 2.0))
                .expect("finite")
        } else {
            Shape::cuboid(middle).expect("valid")
        };
        let effort = 6 * count + 1000;
        let [a, b] = [(&tiles, &origin), (&body, &pose)]
            .map(|(shape, pose)| Placed::new(shape, pose).with_effort(effort));
        // Whatever is beyond a tile at the lower end is not below one at the upper end.
        let mut found = Vec::new();
        assert_eq!(
            contacts_into(a, b, 0.1, &mut found),
            Ok(Completeness::Complete)
        );
        let answer = proximity(a, b, 0.1).expect("valid");
        assert!(!matches!(answer, Proximity::Undecided { .. }), "{body:?}");
        assert_eq!(
            answer.near().is_some_and(|near| near.distance <= 0.1),
            !found.is_empty()
        );
        if !found.is_empty() {
            continue;
        }
        let level = random.point::<V>(3.0).with_component(1, 0.0);
        let moving = Cast::new(b, Motion::from_linear(level));
        let hit = cast_shapes(Cast::resting(a), moving, CastOptions::default());
        assert_eq!(hit, Ok(None), "{body:?} {pose:?} {level:?}");
    }
}

/// A tile that fills its cell lies face to face with the last whole one.
fn hollow_rays_that_pass_back_faces_stop_at_tiles<V: Composites>() {
    let mut random = Pcg::new(4114);
    let through = RayOptions {
        back_faces: BackFaces::Pass,
        ..hollow()
    };
    let size = V::splat(0.3);
    let block = Shape::cuboid(size * 0.5).and_then(|block| block.translated(size * 0.5));
    let at = |x: i32| V::Cell::from_components([x, 0, 0]);
    let cells = [0, 1, 2].map(at);
    let palette = [Tile::new(block.expect("a block"))];
    let mut shape = Shape::tiles(size, cells, palette).expect("three cells");
    shape.set_tiles([at(2)], 1).expect("a tile");
    for _ in 0..iterations(1000) {
        let pose = Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random));
        let [from, to] = [0.15, 0.7].map(|x| (size * 0.5).with_component(0, x) + random.point(0.1));
        let direction = pose.transform_direction(to - from);
        let ray = Ray::new(pose.transform_point(from), direction).expect("finite");
        let part = CompoundPart::new(shape.clone(), pose);
        let compound = Shape::compound([part]).expect("a part");
        for (shape, pose) in [(&shape, pose), (&compound, Pose::IDENTITY)] {
            let hit = cast_ray(&ray, Placed::new(shape, &pose), through).expect("valid");
            assert_eq!(hit.map(|hit| hit.part), Some(2), "{ray:?} {pose:?}");
        }
    }
}

/// A ray that starts where another one hit a tile goes no farther in the same direction, and is free in the opposite one.
fn rays_that_start_on_a_face_of_a_one_way_tile_hit_it<V: Composites>() {
    let mut random = Pcg::new(4113);
    let mut count = 0;
    for _ in 0..iterations(3000) {
        let [_, shape] = with_one_way_tiles::<V>(&mut random);
        let shape = if random.chance(0.5) {
            shape.with_origin_at(random.point(1.0)).expect("valid")
        } else {
            shape
        };
        let Shape::Composite(composite) = &shape else {
            panic!("voxels");
        };
        let pose = Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random));
        let direction = random.point::<V>(1.0) + V::axis(0) * 0.01;
        let ray = Ray::new(
            pose.translation() + random.point::<V>(1.0) - direction * 3.0,
            direction,
        );
        let options = RayOptions {
            interior: random.pick(&[Interior::Solid, Interior::Hollow]),
            back_faces: random.pick(&[BackFaces::Hit, BackFaces::Pass]),
            ..RayOptions::default()
        };
        let placed = Placed::new(&shape, &pose);
        let Some(hit) = cast_ray(&ray.expect("finite"), placed, options).expect("valid") else {
            continue;
        };
        let cosine = hit
            .normal
            .map(|normal| normal.dot(direction) / direction.to_precise().length() as Real);
        let is_steep = cosine.is_some_and(|cosine| cosine < -0.1);
        if !is_steep || composite.outer_side(hit.part).is_none() {
            continue;
        }
        count += 1;
        let is_it = |part| part == hit.part;
        let alone = placed.with_parts(&is_it);
        let again = Ray::new(hit.position, direction).expect("finite");
        // As short as that of a search that knows a nearer hit.
        let short = RayOptions {
            max_distance: random.pick(&[Real::INFINITY, 1e-3]),
            ..options
        };
        let again = cast_ray(&again, alone, short).expect("valid");
        let again = again.unwrap_or_else(|| panic!("{hit:?} {:?}", shape.to_encoding()));
        assert!(again.distance < 1e-6, "{again:?} {hit:?}");
        assert!(again.normal.is_some_and(|normal| {
            (normal - hit.normal.unwrap_or(normal))
                .to_precise()
                .length()
                < 1e-5
        }));
        let is_flat = composite.part(hit.part).is_some_and(
            |part| matches!(&*part.shape, Shape::Convex(tile) if tile.front().is_some()),
        );
        let back = Ray::new(hit.position, -direction).expect("finite");
        let back = cast_ray(&back, alone, options).expect("valid");
        assert!(is_flat || back.is_none(), "{back:?} {hit:?}");
    }
    assert!(count > 40, "{count}");
}

fn hollow_hit<V: Composites>(ray: &Ray<V>, shape: &Shape<V>) -> Option<RayHit<V>> {
    cast_ray(ray, Placed::new(shape, &Pose::IDENTITY), hollow()).expect("valid")
}

fn starts_in_whole_cell<V: Composites>(shape: &Shape<V>, start: V) -> bool {
    let Shape::Composite(composite) = shape else {
        return false;
    };
    let CompositeKind::Voxels(voxels) = composite.kind() else {
        return false;
    };
    let cell = voxels.cell_at(start.to_precise()).expect("a cell");
    voxels.cells().tile(cell) == Some(0)
}

/// Tiles are moved to the least corners of their cells, so that answers are rounded otherwise.
fn mirrored_tiles_are_those_of_mirrored_compounds<V: Composites>() {
    let mut random = Pcg::new(4107);
    let mut compared = 0;
    for _ in 0..iterations(600) {
        let (shape, parts) = with_tiles::<V>(&mut random);
        let compound = Shape::compound(parts).expect("convex parts");
        let factors = (0..V::DIM).fold(V::ZERO, |factors, k| {
            factors.with_component(k, random.pick(&[-2.0, -1.0, 1.0]))
        });
        // Balls are not stretched.
        let (Ok(voxels), Ok(compound)) = (shape.scaled_by(factors), compound.scaled_by(factors))
        else {
            continue;
        };
        let point = random.point::<V>(4.0);
        let [own, other] = [&voxels, &compound].map(|shape| {
            let pose = Pose::IDENTITY;
            let near = point_proximity(point, Placed::new(shape, &pose), Real::INFINITY);
            let near = near.expect("valid");
            near.near().expect("finite shapes").distance
        });
        assert!((own - other).abs() < 1e-5, "{own} {other} {factors}");
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

//! Voxels answer as the compound of their cells does, bit for bit, and faces between cells are no surface.

use clearance_gjk::{Interior, Placed, RayOptions, cast_ray, cast_ray_all_into};
use clearance_math::{Cell, Pose, PreciseVector, Ray, Real};
use clearance_shapes::{Cells, CompoundPart, Shape};

use crate::clouds::answers;
use crate::common::{Pcg, Space, in_both_dimensions, iterations};
use crate::composite_shapes::{Composites, cells, convex};

in_both_dimensions!(
    voxels_answer_as_compounds_of_cuboids,
    voxels_by_chunks_answer_as_those_of_a_list,
    hollow_rays_pass_through_inner_faces,
    hollow_rays_leave_voxels_within_compounds,
    edited_voxels_are_those_made_anew,
);

pub(crate) fn cuboid_at<V: Space>(size: V, cell: V::Cell) -> CompoundPart<V> {
    let at = (0..V::DIM).fold(V::ZERO, |at, k| {
        at.with_component(k, (cell.component(k) as Real + 0.5) * size.component(k))
    });
    CompoundPart::new(
        Shape::cuboid(size * 0.5).expect("a positive size"),
        Pose::from_translation(at),
    )
}

fn compound_of_cuboids<V: Space>(size: V, cells: &[V::Cell]) -> Shape<V> {
    let parts: Vec<_> = cells.iter().map(|&cell| cuboid_at(size, cell)).collect();
    Shape::compound(parts).expect("convex parts")
}

/// Sizes with so few bits that all products with cells are exact in single precision.
pub(crate) fn size<V: Space>(random: &mut Pcg) -> V {
    (0..V::DIM).fold(V::ZERO, |size, k| {
        size.with_component(k, random.pick(&[0.25, 0.375, 0.5, 1.0]))
    })
}

fn voxels_answer_as_compounds_of_cuboids<V: Composites>() {
    let mut random = Pcg::new(4101);
    for round in 0..iterations(600) as u64 {
        let (size, cells) = (size::<V>(&mut random), cells::<V>(&mut random));
        let mut shapes = [
            Shape::voxels(size, &cells).expect("valid voxels"),
            compound_of_cuboids(size, &cells),
        ];
        if random.chance(0.3) {
            let factors = (0..V::DIM).fold(V::ZERO, |factors, k| {
                factors.with_component(k, random.pick(&[-2.0, -1.0, 0.5, 1.0, 2.0]))
            });
            shapes = shapes.map(|shape| shape.scaled_by(factors).expect("finite"));
        }
        if random.chance(0.2) {
            let within = |shape: Shape<V>, pose| Shape::compound([CompoundPart::new(shape, pose)]);
            let pose = Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random));
            shapes = shapes.map(|shape| within(shape, pose).expect("a composite"));
        }
        let other = match random.below(4) {
            0 => V::composite(&mut random),
            1 => Shape::voxels(size, crate::composite_shapes::cells::<V>(&mut random))
                .expect("valid"),
            _ => convex(&mut random),
        };
        let [of_voxels, of_compound] = [0, 1].map(|k| answers(&shapes[k], &other, round));
        assert_eq!(of_voxels, of_compound, "{size} {cells:?} {other:?}");
    }
}

fn voxels_by_chunks_answer_as_those_of_a_list<V: Composites>() {
    let mut random = Pcg::new(4102);
    for _ in 0..iterations(200) {
        let (size, cells) = (size::<V>(&mut random), cells::<V>(&mut random));
        let mut set = Cells::new();
        for &cell in &cells {
            assert!(set.set(cell, true).expect("few chunks"));
        }
        let chunks = Shape::voxels_of(size, set).expect("valid voxels");
        let list = Shape::voxels(size, &cells).expect("valid voxels");
        let other = convex(&mut random);
        let mut pose = || Pose::new(random.point::<V>(2.0), V::any_rotation(&mut random));
        let poses = [pose(), pose()];
        let distance = |shape| {
            let sides = (
                Placed::new(shape, &poses[0]),
                Placed::new(&other, &poses[1]),
            );
            let near = clearance_gjk::proximity(sides.0, sides.1, Real::INFINITY);
            let near = near.expect("valid").near().expect("finite shapes");
            (near.distance, near.lower, near.upper)
        };
        assert_eq!(distance(&chunks), distance(&list), "{cells:?} {size}");
    }
}

/// Compared with the cells that the ray is in, one after the other.
pub(crate) fn hollow() -> RayOptions {
    RayOptions {
        interior: Interior::Hollow,
        ..RayOptions::default()
    }
}

/// Where a ray enters one cell and where it leaves it.
fn stretch<V: Composites>(ray: &Ray<V>, alone: Placed<'_, V>) -> Option<(f64, f64)> {
    let unit = ray.direction().to_precise().direction()?;
    let solid = cast_ray(ray, alone, RayOptions::default()).expect("valid");
    let enter = solid.map(|hit| f64::from(hit.distance))?;
    if enter > 0.0 {
        let start = ray.origin() + unit * (enter + 1e-4);
        let inside = Ray::new(start, ray.direction()).expect("finite");
        let out = cast_ray(&inside, alone, hollow()).expect("valid");
        let leave = out.map_or(enter, |out| enter + 1e-4 + f64::from(out.distance));
        return Some((enter, leave));
    }
    let out = cast_ray(ray, alone, hollow()).expect("valid");
    Some((enter, f64::from(out.expect("a way out").distance)))
}

fn hollow_rays_pass_through_inner_faces<V: Composites>() {
    let mut random = Pcg::new(4103);
    let (mut passed, mut hits) = (0, Vec::new());
    for _ in 0..iterations(2000) {
        let (size, cells) = (size::<V>(&mut random), cells::<V>(&mut random));
        let shape = Shape::voxels(size, &cells).expect("valid voxels");
        let start = cuboid_at(size, random.pick(&cells)).pose.translation();
        let start = start + random.point::<V>(0.1);
        let pose = Pose::new(random.point::<V>(2.0), V::any_rotation(&mut random));
        let direction = if random.chance(0.3) {
            pose.transform_direction(V::axis(random.below(V::DIM)))
        } else {
            random.point::<V>(1.0) + V::axis(0)
        };
        let ray = Ray::new(pose.transform_point(start), direction).expect("finite");
        let placed = Placed::new(&shape, &pose);
        let hit = cast_ray(&ray, placed, hollow())
            .expect("valid")
            .expect("a way out");
        // Leaving times of the cells one by one, as far as they hang together along the ray.
        let mut stretches = Vec::new();
        for &cell in &cells {
            let alone = Shape::voxels(size, [cell]).expect("valid voxels");
            let alone = Placed::new(&alone, &pose);
            stretches.extend(stretch(&ray, alone));
        }
        stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut leave = stretches[0].1;
        for &(enter, end) in &stretches[1..] {
            if enter <= leave + 3e-4 {
                passed += usize::from(end > leave + 3e-4);
                leave = leave.max(end);
            }
        }
        assert!(
            (f64::from(hit.distance) - leave).abs() <= 1e-3,
            "{hit:?} {stretches:?} {cells:?} {ray:?}"
        );
        cast_ray_all_into(&ray, placed, hollow(), &mut hits).expect("valid");
        let least = hits
            .iter()
            .map(|hit| hit.distance)
            .fold(Real::INFINITY, Real::min);
        assert_eq!(least, hit.distance);
    }
    assert!(passed > 100, "{passed}");
}

/// The first hit of a compound is the first of the hits of its shapes, in compounds of compounds, too.
fn hollow_rays_leave_voxels_within_compounds<V: Composites>() {
    let mut random = Pcg::new(4105);
    let (mut passed, mut twice, mut hits) = (0, 0, Vec::new());
    for _ in 0..iterations(2000) {
        let first = cells::<V>(&mut random);
        let start = cuboid_at(V::splat(0.5), random.pick(&first))
            .pose
            .translation();
        let count = 1 + random.below(3);
        let mut members = Vec::new();
        for number in 0..count {
            let cells = if number == 0 {
                first.clone()
            } else {
                cells::<V>(&mut random)
            };
            let shape = match number == 0 || random.chance(0.7) {
                true => Shape::voxels(V::splat(0.5), cells).expect("valid voxels"),
                false => convex(&mut random),
            };
            let pose = Pose::new(random.point::<V>(0.3), V::any_rotation(&mut random));
            members.push(CompoundPart::new(shape, pose));
        }
        let mut shape = Shape::compound(&members).expect("convex parts");
        if random.chance(0.3) {
            shape = Shape::compound([CompoundPart::new(shape, Pose::IDENTITY)]).expect("one");
        }
        let at = members[0]
            .pose
            .transform_point(start + random.point::<V>(0.1));
        let ray = Ray::new(at, random.point::<V>(1.0) + V::axis(0)).expect("finite");
        let here = Pose::IDENTITY;
        let placed = Placed::new(&shape, &here);
        let hit = cast_ray(&ray, placed, hollow())
            .expect("valid")
            .expect("a way out");
        let of_members = members.iter().filter_map(|member| {
            cast_ray(&ray, Placed::new(&member.shape, &member.pose), hollow()).expect("valid")
        });
        let least = of_members
            .map(|hit| hit.distance)
            .fold(Real::INFINITY, Real::min);
        assert!(
            (hit.distance - least).abs() <= 1e-3,
            "{hit:?} {least} {members:?} {ray:?}"
        );
        let any = |_| true;
        let by_cells = cast_ray(&ray, placed.with_parts(&any), hollow()).expect("valid");
        passed += usize::from(by_cells.expect("a face").distance + 1e-3 < hit.distance);
        cast_ray_all_into(&ray, placed, hollow(), &mut hits).expect("valid");
        assert_eq!(hits[0].distance, hit.distance);
        let mut parts: Vec<_> = hits.iter().map(|hit| hit.part).collect();
        parts.sort_unstable();
        twice += parts.windows(2).filter(|pair| pair[0] == pair[1]).count();
    }
    assert!(passed > 100, "{passed}");
    assert_eq!(twice, 0, "parts that are hit twice");
}

fn edited_voxels_are_those_made_anew<V: Composites>() {
    let mut random = Pcg::new(4104);
    for round in 0..iterations(200) as u64 {
        let (size, cells) = (size::<V>(&mut random), cells::<V>(&mut random));
        let mut shape = Shape::voxels(size, &cells).expect("valid voxels");
        let before = shape.clone();
        let added: Vec<V::Cell> = crate::composite_shapes::cells::<V>(&mut random);
        let added: Vec<_> = added
            .into_iter()
            .filter(|cell| !cells.contains(cell))
            .collect();
        shape.set_cells(&added, true).expect("room");
        let all = [cells.clone(), added.clone()].concat();
        let anew = Shape::voxels(size, &all).expect("valid voxels");
        assert_eq!(shape, anew);
        let other = convex(&mut random);
        assert_eq!(
            answers(&shape, &other, round),
            answers(&anew, &other, round)
        );
        shape.set_cells(&added, false).expect("cells are left");
        let near = |shape: &Shape<V>| answers(shape, &other, round);
        assert_eq!(near(&shape), near(&before), "{cells:?} {added:?}");
        assert_eq!(before, Shape::voxels(size, &cells).expect("valid voxels"));
    }
}

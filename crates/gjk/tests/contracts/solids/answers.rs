//! What is inside, and what questions of all kinds answer then.

use clearance_gjk::{
    Cast, CastOptions, Interior, Leaving, Motion, Placed, Proximity, RayHit, RayOptions,
    Separation, cast_ray, cast_shapes, contacts_into, intersects, point_proximity, proximity,
    ray_hits,
};
use clearance_math::{Pose, PreciseVector, Ray, Real, RelativePose};
use clearance_shapes::{CompoundPart, Shape};

use super::{Solids, composite, convex_near, facets, is_inside, near, winding};
use crate::common::{Pcg, in_both_dimensions, iterations};

in_both_dimensions!(
    a_point_is_inside_where_the_surface_winds_around_it,
    points_beside_edges_and_corners_have_the_sign_of_their_cell,
    what_lies_inside_overlaps_and_what_is_apart_does_not,
    the_bounds_of_an_overlap_are_true,
    convex_solids_answer_as_their_hulls,
    exchanging_the_sides_mirrors_the_answer,
    rays_from_inside_hit_at_once,
    casts_that_start_inside_meet_at_once,
    contacts_lead_out_of_a_solid,
    a_solid_is_one_in_a_compound,
    scaling_keeps_the_outer_side,
);

fn a_point_is_inside_where_the_surface_winds_around_it<V: Solids>() {
    let mut random = Pcg::new(4001);
    let mut seen = [0; 2];
    for _ in 0..iterations(60) {
        let shape = V::solid(&mut random);
        let facets = facets(&shape);
        let pose = Pose::new(random.point::<V>(5.0), V::any_rotation(&mut random));
        for _ in 0..20 {
            let local: V = random.point(1.5);
            let world = RelativePose::from_pose(&pose).transform_point(local.to_precise());
            let point = V::from_precise(world);
            let answer =
                point_proximity(point, Placed::new(&shape, &pose), Real::INFINITY).unwrap();
            let found = answer.near().unwrap();
            if found.distance.abs() < 1e-4 {
                continue;
            }
            let inside = winding::<V>(&facets, local.to_precise()) > 0.5;
            assert_eq!(found.distance < 0.0, inside, "{local:?} {found:?}");
            let way = found.position_b - point.to_precise();
            assert!((way.length() - f64::from(found.distance.abs())).abs() < 1e-5);
            assert!((way - found.normal.to_precise() * f64::from(found.distance)).length() < 1e-5);
            assert!(found.lower <= found.distance && found.distance <= found.upper);
            seen[usize::from(inside)] += 1;
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

fn points_beside_edges_and_corners_have_the_sign_of_their_cell<V: Solids>() {
    let mut random = Pcg::new(4002);
    let side = 4;
    let mut asked = 0;
    for _ in 0..iterations(30) {
        // Stairs, which go down along x and z.
        let mut heights = [[side; 4]; 4];
        for x in 0..4_usize {
            for z in 0..4_usize {
                let before = [
                    (x > 0).then(|| heights[x - 1][z]),
                    (z > 0).then(|| heights[x][z - 1]),
                ];
                let before = before.into_iter().flatten().min().unwrap_or(side);
                heights[x][z] = before - i32::from(random.chance(0.4));
            }
        }
        let is_full = |[x, y, z]: [i32; 3]| y < heights[x as usize][z as usize];
        let Some(shape) = V::of_cells(side, &is_full) else {
            continue;
        };
        let winds = facets(&shape);
        // Middles of cells, and places in cells that are level with many edges and corners.
        for number in 0..512 {
            let eighth = |k: i32| (number / 8_i32.pow(k as u32) % 8) as Real * 0.5 + 0.25;
            let mut point = V::ZERO;
            for k in 0..V::DIM {
                point = point.with_component(k, eighth(k as i32));
            }
            let at = composite(&shape).winding(point.to_precise());
            let expected = winding::<V>(&winds, point.to_precise()).round() as i32;
            assert_eq!(at, expected, "{point:?}");
            asked += 1;
            // Where it is level with one axis' corners, and inside of cells along the others.
            for k in 0..V::DIM {
                let level = point.with_component(k, point.component(k).round());
                let origin = Pose::IDENTITY;
                let placed = Placed::new(&shape, &origin);
                let there = point_proximity(level, placed, Real::INFINITY)
                    .unwrap()
                    .near()
                    .unwrap();
                if there.distance.abs() > 1e-3 {
                    let off = winding::<V>(&winds, level.to_precise()).round() as i32;
                    assert_eq!(
                        composite(&shape).winding(level.to_precise()),
                        off,
                        "{level:?}"
                    );
                }
            }
        }
    }
    assert!(asked > 4000, "{asked}");
}

fn what_lies_inside_overlaps_and_what_is_apart_does_not<V: Solids>() {
    let mut random = Pcg::new(4003);
    let mut seen = [0; 3];
    for _ in 0..iterations(400) {
        let shape = V::solid(&mut random);
        let pose = Pose::new(random.point::<V>(0.5), V::any_rotation(&mut random));
        let (other, place) = convex_near::<V>(&mut random);
        let found = near((&shape, &pose), (&other, &place));
        let Shape::Convex(convex) = &other else {
            continue;
        };
        let middle = RelativePose::between(&pose, &place).transform_point(convex.core_center());
        let inside = is_inside(&shape, middle);
        if inside {
            assert!(found.distance < 0.0, "{found:?}");
            seen[0] += 1;
        }
        let is_met = intersects(Placed::new(&shape, &pose), Placed::new(&other, &place)).unwrap();
        if found.upper < 0.0 || found.lower > 0.0 {
            assert_eq!(is_met, found.distance < 0.0, "{found:?}");
            seen[1 + usize::from(is_met)] += 1;
        }
        for within in [0.0, 0.1] {
            let asked = proximity(
                Placed::new(&shape, &pose),
                Placed::new(&other, &place),
                within,
            )
            .unwrap();
            match asked {
                Proximity::Near(near) => assert_eq!(near.distance, found.distance),
                Proximity::Farther { lower } => assert!(lower > within && lower <= found.upper),
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

fn the_bounds_of_an_overlap_are_true<V: Solids>() {
    let mut random = Pcg::new(4004);
    let mut overlaps = 0;
    for round in 0..iterations(150) {
        let shape = V::solid(&mut random);
        let pose = Pose::new(random.point::<V>(0.5), V::any_rotation(&mut random));
        let (other, place) = if round % 3 == 0 {
            (
                V::solid(&mut random),
                Pose::new(random.point::<V>(2.5), V::any_rotation(&mut random)),
            )
        } else {
            convex_near::<V>(&mut random)
        };
        let found = near((&shape, &pose), (&other, &place));
        assert!(
            found.lower <= found.distance && found.distance <= found.upper,
            "{found:?}"
        );
        if found.upper >= 0.0 {
            continue;
        }
        overlaps += 1;
        let is_met = |way: V::Precise| {
            let moved = pose.moved_by(way);
            intersects(Placed::new(&shape, &moved), Placed::new(&other, &place)).unwrap()
        };
        let normal = found.normal.to_precise();
        // The way may lead into a hole in which the other one just fits.
        let is_out = |more: f64| !is_met(normal * (f64::from(found.lower) - more));
        assert!([0.0, 1e-6, 1e-5].into_iter().any(is_out), "{found:?}");
        for _ in 0..20 {
            let way = random.direction::<V::Precise>();
            assert!(is_met(way * (0.999 * f64::from(-found.upper))), "{found:?}");
        }
        let between = (found.position_b - found.position_a) - normal * f64::from(found.distance);
        assert!(
            between.length() < 1e-3 + 0.01 * f64::from(found.distance.abs()),
            "{found:?}"
        );
    }
    assert!(overlaps > 50, "{overlaps}");
}

/// The hull of random points as a solid, and as a hull.
fn convex_solid<V: Solids>(random: &mut Pcg) -> (Shape<V>, Shape<V>) {
    let half: V = random.point::<V>(0.5);
    let half = (0..V::DIM).fold(half, |half, k| {
        half.with_component(k, half.component(k).abs() + 0.25)
    });
    let full = V::of_cells(1, &|_| true).expect("a box");
    let stretched = full.scaled_by(half).expect("positive factors");
    let corners: Vec<V> = facets(&stretched)
        .into_iter()
        .flatten()
        .map(|corner| V::from_precise(V::Precise::from_space(corner)))
        .collect();
    (stretched, Shape::hull(corners).expect("finite points"))
}

fn convex_solids_answer_as_their_hulls<V: Solids>() {
    let mut random = Pcg::new(4005);
    for _ in 0..iterations(200) {
        let (solid, hull) = convex_solid::<V>(&mut random);
        let pose = Pose::new(random.point::<V>(0.5), V::any_rotation(&mut random));
        let (other, place) = convex_near::<V>(&mut random);
        let of_solid = near((&solid, &pose), (&other, &place));
        let of_hull = near((&hull, &pose), (&other, &place));
        // Solids are measured beside the origin, so that the last digits of points differ.
        let apart = [
            of_solid.position_a - of_hull.position_a,
            of_solid.position_b - of_hull.position_b,
        ];
        assert!(apart.iter().all(|way| way.length() < 1e-14), "{apart:?}");
        let expected = Separation {
            part_a: of_solid.part_a,
            position_a: of_solid.position_a,
            position_b: of_solid.position_b,
            ..of_hull
        };
        assert_eq!(format!("{of_solid:?}"), format!("{expected:?}"));
        assert!(of_solid.part_a < composite(&solid).part_count());
    }
}

fn exchanging_the_sides_mirrors_the_answer<V: Solids>() {
    let mut random = Pcg::new(4006);
    for round in 0..iterations(120) {
        let a = (
            V::solid(&mut random),
            Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random)),
        );
        let b = match round % 3 {
            0 => (
                V::solid(&mut random),
                Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random)),
            ),
            1 => (
                a.0.clone(),
                Pose::new(a.1.translation(), V::any_rotation(&mut random)),
            ),
            _ => convex_near::<V>(&mut random),
        };
        let (there, back) = (
            near((&a.0, &a.1), (&b.0, &b.1)),
            near((&b.0, &b.1), (&a.0, &a.1)),
        );
        assert_eq!(format!("{:?}", back.flipped()), format!("{there:?}"));
        let list = |a: &(Shape<V>, Pose<V>), b: &(Shape<V>, Pose<V>)| {
            let mut found = Vec::new();
            contacts_into(
                Placed::new(&a.0, &a.1),
                Placed::new(&b.0, &b.1),
                0.05,
                &mut found,
            )
            .unwrap();
            found
        };
        let mut back: Vec<_> = list(&b, &a).into_iter().map(Separation::flipped).collect();
        back.sort_by_key(|contact| (contact.part_a, contact.part_b));
        assert_eq!(format!("{back:?}"), format!("{:?}", list(&a, &b)));
    }
}

fn rays_from_inside_hit_at_once<V: Solids>() {
    let mut random = Pcg::new(4007);
    let mut inside = 0;
    for _ in 0..iterations(300) {
        let shape = V::solid(&mut random);
        let pose = Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random));
        let local: V = random.point(1.2);
        let origin =
            V::from_precise(RelativePose::from_pose(&pose).transform_point(local.to_precise()));
        let ray = Ray::new(origin, V::from_precise(random.direction())).unwrap();
        let placed = Placed::new(&shape, &pose);
        let distance = point_proximity(origin, placed, Real::INFINITY)
            .unwrap()
            .near()
            .unwrap()
            .distance;
        if distance.abs() < 1e-4 {
            continue;
        }
        let hit = cast_ray(&ray, placed, RayOptions::default()).unwrap();
        assert_eq!(
            ray_hits(&ray, placed, RayOptions::default()).unwrap(),
            hit.is_some()
        );
        let hollow = RayOptions {
            interior: Interior::Hollow,
            ..RayOptions::default()
        };
        let passing = cast_ray(&ray, placed, hollow).unwrap();
        if distance > 0.0 {
            assert_eq!(format!("{hit:?}"), format!("{passing:?}"));
            continue;
        }
        inside += 1;
        let hit = hit.expect("it starts inside");
        assert_eq!(
            (hit.distance, hit.normal, hit.part),
            (0.0, None, RayHit::<V>::NO_PART)
        );
        let passing = passing.expect("a closed surface is around it");
        assert!(
            passing.distance >= -distance - 1e-4 && passing.is_back_face,
            "{passing:?}"
        );
        assert!(passing.normal.unwrap().dot(ray.direction()) <= 0.0);
    }
    assert!(inside > 30, "{inside}");
}

fn casts_that_start_inside_meet_at_once<V: Solids>() {
    let solid = V::of_cells(4, &|_| true).expect("a block");
    let ball = Shape::ball(0.25).unwrap();
    // From the half on the way, so that it does not go deeper first.
    let start = Pose::from_translation(V::splat(1.5) + V::axis(0));
    let motion = Motion::from_linear(V::axis(0) * 8.0);
    let place = Pose::IDENTITY;
    let still = Cast::resting(Placed::new(&solid, &place));
    let moving = Cast::new(Placed::new(&ball, &start), motion);
    let hit = cast_shapes(moving, still, CastOptions::default())
        .unwrap()
        .expect("it starts inside");
    assert_eq!(hit.time, 0.0);
    assert!(hit.separation.distance < -1.5, "{hit:?}");
    // What is inside leaves through the surface.
    for leaving in [Leaving::Pass, Leaving::Ignore] {
        let options = CastOptions {
            leaving,
            ..CastOptions::default()
        };
        assert!(
            cast_shapes(moving, still, options).unwrap().is_none(),
            "{leaving:?}"
        );
    }
    // From outside it meets the surface.
    let far = Pose::from_translation(V::splat(1.5) - V::axis(0) * 4.0);
    let moving = Cast::new(Placed::new(&ball, &far), motion);
    let hit = cast_shapes(moving, still, CastOptions::default())
        .unwrap()
        .expect("it is on the way");
    assert!((hit.time - 2.25 / 8.0).abs() < 1e-6, "{hit:?}");
}

fn contacts_lead_out_of_a_solid<V: Solids>() {
    let solid = V::of_cells(4, &|_| true).expect("a block");
    let ball = Shape::ball(0.5).unwrap();
    let origin = Pose::IDENTITY;
    let contacts_at = |place: Pose<V>| {
        let (a, b) = (Placed::new(&solid, &origin), Placed::new(&ball, &place));
        let mut found = Vec::new();
        contacts_into(a, b, 0.2, &mut found).unwrap();
        found
    };
    for (height, distance) in [(4.4, -0.1), (4.0, -0.5), (3.9, -0.6), (3.4, -1.1)] {
        let place = Pose::from_translation(V::splat(1.3).with_component(1, height));
        let found = contacts_at(place);
        assert!(!found.is_empty(), "{height}");
        for contact in &found {
            assert!(contact.normal.component(1) >= -1e-6, "{contact:?}");
        }
        let deepest = found
            .iter()
            .min_by(|a, b| a.distance.total_cmp(&b.distance))
            .unwrap();
        assert!((deepest.distance - distance).abs() < 1e-5, "{deepest:?}");
        assert!(deepest.normal.component(1) > 0.999, "{deepest:?}");
    }
    // Above the middle of a face, faces beside it are within range at their edges; no contact with them is turned around.
    let place = Pose::from_translation(V::splat(0.3).with_component(1, 4.6));
    let found = contacts_at(place);
    assert!(
        found.iter().all(|contact| contact.distance > 0.0),
        "{found:?}"
    );
}

fn a_solid_is_one_in_a_compound<V: Solids>() {
    let mut random = Pcg::new(4008);
    let mut seen = [0; 2];
    for _ in 0..iterations(150) {
        let solid = V::solid(&mut random);
        let inner = Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random));
        let ball = CompoundPart::new(
            Shape::ball(0.25).unwrap(),
            Pose::from_translation(V::axis(1) * 9.0),
        );
        let part = CompoundPart::new(solid.clone(), inner);
        let compound = Shape::compound([ball, part]).unwrap();
        let pose = Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random));
        let (other, mut place) = convex_near::<V>(&mut random);
        place = Pose::new(
            (pose * inner).transform_point(place.translation()),
            place.rotation,
        );
        let together = near((&compound, &pose), (&other, &place));
        let alone = near((&solid, &(pose * inner)), (&other, &place));
        assert_eq!(
            together.distance < 0.0,
            alone.distance < 0.0,
            "{together:?} {alone:?}"
        );
        if alone.distance > 0.0 {
            assert!(
                (together.distance - alone.distance).abs() < 1e-4,
                "{together:?} {alone:?}"
            );
        } else {
            // The same depth, as far as either knows it.
            assert!(together.lower <= alone.upper + 1e-4 && alone.lower <= together.upper + 1e-4);
        }
        seen[usize::from(alone.distance < 0.0)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

fn scaling_keeps_the_outer_side<V: Solids>() {
    let mut random = Pcg::new(4009);
    for _ in 0..iterations(40) {
        let solid = V::solid(&mut random);
        let mut factors: V = random.point(1.0);
        for k in 0..V::DIM {
            factors = factors.with_component(
                k,
                factors.component(k).signum() * 0.5 + factors.component(k),
            );
        }
        let Ok(scaled) = solid.scaled_by(factors) else {
            continue;
        };
        assert!(composite(&scaled).is_solid());
        let inside = V::ZERO;
        for _ in 0..10 {
            let point: V = inside + random.point::<V>(2.0);
            let image = point.to_precise().scaled_by(factors.to_precise());
            let distance =
                point_proximity(point, Placed::new(&solid, &Pose::IDENTITY), Real::INFINITY);
            if distance.unwrap().near().unwrap().distance.abs() > 1e-3 {
                let [one, other] = [(&solid, point.to_precise()), (&scaled, image)];
                assert_eq!(
                    is_inside(one.0, one.1),
                    composite(other.0).winding(other.1) > 0
                );
            }
        }
    }
}

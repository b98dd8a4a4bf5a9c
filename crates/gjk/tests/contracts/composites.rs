//! Composites: an answer is that of all pairs of parts, whatever their trees look like.

use clearance_gjk::internal::{NearestPart, each_contact, nearest_of_parts};
use clearance_gjk::{
    BackFaces, DEFAULT_EFFORT, Interior, Placed, Proximity, RayOptions, Separation, cast_ray,
    contacts_into, intersects, point_proximity, proximity, ray_hits,
};
use clearance_math::{Pose, Ray, Real, Vec3, Vector};
use clearance_shapes::{Composite, CompoundPart, Shape};

use crate::common::{Body, Kind, Pcg, Space, in_both_dimensions, iterations};
use crate::composite_shapes::{Composites, convex};

in_both_dimensions!(
    a_composite_is_as_near_as_its_nearest_part,
    contacts_are_those_of_the_parts,
    the_nearest_contact_is_that_of_the_pair,
    exchanging_two_sides_mirrors_the_answer_bit_for_bit,
    parts_of_compounds_are_where_their_poses_put_them,
    a_ray_hits_the_first_part_that_it_meets,
);

/// A composite, and another composite or any other shape, near each other.
fn sides<V: Composites>(random: &mut Pcg) -> [Body<V>; 2] {
    let other = match random.below(3) {
        0 => {
            let kinds: Vec<Kind> = Kind::all::<V>().collect();
            V::shape(random.pick(&kinds), random, 1.0)
        }
        _ => V::composite(random),
    };
    let far = random.pick(&[0.2, 1.0, 4.0]);
    let pose = |random: &mut Pcg| match random.below(4) {
        0 => Pose::new(random.point::<V>(far), V::quarter_turn(random)),
        _ => Pose::new(random.point::<V>(far), V::any_rotation(random)),
    };
    let a = Body::new(V::composite(random), pose(random));
    let sides = [a, Body::new(other, pose(random))];
    if random.chance(0.5) {
        let [a, b] = sides;
        [b, a]
    } else {
        sides
    }
}

/// The parts of a shape as shapes of their own, where they need no pose of their own.
fn bare_parts<V: Vector>(shape: &Shape<V>) -> Option<Vec<(u32, Shape<V>)>> {
    let Shape::Composite(composite) = shape else {
        return Some(vec![(0, shape.clone())]);
    };
    let parts = (0..composite.part_count()).filter_map(|n| Some((n, composite.part(n)?)));
    parts
        .map(|(number, part)| match part.pose {
            None => Some((number, part.shape.into_owned())),
            Some(_) => None,
        })
        .collect()
}

/// The answers of all pairs of parts, each measured as a pair of its own.
pub(crate) fn all_pairs<V: Vector>(
    a: Placed<V>,
    b: Placed<V>,
    within: Real,
) -> Option<Vec<Separation<V>>> {
    let (parts_a, parts_b) = (bare_parts(a.shape)?, bare_parts(b.shape)?);
    let mut all = Vec::new();
    for (number_a, part_a) in &parts_a {
        for (number_b, part_b) in &parts_b {
            let (a, b) = (Placed::new(part_a, a.pose), Placed::new(part_b, b.pose));
            let answer = proximity(a, b, within).expect("valid poses");
            all.extend(answer.near().map(|near| Separation {
                part_a: *number_a,
                part_b: *number_b,
                ..near
            }));
        }
    }
    Some(all)
}

fn ask<V: Vector>(a: &Body<V>, b: &Body<V>, within: Real) -> Proximity<V> {
    proximity(a.placed(), b.placed(), within).expect("valid poses")
}

/// The answer as text: equal only for equal bits.
fn bits<T: core::fmt::Debug>(answer: T) -> String {
    format!("{answer:?}")
}

/// Where a search for all contacts says that it has the nearest one, that is the answer of the search for it alone.
fn the_nearest_contact_is_that_of_the_pair<V: Composites>() {
    let mut random = Pcg::new(1509);
    let (mut near, mut farther, mut unknown) = (0, 0, 0);
    for _ in 0..iterations(1500) {
        let [a, b] = sides::<V>(&mut random);
        let within = random.pick(&[-0.05, 0.0, 0.02, 0.5]);
        let effort = random.pick(&[DEFAULT_EFFORT, DEFAULT_EFFORT, 2000, 300]);
        let [at_a, at_b] = [&a, &b].map(|body| body.placed().with_effort(effort));
        let mut found = Vec::new();
        let of_all = each_contact(at_a, at_b, within, &mut |contact| found.push(contact));
        if of_all.nearest != NearestPart::Known {
            unknown += 1;
            continue;
        }
        let nearest = nearest_of_parts(at_a, at_b, &mut found.into_iter());
        let alone = proximity(at_a, at_b, within).expect("valid poses").near();
        let alone = alone.filter(|near| near.distance <= within);
        assert_eq!(bits(nearest), bits(alone), "{a:?} {b:?} {within} {effort}");
        (near, farther) = if alone.is_some() {
            (near + 1, farther)
        } else {
            (near, farther + 1)
        };
    }
    assert!(near > 300 && farther > 100, "{near} {farther} {unknown}");
}

fn a_composite_is_as_near_as_its_nearest_part<V: Composites>() {
    let mut random = Pcg::new(1501);
    let (mut compared, mut near, mut exact) = (0, 0, 0);
    for _ in 0..iterations(1500) {
        let [a, b] = sides::<V>(&mut random);
        let within = random.pick(&[0.0, 0.1, Real::INFINITY]);
        let Some(all) = all_pairs(a.placed(), b.placed(), within) else {
            continue;
        };
        compared += 1;
        let least = all
            .iter()
            .map(|answer| answer.distance)
            .fold(Real::INFINITY, Real::min);
        match ask(&a, &b, within) {
            Proximity::Near(answer) => {
                near += 1;
                assert_eq!(answer.distance, least, "{answer:?} {a:?} {b:?}");
                let named = all
                    .iter()
                    .find(|part| (part.part_a, part.part_b) == (answer.part_a, answer.part_b))
                    .expect("the parts that are named");
                let expected = Separation {
                    lower: answer.lower,
                    ..*named
                };
                assert_eq!(bits(answer), bits(expected), "{a:?} {b:?}");
                let lower = all
                    .iter()
                    .filter(|part| part.lower <= least)
                    .map(|part| part.lower)
                    .fold(Real::INFINITY, Real::min);
                exact += usize::from(answer.lower == lower);
                assert!(answer.lower <= named.lower && answer.lower >= lower);
            }
            Proximity::Farther { lower } => {
                assert!(all.is_empty(), "{all:?} {a:?} {b:?}");
                assert!(lower > within);
                let all =
                    all_pairs(a.placed(), b.placed(), Real::INFINITY).expect("parts as before");
                let least = all.iter().map(|answer| answer.upper);
                let least = least.fold(Real::INFINITY, Real::min);
                assert!(lower <= least, "{lower} {least} {a:?} {b:?}");
            }
            other => panic!("all parts count, and at most one is a half-space: {other:?}"),
        }
    }
    assert!(compared > 100 && near > 50, "{compared} {near}");
    assert!(exact * 100 >= near * 99, "{exact} of {near}");
}

fn contacts_are_those_of_the_parts<V: Composites>() {
    let mut random = Pcg::new(1502);
    let mut found = Vec::new();
    let mut total = 0;
    for _ in 0..iterations(1000) {
        let [a, b] = sides::<V>(&mut random);
        let within = random.pick(&[0.0, 0.1, 0.5, Real::INFINITY]);
        let (placed_a, placed_b) = (a.placed(), b.placed());
        contacts_into(placed_a, placed_b, within, &mut found).expect("valid poses");
        total += found.len();
        if let Some(mut all) = all_pairs(a.placed(), b.placed(), within) {
            all.retain(|contact| contact.distance <= within);
            assert_eq!(bits(&found), bits(&all), "{a:?} {b:?}");
        }
        // For parts with poses of their own: the answer within infinity, as far as it is as near.
        let mut all = Vec::new();
        contacts_into(placed_a, placed_b, Real::INFINITY, &mut all).expect("valid poses");
        all.retain(|contact| contact.distance <= within);
        assert_eq!(bits(&found), bits(&all), "{a:?} {b:?}");
        let least = ask(&a, &b, within).near();
        if let Some(least) = least.filter(|least| least.distance <= within) {
            let first = found.iter().map(|contact| contact.distance);
            assert_eq!(first.fold(Real::INFINITY, Real::min), least.distance);
        } else {
            assert!(found.is_empty(), "{a:?} {b:?}");
        }
    }
    assert!(total > 1000, "{total}");
}

fn exchanging_two_sides_mirrors_the_answer_bit_for_bit<V: Composites>() {
    let mut random = Pcg::new(1503);
    for round in 0..iterations(1500) {
        let [a, mut b] = sides::<V>(&mut random);
        match round % 8 {
            0 => b = a.clone(),
            1 => b.shape = a.shape.clone(),
            2 => b.pose = a.pose,
            _ => {}
        }
        for within in [0.0, 0.3, Real::INFINITY] {
            let (there, back) = (ask(&a, &b, within), ask(&b, &a, within));
            if within == Real::INFINITY && round % 8 > 2 {
                let touches = there.near().map(|near| near.distance <= 0.0);
                for (a, b) in [(&a, &b), (&b, &a)] {
                    assert_eq!(intersects(a.placed(), b.placed()).ok(), touches);
                }
            }
            // The same shape at the same pose has nothing that tells the sides apart.
            let is_mirrored = bits(back) == bits(there.flipped());
            assert!(
                is_mirrored || a == b && bits(back) == bits(there),
                "{a:?} {b:?}"
            );
        }
    }
}

fn parts_of_compounds_are_where_their_poses_put_them<V: Composites>() {
    let mut random = Pcg::new(1504);
    for _ in 0..iterations(300) {
        let parts: Vec<CompoundPart<V>> = (0..4)
            .map(|_| {
                CompoundPart::new(
                    convex(&mut random),
                    Pose::new(random.point::<V>(2.0), V::any_rotation(&mut random)),
                )
            })
            .collect();
        let (inner, outer) = (parts[..2].to_vec(), parts[2..].to_vec());
        let offset = Pose::new(random.point::<V>(2.0), V::any_rotation(&mut random));
        let mut all = outer;
        all.push(CompoundPart::new(
            Shape::compound(inner).expect("two parts"),
            offset,
        ));
        let compound = Shape::compound(all).expect("three parts");
        let body = Pose::new(random.point::<V>(2.0), V::any_rotation(&mut random));
        let shape = convex::<V>(&mut random);
        let other = Body::new(shape, Pose::from_translation(random.point::<V>(3.0)));
        let mut found = Vec::new();
        let compound = Placed::new(&compound, &body);
        contacts_into(compound, other.placed(), Real::INFINITY, &mut found).expect("valid poses");
        let order = [
            (2, Pose::IDENTITY),
            (3, Pose::IDENTITY),
            (0, offset),
            (1, offset),
        ];
        assert_eq!(found.len(), order.len());
        for (contact, (part, outer)) in found.iter().zip(order) {
            let part = &parts[part];
            let pose = body * (outer * part.pose);
            let alone = ask(&Body::new(part.shape.clone(), pose), &other, Real::INFINITY);
            let alone = alone.near().expect("no half-spaces");
            let error = (alone.distance - contact.distance).abs();
            assert!(error < 4e-5, "{alone:?} {contact:?}");
        }
    }
}

#[test]
fn boxes_of_composites_hold_all_parts() {
    let mut random = Pcg::new(1506);
    for _ in 0..iterations(500) {
        let shape = Vec3::composite(&mut random);
        let pose = Pose::new(random.point::<Vec3>(3.0), Vec3::any_rotation(&mut random));
        let bounds = shape.bounds_within(&pose, 0.25);
        let Shape::Composite(composite) = &shape else {
            panic!("a composite was made");
        };
        for_each_support(composite, &pose, &mut random, |point| {
            let inner = bounds.grown(-0.24);
            for k in 0..3 {
                assert!(inner.min[k] <= point[k] + 1e-5 && point[k] <= inner.max[k] + 1e-5);
            }
        });
    }
}

/// Farthest points of all parts, in the world.
fn for_each_support(
    composite: &Composite<Vec3>,
    pose: &Pose<Vec3>,
    random: &mut Pcg,
    mut visit: impl FnMut(Vec3),
) {
    use clearance_math::RelativePose;
    use clearance_shapes::Support;
    let body = RelativePose::from_pose(pose);
    for part in (0..composite.part_count()).filter_map(|number| composite.part(number)) {
        let Shape::Convex(convex) = &*part.shape else {
            panic!("a part that is not convex");
        };
        let direction = random.direction();
        let local = convex.core().support(direction) + direction * convex.radius();
        let in_body = part.pose.map_or(local, |pose| pose.transform_point(local));
        visit(Vec3::from_precise(body.transform_point(in_body)));
        assert!(local.length().is_finite());
    }
}

fn a_ray_hits_the_first_part_that_it_meets<V: Composites>() {
    let mut random = Pcg::new(1507);
    let (mut hits, mut asked) = (0, 0);
    for _ in 0..iterations(4000) {
        let shape = V::composite(&mut random);
        let pose = Pose::new(random.point::<V>(1.0), V::any_rotation(&mut random));
        let placed = Placed::new(&shape, &pose);
        let far = random.pick(&[0.5, 3.0, 1e3]);
        let origin: V = random.point(far);
        let towards: V = random.point(2.0);
        let Ok(ray) = Ray::new(origin, towards - origin) else {
            continue;
        };
        let options = RayOptions {
            max_distance: random.pick(&[1.0, Real::INFINITY]),
            interior: random.pick(&[Interior::Solid, Interior::Hollow]),
            back_faces: random.pick(&[BackFaces::Hit, BackFaces::Pass]),
        };
        let hit = cast_ray(&ray, placed, options).expect("a valid question");
        assert_eq!(ray_hits(&ray, placed, options), Ok(hit.is_some()));
        let Some(parts) = bare_parts(&shape) else {
            continue;
        };
        asked += 1;
        let alone = parts.iter().filter_map(|(number, part)| {
            let hit = cast_ray(&ray, Placed::new(part, &pose), options).expect("valid");
            hit.map(|hit| (hit.distance, hit.is_back_face, *number))
        });
        let first = alone.min_by(|a, b| a.partial_cmp(b).expect("no NaN"));
        let context = format!("{hit:?} {first:?} {ray:?} {options:?} {shape:?} {pose:?}");
        match (hit, first) {
            (Some(hit), Some((distance, _, number))) => {
                hits += 1;
                // The line of a composite is another rounding of the ray than that of its part.
                let error = (hit.distance - distance).abs();
                assert!(error <= 1e-6 * (1.0 + distance), "{context}");
                assert!(hit.part == number || error > 0.0, "{context}");
                assert!(hit.lower <= hit.distance && hit.distance <= hit.upper);
            }
            // A ray that grazes an edge may hit or miss by rounding; random rays do not.
            (None, None) => {}
            _ => panic!("{context}"),
        }
    }
    assert!(hits * 10 > asked && asked > 500, "{hits} of {asked}");
}

/// The vertices of a height field follow from its scale and are rounded; the bounds allow for that.
#[test]
fn bounds_hold_for_the_exact_vertices_of_a_height_field() {
    let mut random = Pcg::new(1508);
    let mut seen = 0;
    for _ in 0..iterations(2000) {
        let (size, up) = (random.extent(3.0), random.extent(1.0));
        let heights: Vec<Real> = (0..16).map(|_| random.between(-1.0, 1.0) as Real).collect();
        let field = Shape::height_field(&heights, 4, Vec3::new(size, up, size));
        let field = field.expect("a valid field");
        // Straight above a vertex that is the highest point around: its distance is that of heights.
        let (row, column) = (1 + random.below(2), 1 + random.below(2));
        let exact = |index: usize| (index as f64 / 3.0 - 0.5) * f64::from(size);
        let vertex = [
            exact(column),
            f64::from(heights[4 * row + column]) * f64::from(up),
            exact(row),
        ];
        let point = Vec3::new(vertex[0] as Real, 50.0, vertex[2] as Real);
        let apart = [point.x, point.y, point.z].map(f64::from);
        let squares = apart.iter().zip(vertex).map(|(p, v)| (p - v) * (p - v));
        let distance = squares.sum::<f64>().sqrt();
        let answer = point_proximity(point, Placed::new(&field, &Pose::IDENTITY), Real::INFINITY);
        let answer = answer
            .expect("a valid question")
            .near()
            .expect("no half-spaces");
        // The nearest vertex of the field is not farther away than this one.
        assert!(f64::from(answer.lower) <= distance, "{answer:?} {distance}");
        let is_it =
            (answer.point_b() - Vec3::from_array(vertex.map(|x| x as Real))).length() < 1e-6;
        if is_it {
            assert!(f64::from(answer.upper) >= distance, "{answer:?} {distance}");
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

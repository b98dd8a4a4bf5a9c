//! Parts that do not count: those that a question leaves out, and faces on whose outer side the other shape is not.

use clearance_gjk::{
    BackFaces, Cast, CastOptions, Leaving, Motion, Placed, Proximity, RayOptions, Separation,
    Status, cast_ray, cast_ray_all_into, cast_shapes, contacts_into, intersects, proximity,
    ray_hits,
};
use clearance_math::{Matrix, Pose, PreciseVector, Ray, Real, Rotation, Vector};
use clearance_shapes::{CompoundPart, Shape, ShapeError};

use crate::common::{Pcg, Space, in_both_dimensions, iterations};
use crate::composite_shapes::{Composites, convex};
use crate::rays::back_faces::{Closed, Surface, closed};

in_both_dimensions!(
    questions_about_some_parts_are_answered_by_these,
    casts_at_some_parts_meet_the_first_of_these,
    faces_count_on_their_outer_sides,
    closed_surfaces_lose_nothing_outside,
    casts_meet_closed_surfaces_from_outside,
    what_is_one_sided_can_be_stored_and_scaled,
    other_shapes_are_not_one_sided,
    bounds_hold_where_the_effort_ends,
);

fn all_contacts<V: Vector>(a: Placed<V>, b: Placed<V>, within: Real) -> Vec<Separation<V>> {
    let mut found = Vec::new();
    contacts_into(a, b, within, &mut found).expect("valid poses");
    found
}

fn pose<V: Space>(random: &mut Pcg, far: f64) -> Pose<V> {
    let place: V = random.point(far);
    Pose::new(place, V::any_rotation(random))
}

/// About two thirds of all numbers.
fn chosen(salt: u32) -> impl Fn(u32) -> bool + Sync {
    move |part| (part.wrapping_mul(0x9E37_79B1) ^ salt).wrapping_mul(0x85EB_CA6B) >> 16 & 3 != 0
}

/// Whether all that is asked of two sides is answered by some of their contacts.
fn assert_answered_by<V: Vector>([a, b]: [Placed<V>; 2], within: Real, expected: &[Separation<V>]) {
    assert_eq!(all_contacts(a, b, within), expected);
    let mut mirrored: Vec<_> = all_contacts(b, a, within);
    mirrored.iter_mut().for_each(|near| *near = near.flipped());
    mirrored.sort_by_key(|near| (near.part_a, near.part_b));
    assert_eq!(mirrored, expected);
    let least = expected.iter().map(|near| near.distance).reduce(Real::min);
    match proximity(a, b, within).expect("valid poses") {
        Proximity::Near(near) if near.distance <= within => {
            assert_eq!(Some(near.distance), least);
            assert!(expected.iter().any(|one| Separation {
                lower: near.lower,
                ..*one
            } == near));
        }
        _ => assert_eq!(least, None),
    }
    let touches = least.is_some_and(|least| least <= 0.0);
    assert!(within < 0.0 || intersects(a, b) == Ok(touches));
}

fn questions_about_some_parts_are_answered_by_these<V: Composites>() {
    let mut random = Pcg::new(0x51de);
    let (mut left_out, mut hits_left_out) = (0, 0);
    for _ in 0..iterations(400) {
        let other = if random.chance(0.5) {
            V::composite(&mut random)
        } else {
            convex(&mut random)
        };
        let shapes = [V::composite(&mut random), other];
        let poses = [pose(&mut random, 1.0), pose(&mut random, 2.0)];
        let salts = [random.below(1 << 20) as u32, random.below(1 << 20) as u32];
        let (of_a, of_b) = (chosen(salts[0]), chosen(salts[1]));
        let [a, b] = [0, 1].map(|k| Placed::new(&shapes[k], &poses[k]));
        let some = [a.with_parts(&of_a), b.with_parts(&of_b)];
        let is_composite = matches!(shapes[1], Shape::Composite(_));
        let within = random.pick(&[0.0, 0.5, 3.0]);
        let mut expected = all_contacts(a, b, within);
        let all = expected.len();
        expected.retain(|near| of_a(near.part_a) && (!is_composite || of_b(near.part_b)));
        left_out += all - expected.len();
        assert_answered_by(some, within, &expected);

        let (start, end): (V, V) = (random.point(4.0), random.point(1.5));
        let Ok(ray) = Ray::new(start, end - start) else {
            continue;
        };
        let (mut hits, mut found) = (Vec::new(), Vec::new());
        let options = RayOptions::default();
        cast_ray_all_into(&ray, a, options, &mut hits).expect("valid");
        let all = hits.len();
        hits.retain(|hit| of_a(hit.part));
        hits_left_out += all - hits.len();
        cast_ray_all_into(&ray, some[0], options, &mut found).expect("valid");
        assert_eq!(found, hits, "{ray:?}");
        assert_eq!(
            cast_ray(&ray, some[0], options),
            Ok(hits.first().copied()),
            "{ray:?}"
        );
        assert_eq!(
            ray_hits(&ray, some[0], options),
            Ok(!hits.is_empty()),
            "{ray:?}"
        );
    }
    assert!(
        left_out > 1000 && hits_left_out > 20,
        "{left_out} {hits_left_out}"
    );
}

fn casts_at_some_parts_meet_the_first_of_these<V: Composites>() {
    let mut random = Pcg::new(0x51df);
    let (mut met, mut others) = (0, 0);
    for case in 0..iterations(300) {
        let shapes = [convex(&mut random), V::composite(&mut random)];
        let poses: [Pose<V>; 2] = [pose(&mut random, 5.0), pose(&mut random, 1.0)];
        let of_b = chosen(random.below(1 << 20) as u32);
        let motion = Motion::from_linear((poses[1].translation() - poses[0].translation()) * 1.5);
        let a = Cast::new(Placed::new(&shapes[0], &poses[0]), motion);
        let b = Placed::new(&shapes[1], &poses[1]);
        let leaving = random.pick(&[Leaving::Hit, Leaving::Pass, Leaving::Ignore]);
        let options = CastOptions {
            leaving,
            ..CastOptions::default()
        };
        let Shape::Composite(composite) = &shapes[1] else {
            unreachable!("a composite")
        };
        // Each part alone, as a compound of it at its pose.
        let mut times = Vec::new();
        for number in (0..composite.part_count()).filter(|&number| of_b(number)) {
            let Some(part) = composite.part(number).filter(|part| part.pose.is_none()) else {
                continue;
            };
            let alone = Cast::resting(Placed::new(&part.shape, &poses[1]));
            times.extend(
                cast_shapes(a, alone, options)
                    .expect("valid")
                    .map(|hit| hit.time),
            );
        }
        let is_bare = |number| {
            composite
                .part(number)
                .is_none_or(|part| part.pose.is_none())
        };
        if !(0..composite.part_count()).all(is_bare) {
            continue;
        }
        let first = times.into_iter().reduce(Real::min);
        let found = cast_shapes(a, Cast::resting(b.with_parts(&of_b)), options).expect("valid");
        let time = found.map(|hit| hit.time);
        assert_eq!(
            time.is_some(),
            first.is_some(),
            "case {case}: {time:?} {first:?}"
        );
        let error = time.unwrap_or(0.0) - first.unwrap_or(0.0);
        assert!(error.abs() < 1e-5, "case {case}: {time:?} {first:?}");
        assert!(found.is_none_or(|hit| of_b(hit.separation.part_b)));
        met += usize::from(found.is_some());
        let of_all = cast_shapes(a, Cast::resting(b), options).expect("valid");
        others += usize::from(of_all.map(|hit| hit.time) != time);
    }
    assert!(met > 40 && others > 20, "{met} {others}");
}

/// A closed surface whose faces count on one side, alone, turned in a compound, or mirrored; and which normals they have.
struct OneSided<V: Vector> {
    shape: Shape<V>,
    two_sided: Shape<V>,
    normals: Vec<V::Precise>,
}

fn one_sided<V: Surface>(random: &mut Pcg, depth: Real) -> OneSided<V> {
    let Closed {
        surface,
        mut normals,
        ..
    } = closed::<V>(random);
    let mut two_sided = surface.clone();
    let mut shape = surface.one_sided(depth).expect("a surface");
    match random.below(3) {
        0 => {
            let pose = pose(random, 1.0);
            [shape, two_sided] = [shape, two_sided]
                .map(|shape| Shape::compound(vec![CompoundPart::new(shape, pose)]).expect("valid"));
            for normal in &mut normals {
                *normal = pose.rotation.matrix().apply(*normal);
            }
        }
        1 => {
            let mirror = V::splat(1.0).with_component(0, -1.0);
            [shape, two_sided] =
                [shape, two_sided].map(|shape| shape.scaled_by(mirror).expect("valid"));
            for normal in &mut normals {
                *normal = normal.with_component(0, -normal.component(0));
            }
        }
        _ => {}
    }
    OneSided {
        shape,
        two_sided,
        normals,
    }
}

fn faces_count_on_their_outer_sides<V: Surface + Composites>() {
    let mut random = Pcg::new(0x51e0);
    let (mut kept, mut left_out) = (0, 0);
    for case in 0..iterations(400) {
        let depth = random.pick(&[0.0, 0.1, 1.0]);
        let OneSided {
            shape,
            two_sided,
            normals,
        } = one_sided::<V>(&mut random, depth);
        let other = if random.chance(0.3) {
            V::composite(&mut random)
        } else {
            convex(&mut random)
        };
        let poses: [Pose<V>; 2] = [pose(&mut random, 1.0), pose(&mut random, 2.0)];
        let b = Placed::new(&other, &poses[1]);
        let within = 0.5;
        let mut expected = all_contacts(Placed::new(&two_sided, &poses[0]), b, within);
        let all = expected.len();
        let cosine = |near: &Separation<V>| {
            let outward = poses[0]
                .rotation
                .matrix()
                .apply(normals[near.part_a as usize]);
            outward.dot(near.normal.to_precise())
        };
        // The planes of merged faces are not quite those of their parts.
        if expected.iter().any(|near| cosine(near).abs() < 1e-3) {
            continue;
        }
        expected.retain(|near| cosine(near) > 0.0 && near.distance >= -depth);
        assert_answered_by([Placed::new(&shape, &poses[0]), b], within, &expected);
        kept += expected.len();
        left_out += all - expected.len();

        let (start, end): (V, V) = (random.point(4.0), random.point(1.5));
        let Ok(ray) = Ray::new(start, end - start) else {
            continue;
        };
        let from_front = RayOptions {
            back_faces: BackFaces::Pass,
            ..RayOptions::default()
        };
        let (a, plain) = (
            Placed::new(&shape, &poses[0]),
            Placed::new(&two_sided, &poses[0]),
        );
        let expected = cast_ray(&ray, plain, from_front);
        assert_eq!(
            cast_ray(&ray, a, RayOptions::default()),
            expected,
            "case {case}: {ray:?}"
        );
        let is_hit = ray_hits(&ray, a, RayOptions::default());
        assert_eq!(is_hit, Ok(expected.is_ok_and(|hit| hit.is_some())));
    }
    assert!(kept > 500 && left_out > 500, "{kept} {left_out}");
}

/// A body that is outside of a convex solid is as far from the outer sides of its surface as from the surface: a plank on a
/// ridge, and a ball at an edge, are met by one of the faces there.
fn closed_surfaces_lose_nothing_outside<V: Surface>() {
    let mut random = Pcg::new(0x51e1);
    let mut near_edges = 0;
    for case in 0..iterations(600) {
        let Closed {
            surface, corners, ..
        } = closed::<V>(&mut random);
        let solid = Shape::hull(&corners).expect("valid");
        let one_sided = surface.clone().one_sided(0.0).expect("a surface");
        let plank = V::splat(0.05).with_component(0, 4.0);
        let body = match random.below(3) {
            0 => Shape::cuboid(plank).expect("valid"),
            _ => convex(&mut random),
        };
        let poses: [Pose<V>; 2] = [pose(&mut random, 1.0), pose(&mut random, 5.0)];
        let body = Placed::new(&body, &poses[1]);
        let distance = |shape| {
            let near = proximity(Placed::new(shape, &poses[0]), body, Real::INFINITY);
            near.expect("valid").near()
        };
        let of_solid = distance(&solid).expect("finite shapes");
        if of_solid.lower <= 1e-4 {
            continue;
        }
        let (one, both) = (
            distance(&one_sided),
            distance(&surface).expect("finite shapes"),
        );
        let one = one.unwrap_or_else(|| panic!("case {case}: {both:?}"));
        assert_eq!(one.distance, both.distance, "case {case}");
        let is_far = (one.distance - of_solid.distance).abs() > 1e-4 * one.distance.max(1.0);
        assert!(!is_far, "case {case}: {one:?} {of_solid:?}");
        near_edges += usize::from(one.part_a != both.part_a);
    }
    assert!(near_edges > 0, "{near_edges}");
}

fn casts_meet_closed_surfaces_from_outside<V: Surface>() {
    let mut random = Pcg::new(0x51e2);
    let (mut met, mut passed) = (0, 0);
    for case in 0..iterations(400) {
        let Closed {
            surface, corners, ..
        } = closed::<V>(&mut random);
        let solid = Shape::hull(&corners).expect("valid");
        let one_sided = surface.clone().one_sided(0.0).expect("a surface");
        let body = convex::<V>(&mut random);
        let at: Pose<V> = pose(&mut random, 1.0);
        let start: Pose<V> = pose(&mut random, 6.0);
        let way = (at.translation() + random.point::<V>(1.5) - start.translation()) * 2.0;
        let cast = |from: Placed<V>, way: V, shape| {
            let moving = Cast::new(from, Motion::from_linear(way));
            let resting = Cast::resting(Placed::new(shape, &at));
            let options = CastOptions {
                leaving: Leaving::Pass,
                ..CastOptions::default()
            };
            cast_shapes(resting, moving, options).expect("valid")
        };
        let from = Placed::new(&body, &start);
        let apart = proximity(Placed::new(&solid, &at), from, 0.01).expect("valid");
        if matches!(apart, Proximity::Near(near) if near.lower <= 0.01) {
            continue;
        }
        let [of_solid, one] = [&solid, &one_sided].map(|shape| cast(from, way, shape));
        assert_eq!(
            of_solid.is_some(),
            one.is_some(),
            "case {case}: {of_solid:?}"
        );
        if let (Some(solid), Some(one)) = (of_solid, one) {
            met += 1;
            assert!(
                (solid.time - one.time).abs() < 1e-4,
                "case {case}: {solid:?} {one:?}"
            );
        }
        // From the middle outwards, and from a place beyond the surface, back in its sight.
        let middle =
            corners.iter().fold(V::ZERO, |sum, &at| sum + at) * (1.0 / corners.len() as Real);
        let middle = Pose::from_translation(at.transform_point(middle));
        let bead = Shape::ball(0.02).expect("valid");
        let inside = Placed::new(&bead, &middle);
        let deep = proximity(Placed::new(&solid, &at), inside, 0.0)
            .expect("valid")
            .near();
        if deep.is_some_and(|deep| deep.upper < -0.1) {
            passed += 1;
            assert!(cast(inside, way, &surface).is_some() || way.to_precise().length() < 5.0);
            assert_eq!(cast(inside, way, &one_sided), None, "case {case}");
        }
    }
    assert!(met > 50 && passed > 50, "{met} {passed}");
}

fn what_is_one_sided_can_be_stored_and_scaled<V: Surface>() {
    let mut random = Pcg::new(0x51e3);
    for _ in 0..20 {
        let Closed { surface, .. } = closed::<V>(&mut random);
        let shared = surface.clone();
        let thin = surface.clone().one_sided(0.25).expect("a surface");
        assert!(thin != shared && shared == surface);
        let part = |shape: &Shape<V>| CompoundPart::new(shape.clone(), Pose::IDENTITY);
        let compound = Shape::compound(vec![part(&surface), part(&thin)]).expect("valid");
        for shape in [&thin, &compound] {
            let encoding = shape.to_encoding().expect("no custom shape");
            assert_eq!(Shape::from_encoding(&encoding).as_ref(), Ok(shape));
            let Shape::Composite(composite) = shape else {
                unreachable!("a composite")
            };
            assert_eq!(composite.one_sided(), Some(0.25));
        }
        let Shape::Composite(scaled) = thin.scaled_by(V::splat(-2.0)).expect("valid") else {
            unreachable!("a composite")
        };
        assert_eq!(scaled.one_sided(), Some(0.5));
    }
}

fn other_shapes_are_not_one_sided<V: Space>() {
    let ball = Shape::<V>::ball(1.0).expect("valid");
    let pose = Pose::IDENTITY;
    let compound = Shape::compound(vec![CompoundPart::new(ball.clone(), pose)]).expect("valid");
    let line = Shape::polyline(vec![V::ZERO, V::axis(0)]).expect("valid");
    for shape in [
        &ball,
        &compound,
        &Shape::half_space(V::axis(1)).expect("valid"),
    ] {
        let refused = shape.clone().one_sided(0.1);
        assert_eq!(
            refused,
            Err(ShapeError::NoOuterSide {
                kind: shape.kind_name()
            })
        );
    }
    for depth in [-1.0, Real::NAN, Real::INFINITY] {
        assert!(line.clone().one_sided(depth).is_err());
    }
    assert_eq!(line.one_sided(0.0).is_ok(), V::DIM == 2);
}

fn bounds_hold_where_the_effort_ends<V: Composites>() {
    let mut random = Pcg::new(0x1e55);
    let mut ended = 0;
    for _ in 0..iterations(300) {
        let shapes = [V::composite(&mut random), convex(&mut random)];
        let poses = [pose(&mut random, 1.0), pose(&mut random, 2.0)];
        let parts = chosen(random.below(1 << 20) as u32);
        let [a, b] = [0, 1].map(|k| Placed::new(&shapes[k], &poses[k]));
        let some = a.with_parts(&parts);
        let within = 1.0;
        let answer = |effort| proximity(some.with_effort(effort), b, within).expect("valid poses");
        let whole = answer(u32::MAX).near();
        let [lower, upper] = whole.map_or([within, Real::INFINITY], |w| [w.lower, w.upper]);
        for effort in [0, 1, 3, 9, 27, 81] {
            match answer(effort) {
                Proximity::Near(near) => {
                    let bounds = [near.lower, near.distance, near.upper];
                    assert!(bounds.is_sorted(), "{near:?}");
                    assert!(
                        near.lower <= upper && near.upper >= lower,
                        "{near:?} {whole:?}"
                    );
                    assert!(parts(near.part_a), "{near:?} does not count");
                }
                Proximity::Undecided { lower } => {
                    assert!(lower <= within && lower <= upper, "{lower} {whole:?}");
                    ended += 1;
                }
                other => assert!(whole.is_none(), "{other:?} {whole:?}"),
            }
            let options = CastOptions {
                within,
                leaving: Leaving::Hit,
            };
            let [a, b] = [some.with_effort(effort), b].map(Cast::resting);
            let hit = cast_shapes(a, b, options).expect("valid casts");
            if hit.is_some_and(|hit| hit.status != Status::IterationLimit) {
                assert!(
                    whole.is_some_and(|whole| whole.lower <= within),
                    "{hit:?} {whole:?}"
                );
            }
        }
    }
    assert!(ended >= 50, "{ended}");
}

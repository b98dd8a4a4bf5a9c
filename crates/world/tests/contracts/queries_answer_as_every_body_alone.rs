//! Rays, boxes, points, shapes and searches for the nearest answer as asking every body alone does, also after
//! edits without a step, with any backend.

use clearance_gjk::{
    BackFaces, Interior, Placed, RayOptions, cast_ray, cast_ray_all_into, proximity,
};
use clearance_math::{Aabb, Pose, Ray, Real};
use clearance_shapes::Shape;
use clearance_world::{
    Body, BodyId, BodyRayHit, BodyRef, BodySeparation, Groups, Nearest, Options, World,
};

use crate::crowd::{BACKENDS, Dimension, any_body, crowd, with_backend, world_of};
use crate::random::Random;
use crate::shapes_of_your_own_are_bodies::crowd_with_eggs;
use crate::wanted::Wanted;

crate::in_both_dimensions!(
    as_by_asking_all_bodies,
    answers_to_rays_do_not_depend_on_how_many_there_were,
    boxes_of_nothing_find_nothing,
    bad_questions_are_refused,
    depths_of_changed_bodies_are_told,
    what_is_nearest_is_found_between_the_numbers_of_single_precision,
);

fn as_by_asking_all_bodies<V: Dimension>() {
    for backend in BACKENDS {
        let options = with_backend(backend);
        let (mut world, ids) = world_of(options, crowd_with_eggs::<V>(18, 150));
        let mut random = Random::new(18);
        let mut seen = Seen::default();
        check(&world, &mut random, &mut seen);
        world.step(0.1).unwrap();
        check(&world, &mut random, &mut seen);
        for id in &ids[50..70] {
            world.remove(*id).unwrap();
        }
        for id in &ids[80..100] {
            let pose = Pose::from_translation(random.vector::<V>(0.0, 8.0));
            world.body_mut(*id).unwrap().set_pose(pose).unwrap();
        }
        for _ in 0..20 {
            world.insert(any_body(&mut random, 150)).unwrap();
        }
        check(&world, &mut random, &mut seen);
        world.refresh();
        for id in &ids[90..120] {
            let pose = Pose::from_translation(random.vector::<V>(0.0, 8.0));
            world.body_mut(*id).unwrap().set_pose(pose).unwrap();
        }
        check(&world, &mut random, &mut seen);
        assert!(
            seen.rays > 40 && seen.near > 100 && seen.deep > 0 && seen.nearest > 100,
            "{seen:?}"
        );
        assert!(seen.in_boxes > 500, "{seen:?}");
    }
}

#[derive(Debug, Default)]
struct Seen {
    rays: usize,
    near: usize,
    deep: usize,
    nearest: usize,
    in_boxes: usize,
}

/// The filters that are tried, and what they mean for one body.
fn filters<'a, V: Dimension>(
    exclude: &'a [BodyId],
    predicate: &'a (dyn Fn(BodyRef<'_, V>) -> bool + Sync),
    parts: &'a (dyn Fn(BodyRef<'_, V>, u32) -> bool + Sync),
) -> [Wanted<'a, V>; 4] {
    let groups = Groups {
        memberships: 0b110,
        filter: 0b101,
    };
    [
        Wanted::default(),
        Wanted {
            groups,
            exclude,
            ..Wanted::default()
        },
        Wanted {
            predicate: Some(predicate),
            ..Wanted::default()
        },
        Wanted {
            parts: Some(parts),
            ..Wanted::default()
        },
    ]
}

/// Answers of a body alone, of which only some parts count.
fn alone<T, V: Dimension>(
    filter: &Wanted<'_, V>,
    body: BodyRef<'_, V>,
    ask: impl FnOnce(Placed<'_, V>) -> T,
) -> T {
    let placed = Placed::new(body.shape(), body.pose());
    match filter.parts {
        // Some parts of a solid are a surface, and all of them are not.
        Some(parts) => ask(placed.with_parts(&|part| parts(body, part))),
        None => ask(placed),
    }
}

fn is_meant<V: Dimension>(filter: &Wanted<'_, V>, body: BodyRef<'_, V>) -> bool {
    filter.groups.pairs_with(body.groups())
        && !filter.exclude.contains(&body.id())
        && filter.predicate.is_none_or(|predicate| predicate(body))
        && (matches!(body.shape(), Shape::Composite(_))
            || filter.parts.is_none_or(|parts| parts(body, 0)))
}

fn check<V: Dimension>(world: &World<V>, random: &mut Random, seen: &mut Seen) {
    let exclude: Vec<BodyId> = world.bodies().map(|body| body.id()).step_by(3).collect();
    let is_low = |body: BodyRef<'_, V>| body.pose().translation().component(1) < 2.0;
    let is_odd = |body: BodyRef<'_, V>, part: u32| (body.id().index() + part) % 2 == 1;
    for filter in filters(&exclude, &is_low, &is_odd) {
        for _ in 0..12 {
            check_rays(world, random, &filter, seen);
            check_shapes(world, random, &filter, seen);
            check_boxes(world, random, &filter, seen);
        }
    }
}

fn check_boxes<V: Dimension>(
    world: &World<V>,
    random: &mut Random,
    filter: &Wanted<'_, V>,
    seen: &mut Seen,
) {
    let low = random.vector::<V>(-1.0, 5.0);
    let bounds = Aabb::new(low, low + random.vector(0.5, 4.0));
    let found = filter.of(world).in_box(&bounds);
    let inside = world
        .bodies()
        .filter(|body| body.bounds().overlaps(&bounds));
    let meant = inside.filter(|&body| is_meant(filter, body));
    assert!(meant.map(|body| body.id()).eq(found.iter().copied()));
    seen.in_boxes += found.len();
}

fn check_rays<V: Dimension>(
    world: &World<V>,
    random: &mut Random,
    filter: &Wanted<'_, V>,
    seen: &mut Seen,
) {
    let (origin, towards) = (random.vector::<V>(-4.0, 9.0), random.vector::<V>(0.0, 6.0));
    // Of any length, until the range of numbers ends.
    let length = [1.0, 1.0, 1e-36, 1e-18, 1e18, 1e36][random.below(6)];
    let Ok(ray) = Ray::new(origin, (towards - origin) * length) else {
        return;
    };
    let options = RayOptions {
        max_distance: if random.once_in(2) {
            3.0
        } else {
            Real::INFINITY
        },
        interior: if random.once_in(2) {
            Interior::Solid
        } else {
            Interior::Hollow
        },
        back_faces: if random.once_in(4) {
            BackFaces::Pass
        } else {
            BackFaces::Hit
        },
    };
    let mut expected: Vec<(Real, BodyId, String)> = world
        .bodies()
        .filter(|&body| is_meant(filter, body))
        .filter_map(|body| {
            let hit = alone(filter, body, |placed| cast_ray(&ray, placed, options));
            let hit = hit.unwrap()?;
            Some((hit.distance, body.id(), format!("{hit:?}")))
        })
        .collect();
    expected.sort_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).unwrap());
    let as_text =
        |found: &BodyRayHit<V>| (found.hit.distance, found.body, format!("{:?}", found.hit));
    let mut all = Vec::new();
    filter
        .of(world)
        .cast_ray_all_into(&ray, options, &mut all)
        .unwrap();
    let all: Vec<_> = all.iter().map(as_text).collect();
    assert_eq!(all, expected);
    let first = filter.of(world).cast_ray(&ray, options).unwrap();
    assert_eq!(first.as_ref().map(as_text).as_ref(), expected.first());
    assert_eq!(
        filter.of(world).cast_ray_any(&ray, options),
        Ok(first.is_some())
    );
    check_parts_on_ray(world, &ray, (options, filter));
    seen.rays += usize::from(first.is_some());
}

/// The hits of all parts, too, are those of each body.
fn check_parts_on_ray<V: Dimension>(
    world: &World<V>,
    ray: &Ray<V>,
    (options, filter): (RayOptions, &Wanted<'_, V>),
) {
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    for body in world.bodies().filter(|&body| is_meant(filter, body)) {
        alone(filter, body, |placed| {
            cast_ray_all_into(ray, placed, options, &mut found).unwrap();
        });
        expected.extend(found.iter().map(|&hit| (body.id(), hit)));
    }
    expected.sort_by(|(a, one), (b, other)| {
        let distances = one.distance.total_cmp(&other.distance);
        distances.then((a, one.part).cmp(&(b, other.part)))
    });
    let mut all = Vec::new();
    filter
        .of(world)
        .cast_ray_parts_into(ray, options, &mut all)
        .unwrap();
    let all: Vec<_> = all.iter().map(|found| (found.body, found.hit)).collect();
    assert_eq!(all, expected, "{ray:?}");
}

fn check_shapes<V: Dimension>(
    world: &World<V>,
    random: &mut Random,
    filter: &Wanted<'_, V>,
    seen: &mut Seen,
) {
    let asking = any_body::<V>(random, 150);
    let (shape, pose) = if random.once_in(3) {
        let point = Shape::segment(V::ZERO, V::ZERO).unwrap();
        (point, Pose::from_translation(random.vector::<V>(-1.0, 7.0)))
    } else {
        (asking.shape, asking.pose)
    };
    let a = Placed::new(&shape, &pose);
    let within = [-0.02, 0.0, 0.3, 2.0][random.below(4)];
    let as_text = |found: &BodySeparation<V>| (found.body, format!("{:?}", found.separation));
    let each_alone = |within: Real| {
        let bodies = world.bodies().filter(|&body| is_meant(filter, body));
        let near = bodies.filter_map(|body| {
            let near = alone(filter, body, |b| proximity(a, b, within).unwrap());
            let near = near.near()?;
            (near.distance <= within).then_some(())?;
            Some((near.distance, body.id(), format!("{near:?}")))
        });
        near.collect::<Vec<_>>()
    };
    let expected: Vec<_> = each_alone(within)
        .into_iter()
        .map(|near| (near.1, near.2))
        .collect();
    let mut found = Vec::new();
    filter.of(world).near_into(a, within, &mut found).unwrap();
    found.retain(|found| found.separation.upper > Real::NEG_INFINITY);
    let texts: Vec<_> = found.iter().map(as_text).collect();
    assert_eq!(texts, expected);
    seen.near += found.len();
    seen.deep += usize::from(within < 0.0) * found.len();

    if shape.bounds(&pose).is_finite() {
        let nearest = Nearest {
            count: 1 + random.below(6),
            within: [-0.02, 0.05, 0.3, 0.9, 2.0, Real::INFINITY][random.below(6)],
        };
        let mut expected = each_alone(nearest.within);
        expected.sort_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).unwrap());
        expected.truncate(nearest.count);
        let expected: Vec<_> = expected.into_iter().map(|near| (near.1, near.2)).collect();
        filter
            .of(world)
            .nearest_into(a, nearest, &mut found)
            .unwrap();
        let texts: Vec<_> = found.iter().map(as_text).collect();
        assert_eq!(texts, expected);
        seen.nearest += found.len();
    }
}

/// The broad phase makes nodes for rays once there were many, and a copy has none yet.
fn answers_to_rays_do_not_depend_on_how_many_there_were<V: Dimension>() {
    let (mut world, _) = world_of(Options::default(), crowd::<V>(21, 300));
    let mut random = Random::new(21);
    let mut hits = 0;
    for _ in 0..4 {
        world.step(0.1).unwrap();
        let fresh = world.clone();
        for k in 0..1500 {
            let mut origin = random.vector::<V>(-4.0, 9.0);
            let mut towards = random.vector::<V>(0.0, 6.0) - origin;
            if k % 4 == 0 {
                // Along an axis, and from far away.
                towards = V::axis(k / 4 % V::DIM);
                origin = origin - towards * [10.0, 1e4, 1e6][random.below(3)];
            }
            let ray = Ray::new(origin, towards).unwrap();
            let hit = world.query().cast_ray(&ray, RayOptions::default()).unwrap();
            if k % 50 == 0 || k > 1400 {
                let one = fresh.clone();
                let first = one.query().cast_ray(&ray, RayOptions::default()).unwrap();
                assert_eq!(format!("{hit:?}"), format!("{first:?}"), "{ray:?}");
                hits += usize::from(hit.is_some());
            }
        }
    }
    assert!(hits > 100, "{hits}");
}

fn boxes_of_nothing_find_nothing<V: Dimension>() {
    let (mut world, ids) = world_of(Options::default(), crowd::<V>(17, 20));
    world.step(0.0).unwrap();
    let mut found = vec![ids[0]];
    let nan = Aabb::new(V::splat(Real::NAN), V::splat(1.0));
    for (bounds, expected) in [
        (nan, &[][..]),
        (Aabb::empty(), &[]),
        (Aabb::everything(), &ids),
    ] {
        world.query().in_box_into(&bounds, &mut found);
        assert_eq!(found, expected);
    }
}

fn bad_questions_are_refused<V: Dimension>() {
    let (world, _) = world_of(Options::default(), crowd::<V>(21, 10));
    let ray = Ray::new(V::ZERO, V::axis(0)).unwrap();
    let options = RayOptions {
        max_distance: Real::NAN,
        ..RayOptions::default()
    };
    assert!(world.query().cast_ray(&ray, options).is_err());
    let mut hits = Vec::new();
    assert!(
        world
            .query()
            .cast_ray_each_into(&[ray], options, &mut hits)
            .is_err()
    );
    let mut found = Vec::new();
    let nan = V::splat(Real::NAN);
    assert!(world.query().near_point_into(nan, 0.0, &mut found).is_err());
    let nearest = Nearest {
        within: Real::NAN,
        ..Nearest::default()
    };
    assert!(
        world
            .query()
            .nearest_to_point_into(V::ZERO, nearest, &mut found)
            .is_err()
    );
    let none = Nearest {
        count: 0,
        ..Nearest::default()
    };
    world
        .query()
        .nearest_to_point_into(V::ZERO, none, &mut found)
        .unwrap();
    assert!(found.is_empty());
}

/// Negative ranges ask for bodies that contain a point at least so deep, also where these were moved since the last step.
fn depths_of_changed_bodies_are_told<V: Dimension>() {
    let mut world = World::<V>::new(Options::default()).unwrap();
    let ball = Shape::ball(1.0).unwrap();
    let place = |k: usize| V::axis(0) * (k as Real * 0.125);
    let ids: Vec<BodyId> = (0..16)
        .map(|_| {
            world
                .insert(Body::moving(ball.clone(), Pose::IDENTITY))
                .unwrap()
        })
        .collect();
    world.step(0.0).unwrap();
    for (k, id) in ids.iter().enumerate() {
        world
            .body_mut(*id)
            .unwrap()
            .set_pose(Pose::from_translation(place(k)))
            .unwrap();
    }
    let mut found = Vec::new();
    for most in 0..8 {
        let within = most as Real * 0.125 - 1.0;
        world
            .query()
            .near_point_into(V::ZERO, within, &mut found)
            .unwrap();
        let bodies: Vec<BodyId> = found.iter().map(|near| near.body).collect();
        assert_eq!(bodies, ids[..=most], "within {within}");
        let nearest = Nearest { count: 3, within };
        world
            .query()
            .nearest_to_point_into(V::ZERO, nearest, &mut found)
            .unwrap();
        assert_eq!(found.len(), 3.min(most + 1));
    }
}

/// The steps of single precision are 8/1024 long here, and the point is beyond the one that it is rounded to.
fn what_is_nearest_is_found_between_the_numbers_of_single_precision<V: Dimension>() {
    let at = |steps: f64| V::axis(0).to_precise() * (1e5 + steps / 1024.0);
    for backend in BACKENDS {
        let ball = Shape::<V>::ball(1.0).unwrap();
        let pose = Pose::from_translation(at(1024.0 + 32.001));
        let options = Options {
            margin: 0.0,
            ..with_backend(backend)
        };
        let (mut world, ids) = world_of(options, [Body::fixed(ball, pose)]);
        world.step(0.0).unwrap();
        let nearest = Nearest {
            within: 29.002 / 1024.0,
            ..Nearest::default()
        };
        let mut found = Vec::new();
        world
            .query()
            .nearest_to_point_into(at(3.0), nearest, &mut found)
            .unwrap();
        let found: Vec<_> = found.iter().map(|found| found.body).collect();
        assert_eq!(found, ids, "{backend:?}");
    }
}

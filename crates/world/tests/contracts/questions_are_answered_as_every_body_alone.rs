//! Whatever is asked of a world is answered as asking every body alone answers it: by any filter, also after edits without a
//! step, and with any backend.

use core::fmt::Debug;

use clearance_gjk::{
    BackFaces, Cast, CastOptions, Interior, Leaving, Motion, Placed, RayOptions, cast_ray,
    cast_ray_all_into, cast_shapes, proximity,
};
use clearance_math::{Aabb, Pose, Ray, Real, Rotation, Vec3};
use clearance_shapes::Shape;
use clearance_world::{
    Body, BodyCastHit, BodyId, BodyRayHit, BodyRef, BodySeparation, Groups, Nearest, Options, World,
};

use crate::crowd::{BACKENDS, Dimension, Sure, any_body, crowd, with_backend, world_of};
use crate::random::Random;
use crate::shapes_of_your_own_are_bodies::crowd_with_eggs;
use crate::wanted::Wanted;

crate::in_both_dimensions!(
    answers_are_those_of_every_body_alone,
    answers_to_rays_do_not_depend_on_how_many_there_were,
    boxes_of_nothing_find_nothing,
    depths_of_changed_bodies_are_told,
    what_is_nearest_is_found_between_the_numbers_of_single_precision,
);

/// An answer: how far a body is or when it is met, which one it is, and all else, of which the text tells -0 from 0.
pub(crate) type Found = (Real, BodyId, String);

/// What each body alone answers that the filter means, the nearest first.
fn each_alone<V: Dimension, T: Debug>(
    world: &World<V>,
    filter: &Wanted<'_, V>,
    ask: impl Fn(Placed<'_, V>) -> Vec<(Real, T)>,
) -> Vec<Found> {
    let mut found = Vec::new();
    for body in world.bodies().filter(|&body| filter.means(body)) {
        let counts = |part| filter.parts.is_none_or(|parts| parts(body, part));
        // Some parts of a solid are a surface without an inside, and all of them are not.
        let answers = match filter.parts {
            Some(_) => ask(body.placed().with_parts(&counts)),
            None => ask(body.placed()),
        };
        let text = |(measure, answer)| (measure, body.id(), format!("{answer:?}"));
        found.extend(answers.into_iter().map(text));
    }
    found.sort_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).unwrap());
    found
}

fn of_ray<V: Dimension>(found: BodyRayHit<V>) -> Found {
    (found.hit.distance, found.body, format!("{:?}", found.hit))
}

fn of_cast<V: Dimension>(found: BodyCastHit<V>) -> Found {
    (found.hit.time, found.body, format!("{:?}", found.hit))
}

pub(crate) fn near<V: Dimension>(found: BodySeparation<V>) -> Found {
    let separation = found.separation;
    (separation.distance, found.body, format!("{separation:?}"))
}

/// All answers, and those to who wants the first one only, and to who wants to know whether there is any.
fn assert_first_of_all<T>(
    (all, first, any): (Vec<T>, Option<T>, bool),
    expected: &[Found],
    text: fn(T) -> Found,
) {
    let all: Vec<_> = all.into_iter().map(text).collect();
    assert_eq!(all, expected);
    assert_eq!(first.map(text).as_ref(), expected.first());
    assert_eq!(any, !expected.is_empty());
}

/// How many answers there were.
#[derive(Debug, Default)]
struct Seen {
    rays: usize,
    casts: usize,
    near: usize,
    deep: usize,
    nearest: usize,
    in_boxes: usize,
}

fn answers_are_those_of_every_body_alone<V: Dimension>() {
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
        put_anywhere(&mut world, &ids[80..100], &mut random);
        for _ in 0..20 {
            world.insert(any_body(&mut random, 150)).unwrap();
        }
        check(&world, &mut random, &mut seen);
        world.refresh();
        put_anywhere(&mut world, &ids[90..120], &mut random);
        check(&world, &mut random, &mut seen);
        let is_near = seen.near > 100 && seen.deep > 0 && seen.nearest > 100;
        assert!(seen.rays > 40 && seen.casts > 60 && is_near, "{seen:?}");
        assert!(seen.in_boxes > 500, "{seen:?}");
    }
}

pub(crate) fn put_anywhere<V: Dimension>(
    world: &mut World<V>,
    ids: &[BodyId],
    random: &mut Random,
) {
    for &id in ids {
        let pose = Pose::from_translation(random.vector::<V>(0.0, 8.0));
        world.at(id).set_pose(pose).unwrap();
    }
}

fn check<V: Dimension>(world: &World<V>, random: &mut Random, seen: &mut Seen) {
    let groups = Groups {
        memberships: 0b110,
        filter: 0b101,
    };
    let exclude: Vec<BodyId> = world.bodies().map(|body| body.id()).step_by(3).collect();
    let is_low = |body: BodyRef<'_, V>| body.pose().translation().component(1) < 2.0;
    let is_odd = |body: BodyRef<'_, V>, part: u32| (body.id().index() + part) % 2 == 1;
    let all = Wanted::default();
    let some = Wanted {
        groups,
        exclude: &exclude,
        ..all
    };
    let low = Wanted {
        predicate: Some(&is_low),
        ..all
    };
    let odd_parts = Wanted {
        parts: Some(&is_odd),
        ..all
    };
    for filter in [all, some, low, odd_parts] {
        for _ in 0..12 {
            seen.rays += check_ray(world, &filter, random);
            seen.casts += check_cast(world, &filter, random);
            seen.in_boxes += check_box(world, &filter, random);
            check_shape(world, &filter, random, seen);
        }
    }
}

fn check_box<V: Dimension>(world: &World<V>, filter: &Wanted<'_, V>, random: &mut Random) -> usize {
    let low = random.vector::<V>(-1.0, 5.0);
    let bounds = Aabb::new(low, low + random.vector(0.5, 4.0));
    let found = filter.of(world).in_box(&bounds);
    let inside = world
        .bodies()
        .filter(|body| body.bounds().overlaps(&bounds));
    let meant = inside.filter(|&body| filter.means(body));
    assert!(meant.map(|body| body.id()).eq(found.iter().copied()));
    found.len()
}

fn check_ray<V: Dimension>(world: &World<V>, filter: &Wanted<'_, V>, random: &mut Random) -> usize {
    let (origin, towards) = (random.vector::<V>(-4.0, 9.0), random.vector::<V>(0.0, 6.0));
    // Of any length, until the range of numbers ends.
    let length = [1.0, 1.0, 1e-36, 1e-18, 1e18, 1e36][random.below(6)];
    let Ok(ray) = Ray::new(origin, (towards - origin) * length) else {
        return 0;
    };
    let options = RayOptions {
        max_distance: [3.0, Real::INFINITY][random.below(2)],
        interior: [Interior::Solid, Interior::Hollow][random.below(2)],
        back_faces: [BackFaces::Pass, BackFaces::Hit][random.below(4).min(1)],
    };
    usize::from(check_hits(world, filter, (ray, options)) > 0)
}

/// All hits of a ray, the first, any, and those of all parts; says how many bodies are hit.
pub(crate) fn check_hits<V: Dimension>(
    world: &World<V>,
    filter: &Wanted<'_, V>,
    (ray, options): (Ray<V>, RayOptions),
) -> usize {
    let query = filter.of(world);
    let expected = each_alone(world, filter, |body| {
        let hit = cast_ray(&ray, body, options).unwrap();
        hit.map(|hit| (hit.distance, hit)).into_iter().collect()
    });
    let found = (
        query.cast_ray_all(&ray, options).unwrap(),
        query.cast_ray(&ray, options).unwrap(),
        query.cast_ray_any(&ray, options).unwrap(),
    );
    assert_first_of_all(found, &expected, of_ray);
    // The hits of all parts, too, are those of each body.
    let parts = each_alone(world, filter, |body| {
        let mut hits = Vec::new();
        cast_ray_all_into(&ray, body, options, &mut hits).unwrap();
        hits.into_iter().map(|hit| (hit.distance, hit)).collect()
    });
    let found = query.cast_ray_parts(&ray, options).unwrap();
    assert_eq!(found.into_iter().map(of_ray).collect::<Vec<_>>(), parts);
    expected.len()
}

/// Any shape, which goes through the crowd or a little way, and sometimes turns.
pub(crate) fn any_cast<V: Dimension>(random: &mut Random) -> (Body<V>, Motion<V>) {
    let mut body = any_body::<V>(random, 150);
    body.pose = Pose::new(random.vector::<V>(-8.0, 14.0), body.pose.rotation);
    let towards = random.vector::<V>(0.0, 6.0) - body.pose.translation();
    let share = [0.3, 1.5, 40.0][random.below(3)];
    let turn = random.vector::<Vec3>(-3.0, 3.0) * [0.0, 0.0, 0.2, 1.0][random.below(4)];
    let angular = V::Rotation::angular_from_space(turn);
    (body, Motion::new(towards * share, angular))
}

fn check_cast<V: Dimension>(
    world: &World<V>,
    filter: &Wanted<'_, V>,
    random: &mut Random,
) -> usize {
    let (body, motion) = any_cast::<V>(random);
    let cast = Cast::new(Placed::new(&body.shape, &body.pose), motion);
    let options = CastOptions {
        within: [0.0, 0.0, 0.3][random.below(3)],
        leaving: [Leaving::Hit, Leaving::Pass][random.below(2)],
    };
    let query = filter.of(world);
    let expected = each_alone(world, filter, |body| {
        let hit = cast_shapes(cast, Cast::resting(body), options).unwrap();
        hit.map(|hit| (hit.time, hit)).into_iter().collect()
    });
    let found = (
        query.cast_shape_all(cast, options).unwrap(),
        query.cast_shape(cast, options).unwrap(),
        query.cast_shape_any(cast, options).unwrap(),
    );
    assert_first_of_all(found, &expected, of_cast);
    usize::from(!expected.is_empty())
}

fn check_shape<V: Dimension>(
    world: &World<V>,
    filter: &Wanted<'_, V>,
    random: &mut Random,
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
    let query = filter.of(world);
    let alone = |within: Real| {
        each_alone(world, filter, |body| {
            let near = proximity(a, body, within).unwrap().near();
            let near = near.filter(|near| near.distance <= within);
            near.map(|near| (near.distance, near)).into_iter().collect()
        })
    };
    let within = [-0.02, 0.0, 0.3, 2.0][random.below(4)];
    let mut found = query.near(a, within).unwrap();
    found.retain(|found| found.separation.upper > Real::NEG_INFINITY);
    let mut expected = alone(within);
    expected.sort_by_key(|found| found.1);
    seen.near += found.len();
    seen.deep += usize::from(within < 0.0) * found.len();
    assert_eq!(found.into_iter().map(near).collect::<Vec<_>>(), expected);
    if shape.bounds(&pose).is_finite() {
        let nearest = Nearest {
            count: 1 + random.below(6),
            within: [-0.02, 0.05, 0.3, 0.9, 2.0, Real::INFINITY][random.below(6)],
        };
        let mut expected = alone(nearest.within);
        expected.truncate(nearest.count);
        let found = query.nearest(a, nearest).unwrap();
        seen.nearest += found.len();
        assert_eq!(found.into_iter().map(near).collect::<Vec<_>>(), expected);
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
            .at(*id)
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

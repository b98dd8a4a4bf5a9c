//! Shapes in motion meet what they meet of every body alone, also after edits without a step, with any
//! backend and any number of threads.

use clearance_gjk::{Cast, CastHit, CastOptions, Leaving, Motion, Placed, cast_shapes};
use clearance_math::{Pose, Real, Rotation, Vec3};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyCastHit, BodyId, BodyRef, Groups, Options, World};

use crate::crowd::{BACKENDS, Dimension, any_body, crowd, with_backend, with_threads, world_of};
use crate::random::Random;
use crate::wanted::Wanted;

crate::in_both_dimensions!(
    as_by_casting_at_all_bodies,
    batches_of_casts_do_not_depend_on_threads,
    bad_casts_are_refused,
);

/// Any shape, which goes through the crowd or a little way, and sometimes turns.
fn asked<V: Dimension>(random: &mut Random) -> (Body<V>, Motion<V>) {
    let mut body = any_body::<V>(random, 150);
    body.pose = Pose::new(random.vector::<V>(-8.0, 14.0), body.pose.rotation);
    let towards = random.vector::<V>(0.0, 6.0) - body.pose.translation();
    let share = [0.3, 1.5, 40.0][random.below(3)];
    let turn = random.vector::<Vec3>(-3.0, 3.0) * [0.0, 0.0, 0.2, 1.0][random.below(4)];
    let angular = V::Rotation::angular_from_space(turn);
    (body, Motion::new(towards * share, angular))
}

fn key<V: Dimension>(found: &BodyCastHit<V>) -> (Real, BodyId) {
    (found.hit.time, found.body)
}

/// When a cast meets each body, in the order of time.
fn one_by_one<V: Dimension>(
    world: &World<V>,
    (cast, options): (Cast<V>, CastOptions),
    filter: &Wanted<V>,
) -> Vec<(Real, BodyId, CastHit<V>)> {
    let mut expected: Vec<_> = world
        .bodies()
        .filter(|body| {
            let has_parts = matches!(body.shape(), Shape::Composite(_));
            filter.groups.pairs_with(body.groups())
                && !filter.exclude.contains(&body.id())
                && (has_parts || filter.parts.is_none_or(|parts| parts(*body, 0)))
        })
        .filter_map(|body| {
            let counts = |part| filter.parts.is_none_or(|parts| parts(body, part));
            let whole = Placed::new(body.shape(), body.pose());
            // Some parts of a solid are a surface without an inside.
            let b = match filter.parts {
                Some(_) => whole.with_parts(&counts),
                None => whole,
            };
            let hit = cast_shapes(cast, Cast::resting(b), options).unwrap()?;
            Some((hit.time, body.id(), hit))
        })
        .collect();
    expected.sort_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).unwrap());
    expected
}

fn check<V: Dimension>(world: &World<V>, random: &mut Random) -> usize {
    let exclude: Vec<BodyId> = world.bodies().map(|body| body.id()).step_by(3).collect();
    let groups = Groups {
        memberships: 0b110,
        filter: 0b101,
    };
    let some = Wanted {
        groups,
        exclude: &exclude,
        ..Wanted::default()
    };
    let is_odd = |body: BodyRef<'_, V>, part: u32| (body.id().index() + part) % 2 == 1;
    let odd_parts = Wanted {
        parts: Some(&is_odd),
        ..Wanted::default()
    };
    let mut met = 0;
    for number in 0..40 {
        let filter = [Wanted::default(), some, odd_parts][number % 3];
        let (body, motion) = asked::<V>(random);
        let cast = Cast::new(Placed::new(&body.shape, &body.pose), motion);
        let options = CastOptions {
            within: [0.0, 0.0, 0.3][random.below(3)],
            leaving: [Leaving::Hit, Leaving::Pass][random.below(2)],
        };
        let expected = one_by_one(world, (cast, options), &filter);
        let mut all = Vec::new();
        filter
            .of(world)
            .cast_shape_all_into(cast, options, &mut all)
            .unwrap();
        let found: Vec<_> = all
            .iter()
            .map(|found| (found.hit.time, found.body, found.hit))
            .collect();
        assert_eq!(found, expected, "{body:?} {motion:?}");
        let first = filter.of(world).cast_shape(cast, options).unwrap();
        assert_eq!(first.as_ref().map(key), all.first().map(key));
        assert_eq!(first, all.first().copied());
        assert_eq!(
            filter.of(world).cast_shape_any(cast, options),
            Ok(first.is_some())
        );
        met += usize::from(first.is_some());
    }
    met
}

fn as_by_casting_at_all_bodies<V: Dimension>() {
    for backend in BACKENDS {
        let options = with_backend(backend);
        let (mut world, ids) = world_of(options, crowd::<V>(28, 120));
        let mut random = Random::new(28);
        let mut met = check(&world, &mut random);
        world.step(0.1).unwrap();
        met += check(&world, &mut random);
        for id in &ids[50..60] {
            world.remove(*id).unwrap();
        }
        for id in &ids[80..100] {
            let pose = Pose::from_translation(random.vector::<V>(0.0, 8.0));
            world.body_mut(*id).unwrap().set_pose(pose).unwrap();
        }
        met += check(&world, &mut random);
        assert!(met > 40, "{met}");
    }
}

fn batches_of_casts_do_not_depend_on_threads<V: Dimension>() {
    let mut answers = Vec::new();
    for threads in [1, 3] {
        let options = with_threads(threads);
        let (mut world, _) = world_of(options, crowd::<V>(29, 60));
        world.step(0.1).unwrap();
        let mut random = Random::new(29);
        let asked: Vec<_> = (0..3000).map(|_| asked::<V>(&mut random)).collect();
        let casts: Vec<Cast<'_, V>> = asked
            .iter()
            .map(|(body, motion)| Cast::new(Placed::new(&body.shape, &body.pose), *motion))
            .collect();
        let options = CastOptions::default();
        let mut hits = Vec::new();
        world
            .query()
            .cast_shape_each_into(&casts, options, &mut hits)
            .unwrap();
        for (cast, hit) in casts.iter().zip(&hits).step_by(50) {
            assert_eq!(world.query().cast_shape(*cast, options).unwrap(), *hit);
        }
        let hits: Vec<_> = hits
            .iter()
            .map(|hit| hit.map(|hit| (hit.body.index(), hit.hit)))
            .collect();
        answers.push(hits);
    }
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].iter().flatten().count() > 500);
}

fn bad_casts_are_refused<V: Dimension>() {
    let (world, _) = world_of(Options::default(), crowd::<V>(30, 10));
    let (body, motion) = asked::<V>(&mut Random::new(30));
    let placed = Placed::new(&body.shape, &body.pose);
    let mut hits = Vec::new();
    let bad = CastOptions {
        within: -1.0,
        ..CastOptions::default()
    };
    assert!(
        world
            .query()
            .cast_shape(Cast::new(placed, motion), bad)
            .is_err()
    );
    let lost = Cast::new(placed, Motion::from_linear(V::splat(Real::NAN)));
    let options = CastOptions::default();
    assert!(
        world
            .query()
            .cast_shape_all_into(lost, options, &mut hits)
            .is_err()
    );
    assert!(world.query().cast_shape_any(lost, options).is_err());
    let good = Cast::new(placed, motion);
    assert!(
        world
            .query()
            .cast_shape_each_into(&[good, lost], options, &mut Vec::new())
            .is_err()
    );
}

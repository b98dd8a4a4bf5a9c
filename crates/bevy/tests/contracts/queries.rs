//! Questions by entity.

use crate::common::{app2, ask, asked, at, ball, insert, spawn, transform_of};
use bevy_app::App;
use bevy_clearance::dim2::{
    Collider, CompoundBody, EntitySeparation, InWorld, Layers, MoveAndSlide, Sensor, SpatialQuery,
    Swept, Velocity,
};
use bevy_clearance::{EntityPart, Sensors, SpatialFilter};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::components::Transform;
use clearance::dim2::{Aabb, Cast, IVec2, Motion, Placed, Pose, Ray, Shape, SlideOptions};
use clearance::{CastOptions, Nearest, RayOptions};

/// Balls of radius 0.5 at x = 2, 4 and 6, in layers 1, 2 and 4; the one at 4 is a sensor.
fn row() -> (App, [Entity; 3]) {
    let mut app = app2();
    let balls = [2.0, 4.0, 6.0].map(|x| {
        let layers = Layers::member_of(1 << (x as u32 / 2 - 1));
        spawn(&mut app, (ball(0.5), at(x, 0.0), layers))
    });
    insert(&mut app, balls[1], Sensor);
    app.update();
    (app, balls)
}

fn ray() -> Ray {
    Ray::new(Vec2::ZERO, Vec2::X).expect("it has a direction")
}

/// What a ray along the row hits.
fn hits(app: &mut App, filter: SpatialFilter<'_>) -> Vec<Entity> {
    asked(app, |space| {
        let all = space
            .cast_ray_all(&ray(), RayOptions::default(), &filter)
            .expect("the options are valid");
        let first = space
            .cast_ray(&ray(), RayOptions::default(), &filter)
            .expect("the options are valid");
        assert_eq!(first, all.first().copied());
        all.iter().map(|hit| hit.entity).collect()
    })
}

#[test]
fn filters_leave_out_what_they_say() {
    let (mut app, [a, b, c]) = row();
    assert_eq!(hits(&mut app, SpatialFilter::new()), [a, b, c]);
    assert_eq!(
        hits(
            &mut app,
            SpatialFilter::new().with_layers(Layers::of(1 | 4))
        ),
        [a, c]
    );
    let own = [a, Entity::PLACEHOLDER];
    assert_eq!(hits(&mut app, SpatialFilter::new().without(&own)), [b, c]);
    let is_b = move |entity| entity == b;
    assert_eq!(
        hits(&mut app, SpatialFilter::new().with_predicate(&is_b)),
        [b]
    );
    assert!(hits(&mut app, SpatialFilter::new().in_world(InWorld(9))).is_empty());
    let sorts = [Sensors::Met, Sensors::Skipped, Sensors::Alone];
    let found = sorts.map(|sort| hits(&mut app, SpatialFilter::new().with_sensors(sort)));
    assert_eq!(found, [vec![a, b, c], vec![a, c], vec![b]]);
    // The predicate may be a query.
    let found = ask(
        &mut app,
        |space: SpatialQuery, sensors: Query<(), With<Sensor>>| {
            let is_solid = |entity| !sensors.contains(entity);
            let filter = SpatialFilter::new().with_predicate(&is_solid);
            space
                .cast_ray_all(&ray(), RayOptions::default(), &filter)
                .expect("the options are valid")
                .len()
        },
    );
    assert_eq!(found, 2);
}

#[test]
fn rays_and_casts_name_entities() {
    let (mut app, [a, b, c]) = row();
    let filter = SpatialFilter::new();
    let answers = asked(&mut app, |space| -> Result {
        let up = Ray::new(Vec2::ZERO, Vec2::Y)?;
        let hits = space.cast_ray_each(&[up, ray()], RayOptions::default(), &filter)?;
        let distances = hits.iter().map(|hit| hit.map(|hit| hit.hit.distance));
        assert!(distances.eq([None, Some(1.5)]));
        let (probe, place) = (Shape::ball(0.5)?, Pose::IDENTITY);
        let way = Motion::from_linear(Vec2::X * 8.0);
        let cast = Cast::new(Placed::new(&probe, &place), way);
        let hit = space.cast_shape(cast, CastOptions::default(), &filter)?;
        let first = hit.map(|hit| (hit.entity, hit.hit.time));
        assert_eq!(first, Some((a, 0.125)));
        let all = space.cast_shape_all(cast, CastOptions::default(), &filter)?;
        assert!(all.iter().map(|hit| hit.entity).eq([a, b, c]));
        let both = space.cast_shape_each(&[cast, cast], CastOptions::default(), &filter)?;
        assert_eq!(both, [hit, hit]);
        let backwards = RayOptions {
            max_distance: -1.0,
            ..RayOptions::default()
        };
        assert!(space.cast_ray(&ray(), backwards, &filter).is_err());
        Ok(())
    });
    answers.expect("every question is valid");
}

#[test]
fn what_is_near_has_its_entity_and_distance() {
    let (mut app, [a, b, c]) = row();
    let filter = SpatialFilter::new();
    let of = |found: Vec<EntitySeparation>| -> Vec<(Entity, f32)> {
        let named = found
            .iter()
            .map(|near| (near.entity, near.separation.distance));
        named.collect()
    };
    let answers = asked(&mut app, |space| -> Result {
        let (probe, place) = (Shape::ball(0.5)?, Pose::IDENTITY);
        let probe = Placed::new(&probe, &place);
        assert_eq!(of(space.near(probe, 3.0, &filter)?), [(a, 1.0), (b, 3.0)]);
        let inside = space.near_point(Vec2::new(6.0, 0.0), 0.0, &filter)?;
        assert_eq!(of(inside), [(c, -0.5)]);
        let (count, within) = (2, f32::INFINITY);
        let two = space.nearest(probe, Nearest { count, within }, &filter)?;
        assert_eq!(of(two), [(a, 1.0), (b, 3.0)]);
        let points = [Vec2::X * 9.0, Vec2::ZERO];
        let nearest = space.nearest_to_point_each(&points, Nearest::default(), &filter)?;
        let named = nearest.iter().map(|(point, near)| (*point, near.entity));
        assert!(named.eq([(0, c), (1, a)]));
        let bounds = Aabb::new(Vec2::new(3.6, 0.0), Vec2::new(9.0, 1.0));
        assert_eq!(space.in_box(&bounds, &filter), [b, c]);
        assert_eq!(space.in_box(&bounds, &filter.without(&[b])), [c]);
        Ok(())
    });
    answers.expect("every question is valid");
}

#[test]
fn a_collider_without_cells_is_there_to_be_built_in() {
    let mut app = app2();
    let built = |cells: &[IVec2]| Collider::from(Shape::voxels(Vec2::ONE, cells).expect("valid"));
    let map = spawn(&mut app, (built(&[]), at(2.0, -0.5)));
    let ball = spawn(&mut app, (ball(0.5), at(7.0, 0.0)));
    app.update();
    assert_eq!(hits(&mut app, SpatialFilter::new()), [ball]);
    insert(&mut app, map, built(&[IVec2::ZERO]));
    app.update();
    assert_eq!(hits(&mut app, SpatialFilter::new()), [map, ball]);
    insert(&mut app, map, built(&[]));
    app.update();
    assert_eq!(hits(&mut app, SpatialFilter::new()), [ball]);
}

#[test]
fn parts_of_compounds_are_told_apart() {
    let mut app = app2();
    let body = spawn(&mut app, CompoundBody);
    let near = spawn(&mut app, (ball(0.5), at(2.0, 0.0), ChildOf(body)));
    let far = spawn(&mut app, (ball(0.5), at(4.0, 0.0), ChildOf(body)));
    app.update();
    let hit = asked(&mut app, |space| {
        let is_far = move |part: EntityPart| part.collider != near;
        let filter = SpatialFilter::new().with_parts(&is_far);
        [SpatialFilter::new(), filter].map(|filter| {
            space
                .cast_ray(&ray(), RayOptions::default(), &filter)
                .expect("it is valid")
        })
    });
    assert_eq!(
        hit.map(|hit| hit.map(|hit| (hit.entity, hit.collider))),
        [Some((body, near)), Some((body, far))]
    );
}

#[test]
fn moves_slide_along_walls_and_pass_sensors() {
    let (mut app, [_, _, last]) = row();
    let hero = spawn(&mut app, (ball(0.25), at(2.75, 0.0)));
    app.update();
    let options = SlideOptions {
        up: None,
        ..SlideOptions::default()
    };
    let step = MoveAndSlide::new(hero, &at(2.75, 0.0), Vec2::new(9.0, 0.0)).with_options(options);
    let slide = asked(&mut app, |space| {
        space.move_and_slide(&step, &SpatialFilter::new())
    });
    let slide = slide.expect("it is valid").expect("the hero has a body");
    // Past the first, through the sensor, and up to the skin of 0.005 before the last.
    assert!(
        (slide.translation - Vec2::new(5.245, 0.0)).length() < 1e-3,
        "{slide:?}"
    );
    assert!(slide.touched.iter().any(|touch| touch.entity == last));
    let mut transform = Transform::from_xyz(2.75, 0.0, 4.0);
    slide.apply_to(&mut transform);
    assert_eq!(
        (transform.translation.truncate(), transform.translation.z),
        (slide.translation, 4.0)
    );
    let nobody = MoveAndSlide::new(Entity::PLACEHOLDER, &Transform::IDENTITY, Vec2::X);
    let refused = asked(&mut app, |space| {
        space.move_and_slide(&nobody, &SpatialFilter::new())
    });
    assert_eq!(refused, Ok(None));
}

#[test]
fn a_walker_stands_on_the_child_that_carries_it() {
    let mut app = app2();
    let lift = spawn(&mut app, CompoundBody);
    let plate = Collider::cuboid(Vec2::new(1.0, 0.25)).expect("it has a size");
    let plate = spawn(&mut app, (plate, ChildOf(lift)));
    let hero = spawn(&mut app, (ball(0.5), at(0.0, 0.8)));
    app.update();
    let mut ground = None;
    for frame in 0..20 {
        let place = *transform_of(&mut app, hero);
        let step = MoveAndSlide::new(hero, &place, Vec2::new(0.0, -0.1)).standing_on(ground);
        let slide = asked(&mut app, |space| {
            space.move_and_slide(&step, &SpatialFilter::new())
        });
        let slide = slide.expect("it is valid").expect("the hero has a body");
        ground = slide.slide.ground;
        assert!(frame < 2 || slide.ground == Some(plate));
        slide.apply_to(&mut transform_of(&mut app, hero));
        transform_of(&mut app, lift).translation += bevy_math::Vec3::new(0.05, 0.1, 0.0);
        app.update();
    }
    let place = app
        .world()
        .entity(hero)
        .get::<Transform>()
        .expect("it has one")
        .translation;
    assert!(
        (place.x - 0.95).abs() < 0.02 && (place.y - 2.66).abs() < 0.02,
        "carried 19 times: {place}"
    );
}

#[test]
fn swept_bodies_tell_what_they_met_on_their_way() {
    let (mut app, [a, b, c]) = row();
    let bullet = (ball(0.01), Velocity::linear(Vec2::X * 640.0), Swept);
    let bullet = spawn(&mut app, bullet);
    app.update();
    let met = ask(&mut app, move |contacts: bevy_clearance::dim2::Contacts| {
        contacts
            .impacts_of(bullet)
            .iter()
            .map(|impact| (impact.other(bullet), impact.hit.time))
            .collect::<Vec<_>>()
    });
    let times = [0.149, 0.349, 0.549];
    assert_eq!(
        met.iter().map(|met| met.0).collect::<Vec<_>>(),
        [a, b, c].map(Some)
    );
    assert!(
        met.iter()
            .zip(times)
            .all(|(met, time)| (met.1 - time).abs() < 1e-5),
        "{met:?}"
    );
    assert_eq!(
        app.world()
            .entity(bullet)
            .get::<Transform>()
            .map(|transform| transform.translation.x),
        Some(10.0)
    );
}

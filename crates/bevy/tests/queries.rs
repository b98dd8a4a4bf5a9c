//! Questions by entity.

mod common;

use bevy_app::App;
use bevy_clearance::dim2::{
    Collider, CompoundBody, InWorld, Layers, MoveAndSlide, Sensor, SpatialQuery, Swept, Velocity,
};
use bevy_clearance::{EntityPart, SpatialFilter};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::components::Transform;
use clearance::dim2::{Aabb, Cast, Motion, Placed, Pose, Ray, Shape, SlideOptions};
use clearance::{CastOptions, Nearest, RayOptions};
use common::{app2, ask, asked};

fn ball(radius: f32) -> Collider {
    Collider::ball(radius).expect("the radius is positive")
}

fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

/// Balls of radius 0.5 at x = 2, 4 and 6, in layers 1, 2 and 4; the one at 4 is a sensor.
fn row() -> (App, [Entity; 3]) {
    let mut app = app2();
    let balls = [2.0, 4.0, 6.0].map(|x| {
        let layers = Layers::member_of(1 << (x as u32 / 2 - 1));
        app.world_mut().spawn((ball(0.5), at(x, 0.0), layers)).id()
    });
    app.world_mut().entity_mut(balls[1]).insert(Sensor);
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
            .ray_all(&ray(), RayOptions::default(), &filter)
            .expect("the options are valid");
        let first = space
            .ray(&ray(), RayOptions::default(), &filter)
            .expect("the options are valid");
        assert_eq!(first, all.first().copied());
        all.iter().map(|hit| hit.entity).collect()
    })
}

#[test]
fn filters_leave_out_what_they_say() {
    let (mut app, [a, b, c]) = row();
    assert_eq!(hits(&mut app, SpatialFilter::default()), [a, b, c]);
    assert_eq!(
        hits(
            &mut app,
            SpatialFilter {
                layers: Layers::of(1 | 4),
                ..SpatialFilter::default()
            }
        ),
        [a, c]
    );
    let own = [a, Entity::PLACEHOLDER];
    assert_eq!(
        hits(
            &mut app,
            SpatialFilter {
                excluded: &own,
                ..SpatialFilter::default()
            }
        ),
        [b, c]
    );
    let is_b = move |entity| entity == b;
    assert_eq!(
        hits(
            &mut app,
            SpatialFilter {
                predicate: Some(&is_b),
                ..SpatialFilter::default()
            }
        ),
        [b]
    );
    assert!(
        hits(
            &mut app,
            SpatialFilter {
                world: InWorld(9),
                ..SpatialFilter::default()
            }
        )
        .is_empty()
    );
    // The predicate may be a query.
    let found = ask(
        &mut app,
        |space: SpatialQuery, sensors: Query<(), With<Sensor>>| {
            let is_solid = |entity| !sensors.contains(entity);
            let filter = SpatialFilter {
                predicate: Some(&is_solid),
                ..SpatialFilter::default()
            };
            space
                .ray_all(&ray(), RayOptions::default(), &filter)
                .expect("the options are valid")
                .len()
        },
    );
    assert_eq!(found, 2);
}

#[test]
fn rays_casts_and_distances_name_entities() {
    let (mut app, [a, b, c]) = row();
    let filter = SpatialFilter::default();
    asked(&mut app, |space| -> Result {
        let up = Ray::new(Vec2::ZERO, Vec2::Y)?;
        let hits = space.rays(&[up, ray()], RayOptions::default(), &filter)?;
        assert_eq!(
            hits.iter()
                .map(|hit| hit.map(|hit| hit.hit.distance))
                .collect::<Vec<_>>(),
            [None, Some(1.5)]
        );
        let (probe, place) = (Shape::ball(0.5)?, Pose::IDENTITY);
        let probe = Placed::new(&probe, &place);
        let cast = Cast::new(probe, Motion::from_linear(Vec2::X * 8.0));
        let hit = space
            .cast(cast, CastOptions::default(), &filter)?
            .ok_or("it meets the first")?;
        assert_eq!((hit.entity, hit.hit.time), (a, 0.125));
        let all = space.cast_all(cast, CastOptions::default(), &filter)?;
        assert!(all.iter().map(|hit| hit.entity).eq([a, b, c]));
        assert_eq!(
            space.casts(&[cast, cast], CastOptions::default(), &filter)?,
            [Some(hit), Some(hit)]
        );
        let near = space.near(probe, 3.0, &filter)?;
        assert!(
            near.iter()
                .map(|near| (near.entity, near.separation.distance))
                .eq([(a, 1.0), (b, 3.0)])
        );
        let at_point = space.near_point(Vec2::new(6.0, 0.0), 0.0, &filter)?;
        assert!(
            at_point
                .iter()
                .map(|near| (near.entity, near.separation.distance))
                .eq([(c, -0.5)])
        );
        let two = Nearest {
            count: 2,
            ..Nearest::default()
        };
        assert!(
            space
                .nearest(probe, two, &filter)?
                .iter()
                .map(|near| near.entity)
                .eq([a, b])
        );
        let nearest =
            space.nearest_to_points(&[Vec2::X * 9.0, Vec2::ZERO], Nearest::default(), &filter)?;
        assert!(
            nearest
                .iter()
                .map(|(question, near)| (*question, near.entity))
                .eq([(0, c), (1, a)])
        );
        let in_box = space.in_box(
            &Aabb::new(Vec2::new(3.6, 0.0), Vec2::new(9.0, 1.0)),
            InWorld(0),
        );
        assert_eq!(in_box, [b, c]);
        assert!(
            space
                .ray(
                    &ray(),
                    RayOptions {
                        max_distance: -1.0,
                        ..RayOptions::default()
                    },
                    &filter
                )
                .is_err()
        );
        Ok(())
    })
    .expect("every question is valid");
}

#[test]
fn parts_of_compounds_are_told_apart() {
    let mut app = app2();
    let body = app.world_mut().spawn(CompoundBody).id();
    let near = app
        .world_mut()
        .spawn((ball(0.5), at(2.0, 0.0), ChildOf(body)))
        .id();
    let far = app
        .world_mut()
        .spawn((ball(0.5), at(4.0, 0.0), ChildOf(body)))
        .id();
    app.update();
    let hit = asked(&mut app, |space| {
        let is_far = move |part: EntityPart| part.collider != near;
        let filter = SpatialFilter {
            parts: Some(&is_far),
            ..SpatialFilter::default()
        };
        [SpatialFilter::default(), filter].map(|filter| {
            space
                .ray(&ray(), RayOptions::default(), &filter)
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
    let hero = app.world_mut().spawn((ball(0.25), at(2.75, 0.0))).id();
    app.update();
    let options = SlideOptions {
        up: None,
        ..SlideOptions::default()
    };
    let step = MoveAndSlide {
        options,
        ..MoveAndSlide::new(hero, Vec2::new(9.0, 0.0))
    };
    let slide = asked(&mut app, |space| {
        space.move_and_slide(&step, &SpatialFilter::default())
    });
    let slide = slide.expect("it is valid").expect("the hero has a body");
    // Past the first, through the sensor, and up to the skin of 0.005 before the last.
    assert!(
        (slide.translation - Vec2::new(5.245, 0.0)).length() < 1e-3,
        "{slide:?}"
    );
    assert!(slide.touched.iter().any(|touch| touch.entity == last));
    let mut transform = Transform::from_xyz(0.0, 0.0, 4.0);
    slide.apply_to(&mut transform);
    assert_eq!(
        (transform.translation.truncate(), transform.translation.z),
        (slide.translation, 4.0)
    );
    let nobody = MoveAndSlide::new(Entity::PLACEHOLDER, Vec2::X);
    let refused = asked(&mut app, |space| {
        space.move_and_slide(&nobody, &SpatialFilter::default())
    });
    assert_eq!(refused, Ok(None));
}

#[test]
fn a_walker_stands_on_the_child_that_carries_it() {
    let mut app = app2();
    let lift = app.world_mut().spawn(CompoundBody).id();
    let plate = Collider::cuboid(Vec2::new(1.0, 0.25)).expect("it has a size");
    let plate = app.world_mut().spawn((plate, ChildOf(lift))).id();
    let hero = app.world_mut().spawn((ball(0.5), at(0.0, 0.8))).id();
    app.update();
    let mut ground = None;
    for frame in 0..20 {
        let step = MoveAndSlide {
            ground,
            ..MoveAndSlide::new(hero, Vec2::new(0.0, -0.1))
        };
        let slide = asked(&mut app, |space| {
            space.move_and_slide(&step, &SpatialFilter::default())
        });
        let slide = slide.expect("it is valid").expect("the hero has a body");
        ground = slide.slide.ground;
        assert!(frame < 2 || slide.ground == Some(plate));
        slide.apply_to(
            &mut app
                .world_mut()
                .entity_mut(hero)
                .get_mut::<Transform>()
                .expect("it has one"),
        );
        app.world_mut()
            .entity_mut(lift)
            .get_mut::<Transform>()
            .expect("it has one")
            .translation += bevy_math::Vec3::new(0.05, 0.1, 0.0);
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
    let bullet = app.world_mut().spawn(bullet).id();
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

//! A platformer of tiles, with one-way platforms, a lift, and coins.
//!
//! It runs without a window. To see it, a game adds `DefaultPlugins` of Bevy in place of the plugins of time and
//! transforms, a `Camera2d`, a `Sprite` to each entity, and keys in place of the script that `main` plays.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use bevy_app::{App, FixedUpdate};
use bevy_clearance::dim2::*;
use bevy_ecs::prelude::*;
use bevy_math::{IVec2, Vec2};
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use clearance::dim2::{Cells, Shape, SlideGround};

const MAP: [&str; 8] = [
    "#              #",
    "#            o #",
    "#           ####",
    "#              #",
    "#   --         #",
    "#              #",
    "#    o    L    #",
    "################",
];
const GRAVITY: f32 = 25.0;

/// What the player wants.
#[derive(Resource, Clone, Copy, Default)]
struct Input {
    walk: f32,
    jumps: bool,
    drops: bool,
}

#[derive(Resource, Default)]
struct Coins(usize);

#[derive(Component, Default)]
struct Hero {
    fall: f32,
    ground: Option<SlideGround>,
}

/// A platform that is passed from below.
#[derive(Component)]
struct OneWay {
    top: f32,
}

/// Goes up and down between two heights.
#[derive(Component)]
struct Lift {
    low: f32,
    high: f32,
    speed: f32,
}

fn level(mut commands: Commands) -> Result {
    let mut cells = Cells::new();
    for (row, line) in MAP.iter().rev().enumerate() {
        for (column, tile) in line.chars().enumerate() {
            let corner = Vec2::new(column as f32, row as f32);
            let middle = Transform::from_translation((corner + Vec2::splat(0.5)).extend(0.0));
            match tile {
                '#' => {
                    _ = cells.set_box(
                        IVec2::new(column as i32, row as i32),
                        IVec2::new(column as i32, row as i32),
                        true,
                    )?
                }
                '-' => {
                    let plank = Shape::cuboid(Vec2::new(0.5, 0.1))?.translated(Vec2::Y * 0.4)?;
                    commands.spawn((
                        Collider::from(plank),
                        Mobility::Fixed,
                        OneWay {
                            top: corner.y + 1.0,
                        },
                        middle,
                    ));
                }
                'o' => {
                    _ = commands
                        .spawn((Collider::ball(0.3)?, Sensor, CollisionEvents, middle))
                        .observe(collect)
                }
                'L' => {
                    let lift = Lift {
                        low: corner.y - 0.1,
                        high: corner.y + 4.9,
                        speed: 2.0,
                    };
                    commands.spawn((Collider::cuboid(Vec2::new(1.45, 0.1))?, lift, middle));
                }
                _ => {}
            }
        }
    }
    // All tiles are one shape, whose seams nobody trips over.
    commands.spawn((Collider::tiles_of(Vec2::ONE, cells, [])?, Mobility::Fixed));
    commands.spawn((
        Hero::default(),
        Collider::capsule(0.3, 0.25)?,
        Transform::from_xyz(1.5, 2.0, 0.0),
    ));
    Ok(())
}

fn collect(
    coin: On<CollisionStarted>,
    mut commands: Commands,
    mut coins: ResMut<Coins>,
    heroes: Query<(), With<Hero>>,
) {
    if heroes.contains(coin.contact.other) {
        coins.0 += 1;
        commands.entity(coin.entity).despawn();
    }
}

fn move_lifts(lifts: Query<(&mut Lift, &mut Transform)>, time: Res<Time>) {
    for (mut lift, mut transform) in lifts {
        let height = &mut transform.translation.y;
        *height = (*height + lift.speed * time.delta_secs()).clamp(lift.low, lift.high);
        if *height == lift.low || *height == lift.high {
            lift.speed = -lift.speed;
        }
    }
}

fn walk(
    hero: Single<(Entity, &mut Hero, &mut Transform)>,
    space: SpatialQuery,
    one_ways: Query<&OneWay>,
    (input, time): (Res<Input>, Res<Time>),
) -> Result {
    let (entity, mut hero, mut transform) = hero.into_inner();
    let seconds = time.delta_secs();
    hero.fall = match hero.ground {
        Some(_) if input.jumps => 13.0,
        Some(_) => -GRAVITY * seconds,
        None => hero.fall - GRAVITY * seconds,
    };
    let feet = transform.translation.y - 0.55;
    let is_met = |other| {
        one_ways
            .get(other)
            .map_or(true, |platform| !input.drops && platform.top <= feet)
    };
    let filter = SpatialFilter {
        predicate: Some(&is_met),
        ..SpatialFilter::default()
    };
    let motion = Vec2::new(6.0 * input.walk, hero.fall) * seconds;
    // Who jumps or drops lets go of the ground.
    let ground = hero.ground.filter(|_| !input.jumps && !input.drops);
    let slide = space.move_and_slide(
        &MoveAndSlide {
            ground,
            ..MoveAndSlide::new(entity, motion)
        },
        &filter,
    )?;
    hero.ground = slide.slide.ground;
    if slide.slide.motion.y < motion.y - 1e-3 {
        hero.fall = hero.fall.min(0.0);
    }
    slide.apply_to(&mut transform);
    Ok(())
}

fn game() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, CollisionPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.init_resource::<Input>().init_resource::<Coins>();
    app.add_systems(bevy_app::Startup, level);
    // The first step makes the bodies that the hero asks about.
    app.add_systems(
        FixedUpdate,
        (
            move_lifts,
            walk.run_if(|world: Res<CollisionWorld>| !world.world().is_empty()),
        )
            .chain(),
    );
    app
}

/// Runs some steps with an input, and says where the hero is then.
fn frames(app: &mut App, count: usize, input: Input) -> Vec2 {
    app.insert_resource(input);
    (0..count).for_each(|_| app.update());
    let mut heroes = app.world_mut().query_filtered::<&Transform, With<Hero>>();
    let place = heroes
        .single(app.world())
        .map(|transform| transform.translation.truncate());
    place.expect("there is one hero")
}

fn play() -> Vec<Vec2> {
    let mut app = game();
    let still = Input::default();
    let right = Input { walk: 1.0, ..still };
    let mut places = vec![frames(&mut app, 40, still)];
    places.push(frames(&mut app, 35, right));
    frames(
        &mut app,
        1,
        Input {
            jumps: true,
            ..still
        },
    );
    places.push(frames(&mut app, 60, still));
    frames(
        &mut app,
        12,
        Input {
            drops: true,
            ..still
        },
    );
    places.push(frames(&mut app, 60, still));
    // To the lift, which sinks into the floor, and up with it to the ledge.
    places.push(frames(&mut app, 36, right));
    while app
        .world_mut()
        .query::<(&Lift, &Transform)>()
        .iter(app.world())
        .all(|(lift, place)| place.translation.y > lift.low)
    {
        frames(&mut app, 1, still);
    }
    frames(&mut app, 22, right);
    while frames(&mut app, 1, still).y < 6.1 {}
    places.push(frames(&mut app, 40, right));
    assert_eq!(
        app.world().resource::<Coins>().0,
        2,
        "one on the floor, one on the ledge"
    );
    places
}

fn main() {
    for place in play() {
        println!("the hero is at {place}");
    }
}

#[test]
fn the_hero_jumps_drops_and_rides() {
    let places = play();
    println!("{places:?}");
    let is_near = |number: usize, place: Vec2| {
        let found: Vec2 = places[number];
        assert!((found - place).length() < 0.1, "{number}: {found}");
    };
    is_near(0, Vec2::new(1.5, 1.555));
    is_near(1, Vec2::new(4.75, 1.555));
    // Through the platform from below, and onto it; then down through it.
    is_near(2, Vec2::new(4.75, 4.555));
    is_near(3, Vec2::new(4.75, 1.555));
    is_near(4, Vec2::new(8.1, 1.555));
    is_near(5, Vec2::new(13.9, 6.555));
}

//! A platformer of tiles, with one-way platforms, a lift, and coins.
//!
//! It runs without a window. To see it, a game adds `DefaultPlugins` of Bevy in place of the plugins of time and
//! transforms, a `Camera2d`, a `Sprite` to each entity, and keys in place of the script that `main` plays. With the argument `watch`
//! the page of `clearance view` shows it.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use bevy_app::{App, FixedUpdate};
use bevy_clearance::{EntityPart, dim2::*};
use bevy_ecs::prelude::*;
use bevy_math::{IVec2, Vec2};
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::{TransformPlugin, components::Transform};
use clearance::dim2::{Cells, OneWay, Shape, SlideGround, Tile};
use clearance_render::{SvgOptions, svg};
use show::Show;

mod show;

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
    /// The velocity of the ground that it left.
    carried: Vec2,
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
                '#' | '-' => {
                    let cell = IVec2::new(column as i32, row as i32);
                    cells.set_tile(cell, u8::from(tile == '-'))?;
                }
                'o' => {
                    let coin = (Collider::ball(0.3)?, Sensor, CollisionEvents, middle);
                    let coin = (Name::new("coin"), coin);
                    commands.spawn(coin).observe(collect);
                }
                'L' => {
                    let (low, high, speed) = (corner.y - 0.1, corner.y + 4.9, 2.0);
                    let plate = Collider::cuboid(Vec2::new(1.45, 0.1))?;
                    commands.spawn((Name::new("lift"), plate, Lift { low, high, speed }, middle));
                }
                _ => {}
            }
        }
    }
    let plank = Shape::cuboid(Vec2::new(0.5, 0.1))?.translated(Vec2::new(0.5, 0.9))?;
    let (normal, depth) = (Vec2::Y, 0.05);
    let plank = Tile {
        one_way: Some(OneWay { normal, depth }),
        ..Tile::new(plank)
    };
    // All tiles are one shape, whose seams nobody trips over.
    let tiles = Collider::tiles_of(Vec2::ONE, cells, [plank])?;
    commands.spawn((Name::new("tiles"), tiles, BodyKind::Fixed));
    let start = Transform::from_xyz(1.5, 2.0, 0.0);
    let hero = (Name::new("hero"), Hero::default());
    commands.spawn((hero, Collider::capsule(0.3, 0.25)?, start));
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
    colliders: Query<&Collider>,
    (input, time): (Res<Input>, Res<Time>),
) -> Result {
    let (entity, mut hero, mut transform) = hero.into_inner();
    let seconds = time.delta_secs();
    hero.fall = match hero.ground {
        Some(_) if input.jumps => 13.0,
        Some(_) => -GRAVITY * seconds,
        None => hero.fall - GRAVITY * seconds,
    };
    let one_way = |part: EntityPart| {
        let cells = colliders.get(part.entity).ok()?.shape().as_voxels()?;
        cells.tile(part.part)?.one_way
    };
    let stops = |part| !input.drops || one_way(part).is_none();
    let filter = SpatialFilter::new().with_parts(&stops);
    // Who drops lets go of the ground. It carries all others, also in the frame of a jump; who has left it keeps its velocity.
    let ground = hero.ground.filter(|_| !input.drops);
    let carried = ground.map_or(hero.carried, |_| Vec2::ZERO);
    let motion = (Vec2::new(6.0 * input.walk, hero.fall) + carried) * seconds;
    let step = MoveAndSlide::new(entity, &transform, motion).standing_on(ground);
    let Some(slide) = space.move_and_slide(&step, &filter)? else {
        return Ok(());
    };
    hero.ground = slide.slide.ground;
    if let Some(ground) = hero.ground {
        hero.carried = ground.velocity;
    }
    // A head that met a ceiling does not stick to it.
    if motion.y > 0.0 && slide.slide.motion.y < 0.5 * motion.y {
        (hero.fall, hero.carried) = (0.0, Vec2::ZERO);
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
    app.add_systems(FixedUpdate, (move_lifts, walk).chain());
    app
}

/// Runs some steps with an input, and says where the hero is then.
fn frames(app: &mut App, count: usize, input: Input) -> Vec2 {
    app.insert_resource(input);
    (0..count).for_each(|_| app.update());
    let mut heroes = app.world_mut().query_filtered::<&Transform, With<Hero>>();
    let hero = heroes.single(app.world()).expect("there is one");
    hero.translation.truncate()
}

fn play(app: &mut App) -> Vec<Vec2> {
    let still = Input::default();
    let [mut right, mut jump, mut drop] = [still; 3];
    (right.walk, jump.jumps, drop.drops) = (1.0, true, true);
    let mut places = vec![frames(app, 40, still)];
    places.push(frames(app, 35, right));
    frames(app, 1, jump);
    places.push(frames(app, 60, still));
    frames(app, 12, drop);
    places.push(frames(app, 60, still));
    // To the lift, which sinks into the floor, and up with it to the ledge.
    places.push(frames(app, 36, right));
    frames(app, 59, still);
    frames(app, 22, right);
    while frames(app, 1, still).y < 6.1 {}
    places.push(frames(app, 40, right));
    assert_eq!(app.world().resource::<Coins>().0, 2, "floor and ledge");
    places
}

fn main() {
    let show = Show {
        app: game(),
        play: |app| println!("the hero was at {:?}", play(app)),
        draw: |world| svg(world, &SvgOptions::default()).into_bytes(),
    };
    show.run();
}

#[test]
fn the_hero_jumps_drops_and_rides() {
    // To below the platform, up through it and onto it, down through it, to the lift, and on the ledge.
    let x = [1.5, 4.75, 4.75, 4.75, 8.1, 13.9];
    let y = [1.555, 1.555, 4.555, 1.555, 1.555, 6.555];
    for (k, found) in play(&mut game()).into_iter().enumerate() {
        let away = found - Vec2::new(x[k], y[k]);
        assert!(away.length() < 0.1, "{k}: {found}");
    }
}

#[test]
fn who_jumps_off_a_lift_keeps_its_velocity() {
    let mut app = game();
    let [still, mut right, mut jump] = [Input::default(); 3];
    (right.walk, jump.jumps) = (1.0, true);
    frames(&mut app, 40, still);
    frames(&mut app, 71, right);
    let lift = |app: &mut App| {
        let mut lifts = app.world_mut().query::<(&Lift, &Transform)>();
        let (lift, transform) = lifts.single(app.world()).expect("there is one");
        (lift.speed, transform.translation.y)
    };
    while lift(&mut app).1 > 1.2 {
        frames(&mut app, 1, still);
    }
    frames(&mut app, 22, right);
    while frames(&mut app, 1, still).y < 2.5 || lift(&mut app).0 < 0.0 {}
    let start = frames(&mut app, 0, still).y;
    let mut top = frames(&mut app, 1, jump).y;
    for _ in 0..60 {
        top = top.max(frames(&mut app, 1, still).y);
    }
    // At 13 units a second, and the 2 of the lift; falls count from the second frame on.
    let (speed, seconds) = (15.0, 1.0 / 64.0);
    let expected = speed * speed / (2.0 * GRAVITY) + 0.5 * speed * seconds;
    assert!((top - start - expected).abs() < 0.03, "{start} {top}");
}

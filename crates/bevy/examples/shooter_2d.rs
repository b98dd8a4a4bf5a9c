//! A shooter seen from above: 5,000 bullets, of which none passes through a wall or an enemy, and a hero that slides along walls.
//!
//! It runs without a window. To see it, a game adds `DefaultPlugins` of Bevy in place of the plugins of time and
//! transforms, a `Camera2d`, a `Sprite` to each entity, and keys in place of the script that `main` plays.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use bevy_app::{App, FixedLast, FixedUpdate, Startup};
use bevy_clearance::dim2::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use clearance::dim2::SlideOptions;
use clearance_render::{SvgOptions, svg};
use show::Show;

mod show;

const WALL: u32 = 1 << 0;
const HERO: u32 = 1 << 1;
const ENEMY: u32 = 1 << 2;
const BULLET: u32 = 1 << 3;

/// Half the width of the arena.
const ARENA: f32 = 120.0;
/// 500 units a second are nearly 8 a step, more than walls and enemies are thick.
const SPEED: f32 = 500.0;
const BULLETS: usize = 5000;

#[derive(Component)]
struct Hero;

#[derive(Component)]
struct Enemy {
    health: u32,
}

#[derive(Component)]
struct Bullet;

#[derive(Resource, Debug, Default)]
struct Score {
    fired: usize,
    walls: usize,
    hits: usize,
    kills: usize,
}

#[derive(Resource, Default)]
struct Input(Vec2);

fn arena(mut commands: Commands) -> Result {
    let walls = Layers::member_of(WALL).meeting(HERO | ENEMY | BULLET);
    for side in [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y] {
        let half = Vec2::splat(0.5) + side.perp().abs() * ARENA;
        let place = Transform::from_translation((side * ARENA).extend(0.0));
        commands.spawn((Collider::cuboid(half)?, BodyKind::Fixed, walls, place));
    }
    let wall = Collider::cuboid(Vec2::new(0.5, 20.0))?;
    commands.spawn((
        wall,
        BodyKind::Fixed,
        walls,
        Transform::from_xyz(10.0, 0.0, 0.0),
    ));
    let layers = Layers::member_of(HERO).meeting(WALL | ENEMY);
    commands.spawn((Hero, Collider::ball(0.5)?, layers));
    for k in 0..200 {
        let place = Vec2::from_angle(k as f32 * 0.7) * (30.0 + 0.4 * k as f32);
        let layers = Layers::member_of(ENEMY).meeting(WALL | HERO | BULLET);
        let place = Transform::from_translation(place.extend(0.0));
        commands.spawn((Enemy { health: 3 }, Collider::ball(0.8)?, layers, place));
    }
    Ok(())
}

/// A ring of bullets around the hero in each step, until all are fired.
fn fire(
    mut commands: Commands,
    mut score: ResMut<Score>,
    hero: Single<&Transform, With<Hero>>,
) -> Result {
    let collider = Collider::ball(0.05)?;
    let layers = Layers::member_of(BULLET).meeting(WALL | ENEMY);
    for _ in 0..1250.min(BULLETS - score.fired) {
        let way = Vec2::from_angle(score.fired as f32 * 2.399);
        let place = Transform::from_translation(hero.translation + (way * 0.6).extend(0.0));
        let flight = Velocity::linear(way * SPEED);
        let bullet = (Bullet, collider.clone(), layers, place, flight);
        commands.spawn((bullet, Swept, CollisionEvents));
        score.fired += 1;
    }
    Ok(())
}

/// Bullets are spent by what they met first.
fn hit(
    mut commands: Commands,
    mut started: MessageReader<CollisionStarted>,
    contacts: Contacts,
    mut enemies: Query<&mut Enemy>,
    mut score: ResMut<Score>,
) {
    let mut spent: Vec<Entity> = started.read().map(|message| message.entity).collect();
    spent.sort_unstable();
    spent.dedup();
    for bullet in spent {
        let first = contacts.impacts_of(bullet).into_iter().next();
        let Some(target) = first.and_then(|impact| impact.other(bullet)) else {
            continue;
        };
        commands.entity(bullet).despawn();
        match enemies.get_mut(target) {
            // One that was shot in this step is not there for the next bullet.
            Ok(mut enemy) if enemy.health > 0 => {
                enemy.health -= 1;
                score.hits += 1;
                if enemy.health == 0 {
                    score.kills += 1;
                    commands.entity(target).despawn();
                }
            }
            Ok(_) => score.hits += 1,
            Err(_) => score.walls += 1,
        }
    }
}

fn walk(
    hero: Single<(Entity, &mut Transform), With<Hero>>,
    space: SpatialQuery,
    (input, time): (Res<Input>, Res<Time>),
) -> Result {
    let (entity, mut transform) = hero.into_inner();
    // Seen from above, there is no up.
    let options = SlideOptions {
        up: None,
        ..SlideOptions::default()
    };
    let step = MoveAndSlide::new(entity, &transform, input.0 * 8.0 * time.delta_secs())
        .with_options(options);
    if let Some(slide) = space.move_and_slide(&step, &SpatialFilter::new())? {
        slide.apply_to(&mut transform);
    }
    Ok(())
}

fn game() -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, CollisionPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.init_resource::<Score>();
    app.insert_resource(Input(Vec2::new(1.0, 0.25)));
    app.add_systems(Startup, arena);
    app.add_systems(FixedUpdate, (walk, fire));
    app.add_systems(FixedLast, hit);
    app
}

/// Plays until all bullets are gone, and returns where the hero is, what was hit, and the greatest number of bullets in the air.
fn play(app: &mut App) -> (Vec2, Score, usize) {
    let mut most = 0;
    let mut bullets = app.world_mut().query::<&Bullet>();
    for _ in 0..100 {
        app.update();
        most = most.max(bullets.iter(app.world()).count());
    }
    let left = bullets.iter(app.world()).count();
    assert_eq!(left, 0, "all bullets met something");
    let mut heroes = app.world_mut().query_filtered::<&Transform, With<Hero>>();
    let hero = *heroes.single(app.world()).expect("there is one");
    let score = app.world_mut().remove_resource::<Score>();
    let score = score.expect("it was inserted");
    (hero.translation.truncate(), score, most)
}

fn main() {
    let (place, score, most) = play(&mut game());
    println!("{score:?}, up to {most} bullets at once; the hero is at {place}");
    let show = Show {
        app: game(),
        play: |app| (0..24).for_each(|_| app.update()),
        draw: |world| svg(world, &SvgOptions::default()).into_bytes(),
    };
    show.run();
}

#[test]
fn no_bullet_passes_through_anything() {
    let (place, score, most) = play(&mut game());
    assert_eq!((score.fired, score.walls + score.hits), (BULLETS, BULLETS));
    assert!(
        most > BULLETS / 2 && score.hits > 300 && score.kills > 50,
        "{score:?}, {most}"
    );
    // The hero came to the wall at 9.5, up to its skin, and went on along it.
    assert!((place.x - 8.99).abs() < 0.01 && place.y > 2.9, "{place}");
}

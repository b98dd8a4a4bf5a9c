//! Digging and building through colliders costs and answers as `BodyMut::set_cells`.

use crate::common::{app2, spawn, world2};
use bevy_app::App;
use bevy_clearance::dim2::{
    BodyKind, Collider, CollisionEnded, CollisionEvents, CollisionStarted, CollisionWorld,
};
use bevy_ecs::prelude::*;
use bevy_math::{IVec2, Vec2, Vec3};
use bevy_transform::components::Transform;
use clearance::dim2::{Cells, Shape, Tile};

/// The first and the last column of a ground of one row of chunks, with a ball on every other one.
const ENDS: [i32; 2] = [0, 639];

/// A slope and whole cells.
fn ground() -> Collider {
    let mut cells = Cells::new();
    let [low, high] = ENDS.map(|x| IVec2::new(x, 0));
    cells
        .set_box(low, high.with_y(9), true)
        .expect("there is room");
    let slope = Shape::triangle(Vec2::ZERO, Vec2::X, Vec2::Y).expect("it has corners");
    Collider::tiles_of(Vec2::ONE, cells, [Tile::new(slope)]).expect("there are cells")
}

struct Land {
    app: App,
    ground: Entity,
    balls: Vec<Entity>,
}

impl Land {
    fn new(scale: Vec3) -> Self {
        let mut app = app2();
        let placed = Transform::from_scale(scale);
        let ground = spawn(
            &mut app,
            (ground(), BodyKind::Fixed, placed, CollisionEvents),
        );
        let ball = |x: i32| {
            let ball = Collider::ball(0.25).expect("the radius is positive");
            let place = Vec3::new(x as f32 + 0.5, 10.0, 0.0) * scale + Vec3::Y * 0.2;
            (ball, Transform::from_translation(place))
        };
        let columns = (ENDS[0]..=ENDS[1]).step_by(2);
        let balls = columns.map(|x| spawn(&mut app, ball(x))).collect();
        app.update();
        app.update();
        Self { app, ground, balls }
    }

    fn dig(&mut self, x: i32) {
        let mut ground = self.app.world_mut().get_mut::<Collider>(self.ground);
        let shape = ground.as_mut().expect("it is there").shape_mut();
        let cells = [IVec2::new(x, 9), IVec2::new(x, 8)];
        shape.set_cells(cells, false).expect("cells are left");
    }

    fn set(&mut self, x: i32, entry: u8) {
        let mut ground = self.app.world_mut().get_mut::<Collider>(self.ground);
        let shape = ground.as_mut().expect("it is there").shape_mut();
        let set = shape.set_tiles([IVec2::new(x, 9)], entry);
        set.expect("the palette has the entry");
    }

    /// Whether the world has the shape of the component, and the contacts of a world that has been told no edits.
    fn check(&mut self) {
        let scale = self.app.world().get::<Transform>(self.ground);
        let scale = scale.expect("it has one").scale.truncate();
        let collider = self.app.world().get::<Collider>(self.ground);
        let shape = collider.expect("it is there").shape();
        let shape = shape.scaled_by(scale).expect("it can be scaled");
        let world = world2(&self.app);
        let (_, body) = world.body(self.ground).expect("it is a body");
        assert_eq!(
            world
                .world()
                .body(body)
                .expect("it lives")
                .shape()
                .to_encoding(),
            shape.to_encoding()
        );
        let mut anew = world.world().clone();
        // That no chunks are shared hides what changed.
        let encoding = shape.to_encoding().expect("it is no shape of its own");
        let other = Shape::ball(1.0).expect("the radius is positive");
        anew.body_mut(body).expect("it lives").set_shape(other);
        let shape = Shape::from_encoding(&encoding).expect("it is one");
        anew.body_mut(body).expect("it lives").set_shape(shape);
        anew.step(0.0).expect("it can");
        assert_eq!(world.world().contacts_hash(), anew.contacts_hash());
    }

    fn selected(&self) -> usize {
        world2(&self.app).world().profile().selected
    }

    fn touching(&self) -> usize {
        world2(&self.app).world().contacts().len()
    }
}

fn drain<M: Message, T>(app: &mut App, of: impl Fn(M) -> T) -> Vec<T> {
    let mut messages = app.world_mut().resource_mut::<Messages<M>>();
    messages.drain().map(of).collect()
}

fn edits_of_a_ground_scaled_by(scale: Vec3) {
    let mut land = Land::new(scale);
    let all = land.balls.len();
    assert_eq!(land.touching(), all);
    drain(&mut land.app, |_: CollisionStarted| ());
    // Several edits in a frame.
    land.dig(100);
    land.dig(500);
    land.set(500, 0);
    land.set(300, 1);
    land.dig(302);
    land.app.update();
    land.check();
    // Balls in three chunks of ten, and near them.
    assert!(
        (90..=all / 2).contains(&land.selected()),
        "{}",
        land.selected()
    );
    let ended = drain(&mut land.app, |event: CollisionEnded| event.contact.other);
    // The cell below the ball 250 came back, and that below the ball 150 is a slope now.
    assert_eq!(ended, [50, 150, 151].map(|ball| land.balls[ball]));
    assert_eq!(land.touching(), all - 3);
    land.set(100, 0);
    land.app.update();
    land.check();
    let started = drain(&mut land.app, |event: CollisionStarted| event.contact.other);
    assert_eq!(started, [land.balls[50]]);
    assert!(land.selected() <= all / 4, "{}", land.selected());
}

#[test]
fn an_edit_is_followed_where_it_is() {
    edits_of_a_ground_scaled_by(Vec3::ONE);
}

#[test]
fn an_edit_of_what_is_scaled_is_followed_where_it_is() {
    edits_of_a_ground_scaled_by(Vec3::new(2.0, 3.0, 1.0));
}

#[test]
fn what_is_mirrored_is_followed_too() {
    let mut land = Land::new(Vec3::new(-1.0, 1.0, 1.0));
    land.dig(200);
    land.app.update();
    land.check();
    assert_eq!(land.touching(), land.balls.len() - 1);
}

#[test]
fn edits_go_with_snapshots_and_components() {
    let mut land = Land::new(Vec3::ONE);
    land.dig(100);
    land.app.update();
    let hash = world2(&land.app).state_hash();
    let snapshot = world2(&land.app).snapshot();
    let saved = land.app.world().get::<Collider>(land.ground).cloned();
    land.dig(400);
    land.app.update();
    let after = world2(&land.app).state_hash();
    // The world comes back without its component, which then is what counts, and with it.
    let restore = |land: &mut Land| {
        let mut world = land.app.world_mut().resource_mut::<CollisionWorld>();
        world.restore(&snapshot);
        assert_eq!(world.state_hash(), hash);
    };
    restore(&mut land);
    land.app.update();
    land.check();
    assert_eq!(land.touching(), land.balls.len() - 2);
    restore(&mut land);
    let collider = saved.expect("it was there");
    land.app
        .world_mut()
        .entity_mut(land.ground)
        .insert(collider);
    land.app.update();
    land.check();
    assert_eq!(world2(&land.app).state_hash(), hash);
    // And the same edit leads to the same bits.
    land.dig(400);
    land.app.update();
    assert_eq!(world2(&land.app).state_hash(), after);
}

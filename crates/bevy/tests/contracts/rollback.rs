//! Worlds come back to snapshots and go on with the same bits.

use std::collections::VecDeque;

use crate::common::{app2, at, ball, between, insert, restore, spawn, world2};
use bevy_app::App;
use bevy_clearance::dim2::{
    Collider, CollisionEvents, CollisionSnapshot, CollisionStarted, CollisionWorld, InWorld, Swept,
    Velocity,
};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2};
use bevy_transform::components::Transform;
use clearance::Options;

const BALLS: usize = 12;

/// What the game itself brings back.
#[derive(Clone)]
struct Saved {
    components: Vec<(Transform, Option<Velocity>, bool)>,
    snapshot: CollisionSnapshot,
}

struct Game {
    app: App,
    balls: Vec<Entity>,
    frame: usize,
}

impl Game {
    fn new() -> Self {
        let mut app = app2();
        let balls = (0..BALLS).map(|k| {
            let place = Transform::from_xyz((k % 6) as f32, (k / 6) as f32, 0.0);
            let turn = Velocity {
                linear: Vec2::from_angle(k as f32) * 2.0,
                angular: 0.3,
            };
            let cuboid = Collider::cuboid(Vec2::new(0.4, 0.2)).expect("it has a size");
            let mut ball = app.world_mut().spawn((cuboid, place, CollisionEvents));
            if k % 3 > 0 {
                ball.insert(turn);
            }
            if k % 3 == 2 {
                ball.insert(Swept);
            }
            ball.id()
        });
        let balls = balls.collect();
        Self {
            app,
            balls,
            frame: 0,
        }
    }

    /// A frame of the game: bodies turn back at the border, some are moved by hand, and colliders come and go.
    fn step(&mut self) -> u64 {
        self.frame += 1;
        for (k, &ball) in self.balls.iter().enumerate() {
            let mut ball = self.app.world_mut().entity_mut(ball);
            let place = ball.get::<Transform>().expect("it has one").translation;
            if let Some(mut velocity) = ball.get_mut::<Velocity>() {
                for axis in 0..2 {
                    if place[axis].abs() > 6.0 && place[axis] * velocity.linear[axis] > 0.0 {
                        velocity.linear[axis] = -velocity.linear[axis];
                    }
                }
            } else {
                let mut transform = ball.get_mut::<Transform>().expect("it has one");
                transform.translation.x = (self.frame as f32 * 0.1 + k as f32).sin() * 6.0;
                transform.rotation = Quat::from_rotation_z(self.frame as f32 * 0.05);
            }
            if (self.frame + 7 * k).is_multiple_of(50) {
                ball.remove::<Collider>();
            }
            if (self.frame + 7 * k) % 50 == 11 {
                ball.insert(Collider::cuboid(Vec2::new(0.4, 0.2)).expect("it has a size"));
            }
        }
        self.app.update();
        world2(&self.app).state_hash()
    }

    fn save(&self) -> Saved {
        let components = self.balls.iter().map(|&ball| {
            let ball = self.app.world().entity(ball);
            let transform = *ball.get::<Transform>().expect("it has one");
            (
                transform,
                ball.get::<Velocity>().copied(),
                ball.contains::<Collider>(),
            )
        });
        Saved {
            components: components.collect(),
            snapshot: world2(&self.app).snapshot(),
        }
    }

    fn restore(&mut self, saved: &Saved, frame: usize) {
        self.frame = frame;
        for (&ball, &(transform, velocity, has_collider)) in
            self.balls.iter().zip(&saved.components)
        {
            let mut ball = self.app.world_mut().entity_mut(ball);
            ball.insert(transform);
            if let Some(velocity) = velocity {
                ball.insert(velocity);
            }
            if has_collider {
                ball.insert(Collider::cuboid(Vec2::new(0.4, 0.2)).expect("it has a size"));
            } else {
                ball.remove::<Collider>();
            }
        }
        restore(&mut self.app, &saved.snapshot);
    }

    fn started(&mut self) -> Vec<(Entity, Entity)> {
        let mut messages = self
            .app
            .world_mut()
            .resource_mut::<Messages<CollisionStarted>>();
        messages
            .drain()
            .map(|message| (message.entity, message.contact.other))
            .collect()
    }
}

#[test]
fn ten_thousand_frames_with_restores_have_the_hashes_of_those_without() {
    let (mut straight, mut rewound) = (Game::new(), Game::new());
    let mut ring = VecDeque::new();
    let mut contacts = 0;
    for frame in 1..=10_000_usize {
        let hash = straight.step();
        let started = straight.started();
        contacts += started.len();
        ring.push_back((frame - 1, rewound.save()));
        if ring.len() > 9 {
            ring.pop_front();
        }
        assert_eq!(rewound.step(), hash, "frame {frame}");
        assert_eq!(rewound.started(), started, "frame {frame}");
        if frame.is_multiple_of(16) {
            // A late input: back by up to nine frames, and forward again.
            let (back, saved) = ring[frame / 16 % ring.len()].clone();
            rewound.restore(&saved, back);
            for again in back + 1..=frame {
                let hash_again = rewound.step();
                assert!(
                    again < frame || hash_again == hash,
                    "frame {frame}, back to {back}"
                );
                let started_again = rewound.started();
                assert!(
                    again < frame || started_again == started,
                    "frame {frame}, back to {back}"
                );
            }
        }
    }
    assert!(contacts > 1_000, "{contacts}");
}

#[test]
fn entities_may_have_other_names_after_a_restore() {
    let mut app = app2();
    let [a, b] = [0.0, 0.75].map(|x| spawn(&mut app, (ball(0.5), at(x, 0.0))));
    app.update();
    let snapshot = world2(&app).snapshot();
    app.world_mut().despawn(b);
    app.update();
    assert_eq!(world2(&app).world().len(), 1);
    let again = spawn(&mut app, (ball(0.5), at(0.75, 0.0)));
    assert_ne!(b, again);
    let mut world = app.world_mut().resource_mut::<CollisionWorld>();
    world.restore_mapped(&snapshot, |entity| if entity == b { again } else { entity });
    assert!(between(&mut app, a, again).is_some());
    app.update();
    let contact = between(&mut app, a, again).expect("they overlap");
    assert_eq!((contact.distance, world2(&app).world().len()), (-0.25, 2));
}

#[test]
fn what_is_not_there_any_more_after_a_restore_goes() {
    let mut app = app2();
    let body = spawn(&mut app, ball(0.5));
    app.update();
    let with = world2(&app).snapshot();
    app.world_mut().despawn(body);
    app.update();
    let without = world2(&app).snapshot();
    restore(&mut app, &with);
    assert_eq!(world2(&app).world().len(), 1);
    app.update();
    assert!(world2(&app).world().is_empty());
    // And what is there though the snapshot lacks it comes back.
    let body = spawn(&mut app, ball(0.5));
    app.update();
    restore(&mut app, &without);
    assert!(world2(&app).body(body).is_none());
    app.update();
    assert!(world2(&app).body(body).is_some());
}

#[test]
fn peers_whose_entities_have_other_names_have_equal_hashes() {
    let [mut a, mut b] = [app2(), app2()];
    // The second has other entities before, so that all indices differ.
    (0..7).for_each(|_| _ = b.world_mut().spawn_empty());
    for app in [&mut a, &mut b] {
        for x in [0.0, 0.75] {
            spawn(app, (ball(0.5), at(x, 0.0)));
        }
        app.update();
    }
    assert_eq!(world2(&a).state_hash(), world2(&b).state_hash());
    assert_ne!(
        world2(&a).world().state_hash(),
        world2(&b).world().state_hash()
    );
}

#[test]
fn of_two_entities_with_one_index_a_restore_keeps_one() {
    let mut app = app2();
    let [a, b] = [(); 2].map(|()| spawn(&mut app, ball(0.5)));
    app.update();
    let snapshot = world2(&app).snapshot();
    app.world_mut().despawn(a);
    app.world_mut().despawn(b);
    let of_index = |entity: Entity| [a, b].into_iter().find(|old| old.index() == entity.index());
    // Indices are used again once many are free.
    let many: Vec<_> = (0..1000)
        .map(|_| app.world_mut().spawn_empty().id())
        .collect();
    many.into_iter()
        .for_each(|entity| _ = app.world_mut().despawn(entity));
    let mut spawned = (0..2000).map(|_| app.world_mut().spawn_empty().id());
    let again = spawned
        .find(|&entity| of_index(entity).is_some())
        .expect("indices are used again");
    insert(&mut app, again, ball(0.5));
    let other = if of_index(again) == Some(a) { b } else { a };
    app.update();
    let mut world = app.world_mut().resource_mut::<CollisionWorld>();
    world.restore_mapped(
        &snapshot,
        |entity| if entity == other { again } else { entity },
    );
    app.update();
    assert_eq!(world2(&app).world().len(), 1);
    assert!(world2(&app).body(again).is_some());
}

#[test]
fn what_the_game_set_of_a_world_outlives_a_restore_to_before_it() {
    let mut app = app2();
    app.update();
    let before = world2(&app).snapshot();
    let mut world = app.world_mut().resource_mut::<CollisionWorld>();
    let other = world.get_mut(InWorld(1));
    let options = Options {
        margin: 0.5,
        ..other.options()
    };
    other.set_options(options).expect("it is valid");
    other.set_pair_filter(|_, _| false);
    for _ in 0..2 {
        let [a, b] = [(); 2].map(|()| spawn(&mut app, (ball(0.5), InWorld(1))));
        app.update();
        assert!(between(&mut app, a, b).is_none());
        app.world_mut().despawn(a);
        app.world_mut().despawn(b);
        restore(&mut app, &before);
    }
}

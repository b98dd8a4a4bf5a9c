//! Equal games have equal hashes, whatever else lives in the app.

use bevy_app::{App, FixedUpdate};
use bevy_clearance::dim2::{
    BodyKind, BodyOrder, Collider, CompoundBody, InWorld, Sensor, Velocity,
};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::common::{app2, at, ball, insert, spawn, world2};

/// A game in which bodies come and go, among entities for show that come and go, too.
struct Peer {
    app: App,
    bodies: Vec<Entity>,
    shows: Vec<Entity>,
    show: Pcg64,
}

impl Peer {
    fn new(seed: u64) -> Self {
        Self {
            app: app2(),
            bodies: Vec::new(),
            shows: Vec::new(),
            show: Pcg64::seed_from_u64(seed),
        }
    }

    /// Entities of no body, also in the tables in which bodies are.
    fn show(&mut self) {
        for _ in 0..self.show.random_range(0..4) {
            let sprite = spawn(&mut self.app, at(0.0, 0.0));
            self.shows.push(sprite);
        }
        self.shows.shuffle(&mut self.show);
        let count = self.show.random_range(0..=self.shows.len().min(3));
        for _ in 0..count {
            let gone = self.shows.pop().expect("there are so many");
            self.app.world_mut().despawn(gone);
        }
    }

    fn spawn(&mut self, random: &mut Pcg64) {
        self.show();
        let mut number = || random.random_range(-8.0_f32..8.0);
        let place = at(number(), number());
        let velocity = Velocity::linear(Vec2::new(number(), number()));
        let offsets = [(); 3].map(|()| at(0.1 * number(), 0.1 * number()));
        if random.random_bool(0.5) {
            let body = spawn(&mut self.app, (ball(0.5), place, velocity));
            return self.bodies.push(body);
        }
        let body = spawn(&mut self.app, (CompoundBody, place, velocity));
        for offset in offsets {
            self.show();
            let tile = Collider::cuboid(Vec2::new(0.5, 0.25)).expect("it has a size");
            let child = spawn(&mut self.app, (tile, offset, ChildOf(body)));
            if random.random_bool(0.2) {
                insert(&mut self.app, child, Sensor);
            }
        }
        self.bodies.push(body);
    }

    /// One frame, which depends on `random` alone.
    fn frame(&mut self, random: &mut Pcg64) -> u64 {
        (0..random.random_range(0..4)).for_each(|_| self.spawn(random));
        while self.bodies.len() > 30 {
            let gone = self.bodies.swap_remove(random.random_range(0..30));
            self.app.world_mut().despawn(gone);
        }
        for &body in &self.bodies {
            if random.random_bool(0.02) {
                let world = InWorld(random.random_range(0..2));
                insert(&mut self.app, body, world);
            }
        }
        self.show();
        self.app.update();
        world2(&self.app).state_hash()
    }
}

#[test]
fn entities_for_show_do_not_count() {
    let mut randoms = [(); 2].map(|()| Pcg64::seed_from_u64(18));
    let mut peers = [1, 2].map(Peer::new);
    let mut hashes = Vec::new();
    for frame in 0..600 {
        let [one, other] = [0, 1].map(|k| peers[k].frame(&mut randoms[k]));
        assert_eq!(one, other, "{frame}");
        hashes.push(one);
    }
    assert_eq!(randoms[0].next_u64(), randoms[1].next_u64());
    hashes.sort_unstable();
    hashes.dedup();
    assert!(hashes.len() > 590, "{}", hashes.len());
}

#[test]
fn a_key_decides_where_the_order_of_spawning_differs() {
    let hash = |order: [u64; 4], with_keys: bool| {
        let mut app = app2();
        app.add_systems(
            FixedUpdate,
            move |mut commands: Commands, mut count: Local<u32>| {
                for k in order.iter().copied().filter(|_| *count == 3) {
                    let place = at(k as f32 * 0.4, 0.0);
                    let mut body = commands.spawn((ball(0.5), place, BodyKind::Moving));
                    if with_keys {
                        body.insert(BodyOrder(k));
                    }
                }
                *count += 1;
            },
        );
        (0..6).for_each(|_| app.update());
        assert_eq!(world2(&app).world().len(), 4);
        world2(&app).state_hash()
    };
    let orders = [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]];
    let [with, without] = [true, false].map(|keys| orders.map(|order| hash(order, keys)));
    assert!(with[0] == with[1] && with[0] == with[2]);
    assert!(without[0] != without[1] && with[0] == without[0]);
}

//! What viewers get: a recording that plays to the contacts that the game has.

use std::time::Duration;

use clearance::Options;
use clearance::dim3::{self, Body, Pose, Shape, Vec3};
use clearance_inspect::{Broadcaster, Inspector, InspectorOptions, Viewer};
use clearance_math::Vec2;
use clearance_recording::{AnyPlayer, Player, PlayerOptions};

use crate::common::{
    DT, Game, Socket, next_blocks, next_blocks_while, next_names, until, view, world,
};

fn player() -> Player<Vec2> {
    Player::live(PlayerOptions::default()).expect("default options")
}

/// More than two sockets keep.
const BYTES_OF_SOCKETS: usize = 24 << 20;

/// Reads until the player shows what the game has, and checks each frame on the way.
fn catch_up(socket: &mut Socket, player: &mut Player<Vec2>, game: &Game) {
    let goal = game.world.contacts_hash();
    until("the viewer sees the present frame", || {
        let _ = player.push(&next_blocks(socket)).expect("undamaged");
        let found = player.world().contacts_hash();
        if let Some(recorded) = player.recorded_hash() {
            assert_eq!(found, recorded, "frame {}", player.frame());
        }
        found == goal && player.world().len() == game.world.len()
    });
}

#[test]
fn viewers_see_the_contacts_that_the_game_has() {
    let mut game = Game::new(12, InspectorOptions::default());
    for _ in 0..10 {
        game.step();
    }
    let (mut first, mut first_player) = (view(game.address()), player());
    game.wait_for_viewers(1);
    catch_up(&mut first, &mut first_player, &game);
    for _ in 0..7 {
        game.step();
        catch_up(&mut first, &mut first_player, &game);
    }
    // One who comes later joins the same frames.
    let (mut second, mut second_player) = (view(game.address()), player());
    until("the second viewer comes", || game.inspector.viewers() == 2);
    for _ in 0..100 {
        game.step();
        catch_up(&mut first, &mut first_player, &game);
        catch_up(&mut second, &mut second_player, &game);
    }
    assert_eq!(first_player.frame(), second_player.frame());
}

#[test]
fn viewers_hear_what_bodies_are_called_also_those_who_come_later() {
    let mut game = Game::new(2, InspectorOptions::default());
    let bodies: Vec<_> = game.world.bodies().map(|body| body.id()).collect();
    let mut early = view(game.address());
    game.wait_for_viewers(1);
    let named = |text: &str| format!("{} {text}\n", bodies[0]);
    game.inspector.set_names([(bodies[0], "a line\nbreak")]);
    assert_eq!(next_names(&mut early), named("a line break"));
    let mut late = view(game.address());
    game.wait_for_viewers(2);
    assert_eq!(next_names(&mut late), named("a line break"));
    // The same again is no news; other names replace those before.
    game.inspector.set_names([(bodies[0], "a line\rbreak")]);
    game.inspector.set_names([(bodies[0], "hero")]);
    assert_eq!(next_names(&mut late), named("hero"));
    assert_eq!(next_names(&mut early), named("hero"));
}

#[test]
fn bodies_that_come_go_and_change_are_seen() {
    let mut game = Game::new(6, InspectorOptions::default());
    let (mut viewer, mut player) = (view(game.address()), player());
    game.wait_for_viewers(1);
    catch_up(&mut viewer, &mut player, &game);
    for k in 0..20 {
        let bodies: Vec<_> = game.world.bodies().map(|body| body.id()).collect();
        let spawn = world(1 + k % 3);
        match k % 3 {
            0 => game
                .world
                .remove(bodies[k % bodies.len()])
                .map(drop)
                .expect("there"),
            1 => {
                let body = spawn.bodies().last().expect("a ball").to_body();
                let _ = game.world.insert(body).expect("valid");
            }
            _ => {
                let pose = clearance::dim2::Pose::from_translation(Vec2::new(k as f32, 0.4));
                game.world
                    .body_mut(bodies[1])
                    .expect("there")
                    .set_pose(pose)
                    .expect("there");
            }
        }
        game.step();
        catch_up(&mut viewer, &mut player, &game);
    }
}

#[test]
fn frames_while_nobody_looks_are_not_encoded_and_the_next_viewer_starts_anew() {
    let mut game = Game::new(6, InspectorOptions::default());
    for _ in 0..3 {
        let (mut viewer, mut player) = (view(game.address()), player());
        game.wait_for_viewers(1);
        catch_up(&mut viewer, &mut player, &game);
        drop(viewer);
        game.wait_for_viewers(0);
        for _ in 0..30 {
            game.step();
        }
    }
}

#[test]
fn a_slow_viewer_never_holds_up_the_game_and_starts_anew_after_a_gap() {
    let options = InspectorOptions {
        frames_waiting: 4,
        patience: Duration::from_secs(600),
        ..InspectorOptions::default()
    };
    let mut game = Game::new(1500, options);
    let (mut slow, mut slow_player) = (view(game.address()), player());
    let (mut quick, mut quick_player) = (view(game.address()), player());
    until("both came", || game.inspector.viewers() == 2);
    // More than the operating system keeps for the slow one: every frame moves every ball to another place.
    let ids: Vec<_> = game.world.bodies().map(|body| body.id()).skip(1).collect();
    let mut sent = 0;
    let mut noise = 0_u32;
    while sent < BYTES_OF_SOCKETS {
        for (ball, &id) in ids.iter().enumerate() {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let shift = noise as f32 / u32::MAX as f32;
            let place = Vec2::new(ball as f32 * 3.0 + shift, 0.5 + shift);
            let pose = clearance::dim2::Pose::from_translation(place);
            game.world
                .body_mut(id)
                .expect("there")
                .set_pose(pose)
                .expect("there");
        }
        game.step();
        let blocks = next_blocks(&mut quick);
        sent += blocks.len();
        let _ = quick_player.push(&blocks).expect("undamaged");
        assert_eq!(
            quick_player.world().contacts_hash(),
            game.world.contacts_hash()
        );
    }
    let (last, goal) = (quick_player.frame(), game.world.contacts_hash());
    let mut frames = Vec::new();
    while slow_player.frame() < last {
        let blocks = next_blocks_while(&mut slow, || {
            game.inspector.frame(&game.world).expect("encoded");
        });
        let _ = slow_player.push(&blocks).expect("undamaged");
        frames.push(slow_player.frame());
    }
    assert_eq!(slow_player.world().contacts_hash(), goal);
    let gap = frames.windows(2).any(|two| two[1] > two[0] + 1);
    assert!(gap, "frames were left out: {} of {last} came", frames.len());
    assert!(frames.is_sorted(), "and the others came in order");
}

/// All blocks that wait for a viewer.
fn all(viewer: &Viewer) -> Vec<u8> {
    core::iter::from_fn(|| viewer.take()).flatten().collect()
}

#[test]
fn a_paused_world_is_shown_to_those_who_come() {
    let mut world = world(8);
    world.step(DT).expect("stepped");
    let mut broadcaster = Broadcaster::new(&InspectorOptions::default()).expect("fine options");
    let mut viewers = Vec::new();
    for _ in 0..3 {
        let viewer = broadcaster.door().enter(|| {}).expect("room");
        broadcaster.greet(&world).expect("encoded");
        let mut player = player();
        let _ = player.push(&all(&viewer)).expect("undamaged");
        assert_eq!(player.world().len(), world.len());
        viewers.push((viewer, player));
    }
    // Nobody is greeted twice, and all go on together.
    broadcaster.greet(&world).expect("encoded");
    for _ in 0..5 {
        world.step(DT).expect("stepped");
        broadcaster.frame(&world).expect("encoded");
        for (viewer, player) in &mut viewers {
            assert_eq!(player.push(&all(viewer)), Ok(1));
            assert_eq!(player.world().contacts_hash(), world.contacts_hash());
            assert_eq!(player.recorded_hash(), Some(world.contacts_hash()));
        }
    }
}

#[test]
fn a_world_of_the_other_dimension_is_a_fresh_start() {
    let mut inspector = Inspector::listen("127.0.0.1:0").expect("a free port");
    let mut viewer = view(inspector.address());
    until("the viewer comes", || inspector.viewers() == 1);
    let mut plane = world(3);
    plane.step(DT).expect("stepped");
    inspector.frame(&plane).expect("encoded");
    let live = |blocks: &[u8]| AnyPlayer::live(blocks, PlayerOptions::default()).expect("a header");
    assert_eq!(live(&next_blocks(&mut viewer)).dimension(), 2);
    let mut space = dim3::World::new(Options::default()).expect("default options");
    let ball = Body::moving(
        Shape::ball(1.0).expect("a radius"),
        Pose::from_translation(Vec3::X),
    );
    let _ = space.insert(ball).expect("valid");
    space.step(DT).expect("stepped");
    inspector.frame(&space).expect("encoded");
    assert_eq!(live(&next_blocks(&mut viewer)).dimension(), 3);
}

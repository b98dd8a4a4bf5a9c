//! A game in the plane: a player runs through a room, is kept out of walls and collects coins.
//!
//! Frames may take any time; the world is stepped by a fixed time, so the game plays the same on every
//! machine.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use clearance::dim2::{Body, BodyId, Pose, Rotation, Shape, Vec2, Velocity, World};
use clearance::{Groups, Options, ShapeError, WorldError};

/// Length of a step in seconds.
const STEP: f32 = 1.0 / 64.0;
/// Speed of the player in units of length per second.
const SPEED: f32 = 3.0;

const PLAYER: u32 = 1;
const WALL: u32 = 2;
const COIN: u32 = 4;

struct Game {
    world: World,
    player: BodyId,
    score: usize,
}

#[derive(Debug)]
struct Failure(#[allow(dead_code, reason = "shown when main fails")] String);

impl From<ShapeError> for Failure {
    fn from(error: ShapeError) -> Self {
        Self(error.to_string())
    }
}

impl From<WorldError> for Failure {
    fn from(error: WorldError) -> Self {
        Self(error.to_string())
    }
}

/// What a body is to the game; kept in its user data.
const IS_WALL: u64 = 0;
const IS_COIN: u64 = 1;

impl Game {
    /// A room from -5 to 5 and -3 to 3 with a pillar and three coins.
    fn new() -> Result<Self, Failure> {
        let mut world = World::new(Options::default())?;
        let at = |x, y| Pose::from_translation(Vec2::new(x, y));

        // Walls and coins are fixed: two fixed bodies never make a contact with each other.
        let walls = Groups::member_of(WALL);
        for (normal, x, y) in [
            (Vec2::X, -5.0, 0.0),
            (-Vec2::X, 5.0, 0.0),
            (Vec2::Y, 0.0, -3.0),
            (-Vec2::Y, 0.0, 3.0),
        ] {
            let wall = Body::fixed(Shape::half_space(normal)?, at(x, y));
            world.insert(wall.with_groups(walls).with_user_data(IS_WALL))?;
        }
        let pillar = Pose::new(Vec2::new(2.0, 1.5), Rotation::from_angle(0.5));
        let pillar = Body::fixed(Shape::cuboid(Vec2::splat(0.5))?, pillar);
        world.insert(pillar.with_groups(walls).with_user_data(IS_WALL))?;

        // A coin is met by the player and by nobody else.
        let coins = Groups::member_of(COIN).meeting(PLAYER);
        for (x, y) in [(1.5, 0.0), (4.5, 2.5), (-4.5, -2.5)] {
            let coin = Body::fixed(Shape::ball(0.2)?, at(x, y));
            world.insert(coin.with_groups(coins).with_user_data(IS_COIN))?;
        }

        let player = Body::moving(Shape::ball(0.4)?, at(-2.0, 0.0));
        let player = world.insert(player.with_groups(Groups::member_of(PLAYER)))?;
        Ok(Self {
            world,
            player,
            score: 0,
        })
    }

    /// One step of fixed length: move, see what is near, react.
    fn step(&mut self, input: Vec2) -> Result<(), Failure> {
        let velocity = Velocity::from_linear(input * SPEED);
        self.world.body_mut(self.player)?.set_velocity(velocity)?;
        self.world.step(STEP)?;

        let mut push = Vec2::ZERO;
        let mut collected = Vec::new();
        let contacts = self.world.contacts_of(self.player);
        for seen in contacts.filter_map(|contact| contact.seen_from(self.player)) {
            // Contacts within the margin are reported, too: near, but not touching.
            if seen.distance >= 0.0 {
                continue;
            }
            if self.world.user_data(seen.other) == Some(IS_COIN) {
                collected.push(seen.other);
            } else {
                // The normal points into the wall and the distance is negative: this leads out.
                push += seen.normal * seen.distance;
            }
        }
        for coin in collected {
            self.world.remove(coin)?;
            self.score += 1;
            println!("coin at {}, score {}", self.position()?, self.score);
        }
        if push != Vec2::ZERO {
            let place = self.position()? + push;
            self.world
                .body_mut(self.player)?
                .set_pose(Pose::from_translation(place))?;
        }
        Ok(())
    }

    fn position(&self) -> Result<Vec2, WorldError> {
        Ok(self.world.body(self.player)?.pose().translation())
    }
}

/// What the player presses at a time: right, then up, then left and down.
fn input(seconds: f32) -> Vec2 {
    match seconds {
        ..3.0 => Vec2::X,
        3.0..5.0 => Vec2::Y,
        _ => Vec2::new(-1.0, -0.75),
    }
}

/// Plays with frames of the given lengths, and returns where the player ended and the score.
fn play(frame_times: &[f32]) -> Result<(Vec2, usize), Failure> {
    let mut game = Game::new()?;
    let (mut steps, mut left_over) = (0, 0.0);
    for frame_time in frame_times.iter().cycle() {
        left_over += frame_time;
        while left_over >= STEP {
            game.step(input(steps as f32 * STEP))?;
            steps += 1;
            left_over -= STEP;
            if steps == 640 {
                return Ok((game.position()?, game.score));
            }
        }
        // Here a game would draw, `left_over` seconds behind the last step.
    }
    Ok((game.position()?, game.score))
}

fn main() -> Result<(), Failure> {
    let (position, score) = play(&[1.0 / 60.0])?;
    println!("ended at {position} with a score of {score}");
    assert_eq!(score, 3);
    // Against two walls, in the corner of the room.
    assert!((position - Vec2::new(-4.6, -2.6)).length() < 1e-3);

    // A machine that stutters plays the same game, bit for bit.
    assert_eq!(play(&[0.004, 0.031, 0.017, 0.09])?, (position, score));
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn holds_what_it_says() -> Result<(), super::Failure> {
        super::main()
    }
}

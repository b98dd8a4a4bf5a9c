//! A pile that settles.

use std::error::Error;

use clearance_math::{DVec3, Pose, Real, Vec3};
use clearance_scene::BodyKind;

use super::push_apart::{PushApart, random_shape, wall};
use super::{Film, STEP, body, empty_scene};
use crate::{Random, Space};

/// How many bodies fall.
pub(super) const COUNT: usize = 3000;

/// How many frames are recorded: after half of them the last bodies have landed.
const FRAMES: usize = 480;

/// How many steps of the simulation make a frame.
const STEPS: usize = 2;

/// Half the width of the bin inside, and how many bodies start in a row of it.
const HALF: Real = 8.0;
const ROW: usize = 12;

pub(super) fn record() -> Result<Film<Vec3>, Box<dyn Error>> {
    let random = &mut Random::new(1);
    let mut scene = empty_scene(0.05);
    let fixed = BodyKind::Fixed;
    scene.bodies.push(wall(
        [0.0, -1.0, 0.0],
        [HALF + 2.0, 1.0, HALF + 2.0],
        fixed,
    )?);
    for side in [-1.0, 1.0] {
        let middle = side * (HALF + 1.0);
        let (along, across) = (HALF + 2.0, 1.0);
        scene
            .bodies
            .push(wall([middle, 20.0, 0.0], [across, 20.0, along], fixed)?);
        scene
            .bodies
            .push(wall([0.0, 20.0, middle], [along, 20.0, across], fixed)?);
    }
    for number in 0..COUNT {
        let (column, layer) = (number % (ROW * ROW), number / (ROW * ROW));
        let spread = 2.0 * HALF / ROW as Real;
        let at = |place: usize| (place as Real + 0.5) * spread - HALF;
        let grid = Vec3::new(
            at(column % ROW),
            1.0 + layer as Real * 1.3,
            at(column / ROW),
        );
        let place = grid + random.vector::<Vec3>() * 0.1;
        let pose = Pose::new(place, Vec3::rotation(random));
        scene
            .bodies
            .push(body(random_shape(random), pose, BodyKind::Moving)?);
    }
    let mut bodies = PushApart::new(&scene, DVec3::new(0.0, -9.81, 0.0), |_| true)?;
    let mut film = Film::new(scene);
    for _ in 0..FRAMES {
        for _ in 0..STEPS {
            bodies.step(f64::from(STEP) / STEPS as f64)?;
        }
        film.add_frame(&bodies.poses());
    }
    Ok(film)
}

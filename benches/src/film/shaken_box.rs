//! A closed box full of bodies that is shaken.

use std::error::Error;

use clearance_math::{DVec3, Pose, Real, Vec3};
use clearance_scene::BodyKind;

use super::push_apart::{PushApart, random_shape, wall};
use super::{Film, STEP, body, empty_scene};
use crate::{Random, Space};

/// How many bodies are in the box.
pub(super) const COUNT: usize = 2000;

/// How many frames are recorded.
const FRAMES: usize = 360;

/// How many steps of the simulation make a frame.
const STEPS: usize = 2;

/// Half the width of the box inside, and half the thickness of its walls.
const HALF: Real = 7.0;
const THICK: Real = 2.0;

/// How many walls there are; they are the first bodies.
const WALLS: usize = 6;

/// How far the box moves along each axis, and how fast, in radians a second. No two rates have a
/// common period.
const AMPLITUDES: DVec3 = DVec3::new(1.1, 0.8, 0.9);
const RATES: DVec3 = DVec3::new(7.3, 9.1, 5.7);

/// The box stands still for a part of each of these times, in seconds.
const PAUSE_RATE: f64 = 2.3;

pub(super) fn record() -> Result<Film<Vec3>, Box<dyn Error>> {
    let random = &mut Random::new(2);
    let mut scene = empty_scene(0.05);
    let (far, wide) = (HALF + THICK, HALF + 2.0 * THICK);
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let (mut middle, mut half_extents) = ([0.0; 3], [wide; 3]);
            middle[axis] = side * far;
            half_extents[axis] = THICK;
            scene
                .bodies
                .push(wall(middle, half_extents, BodyKind::Moving)?);
        }
    }
    let places: Vec<DVec3> = scene
        .bodies
        .iter()
        .map(|wall| wall.pose.translation().as_dvec3())
        .collect();
    let row = (COUNT as f64).cbrt().ceil() as usize;
    for number in 0..COUNT {
        let spread = 2.0 * (HALF - 0.5) / (row - 1) as Real;
        let at = |place: usize| (place % row) as Real * spread - (HALF - 0.5);
        let place = Vec3::new(at(number), at(number / row), at(number / row / row));
        let pose = Pose::new(place, Vec3::rotation(random));
        scene
            .bodies
            .push(body(random_shape(random), pose, BodyKind::Moving)?);
    }
    let gravity = DVec3::new(0.0, -9.81, 0.0);
    let mut bodies = PushApart::new(&scene, gravity, |number| number >= WALLS)?;
    let mut film = Film::new(scene);
    let dt = f64::from(STEP) / STEPS as f64;
    for step in 1..=FRAMES * STEPS {
        let offset = offset_after(step as f64 * dt);
        for (wall, place) in places.iter().enumerate() {
            bodies.place(wall, *place + offset);
        }
        bodies.step(dt)?;
        if step % STEPS == 0 {
            film.add_frame(&bodies.poses());
        }
    }
    Ok(film)
}

/// Where the box is after so many seconds.
fn offset_after(time: f64) -> DVec3 {
    let strength = libm::sin(PAUSE_RATE * time).max(0.0);
    DVec3::from_array(
        [0, 1, 2].map(|axis| AMPLITUDES[axis] * strength * libm::sin(RATES[axis] * time)),
    )
}

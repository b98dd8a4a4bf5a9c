//! Walkers on a map of cells that changes under their feet, without a picture: one builds a bridge over a gap, one digs a
//! tunnel through a wall, and the others just walk on. It prints the map.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use clearance::dim2::*;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const FRAME: f32 = 1.0 / 60.0;
const FALL: f32 = 20.0 * FRAME;
const SPEED: f32 = 3.0;
/// Places where walkers do something, from the left: at the gap, and at the wall.
const GAP: [i32; 2] = [10, 14];
const WALL: [i32; 2] = [22, 23];

/// A ground with a gap in it and a wall on it.
fn map() -> Outcome<Cells> {
    let mut map = Cells::new();
    map.set_box(IVec2::new(0, -6), IVec2::new(31, -1), true)?;
    map.set_box(IVec2::new(GAP[0], -4), IVec2::new(GAP[1], -1), false)?;
    map.set_box(IVec2::new(WALL[0], 0), IVec2::new(WALL[1], 3), true)?;
    Ok(map)
}

/// What a walker at a place wants to change: the cells, and whether they are to be filled.
fn wish(at: Vec2, map: &Cells) -> Option<(Vec<IVec2>, bool)> {
    let [ahead, below] = [at.x.floor() as i32 + 1, at.y.floor() as i32 - 1];
    let bridge = IVec2::new(ahead, below);
    if (GAP[0]..=GAP[1]).contains(&ahead) && !map.contains(bridge) {
        return Some((vec![bridge], true));
    }
    let tunnel = [0, 1].map(|up| IVec2::new(ahead, below + 1 + up));
    let is_wall = (WALL[0]..=WALL[1]).contains(&ahead) && map.contains(tunnel[0]);
    // Who digs must be near the wall.
    let is_near = ahead as f32 - at.x < 0.35;
    (is_wall && is_near).then(|| (tunnel.to_vec(), false))
}

fn print(map: &Cells, walkers: &[Vec2]) {
    for y in (-6..5).rev() {
        let sign = |x: i32| {
            let cell = IVec2::new(x, y);
            if walkers.iter().any(|at| at.floor().as_ivec2() == cell) {
                '@'
            } else if map.contains(cell) {
                '#'
            } else {
                '.'
            }
        };
        println!("{}", (0..32).map(sign).collect::<String>());
    }
    println!();
}

fn main() -> Outcome<()> {
    let mut map = map()?;
    let mut world = World::new(Options::default())?;
    let ground = Body::fixed(Shape::voxels_of(Vec2::ONE, map.clone())?, Pose::IDENTITY);
    let ground = world.insert(ground)?;
    let shape = Shape::capsule(0.2, 0.25)?;
    let walkers = [1.5, 3.0, 4.5, 6.0].map(|x| Pose::from_translation(Vec2::new(x, 1.0)));
    let walkers = walkers.map(|pose| world.insert(Body::moving(shape.clone(), pose)));
    let walkers: Vec<BodyId> = walkers.into_iter().collect::<Result<_, _>>()?;
    let mut rises = vec![0.0; walkers.len()];
    let (mut edits, mut lowest) = (0, f32::MAX);
    for frame in 0..480 {
        for (&walker, rise) in walkers.iter().zip(&mut rises) {
            if let Some((cells, filled)) = wish(world.body(walker)?.pose().translation(), &map) {
                for &cell in &cells {
                    map.set(cell, filled)?;
                }
                // From here on questions see it, and the next step has the contacts.
                world.body_mut(ground)?.set_cells(&cells, filled)?;
                edits += 1;
            }
            // Walkers meet the ground only, not each other.
            let is_ground = |other: BodyRef| other.id() == ground;
            let filter = world.query().predicate(&is_ground);
            *rise -= FALL;
            let way = SlidingBody::new(walker, Vec2::new(SPEED, *rise) * FRAME);
            let options = SlideOptions::default();
            let slide = filter.slide_body(way, options)?;
            if slide.ground.is_some() {
                *rise = 0.0;
            }
            lowest = lowest.min(slide.pose.translation().y);
            world.body_mut(walker)?.set_pose(slide.pose)?;
        }
        world.step(FRAME)?;
        if frame % 120 == 0 {
            print(&map, &places(&world, &walkers)?);
        }
    }
    // A bridge of five cells and a tunnel of two: nobody fell, and all came through.
    assert_eq!(edits, 7);
    assert!(lowest > 0.44, "{lowest}");
    let places = places(&world, &walkers)?;
    assert!(places.iter().all(|place| place.x > 25.0));
    Ok(())
}

fn places(world: &World, walkers: &[BodyId]) -> Outcome<Vec<Vec2>> {
    let place = |&walker: &BodyId| Ok(world.body(walker)?.pose().translation());
    walkers.iter().map(place).collect()
}

#[test]
fn holds_what_it_says() -> Outcome<()> {
    main()
}

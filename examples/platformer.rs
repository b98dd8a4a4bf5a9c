//! A tile platformer without a picture: its input is a script, and it prints where the hero is. Slopes, platforms to
//! jump and to drop through, a ladder, coins, and a lift that is jumped from.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use clearance::dim2::*;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// `@` is the hero, `=` the lift, `H` a ladder, `-` a platform to jump through, `o` a coin.
const MAP: [&str; 8] = [
    "..................o.",
    "..............o.....",
    "...........H#####...",
    "...........H........",
    "..o........H........",
    ".---.......H........",
    "@....o./##\\H......=.",
    "####################",
];
/// For how many frames which keys are held: r walks to the right, u climbs, j jumps, d drops, n is none.
const SCRIPT: &str = "10 r,1 rj,15 r,60 n,1 d,140 r,120 u,104 r,71 n,1 j,38 n,90 n";
const FRAME: f32 = 1.0 / 60.0;
const FALL: f32 = 20.0 * FRAME;

fn level() -> Outcome<World> {
    let mut world = World::new(Options {
        margin: 0.0,
        ..Options::default()
    })?;
    let [a, b] = [Vec2::new(-0.5, -0.5), Vec2::new(0.5, -0.5)];
    for (row, line) in MAP.iter().enumerate() {
        for (column, sign) in line.bytes().enumerate() {
            let shape = match sign {
                b'#' => Shape::cuboid(-a)?,
                b'/' => Shape::triangle(a, b, -a)?,
                b'\\' => Shape::triangle(a, b, -b)?,
                b'-' | b'=' => Shape::cuboid(Vec2::new(0.5, 0.1))?,
                b'H' => Shape::cuboid(Vec2::new(0.1, 0.5))?,
                b'o' => Shape::ball(0.2)?,
                b'@' => Shape::capsule(0.25, 0.25)?,
                _ => continue,
            };
            let at = Pose::from_translation(Vec2::new(column as f32, -(row as f32)));
            let mut body = Body::fixed(shape, at).with_user_data(sign.into());
            if b"@=".contains(&sign) {
                body.kind = BodyKind::Moving;
            }
            world.insert(body)?;
        }
    }
    Ok(world)
}

fn find(world: &World, sign: u8) -> Outcome<BodyId> {
    let found = world.bodies().find(|body| body.user_data() == sign.into());
    Ok(found.ok_or("the map lacks a sign")?.id())
}

/// The lift turns back at both ends of its way.
fn drive(world: &mut World, lift: BodyId) -> Outcome<()> {
    let height = world.body(lift)?.pose().translation().y;
    if height <= -6.0 || height > -3.0 {
        let speed = if height > -3.0 { -3.0 } else { 3.0 };
        world
            .body_mut(lift)?
            .set_velocity(Velocity::from_linear(speed * Vec2::Y))?;
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let mut world = level()?;
    let [hero, lift] = [find(&world, b'@')?, find(&world, b'=')?];
    // How fast the hero rises by itself, what it stands on, the velocity of the ground that it left.
    let (mut rise, mut ground, mut carried) = (0.0, None, Vec2::ZERO);
    let (mut coins, mut top) = (0, f32::MIN);
    for (frames, keys) in SCRIPT.split(',').filter_map(|part| part.split_once(' ')) {
        for _ in 0..frames.parse()? {
            drive(&mut world, lift)?;
            world.step(FRAME)?;
            let touched = world
                .contacts_of(hero)
                .filter(|near| near.distance() <= 0.0);
            let touched: Vec<_> = touched.filter_map(|near| near.other(hero)).collect();
            let is = |id: BodyId, sign: u8| world.user_data(id) == Some(sign.into());
            let climbs = keys.contains('u') && touched.iter().any(|&id| is(id, b'H'));
            let taken: Vec<_> = touched.into_iter().filter(|&id| is(id, b'o')).collect();
            coins += taken.len();
            world.remove_many(&taken)?;

            // Who drops does not stand.
            ground = ground.filter(|_| !keys.contains('d'));
            rise = match ground {
                _ if climbs => 3.0,
                Some(_) if keys.contains('j') => 10.0,
                Some(_) => -FALL,
                None => rise - FALL,
            };
            // Ground carries who stands on it; who has left it keeps its velocity.
            let walk = if keys.contains('r') { 4.0 } else { 0.0 };
            let carried_on = ground.map_or(carried, |_| Vec2::ZERO);
            let motion = (Vec2::new(walk, rise) + carried_on) * FRAME;
            let feet = world.body(hero)?.bounds().min.y;
            let is_met = |other: BodyRef| match other.user_data() as u8 {
                b'-' => !keys.contains('d') && other.bounds().max.y <= feet,
                sign => b"#/\\=".contains(&sign),
            };
            let filter = world.query().predicate(&is_met);
            let walk = SlidingBody::new(hero, motion).standing_on(ground);
            let options = SlideOptions::default();
            let slide = filter.slide_body(walk, options)?;
            // A head that met a ceiling does not stick to it.
            if motion.y > 0.0 && slide.motion.y < 0.5 * motion.y {
                (rise, carried) = (0.0, Vec2::ZERO);
            }
            ground = slide.ground;
            carried = ground.map_or(carried, |ground| ground.velocity);
            world.body_mut(hero)?.set_pose(slide.pose)?;
            top = top.max(slide.pose.translation().y);
        }
        let at = world.body(hero)?.pose().translation();
        let on = world.body(lift)?.pose().translation();
        println!("{frames:>3} frames of {keys:2}: at {at:.3}, {coins} coins, the lift at {on:.3}");
    }
    assert_eq!(coins, 4);
    // It jumped from -3.3 at 10 units a second, and 3 of the lift: 13 * 13 / (2 * 20), and half of the first frame.
    assert!((top + 3.3 - 4.33).abs() < 0.02, "{top}");
    Ok(())
}

#[test]
fn holds_what_it_says() -> Outcome<()> {
    main()
}

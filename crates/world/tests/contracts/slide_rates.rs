//! The way of a shape that walks does not depend on how many calls it is made in, nor on how fast it goes.

use clearance_math::{Real, Vec2, Vec3, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, World};

use crate::crowd::Dimension;
use crate::random::{Random, iterations};
use crate::slide_levels::{block, fixed};
use crate::slide_walk::{SKIN, Walker, length, world_of};

crate::in_both_dimensions!(
    the_path_is_the_same_at_every_rate,
    slow_motion_moves_on_level_ground,
    shallow_boards_are_not_climbed_at_any_speed,
    an_edge_carries_by_one_rule,
);

/// Calls a second.
const RATES: [usize; 5] = [1000, 240, 144, 60, 30];

/// How far the ways of two rates may be apart.
const FEW_SKINS: Real = 4.0 * SKIN;

/// By how much more one rate may be ahead of another: getting up on a step is a jump of a few skins.
const AHEAD: Real = 4.0 * SKIN;

const GRAVITY: Real = 9.81;

/// A shape of half a width of 0.4, and the height of its origin above the feet.
struct Hero<V: Vector> {
    shape: Shape<V>,
    half: Real,
    is_flat: bool,
}

impl<V: Vector> Hero<V> {
    fn flat(shape: Shape<V>) -> Self {
        Self {
            shape,
            half: 0.9,
            is_flat: true,
        }
    }

    fn round(half_length: Real) -> Self {
        Self {
            shape: Shape::capsule(half_length, 0.4).unwrap(),
            half: half_length + 0.4,
            is_flat: false,
        }
    }
}

/// What differs between the plane and space.
trait Courses: Dimension {
    fn heroes() -> Vec<Hero<Self>>;
    /// A vector along x and, where there is one, z.
    fn level(angle: Real) -> Self;
    /// A half-space that rises along x at an angle, from a place on.
    fn slope(angle: Real, place: Self) -> Body<Self>;
}

impl Courses for Vec2 {
    fn heroes() -> Vec<Hero<Self>> {
        let cuboid = Shape::cuboid(Vec2::new(0.4, 0.9)).unwrap();
        vec![Hero::flat(cuboid), Hero::round(0.5), Hero::round(0.0)]
    }

    fn level(_: Real) -> Self {
        Vec2::X
    }

    fn slope(angle: Real, place: Self) -> Body<Self> {
        let normal = Vec2::new(-angle.sin(), angle.cos());
        fixed(Shape::half_space(normal).unwrap(), place)
    }
}

impl Courses for Vec3 {
    fn heroes() -> Vec<Hero<Self>> {
        let cuboid = Shape::cuboid(Vec3::new(0.4, 0.9, 0.4)).unwrap();
        let cylinder = Shape::cylinder(0.9, 0.4).unwrap();
        vec![
            Hero::flat(cuboid),
            Hero::flat(cylinder),
            Hero::round(0.5),
            Hero::round(0.0),
        ]
    }

    fn level(angle: Real) -> Self {
        Vec3::new(angle.cos(), 0.0, angle.sin())
    }

    fn slope(angle: Real, place: Self) -> Body<Self> {
        let normal = Vec3::new(-angle.sin(), angle.cos(), 0.0);
        fixed(Shape::half_space(normal).unwrap(), place)
    }
}

/// What is in the way, from x = 1 on.
#[derive(Clone, Copy, Debug)]
enum Obstacle {
    Step {
        height: Real,
    },
    /// A step in front of a wall.
    Board {
        height: Real,
        depth: Real,
    },
    Slope {
        degrees: Real,
    },
    Nothing,
}

impl Obstacle {
    fn any(random: &mut Random) -> Self {
        let height = match random.below(3) {
            // Heights that are about as high as a step may be are left to other tests.
            0 => random.between(0.32, 0.6),
            _ => random.between(0.01, 0.29),
        };
        match random.below(4) {
            0 => Self::Step { height },
            1 => {
                let depth = match random.below(2) {
                    0 => random.between(0.005, 0.09),
                    _ => random.between(0.11, 0.6),
                };
                Self::Board { height, depth }
            }
            2 => Self::Slope {
                degrees: [random.between(2.0, 48.0), random.between(52.0, 80.0)][random.below(2)],
            },
            _ => Self::Step {
                height: random.between(0.05, 0.28),
            },
        }
    }

    fn world<V: Courses>(self) -> World<V> {
        let mut bodies = vec![fixed(Shape::half_space(V::axis(1)).unwrap(), V::ZERO)];
        let mut add = |from: Real, to: Real, height: Real| {
            let low = V::splat(-50.0).with_component(0, from);
            let high = V::splat(50.0).with_component(0, to);
            bodies.push(block(low, high.with_component(1, height)));
        };
        match self {
            Self::Step { height } => add(1.0, 50.0, height),
            Self::Board { height, depth } => {
                add(1.0, 1.0 + depth, height);
                add(1.0 + depth, 50.0, 5.0);
            }
            Self::Slope { degrees } => bodies.push(V::slope(degrees.to_radians(), V::axis(0))),
            Self::Nothing => {}
        }
        world_of(bodies)
    }
}

/// A walk of a second.
struct Walk<'w, V: Vector> {
    world: &'w World<V>,
    shape: &'w Shape<V>,
    start: V,
    /// Units of length a second.
    velocity: V,
    step_depth: Option<Real>,
}

impl<V: Courses> Walk<'_, V> {
    /// The places after each call.
    fn places(&self, rate: usize) -> Vec<V> {
        let mut walker = Walker::new(self.world, self.shape.clone(), self.start);
        walker.options.skin = Some(SKIN);
        walker.options.step_depth = self.step_depth;
        let time = 1.0 / rate as Real;
        let motion = self.velocity * time - V::axis(1) * (GRAVITY * time * time);
        let places = (0..rate).map(|_| {
            let slide = walker.go(motion);
            assert!(slide.ground.is_some(), "{slide:?} of {:?}", walker.shape);
            slide.pose.translation()
        });
        core::iter::once(self.start).chain(places).collect()
    }

    /// Compares the ways at all rates.
    fn compare(&self) -> Result<Vec<V>, String> {
        let finest = self.places(RATES[0]);
        let end = finest[finest.len() - 1];
        for rate in &RATES[1..] {
            let places = self.places(*rate);
            for (k, place) in places.iter().enumerate() {
                let apart = finest
                    .windows(2)
                    .map(|ends| distance_to_segment(*place, ends[0], ends[1]))
                    .fold(Real::INFINITY, Real::min);
                if apart > FEW_SKINS {
                    return Err(format!("{apart} apart at {rate} Hz, {k}: {place}; {end}"));
                }
            }
            let other = places[places.len() - 1];
            let ahead = (other - end).with_component(1, 0.0);
            if length(ahead) > FEW_SKINS + AHEAD {
                return Err(format!("ends at {other} at {rate} Hz, for {end}"));
            }
        }
        Ok(finest)
    }
}

fn distance_to_segment<V: Vector>(point: V, from: V, to: V) -> Real {
    let (way, there) = (to - from, point - from);
    let share = there.dot(way) / way.dot(way).max(1e-30);
    length(there - way * share.clamp(0.0, 1.0))
}

fn any_speed(random: &mut Random) -> Real {
    (10.0 as Real).powf(random.between(-1.7, 1.0))
}

fn the_path_is_the_same_at_every_rate<V: Courses>() {
    let mut random = Random::new(101);
    let (mut failed, count) = (Vec::new(), iterations(40));
    for case in 0..count {
        let obstacle = Obstacle::any(&mut random);
        let world = obstacle.world::<V>();
        let heroes = V::heroes();
        let Hero { shape, half, .. } = &heroes[case % heroes.len()];
        let (speed, angle) = (any_speed(&mut random), random.between(0.0, 1.047));
        let velocity = V::level(angle) * speed;
        let gap = Real::min(0.5 * velocity.component(0), 0.8) * random.between(0.2, 1.0);
        let start = V::axis(0) * (0.6 - SKIN - gap) + V::axis(1) * (half + SKIN);
        let walk = Walk {
            world: &world,
            shape,
            start,
            velocity,
            step_depth: None,
        };
        if let Err(what) = walk.compare() {
            failed.push(format!(
                "{case}: {shape:?} over {obstacle:?} at {speed} m/s, {angle} rad, from {start}: {what}"
            ));
        }
    }
    let some = &failed[..failed.len().min(12)];
    assert!(failed.is_empty(), "{} of {count}: {some:#?}", failed.len());
}

fn slow_motion_moves_on_level_ground<V: Courses>() {
    let world = Obstacle::Nothing.world::<V>();
    for Hero { shape, half, .. } in &V::heroes() {
        for speed in [2e-3, 0.02, 0.3] {
            for rate in RATES {
                let walk = Walk {
                    world: &world,
                    shape,
                    start: V::axis(1) * (half + SKIN),
                    velocity: V::level(0.3) * speed,
                    step_depth: None,
                };
                let places = walk.places(rate);
                let error = places[rate] - walk.start - walk.velocity;
                assert!(
                    length(error) < 0.01 * speed,
                    "{speed} m/s at {rate} Hz: {error} off, {shape:?}"
                );
            }
        }
    }
}

/// Shapes with a flat foot need room for it.
fn shallow_boards_are_not_climbed_at_any_speed<V: Courses>() {
    let mut random = Random::new(102);
    let mut failed = Vec::new();
    for hero in V::heroes().iter().filter(|hero| hero.is_flat) {
        for _ in 0..iterations(20) {
            let height = random.between(0.05, 0.28);
            let step_depth = [None, Some(random.between(0.02, 0.4))][random.below(2)];
            let least = step_depth.unwrap_or(0.1);
            let depth = match random.below(2) {
                0 => least * random.between(0.1, 0.95),
                // In front of the wall there is room for the skin, too.
                _ => least * random.between(1.05, 3.0) + 1.2 * SKIN,
            };
            let world = Obstacle::Board { height, depth }.world::<V>();
            let angle = random.between(0.0, 1.047);
            let speed = random.between(1.0, 10.0);
            let rate = RATES[random.below(5)];
            let walk = Walk {
                world: &world,
                shape: &hero.shape,
                start: V::axis(0) * random.between(0.2, 0.5) + V::axis(1) * (hero.half + SKIN),
                velocity: V::level(angle) * speed,
                step_depth,
            };
            let end = walk.places(rate)[rate];
            let climbed = end.component(1) - walk.start.component(1);
            let expected = if depth > least { height } else { 0.0 };
            if (climbed - expected).abs() > 1e-3 {
                failed.push(format!(
                    "{height} high, {depth} deep for {least}, {speed} m/s, {angle} rad, {rate} Hz: {climbed}"
                ));
            }
        }
    }
    assert!(failed.is_empty(), "{}: {failed:#?}", failed.len());
}

/// A round foot that comes down beside a ledge is carried by its edge at most as far up as a step, and at most so steep.
fn an_edge_carries_by_one_rule<V: Courses>() {
    let ledge = |height: Real| {
        let low = V::splat(-9.0).with_component(1, -9.0);
        block(
            low,
            V::splat(9.0)
                .with_component(0, 0.0)
                .with_component(1, height),
        )
    };
    let world = world_of([ledge(0.0)]);
    let radius = 0.4;
    for Hero { shape, half, .. } in V::heroes().into_iter().filter(|hero| !hero.is_flat) {
        for edge in [0.9, 1.2, 1.4] {
            for step_height in [0.0, 0.1, 0.2, 0.3] {
                for k in 1..40 {
                    // How far the middle is beyond the edge.
                    let beside = (radius + SKIN) * k as Real / 40.0;
                    let start = V::axis(0) * beside + V::axis(1) * (half + 0.3);
                    let mut walker = Walker::new(&world, shape.clone(), start);
                    walker.options.skin = Some(SKIN);
                    walker.options.step_height = step_height;
                    walker.options.max_edge_slope = edge;
                    let angle = (beside / (radius + SKIN)).asin();
                    // The feet are so far below the ledge where the foot meets its edge.
                    let below = radius - (radius + SKIN) * angle.cos();
                    let is_flat = angle <= walker.options.max_slope;
                    let is_step = angle <= edge && below <= step_height;
                    let near = [
                        angle - walker.options.max_slope,
                        angle - edge,
                        below - step_height,
                    ];
                    if near.iter().any(|near| near.abs() < 0.03) {
                        continue;
                    }
                    let mut stands = false;
                    for _ in 0..100 {
                        stands |= walker.go(V::axis(1) * -0.01).ground.is_some();
                    }
                    assert_eq!(
                        stands,
                        is_flat || is_step,
                        "{shape:?} at {beside}, {angle} rad, edge {edge}, steps {step_height}: {}",
                        walker.pose
                    );
                }
            }
        }
    }
}

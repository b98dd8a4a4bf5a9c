//! Whoever walks passes obstacles up to the limits and none beyond, the same way in however many calls, and however fast.

use clearance_math::{Real, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, World};

use crate::random::{Random, iterations};
use crate::slide_levels::{block, fixed};
use crate::slide_walk::{
    HALF_HEIGHT, SKIN, Walker, Walks, assert_none, is_flat, length, level, world_of,
};

crate::in_both_dimensions!(
    obstacles_are_passed_up_to_the_limits_at_every_rate,
    an_edge_carries_by_one_rule,
);

/// Calls a second.
const RATES: [usize; 6] = [1000, 240, 144, 60, 30, 5];

/// How far the ways of two rates may be apart. Getting up on a step is a jump of a few skins.
const FEW_SKINS: Real = 4.0 * SKIN;

/// How far a step carries a round foot, at most.
const CARRIED: Real = 0.06 * 0.4;

const GRAVITY: Real = 9.81;

/// How deep a step must be for those who walk.
const STEP_DEPTH: Real = 0.1;

/// What is in the way, from x = 1 on.
#[derive(Clone, Copy, Debug)]
enum Obstacle {
    Nothing,
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
}

impl Obstacle {
    /// For those who need steps as deep as this.
    fn any(random: &mut Random, least: Real) -> Self {
        let (low, high) = (random.between(0.01, 0.29), random.between(0.31, 0.6));
        let height = [low, low, 0.29, 0.31, high][random.below(5)];
        match random.below(6) {
            0 => Self::Nothing,
            1 => {
                let (low, high) = (random.between(2.0, 49.0), random.between(51.0, 80.0));
                let degrees = [low, 49.0, 51.0, high][random.below(4)];
                Self::Slope { degrees }
            }
            2 | 3 => {
                // In front of the wall there is room for the skin, too.
                let shallow = least * random.between(0.1, 0.95);
                let deep = least * random.between(1.05, 3.0) + 1.2 * SKIN;
                let depth = [shallow, deep][random.below(2)];
                Self::Board { height, depth }
            }
            _ => Self::Step { height },
        }
    }

    fn world<V: Walks>(self) -> World<V> {
        let (x, y) = (V::axis(0), V::axis(1));
        let mut bodies = vec![fixed(Shape::half_space(y).unwrap(), V::ZERO)];
        let mut add = |from: Real, to: Real, height: Real| {
            let low = V::splat(-50.0).with_component(0, from);
            let high = V::splat(50.0).with_component(0, to);
            bodies.push(block(low, high.with_component(1, height)));
        };
        match self {
            Self::Nothing => {}
            Self::Step { height } => add(1.0, 50.0, height),
            Self::Board { height, depth } => {
                add(1.0, 1.0 + depth, height);
                add(1.0 + depth, 50.0, 5.0);
            }
            Self::Slope { degrees } => bodies.push(slope(degrees.to_radians(), x)),
        }
        world_of(bodies)
    }
}

/// A half-space that rises along x at an angle, from a place on.
pub(crate) fn slope<V: Vector>(angle: Real, place: V) -> Body<V> {
    let normal = V::axis(1) * angle.cos() - V::axis(0) * angle.sin();
    fixed(Shape::half_space(normal).unwrap(), place)
}

/// A walk of a second.
#[derive(Debug)]
struct Walk<V: Vector> {
    obstacle: Obstacle,
    shape: Shape<V>,
    start: V,
    /// Units of length a second.
    velocity: V,
    step_depth: Option<Real>,
}

impl<V: Walks> Walk<V> {
    fn any(random: &mut Random, shape: Shape<V>) -> Self {
        let step_depth = [None, Some(random.between(0.02, 0.4))][random.below(2)];
        let obstacle = Obstacle::any(random, step_depth.unwrap_or(STEP_DEPTH));
        let angle = random.between(0.0, 1.047);
        let aside = if V::DIM == 3 { V::axis(2) } else { V::ZERO };
        let way = V::axis(0) * angle.cos() + aside * angle.sin();
        let velocity = way * (10.0 as Real).powf(random.between(-2.7, 1.0));
        // The obstacle is reached before half of the time is over.
        let gap = Real::min(0.5 * velocity.component(0), 0.8) * random.between(0.2, 1.0);
        let start = V::axis(0) * (0.6 - SKIN - gap) + V::axis(1) * (HALF_HEIGHT + SKIN);
        Self {
            obstacle,
            shape,
            start,
            velocity,
            step_depth,
        }
    }

    /// The places after each call.
    fn places(&self, world: &World<V>, rate: usize) -> Vec<V> {
        let mut walker = Walker::new(world, self.shape.clone(), self.start);
        walker.options.skin = Some(SKIN);
        walker.options.step_depth = self.step_depth;
        let time = 1.0 / rate as Real;
        let motion = self.velocity * time - V::axis(1) * (GRAVITY * time * time);
        let places = (0..rate).map(|_| {
            let slide = walker.go(motion);
            assert!(slide.ground.is_some(), "{slide:?}: {self:?}");
            slide.pose.translation()
        });
        core::iter::once(self.start).chain(places).collect()
    }

    /// Compares the end with what must be.
    fn check_end(&self, end: V) -> Result<(), String> {
        let climbed = end.component(1) - self.start.component(1);
        let missing = length(level(end - self.start - self.velocity));
        let is_flat = is_flat(&self.shape);
        // A round foot goes a little way under what leans, and over an edge that is lower than its middle.
        let most = if is_flat { 0.6 } else { 0.9 };
        let is_blocked = climbed.abs() < 1e-3 && end.component(0) < most;
        let is_right = match self.obstacle {
            Obstacle::Nothing => missing < 0.01 * length(self.velocity) && climbed.abs() < 1e-3,
            Obstacle::Slope { degrees } if degrees < 50.0 => missing < FEW_SKINS,
            Obstacle::Step { height } if height < 0.3 => {
                // Until a foot is on the step it stands at the edge: a flat one within the skin of it.
                let [middle, lower] = [[1.0, height], [0.6, 0.5 * SKIN]][usize::from(is_flat)];
                let off = if end.component(0) < middle {
                    lower
                } else {
                    0.0
                };
                missing < FEW_SKINS + CARRIED && (climbed - height).abs() < off + 1e-4
            }
            // A round foot is carried by the edge of a board that has no room for it.
            Obstacle::Board { height, .. } if height < 0.3 && !is_flat => true,
            Obstacle::Board { height, depth } if height < 0.3 => {
                let is_deep = depth > self.step_depth.unwrap_or(STEP_DEPTH);
                (climbed - if is_deep { height } else { 0.0 }).abs() < 0.5 * SKIN
            }
            _ => is_blocked,
        };
        let told = || format!("ends at {end}, {climbed} up, {missing} off");
        is_right.then_some(()).ok_or_else(told)
    }

    /// Compares the ways at all rates.
    fn compare(&self) -> Result<(), String> {
        let world = self.obstacle.world();
        let finest = self.places(&world, RATES[0]);
        let end = finest[RATES[0]];
        self.check_end(end)?;
        for rate in &RATES[1..] {
            let places = self.places(&world, *rate);
            let other = places[*rate];
            let fail = |what| format!("{what} at {rate} Hz, which ends at {other} for {end}");
            self.check_end(other).map_err(fail)?;
            if length(level(other - end)) > 2.0 * FEW_SKINS {
                return Err(fail("another end".to_owned()));
            }
            for place in places {
                let apart = finest
                    .windows(2)
                    .map(|ends| distance_to_segment(place, ends[0], ends[1]))
                    .fold(Real::INFINITY, Real::min);
                if apart > FEW_SKINS {
                    return Err(fail(format!("{place} is {apart} off the way")));
                }
            }
        }
        Ok(())
    }
}

fn distance_to_segment<V: Vector>(point: V, from: V, to: V) -> Real {
    let (way, there) = (to - from, point - from);
    let share = there.dot(way) / way.dot(way).max(1e-30);
    length(there - way * share.clamp(0.0, 1.0))
}

fn obstacles_are_passed_up_to_the_limits_at_every_rate<V: Walks>() {
    let mut random = Random::new(101);
    let (walkers, count) = (V::walkers(), iterations(80));
    let cases = (0..count).filter_map(|case| {
        let shape = walkers[case % walkers.len()].clone();
        let walk = Walk::any(&mut random, shape);
        let what = walk.compare().err()?;
        Some(format!("{case}: {what}: {walk:?}"))
    });
    assert_none(&cases.collect::<Vec<_>>(), count);
}

/// A round foot that comes down beside a ledge is carried by its edge at most as far up as a step, and at most so steep.
fn an_edge_carries_by_one_rule<V: Walks>() {
    let ledge = V::splat(9.0).with_component(0, 0.0).with_component(1, 0.0);
    let world = world_of([block(V::splat(-9.0), ledge)]);
    let mut random = Random::new(103);
    let radius = 0.4;
    for _ in 0..iterations(300) {
        let half = [0.0, 0.5][random.below(2)];
        let shape = Shape::capsule(half, radius).unwrap();
        let (edge, step_height) = (random.between(0.88, 1.5), random.between(0.0, 0.35));
        // How far the middle is beyond the edge.
        let beside = (radius + SKIN) * random.between(0.02, 0.98);
        let start = V::axis(0) * beside + V::axis(1) * (half + radius + 0.3);
        let mut walker = Walker::new(&world, shape, start);
        walker.options.skin = Some(SKIN);
        walker.options.step_height = step_height;
        walker.options.max_edge_slope = edge;
        let angle = (beside / (radius + SKIN)).asin();
        // The feet are so far below the ledge where the foot meets its edge.
        let below = radius - (radius + SKIN) * angle.cos();
        let max_slope = walker.options.max_slope;
        let carries = angle <= max_slope || angle <= edge && below <= step_height;
        let near = [angle - max_slope, angle - edge, below - step_height];
        if near.iter().any(|near| near.abs() < 0.03) {
            continue;
        }
        let mut falls = (0..100).map(|_| walker.go(V::axis(1) * -0.01));
        let ground = falls.find_map(|slide| slide.ground);
        let case = format!("{half}, {beside}, {angle} rad, edge {edge}, steps {step_height}");
        assert_eq!(ground.is_some(), carries, "{case}: {}", walker.pose);
        if let Some(ground) = ground.filter(|_| angle > max_slope) {
            // What carries is the upper side of the ledge.
            let tilt = length(ground.normal - V::axis(1));
            assert!(tilt < 1e-6, "{case}: {ground:?}");
        }
    }
}

//! Between two surfaces at any angle a move is never longer than what was asked and a few skins, and comes to rest.

use clearance_math::{Real, Vec2, Vec3, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, Slide, World};

use crate::random::{Random, iterations};
use crate::slide_levels::fixed;
use crate::slide_walk::{
    FALL, HALF_HEIGHT, SKIN, Walker, Walks, assert_none, length, level, world_of,
};

crate::in_both_dimensions!(no_move_is_longer_than_asked_between_any_two_surfaces);

/// How much longer than asked a move may be.
const FEW_SKINS: Real = 5.0 * SKIN;

/// Half of the length of the surfaces that end somewhere.
const FAR: Real = 20.0;

/// What differs between the plane and space.
trait Wedges: Walks {
    /// A surface without a thickness, by its corners.
    fn sheet(corners: &[Self]) -> Shape<Self>;
}

impl Wedges for Vec2 {
    fn sheet(corners: &[Self]) -> Shape<Self> {
        Shape::polyline(vec![corners[0], corners[3]]).unwrap()
    }
}

impl Wedges for Vec3 {
    fn sheet(corners: &[Self]) -> Shape<Self> {
        Shape::mesh_welded(corners, [[0, 1, 2], [1, 3, 2]]).unwrap()
    }
}

/// How far one who walks reaches from its origin along a unit vector.
fn reach<V: Vector>(shape: &Shape<V>, normal: V) -> Real {
    let (up, aside) = (normal.component(1).abs(), length(level(normal)));
    match shape.kind_name() {
        "capsule" => 0.5 * up + 0.4,
        "ellipsoid" => Real::hypot(HALF_HEIGHT * up, 0.4 * aside),
        "cylinder" => HALF_HEIGHT * up + 0.4 * aside,
        _ => (0..V::DIM).fold(0.5 * up, |sum, axis| {
            sum + 0.4 * normal.component(axis).abs()
        }),
    }
}

/// An infinite surface that nothing passes.
#[derive(Clone, Copy, Debug)]
struct Surface<V> {
    normal: V,
    through: V,
}

/// Three directions that are square to each other; the third is zero in the plane.
#[derive(Clone, Copy, Debug)]
struct Frame<V>([V; 3]);

impl<V: Wedges> Frame<V> {
    /// Of floors and ceilings, or of walls.
    fn any(random: &mut Random) -> Self {
        let [x, y] = [0, 1].map(V::axis);
        if V::DIM == 2 {
            return Self([x, y, V::ZERO]);
        }
        let (sin, cos) = random.between(-3.2, 3.2).sin_cos();
        let [level, aside] = [x * cos + V::axis(2) * sin, V::axis(2) * cos - x * sin];
        [Self([level, y, aside]), Self([level, aside, y])][usize::from(random.once_in(3))]
    }

    fn direction(&self, angle: f64) -> V {
        self.0[0] * (angle.cos() as Real) + self.0[1] * (angle.sin() as Real)
    }

    fn body(&self, angle: f64, surface: &Surface<V>, random: &mut Random) -> Body<V> {
        let along = self.direction(angle + core::f64::consts::FRAC_PI_2) * FAR;
        let aside = self.0[2] * FAR;
        let corners = |offset: V| {
            [-along - aside, aside - along, along - aside, along + aside]
                .map(|corner| surface.through + corner + offset)
        };
        match random.below(3) {
            0 => fixed(Shape::half_space(surface.normal).unwrap(), surface.through),
            1 => {
                let mut points = corners(V::ZERO).to_vec();
                points.extend(corners(-surface.normal));
                fixed(Shape::hull(&points).unwrap(), V::ZERO)
            }
            _ => fixed(V::sheet(&corners(V::ZERO)), V::ZERO),
        }
    }
}

/// An angle between two normals: any, many of them nearly opposite.
fn any_opening(random: &mut Random) -> f64 {
    use core::f64::consts::PI;
    let sign = [1.0, -1.0][random.below(2)];
    sign * match random.below(4) {
        0 => f64::from(random.between(0.0, 3.1)),
        1 => PI,
        _ => PI - 10f64.powf(f64::from(random.between(-7.0, -0.3))),
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// Into the edge of the wedge.
    Closing,
    /// As somebody who walks towards it, and falls.
    Walking,
    Any,
    None,
}

#[derive(Debug)]
struct Case<V: Vector> {
    hero: Shape<V>,
    frame: Frame<V>,
    angles: [f64; 2],
    surfaces: Vec<Surface<V>>,
    place: V,
    way: Way,
    motion: V,
    seed: u64,
}

impl<V: Wedges> Case<V> {
    fn any(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let frame = Frame::<V>::any(&mut random);
        let walkers = V::walkers();
        let hero = walkers[random.below(walkers.len())].clone();
        let place = random.vector::<V>(-1.0, 1.0);
        let first = match random.below(3) {
            0 => core::f64::consts::FRAC_PI_2,
            1 => core::f64::consts::FRAC_PI_2 + f64::from(random.between(-0.7, 0.7)),
            _ => f64::from(random.between(-3.2, 3.2)),
        };
        let opening = any_opening(&mut random);
        let angles = [first, first + opening];
        let mut normals = angles.map(|angle| frame.direction(angle)).to_vec();
        if frame.0[2].component(1).abs() > 0.5 {
            normals.push(V::axis(1));
        }
        let surfaces = normals.into_iter().map(|normal| {
            let clearance = [0.0, 1.0, random.between(0.0, 3.0)][random.below(3)] * SKIN;
            let through = place - normal * (reach(&hero, normal) + clearance);
            Surface { normal, through }
        });
        let surfaces = surfaces.collect();
        let closing = -frame.direction(first + 0.5 * opening);
        let length = match random.below(3) {
            0 => 0.067,
            _ => (10.0 as Real).powf(random.between(-3.0, 1.0)),
        };
        let way = [Way::Closing, Way::Walking, Way::Any, Way::None][random.below(4)];
        let motion = match way {
            Way::Closing => closing * length,
            Way::Walking => closing.with_component(1, 0.0) * length + V::axis(1) * FALL,
            Way::Any => random.vector::<V>(-1.0, 1.0) * length,
            Way::None => V::ZERO,
        };
        Self {
            hero,
            frame,
            angles,
            surfaces,
            place,
            way,
            motion,
            seed,
        }
    }

    /// Whether two calls of the same motion that are blocked must come to rest: where it leads into the wedge.
    fn must_rest(&self) -> bool {
        // Walls that are nearly parallel are a corridor.
        let is_wedge = (self.angles[1] - self.angles[0]).abs() > core::f64::consts::FRAC_PI_2
            && self.off_parallel() > 2e-4;
        let is_floor = |surface: &Surface<V>| surface.normal.component(1) > 0.65;
        let closes = |surface: &Surface<V>| surface.normal.dot(self.motion) < 0.0;
        let slips = |surface: &Surface<V>| {
            let level = self.motion.with_component(1, 0.0);
            surface.normal.dot(level) < 0.0
        };
        match self.way {
            Way::None => true,
            Way::Closing => is_wedge && self.surfaces[..2].iter().all(closes),
            Way::Walking => {
                is_wedge
                    && self.surfaces.iter().any(is_floor)
                    && self.surfaces[..2].iter().all(closes)
                    && self.surfaces[..2].iter().all(slips)
            }
            Way::Any => false,
        }
    }

    /// How far the two normals are from opposite ones.
    fn off_parallel(&self) -> f64 {
        ((self.angles[1] - self.angles[0]).abs() - core::f64::consts::PI).abs()
    }

    /// How far a shape that must be at rest may still go in a call. Where the walls nearly face each other it comes to rest
    /// slowly.
    fn most_at_rest(&self) -> Real {
        if self.off_parallel() > 0.05 {
            0.5 * SKIN
        } else {
            (0.06 * length(self.motion)).max(2.0 * SKIN)
        }
    }

    fn world(&self) -> World<V> {
        let mut random = Random::new(self.seed + 1);
        let mut bodies = Vec::new();
        for (surface, angle) in self.surfaces.iter().zip(self.angles) {
            bodies.push(self.frame.body(angle, surface, &mut random));
        }
        if let Some(floor) = self.surfaces.get(2) {
            let shape = Shape::half_space(floor.normal).unwrap();
            bodies.push(fixed(shape, floor.through));
        }
        world_of(bodies)
    }

    fn run(&self) -> Result<(), String> {
        let world = self.world();
        let mut walker = Walker::new(&world, self.hero.clone(), self.place);
        walker.options.skin = Some(SKIN);
        let (asked, level) = (length(self.motion), length(level(self.motion)));
        let onwards = if self.way == Way::Walking {
            level
        } else {
            asked
        };
        let (mut blocked, mut calls) = (None, Vec::new());
        // Who starts with less than the skin gets more of it in each call, and the rest at once: then the wait begins anew.
        let mut is_released = false;
        for call in 0..36 {
            let slide = walker.go(self.motion);
            let moved = length(slide.motion);
            calls.push(moved / SKIN);
            let fail = |what| format!("{what} in call {call}: {slide:?}, in skins {calls:?}");
            self.check(&slide).map_err(fail)?;
            if length(slide.pose.translation()) > 0.4 * FAR {
                // Elsewhere the surfaces end.
                return Ok(());
            }
            if !slide.is_squeezed && !is_released {
                (is_released, blocked) = (true, None);
            }
            if blocked.is_none() && moved <= 0.25 * onwards {
                blocked = Some(call);
            }
            let should_rest = blocked.is_some_and(|first| call >= first + 10);
            if self.must_rest() && should_rest && moved > self.most_at_rest() {
                return Err(fail("does not come to rest"));
            }
        }
        Ok(())
    }

    /// What must hold for each move.
    fn check(&self, slide: &Slide<V>) -> Result<(), &'static str> {
        // Who walks goes as far as asked on the level, and up or down with the slope.
        let (asked, level) = (length(self.motion), length(level(slide.motion)));
        let slope = if slide.ground.is_some() { 1.2 } else { 0.0 };
        let walked = level * Real::hypot(1.0, slope);
        if level > asked + FEW_SKINS || length(slide.motion) > asked.max(walked) + FEW_SKINS {
            return Err("moved too far");
        }
        for surface in &self.surfaces {
            let way = slide.pose.translation() - surface.through;
            let gap = surface.normal.dot(way) - reach(&self.hero, surface.normal);
            if gap < -1e-5 {
                return Err("went through something");
            }
            if gap < 0.9 * SKIN && !(slide.is_squeezed || slide.is_stuck) {
                return Err("says nothing of a gap that is too small");
            }
        }
        Ok(())
    }
}

fn no_move_is_longer_than_asked_between_any_two_surfaces<V: Wedges>() {
    let count = iterations(1000);
    let failed = (0..count).filter_map(|seed| {
        let case = Case::<V>::any(seed as u64);
        let what = case.run().err()?;
        Some(format!("{what}: {case:?}"))
    });
    assert_none(&failed.collect::<Vec<_>>(), count);
}

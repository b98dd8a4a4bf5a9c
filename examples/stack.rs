//! Ten boxes stand on each other for a minute, in the plane and in space: a solver with warm starting.
//!
//! The engine finds the points; the solver finds impulses that stop them from approaching (sequential impulses; Catto,
//! "Iterative dynamics with temporal coherence", 2005). One source serves both dimensions: the plane is a slice of space.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use clearance::Options;
use clearance::generic::{Body, BodyManifold, Pose, Rotation, Shape, Vector, Velocity, World};
use clearance::math::{Quat, Rotation2, Vec2, Vec3};

/// Length of a frame in seconds.
const FRAME: f32 = 1.0 / 60.0;
const GRAVITY: f32 = -10.0;
const FRICTION: f32 = 0.6;
const ITERATIONS: usize = 20;
/// Overlap that is left alone, so that contacts last; how much of the rest is mended in a frame.
const SLOP: f32 = 0.005;
const MENDED: f32 = 0.2;
/// How far a contact point may go on its body between two frames and still be the same.
const WITHIN: f32 = 0.02;
const COUNT: usize = 10;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// A body as the solver sees it. Boxes have sides of 1 and a mass of 1; what is fixed has an endless one.
#[derive(Clone, Copy, Default)]
struct Load {
    inverse_mass: f32,
    inverse_inertia: f32,
    linear: Vec3,
    angular: Vec3,
    center: Vec3,
}

impl Load {
    fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.linear + self.angular.cross(point - self.center)
    }

    fn push(&mut self, impulse: Vec3, point: Vec3) {
        self.linear += impulse * self.inverse_mass;
        self.angular += (point - self.center).cross(impulse) * self.inverse_inertia;
    }

    /// How much faster a unit impulse makes the point along the axis.
    fn ease(&self, axis: Vec3, point: Vec3) -> f32 {
        let turn = (point - self.center).cross(axis);
        self.inverse_mass + turn.length_squared() * self.inverse_inertia
    }
}

/// A point of a manifold: between two bodies, along the normal and two tangents.
struct Touch {
    bodies: [usize; 2],
    point: Vec3,
    axes: [Vec3; 3],
    impulses: [f32; 3],
    /// The least speed apart.
    target: f32,
}

impl Touch {
    fn apply(&self, axis: usize, impulse: f32, loads: &mut [Load]) {
        let [a, b] = self.bodies;
        loads[a].push(self.axes[axis] * -impulse, self.point);
        loads[b].push(self.axes[axis] * impulse, self.point);
    }

    /// Changes the impulses so that the point does not approach or slide, as far as they may.
    fn solve(&mut self, loads: &mut [Load]) {
        for axis in [1, 2, 0] {
            let [a, b] = self.bodies.map(|body| loads[body]);
            let along = self.axes[axis];
            let speed = (b.velocity_at(self.point) - a.velocity_at(self.point)).dot(along);
            let target = if axis == 0 { self.target } else { 0.0 };
            let wanted = (target - speed) / (a.ease(along, self.point) + b.ease(along, self.point));
            let most = FRICTION * self.impulses[0];
            let (least, most) = if axis == 0 {
                (0.0, f32::INFINITY)
            } else {
                (-most, most)
            };
            let impulse = (self.impulses[axis] + wanted).clamp(least, most);
            self.apply(axis, impulse - self.impulses[axis], loads);
            self.impulses[axis] = impulse;
        }
    }
}

/// The manifolds of a frame, and the impulse of each of their points.
struct Kept<V: Vector> {
    manifolds: Vec<BodyManifold<V>>,
    impulses: Vec<[Vec3; 4]>,
}

impl<V: Vector> Kept<V> {
    const NONE: Self = Self {
        manifolds: Vec::new(),
        impulses: Vec::new(),
    };
}

struct Solver<V: Vector> {
    world: World<V>,
    now: Kept<V>,
    before: Kept<V>,
    loads: Vec<Load>,
    touches: Vec<Touch>,
}

/// A vector of the plane or of space as one of space.
fn lift<V: Vector>(vector: V) -> Vec3 {
    let mut lifted = Vec3::ZERO;
    (0..V::DIM).for_each(|axis| lifted[axis] = vector.component(axis));
    lifted
}

fn lower<V: Vector>(vector: Vec3) -> V {
    (0..V::DIM).fold(V::ZERO, |lowered, axis| {
        lowered.with_component(axis, vector[axis])
    })
}

impl<V: Vector> Solver<V> {
    fn step(&mut self) -> Outcome<()> {
        self.world.step(FRAME)?;
        std::mem::swap(&mut self.now, &mut self.before);
        self.world.manifolds(&mut self.now.manifolds);
        self.load();
        self.warm_start();
        for _ in 0..ITERATIONS {
            self.touches
                .iter_mut()
                .for_each(|touch| touch.solve(&mut self.loads));
        }
        let mut touches = self.touches.iter();
        self.now.impulses.clear();
        for found in &self.now.manifolds {
            let mut impulses = [Vec3::ZERO; 4];
            for (impulse, touch) in impulses
                .iter_mut()
                .zip(touches.by_ref().take(found.manifold.points().len()))
            {
                *impulse = (0..3)
                    .map(|axis| touch.axes[axis] * touch.impulses[axis])
                    .sum();
            }
            self.now.impulses.push(impulses);
        }
        let ids: Vec<_> = self.world.ids().collect();
        for (id, load) in ids.into_iter().zip(&self.loads) {
            let angular = V::Rotation::angular_from_space(load.angular);
            self.world
                .set_velocity(id, Velocity::new(lower(load.linear), angular))?;
        }
        Ok(())
    }

    /// Reads the bodies, and lets them fall. Nobody is removed, so the places of the ids are those of the list.
    fn load(&mut self) {
        self.loads.clear();
        self.loads.extend(self.world.bodies().map(|body| {
            let velocity = body.velocity();
            let is_free = body.kind() == clearance::Kind::Moving;
            Load {
                inverse_mass: f32::from(is_free),
                inverse_inertia: 6.0 * f32::from(is_free),
                linear: lift(velocity.linear) + Vec3::Y * (GRAVITY * FRAME * f32::from(is_free)),
                angular: V::Rotation::angular_in_space(velocity.angular),
                center: lift(body.pose().translation),
            }
        }));
    }

    /// Starts each point with the impulse that it had one frame ago.
    fn warm_start(&mut self) {
        self.touches.clear();
        for found in &self.now.manifolds {
            let before = &self.before;
            let place = before
                .manifolds
                .binary_search_by_key(&found.key(), BodyManifold::key)
                .ok();
            let from = place.map(|place| found.points_before(&before.manifolds[place], WITHIN));
            let normal = lift(found.manifold.normal());
            let (side, other) = normal.any_orthonormal_pair();
            for (k, point) in found.manifold.points().iter().enumerate() {
                let kept = place.zip(from.and_then(|from| from[k]));
                let kept = kept.map_or(Vec3::ZERO, |(place, from)| before.impulses[place][from]);
                let axes = [normal, side, other];
                let overlap = (-point.distance - SLOP).max(0.0);
                let touch = Touch {
                    bodies: [found.a, found.b].map(|id| id.index() as usize),
                    point: (lift(point.point_a) + lift(point.point_b)) * 0.5,
                    axes,
                    // A normal that turned does not pull.
                    impulses: [kept.dot(normal).max(0.0), kept.dot(side), kept.dot(other)],
                    target: MENDED * overlap / FRAME - point.distance.max(0.0) / FRAME,
                };
                (0..3).for_each(|axis| touch.apply(axis, touch.impulses[axis], &mut self.loads));
                self.touches.push(touch);
            }
        }
    }
}

/// Stacks boxes, a little aside and turned, and tells the kinetic energy and the drift of the last half minute.
fn stack<V: Vector>(turn: fn(f32) -> V::Rotation) -> Outcome<(f32, f32)> {
    let mut world = World::new(Options {
        surface_contacts: true,
        ..Options::default()
    })?;
    world.insert(Body::fixed(Shape::half_space(V::axis(1))?, Pose::IDENTITY))?;
    for k in 0..COUNT {
        let aside = [0.0, 2e-4, -1e-4][k % 3];
        let place = V::axis(0) * aside + V::axis(1) * (0.5 + 1.002 * k as f32);
        world.insert(Body::moving(
            Shape::cuboid(V::splat(0.5))?,
            Pose::new(place, turn(aside)),
        ))?;
    }
    let mut solver = Solver {
        world,
        now: Kept::NONE,
        before: Kept::NONE,
        loads: Vec::new(),
        touches: Vec::new(),
    };
    let places = |world: &World<V>| {
        world
            .bodies()
            .map(|body| lift(body.pose().translation))
            .collect::<Vec<_>>()
    };
    let mut early = Vec::new();
    for frame in 0..3600 {
        solver.step()?;
        if frame == 1800 {
            early = places(&solver.world);
        }
    }
    let late = places(&solver.world);
    let drift = early
        .iter()
        .zip(&late)
        .map(|(early, late)| early.distance(*late))
        .fold(0.0, f32::max);
    let energy =
        |load: &Load| 0.5 * load.linear.length_squared() + load.angular.length_squared() / 12.0;
    let height = late.last().map_or(0.0, |top| top.y);
    assert!(
        (height - (COUNT as f32 - 0.5)).abs() < 0.1,
        "the top is at {height}"
    );
    Ok((solver.loads.iter().map(energy).sum(), drift))
}

fn main() -> Outcome<()> {
    for (energy, drift) in [
        stack::<Vec2>(Rotation2::from_angle)?,
        stack::<Vec3>(Quat::from_rotation_y)?,
    ] {
        println!("kinetic energy {energy:e}, drift in half a minute {drift:e}");
        assert!(energy < 1e-6 && drift < 1e-3);
    }
    Ok(())
}

#[test]
fn holds_what_it_says() -> Outcome<()> {
    main()
}

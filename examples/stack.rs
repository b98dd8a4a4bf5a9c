//! Ten boxes stand on each other for a minute, in the plane and in space: a solver with warm starting.
//!
//! The engine finds the points; the solver finds impulses that stop them from approaching (sequential impulses; Catto,
//! "Iterative dynamics with temporal coherence", 2005). One source serves both dimensions: the solver works in space, of
//! which the plane is a slice.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use clearance::generic::{Body, BodyManifold, Pose, Rotation, Shape, Vector, Velocity, World};
use clearance::math::{DVec3, PreciseVector, Quat, Rotation2, Vec2, Vec3};
use clearance::{BodyId, Options};

/// Length of a frame in seconds.
const FRAME: f64 = 1.0 / 60.0;
const GRAVITY: f64 = 10.0;
const FRICTION: f64 = 0.6;
/// A stack of ten needs as many, or it sways.
const ITERATIONS: usize = 20;
/// Overlap that is left alone, so that contacts last; how much of the rest is mended in a frame.
const SLOP: f64 = 0.005;
const MENDED: f64 = 0.2;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;
/// The bodies and their parts.
type Key = (BodyId, BodyId, u32, u32);
/// Of a point: along the normal, and along two tangents.
type Impulses = [f64; 3];

/// A body as the solver sees it. Boxes have sides of 1 and a mass of 1; the ground has an endless one.
#[derive(Clone, Copy, Default)]
struct Load {
    inverse_mass: f64,
    inverse_inertia: f64,
    linear: DVec3,
    angular: DVec3,
}

impl Load {
    fn push(&mut self, arm: DVec3, impulse: DVec3) {
        self.linear += impulse * self.inverse_mass;
        self.angular += arm.cross(impulse) * self.inverse_inertia;
    }
}

/// A point of a manifold: between two bodies, along the normal and two tangents.
struct Touch {
    bodies: [usize; 2],
    arms: [DVec3; 2],
    axes: [DVec3; 3],
    /// The least speed apart.
    target: f64,
    impulses: Impulses,
}

impl Touch {
    fn apply(&self, loads: &mut [Load], impulse: DVec3) {
        loads[self.bodies[0]].push(self.arms[0], -impulse);
        loads[self.bodies[1]].push(self.arms[1], impulse);
    }

    /// Changes the impulses so that the point does not approach or slide, as far as they may.
    fn solve(&mut self, loads: &mut [Load]) {
        for k in [1, 2, 0] {
            let axis = self.axes[k];
            let (mut speed, mut ease) = (0.0, 0.0);
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let (load, arm) = (loads[self.bodies[side]], self.arms[side]);
                speed += sign * (load.linear + load.angular.cross(arm)).dot(axis);
                ease += load.inverse_mass + arm.cross(axis).length_squared() * load.inverse_inertia;
            }
            let most = FRICTION * self.impulses[0];
            let impulse = match k {
                0 => (self.impulses[0] + (self.target - speed) / ease).max(0.0),
                _ => (self.impulses[k] - speed / ease).clamp(-most, most),
            };
            self.apply(loads, axis * (impulse - self.impulses[k]));
            self.impulses[k] = impulse;
        }
    }
}

fn lift<V: Vector>(vector: V) -> DVec3 {
    vector.to_precise().in_space()
}

/// The points of a manifold, which start with the impulses that they had one frame ago.
fn touches<V: Vector>(found: &BodyManifold<V>, kept: [Impulses; 4]) -> Vec<Touch> {
    let normal = found.manifold.normal().to_precise();
    // In the plane the first tangent lies in it, and along the second nothing moves.
    let [normal, side] = [normal, normal.perpendicular()].map(PreciseVector::in_space);
    let points = found.manifold.points().iter().zip(kept);
    let touch = points.map(|(point, impulses)| {
        let place = (lift(point.point_a()) + lift(point.point_b())) * 0.5;
        let distance = f64::from(point.distance);
        Touch {
            // Nobody is removed, so the slots of the ids are the places in the list.
            bodies: [found.a, found.b].map(|id| id.index() as usize),
            arms: [found.pose_a, found.pose_b].map(|pose| place - lift(pose.translation())),
            axes: [normal, side, normal.cross(side)],
            target: (MENDED * (-distance - SLOP).max(0.0) - distance.max(0.0)) / FRAME,
            impulses,
        }
    });
    touch.collect()
}

struct Solver<V: Vector> {
    world: World<V>,
    loads: Vec<Load>,
    /// The manifolds of the last frame, sorted, and the points of each.
    keys: Vec<Key>,
    touches: Vec<Vec<Touch>>,
}

impl<V: Vector> Solver<V> {
    fn step(&mut self) -> Outcome<()> {
        self.world.step(FRAME as f32)?;
        let before = std::mem::take(&mut self.keys);
        let old = std::mem::take(&mut self.touches);
        for found in self.world.manifolds() {
            let place = before.binary_search(&found.key()).ok();
            let kept = found.points_before.map(|from| {
                let from = place.zip(from);
                from.map_or(Impulses::default(), |(place, from)| {
                    old[place][usize::from(from)].impulses
                })
            });
            self.keys.push(found.key());
            self.touches.push(touches(found, kept));
        }
        let new = &mut self.touches;
        for load in &mut self.loads[1..] {
            load.linear.y -= GRAVITY * FRAME;
        }
        for touch in new.iter().flatten() {
            let impulse = (0..3).map(|k| touch.axes[k] * touch.impulses[k]).sum();
            touch.apply(&mut self.loads, impulse);
        }
        for _ in 0..ITERATIONS {
            let touches = new.iter_mut().flatten();
            touches.for_each(|touch| touch.solve(&mut self.loads));
        }
        let ids: Vec<_> = self.world.bodies().ids().collect();
        for (id, load) in ids.into_iter().zip(&self.loads).skip(1) {
            let linear = V::from_precise(V::Precise::from_space(load.linear));
            let angular = V::Rotation::angular_from_space(load.angular.as_vec3());
            self.world
                .body_mut(id)?
                .set_velocity(Velocity::new(linear, angular))?;
        }
        Ok(())
    }
}

/// Stacks boxes, a little aside and turned, and tells the kinetic energy and the drift of the last half minute.
fn stack<V: Vector>(turn: fn(f32) -> V::Rotation) -> Outcome<(f64, f64)> {
    let options = Options {
        surface_contacts: true,
        manifolds: true,
        ..Options::default()
    };
    let mut world = World::new(options)?;
    world.insert(Body::fixed(Shape::half_space(V::axis(1))?, Pose::IDENTITY))?;
    let mut loads = vec![Load::default()];
    for k in 0..10 {
        let aside = [0.0, 3e-3, -2e-3][k % 3];
        let place = V::axis(0) * aside + V::axis(1) * (0.5 + 1.002 * k as f32);
        world.insert(Body::moving(
            Shape::cuboid(V::splat(0.5))?,
            Pose::new(place, turn(aside)),
        ))?;
        loads.push(Load {
            inverse_mass: 1.0,
            inverse_inertia: 6.0,
            ..Load::default()
        });
    }
    let mut solver = Solver {
        world,
        loads,
        keys: Vec::new(),
        touches: Vec::new(),
    };
    let mut places = Vec::new();
    for _half_minute in 0..2 {
        for _frame in 0..1800 {
            solver.step()?;
        }
        let bodies = solver.world.bodies();
        places.push(
            bodies
                .map(|body| lift(body.pose().translation()))
                .collect::<Vec<_>>(),
        );
    }
    let drift = places[0]
        .iter()
        .zip(&places[1])
        .map(|(early, late)| early.distance(*late))
        .fold(0.0, f64::max);
    let energy =
        |load: &Load| 0.5 * load.linear.length_squared() + load.angular.length_squared() / 12.0;
    let height = places[1][10].y;
    assert!((height - 9.5).abs() < 0.1, "the top is at {height}");
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

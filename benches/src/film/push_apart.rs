//! Bodies in space that fall, and that contacts push apart.
//!
//! Each step moves the bodies at their velocities, finds their contacts, moves bodies that overlap
//! apart at the points of contact, and takes the new velocities from how far bodies came (Müller,
//! Heidelberger, Hennix and Ratcliff, "Position Based Dynamics", 2007). It is meant to move like
//! bodies of a game, not to be right.

use std::error::Error;

use clearance_math::glam::DQuat;
use clearance_math::{DVec3, Pose, Real, Vec3};
use clearance_scene::{BodyKind, RunOptions, Scene, SceneBody, SceneRunner};
use clearance_shapes::Shape;
use clearance_world::{BodyId, World};

use super::{Built, body};
use crate::Random;

/// How often contacts are gone through in a step.
const ITERATIONS: usize = 6;

/// The share of an overlap that is corrected each time.
const STIFFNESS: f64 = 0.6;

/// The share of the velocity that is left after a second.
const DAMPING: f64 = 0.3;

/// The share of a slide at a point of contact that friction takes back, at most this multiple of
/// the push.
const FRICTION: f64 = 0.5;

/// Bodies slower than this lose most of their velocity in each step, as they would by rolling
/// resistance.
const SLOW: f64 = 0.06;

/// The greatest speed.
const MOST_SPEED: f64 = 20.0;

/// The bodies of a scene.
pub(super) struct PushApart {
    world: World<Vec3>,
    ids: Vec<BodyId>,
    bodies: Vec<PushedBody>,
    gravity: DVec3,
}

struct PushedBody {
    position: DVec3,
    rotation: DQuat,
    velocity: DVec3,
    spin: DVec3,
    /// Zero for what nothing pushes.
    inverse_mass: f64,
    inverse_inertia: f64,
}

/// Two bodies that may overlap: the points of contact, from the centres of the bodies and in their
/// frames, and the normal from a to b.
struct Contact {
    bodies: [usize; 2],
    points: [DVec3; 2],
    normal: DVec3,
    /// From the point of a to that of b when the step began.
    before: DVec3,
}

impl PushApart {
    /// The bodies of `scene` at rest. `is_pushed` says whether contacts push the body of that
    /// number; the others stay where they are put.
    pub(super) fn new(
        scene: &Scene<Vec3>,
        gravity: DVec3,
        is_pushed: impl Fn(usize) -> bool,
    ) -> Result<Self, Box<dyn Error>> {
        let world = SceneRunner::new(scene, RunOptions::default())?
            .world()
            .clone();
        let bodies = world.bodies().enumerate().map(|(number, body)| {
            let bounds = body.bounds();
            let size = f64::from((bounds.max - bounds.min).length()) / 3.0_f64.sqrt();
            let is_pushed = is_pushed(number) && scene.bodies[number].kind == BodyKind::Moving;
            let inverse_mass = if is_pushed {
                1.0 / (size * size * size)
            } else {
                0.0
            };
            PushedBody {
                position: body.pose().translation().as_dvec3(),
                rotation: body.pose().rotation.as_dquat().normalize(),
                velocity: DVec3::ZERO,
                spin: DVec3::ZERO,
                inverse_mass,
                inverse_inertia: inverse_mass * 10.0 / (size * size),
            }
        });
        Ok(Self {
            bodies: bodies.collect(),
            ids: world.bodies().ids().collect(),
            world,
            gravity,
        })
    }

    /// Puts a body somewhere.
    pub(super) fn place(&mut self, body: usize, position: DVec3) {
        self.bodies[body].position = position;
    }

    /// The poses of all bodies.
    pub(super) fn poses(&self) -> Vec<Pose<Vec3>> {
        self.bodies.iter().map(PushedBody::pose).collect()
    }

    /// Goes on by `dt` seconds.
    pub(super) fn step(&mut self, dt: f64) -> Result<(), Box<dyn Error>> {
        let before: Vec<_> = self
            .bodies
            .iter()
            .map(|b| (b.position, b.rotation))
            .collect();
        for body in &mut self.bodies {
            body.drift(self.gravity, dt);
        }
        let contacts = self.contacts(&before)?;
        for _ in 0..ITERATIONS {
            for contact in &contacts {
                self.push(contact);
            }
        }
        for (body, (position, rotation)) in self.bodies.iter_mut().zip(before) {
            body.take_velocity(position, rotation, dt);
        }
        Ok(())
    }

    fn contacts(&mut self, before: &[(DVec3, DQuat)]) -> Result<Vec<Contact>, Box<dyn Error>> {
        for (&id, body) in self.ids.iter().zip(&self.bodies) {
            self.world.body_mut(id)?.set_pose(body.pose())?;
        }
        self.world.step(0.0)?;
        let contacts = self.world.contacts().iter().map(|contact| {
            let bodies = [contact.a, contact.b].map(|id| id.index() as usize);
            let at = [contact.separation.point_a(), contact.separation.point_b()];
            let point = |side: usize| {
                let body = &self.bodies[bodies[side]];
                body.rotation.inverse() * (at[side].as_dvec3() - body.position)
            };
            let points = [point(0), point(1)];
            let was_at = |side: usize| {
                let (position, rotation) = before[bodies[side]];
                position + rotation * points[side]
            };
            Contact {
                points,
                bodies,
                before: was_at(1) - was_at(0),
                normal: contact.separation.normal.as_dvec3(),
            }
        });
        Ok(contacts.collect())
    }

    /// Moves two bodies apart by a share of their overlap, and back along their slide by friction,
    /// each about its point of contact.
    fn push(&mut self, contact: &Contact) {
        let line = self.line(contact);
        let gap = line.dot(contact.normal);
        if gap >= 0.0 {
            return;
        }
        let push = -STIFFNESS * gap;
        self.move_apart(contact, contact.normal * push);
        let slide = self.line(contact) - contact.before;
        let slide = slide - contact.normal * slide.dot(contact.normal);
        self.move_apart(contact, -slide.clamp_length_max(FRICTION * push));
    }

    /// From the point of contact of a to that of b.
    fn line(&self, contact: &Contact) -> DVec3 {
        let [a, b] = [0, 1].map(|side: usize| {
            let body = &self.bodies[contact.bodies[side]];
            body.position + body.rotation * contact.points[side]
        });
        b - a
    }

    /// Moves the points of contact of two bodies apart by `by`, shared between them by their masses.
    fn move_apart(&mut self, contact: &Contact, by: DVec3) {
        let length = by.length();
        let [a, b] = contact.bodies.map(|number| &self.bodies[number]);
        let arms = [
            a.rotation * contact.points[0],
            b.rotation * contact.points[1],
        ];
        if length > 0.0 {
            let along = by / length;
            let weight = a.weight(arms[0], along) + b.weight(arms[1], along);
            if weight > 0.0 {
                self.bodies[contact.bodies[0]].push(by / -weight, arms[0]);
                self.bodies[contact.bodies[1]].push(by / weight, arms[1]);
            }
        }
    }
}

impl PushedBody {
    fn pose(&self) -> Pose<Vec3> {
        Pose::new(self.position.as_vec3(), self.rotation.as_quat().normalize())
    }

    /// Moves on without contacts.
    fn drift(&mut self, gravity: DVec3, dt: f64) {
        if self.inverse_mass > 0.0 {
            self.velocity += gravity * dt;
            self.position += self.velocity * dt;
            self.turn(self.spin * dt);
        }
    }

    /// Turns by a small rotation vector.
    fn turn(&mut self, turn: DVec3) {
        let by = DQuat::from_xyzw(turn.x, turn.y, turn.z, 0.0) * self.rotation;
        self.rotation = (self.rotation + by * 0.5).normalize();
    }

    /// How easily a point of the body moves along `normal`.
    fn weight(&self, arm: DVec3, normal: DVec3) -> f64 {
        self.inverse_mass + self.inverse_inertia * arm.cross(normal).length_squared()
    }

    fn push(&mut self, push: DVec3, arm: DVec3) {
        self.position += push * self.inverse_mass;
        self.turn(arm.cross(push) * self.inverse_inertia);
    }

    /// The velocity with which the body came here, damped.
    fn take_velocity(&mut self, position: DVec3, rotation: DQuat, dt: f64) {
        let damping = 1.0 - (1.0 - DAMPING) * dt;
        let turn = self.rotation * rotation.inverse();
        let turned = DVec3::new(turn.x, turn.y, turn.z) * (2.0 * turn.w.signum());
        let slowed = |velocity: DVec3| {
            let square = velocity.length_squared();
            let left = damping * square / (square + SLOW * SLOW);
            (velocity * left).clamp_length_max(MOST_SPEED)
        };
        self.velocity = slowed((self.position - position) / dt);
        self.spin = slowed(turned / dt);
    }
}

/// A random shape of about one unit, as piles and boxes hold them.
pub(super) fn random_shape(random: &mut Random) -> Built<Vec3> {
    let size = |random: &mut Random| random.between(0.25, 0.55);
    match random.between(0.0, 4.0) as u32 {
        0 => Shape::ball(size(random)),
        1 => Shape::cuboid(Vec3::from_array([(); 3].map(|()| size(random)))),
        2 => Shape::capsule(size(random), 0.6 * size(random)),
        _ => {
            let corners = random.between(8.0, 24.0) as usize;
            let radii = Vec3::from_array([(); 3].map(|()| size(random)));
            let points = (0..corners).map(|_| random.direction::<Vec3>() * radii);
            Shape::hull(points.collect::<Vec<_>>())
        }
    }
}

/// A wall: a cuboid of this middle and these half extents.
pub(super) fn wall(
    middle: [Real; 3],
    half_extents: [Real; 3],
    kind: BodyKind,
) -> Result<SceneBody<Vec3>, Box<dyn Error>> {
    body(
        Shape::cuboid(Vec3::from_array(half_extents)),
        Pose::from_translation(Vec3::from_array(middle)),
        kind,
    )
}

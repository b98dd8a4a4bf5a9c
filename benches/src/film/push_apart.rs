//! Bodies in space that fall, and that contacts push apart.
//!
//! Each step moves the bodies at their velocities, finds their contacts, moves bodies that overlap
//! apart at the points of contact, and takes the new velocities from how far bodies came (Müller,
//! Heidelberger, Hennix and Ratcliff, "Position Based Dynamics", 2007). It is meant to move like
//! bodies of a game, not to be right.

use std::error::Error;

use clearance_math::glam::DQuat;
use clearance_math::{DVec3, Pose, Real, Vec3};
use clearance_scene::{BodyKind, RunOptions, Scene, SceneRunner};
use clearance_world::{BodyId, World};

/// How often contacts are gone through in a step.
const ITERATIONS: usize = 6;

/// The share of an overlap that is corrected each time.
const STIFFNESS: f64 = 0.6;

/// The share of the velocity that is left after a second.
const DAMPING: f64 = 0.3;

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
            let inverse_mass = if is_pushed { size.powi(-3) } else { 0.0 };
            PushedBody {
                position: body.pose().translation.as_dvec3(),
                rotation: body.pose().rotation.as_dquat().normalize(),
                velocity: DVec3::ZERO,
                spin: DVec3::ZERO,
                inverse_mass,
                inverse_inertia: inverse_mass * 10.0 / (size * size),
            }
        });
        Ok(Self {
            bodies: bodies.collect(),
            ids: world.ids().collect(),
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
        let contacts = self.contacts()?;
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

    fn contacts(&mut self) -> Result<Vec<Contact>, Box<dyn Error>> {
        for (&id, body) in self.ids.iter().zip(&self.bodies) {
            self.world.set_pose(id, body.pose())?;
        }
        self.world.step(0.0)?;
        let contacts = self.world.contacts().iter().map(|contact| {
            let bodies = [contact.a, contact.b].map(|id| id.index() as usize);
            let at = [contact.separation.point_a, contact.separation.point_b];
            let point = |side: usize| {
                let body = &self.bodies[bodies[side]];
                body.rotation.inverse() * (at[side].as_dvec3() - body.position)
            };
            Contact {
                points: [point(0), point(1)],
                bodies,
                normal: contact.separation.normal.as_dvec3(),
            }
        });
        Ok(contacts.collect())
    }

    /// Moves two bodies apart by a share of their overlap, each about its point of contact.
    fn push(&mut self, contact: &Contact) {
        let [a, b] = contact.bodies.map(|number| &self.bodies[number]);
        let arms = [
            a.rotation * contact.points[0],
            b.rotation * contact.points[1],
        ];
        let gap = (b.position + arms[1] - a.position - arms[0]).dot(contact.normal);
        let weight = a.weight(arms[0], contact.normal) + b.weight(arms[1], contact.normal);
        if gap >= 0.0 || weight == 0.0 {
            return;
        }
        let push = contact.normal * (STIFFNESS * gap / weight);
        self.bodies[contact.bodies[0]].push(push, arms[0]);
        self.bodies[contact.bodies[1]].push(-push, arms[1]);
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
        self.velocity = (self.position - position) * (damping / dt);
        self.velocity = self.velocity.clamp_length_max(MOST_SPEED);
        self.spin = (turned * (damping / dt)).clamp_length_max(MOST_SPEED);
    }
}

/// A random shape of about one unit, as piles and boxes hold them.
pub(super) fn random_shape(random: &mut crate::Random) -> clearance_scene::ShapeRecord<Vec3> {
    use clearance_scene::ShapeRecord;
    let size = |random: &mut crate::Random| random.between(0.25, 0.55);
    match random.between(0.0, 4.0) as u32 {
        0 => ShapeRecord::Ball {
            radius: size(random),
        },
        1 => ShapeRecord::Cuboid {
            half_extents: Vec3::from_array([(); 3].map(|()| size(random))),
        },
        2 => ShapeRecord::Capsule {
            half_length: size(random),
            radius: 0.6 * size(random),
        },
        _ => {
            let corners = random.between(8.0, 24.0) as usize;
            let radii = Vec3::from_array([(); 3].map(|()| size(random)));
            ShapeRecord::Hull {
                points: (0..corners)
                    .map(|_| random.direction::<Vec3>() * radii)
                    .collect(),
            }
        }
    }
}

/// A wall: a cuboid of this middle and these half extents.
pub(super) fn wall(
    middle: [Real; 3],
    half_extents: [Real; 3],
    kind: BodyKind,
) -> Result<clearance_scene::SceneBody<Vec3>, Box<dyn Error>> {
    let record = clearance_scene::ShapeRecord::Cuboid {
        half_extents: Vec3::from_array(half_extents),
    };
    super::body(
        record,
        Pose::from_translation(Vec3::from_array(middle)),
        kind,
    )
}

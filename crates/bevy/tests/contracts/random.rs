//! Random operations on entities, against a world that is driven by hand.

use std::collections::BTreeMap;

use crate::common::{app_with, world2};
use bevy_app::App;
use bevy_clearance::Cause;
use bevy_clearance::dim2::{BodyKind, Collider, CompoundBody, Layers, Margin, Sensor};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::components::{GlobalTransform, Transform};
use clearance::dim2::{Body, CompoundPart, Groups, Pose, Rotation, Shape, World};
use clearance::{BodyId, Options};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// An entity as the test knows it.
struct Known {
    entity: Entity,
    /// Its place in the list of the parent.
    parent: Option<usize>,
    is_compound: bool,
    is_sensor: bool,
    transform: Transform,
    shape: Option<Shape>,
    kind: BodyKind,
    layers: Layers,
    margin: f32,
}

struct Game {
    app: App,
    random: Pcg64,
    known: BTreeMap<usize, Known>,
    next: usize,
}

fn shape(random: &mut Pcg64) -> Shape {
    let size = |random: &mut Pcg64| random.random_range(0.2_f32..1.0);
    let made = match random.random_range(0..4) {
        0 => Shape::ball(size(random)),
        1 => Shape::cuboid(Vec2::new(size(random), size(random))),
        2 => Shape::capsule(size(random), size(random)),
        _ => Shape::polyline([
            Vec2::new(-size(random), 0.0),
            Vec2::new(0.1, size(random)),
            Vec2::X * size(random),
        ]),
    };
    made.expect("sizes are positive")
}

/// Scales are powers of two and the same along both axes, which no product of matrices rounds, and turns are what a
/// parent does not shear.
fn transform(random: &mut Pcg64) -> Transform {
    let mut place = |half: f32| random.random_range(-half..half);
    let translation = Vec3::new(place(9.0), place(9.0), place(1.0));
    let turn = Quat::from_rotation_z(place(3.0));
    let scale = [0.5, 1.0, 2.0][random.random_range(0..3)];
    Transform {
        translation,
        rotation: turn,
        scale: Vec3::new(scale, scale, 1.0),
    }
}

impl Game {
    fn new(threads: usize) -> Self {
        let app = app_with::<Vec2>(Options {
            threads,
            part_contacts: true,
            ..Options::default()
        });
        Self {
            app,
            random: Pcg64::seed_from_u64(11),
            known: BTreeMap::new(),
            next: 0,
        }
    }

    fn pick(&mut self) -> Option<usize> {
        let count = self.known.len();
        (count > 0).then(|| {
            *self
                .known
                .keys()
                .nth(self.random.random_range(0..count))
                .expect("there are so many")
        })
    }

    fn spawn(&mut self) {
        let random = &mut self.random;
        let is_compound = random.random_bool(0.1);
        let shape = (!is_compound).then(|| shape(random));
        let transform = transform(random);
        let mut entity = self.app.world_mut().spawn(transform);
        if let Some(shape) = &shape {
            entity.insert(Collider::from(shape.clone()));
        }
        if is_compound {
            entity.insert(CompoundBody);
        }
        let known = Known {
            entity: entity.id(),
            parent: None,
            is_compound,
            is_sensor: false,
            transform,
            shape,
            kind: BodyKind::Moving,
            layers: Layers::ALL,
            margin: 0.0,
        };
        self.known.insert(self.next, known);
        self.next += 1;
    }

    fn despawn(&mut self, chosen: usize) {
        let gone = self.known[&chosen].entity;
        self.app.world_mut().despawn(gone);
        let world = self.app.world();
        self.known
            .retain(|_, known| world.entities().contains(known.entity));
    }

    /// Gives an entity another parent, unless that is itself or below it.
    fn reparent(&mut self, chosen: usize) {
        let parent = self.pick().filter(|_| self.random.random_bool(0.7));
        let mut above = parent;
        while let Some(place) = above {
            if place == chosen {
                return;
            }
            above = self.known[&place].parent;
        }
        let parent_entity = parent.map(|parent| self.known[&parent].entity);
        let known = self.known.get_mut(&chosen).expect("it was picked");
        known.parent = parent;
        let mut entity = self.app.world_mut().entity_mut(known.entity);
        match parent_entity {
            Some(parent) => entity.insert(ChildOf(parent)),
            None => entity.remove::<ChildOf>(),
        };
    }

    fn change(&mut self, chosen: usize) {
        let random = &mut self.random;
        let known = self.known.get_mut(&chosen).expect("it was picked");
        let mut entity = self.app.world_mut().entity_mut(known.entity);
        match random.random_range(0..9) {
            0 if !known.is_compound => {
                known.shape = random.random_bool(0.8).then(|| shape(random));
                match &known.shape {
                    Some(shape) => entity.insert(Collider::from(shape.clone())),
                    None => entity.remove::<Collider>(),
                };
            }
            1 => {
                known.kind = if random.random_bool(0.3) {
                    BodyKind::Fixed
                } else {
                    BodyKind::Moving
                };
                entity.insert(known.kind);
            }
            2 => {
                known.layers =
                    Layers::member_of(random.random_range(1..8)).meeting(random.random_range(1..8));
                entity.insert(known.layers);
            }
            3 => {
                known.margin = random.random_range(0.0..0.2);
                entity.insert(Margin(known.margin));
            }
            4 => {
                known.margin = 0.0;
                entity.remove::<Margin>();
            }
            5 => {
                known.is_sensor = !known.is_sensor;
                match known.is_sensor {
                    true => entity.insert(Sensor),
                    false => entity.remove::<Sensor>(),
                };
            }
            _ => {
                known.transform = transform(random);
                entity.insert(known.transform);
            }
        }
    }

    fn act(&mut self) {
        let chosen = self.pick();
        match (self.random.random_range(0..20), chosen) {
            (0..3, _) | (_, None) if self.known.len() < 80 => self.spawn(),
            (3..5, Some(chosen)) => self.despawn(chosen),
            (5..8, Some(chosen)) => self.reparent(chosen),
            (_, Some(chosen)) => self.change(chosen),
            _ => {}
        }
    }

    fn is_collider(&self, place: usize) -> bool {
        self.known[&place].shape.is_some()
    }

    fn above(&self, place: usize) -> impl Iterator<Item = usize> {
        core::iter::successors(self.known[&place].parent, |place| self.known[place].parent)
    }

    /// The entity of the body of a collider or a compound: what is a sensor is a body of its own.
    fn owner(&self, place: usize) -> usize {
        let known = &self.known[&place];
        let mut compounds = self
            .above(place)
            .filter(|above| self.known[above].is_compound);
        match known.is_compound || known.is_sensor {
            true => place,
            false => compounds.next().unwrap_or(place),
        }
    }

    /// What the bodies of one family have in common: their compound, or else the uppermost of them.
    fn family(&self, owner: usize) -> usize {
        let from_here = || core::iter::once(owner).chain(self.above(owner));
        let compound = from_here().find(|place| self.known[place].is_compound);
        compound.unwrap_or_else(|| {
            let bodies = from_here().filter(|&place| self.is_collider(place));
            bodies.last().expect("it is one itself")
        })
    }

    /// The settings of parts of compounds that do not count, sorted.
    fn without_effect(&self) -> Vec<(Entity, &'static str)> {
        let mut found = Vec::new();
        for (&place, known) in self.known.iter().filter(|(_, known)| known.shape.is_some()) {
            let body = &self.known[&self.owner(place)];
            let (layers, kind) = (known.layers, known.kind);
            let settings = [
                ("Layers", layers != Layers::ALL && layers != body.layers),
                ("BodyKind", kind == BodyKind::Fixed && kind != body.kind),
                ("Margin", known.margin > 0.0 && known.margin != body.margin),
            ];
            let settings = settings.into_iter().filter(|setting| setting.1);
            found.extend(settings.map(|setting| (known.entity, setting.0)));
        }
        found.sort_unstable();
        found
    }

    /// The bodies as they should be, by entity, from what the test knows.
    fn expected(&self) -> BTreeMap<usize, Body> {
        let mut of_owner = BTreeMap::<usize, Vec<usize>>::new();
        for (&place, known) in &self.known {
            if known.shape.is_some() {
                of_owner.entry(self.owner(place)).or_default().push(place);
            }
        }
        let bodies = of_owner.into_iter().map(|(owner, members)| {
            let known = &self.known[&owner];
            let world = self
                .app
                .world()
                .entity(known.entity)
                .get::<GlobalTransform>()
                .expect("it has one");
            let (pose, scale) = match known.parent {
                None => pose(&known.transform),
                Some(_) => pose(&world.compute_transform()),
            };
            let shape = if known.is_compound {
                Shape::compound(
                    members
                        .iter()
                        .map(|&member| self.part(member, owner, scale))
                        .collect::<Vec<_>>(),
                )
            } else {
                known
                    .shape
                    .as_ref()
                    .expect("it is a collider")
                    .scaled_by(Vec2::splat(scale))
            };
            let mut body = Body::moving(shape.expect("it can be scaled"), pose)
                .with_extra_margin(known.margin);
            body.kind = known.kind.into();
            body.groups = Groups {
                memberships: known.layers.memberships,
                filter: known.layers.filter,
            };
            (owner, body.with_user_data(known.entity.to_bits()))
        });
        bodies.collect()
    }

    fn part(&self, member: usize, owner: usize, scale: f32) -> CompoundPart {
        let (mut place, mut frame) = (member, Transform::IDENTITY);
        while place != owner {
            frame = self.known[&place].transform * frame;
            place = self.known[&place].parent.expect("the owner is above");
        }
        let (pose, own_scale) =
            pose(&(Transform::from_scale(Vec3::new(scale, scale, 1.0)) * frame));
        let shape = self.known[&member]
            .shape
            .as_ref()
            .expect("it is a collider");
        CompoundPart {
            shape: shape
                .scaled_by(Vec2::splat(own_scale))
                .expect("it can be scaled"),
            pose,
        }
    }
}

/// Pose and scale, rounded to a power of two, as all scales of the test are.
fn pose(transform: &Transform) -> (Pose, f32) {
    let turn = transform.rotation;
    let (z, w) = (f64::from(turn.z), f64::from(turn.w));
    let rotation = Rotation::from_cos_sin(w * w - z * z, 2.0 * z * w).expect("it is a rotation");
    let pose = Pose::new(transform.translation.truncate(), rotation);
    (pose, transform.scale.x.log2().round().exp2())
}

/// Entities, distance, and part contacts of a pair.
type Contact = ((u64, u64), f32, usize);

fn contacts(world: &World) -> Vec<Contact> {
    let of = |id| world.user_data(id).expect("it is there");
    let mut all: Vec<_> = world
        .contacts()
        .iter()
        .map(|contact| {
            let (a, b) = (of(contact.a), of(contact.b));
            (
                (a.min(b), a.max(b)),
                contact.distance(),
                world.part_contacts_between(contact.a, contact.b).len(),
            )
        })
        .collect();
    all.sort_by_key(|contact| contact.0);
    all
}

/// Contacts of two worlds are equal but for the rounding of products of matrices, by which a pair may be in range or not.
fn assert_equal(found: &[Contact], expected: &[Contact], frame: usize) {
    let by_pair = |list: &[Contact]| {
        list.iter()
            .map(|contact| (contact.0, *contact))
            .collect::<BTreeMap<_, _>>()
    };
    let (found, expected) = (by_pair(found), by_pair(expected));
    for (pair, contact) in found.iter().chain(&expected) {
        match (found.get(pair), expected.get(pair)) {
            (Some(a), Some(b)) => assert!((a.1 - b.1).abs() < 1e-3, "frame {frame}: {a:?} {b:?}"),
            _ => panic!("frame {frame}: {contact:?} is in one of both"),
        }
    }
}

/// Runs the operations and returns what the worlds held after each step.
fn run(threads: usize) -> Vec<u64> {
    let mut game = Game::new(threads);
    let (mut hashes, mut seen, mut compounds) = (Vec::new(), 0, 0);
    let (mut relatives, mut notes) = (0, 0);
    for frame in 0..1000 {
        for _ in 0..10 {
            game.act();
        }
        game.app.update();
        let world = world2(&game.app);
        let problems = world.problems().map(|problem| match problem.cause {
            Cause::OfCompound { setting, .. } => (problem.entity, setting),
            _ => panic!("{problem}"),
        });
        let mut problems: Vec<_> = problems.collect();
        problems.sort_unstable();
        notes += problems.len();
        assert_eq!(problems, game.without_effect(), "frame {frame}");
        hashes.push(world.world().contacts_hash());
        let mut by_hand = World::new(Options {
            part_contacts: true,
            ..Options::default()
        })
        .expect("the options are valid");
        let mut families = BTreeMap::<usize, Vec<BodyId>>::new();
        for (owner, body) in game.expected() {
            compounds += usize::from(matches!(body.shape, Shape::Composite(_)));
            let id = by_hand.insert(body).expect("the body is valid");
            let family = families.entry(game.family(owner)).or_default();
            for &other in &*family {
                by_hand.ignore_pair(id, other).expect("both are there");
            }
            relatives += family.len();
            family.push(id);
        }
        by_hand.step(0.0).expect("nothing moves");
        assert_eq!(world.world().len(), by_hand.len(), "frame {frame}");
        let expected = contacts(&by_hand);
        seen += expected.len();
        assert_equal(&contacts(world.world()), &expected, frame);
    }
    assert!(
        seen > 10_000 && compounds > 5_000,
        "{seen} contacts, {compounds} bodies of parts"
    );
    assert!(
        relatives > 5_000 && notes > 400,
        "{relatives} relatives, {notes} settings"
    );
    hashes
}

#[test]
fn ten_thousand_random_operations_leave_what_a_world_by_hand_has() {
    assert_eq!(run(1), run(4), "contacts do not depend on threads");
}

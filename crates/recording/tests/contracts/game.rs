//! Worlds to which all happens that can happen to worlds, before their steps and after them.

use clearance_math::{Pose, Quat, Real, Rotation2, Vec2, Vec3, Vector};
use clearance_shapes::{CompoundPart, Shape};
use clearance_world::{Body, BodyId, BodyKind, Groups, Options, Snapshot, Velocity, World};

use crate::random::Random;

/// What differs between the plane and space.
pub(crate) trait Dimension: Vector {
    fn rotation(random: &mut Random) -> Self::Rotation;
    fn angular(random: &mut Random) -> Self::Angular;
    /// A composite of single faces, and a round shape that only one dimension has.
    fn own_shapes() -> [Shape<Self>; 2];
}

impl Dimension for Vec2 {
    fn rotation(random: &mut Random) -> Rotation2 {
        Rotation2::from_angle(random.between(-3.0, 3.0))
    }

    fn angular(random: &mut Random) -> Real {
        random.between(-2.0, 2.0)
    }

    fn own_shapes() -> [Shape<Self>; 2] {
        let corners = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|x| Vec2::new(x, x * x));
        [
            Shape::polyline(corners).unwrap(),
            Shape::tapered_capsule(0.25, 0.125, 0.25).unwrap(),
        ]
    }
}

impl Dimension for Vec3 {
    fn rotation(random: &mut Random) -> Quat {
        let q = Quat::from_array([(); 4].map(|()| random.between(-1.0, 1.0)));
        if q.length() > 0.1 {
            q.normalize()
        } else {
            Quat::IDENTITY
        }
    }

    fn angular(random: &mut Random) -> Vec3 {
        random.vector(-2.0, 2.0)
    }

    fn own_shapes() -> [Shape<Self>; 2] {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|corner| corner - 0.25);
        let faces = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
        [
            Shape::mesh(corners, faces).unwrap(),
            Shape::cylinder(0.25, 0.5).unwrap(),
        ]
    }
}

/// What happens to the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// Whether it happens between the step and the recording of it, instead of before the step.
    pub(crate) is_late: bool,
    /// One body in so many is swept; none if it is 0.
    pub(crate) one_swept_in: usize,
}

pub(crate) struct Game<V: Dimension> {
    pub(crate) world: World<V>,
    pub(crate) random: Random,
    pub(crate) rules: Rules,
    shapes: Vec<Shape<V>>,
    ids: Vec<BodyId>,
    /// Bodies whose user data were changed in this frame: what they are is not recorded if the body leaves in it, too.
    renamed: Vec<BodyId>,
    saved: Option<Snapshot<V>>,
}

const SIZE: Real = 3.0;

impl<V: Dimension> Game<V> {
    pub(crate) fn new(seed: u64, rules: Rules) -> Self {
        let mut random = Random::new(seed);
        let options = Options {
            margin: 0.125,
            part_contacts: random.once_in(2),
            manifolds: seed % 3 == 1,
            surface_contacts: random.once_in(2),
            ..Options::default()
        };
        let mut game = Self {
            world: World::new(options).unwrap(),
            shapes: shapes(&mut random),
            random,
            rules,
            ids: Vec::new(),
            renamed: Vec::new(),
            saved: None,
        };
        let ground = Shape::half_space(V::axis(1)).unwrap();
        let ground = Body::fixed(ground, Pose::from_translation(V::axis(1) * -SIZE));
        game.world.insert(ground).unwrap();
        (0..24).for_each(|_| game.insert());
        game
    }

    fn insert(&mut self) {
        let random = &mut self.random;
        let shape = self.shapes[random.below(self.shapes.len())].clone();
        let pose = Pose::new(random.vector::<V>(-SIZE, SIZE), V::rotation(random));
        let mut body = Body::moving(shape, pose)
            .with_velocity(Velocity::new(random.vector(-1.0, 1.0), V::angular(random)));
        if random.once_in(4) {
            body.kind = BodyKind::Fixed;
        }
        body.swept = self.rules.one_swept_in > 0 && random.once_in(self.rules.one_swept_in);
        body.part_contacts = random.once_in(3);
        body.manifolds = self.ids.len() % 5 == 1;
        body.user_data = random.below(3) as u64;
        self.ids.push(self.world.insert(body).unwrap());
    }

    /// One frame, up to where it is to be recorded.
    pub(crate) fn frame(&mut self) {
        if !self.rules.is_late {
            self.change();
        }
        let dt = [1.0 / 64.0, 1.0 / 60.0, 0.0][self.random.below(3)];
        self.world.step(dt).unwrap();
        if self.rules.is_late {
            self.change();
        }
    }

    fn change(&mut self) {
        self.renamed.clear();
        for _ in 0..self.random.below(4) {
            self.change_once();
        }
    }

    fn pick(&mut self) -> BodyId {
        let place = self.random.below(self.ids.len());
        self.ids[place]
    }

    fn change_once(&mut self) {
        let id = self.pick();
        let pose = {
            let random = &mut self.random;
            Pose::new(random.vector::<V>(-SIZE, SIZE), V::rotation(random))
        };
        match self.random.below(18) {
            0 => self.insert(),
            1 if self.ids.len() > 8 && !self.renamed.contains(&id) => {
                self.world.remove(id).unwrap();
                self.ids.retain(|other| *other != id);
            }
            2 => self.world.body_mut(id).unwrap().set_pose(pose).unwrap(),
            change @ 3..=12 => self.change_body(id, change),
            13 => self.ignore(id),
            14 => {
                let margin = self.random.between(0.0, 0.5);
                self.world
                    .set_options(Options {
                        margin,
                        ..self.world.options()
                    })
                    .unwrap();
            }
            15 => {
                let wants = self.random.once_in(2);
                self.world
                    .set_options(Options {
                        surface_contacts: wants,
                        ..self.world.options()
                    })
                    .unwrap();
            }
            _ => self.push_all(),
        }
    }

    fn change_body(&mut self, id: BodyId, change: usize) {
        let random = &mut self.random;
        let mut body = self.world.body_mut(id).unwrap();
        let before = *body.view().pose();
        match change {
            3 => {
                // Where it is: this forgets what was left over.
                body.set_pose(before).unwrap();
            }
            4 => {
                let place = before.translation() + V::axis(0) * 0.125;
                body.set_pose(Pose::new(place, before.rotation)).unwrap();
            }
            5 => {
                let linear = random.vector(-4.0, 4.0);
                let set = body.set_velocity(Velocity::new(linear, V::angular(random)));
                assert_eq!(set.is_ok(), body.view().kind() == BodyKind::Moving);
            }
            6 => body.set_velocity(Velocity::default()).unwrap(),
            7 => body.set_shape(self.shapes[random.below(self.shapes.len())].clone()),
            8 => body.set_kind([BodyKind::Fixed, BodyKind::Moving][random.below(2)]),
            9 => {
                let member = Groups::member_of(1 << random.below(2));
                body.set_groups(member.meeting(1 | 2 << random.below(2)));
            }
            10 => body.set_extra_margin(random.between(0.0, 0.5)).unwrap(),
            11 => {
                let wants = random.once_in(2);
                body.set_part_contacts(wants);
                body.set_manifolds(!wants);
            }
            _ => {
                body.set_user_data(random.below(1000) as u64);
                self.renamed.push(id);
            }
        }
    }

    fn ignore(&mut self, id: BodyId) {
        let other = self.pick();
        if other != id && self.world.is_ignored(id, other) {
            self.world.unignore_pair(id, other).unwrap();
        } else if other != id {
            self.world.ignore_pair(id, other).unwrap();
        }
    }

    /// All poses are set, as by a game that moves its bodies itself.
    fn push_all(&mut self) {
        for id in self.ids.clone() {
            let pose = *self.world.body(id).unwrap().pose();
            let pose = Pose::new(pose.translation() + V::splat(0.001), pose.rotation);
            self.world.body_mut(id).unwrap().set_pose(pose).unwrap();
        }
    }

    /// Saves the world, or goes back to what was saved.
    pub(crate) fn save_or_restore(&mut self) {
        match &self.saved {
            Some(saved) => {
                self.world.restore(saved);
                self.ids = self.world.bodies().ids().skip(1).collect();
            }
            None => self.saved = Some(self.world.snapshot()),
        }
    }
}

fn shapes<V: Dimension>(random: &mut Random) -> Vec<Shape<V>> {
    let points: Vec<V> = (0..9).map(|_| random.vector(-0.5, 0.5)).collect();
    let part = Shape::cuboid(V::splat(0.25)).unwrap();
    let parts = [-0.25, 0.25]
        .map(|x| CompoundPart::new(part.clone(), Pose::from_translation(V::axis(0) * x)));
    let mut shapes = vec![
        Shape::ball(0.5).unwrap(),
        Shape::cuboid(V::splat(0.375)).unwrap(),
        Shape::capsule(0.5, 0.25).unwrap(),
        Shape::segment(-V::axis(0), V::axis(1)).unwrap(),
        Shape::hull(&points).unwrap(),
        Shape::hull(&points).unwrap().rounded(0.125).unwrap(),
        Shape::compound(parts).unwrap(),
        Shape::ellipsoid(V::splat(0.25) + V::axis(1) * 0.25).unwrap(),
    ];
    shapes.extend(V::own_shapes());
    shapes
}

//! Worlds of bodies over arrays.

use clearance::generic::{
    BatchSeparation, Body, BodyPose, BodyVelocity, Contact, Query, Velocity, World,
};
use clearance::gjk::{Cast, CastOptions, Motion, Placed, RayOptions};
use clearance::math::{Pose, Ray, Real};
use clearance::{BodyId, BodyKind, EventKind, Groups, Nearest, Options};
use pyo3::{PyErr, PyResult};

use crate::batch::of_row;
use crate::poses::{angular_numbers, pose_numbers};
use crate::problem::{RowProblem, refused};
use crate::rows::{Rows, body_manifold_size, cast_size, ray_size, separation_size};
use crate::sides::Side;
use crate::space::Space;
use crate::workers::Signals;

/// How many rays a world answers before signals are asked for.
const RAYS_AT_ONCE: usize = 1 << 12;

/// The same of shapes, each of which may take a millisecond.
const SHAPES_AT_ONCE: usize = 64;

/// An id as one number: the generation above, the slot below.
pub(crate) fn number_of(id: BodyId) -> u64 {
    u64::from(id.generation()) << 32 | u64::from(id.index())
}

fn id_of(number: u64) -> BodyId {
    BodyId::from_parts(number as u32, (number >> 32) as u32)
}

/// Numbers that are to be the ids of bodies, and the name of the argument that they were given as.
#[derive(Clone, Copy)]
pub(crate) struct Ids<'a> {
    pub(crate) argument: &'a str,
    pub(crate) numbers: &'a [u64],
}

/// The ids that numbers stand for.
pub(crate) fn ids_of(numbers: &[u64]) -> Vec<BodyId> {
    numbers.iter().map(|number| id_of(*number)).collect()
}

/// The exception for an id that no body of the world has.
fn unknown(ids: Ids<'_>, row: usize) -> PyErr {
    let text = format!(
        "is {}, must be the id of a body in this world",
        ids.numbers[row] as i64
    );
    RowProblem::new(row, text).of(ids.argument)
}

/// How bodies are to be, a row each.
pub(crate) struct NewBodies<'a> {
    /// 1 for a body that steps move.
    pub(crate) moving: &'a [u8],
    /// What each is a member of.
    pub(crate) memberships: &'a [u32],
    /// What each can meet.
    pub(crate) meets: &'a [u32],
    pub(crate) extra_margin: &'a [f64],
    pub(crate) user_data: &'a [u64],
    pub(crate) swept: &'a [u8],
}

/// A world, and the door to it for arrays.
pub(crate) struct Bodies<V: Space> {
    pub(crate) world: World<V>,
}

/// Settings of a world: margin, threads, effort, and whether part contacts, surface contacts and manifolds are wanted.
pub(crate) type Settings = (f64, usize, u32, bool, bool, bool);

pub(crate) fn options(
    (margin, threads, effort, part_contacts, surface_contacts, manifolds): Settings,
) -> Options {
    Options {
        margin: margin as Real,
        part_contacts,
        surface_contacts,
        manifolds,
        threads,
        effort,
        ..Options::default()
    }
}

/// The bodies that a question is about: groups, and ids that are passed over.
pub(crate) struct Filter {
    groups: Groups,
    exclude: Vec<BodyId>,
}

impl Filter {
    pub(crate) fn new((memberships, filter): (u32, u32), exclude: &[u64]) -> Self {
        Self {
            groups: Groups {
                memberships,
                filter,
            },
            exclude: ids_of(exclude),
        }
    }

    fn of<'w, V: Space>(&'w self, world: &'w World<V>) -> Query<'w, V> {
        world.query().groups(self.groups).exclude(&self.exclude)
    }
}

impl<V: Space> Bodies<V> {
    pub(crate) fn new(settings: Settings) -> PyResult<Self> {
        let world = World::new(options(settings)).map_err(refused)?;
        Ok(Self { world })
    }

    /// Inserts a body for each row, or none if one is refused.
    pub(crate) fn insert(
        &mut self,
        side: &Side<'_, V>,
        velocities: &[Motion<V>],
        new: &NewBodies<'_>,
    ) -> PyResult<Vec<u64>> {
        // All that can be refused is looked at first: a body that comes and goes again would leave its slot changed.
        let is_margin = |margin: f64| margin >= 0.0 && margin <= Real::MAX.into();
        let mut margins = new.extra_margin.iter().enumerate();
        if let Some((row, margin)) = margins.find(|(_, margin)| !is_margin(**margin)) {
            let text = format!("is {margin}, must be finite and >= 0");
            return Err(RowProblem::new(row, text).of("extra_margin"));
        }
        let body = |row: usize| {
            let placed = side.placed(row);
            let mut body = Body::moving(placed.shape.clone(), *placed.pose);
            if new.moving[row] == 0 {
                body.kind = BodyKind::Fixed;
            }
            let Motion { linear, angular } = of_row(velocities, row);
            body.velocity = Velocity { linear, angular };
            body.groups = Groups {
                memberships: new.memberships[row],
                filter: new.meets[row],
            };
            body.extra_margin = new.extra_margin[row] as Real;
            body.user_data = new.user_data[row];
            body.swept = new.swept[row] != 0;
            body
        };
        let ids = self.world.insert_many((0..new.moving.len()).map(body));
        let ids = ids.map_err(refused)?;
        Ok(ids.into_iter().map(number_of).collect())
    }

    /// Refuses ids that no body of the world has.
    pub(crate) fn known(&self, ids: Ids<'_>) -> PyResult<Vec<BodyId>> {
        let known = ids_of(ids.numbers);
        match known.iter().position(|id| !self.world.contains(*id)) {
            None => Ok(known),
            Some(row) => Err(unknown(ids, row)),
        }
    }

    pub(crate) fn remove(&mut self, ids: Ids<'_>) -> PyResult<()> {
        let ids = self.known(ids)?;
        self.world.remove_many(&ids).map_err(refused)
    }

    pub(crate) fn set_poses(&mut self, ids: Ids<'_>, poses: &[Pose<V>]) -> PyResult<()> {
        let ids = self.known(ids)?;
        let pose = |(row, &body): (usize, &BodyId)| BodyPose {
            body,
            pose: of_row(poses, row),
        };
        let poses: Vec<_> = ids.iter().enumerate().map(pose).collect();
        self.world.set_poses(&poses).map_err(refused)
    }

    /// Sets the velocities of all of these bodies, or of none.
    pub(crate) fn set_velocities(
        &mut self,
        ids: Ids<'_>,
        velocity: impl Fn(usize) -> Velocity<V>,
    ) -> PyResult<()> {
        let ids = self.known(ids)?;
        let of_row = |(row, &body): (usize, &BodyId)| BodyVelocity {
            body,
            velocity: velocity(row),
        };
        let velocities: Vec<_> = ids.iter().enumerate().map(of_row).collect();
        self.world.set_velocities(&velocities).map_err(refused)
    }

    /// Sets what bodies have, one by one.
    pub(crate) fn each(
        &mut self,
        ids: Ids<'_>,
        mut set: impl FnMut(&mut World<V>, usize, BodyId) -> Result<(), clearance::WorldError>,
    ) -> PyResult<()> {
        for (row, id) in self.known(ids)?.into_iter().enumerate() {
            let set = set(&mut self.world, row, id);
            set.map_err(|error| RowProblem::new(row, error).of("ids"))?;
        }
        Ok(())
    }

    /// The numbers of the poses of bodies, one row after the other.
    pub(crate) fn poses(&self, ids: Ids<'_>) -> PyResult<Vec<f64>> {
        self.of_each(ids, |body, all| all.extend(pose_numbers(body.pose())))
    }

    /// The numbers of the velocities of bodies, one row after the other.
    pub(crate) fn velocities(&self, ids: Ids<'_>) -> PyResult<Vec<f64>> {
        self.of_each(ids, |body, all| {
            let velocity = body.velocity();
            let linear = (0..V::DIM).map(|axis| f64::from(velocity.linear.component(axis)));
            all.extend(linear.chain(angular_numbers::<V>(velocity.angular)));
        })
    }

    /// The numbers that `add` adds for each body.
    fn of_each(
        &self,
        ids: Ids<'_>,
        add: impl Fn(clearance::generic::BodyRef<'_, V>, &mut Vec<f64>),
    ) -> PyResult<Vec<f64>> {
        let mut all = Vec::new();
        for (row, &number) in ids.numbers.iter().enumerate() {
            let body = self.world.body(id_of(number));
            add(body.map_err(|_| unknown(ids, row))?, &mut all);
        }
        Ok(all)
    }

    /// Lets pairs of bodies make no contact, or again make one.
    pub(crate) fn ignore(&mut self, pairs: [Ids<'_>; 2], is_ignored: bool) -> PyResult<()> {
        let [first, second] = [self.known(pairs[0])?, self.known(pairs[1])?];
        let same = first.iter().zip(&second).position(|(a, b)| a == b);
        if let Some(row) = same {
            let text = "is the body that it is paired with, must be another one";
            return Err(RowProblem::new(row, text).of(pairs[1].argument));
        }
        for (row, (&a, &b)) in first.iter().zip(&second).enumerate() {
            let done = if is_ignored {
                self.world.ignore_pair(a, b)
            } else {
                self.world.unignore_pair(a, b)
            };
            done.map_err(|error| RowProblem::new(row, error).of(pairs[1].argument))?;
        }
        Ok(())
    }

    fn add_contact(rows: &mut Rows, contact: &Contact<V>) {
        let row = rows.add().whole(number_of(contact.a));
        row.whole(number_of(contact.b))
            .separation(&contact.separation)
            .end();
    }

    /// The rows of contacts, of bodies, of parts or of surfaces, or those of manifolds.
    pub(crate) fn contacts(&self, of: &str) -> Vec<u8> {
        if of == "manifolds" {
            return self.manifolds();
        }
        let mut rows = Rows::of_size(separation_size(16, V::DIM));
        let mut add = |contact: &Contact<V>| Self::add_contact(&mut rows, contact);
        match of {
            "parts" => self.world.part_contacts().iter().for_each(add),
            "surfaces" => self.world.surface_contacts().for_each(add),
            _ => self.world.contacts().iter().for_each(&mut add),
        }
        rows.bytes
    }

    /// The rows of the points of all manifolds: both bodies, the point, and which one of the step before it goes on from.
    fn manifolds(&self) -> Vec<u8> {
        let mut found = Vec::new();
        self.world.query().manifolds_into(&mut found);
        let mut rows = Rows::of_size(body_manifold_size(V::DIM));
        for found in &found {
            let points = found.manifold.points().iter().zip(found.points_before);
            for (point, before) in points {
                let row = rows.add().whole(number_of(found.a));
                row.whole(number_of(found.b))
                    .manifold_point(&found.manifold.separation, point)
                    .part(before.map_or(-1, i32::from))
                    .end();
            }
        }
        rows.bytes
    }

    /// The rows of events: both bodies, their user data, the separation, and what changed.
    pub(crate) fn events(&self) -> Vec<u8> {
        let mut rows = Rows::of_size(separation_size(33, V::DIM));
        for event in self.world.events() {
            let kind = match event.kind {
                EventKind::Entered => 0,
                EventKind::Began => 1,
                EventKind::Stayed => 2,
                EventKind::Ended => 3,
                _ => 4,
            };
            let row = rows.add().whole(number_of(event.contact.a));
            row.whole(number_of(event.contact.b))
                .whole(event.user_data_a)
                .whole(event.user_data_b)
                .separation(&event.contact.separation)
                .byte(kind)
                .end();
        }
        rows.bytes
    }

    /// The row of the first body that each ray hits; the body of a miss is the greatest number.
    pub(crate) fn cast_rays(
        &self,
        rays: &[Ray<V>],
        options: RayOptions,
        filter: &Filter,
    ) -> PyResult<Vec<u8>> {
        let mut hits = Vec::new();
        let query = filter.of(&self.world);
        let mut rows = Rows::of_size(ray_size(8, V::DIM));
        for some in Signals::default().between(rays.chunks(RAYS_AT_ONCE)) {
            let cast = query.cast_ray_each_into(some?, options, &mut hits);
            cast.map_err(refused)?;
            for hit in &hits {
                let body = hit.as_ref().map_or(u64::MAX, |hit| number_of(hit.body));
                let row = rows.add().whole(body);
                row.ray_hit(hit.as_ref().map(|hit| &hit.hit)).end();
            }
        }
        Ok(rows.bytes)
    }

    /// The row of the first body that each shape in motion meets; the body of a miss is the greatest number.
    pub(crate) fn cast_shapes(
        &self,
        (side, count): (&Side<'_, V>, usize),
        motions: &[Motion<V>],
        asked: (CastOptions, &Filter),
    ) -> PyResult<Vec<u8>> {
        let cast = |row: usize| Cast::new(side.placed(row), of_row(motions, row));
        let casts: Vec<_> = (0..count).map(cast).collect();
        let (options, filter) = asked;
        let mut hits = Vec::new();
        let query = filter.of(&self.world);
        let mut rows = Rows::of_size(cast_size(8, V::DIM));
        for some in Signals::default().between(casts.chunks(SHAPES_AT_ONCE)) {
            let cast = query.cast_shape_each_into(some?, options, &mut hits);
            cast.map_err(refused)?;
            for hit in &hits {
                let body = hit.as_ref().map_or(u64::MAX, |hit| number_of(hit.body));
                let row = rows.add().whole(body);
                row.cast_hit(hit.as_ref().map(|hit| &hit.hit)).end();
            }
        }
        Ok(rows.bytes)
    }

    /// The rows of bodies near placed shapes: all, or so many of the nearest.
    pub(crate) fn near(
        &self,
        (side, count): (&Side<'_, V>, usize),
        (nearest, within): (Option<usize>, Real),
        filter: &Filter,
    ) -> PyResult<Vec<u8>> {
        let placed: Vec<Placed<'_, V>> = (0..count).map(|row| side.placed(row)).collect();
        let mut found = Vec::<BatchSeparation<V>>::new();
        let query = filter.of(&self.world);
        let mut rows = Rows::of_size(separation_size(16, V::DIM));
        for (chunk, some) in Signals::default()
            .between(placed.chunks(SHAPES_AT_ONCE))
            .enumerate()
        {
            let some = some?;
            let done = match nearest {
                None => query.near_each_into(some, within, &mut found),
                Some(count) => {
                    let nearest = Nearest { count, within };
                    query.nearest_each_into(some, nearest, &mut found)
                }
            };
            done.map_err(refused)?;
            for near in &found {
                let row = rows
                    .add()
                    .whole((chunk * SHAPES_AT_ONCE + near.question) as u64);
                row.whole(number_of(near.found.body))
                    .separation(&near.found.separation)
                    .end();
            }
        }
        Ok(rows.bytes)
    }

    pub(crate) fn snapshot(&self) -> PyResult<Vec<u8>> {
        postcard::to_stdvec(&self.world.snapshot()).map_err(refused)
    }

    pub(crate) fn restore(&mut self, stored: &[u8]) -> PyResult<()> {
        let snapshot =
            postcard::from_bytes(stored).map_err(|error| refused(format!("snapshot: {error}")))?;
        self.world.restore(&snapshot);
        Ok(())
    }
}

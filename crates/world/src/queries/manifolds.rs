//! Contact manifolds on request.

use clearance_gjk::internal::{PartQuestion, part_manifold_each};
use clearance_gjk::{Manifold, PlacedManifold, Question, match_points};
use clearance_math::{Pose, Real, Vector, compile_once};

use crate::queries::Filter;
use crate::range::range;
use crate::stages::{Wanted, is_in_range, is_of_impact, is_of_solids};
use crate::{BodyId, BodyPair, Contact, Query, World};

/// The contact manifold of two bodies, or of a part of each; `a < b`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyManifold<V: Vector> {
    /// The body with the smaller id.
    pub a: BodyId,
    /// The body with the larger id.
    pub b: BodyId,
    /// The points in which they touch or face each other; its `separation` names the parts.
    pub manifold: Manifold<V>,
    /// Where body a was when it was measured.
    pub pose_a: Pose<V>,
    /// Where body b was when it was measured.
    pub pose_b: Pose<V>,
    /// For each point which point of the manifold of the last step it goes on from, where steps find manifolds
    /// ([`World::manifolds`]): none of a pair that had no manifold then. Of one that is measured on request all are
    /// `None`; [`BodyManifold::points_before()`] matches two of those.
    pub points_before: [Option<u8>; 4],
}

impl<V: Vector> BodyManifold<V> {
    #[inline(always)]
    pub(crate) fn new(
        [a, b]: [BodyId; 2],
        manifold: &Manifold<V>,
        [pose_a, pose_b]: [&Pose<V>; 2],
    ) -> Self {
        Self {
            a,
            b,
            manifold: manifold.clone(),
            pose_a: *pose_a,
            pose_b: *pose_b,
            points_before: [None; 4],
        }
    }

    /// What was measured of the pair, without the points.
    #[inline]
    pub(crate) fn contact(&self) -> Contact<V> {
        Contact {
            a: self.a,
            b: self.b,
            separation: self.manifold.separation,
        }
    }

    /// The bodies and their parts, by which [`Query::manifolds`] are sorted: no two have the same.
    #[must_use]
    pub fn key(&self) -> (BodyId, BodyId, u32, u32) {
        let separation = &self.manifold.separation;
        (self.a, self.b, separation.part_a, separation.part_b)
    }

    /// For each point the point of `before` that it goes on from, as [`match_points`] finds them: `before` is the
    /// manifold of the same bodies and parts in the step before. No point goes on from those of others.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, Velocity, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// world.insert(Body::fixed(Shape::half_space(Vec2::Y)?, Pose::IDENTITY))?;
    /// let sled = Body::moving(Shape::cuboid(Vec2::splat(0.5))?, Pose::from_translation(Vec2::new(0.0, 0.5)));
    /// world.insert(sled.with_velocity(Velocity::from_linear(Vec2::X * 9.0)))?;
    /// world.step(0.0)?;
    /// let before = world.query().manifolds();
    /// world.step(1.0 / 60.0)?;
    /// let now = world.query().manifolds();
    /// let place = before.binary_search_by_key(&now[0].key(), |manifold| manifold.key());
    /// let before = &before[place.map_err(|_| "they touched before")?];
    /// assert_eq!(now[0].points_before(before, 0.01)[..2], [Some(0), Some(1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn points_before(&self, before: &Self, within: Real) -> [Option<usize>; 4] {
        if self.key() != before.key() {
            return [None; 4];
        }
        match_points(before.placed(), self.placed(), within)
    }

    pub(crate) fn placed(&self) -> PlacedManifold<'_, V> {
        PlacedManifold {
            manifold: &self.manifold,
            poses: [&self.pose_a, &self.pose_b],
        }
    }
}

impl<V: Vector> Query<'_, V> {
    /// The contact manifold of a contact, at the current poses of the two bodies: up to four points for a solver, two in
    /// 2D. `None` if a body was removed, if the two parts that the contact names are not in range any more, or if the query is not about
    /// both. Of solids, and where a contact takes the place of a ghost, it is the bodies that have to be in range: they are measured
    /// if they moved since the last step, or if the contact is of an earlier one.
    ///
    /// Before anything moves, its `separation` is that of the contact; only the lower bound of a contact of composites is
    /// that of all their parts, and can be less. Of solid meshes and polygons it is that of the two parts along the normal of
    /// the contact. Of bodies with composites it is the manifold of
    /// one pair of parts; [`World::part_contacts`] has a contact for each of them. It is a function of the shapes, the
    /// poses and the margins alone, computed anew with each call.
    ///
    /// ```
    /// use clearance::dim3::{Body, Options, Pose, Shape, Vec3, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let floor = Body::fixed(Shape::half_space(Vec3::Y)?, Pose::IDENTITY);
    /// let load = Pose::from_translation(Vec3::new(0.0, 0.875, 0.0));
    /// world.insert(floor)?;
    /// world.insert(Body::moving(Shape::cuboid(Vec3::ONE)?, load))?;
    /// world.step(0.0)?;
    /// let manifold = world.query().manifold_of(&world.contacts()[0]).ok_or("they touch")?;
    /// assert_eq!(manifold.points().len(), 4);
    /// assert!(manifold.points().iter().all(|point| point.distance == -0.125));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn manifold_of(&self, contact: &Contact<V>) -> Option<Manifold<V>> {
        let asked = self.world.question_of(contact)?;
        let is_about = self.filter.accepts_both(self.world, contact);
        is_about.then(|| LastPairInRange::default().manifold(self.world, contact, asked))?
    }

    /// Finds the manifolds of all contacts of the last step, in their order: what a solver of your own needs where steps do
    /// not find them anyway. Pairs that met on their ways and are out of range by now have none: see
    /// [`World::impacts`]. Of a query with a filter they are those of the contacts both sides of which it is about.
    ///
    /// They are those of [`World::surface_contacts`] if these are wanted. If not, those of the part contacts of each pair
    /// that has any, and else that of its contact. Each is that of [`Query::manifold_of`]. In a world that is made with [`Options::manifolds`](crate::Options::manifolds) they are those of
    /// [`World::manifolds`], which the step has found, and this is a copy.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options { surface_contacts: true, ..Options::default() })?;
    /// for x in [-1.0, 1.0, 3.0] {
    ///     let tile = Shape::cuboid(Vec2::new(1.0, 0.5))?;
    ///     world.insert(Body::fixed(tile, Pose::from_translation(Vec2::new(x, -0.5))))?;
    /// }
    /// world.insert(Body::moving(Shape::cuboid(Vec2::splat(0.5))?, Pose::from_translation(Vec2::new(0.25, 0.5))))?;
    /// world.step(0.0)?;
    /// let manifolds = world.query().manifolds();
    /// // Two points on each of the two tiles below the crate.
    /// assert_eq!(manifolds.len(), 2);
    /// assert!(manifolds.iter().all(|found| found.manifold.normal() == Vec2::Y));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn manifolds(&self) -> Vec<BodyManifold<V>> {
        let mut manifolds = Vec::new();
        self.manifolds_into(&mut manifolds);
        manifolds
    }

    /// [`Query::manifolds`] into a list of yours, whose contents are replaced: nothing else is allocated.
    pub fn manifolds_into(&self, manifolds: &mut Vec<BodyManifold<V>>) {
        all_manifolds(self.world, &self.filter, manifolds);
    }
}

impl<V: Vector> World<V> {
    /// What the manifold of a contact is asked with; `None` if a body was removed.
    fn question_of(&self, contact: &Contact<V>) -> Option<PartQuestion<'_, V>> {
        let [slot_a, slot_b] = [self.bodies.slot(contact.a)?, self.bodies.slot(contact.b)?];
        let [a, b] = [self.bodies.placed(slot_a)?, self.bodies.placed(slot_b)?];
        let extra = &self.bodies.columns.extra_margins;
        let within = range(self.margin, extra[slot_a], extra[slot_b]);
        let parts = [contact.separation.part_a, contact.separation.part_b];
        Some(PartQuestion {
            question: Question { a, b, within },
            parts,
            hint: (self.buffers.hints).of((contact.a.index(), contact.b.index())),
        })
    }

    /// Whether the bodies of a contact are in range: they are measured if the last step does not say so, since they only met on
    /// their ways, moved, or the contact is of an earlier step.
    fn is_in_range(&self, contact: &Contact<V>, question: &Question<'_, V>) -> bool {
        let slots = [contact.a, contact.b].map(|id| id.index() as usize);
        let contacts = &self.report.contacts;
        let is_sure = slots.iter().all(|&slot| !self.bodies.has_changed(slot))
            && !is_of_impact(contact, &self.report.impacts)
            && (contacts.binary_search_by_key(&contact.pair(), Contact::pair)).is_ok();
        is_sure || is_in_range(question)
    }

    /// The manifolds that the last step found, where the world or a body wants them ([`Options::manifolds`],
    /// [`Body::manifolds`](crate::Body::manifolds)), sorted by [`BodyManifold::key`]: those that [`Query::manifolds`] lists,
    /// for all pairs or for those of the bodies that want them.
    ///
    /// A pair of convex shapes is measured once for contact and manifold, on all threads of the world, and pairs at rest
    /// keep theirs. The points are those of [`Query::manifold_of`], at the poses of that step. Which points go on from which
    /// ([`BodyManifold::points_before`]) is told as [`match_points`] finds it, within a hundredth of the bounding radius of
    /// the smaller body; the points of a pair at rest go on from themselves. It is the one thing here that does not follow
    /// from the poses alone, but from those of the last two steps; snapshots hold it.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, Velocity, World};
    ///
    /// let mut world = World::new(Options { manifolds: true, ..Options::default() })?;
    /// world.insert(Body::fixed(Shape::half_space(Vec2::Y)?, Pose::IDENTITY))?;
    /// let sled = Body::moving(Shape::cuboid(Vec2::splat(0.5))?, Pose::from_translation(Vec2::new(0.0, 0.5)));
    /// world.insert(sled.with_velocity(Velocity::from_linear(Vec2::X * 9.0)))?;
    /// world.step(0.0)?;
    /// assert!(world.manifolds().all(|found| found.points_before == [None; 4]));
    /// world.step(1.0 / 60.0)?;
    /// let found = world.manifolds().next().ok_or("they touch")?;
    /// assert_eq!(found.manifold.points().len(), 2);
    /// assert_eq!(found.points_before[..2], [Some(0), Some(1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`Options::manifolds`]: crate::Options::manifolds
    #[doc(alias("contact_manifold", "contact_points"))]
    pub fn manifolds(&self) -> impl Iterator<Item = &BodyManifold<V>> {
        let found = self.report.manifolds.iter();
        found.filter(|found| self.has_both(found.a, found.b))
    }

    /// Measures those manifolds anew, along the normals of their contacts, whose contacts take the places of ghosts.
    fn measure_instead(&self, manifolds: &mut [BodyManifold<V>]) {
        let key_of = |found: &BodyManifold<V>| found.contact().key_of_parts();
        let mut last = LastPairInRange::default();
        for contact in &self.report.parts.surface.instead {
            let place = manifolds.binary_search_by_key(&contact.key_of_parts(), key_of);
            let asked = self.question_of(contact);
            if let Some((place, asked)) = place.ok().zip(asked)
                && let Some(manifold) = last.manifold(self, contact, asked)
            {
                manifolds[place].manifold = manifold;
            }
        }
    }

    /// Appends the manifolds of contacts. Many are found at once, which is faster than one after the other.
    fn add_manifolds<'a>(
        &'a self,
        contacts: impl Iterator<Item = &'a Contact<V>>,
        manifolds: &mut Vec<BodyManifold<V>>,
    ) {
        let question = |contact: &'a Contact<V>| self.question_of(contact);
        let mut last = LastPairInRange::default();
        part_manifold_each(contacts, question, |contact, asked, manifold| {
            let of_solids = is_of_solids(asked).then(|| last.manifold(self, contact, *asked));
            let manifold = of_solids.as_ref().map_or(manifold, Option::as_ref);
            let poses = [asked.question.a.pose, asked.question.b.pose];
            let of = |manifold: &_| BodyManifold::new([contact.a, contact.b], manifold, poses);
            manifolds.extend(manifold.map(of));
        });
    }
}

/// Whether the pair of bodies that was asked last is in range: contacts of parts come pair by pair, and each pair is asked once.
#[derive(Default)]
struct LastPairInRange(Option<(BodyPair, bool)>);

impl LastPairInRange {
    /// The manifold of a contact, as [`Query::manifold_of`] finds it.
    fn manifold<V: Vector>(
        &mut self,
        world: &World<V>,
        contact: &Contact<V>,
        asked: PartQuestion<'_, V>,
    ) -> Option<Manifold<V>> {
        let wanted = Wanted {
            contact: *contact,
            is_instead: world.report.parts.is_instead(contact),
        };
        wanted.manifold(asked, |question| match self.0 {
            Some((pair, is_in_range)) if pair == contact.pair() => is_in_range,
            _ => {
                let is_in_range = world.is_in_range(contact, question);
                self.0 = Some((contact.pair(), is_in_range));
                is_in_range
            }
        })
    }
}

compile_once! {
    fn all_manifolds<'a, V>(
        world: &'a World<V>,
        filter: &'a Filter<'a, V>,
        manifolds: &'a mut Vec<BodyManifold<V>>,
    ) {
        manifolds.clear();
        let is_about = |contact: &&Contact<V>| filter.accepts_both(world, contact);
        if world.report.manifolds.are_all {
            let found = world.manifolds();
            return manifolds.extend(found.filter(|found| is_about(&&found.contact())).cloned());
        }
        if world.wants_surface_contacts {
            world.add_manifolds(world.surface_contacts().filter(is_about), manifolds);
            return world.measure_instead(manifolds);
        }
        let contacts = world.contacts().iter().flat_map(|contact| {
            match world.part_contacts_between(contact.a, contact.b) {
                [] => core::slice::from_ref(contact),
                parts => parts,
            }
        });
        world.add_manifolds(contacts.filter(is_about), manifolds);
    }
}

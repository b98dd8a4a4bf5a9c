//! The impacts of the last step.

use clearance_math::internal::MapEach;
use clearance_math::{Vector, compile_once};

use crate::{BodyId, Impact, World};

impl<V: Vector> World<V> {
    /// Where bodies met within the last step, for each pair of which a body is swept, sorted by (a, b).
    ///
    /// For such a pair the step looks at the whole way of both bodies, turns included, so that they do not pass each
    /// other unnoticed however fast they are: the time is proven, as that of
    /// [`cast_shapes`](clearance_gjk::cast_shapes). The step does not stop them: they are at the ends of their ways. To
    /// put a body where it met the other, take `1 - hit.time` of its way back.
    ///
    /// There are three cases: the bodies were apart before the step and met in it; or they touched, did not separate at
    /// once, and are apart at the end; or they overlapped before it and no step has reported that they touch, since one of them
    /// was just inserted, put there, or let meet the other: then they met at time 0. For composites the first two hold for
    /// each pair of parts. A solid counts as one body: whatever is inside meets it again only where it goes deeper.
    ///
    /// A pair that has an impact is a contact. If the bodies touch at the end of the step, the contact is that of the
    /// end. If they are apart by then, it is that of the impact: its points and its normal are of the time when they met,
    /// its distance is 0, or negative if they touched before the step, and [`World::events`] reports that they touch.
    /// Unless they meet again, the next step reports that this ended.
    ///
    /// Where the search for composites ends at its effort ([`Options::effort`](crate::Options::effort)), the time of an
    /// impact is one by which the bodies have met, and the status of the hit says so. If nothing shows that they met at
    /// all, they have no impact, and [`Profile::open_impacts`](crate::Profile::open_impacts) counts them.
    ///
    /// Impacts are a pure function of the poses before and after the step, of the angular velocities, by which the turns
    /// are counted, and of the contacts of the last step where bodies overlap before it. A body that is put elsewhere ([`BodyMut::set_pose`](crate::BodyMut::set_pose)) sweeps nothing on its
    /// way; to move it by a path of your own, give it the velocity that takes it there. Cost: while a body of
    /// the world is swept, the boxes of all bodies that move are made around their ways, and each pair of
    /// those boxes of which one body is swept is cast.
    ///
    /// ```
    /// use clearance::dim2::{Body, EventKind, Options, Pose, Shape, Vec2, Velocity, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let wall = Body::fixed(Shape::cuboid(Vec2::new(0.01, 1.0))?, Pose::IDENTITY);
    /// let bullet = Body::moving(Shape::ball(0.01)?, Pose::from_translation(Vec2::new(-1.0, 0.0)))
    ///     .with_velocity(Velocity::from_linear(Vec2::new(400.0, 0.0)));
    /// let (wall, bullet) = (world.insert(wall)?, world.insert(bullet.with_swept())?);
    /// world.step(0.01)?;
    /// let impact = world.impact_between(bullet, wall).ok_or("the bullet meets the wall")?;
    /// // 0.98 of 4 units of length.
    /// assert!((impact.hit.time - 0.245).abs() < 1e-6);
    /// assert_eq!((impact.other(bullet), impact.hit.separation.normal), (Some(wall), -Vec2::X));
    /// assert!(world.events().any(|event| event.kind == EventKind::Began));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("ccd", "toi", "time_of_impact"))]
    pub fn impacts(&self) -> impl Iterator<Item = &Impact<V>> {
        let impacts = self.report.impacts.iter();
        impacts.filter(|impact| self.has_both(impact.a, impact.b))
    }

    /// The impact of two bodies in the last step, in whichever order they are named; `None` if they had none.
    ///
    /// Cost: a binary search.
    #[must_use]
    pub fn impact_between(&self, a: BodyId, b: BodyId) -> Option<&Impact<V>> {
        impact_of(self, a, b)
    }

    /// The impacts of a body in the last step, in order of time; of equal times sorted by (a, b).
    ///
    /// The first one is what a bullet met first. An id that is stale has none. Cost: all impacts of the step are looked
    /// through once for each that is taken.
    pub fn impacts_of(&self, body: BodyId) -> impl Iterator<Item = &Impact<V>> {
        let next = move |before: Option<&Impact<V>>| {
            let of_body = self.impacts().filter(|impact| impact.other(body).is_some());
            of_body
                .filter(|impact| before.is_none_or(|before| impact.is_later(before)))
                .reduce(|first, other| if first.is_later(other) { other } else { first })
        };
        core::iter::successors(next(None), move |before| next(Some(before)))
    }
}

compile_once! {
    fn impact_of<'w, V>(world: &'w World<V>, a: BodyId, b: BodyId) -> Option<&'w Impact<V>> {
        let [a, b] = [world.bodies.slot(a)?, world.bodies.slot(b)?];
        let slots = |impact: &Impact<V>| [impact.a, impact.b].map_each(|id| id.index() as usize);
        let impacts = &world.report.impacts;
        let place = impacts.binary_search_by_key(&[a.min(b), a.max(b)], slots);
        let impact = impacts.get(place.ok()?);
        impact.filter(|impact| world.has_both(impact.a, impact.b))
    }
}

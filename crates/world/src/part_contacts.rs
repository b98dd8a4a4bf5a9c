//! The contacts of parts, as the world shows them.

use clearance_math::{Vector, compile_once};

use crate::{BodyId, Contact, World};

impl<V: Vector> World<V> {
    /// The contacts of the parts of bodies that the last step found, sorted by (a, b, part_a, part_b).
    ///
    /// They are there for each pair of [`World::contacts`] of which a body wants them
    /// ([`Body::part_contacts`](crate::Body::part_contacts)), and for all pairs if the world does
    /// ([`Options::part_contacts`](crate::Options::part_contacts), or
    /// [`Options::surface_contacts`](crate::Options::surface_contacts)): one for each pair of parts that is
    /// no farther apart than the two bodies may be. So a crate that lies on a terrain has one for every
    /// triangle under it, where its contact names the deepest one alone. Each is what
    /// [`contacts_into`](clearance_gjk::contacts_into) finds for the two bodies alone. A shape that is no
    /// composite is its own part 0; a pair without composites has its contact as the only one.
    ///
    /// A pair that met on its way and is out of range by the end has the contact of that time: see
    /// [`World::impacts`]. If neither shape is a composite, so has a pair that is apart by the end. Otherwise part
    /// contacts are like contacts. They cause no events.
    ///
    /// A pair for which the search ends at its limit ([`Options::effort`](crate::Options::effort)) may miss some:
    /// [`Profile::incomplete_parts`](crate::Profile::incomplete_parts) counts them.
    ///
    /// Cost: for each pair that is measured, a second search of the trees over its parts; none for pairs at rest.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options::default())?;
    /// let corner = Shape::polyline([Vec2::Y * 4.0, Vec2::ZERO, Vec2::X * 4.0])?;
    /// let corner = world.insert(Body::fixed(corner, Pose::IDENTITY))?;
    /// let ball = Body::moving(Shape::ball(1.0)?, Pose::from_translation(Vec2::ONE));
    /// let ball = world.insert(ball.with_part_contacts())?;
    /// world.step(0.0)?;
    /// assert_eq!(world.contacts().len(), 1);
    /// let normals = world.part_contacts().iter().map(|contact| contact.separation.normal);
    /// assert!(normals.eq([Vec2::X, Vec2::Y]));
    /// assert_eq!(world.part_contacts_between(ball, corner), world.part_contacts());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn part_contacts(&self) -> &[Contact<V>] {
        part_contacts(self)
    }

    /// The contacts of the parts of two bodies, in whichever order they are named: those of
    /// [`World::part_contacts`] that name both. Empty if there are none.
    ///
    /// Cost: two binary searches.
    #[must_use]
    pub fn part_contacts_between(&self, a: BodyId, b: BodyId) -> &[Contact<V>] {
        part_contacts_between(self, a, b)
    }
}

compile_once! {
    fn part_contacts<'w, V>(world: &'w World<V>) -> &'w [Contact<V>] {
        world.report.present_parts(|id| world.contains(id))
    }
}

compile_once! {
    fn part_contacts_between<'w, V>(
        world: &'w World<V>,
        a: BodyId,
        b: BodyId,
    ) -> &'w [Contact<V>] {
        let (Some(a), Some(b)) = (world.bodies.slot(a), world.bodies.slot(b)) else {
            return &[];
        };
        let parts = &world.report.parts;
        let of_pair = parts.of_pair(a.min(b) as u32, a.max(b) as u32);
        // All are of the same two bodies, which may be others than those that have the slots now.
        let first = of_pair.first();
        let are_present = first.is_some_and(|first| world.has_both(first.a, first.b));
        if are_present { of_pair } else { &[] }
    }
}

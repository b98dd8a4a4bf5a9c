//! The contacts with the surface that neighbouring parts and bodies make together.

use clearance_math::Vector;

use crate::{BodyId, Contact, World};

impl<V: Vector> World<V> {
    /// The part contacts of the last step without ghosts, in the order of [`World::part_contacts`]: what a solver
    /// should see. None if they are not wanted: see [`Options::surface_contacts`](crate::Options::surface_contacts).
    ///
    /// A body that slides over a floor of tiles, or over the triangles of a mesh, comes within range of edges and side
    /// faces at their seams. As contacts of two parts they are right; but a solver that pushes along their normals
    /// trips the body up, where the surface is flat. Such a ghost contact is left out here: one whose point
    /// lies on another part that the body touches, too, and whose normal leans into that part, unless its own
    /// face goes on beside the point. It does not matter whether the parts are of one mesh or of different bodies.
    /// Walls, ridges and steps stay.
    ///
    /// What is left out is implied by what is kept: moved along the normal of one that is kept, as far as that one asks
    /// for, the body is out of the other part, too. Where that is not so, the contact is measured along the nearest
    /// direction that its neighbours allow, and is here with that normal: then its `distance` and bounds are those
    /// along that normal, at least as deep as those of the part contact. So a wall stays a wall
    /// for a body that is not quite upright, and a corner beside a seam has the normal of the floor.
    ///
    /// A contact is kept as it is if its normal leans into each neighbour by at most 0.0007 (the sine of the angle).
    /// Parts count as neighbours where the gap between them is below a ten-thousandth of the size of the smaller one of
    /// part and body.
    ///
    /// For the points of a contact, see [`Query::manifold_of`](crate::Query::manifold_of). Which contacts are ghosts follows from the part
    /// contacts, the shapes and the poses; the contact of an [impact](World::impacts) is never one. Cost: in each step
    /// in which anything changed, a search among the parts that each body touches, for all bodies that are not fixed, on
    /// one thread; none in a step in which nothing changed.
    ///
    /// ```
    /// use clearance::dim2::{Body, Options, Pose, Shape, Vec2, World};
    ///
    /// let mut world = World::new(Options { surface_contacts: true, ..Options::default() })?;
    /// // Two tiles side by side, and a crate that has just come to the second one.
    /// for x in [-1.0, 1.0] {
    ///     let tile = Shape::cuboid(Vec2::new(1.0, 0.5))?;
    ///     world.insert(Body::fixed(tile, Pose::from_translation(Vec2::new(x, -0.5))))?;
    /// }
    /// let pose = Pose::from_translation(Vec2::new(-0.24, 0.23));
    /// world.insert(Body::moving(Shape::cuboid(Vec2::splat(0.25))?, pose))?;
    /// world.step(0.0)?;
    /// let normals = world.part_contacts().iter().map(|contact| contact.separation.normal);
    /// assert!(normals.eq([Vec2::Y, -Vec2::X]));
    /// let normals = world.surface_contacts().map(|contact| contact.separation.normal);
    /// assert!(normals.eq([Vec2::Y]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn surface_contacts(&self) -> impl Iterator<Item = &Contact<V>> {
        let contacts = self.report.parts.surface().map(|of| of.contact);
        contacts.filter(|contact| self.has_both(contact.a, contact.b))
    }

    /// The contacts of two bodies, in whichever order they are named, among [`World::surface_contacts`].
    ///
    /// Cost: two binary searches.
    pub fn surface_contacts_between(
        &self,
        a: BodyId,
        b: BodyId,
    ) -> impl Iterator<Item = &Contact<V>> {
        let slots = self.bodies.slot(a).zip(self.bodies.slot(b));
        let contacts = slots.into_iter().flat_map(|(a, b)| {
            let (a, b) = (a.min(b) as u32, a.max(b) as u32);
            let of_pair = self.report.parts.surface_of_pair(a, b);
            of_pair.map(|of| of.contact)
        });
        contacts.filter(|contact| self.has_both(contact.a, contact.b))
    }
}

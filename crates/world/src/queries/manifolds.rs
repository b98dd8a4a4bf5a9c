//! Contact manifolds on request.

use clearance_gjk::{Manifold, part_manifold};
use clearance_math::Vector;

use crate::range::range;
use crate::{Contact, World};

impl<V: Vector> World<V> {
    /// The contact manifold of a contact, at the current poses of the two bodies: up to four points for a solver, two in
    /// 2D. `None` if a body was removed, or if the two parts that the contact names are not in range any more.
    ///
    /// Before anything moves, its `separation` is that of the contact. Of bodies with composites it is the manifold of
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
    /// let manifold = world.manifold_of(&world.contacts()[0]).ok_or("they touch")?;
    /// assert_eq!(manifold.points().len(), 4);
    /// assert!(manifold.points().iter().all(|point| point.distance == -0.125));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn manifold_of(&self, contact: &Contact<V>) -> Option<Manifold<V>> {
        let [slot_a, slot_b] = [self.bodies.slot(contact.a)?, self.bodies.slot(contact.b)?];
        let [a, b] = [self.bodies.placed(slot_a)?, self.bodies.placed(slot_b)?];
        let extra = &self.bodies.columns.extra_margins;
        let within = range(self.margin, extra[slot_a], extra[slot_b]);
        let parts = [contact.separation.part_a, contact.separation.part_b];
        part_manifold(a, b, parts, within)
    }
}

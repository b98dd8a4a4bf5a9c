//! How far the bodies of a world reach.

use clearance_math::{Aabb, Real, Vector};
use clearance_shapes::Shape;
use clearance_world::World;

/// The boxes of all bodies that are not infinite.
pub(crate) fn boxes<V: Vector>(world: &World<V>) -> impl Iterator<Item = Aabb<V>> {
    let bodies = world.bodies();
    let finite = bodies.filter(|body| !matches!(body.shape(), Shape::HalfSpace(_)));
    finite.map(|body| {
        let bounds = body.bounds();
        // The box of a body near the greatest number is rounded outwards to infinity.
        let clamped = |corner: V| corner.max(V::splat(Real::MIN)).min(V::splat(Real::MAX));
        Aabb::new(clamped(bounds.min), clamped(bounds.max))
    })
}

/// The box around all bodies that are not infinite, or around two units of length if there are none.
pub(crate) fn extent<V: Vector>(world: &World<V>) -> Aabb<V> {
    let found = boxes(world).fold(Aabb::empty(), |all, bounds| all.merged(&bounds));
    if found.is_empty() {
        Aabb::new(V::splat(-1.0), V::splat(1.0))
    } else {
        found
    }
}

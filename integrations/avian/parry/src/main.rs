//! The pile of `examples/pile.rs`, with the colliders that Avian brings.

#[path = "../../examples/scene/mod.rs"]
mod scene;

use avian3d::prelude::*;
use scene::Solid;

fn collider(solid: &Solid) -> Collider {
    match *solid {
        Solid::Ball { radius } => Collider::sphere(radius),
        Solid::Cuboid { half_extents: h } => Collider::cuboid(2.0 * h.x, 2.0 * h.y, 2.0 * h.z),
        Solid::Capsule {
            half_length,
            radius,
        } => Collider::capsule(radius, 2.0 * half_length),
        Solid::Cylinder {
            half_height,
            radius,
        } => Collider::cylinder(radius, 2.0 * half_height),
        Solid::Cone {
            half_height,
            radius,
        } => Collider::cone(radius, 2.0 * half_height),
        Solid::Hull { ref points } => {
            Collider::convex_hull(points).expect("the points have a hull")
        }
    }
}

fn main() {
    // Avian's plugins have those of its own collider.
    let mut app = scene::app(|_: &mut bevy::prelude::App| ());
    let scene::Surface {
        vertices,
        triangles,
    } = scene::bowl();
    // What Avian recommends against contacts with seams.
    let bowl = Collider::trimesh_with_config(vertices, triangles, TrimeshFlags::FIX_INTERNAL_EDGES);
    let bodies = (0..500).map(|number| collider(&scene::solid(number)));
    scene::spawn(app.world_mut(), bowl, bodies);
    scene::fall_and_settle(&mut app);
}

//! The component, and what Avian asks it.

use avian3d::collision::collider::{
    AnyCollider, ColliderAabb, ColliderContext, ColliderPairContext, ScalableCollider,
    SimpleCollider,
};
use avian3d::dynamics::rigid_body::mass_properties::bevy_heavy::{
    AngularInertiaTensor, ComputeMassProperties3d, MassProperties3d,
};
use avian3d::prelude::ContactManifold;
use bevy::prelude::*;
use clearance::dim3::{Aabb, MassProperties, Placed, Pose, Shape};

use crate::manifolds::{Pair, find};

/// Boxes end here, in units of length from the origin of the world: Avian's tree needs boxes that end, and half-spaces do not.
const FAR: f32 = 1e9;

/// The shape of an entity for Avian: any [`Shape`] of Clearance, in the frame of the entity's transform, whose scale counts.
///
/// It takes the place of `avian3d::prelude::Collider`, which needs parry, and goes on bodies or on children of bodies as that
/// does. [`ClearanceColliderPlugin`](crate::ClearanceColliderPlugin) makes Avian see it. To change the shape, insert another one.
///
/// A scale that the shape cannot have, such as that of a capsule along one axis, is an error in the log, and the shape stays as
/// it was. [`Shape::scaled_by`] says which are possible.
///
/// ```
/// use avian3d::prelude::*;
/// use avian_clearance::Collider;
/// use bevy::prelude::*;
/// use clearance::ShapeError;
/// use clearance::dim3::Shape;
///
/// fn spawn(mut commands: Commands) -> Result<(), ShapeError> {
///     commands.spawn((RigidBody::Static, Collider::from(Shape::half_space(Vec3::Y)?)));
///     commands.spawn((RigidBody::Dynamic, Collider::from(Shape::ball(0.5)?), Transform::from_xyz(0.0, 2.0, 0.0)));
///     Ok(())
/// }
/// let mut world = World::new();
/// world.run_system_cached(spawn)??;
/// assert_eq!(world.query::<&Collider>().iter(&world).count(), 2);
/// # Ok::<(), BevyError>(())
/// ```
#[derive(Component, Clone, Debug)]
#[require(Transform)]
pub struct Collider {
    unscaled: Shape,
    shape: Shape,
    scale: Vec3,
}

impl Collider {
    /// The shape as it was given, without the scale of the transform.
    #[must_use]
    pub fn unscaled_shape(&self) -> &Shape {
        &self.unscaled
    }

    /// The shape with the scale of the transform, as Avian last saw it: the one that collides.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Without a density that is a number, or an inside, there is no mass.
    fn properties(&self, density: f32) -> Option<MassProperties> {
        self.shape.mass_properties(density).ok()
    }
}

impl From<Shape> for Collider {
    fn from(shape: Shape) -> Self {
        Self {
            unscaled: shape.clone(),
            shape,
            scale: Vec3::ONE,
        }
    }
}

/// A ball of radius 0.5: a plugin of Avian asks for some default, and none is ever made.
impl Default for Collider {
    fn default() -> Self {
        Shape::ball(0.5).expect("the radius is positive").into()
    }
}

/// The pose that Avian describes, with a rotation of unit length.
fn pose(position: Vec3, rotation: impl Into<Quat>) -> Pose {
    Pose::new(position, rotation.into().normalize())
}

/// A box that ends.
fn ending(bounds: Aabb) -> ColliderAabb {
    let (near, far) = (Vec3::splat(-FAR), Vec3::splat(FAR));
    ColliderAabb::from_min_max(bounds.min.clamp(near, far), bounds.max.clamp(near, far))
}

impl AnyCollider for Collider {
    type Context = ();

    fn aabb_with_context(
        &self,
        position: Vec3,
        rotation: impl Into<Quat>,
        margin: f32,
        _: ColliderContext<()>,
    ) -> ColliderAabb {
        let pose = pose(position, rotation);
        ending(self.shape.bounds_within(&pose, f64::from(margin)))
    }

    /// Encloses also what turns out of the boxes at both ends: a point at the distance r from the origin that turns by an angle
    /// leaves the straight line between its ends by less than r * angle^2 / 8.
    fn swept_aabb_with_context(
        &self,
        start_position: Vec3,
        start_rotation: impl Into<Quat>,
        end_position: Vec3,
        end_rotation: impl Into<Quat>,
        margin: f32,
        _: ColliderContext<()>,
    ) -> ColliderAabb {
        let [start, end] = [
            pose(start_position, start_rotation),
            pose(end_position, end_rotation),
        ];
        let angle = f64::from(start.rotation.angle_between(end.rotation));
        let turns_out = match angle {
            0.0 => 0.0,
            _ => self.shape.bounding_radius() * angle * angle / 8.0,
        };
        let [first, last] = [start, end].map(|pose| {
            self.shape
                .bounds_within(&pose, f64::from(margin) + turns_out)
        });
        ending(first.merged(&last))
    }

    fn contact_manifolds_with_context(
        &self,
        other: &Self,
        position1: Vec3,
        rotation1: impl Into<Quat>,
        position2: Vec3,
        rotation2: impl Into<Quat>,
        prediction_distance: f32,
        manifolds: &mut Vec<ContactManifold>,
        context: ColliderPairContext<()>,
    ) {
        let poses = [pose(position1, rotation1), pose(position2, rotation2)];
        let pair = Pair {
            a: Placed::new(&self.shape, &poses[0]),
            b: Placed::new(&other.shape, &poses[1]),
            within: prediction_distance,
        };
        if let Err(error) = find(&pair, manifolds) {
            manifolds.clear();
            let (a, b) = (context.collider1, context.collider2);
            error_once!("no contacts of colliders {a} and {b}, and maybe of others: {error}");
        }
    }

    fn max_distance_to_point_with_context(&self, point: Vec3, _: ColliderContext<()>) -> f32 {
        let bounds = self.aabb(Vec3::ZERO, Quat::IDENTITY, 0.0);
        let by_box = point.distance(bounds.center()) + bounds.half_size().length();
        by_box.min(point.length() + self.shape.bounding_radius() as f32)
    }

    fn bounding_radius_with_context(&self, _: ColliderContext<()>) -> f32 {
        let by_box = self.aabb(Vec3::ZERO, Quat::IDENTITY, 0.0).half_size();
        by_box.length().min(self.shape.bounding_radius() as f32)
    }
}

impl ScalableCollider for Collider {
    fn scale(&self) -> Vec3 {
        self.scale
    }

    /// Shapes are never approximated, so the detail is of no use.
    fn set_scale(&mut self, scale: Vec3, _detail: u32) {
        if scale == self.scale {
            return;
        }
        // Kept even if it is refused, so that it is refused once.
        self.scale = scale;
        if scale == Vec3::ONE {
            self.shape = self.unscaled.clone();
            return;
        }
        match self.unscaled.scaled_by(scale) {
            Ok(shape) => self.shape = shape,
            Err(error) => error!("a collider keeps its scale, as {scale} is not possible: {error}"),
        }
    }
}

/// Shapes without an inside have no mass: meshes that are not solid, height fields, half-spaces.
impl ComputeMassProperties3d for Collider {
    fn mass(&self, density: f32) -> f32 {
        self.mass_properties(density).mass
    }

    fn unit_principal_angular_inertia(&self) -> Vec3 {
        self.mass_properties(1.0).unit_principal_angular_inertia()
    }

    fn local_inertial_frame(&self) -> Quat {
        self.mass_properties(1.0).local_inertial_frame
    }

    fn center_of_mass(&self) -> Vec3 {
        self.mass_properties(1.0).center_of_mass
    }

    fn mass_properties(&self, density: f32) -> MassProperties3d {
        self.properties(density)
            .map_or(MassProperties3d::ZERO, |found| {
                let tensor = AngularInertiaTensor::from_mat3_unchecked(found.inertia().as_mat3());
                let center = found.center_of_mass.as_vec3();
                MassProperties3d::new_with_angular_inertia_tensor(found.mass as f32, tensor, center)
            })
    }
}

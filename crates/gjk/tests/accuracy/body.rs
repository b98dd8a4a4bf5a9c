//! Shapes at poses in space, the plane among it, and what differs between the two.

use clearance_math::{DMat3, DVec3, Pose, PreciseVector, Quat, Real, Rotation2, Vec2, Vec3};
use clearance_shapes::Shape;

use super::solid::Solid;
use crate::common::{self, Body, Pcg};

impl<V: Space> Body<V> {
    /// At the origin.
    pub(crate) fn turned(shape: Shape<V>, rotation: V::Rotation) -> Self {
        Self::new(shape, Pose::new(V::ZERO, rotation))
    }

    pub(crate) fn at(&self) -> DVec3 {
        self.pose.position().in_space()
    }

    pub(crate) fn put_at(&self, at: DVec3) -> Self {
        self.moved_to(V::Precise::from_space(at))
    }

    /// The farthest point along a unit direction, radius included, from the origin of the body.
    pub(crate) fn reach_along(&self, direction: DVec3) -> DVec3 {
        let solid = Solid::new(self);
        solid.support(direction) + direction * solid.radius
    }

    /// Beside `a`: the points farthest along `normal` are joined, then moved apart by `gap`.
    pub(crate) fn beside(&self, a: &Self, normal: DVec3, gap: f64) -> Self {
        let joined = a.at() + a.reach_along(normal) - self.reach_along(-normal);
        self.put_at(joined + normal * gap)
    }
}

/// The greater of the two reaches: what errors are relative to.
pub(crate) fn size_of<V: Space>(a: &Body<V>, b: &Body<V>) -> f64 {
    Solid::new(a).reach.max(Solid::new(b).reach)
}

impl Pcg {
    /// A unit vector of the space of `V`, all directions alike.
    pub(crate) fn direction_of<V: Space>(&mut self) -> DVec3 {
        self.direction::<V::Precise>().in_space()
    }
}

/// The plane or space.
pub(crate) trait Space: common::Space {
    /// The rotation as a matrix, computed here and not by the engine.
    fn turn(rotation: Self::Rotation) -> DMat3;

    /// No rotation, or one by quarters that is exact in single precision.
    fn exact_rotation(random: &mut Pcg) -> Self::Rotation;

    /// A rotation by an angle of radians about any axis.
    fn small_rotation(random: &mut Pcg, angle: f64) -> Self::Rotation;

    /// A curved shape of any kind.
    fn curved(random: &mut Pcg, extents: [Real; 3]) -> Shape<Self>;
}

impl Space for Vec2 {
    fn turn(rotation: Rotation2) -> DMat3 {
        let (cos, sin) = (rotation.cos(), rotation.sin());
        DMat3::from_cols(
            DVec3::new(cos, sin, 0.0),
            DVec3::new(-sin, cos, 0.0),
            DVec3::Z,
        )
    }

    fn exact_rotation(random: &mut Pcg) -> Rotation2 {
        let (cos, sin) = random.pick(&[(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]);
        Rotation2::from_cos_sin(cos, sin).expect("of unit length")
    }

    fn small_rotation(random: &mut Pcg, angle: f64) -> Rotation2 {
        Rotation2::from_angle((random.sign() * angle) as Real)
    }

    fn curved(random: &mut Pcg, [x, y, z]: [Real; 3]) -> Shape<Self> {
        let shape = match random.below(3) {
            0 => Shape::tapered_capsule(y, x, z),
            _ => Shape::ellipsoid(Self::new(x, y)),
        };
        shape.expect("a valid shape")
    }
}

impl Space for Vec3 {
    /// Of the unit quaternion in the direction of the given one.
    fn turn(rotation: Quat) -> DMat3 {
        let [x, y, z, w] = rotation.to_array().map(f64::from);
        let squared = x * x + y * y + z * z + w * w;
        let vector = DVec3::new(x, y, z);
        // v + 2 w (u x v) + 2 u x (u x v), divided by the squared length of the quaternion.
        let image = |v: DVec3| {
            let once = vector.cross(v);
            v + (once * w + vector.cross(once)) * (2.0 / squared)
        };
        DMat3::from_cols(image(DVec3::X), image(DVec3::Y), image(DVec3::Z))
    }

    fn exact_rotation(random: &mut Pcg) -> Quat {
        random.pick(&[
            Quat::IDENTITY,
            Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
            Quat::from_xyzw(-0.5, 0.5, -0.5, 0.5),
            Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        ])
    }

    fn small_rotation(random: &mut Pcg, angle: f64) -> Quat {
        let axis = random.direction_of::<Self>() * (0.5 * angle).sin();
        let parts = [axis.x, axis.y, axis.z, (0.5 * angle).cos()];
        Quat::from_array(parts.map(|x| x as Real))
    }

    fn curved(random: &mut Pcg, [x, y, z]: [Real; 3]) -> Shape<Self> {
        let shape = match random.below(5) {
            0 => Shape::cylinder(y, x),
            1 => Shape::cone(y, x),
            2 => Shape::tapered_cylinder(y, x, z),
            3 => Shape::tapered_capsule(y, x, z),
            _ => Shape::ellipsoid(Self::new(x, y, z)),
        };
        shape.expect("a valid shape")
    }
}

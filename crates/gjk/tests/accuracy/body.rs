//! Shapes at poses, and what differs between the plane and space.

use clearance_gjk::Placed;
use clearance_math::{
    DMat3, DVec3, Pose, PreciseVector, Quat, Real, Rotation2, Vec2, Vec3, Vector,
};
use clearance_shapes::{Core, Shape};

use super::random::Random;
use super::solid::Solid;

/// A shape with its pose.
#[derive(Clone)]
pub(crate) struct Body<V: Vector> {
    pub(crate) shape: Shape<V>,
    pub(crate) pose: Pose<V>,
}

impl<V: Space> Body<V> {
    pub(crate) fn new(shape: Shape<V>, pose: Pose<V>) -> Self {
        Self { shape, pose }
    }

    /// At the origin.
    pub(crate) fn turned(shape: Shape<V>, rotation: V::Rotation) -> Self {
        Self::new(shape, Pose::new(V::ZERO, rotation))
    }

    pub(crate) fn placed(&self) -> Placed<'_, V> {
        Placed::new(&self.shape, &self.pose)
    }

    pub(crate) fn at(&self) -> DVec3 {
        self.pose.translation.to_precise().in_space()
    }

    pub(crate) fn moved_to(&self, at: DVec3) -> Self {
        let translation = V::from_precise(V::Precise::from_space(at));
        Self::new(
            self.shape.clone(),
            Pose::new(translation, self.pose.rotation),
        )
    }

    /// The farthest point along a unit direction, radius included, from the origin of the body.
    pub(crate) fn reach_along(&self, direction: DVec3) -> DVec3 {
        let solid = Solid::new(self);
        solid.support(direction) + direction * solid.radius
    }

    /// Beside `a`: the points farthest along `normal` are joined, then moved apart by `gap`.
    pub(crate) fn beside(&self, a: &Self, normal: DVec3, gap: f64) -> Self {
        let joined = a.at() + a.reach_along(normal) - self.reach_along(-normal);
        self.moved_to(joined + normal * gap)
    }

    /// The greatest distance of a point from the origin of the body; none of a half-space.
    pub(crate) fn reach(&self) -> Option<f64> {
        match &self.shape {
            Shape::Convex(_) => Some(Solid::new(self).reach),
            Shape::HalfSpace(_) | Shape::Composite(_) => None,
        }
    }

    /// Whether the core is the hull of finitely many points.
    pub(crate) fn is_polytope(&self) -> bool {
        match &self.shape {
            Shape::Convex(convex) => convex.core().is_polytope(),
            Shape::HalfSpace(_) | Shape::Composite(_) => true,
        }
    }

    /// All that is needed to make the same body again.
    pub(crate) fn describe(&self) -> String {
        let shape = match &self.shape {
            Shape::Convex(convex) => {
                let core = match convex.core() {
                    Core::Hull(hull) => format!("Hull({:?})", hull.vertices()),
                    core => format!("{core:?}"),
                };
                format!("{core} radius {:?}", convex.radius())
            }
            half_space => format!("{half_space:?}"),
        };
        format!("{shape} at {:?}", self.pose)
    }
}

/// The greater of the two reaches: what errors are relative to.
pub(crate) fn size_of<V: Space>(a: &Body<V>, b: &Body<V>) -> f64 {
    Solid::new(a).reach.max(Solid::new(b).reach)
}

/// The plane or space.
pub(crate) trait Space: Vector {
    /// The rotation as a matrix, computed here and not by the engine.
    fn turn(rotation: Self::Rotation) -> DMat3;

    /// A random rotation, all alike.
    fn any_rotation(random: &mut Random) -> Self::Rotation;

    /// No rotation, or one by quarters that is exact in single precision.
    fn exact_rotation(random: &mut Random) -> Self::Rotation;

    /// A rotation by an angle of radians about any axis.
    fn small_rotation(random: &mut Random, angle: f64) -> Self::Rotation;

    /// A cylinder, a cone or an ellipsoid; in the plane an ellipse.
    fn curved(random: &mut Random, extents: [Real; 3]) -> Shape<Self>;
}

/// No rotation.
pub(crate) fn unturned<V: Space>() -> V::Rotation {
    Pose::<V>::IDENTITY.rotation
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

    fn any_rotation(random: &mut Random) -> Rotation2 {
        Rotation2::from_angle(random.between(-3.2, 3.2) as Real)
    }

    fn exact_rotation(random: &mut Random) -> Rotation2 {
        let (cos, sin) = random.pick(&[(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]);
        Rotation2::from_cos_sin(cos, sin).expect("of unit length")
    }

    fn small_rotation(random: &mut Random, angle: f64) -> Rotation2 {
        Rotation2::from_angle((random.sign() * angle) as Real)
    }

    fn curved(_: &mut Random, [x, y, _]: [Real; 3]) -> Shape<Self> {
        Shape::ellipsoid(Self::new(x, y)).expect("a valid ellipse")
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

    fn any_rotation(random: &mut Random) -> Quat {
        loop {
            let parts = [0; 4].map(|_| random.between(-1.0, 1.0));
            let length = parts.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..=1.0).contains(&length) {
                return Quat::from_array(parts.map(|x| (x / length) as Real));
            }
        }
    }

    fn exact_rotation(random: &mut Random) -> Quat {
        random.pick(&[
            Quat::IDENTITY,
            Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
            Quat::from_xyzw(-0.5, 0.5, -0.5, 0.5),
            Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        ])
    }

    fn small_rotation(random: &mut Random, angle: f64) -> Quat {
        let axis = random.direction_of::<Self>() * (0.5 * angle).sin();
        let parts = [axis.x, axis.y, axis.z, (0.5 * angle).cos()];
        Quat::from_array(parts.map(|x| x as Real))
    }

    fn curved(random: &mut Random, [x, y, z]: [Real; 3]) -> Shape<Self> {
        let shape = match random.below(3) {
            0 => Shape::cylinder(y, x),
            1 => Shape::cone(y, x),
            _ => Shape::ellipsoid(Self::new(x, y, z)),
        };
        shape.expect("a valid shape")
    }
}

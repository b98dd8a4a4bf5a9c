//! The ways of making a shape, and random shapes of each.

use clearance_math::{Quat, Real, Rotation, Rotation2, Vec2, Vec3, Vector};
use clearance_shapes::Shape;

use super::random::Pcg;
use super::recipe::Recipe;

/// The ways of making a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ball,
    Cuboid,
    Capsule,
    Segment,
    Triangle,
    Hull,
    Cylinder,
    Cone,
    Ellipsoid,
    HalfSpace,
    RoundedHull,
    RoundedCuboid,
    RoundedSmooth,
    TaperedCapsule,
    TaperedCylinder,
}

impl Kind {
    pub(crate) const ALL: [Self; 15] = [
        Self::Ball,
        Self::Cuboid,
        Self::Capsule,
        Self::Segment,
        Self::Triangle,
        Self::Hull,
        Self::Cylinder,
        Self::Cone,
        Self::Ellipsoid,
        Self::HalfSpace,
        Self::RoundedHull,
        Self::RoundedCuboid,
        Self::RoundedSmooth,
        Self::TaperedCapsule,
        Self::TaperedCylinder,
    ];

    /// The kinds that exist in the dimension of `V`.
    pub(crate) fn all<V: Vector>() -> impl Iterator<Item = Self> + Clone {
        Self::ALL.into_iter().filter(|kind| {
            V::DIM == 3 || !matches!(kind, Self::Cylinder | Self::Cone | Self::TaperedCylinder)
        })
    }

    /// The kinds that have an end on every side.
    pub(crate) fn bounded<V: Vector>() -> impl Iterator<Item = Self> + Clone {
        Self::all::<V>().filter(|kind| *kind != Self::HalfSpace)
    }

    /// Whether the core has a curved surface.
    pub(crate) fn is_smooth(self) -> bool {
        matches!(
            self,
            Self::Cylinder
                | Self::Cone
                | Self::Ellipsoid
                | Self::RoundedSmooth
                | Self::TaperedCapsule
                | Self::TaperedCylinder
        )
    }
}

/// What differs between the plane and space when shapes and poses are made.
pub(crate) trait Space: Vector {
    /// A random rotation, all alike.
    fn any_rotation(random: &mut Pcg) -> Self::Rotation;

    /// A rotation by a quarter turn, or none.
    fn quarter_turn(random: &mut Pcg) -> Self::Rotation;

    /// A cylinder about the y axis; the plane has none.
    fn cylinder(half_height: Real, radius: Real) -> Shape<Self>;

    /// A cone about the y axis; the plane has none.
    fn cone(half_height: Real, radius: Real) -> Shape<Self>;

    /// A tapered cylinder about the y axis; the plane has none.
    fn tapered_cylinder(half_height: Real, radii: [Real; 2]) -> Shape<Self>;

    /// A shape of the kind, about `size` in half extent; exactly scaled for powers of two.
    fn shape(kind: Kind, random: &mut Pcg, size: f64) -> Shape<Self> {
        Recipe::random(kind, random, size).shape()
    }
}

impl Space for Vec2 {
    fn any_rotation(random: &mut Pcg) -> Rotation2 {
        Rotation2::from_angle(random.between(-3.2, 3.2) as Real)
    }

    fn quarter_turn(random: &mut Pcg) -> Rotation2 {
        let (cos, sin) = random.pick(&[(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]);
        Rotation2::from_cos_sin(cos, sin).expect("of unit length")
    }

    fn cylinder(_: Real, _: Real) -> Shape<Self> {
        panic!("no cylinder in the plane")
    }

    fn cone(_: Real, _: Real) -> Shape<Self> {
        panic!("no cone in the plane")
    }

    fn tapered_cylinder(_: Real, _: [Real; 2]) -> Shape<Self> {
        panic!("no tapered cylinder in the plane")
    }
}

impl Space for Vec3 {
    fn any_rotation(random: &mut Pcg) -> Quat {
        loop {
            let parts = [0; 4].map(|_| random.between(-1.0, 1.0));
            let length = parts.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..=1.0).contains(&length) {
                return Quat::from_array(parts.map(|x| (x / length) as Real));
            }
        }
    }

    fn quarter_turn(random: &mut Pcg) -> Quat {
        let half = core::f32::consts::FRAC_1_SQRT_2;
        random.pick(&[
            Quat::IDENTITY,
            Quat::from_xyzw(half, 0.0, 0.0, half),
            Quat::from_xyzw(0.0, half, 0.0, half),
            Quat::from_xyzw(0.0, 0.0, half, half),
            Quat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        ])
    }

    fn cylinder(half_height: Real, radius: Real) -> Shape<Self> {
        Shape::cylinder(half_height, radius).expect("a valid shape")
    }

    fn cone(half_height: Real, radius: Real) -> Shape<Self> {
        Shape::cone(half_height, radius).expect("a valid shape")
    }

    fn tapered_cylinder(half_height: Real, [top, bottom]: [Real; 2]) -> Shape<Self> {
        Shape::tapered_cylinder(half_height, top, bottom).expect("a valid shape")
    }
}

/// The rotation that changes nothing.
pub(crate) fn unturned<V: Vector>() -> V::Rotation {
    V::Rotation::IDENTITY
}

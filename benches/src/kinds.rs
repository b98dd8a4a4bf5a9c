//! Random shapes of one kind, about one unit in half extent.

use clearance_math::{Quat, Real, Rotation2, Vec2, Vec3, Vector};
use clearance_shapes::{Shape, ShapeError};

use crate::Random;

/// What a shape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A circle or sphere.
    Ball,
    /// A rectangle or box.
    Cuboid,
    /// A segment swept by a ball.
    Capsule,
    /// A triangle.
    Triangle,
    /// The hull of so many points on a circle or sphere.
    Hull(usize),
    /// A cylinder; in space only.
    Cylinder,
    /// A cone; in space only.
    Cone,
    /// An ellipse or ellipsoid.
    Ellipsoid,
    /// Everything on one side of a plane.
    HalfSpace,
}

impl Kind {
    /// The word for the kind.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Hull(count) => format!("hull{count}"),
            Self::HalfSpace => "half_space".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        }
    }
}

/// The pairs that are measured in space: closed forms first, then iteration.
pub const PAIRS_IN_SPACE: [(Kind, Kind); 16] = [
    (Kind::Ball, Kind::Ball),
    (Kind::Ball, Kind::Cuboid),
    (Kind::Ball, Kind::Hull(16)),
    (Kind::HalfSpace, Kind::Hull(64)),
    (Kind::Capsule, Kind::Capsule),
    (Kind::Capsule, Kind::Cuboid),
    (Kind::Cuboid, Kind::Cuboid),
    (Kind::Triangle, Kind::Triangle),
    (Kind::Cuboid, Kind::Cylinder),
    (Kind::Cylinder, Kind::Cylinder),
    (Kind::Cone, Kind::Cone),
    (Kind::Ellipsoid, Kind::Ellipsoid),
    (Kind::Hull(8), Kind::Hull(8)),
    (Kind::Hull(32), Kind::Hull(32)),
    (Kind::Hull(128), Kind::Hull(128)),
    (Kind::Hull(512), Kind::Hull(512)),
];

/// The pairs that are measured in the plane.
pub const PAIRS_IN_THE_PLANE: [(Kind, Kind); 6] = [
    (Kind::Ball, Kind::Ball),
    (Kind::Ball, Kind::Cuboid),
    (Kind::Capsule, Kind::Capsule),
    (Kind::Cuboid, Kind::Cuboid),
    (Kind::Triangle, Kind::Triangle),
    (Kind::Hull(8), Kind::Hull(8)),
];

/// What differs between the plane and space.
pub trait Space: Vector {
    /// The word for the dimension.
    const NAME: &'static str;

    /// Any rotation.
    fn rotation(random: &mut Random) -> Self::Rotation;

    /// A cylinder or cone; in the plane an ellipse in its place.
    ///
    /// # Errors
    /// Those of [`Shape`].
    fn round(kind: Kind, random: &mut Random) -> Result<Shape<Self>, ShapeError>;

    /// A random shape of the kind.
    ///
    /// # Errors
    /// Those of [`Shape`].
    fn shape(kind: Kind, random: &mut Random) -> Result<Shape<Self>, ShapeError> {
        match kind {
            Kind::Ball => Shape::ball(extent(random)),
            Kind::Cuboid => Shape::cuboid(extents(random)),
            Kind::Capsule => Shape::capsule(extent(random), 0.5 * extent(random)),
            Kind::Triangle => {
                Shape::triangle(random.direction(), random.direction(), random.direction())
            }
            Kind::Hull(count) => {
                let points: Vec<Self> = (0..count).map(|_| random.direction()).collect();
                Shape::hull(&points)
            }
            Kind::Cylinder | Kind::Cone => Self::round(kind, random),
            Kind::Ellipsoid => Shape::ellipsoid(extents(random)),
            Kind::HalfSpace => Shape::half_space(random.direction()),
        }
    }
}

fn extent(random: &mut Random) -> Real {
    random.between(0.5, 1.0)
}

fn extents<V: Vector>(random: &mut Random) -> V {
    V::from_fn(|_| extent(random))
}

impl Space for Vec2 {
    const NAME: &'static str = "2d";

    fn rotation(random: &mut Random) -> Rotation2 {
        Rotation2::from_angle(random.between(-3.0, 3.0))
    }

    fn round(_: Kind, random: &mut Random) -> Result<Shape<Self>, ShapeError> {
        Shape::ellipsoid(extents(random))
    }
}

impl Space for Vec3 {
    const NAME: &'static str = "3d";

    fn rotation(random: &mut Random) -> Quat {
        let (axis, angle) = (random.direction::<Self>(), random.between(-3.0, 3.0));
        Quat::from_axis_angle(axis, angle).normalize()
    }

    fn round(kind: Kind, random: &mut Random) -> Result<Shape<Self>, ShapeError> {
        match kind {
            Kind::Cone => Shape::cone(extent(random), extent(random)),
            _ => Shape::cylinder(extent(random), extent(random)),
        }
    }
}

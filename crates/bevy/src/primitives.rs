//! Colliders from the primitives of `bevy_shape`.

use bevy_math::{Vec2, Vec3};
use bevy_shape as shape;
use clearance::ShapeError;

use crate::Collider;

macro_rules! primitives {
    ($vector:ty: $($kind:ident: |$from:ident| $made:expr;)*) => {
        $(
            impl TryFrom<shape::$kind> for Collider<$vector> {
                type Error = ShapeError;

                fn try_from($from: shape::$kind) -> Result<Self, ShapeError> {
                    $made
                }
            }
        )*
    };
}

primitives! {
    Vec2:
    Circle: |from| Self::ball(from.radius);
    Ellipse: |from| Self::ellipsoid(from.half_size);
    Rectangle: |from| Self::cuboid(from.half_size);
    Capsule2d: |from| Self::capsule(from.half_length, from.radius);
    Triangle2d: |from| Self::triangle(from.vertices[0], from.vertices[1], from.vertices[2]);
    Segment2d: |from| Self::segment(from.vertices[0], from.vertices[1]);
    Polyline2d: |from| Self::polyline(from.vertices);
    Rhombus: |from| {
        let [across, up] = [Vec2::X * from.half_diagonals.x, Vec2::Y * from.half_diagonals.y];
        Self::hull([across, up, -across, -up])
    };
    RegularPolygon: |from| Self::hull(from.vertices(0.0).into_iter().collect::<Vec<_>>());
    Plane2d: |from| Self::half_space(*from.normal);
}

primitives! {
    Vec3:
    Sphere: |from| Self::ball(from.radius);
    Cuboid: |from| Self::cuboid(from.half_size);
    Capsule3d: |from| Self::capsule(from.half_length, from.radius);
    Cylinder: |from| Self::cylinder(from.half_height, from.radius);
    Cone: |from| Self::cone(from.height / 2.0, from.radius);
    ConicalFrustum: |from| Self::tapered_cylinder(from.height / 2.0, from.radius_top, from.radius_bottom);
    Triangle3d: |from| Self::triangle(from.vertices[0], from.vertices[1], from.vertices[2]);
    Tetrahedron: |from| Self::hull(from.vertices);
    Segment3d: |from| Self::segment(from.vertices[0], from.vertices[1]);
    Polyline3d: |from| Self::polyline(from.vertices);
    InfinitePlane3d: |from| Self::half_space(*from.normal);
}

//! The names of the kinds of shapes, as files have them.

use clearance_math::Vector;

use crate::{Convex, Core, Shape};

impl<V: Vector> Shape<V> {
    /// The name of the kind: that of its type in files, `point` for a ball without a radius, `rounded` for any other
    /// shape with one, and `custom` for a shape of the user's program.
    ///
    /// ```
    /// use clearance::dim2::{Shape, Vec2};
    ///
    /// assert_eq!(Shape::ball(1.0)?.kind_name(), "ball");
    /// assert_eq!(Shape::cuboid(Vec2::ONE)?.rounded(0.1)?.kind_name(), "rounded");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Convex(convex) => convex.kind_name(),
            Self::HalfSpace(_) => "half_space",
            Self::Composite(composite) => composite.kind_name(),
        }
    }
}

impl<V: Vector> Convex<V> {
    /// See [`Shape::kind_name`].
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        let is_round = self.radius() > 0.0;
        match self.core() {
            Core::Point(_) if is_round => "ball",
            Core::Segment(_) if is_round => "capsule",
            // A part of these is a radius of its own.
            Core::Ellipsoid(ellipsoid) if self.radius() <= ellipsoid.inset() => "ellipsoid",
            Core::TaperedCapsule(capsule) if self.radius() <= capsule.inset() => "tapered_capsule",
            Core::Custom(_) => "custom",
            _ if is_round => "rounded",
            Core::Point(_) => "point",
            Core::Segment(_) => "segment",
            Core::Triangle(_) => "triangle",
            Core::Cuboid(_) => "cuboid",
            Core::Hull(_) => "hull",
            Core::Cylinder(_) => "cylinder",
            Core::Cone(_) => "cone",
            Core::Ellipsoid(_) => "ellipsoid",
            Core::TaperedCapsule(_) => "tapered_capsule",
            Core::TaperedCylinder(_) => "tapered_cylinder",
        }
    }
}

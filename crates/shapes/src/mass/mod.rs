//! Mass, centre of mass and inertia of shapes.

mod moments;
mod polytope;
mod round;
mod voxels;

use core::ops::Add;

use clearance_math::Matrix;
use clearance_math::internal::MapEach;
use clearance_math::{
    DMat3, DVec2, DVec3, Pose, PreciseVector, Real, RelativePose, Vec2, Vec3, Vector, compile_once,
};

use crate::composite::PointCloud;
use crate::error::check_number;
use crate::transform::core_corners;
use crate::{
    Composite, CompositeKind, Convex, Core, Cuboid, Hull, Requirement, Shape, ShapeError, Support,
};
use moments::{Moments, outer};
use round::Ring;

/// How heavy a shape is, and how its mass is spread: what a solver needs besides contacts. In `f64`, in the frame of the shape,
/// in your units of length and mass.
///
/// [`Shape::mass_properties`] computes them. Those of bodies that are joined are added with `+`, once they are in one frame
/// ([`MassProperties::transformed`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties<V: Vector> {
    /// The volume; in 2D the area.
    pub volume: f64,
    /// The mass: the volume times the density.
    pub mass: f64,
    /// The point at which the mass is balanced. Without any mass, a point in the middle of the shape.
    pub center_of_mass: V::Precise,
    /// The integral of x x^T over the mass, about the centre of mass. In 2D it has zeros along z.
    second: DMat3,
}

impl<V: Vector> MassProperties<V> {
    /// Those of what a closed surface encloses, such as a mesh or the outline of a polygon.
    ///
    /// Faces are lists of corners: polygons in space, which run counter-clockwise seen from outside, and in the plane segments
    /// or chains of them with the inside on the left. Holes run the other way round. Whether the surface is closed is not checked.
    /// One that is turned inside out has a negative volume. By the divergence theorem (Mirtich 1996); costs O(n) for n corners.
    ///
    /// ```
    /// use clearance::dim2::{MassProperties, Vec2};
    ///
    /// let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0], [0.0, 0.0]];
    /// let properties = MassProperties::of_surface([l.map(Vec2::from)], 10.0);
    /// assert_eq!((properties.volume, properties.mass), (3.0, 30.0));
    /// assert!((properties.center_of_mass.x - 5.0 / 6.0).abs() < 1e-15);
    /// ```
    #[must_use]
    pub fn of_surface<F: AsRef<[V]>>(faces: impl IntoIterator<Item = F>, density: Real) -> Self {
        let position = |point: V| point.to_precise().in_space();
        let mut origin = None;
        let mut sum = Moments::ZERO;
        for face in faces {
            for facet in polytope::facets(V::DIM, face.as_ref()) {
                let facet = facet.map_each(position);
                let origin = *origin.get_or_insert(facet[0]);
                sum += polytope::below(V::DIM, facet.map_each(|corner| corner - origin));
            }
        }
        let sum = sum * polytope::share(V::DIM);
        Self::new(origin.unwrap_or(DVec3::ZERO), &sum).with_density(density)
    }

    /// Those of a mass in one point.
    #[must_use]
    pub fn of_point(center_of_mass: V::Precise, mass: f64) -> Self {
        Self {
            volume: 0.0,
            mass,
            center_of_mass,
            second: DMat3::ZERO,
        }
    }

    /// Those of a body of density 1.
    fn new(origin: DVec3, about_origin: &Moments) -> Self {
        let Moments {
            measure,
            first,
            second,
        } = *about_origin;
        let center = if measure == 0.0 {
            DVec3::ZERO
        } else {
            first / measure
        };
        Self {
            volume: measure,
            mass: measure,
            center_of_mass: V::Precise::from_space(origin + center),
            second: second - outer(first, center),
        }
    }

    /// The same body with another mass, spread in the same way. Without any mass so far, it becomes that of one point.
    ///
    /// ```
    /// use clearance::dim3::Shape;
    ///
    /// let person = Shape::capsule(0.6, 0.3)?.mass_properties(1.0)?.with_mass(80.0);
    /// assert!((person.mass - 80.0).abs() < 1e-12 && person.inertia().y_axis.y > 2.0);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    #[must_use]
    pub fn with_mass(self, mass: f64) -> Self {
        let factor = if self.mass == 0.0 {
            0.0
        } else {
            mass / self.mass
        };
        Self {
            mass,
            second: self.second * factor,
            ..self
        }
    }

    fn with_density(self, density: Real) -> Self {
        self.with_mass(self.volume * f64::from(density))
    }

    /// Those of the body at a pose, in the frame that the pose leads to.
    #[must_use]
    pub fn transformed(&self, pose: &Pose<V>) -> Self {
        let pose = RelativePose::from_pose(pose);
        let [x, y, z] = [0, 1, 2].map_each(|k| match k {
            2 if const { V::DIM == 2 } => DVec3::Z,
            _ => pose.rotation.column(k).in_space(),
        });
        let turn = DMat3::from_cols(x, y, z);
        Self {
            center_of_mass: pose.transform_point(self.center_of_mass),
            second: turn * self.second * turn.transpose(),
            ..*self
        }
    }

    /// The inertia about a point, by the parallel axis theorem. In 2D only its component z, z counts: see
    /// `inertia_about`, which gives that number.
    #[must_use]
    pub fn inertia_in_space(&self, point: V::Precise) -> DMat3 {
        let away = (self.center_of_mass - point).in_space();
        let second = self.second + outer(away, away) * self.mass;
        let [x, y, z] = [0, 1, 2].map_each(|k| second.col(k)[k]);
        DMat3::from_diagonal(DVec3::splat(x + y + z)) - second
    }
}

impl MassProperties<Vec2> {
    /// The moment of inertia about the centre of mass: mass times length squared.
    #[must_use]
    pub fn inertia(&self) -> f64 {
        self.inertia_about(self.center_of_mass)
    }

    /// The moment of inertia about a point.
    #[must_use]
    pub fn inertia_about(&self, point: DVec2) -> f64 {
        self.inertia_in_space(point).z_axis.z
    }
}

impl MassProperties<Vec3> {
    /// The inertia tensor about the centre of mass, along the axes of the shape: mass times length squared. It is symmetric;
    /// what does not turn easily about an axis has a large number there. Angular momentum is the tensor times the angular
    /// velocity.
    #[must_use]
    pub fn inertia(&self) -> DMat3 {
        self.inertia_about(self.center_of_mass)
    }

    /// The inertia tensor about a point.
    #[must_use]
    pub fn inertia_about(&self, point: DVec3) -> DMat3 {
        self.inertia_in_space(point)
    }
}

/// Both bodies as one. Where they overlap, both count.
impl<V: Vector> Add for MassProperties<V> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mass = self.mass + other.mass;
        let share = if mass == 0.0 { 0.5 } else { other.mass / mass };
        let between = other.center_of_mass - self.center_of_mass;
        let apart = between.in_space();
        Self {
            volume: self.volume + other.volume,
            mass,
            center_of_mass: self.center_of_mass + between * share,
            second: self.second + other.second + outer(apart, apart) * (self.mass * share),
        }
    }
}

impl<V: Vector> Shape<V> {
    /// The mass, centre of mass and inertia of the shape, if it has the same `density` >= 0 everywhere: mass per volume, in 2D
    /// per area.
    ///
    /// They are exact but for rounding, about 1e-15 of the numbers for shapes that are not much thinner than long. Rounded
    /// ellipsoids are integrated, with a relative error below 1e-12 for half axes of up to 10^4 times others.
    ///
    /// Points, segments, flat triangles and flat hulls have no volume, hence no mass; their centre is in their middle. The
    /// shapes of a compound and the balls of a cloud of points are added: what lies in two of them counts twice, as does what
    /// the surface of a solid winds around twice. Costs O(n) for the n vertices of a hull or shapes of a compound.
    ///
    /// ```
    /// use clearance::dim3::{Shape, Vec3};
    ///
    /// let crate_of_wood = Shape::cuboid(Vec3::new(0.5, 0.5, 1.0))?.mass_properties(700.0)?;
    /// assert_eq!(crate_of_wood.mass, 1400.0);
    /// // A twelfth of the mass times the sum of both squared sides.
    /// assert!((crate_of_wood.inertia().x_axis.x - 1400.0 * (1.0 + 4.0) / 12.0).abs() < 1e-9);
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// A density that is negative or not finite. A shape without an inside (a mesh or polyline that is not solid, a height field), without an end
    /// (a half-space) or of your own, also as a part of a compound: the error says what to do.
    #[doc(alias("mass", "inertia", "center_of_mass", "volume", "area", "com"))]
    pub fn mass_properties(&self, density: Real) -> Result<MassProperties<V>, ShapeError> {
        check_number(
            self.kind_name(),
            "density",
            density,
            Requirement::NotNegative,
        )?;
        Ok(of_shape(self)?.with_density(density))
    }
}

compile_once! {
    fn of_shape<'a, V>(shape: &'a Shape<V>) -> Result<MassProperties<V>, ShapeError> {
        of_any(shape)
    }
}

/// The mass properties of a shape of density 1.
fn of_any<V: Vector>(shape: &Shape<V>) -> Result<MassProperties<V>, ShapeError> {
    match shape {
        Shape::Convex(convex) => of_convex(convex),
        Shape::HalfSpace(_) => Err(ShapeError::NoMass {
            kind: "half_space",
            reason: "it has no end; use a large cuboid, or leave out the mass of what cannot move",
        }),
        Shape::Composite(composite) => of_composite(composite),
    }
}

fn of_composite<V: Vector>(composite: &Composite<V>) -> Result<MassProperties<V>, ShapeError> {
    let compound = match composite.kind() {
        CompositeKind::Compound(compound) => compound,
        CompositeKind::Points(cloud) => return Ok(of_points(cloud)),
        CompositeKind::Voxels(voxels) => return voxels::of_voxels(voxels),
        _ if composite.is_solid() => {
            let facets = (0..composite.part_count()).filter_map(|number| composite.facet(number));
            return Ok(MassProperties::of_surface(facets, 1.0));
        }
        _ => {
            return Err(ShapeError::NoMass {
                kind: composite.kind_name(),
                reason: "it is a surface without an inside; use Shape::solid if it is closed, or a \
                         compound of convex parts",
            });
        }
    };
    let mut sum = None;
    for (index, part) in compound.shapes().iter().enumerate() {
        let own = of_any(&part.shape).map_err(|error| error.in_part(index))?;
        let own = own.transformed(&part.pose);
        sum = Some(sum.map_or(own, |sum: MassProperties<V>| sum + own));
    }
    // A compound has at least one part.
    Ok(sum.unwrap_or(MassProperties::of_point(V::Precise::ZERO, 0.0)))
}

/// The balls of a cloud one by one, so that those which overlap count twice.
fn of_points<V: Vector>(cloud: &PointCloud<V>) -> MassProperties<V> {
    let position = |point: &V| point.to_precise().in_space();
    let origin = position(&cloud.points()[0]);
    let places = cloud.points().iter();
    let places = places.fold(Moments::ZERO, |sum, point| {
        sum + Moments::of_point(position(point) - origin)
    });
    let radii = V::Precise::splat(cloud.radius().into()).in_space();
    let ball = round::ellipsoid(V::DIM, radii);
    let spread = MassProperties::new(origin, &places).with_mass(places.measure * ball.measure);
    MassProperties {
        volume: spread.mass,
        second: spread.second + ball.second * places.measure,
        ..spread
    }
}

fn of_convex<V: Vector>(convex: &Convex<V>) -> Result<MassProperties<V>, ShapeError> {
    let core = convex.core();
    let about_origin = of_round(convex)?;
    let (origin, about_origin) = match (core, about_origin) {
        (_, Some(moments)) => (V::Precise::ZERO, moments),
        (Core::Point(center), None) => {
            let radii = V::Precise::splat(convex.radius()).in_space();
            (center.to_precise(), round::ellipsoid(V::DIM, radii))
        }
        (Core::Hull(hull), None) => of_hull(hull, convex.radius()),
        (core, None) => {
            let corners = core_corners(core).unwrap_or_default();
            of_hull(&Hull::from_points(&corners)?, convex.radius())
        }
    };
    let own = MassProperties::new(origin.in_space(), &about_origin);
    if own.volume == 0.0 {
        return Ok(MassProperties::of_point(core.center(), 0.0));
    }
    Ok(own)
}

fn of_hull<V: Vector>(hull: &Hull<V>, radius: f64) -> (V::Precise, Moments) {
    (
        hull.vertices()[0].to_precise(),
        polytope::moments(hull, radius),
    )
}

/// The moments of a core with curved sides or of a plain box about the origin; `None` for other cores.
fn of_round<V: Vector>(convex: &Convex<V>) -> Result<Option<Moments>, ShapeError> {
    let radius = convex.radius();
    let rings = |half: Real, across: [f64; 2], tubes: [f64; 2]| {
        let [top, bottom] = [0, 1].map_each(|k| Ring {
            across: across[k],
            up: f64::from(half) * if k == 0 { 1.0 } else { -1.0 },
            radius: tubes[k],
        });
        round::around_axis(V::DIM, [top, bottom])
    };
    let discs =
        |half: Real, top: Real, bottom: Real| rings(half, [top.into(), bottom.into()], [radius; 2]);
    Ok(Some(match convex.core() {
        Core::Cuboid(Cuboid { half_extents }) if radius == 0.0 => {
            round::cuboid(V::DIM, half_extents.to_precise().in_space())
        }
        Core::Cylinder(cylinder) => discs(cylinder.half_height, cylinder.radius, cylinder.radius),
        Core::Cone(cone) => discs(cone.half_height, 0.0, cone.radius),
        Core::TaperedCylinder(cylinder) => discs(
            cylinder.half_height,
            cylinder.radius_top,
            cylinder.radius_bottom,
        ),
        Core::TaperedCapsule(capsule) => {
            let tubes = capsule.core_radii().map_each(|own| own + radius);
            rings(capsule.half_length(), [0.0; 2], tubes)
        }
        Core::Ellipsoid(ellipsoid) => {
            let radii = ellipsoid.radii().to_precise().in_space();
            round::rounded_ellipsoid(V::DIM, radii, radius - ellipsoid.inset())
        }
        Core::Custom(_) => {
            return Err(ShapeError::NoMass {
                kind: "custom shape",
                reason: "only its farthest points are known; use those of a hull of some of them",
            });
        }
        _ => return Ok(None),
    }))
}

//! All kinds of cores: convex shapes without their rounding radius.

use std::sync::Arc;

use clearance_math::internal::lanes::Simd;
use clearance_math::{Matrix, PreciseVector, Real, Vector, tolerances};

use crate::eight_corners::EightCorners;
use crate::{
    Cone, Cuboid, Custom, Cylinder, Ellipsoid, Hull, Segment, Support, TaperedCapsule,
    TaperedCylinder, Triangle,
};

/// A convex shape without its rounding radius, in the frame of its body.
///
/// The constructors of [`crate::Shape`] choose the simplest kind that fits: a segment of length
/// zero becomes a point, and a hull of two vertices becomes a segment.
#[derive(Clone, Debug, PartialEq)]
pub enum Core<V: Vector> {
    /// A single point; with a radius, a ball.
    Point(V),
    /// A segment; with a radius, a capsule.
    Segment(Segment<V>),
    /// A triangle.
    Triangle(Triangle<V>),
    /// A rectangle or box centred on the origin.
    Cuboid(Cuboid<V>),
    /// A convex polygon or polyhedron.
    Hull(Arc<Hull<V>>),
    /// A cylinder; 3D only.
    Cylinder(Cylinder),
    /// A cone; 3D only.
    Cone(Cone),
    /// An ellipse or ellipsoid, from which a rounding radius has been split off: see [`Ellipsoid`].
    Ellipsoid(Ellipsoid<V>),
    /// The hull of two balls, from which a rounding radius has been split off: see
    /// [`TaperedCapsule`].
    TaperedCapsule(TaperedCapsule),
    /// The hull of two discs; 3D only.
    TaperedCylinder(TaperedCylinder),
    /// A shape of your own.
    Custom(Custom<V>),
}

/// The kind of a core. A pair of shapes is always measured with the lesser kind first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoreKind {
    /// [`Core::Point`].
    Point,
    /// [`Core::Segment`].
    Segment,
    /// [`Core::Triangle`].
    Triangle,
    /// [`Core::Cuboid`].
    Cuboid,
    /// [`Core::Hull`].
    Hull,
    /// [`Core::Cylinder`].
    Cylinder,
    /// [`Core::Cone`].
    Cone,
    /// [`Core::Ellipsoid`].
    Ellipsoid,
    /// [`Core::TaperedCapsule`].
    TaperedCapsule,
    /// [`Core::TaperedCylinder`].
    TaperedCylinder,
    /// [`Core::Custom`].
    Custom,
}

impl<V: Vector> Core<V> {
    /// The kind of the core.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> CoreKind {
        match self {
            Self::Point(_) => CoreKind::Point,
            Self::Segment(_) => CoreKind::Segment,
            Self::Triangle(_) => CoreKind::Triangle,
            Self::Cuboid(_) => CoreKind::Cuboid,
            Self::Hull(_) => CoreKind::Hull,
            Self::Cylinder(_) => CoreKind::Cylinder,
            Self::Cone(_) => CoreKind::Cone,
            Self::Ellipsoid(_) => CoreKind::Ellipsoid,
            Self::TaperedCapsule(_) => CoreKind::TaperedCapsule,
            Self::TaperedCylinder(_) => CoreKind::TaperedCylinder,
            Self::Custom(_) => CoreKind::Custom,
        }
    }

    /// Whether the core is known to be a polytope, that is the convex hull of finitely many points.
    #[must_use]
    pub fn is_polytope(&self) -> bool {
        matches!(
            self,
            Self::Point(_) | Self::Segment(_) | Self::Triangle(_) | Self::Cuboid(_) | Self::Hull(_)
        )
    }

    /// The numbers that the core is made of, in the order in which they are stored: the bits of its coordinates and lengths, or
    /// the key of a shape of your own. Two cores of one kind are the same if these are.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        (0..).map_while(|index| self.number(index))
    }

    fn number(&self, index: usize) -> Option<u32> {
        let of_points = |points: &[V]| {
            let point = points.get(index / V::DIM)?;
            Some(point.component(index % V::DIM).to_bits())
        };
        let of_lengths = |lengths: &[Real]| lengths.get(index).map(|length| length.to_bits());
        match self {
            Self::Point(point) => of_points(&[*point]),
            Self::Segment(segment) => of_points(&[segment.a, segment.b]),
            Self::Triangle(triangle) => of_points(&[triangle.a, triangle.b, triangle.c]),
            Self::Cuboid(cuboid) => of_points(&[cuboid.half_extents]),
            Self::Hull(hull) => of_points(hull.vertices()),
            Self::Cylinder(it) => of_lengths(&[it.half_height, it.radius]),
            Self::Cone(it) => of_lengths(&[it.half_height, it.radius]),
            Self::Ellipsoid(ellipsoid) => of_points(&[ellipsoid.radii()]),
            Self::TaperedCapsule(it) => {
                of_lengths(&[it.half_length(), it.radius_top(), it.radius_bottom()])
            }
            Self::TaperedCylinder(it) => {
                of_lengths(&[it.half_height, it.radius_top, it.radius_bottom])
            }
            Self::Custom(custom) => custom.key().get(index).copied(),
        }
    }

    /// The corners of the smallest axis-aligned box around the core after it was rotated by
    /// `rotation`, in the outer frame.
    ///
    /// Along axis k of the outer frame they are the support function along row k of the matrix.
    /// They are right up to a few roundings of `f64` and not rounded outwards. Costs O(n) for hulls
    /// of up to 64 vertices.
    #[must_use]
    pub fn extent(&self, rotation: &<V::Precise as PreciseVector>::Matrix) -> [V::Precise; 2] {
        match self {
            Self::Point(point) if *point == V::ZERO => [V::Precise::ZERO; 2],
            Self::Point(point) => {
                let turned = rotation.apply(point.to_precise());
                [turned, turned]
            }
            Self::Segment(segment) => span([segment.a, segment.b], rotation),
            Self::Triangle(triangle) => span([triangle.a, triangle.b, triangle.c], rotation),
            Self::Hull(hull) => hull.extent(rotation),
            _ => {
                let (mut low, mut high) = (V::Precise::ZERO, V::Precise::ZERO);
                for k in 0..V::DIM {
                    let (least, greatest) = self.span(rotation.row(k));
                    low = low.with_component(k, least);
                    high = high.with_component(k, greatest);
                }
                [low, high]
            }
        }
    }

    /// The corners of a core that has at most eight of them; `None` for any other core.
    ///
    /// Corners that the core does not store are computed into `storage`.
    #[inline]
    #[must_use]
    pub fn eight_corners<'a>(
        &'a self,
        storage: &'a mut Option<EightCorners>,
    ) -> Option<&'a EightCorners> {
        let corners = match self {
            Self::Hull(hull) => return hull.eight_corners(),
            Self::Cuboid(cuboid) => EightCorners::of_cuboid(cuboid.half_extents),
            Self::Triangle(triangle) => EightCorners::new(&[triangle.a, triangle.b, triangle.c]),
            Self::Segment(segment) => EightCorners::new(&[segment.a, segment.b]),
            Self::Point(point) => EightCorners::new(&[*point]),
            _ => return None,
        };
        Some(storage.insert(corners))
    }

    /// The support mapping compiled for the instruction set `simd`. It returns the same point as
    /// [`Support::support`].
    #[inline(always)]
    #[must_use]
    pub fn support_in_lanes<S: Simd>(&self, simd: S, direction: V::Precise) -> V::Precise {
        match self {
            Self::Hull(hull) => hull.support_in_lanes(simd, direction),
            Self::Cuboid(cuboid) => cuboid.support(direction),
            Self::Segment(segment) => segment.support(direction),
            other => other.support_of_others(direction),
        }
    }

    /// The support mapping of the kinds that are not worth inlining into every caller.
    #[inline(never)]
    fn support_of_others(&self, direction: V::Precise) -> V::Precise {
        match self {
            Self::Point(point) => point.to_precise(),
            Self::Segment(segment) => segment.support(direction),
            Self::Triangle(triangle) => triangle.support(direction),
            Self::Cuboid(cuboid) => cuboid.support(direction),
            Self::Hull(hull) => hull.support(direction),
            Self::Cylinder(cylinder) => cylinder.support(direction),
            Self::Cone(cone) => cone.support(direction),
            Self::Ellipsoid(ellipsoid) => ellipsoid.support(direction),
            Self::TaperedCapsule(capsule) => capsule.support(direction),
            Self::TaperedCylinder(cylinder) => cylinder.support(direction),
            Self::Custom(custom) => custom.support(direction),
        }
    }

    /// The least and greatest scalar product of the core's points with a unit vector.
    fn span(&self, unit: V::Precise) -> (f64, f64) {
        let height = match self {
            Self::Cone(cone) => return cone.span(unit),
            Self::TaperedCapsule(capsule) => return capsule.span(unit),
            Self::TaperedCylinder(cylinder) => return cylinder.span(unit),
            Self::Custom(custom) => return custom.span(unit),
            Self::Cuboid(cuboid) => unit.abs().dot(cuboid.half_extents.to_precise()),
            Self::Cylinder(cylinder) => cylinder.height(unit),
            Self::Point(_)
            | Self::Segment(_)
            | Self::Triangle(_)
            | Self::Hull(_)
            | Self::Ellipsoid(_) => unit.dot(self.support(unit)),
        };
        (-height, height)
    }
}

/// The least and greatest coordinates of the rotated points.
fn span<V: Vector>(
    points: impl IntoIterator<Item = V>,
    rotation: &<V::Precise as PreciseVector>::Matrix,
) -> [V::Precise; 2] {
    let mut low = V::Precise::splat(f64::INFINITY);
    let mut high = V::Precise::splat(f64::NEG_INFINITY);
    for point in points {
        let turned = rotation.apply(point.to_precise());
        low = low.min(turned);
        high = high.max(turned);
    }
    [low, high]
}

impl<V: Vector> Support<V::Precise> for Core<V> {
    #[inline]
    fn support(&self, direction: V::Precise) -> V::Precise {
        match self {
            Self::Hull(hull) => hull.support(direction),
            other => other.support_of_others(direction),
        }
    }

    fn center(&self) -> V::Precise {
        match self {
            Self::Point(point) => point.to_precise(),
            Self::Segment(segment) => segment.center(),
            Self::Triangle(triangle) => triangle.center(),
            Self::Hull(hull) => mean(hull.vertices()),
            Self::Cone(cone) => cone.center(),
            Self::TaperedCapsule(capsule) => capsule.center(),
            Self::TaperedCylinder(cylinder) => cylinder.center(),
            Self::Custom(custom) => custom.center(),
            Self::Cuboid(_) | Self::Cylinder(_) | Self::Ellipsoid(_) => V::Precise::ZERO,
        }
    }

    fn bounding_radius(&self) -> f64 {
        match self {
            Self::Point(point) => point.to_precise().length(),
            Self::Segment(segment) => segment.bounding_radius(),
            Self::Triangle(triangle) => triangle.bounding_radius(),
            Self::Cuboid(cuboid) => cuboid.bounding_radius(),
            Self::Hull(hull) => hull
                .vertices()
                .iter()
                .fold(0.0, |radius, v| v.to_precise().length().max(radius)),
            Self::Cylinder(cylinder) => Support::<V::Precise>::bounding_radius(cylinder),
            Self::Cone(cone) => Support::<V::Precise>::bounding_radius(cone),
            Self::Ellipsoid(ellipsoid) => ellipsoid.bounding_radius(),
            Self::TaperedCapsule(capsule) => Support::<V::Precise>::bounding_radius(capsule),
            Self::TaperedCylinder(cylinder) => Support::<V::Precise>::bounding_radius(cylinder),
            Self::Custom(custom) => custom.bounding_radius(),
        }
    }
}

impl<V: Vector> Core<V> {
    /// An upper bound of the distance of the core's points from `center`, a point inside of it.
    pub(crate) fn radius_about(&self, center: V::Precise) -> f64 {
        let farthest = |corners: &[V]| {
            let distances = corners.iter().map(|v| (v.to_precise() - center).length());
            distances.fold(0.0, f64::max) * (1.0 + tolerances::RADIUS_ROUNDING)
        };
        match self {
            Self::Point(_) => 0.0,
            Self::Segment(segment) => farthest(&[segment.a, segment.b]),
            Self::Triangle(triangle) => farthest(&[triangle.a, triangle.b, triangle.c]),
            Self::Hull(hull) => farthest(hull.vertices()),
            _ => self.bounding_radius() + center.length(),
        }
    }
}

fn mean<V: Vector>(points: &[V]) -> V::Precise {
    let sum = points
        .iter()
        .fold(V::Precise::ZERO, |sum, point| sum + point.to_precise());
    sum / points.len() as f64
}

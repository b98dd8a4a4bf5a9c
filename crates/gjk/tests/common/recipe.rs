//! How a shape is made, and what follows from that without the engine.

use clearance_math::{PreciseVector, Real, Vector};
use clearance_shapes::Shape;

use super::kind::{Kind, Space};
use super::random::Pcg;

/// The numbers that a user makes a shape from.
///
/// Its farthest points come from these alone, so that answers are checked against what was asked for
/// and not against what the engine made of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Recipe<V> {
    Ball(Real),
    Cuboid(V),
    Capsule {
        half: Real,
        radius: Real,
    },
    Segment([V; 2]),
    Triangle([V; 3]),
    Hull(Vec<V>),
    Cylinder {
        half: Real,
        radius: Real,
    },
    Cone {
        half: Real,
        radius: Real,
    },
    /// The radii are those at the top and at the bottom.
    TaperedCapsule {
        half: Real,
        radii: [Real; 2],
    },
    /// The radii are those at the top and at the bottom.
    TaperedCylinder {
        half: Real,
        radii: [Real; 2],
    },
    Ellipsoid(V),
    HalfSpace(V),
    Rounded(Box<Self>, Real),
}

impl<V: Space> Recipe<V> {
    /// A shape of the kind, about `size` in half extent; exactly scaled for powers of two.
    pub(crate) fn random(kind: Kind, random: &mut Pcg, size: f64) -> Self {
        match kind {
            Kind::Ball => Self::Ball(random.extent(size)),
            Kind::Cuboid => Self::Cuboid(random.extents(size)),
            Kind::Capsule => Self::Capsule {
                half: random.extent(size),
                radius: random.extent(0.5 * size),
            },
            Kind::Segment => Self::Segment([(); 2].map(|()| random.point(size))),
            Kind::Triangle => Self::Triangle([(); 3].map(|()| random.point(size))),
            Kind::Hull => Self::Hull(cloud(random, size)),
            // The plane has none of these.
            Kind::Cylinder | Kind::Cone | Kind::TaperedCylinder if V::DIM == 2 => {
                Self::Ellipsoid(random.extents(size))
            }
            Kind::Cylinder | Kind::Cone | Kind::TaperedCylinder => {
                let (half, radius) = (random.extent(size), random.extent(size));
                match kind {
                    Kind::Cylinder => Self::Cylinder { half, radius },
                    Kind::Cone => Self::Cone { half, radius },
                    _ => {
                        let top = random.extent(size);
                        let radii = [random.pick(&[top, 0.0, radius]), radius];
                        Self::TaperedCylinder { half, radii }
                    }
                }
            }
            Kind::TaperedCapsule => Self::TaperedCapsule {
                half: random.extent(size),
                radii: [(); 2].map(|()| random.extent(0.5 * size)),
            },
            Kind::Ellipsoid => Self::Ellipsoid(random.extents(size)),
            Kind::HalfSpace => Self::HalfSpace(V::from_precise(random.direction())),
            Kind::RoundedHull => Self::random_rounded(Kind::Hull, random, size),
            Kind::RoundedCuboid => Self::random_rounded(Kind::Cuboid, random, size),
            Kind::RoundedSmooth => Self::random_rounded(Kind::Cylinder, random, size),
        }
    }

    fn random_rounded(kind: Kind, random: &mut Pcg, size: f64) -> Self {
        let inner = Self::random(kind, random, 0.8 * size);
        Self::Rounded(Box::new(inner), random.extent(0.3 * size))
    }

    pub(crate) fn shape(&self) -> Shape<V> {
        let shape = match self {
            Self::Ball(radius) => Shape::ball(*radius),
            Self::Cuboid(half_extents) => Shape::cuboid(*half_extents),
            Self::Capsule { half, radius } => Shape::capsule(*half, *radius),
            Self::Segment([a, b]) => Shape::segment(*a, *b),
            Self::Triangle([a, b, c]) => Shape::triangle(*a, *b, *c),
            Self::Hull(points) => Shape::hull(points),
            Self::Cylinder { half, radius } => Ok(V::cylinder(*half, *radius)),
            Self::Cone { half, radius } => Ok(V::cone(*half, *radius)),
            Self::TaperedCapsule {
                half,
                radii: [top, bottom],
            } => Shape::tapered_capsule(*half, *top, *bottom),
            Self::TaperedCylinder { half, radii } => Ok(V::tapered_cylinder(*half, *radii)),
            Self::Ellipsoid(radii) => Shape::ellipsoid(*radii),
            Self::HalfSpace(normal) => Shape::half_space(*normal),
            Self::Rounded(inner, radius) => inner.shape().rounded(*radius),
        };
        shape.expect("a valid shape")
    }

    /// This shape so many times as large, each number rounded once.
    pub(crate) fn scaled(&self, scale: Real) -> Self {
        match self {
            Self::Ball(radius) => Self::Ball(radius * scale),
            Self::Cuboid(half_extents) => Self::Cuboid(*half_extents * scale),
            Self::Capsule { half, radius } => Self::Capsule {
                half: half * scale,
                radius: radius * scale,
            },
            Self::Segment(ends) => Self::Segment(ends.map(|end| end * scale)),
            Self::Triangle(corners) => Self::Triangle(corners.map(|corner| corner * scale)),
            Self::Hull(points) => Self::Hull(points.iter().map(|p| *p * scale).collect()),
            Self::Cylinder { half, radius } => Self::Cylinder {
                half: half * scale,
                radius: radius * scale,
            },
            Self::Cone { half, radius } => Self::Cone {
                half: half * scale,
                radius: radius * scale,
            },
            Self::TaperedCapsule { half, radii } => Self::TaperedCapsule {
                half: half * scale,
                radii: radii.map(|radius| radius * scale),
            },
            Self::TaperedCylinder { half, radii } => Self::TaperedCylinder {
                half: half * scale,
                radii: radii.map(|radius| radius * scale),
            },
            Self::Ellipsoid(radii) => Self::Ellipsoid(*radii * scale),
            Self::HalfSpace(normal) => Self::HalfSpace(*normal),
            Self::Rounded(inner, radius) => {
                Self::Rounded(Box::new(inner.scaled(scale)), radius * scale)
            }
        }
    }

    /// The farthest point along a unit vector; of a half-space, along its normal.
    pub(crate) fn support(&self, unit: V::Precise) -> V::Precise {
        self.core_support(unit) + unit * self.radius()
    }

    /// The radius of the ball that the rest is swept by.
    pub(crate) fn radius(&self) -> f64 {
        match self {
            Self::Ball(radius) | Self::Capsule { radius, .. } => f64::from(*radius),
            Self::TaperedCapsule { radii, .. } => f64::from(radii[0].min(radii[1])),
            Self::Rounded(inner, radius) => inner.radius() + f64::from(*radius),
            _ => 0.0,
        }
    }

    /// The farthest point, along a unit vector, of what the radius is swept about.
    pub(crate) fn core_support(&self, unit: V::Precise) -> V::Precise {
        match self {
            Self::Ball(_) | Self::HalfSpace(_) => V::Precise::ZERO,
            Self::Cuboid(half) => towards(half.to_precise(), unit),
            Self::Capsule { half, .. } => upright(*half, unit),
            Self::Segment(ends) => farthest(ends, unit),
            Self::Triangle(corners) => farthest(corners, unit),
            Self::Hull(points) => farthest(points, unit),
            Self::Cylinder { half, radius } => upright(*half, unit) + rim(*radius, unit),
            Self::TaperedCapsule { half, radii } => {
                let radii = radii.map(|radius| f64::from(radius) - self.radius());
                let end = V::Precise::axis(1) * f64::from(*half);
                let (top, bottom) = (end + unit * radii[0], unit * radii[1] - end);
                farther(top, bottom, unit)
            }
            Self::Cone { half, radius } => frustum(*half, [0.0, *radius], unit),
            Self::TaperedCylinder { half, radii } => frustum(*half, *radii, unit),
            Self::Ellipsoid(radii) => {
                let radii = radii.to_precise();
                let stretched = unit.scaled_by(radii);
                stretched.scaled_by(radii) / stretched.length()
            }
            Self::Rounded(inner, _) => inner.core_support(unit),
        }
    }

    /// A length that is not below the distance of a point from what the radius is swept about, and
    /// zero inside: for curved surfaces, on which a search ends slowly.
    pub(crate) fn off_core(&self, point: V::Precise) -> f64 {
        let (y, flat) = (point.component(1), point.with_component(1, 0.0).length());
        match self {
            Self::Cylinder { half, radius } => {
                let above = (y.abs() - f64::from(*half)).max(0.0);
                let beside = (flat - f64::from(*radius)).max(0.0);
                (above * above + beside * beside).sqrt()
            }
            Self::Cone { half, radius } => off_frustum(*half, [0.0, *radius], (flat, y)),
            Self::TaperedCylinder { half, radii } => off_frustum(*half, *radii, (flat, y)),
            Self::Ellipsoid(radii) => {
                let radii = radii.to_precise();
                let ratios = (0..V::DIM).map(|k| point.component(k) / radii.component(k));
                let stretch = ratios.map(|ratio| ratio * ratio).sum::<f64>().sqrt();
                point.length() * (1.0 - stretch.max(1.0).recip())
            }
            Self::TaperedCapsule { half, radii } => {
                let radii = radii.map(|radius| f64::from(radius) - self.radius());
                let half = f64::from(*half);
                least_between(|t| {
                    let (height, radius) = between(half, radii, t);
                    let away = (flat * flat + (y - height) * (y - height)).sqrt();
                    (away - radius).max(0.0)
                })
            }
            Self::Rounded(inner, _) => inner.off_core(point),
            _ => f64::INFINITY,
        }
    }

    /// The greatest distance of a point from the origin of the body; of a half-space, that of its
    /// boundary.
    pub(crate) fn reach(&self) -> f64 {
        let longest = |points: &[V]| {
            let lengths = points.iter().map(|point| point.to_precise().length());
            lengths.fold(0.0, f64::max)
        };
        match self {
            Self::Ball(radius) => f64::from(*radius),
            Self::Cuboid(half) => half.to_precise().length(),
            Self::Capsule { half, radius } => f64::from(*half) + f64::from(*radius),
            Self::Segment(ends) => longest(ends),
            Self::Triangle(corners) => longest(corners),
            Self::Hull(points) => longest(points),
            Self::Cylinder { half, radius } | Self::Cone { half, radius } => {
                f64::from(*half) + f64::from(*radius)
            }
            Self::TaperedCapsule { half, radii } => {
                f64::from(*half) + f64::from(radii[0].max(radii[1]))
            }
            Self::TaperedCylinder { half, radii } => {
                f64::from(*half) + f64::from(radii[0].max(radii[1]))
            }
            Self::Ellipsoid(radii) => {
                (0..V::DIM).fold(0.0, |most, k| f64::from(radii.component(k)).max(most))
            }
            Self::HalfSpace(_) => 0.0,
            Self::Rounded(inner, radius) => inner.reach() + f64::from(*radius),
        }
    }

    /// A point somewhere in the middle.
    pub(crate) fn center(&self) -> V::Precise {
        match self {
            Self::Segment(ends) => mean(ends),
            Self::Triangle(corners) => mean(corners),
            Self::Hull(points) => mean(points),
            Self::Rounded(inner, _) => inner.center(),
            _ => V::Precise::ZERO,
        }
    }

    /// The outward unit normal of a half-space.
    pub(crate) fn plane_normal(&self) -> Option<V::Precise> {
        match self {
            Self::HalfSpace(normal) => {
                let normal = normal.to_precise();
                Some(normal / normal.length())
            }
            Self::Rounded(inner, _) => inner.plane_normal(),
            _ => None,
        }
    }

    /// Whether there is a curved surface under the radius.
    pub(crate) fn is_smooth(&self) -> bool {
        match self {
            Self::Cylinder { .. }
            | Self::Cone { .. }
            | Self::TaperedCapsule { .. }
            | Self::TaperedCylinder { .. }
            | Self::Ellipsoid(_) => true,
            Self::Rounded(inner, _) => inner.is_smooth(),
            _ => false,
        }
    }
}

/// Points on a sphere, in a box or on a grid, which has many faces with more than three corners.
fn cloud<V: Vector>(random: &mut Pcg, size: f64) -> Vec<V> {
    let style = random.below(3);
    let count = V::DIM + 2 + random.below(24);
    let point = |random: &mut Pcg| match style {
        0 => random.direction::<V::Precise>(),
        1 => random.vector(),
        _ => {
            let node = |random: &mut Pcg| random.below(3) as f64 - 1.0;
            (0..V::DIM).fold(V::Precise::ZERO, |p, k| p.with_component(k, node(random)))
        }
    };
    let stretch: V = random.extents(size);
    (0..count)
        .map(|_| V::from_precise(point(random).scaled_by(stretch.to_precise())))
        .collect()
}

/// The corner of a box that the direction leads to.
fn towards<P: PreciseVector>(half: P, unit: P) -> P {
    (0..P::DIM).fold(half, |corner, k| {
        corner.with_component(k, half.component(k).copysign(unit.component(k)))
    })
}

/// The end of a segment along the y axis that the direction leads to.
fn upright<P: PreciseVector>(half: Real, unit: P) -> P {
    P::axis(1) * f64::from(half).copysign(unit.component(1))
}

/// The point of a circle about the y axis that the direction leads to; its centre if none is nearer.
fn rim<P: PreciseVector>(radius: Real, unit: P) -> P {
    let flat = unit.with_component(1, 0.0);
    match flat.direction() {
        Some(direction) => direction * f64::from(radius),
        None => P::ZERO,
    }
}

/// The point of a frustum about the y axis, with these radii at the top and at the bottom, that the direction leads to.
fn frustum<P: PreciseVector>(half: Real, radii: [Real; 2], unit: P) -> P {
    let end = P::axis(1) * f64::from(half);
    let (top, bottom) = (rim(radii[0], unit) + end, rim(radii[1], unit) - end);
    farther(top, bottom, unit)
}

/// The one of two points that is farther along a direction.
fn farther<P: PreciseVector>(a: P, b: P, unit: P) -> P {
    if a.dot(unit) >= b.dot(unit) { a } else { b }
}

/// The height and the radius so far from the bottom (0) to the top (1) of a tapered shape.
fn between(half: f64, [top, bottom]: [f64; 2], t: f64) -> (f64, f64) {
    (half * (2.0 * t - 1.0), bottom + (top - bottom) * t)
}

/// The least value of a convex function of a number from 0 to 1, from above.
fn least_between(value: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let (first, second) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if value(first) <= value(second) {
            high = second;
        } else {
            low = first;
        }
    }
    value(0.5 * (low + high)).min(value(0.0)).min(value(1.0))
}

/// How far a point, given by its distance from the axis and its height, is from a frustum.
fn off_frustum(half: Real, radii: [Real; 2], (flat, y): (f64, f64)) -> f64 {
    let (half, radii) = (f64::from(half), radii.map(f64::from));
    least_between(|t| {
        let (height, radius) = between(half, radii, t);
        (flat - radius).max(0.0).hypot(y - height)
    })
}

fn farthest<V: Vector>(points: &[V], unit: V::Precise) -> V::Precise {
    let points = points.iter().map(|point| point.to_precise());
    points
        .max_by(|p, q| p.dot(unit).total_cmp(&q.dot(unit)))
        .expect("a point")
}

fn mean<V: Vector>(points: &[V]) -> V::Precise {
    let sum = points
        .iter()
        .fold(V::Precise::ZERO, |sum, point| sum + point.to_precise());
    sum / points.len() as f64
}

//! Overlapping bodies of revolution about one axis: their depth is found in 2D.
//!
//! The support function of a body of revolution about y depends only on two numbers of the
//! direction n: its component along y, and the length of its part perpendicular to y. It equals the
//! support function of the profile, the cut through the axis, in the direction (perpendicular,
//! along). This also holds for the difference of two such bodies, so the minimum over all
//! directions is the minimum over those of the plane. In 3D whole circles of directions are equally
//! deep, and a polytope would need hundreds of faces around them.

use clearance_math::{DVec2, DVec3, Matrix, PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Core, Support};

use crate::answer::{Measured, Outcome, Status};
use crate::convex::CorePair;
use crate::search::{Cores, Difference, Minkowski, SupportMapping, measure_difference};

/// The overlap of two cores of revolution whose axes coincide as far as [`coaxial_within`] says.
///
/// `None` for all other pairs, and for pairs that are not certain to overlap. `gap` is the greatest
/// gap between the bounds, relative to the size of the difference.
pub(crate) fn measure<V: Vector>(pair: &CorePair<V>, gap: f64) -> Option<Measured<V::Precise>> {
    let &CorePair { a, b, b_in_a, .. } = pair;
    if const { V::DIM != 3 } || !is_round(a.core()) || !is_round(b.core()) {
        return None;
    }
    let size = a.core_bounding_radius() + b.core_bounding_radius();
    let axis = b_in_a.rotation.column(1);
    let tilt = axis.with_component(1, 0.0).length();
    let aside = b_in_a.translation.with_component(1, 0.0).length();
    // Putting b upright on the axis moves none of its points by more than this: a chord is shorter
    // than its arc, which is at most pi / 2 times the sine.
    let shift = aside + core::f64::consts::FRAC_PI_2 * tilt * b.core_bounding_radius();
    let coaxial = coaxial_within(gap);
    if !(shift <= coaxial * size) {
        return None;
    }
    let profile_a = Profile {
        core: a.core(),
        is_upside_down: false,
    };
    let profile_b = Profile {
        core: b.core(),
        is_upside_down: axis.component(1) < 0.0,
    };
    let b_above_a = RelativePose {
        rotation: Matrix::IDENTITY,
        translation: DVec2::new(0.0, b_in_a.translation.component(1)),
    };
    let [profile_a, profile_b]: [&dyn Support<DVec2>; 2] = [&profile_a, &profile_b];
    let in_plane = Difference::new(profile_a, profile_b, b_above_a);
    let overlapping_only = 0.0;
    let Outcome::Near(flat) = measure_difference(&in_plane, overlapping_only, gap) else {
        return None;
    };
    let difference = pair.difference();
    let upper = flat.upper + shift + difference.rounding();
    (upper < 0.0).then(|| {
        let on_b = tilted_back(flat.on_b - b_above_a.translation, b_in_a);
        from_plane(&difference, &flat, on_b, upper, gap + 2.0 * coaxial)
    })
}

/// How far the axes may be apart, relative to the size of the difference. Beside a large shape the gap is that of the small
/// one, and what counts as one axis must not be wider than it.
fn coaxial_within(gap: f64) -> f64 {
    let share = tolerances::COAXIAL / tolerances::SMOOTH_DEPTH_GAP;
    tolerances::COAXIAL.min(share * gap)
}

/// The point of b, with its true tilt and offset, that corresponds to the point at `offset` from
/// its origin in the plane where b is upright: at the same height and radius, on the side of x.
fn tilted_back<P: PreciseVector>(offset: DVec2, b_in_a: &RelativePose<P>) -> P {
    let aside = b_in_a
        .inverse_transform_direction(P::axis(0))
        .with_component(1, 0.0);
    let along = b_in_a.rotation.column(1).component(1).signum();
    // There is no direction if the axis of b lies along x, which is possible only for a b of
    // negligible size.
    let radial = aside.direction().unwrap_or(P::axis(0)) * offset.x;
    b_in_a.transform_point(radial.with_component(1, along * offset.y))
}

/// The result in 3D. Its point on b lies in the plane through the axis and x, which is as good as
/// any other.
fn from_plane<V: Vector>(
    difference: &Cores<'_, V>,
    flat: &Measured<DVec2>,
    on_b: V::Precise,
    upper: f64,
    gap: f64,
) -> Measured<V::Precise> {
    let in_space = |vector: DVec2| V::Precise::from_space(vector.extend(0.0));
    let normal = in_space(flat.normal);
    let height = normal.dot(difference.support(normal).point);
    let lower = -height - difference.rounding();
    let is_closed = upper - lower <= gap * difference.size();
    Measured {
        distance: (-height).min(upper),
        lower,
        upper,
        normal,
        on_a: in_space(flat.on_a),
        on_b,
        status: if is_closed {
            Status::Converged
        } else {
            Status::IterationLimit
        },
    }
    .with_points_along_normal(difference.extent().sizes)
}

/// Whether a core is a body of revolution about the y axis of its body.
fn is_round<V: Vector>(core: &Core<V>) -> bool {
    let is_on_axis = |point: V| point.component(0) == 0.0 && point.component(2) == 0.0;
    match core {
        Core::Cylinder(_) | Core::Cone(_) | Core::TaperedCapsule(_) | Core::TaperedCylinder(_) => {
            true
        }
        Core::Segment(segment) => is_on_axis(segment.a) && is_on_axis(segment.b),
        Core::Ellipsoid(ellipsoid) => {
            ellipsoid.radii().component(0) == ellipsoid.radii().component(2)
        }
        _ => false,
    }
}

/// The profile of a core of revolution: its cut through the axis, with x perpendicular to the axis
/// and y along it.
struct Profile<'a, V: Vector> {
    core: &'a Core<V>,
    is_upside_down: bool,
}

impl<V: Vector> Profile<'_, V> {
    /// Mirrored at the x axis if the core is upside down.
    fn oriented(&self, vector: DVec2) -> DVec2 {
        if self.is_upside_down {
            DVec2::new(vector.x, -vector.y)
        } else {
            vector
        }
    }
}

impl<V: Vector> Support<DVec2> for Profile<'_, V> {
    fn support(&self, direction: DVec2) -> DVec2 {
        let direction = self.oriented(direction).extend(0.0);
        let point: DVec3 = self
            .core
            .support(V::Precise::from_space(direction))
            .in_space();
        self.oriented(point.truncate())
    }

    fn center(&self) -> DVec2 {
        self.oriented(self.core.center().in_space().truncate())
    }

    fn bounding_radius(&self) -> f64 {
        self.core.bounding_radius()
    }
}

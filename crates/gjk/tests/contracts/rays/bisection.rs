//! Where a ray hits, found by bisection, and what answers must have in common with it.

use clearance_gjk::{Interior, RayHit, RayOptions, Status, cast_ray};
use clearance_math::{PreciseVector, Ray, Real, Vector};
use clearance_shapes::{Core, Shape};

use crate::common::{Body, Solid, Space, distance_to};

/// The line of a ray in double precision.
pub(super) struct Line<P> {
    pub(super) origin: P,
    pub(super) direction: P,
}

impl<P: PreciseVector> Line<P> {
    pub(super) fn of<V: Vector<Precise = P>>(ray: &Ray<V>) -> Self {
        Self {
            origin: ray.origin(),
            direction: ray.direction().to_precise().direction().expect("not zero"),
        }
    }

    pub(super) fn at(&self, distance: f64) -> P {
        self.origin + self.direction * distance
    }
}

/// Where a ray meets a solid that is grown by `grown`: the first and the last distance.
///
/// The distance from a convex set is a convex function along a line. Its least value is found by ternary
/// search, and from there the ends by bisection: nothing of how the engine casts rays.
pub(super) fn bisected<V: Space>(solid: &Solid<V>, ray: &Ray<V>, grown: f64) -> Option<[f64; 2]> {
    let line = Line::of(ray);
    let middle = (solid.translation() - line.origin).dot(line.direction);
    let reach = 2.0 * solid.recipe.reach() + grown;
    let (start, end) = ((middle - reach).max(0.0), middle + reach);
    let height = |at: f64| distance_to(solid, line.at(at));
    if end < start {
        return None;
    }
    let (mut low, mut high) = (start, end);
    for _ in 0..120 {
        let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        let heights = (height(one), height(other));
        if heights.0 <= grown || heights.1 <= grown {
            let inside = if heights.0 <= grown { one } else { other };
            (low, high) = (inside, inside);
            break;
        }
        if heights.0 < heights.1 {
            high = other;
        } else {
            low = one;
        }
    }
    let inside = [start, 0.5 * (low + high), end]
        .into_iter()
        .find(|at| height(*at) <= grown)?;
    let bisect = |mut outside: f64| {
        let mut inside = inside;
        if height(outside) <= grown {
            return outside;
        }
        for _ in 0..100 {
            let middle = 0.5 * (inside + outside);
            if height(middle) <= grown {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    };
    Some([bisect(start), bisect(end)])
}

/// Numbers that are finite, in order, and belong together.
pub(super) fn check_form<V: Vector>(ray: &Ray<V>, hit: &RayHit<V>, context: &dyn Fn() -> String) {
    assert!(
        hit.distance >= 0.0 && hit.distance.is_finite(),
        "{}",
        context()
    );
    assert!(
        hit.lower <= hit.distance && hit.distance <= hit.upper,
        "{}",
        context()
    );
    let line = Line::of(ray);
    let there = line.at(f64::from(hit.distance));
    let apart = (hit.position - there).length();
    let slack = 4.0 * f64::from(Real::EPSILON) * (there.length() + f64::from(hit.distance)) + 1e-44;
    assert!(apart <= slack, "{apart:e} {}", context());
    if let Some(normal) = hit.normal {
        let normal = normal.to_precise();
        assert!((normal.length() - 1.0).abs() < 1e-6, "{}", context());
        assert!(normal.dot(line.direction) < 1e-6, "{}", context());
    }
}

pub(super) fn has_inside<V: Vector>(body: &Body<V>) -> bool {
    body.plane_normal().is_none() && {
        let Shape::Convex(convex) = &body.shape else {
            return true;
        };
        match convex.core() {
            Core::Segment(_) | Core::Point(_) => convex.radius() > 0.0,
            Core::Triangle(_) => V::DIM == 2 || convex.radius() > 0.0,
            _ => true,
        }
    }
}

/// Whether a line only meets what was grown around a solid, not the solid itself, between the two places.
fn is_beside<V: Space>(
    solid: &Solid<V>,
    line: &Line<V::Precise>,
    ([first, last], grown): ([f64; 2], f64),
) -> bool {
    let places = (0..=20).map(|k| first + (last - first) * f64::from(k) / 20.0);
    let heights = places.map(|at| distance_to(solid, line.at(at)));
    heights.fold(f64::INFINITY, f64::min) > 0.0 || last <= grown * 1e3
}

/// Compares an answer with bisection. Returns whether the ray hit, and not at its start.
pub(super) fn check_hit<V: Space>(solid: &Solid<V>, ray: &Ray<V>, interior: Interior) -> bool {
    let body = solid.body();
    let options = RayOptions {
        interior,
        ..RayOptions::default()
    };
    let answer = cast_ray(ray, body.placed(), options).expect("valid input");
    let line = Line::of(ray);
    let away = (line.origin - solid.translation()).length();
    // Where the numbers are large, single steps of double precision are more.
    let steps = 8.0 * f64::EPSILON * line.origin.length();
    let grown = 1e-12 * (away + solid.recipe.reach()) + steps;
    let found = bisected(solid, ray, grown);
    let context = || format!("{answer:?} {found:?} {ray:?} {solid:?} {interior:?}");
    let Some(hit) = answer else {
        let is_missed = found.is_none_or(|ends| is_beside(solid, &line, (ends, grown)));
        assert!(is_missed, "a miss {}", context());
        return false;
    };
    check_form(ray, &hit, &context);
    let Some([first, last]) = found else {
        panic!("a hit of nothing {}", context())
    };
    if hit.normal.is_none() {
        assert!(
            interior == Interior::Solid && has_inside(&body),
            "{}",
            context()
        );
    }
    let Some(normal) = hit.normal else {
        assert!(
            first <= f64::from(hit.upper) && hit.distance == 0.0,
            "{}",
            context()
        );
        return false;
    };
    let rate = -normal.to_precise().dot(line.direction);
    let slack = 4.0 * grown / rate.max(1e-12) + grown;
    let distance = f64::from(hit.distance);
    let (lower, upper) = (f64::from(hit.lower), f64::from(hit.upper));
    let is_tight = hit.status == Status::Exact || hit.status == Status::Converged;
    let single = 2e-6 * (solid.recipe.reach() + distance);
    let is_right = |expected: f64| {
        let is_enclosed = lower <= expected + slack && expected <= upper + slack;
        let is_near = (distance - expected).abs() <= slack + single;
        is_enclosed && (is_near || !is_tight)
    };
    // A start on the surface may count as inside or outside.
    let may_leave = first == 0.0 && interior == Interior::Hollow && has_inside(&body);
    let must_leave = may_leave && distance_to(solid, line.origin) == 0.0 && lower > slack;
    let expected = [(!must_leave).then_some(first), may_leave.then_some(last)];
    let is_any = expected.into_iter().flatten().any(is_right);
    assert!(is_any, "{slack:e} {}", context());
    true
}

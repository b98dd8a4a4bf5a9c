//! Casts that start exactly at the distance that counts as met, and one step of a number beside it.
//!
//! Shapes above level floors: all numbers are small multiples of powers of two, so that the gap at a time is known in
//! closed form, `gap + time * rate`, and rounding takes nothing off it.

use clearance_gjk::{CastHit, CastOptions, Leaving, Motion, cast_shapes};
use clearance_math::{Pose, Real, Vec2, Vec3, Vector};
use clearance_shapes::{CompoundPart, Core, Shape};

use super::{Mover, resting};
use crate::common::{Body, Space, in_both_dimensions};

in_both_dimensions!(who_starts_in_touch_meets_as_arithmetic_says);

/// How far floors reach to each side.
const FAR: Real = 64.0;

/// A shape and how far it reaches below its origin.
type Above<V> = (&'static str, Shape<V>, Real);

pub(crate) trait Levels: Space {
    /// Composites with a level top at height 0, and corners of their parts below the origin.
    fn level_composites() -> Vec<(&'static str, Shape<Self>)>;

    /// Shapes that only one dimension has.
    fn others() -> Vec<Above<Self>>;
}

impl Levels for Vec2 {
    fn level_composites() -> Vec<(&'static str, Shape<Self>)> {
        let line = [-FAR, 0.0, FAR].map(|x| Vec2::new(x, 0.0));
        vec![("polyline", Shape::polyline(line).unwrap())]
    }

    fn others() -> Vec<Above<Self>> {
        Vec::new()
    }
}

impl Levels for Vec3 {
    fn level_composites() -> Vec<(&'static str, Shape<Self>)> {
        let ring = [[FAR, 0.0], [0.0, FAR], [-FAR, 0.0], [0.0, -FAR]];
        let mut vertices = vec![Vec3::ZERO];
        vertices.extend(ring.map(|[x, z]| Vec3::new(x, 0.0, z)));
        let fan: Vec<_> = (0..4).map(|k| [0, 1 + (k + 1) % 4, 1 + k]).collect();
        let field = Shape::height_field(vec![0.0; 9], 3, Vec3::new(FAR, 1.0, FAR)).unwrap();
        vec![
            ("mesh", Shape::mesh(vertices, fan).unwrap()),
            ("height field", field),
        ]
    }

    fn others() -> Vec<Above<Self>> {
        let triangle = [[-1.0, -0.5], [1.0, -0.5], [0.0, 1.0]];
        let [a, b, c] = triangle.map(|[x, z]| Vec3::new(x, 0.0, z));
        vec![
            ("cylinder", Shape::cylinder(0.5, 0.25).unwrap(), 0.5),
            ("cone", Shape::cone(0.5, 0.25).unwrap(), 0.5),
            ("triangle", Shape::triangle(a, b, c).unwrap(), 0.0),
        ]
    }
}

fn along<V: Vector>(height: Real) -> V {
    V::axis(1) * height
}

fn part<V: Vector>(shape: Shape<V>, at: V) -> CompoundPart<V> {
    let pose = Pose::from_translation(at);
    CompoundPart::new(shape, pose)
}

/// A shape a quarter below the origin, and a ball that is in nobody's way.
fn compound<V: Vector>(shape: &Shape<V>, ball_at: Real) -> Shape<V> {
    let shape = part(shape.clone(), along::<V>(-0.25));
    let ball = part(Shape::ball(0.125).unwrap(), along::<V>(ball_at));
    Shape::compound(vec![shape, ball]).unwrap()
}

/// Shapes of every kind.
fn shapes<V: Levels>() -> Vec<Above<V>> {
    let cuboid = Shape::cuboid(V::splat(0.5)).unwrap();
    let corners = [[-0.5, -0.5], [0.5, -0.5], [0.0, 0.75]];
    let corners = corners.map(|[x, y]| V::axis(0) * x + V::axis(1) * y);
    let beam = Shape::segment(V::axis(0) * -0.5, V::axis(0) * 0.5).unwrap();
    let upright = Shape::segment(along::<V>(-0.5), along::<V>(0.5)).unwrap();
    let lying = Shape::capsule_from_endpoints(V::axis(0) * -0.5, V::axis(0) * 0.5, 0.25).unwrap();
    let ellipsoid = |height| Shape::ellipsoid(V::splat(0.5).with_component(1, height)).unwrap();
    let mut shapes = vec![
        ("ball", Shape::ball(0.5).unwrap(), 0.5),
        ("capsule", Shape::capsule(0.5, 0.25).unwrap(), 0.75),
        ("lying capsule", lying, 0.25),
        ("flat ellipsoid", ellipsoid(0.25), 0.25),
        ("long ellipsoid", ellipsoid(1.0), 1.0),
        ("hull", Shape::hull(corners).unwrap(), 0.5),
        ("segment", beam, 0.0),
        ("upright segment", upright, 0.5),
        ("point", Shape::hull([V::ZERO]).unwrap(), 0.0),
        ("rounded cuboid", cuboid.rounded(0.25).unwrap(), 0.75),
        ("compound", compound(&cuboid, 0.5), 0.75),
        ("cuboid", cuboid, 0.5),
    ];
    shapes.extend(V::others());
    shapes
}

/// Floors of every kind, whose tops are at height 0 when they are put at such a height.
fn floors<V: Levels>() -> Vec<Above<V>> {
    let half_extents = V::splat(FAR).with_component(1, 1.0);
    let slab = Shape::cuboid(half_extents).unwrap();
    let flat = Shape::ellipsoid(half_extents).unwrap();
    let mut floors = vec![
        ("half-space", Shape::half_space(V::axis(1)).unwrap(), 0.0),
        ("rounded slab", slab.rounded(0.5).unwrap(), -1.5),
        ("slab of a compound", compound(&slab, -FAR), -0.75),
        ("slab", slab, -1.0),
        ("ball", Shape::ball(FAR).unwrap(), -FAR),
        ("ellipsoid", flat, -1.0),
    ];
    floors.extend(
        V::level_composites()
            .into_iter()
            .map(|(name, shape)| (name, shape, 0.0)),
    );
    floors
}

/// What is asked of a shape above a floor.
struct Case {
    within: Real,
    /// The height of the shape's origin.
    height: Real,
    /// By how much the distance at the start exceeds what counts as met.
    excess: f64,
}

impl Case {
    /// Whether the distance at the start is 0.
    fn touches(&self) -> bool {
        self.within == 0.0 && self.excess == 0.0
    }

    /// When a shape that rises so fast meets the floor.
    fn time(&self, rate: f64, leaving: Leaving) -> Option<f64> {
        let is_in_range = self.excess <= 0.0;
        let arrives = rate < 0.0 && self.excess <= -rate;
        match leaving {
            Leaving::Hit if is_in_range => Some(0.0),
            Leaving::Ignore if is_in_range => None,
            _ => arrives.then(|| self.excess.max(0.0) / -rate),
        }
    }

    fn check<V: Vector>(
        &self,
        hit: Option<CastHit<V>>,
        rate: f64,
        leaving: Leaving,
    ) -> Result<(), String> {
        let (time, expected) = (hit.map(|hit| hit.time), self.time(rate, leaving));
        let is_right = match (time, expected) {
            (Some(time), Some(expected)) => (f64::from(time) - expected).abs() <= 2e-7,
            (None, None) => true,
            _ => false,
        };
        if is_right {
            return Ok(());
        }
        Err(format!(
            "{leaving:?} within {} excess {:e} rate {rate}: {time:?} for {expected:?}",
            self.within, self.excess
        ))
    }
}

/// The height of touch, and one step of a number beside it. Shapes without an inside do not reach into what has none either.
fn heights(is_thin: bool, exact: Real) -> Vec<Real> {
    let lower = (!is_thin).then_some(exact.next_down());
    let higher = (exact > 0.0).then_some(exact.next_up());
    lower.into_iter().chain([exact]).chain(higher).collect()
}

/// Whether a shape may have no inside.
fn is_thin<V: Vector>(shape: &Shape<V>) -> bool {
    let Shape::Convex(convex) = shape else {
        return false;
    };
    let is_flat = matches!(
        convex.core(),
        Core::Point(_) | Core::Segment(_) | Core::Triangle(_) | Core::Hull(_)
    );
    is_flat && convex.radius() == 0.0
}

/// Ways up, along and down, and how far they go to the side.
const WAYS: [(Real, Real); 6] = [
    (1.0, 0.0),
    (0.5, 4.0),
    (0.0, 4.0),
    (0.0, -1.0),
    (-0.5, 4.0),
    (-1.0, 0.0),
];

/// The answers that are wrong of a shape at a height above a floor, and how many were asked for.
fn check_ways<V: Vector>(shape: &Shape<V>, floor: &Mover<V>, case: &Case) -> (Vec<String>, usize) {
    let (mut wrong, mut count) = (Vec::new(), 0);
    // Of two things without an inside that touch nobody knows which is above.
    let has_no_side = is_thin(shape) && floor.body.pose == Pose::IDENTITY && case.touches();
    for (rate, side) in WAYS {
        if has_no_side && rate < 0.0 {
            continue;
        }
        let mover = Mover {
            body: Body::new(
                shape.clone(),
                Pose::from_translation(along::<V>(case.height)),
            ),
            motion: Motion::from_linear(V::axis(0) * side + along::<V>(rate)),
        };
        for leaving in [Leaving::Hit, Leaving::Pass, Leaving::Ignore] {
            let options = CastOptions {
                within: case.within,
                leaving,
            };
            let hit = cast_shapes(mover.cast(), floor.cast(), options).unwrap();
            let turned = cast_shapes(floor.cast(), mover.cast(), options).unwrap();
            assert_eq!(turned.map(CastHit::flipped), hit);
            count += 1;
            if let Err(error) = case.check(hit, f64::from(rate), leaving) {
                wrong.push(format!("side {side}: {error}"));
            }
        }
    }
    (wrong, count)
}

fn who_starts_in_touch_meets_as_arithmetic_says<V: Levels>() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (floor_name, floor, floor_height) in floors::<V>() {
        let floor = resting(floor, Pose::from_translation(along::<V>(floor_height)));
        for (name, shape, reach) in shapes::<V>() {
            for within in [0.0, 0.25] {
                for height in heights(is_thin(&shape), reach + within) {
                    let excess = f64::from(height) - f64::from(reach + within);
                    let case = Case {
                        within,
                        height,
                        excess,
                    };
                    let (found, asked) = check_ways(&shape, &floor, &case);
                    count += asked;
                    wrong.extend(
                        found
                            .iter()
                            .map(|error| format!("{name} above {floor_name}, {error}")),
                    );
                }
            }
        }
    }
    assert!(
        wrong.is_empty() && count > 7000,
        "{} of {count}: {wrong:#?}",
        wrong.len()
    );
}

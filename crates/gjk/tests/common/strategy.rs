//! Pairs for properties: strategies that shrink towards simple kinds, no turn and round numbers.

use clearance_math::{Pose, PreciseVector, Quat, Real, Rotation2, Vec2, Vec3, Vector};
use proptest::collection::vec;
use proptest::prelude::{Just, ProptestConfig, prop_oneof};
use proptest::strategy::{BoxedStrategy, Strategy, Union};
use proptest::test_runner::{RngSeed, TestCaseError, TestError, TestRunner};

use super::kind::Space;
use super::placing::Placement;
use super::proofs::Fault;
use super::random::iterations;
use super::recipe::Recipe;
use super::solid::{Pair, Solid};

/// Asks a property of `cases` random values, times CLEARANCE_TEST_ITERATIONS.
///
/// The seed is fixed and nothing is written: a failure shows the least value that it could be
/// shrunk to, and comes again by itself.
pub(crate) fn for_all<S: Strategy>(
    (seed, cases): (u64, usize),
    values: S,
    property: impl Fn(S::Value) -> Result<(), Fault>,
) {
    let config = ProptestConfig {
        cases: u32::try_from(iterations(cases)).expect("fewer cases"),
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..ProptestConfig::default()
    };
    let outcome = TestRunner::new(config).run(&values, |value| {
        property(value).map_err(|fault| TestCaseError::fail(fault.0))
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(fault, value)) => panic!("{fault} of {value:?}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

/// What differs between the plane and space when pairs are generated.
pub(crate) trait Generated: Space {
    /// Any rotation; shrinks to none, then to quarter turns.
    fn rotations() -> BoxedStrategy<Self::Rotation>;

    /// The shapes of this dimension alone.
    fn own_recipes() -> Vec<BoxedStrategy<Recipe<Self>>>;
}

impl Generated for Vec2 {
    fn rotations() -> BoxedStrategy<Rotation2> {
        let quarters = [(0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
        let quarters = quarters.map(|(cos, sin)| {
            let turn = Rotation2::from_cos_sin(cos, sin).expect("of unit length");
            Just(turn).boxed()
        });
        let any = (-3200..3200i32).prop_map(|angle| Rotation2::from_angle(angle as Real / 1e3));
        prop_oneof![1 => Just(Rotation2::IDENTITY), 1 => Union::new(quarters), 4 => any].boxed()
    }

    fn own_recipes() -> Vec<BoxedStrategy<Recipe<Self>>> {
        Vec::new()
    }
}

impl Generated for Vec3 {
    fn rotations() -> BoxedStrategy<Quat> {
        let half = core::f32::consts::FRAC_1_SQRT_2;
        let quarters = [
            [half, 0.0, 0.0, half],
            [0.0, half, 0.0, half],
            [0.0, 0.0, half, half],
            [0.5, 0.5, 0.5, 0.5],
        ];
        let quarters = quarters.map(|parts| Just(Quat::from_array(parts)).boxed());
        let any = [-100..100i32, -100..100, -100..100, -100..100].prop_map(|parts| {
            let parts = parts.map(f64::from);
            let length = parts.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.0 {
                Quat::from_array(parts.map(|x| (x / length) as Real))
            } else {
                Quat::IDENTITY
            }
        });
        prop_oneof![1 => Just(Quat::IDENTITY), 1 => Union::new(quarters), 4 => any].boxed()
    }

    fn own_recipes() -> Vec<BoxedStrategy<Recipe<Self>>> {
        let cylinder =
            (extent(), extent()).prop_map(|(half, radius)| Recipe::Cylinder { half, radius });
        let cone = (extent(), extent()).prop_map(|(half, radius)| Recipe::Cone { half, radius });
        let frustum = (extent(), [extent(), extent()]);
        let frustum = frustum.prop_map(|(half, radii)| Recipe::TaperedCylinder { half, radii });
        vec![cylinder.boxed(), cone.boxed(), frustum.boxed()]
    }
}

/// A share of one: none, then eighths, then anything that single precision has.
fn share() -> impl Strategy<Value = Real> + Clone {
    prop_oneof![
        Just(0.0),
        (0..8u8).prop_map(|k| Real::from(k) / 8.0),
        (0..1u32 << 23).prop_map(|k| k as Real / (1u32 << 23) as Real),
    ]
}

/// A length from 2^-10 to 2^10: from a thousandth to a thousand; shrinks to one.
pub(crate) fn length() -> impl Strategy<Value = Real> + Clone {
    (-10..=9i32, share()).prop_map(|(exponent, share)| (1.0 + share) * (exponent as Real).exp2())
}

/// A half extent of about one, or of about a thousandth: needles and plates.
fn extent() -> impl Strategy<Value = Real> + Clone {
    prop_oneof![
        4 => share().prop_map(|share| 1.0 - 0.75 * share),
        1 => share().prop_map(|share| (1.0 + share) / 1024.0),
    ]
}

/// A coordinate from -1 to 1: zero, then quarters, then anything.
fn coordinate() -> impl Strategy<Value = Real> + Clone {
    prop_oneof![
        1 => Just(0.0),
        2 => (-4..=4i8).prop_map(|k| Real::from(k) / 4.0),
        4 => (-(1 << 23)..=1 << 23).prop_map(|k: i32| k as Real / (1 << 23) as Real),
    ]
}

/// A vector of any components.
fn vector<V: Vector, S: Strategy<Value = Real> + Clone>(
    component: S,
) -> impl Strategy<Value = V> + Clone + use<V, S> {
    vec(component, V::DIM).prop_map(|components| {
        let numbered = components.into_iter().enumerate();
        numbered.fold(V::ZERO, |v, (k, component)| v.with_component(k, component))
    })
}

/// A unit vector: an axis, then anything.
fn unit<V: Vector>() -> impl Strategy<Value = V::Precise> {
    let axes = (0..V::DIM, proptest::bool::ANY)
        .prop_map(|(k, back)| V::Precise::axis(k) * if back { -1.0 } else { 1.0 });
    let any = vector::<V, _>(coordinate())
        .prop_map(|v| v.to_precise().direction().unwrap_or(V::Precise::axis(0)));
    prop_oneof![1 => axes, 3 => any]
}

/// Points of a box that may be thin or flat, some of them repeated.
fn points<V: Vector>(least: usize, most: usize) -> impl Strategy<Value = Vec<V>> {
    let width = prop_oneof![6 => extent(), 1 => Just(0.0)];
    let spread = (
        vec(vector::<V, _>(coordinate()), least..=most),
        vector::<V, _>(width),
    );
    (spread, 0..4usize).prop_map(move |((mut points, widths), repeated)| {
        for point in &mut points {
            let stretched = point.to_precise().scaled_by(widths.to_precise());
            *point = V::from_precise(stretched);
        }
        for k in 0..repeated.min(points.len() - 1).min(least.max(3) - 2) {
            points[k + 1] = points[k];
        }
        points
    })
}

/// Shapes of about one, simple kinds first.
fn sharp_recipes<V: Generated>() -> Union<BoxedStrategy<Recipe<V>>> {
    let capsule = (extent(), extent()).prop_map(|(half, radius)| Recipe::Capsule { half, radius });
    let tapered = (extent(), [extent(), extent()]);
    let tapered = tapered.prop_map(|(half, radii)| Recipe::TaperedCapsule { half, radii });
    let segment = points(2, 2).prop_map(|p: Vec<V>| Recipe::Segment([p[0], p[1]]));
    let triangle = points(3, 3).prop_map(|p: Vec<V>| Recipe::Triangle([p[0], p[1], p[2]]));
    let half_space = unit::<V>().prop_map(|normal| Recipe::HalfSpace(V::from_precise(normal)));
    let mut kinds = vec![
        extent().prop_map(Recipe::Ball).boxed(),
        vector(extent()).prop_map(Recipe::Cuboid).boxed(),
        capsule.boxed(),
        segment.boxed(),
        triangle.boxed(),
        half_space.boxed(),
        vector(extent()).prop_map(Recipe::Ellipsoid).boxed(),
        tapered.boxed(),
        points(1, 16).prop_map(Recipe::Hull).boxed(),
        points(16, 40).prop_map(Recipe::Hull).boxed(),
    ];
    kinds.extend(V::own_recipes());
    Union::new(kinds)
}

/// Shapes of every kind and size, some of them rounded.
fn recipes<V: Generated>() -> impl Strategy<Value = Recipe<V>> {
    let rounding = proptest::option::weighted(0.25, extent());
    (sharp_recipes::<V>(), rounding, length()).prop_map(|(sharp, rounding, size)| {
        match rounding {
            Some(radius) => Recipe::Rounded(Box::new(sharp), radius),
            None => sharp,
        }
        .scaled(size)
    })
}

/// How b stands to a: the placement, the direction that it is in where that is free, and how far it
/// is out or in, as a share from which the placement makes a length.
type Standing<P> = (Placement, P, Real);

fn standings<V: Vector>() -> impl Strategy<Value = Standing<V::Precise>> {
    let placements = Placement::ALL.map(|placement| Just(placement).boxed());
    (Union::new(placements), unit::<V>(), share())
}

/// Where the origin of b is, from that of a.
fn offset<V: Generated>(
    pair: &Pair<V>,
    (placement, unit, share): Standing<V::Precise>,
) -> V::Precise {
    let unit = pair.plane_normal().unwrap_or(unit);
    let (size, share) = (pair.size(), f64::from(share));
    let joined = pair.a.turned_support(unit) - pair.b.turned_support(-unit);
    let centred = pair.a.turned_center() - pair.b.turned_center();
    // The share goes through the powers of two, so that half of it is a middling one.
    let power = |low: f64, high: f64| (low + (high - low) * share).exp2();
    match placement {
        Placement::Far => joined + unit * (size * power(1.0, 8.0)),
        Placement::Near => joined + unit * (size * power(-14.0, 1.0)),
        Placement::Touching => joined,
        Placement::Shallow => joined - unit * (size * power(-16.0, -6.0)),
        Placement::Deep => centred + (joined - centred) * share,
        Placement::Concentric => centred,
        Placement::Identical => V::Precise::ZERO,
    }
}

/// Half-spaces that face each other, where both are: others overlap without bound.
fn facing<V: Generated>(a: &Solid<V>, b: Solid<V>) -> Solid<V> {
    match (&a.recipe, &b.recipe) {
        (Recipe::HalfSpace(normal), Recipe::HalfSpace(_)) => {
            Solid::new(Recipe::HalfSpace(-*normal), a.pose)
        }
        _ => b,
    }
}

/// Where a is: at the origin, near it, or a thousand of its sizes off.
fn places<V: Vector>() -> impl Strategy<Value = V::Precise> {
    let far = prop_oneof![2 => Just(0.0), 2 => Just(3.0), 1 => Just(1e3)];
    (vector::<V, _>(coordinate()), far).prop_map(|(place, far)| place.to_precise() * far)
}

/// Two shapes of any kinds, numbers and sizes, in any placement.
pub(crate) fn pair<V: Generated>() -> impl Strategy<Value = Pair<V>> {
    let solids = (recipes::<V>(), V::rotations());
    let others = (recipes::<V>(), V::rotations());
    (solids, others, places::<V>(), standings::<V>()).prop_map(
        |((recipe_a, turn_a), (recipe_b, turn_b), place, standing)| {
            let solid = |recipe, turn| Solid::new(recipe, Pose::new(V::ZERO, turn));
            let a = solid(recipe_a, turn_a);
            let b = match standing.0 {
                Placement::Identical => solid(recipe_b, turn_a),
                Placement::Deep | Placement::Concentric => solid(recipe_b, turn_b),
                _ => facing(&a, solid(recipe_b, turn_b)),
            };
            let mut pair = Pair { a, b };
            let origin = place * pair.size();
            let other = V::from_precise(origin + offset(&pair, standing));
            pair.a.pose.translation = V::from_precise(origin);
            pair.b.pose.translation = other;
            pair
        },
    )
}

/// A motion: a turn and a translation of none, a few or many units.
pub(crate) fn motions<V: Generated>() -> impl Strategy<Value = Pose<V>> {
    (places::<V>(), V::rotations())
        .prop_map(|(place, turn)| Pose::new(V::from_precise(place), turn))
}

//! What the answer must not depend on: which shape is named first, where the pair is in the world,
//! and the unit of length.

mod common;

use clearance_gjk::{Proximity, intersects, proximity};
use clearance_math::{
    Matrix, Pose, PreciseVector, Real, RelativePose, Rotation, Vec2, Vec3, Vector,
};
use common::{
    Body, Kind, Pcg, Placement, Space, beside, body, in_both_dimensions, iterations, kind_pairs,
    size_of,
};

in_both_dimensions!(
    exchanging_a_and_b_mirrors_the_answer_bit_for_bit,
    scaling_by_a_power_of_two_scales_the_answer_bit_for_bit,
    scaling_changes_the_answer_by_rounding_only,
    rigid_motion_changes_the_answer_by_rounding_only,
);

/// A pair of the kinds in a placement, reproducible from the seed for any power of two of `size`.
fn pair<V: Space>(
    (kind_a, kind_b): (Kind, Kind),
    placement: Placement,
    seed: u64,
    size: f64,
) -> (Body<V>, Body<V>) {
    let random = &mut Pcg::new(seed);
    let a = body::<V>(kind_a, random, size);
    let b = body::<V>(kind_b, random, size);
    let a = a.moved_to(random.vector::<V::Precise>() * (3.0 * size));
    let b = beside(random, &a, &b, placement);
    (a, b)
}

/// Every ordered pair of kinds in every placement, a few times.
fn for_each_pair<V: Space>(
    repetitions: usize,
    mut visit: impl FnMut((Kind, Kind), Placement, u64),
) {
    let mut seeds = Pcg::new(V::DIM as u64);
    for kinds in kind_pairs::<V>() {
        for placement in Placement::ALL {
            for _ in 0..iterations(repetitions) {
                visit(kinds, placement, seeds.seed());
            }
        }
    }
}

fn ask<V: Vector>(a: &Body<V>, b: &Body<V>, within: Real) -> Proximity<V> {
    proximity(a.placed(), b.placed(), within).expect("valid poses")
}

fn exchanging_a_and_b_mirrors_the_answer_bit_for_bit<V: Space>() {
    for_each_pair::<V>(4, |kinds, placement, seed| {
        let (a, b) = pair::<V>(kinds, placement, seed, 1.0);
        for within in [0.0, 0.05, Real::INFINITY] {
            // The same shape at the same pose has nothing that tells the sides apart.
            let there = ask(&a, &b, within);
            let back = ask(&b, &a, within);
            let expected = if a == b { there } else { there.flipped() };
            assert_eq!(bits(back), bits(expected), "{a:?} {b:?} {within}");
        }
        let asked = [(&a, &b), (&b, &a)];
        let [there, back] = asked.map(|(a, b)| intersects(a.placed(), b.placed()).unwrap());
        assert_eq!(there, back, "{a:?} {b:?}");
    });
}

/// The answer as text: equal only for equal bits, but for the sign of a zero.
fn bits<V: Vector>(answer: Proximity<V>) -> String {
    format!("{answer:?}")
        .replace("-0.0,", "0.0,")
        .replace("-0.0)", "0.0)")
}

fn scaling_by_a_power_of_two_scales_the_answer_bit_for_bit<V: Space>() {
    for_each_pair::<V>(1, |kinds, placement, seed| {
        let (a, b) = pair::<V>(kinds, placement, seed, 1.0);
        let unscaled = ask(&a, &b, Real::INFINITY);
        for exponent in [-20, -3, 7, 20] {
            let scale = (exponent as Real).exp2();
            let (a, b) = pair::<V>(kinds, placement, seed, f64::from(scale));
            let scaled = ask(&a, &b, Real::INFINITY);
            let (Proximity::Near(unscaled), Proximity::Near(scaled)) = (unscaled, scaled) else {
                assert_eq!(scaled, unscaled, "{a:?} {b:?}");
                continue;
            };
            let context = format!("{scale} {unscaled:?} {scaled:?} {a:?} {b:?}");
            assert_eq!(scaled.distance, unscaled.distance * scale, "{context}");
            assert_eq!(scaled.lower, unscaled.lower * scale, "{context}");
            assert_eq!(scaled.upper, unscaled.upper * scale, "{context}");
            assert_eq!(scaled.normal, unscaled.normal, "{context}");
            assert_eq!(scaled.point_a, unscaled.point_a * scale, "{context}");
            assert_eq!(scaled.point_b, unscaled.point_b * scale, "{context}");
            assert_eq!(scaled.status, unscaled.status, "{context}");
        }
    });
}

/// Whether two answers to what is the same question but for `rounding` of the input can both be
/// right: their bounds share a value, and the distances differ by no more than the accuracy.
fn assert_agree<V: Vector>(
    (first, second): (Proximity<V>, Proximity<V>),
    scale: f64,
    (rounding, accuracy): (f64, f64),
    context: &str,
) {
    let (Proximity::Near(first), Proximity::Near(second)) = (first, second) else {
        // Opposite half-spaces are turned out of parallel by the last bit.
        assert!(
            context.contains("HalfSpace") && context.contains("Unbounded"),
            "{context}"
        );
        return;
    };
    let of_first = [first.lower, first.distance, first.upper].map(|x| f64::from(x) * scale);
    let of_second = [second.lower, second.distance, second.upper].map(f64::from);
    assert!(of_first[0] <= of_second[2] + rounding, "{context}");
    assert!(of_second[0] <= of_first[2] + rounding, "{context}");
    let change = (of_first[1] - of_second[1]).abs();
    assert!(
        change <= rounding + accuracy,
        "{change:e} {rounding:e} {context}"
    );
}

/// The accuracy that is promised, times two answers.
fn accuracy(kinds: (Kind, Kind), size: f64) -> f64 {
    let relative = if kinds.0.is_smooth() || kinds.1.is_smooth() {
        1e-4
    } else {
        1e-5
    };
    2.0 * relative * size
}

fn scaling_changes_the_answer_by_rounding_only<V: Space>() {
    for_each_pair::<V>(1, |kinds, placement, seed| {
        let (a, b) = pair::<V>(kinds, placement, seed, 1.0);
        let unscaled = ask(&a, &b, Real::INFINITY);
        for scale in [0.001_234, 0.3, 77.7, 5432.1] {
            let (a, b) = pair::<V>(kinds, placement, seed, scale);
            let scaled = ask(&a, &b, Real::INFINITY);
            let context = format!("{scale} {unscaled:?} {scaled:?} {a:?} {b:?}");
            let apart = (b.pose.translation - a.pose.translation)
                .to_precise()
                .length();
            let far = a.pose.translation.to_precise().length();
            let coordinates = a.reach() + b.reach() + apart + far;
            let rounding = 8.0 * f64::from(Real::EPSILON) * coordinates;
            let tolerances = (rounding, accuracy(kinds, size_of(&a, &b)));
            assert_agree((unscaled, scaled), scale, tolerances, &context);
        }
    });
}

/// Composition of rotations, which the library has no need of.
trait Composed: Space {
    fn composed(outer: Self::Rotation, inner: Self::Rotation) -> Self::Rotation;
}

impl Composed for Vec2 {
    fn composed(outer: Self::Rotation, inner: Self::Rotation) -> Self::Rotation {
        let cos = outer.cos() * inner.cos() - outer.sin() * inner.sin();
        let sin = outer.sin() * inner.cos() + outer.cos() * inner.sin();
        Self::Rotation::from_cos_sin(cos, sin).expect("of unit length")
    }
}

impl Composed for Vec3 {
    fn composed(outer: Self::Rotation, inner: Self::Rotation) -> Self::Rotation {
        outer * inner
    }
}

fn moved<V: Composed>(motion: &Pose<V>, body: &Body<V>) -> Body<V> {
    let turned = motion
        .rotation
        .matrix()
        .apply(body.pose.translation.to_precise());
    let translation = V::from_precise(turned + motion.translation.to_precise());
    let rotation = V::composed(motion.rotation, body.pose.rotation);
    Body::new(body.shape.clone(), Pose::new(translation, rotation))
}

fn rigid_motion_changes_the_answer_by_rounding_only<V: Composed>() {
    let mut random = Pcg::new(33);
    for_each_pair::<V>(2, |kinds, placement, seed| {
        let (a, b) = pair::<V>(kinds, placement, seed, 1.0);
        let far = random.pick(&[0.0, 1.0, 100.0]);
        let motion = Pose::new(random.point(far), V::any_rotation(&mut random));
        let (moved_a, moved_b) = (moved(&motion, &a), moved(&motion, &b));
        let answers = (
            ask(&a, &b, Real::INFINITY),
            ask(&moved_a, &moved_b, Real::INFINITY),
        );
        let context = format!("{answers:?} {a:?} {b:?} {motion:?}");
        // Both translations are rounded where they are, both rotations by the last place.
        let coordinates = [&moved_a, &moved_b].map(|m| m.pose.translation.to_precise().length());
        let apart = RelativePose::between(&a.pose, &b.pose).translation.length();
        let reach = if a.plane_normal().is_some() || b.plane_normal().is_some() {
            apart
        } else {
            0.0
        };
        let scale = coordinates[0] + coordinates[1] + a.reach() + b.reach() + reach;
        let rounding = 4.0 * f64::from(Real::EPSILON) * scale;
        assert_agree(
            answers,
            1.0,
            (rounding, accuracy(kinds, size_of(&a, &b))),
            &context,
        );
    });
}

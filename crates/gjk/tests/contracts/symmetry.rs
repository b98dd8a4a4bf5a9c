//! What the answer must not depend on: which shape is named first, where the pair is in the world,
//! the unit of length, and how far the question reaches.

use clearance_gjk::{DEFAULT_EFFORT, Proximity, Separation, contacts_into, intersects, proximity};
use clearance_math::{Cell, Matrix, Pose, PreciseVector, Real, Rotation, Vec2, Vec3, Vector};
use clearance_shapes::{CompoundPart, Shape};

use crate::common::{
    Body, Fault, Kind, Pair, Pcg, Solid, Space, body, ensure, in_both_dimensions, iterations,
    turned,
};
use crate::composite_shapes::Composites;

in_both_dimensions!(
    balls_beside_each_other_along_an_axis_are_mirrored_and_touch,
    exchanging_a_and_b_mirrors_the_answer_bit_for_bit,
    one_shape_at_one_place_turned_differently_is_mirrored_bit_for_bit,
    what_is_equal_part_by_part_is_mirrored_bit_for_bit,
    parts_of_one_shape_at_one_place_are_mirrored_bit_for_bit,
    scaling_by_a_power_of_two_scales_the_answer_bit_for_bit,
    scaling_changes_the_answer_by_rounding_only,
    rigid_motion_changes_the_answer_by_rounding_only,
    a_range_changes_nothing_but_when_the_search_stops,
);

/// Random pairs asked of each property.
const CASES: usize = 4000;

fn ask<V: Vector>(a: &Body<V>, b: &Body<V>, within: Real) -> Proximity<V> {
    proximity(a.placed(), b.placed(), within).expect("valid poses")
}

fn ask_pair<V: Space>(pair: &Pair<V>, within: Real) -> Proximity<V> {
    let (a, b) = pair.bodies();
    ask(&a, &b, within)
}

/// Centres that are level along an axis, or coincide, and balls that touch exactly: the signs of zeros
/// count, and the rotation of a ball does not.
fn balls_beside_each_other_along_an_axis_are_mirrored_and_touch<V: Space>() {
    let mut random = Pcg::new(303);
    for round in 0..iterations(2000) {
        let axis = random.below(V::DIM);
        let (radius_a, radius_b) = (random.below(8) as Real + 1.0, random.below(8) as Real + 1.0);
        let gap = [0.0, 0.5, -radius_a - radius_b][round % 3];
        let zero = V::Precise::ZERO * random.pick(&[1.0, -1.0]);
        let apart = f64::from(radius_a + radius_b + gap) * random.pick(&[1.0, -1.0]);
        let ball = |radius, random: &mut Pcg| {
            let shape = Shape::<V>::ball(radius).expect("a radius above zero");
            Body::new(shape, Pose::new(V::ZERO, V::any_rotation(random)))
        };
        let a = ball(radius_a, &mut random).moved_to(-zero);
        let b = ball(radius_b, &mut random).moved_to(zero.with_component(axis, apart));
        let (there, back) = (ask(&a, &b, Real::INFINITY), ask(&b, &a, Real::INFINITY));
        assert_eq!(bits(back), bits(there.flipped()), "{a:?} {b:?}");
        for (a, b) in [(&a, &b), (&b, &a)] {
            let touch = intersects(a.placed(), b.placed()).expect("valid poses");
            assert_eq!(touch, gap <= 0.0, "{a:?} {b:?}");
        }
    }
}

fn exchanging_a_and_b_mirrors_the_answer_bit_for_bit<V: Space>() {
    Pair::<V>::for_all((301, CASES), |_, pair| {
        let (a, b) = pair.bodies();
        for within in [0.0, 0.05, Real::INFINITY] {
            let there = ask(&a, &b, within);
            let back = ask(&b, &a, within);
            let mirrored = bits(back) == bits(there.flipped());
            // The same shape at the same pose has nothing that tells the sides apart.
            ensure(mirrored || a == b && bits(back) == bits(there), || {
                format!("{there:?} becomes {back:?} within {within}")
            })?;
        }
        let asked = [(&a, &b), (&b, &a)];
        let [there, back] = asked.map(|(a, b)| intersects(a.placed(), b.placed()).unwrap());
        ensure(there == back, || "intersects depends on it".to_owned())
    });
}

/// Nothing but their rotations tells the sides apart.
fn one_shape_at_one_place_turned_differently_is_mirrored_bit_for_bit<V: Space>() {
    let mut random = Pcg::new(304);
    for kind in Kind::all::<V>() {
        for _ in 0..iterations(60) {
            let a = body::<V>(kind, &mut random, 1.0);
            let turned = Pose::new(a.pose.translation(), V::any_rotation(&mut random));
            let b = Body::new(a.shape.clone(), turned);
            let there = ask(&a, &b, Real::INFINITY);
            let back = ask(&b, &a, Real::INFINITY);
            assert_eq!(bits(back), bits(there.flipped()), "{a:?} {b:?}");
        }
    }
}

/// Concentric shapes that only the numbers of their poses, or what they are made of, tell apart.
#[test]
fn what_is_equal_but_for_its_numbers_is_mirrored_bit_for_bit() {
    let mut random = Pcg::new(305);
    for kind in Kind::all::<Vec3>() {
        let a = body::<Vec3>(kind, &mut random, 1.0);
        let opposite = Pose::new(a.pose.translation(), -a.pose.rotation);
        let b = Body::new(a.shape.clone(), opposite);
        let (there, back) = (ask(&a, &b, Real::INFINITY), ask(&b, &a, Real::INFINITY));
        assert_eq!(bits(back), bits(there.flipped()), "{a:?} {b:?}");
    }
    let corners = [Vec3::X, Vec3::Y, Vec3::Z];
    let mesh = Shape::mesh(corners, vec![[0, 1, 2]]).expect("a valid mesh");
    let [p, q, r] = corners;
    let triangle = Shape::triangle(p, q, r).expect("a valid triangle");
    let compound = Shape::compound(vec![CompoundPart::new(triangle, Pose::IDENTITY)])
        .expect("a valid compound");
    let [a, b] = [mesh, compound].map(|shape| Body::new(shape, Pose::IDENTITY));
    let (there, back) = (ask(&a, &b, Real::INFINITY), ask(&b, &a, Real::INFINITY));
    assert_eq!(bits(back), bits(there.flipped()), "{a:?} {b:?}");
}

/// Shapes of equal parts that are described in different ways.
fn what_is_equal_part_by_part_is_mirrored_bit_for_bit<V: Space>() {
    let mut random = Pcg::new(306);
    let zigzag: Vec<V> = (0..4).map(|_| random.point(1.0)).collect();
    let line = Shape::polyline(&zigzag).expect("a valid line");
    let one = |shape: &Shape<V>| {
        let (shape, pose) = (shape.clone(), Pose::IDENTITY);
        Shape::compound([CompoundPart::new(shape, pose)]).expect("one part")
    };
    let marked = line
        .clone()
        .with_part_user_data([1, 2, 3])
        .expect("three segments");
    // The chunk at another place is empty.
    let voxels = |far: i32| {
        let [cell, far] = [1, far].map(|at| V::Cell::from_components([at, 0, 0]));
        let mut shape = Shape::voxels(V::splat(1.0), [far, cell]).expect("two cells");
        shape.set_cells([far], false).expect("it is there");
        shape
    };
    let (nested, twice) = (one(&line), one(&one(&line)));
    for shapes in [[line, marked], [nested, twice], [voxels(100), voxels(-100)]] {
        assert_ne!(shapes[0], shapes[1]);
        let [a, b] = shapes.map(|shape| Body::new(shape, Pose::IDENTITY));
        let (there, back) = (ask(&a, &b, Real::INFINITY), ask(&b, &a, Real::INFINITY));
        assert_eq!(bits(back), bits(there.flipped()), "{a:?} {b:?}");
        assert_ne!(bits(back), bits(there), "the sides are told apart");
    }
}

/// Only the parts that count tell the sides apart.
fn parts_of_one_shape_at_one_place_are_mirrored_bit_for_bit<V: Composites>() {
    let mut random = Pcg::new(307);
    for case in 0..iterations(2000) {
        let body = Body::new(V::composite(&mut random), Pose::IDENTITY);
        let Shape::Composite(composite) = &body.shape else {
            continue;
        };
        let left_out = composite.part_numbers().next();
        let (others, any) = (|number: u32| Some(number) != left_out, |_: u32| true);
        let effort = random.pick(&[20, DEFAULT_EFFORT]);
        let a = body.placed().with_parts(&others).with_effort(effort);
        let whole = body.placed().with_effort(effort);
        let b = if random.chance(0.5) {
            whole
        } else {
            whole.with_parts(&any)
        };
        let [there, back] = [[a, b], [b, a]].map(|[a, b]| {
            let (mut found, at) = (Vec::new(), 0.0);
            let all = contacts_into(a, b, at, &mut found).expect("valid poses");
            (
                proximity(a, b, Real::INFINITY).expect("valid poses"),
                all,
                found,
            )
        });
        assert_eq!(bits(back.0), bits(there.0.flipped()), "case {case}");
        let mut mirrored: Vec<_> = back.2.into_iter().map(Separation::flipped).collect();
        mirrored.sort_by_key(|contact| (contact.part_a, contact.part_b));
        assert_eq!((back.1, mirrored), (there.1, there.2), "case {case}");
    }
}

/// The answer as text: equal only for equal bits.
fn bits<V: Vector>(answer: Proximity<V>) -> String {
    format!("{answer:?}")
}

/// The answer so many times as large.
fn scaled<V: Vector>(answer: Separation<V>, scale: Real) -> Separation<V> {
    Separation {
        distance: answer.distance * scale,
        lower: answer.lower * scale,
        upper: answer.upper * scale,
        position_a: answer.position_a * f64::from(scale),
        position_b: answer.position_b * f64::from(scale),
        ..answer
    }
}

fn scaling_by_a_power_of_two_scales_the_answer_bit_for_bit<V: Space>() {
    Pair::<V>::for_all((302, CASES), |random, pair| {
        let scale = (random.below(41) as Real - 20.0).exp2();
        let unscaled = ask_pair(pair, Real::INFINITY);
        let expected = match unscaled {
            Proximity::Near(answer) => Proximity::Near(scaled(answer, scale)),
            other => other,
        };
        let answer = ask_pair(&pair.scaled(scale), Real::INFINITY);
        ensure(answer == expected, || {
            format!("{answer:?} instead of {expected:?}")
        })
    });
}

/// The accuracy that is promised of a pair.
fn accuracy<V: Space>(pair: &Pair<V>) -> f64 {
    if pair.is_smooth() {
        1e-4 * pair.size()
    } else {
        1e-5 * pair.size()
    }
}

/// Whether two answers to what is the same question but for `rounding` of the input, the second
/// `scale` times as large, can both be right: their bounds share a value, and the distances differ
/// by no more than the accuracy of each.
fn agree<V: Vector>(
    (first, second): (Separation<V>, Separation<V>),
    scale: f64,
    (rounding, accuracy): (f64, f64),
) -> Result<(), Fault> {
    let of_first = [first.lower, first.distance, first.upper].map(|x| f64::from(x) * scale);
    let of_second = [second.lower, second.distance, second.upper].map(f64::from);
    let shared = of_first[0] <= of_second[2] + rounding && of_second[0] <= of_first[2] + rounding;
    ensure(shared, || {
        format!("bounds that share nothing up to {rounding:e}: {first:?} {second:?}")
    })?;
    let change = (of_first[1] - of_second[1]).abs();
    ensure(change <= rounding + 2.0 * accuracy, || {
        format!("{change:e} beside {rounding:e}: {first:?} {second:?}")
    })
}

fn scaling_changes_the_answer_by_rounding_only<V: Space>() {
    Pair::<V>::for_all((303, CASES), |random, pair| {
        let scale = random.log_between(1e-3, 1e3) as Real;
        let larger = pair.scaled(scale);
        let answers = [pair, &larger].map(|pair| ask_pair(pair, Real::INFINITY));
        let [Proximity::Near(first), Proximity::Near(second)] = answers else {
            return ensure(answers[0] == answers[1], || format!("{answers:?}"));
        };
        // Every number and coordinate is rounded once, the answer as well.
        let coordinates = larger.scale() + larger.a.translation().length();
        let rounding = 4.0 * f64::from(Real::EPSILON) * coordinates;
        let tolerances = (rounding, accuracy(&larger));
        agree((first, second), f64::from(scale), tolerances)
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

fn moved<V: Composed>(motion: &Pose<V>, solid: &Solid<V>) -> Solid<V> {
    let turned = motion.rotation.matrix().apply(solid.translation());
    let translation = V::from_precise(turned + motion.position());
    let rotation = V::composed(motion.rotation, solid.pose.rotation);
    Solid::new(solid.recipe.clone(), Pose::new(translation, rotation))
}

fn rigid_motion_changes_the_answer_by_rounding_only<V: Composed>() {
    Pair::<V>::for_all((304, CASES), |random, pair| {
        let far = random.pick(&[0.0, 3.0, 1e3]);
        let motion = Pose::new(random.point::<V>(far), turned::<V>(random));
        let there = Pair {
            a: moved(&motion, &pair.a),
            b: moved(&motion, &pair.b),
        };
        let answers = [pair, &there].map(|pair| ask_pair(pair, Real::INFINITY));
        let [Proximity::Near(first), Proximity::Near(second)] = answers else {
            // Half-spaces that face each other are turned out of parallel by the last bit.
            return ensure(pair.is_two_planes(), || format!("{answers:?}"));
        };
        // Both translations are rounded where they are, both rotations by the last place.
        let coordinates = [&there.a, &there.b].map(|solid| solid.translation().length());
        let scale = coordinates[0] + coordinates[1] + pair.scale();
        let rounding = 4.0 * f64::from(Real::EPSILON) * scale;
        agree((first, second), 1.0, (rounding, accuracy(pair)))
    });
}

/// Ranges that a search may stop at: of no account, on either side of the distance, and all of it.
fn ranges<V: Vector>(whole: &Separation<V>) -> [Real; 9] {
    [
        Real::NEG_INFINITY,
        -0.1,
        0.0,
        0.5 * whole.distance,
        whole.lower,
        whole.upper,
        2.0 * whole.distance,
        whole.distance + 1.0,
        Real::MAX,
    ]
}

fn a_range_changes_nothing_but_when_the_search_stops<V: Space>() {
    Pair::<V>::for_all((305, CASES), |_, pair| {
        let (a, b) = pair.bodies();
        let Proximity::Near(whole) = ask(&a, &b, Real::INFINITY) else {
            let answer = ask(&a, &b, 0.0);
            return ensure(answer == Proximity::Unbounded, || format!("{answer:?}"));
        };
        for within in ranges(&whole) {
            let answer = ask(&a, &b, within);
            let is_same = match answer {
                Proximity::Near(near) => near == whole,
                Proximity::Farther { lower } => within < lower && lower <= whole.upper,
                Proximity::Unbounded | Proximity::Undecided { .. } => false,
            };
            ensure(is_same, || {
                format!("{answer:?} within {within} of {whole:?}")
            })?;
        }
        Ok(())
    });
}

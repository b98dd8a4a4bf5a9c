//! Pairs measured together have the answers that they have alone, to the last bit.

use clearance_gjk::internal::{Ball, measure_balls};
use clearance_gjk::{
    Feature, Manifold, Placed, Proximity, Question, Separation, contact_manifold, manifold_each,
    measure, measure_each,
};
use clearance_math::{Pose, PreciseVector, Real, Rotation, Vector};
use clearance_shapes::Shape;

use crate::common::{
    Body, Kind, Pcg, Placement, Space, beside, body, in_both_dimensions, iterations, turned,
};

in_both_dimensions!(
    answers_do_not_depend_on_what_else_is_measured,
    answers_in_a_pile_do_not_depend_on_what_else_is_measured,
    manifolds_of_segments_do_not_depend_on_what_else_is_asked,
    manifolds_of_all_kinds_do_not_depend_on_what_else_is_asked,
    balls_have_the_answers_of_their_shapes,
);

const RANGES: [Real; 6] = [Real::NEG_INFINITY, -0.1, 0.0, 0.05, 1.0, Real::INFINITY];

struct Asked<V: Vector> {
    a: Body<V>,
    b: Body<V>,
    within: Real,
}

impl<V: Vector> Asked<V> {
    fn question(&self) -> Option<Question<'_, V>> {
        Some(Question {
            a: self.a.placed(),
            b: self.b.placed(),
            within: self.within,
        })
    }
}

fn components<V: Vector>(vectors: impl IntoIterator<Item = V>) -> impl Iterator<Item = Real> {
    let of = |vector: V| (0..V::DIM).map(move |k| vector.component(k));
    vectors.into_iter().flat_map(of)
}

fn numbers<V: Vector>(near: &Separation<V>) -> Vec<Real> {
    let vectors = [near.normal, near.point_a(), near.point_b()];
    let numbers = [near.distance, near.lower, near.upper].into_iter();
    numbers.chain(components(vectors)).collect()
}

/// All numbers of an answer, bit by bit.
fn bits<V: Vector>(answer: &Proximity<V>) -> Vec<u32> {
    let numbers = match answer {
        Proximity::Near(near) => numbers(near),
        Proximity::Farther { lower } | Proximity::Undecided { lower } => vec![*lower],
        Proximity::Unbounded => Vec::new(),
    };
    numbers.into_iter().map(Real::to_bits).collect()
}

/// All numbers of a manifold, bit by bit, and the features of its points.
fn bits_of_manifold<V: Vector>(manifold: &Manifold<V>) -> (Vec<u32>, Vec<[Feature; 2]>) {
    let mut all = numbers(&manifold.separation);
    for point in manifold.points() {
        all.push(point.distance);
        all.extend(components([point.point_a(), point.point_b()]));
    }
    let features = manifold.points().iter();
    (
        all.into_iter().map(Real::to_bits).collect(),
        features.map(|at| [at.feature_a, at.feature_b]).collect(),
    )
}

/// Asks for all manifolds at once, and for each alone; how many there are by the number of their points.
fn compare_manifolds<V: Vector>(asked: &[Asked<V>]) -> [usize; 5] {
    let (mut counts, mut next) = ([0; 5], asked.iter());
    manifold_each(asked, Asked::question, |item, question, found| {
        assert!(core::ptr::eq(item, next.next().unwrap()));
        let alone = contact_manifold(question.a, question.b, question.within).unwrap();
        let context = || format!("{:?} {:?} within {}", item.a, item.b, item.within);
        assert_eq!(found, alone.as_ref(), "{}", context());
        let (found, alone) = (
            found.map(bits_of_manifold),
            alone.map(|it| bits_of_manifold(&it)),
        );
        assert_eq!(found, alone, "{}", context());
        counts[found.map_or(0, |(_, features)| features.len())] += 1;
    });
    assert_eq!(next.len(), 0);
    counts
}

/// Measures all at once, and each alone; how many were near and how many were farther.
fn compare<V: Vector>(asked: &[Asked<V>]) -> (usize, usize) {
    let mut answers = Vec::new();
    measure_each(asked, Asked::question, |_, _, answer| answers.push(*answer));
    assert_eq!(answers.len(), asked.len());
    for (asked, answer) in asked.iter().zip(&answers) {
        let alone = measure(asked.a.placed(), asked.b.placed(), asked.within);
        let context = || format!("{:?} {:?} within {}", asked.a, asked.b, asked.within);
        assert_eq!(*answer, alone, "{}", context());
        assert_eq!(bits(answer), bits(&alone), "{}", context());
    }
    compare_manifolds(asked);
    let near = |answer: &&Proximity<V>| matches!(answer, Proximity::Near(_));
    let farther = |answer: &&Proximity<V>| matches!(answer, Proximity::Farther { .. });
    (
        answers.iter().filter(near).count(),
        answers.iter().filter(farther).count(),
    )
}

/// Mostly cuboids, rounded or not, of like sizes and others, in every placement, near the origin and far off.
fn answers_do_not_depend_on_what_else_is_measured<V: Space>() {
    const KINDS: [Kind; 6] = [
        Kind::Cuboid,
        Kind::Cuboid,
        Kind::Cuboid,
        Kind::RoundedCuboid,
        Kind::Ball,
        Kind::Hull,
    ];
    let mut random = Pcg::new(177);
    let (mut near, mut farther, mut of_most_points) = (0, 0, 0);
    for round in 0..iterations(120) {
        let asked: Vec<Asked<V>> = (0..1 + random.below(150))
            .map(|_| {
                let [kind_a, kind_b] = [random.pick(&KINDS), random.pick(&KINDS)];
                let a = body::<V>(kind_a, &mut random, [1.0, 1e-3, 1e4][round % 3]);
                let size = random.log_between(0.1, 10.0) * [1.0, 1e-3, 1e4][round % 3];
                let b = if random.chance(0.3) {
                    Body::new(
                        a.shape.clone(),
                        Pose::new(V::ZERO, turned::<V>(&mut random)),
                    )
                } else {
                    body::<V>(kind_b, &mut random, size)
                };
                let origin = random.vector::<V::Precise>() * random.pick(&[0.0, -0.0, 10.0, 1e4]);
                let a = a.moved_to(origin);
                let any = random.pick(&Placement::ALL);
                // Half of them overlap: faces with corners, faces with edges, and in space crossing edges.
                let placement = random.pick(&[any, any, Placement::Shallow, Placement::Deep]);
                let b = beside(&mut random, &a, &b, placement);
                let (a, b) = if random.chance(0.5) { (a, b) } else { (b, a) };
                let within = random.pick(&RANGES);
                Asked { a, b, within }
            })
            .collect();
        of_most_points += compare_manifolds(&asked)[2 * (V::DIM - 1)];
        let counts = compare(&asked);
        near += counts.0;
        farther += counts.1;
    }
    assert!(
        near > 500 && farther > 500,
        "{near} near, {farther} farther"
    );
    assert!(of_most_points > 100, "{of_most_points} manifolds");
}

/// Cuboids in rows, all but touching or overlapping by little or much, upright or leaning: many
/// nearest points lie on edges and faces that are parallel, and components vanish.
fn answers_in_a_pile_do_not_depend_on_what_else_is_measured<V: Space>() {
    let mut random = Pcg::new(178);
    for round in 0..iterations(80) {
        let lean = [0.0, 1e-6, 1e-2, 0.3][round % 4];
        let asked: Vec<Asked<V>> = (0..200)
            .map(|_| {
                let half = (0..V::DIM).fold(V::ZERO, |half, k| {
                    let any = random.extent(1.0);
                    half.with_component(k, random.pick(&[0.5, 0.5, 1.0, any]))
                });
                let gap = random.pick(&[0.0, 1e-6, 0.01, 0.04, -1e-6, -0.01, -0.1, -0.3]);
                let axis = random.below(V::DIM);
                let aside = random.vector::<V::Precise>() * random.pick(&[0.0, 0.25, 0.5, 1.0]);
                let apart = 2.0 * f64::from(half.component(axis)) + gap;
                let at = aside.with_component(axis, apart);
                let corner = random.vector::<V::Precise>() * random.pick(&[0.0, 100.0]);
                let shape = Shape::cuboid(half).expect("positive half extents");
                let shape = if random.chance(0.2) {
                    shape.rounded(0.05).expect("a positive radius")
                } else {
                    shape
                };
                let a = pile_body::<V>(&mut random, &shape, corner, lean);
                let b = pile_body::<V>(&mut random, &shape, corner + at, lean);
                let (a, b) = if random.chance(0.5) { (a, b) } else { (b, a) };
                let within = 0.05;
                Asked { a, b, within }
            })
            .collect();
        let (near, _) = compare(&asked);
        assert!(near > 50, "{near}");
    }
}

fn pile_body<V: Space>(random: &mut Pcg, shape: &Shape<V>, at: V::Precise, lean: Real) -> Body<V> {
    let identity = <V::Rotation as Rotation<V>>::IDENTITY;
    let rotation = if lean > 0.0 {
        let sign = random.pick(&[1.0, 1.0, -0.5]);
        let angular = clearance_math::Vec3::new(lean, -0.5 * lean, sign * lean);
        identity.integrated(V::Rotation::angular_from_space(angular), 1.0)
    } else if random.chance(0.1) {
        turned::<V>(random)
    } else {
        identity
    };
    Body::new(shape.clone(), Pose::new(V::from_precise(at), rotation))
}

/// Segments and capsules, and now and then a cuboid: crossing, side by side, in one line, end to end, at one place, of
/// all sizes, near the origin and far off.
fn manifolds_of_segments_do_not_depend_on_what_else_is_asked<V: Space>() {
    const KINDS: [Kind; 5] = [
        Kind::Capsule,
        Kind::Capsule,
        Kind::Capsule,
        Kind::Segment,
        Kind::Cuboid,
    ];
    let mut random = Pcg::new(181);
    let mut counts = [0; 5];
    for round in 0..iterations(80) {
        let scale = [1.0, 1e-30, 1e18, 1e3][round % 4];
        let asked: Vec<Asked<V>> = (0..1 + random.below(150))
            .map(|_| {
                let [kind_a, kind_b] = [random.pick(&KINDS), random.pick(&KINDS)];
                let a = body::<V>(kind_a, &mut random, scale);
                let b = if kind_a == kind_b && random.chance(0.5) {
                    Body::new(a.shape.clone(), a.pose)
                } else {
                    body::<V>(kind_b, &mut random, scale)
                };
                let place = random.pick(&[0.0, -0.0, 10.0]) * scale;
                let a = a.moved_to(random.vector::<V::Precise>() * place);
                let placement = random.pick(&Placement::ALL);
                let b = beside(&mut random, &a, &b, placement);
                let (a, b) = if random.chance(0.5) { (a, b) } else { (b, a) };
                let within = random.pick(&RANGES) * scale as Real;
                Asked { a, b, within }
            })
            .collect();
        let more = compare_manifolds(&asked);
        counts = [0, 1, 2, 3, 4].map(|count| counts[count] + more[count]);
    }
    assert!(counts[..3].iter().all(|&count| count > 300), "{counts:?}");
}

/// Shapes of every kind in one list: in the plane the sides of most of them are cut together.
fn manifolds_of_all_kinds_do_not_depend_on_what_else_is_asked<V: Space>() {
    let kinds: Vec<Kind> = Kind::all::<V>().collect();
    let bounded: Vec<Kind> = Kind::bounded::<V>().collect();
    let mut random = Pcg::new(182);
    let mut counts = [0; 5];
    for _ in 0..iterations(80) {
        let asked: Vec<Asked<V>> = (0..1 + random.below(100))
            .map(|_| {
                let [kind_a, kind_b] = [random.pick(&kinds), random.pick(&bounded)];
                let a = body::<V>(kind_a, &mut random, 1.0);
                let b = body::<V>(kind_b, &mut random, 1.0);
                let placement = random.pick(&Placement::ALL);
                let b = beside(&mut random, &a, &b, placement);
                let (a, b) = if random.chance(0.5) { (a, b) } else { (b, a) };
                let within = random.pick(&RANGES);
                Asked { a, b, within }
            })
            .collect();
        let more = compare_manifolds(&asked);
        counts = [0, 1, 2, 3, 4].map(|count| counts[count] + more[count]);
    }
    assert!(counts[..3].iter().all(|&count| count > 200), "{counts:?}");
}

/// Balls that are measured without their shapes: near, far, level along an axis, turned.
fn balls_have_the_answers_of_their_shapes<V: Space>() {
    let mut random = Pcg::new(180);
    let (mut near, mut farther, mut concentric) = (0, 0, 0);
    for round in 0..iterations(4000) {
        let size = [1.0, 1e-3, 1e18, 1e-30][round % 4];
        let mut ball = || {
            let axis = random.below(V::DIM);
            let at = V::from_precise(random.vector::<V::Precise>() * (2.0 * f64::from(size)));
            let at = match random.below(4) {
                0 | 1 => at,
                2 => at.with_component(axis, random.pick(&[0.0, -0.0, size])),
                _ => (0..V::DIM).fold(at, |at, axis| {
                    at.with_component(axis, random.pick(&[0.0, -0.0, size]))
                }),
            };
            let radius = random.extent(1.0) * size;
            let pose = Pose::<V>::new(at, turned::<V>(&mut random));
            (Shape::ball(radius).unwrap(), pose, radius)
        };
        let (a, b) = (ball(), ball());
        let within = size * [0.0, 0.05, 1.0, Real::INFINITY][round / 4 % 4];
        let expected = measure(Placed::new(&a.0, &a.1), Placed::new(&b.0, &b.1), within);
        let [in_world_a, in_world_b] = [&a, &b].map(|(_, pose, radius)| Ball {
            center: pose.position(),
            radius: *radius,
        });
        let Some(answer) = measure_balls(in_world_a, in_world_b, within) else {
            assert_eq!(a.1.translation(), b.1.translation());
            concentric += 1;
            continue;
        };
        assert_eq!(bits(&answer), bits(&expected), "{a:?} {b:?} {within}");
        assert_eq!(answer, expected);
        near += usize::from(answer.near().is_some());
        farther += usize::from(answer.near().is_none());
    }
    assert!(
        near > 500 && farther > 500,
        "{near} near, {farther} farther"
    );
    assert!(concentric > 0, "none at one place");
}

//! Random casts: aimed, passing, grazing, turning many times, thin and fast, tiny and huge.

use clearance_gjk::{CastHit, Motion, Status};
use clearance_math::{DVec3, Pose, PreciseVector, Real, Rotation, Vec2, Vec3, Vector};

use super::{Judge, Mover, cast, size};
use crate::common::{
    Body, Kind, Pcg, Placement, Space, beside, body, in_both_dimensions, iterations, normal_for,
};

in_both_dimensions!(casts_are_proven, starts_within_range_are_hit_at_time_zero);

/// A case: two bodies that are near at some time.
struct Case<V: Vector> {
    a: Mover<V>,
    b: Mover<V>,
    /// The time at which they were placed.
    time: f64,
    within: f64,
}

/// Two bodies of any kinds, at most one of them a half-space.
fn bodies<V: Space>(random: &mut Pcg) -> [Body<V>; 2] {
    let kinds: Vec<Kind> = Kind::all::<V>().collect();
    let [first, mut second] = [(); 2].map(|()| random.pick(&kinds));
    if first == Kind::HalfSpace && second == Kind::HalfSpace {
        second = Kind::Cuboid;
    }
    let scale = if random.chance(0.2) {
        random.log_between(1e-6, 1e6)
    } else {
        1.0
    };
    let ratio = if random.chance(0.2) {
        random.log_between(1e-5, 1e5)
    } else {
        random.log_between(0.3, 3.0)
    };
    [
        body(first, random, scale),
        body(second, random, scale * ratio),
    ]
}

fn angular<V: Space>(random: &mut Pcg) -> V::Angular {
    let angle = match random.below(6) {
        0..=2 => 0.0,
        3 => random.log_between(1e-3, 1.0),
        4 => random.between(0.0, 7.0),
        _ => random.log_between(1.0, 320.0),
    };
    let axis: DVec3 = if random.chance(0.2) {
        DVec3::AXES[random.below(3)]
    } else {
        random.direction()
    };
    V::Rotation::angular_from_space((axis * angle).as_vec3())
}

fn case<V: Space>(random: &mut Pcg) -> Case<V> {
    let [a, b] = bodies::<V>(random);
    let sizes = [&a, &b].map(|body| size(&body.shape));
    let size = sizes[0].max(sizes[1]);
    let any = random.unit();
    let time = random.pick(&[0.25, 0.5, 0.75, any]);
    let grazing = random.chance(0.15);
    let placement = random.pick(&[
        Placement::Near,
        Placement::Near,
        Placement::Touching,
        Placement::Shallow,
        Placement::Deep,
        Placement::Concentric,
    ]);
    let normal = normal_for(random, &a, &b);
    let mut met = beside(random, &a, &b, placement);
    if grazing {
        let gap = random.pick(&[0.0, 1e-9, -1e-9, 1e-7, -1e-7, 1e-5, -1e-5, 1e-3]) * size;
        let origin = b.pose.position();
        let joined = origin + a.support(normal) - b.support(-normal);
        met = b.moved_to(joined + normal * gap);
    }
    let fastest = if random.chance(0.2) { 1e6 } else { 30.0 };
    let speed = size * random.log_between(1e-2, fastest);
    let mut direction = random.direction::<V::Precise>();
    if grazing {
        direction = direction - normal * direction.dot(normal);
    }
    let linear = direction * speed;
    // Sometimes both move.
    let of_a = if random.chance(0.3) {
        random.vector::<V::Precise>() * size
    } else {
        V::Precise::ZERO
    };
    let (of_a, linear) = (V::from_precise(of_a), V::from_precise(linear + of_a));
    let back = |body: Body<V>, linear: V, turn: V::Angular| {
        let start = body.pose.position() - linear.to_precise() * time;
        // Turned back, so that they are as they were placed when they meet.
        let angular = V::Rotation::angular_in_space(turn);
        let turned = V::Rotation::angular_from_space(angular * -(time as Real));
        let rotation = body.pose.rotation.integrated(turned, 1.0);
        Mover {
            body: Body::new(body.shape, Pose::new(V::from_precise(start), rotation)),
            motion: Motion::new(linear, turn),
        }
    };
    let turns = [(); 2].map(|()| angular::<V>(random));
    Case {
        a: back(a, of_a, turns[0]),
        b: back(met, linear, turns[1]),
        time,
        within: if random.chance(0.2) {
            f64::from((size * random.unit()) as Real)
        } else {
            0.0
        },
    }
}

/// Times all over the motion, and close to one of them.
fn times(around: f64, near: f64) -> Vec<f64> {
    let all = (0..=40).map(|k| f64::from(k) / 40.0);
    let close = (-8..=8).map(|k| around + near * f64::from(k) / 8.0);
    let closer = (-8..=8).map(|k| around + near * f64::from(k) / 512.0);
    all.chain(close).chain(closer).collect()
}

/// The answer of the case of a seed, judged.
fn judged<V: Space>(number: usize, seed: u64) -> Option<CastHit<V>> {
    let case = case::<V>(&mut Pcg::new(seed));
    let judge = Judge {
        a: &case.a,
        b: &case.b,
        within: case.within,
    };
    let hit = cast(&judge);
    let near = judge.tolerance() * 1e6 / judge.speed().max(f64::MIN_POSITIVE);
    let times = times(case.time, near.min(0.5));
    if let Err(fault) = judge.judge(hit.as_ref(), times) {
        panic!(
            "case {number}, seed {seed:#x}: {fault}\n{hit:?}\n{:?}\n{:?}\n within {}",
            case.a, case.b, case.within
        );
    }
    hit
}

/// Found by long runs: a tiny cone that is so fast that its nearest points have no line, and two cones whose
/// rims touch in one plane.
#[test]
fn nearest_points_without_a_line_do_not_turn_the_normal() {
    for (number, seed) in [0x0c64_e97a_a827_ade5, 0xd126_abc1_714a_9a0d]
        .into_iter()
        .enumerate()
    {
        let hit = judged::<Vec3>(number, seed).expect("they meet");
        let separation = hit.separation;
        assert!(separation.distance <= separation.upper, "{hit:?}");
    }
}

/// How far the bodies reach beyond the plane through a point of the answer, along its normal, is no more than a cast
/// allows, also where a step of time takes them through a hundred million times their size.
#[test]
fn normals_of_very_fast_casts_are_those_of_planes_between() {
    let mut random = Pcg::new(0xfa57);
    let kinds = [
        Kind::Cuboid,
        Kind::Cylinder,
        Kind::Cone,
        Kind::Hull,
        Kind::Ellipsoid,
    ];
    let mut met = 0;
    for number in 0..iterations(2000) {
        let [a, b] = [(); 2].map(|()| body::<Vec3>(random.pick(&kinds), &mut random, 1.0));
        let direction: DVec3 = random.direction();
        let from = direction.as_vec3() * 4.0;
        let aim: Vec3 = random.point(1.0);
        let start = a.pose.translation() + from;
        let thrown = Mover {
            body: Body::new(b.shape, Pose::new(start, b.pose.rotation)),
            motion: Motion::from_linear((aim - from) * 1e8),
        };
        let resting = Mover {
            body: a,
            motion: Motion::rest(),
        };
        let judge = Judge {
            a: &resting,
            b: &thrown,
            within: 0.0,
        };
        let Some(hit) = cast(&judge) else {
            continue;
        };
        met += usize::from(hit.time > 0.0);
        let gap = judge.gap_at_points(f64::from(hit.time), &hit.separation);
        // Of the time, and of the points.
        let rounded = 2.0 * f64::from(hit.time_upper - hit.time_lower) * judge.speed() + 4e-6;
        let allowed = judge.tolerance() + rounded;
        assert!(
            hit.time == 0.0 || gap <= allowed,
            "{number}: {gap:e} {allowed:e} {hit:?}"
        );
    }
    assert!(met > iterations(2000) / 4, "{met} met");
}

/// Turning casts in the plane that once stopped at the limit, where one shape is much larger than the other
/// or a face is met while it turns.
#[test]
fn turning_casts_converge() {
    for (number, seed) in TURNING.into_iter().enumerate() {
        let hit = judged::<Vec2>(number, seed).expect("they meet");
        assert_eq!(hit.status, Status::Converged, "{seed:#x}: {hit:?}");
    }
}

const TURNING: [u64; 6] = [
    0x647d_2c92_6d7b_55f7,
    0xb3ad_406b_09db_f38f,
    0x0dfb_9644_9bcc_a33c,
    0x49c9_4c5e_5342_ac10,
    0x970b_5253_f947_1421,
    0xbc1d_36a7_7314_08c8,
];

fn casts_are_proven<V: Space>() {
    let mut seeds = Pcg::new(0xca57);
    let mut limited = 0;
    let mut met = 0;
    let count = iterations(6000);
    for number in 0..count {
        let hit = judged::<V>(number, seeds.seed());
        met += usize::from(hit.is_some());
        limited += usize::from(hit.is_some_and(|hit| hit.status == Status::IterationLimit));
    }
    assert!(met > count / 3, "{met} of {count} casts hit");
    assert!(
        limited <= count / 2000,
        "{limited} of {count} casts reached the limit"
    );
}

fn starts_within_range_are_hit_at_time_zero<V: Space>() {
    let mut random = Pcg::new(0x57a7);
    for _ in 0..iterations(1000) {
        let [a, b] = bodies::<V>(&mut random);
        let placement = random.pick(&[Placement::Shallow, Placement::Deep, Placement::Concentric]);
        let b = beside(&mut random, &a, &b, placement);
        let near = clearance_gjk::proximity(a.placed(), b.placed(), Real::INFINITY);
        let near = near.expect("valid poses").near().expect("bounded");
        let [a, b] = [a, b].map(|body| Mover {
            motion: Motion::new(random.point(3.0), angular::<V>(&mut random)),
            body,
        });
        let judge = Judge {
            a: &a,
            b: &b,
            within: 0.0,
        };
        let hit = cast(&judge);
        if near.upper < 0.0 {
            let hit = hit.expect("they overlap");
            assert_eq!((hit.time, hit.time_lower, hit.time_upper), (0.0, 0.0, 0.0));
            assert_eq!(hit.separation, near);
        }
    }
}

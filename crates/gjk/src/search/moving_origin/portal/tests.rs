use clearance_math::internal::lanes::dispatch;
use clearance_math::{Pose, Quat, RelativePose, Vec3, Vector};
use clearance_shapes::{Convex, Shape};

use super::*;
use crate::search::Cores;
use crate::search::SupportMapping;
use crate::search::moving_origin::{arrival, by_nearest_points};
use crate::test_numbers::Random;

impl Random {
    fn hull(&mut self, corners: usize, scale: f32) -> Shape<Vec3> {
        let points: Vec<Vec3> = (0..corners)
            .map(|_| self.vector::<Vec3>() * scale)
            .collect();
        Shape::hull(&points).expect("a hull of random points")
    }

    fn shape_of_kind(&mut self, kind: usize, scale: f32) -> Shape<Vec3> {
        let corners = [(); 3].map(|()| self.vector::<Vec3>() * scale);
        let shape = match kind {
            0 => Shape::cuboid((self.vector::<Vec3>().abs() + Vec3::splat(0.1)) * scale),
            1 => Ok(self.hull(8, scale)),
            2 => Ok(self.hull(32, scale)),
            3 => Shape::cylinder(0.7 * scale, 0.5 * scale),
            4 => Shape::triangle(corners[0], corners[1], corners[2]),
            5 => Shape::segment(corners[0], corners[1]),
            _ => Shape::ellipsoid((self.vector::<Vec3>().abs() + Vec3::splat(0.1)) * scale),
        };
        shape.expect("a shape")
    }
}

fn convex(shape: &Shape<Vec3>) -> &Convex<Vec3> {
    match shape {
        Shape::Convex(convex) => convex,
        _ => panic!("a convex shape was made"),
    }
}

fn way(velocity: Vec3, scale: f32) -> StraightMotion<DVec3> {
    let scale = f64::from(scale);
    StraightMotion {
        velocity: velocity.to_precise(),
        from: 0.0,
        until: 1.0,
        target: 0.0,
        near: 1e-8 * scale,
        rounding: 1e-14 * scale,
    }
}

fn by_portal(cores: &Cores<Vec3>, way: &StraightMotion<DVec3>) -> Option<Arrival<DVec3>> {
    dispatch!(simd => through_portal(simd, cores, way, &mut None)).ok()
}

fn by_points(cores: &Cores<Vec3>, way: &StraightMotion<DVec3>) -> Arrival<DVec3> {
    let start = Progress::start(way);
    dispatch!(simd => by_nearest_points(simd, cores, way, start, &mut None))
}

/// Whoever asks until just after the time of an answer, or until then, is given the same bits, and whoever asks until
/// just before is told of a miss.
fn check_times_of_interest(cores: &Cores<Vec3>, way: &StraightMotion<DVec3>, name: &str) {
    let Arrival::At(place) = arrival(cores, way, &mut None) else {
        return;
    };
    for until in [place.time, place.time.next_up(), 1.0] {
        let found = arrival(cores, &StraightMotion { until, ..*way }, &mut None);
        let expected = format!("{:?}", Arrival::At(place));
        assert_eq!(format!("{found:?}"), expected, "{name}: until {until}");
    }
    if place.time > way.from {
        let until = place.time.next_down();
        let found = arrival(cores, &StraightMotion { until, ..*way }, &mut None);
        let is_missed = matches!(found, Arrival::Never { .. });
        assert!(is_missed, "{name}: {found:?} until {until}");
    }
}

/// The cores are apart until a place, and touch there; seen without the search.
fn check_place(
    cores: &Cores<Vec3>,
    way: &StraightMotion<DVec3>,
    place: &SafeTime<DVec3>,
    name: &str,
) {
    let outward = place.normal;
    let height = -outward.dot(cores.support(outward).point);
    let rate = -outward.dot(way.velocity);
    let behind = height - rate * (place.time - way.from);
    assert!(rate > 0.0, "{name}: {place:?}");
    assert!(behind >= 0.0, "{name}: {behind:e} {place:?}");
    let (on_a, on_b) = place.witness_points;
    assert!((on_a - on_b).length() <= way.near, "{name}: {place:?}");
    assert!(place.upper <= way.near, "{name}: {place:?}");
    // No plane has the difference behind a point of it.
    let start = on_a - (on_b - way.velocity * (place.time - way.from));
    for direction in [
        DVec3::X,
        DVec3::Y,
        DVec3::Z,
        outward,
        way.velocity.normalize(),
    ] {
        for direction in [direction, -direction] {
            let over = direction.dot(start - cores.support(direction).point);
            assert!(over <= way.near * 1e-3, "{name}: {over:e} {place:?}");
        }
    }
}

/// What is found agrees with what the search for the nearest point finds, and is right in itself.
fn compare(cores: &Cores<Vec3>, way: &StraightMotion<DVec3>, name: &str) -> &'static str {
    let found = by_portal(cores, way);
    let nearest = by_points(cores, way);
    check_times_of_interest(cores, way, name);
    match (&found, &nearest) {
        (None, _) => "open",
        (Some(Arrival::Never { .. }), Arrival::Never { .. }) => "missed",
        (Some(Arrival::At(one)), Arrival::At(other)) => {
            check_place(cores, way, one, name);
            let rate = -one.normal.dot(way.velocity);
            let apart = (one.time - other.time).abs() * rate;
            assert!(apart <= 2.0 * way.near, "{name}: {one:?} {other:?}");
            "met"
        }
        (Some(Arrival::At(one)), _) => {
            check_place(cores, way, one, name);
            "met"
        }
        (Some(Arrival::Never { .. }), Arrival::Open { .. }) => "missed",
        _ => panic!("{name}: {found:?} {nearest:?}"),
    }
}

/// How many casts of a kind have an answer.
#[derive(Clone, Copy, Debug)]
struct Counts {
    met: usize,
    missed: usize,
    open: usize,
}

/// At least so many of the 600 casts of each kind meet or miss, and at most so many are left open.
const EXPECTED: [Counts; 7] = [
    counts(430, 150, 5),
    counts(400, 180, 5),
    counts(475, 105, 5),
    counts(400, 170, 15),
    counts(185, 400, 6),
    counts(90, 490, 5),
    counts(185, 310, 95),
];

const fn counts(met: usize, missed: usize, open: usize) -> Counts {
    Counts { met, missed, open }
}

#[test]
fn portals_agree_with_nearest_points() {
    let random = &mut Random(7);
    let mut found = Vec::new();
    for kind in 0..7 {
        let (mut met, mut missed, mut open) = (0, 0, 0);
        for round in 0..600 {
            let scale = [1.0, 1.0, 1e-30, 1e18][round % 4];
            let a = random.shape_of_kind(kind, scale);
            let other = if round % 3 == 0 { round % 7 } else { kind };
            let b = random.shape_of_kind(other, scale);
            let turn =
                Quat::from_axis_angle(random.vector::<Vec3>().normalize(), 3.0 * random.number());
            let from = random.vector::<Vec3>().normalize() * 4.0 * scale;
            let far = [1.5, 1.5, 30.0, 0.5][round / 4 % 4];
            let velocity = (random.vector::<Vec3>() * scale - from) * far;
            let b_in_a =
                RelativePose::between(&Pose::<Vec3>::IDENTITY, &Pose::<Vec3>::new(from, turn));
            let cores = Cores::new(convex(&a), convex(&b), &b_in_a);
            let name = format!("{kind} {other} {round}");
            match compare(&cores, &way(velocity, scale), &name) {
                "met" => met += 1,
                "missed" => missed += 1,
                _ => open += 1,
            }
        }
        found.push(counts(met, missed, open));
    }
    let is_enough = |(found, expected): (&Counts, &Counts)| {
        found.met >= expected.met && found.missed >= expected.missed && found.open <= expected.open
    };
    let are_enough = found.iter().zip(&EXPECTED).all(is_enough);
    assert!(are_enough, "{found:?}");
}

/// Two shapes face to face, edge to edge and corner to corner, thrown exactly along an axis, along a face, or not at all.
fn ties_are_answered(a: &Shape<Vec3>, b: &Shape<Vec3>) {
    let quarter = core::f32::consts::FRAC_PI_4;
    let turns = [
        Quat::IDENTITY,
        Quat::from_rotation_y(quarter),
        Quat::from_rotation_z(quarter) * Quat::from_rotation_x(quarter),
    ];
    let steps = [-2.0, -1.0, 0.0, 0.5, 1.0, 2.0];
    let mut met = 0;
    for turn in turns {
        for y in steps {
            for z in steps {
                let from = Vec3::new(4.0, y, z);
                let b_in_a =
                    RelativePose::between(&Pose::<Vec3>::IDENTITY, &Pose::<Vec3>::new(from, turn));
                let cores = Cores::new(convex(a), convex(b), &b_in_a);
                for velocity in [Vec3::NEG_X * 4.0, Vec3::NEG_X, Vec3::Y, -from, Vec3::ZERO] {
                    let name = format!("{turn} {from} {velocity}");
                    let found = compare(&cores, &way(velocity, 1.0), &name);
                    met += usize::from(found == "met");
                }
            }
        }
    }
    assert!(met > 50, "{met} met");
}

#[test]
fn ties_of_cubes_are_answered() {
    let cube = Shape::cuboid(Vec3::ONE).expect("a cube");
    ties_are_answered(&cube, &cube);
}

/// Caps, sides and rims, exactly beside each other and beside faces, edges and corners.
#[test]
fn ties_of_cylinders_are_answered() {
    let cube = Shape::cuboid(Vec3::ONE).expect("a cube");
    let cylinder = Shape::cylinder(1.0, 1.0).expect("a cylinder");
    ties_are_answered(&cylinder, &cylinder);
    ties_are_answered(&cylinder, &cube);
    ties_are_answered(&cube, &cylinder);
}

#[test]
fn the_way_stays_inside_of_the_portal() {
    let random = &mut Random(11);
    let corner = |seen: [f64; 2]| PortalCorner {
        vertex: Vertex::<DVec3>::default(),
        seen,
    };
    let is_inside = |corners: &[PortalCorner<DVec3>; 3]| {
        (0..3).all(|k| cross(corners[k].seen, corners[(k + 1) % 3].seen) >= 0.0)
    };
    let mut count = 0;
    for _ in 0..4000 {
        let mut corners =
            [(); 3].map(|()| corner([random.number(), random.number()].map(f64::from)));
        let new = [random.number(), random.number()].map(f64::from);
        if is_inside(&corners) {
            let place = replaced(&corners, new);
            corners[place] = corner(new);
            assert!(is_inside(&corners), "{new:?} in place {place}");
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}

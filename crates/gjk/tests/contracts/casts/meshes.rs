//! Convex shapes thrown at meshes with trees of several levels, of all sizes: the answer is the first of those of
//! all triangles, one by one.

use clearance_gjk::{CastHit, CastOptions, Leaving, Motion, Status, cast_shapes};
use clearance_math::{DVec3, Pose, Real, Vec3};
use clearance_shapes::Shape;

use super::Mover;
use super::composites::all_parts;
use crate::common::{Body, Kind, Pcg, Space, iterations};
use crate::composite_shapes::squares;

/// Meshes and shapes are larger or smaller by these factors.
const SCALES: [Real; 8] = [1.0, 1.0, 1e-6, 1e6, 1e-12, 1e12, 1e-30, 1e20];

/// A sheet of hills about two units wide, of slivers if `width` is small, away from its own origin by `offset`.
fn sheet(random: &mut Pcg, width: Real, offset: Vec3, scale: Real) -> Shape<Vec3> {
    let side = 1 + random.below(20);
    let height = random.pick(&[0.0, 0.01, 0.2]);
    let at = |k: usize| k as Real / side as Real * 2.0 - 1.0;
    let mut vertices = Vec::new();
    for k in 0..(side + 1) * (side + 1) {
        let up = random.between(-1.0, 1.0) as Real * height;
        let place = Vec3::new(at(k / (side + 1)), up, at(k % (side + 1)) * width);
        vertices.push((place + offset) * scale);
    }
    Shape::mesh(vertices, squares(side as u32)).expect("finite vertices")
}

/// Triangles that have nothing to do with each other, some of them slivers or points.
fn soup(random: &mut Pcg, scale: Real) -> Shape<Vec3> {
    let count = 1 + random.below(120) as u32;
    let mut vertices = Vec::new();
    for _ in 0..count {
        let (middle, long): (Vec3, Vec3) = (random.point(1.0), random.point(0.3));
        let long = long * random.pick(&[1.0, 1.0, 1.0, 0.0]);
        let wide: Vec3 = random.point(0.3);
        let wide = wide * random.pick(&[1.0, 1e-3, 1e-7, 0.0]);
        vertices.extend([middle, middle + long, middle + wide].map(|place| place * scale));
    }
    let triangles = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
    Shape::mesh(vertices, triangles.collect::<Vec<_>>()).expect("finite vertices")
}

/// A mesh, and a shape thrown at it or past it. Neither turns.
fn case(random: &mut Pcg) -> (Mover<Vec3>, Mover<Vec3>, CastOptions) {
    let scale = random.pick(&SCALES);
    let away = random.pick(&[0.0, 0.0, 30.0, 1000.0]);
    let offset: Vec3 = random.point(away);
    let mesh = if random.chance(0.3) {
        (soup(random, scale), Vec3::ZERO)
    } else {
        let width = random.pick(&[1.0, 1.0, 1e-4]);
        (sheet(random, width, offset, scale), offset * scale)
    };
    let turn = Vec3::any_rotation(random);
    let mesh_pose = Pose::new(random.point::<Vec3>(1.0) * scale, turn);
    let middle = mesh_pose.transform_point(mesh.1);
    let direction: DVec3 = random.direction();
    let from = (direction * random.between(0.2, 4.0)).as_vec3() * scale;
    let aim: Vec3 = random.point::<Vec3>(0.8) * scale;
    let kind = random.pick(&Kind::bounded::<Vec3>().collect::<Vec<_>>());
    let size = random.pick(&[0.01, 0.1, 0.3, 1.0]) * scale;
    let at_random = Vec3::any_rotation(random);
    let straight = random.chance(0.3);
    let pose = Pose::new(middle + from, if straight { turn } else { at_random });
    // Both move, so that neither is special.
    let drifting = random.pick(&[0.0, 1.0]);
    let drift = random.point::<Vec3>(drifting) * scale;
    let far = random.between(0.5, 2.0) as Real;
    // Some glide along the sheet, just above it or in it.
    let along = turn * Vec3::new(random.between(-3.0, 3.0) as Real, 0.0, 1.0) * scale;
    // Some are so slow that the time until they meet is beyond the range of its numbers.
    let slow = random.pick(&[1.0, 1.0, 1.0, 1.0, 1.0, 1e-36]);
    let way = if random.chance(0.2) {
        along * slow
    } else {
        (aim - from) * far * slow
    };
    let options = CastOptions {
        within: random.pick(&[0.0, 0.0, 0.05]) * scale,
        leaving: random.pick(&[Leaving::Hit, Leaving::Hit, Leaving::Pass, Leaving::Ignore]),
    };
    let shape = Vec3::shape(kind, random, f64::from(size));
    let mesh = Mover {
        body: Body::new(mesh.0, mesh_pose),
        motion: Motion::from_linear(drift),
    };
    let thrown = Mover {
        body: Body::new(shape, pose),
        motion: Motion::from_linear(way + drift),
    };
    if random.chance(0.3) {
        let thrown = crawling(random, (&mesh, thrown), drift);
        return (mesh, thrown, options);
    }
    (mesh, thrown, options)
}

/// The same shape, just before it meets the mesh, and so slow that the tolerance of a cast is a difference in time.
fn crawling(
    random: &mut Pcg,
    (mesh, thrown): (&Mover<Vec3>, Mover<Vec3>),
    drift: Vec3,
) -> Mover<Vec3> {
    let slow = random.pick(&[1e-2, 1e-3]);
    let share = random.between(0.3, 0.9) as Real;
    let options = CastOptions::default();
    let hit = cast_shapes(mesh.cast(), thrown.cast(), options).expect("valid input");
    let Some(hit) = hit else {
        return thrown;
    };
    let way = thrown.motion.linear - drift;
    let pose = thrown.body.pose;
    let start = pose.translation() + way * (hit.time - slow * share);
    Mover {
        body: Body::new(thrown.body.shape, Pose::new(start, pose.rotation)),
        motion: Motion::from_linear(way * slow + drift),
    }
}

#[test]
fn the_first_triangle_that_is_met_decides() {
    let mut seeds = Pcg::new(0x3e54);
    let (mut met, mut missed) = (0, 0);
    for number in 0..iterations(1500) {
        let seed = seeds.seed();
        let (mesh, other, options) = case(&mut Pcg::new(seed));
        let hit = cast_shapes(mesh.cast(), other.cast(), options).expect("valid input");
        let mirrored = cast_shapes(other.cast(), mesh.cast(), options).expect("valid input");
        let name = format!("case {number}, seed {seed:#x}, {options:?}");
        assert_eq!(hit, mirrored.map(CastHit::flipped), "{name}");
        let expected = all_parts([&mesh, &other], options);
        match (&hit, &expected) {
            // What is in range at the start is a question of distances, which has bounds of its own.
            (Some(hit), Some(expected)) if hit.time == 0.0 => {
                assert_eq!(expected.time, 0.0, "{name}");
            }
            _ => assert_eq!(hit, expected, "{name}"),
        }
        match hit {
            Some(hit) => met += usize::from(hit.time > 0.0 && hit.status == Status::Converged),
            None => missed += 1,
        }
    }
    let asked = iterations(1500);
    assert!(
        met > asked / 4 && missed > asked / 8,
        "{met} met and {missed} missed of {asked}"
    );
}

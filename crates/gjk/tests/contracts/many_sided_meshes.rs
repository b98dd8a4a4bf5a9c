//! Meshes as CAD makes them, of slivers and of fans of caps, that are apart: their distance is that of the nearest triangles,
//! and no search for it ends at its effort.

use std::f32::consts::TAU;

use clearance_gjk::{Placed, Separation, Status, proximity};
use clearance_math::{Pose, Real, Vec2, Vec3};
use clearance_shapes::Shape;

use crate::common::{Pcg, Space, iterations};
use crate::composites::all_pairs;

/// The radii of the corners of a circle, and of a gear.
const ROUND: &[Real] = &[1.0];
const TOOTHED: &[Real] = &[1.0, 1.0, 0.8, 0.8];

/// A closed surface.
struct Surface {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// From where the triangles of a cap fan out.
#[derive(Clone, Copy)]
enum Fan {
    Center,
    Corner,
}

/// Corners on a circle, with radii in turn.
fn ring(sides: u32, radii: &[Real]) -> Vec<Vec2> {
    let corner = |k: u32| {
        let (sine, cosine) = (k as Real * TAU / sides as Real).sin_cos();
        Vec2::new(cosine, sine) * radii[k as usize % radii.len()]
    };
    (0..sides).map(corner).collect()
}

/// A prism, whose upper end is `tip` times as wide as the lower one.
fn extruded(ring: &[Vec2], height: Real, tip: Real, fan: Fan) -> Surface {
    let count = ring.len() as u32;
    let lower = ring.iter().map(|at| Vec3::new(at.x, at.y, -0.5 * height));
    let upper = ring
        .iter()
        .map(|at| Vec3::new(at.x * tip, at.y * tip, 0.5 * height));
    let mut vertices: Vec<Vec3> = lower.chain(upper).collect();
    let centers = [-0.5, 0.5].map(|side| Vec3::new(0.0, 0.0, side * height));
    vertices.extend(centers);
    let mut triangles = Vec::new();
    for k in 0..count {
        let next = (k + 1) % count;
        triangles.push([k, next, count + next]);
        triangles.push([k, count + next, count + k]);
        let (below, above) = match fan {
            Fan::Center => (2 * count, 2 * count + 1),
            Fan::Corner => (0, count),
        };
        triangles.push([below, next, k]);
        triangles.push([above, count + k, count + next]);
    }
    // Those beside the corner of a fan are none.
    triangles.retain(|[a, b, c]| a != b && b != c && a != c);
    Surface {
        vertices,
        triangles,
    }
}

impl Surface {
    fn mesh(&self) -> Shape<Vec3> {
        Shape::mesh(self.vertices.clone(), self.triangles.clone()).expect("finite vertices")
    }
}

fn any_fan(random: &mut Pcg) -> Fan {
    if random.chance(0.5) {
        Fan::Center
    } else {
        Fan::Corner
    }
}

/// A cylinder, a disc, a rod, a cone or a frustum: convex, but for corners that were rounded.
fn convex(random: &mut Pcg) -> Surface {
    let sides = random.pick(&[64, 512, 2048]);
    let (height, tip) = (
        random.pick(&[0.1, 2.0, 20.0]),
        random.pick(&[1.0, 1.0, 0.5, 0.0]),
    );
    extruded(&ring(sides, ROUND), height, tip, any_fan(random))
}

/// A gear or a prism of few sides.
fn small(random: &mut Pcg) -> Surface {
    let radii = random.pick(&[ROUND, TOOTHED]);
    let sides = 4 * random.pick(&[1, 2, 4]);
    let (height, tip) = (
        random.pick(&[0.1, 1.0, 10.0]),
        random.pick(&[1.0, 1.0, 0.0]),
    );
    extruded(&ring(sides, radii), height, tip, any_fan(random))
}

fn any_pose(random: &mut Pcg, reach: f64) -> Pose<Vec3> {
    Pose::new(random.point::<Vec3>(reach), Vec3::any_rotation(random))
}

fn near(a: &Shape<Vec3>, b: &Shape<Vec3>, poses: [&Pose<Vec3>; 2]) -> Separation<Vec3> {
    let near = proximity(
        Placed::new(a, poses[0]),
        Placed::new(b, poses[1]),
        Real::INFINITY,
    );
    near.expect("valid poses").near().expect("bounded shapes")
}

/// The distance of two convex surfaces that are apart is that of the hulls of their corners.
#[test]
fn convex_bodies_of_thousands_of_slivers_are_as_far_apart_as_their_hulls() {
    let mut random = Pcg::new(0xcad1);
    let mut asked = 0;
    for case in 0..iterations(24) {
        let surfaces = [0; 2].map(|_| convex(&mut random));
        let hulls = surfaces
            .each_ref()
            .map(|surface| Shape::hull(&surface.vertices).expect("it has a volume"));
        let [mesh_a, mesh_b] = surfaces.each_ref().map(Surface::mesh);
        let pose_a = any_pose(&mut random, 0.1);
        let mut pose_b = any_pose(&mut random, 24.0);
        let gap = random.pick(&[0.001, 0.01, 1.0]);
        for _ in 0..12 {
            let near = near(&hulls[0], &hulls[1], [&pose_a, &pose_b]);
            let nearer = near.normal * (near.distance - gap);
            pose_b = Pose::new(pose_b.translation() - nearer, pose_b.rotation);
        }
        let truth = near(&hulls[0], &hulls[1], [&pose_a, &pose_b]);
        if truth.lower <= 0.0 {
            continue;
        }
        asked += 1;
        let found = near(&mesh_a, &mesh_b, [&pose_a, &pose_b]);
        let context = format!("case {case}: {found:?} {truth:?}");
        assert_ne!(found.status, Status::IterationLimit, "{context}");
        // Corners of a ring were rounded, so that the surface is a little within the hull.
        assert!((found.distance - truth.distance).abs() < 1e-5, "{context}");
        assert!(found.lower <= truth.upper + 1e-5, "{context}");
    }
    assert!(asked * 10 >= iterations(24) * 9, "{asked}");
}

/// Of equally near triangles the first ones are named, as if all had been looked at.
#[test]
fn the_distance_of_small_bodies_is_that_of_all_pairs_of_triangles() {
    let mut random = Pcg::new(0xcad2);
    for case in 0..iterations(60) {
        let [a, b] = [0; 2].map(|_| small(&mut random).mesh());
        let poses = [0.1, 4.0].map(|reach| any_pose(&mut random, reach));
        let [a, b] = [Placed::new(&a, &poses[0]), Placed::new(&b, &poses[1])];
        let all = all_pairs(a, b, Real::INFINITY).expect("triangles have no poses");
        let least = all.iter().min_by(|a, b| a.distance.total_cmp(&b.distance));
        let least = least.expect("there are some");
        let found = proximity(a, b, Real::INFINITY).expect("valid poses");
        let found = found.near().expect("bounded shapes");
        let context = format!("case {case}: {found:?} {least:?}");
        assert_eq!(found.distance, least.distance, "{context}");
        assert!(
            all.iter().all(|other| found.lower <= other.lower),
            "{context}"
        );
        let key = |near: &Separation<Vec3>| (near.part_a, near.part_b);
        let ties = all.iter().filter(|other| other.distance == found.distance);
        let by_a = ties.clone().min_by_key(|near| key(near));
        let by_b = ties.min_by_key(|near| (near.part_b, near.part_a));
        let first = [by_a, by_b]
            .into_iter()
            .flatten()
            .find(|near| key(near) == key(&found));
        let alone = first.unwrap_or_else(|| panic!("not the first of equal ones: {context}"));
        let expected = Separation {
            lower: found.lower,
            ..*alone
        };
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{context}");
    }
}

//! Many pieces, little effort, places far out.

use clearance_gjk::{Placed, intersects, point_proximity, proximity};
use clearance_math::{Pose, Quat, Real, Vec3};
use clearance_shapes::{CompoundPart, Shape};

use super::{Solids, composite};

/// What is far away is not said to be inside because there is much of it, or because little may be looked at.
#[test]
fn bounds_hold_however_many_pieces_and_however_little_effort() {
    let solid = Vec3::of_cells(3, &|[i, j, k]| i * j * k == 0).unwrap();
    let placed = Placed::new(&solid, &Pose::IDENTITY);
    let count = 300_000;
    let cloud: Vec<Vec3> = (0..count)
        .map(|k| Vec3::new(5.0, (k % 512) as Real * 0.01, (k / 512) as Real * 0.01))
        .collect();
    let cloud = Shape::points(&cloud, 0.0).unwrap();
    let beside = Placed::new(&cloud, &Pose::IDENTITY);
    let near = proximity(placed, beside, Real::INFINITY).unwrap();
    assert_eq!(near.near().unwrap().distance, 2.0);
    assert!(!intersects(placed, beside).unwrap());
    let point = Shape::segment(Vec3::ZERO, Vec3::ZERO).unwrap();
    for effort in 1..40 {
        let at = Pose::from_translation(Vec3::new(8.0, 0.5, 0.5));
        let near = proximity(
            placed.with_effort(effort),
            Placed::new(&point, &at),
            Real::INFINITY,
        );
        let near = near.unwrap().near().unwrap();
        assert!(near.lower <= 5.0 && near.upper >= 5.0, "{effort}: {near:?}");
    }
}

/// A convex solid is measured as its hull, and the facet that is named for it has the point, alone and within a compound.
#[test]
fn the_facet_of_a_convex_solid_has_the_point_however_little_effort() {
    let solid = Vec3::of_cells(1, &|_| true).unwrap();
    let part = |shape: &Shape<Vec3>, x: Real| {
        CompoundPart::new(shape.clone(), Pose::from_translation(Vec3::X * x))
    };
    let pair = Shape::compound([part(&solid, 0.0), part(&solid, 3.0)]).unwrap();
    let ball = Shape::ball(0.5).unwrap();
    for (number, shape) in [&solid, &pair].into_iter().enumerate() {
        for effort in 1..40 {
            // Above the face of the greatest y.
            let at = Pose::from_translation(Vec3::new(0.25 + 3.0 * number as Real, 2.0, 0.5));
            let placed = Placed::new(shape, &Pose::IDENTITY).with_effort(effort);
            let near = proximity(placed, Placed::new(&ball, &at), Real::INFINITY);
            let near = near.unwrap().near().unwrap();
            let part = composite(shape).part(near.part_a).unwrap();
            let pose = part.pose.map_or(Pose::IDENTITY, |pose| {
                Pose::from_translation(pose.translation)
            });
            let off = point_proximity(
                near.position_a,
                Placed::new(&part.shape, &pose),
                Real::INFINITY,
            );
            let off = off.unwrap().near().unwrap().distance;
            assert!(off < 1e-6, "{number}, {effort}: {off} {near:?}");
        }
    }
}

/// Members of compounds share what a question may take.
#[test]
fn two_crowds_of_solids_that_overlap_are_measured_in_bounded_time() {
    let angle = Vec3::of_cells(2, &|[i, j, _]| i * j == 0).unwrap();
    let parts = (0..100).map(|k| CompoundPart {
        shape: angle.clone(),
        pose: Pose::from_translation(Vec3::new(
            (k % 10) as Real * 3.0,
            (k / 10) as Real * 3.0,
            0.0,
        )),
    });
    let crowd = Shape::compound(parts.collect::<Vec<_>>()).unwrap();
    let pose = Pose::new(Vec3::splat(0.3), Quat::from_rotation_y(0.02));
    let [a, b] = [&Pose::IDENTITY, &pose].map(|pose| Placed::new(&crowd, pose));
    let near = proximity(a, b, Real::INFINITY).unwrap().near().unwrap();
    assert!(
        near.lower <= near.distance && near.distance <= near.upper && near.upper <= 0.0,
        "{near:?}"
    );
}

/// Moved as a whole to where single precision has few digits, shapes overlap as they do at the origin.
#[test]
fn depths_far_from_the_origin_have_the_bounds_of_those_beside_it() {
    let solid = Vec3::of_cells(3, &|[i, j, k]| i * j * k == 0).unwrap();
    let block = Shape::cuboid(Vec3::new(0.25, 0.5, 0.125)).unwrap();
    let depth = |offset: Vec3| {
        let [a, b] = [Vec3::ZERO, Vec3::new(1.5, 0.25, 2.75)]
            .map(|place| Pose::from_translation(place + offset));
        let near = proximity(
            Placed::new(&solid, &a),
            Placed::new(&block, &b),
            Real::INFINITY,
        );
        let near = near.unwrap().near().unwrap();
        (
            near.distance,
            near.lower,
            near.upper,
            near.normal,
            near.status,
        )
    };
    assert_eq!(
        depth(Vec3::new(1048576.0, 0.0, -65536.0)),
        depth(Vec3::ZERO)
    );
}

#[test]
fn a_solid_of_1e5_triangles_is_asked_as_fast_as_its_surface() {
    // A fine grid of cells: the line from a place meets few triangles.
    let side = 40;
    let solid = Vec3::of_cells(side, &|_| true).unwrap();
    let count = composite(&solid).part_count();
    assert!(count >= 12 * 40 * 40, "{count}");
    assert_eq!(composite(&solid).pieces().collect::<Vec<_>>(), [0]);
    let deep = point_proximity(
        Vec3::splat(20.5),
        Placed::new(&solid, &Pose::IDENTITY),
        Real::INFINITY,
    );
    assert_eq!(deep.unwrap().near().unwrap().distance, -19.5);
}

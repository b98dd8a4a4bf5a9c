//! What is taken as a solid or as an outline, and what is refused.

use clearance_math::{Pose, Real, Vec2, Vec3, Vector};
use clearance_shapes::{CompoundPart, Shape, ShapeError};

use super::{Solids, composite, convex_near, near};
use crate::common::{Pcg, Space, iterations};

const TETRAHEDRON: ([Vec3; 4], [[u32; 3]; 4]) = (
    [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
    [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
);

#[test]
fn what_is_no_solid_is_refused_with_the_triangles_at_fault() {
    let (corners, faces) = TETRAHEDRON;
    let refusal = |faces: &[[u32; 3]]| Shape::solid_mesh(corners, faces).unwrap_err();
    assert_eq!(
        refusal(&faces[..3]),
        ShapeError::NotClosed {
            list: "triangles",
            index: 0
        }
    );
    let turned = faces.map(|[a, b, c]| [a, c, b]);
    assert!(matches!(refusal(&turned), ShapeError::Volume { volume, .. } if volume < 0.0));
    let one_turned = [[0, 1, 2], faces[1], faces[2], faces[3]];
    assert_eq!(
        refusal(&one_turned),
        ShapeError::SidesInOneDirection { triangles: [0, 1] }
    );
    let flat = [[0, 1, 1], faces[1], faces[2], faces[3]];
    assert_eq!(refusal(&flat), ShapeError::FlatTriangle { index: 0 });
    // Corners at equal coordinates are one, zeros of either sign included.
    let soup: Vec<Vec3> = faces
        .iter()
        .flatten()
        .map(|&k| -(-corners[k as usize]))
        .collect();
    let own: Vec<[u32; 3]> = (0..4).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let soup = soup
        .iter()
        .enumerate()
        .map(|(k, &p)| if k % 2 == 0 { p } else { -p * -1.0 });
    assert!(Shape::solid_mesh(soup.collect::<Vec<_>>(), own).is_ok());
    let solid = Shape::solid_mesh(corners, faces).unwrap();
    assert_eq!(
        solid.clone().one_sided(0.1),
        Err(ShapeError::SolidOnOneSide)
    );
    assert!(Shape::<Vec3>::ball(1.0).unwrap().solid().is_err());
    assert_ne!(solid, Shape::mesh(corners, faces).unwrap());
    assert_eq!(
        Shape::from_encoding(&solid.to_encoding().unwrap()).unwrap(),
        solid
    );
}

#[test]
fn outlines_are_taken_as_they_are_but_for_crossings() {
    let square = [
        [0.0, 0.0],
        [4.0, 0.0],
        [4.0, 0.0],
        [4.0, 2.0],
        [4.0, 4.0],
        [0.0, 4.0],
    ]
    .map(Vec2::from);
    let hole = vec![[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]]
        .into_iter()
        .map(Vec2::from)
        .collect::<Vec<_>>();
    let is_in = |shape: &Shape<Vec2>, x: Real, y: Real| {
        composite(shape).winding(Vec2::new(x, y).to_precise()) > 0
    };
    for turned in 0..4 {
        let (mut outline, mut hole) = (square.to_vec(), hole.clone());
        if turned & 1 > 0 {
            outline.reverse();
        }
        if turned & 2 > 0 {
            hole.reverse();
        }
        let shape = Shape::polygon(outline, &[hole]).unwrap();
        assert!(
            is_in(&shape, 3.0, 3.0)
                && is_in(&shape, 0.5, 1.5)
                && !is_in(&shape, 1.5, 1.5)
                && !is_in(&shape, 5.0, 1.0)
        );
        assert_eq!(
            Shape::from_encoding(&shape.to_encoding().unwrap()).unwrap(),
            shape
        );
        assert_eq!(shape.kind_name(), "polygon");
    }
}

#[test]
fn outlines_that_cross_are_refused() {
    let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]].map(Vec2::from);
    let hole = [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]].map(Vec2::from);
    let bow = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]].map(Vec2::from);
    let crossing = ShapeError::Crossing {
        sides: [0, 2],
        place: [1.0, 1.0],
    };
    assert_eq!(Shape::polygon(bow, &[]), Err(crossing));
    let eight = [
        [0.0, 0.0],
        [1.0, 1.0],
        [3.0, 3.0],
        [3.0, -1.0],
        [1.0, 1.0],
        [0.0, 2.0],
    ]
    .map(Vec2::from);
    assert!(matches!(
        Shape::polygon(eight, &[]),
        Err(ShapeError::WindsAgain { .. })
    ));
    let outside = hole.iter().map(|&corner| corner + Vec2::X * 9.0).collect();
    assert!(matches!(
        Shape::polygon(square, &[outside]),
        Err(ShapeError::WindsAgain { .. })
    ));
    assert_eq!(
        Shape::polygon(&square[..2], &[]),
        Err(ShapeError::RingTooShort { ring: 0, count: 2 })
    );
    let line = [Vec2::ZERO, Vec2::X, Vec2::X * 2.0];
    assert!(matches!(
        Shape::polygon(line, &[]),
        Err(ShapeError::Volume { .. })
    ));
    let hostile = [Vec2::ZERO, Vec2::new(Real::NAN, 0.0), Vec2::ONE];
    assert!(Shape::polygon(hostile, &[]).is_err());
}

/// A comb, and the boxes that it is made of.
#[test]
fn a_polygon_answers_as_its_convex_pieces() {
    let mut random = Pcg::new(4010);
    let mut seen = [0; 2];
    for _ in 0..iterations(400) {
        let heights: Vec<i32> = (0..4).map(|_| random.below(4) as i32).collect();
        let comb = Vec2::of_cells(4, &|[x, y, _]| y < heights[x as usize]).unwrap();
        let tooth = |x: usize| {
            let half = 0.5 * (heights[x] as Real + 1.0);
            CompoundPart::new(
                Shape::cuboid(Vec2::new(0.5, half)).unwrap(),
                Pose::from_translation(Vec2::new(x as Real + 0.5, half - 1.0)),
            )
        };
        let pieces = Shape::compound((0..4).map(tooth).collect::<Vec<_>>()).unwrap();
        let pose = Pose::new(random.point::<Vec2>(1.0), Vec2::any_rotation(&mut random));
        let (other, mut place) = convex_near::<Vec2>(&mut random);
        place = place.moved_by(pose.transform_point(Vec2::new(2.0, 1.0)));
        let of_comb = near((&comb, &pose), (&other, &place));
        let of_pieces = near((&pieces, &pose), (&other, &place));
        if of_pieces.distance.abs() > 1e-5 {
            assert_eq!(
                of_comb.distance < 0.0,
                of_pieces.distance < 0.0,
                "{of_comb:?} {of_pieces:?}"
            );
        }
        if of_pieces.distance > 1e-5 {
            assert!(
                (of_comb.distance - of_pieces.distance).abs() < 1e-5,
                "{of_comb:?} {of_pieces:?}"
            );
        } else {
            // It must leave every piece, and no piece knows of the others.
            assert!(
                of_comb.lower <= of_pieces.upper + 1e-5,
                "{of_comb:?} {of_pieces:?}"
            );
        }
        seen[usize::from(of_comb.distance < 0.0)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

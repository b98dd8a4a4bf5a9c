//! Fields whose heights were changed are those made of the new heights.

use clearance_math::{Real, Vec3};
use clearance_shapes::composite::{HeightField, NodeContent, PartTree};
use clearance_shapes::{Composite, CompositeKind, HeightPatch, Shape};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn composite(shape: &Shape<Vec3>) -> &Composite<Vec3> {
    match shape {
        Shape::Composite(composite) => composite,
        _ => panic!("a composite"),
    }
}

fn field(shape: &Shape<Vec3>) -> &HeightField<Vec3> {
    match composite(shape).kind() {
        CompositeKind::HeightField(field) => field,
        _ => panic!("a field"),
    }
}

/// Whether the trees have the same boxes and parts below a node, to the last bit.
fn have_same_nodes(shapes: [&Shape<Vec3>; 2], index: u32) -> bool {
    let [one, other] = shapes.map(|shape| composite(shape).content(index));
    let triangles = |content: &NodeContent<'_>| matches!(content, NodeContent::Triangles(_));
    if triangles(&one) && triangles(&other) {
        return true;
    }
    let [one, other] = shapes.map(|shape| composite(shape).node(index));
    (0..4).all(|lane| {
        let boxes = [&one, &other].map(|node| {
            let bounds = node.lane::<Vec3>(lane);
            [bounds.min, bounds.max].map(|corner| corner.to_array().map(Real::to_bits))
        });
        let children = [&one, &other].map(|node| node.children[lane]);
        let is_same =
            children[0] == children[1] && (children[0].is_empty() || boxes[0] == boxes[1]);
        let below = children[0].index().filter(|_| !children[0].is_empty());
        is_same && below.is_none_or(|below| have_same_nodes(shapes, below as u32))
    })
}

fn assert_same(edited: &Shape<Vec3>, anew: &Shape<Vec3>) {
    assert!(edited == anew);
    assert!(edited.to_encoding().unwrap() == anew.to_encoding().unwrap());
    let [own, other] = [edited, anew].map(composite);
    assert_eq!(own.rounding().to_bits(), other.rounding().to_bits());
    assert_eq!(
        own.bounding_radius().to_bits(),
        other.bounding_radius().to_bits()
    );
    assert_eq!(own.local_bounds(), other.local_bounds());
    assert_eq!(own.one_sided(), other.one_sided());
    assert!(own.pieces().eq(other.pieces()));
    assert!(have_same_nodes([edited, anew], 0));
    for number in 0..own.part_count() {
        assert_eq!(field(edited).corners(number), field(anew).corners(number));
    }
}

fn height(random: &mut Pcg64) -> Real {
    match random.random_range(0..10) {
        0 => Real::NAN,
        1 => -0.0,
        2 => 0.0,
        _ => random.random_range(-2.0..2.0),
    }
}

#[test]
fn a_field_that_was_edited_is_the_one_of_its_heights() {
    let mut random = Pcg64::seed_from_u64(3);
    for round in 0..60 {
        let [rows, columns] = [0; 2].map(|_| random.random_range(2..40_u32));
        let scale = [
            Vec3::ONE,
            Vec3::new(-7.0, 0.3, 11.0),
            Vec3::new(5.0, -1.7, 3.0),
        ][round % 3];
        let mut heights: Vec<Real> = (0..rows * columns).map(|_| height(&mut random)).collect();
        heights[0] = 1.0;
        heights[1] = 1.0;
        heights[columns as usize + 1] = 1.0;
        let made = |heights: &[Real]| {
            let shape = Shape::height_field(heights, columns as usize, scale)?;
            if round % 2 == 0 {
                shape.one_sided(0.5)
            } else {
                Ok(shape)
            }
        };
        let mut shape = made(&heights).unwrap();
        for _ in 0..12 {
            let [row, column] = [rows, columns].map(|count| random.random_range(0..count));
            let most = [rows - row, columns - column];
            let [down, across] = most.map(|most| random.random_range(1..=most.min(7)));
            let patch: Vec<Real> = (0..down * across).map(|_| height(&mut random)).collect();
            for (k, &height) in (0..).zip(&patch) {
                let index = (row + k / across) * columns + column + k % across;
                heights[index as usize] = height;
            }
            let before = shape.clone();
            let is_shared = random.random_bool(0.5);
            let kept = is_shared.then(|| (before.clone(), before.to_encoding().unwrap()));
            drop(before);
            let patch = HeightPatch {
                row,
                column,
                columns: across,
                heights: &patch,
            };
            let put = shape.set_heights(patch);
            match made(&heights) {
                Ok(anew) => {
                    put.unwrap();
                    assert_same(&shape, &anew);
                }
                Err(refused) => {
                    assert_eq!(put.unwrap_err().to_string(), refused.to_string());
                    heights = field(&shape).heights().to_vec();
                    assert_same(&shape, &made(&heights).unwrap());
                }
            }
            if let Some((kept, encoding)) = kept {
                assert!(kept.to_encoding().unwrap() == encoding);
            }
        }
    }
}

#[test]
fn what_is_no_block_of_heights_is_refused_and_nothing_changes() {
    let ground = Shape::height_field([1.0; 12], 4, Vec3::new(3.0, 1e30, 2.0)).unwrap();
    let refuse = |[row, column, columns]: [u32; 3], heights: &[Real], text: &str| {
        let mut edited = ground.clone();
        let refused = edited.set_heights(HeightPatch {
            row,
            column,
            columns,
            heights,
        });
        let message = refused.unwrap_err().to_string();
        assert!(message.contains(text), "{message:?} does not say {text:?}");
        assert_same(&edited, &ground);
    };
    let outside = "must be full rows within 3 rows and 4 columns";
    refuse([0, 0, 2], &[], outside);
    refuse([0, 0, 0], &[2.0], outside);
    refuse([0, 0, 2], &[2.0; 3], outside);
    refuse([0, 0, 5], &[2.0; 5], outside);
    refuse(
        [0, 3, 2],
        &[2.0; 2],
        "2 heights in rows of 2 from row 0, column 3 on",
    );
    refuse([2, 0, 1], &[2.0; 2], outside);
    refuse([3, 0, 1], &[2.0], outside);
    refuse([u32::MAX, u32::MAX, u32::MAX], &[2.0; 2], outside);
    refuse([1, 1, 2], &[2.0, Real::INFINITY], "heights[1][2] is ");
    refuse([1, 1, 2], &[2.0, 1e30], "heights[1][2] is ");
    refuse([0, 0, 4], &[Real::NAN; 12], "triangle");
    let mut ball = Shape::<Vec3>::ball(1.0).unwrap();
    let patch = HeightPatch {
        row: 0,
        column: 0,
        columns: 1,
        heights: &[1.0],
    };
    let refused = ball.set_heights(patch).unwrap_err().to_string();
    assert_eq!(refused, "a ball has no heights, only height fields have");
}

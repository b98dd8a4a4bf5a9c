//! Building: what is refused, what the result looks like, and how large it is.

use clearance_math::{Aabb, Real, Vec2, Vec3, Vector};
use clearance_tree::{BuildError, BuildScratch, BuildTools, Tree, Workers};

use crate::common::{build, many_sets, ordinary};

fn holds_every_box_once<V: Vector>() {
    for boxes in many_sets::<V>() {
        let tree = build(&boxes);
        assert_eq!(
            (tree.len(), tree.is_empty()),
            (boxes.len(), boxes.is_empty())
        );
        let around = boxes.iter().fold(Aabb::empty(), |all, b| b.merged(&all));
        assert_eq!(tree.bounds(), around);
        let mut found = vec![false; boxes.len()];
        for node in tree.nodes() {
            for (lane, child) in node.children.iter().enumerate() {
                if let Some(number) = child.number() {
                    assert_eq!(node.lane::<V>(lane), boxes[number as usize]);
                    found[number as usize] = true;
                }
            }
        }
        assert!(found.iter().all(|&found| found));
    }
}

#[test]
fn a_tree_holds_every_box_once() {
    holds_every_box_once::<Vec2>();
    holds_every_box_once::<Vec3>();
}

#[test]
fn a_tree_takes_43_bytes_for_each_box() {
    for count in [100_000, 65_536, 65_537, 99_991] {
        let tree = build(&ordinary::<Vec3>(1, count, 100.0));
        assert!(tree.memory() <= 44 * count, "{} bytes", tree.memory());
    }
    assert_eq!(build::<Vec2>(&[]).memory(), 0);
}

#[test]
fn boxes_that_are_not_finite_or_empty_are_refused_by_number() {
    let refusal = |bad: Aabb<Vec3>| {
        let mut boxes = ordinary::<Vec3>(2, 20, 5.0);
        boxes[13] = bad;
        let tools = BuildTools {
            scratch: &mut BuildScratch::default(),
            workers: &Workers::alone(),
        };
        Tree::build(&boxes, tools).map(|_| ())
    };
    let number = 13;
    for value in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY] {
        for k in 0..3 {
            let corner = Vec3::ZERO.with_component(k, value);
            for bad in [Aabb::new(corner, Vec3::ONE), Aabb::new(-Vec3::ONE, corner)] {
                assert_eq!(refusal(bad), Err(BuildError::NotFinite { number }));
            }
        }
    }
    let empty = Aabb::new(Vec3::new(0.0, 0.1, 0.0), Vec3::ZERO);
    assert_eq!(refusal(empty), Err(BuildError::Empty { number }));
    let message = BuildError::Empty { number }.to_string();
    assert_eq!(message, "box 13 is empty: its min exceeds its max");
    let most = Vec3::splat(Real::MAX);
    assert_eq!(refusal(Aabb::new(-most, most)), Ok(()));
}

#[test]
fn threads_build_the_tree_that_one_thread_builds() {
    let boxes = ordinary::<Vec3>(3, 40_000, 60.0);
    let alone = build(&boxes);
    let workers = Workers::new(3).expect("threads");
    let shared = workers.awake(|| {
        let tools = BuildTools {
            scratch: &mut BuildScratch::default(),
            workers: &workers,
        };
        Tree::build(&boxes, tools)
    });
    let shared = shared.expect("boxes are finite");
    assert_eq!(
        format!("{:?}", shared.nodes()),
        format!("{:?}", alone.nodes())
    );
}

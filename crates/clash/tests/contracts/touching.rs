//! Solids that are not convex: what touches is no fault, and what goes into the other one is, whatever holds it.

use clearance_clash::{Kind, Part};
use clearance_math::DVec3;
use clearance_math::glam::{DMat3, DQuat};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::common::{Mesh, block, channel_mesh, clash_of, everything, part_of};

const TOLERANCE: f64 = 1e-3;

/// A mesh turned and moved to where no coordinate is a number of single precision.
fn moved((vertices, triangles): Mesh, turn: DMat3, site: DVec3) -> Mesh {
    let vertices = vertices.into_iter().map(|vertex| turn * vertex + site);
    (vertices.collect(), triangles)
}

fn any_turn(random: &mut Pcg64Mcg) -> DMat3 {
    let numbers = [(); 4].map(|()| random.random_range(-1.0..1.0));
    DMat3::from_quat(DQuat::from_array(numbers).normalize())
}

#[test]
fn plugs_touch_the_walls_of_their_notch_up_to_the_tolerance() {
    let mut random = Pcg64Mcg::seed_from_u64(60);
    for round in 0..300 {
        let (turn, site) = (
            any_turn(&mut random),
            DVec3::splat(1e5 * f64::from(round % 3)),
        );
        // How far it goes into the walls on the left, on the right and at the end: by the last digits, or by more.
        let most = if round % 2 == 0 { 1e-6 } else { 0.02 };
        let into = [(); 3].map(|()| random.random_range(-most..most));
        let firm = into.into_iter().fold(0.0, f64::max);
        if (firm / TOLERANCE - 1.0).abs() < 0.1 {
            continue;
        }
        let [left, right, end] = into;
        let plug = block(
            DVec3::new(1.0 - left, 1.0 - end, 0.0),
            DVec3::new(2.0 + right, 3.0, 1.0),
        );
        let parts = [("a", plug), ("b", channel_mesh([0.0, 1.0, 2.0, 3.0]))];
        let [a, b] = parts.map(|(name, mesh)| part_of(name, &moved(mesh, turn, site)));
        let clash = clash_of(a, b, everything(0.0, TOLERANCE));
        let is_fault = clash.is_some_and(|clash| !clash.is_allowed);
        assert_eq!(is_fault, firm > TOLERANCE, "{into:?} {clash:?}");
        // Where only digits hold it, it is proven that they do.
        let is_held = clash.is_some_and(|clash| clash.kind == Kind::Touch && !clash.is_proven);
        assert!(!(firm < 0.25 * TOLERANCE && is_held), "{into:?} {clash:?}");
        let kind = clash.map(|clash| clash.kind);
        assert_eq!(kind == Some(Kind::Overlap), is_fault, "{into:?} {clash:?}");
    }
}

/// A channel, and the boxes that it is made of.
fn any_channel(random: &mut Pcg64Mcg) -> (Mesh, Vec<[DVec3; 2]>) {
    let mut walls = [0.0; 4];
    for wall in 1..4 {
        walls[wall] = walls[wall - 1] + f64::from(random.random_range(1..4)) * 0.25;
    }
    let [begin, left, right, end] = walls;
    let boxes = [
        [[begin, 0.0, 0.0], [end, 1.0, 1.0]],
        [[begin, 0.0, 0.0], [left, 3.0, 1.0]],
        [[right, 0.0, 0.0], [end, 3.0, 1.0]],
    ];
    let boxes = boxes.map(|ends| ends.map(DVec3::from_array)).to_vec();
    (channel_mesh(walls), boxes)
}

/// How thick the thickest box is that one of each list has in common; 0 or less if none overlap.
fn thickest([some, others]: [&[[DVec3; 2]]; 2]) -> f64 {
    let pairs = some.iter().flat_map(|a| others.iter().map(move |b| (a, b)));
    let common = pairs.map(|(a, b)| (a[1].min(b[1]) - a[0].max(b[0])).min_element());
    common.fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn channels_that_share_space_are_faults_and_others_are_none() {
    let mut random = Pcg64Mcg::seed_from_u64(61);
    let mut counts = [0; 2];
    for _ in 0..400 {
        let (mesh_a, boxes_a) = any_channel(&mut random);
        let (mesh_b, boxes_b) = any_channel(&mut random);
        // On a grid many faces are flush with each other.
        let by = [(); 3].map(|()| f64::from(random.random_range(-8..8)) * 0.25);
        let by = DVec3::from_array(by);
        let boxes_b: Vec<_> = boxes_b
            .iter()
            .map(|ends| ends.map(|end| end + by))
            .collect();
        let shared = thickest([&boxes_a, &boxes_b]);
        let turn = any_turn(&mut random);
        let a = part_of("a", &moved(mesh_a, turn, DVec3::ZERO));
        let b = part_of("b", &moved(mesh_b, turn, turn * by));
        let clash = clash_of(a, b, everything(0.0, TOLERANCE));
        let is_fault = clash.is_some_and(|clash| !clash.is_allowed);
        assert_eq!(is_fault, shared > 0.0, "{shared} {clash:?}");
        counts[usize::from(is_fault)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

#[test]
fn the_same_channel_of_other_triangles_is_a_fault() {
    let (vertices, triangles) = channel_mesh([0.0, 1.0, 2.0, 3.0]);
    // Each triangle in three, by a corner in its middle.
    let mut finer: Mesh = (vertices.clone(), Vec::new());
    for triangle in &triangles {
        let [a, b, c] = *triangle;
        let middle = finer.0.len() as u32;
        let corners = triangle.map(|corner| vertices[corner as usize]);
        finer.0.push(corners.iter().sum::<DVec3>() / 3.0);
        finer
            .1
            .extend([[a, b, middle], [b, c, middle], [c, a, middle]]);
    }
    let [a, b] =
        [("a", (vertices, triangles)), ("b", finer)].map(|(name, mesh)| part_of(name, &mesh));
    let clash = clash_of(a, b, everything(0.0, TOLERANCE)).expect("they overlap");
    assert_eq!((clash.kind, clash.is_allowed), (Kind::Overlap, false));
}

#[test]
fn bodies_that_share_a_face_an_edge_or_a_corner_are_one_solid() {
    for [x, y, z] in [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]] {
        let by = DVec3::new(x, y, z);
        let two = crate::common::both(
            "b",
            [block(DVec3::ZERO, DVec3::ONE), block(by, by + DVec3::ONE)],
        );
        assert_eq!(*two.form(), clearance_clash::Form::Solid, "{by}");
        let probe = |low: f64| -> Part { crate::common::box_of("a", [low; 3], [low + 0.25; 3]) };
        // Within one of them, where no surface is crossed.
        let clash = clash_of(probe(0.3), two.clone(), everything(0.0, TOLERANCE)).expect("inside");
        assert_eq!(clash.kind, Kind::Inside, "{by}");
        let beside = crate::common::box_of("a", [0.0, 0.0, -1.0], [1.0, 1.0, 0.0]);
        let clash = clash_of(beside, two, everything(0.0, TOLERANCE)).expect("a touch");
        assert_eq!((clash.kind, clash.is_allowed), (Kind::Touch, true), "{by}");
    }
}

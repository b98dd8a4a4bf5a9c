//! The kinds of clashes, against constructions whose distances are known.

use clearance_clash::{Allowed, Clash, Form, Kind, Part, Rules, Side};
use clearance_math::DVec3;

use crate::common::{angle, block, box_of, clash_of, cuboid, everything};

/// The site of a building: coordinates that single precision does not have.
const SITE: f64 = 1e6 + 0.1;

fn assert_encloses(clash: &Clash, distance: f64) {
    let (lower, upper) = (f64::from(clash.lower), f64::from(clash.upper));
    // Vertices in single precision beside the part.
    let slack = 1e-6;
    assert!(
        lower <= distance + slack && distance - slack <= upper,
        "{distance}: {clash:?}"
    );
}

#[test]
fn boxes_at_known_depths_and_gaps_are_of_their_kind() {
    for at in [0.0, SITE] {
        for (gap, kind) in [
            (-0.5, Some(Kind::Overlap)),
            (-0.0625, Some(Kind::Overlap)),
            (-0.001, Some(Kind::Touch)),
            (0.0, Some(Kind::Touch)),
            (0.009, Some(Kind::Touch)),
            (0.0625, Some(Kind::Clearance)),
            (0.25, None),
        ] {
            let a = box_of("a", [at, at, at], [at + 1.0, at + 2.0, at + 2.0]);
            let from = at + 1.0 + gap;
            let b = box_of("b", [from, at - 1.0, at], [from + 1.0, at + 3.0, at + 3.0]);
            let clash = clash_of(a, b, everything(0.125, 0.01));
            assert_eq!(clash.map(|clash| clash.kind), kind, "{gap} at {at}");
            if let Some(clash) = clash {
                assert!(clash.is_proven && !clash.is_allowed, "{clash:?}");
                assert_encloses(&clash, gap);
                assert!((clash.point_a[0] - at - 1.0).abs() < 1e-5, "{clash:?}");
                assert!((clash.point_b[0] - from).abs() < 1e-5, "{clash:?}");
                assert!((clash.normal[0] - 1.0).abs() < 1e-5, "{clash:?}");
            }
        }
    }
}

#[test]
fn a_wall_that_stands_on_a_slab_touches_it_at_exactly_zero() {
    for at in [0.0, 262_144.0] {
        let slab = box_of("slab", [at, -0.25, 0.0], [at + 6.0, 0.0, 6.0]);
        let wall = box_of("wall", [at, 0.0, 0.0], [at + 6.0, 2.7, 0.1]);
        let clash = clash_of(slab, wall, everything(0.0, 0.0)).expect("they touch");
        assert_eq!((clash.kind, clash.distance), (Kind::Touch, 0.0));
        assert!(clash.is_allowed);
    }
}

#[test]
fn what_lies_wholly_in_another_is_inside() {
    let outer = || box_of("b", [0.0; 3], [4.0; 3]);
    let cases = [
        (box_of("a", [1.0; 3], [2.0; 3]), true),
        // Flush with three sides.
        (box_of("a", [0.0; 3], [2.0; 3]), true),
        (box_of("a", [-0.001; 3], [2.0; 3]), true),
        (box_of("a", [-0.02; 3], [2.0; 3]), false),
        (cuboid("a", [1.0; 3], [2.0; 3]), true),
        (cuboid("a", [1.0; 3], [3.5; 3]), false),
        (angle("a", [1.0; 3]), true),
    ];
    for (inner, is_inside) in cases {
        let clash = clash_of(inner.clone(), outer(), everything(0.0, 0.01)).expect("they overlap");
        let expected = if is_inside {
            (Kind::Inside, Some(Side::A))
        } else {
            (Kind::Overlap, None)
        };
        assert_eq!((clash.kind, clash.inner), expected, "{inner:?}");
    }
}

#[test]
fn what_lies_in_a_solid_that_is_not_convex_is_inside_and_what_crosses_it_is_not() {
    let cases = [
        ([0.25, 0.25, 0.25], [0.75, 1.5, 0.75], Some(Kind::Inside)),
        // In the notch, in contact with nothing.
        ([1.25, 1.25, 0.25], [1.75, 1.75, 0.75], None),
        // All corners are within, but the middle is in the notch's wall.
        ([0.5, 0.5, 0.25], [1.5, 1.5, 0.75], Some(Kind::Overlap)),
    ];
    for (low, high, kind) in cases {
        let inner = box_of("a", low, high);
        let clash = clash_of(inner, angle("b", [0.0; 3]), everything(0.0, 0.001));
        assert_eq!(clash.map(|clash| clash.kind), kind, "{low:?}");
    }
}

#[test]
fn the_same_thing_twice_is_a_duplicate() {
    let one = || angle("a", [SITE, 0.0, 0.0]);
    let moved = |by: f64| angle("b", [SITE + by, 0.0, 0.0]);
    let kind = |by| clash_of(one(), moved(by), everything(0.0, 0.01)).map(|clash| clash.kind);
    assert_eq!(kind(0.0), Some(Kind::Duplicate));
    assert_eq!(kind(0.005), Some(Kind::Duplicate));
    assert_eq!(kind(0.02), Some(Kind::Overlap));
    let other = cuboid("b", [0.5; 3], [0.5; 3]);
    // The same box in another representation.
    let clash = clash_of(
        box_of("a", [0.0; 3], [1.0; 3]),
        other,
        everything(0.0, 0.001),
    );
    assert_eq!(clash.map(|clash| clash.kind), Some(Kind::Duplicate));
}

#[test]
fn triangles_in_another_order_are_still_a_duplicate() {
    let (vertices, mut triangles) = block(DVec3::ZERO, DVec3::ONE);
    // One is missing, so that it is a surface.
    triangles.pop();
    let a = Part::of_mesh("a", &vertices, &triangles).expect("valid");
    assert!(matches!(a.form(), Form::Surface { .. }));
    let vertices: Vec<DVec3> = vertices.into_iter().rev().collect();
    let turned = triangles
        .iter()
        .rev()
        .map(|&[a, b, c]| [7 - c, 7 - a, 7 - b]);
    let turned: Vec<[u32; 3]> = turned.collect();
    let b = Part::of_mesh("b", &vertices, &turned).expect("valid");
    let clash = clash_of(a.clone(), b, everything(0.0, 0.001)).expect("a duplicate");
    assert_eq!((clash.kind, clash.is_proven), (Kind::Duplicate, true));
    let beside = clash_of(
        a,
        box_of("b", [1.0, 0.0, 0.0], [2.0, 1.0, 1.0]),
        everything(0.0, 0.001),
    );
    assert_eq!(beside.map(|clash| clash.kind), Some(Kind::Touch));
}

#[test]
fn open_and_turned_over_meshes_are_surfaces_with_a_reason() {
    let (vertices, triangles) = block(DVec3::ZERO, DVec3::ONE);
    let mut flipped = triangles.clone();
    flipped[4].swap(0, 1);
    let inside_out: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let cases = [
        (triangles[1..].to_vec(), "neighbour"),
        (flipped, "direction"),
        (inside_out, "encloses"),
    ];
    for (triangles, word) in cases {
        let part = Part::of_mesh("a", &vertices, &triangles).expect("a surface");
        let Form::Surface { reason } = part.form() else {
            panic!("{word}: a solid");
        };
        assert!(reason.contains(word), "{reason}");
        // What lies within a surface and does not touch it is no clash.
        let inner = || box_of("b", [0.25; 3], [0.75; 3]);
        assert_eq!(clash_of(part.clone(), inner(), everything(0.0, 0.01)), None);
        let crossing = box_of("b", [0.25, 0.25, -0.5], [0.75, 0.75, 0.5]);
        let clash = clash_of(part, crossing, everything(0.0, 0.01)).expect("they cross");
        assert_eq!(clash.kind, Kind::Overlap);
    }
}

#[test]
fn an_open_surface_in_a_solid_is_inside() {
    let sheet = |low: f64, high: f64| {
        let corners = [[low, low], [high, low], [high, high], [low, high]];
        let vertices = corners.map(|[x, y]| DVec3::new(x, y, 0.5));
        Part::of_mesh("a", &vertices, &[[0, 1, 2], [0, 2, 3]]).expect("a surface")
    };
    let outer = || box_of("b", [0.0; 3], [1.0; 3]);
    let kind = |part| clash_of(part, outer(), everything(0.0, 0.001)).map(|clash| clash.kind);
    assert_eq!(kind(sheet(0.25, 0.75)), Some(Kind::Inside));
    assert_eq!(kind(sheet(0.25, 1.5)), Some(Kind::Overlap));
}

#[test]
fn walls_of_a_turned_building_touch_and_are_proven_to() {
    // Turned by an angle at which no coordinate is a number of single precision.
    let turned = |name: &str, low: [f64; 3], high: [f64; 3]| {
        let (vertices, triangles) = block(low.into(), high.into());
        let (sin, cos) = (0.35_f64.sin(), 0.35_f64.cos());
        let turn = |v: DVec3| DVec3::new(cos * v.x + sin * v.z + SITE, v.y, cos * v.z - sin * v.x);
        let vertices: Vec<DVec3> = vertices.into_iter().map(turn).collect();
        Part::of_mesh(name, &vertices, &triangles).expect("a valid mesh")
    };
    let rules = || Rules::everything(Allowed::default());
    for number in 0..20 {
        let x = 6.3 * f64::from(number);
        let a = turned("a", [x, -0.25, 0.0], [x + 6.3, 0.0, 5.7]);
        let b = turned("b", [x + 6.3, -0.25, 0.0], [x + 12.6, 0.0, 5.7]);
        let clash = clash_of(a, b, rules()).expect("they touch");
        assert_eq!(
            (clash.kind, clash.is_proven),
            (Kind::Touch, true),
            "{clash:?}"
        );
        assert!(clash.distance.abs() < 1e-5, "{clash:?}");
    }
}

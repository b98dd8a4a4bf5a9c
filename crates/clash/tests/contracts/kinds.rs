//! The kinds of clashes, against constructions whose distances are known.

use clearance_clash::{Allowed, Assembly, Check, Clash, Form, Kind, Part, Rules, Side};
use clearance_math::DVec3;

use crate::common::{angle, angle_of, block, both, box_of, channel, clash_of, cuboid, everything};

/// The site of a building: coordinates that single precision does not have.
const SITE: f64 = 1e6 + 0.1;

fn assert_encloses(clash: &Clash, distance: f64) {
    let (lower, upper) = (f64::from(clash.lower), f64::from(clash.upper));
    assert!(
        lower <= distance && distance <= upper,
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
                assert_encloses(&clash, from - (at + 1.0));
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

/// A box with a cavity from 1 to 3.
fn hollow() -> Part {
    let (vertices, mut faces) = block(DVec3::ONE, DVec3::splat(3.0));
    faces.iter_mut().for_each(|face| face.swap(1, 2));
    both(
        "b",
        [block(DVec3::ZERO, DVec3::splat(4.0)), (vertices, faces)],
    )
}

#[test]
fn what_fills_a_notch_or_a_cavity_is_not_inside() {
    let core = |by: f64| box_of("a", [1.0 - by; 3], [3.0 + by; 3]);
    let cases = [
        (
            box_of("a", [1.0, 1.0, 0.0], [2.0, 3.0, 1.0]),
            channel("b", [0.0, 1.0, 2.0, 3.0]),
        ),
        (core(0.0), hollow()),
    ];
    let within = everything(0.0, 0.001);
    for (inner, outer) in cases {
        let clash = clash_of(inner, outer, within.clone()).expect("they touch");
        assert_eq!(clash.kind, Kind::Touch, "{clash:?}");
    }
    // Pressed into its cavity it leaves all walls at once only through one of them.
    let pressed = clash_of(core(0.002), hollow(), within.clone()).expect("they overlap");
    assert_eq!(pressed.kind, Kind::Overlap, "{pressed:?}");
    assert!((pressed.distance + 3.002).abs() < 1e-6, "{pressed:?}");
    // By less than the tolerance it only touches them.
    let fitted = clash_of(core(1e-4), hollow(), within).expect("they touch");
    assert_eq!(
        (fitted.kind, fitted.is_allowed),
        (Kind::Touch, true),
        "{fitted:?}"
    );
    assert_encloses(&fitted, -3.0001);
}

#[test]
fn what_bridges_a_notch_or_swallows_a_cavity_is_not_inside() {
    // One piece lies in an arm, the other one only touches both arms.
    let pieces = [
        block(DVec3::splat(0.2), DVec3::splat(0.4)),
        block(DVec3::new(1.0, 1.5, 0.2), DVec3::new(2.0, 2.5, 0.8)),
    ];
    let notched = || channel("b", [0.0, 1.0, 2.0, 3.0]);
    let cases = [
        (box_of("a", [0.5; 3], [3.5; 3]), hollow()),
        (both("a", pieces), notched()),
        // Its ends lie in the arms, and no face goes through one of the notch.
        (box_of("a", [0.5, 1.0, 0.0], [2.5, 3.0, 1.0]), notched()),
        // As near to the walls of the notch as the tolerance.
        (
            box_of("a", [1.0005, 1.0005, 0.1], [1.9995, 2.9, 0.9]),
            notched(),
        ),
    ];
    for (inner, outer) in cases {
        let clash = clash_of(inner, outer, everything(0.0, 0.001)).expect("they are near");
        assert!(
            matches!(clash.kind, Kind::Overlap | Kind::Touch),
            "{clash:?}"
        );
    }
    let within = clash_of(
        box_of("a", [0.2; 3], [0.8; 3]),
        notched(),
        everything(0.0, 0.001),
    );
    assert_eq!(within.map(|clash| clash.kind), Some(Kind::Inside));
}

#[test]
fn bounds_enclose_the_distance_of_the_vertices_as_they_were_given() {
    let gap = |[from, to]: [f64; 2], rules| {
        let a = box_of("a", [from - 1.0, 0.0, 0.0], [from, 1.0, 1.0]);
        let b = box_of("b", [to, 0.0, 0.0], [to + 1.0, 1.0, 1.0]);
        let clash = clash_of(a, b, rules).expect("they are near");
        assert_encloses(&clash, to - from);
    };
    gap(
        [1.0, 1.0005],
        Rules::everything(Allowed {
            clearance: 0.01,
            tolerance: None,
        }),
    );
    // By rounded vertices they would be as far apart as they must be.
    let site = 1e6 + 100.3;
    gap([site, site + 0.049_999], everything(0.049_999_1, 0.0));
}

#[test]
fn vertices_that_were_rounded_prove_no_depth_of_what_fits_exactly() {
    // The plug is wider than the notch, so that only the way along z leads out. In single precision the notch is wider: its walls
    // are at 1000 and 1001.000061.
    let outer = channel("b", [0.0, 1_000.000_02, 1_001.000_04, 1_002.0]);
    let plug = box_of("a", [1_000.000_01, 1.000_01, 0.0], [1_001.000_05, 3.0, 1.0]);
    let clash = clash_of(plug, outer, everything(0.0, 0.001)).expect("they touch");
    assert_encloses(&clash, -1.0);
}

#[test]
fn parts_thinner_than_the_tolerance_are_duplicates_too() {
    let sheet = |name| box_of(name, [0.0; 3], [2.0, 1.0, 0.0005]);
    let clash = clash_of(sheet("a"), sheet("b"), everything(0.0, 0.001)).expect("a duplicate");
    assert_eq!((clash.kind, clash.is_allowed), (Kind::Duplicate, false));
}

#[test]
fn thin_parts_that_lie_on_each_other_are_two() {
    for (thickness, low, tolerance) in [
        (0.0005, 0.0005, 0.001),
        (0.0005, 0.0008, 0.001),
        (0.002, 0.002, 0.005),
        (0.002, 0.0045, 0.005),
    ] {
        let sheet = |low: f64| box_of("a", [0.0, 0.0, low], [2.0, 1.0, low + thickness]);
        let clash = clash_of(sheet(0.0), sheet(low), everything(0.0, tolerance)).expect("a touch");
        assert_eq!(
            (clash.kind, clash.is_allowed),
            (Kind::Touch, true),
            "{thickness} {low}"
        );
    }
}

#[test]
fn thin_sheets_with_a_notch_are_duplicates_and_on_each_other_two() {
    let kind = |moved: [f64; 3]| {
        let [a, b] = [("a", [0.0; 3]), ("b", moved)].map(|(name, at)| angle_of(name, at, 0.0005));
        clash_of(a, b, everything(0.0, 0.001)).map(|clash| clash.kind)
    };
    assert_eq!(kind([0.0; 3]), Some(Kind::Duplicate));
    assert_eq!(kind([1e-5, 0.0, 1e-5]), Some(Kind::Duplicate));
    assert_eq!(kind([0.0, 0.0, 0.0005]), Some(Kind::Touch));
    assert_eq!(kind([0.0, 0.0, 0.0008]), Some(Kind::Touch));
}

#[test]
fn a_surface_and_the_same_one_turned_over_are_duplicates() {
    let (vertices, triangles) = block(DVec3::ZERO, DVec3::ONE);
    let turned: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    for first in [0, 1] {
        let part =
            |name, triangles: &[[u32; 3]]| Part::of_mesh(name, &vertices, &triangles[first..]);
        let (a, b) = (part("a", &triangles), part("b", &turned));
        let clash = clash_of(a.expect("valid"), b.expect("valid"), everything(0.0, 0.001));
        assert_eq!(
            clash.map(|clash| clash.kind),
            Some(Kind::Duplicate),
            "{first}"
        );
    }
}

#[test]
fn a_clearance_below_the_usual_tolerance_still_counts() {
    let a = box_of("a", [0.0; 3], [200.0; 3]);
    let beside = |gap: f64| box_of("b", [200.0 + gap, 0.0, 0.0], [400.0, 200.0, 200.0]);
    let rules = || {
        Rules::everything(Allowed {
            clearance: 0.001,
            tolerance: None,
        })
    };
    let clash = clash_of(a.clone(), beside(0.0005), rules()).expect("too near");
    assert_eq!((clash.kind, clash.is_allowed), (Kind::Clearance, false));
    let touching = clash_of(a.clone(), beside(0.0), rules()).expect("too near");
    assert_eq!((touching.kind, touching.is_allowed), (Kind::Touch, false));
    assert_eq!(clash_of(a, beside(0.0015), rules()), None);
}

#[test]
fn a_tolerance_not_below_the_clearance_is_refused() {
    let parts = || Assembly::new(vec![box_of("a", [0.0; 3], [1.0; 3])]);
    let refused = Check::within(parts(), everything(0.01, 0.01))
        .unwrap_err()
        .to_string();
    assert_eq!(
        refused,
        "the tolerance is 0.01, must be below the clearance, 0.01"
    );
    let text = r#"{"rules": [{"between": ["a", "b"]}, {"between": ["a", "*"], "clearance": 0.5, "tolerance": 1}]}"#;
    let refused = Check::within(parts(), Rules::from_json(text).unwrap())
        .unwrap_err()
        .to_string();
    assert_eq!(
        refused,
        "rule \"a, *\": the tolerance is 1, must be below the clearance, 0.5"
    );
    assert!(Check::within(parts(), everything(0.0, 0.01)).is_ok());
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

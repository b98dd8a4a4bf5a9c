//! The part of `COVERAGE.md` about casts, made by casting every kind of shape against every kind.

use clearance_gjk::{Cast, CastOptions, Motion, Placed, Status, cast_shapes};
use clearance_math::{DVec3, Pose, Real, Rotation, Vec2, Vec3, Vector};
use clearance_shapes::Shape;

use crate::common::Pcg;
use crate::composite_shapes::Composites;
use crate::coverage::{Seen, entries, table};
use crate::coverage_questions::makers;

/// Random pairs cast for each entry straight, and as many that turn.
const SAMPLES: usize = 100;

/// How far apart the origins are at the start, in sizes.
const START: f64 = 4.0;

/// How far b goes towards a, as a share of the way to its origin.
const WAY: f64 = 2.0;

/// The greatest angle that a shape turns by on its way, in radians.
const TURN: f64 = 6.0;

/// What was seen of a pair of kinds.
struct Casts {
    straight: Seen,
    turning: Seen,
    /// How many of both stopped at the iteration limit.
    limited: usize,
}

/// What makes a shape.
type Make<V> = Box<dyn Fn(&mut Pcg) -> Shape<V>>;

fn cast_all<V: Composites>(kinds: [&Make<V>; 2]) -> Casts {
    let mut random = Pcg::new(53);
    let mut seen = Casts {
        straight: Seen::nothing(),
        turning: Seen::nothing(),
        limited: 0,
    };
    for _ in 0..SAMPLES {
        let shapes = kinds.map(|make| make(&mut random));
        let from = V::from_precise(random.direction::<V::Precise>() * START);
        let poses = [V::ZERO, from].map(|from| Pose::new(from, V::any_rotation(&mut random)));
        let aim = random.point::<V>(1.0) - from;
        let way = aim * WAY as Real;
        let turns = [(); 2].map(|()| turn::<V>(&mut random));
        let none = V::Angular::default();
        for angular in [[none, none], turns] {
            let [a, b] = [0, 1].map(|side| {
                let linear = if side == 0 { V::ZERO } else { way };
                let placed = Placed::new(&shapes[side], &poses[side]);
                Cast::new(placed, Motion::new(linear, angular[side]))
            });
            let hit = cast_shapes(a, b, CastOptions::default()).expect("valid input");
            // Shapes that overlap at the start have nothing to measure.
            let Some(hit) = hit.filter(|hit| hit.time > 0.0) else {
                continue;
            };
            let width = f64::from(hit.time_upper) - f64::from(hit.time_lower);
            seen.limited += usize::from(hit.status == Status::IterationLimit);
            let kind = if angular == turns {
                &mut seen.turning
            } else {
                &mut seen.straight
            };
            kind.add(hit.status == Status::Exact, width);
        }
    }
    seen.straight.sort();
    seen.turning.sort();
    seen
}

fn turn<V: Vector>(random: &mut Pcg) -> V::Angular {
    let turn = random.direction::<DVec3>() * random.between(0.0, TURN);
    V::Rotation::angular_from_space(turn.as_vec3())
}

fn cell(seen: &Seen) -> String {
    if seen.is_empty() {
        "at once".to_owned()
    } else {
        seen.distribution()
    }
}

/// The tables of casts straight and turning, and how many of all casts stopped at the iteration limit.
fn tables<V: Composites>() -> ([String; 2], usize) {
    let entries = entries(&makers::<V>(), cast_all);
    let limited = entries.iter().map(|entry| entry.seen.limited).sum();
    let straight = table(&entries, |casts| cell(&casts.straight));
    let turning = table(&entries, |casts| cell(&casts.turning));
    ([straight, turning], limited)
}

/// The section of the document.
pub(crate) fn section() -> String {
    let ([straight_2, turning_2], limited_2) = tables::<Vec2>();
    let ([straight_3, turning_3], limited_3) = tables::<Vec3>();
    format!(
        "\n## Casts\n\n\
         Each entry is made from {SAMPLES} pairs whose origins are {START} sizes apart. One goes {WAY} times as far as to a\n\
         point near the origin of the other; in the second table both turn by up to {TURN} radians on the way. All\n\
         pairs are cast by planes that keep them apart for a proven time, a composite by its parts; only balls\n\
         and two half-spaces that do not turn have closed forms. Shown is `time_upper - time_lower`, where the whole motion takes 1, as\n\
         above: the median, what 99 % of the hits keep below, and the worst. `at once`: half-spaces that\n\
         do not face each other overlap at any time.\n\n\
         Of all these casts, {limited_2} in the plane and {limited_3} in space stopped at the iteration limit, because the\n\
         shapes graze each other.\n\n\
         ### In the plane, straight\n\n{straight_2}\n### In the plane, turning\n\n{turning_2}\n\
         ### In space, straight\n\n{straight_3}\n### In space, turning\n\n{turning_3}"
    )
}

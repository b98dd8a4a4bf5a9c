//! The table of `COVERAGE.md`, made by asking: which pairs are measured by a closed form, which by
//! iteration, and how tight the bounds are.

mod common;

use std::fmt::Write;

use clearance_gjk::{Proximity, Separation, Status, measure};
use clearance_math::{Real, Vec2, Vec3, Vector};
use common::{Kind, Pcg, Placement, Space, beside, body, size_of};

/// One kind of shape for each kind of core.
const CORES: [(Kind, &str); 9] = [
    (Kind::HalfSpace, "half-space"),
    (Kind::Ball, "point"),
    (Kind::Capsule, "segment"),
    (Kind::Triangle, "triangle"),
    (Kind::Cuboid, "cuboid"),
    (Kind::Hull, "hull"),
    (Kind::Cylinder, "cylinder"),
    (Kind::Cone, "cone"),
    (Kind::Ellipsoid, "ellipsoid"),
];

/// Random pairs asked for each entry.
const SAMPLES: usize = 200;

/// What was seen of one pair of kinds, apart or overlapping.
struct Seen {
    exact: usize,
    /// (upper - lower) / size, ascending.
    tightness: Vec<f64>,
}

impl Seen {
    fn of<V: Space>(kinds: (Kind, Kind), placements: [Placement; 2]) -> Self {
        let mut random = Pcg::new(51);
        let mut seen = Self {
            exact: 0,
            tightness: Vec::new(),
        };
        for round in 0..SAMPLES {
            let a = body::<V>(kinds.0, &mut random, 1.0);
            let b = body::<V>(kinds.1, &mut random, 1.0);
            let b = beside(&mut random, &a, &b, placements[round % 2]);
            let answer = measure(a.placed(), b.placed(), Real::INFINITY);
            if let Proximity::Near(answer) = answer {
                seen.exact += usize::from(answer.status == Status::Exact);
                seen.tightness.push(tightness(&answer, size_of(&a, &b)));
            }
        }
        seen.tightness.sort_by(f64::total_cmp);
        seen
    }

    /// Which ways at least a tenth of the pairs were measured by.
    fn ways(&self) -> &'static str {
        let count = self.tightness.len();
        let (often, rarely) = (10 * self.exact >= 9 * count, 10 * self.exact <= count);
        match (often, rarely) {
            _ if count == 0 => "no bound",
            (true, _) => "closed form",
            (_, true) => "GJK",
            _ => "both",
        }
    }

    fn median_and_worst(&self) -> String {
        match self.tightness.as_slice() {
            [] => "no bound".to_owned(),
            all => {
                let (median, worst) = (all[all.len() / 2], all[all.len() - 1]);
                format!("{} {}", power_of_ten(median), power_of_ten(worst))
            }
        }
    }
}

fn tightness<V: Vector>(answer: &Separation<V>, size: f64) -> f64 {
    // Relative to what is rounded last: the distance, where it is larger than the shapes.
    let scale = size.max(f64::from(answer.distance.abs()));
    (f64::from(answer.upper) - f64::from(answer.lower)) / scale
}

/// The least power of ten that is not below the value, and not below what single precision shows.
fn power_of_ten(value: f64) -> String {
    let exponent = (1..=6)
        .rev()
        .find(|&k| value <= 10f64.powi(-k))
        .unwrap_or(0);
    format!("1e-{exponent}")
}

const APART: [Placement; 2] = [Placement::Near, Placement::Near];
const OVERLAPPING: [Placement; 2] = [Placement::Shallow, Placement::Deep];

fn table<V: Space>(entry: impl Fn((Kind, Kind)) -> String) -> String {
    let cores: Vec<(Kind, &str)> = CORES
        .into_iter()
        .filter(|(kind, _)| Kind::all::<V>().any(|k| k == *kind))
        .collect();
    let mut text = String::from("| |");
    for (_, name) in &cores {
        write!(text, " {name} |").expect("a string grows");
    }
    text += "\n|---|";
    text += &"---|".repeat(cores.len());
    for (row, (kind_a, name)) in cores.iter().enumerate() {
        write!(text, "\n| **{name}** |").expect("a string grows");
        for (kind_b, _) in &cores[..=row] {
            write!(text, " {} |", entry((*kind_a, *kind_b))).expect("a string grows");
        }
        text += &" |".repeat(cores.len() - row - 1);
    }
    text + "\n"
}

fn ways<V: Space>() -> String {
    table::<V>(|kinds| {
        let apart = Seen::of::<V>(kinds, APART).ways();
        let overlapping = Seen::of::<V>(kinds, OVERLAPPING).ways();
        if apart == overlapping {
            apart.to_owned()
        } else {
            format!("{apart} / {overlapping}")
        }
    })
}

fn tightnesses<V: Space>() -> String {
    table::<V>(|kinds| {
        let apart = Seen::of::<V>(kinds, APART).median_and_worst();
        let overlapping = Seen::of::<V>(kinds, OVERLAPPING).median_and_worst();
        format!("{apart} / {overlapping}")
    })
}

fn document() -> String {
    format!(
        "# Which pairs are measured how\n\n\
         Written by the test `coverage` from what the pair function answers; run it with\n\
         `UPDATE_COVERAGE=1 cargo test -p clearance-gjk --test coverage` to write it anew.\n\
         No pair is unsupported. The kinds are those of the cores: a ball is a point with a\n\
         radius, a capsule a segment, a rounded shape what it rounds. A pair and its exchange are\n\
         measured alike.\n\n\
         ## The way\n\n\
         Apart / overlapping, or one word for both. Where the closed form of a pair does not\n\
         decide, iteration does: `both` stands where each way measured at least a tenth of\n\
         {SAMPLES} random pairs. Cores of overlapping shapes with a radius may be apart.\n\n\
         ### In the plane\n\n{}\n### In space\n\n{}\n\
         ## The bounds\n\n\
         (upper - lower) / size of {SAMPLES} random pairs, rounded up to a power of ten of at\n\
         least 1e-6 (single precision shows 1e-7): median and worst apart / median and worst\n\
         overlapping. The size is the greater reach of the two shapes, or the distance if that is\n\
         greater.\n\n\
         ### In the plane\n\n{}\n### In space\n\n{}",
        ways::<Vec2>(),
        ways::<Vec3>(),
        tightnesses::<Vec2>(),
        tightnesses::<Vec3>(),
    )
}

#[test]
fn the_coverage_table_is_true() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/COVERAGE.md");
    let document = document();
    if std::env::var_os("UPDATE_COVERAGE").is_some() {
        std::fs::write(path, &document).expect("COVERAGE.md can be written");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    let differing = document
        .lines()
        .zip(written.lines())
        .find(|(now, then)| now != then);
    assert!(
        written == document,
        "COVERAGE.md is out of date; rewrite it with \
         `UPDATE_COVERAGE=1 cargo test -p clearance-gjk --test coverage`; first difference: {differing:?}"
    );
}

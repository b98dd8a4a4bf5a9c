//! The table of `COVERAGE.md`, made by asking: which pairs are measured by a closed form, which by
//! iteration, and how tight the bounds are. Always the same pairs, so that asking again writes the
//! same document on every machine.

use std::fmt::Write;

use clearance_gjk::{Proximity, Separation, Status, measure};
use clearance_math::{Real, Vec2, Vec3, Vector};

use crate::common::{Kind, Pcg, Placement, Space, beside, body, size_of};

/// One kind of shape for each kind of core.
pub(crate) const CORES: [(Kind, &str); 11] = [
    (Kind::HalfSpace, "half-space"),
    (Kind::Ball, "point"),
    (Kind::Capsule, "segment"),
    (Kind::Triangle, "triangle"),
    (Kind::Cuboid, "cuboid"),
    (Kind::Hull, "hull"),
    (Kind::Cylinder, "cylinder"),
    (Kind::Cone, "cone"),
    (Kind::Ellipsoid, "ellipsoid"),
    (Kind::TaperedCapsule, "tapered capsule"),
    (Kind::TaperedCylinder, "tapered cylinder"),
];

/// Random pairs asked for each entry apart, and as many overlapping.
pub(crate) const SAMPLES: usize = 400;

/// What was seen of one pair of kinds, apart or overlapping.
pub(crate) struct Seen {
    exact: usize,
    /// (upper - lower) / size, ascending.
    tightness: Vec<f64>,
}

impl Seen {
    fn of<V: Space>(kinds: (Kind, Kind), placements: [Placement; 2]) -> Self {
        let mut random = Pcg::new(51);
        let mut seen = Self::nothing();
        for round in 0..SAMPLES {
            let a = body::<V>(kinds.0, &mut random, 1.0);
            let b = body::<V>(kinds.1, &mut random, 1.0);
            let b = beside(&mut random, &a, &b, placements[round % 2]);
            let answer = measure(a.placed(), b.placed(), Real::INFINITY);
            if let Proximity::Near(answer) = answer {
                let tightness = tightness(&answer, size_of(&a, &b));
                seen.add(answer.status == Status::Exact, tightness);
            }
        }
        seen.sort();
        seen
    }

    pub(crate) fn nothing() -> Self {
        Self {
            exact: 0,
            tightness: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, is_exact: bool, tightness: f64) {
        self.exact += usize::from(is_exact);
        self.tightness.push(tightness);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tightness.is_empty()
    }

    pub(crate) fn sort(&mut self) {
        self.tightness.sort_by(f64::total_cmp);
    }

    /// Which ways at least a tenth of the pairs were measured by.
    pub(crate) fn ways(&self) -> &'static str {
        let count = self.tightness.len();
        let (often, rarely) = (10 * self.exact >= 9 * count, 10 * self.exact <= count);
        match (often, rarely) {
            _ if count == 0 => "no bound",
            (true, _) => "closed form",
            (_, true) => "GJK",
            _ => "both",
        }
    }

    /// Median, 99 % and worst.
    pub(crate) fn distribution(&self) -> String {
        let Some(last) = self.tightness.len().checked_sub(1) else {
            return "no bound".to_owned();
        };
        let [median, most, worst] =
            [last / 2, last * 99 / 100, last].map(|place| rounded_up(self.tightness[place]));
        format!("{median} {most} {worst}")
    }
}

/// What was seen of one pair of kinds.
pub(crate) struct Entry<T> {
    names: [&'static str; 2],
    pub(crate) seen: T,
}

/// What `seen` tells of all pairs of kinds, each in one order, row by row.
pub(crate) fn entries<K, T>(
    kinds: &[(&'static str, K)],
    seen: impl Fn([&K; 2]) -> T,
) -> Vec<Entry<T>> {
    let mut entries = Vec::new();
    for (row, (name_a, a)) in kinds.iter().enumerate() {
        for (name_b, b) in &kinds[..=row] {
            entries.push(Entry {
                names: [name_a, name_b],
                seen: seen([a, b]),
            });
        }
    }
    entries
}

/// What was measured of a pair of kinds, apart and overlapping.
struct Distances {
    apart: Seen,
    overlapping: Seen,
}

fn distances<V: Space>() -> Vec<Entry<Distances>> {
    let exists = |kind: Kind| Kind::all::<V>().any(|other| other == kind);
    let cores = CORES.into_iter().filter(|(kind, _)| exists(*kind));
    let cores: Vec<_> = cores.map(|(kind, name)| (name, kind)).collect();
    entries(&cores, |[a, b]| Distances {
        apart: Seen::of::<V>((*a, *b), APART),
        overlapping: Seen::of::<V>((*a, *b), OVERLAPPING),
    })
}

fn tightness<V: Vector>(answer: &Separation<V>, size: f64) -> f64 {
    // Relative to what is rounded last: the distance, where it is larger than the shapes.
    let scale = size.max(f64::from(answer.distance.abs()));
    (f64::from(answer.upper) - f64::from(answer.lower)) / scale
}

/// The least of one or three times a power of ten that is not below the value, and not below what
/// single precision shows.
pub(crate) fn rounded_up(value: f64) -> String {
    let classes = (-7..0).flat_map(|exponent| [1, 3].map(|digit| (digit, exponent)));
    classes
        .map(|(digit, exponent)| format!("{digit}e{exponent}"))
        .find(|class| value <= class.parse().expect("a number"))
        .unwrap_or_else(|| "more".to_owned())
}

const APART: [Placement; 2] = [Placement::Near, Placement::Near];
const OVERLAPPING: [Placement; 2] = [Placement::Shallow, Placement::Deep];

/// A table with a row and a column for each kind, filled below the diagonal.
pub(crate) fn table<T>(entries: &[Entry<T>], cell: impl Fn(&T) -> String) -> String {
    let mut names: Vec<&str> = entries.iter().map(|entry| entry.names[0]).collect();
    names.dedup();
    let mut text = format!("| | {} |\n|---|", names.join(" | "));
    text += &"---|".repeat(names.len());
    for name in &names {
        write!(text, "\n| **{name}** |").expect("a string grows");
        let row = entries.iter().filter(|entry| entry.names[0] == *name);
        let cells: Vec<String> = row.map(|entry| cell(&entry.seen)).collect();
        for cell in &cells {
            write!(text, " {cell} |").expect("a string grows");
        }
        text += &" |".repeat(names.len() - cells.len());
    }
    text + "\n"
}

fn ways(entry: &Distances) -> String {
    let (apart, overlapping) = (entry.apart.ways(), entry.overlapping.ways());
    if apart == overlapping {
        apart.to_owned()
    } else {
        format!("{apart} / {overlapping}")
    }
}

/// The tables of one dimension: the way, the bounds apart and overlapping.
fn tables(entries: &[Entry<Distances>]) -> [String; 3] {
    [
        table(entries, ways),
        table(entries, |entry| entry.apart.distribution()),
        table(entries, |entry| entry.overlapping.distribution()),
    ]
}

fn document() -> String {
    let [ways_2, apart_2, overlapping_2] = tables(&distances::<Vec2>());
    let [ways_3, apart_3, overlapping_3] = tables(&distances::<Vec3>());
    format!(
        "# Which pairs are measured how\n\n\
         Written by the test `coverage` from what the pair function answers; run it with\n\
         `UPDATE_COVERAGE=1 cargo test -p clearance-gjk --test contracts coverage` to write it anew.\n\
         No pair is unsupported. The kinds are those of the cores: a ball is a point with a\n\
         radius, a capsule a segment, a rounded shape what it rounds. A pair and its exchange are\n\
         measured alike. Each entry is made from {SAMPLES} random pairs apart and {SAMPLES}\n\
         overlapping, always the same ones; the test asks them all again.\n\n\
         ## The way\n\n\
         Apart / overlapping, or one word for both. Where the closed form of a pair does not\n\
         decide, iteration does: `both` stands where each way measured at least a tenth of the\n\
         pairs. Cores of overlapping shapes with a radius may be apart.\n\n\
         ### In the plane\n\n{ways_2}\n### In space\n\n{ways_3}\n\
         ## The bounds\n\n\
         (upper - lower) / size, rounded up to one or three times a power of ten, of which single\n\
         precision shows 1e-7: the median, what 99 % of the pairs keep below, and the worst. The\n\
         size is the greater reach of the two shapes, or the distance if that is greater.\n\n\
         ### In the plane, apart\n\n{apart_2}\n### In the plane, overlapping\n\n{overlapping_2}\n\
         ### In space, apart\n\n{apart_3}\n### In space, overlapping\n\n{overlapping_3}{}{}{}",
        crate::coverage_questions::section(),
        crate::coverage_casts::section(),
        crate::coverage_manifolds::section()
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
         `UPDATE_COVERAGE=1 cargo test -p clearance-gjk --test contracts coverage`; first difference: {differing:?}"
    );
}

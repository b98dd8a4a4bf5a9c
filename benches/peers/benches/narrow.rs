//! Single pairs, cold: no pair is asked for twice in a row, and nothing is kept from the time before.

use core::cell::RefCell;
use core::hint::black_box;
use std::error::Error;

use clearance_benches::{Kind, Pair, Placement, pairs, resting_pairs};
use clearance_gjk::{Question, contact_manifold, intersects, manifold_each, proximity};
use clearance_math::{Real, Vec3};
use clearance_peers::space::{self, Form};
use clearance_peers::{Cuboids, criterion};
use criterion::{BenchmarkId, Criterion, Throughput};
use parry3d::math::Pose;
use parry3d::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};

const KINDS: [Kind; 5] = [
    Kind::Cuboid,
    Kind::Hull(8),
    Kind::Hull(32),
    Kind::Hull(128),
    Kind::Hull(512),
];

/// The kinds of which manifolds are made.
const TOUCHING: [Kind; 5] = [
    Kind::Cuboid,
    Kind::Capsule,
    Kind::Hull(8),
    Kind::Hull(32),
    Kind::Hull(64),
];

/// How far apart the points of manifolds may be.
const WITHIN: f32 = 0.02;

/// Farther than any two shapes of the suite.
const FAR: f32 = 1000.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    for kind in KINDS {
        apart(&mut criterion, &Work::new(kind, Placement::Apart)?);
        overlapping(&mut criterion, &Work::new(kind, Placement::Overlapping)?);
        missing(&mut criterion, &Work::new(kind, Placement::Apart)?);
    }
    for kind in TOUCHING {
        manifolds(&mut criterion, "resting", &Work::resting(kind)?);
        manifolds(
            &mut criterion,
            "overlapping",
            &Work::new(kind, Placement::Overlapping)?,
        );
    }
    criterion.final_summary();
    Ok(())
}

/// The pairs of a measurement, in our types and in those of parry.
struct Work {
    name: String,
    ours: Vec<Pair<Vec3>>,
    theirs: Vec<[(Form, Pose); 2]>,
}

impl Work {
    fn new(kind: Kind, placement: Placement) -> Result<Self, Box<dyn Error>> {
        Self::of(kind, pairs::<Vec3>((kind, kind), placement)?)
    }

    fn resting(kind: Kind) -> Result<Self, Box<dyn Error>> {
        Self::of(kind, resting_pairs(kind)?)
    }

    fn of(kind: Kind, ours: Vec<Pair<Vec3>>) -> Result<Self, Box<dyn Error>> {
        let theirs = ours.iter().map(|pair| {
            let [a, b] = [pair.a(), pair.b()]
                .map(|placed| Some((Form::new(placed.shape)?, space::pose(placed.pose))));
            Some([a?, b?])
        });
        let theirs: Option<Vec<_>> = theirs.collect();
        Ok(Self {
            name: format!("{0}-{0}", kind.name()),
            theirs: theirs.ok_or("a shape that parry lacks")?,
            ours,
        })
    }

    /// Measures what `ask` takes for our pairs.
    fn ours<R>(
        &self,
        criterion: &mut Criterion,
        (question, who): (&str, &str),
        ask: impl Fn(&Pair<Vec3>) -> R,
    ) {
        self.measure(criterion, (question, who), &self.ours, ask);
    }

    /// Measures what `ask` takes for the pairs of parry, relative pose included.
    fn theirs<R>(
        &self,
        criterion: &mut Criterion,
        (question, who): (&str, &str),
        ask: impl Fn(&Pose, (&Form, &Form)) -> R,
    ) {
        self.measure(criterion, (question, who), &self.theirs, |[a, b]| {
            ask(&a.1.inv_mul(&b.1), (&a.0, &b.0))
        });
    }

    fn measure<T, R>(
        &self,
        criterion: &mut Criterion,
        (question, who): (&str, &str),
        pairs: &[T],
        ask: impl Fn(&T) -> R,
    ) {
        let mut group = criterion.benchmark_group(format!("narrow-{question}"));
        group.throughput(Throughput::Elements(pairs.len() as u64));
        group.bench_function(BenchmarkId::new(&self.name, who), |bencher| {
            bencher.iter(|| {
                for pair in pairs {
                    black_box(ask(black_box(pair)));
                }
            });
        });
        group.finish();
    }
}

fn apart(criterion: &mut Criterion, work: &Work) {
    work.ours(criterion, ("apart", "clearance"), |pair| {
        proximity(pair.a(), pair.b(), Real::INFINITY)
    });
    work.theirs(criterion, ("apart", "parry"), |b_in_a, forms| {
        space::contact(Cuboids::AsContact, b_in_a, forms, FAR)
    });
    work.theirs(criterion, ("apart", "parry-points"), |b_in_a, forms| {
        space::closest_points(b_in_a, forms, FAR)
    });
}

fn overlapping(criterion: &mut Criterion, work: &Work) {
    work.ours(criterion, ("overlapping", "clearance"), |pair| {
        proximity(pair.a(), pair.b(), Real::INFINITY)
    });
    work.theirs(criterion, ("overlapping", "parry"), |b_in_a, forms| {
        space::contact(Cuboids::AsContact, b_in_a, forms, FAR)
    });
    if work.name == "cuboid-cuboid" {
        work.theirs(criterion, ("overlapping", "parry-axes"), |b_in_a, forms| {
            space::contact(Cuboids::SeparatingAxes, b_in_a, forms, FAR)
        });
    }
}

/// Yes or no on pairs that are apart; our own distance within no range beside it.
fn missing(criterion: &mut Criterion, work: &Work) {
    work.ours(criterion, ("intersects", "clearance"), |pair| {
        intersects(pair.a(), pair.b())
    });
    work.ours(criterion, ("intersects", "clearance-proximity"), |pair| {
        proximity(pair.a(), pair.b(), Real::INFINITY)
    });
    work.theirs(criterion, ("intersects", "parry"), space::intersects);
}

/// Contact manifolds, without anything kept from the time before.
fn manifolds(criterion: &mut Criterion, placement: &str, work: &Work) {
    let question = format!("manifold-{placement}");
    work.ours(criterion, (&question, "clearance"), |pair| {
        contact_manifold(pair.a(), pair.b(), WITHIN)
    });
    work.ours(criterion, (&question, "clearance-proximity"), |pair| {
        proximity(pair.a(), pair.b(), WITHIN)
    });
    together(criterion, &question, work);
    let manifold = RefCell::new(ContactManifold::<(), ()>::new());
    work.theirs(criterion, (&question, "parry"), |b_in_a, (a, b)| {
        let manifold = &mut *manifold.borrow_mut();
        manifold.clear();
        let (a, b) = (a.as_shape(), b.as_shape());
        let done = DefaultQueryDispatcher
            .contact_manifold_convex_convex(b_in_a, a, b, None, None, WITHIN, manifold);
        (done.is_ok(), manifold.points.len())
    });
}

/// All manifolds in one call, as a world asks for those of a step.
fn together(criterion: &mut Criterion, name: &str, work: &Work) {
    let mut group = criterion.benchmark_group(format!("narrow-{name}"));
    group.throughput(Throughput::Elements(work.ours.len() as u64));
    group.bench_function(
        BenchmarkId::new(&work.name, "clearance-together"),
        |bencher| {
            bencher.iter(|| {
                manifold_each(black_box(&work.ours), question, |_, _, manifold| {
                    black_box(manifold);
                });
            });
        },
    );
    group.finish();
}

fn question(pair: &Pair<Vec3>) -> Option<Question<'_, Vec3>> {
    let (a, b, within) = (pair.a(), pair.b(), WITHIN);
    Some(Question { a, b, within })
}

//! Casts of one shape at another: straight ones, turning ones, and at a mesh. The answers of straight casts
//! of pairs are compared with those of parry first.

use core::hint::black_box;
use std::error::Error;

use clearance_benches::questions::MeshQuestions;
use clearance_benches::{Kind, Pair, Placement, Random, pairs};
use clearance_gjk::{Cast, CastHit, CastOptions, Motion, Placed, cast_shapes};
use clearance_math::{Pose, Vec3};
use clearance_peers::criterion;
use clearance_peers::space::{self, Form};
use clearance_shapes::Shape;
use criterion::{BenchmarkId, Criterion, Throughput};
use parry3d::query::{
    NonlinearRigidMotion, ShapeCastHit, ShapeCastOptions, cast_shapes as cast_by_parry,
    cast_shapes_nonlinear,
};
use parry3d::shape::{Shape as ParryShape, TriMesh};

const KINDS: [(Kind, Kind); 9] = [
    (Kind::Ball, Kind::Ball),
    (Kind::Ball, Kind::Cuboid),
    (Kind::Ball, Kind::Triangle),
    (Kind::Capsule, Kind::Cuboid),
    (Kind::Cuboid, Kind::Cuboid),
    (Kind::Cuboid, Kind::Hull(32)),
    (Kind::Hull(8), Kind::Hull(8)),
    (Kind::Hull(32), Kind::Hull(32)),
    (Kind::Cylinder, Kind::Cylinder),
];

/// How far apart the times of two engines may be.
const SAME_TIME: f32 = 1e-3;

/// The share of casts in which two engines may differ, because a shape is only just met, or because parry stops
/// late: 1.0e-3 to 1.7e-3 after our time in 3 of the 256 casts of a ball at a triangle. Our
/// times are proven.
const DIFFERENT: f64 = 0.02;

fn main() -> Result<(), Box<dyn Error>> {
    let mut criterion = criterion();
    for (a, b) in KINDS {
        let pairs = pairs::<Vec3>((a, b), Placement::Apart)?;
        let work = Work::new(format!("{}-{}", a.name(), b.name()), &pairs)?;
        work.compare()?;
        work.straight(&mut criterion);
        work.turning(&mut criterion);
    }
    at_mesh(&mut criterion)?;
    criterion.final_summary();
    Ok(())
}

/// Two shapes in motion, in our types and in those of parry.
struct Throw<'a> {
    pair: &'a Pair<Vec3>,
    motion: Motion<Vec3>,
    forms: [Form; 2],
}

/// The casts of a measurement.
struct Work<'a> {
    name: String,
    throws: Vec<Throw<'a>>,
}

impl<'a> Work<'a> {
    /// The first shape is thrown past the second, or at it.
    fn new(name: String, pairs: &'a [Pair<Vec3>]) -> Result<Self, Box<dyn Error>> {
        let mut random = Random::new(93);
        let throws = pairs.iter().map(|pair| {
            let [a, b] = [pair.a(), pair.b()];
            let toward = b.pose.translation() - a.pose.translation();
            let aim = toward.normalize_or(Vec3::X) + random.vector::<Vec3>() * 0.5;
            let motion = Motion::new(aim * 4.0, random.vector::<Vec3>() * 3.0);
            Some(Throw {
                pair,
                motion,
                forms: [Form::new(a.shape)?, Form::new(b.shape)?],
            })
        });
        let throws: Option<Vec<_>> = throws.collect();
        Ok(Self {
            name,
            throws: throws.ok_or("a shape that parry lacks")?,
        })
    }

    fn compare(&self) -> Result<(), Box<dyn Error>> {
        let differs = |throw: &&Throw| match (throw.ours(throw.straight()), throw.by_parry()) {
            (Some(ours), Some(theirs)) => (ours.time - theirs.time_of_impact).abs() > SAME_TIME,
            (ours, theirs) => ours.is_some() != theirs.is_some(),
        };
        let count = self.throws.iter().filter(differs).count();
        if count as f64 > DIFFERENT * self.throws.len() as f64 {
            return Err(format!("{} of {} casts differ", count, self.name).into());
        }
        Ok(())
    }

    fn straight(&self, criterion: &mut Criterion) {
        self.measure(criterion, ("straight", "clearance"), |throw| {
            throw.ours(throw.straight())
        });
        self.measure(criterion, ("straight", "parry"), Throw::by_parry);
    }

    fn turning(&self, criterion: &mut Criterion) {
        self.measure(criterion, ("turning", "clearance"), |throw| {
            throw.ours(throw.motion)
        });
        self.measure(criterion, ("turning", "parry"), Throw::turning_by_parry);
    }

    fn measure<R>(
        &self,
        criterion: &mut Criterion,
        (kind, who): (&str, &str),
        ask: impl Fn(&Throw<'a>) -> R,
    ) {
        let mut group = criterion.benchmark_group(format!("cast-{kind}"));
        group.throughput(Throughput::Elements(self.throws.len() as u64));
        group.bench_function(BenchmarkId::new(&self.name, who), |bencher| {
            bencher.iter(|| {
                for throw in &self.throws {
                    black_box(ask(black_box(throw)));
                }
            });
        });
        group.finish();
    }
}

impl Throw<'_> {
    fn straight(&self) -> Motion<Vec3> {
        Motion::from_linear(self.motion.linear)
    }

    fn ours(&self, motion: Motion<Vec3>) -> Option<CastHit<Vec3>> {
        let [a, b] = [self.pair.a(), self.pair.b()];
        cast_shapes(
            Cast::new(a, motion),
            Cast::resting(b),
            CastOptions::default(),
        )
        .expect("valid casts")
    }

    fn by_parry(&self) -> Option<ShapeCastHit> {
        let [a, b] = [self.pair.a(), self.pair.b()].map(|placed| space::pose(placed.pose));
        let [form_a, form_b] = [&self.forms[0], &self.forms[1]].map(Form::as_shape);
        let options = ShapeCastOptions {
            max_time_of_impact: 1.0,
            ..ShapeCastOptions::default()
        };
        cast_by_parry(
            &a,
            self.motion.linear,
            form_a,
            &b,
            Vec3::ZERO,
            form_b,
            options,
        )
        .expect("parry casts these shapes")
    }

    fn turning_by_parry(&self) -> Option<ShapeCastHit> {
        let [a, b] = [self.pair.a(), self.pair.b()].map(|placed| space::pose(placed.pose));
        let [form_a, form_b] = [&self.forms[0], &self.forms[1]].map(Form::as_shape);
        let Motion { linear, angular } = self.motion;
        let moving = NonlinearRigidMotion::new(a, Vec3::ZERO, linear, angular);
        let resting = NonlinearRigidMotion::constant_position(b);
        cast_shapes_nonlinear(&moving, form_a, &resting, form_b, 0.0, 1.0, true)
            .expect("parry casts these shapes")
    }
}

/// Where a body is thrown from, and how far.
type Start = (Pose<Vec3>, Vec3);

/// Small bodies thrown through the middle of a closed mesh.
fn at_mesh(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let ours = MeshQuestions::new()?;
    let theirs = TriMesh::new(ours.vertices.clone(), ours.triangles.clone())?;
    let pose = space::pose(&ours.pose);
    let shapes = [
        ("ball-mesh", Shape::ball(0.1)?),
        ("capsule-mesh", Shape::capsule(0.1, 0.05)?),
        ("cuboid-mesh", Shape::cuboid(Vec3::new(0.1, 0.06, 0.08))?),
        ("small-cuboid-mesh", Shape::cuboid(Vec3::splat(0.02))?),
    ];
    for (name, shape) in shapes {
        let form = Form::new(&shape).ok_or("a shape that parry lacks")?;
        let throws: Vec<Start> = ours
            .rays
            .iter()
            .zip(&ours.near)
            .map(|(ray, near)| {
                (
                    Pose::new(ray.origin(), near.rotation),
                    ray.direction() * 4.0,
                )
            })
            .collect();
        let mut ask = |who: &str, ask: &dyn Fn(&Start) -> bool| {
            let mut group = criterion.benchmark_group("cast-straight");
            group.throughput(Throughput::Elements(1));
            let mut next = throws.iter().cycle();
            group.bench_function(BenchmarkId::new(name, who), |bencher| {
                bencher.iter(|| ask(next.next().expect("a cycle has no end")));
            });
            group.finish();
        };
        ask("clearance", &|(start, way)| {
            let thrown = Cast::new(Placed::new(&shape, start), Motion::from_linear(*way));
            let mesh = Cast::resting(ours.placed());
            let hit = cast_shapes(thrown, mesh, CastOptions::default());
            hit.expect("valid casts").is_some()
        });
        let options = ShapeCastOptions {
            max_time_of_impact: 1.0,
            ..ShapeCastOptions::default()
        };
        ask("parry", &|(start, way)| {
            let (start, mesh): (_, &dyn ParryShape) = (space::pose(start), &theirs);
            cast_by_parry(
                &start,
                *way,
                form.as_shape(),
                &pose,
                Vec3::ZERO,
                mesh,
                options,
            )
            .expect("parry casts these shapes")
            .is_some()
        });
    }
    Ok(())
}

//! Prints how long questions to each kind of composite take, as a table in Markdown: the median and the greatest of
//! many places, in microseconds.
//!
//! ```text
//! cargo run --release -p clearance-benches --bin composites
//! ```

#![allow(clippy::print_stdout, reason = "the table is the output")]

use core::hint::black_box;
use std::error::Error;
use std::time::Instant;

use clearance_benches::Random;
use clearance_gjk::{
    Cast, CastOptions, Motion, Placed, RayOptions, cast_ray, cast_shapes, contacts_into, proximity,
};
use clearance_math::{IVec3, Pose, Ray, Real, Vec3};
use clearance_shapes::{Cells, CompoundPart, OneWay, Shape, ShapeError, Tile};
use clearance_world::{Body, Options, SlideOptions, Sliding, World};

/// How many places are asked about.
const PLACES: usize = 64;

/// How often at each place; the least time counts.
const TIMES: usize = 3;

type Result<T> = core::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    println!("| | distance | contacts | beside a mesh | ray | cast | slide | push out |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (name, shape) in kinds()? {
        let cells: Vec<String> = Questions::new(&shape)?.times()?;
        println!("| {name} | {} |", cells.join(" | "));
    }
    Ok(())
}

fn kinds() -> Result<Vec<(&'static str, Shape<Vec3>)>> {
    let cells = || -> Result<Vec<CompoundPart<Vec3>>> {
        let places = (0..60).map(|k| Vec3::new((k % 8) as Real, 0.0, (k / 8) as Real) * 3.0);
        places.map(|at| Ok(part(cell()?, at))).collect()
    };
    let boxes = (0..60).map(|k| {
        let at = Vec3::new((k % 8) as Real, 0.0, (k / 8) as Real) * 3.0;
        Ok(part(Shape::cuboid(Vec3::splat(0.5))?, at))
    });
    let boxes: Result<Vec<_>> = boxes.collect();
    let holed = || field(257, 10);
    let inner = || -> Result<Shape<Vec3>> {
        let members = [
            part(Shape::compound(cells()?)?, Vec3::ZERO),
            part(holed()?, Vec3::Y),
        ];
        Ok(Shape::compound(members)?)
    };
    Ok(vec![
        ("mesh", mesh()?),
        ("height field", field(257, usize::MAX)?),
        ("the same with holes", holed()?),
        ("voxels", tiles(0)?),
        ("one-way tiles", tiles(1)?),
        ("compound of 60 boxes", Shape::compound(boxes?)?),
        ("compound of 60 single cells", Shape::compound(cells()?)?),
        (
            "compound of a field with holes",
            Shape::compound([part(holed()?, Vec3::ZERO)])?,
        ),
        (
            "compound of one-way tiles",
            Shape::compound([part(tiles(1)?, Vec3::ZERO)])?,
        ),
        (
            "compounds in a compound",
            Shape::compound([part(inner()?, Vec3::ZERO), part(inner()?, Vec3::Y * 4.0)])?,
        ),
    ])
}

fn part(shape: Shape<Vec3>, at: Vec3) -> CompoundPart<Vec3> {
    CompoundPart::new(shape, Pose::from_translation(at))
}

/// The only cell of a chunk of 4,096.
fn cell() -> Result<Shape<Vec3>> {
    let mut cells = Cells::new();
    cells.set(IVec3::ZERO, true)?;
    Ok(Shape::voxels_of(Vec3::ONE, cells)?)
}

/// Cells of one layer, all of them with one entry of a palette.
fn tiles(entry: u8) -> Result<Shape<Vec3>> {
    let corners = [0.0, 1.0].map(|x| [0.75, 1.0].map(|y| [0.0, 1.0].map(|z| Vec3::new(x, y, z))));
    let board = Tile {
        one_way: Some(OneWay {
            normal: Vec3::Y,
            depth: 0.05,
        }),
        ..Tile::new(Shape::hull(corners.as_flattened().as_flattened())?)
    };
    let mut cells = Cells::new();
    for k in 0..50 * 50 {
        cells.set_tile(IVec3::new(k % 50, 0, k / 50), entry)?;
    }
    Ok(Shape::tiles_of(Vec3::ONE, cells, [board])?)
}

fn height(row: usize, column: usize) -> Real {
    (row * 7 % 5 + column * 3 % 7) as Real * 0.1
}

/// A field in which one height of so many is missing.
fn field(side: usize, missing: usize) -> Result<Shape<Vec3>> {
    let heights = (0..side * side).map(|k| {
        if k % missing == 3 {
            Real::NAN
        } else {
            height(k / side, k % side)
        }
    });
    let extent = (side - 1) as Real;
    let heights: Vec<Real> = heights.collect();
    Ok(Shape::height_field(
        heights,
        side,
        Vec3::new(extent, 1.0, extent),
    )?)
}

fn mesh() -> core::result::Result<Shape<Vec3>, ShapeError> {
    let vertices =
        (0..65 * 65).map(|k| Vec3::new((k % 65) as Real, height(k / 65, k % 65), (k / 65) as Real));
    let squares = (0..64 * 64).map(|k| k / 64 * 65 + k % 64);
    let triangles = squares.flat_map(|k| [[k, k + 65, k + 66], [k, k + 66, k + 1]]);
    Shape::mesh(vertices.collect::<Vec<_>>(), triangles.collect::<Vec<_>>())
}

/// What is asked of a composite, at places on its parts.
struct Questions<'s> {
    shape: &'s Shape<Vec3>,
    places: Vec<Pose<Vec3>>,
    other: Shape<Vec3>,
    patch: Shape<Vec3>,
}

impl<'s> Questions<'s> {
    fn new(shape: &'s Shape<Vec3>) -> Result<Self> {
        let Shape::Composite(composite) = shape else {
            return Err("no composite".into());
        };
        let parts: Vec<u32> = composite.part_numbers().collect();
        let mut random = Random::new(95);
        let place = |_| {
            let number = random.between(0.0, parts.len() as Real) as usize;
            let bounds = composite
                .part(parts[number])
                .map_or(shape.bounds(&Pose::IDENTITY), |part| part.bounds());
            let above = Vec3::new(0.0, random.between(0.2, 0.6), 0.0);
            Pose::from_translation(
                bounds.center().with_y(bounds.max.y) + above + random.vector::<Vec3>() * 0.2,
            )
        };
        let corners = (0..66).map(|k| Vec3::new((k % 2) as Real, 0.0, k as Real * 0.1) * 0.5);
        let triangles: Vec<_> = (0..64).map(|k| [k, k + 1, k + 2]).collect();
        Ok(Self {
            shape,
            places: (0..PLACES).map(place).collect(),
            other: Shape::cuboid(Vec3::splat(0.4))?,
            patch: Shape::mesh(corners.collect::<Vec<_>>(), triangles)?,
        })
    }

    /// The times of one question, as they are written.
    fn time(&self, mut ask: impl FnMut(&Pose<Vec3>)) -> String {
        let times = self.places.iter().map(|pose| {
            let once = |_| {
                let start = Instant::now();
                ask(pose);
                start.elapsed().as_secs_f64() * 1e6
            };
            (0..TIMES).map(once).fold(f64::INFINITY, f64::min)
        });
        let mut times: Vec<f64> = times.collect();
        times.sort_by(f64::total_cmp);
        format!("{:.1} ({:.1})", times[PLACES / 2], times[PLACES - 1])
    }

    fn times(&self) -> Result<Vec<String>> {
        let here = Pose::IDENTITY;
        let placed = Placed::new(self.shape, &here);
        let mut found = Vec::new();
        let mut times = vec![
            self.time(|pose| {
                black_box(proximity(placed, Placed::new(&self.other, pose), Real::INFINITY).ok());
            }),
            self.time(|pose| {
                contacts_into(placed, Placed::new(&self.other, pose), 0.05, &mut found).ok();
            }),
            self.time(|pose| {
                black_box(proximity(placed, Placed::new(&self.patch, pose), 0.05).ok());
            }),
            self.time(|pose| {
                let ray = Ray::new(pose.position(), Vec3::new(0.3, -1.0, 0.2));
                black_box(
                    ray.ok()
                        .and_then(|ray| cast_ray(&ray, placed, RayOptions::default()).ok()),
                );
            }),
            self.time(|pose| {
                let moving = Cast::new(
                    Placed::new(&self.other, pose),
                    Motion::from_linear(Vec3::new(1.0, -0.5, 1.0)),
                );
                black_box(cast_shapes(Cast::resting(placed), moving, CastOptions::default()).ok());
            }),
        ];
        times.extend(self.times_of_world()?);
        Ok(times)
    }

    fn times_of_world(&self) -> Result<[String; 2]> {
        let mut world = World::<Vec3>::new(Options {
            part_contacts: true,
            ..Options::default()
        })?;
        world.insert(Body::fixed(self.shape.clone(), Pose::IDENTITY))?;
        let body = world.insert(Body::moving(self.other.clone(), self.places[0]))?;
        let push = self.time(|pose| {
            world
                .body_mut(body)
                .and_then(|mut body| body.set_pose(*pose))
                .ok();
            black_box(world.query().push_out(body).ok());
        });
        world.remove(body)?;
        let (options, mut touched) = (SlideOptions::default(), Vec::new());
        let slide = self.time(|pose| {
            let sliding = Sliding::new(Placed::new(&self.other, pose), Vec3::new(0.1, -0.05, 0.05));
            black_box(
                world
                    .query()
                    .slide_into(sliding, options, &mut touched)
                    .ok(),
            );
        });
        Ok([slide, push])
    }
}

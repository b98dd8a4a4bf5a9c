//! The part of `COVERAGE.md` about rays and points, made by asking every kind of shape.

use std::fmt::Write;

use clearance_gjk::{Interior, Placed, RayOptions, Status, cast_ray, point_proximity};
use clearance_math::{Pose, Ray, Real, Vec2, Vec3};
use clearance_shapes::Shape;

use crate::common::{Kind, Pcg};
use crate::composite_shapes::Composites;
use crate::coverage::{CORES, SAMPLES, Seen};

/// The greatest distance of a point or of the start of a ray from the origin of a shape of size 1.
const FAR: f64 = 3.0;

/// What was seen of one kind of shape.
struct Row {
    name: &'static str,
    solid: Seen,
    hollow: Seen,
    point: Seen,
}

/// A name, and what makes a shape of that kind.
pub(crate) type Maker<V> = (&'static str, Box<dyn Fn(&mut Pcg) -> Shape<V>>);

/// The kinds of cores, and after them those of composites.
pub(crate) fn makers<V: Composites>() -> Vec<Maker<V>> {
    let exists = |kind: Kind| Kind::all::<V>().any(|other| other == kind);
    let convex = CORES.into_iter().filter(|(kind, _)| exists(*kind));
    let convex = convex.map(|(kind, name)| -> Maker<V> {
        (name, Box::new(move |random| V::shape(kind, random, 1.0)))
    });
    let composites = V::makers().into_iter();
    let composites = composites.map(|(name, make)| -> Maker<V> { (name, Box::new(make)) });
    convex.chain(composites).collect()
}

fn row<V: Composites>((name, make): &Maker<V>) -> Row {
    let mut random = Pcg::new(52);
    let mut row = Row {
        name,
        solid: Seen::nothing(),
        hollow: Seen::nothing(),
        point: Seen::nothing(),
    };
    for _ in 0..SAMPLES {
        let (shape, pose) = (make(&mut random), V::any_rotation(&mut random));
        let pose = Pose::new(V::ZERO, pose);
        let placed = Placed::new(&shape, &pose);
        let origin = random.point::<V>(FAR);
        if let Ok(ray) = Ray::new(origin, random.point::<V>(1.0) - origin) {
            add_ray(&mut row.solid, &ray, placed, Interior::Solid);
        }
        if let Ok(ray) = Ray::new(random.point::<V>(0.5), random.point::<V>(1.0)) {
            add_ray(&mut row.hollow, &ray, placed, Interior::Hollow);
        }
        let point = random.point::<V>(FAR);
        let near = point_proximity(point, placed, Real::INFINITY).expect("valid input");
        if let Some(near) = near.near() {
            let width = f64::from(near.upper) - f64::from(near.lower);
            row.point.add(near.status == Status::Exact, width / FAR);
        }
    }
    row
}

fn add_ray<V: Composites>(seen: &mut Seen, ray: &Ray<V>, b: Placed<V>, interior: Interior) {
    let options = RayOptions {
        interior,
        ..RayOptions::default()
    };
    // A ray that starts inside of a solid shape has nothing to measure.
    let hit = cast_ray(ray, b, options).expect("valid input");
    if let Some(hit) = hit.filter(|hit| hit.normal.is_some()) {
        let width = f64::from(hit.upper) - f64::from(hit.lower);
        seen.add(
            hit.status == Status::Exact,
            width / FAR.max(f64::from(hit.distance)),
        );
    }
}

fn table<V: Composites>() -> String {
    let mut text = String::from(
        "| | ray | bounds | hollow ray from within | bounds | point | bounds |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for maker in makers::<V>() {
        let Row {
            name,
            mut solid,
            mut hollow,
            mut point,
        } = row(&maker);
        write!(text, "| **{name}** |").expect("a string grows");
        for seen in [&mut solid, &mut hollow, &mut point] {
            seen.sort();
            if seen.is_empty() {
                text += " no hit | |";
                continue;
            }
            write!(text, " {} | {} |", seen.ways(), seen.distribution()).expect("a string grows");
        }
        text += "\n";
    }
    text
}

/// The section of the document.
pub(crate) fn section() -> String {
    format!(
        "\n## Rays and points\n\n\
         Each row is made from {SAMPLES} shapes of a kind, a ray at each from up to {FAR} sizes away, a ray that\n\
         starts within half a size of its origin and hits where it leaves, and a point. A composite asks\n\
         its parts: of a mesh and a height field triangles, of a polyline segments. The bounds are relative to\n\
         the distance, or to {FAR} sizes if that is greater. No random ray hits a line in space.\n\n\
         ### In the plane\n\n{}\n### In space\n\n{}",
        table::<Vec2>(),
        table::<Vec3>()
    )
}

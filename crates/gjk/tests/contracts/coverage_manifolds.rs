//! The part of `COVERAGE.md` about contact manifolds, made by asking for those of every kind of shape against every
//! kind.

use clearance_gjk::{Manifold, Placed, Proximity, contact_manifolds_into, point_proximity};
use clearance_math::{Pose, Real, RelativePose, Rotation, Vec2, Vec3, Vector};
use clearance_shapes::Shape;

use crate::common::Pcg;
use crate::composite_shapes::Composites;
use crate::coverage::{entries, rounded_up, table};
use crate::coverage_questions::makers;

/// Random pairs for each entry.
const SAMPLES: usize = 200;

/// Manifolds of parts that are this near each other are asked for.
const WITHIN: Real = 0.25;

/// What was seen of the manifolds of a pair of kinds.
#[derive(Default)]
struct Manifolds {
    /// How many had one point, two, and so on.
    with_points: [usize; 4],
    /// The greatest distance of a point from the surface that it is said to be on.
    worst: f64,
}

/// What makes a shape.
type Make<V> = Box<dyn Fn(&mut Pcg) -> Shape<V>>;

fn ask_all<V: Composites>(kinds: [&Make<V>; 2]) -> Manifolds {
    let mut random = Pcg::new(54);
    let mut seen = Manifolds::default();
    let mut found = Vec::new();
    for round in 0..SAMPLES {
        let shapes = kinds.map(|make| make(&mut random));
        // Every other pair has parallel axes and, by chance, faces.
        let poses = [(); 2].map(|()| {
            let rotation = match round % 2 {
                0 => V::Rotation::IDENTITY,
                _ => V::any_rotation(&mut random),
            };
            Pose::new(random.point::<V>(1.0), rotation)
        });
        let [a, b] = [0, 1].map(|side| Placed::new(&shapes[side], &poses[side]));
        contact_manifolds_into(a, b, WITHIN, &mut found).expect("valid input");
        for manifold in &found {
            seen.with_points[manifold.points().len() - 1] += 1;
            seen.worst = seen.worst.max(farthest_off(manifold, [a, b]));
        }
    }
    seen
}

/// The greatest distance of a point of a manifold from the surface that it is said to be on.
fn farthest_off<V: Vector>(manifold: &Manifold<V>, [a, b]: [Placed<V>; 2]) -> f64 {
    let separation = &manifold.separation;
    let points = manifold.points().iter();
    let off = points.map(|point| {
        let off_a = off_surface(a, separation.part_a, point.point_a());
        let off_b = off_surface(b, separation.part_b, point.point_b());
        off_a.max(off_b)
    });
    off.fold(0.0, f64::max)
}

/// How far a point is from the surface of a part.
fn off_surface<V: Vector>(of: Placed<V>, number: u32, point: V) -> f64 {
    let local = RelativePose::from_pose(of.pose).inverse_transform_point(point.to_precise());
    let distance = |shape: &Shape<V>, point: V::Precise| {
        let unmoved = Pose::IDENTITY;
        let placed = Placed::new(shape, &unmoved);
        match point_proximity(V::from_precise(point), placed, Real::INFINITY) {
            Ok(Proximity::Near(near)) => f64::from(near.distance.abs()),
            other => panic!("{other:?}"),
        }
    };
    let Shape::Composite(composite) = of.shape else {
        return distance(of.shape, local);
    };
    let part = composite.part(number).expect("the number of a part");
    let local = part
        .pose
        .map_or(local, |pose| pose.inverse_transform_point(local));
    distance(&part.shape, local)
}

/// Which numbers of points at least a hundredth of the manifolds had, and how far off their points are at most.
fn cell(seen: &Manifolds) -> String {
    let all: usize = seen.with_points.iter().sum();
    if all == 0 {
        return "none".to_owned();
    }
    let counts = (1..).zip(seen.with_points);
    let counts = counts.filter(|(_, times)| 100 * times >= all);
    let counts: Vec<String> = counts
        .map(|(count, _): (u32, _)| count.to_string())
        .collect();
    format!("{}: {}", counts.join(" "), rounded_up(seen.worst))
}

fn manifold_table<V: Composites>() -> String {
    table(&entries(&makers::<V>(), ask_all), cell)
}

/// The section of the document.
pub(crate) fn section() -> String {
    format!(
        "\n## Contact manifolds\n\n\
         Each entry is made from {SAMPLES} pairs, half of them unturned, with their origins close to each other, and from the\n\
         manifolds of all their parts that are within {WITHIN} of each other. It shows how many points\n\
         manifolds have, of which at least a hundredth has as many, and how far a point is off the surface that it is said to be\n\
         on, relative to the size, at most, as above. One method serves all pairs of kinds: what both surfaces have in common\n\
         across the normal. `none`: two half-spaces overlap without bound. Where a contact was turned out of a solid, points lie in the\n\
         plane of its facet, perhaps beyond its edges.\n\n\
         ### In the plane\n\n{}\n### In space\n\n{}",
        manifold_table::<Vec2>(),
        manifold_table::<Vec3>()
    )
}

//! The firm depth of two solids: how far their vertices would have to be moved, by a and b together, before the solids no longer overlap.
//!
//! A plug that is wider than its hole by the last digit of a coordinate overlaps the wall around it as deep as the way out of the hole is long. No
//! engineer calls that a clash: moved by that digit, its sides touch the wall. The firm depth of the plug is that digit. It is at most the shortest way
//! out, since that moves all vertices of a part, and rounding changes it by no more than vertices are moved.
//!
//! What it is at least, two things prove. Two triangles that cross do so still after their vertices were moved by less than the depth of these
//! triangles. And a point of one part that is so deep in the other one is beside a point of it still. Triangles tell of what crosses, however thin it is, and
//! points of what lies in the other part with few or no crossings.
//!
//! What it is at most, a try proves: vertices are moved inwards, and it is measured whether the solids are apart then.

use core::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use clearance_gjk::{Interior, Placed, Proximity, RayOptions, cast_ray, measure, point_proximity};
use clearance_math::{DVec3, Pose, Ray, RelativePose, Vec3};
use clearance_shapes::Shape;

use crate::nesting::{mesh_of, places_in};
use crate::part::{Part, range};

/// How many points are looked at on each side. Where parts overlap by much, one of the first few is deep enough.
const MOST_LOOKED_AT: usize = 512;

/// What the firm depth of two solids is proven to be at least; the search ends at what is more than `enough`.
pub(crate) fn firm_depth([a, b]: [&Part; 2], enough: f64) -> f64 {
    let all = |_| true;
    let [surface_a, surface_b] = [a, b].map(|part| part.placed().with_parts(&all));
    let crossing = measure(surface_a, surface_b, 0.0).near();
    let mut deepest = crossing.map_or(0.0, |near| -f64::from(near.upper)).max(0.0);
    for add_places in [add_surface, add_middles] {
        for (inner, outer) in [(a, b), (b, a)] {
            if deepest <= enough {
                let mut search = Search::new(outer);
                add_places(&mut search, inner, enough);
                deepest = deepest.max(search.deepest(enough));
            }
        }
    }
    deepest
}

/// What the firm depth of two solids is proven to be at most, where that is no more than `most`.
pub(crate) fn most_firm_depth(parts: [&Part; 2], most: f64) -> Option<f64> {
    (0..2).find_map(|side| {
        let (part, other) = (parts[side], parts[1 - side]);
        let (shape, moved) = shrunk(part, 0.5 * most)?;
        let near = measure(Placed::new(&shape, part.pose()), other.placed(), 0.0);
        let lower = match near {
            Proximity::Farther { lower } => lower,
            Proximity::Near(near) => near.lower,
            Proximity::Undecided { .. } | Proximity::Unbounded => return None,
        };
        (lower > 0.0 && moved <= most).then_some(moved)
    })
}

/// A solid mesh whose vertices were moved inwards by about a length, and by how much at most; `None` of other shapes, and of what is no solid then.
fn shrunk(part: &Part, by: f64) -> Option<(Shape<Vec3>, f64)> {
    let mesh = mesh_of(part)?;
    let vertices = mesh.vertices();
    let place = |corner: u32| vertices[corner as usize].to_array().map(f32::to_bits);
    let mut outwards: HashMap<[u32; 3], DVec3> = HashMap::new();
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|corner| vertices[corner as usize].as_dvec3());
        let front = (b - a).cross(c - a).normalize_or_zero();
        for corner in triangle {
            *outwards.entry(place(*corner)).or_default() += front;
        }
    }
    let inwards = |(number, vertex): (u32, &Vec3)| {
        let outwards = outwards.get(&place(number)).copied().unwrap_or_default();
        (vertex.as_dvec3() - by * outwards.normalize_or_zero()).as_vec3()
    };
    let moved: Vec<Vec3> = (0..).zip(vertices).map(inwards).collect();
    let ways = vertices.iter().zip(&moved);
    let ways = ways.map(|(from, to)| from.as_dvec3().distance(to.as_dvec3()));
    let most = ways.fold(0.0, f64::max);
    Some((Shape::solid_mesh(moved, mesh.triangles()).ok()?, most))
}

/// A triangle of a part in the frame of the assembly, which may be a point.
struct Place {
    corners: [DVec3; 3],
    /// No point of it is deeper.
    most: f64,
}

impl Place {
    fn middle(&self) -> DVec3 {
        self.corners.iter().sum::<DVec3>() / 3.0
    }

    fn radius(&self) -> f64 {
        let middle = self.middle();
        let lengths = self.corners.map(|corner| (corner - middle).length());
        lengths.into_iter().fold(0.0, f64::max)
    }

    /// Its halves, cut through the longest side.
    fn halves(&self) -> [[DVec3; 3]; 2] {
        let [a, b, c] = self.corners;
        let sides = [[a, b, c], [b, c, a], [c, a, b]];
        let length = |side: &[DVec3; 3]| (side[1] - side[0]).length_squared();
        let longest = sides
            .into_iter()
            .max_by(|one, other| length(one).total_cmp(&length(other)));
        let [a, b, c] = longest.unwrap_or([a, b, c]);
        let middle = 0.5 * (a + b);
        [[a, middle, c], [middle, b, c]]
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        self.most.total_cmp(&other.most)
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Place {}

/// A search for a place of one part that is deep in another one. Depths change by no more than the way between two places, so what is left is cut
/// where it may be deepest.
struct Search<'p> {
    outer: &'p Part,
    limits: [DVec3; 2],
    left: BinaryHeap<Place>,
}

impl<'p> Search<'p> {
    fn new(outer: &'p Part) -> Self {
        Self {
            outer,
            limits: outer.limits(),
            left: BinaryHeap::new(),
        }
    }

    fn add(&mut self, corners: [DVec3; 3]) {
        self.add_below(corners, f64::INFINITY);
    }

    /// Adds a triangle that is nowhere deeper than `most`, nor deeper than the box of the outer part lets its middle and its radius be.
    fn add_below(&mut self, corners: [DVec3; 3], most: f64) {
        let [low, high] = self.limits;
        let mut place = Place { corners, most };
        let middle = place.middle();
        let in_box = (middle - low).min(high - middle).min_element();
        place.most = most.min(in_box + place.radius());
        self.left.push(place);
    }

    /// The greatest depth of what was looked at, up to what is `enough`.
    fn deepest(mut self, enough: f64) -> f64 {
        let mut deepest = 0.0;
        for _ in 0..MOST_LOOKED_AT {
            let Some(place) = self.left.pop() else { break };
            if deepest > enough || place.most <= enough {
                break;
            }
            let radius = place.radius();
            let answer = point_proximity(place.middle(), self.outer.placed(), range(radius));
            let Ok(Proximity::Near(near)) = answer else {
                continue;
            };
            deepest = f64::max(deepest, -f64::from(near.upper));
            let most = place.most.min(radius - f64::from(near.lower));
            if radius > 0.0 {
                place
                    .halves()
                    .into_iter()
                    .for_each(|half| self.add_below(half, most));
            }
        }
        deepest
    }
}

/// Adds the triangles of a mesh, or the middle of a convex shape.
fn add_surface(search: &mut Search<'_>, inner: &Part, _: f64) {
    let pose = RelativePose::from_pose(inner.pose());
    match mesh_of(inner) {
        Some(mesh) => mesh.triangles().iter().for_each(|triangle| {
            let corner = |number: u32| mesh.vertices()[number as usize].as_dvec3();
            let corners = triangle.map(|number| pose.transform_point(corner(number)));
            search.add(corners);
        }),
        None => places_in(inner.shape())
            .into_iter()
            .flatten()
            .for_each(|place| {
                search.add([pose.transform_point(place); 3]);
            }),
    }
}

/// Adds the middles between the triangles of a mesh and what is across from them, where that is farther away than `thick`: they are inside even where
/// all of the surface is flush with that of the other part.
fn add_middles(search: &mut Search<'_>, inner: &Part, thick: f64) {
    let Some(mesh) = mesh_of(inner) else { return };
    let pose = RelativePose::from_pose(inner.pose());
    let placed = Placed::new(inner.shape(), &Pose::IDENTITY);
    let options = RayOptions {
        interior: Interior::Hollow,
        ..RayOptions::default()
    };
    let middle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|corner| mesh.vertices()[corner as usize].as_dvec3());
        let inwards = (c - a).cross(b - a).normalize_or_zero();
        let begin = (a + b + c) / 3.0 + 0.5 * thick * inwards;
        let ray = Ray::new(begin.as_vec3(), inwards.as_vec3()).ok()?;
        let across = cast_ray(&ray, placed, options).ok()??.distance;
        let middle = begin + 0.5 * f64::from(across) * inwards;
        // Where a wall is thinner, it may be outside.
        let found = point_proximity(middle, placed, 0.0).ok()?.near()?;
        (found.upper < 0.0).then_some(middle)
    };
    let most = mesh.triangles().iter().take(MOST_LOOKED_AT);
    for middle in most.filter_map(middle) {
        search.add([pose.transform_point(middle); 3]);
    }
}

//! Whether one part lies in another, or both are the same.
//!
//! A part lies in a convex solid if all its corners do. In another solid it does if besides no surface touches that of the solid, and no corner
//! of the solid lies in the part: what touches no surface is on one side of it as a whole. What touches one may go out through a
//! notch along its walls, however its corners lie.

use clearance_gjk::{Placed, Proximity, measure, point_proximity};
use clearance_math::{Aabb, DVec3, Pose, RelativePose, Vec3};
use clearance_shapes::{CompositeKind, Core, Mesh, Shape};

use crate::clash::Side;
use crate::part::{Form, Part, range};

/// How two parts that overlap lie in each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nesting {
    /// Each lies in the other.
    Both {
        /// Whether they do for their vertices as they were given.
        is_proven: bool,
    },
    /// This one lies in the other.
    Inner(Side),
}

/// How two parts lie in each other up to a tolerance; `None` if neither is proven to.
pub(crate) fn nesting(a: &Part, b: &Part, tolerance: f64) -> Option<Nesting> {
    let known = same(a, b, tolerance);
    if known.is_some() {
        return known;
    }
    let rounding = a.rounding() + b.rounding();
    let within = |inner, outer| {
        Within {
            inner,
            outer,
            rounding,
        }
        .is_proven(tolerance)
    };
    match (within(a, b), within(b, a)) {
        (true, true) => Some(Nesting::Both { is_proven: true }),
        (true, false) => Some(Nesting::Inner(Side::A)),
        (false, true) => Some(Nesting::Inner(Side::B)),
        (false, false) => None,
    }
}

/// [`Nesting::Both`] if two parts have the same surface up to a tolerance, made of the same triangles in any order, or are equal shapes at
/// one pose. Where one is a surface, it does not matter which way triangles face.
pub(crate) fn same(a: &Part, b: &Part, tolerance: f64) -> Option<Nesting> {
    let left = tolerance - a.rounding() - b.rounding();
    // What is stored alike is the same thing even where the tolerance is less than the rounding.
    is_same(a, b, left.max(0.0)).then_some(Nesting::Both {
        is_proven: left >= 0.0,
    })
}

fn is_same(a: &Part, b: &Part, tolerance: f64) -> bool {
    let (pose_a, pose_b) = (
        RelativePose::from_pose(a.pose()),
        RelativePose::from_pose(b.pose()),
    );
    if a.shape() == b.shape() {
        // No point of the shape is farther from the origin of its body than its bounding radius.
        let turned = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| {
            (pose_a.transform_direction(axis) - pose_b.transform_direction(axis)).length()
        });
        let turn = turned[0] + turned[1] + turned[2];
        let moved = (pose_a.translation - pose_b.translation).length();
        if moved + turn * a.shape().bounding_radius() <= tolerance {
            return true;
        }
    }
    let (Some(mesh_a), Some(mesh_b)) = (mesh_of(a), mesh_of(b)) else {
        return false;
    };
    let are_solids = [a, b].iter().all(|part| *part.form() == Form::Solid);
    let key = if are_solids { first_least } else { sorted };
    let is_as_large = mesh_a.vertices().len() == mesh_b.vertices().len()
        && mesh_a.triangles().len() == mesh_b.triangles().len();
    is_as_large
        && have_same_triangles(
            [(mesh_a, &pose_a), (mesh_b, &pose_b)].map(|(mesh, pose)| Placement {
                mesh,
                pose,
                key,
            }),
            tolerance,
        )
}

pub(crate) fn mesh_of(part: &Part) -> Option<&Mesh<Vec3>> {
    match part.shape() {
        Shape::Composite(composite) => match composite.kind() {
            CompositeKind::Mesh(mesh) => Some(mesh),
            _ => None,
        },
        _ => None,
    }
}

#[derive(Clone, Copy)]
struct Placement<'m> {
    mesh: &'m Mesh<Vec3>,
    pose: &'m RelativePose<DVec3>,
    /// What is equal for equal triangles.
    key: fn([u32; 3]) -> [u32; 3],
}

impl Placement<'_> {
    fn vertex(&self, number: u32) -> DVec3 {
        let local = self.mesh.vertices()[number as usize];
        self.pose.transform_point(local.as_dvec3())
    }
}

/// A direction that hardly any model has many vertices across.
const ACROSS: DVec3 = DVec3::new(0.48, 0.6, 0.64);

/// How many vertices of b are looked at for one of a, before meshes count as different: more are only that near where the tolerance is coarse.
const MOST_LOOKED_AT: usize = 256;

/// Whether each vertex of a has one of b within the tolerance, and their triangles name vertices that belong together.
fn have_same_triangles([a, b]: [Placement<'_>; 2], tolerance: f64) -> bool {
    let count = a.mesh.vertices().len() as u32;
    let mut by_height: Vec<(f64, u32)> = (0..count)
        .map(|number| (b.vertex(number).dot(ACROSS), number))
        .collect();
    by_height.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut is_taken = vec![false; count as usize];
    let mut partners = Vec::with_capacity(count as usize);
    for number in 0..count {
        let vertex = a.vertex(number);
        let height = vertex.dot(ACROSS);
        let begin = by_height.partition_point(|&(other, _)| other < height - tolerance);
        let near = by_height[begin..]
            .iter()
            .take(MOST_LOOKED_AT)
            .take_while(|&&(other, _)| other <= height + tolerance);
        let free = near.filter(|&&(_, other)| !is_taken[other as usize]);
        let distances =
            free.map(|&(_, other)| ((b.vertex(other) - vertex).length_squared(), other));
        let Some((squared, partner)) = distances.min_by(|one, other| one.0.total_cmp(&other.0))
        else {
            return false;
        };
        if !(squared <= tolerance * tolerance) {
            return false;
        }
        is_taken[partner as usize] = true;
        partners.push(partner);
    }
    let named = |triangle: &[u32; 3]| (a.key)(triangle.map(|corner| partners[corner as usize]));
    let mut of_a: Vec<[u32; 3]> = a.mesh.triangles().iter().map(named).collect();
    let mut of_b: Vec<[u32; 3]> = b.mesh.triangles().iter().map(|t| (b.key)(*t)).collect();
    of_a.sort_unstable();
    of_b.sort_unstable();
    of_a == of_b
}

/// The same triangle, with its least corner first.
fn first_least([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// The same triangle seen from either side.
fn sorted(mut triangle: [u32; 3]) -> [u32; 3] {
    triangle.sort_unstable();
    triangle
}

/// The question whether one part lies in another.
struct Within<'p> {
    inner: &'p Part,
    outer: &'p Part,
    /// How far vertices of both together are from where they were given.
    rounding: f64,
}

impl Within<'_> {
    /// Whether it is proven that no point of the inner part is farther out of the other one than a tolerance.
    fn is_proven(&self, tolerance: f64) -> bool {
        if *self.outer.form() != Form::Solid {
            return false;
        }
        if let Some(convex) = self.outer.convex() {
            let (corners, radius) = corners_of(self.inner.shape());
            return self.has_all(corners, convex, tolerance - radius - self.rounding);
        }
        // A union of convex parts has no surface of its own.
        let (Some(places), Some(_)) = (places_in(self.inner.shape()), mesh_of(self.outer)) else {
            return false;
        };
        self.has_all(places, self.outer.placed(), -self.rounding)
            && self.surfaces_are_apart()
            && self.holds_no_corner_of_outer()
    }

    /// Whether places in the frame of the inner part are all proven to be within a distance of the outer one; inside, it is negative.
    fn has_all(&self, places: Vec<DVec3>, outer: Placed<'_, Vec3>, distance: f64) -> bool {
        let bounds = outer.shape.limits_within(outer.pose, distance.max(0.0));
        let pose = RelativePose::from_pose(self.inner.pose());
        places.into_iter().all(|place| {
            let place = pose.transform_point(place);
            is_in(place, bounds) && is_within(place, outer, distance)
        })
    }

    fn surfaces_are_apart(&self) -> bool {
        let all = |_| true;
        let [inner, outer] = [self.inner, self.outer].map(|part| part.placed().with_parts(&all));
        match measure(inner, outer, range(self.rounding)) {
            Proximity::Near(near) => f64::from(near.lower) > self.rounding,
            Proximity::Farther { .. } => true,
            Proximity::Unbounded | Proximity::Undecided { .. } => false,
        }
    }

    /// Whether the surface of the outer part, which may have several pieces, is proven to be outside of the inner one. Surfaces hold nothing.
    fn holds_no_corner_of_outer(&self) -> bool {
        if *self.inner.form() != Form::Solid {
            return true;
        }
        let inner = self.inner.placed();
        let bounds = self.inner.limits();
        let pose = RelativePose::from_pose(self.outer.pose());
        let (corners, _) = corners_of(self.outer.shape());
        corners.into_iter().all(|corner| {
            let place = pose.transform_point(corner);
            !is_in(place, bounds) || is_beyond(place, inner, self.rounding)
        })
    }
}

fn is_in(place: DVec3, [low, high]: [DVec3; 2]) -> bool {
    place.cmpge(low).all() && place.cmple(high).all()
}

/// Whether a point is proven to be at most so far from a shape; inside, the distance is negative.
fn is_within(place: DVec3, outer: Placed<'_, Vec3>, distance: f64) -> bool {
    let answer = point_proximity(place, outer, range(distance));
    matches!(answer, Ok(Proximity::Near(near)) if f64::from(near.upper) <= distance)
}

/// Whether a point is proven to be farther than that from a shape.
fn is_beyond(place: DVec3, shape: Placed<'_, Vec3>, distance: f64) -> bool {
    match point_proximity(place, shape, range(distance)) {
        Ok(Proximity::Near(near)) => f64::from(near.lower) > distance,
        Ok(Proximity::Farther { .. }) => true,
        _ => false,
    }
}

/// A place in each connected piece of a shape: all vertices of a mesh, or the middle of a convex shape. `None` for unions of convex parts.
pub(crate) fn places_in(shape: &Shape<Vec3>) -> Option<Vec<DVec3>> {
    let (corners, _) = corners_of(shape);
    match shape {
        // The middle of the box of a shape of your own may be outside of it.
        Shape::Convex(convex) if matches!(convex.core(), Core::Custom(_)) => None,
        Shape::Convex(_) => {
            let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
            Some(vec![middle])
        }
        Shape::Composite(composite) => {
            matches!(composite.kind(), CompositeKind::Mesh(_)).then_some(corners)
        }
        Shape::HalfSpace(_) => None,
    }
}

/// Points in whose hull a shape lies once it has grown by a radius.
fn corners_of(shape: &Shape<Vec3>) -> (Vec<DVec3>, f64) {
    let convex = match shape {
        Shape::Composite(composite) => {
            return match composite.kind() {
                CompositeKind::Mesh(mesh) => {
                    let vertices = mesh.vertices().iter();
                    (vertices.map(|vertex| vertex.as_dvec3()).collect(), 0.0)
                }
                _ => (corners_of_box(composite.local_bounds()), 0.0),
            };
        }
        Shape::Convex(convex) => convex,
        Shape::HalfSpace(_) => return (Vec::new(), f64::INFINITY),
    };
    let corners = match convex.core() {
        Core::Point(point) => vec![point.as_dvec3()],
        Core::Segment(segment) => [segment.a, segment.b].map(|end| end.as_dvec3()).to_vec(),
        Core::Triangle(triangle) => [triangle.a, triangle.b, triangle.c]
            .map(|corner| corner.as_dvec3())
            .to_vec(),
        Core::Hull(hull) => hull.vertices().iter().map(|v| v.as_dvec3()).collect(),
        _ => {
            // The box of what is round is larger, so that less is proven.
            let limits = shape.limits_within(&Pose::IDENTITY, 0.0);
            return (corners_of_box(Aabb::rounded_outwards(limits)), 0.0);
        }
    };
    (corners, convex.radius())
}

fn corners_of_box(bounds: Aabb<Vec3>) -> Vec<DVec3> {
    let sides = [bounds.min.as_dvec3(), bounds.max.as_dvec3()];
    let corner = |k: usize| DVec3::new(sides[k & 1].x, sides[k >> 1 & 1].y, sides[k >> 2].z);
    (0..8).map(corner).collect()
}

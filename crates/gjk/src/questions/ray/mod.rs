//! Rays against one placed shape.
//!
//! | shape | method |
//! | --- | --- |
//! | ball, capsule, cylinder, ellipsoid | the quadratic equation of the round surface, planes for flat ends |
//! | cuboid, hull, triangle of the plane | clipping by the planes of the faces |
//! | cone | Newton's method on the height above the flank, and the plane of the base |
//! | half-space | its plane |
//! | triangle in space, segment of the plane | exact signs: see [`triangle`] and [`segment`] |
//! | composite | the first of its parts: see [`composite`] |
//! | all else | planes found by GJK: see [`iterate`] |
//!
//! The ray is brought into the frame of the shape in double precision, and its whole line is cut: the part
//! inside of a convex shape is a chord, and where the ray starts decides which end of the chord it hits.

mod answer;
mod ball;
mod capsule;
mod chord;
mod composite;
mod cone;
mod cuboid;
mod ellipsoid;
mod four;
mod half_space;
mod hits;
mod in_frame;
mod iterate;
mod mesh;
mod polytope;
mod segment;
mod sheared;
mod triangle;
mod way_out;

use clearance_math::internal::heap_sort;
use clearance_math::{PreciseVector, Ray, RelativePose, Vector, compile_once};
use clearance_shapes::{Convex, Core, Hull, Shape, Triangle};

use crate::convex::closed_forms::point_point::Ball;
use crate::pair::{Placed, QueryError, Side};
pub use answer::{BackFaces, HitInFrame, Interior, RayHit, RayOptions};
use ball::Round;
pub use ball::ball_hit_by_ray;
use chord::Chord;
pub use in_frame::{RayInFrame, ray_surely_passes};
use iterate::{Entry, Rounded};

/// Hulls of more faces are left to iteration, which looks at a few of them only.
const MOST_FACES: usize = 2048;

/// Finds where a ray hits a placed shape, if it does.
///
/// The distance is a length along the ray in units of length; the length of the direction means nothing. The
/// true distance lies between the bounds of the answer. A miss is proven; a ray that passes the shape by no
/// more than the rounding error of double precision may be reported as a hit. Only a half-space, which has no end, is
/// missed by a ray that falls by less than that error for each unit of length.
///
/// Segments, points, flat hulls and, in 3D, triangles have no inside, and are hit from both sides. A ray in
/// the plane of a triangle hits its edge. No ray passes between triangles that share an edge; one that is aimed
/// exactly at an outer edge or corner may miss it by the rounding error of double precision.
///
/// # Errors
/// [`QueryError`] if the pose is not finite, if its rotation is not of unit length, or if `max_distance` is
/// NaN or negative. [`hit_by_ray`] is the same without these checks.
///
/// ```
/// use clearance::dim3::{Placed, Pose, Ray, RayOptions, Shape, Vec3, cast_ray};
///
/// let (crate_, place) = (Shape::cuboid(Vec3::ONE)?, Pose::from_translation(Vec3::new(5.0, 0.0, 0.0)));
/// let ray = Ray::new(Vec3::ZERO, Vec3::new(20.0, 0.0, 0.0))?;
/// let hit = cast_ray(&ray, Placed::new(&crate_, &place), RayOptions::default())?.unwrap();
/// assert_eq!(hit.distance, 4.0);
/// assert_eq!(hit.normal, Some(Vec3::NEG_X));
/// let short = RayOptions { max_distance: 3.5, ..RayOptions::default() };
/// assert!(cast_ray(&ray, Placed::new(&crate_, &place), short)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("raycast", "ray_cast"))]
pub fn cast_ray<V: Vector>(
    ray: &Ray<V>,
    b: Placed<V>,
    options: RayOptions,
) -> Result<Option<RayHit<V>>, QueryError> {
    check(b, options)?;
    Ok(hit_by_ray(ray, b, options))
}

fn check<V: Vector>(b: Placed<V>, options: RayOptions) -> Result<(), QueryError> {
    options.check()?;
    match b.pose.checked() {
        Ok(_) => Ok(()),
        Err(error) => Err(QueryError::Pose {
            side: Side::B,
            error,
        }),
    }
}

compile_once! {
    /// Finds where a ray hits a placed shape, if it does.
    ///
    /// Like [`cast_ray`], but without checking the input: the pose must be finite with a rotation of unit length,
    /// and the options must pass [`RayOptions::check`]. It is for callers that have checked them, as a world has.
    /// Otherwise the answer is meaningless.
    #[must_use]
    pub fn hit_by_ray<'a, V>(
        ray: &'a Ray<V>,
        b: Placed<'a, V>,
        options: RayOptions,
    ) -> Option<RayHit<V>> {
        hit_generic(ray, &b, options)
    }
}

fn hit_generic<V: Vector>(ray: &Ray<V>, b: &Placed<V>, options: RayOptions) -> Option<RayHit<V>> {
    if let Shape::Convex(convex) = b.shape
        && ray_surely_passes(ray, b.pose.position(), bounding_radius(convex))
    {
        return None;
    }
    if let Some(radius) = b.shape.ball_radius() {
        let center = b.pose.position();
        return ball_hit_by_ray(ray, Ball { center, radius }, options);
    }
    let frame = RelativePose::from_pose(b.pose);
    let line = |radius: f64| RayInFrame::new(ray, &frame, radius);
    let (line, hit) = match b.shape {
        Shape::HalfSpace(half_space) => {
            // Nothing bounds it; what counts is how far away the start is from the boundary.
            let away = ray.origin() - frame.translation;
            let line = line(half_space.offset().abs() + away.length());
            let chord = half_space::chord(&line, half_space)?;
            (line, HitInFrame::of_solid(&line, &chord, options))
        }
        Shape::Convex(convex) => {
            let line = line(bounding_radius(convex));
            (line, line.hit_convex(convex, options))
        }
        Shape::Composite(composite) => return composite::first(ray, b, composite, options),
    };
    hit.map(|hit| hit.in_world(ray, line.unit, &frame))
}

/// No point of the shape is farther from the origin of its frame than this.
fn bounding_radius<V: Vector>(convex: &Convex<V>) -> f64 {
    convex.core_bounding_radius() + convex.radius()
}

/// Replaces the contents of `hits` by what a ray hits of a placed shape, one hit a part, sorted by (distance, fronts before backs, part): all
/// triangles of a mesh on the ray, say. Each is the answer of [`cast_ray`] for that part alone.
///
/// A ray at an edge or a corner that triangles share hits each of them.
///
/// # Errors
/// As [`cast_ray`]; then `hits` is left as it is.
///
/// ```
/// use clearance::dim3::{Placed, Pose, Ray, RayHit, RayOptions, Shape, Vec3, cast_ray_all_into};
///
/// let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let tent = Shape::mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let ray = Ray::new(Vec3::new(0.2, 0.3, -1.0), Vec3::Z)?;
/// let mut hits = Vec::new();
/// cast_ray_all_into(&ray, Placed::new(&tent, &Pose::IDENTITY), RayOptions::default(), &mut hits)?;
/// let seen = |hit: &RayHit| (hit.part, hit.distance, hit.is_back_face);
/// assert_eq!(hits.iter().map(seen).collect::<Vec<_>>(), [(0, 1.0, false), (3, 1.5, true)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_ray_all_into<V: Vector>(
    ray: &Ray<V>,
    b: Placed<V>,
    options: RayOptions,
    hits: &mut Vec<RayHit<V>>,
) -> Result<(), QueryError> {
    check(b, options)?;
    hits.clear();
    all_hits_by_ray(ray, b, options, &mut |hit| hits.push(hit));
    heap_sort(hits, |one, other| {
        let distances = one.distance.total_cmp(&other.distance);
        let key = |hit: &RayHit<V>| (hit.is_back_face, hit.part);
        distances.then(key(one).cmp(&key(other))).is_lt()
    });
    Ok(())
}

compile_once! {
    /// Hands over what a ray hits of a placed shape, one hit a part, in no order.
    ///
    /// Like [`cast_ray_all_into`], but without checking the input, as [`hit_by_ray`].
    pub fn all_hits_by_ray<'a, V>(
        ray: &'a Ray<V>,
        b: Placed<'a, V>,
        options: RayOptions,
        found: &'a mut dyn FnMut(RayHit<V>),
    ) {
        match b.shape {
            Shape::Composite(composite) => composite::all(ray, &b, (composite, options), found),
            _ => hit_generic(ray, &b, options).into_iter().for_each(found),
        }
    }
}

/// Whether a ray hits a placed shape. It is faster than [`cast_ray`] for composites, since the first part
/// that is found to be hit decides.
///
/// # Errors
/// As [`cast_ray`]. [`is_hit_by_ray`] is the same without these checks.
pub fn ray_hits<V: Vector>(
    ray: &Ray<V>,
    b: Placed<V>,
    options: RayOptions,
) -> Result<bool, QueryError> {
    check(b, options)?;
    Ok(is_hit_by_ray(ray, b, options))
}

compile_once! {
    /// Whether a ray hits a placed shape.
    ///
    /// Like [`ray_hits`], but without checking the input: the pose must be finite with a rotation of unit length,
    /// and the options must pass [`RayOptions::check`]. It is for callers that have checked them, as a world has.
    /// Otherwise the answer is meaningless.
    #[must_use]
    pub fn is_hit_by_ray<'a, V>(ray: &'a Ray<V>, b: Placed<'a, V>, options: RayOptions) -> bool {
        match b.shape {
            Shape::Composite(composite) => composite::any(ray, &b, composite, options),
            _ => hit_generic(ray, &b, options).is_some(),
        }
    }
}

impl<P: PreciseVector> RayInFrame<P> {
    /// What the ray hits of a convex shape in its frame. The shape must lie within the bounding radius that the ray
    /// was made for.
    ///
    /// Triangles in space and segments of the plane that share vertices are tested without gaps between
    /// them, if they are tested with one `RayInFrame`.
    #[must_use]
    pub fn hit_convex<V: Vector<Precise = P>>(
        &self,
        convex: &Convex<V>,
        options: RayOptions,
    ) -> Option<HitInFrame<P>> {
        if self.passes() {
            return None;
        }
        hit_in_reach(self, convex, options)
    }
}

/// [`RayInFrame::hit_convex`] for a line that may meet the shape: many parts of a composite are passed, for which this would
/// be called in vain.
fn hit_in_reach<V: Vector>(
    line: &RayInFrame<V::Precise>,
    convex: &Convex<V>,
    options: RayOptions,
) -> Option<HitInFrame<V::Precise>> {
    let radius = convex.radius();
    let is_sharp = radius == 0.0;
    let chord = match convex.core() {
        Core::Point(center) => return hit_ball(line, *center, radius, options),
        Core::Segment(segment) if is_sharp => {
            let touch = if const { V::DIM == 2 } {
                segment::touch(line, [segment.a, segment.b])?
            } else {
                let ends = segment.b.to_precise() - segment.a.to_precise();
                let along = ends.direction().unwrap_or(V::Precise::axis(0));
                let normal = along * along.dot(line.direction) - line.direction;
                capsule::chord(line, segment, 0.0)?.of_two_sided(normal)
            };
            return HitInFrame::of_surface(line, &touch.within_reach(line), options);
        }
        Core::Segment(segment) => capsule::chord(line, segment, radius),
        Core::Triangle(corners) if is_sharp => return hit_triangle(line, corners, options),
        Core::Cuboid(cuboid) if is_sharp => cuboid::chord(line, cuboid),
        Core::Hull(hull) if is_sharp && hull.dimension() < V::DIM => {
            return HitInFrame::of_surface(line, &flat_hull(line, hull)?, options);
        }
        Core::Hull(hull) if is_sharp && hull.faces().len() <= MOST_FACES => {
            polytope::hull(line, hull)
        }
        Core::Cylinder(cylinder) if is_sharp => capsule::cylinder(line, cylinder),
        Core::Cone(cone) if is_sharp => cone::chord(line, cone),
        Core::Ellipsoid(ellipsoid)
            if radius == ellipsoid.inset() && !ellipsoid::is_too_flat(line, ellipsoid) =>
        {
            ellipsoid::chord(line, ellipsoid)
        }
        core => {
            return hit_by_iteration(line, &Rounded { core, radius }, options);
        }
    };
    HitInFrame::of_solid(line, &chord?.within_reach(line), options)
}

/// What the ray hits of a ball, or of a point.
#[inline(always)]
fn hit_ball<V: Vector>(
    line: &RayInFrame<V::Precise>,
    center: V,
    radius: f64,
    options: RayOptions,
) -> Option<HitInFrame<V::Precise>> {
    let chord = Round::ball(line, center.to_precise(), radius).chord(1.0)?;
    if radius == 0.0 {
        return HitInFrame::of_surface(line, &chord.of_two_sided(-line.direction), options);
    }
    HitInFrame::of_solid(line, &chord, options)
}

/// A triangle has an inside in the plane, but not in space, and not if it has no area.
fn hit_triangle<V: Vector>(
    line: &RayInFrame<V::Precise>,
    corners: &Triangle<V>,
    options: RayOptions,
) -> Option<HitInFrame<V::Precise>> {
    let vertices = [corners.a, corners.b, corners.c];
    if const { V::DIM == 3 } {
        return HitInFrame::of_surface(line, &triangle::touch(line, vertices)?, options);
    }
    match polytope::longest_side_if_flat(corners) {
        Some(ends) => {
            let touch = segment::touch(line, ends)?;
            let two_sided = touch.of_two_sided(touch.enter.normal);
            HitInFrame::of_surface(line, &two_sided, options)
        }
        None => {
            let chord = polytope::triangle_of_plane(line, corners)?;
            HitInFrame::of_solid(line, &chord.within_reach(line), options)
        }
    }
}

/// Where the line meets a flat hull in space: the triangles of its only face, around the first vertex.
fn flat_hull<V: Vector>(
    line: &RayInFrame<V::Precise>,
    hull: &Hull<V>,
) -> Option<Chord<V::Precise>> {
    let face = hull.face(0);
    let vertex = |k: usize| hull.vertices()[face.vertices[k] as usize];
    let triangles = (2..face.vertices.len()).map(|k| [vertex(0), vertex(k - 1), vertex(k)]);
    let touches = triangles.filter_map(|corners| triangle::touch(line, corners));
    touches
        .reduce(Chord::or)
        .map(|touch| touch.of_two_sided(face.normal))
}

/// What the ray hits of any convex set with a support mapping.
fn hit_by_iteration<P: PreciseVector>(
    line: &RayInFrame<P>,
    set: &Rounded<P>,
    options: RayOptions,
) -> Option<HitInFrame<P>> {
    let end = line.bounding_radius + line.rounding;
    let farthest = f64::from(options.max_distance) - line.middle;
    let from = line.start().max(-end);
    let to = end.min(farthest + line.rounding);
    if from > to {
        return None;
    }
    match set.entry(line, from, to)? {
        Entry::At(found) => HitInFrame::of_iteration(line, &found, options),
        Entry::Inside if options.interior == Interior::Solid => Some(HitInFrame::inside()),
        Entry::Inside => match set.entry(&line.reversed(), -end, -from)? {
            Entry::At(mut found) => {
                found.crossing = found.crossing.reversed().seen_from_inside();
                HitInFrame::of_iteration(line, &found, options)
            }
            Entry::Inside => None,
        },
    }
}

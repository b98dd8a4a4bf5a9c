//! One convex part of a placed shape as a piece of a surface: for questions about the surface that several make
//! together.

use clearance_math::{Aabb, PreciseVector, RelativePose, Vector, compile_once};
use clearance_shapes::{Convex, Core, Shape, Support};

use super::part_of;
use crate::convex::closed_forms::point_convex;
use crate::manifold::{face_towards, is_along};
use crate::pair::Placed;
use crate::search::{Cores, Goal, SearchResult, search_in};

/// One convex part of a placed shape, in the frame of the world or in one beside it that is not turned; a shape that is no
/// composite is its own part 0.
///
/// It borrows nothing, so that it can be kept where parts are looked at again and again.
#[derive(Clone, Debug)]
pub struct SurfacePart<V: Vector> {
    shape: Shape<V>,
    in_world: RelativePose<V::Precise>,
}

impl<V: Vector> SurfacePart<V> {
    /// The part of a placed shape with this number, if there is one.
    #[must_use]
    pub fn new(placed: Placed<'_, V>, number: u32) -> Option<Self> {
        Self::beside(placed, number, V::Precise::ZERO)
    }

    /// The part in a frame that lies at `origin` in the world. Near the origin of its frame a place has more digits.
    #[must_use]
    pub fn beside(placed: Placed<'_, V>, number: u32, origin: V::Precise) -> Option<Self> {
        let mut body = RelativePose::from_pose(placed.pose);
        body.translation -= origin;
        if !matches!(placed.shape, Shape::Composite(_)) {
            return Some(Self {
                shape: placed.shape.clone(),
                in_world: body,
            });
        }
        let part = part_of(placed.shape, number)?;
        Some(Self {
            in_world: part.pose.map_or(body, |pose| body.after(&pose)),
            shape: part.shape.into_owned(),
        })
    }

    /// The part, and where it is in the world; `None` for a half-space.
    pub(crate) fn convex(&self) -> Option<(&Convex<V>, &RelativePose<V::Precise>)> {
        match &self.shape {
            Shape::Convex(convex) => Some((convex, &self.in_world)),
            Shape::HalfSpace(_) | Shape::Composite(_) => None,
        }
    }

    /// How far the part reaches from its middle, in units of length: infinite for a half-space.
    #[must_use]
    pub fn size(&self) -> f64 {
        match &self.shape {
            Shape::Convex(convex) => convex.core_ball().1 + convex.radius(),
            Shape::HalfSpace(_) | Shape::Composite(_) => f64::INFINITY,
        }
    }

    /// A box around all points within `distance` of the part, rounded outwards; around everything for a half-space.
    #[must_use]
    pub fn bounds_within(&self, distance: f64) -> Aabb<V> {
        match &self.shape {
            Shape::Convex(convex) => convex.bounds_at(&self.in_world, distance),
            Shape::HalfSpace(_) | Shape::Composite(_) => Aabb::everything(),
        }
    }

    /// How far the part reaches in a direction of unit length, in the frame of the world: the greatest scalar product of
    /// the direction and a point of the part. Infinite for a half-space but along its own normal.
    #[must_use]
    pub fn reach(&self, direction: V::Precise) -> f64 {
        let local = self.in_world.inverse_transform_direction(direction);
        let reach = match &self.shape {
            Shape::Convex(convex) => convex.core().support(local).dot(local) + convex.radius(),
            Shape::HalfSpace(half_space) if is_along(local, half_space.normal()) => {
                half_space.offset()
            }
            Shape::HalfSpace(_) | Shape::Composite(_) => f64::INFINITY,
        };
        reach + self.in_world.translation.dot(direction)
    }

    /// A point of the part that is farthest in a direction of unit length; `None` for a half-space.
    pub(crate) fn farthest(&self, direction: V::Precise) -> Option<V::Precise> {
        let (convex, in_world) = self.convex()?;
        let local = in_world.inverse_transform_direction(direction);
        let farthest = convex.core().support(local) + local * convex.radius();
        Some(in_world.transform_point(farthest))
    }

    /// The normal of the face that looks in a direction of unit length, up to about 6 degrees, if there is one. A flat
    /// part has two, one of which looks there.
    #[must_use]
    pub fn face_towards(&self, direction: V::Precise) -> Option<V::Precise> {
        face_of_part(self, direction)
    }

    /// The outward normal of the surface that is nearest to a point inside; `None` outside, and where only iteration
    /// could tell.
    #[must_use]
    pub fn way_out(&self, point: V::Precise) -> Option<V::Precise> {
        let beside = self.beside_surface(point)?;
        let normal = (beside.height < 0.0).then_some(beside.normal)?;
        Some(self.in_world.transform_direction(normal))
    }

    /// The signed distance of a point from the part; `None` where only iteration could tell.
    pub(crate) fn height_of(&self, point: V::Precise) -> Option<f64> {
        self.beside_surface(point).map(|beside| beside.height)
    }

    /// A point of the part; `None` for a half-space.
    pub(crate) fn middle(&self) -> Option<V::Precise> {
        let (convex, in_world) = self.convex()?;
        Some(in_world.transform_point(convex.core_center()))
    }

    fn beside_surface(&self, point: V::Precise) -> Option<BesideSurface<V::Precise>> {
        let local = self.in_world.inverse_transform_point(point);
        match &self.shape {
            Shape::Convex(convex) => beside_convex(convex, local),
            Shape::HalfSpace(half_space) => Some(BesideSurface {
                height: local.dot(half_space.normal()) - half_space.offset(),
                normal: half_space.normal(),
            }),
            Shape::Composite(_) => None,
        }
    }

    /// The signed distance from this part to another one along a direction of unit length: at most their distance, and
    /// that far they are apart, or have to be moved to be apart, along the direction.
    #[must_use]
    pub fn distance_along(&self, other: &Self, direction: V::Precise) -> f64 {
        -(self.reach(direction) + other.reach(-direction))
    }

    /// The point of the part that is nearest to `point`: `point` itself if it is inside. Up to rounding, relative to
    /// the part's distance from its body's origin.
    #[must_use]
    pub fn closest_point(&self, point: V::Precise) -> V::Precise {
        let local = self.in_world.inverse_transform_point(point);
        let nearest = match &self.shape {
            Shape::Convex(convex) => closest_of_convex(convex, local),
            Shape::HalfSpace(half_space) => {
                let height = local.dot(half_space.normal()) - half_space.offset();
                (height > 0.0).then(|| local - half_space.normal() * height)
            }
            Shape::Composite(_) => None,
        };
        nearest.map_or(point, |nearest| self.in_world.transform_point(nearest))
    }
}

compile_once! {
    fn face_of_part<'a, V>(part: &'a SurfacePart<V>, direction: V::Precise) -> Option<V::Precise> {
        let local = part.in_world.inverse_transform_direction(direction);
        let front = part.convex().and_then(|(convex, _)| convex.front());
        let normal = front.or_else(|| face_towards(&part.shape, local))?;
        let normal = normal * normal.dot(local).signum();
        Some(part.in_world.transform_direction(normal))
    }
}

/// Where a point is beside the surface of a part, in the frame of the part.
struct BesideSurface<P> {
    /// Its signed distance.
    height: f64,
    /// The outward normal where the surface is nearest.
    normal: P,
}

compile_once! {
    fn beside_convex<'a, V>(convex: &'a Convex<V>, point: V::Precise) -> Option<BesideSurface<V::Precise>> {
        if let Core::Point(center) = convex.core() {
            let way = point - center.to_precise();
            let height = way.length() - convex.radius();
            return Some(BesideSurface { height, normal: way.direction()? });
        }
        let measured = point_convex::measure(convex, point, 0.0)?;
        Some(BesideSurface { height: measured.distance, normal: measured.normal })
    }
}

compile_once! {
    /// The nearest point of a convex shape, in its frame; `None` if the point is inside.
    fn closest_of_convex<'a, V>(convex: &'a Convex<V>, point: V::Precise) -> Option<V::Precise> {
        if let Some(on_core) = point_convex::nearest_of_core(convex.core(), point) {
            let way = point - on_core;
            let length = way.length();
            let is_outside = length > convex.radius();
            return is_outside.then(|| on_core + way * (convex.radius() / length));
        }
        if let Some(measured) = point_convex::measure(convex, point, 0.0) {
            return (measured.distance > 0.0).then_some(measured.on_a);
        }
        let Ok(Shape::Convex(at_origin)) = Shape::segment(V::ZERO, V::ZERO) else {
            unreachable!("zero is finite, and a segment convex");
        };
        let seen_from_point = RelativePose {
            translation: -point,
            ..RelativePose::identity()
        };
        // An overlap needs no depth: the point is inside.
        let cores = Cores::new(&at_origin, convex, &seen_from_point);
        let SearchResult::Separated(found) = search_in(&cores, Goal::closest_point()) else {
            return None;
        };
        let (_, on_core) = found.witness_points;
        let length = on_core.length();
        let is_outside = length > convex.radius();
        is_outside.then(|| point + on_core * (1.0 - convex.radius() / length))
    }
}

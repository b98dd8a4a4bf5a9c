//! Shapes, and the composites that hold shapes and are ones.

use std::borrow::Cow;
use std::sync::Arc;

use clearance_math::{Aabb, Pose, Real, RelativePose, Vector};
use clearance_tree::Tree;

use crate::composite::height_field::HeightField;
use crate::composite::mesh::Mesh;
use crate::composite::pieces::Pieces;
use crate::composite::points::PointCloud;
use crate::composite::polyline::Polyline;
use crate::composite::solid::Inside;
use crate::composite::voxels::{OneWay, Voxels};
use crate::convex::half_space_limits;
use crate::error::check_number;
use crate::{Convex, Core, HalfSpace, Requirement, Segment, ShapeError, Triangle};

/// The shape of a body, in the frame of the body. It is cheap to clone, because clones share the
/// vertices of a hull.
///
/// The constructors check their input, so every existing shape is valid. Lengths are in your unit
/// of length. Lists of points, triangles, heights and parts may be arrays, slices or `Vec`s, owned or borrowed: the shape
/// copies what it keeps, which costs little beside what it builds over it.
///
/// ```
/// use clearance::dim3::{Pose, Shape, Vec3};
///
/// let capsule = Shape::capsule(1.0, 0.5)?;
/// let top = capsule.bounds(&Pose::IDENTITY).max;
/// assert!((top - Vec3::new(0.5, 1.5, 0.5)).length() < 1e-6);
/// assert!(Shape::ball(-1.0).is_err());
/// # Ok::<(), clearance::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Shape<V: Vector> {
    /// A convex shape of finite size.
    Convex(Convex<V>),
    /// All points on one side of a line (2D) or plane (3D), such as the ground.
    HalfSpace(HalfSpace<V>),
    /// The union of numbered convex parts: a mesh, a polyline, a height field, a point cloud, voxels or a compound. Clones
    /// share it.
    Composite(Arc<Composite<V>>),
}

/// A shape that is the union of numbered convex parts, in the frame of its body.
///
/// Parts are counted from 0. A composite has at least one part.
#[derive(PartialEq)]
pub struct Composite<V: Vector> {
    pub(crate) kind: CompositeKind<V>,
    pub(crate) local_bounds: Aabb<V>,
    pub(crate) bounding_radius: f64,
    /// Kept, since every question asks for it, and a compound would have to ask all its members.
    pub(crate) rounding: f64,
    pub(crate) one_sided: Option<Real>,
    pub(crate) inside: Option<Inside<V>>,
    pub(crate) pieces: Pieces,
    /// A number for each part, or for each shape of a compound.
    pub(crate) user_data: Option<Arc<[u64]>>,
}

/// The side of a part on which it counts: see [`Shape::one_sided`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OuterSide<P> {
    /// The unit normal of that side, in the frame of the composite.
    pub normal: P,
    /// Contacts count up to this depth, in units of length.
    pub depth: Real,
    /// Whether the part is a one-way tile or one of a one-way shape, which counts for what lies beyond it as a whole only.
    pub is_of_tile: bool,
}

/// What a composite is made of.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub enum CompositeKind<V: Vector> {
    /// Triangles that share vertices.
    Mesh(Mesh<V>),
    /// Segments that share vertices.
    Polyline(Polyline<V>),
    /// A grid of heights; 3D only.
    HeightField(HeightField<V>),
    /// Balls of one radius.
    Points(PointCloud<V>),
    /// Filled cells of a grid.
    Voxels(Voxels<V>),
    /// Placed shapes.
    Compound(Compound<V>),
}

/// One convex part of a composite.
#[derive(Clone, Debug)]
pub struct Part<'a, V: Vector> {
    /// The part, which is always [`Shape::Convex`].
    pub shape: Cow<'a, Shape<V>>,
    /// The pose of the part in the frame of the composite; `None` if it is the identity.
    pub pose: Option<RelativePose<V::Precise>>,
}

/// A shape with its place in a compound.
#[derive(Clone, Debug, PartialEq)]
pub struct CompoundPart<V: Vector> {
    /// The shape: any kind but a half-space.
    pub shape: Shape<V>,
    /// The pose of the shape in the frame of the compound.
    pub pose: Pose<V>,
}

impl<V: Vector> CompoundPart<V> {
    /// A shape at a pose in the frame of the compound.
    #[must_use]
    pub fn new(shape: Shape<V>, pose: Pose<V>) -> Self {
        Self { shape, pose }
    }
}

/// The union of placed shapes, such as a table of five cuboids.
///
/// A convex shape is one part. A composite contributes all its parts: those of the first shape come
/// first, and so on.
pub struct Compound<V: Vector> {
    pub(crate) shapes: Vec<CompoundPart<V>>,
    /// The side from which those parts count that have none of their own.
    pub(crate) one_way: Option<OneWay<V>>,
    /// The convex shapes and composites, with compounds taken apart.
    pub(crate) members: Vec<Member<V>>,
    /// The numbers of the members that have an inside.
    pub(crate) solids: Vec<u32>,
    pub(crate) tree: Tree<V>,
    pub(crate) part_count: u32,
    /// The same with the hulls of convex solids in their places, if there are such. It has as many members.
    pub(crate) by_hulls: Option<Shape<V>>,
    /// 1 for a compound without compounds.
    pub(crate) depth: u8,
}

/// A convex shape, or a composite that is no compound, in the frame of the outermost compound.
#[derive(Debug)]
pub(crate) struct Member<V: Vector> {
    pub(crate) shape: Shape<V>,
    /// `None` for the identity.
    pub(crate) pose: Option<RelativePose<V::Precise>>,
    pub(crate) first_part: u32,
    /// The number of the shape of the outermost compound that it belongs to.
    pub(crate) shape_number: u32,
    /// The side of a compound within the outermost one, and the number that its shape has there.
    pub(crate) side: Option<Box<OuterSide<V::Precise>>>,
    pub(crate) user_data: u64,
}

impl<V: Vector> From<Composite<V>> for Shape<V> {
    fn from(composite: Composite<V>) -> Self {
        Self::Composite(Arc::new(composite))
    }
}

impl<V: Vector> Shape<V> {
    /// The triangle with finite corners.
    #[inline]
    pub(crate) fn triangle_of(a: V, b: V, c: V) -> Self {
        let core = if a == b || b == c {
            segment_core(a, c)
        } else if a == c {
            segment_core(a, b)
        } else {
            Core::Triangle(Triangle { a, b, c })
        };
        Self::convex(core, 0.0)
    }

    /// The segment with finite ends.
    #[inline]
    pub(crate) fn segment_of(a: V, b: V) -> Self {
        Self::convex(segment_core(a, b), 0.0)
    }

    /// The shape of all points within `radius` > 0 of this shape. A cuboid becomes a box with
    /// rounded edges that is larger by `radius` on every side.
    ///
    /// # Errors
    /// A radius that is not finite or not positive, or a composite shape.
    #[doc(alias("round_cuboid", "radius"))]
    pub fn rounded(&self, radius: Real) -> Result<Self, ShapeError> {
        check_number("rounded", "radius", radius, Requirement::Positive)?;
        let radius = f64::from(radius);
        Ok(match self {
            Self::Convex(convex) => Self::Convex(convex.with_more_radius(radius)),
            Self::HalfSpace(half_space) => Self::HalfSpace(HalfSpace {
                normal: half_space.normal,
                offset: half_space.offset + radius,
            }),
            Self::Composite(composite) => {
                let kind = composite.kind_name();
                return Err(ShapeError::CannotRound { kind });
            }
        })
    }

    /// The same mesh, height field or 2D polyline, whose faces count on their outer sides only: for terrain and
    /// walls that are seen from one side.
    ///
    /// The outer side is the front that rays tell from the back: where the corners of a triangle run counter-clockwise,
    /// on the right of a segment, and where a height field's scale along y points. A face counts for a shape if the normal
    /// of their contact, where they are nearest or overlap the least, points to the outer side, and if they overlap by at
    /// most `depth`, >= 0, in units of length. That is a function of the two poses, and holds for distances, contacts,
    /// casts and slides alike; a cast asks it where the shape first comes within its range of the face, so that a shape
    /// which comes from behind passes. Rays pass from behind.
    ///
    /// A slide keeps clear of what counts, and does not end in an overlap that is deeper than a few skins: for platforms that a
    /// sliding character jumps through, choose a depth of 0.
    ///
    /// A shape that comes through from behind is pushed out by no more than `depth`, once most of it is through; one that
    /// sinks deeper than `depth` into the outer side falls through. Choose as much as bodies overlap at most in the game: a
    /// tenth of their size, say. A solid body is the way to keep things from a side that is not there.
    ///
    /// ```
    /// use clearance::dim2::{Placed, Pose, Shape, Vec2, contacts_into};
    ///
    /// // From right to left, so that the upper side is on the right.
    /// let platform = Shape::polyline(vec![Vec2::X, -Vec2::X])?.one_sided(0.1)?;
    /// let ball = Shape::ball(0.5)?;
    /// let mut found = Vec::new();
    /// for (height, is_met) in [(0.5, true), (0.45, true), (0.3, false), (-0.45, false)] {
    ///     let at = Pose::from_translation(Vec2::new(0.0, height));
    ///     contacts_into(Placed::new(&platform, &Pose::IDENTITY), Placed::new(&ball, &at), 0.01, &mut found)?;
    ///     assert_eq!(!found.is_empty(), is_met);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A depth that is negative or not finite; a shape that has no faces with an outer side.
    #[doc(alias("one_way", "back_face_culling"))]
    pub fn one_sided(self, depth: Real) -> Result<Self, ShapeError> {
        let shared = match self {
            Self::Composite(shared) if !matches!(shared.kind(), CompositeKind::Compound(_)) => {
                shared
            }
            _ => {
                return Err(ShapeError::NoOuterSide {
                    kind: self.kind_name(),
                });
            }
        };
        own(shared)?.with_one_side(depth).map(Self::from)
    }

    /// The same closed mesh or polyline of the plane with an inside, which every question then knows of: a point within
    /// has a negative distance, and what lies within overlaps. See [`Shape::solid_mesh`] and [`Shape::polygon`], which
    /// are shorter. The segments of a polyline must return to the number of the first vertex; one at the same place is
    /// another one.
    ///
    /// # Errors
    /// As these; another kind of shape; a surface that is one-sided.
    pub fn solid(self) -> Result<Self, ShapeError> {
        let Self::Composite(shared) = self else {
            return Err(ShapeError::NoInside {
                kind: self.kind_name(),
            });
        };
        own(shared)?.with_inside().map(Self::from)
    }

    /// Whether the shape is a solid mesh or a polygon, or a compound with one. Costs constant time.
    #[inline]
    #[must_use]
    pub fn has_solid(&self) -> bool {
        matches!(self, Self::Composite(composite) if composite.has_inside())
    }

    pub(crate) fn convex(core: Core<V>, radius: Real) -> Self {
        Self::Convex(Convex::new(core, f64::from(radius)))
    }

    /// The smallest axis-aligned box around the shape at `pose`, rounded outwards. For a composite it
    /// is the box around the turned boxes of its tree's upper nodes, so it can be larger. For a half-space
    /// it is infinite, except on the bounded side if the normal is parallel to an axis of the
    /// world.
    #[must_use]
    pub fn bounds(&self, pose: &Pose<V>) -> Aabb<V> {
        self.bounds_within(pose, 0.0)
    }

    /// The smallest axis-aligned box around all points within `distance` >= 0 of the shape at
    /// `pose`, rounded outwards. For a half-space it is infinite, except on the bounded side if the
    /// normal is parallel to an axis of the world.
    #[must_use]
    pub fn bounds_within(&self, pose: &Pose<V>, distance: f64) -> Aabb<V> {
        Aabb::rounded_outwards(self.limits_within(pose, distance))
    }

    /// The corners of [`Shape::bounds_within`] in double precision: where the shape is far from the origin, single
    /// precision knows its place only roughly.
    #[must_use]
    pub fn limits_within(&self, pose: &Pose<V>, distance: f64) -> [V::Precise; 2] {
        match self {
            Self::Convex(convex) => convex.limits_within(pose, distance),
            Self::HalfSpace(half_space) => half_space_limits(half_space, pose, distance),
            Self::Composite(composite) => composite.limits_within(pose, distance),
        }
    }

    /// An upper bound of the distance of the shape's points from the origin of the body, in units of
    /// length: infinite for a half-space.
    #[must_use]
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Convex(convex) => convex.core_bounding_radius() + convex.radius(),
            Self::HalfSpace(_) => f64::INFINITY,
            Self::Composite(composite) => composite.bounding_radius(),
        }
    }

    /// The radius of a shape that has the bits of [`Shape::ball`]; `None` for all others.
    #[must_use]
    pub fn ball_radius(&self) -> Option<Real> {
        let Self::Convex(convex) = self else {
            return None;
        };
        let Core::Point(center) = convex.core() else {
            return None;
        };
        let radius = convex.radius() as Real;
        // A hull of one point has no radius, its coordinates may be -0.0, and the radius of a rounded ball may be no
        // number of single precision.
        let is_centered = (0..V::DIM).all(|k| center.component(k).to_bits() == 0);
        let is_ball = radius > 0.0 && is_centered && f64::from(radius) == convex.radius();
        is_ball.then_some(radius)
    }

    /// The memory, in bytes, of the hull or composite that the shape shares with its clones; zero
    /// for other kinds.
    #[must_use]
    pub fn shared_memory(&self) -> usize {
        match self {
            Self::Convex(convex) => match convex.core() {
                Core::Hull(hull) => hull.memory(),
                _ => 0,
            },
            Self::HalfSpace(_) => 0,
            Self::Composite(composite) => composite.memory(),
        }
    }
}

/// The composite, or a copy if others share it.
pub(crate) fn own<V: Vector>(shared: Arc<Composite<V>>) -> Result<Composite<V>, ShapeError> {
    match Arc::try_unwrap(shared) {
        Ok(own) => Ok(own),
        Err(shared) => shared.stretched(V::splat(1.0)),
    }
}

pub(crate) fn segment_core<V: Vector>(a: V, b: V) -> Core<V> {
    if a == b {
        Core::Point(a)
    } else {
        Core::Segment(Segment { a, b })
    }
}

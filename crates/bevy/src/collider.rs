//! The component that makes an entity collide.

use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3};
use bevy_reflect::prelude::*;
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use bevy_transform::components::Transform;
use clearance::ShapeError;
use clearance::generic::{Cells, CompoundPart, Hull, Shape, Tile};

use crate::{BodyKind, Layers, Space};

/// The shape of an entity, in the frame of its [`Transform`], whose scale and that of its parents count.
///
/// It is all that an entity needs to collide. Beside it are [`BodyKind`] and [`Layers`], with defaults, and if wanted
/// [`Margin`](crate::Margin), [`Velocity`](crate::Velocity), [`Swept`](crate::Swept), [`Sensor`](crate::Sensor),
/// [`PartContacts`](crate::PartContacts), [`CollisionEvents`](crate::CollisionEvents) and [`InWorld`](crate::InWorld).
///
/// Constructors are those of the shapes of [`clearance`], with the same arguments, and refuse what makes no shape.
///
/// ```
/// use bevy_clearance::dim2::Collider;
/// use clearance::dim2::Vec2;
///
/// let tile = Collider::cuboid(Vec2::new(0.5, 0.5))?;
/// assert_eq!(tile.shape().bounding_radius(), f64::sqrt(0.5));
/// assert!(Collider::ball(-1.0).unwrap_err().to_string().contains("radius is -1"));
/// # Ok::<(), clearance::ShapeError>(())
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(opaque)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent, bound = ""))]
#[component(summary_tick)]
#[require(Transform, BodyKind, Layers)]
#[doc(alias("collider", "shape", "collision_shape"))]
pub struct Collider<V: Space>(Shape<V>);

/// Constructors that only wrap what the constructors of [`Shape`] return.
macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*);)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            #[doc = concat!("Those of [`Shape::", stringify!($name), "`].")]
            pub fn $name($($argument: $kind),*) -> Result<Self, ShapeError> {
                Shape::$name($($argument),*).map(Self)
            }
        )*
    };
}

impl<V: Space> Collider<V> {
    constructors! {
        /// A ball; a disc in the plane.
        ball(radius: f32);
        /// A box.
        cuboid(half_extents: V);
        /// A capsule along the y axis.
        capsule(half_length: f32, radius: f32);
        /// A capsule between two points.
        capsule_from_endpoints(a: V, b: V, radius: f32);
        /// A capsule with two radii, along the y axis.
        tapered_capsule(half_length: f32, radius_top: f32, radius_bottom: f32);
        /// A segment.
        segment(a: V, b: V);
        /// A triangle.
        triangle(a: V, b: V, c: V);
        /// The convex hull of points.
        hull(points: impl AsRef<[V]>);
        /// An ellipsoid; an ellipse in the plane.
        ellipsoid(radii: V);
        /// All on one side of a plane through the origin.
        half_space(normal: V);
        /// Segments from point to point.
        polyline(vertices: impl AsRef<[V]>);
        /// Segments between numbered points.
        polyline_of_segments(vertices: impl AsRef<[V]>, segments: impl AsRef<[[u32; 2]]>);
        /// A cloud of balls.
        points(points: impl AsRef<[V]>, radius: f32);
        /// Cells of a grid.
        voxels(size: V, cells: impl AsRef<[V::Cell]>);
        /// Cells of a grid.
        voxels_of(size: V, cells: Cells<V>);
        /// Cells of a grid, some of them with shapes of a palette.
        tiles(size: V, cells: impl AsRef<[V::Cell]>, palette: impl Into<Vec<Tile<V>>>);
        /// Cells of a grid, some of them with shapes of a palette.
        tiles_of(size: V, cells: Cells<V>, palette: impl Into<Vec<Tile<V>>>);
        /// Several shapes that are one.
        compound(parts: impl AsRef<[CompoundPart<V>]>);
    }

    /// The shape, without the scale of the transform.
    #[must_use]
    pub fn shape(&self) -> &Shape<V> {
        &self.0
    }

    /// The shape, to change it: the next step has the contacts of the changed one.
    ///
    /// Of voxels and tiles that are dug and built by [`Shape::set_cells`] and [`Shape::set_tiles`], the next step measures what
    /// is near the chunks that changed, as after [`BodyMut::set_cells`](clearance::generic::BodyMut::set_cells).
    ///
    /// ```
    /// use bevy_clearance::dim2::Collider;
    /// use bevy_ecs::prelude::*;
    /// use clearance::ShapeError;
    /// use clearance::dim2::{IVec2, Vec2};
    ///
    /// fn dig(mut ground: Single<&mut Collider>) -> Result<(), ShapeError> {
    ///     ground.shape_mut().set_cells([IVec2::new(1, 0)], false)
    /// }
    ///
    /// let mut world = World::new();
    /// let ground = Collider::voxels(Vec2::ONE, [IVec2::new(0, 0), IVec2::new(1, 0)])?;
    /// let ground = world.spawn(ground).id();
    /// world.run_system_cached(dig)??;
    /// let ground = world.get::<Collider>(ground).expect("it is there");
    /// assert_eq!(ground.shape().mass_properties(1.0)?.volume, 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shape_mut(&mut self) -> &mut Shape<V> {
        &mut self.0
    }

    /// Replaces the shape by what a function makes of it, such as [`Shape::rounded`] or [`Shape::translated`].
    ///
    /// ```
    /// use bevy_clearance::dim3::Collider;
    /// use clearance::dim3::Vec3;
    ///
    /// let crate_ = Collider::cuboid(Vec3::ONE)?.map(|shape| shape.rounded(0.1))?;
    /// assert_eq!(crate_.shape().kind_name(), "rounded");
    /// # Ok::<(), clearance::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// Those of the function.
    pub fn map(
        self,
        change: impl FnOnce(Shape<V>) -> Result<Shape<V>, ShapeError>,
    ) -> Result<Self, ShapeError> {
        change(self.0).map(Self)
    }
}

impl Collider<Vec2> {
    constructors! {
        /// A polygon with an inside, and with holes.
        polygon(vertices: impl AsRef<[Vec2]>, holes: &[Vec<Vec2>]);
    }
}

impl Collider<Vec3> {
    constructors! {
        /// A cylinder along the y axis.
        cylinder(half_height: f32, radius: f32);
        /// A cone along the y axis, its tip up.
        cone(half_height: f32, radius: f32);
        /// A cylinder with two radii, along the y axis.
        tapered_cylinder(half_height: f32, radius_top: f32, radius_bottom: f32);
        /// A surface of triangles.
        mesh(vertices: impl AsRef<[Vec3]>, triangles: impl AsRef<[[u32; 3]]>);
        /// A surface of triangles; vertices at one place become one.
        mesh_welded(vertices: impl AsRef<[Vec3]>, triangles: impl AsRef<[[u32; 3]]>);
        /// What a closed surface of triangles encloses.
        solid_mesh(vertices: impl AsRef<[Vec3]>, triangles: impl AsRef<[[u32; 3]]>);
        /// A grid of heights.
        height_field(heights: impl AsRef<[f32]>, columns: usize, scale: Vec3);
    }
}

impl<V: Space> From<Shape<V>> for Collider<V> {
    fn from(shape: Shape<V>) -> Self {
        Self(shape)
    }
}

impl<V: Space> From<Hull<V>> for Collider<V> {
    fn from(hull: Hull<V>) -> Self {
        Self(hull.into())
    }
}

/// A ball of radius 0.5, for editors; a game says what it wants.
impl<V: Space> Default for Collider<V> {
    fn default() -> Self {
        Self(Shape::ball(0.5).expect("the radius is positive"))
    }
}

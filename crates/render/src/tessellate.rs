//! The triangles and edges of every kind of shape.

use clearance_math::{DVec3, Pose, PreciseVector, Real, RelativePose, Vector, compile_once};
use clearance_shapes::composite::PointCloud;
use clearance_shapes::{Composite, CompositeKind, Convex, Core, HalfSpace, Hull, Shape};

use crate::Tessellation;
use crate::faceted::{Crease, faceted};
use crate::surface::{add_creases, surface};
use crate::swept::surface_points;
use crate::turned::turned;
use crate::voxels::{tiles, triangles};

/// How far a vertex may be from the surface of its shape, relative to the shape's bounding radius.
///
/// Vertices are rounded to single precision, once more for each compound that a part is nested in.
pub const SURFACE_TOLERANCE: Real = 1e-6;

/// The balls of a cloud of more points are drawn as octahedra.
const MOST_ROUND: usize = 1000;

/// What is to be decided where a shape has no triangles of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TessellationOptions {
    /// Half the width of the square to which half-spaces are cut, in units of length. The square is
    /// centred on the point of the boundary that is nearest to the body's origin.
    pub half_space_reach: Real,
}

impl Default for TessellationOptions {
    /// Half-spaces are cut to a width of 200.
    fn default() -> Self {
        Self {
            half_space_reach: 100.0,
        }
    }
}

/// The triangles and edges of a shape, with [`TessellationOptions`] by default.
///
/// What is round is made of facets of 18 degrees in 3D (a ball has 200 triangles) and of 11 in 2D. All
/// vertices lie on the surface, and flat sides keep their corners. A shape of your own is sampled through
/// its support mapping. The balls of a cloud of more than 1000 points have 8 triangles each, and points none. Voxels have
/// the faces that lie between no two whole cells, and their tiles as they are. A compound has the triangles of all its parts, also where they overlap.
///
/// ```
/// use clearance::dim3::{Shape, Vec3};
/// use clearance_render::tessellate;
///
/// let cube = tessellate(&Shape::cuboid(Vec3::ONE)?);
/// assert_eq!((cube.vertices.len(), cube.triangles.len(), cube.edges.len()), (8, 12, 12));
/// assert_eq!(tessellate(&Shape::ball(1.0)?).triangles.len(), 200);
/// # Ok::<(), clearance::ShapeError>(())
/// ```
#[must_use]
pub fn tessellate<V: Vector>(shape: &Shape<V>) -> Tessellation {
    tessellate_with(shape, &TessellationOptions::default())
}

compile_once! {
    /// The triangles and edges of a shape: see [`tessellate`].
    #[must_use]
    pub fn tessellate_with<'a, V>(
        shape: &'a Shape<V>,
        options: &'a TessellationOptions,
    ) -> Tessellation {
        tessellated(shape, options)
    }
}

fn tessellated<V: Vector>(shape: &Shape<V>, options: &TessellationOptions) -> Tessellation {
    match shape {
        Shape::Convex(convex) => of_convex(convex),
        Shape::HalfSpace(half_space) => patch(half_space, options.half_space_reach),
        Shape::Composite(composite) => of_composite(composite, options),
    }
}

fn of_convex<V: Vector>(convex: &Convex<V>) -> Tessellation {
    let crease = match convex.core() {
        _ if convex.radius() > 0.0 => Crease::OF_ROUNDED,
        core if core.is_polytope() => Crease::OF_FLAT,
        _ => Crease::OF_PARTLY_ROUND,
    };
    if let Some(mut found) = turned(convex) {
        add_creases(&mut found, crease);
        return found;
    }
    match convex.core() {
        Core::Hull(hull) if convex.radius() == 0.0 => faceted(hull, crease),
        _ => Hull::from_points(&surface_points(convex))
            .map_or_else(|_| Tessellation::default(), |hull| faceted(&hull, crease)),
    }
}

/// In 3D the boundary plane, in 2D a square under the boundary line, of which only that line is an edge.
fn patch<V: Vector>(half_space: &HalfSpace<V>, reach: Real) -> Tessellation {
    let (normal, reach) = (half_space.normal(), f64::from(reach));
    let center = normal * half_space.offset();
    let up = normal.in_space();
    let (along, across, edges) = if V::DIM == 2 {
        (DVec3::new(-up.y, up.x, 0.0), -up, vec![[0, 1]])
    } else {
        let along = up.perpendicular();
        (along, up.cross(along), vec![[0, 1], [1, 2], [2, 3], [3, 0]])
    };
    let start = if V::DIM == 2 { 0.0 } else { -1.0 };
    let corners = [(-1.0, start), (1.0, start), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| {
        let aside = (along * x + across * y) * reach;
        V::from_precise(center + V::Precise::from_space(aside))
    });
    let mut found = Tessellation::of_points(&corners);
    found.fill(&[0, 1, 2, 3]);
    found.edges = edges;
    found
}

fn of_composite<V: Vector>(
    composite: &Composite<V>,
    options: &TessellationOptions,
) -> Tessellation {
    match composite.kind() {
        CompositeKind::Mesh(mesh) => {
            let count = mesh.triangles().len() as u32;
            surface((0..count).map(|triangle| mesh.corners(triangle)))
        }
        CompositeKind::HeightField(field) => {
            let count = composite.part_count();
            surface((0..count).filter_map(|triangle| field.corners(triangle)))
        }
        CompositeKind::Polyline(polyline) => Tessellation {
            edges: polyline.segments().to_vec(),
            ..Tessellation::of_points(polyline.vertices())
        },
        CompositeKind::Compound(compound) => {
            let mut found = Tessellation::default();
            for part in compound.shapes() {
                found.add::<V>(
                    tessellated(&part.shape, options),
                    &RelativePose::from_pose(&part.pose),
                );
            }
            found
        }
        CompositeKind::Voxels(voxels) => {
            let mut found = surface(triangles(voxels));
            add_parts(&mut found, composite, tiles(voxels), options);
            found
        }
        CompositeKind::Points(cloud) => {
            let ball = ball_of_many(cloud);
            let mut found = Tessellation::default();
            for &point in cloud.points() {
                let at = RelativePose::from_pose(&Pose::<V>::from_translation(point));
                found.add::<V>(ball.clone(), &at);
            }
            found
        }
        _ => of_parts(composite, options),
    }
}

/// A ball of a cloud, with few facets if there are many of them; points have none.
fn ball_of_many<V: Vector>(cloud: &PointCloud<V>) -> Tessellation {
    let radius = cloud.radius();
    if cloud.points().len() <= MOST_ROUND {
        return Shape::<V>::ball(radius)
            .map_or_else(|_| Tessellation::default(), |ball| tessellate(&ball));
    }
    let corners = (0..V::DIM).flat_map(|axis| [V::axis(axis) * radius, V::axis(axis) * -radius]);
    Hull::from_points(&corners.collect::<Vec<_>>()).map_or_else(
        |_| Tessellation::default(),
        |hull| faceted(&hull, Crease::OF_ROUNDED),
    )
}

/// The triangles of all parts, for kinds of composites that are not known here.
fn of_parts<V: Vector>(composite: &Composite<V>, options: &TessellationOptions) -> Tessellation {
    let mut found = Tessellation::default();
    add_parts(&mut found, composite, composite.part_numbers(), options);
    found
}

fn add_parts<V: Vector>(
    found: &mut Tessellation,
    composite: &Composite<V>,
    numbers: impl Iterator<Item = u32>,
    options: &TessellationOptions,
) {
    for part in numbers.filter_map(|number| composite.part(number)) {
        let pose = part.pose.unwrap_or_else(RelativePose::identity);
        found.add::<V>(tessellated(&part.shape, options), &pose);
    }
}

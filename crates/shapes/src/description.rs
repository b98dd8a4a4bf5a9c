//! How shapes are written for people: on one line, however many corners or parts they have.

use core::fmt::{Debug, Display, Formatter, Result};

use clearance_math::Vector;

use crate::composite::{Cells, Compound, HeightField, Mesh, PointCloud, Polyline, Voxels};
use crate::{Composite, CompositeKind, Convex, Core, Hull, Shape};

/// A hull with more corners is written by their number.
const MOST_CORNERS: usize = 8;

/// Writes what the shape is, for people.
///
/// ```
/// use clearance::dim3::{Shape, Vec3};
///
/// let crate_with_round_edges = Shape::cuboid(Vec3::new(1.0, 0.5, 1.0))?.rounded(0.1)?;
/// assert_eq!(crate_with_round_edges.to_string(), "cuboid of half extents [1, 0.5, 1], rounded by 0.1");
/// assert_eq!(Shape::capsule(1.0, 0.5)?.to_string(), "capsule from [0, -1, 0] to [0, 1, 0] of radius 0.5");
/// let mesh = Shape::mesh([Vec3::X, Vec3::Y, Vec3::Z], [[0, 1, 2]])?;
/// assert_eq!(mesh.to_string(), "mesh of 3 vertices and 1 triangles");
/// assert_eq!(format!("{mesh:?}"), "Composite(Mesh { vertices: 3, triangles: 1 })");
/// # Ok::<(), clearance::ShapeError>(())
/// ```
impl<V: Vector> Display for Shape<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Convex(convex) => Display::fmt(convex, f),
            Self::HalfSpace(half_space) => {
                let normal = V::from_precise(half_space.normal());
                write!(f, "half-space below the normal {normal}")?;
                match half_space.offset() {
                    0.0 => Ok(()),
                    offset => write!(f, ", raised by {}", offset as f32),
                }
            }
            Self::Composite(composite) => Display::fmt(composite.kind(), f),
        }
    }
}

/// Writes what the shape is, for people: see [`Shape`].
impl<V: Vector> Display for Convex<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let radius = self.radius() as f32;
        // What of the radius is not told by the core.
        let mut rounding = radius;
        match self.core() {
            Core::Point(center) if radius > 0.0 => {
                rounding = 0.0;
                write!(f, "ball of radius {radius}")?;
                if *center != V::ZERO {
                    write!(f, " about {center}")?;
                }
            }
            Core::Point(place) => write!(f, "point at {place}")?,
            Core::Segment(segment) => {
                // Zero is added so that it is never -0.
                let (a, b) = (segment.a + V::ZERO, segment.b + V::ZERO);
                write!(f, "{} from {a} to {b}", self.kind_name())?;
                if radius > 0.0 {
                    rounding = 0.0;
                    write!(f, " of radius {radius}")?;
                }
            }
            Core::Triangle(corners) => write!(
                f,
                "triangle with the corners {}, {} and {}",
                corners.a, corners.b, corners.c
            )?,
            Core::Cuboid(cuboid) => write!(f, "cuboid of half extents {}", cuboid.half_extents)?,
            Core::Hull(hull) => write!(f, "hull of {} corners", hull.vertices().len())?,
            Core::Cylinder(it) => write!(
                f,
                "cylinder of half height {} and radius {}",
                it.half_height, it.radius
            )?,
            Core::Cone(it) => write!(
                f,
                "cone of half height {} and radius {}",
                it.half_height, it.radius
            )?,
            Core::TaperedCylinder(it) => {
                write!(f, "tapered cylinder of half height {}", it.half_height)?;
                write_ends(f, [it.radius_top, it.radius_bottom])?;
            }
            Core::Ellipsoid(ellipsoid) => {
                rounding = (self.radius() - ellipsoid.inset()) as f32;
                write!(f, "ellipsoid of radii {}", ellipsoid.radii())?;
            }
            Core::TaperedCapsule(it) => {
                rounding = (self.radius() - it.inset()) as f32;
                write!(f, "tapered capsule of half length {}", it.half_length())?;
                write_ends(f, [it.radius_top(), it.radius_bottom()])?;
            }
            Core::Custom(_) => f.write_str("custom shape")?,
        }
        if rounding > 0.0 {
            write!(f, ", rounded by {rounding}")?;
        }
        Ok(())
    }
}

fn write_ends<R: Display>(f: &mut Formatter<'_>, [top, bottom]: [R; 2]) -> Result {
    write!(f, ", radius {top} at the top and {bottom} at the bottom")
}

/// Writes what the composite consists of, for people: see [`Shape`].
impl<V: Vector> Display for CompositeKind<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Mesh(mesh) => {
                let (vertices, triangles) = (mesh.vertices().len(), mesh.triangles().len());
                write!(f, "mesh of {vertices} vertices and {triangles} triangles")
            }
            Self::Polyline(line) => write!(f, "polyline of {} segments", line.segments().len()),
            Self::HeightField(field) => {
                let (rows, columns) = (field.rows(), field.columns());
                write!(f, "height field of {rows} rows of {columns} heights")
            }
            Self::Points(cloud) => {
                let (points, radius) = (cloud.points().len(), cloud.radius());
                write!(f, "cloud of {points} points of radius {radius}")
            }
            Self::Voxels(voxels) => {
                let (cells, size) = (voxels.cells().len(), voxels.size());
                write!(f, "voxels of {cells} cells of size {size}")?;
                match voxels.palette().len() {
                    0 => Ok(()),
                    tiles => write!(f, ", with a palette of {tiles} tiles"),
                }
            }
            Self::Compound(compound) => write!(f, "compound of {} shapes", compound.shapes().len()),
        }
    }
}

/// That of its kind.
impl<V: Vector> Debug for Composite<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.kind() {
            CompositeKind::Mesh(mesh) => Debug::fmt(mesh, f),
            CompositeKind::Polyline(line) => Debug::fmt(line, f),
            CompositeKind::HeightField(field) => Debug::fmt(field, f),
            CompositeKind::Points(cloud) => Debug::fmt(cloud, f),
            CompositeKind::Voxels(voxels) => Debug::fmt(voxels, f),
            CompositeKind::Compound(compound) => Debug::fmt(compound, f),
        }
    }
}

/// The numbers of vertices and triangles.
impl<V: Vector> Debug for Mesh<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Mesh")
            .field("vertices", &self.vertices().len())
            .field("triangles", &self.triangles().len())
            .finish()
    }
}

/// The numbers of vertices and segments.
impl<V: Vector> Debug for Polyline<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Polyline")
            .field("vertices", &self.vertices().len())
            .field("segments", &self.segments().len())
            .finish()
    }
}

/// The numbers of rows and columns, and the scale.
impl<V: Vector> Debug for HeightField<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("HeightField")
            .field("rows", &self.rows())
            .field("columns", &self.columns())
            .field("scale", &self.scale())
            .finish()
    }
}

/// The number of points, and their radius.
impl<V: Vector> Debug for PointCloud<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("PointCloud")
            .field("points", &self.points().len())
            .field("radius", &self.radius())
            .finish()
    }
}

/// The number of cells, and their size.
impl<V: Vector> Debug for Voxels<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Voxels")
            .field("cells", &self.cells().len())
            .field("size", &self.size())
            .finish()
    }
}

/// The number of cells.
impl<V: Vector> Debug for Cells<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Cells").field("len", &self.len()).finish()
    }
}

/// The number of shapes.
impl<V: Vector> Debug for Compound<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.debug_struct("Compound")
            .field("shapes", &self.shapes().len())
            .finish()
    }
}

/// The vertices, or their number if there are more than eight, and the number of faces.
impl<V: Vector> Debug for Hull<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut hull = f.debug_struct("Hull");
        if self.vertices().len() <= MOST_CORNERS {
            hull.field("vertices", &self.vertices());
        } else {
            hull.field("vertices", &self.vertices().len());
        }
        hull.field("faces", &self.faces().len()).finish()
    }
}

//! Shapes as files have them.

use clearance_math::{Cell, Pose, Real};
use clearance_shapes::{Composite, CompositeKind, Convex, Core, OneWay, Shape, Tile, Voxels};
use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};

use crate::FileVector;
use crate::file_vector::Numbers;
use crate::write::PoseInFile;

/// How many balls a rounding radius is described as at most: radii add up in double precision, and a
/// file holds single precision.
const MOST_ROUNDINGS: usize = 3;

/// A shape as files have it: an object with its type and fields, from which an equal shape is read. The numbers of a mesh
/// that was named by its path are written in place. Voxels without cells can be written, but are refused where they are read.
///
/// Two numbers are not always written to the last bit, since a file cannot hold them: the normal of a
/// half-space, rounded to single precision, and the radius of a shape that was rounded more
/// than once, which may differ in its last bit.
///
/// ```
/// use clearance_scene::{MeshFiles, ShapeInFile, read_shape_text};
/// use clearance_math::Vec2;
/// use clearance_shapes::Shape;
///
/// let shape = Shape::cuboid(Vec2::new(1.0, 2.0))?.rounded(0.5)?;
/// let text = ShapeInFile::of(&shape).unwrap().to_string();
/// assert!(text.starts_with(r#"{"type":"rounded","shape":{"type":"cuboid","#));
/// assert_eq!(read_shape_text(&text, &MeshFiles::none()).unwrap(), shape);
/// # Ok::<(), clearance_shapes::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ShapeInFile<'s, V: FileVector>(pub(crate) &'s Shape<V>);

impl<'s, V: FileVector> ShapeInFile<'s, V> {
    /// The shape as files have it; `None` for a shape of your own, alone or in a compound, which no file can hold.
    #[must_use]
    pub fn of(shape: &'s Shape<V>) -> Option<Self> {
        is_known(shape).then_some(Self(shape))
    }
}

/// Whether a shape has no part of the program's own.
fn is_known<V: FileVector>(shape: &Shape<V>) -> bool {
    match shape {
        Shape::Convex(convex) => !matches!(convex.core(), Core::Custom(_)),
        Shape::HalfSpace(_) => true,
        Shape::Composite(composite) => match composite.kind() {
            CompositeKind::Compound(compound) => {
                compound.shapes().iter().all(|part| is_known(&part.shape))
            }
            CompositeKind::Voxels(voxels) => {
                voxels.palette().iter().all(|tile| is_known(&tile.shape))
            }
            _ => true,
        },
    }
}

impl<V: FileVector> core::fmt::Display for ShapeInFile<'_, V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| core::fmt::Error)?)
    }
}

impl<V: FileVector> Serialize for ShapeInFile<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shape = self.0;
        let (inside, radius) = match shape {
            Shape::Convex(convex) => (radius_inside(convex), convex.radius()),
            Shape::HalfSpace(half_space) => (0.0, half_space.offset()),
            Shape::Composite(_) => (0.0, 0.0),
        };
        let rounded = Rounded {
            radii: &roundings(inside, radius),
            shape,
            inside: inside as Real,
        };
        rounded.serialize(serializer)
    }
}

/// The part of the radius of a convex shape that the fields of its type include.
fn radius_inside<V: FileVector>(convex: &Convex<V>) -> f64 {
    let has_radius = match convex.core() {
        Core::Point(point) => *point == V::ZERO,
        Core::Segment(ends) => ends.a == -ends.b && ends.b == V::axis(1) * ends.b.component(1),
        Core::Ellipsoid(ellipsoid) => return ellipsoid.inset(),
        Core::TaperedCapsule(capsule) => return capsule.inset(),
        _ => false,
    };
    let is_single = f64::from(convex.radius() as Real) == convex.radius();
    if has_radius && is_single {
        convex.radius()
    } else {
        0.0
    }
}

/// The radii of the balls that make `inside` to be `radius`.
fn roundings(mut inside: f64, radius: f64) -> Vec<Real> {
    let mut radii = Vec::new();
    while radii.len() < MOST_ROUNDINGS {
        let nearest = (radius - inside) as Real;
        // Balls can only be added, so one that is too large is of no use.
        let single = if inside + f64::from(nearest) > radius {
            nearest.next_down()
        } else {
            nearest
        };
        if single <= 0.0 {
            break;
        }
        radii.push(single);
        inside += f64::from(single);
    }
    radii
}

/// A shape that is rounded by balls of these radii, the last of them outermost.
struct Rounded<'r, V: FileVector> {
    radii: &'r [Real],
    shape: &'r Shape<V>,
    /// The radius that the fields of the shape include.
    inside: Real,
}

impl<V: FileVector> Serialize for Rounded<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match (self.radii, self.shape) {
            ([radii @ .., radius], _) => {
                let shape = Self { radii, ..*self };
                write(&mut map, "rounded shape", &[shape])?;
                map.serialize_entry("radius", radius)?;
            }
            ([], Shape::Convex(convex)) => write_core(&mut map, convex.core(), self.inside)?,
            ([], Shape::HalfSpace(half_space)) => {
                let normal = V::from_precise(half_space.normal());
                write(&mut map, "half_space normal", &[Numbers::of_vector(normal)])?;
            }
            ([], Shape::Composite(composite)) => {
                write_composite(&mut map, composite)?;
                write_attached(&mut map, composite)?;
            }
        }
        map.end()
    }
}

/// Writes the type of a shape, and fields of one kind, whose names are behind that of the type.
fn write<M: SerializeMap, T: Serialize>(
    map: &mut M,
    names: &str,
    values: &[T],
) -> Result<(), M::Error> {
    let mut names = names.split(' ');
    map.serialize_entry("type", &names.next())?;
    names
        .zip(values)
        .try_for_each(|(key, value)| map.serialize_entry(key, value))
}

/// Writes a core, of whose fields a radius is one where it is above zero.
fn write_core<V: FileVector, M: SerializeMap>(
    map: &mut M,
    core: &Core<V>,
    radius: Real,
) -> Result<(), M::Error> {
    let vector = Numbers::of_vector::<V>;
    match core {
        Core::Point(_) if radius > 0.0 => write(map, "ball radius", &[radius]),
        Core::Point(point) => write(map, "segment a b", &[*point; 2].map(vector)),
        Core::Segment(ends) if radius > 0.0 => {
            let half_length = ends.b.component(1);
            write(map, "capsule half_length radius", &[half_length, radius])
        }
        Core::Segment(ends) => write(map, "segment a b", &[ends.a, ends.b].map(vector)),
        Core::Triangle(it) => write(map, "triangle a b c", &[it.a, it.b, it.c].map(vector)),
        Core::Hull(hull) => write(map, "hull points", &[points(hull.vertices())]),
        Core::Cuboid(it) => write(map, "cuboid half_extents", &[vector(it.half_extents)]),
        Core::Ellipsoid(it) => write(map, "ellipsoid radii", &[vector(it.radii())]),
        upright => write_upright(map, upright),
    }
}

/// Writes a shape about the y axis.
fn write_upright<V: FileVector, M: SerializeMap>(
    map: &mut M,
    core: &Core<V>,
) -> Result<(), M::Error> {
    match core {
        Core::Cylinder(it) => {
            let numbers = [it.half_height, it.radius];
            write(map, "cylinder half_height radius", &numbers)
        }
        Core::Cone(it) => write(map, "cone half_height radius", &[it.half_height, it.radius]),
        Core::TaperedCapsule(it) => {
            let numbers = [it.half_length(), it.radius_top(), it.radius_bottom()];
            let names = "tapered_capsule half_length radius_top radius_bottom";
            write(map, names, &numbers)
        }
        Core::TaperedCylinder(it) => {
            let numbers = [it.half_height, it.radius_top, it.radius_bottom];
            let names = "tapered_cylinder half_height radius_top radius_bottom";
            write(map, names, &numbers)
        }
        _ => Err(M::Error::custom(NO_FILE)),
    }
}

/// Why a shape is not written.
const NO_FILE: &str = "a shape of the program's own, which no file can hold";

fn write_composite<V: FileVector, M: SerializeMap>(
    map: &mut M,
    composite: &Composite<V>,
) -> Result<(), M::Error> {
    match composite.kind() {
        CompositeKind::Mesh(mesh) => {
            write(map, "mesh vertices", &[points(mesh.vertices())])?;
            map.serialize_entry("triangles", mesh.triangles())
        }
        CompositeKind::Polyline(polyline) => match polyline.rings() {
            Some(rings) if composite.is_solid() => {
                let ring = |ring| points(&polyline.vertices()[ring]);
                let rings: Vec<_> = rings.into_iter().map(ring).collect();
                write(map, "polygon vertices", &rings[..1])?;
                map.serialize_entry("holes", &rings[1..])
            }
            _ => {
                write(map, "polyline vertices", &[points(polyline.vertices())])?;
                map.serialize_entry("segments", polyline.segments())
            }
        },
        CompositeKind::HeightField(field) => {
            let height = |height: &Real| (!height.is_nan()).then_some(*height);
            let rows = field.heights().chunks(field.columns() as usize);
            let rows = rows.map(|row| row.iter().map(height).collect());
            write(
                map,
                "height_field heights",
                &[Vec::<Vec<_>>::from_iter(rows)],
            )?;
            map.serialize_entry("scale", &Numbers::of_vector(field.scale()))
        }
        CompositeKind::Points(cloud) => {
            write(map, "points points", &[points(cloud.points())])?;
            map.serialize_entry("radius", &cloud.radius())
        }
        CompositeKind::Voxels(voxels) => write_voxels(map, voxels),
        CompositeKind::Compound(compound) => {
            let parts = compound.shapes().iter();
            let parts = parts.map(|part| PlacedInFile::new(&part.shape, part.pose));
            write(map, "compound parts", &[Vec::from_iter(parts)])?;
            match compound.one_way() {
                Some(side) => map.serialize_entry("one_way", &Side::new(&side)),
                None => Ok(()),
            }
        }
        _ => Err(M::Error::custom(NO_FILE)),
    }
}

/// Writes what is said of a composite as a whole.
fn write_attached<V: FileVector, M: SerializeMap>(
    map: &mut M,
    composite: &Composite<V>,
) -> Result<(), M::Error> {
    match (composite.kind(), composite.one_sided()) {
        (CompositeKind::Mesh(_), _) if composite.is_solid() => {
            map.serialize_entry("solid", &true)?;
        }
        // Faces of polygons, of voxels and of what is made of them count on their outer sides anyway.
        (
            CompositeKind::Mesh(_) | CompositeKind::Polyline(_) | CompositeKind::HeightField(_),
            Some(depth),
        ) if !composite.is_solid() => map.serialize_entry("one_sided", &depth)?,
        _ => {}
    }
    match composite.user_data() {
        [] => Ok(()),
        user => map.serialize_entry("user", user),
    }
}

/// Writes the cells in the order of their numbers.
fn write_voxels<V: FileVector, M: SerializeMap>(
    map: &mut M,
    voxels: &Voxels<V>,
) -> Result<(), M::Error> {
    let cells: Vec<V::Cell> = if voxels.is_listed() {
        voxels.listed().collect()
    } else {
        voxels.cells().iter().collect()
    };
    let numbers = |cell: &V::Cell| cell.components()[..V::DIM].to_vec();
    let tiles = cells.iter().filter_map(|&cell| voxels.cells().tile(cell));
    let tiles: Vec<u8> = tiles.collect();
    write(map, "voxels size", &[Numbers::of_vector(voxels.size())])?;
    map.serialize_entry("cells", &Vec::from_iter(cells.iter().map(numbers)))?;
    let palette = Vec::from_iter(voxels.palette().iter().map(TileInFile::new));
    if !palette.is_empty() {
        map.serialize_entry("palette", &palette)?;
    }
    if tiles.iter().all(|&entry| entry == 0) {
        return Ok(());
    }
    map.serialize_entry("tiles", &tiles)
}

fn points<V: FileVector>(points: &[V]) -> Vec<Numbers> {
    points.iter().copied().map(Numbers::of_vector).collect()
}

#[derive(Serialize)]
#[serde(bound = "")]
struct TileInFile<'s, V: FileVector> {
    shape: ShapeInFile<'s, V>,
    #[serde(skip_serializing_if = "is_zero")]
    user: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_way: Option<Side>,
}

impl<'s, V: FileVector> TileInFile<'s, V> {
    fn new(tile: &'s Tile<V>) -> Self {
        Self {
            shape: ShapeInFile(&tile.shape),
            user: tile.user,
            one_way: tile.one_way.as_ref().map(Side::new),
        }
    }
}

fn is_zero(user: &u64) -> bool {
    *user == 0
}

/// The side from which a shape counts.
#[derive(Serialize)]
struct Side {
    normal: Numbers,
    depth: Real,
}

impl Side {
    fn new<V: FileVector>(side: &OneWay<V>) -> Self {
        Self {
            normal: Numbers::of_vector(side.normal),
            depth: side.depth,
        }
    }
}

/// A shape and its pose.
#[derive(Serialize)]
#[serde(bound = "")]
pub(crate) struct PlacedInFile<'s, V: FileVector> {
    shape: ShapeInFile<'s, V>,
    pose: PoseInFile<V>,
}

impl<'s, V: FileVector> PlacedInFile<'s, V> {
    pub(crate) fn new(shape: &'s Shape<V>, pose: Pose<V>) -> Self {
        Self {
            shape: ShapeInFile(shape),
            pose: PoseInFile(pose),
        }
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{Quat, Vec2, Vec3};
    use clearance_shapes::internal::bits_of;
    use clearance_shapes::{CompoundPart, OneWay};

    use super::*;
    use crate::{MeshFiles, read_shape_text};

    fn assert_describes<V: FileVector>(shapes: &[Shape<V>]) {
        for shape in shapes {
            let text = ShapeInFile::of(shape).unwrap().to_string();
            let built: Shape<V> = read_shape_text(&text, &MeshFiles::none()).unwrap();
            let (mut built, mut given) = (bits_of(&built), bits_of(shape));
            let difference = built.radius.abs_diff(given.radius);
            assert!(difference <= 1, "{text}");
            (built.radius, given.radius) = (0, 0);
            assert_eq!(built, given, "{text}");
        }
    }

    fn shapes_of_both<V: FileVector>() -> Vec<Shape<V>> {
        let [x, y] = [V::axis(0), V::axis(1)];
        let hull = [x, y, -x, -y, x * 0.75 + y * 0.75, V::axis(V::DIM - 1)];
        let (point, end) = (x * 0.3 + y, y * -2.5 + x);
        let plain = [
            Shape::ball(0.5),
            Shape::cuboid(x * 0.5 + y * 2.0 + (V::axis(V::DIM - 1)) * 0.25),
            Shape::capsule(1.0, 0.25),
            Shape::capsule_from_endpoints(point, end, 0.5),
            Shape::capsule_from_endpoints(x, -x, 0.5),
            Shape::segment(point, end),
            Shape::segment(-y, y),
            Shape::segment(point, point),
            Shape::triangle(point, end, x * 5.0),
            Shape::hull(hull),
            Shape::ellipsoid(x * 0.5 + y * 2.0 + (V::axis(V::DIM - 1)) * 0.25),
            Shape::tapered_capsule(1.0, 0.25, 0.5),
            Shape::half_space(y),
            Shape::polyline(vec![x, y, -x]),
            Shape::points([x, y, -x], 0.25),
            Shape::voxels(
                x + y * 0.5 + V::axis(V::DIM - 1),
                [[7, -1, 20], [0, 0, 0]].map(Cell::from_components),
            ),
        ];
        let mut shapes = plain.map(Result::unwrap).to_vec();
        shapes.push(tiles());
        let place = |shape: &Shape<V>, pose| CompoundPart {
            shape: shape.clone(),
            pose,
        };
        let up = OneWay {
            normal: y,
            depth: 0.25,
        };
        let inner = [
            place(&shapes[1], Pose::IDENTITY),
            place(&shapes[8], Pose::from_translation(x)),
        ];
        let inner =
            Shape::compound(inner).and_then(|shape| shape.with_part_user_data([u64::MAX, 3]));
        let line = shapes[13]
            .clone()
            .with_part_user_data([5, 1 << 53])
            .unwrap();
        let outer = [inner.unwrap().one_way(up).unwrap(), line.clone()];
        shapes.push(Shape::compound(outer.map(|shape| place(&shape, Pose::IDENTITY))).unwrap());
        shapes.push(line);
        shapes
    }

    fn tiles<V: FileVector>() -> Shape<V> {
        let [x, y] = [V::axis(0), V::axis(1)];
        let shapes = [
            Shape::hull([V::ZERO, x, x + y, V::axis(V::DIM - 1)]),
            Shape::capsule_from_endpoints(V::splat(0.5), V::splat(0.5) + x * 0.25, 0.125),
        ];
        let palette = shapes.map(|shape| Tile {
            shape: shape.unwrap(),
            user: u64::MAX,
            one_way: Some(OneWay {
                normal: y,
                depth: 0.25,
            }),
        });
        let cells = [[7, -1, 20], [0, 0, 0], [1, 0, 0]].map(Cell::from_components);
        let mut shape = Shape::tiles(V::splat(1.0), cells, palette).unwrap();
        shape.set_tiles(&cells[..1], 2).unwrap();
        shape.set_tiles(&cells[2..], 1).unwrap();
        shape
    }

    #[test]
    fn every_shape_is_described_so_that_an_equal_one_is_built() {
        let mut plane = shapes_of_both::<Vec2>();
        plane.push(plane[13].clone().one_sided(0.25).unwrap());
        let outline = [[0.0, 0.0], [0.0, 3.0], [3.0, 3.0], [3.0, 0.0], [2.0, 2.0]].map(Vec2::from);
        let hole = [[0.5, 2.0], [1.0, 2.0], [1.0, 2.5]]
            .map(Vec2::from)
            .to_vec();
        plane.push(Shape::polygon(outline, &[]).unwrap());
        plane.push(Shape::polygon(outline, &[hole]).unwrap());
        let mut space = shapes_of_both::<Vec3>();
        let upright = [
            Shape::cylinder(1.0, 0.5),
            Shape::cone(1.0, 0.5),
            Shape::tapered_cylinder(1.0, 0.5, 0.25),
            Shape::mesh(
                vec![Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X],
                vec![[0, 1, 2], [1, 2, 3]],
            ),
            Shape::height_field(vec![0.0, 1.0, 2.0, Real::NAN, 0.5, 0.25], 3, Vec3::ONE),
        ];
        space.extend(upright.map(Result::unwrap));
        let one_sided = space[space.len() - 2..].to_vec();
        space.extend(
            one_sided
                .into_iter()
                .map(|shape| shape.one_sided(0.0).unwrap()),
        );
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        space.push(Shape::solid_mesh([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], faces).unwrap());
        let turned = Pose::new(Vec3::Y, Quat::from_xyzw(0.0, 0.6, 0.0, 0.8));
        let part = |shape: &Shape<Vec3>| CompoundPart {
            shape: shape.clone(),
            pose: turned,
        };
        let inner = Shape::compound(vec![part(&space[0]), part(&space[2])]).unwrap();
        let parts = vec![part(&space[9]), part(&inner), part(&space[space.len() - 1])];
        space.push(Shape::compound(parts).unwrap());
        assert_describes(&plane);
        assert_describes(&space);

        let thick = |shape: &Shape<Vec3>| shape.rounded(0.1).and_then(|s| s.rounded(1e-3));
        let thick: Vec<_> = space.iter().filter_map(|shape| thick(shape).ok()).collect();
        assert_eq!(thick.len(), 16);
        assert_describes(&thick);
    }
}

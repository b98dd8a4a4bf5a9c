//! Shapes as files have them.

use clearance_math::{Pose, Real};
use clearance_shapes::{CompositeKind, Convex, Core, Shape};
use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};

use crate::FileVector;
use crate::file_vector::Numbers;
use crate::write::PoseInFile;

use composite::{composite_type, write_attached, write_composite};

mod composite;
#[cfg(test)]
mod tests;

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

/// Whether a file can hold the shape, and with it all that it is made of.
pub(crate) fn is_known<V: FileVector>(shape: &Shape<V>) -> bool {
    let composite = match shape {
        Shape::Convex(convex) => return core_fields(convex.core(), 0.0).is_some(),
        Shape::HalfSpace(_) => return true,
        Shape::Composite(composite) => composite,
    };
    let are_parts_known = match composite.kind() {
        CompositeKind::Compound(it) => it.shapes().iter().all(|part| is_known(&part.shape)),
        CompositeKind::Voxels(it) => it.palette().iter().all(|tile| is_known(&tile.shape)),
        _ => true,
    };
    are_parts_known && composite_type(composite).is_some()
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
        Core::Segment(ends) => {
            // From the bottom to the top, as a capsule is read.
            ends.a == -ends.b && ends.b == V::axis(1) * ends.b.component(1).abs()
        }
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
                write(&mut map, "rounded", [("shape", shape)])?;
                map.serialize_entry("radius", radius)?;
            }
            ([], Shape::Convex(convex)) => {
                let known = core_fields(convex.core(), self.inside);
                let (name, fields) = known.ok_or_else(|| S::Error::custom(NO_FILE))?;
                write(&mut map, name, fields)?;
            }
            ([], Shape::HalfSpace(half_space)) => {
                let normal = Field::Vector(V::from_precise(half_space.normal()));
                write(&mut map, "half_space", [("normal", normal)])?;
            }
            ([], Shape::Composite(composite)) => {
                write_composite(&mut map, composite)?;
                write_attached(&mut map, composite)?;
            }
        }
        map.end()
    }
}

/// Why a shape is not written.
pub(crate) const NO_FILE: &str = "is or has a shape of the program's own, which no file can hold";

/// Writes the type of a shape and its fields.
fn write<M: SerializeMap, T: Serialize>(
    map: &mut M,
    name: &str,
    fields: impl IntoIterator<Item = (&'static str, T)>,
) -> Result<(), M::Error> {
    map.serialize_entry("type", name)?;
    let mut fields = fields.into_iter();
    fields.try_for_each(|(key, value)| map.serialize_entry(key, &value))
}

/// The value of a field.
enum Field<'s, V> {
    Number(Real),
    Vector(V),
    Points(&'s [V]),
}

impl<V: FileVector> Serialize for Field<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Field::Number(number) => number.serialize(serializer),
            Field::Vector(vector) => Numbers::of_vector(vector).serialize(serializer),
            Field::Points(points) => {
                serializer.collect_seq(points.iter().copied().map(Numbers::of_vector))
            }
        }
    }
}

/// The type of a shape, and its fields by their names.
type Fields<'s, V> = (&'static str, Vec<(&'static str, Field<'s, V>)>);

/// What a file says of a core, of whose fields a radius is one where it is above zero; `None` for a core that no file can hold.
fn core_fields<V: FileVector>(core: &Core<V>, radius: Real) -> Option<Fields<'_, V>> {
    let numbers = |name, fields: &[(&'static str, Real)]| {
        let fields = fields.iter();
        let fields = fields.map(|&(key, number)| (key, Field::Number(number)));
        (name, fields.collect())
    };
    let vectors = |name, fields: &[(&'static str, V)]| {
        let fields = fields.iter();
        let fields = fields.map(|&(key, vector)| (key, Field::Vector(vector)));
        (name, fields.collect())
    };
    Some(match core {
        Core::Point(_) if radius > 0.0 => numbers("ball", &[("radius", radius)]),
        Core::Point(point) => vectors("segment", &[("a", *point), ("b", *point)]),
        Core::Segment(ends) if radius > 0.0 => {
            let half_length = ends.b.component(1);
            numbers(
                "capsule",
                &[("half_length", half_length), ("radius", radius)],
            )
        }
        Core::Segment(ends) => vectors("segment", &[("a", ends.a), ("b", ends.b)]),
        Core::Triangle(it) => vectors("triangle", &[("a", it.a), ("b", it.b), ("c", it.c)]),
        Core::Hull(hull) => ("hull", vec![("points", Field::Points(hull.vertices()))]),
        Core::Cuboid(it) => vectors("cuboid", &[("half_extents", it.half_extents)]),
        Core::Ellipsoid(it) => vectors("ellipsoid", &[("radii", it.radii())]),
        Core::Cylinder(it) => {
            let fields = [("half_height", it.half_height), ("radius", it.radius)];
            numbers("cylinder", &fields)
        }
        Core::Cone(it) => {
            let fields = [("half_height", it.half_height), ("radius", it.radius)];
            numbers("cone", &fields)
        }
        Core::TaperedCapsule(it) => {
            let (top, bottom) = (it.radius_top(), it.radius_bottom());
            let (top, bottom) = (("radius_top", top), ("radius_bottom", bottom));
            numbers(
                "tapered_capsule",
                &[("half_length", it.half_length()), top, bottom],
            )
        }
        Core::TaperedCylinder(it) => {
            let (top, bottom) = (it.radius_top, it.radius_bottom);
            let (top, bottom) = (("radius_top", top), ("radius_bottom", bottom));
            numbers(
                "tapered_cylinder",
                &[("half_height", it.half_height), top, bottom],
            )
        }
        Core::Custom(_) => return None,
    })
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

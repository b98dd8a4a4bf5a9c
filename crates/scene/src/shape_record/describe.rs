//! Shapes of programs, described as files do.

use clearance_math::{PreciseVector, Real};
use clearance_shapes::composite::HeightField;
use clearance_shapes::{Composite, CompositeKind, Convex, Core, HalfSpace, Shape, Tile, Voxels};

use super::{MeshSource, PartRecord, ShapeRecord, TileRecord};
use crate::FileVector;

/// How many balls a rounding radius is described as at most: radii add up in double precision, and a
/// file holds single precision.
const MOST_ROUNDINGS: usize = 3;

impl<V: FileVector> ShapeRecord<V> {
    /// The description of a shape, from which an equal one can be built; `None` for a shape of your own,
    /// alone or in a compound.
    ///
    /// Two numbers are not always described to the last bit, since a file cannot hold them: the normal of a
    /// half-space, rounded to single precision, and the radius of a shape that was rounded more
    /// than once, which may differ in its last bit.
    ///
    /// ```
    /// use clearance_scene::{MeshFiles, ShapeRecord};
    /// use clearance_math::Vec2;
    /// use clearance_shapes::Shape;
    ///
    /// let shape = Shape::cuboid(Vec2::new(1.0, 2.0))?.rounded(0.5)?;
    /// let record = ShapeRecord::of(&shape).unwrap();
    /// assert_eq!(record.type_name(), "rounded");
    /// assert_eq!(record.build(&MeshFiles::none()).unwrap(), shape);
    /// # Ok::<(), clearance_shapes::ShapeError>(())
    /// ```
    #[must_use]
    pub fn of(shape: &Shape<V>) -> Option<Self> {
        match shape {
            Shape::Convex(convex) => of_convex(convex),
            Shape::HalfSpace(half_space) => Some(of_half_space(half_space)),
            Shape::Composite(composite) => of_composite(composite),
        }
    }
}

fn of_convex<V: FileVector>(convex: &Convex<V>) -> Option<ShapeRecord<V>> {
    let radius = convex.radius();
    let (record, inside) = match convex.core() {
        Core::Point(point) => match whole_radius(radius) {
            Some(radius) if *point == V::ZERO => (ShapeRecord::Ball { radius }, radius.into()),
            _ => (segment(*point, *point), 0.0),
        },
        Core::Segment(ends) => match whole_radius(radius) {
            Some(radius) if ends.a == -ends.b && ends.b == V::axis(1) * ends.b.component(1) => (
                ShapeRecord::Capsule {
                    half_length: ends.b.component(1),
                    radius,
                },
                radius.into(),
            ),
            _ => (segment(ends.a, ends.b), 0.0),
        },
        Core::Triangle(corners) => {
            let (a, b, c) = (corners.a, corners.b, corners.c);
            (ShapeRecord::Triangle { a, b, c }, 0.0)
        }
        Core::Hull(hull) => {
            let points = hull.vertices().to_vec();
            (ShapeRecord::Hull { points }, 0.0)
        }
        Core::Cuboid(cuboid) => {
            let half_extents = cuboid.half_extents;
            (ShapeRecord::Cuboid { half_extents }, 0.0)
        }
        round => of_round(round)?,
    };
    Some(rounded(record, inside, radius))
}

/// The description of a core with curved sides, and the radius that the description includes.
fn of_round<V: FileVector>(core: &Core<V>) -> Option<(ShapeRecord<V>, f64)> {
    Some(match core {
        Core::Cylinder(cylinder) => {
            let (half_height, radius) = (cylinder.half_height, cylinder.radius);
            let record = ShapeRecord::Cylinder {
                half_height,
                radius,
            };
            (record, 0.0)
        }
        Core::Cone(cone) => {
            let (half_height, radius) = (cone.half_height, cone.radius);
            let record = ShapeRecord::Cone {
                half_height,
                radius,
            };
            (record, 0.0)
        }
        Core::Ellipsoid(ellipsoid) => {
            let radii = ellipsoid.radii();
            (ShapeRecord::Ellipsoid { radii }, ellipsoid.inset())
        }
        Core::TaperedCapsule(capsule) => {
            let record = ShapeRecord::TaperedCapsule {
                half_length: capsule.half_length(),
                radius_top: capsule.radius_top(),
                radius_bottom: capsule.radius_bottom(),
            };
            (record, capsule.inset())
        }
        Core::TaperedCylinder(cylinder) => {
            let record = ShapeRecord::TaperedCylinder {
                half_height: cylinder.half_height,
                radius_top: cylinder.radius_top,
                radius_bottom: cylinder.radius_bottom,
            };
            (record, 0.0)
        }
        _ => return None,
    })
}

fn segment<V: FileVector>(a: V, b: V) -> ShapeRecord<V> {
    ShapeRecord::Segment { a, b }
}

/// The radius as a file holds it, if it is a number in single precision above zero.
fn whole_radius(radius: f64) -> Option<Real> {
    let single = radius as Real;
    (single > 0.0 && f64::from(single) == radius).then_some(single)
}

/// `record`, which includes the radius `inside`, rounded until its radius is `radius`.
fn rounded<V: FileVector>(
    mut record: ShapeRecord<V>,
    mut inside: f64,
    radius: f64,
) -> ShapeRecord<V> {
    for _ in 0..MOST_ROUNDINGS {
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
        record = ShapeRecord::Rounded {
            shape: Box::new(record),
            radius: single,
        };
        inside += f64::from(single);
    }
    record
}

fn of_half_space<V: FileVector>(half_space: &HalfSpace<V>) -> ShapeRecord<V> {
    let normal = half_space.normal();
    let components = (0..V::DIM).map(|k| normal.component(k) as Real);
    let single = components.enumerate().fold(V::ZERO, |vector, (k, value)| {
        vector.with_component(k, value)
    });
    rounded(
        ShapeRecord::HalfSpace { normal: single },
        0.0,
        half_space.offset(),
    )
}

fn of_composite<V: FileVector>(composite: &Composite<V>) -> Option<ShapeRecord<V>> {
    let record = without_user_data(composite)?;
    Some(match composite.user_data() {
        [] => record,
        user => ShapeRecord::WithUserData {
            shape: Box::new(record),
            user: user.to_vec(),
        },
    })
}

fn without_user_data<V: FileVector>(composite: &Composite<V>) -> Option<ShapeRecord<V>> {
    let record = match composite.kind() {
        CompositeKind::Mesh(mesh) => ShapeRecord::Mesh {
            source: MeshSource::Lists {
                vertices: mesh.vertices().to_vec(),
                triangles: mesh.triangles().to_vec(),
            },
        },
        CompositeKind::Polyline(polyline) if composite.is_solid() => {
            let rings = polyline.rings()?;
            let mut rings = rings
                .into_iter()
                .map(|ring| polyline.vertices()[ring].to_vec());
            return Some(ShapeRecord::Polygon {
                vertices: rings.next()?,
                holes: rings.collect(),
            });
        }
        CompositeKind::Polyline(polyline) => ShapeRecord::Polyline {
            vertices: polyline.vertices().to_vec(),
            segments: Some(polyline.segments().to_vec()),
        },
        CompositeKind::HeightField(field) => of_height_field(field),
        CompositeKind::Points(cloud) => ShapeRecord::Points {
            points: cloud.points().to_vec(),
            radius: cloud.radius(),
        },
        CompositeKind::Voxels(voxels) => return of_voxels(voxels),
        CompositeKind::Compound(compound) => {
            let part = |part: &clearance_shapes::CompoundPart<V>| {
                Some(PartRecord {
                    pose: part.pose,
                    shape: ShapeRecord::of(&part.shape)?,
                })
            };
            let parts: Option<Vec<_>> = compound.shapes().iter().map(part).collect();
            let record = ShapeRecord::Compound { parts: parts? };
            return Some(match compound.one_way() {
                Some(side) => ShapeRecord::OneWay {
                    shape: Box::new(record),
                    side,
                },
                None => record,
            });
        }
        _ => return None,
    };
    if composite.is_solid() {
        let shape = Box::new(record);
        return Some(ShapeRecord::Solid { shape });
    }
    Some(match composite.one_sided() {
        Some(depth) => ShapeRecord::OneSided {
            shape: Box::new(record),
            depth,
        },
        None => record,
    })
}

/// The cells in the order of their numbers.
fn of_voxels<V: FileVector>(voxels: &Voxels<V>) -> Option<ShapeRecord<V>> {
    let cells: Vec<V::Cell> = if voxels.is_listed() {
        voxels.listed().collect()
    } else {
        voxels.cells().iter().collect()
    };
    let entries = cells.iter().filter_map(|&cell| voxels.cells().tile(cell));
    let mut tiles: Vec<u8> = entries.collect();
    if tiles.iter().all(|&entry| entry == 0) {
        tiles.clear();
    }
    let tile = |tile: &Tile<V>| {
        Some(TileRecord {
            shape: ShapeRecord::of(&tile.shape)?,
            user: tile.user,
            one_way: tile.one_way,
        })
    };
    Some(ShapeRecord::Voxels {
        size: voxels.size(),
        cells,
        palette: voxels.palette().iter().map(tile).collect::<Option<_>>()?,
        tiles,
    })
}

fn of_height_field<V: FileVector>(field: &HeightField<V>) -> ShapeRecord<V> {
    let height = |height: &Real| (!height.is_nan()).then_some(*height);
    let rows = field.heights().chunks(field.columns() as usize);
    ShapeRecord::HeightField {
        heights: rows.map(|row| row.iter().map(height).collect()).collect(),
        scale: field.scale(),
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::{Cell, Pose, Quat, Vec2, Vec3};
    use clearance_shapes::internal::bits_of;
    use clearance_shapes::{CompoundPart, OneWay};

    use super::*;
    use crate::MeshFiles;

    fn assert_describes<V: FileVector>(shapes: &[Shape<V>]) {
        for shape in shapes {
            let record = ShapeRecord::of(shape).unwrap();
            let built = record.build(&MeshFiles::none()).unwrap();
            let (mut built, mut given) = (bits_of(&built), bits_of(shape));
            let difference = built.radius.abs_diff(given.radius);
            assert!(difference <= 1, "{record:?}");
            (built.radius, given.radius) = (0, 0);
            assert_eq!(built, given, "{record:?}");
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
            Shape::voxels(V::splat(1.0), []),
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

//! Sides and numbers that are attached to parts, also of compounds in compounds.

use clearance_math::{DVec3, Pose, Quat, RelativePose, Vec3, Vector};
use clearance_shapes::{Cells, CompositeKind, CompoundPart, OneWay, Shape, Tile};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::any_shapes::vector;

/// What is expected of a part: its number, and its side in the frame of the shape.
type Expected = (u64, Option<([f64; 3], f32)>);

struct Maker {
    random: Pcg64,
}

impl Maker {
    fn number(&mut self) -> u64 {
        if self.random.random_bool(0.4) {
            0
        } else {
            self.random.random()
        }
    }

    fn one_way(&mut self) -> OneWay<Vec3> {
        let normal = vector::<Vec3>(&mut self.random, -1.0..1.0).normalize_or(Vec3::Y);
        OneWay {
            normal,
            depth: self.random.random_range(0.0..1.0),
        }
    }

    fn pose(&mut self) -> Pose<Vec3> {
        let axis = vector::<Vec3>(&mut self.random, -1.0..1.0).normalize_or(Vec3::Y);
        let turn = Quat::from_axis_angle(axis, self.random.random_range(-3.0..3.0));
        if self.random.random_bool(0.2) {
            Pose::IDENTITY
        } else {
            Pose::new(vector::<Vec3>(&mut self.random, -9.0..9.0), turn)
        }
    }

    /// A shape, and what is expected of each of its parts.
    fn shape(&mut self, depth: u32) -> (Shape<Vec3>, Vec<Expected>) {
        match self.random.random_range(0..if depth == 0 { 3 } else { 5 }) {
            0 => (Shape::ball(0.5).unwrap(), vec![(0, None)]),
            1 => {
                let data = [0; 3].map(|_| self.number());
                let line = Shape::polyline([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]).unwrap();
                let line = line.with_part_user_data(data).unwrap();
                (line, data.map(|number| (number, None)).to_vec())
            }
            2 => self.cells(),
            _ => self.compound(depth - 1),
        }
    }

    fn cells(&mut self) -> (Shape<Vec3>, Vec<Expected>) {
        let (user, side) = (self.number(), self.one_way());
        let tile = Tile {
            user,
            one_way: Some(side),
            ..Tile::new(Shape::hull([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]).unwrap())
        };
        let cells = [[0, 0, 0], [1, 0, 0]].map(clearance_math::IVec3::from_array);
        let mut shape = Shape::tiles(Vec3::ONE, cells, [tile]).unwrap();
        shape.set_tiles(&cells[1..], 1).unwrap();
        (shape, vec![(0, None), (user, Some(expected_side(side)))])
    }

    fn compound(&mut self, depth: u32) -> (Shape<Vec3>, Vec<Expected>) {
        let (mut parts, mut expected, mut data) = (Vec::new(), Vec::new(), Vec::new());
        let (has_data, has_side) = (self.random.random_bool(0.7), self.random.random_bool(0.6));
        for _ in 0..self.random.random_range(1..4) {
            let ((shape, inner), pose) = (self.shape(depth), self.pose());
            let number = if has_data { self.number() } else { 0 };
            let turn = RelativePose::from_pose(&pose);
            expected.extend(inner.into_iter().map(|(own, side)| {
                let turned = |(normal, depth): ([f64; 3], f32)| {
                    (turn.transform_direction(normal.into()).to_array(), depth)
                };
                (if own == 0 { number } else { own }, side.map(turned))
            }));
            parts.push(CompoundPart { shape, pose });
            data.push(number);
        }
        let mut shape = Shape::compound(parts).unwrap();
        if has_data {
            shape = shape.with_part_user_data(data).unwrap();
        }
        if has_side {
            let side = self.one_way();
            shape = shape.one_way(side).unwrap();
            for (_, own) in &mut expected {
                *own = own.or(Some(expected_side(side)));
            }
        }
        (shape, expected)
    }
}

fn expected_side(side: OneWay<Vec3>) -> ([f64; 3], f32) {
    (side.normal.as_dvec3().normalize().to_array(), side.depth)
}

fn assert_has(shape: &Shape<Vec3>, expected: &[Expected]) {
    let Shape::Composite(composite) = shape else {
        return;
    };
    assert_eq!(composite.part_count() as usize, expected.len());
    for (part, (number, side)) in (0..).zip(expected) {
        assert_eq!(shape.part_user_data(part), *number);
        let found = composite.outer_side(part);
        assert_eq!(found.map(|side| side.depth), side.map(|side| side.1));
        if let (Some(found), Some((normal, _))) = (found, side) {
            assert!(
                (found.normal - DVec3::from_array(*normal)).length() < 1e-6,
                "{found:?} {normal:?}"
            );
        }
    }
}

#[test]
fn parts_have_the_innermost_number_and_side() {
    let mut maker = Maker {
        random: Pcg64::seed_from_u64(5),
    };
    for _ in 0..300 {
        let (shape, expected) = maker.compound(3);
        assert_has(&shape, &expected);
        let stored = shape.to_encoding().unwrap();
        let restored = Shape::from_encoding(&stored).unwrap();
        assert!(restored == shape && restored.to_encoding().unwrap() == stored);
        assert_has(&restored, &expected);
        assert_has(
            &shape.translated(Vec3::new(1.0, 2.0, 3.0)).unwrap(),
            &expected,
        );
        // Twice as large, sides are twice as deep.
        let scaled = shape.scaled_by(Vec3::splat(2.0)).unwrap();
        let twice = |(number, side): &Expected| {
            (*number, side.map(|(normal, depth)| (normal, 2.0 * depth)))
        };
        assert_has(&scaled, &expected.iter().map(twice).collect::<Vec<_>>());
        // What differs in a number or a side only is another shape.
        let Shape::Composite(composite) = &shape else {
            panic!()
        };
        let mut numbers = composite.user_data().to_vec();
        if let Some(first) = numbers.first_mut() {
            *first ^= 1;
            let other = shape.clone().with_part_user_data(numbers).unwrap();
            assert!(other != shape && other.to_encoding().unwrap() != stored);
        }
        let other = shape
            .clone()
            .one_way(OneWay {
                normal: Vec3::X,
                depth: 7.0,
            })
            .unwrap();
        // A compound that has a side keeps it.
        let is_other = match composite.kind() {
            CompositeKind::Compound(compound) => compound.one_way().is_none(),
            _ => true,
        };
        assert_eq!(other != shape, is_other);
        assert_eq!(other.to_encoding().unwrap() != stored, is_other);
    }
}

#[test]
fn a_side_of_a_stretched_shape_is_that_of_its_face() {
    let mut maker = Maker {
        random: Pcg64::seed_from_u64(6),
    };
    for _ in 0..200 {
        let pose = maker.pose();
        let up = OneWay {
            normal: Vec3::Y,
            depth: 0.5,
        };
        let plank = Shape::cuboid(Vec3::new(2.0, 0.25, 1.0))
            .unwrap()
            .one_way(up)
            .unwrap();
        let outer = Shape::compound([CompoundPart { shape: plank, pose }]).unwrap();
        let factors: Vec3 = vector(&mut maker.random, 0.3..3.0);
        let factors = factors * [1.0, -1.0][maker.random.random_range(0..2)];
        let scaled = outer.scaled_by(factors).unwrap();
        let Shape::Composite(composite) = &scaled else {
            panic!()
        };
        // The corners of the upper and the lower face, scaled; the normal is that of the plane through the upper ones.
        let corner = |x: f32, y: f32, z: f32| {
            let place = pose.transform_point(Vec3::new(2.0 * x, 0.25 * y, z));
            (place * factors).as_dvec3()
        };
        let [a, b, c] = [
            corner(1.0, 1.0, 1.0),
            corner(-1.0, 1.0, 1.0),
            corner(1.0, 1.0, -1.0),
        ];
        let normal = (b - a).cross(c - a).normalize();
        let thick = normal.dot(a - corner(1.0, -1.0, 1.0));
        let found = composite.outer_side(0).unwrap();
        assert!(
            (found.normal - normal * thick.signum()).length() < 1e-5,
            "{found:?} {normal}"
        );
        // As deep as before, as a share of its height.
        assert!((f64::from(found.depth) - thick.abs()).abs() < 1e-4);
    }
}

fn assert_refused<V: Vector>(found: Result<Shape<V>, clearance_shapes::ShapeError>, text: &str) {
    let message = found.unwrap_err().to_string();
    assert!(message.contains(text), "{message:?} does not say {text:?}");
}

#[test]
fn what_cannot_have_sides_or_numbers_is_refused_by_name() {
    let up = OneWay {
        normal: Vec3::Y,
        depth: 0.0,
    };
    let ball = || Shape::<Vec3>::ball(1.0).unwrap();
    let tilted = OneWay {
        normal: Vec3::splat(1.0),
        ..up
    };
    assert_refused(ball().one_way(tilted), "one_way");
    assert_refused(ball().one_way(OneWay { depth: -1.0, ..up }), "depth is -1");
    assert_refused(
        Shape::half_space(Vec3::Y).unwrap().one_way(up),
        "a half_space cannot be one-way",
    );
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let solid = Shape::solid_mesh(corners, faces).unwrap();
    assert_refused(solid.one_way(up), "a solid counts on its outer side only");
    assert_refused(
        ball().with_part_user_data([1]),
        "the parts of a ball cannot have user data",
    );
    let mut cells = Cells::new();
    cells.set(clearance_math::IVec3::ZERO, true).unwrap();
    let voxels = Shape::voxels_of(Vec3::ONE, cells).unwrap();
    assert_refused(
        voxels.with_part_user_data([1]),
        "the parts of a voxels cannot",
    );
    let line = Shape::polyline([Vec3::ZERO, Vec3::X, Vec3::Y]).unwrap();
    assert_refused(
        line.with_part_user_data([1; 3]),
        "user data of 3 parts, must be 2",
    );
}

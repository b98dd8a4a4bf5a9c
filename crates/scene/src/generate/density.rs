//! The space that bodies need to touch each other as often as wanted.

use core::f64::consts::PI;

use clearance_math::{Real, Vec2, Vec3, Vector};
use clearance_shapes::{Core, Shape, hull::Hull};

use super::random::Turning;

/// Volume, surface and integral of the mean curvature in 3D; area, perimeter and 0 in 2D.
#[derive(Clone, Copy, Default)]
pub(super) struct Measures([f64; 3]);

/// A dimension in which shapes can be measured.
pub(super) trait Measured: Turning {
    /// The measures of a core: in 2D of points, segments, cuboids, triangles and hulls; in 3D of
    /// points, segments, cuboids, hulls, cylinders and cones.
    fn core_measures(core: &Core<Self>) -> Measures;
    /// The measures of a body swept by a ball (Steiner's formula).
    fn swept(core: Measures, radius: f64) -> Measures;
    /// The mean volume of A + B over all rotations (the kinematic formula).
    fn mean_sum(a: Measures, b: Measures) -> f64;
}

pub(super) fn measures<V: Measured>(shape: &Shape<V>) -> Measures {
    match shape {
        Shape::Convex(convex) => V::swept(V::core_measures(convex.core()), convex.radius()),
        Shape::HalfSpace(_) | Shape::Composite(_) => Measures::default(),
    }
}

/// Half the side of the cube in which `count` bodies have `contacts` neighbours each, on average.
///
/// A body meets another whose origin is in a volume A + B around its own.
pub(super) fn half_side<V: Measured>(sizes: &[Measures], count: usize, contacts: f64) -> Real {
    let mut mean = Measures::default();
    for size in sizes {
        for (sum, value) in mean.0.iter_mut().zip(size.0) {
            *sum += value / sizes.len() as f64;
        }
    }
    // The formula is linear in either body, so the mean of the pairs is the pair of the means.
    let volume = count as f64 * V::mean_sum(mean, mean) / contacts;
    (0.5 * libm::pow(volume, 1.0 / V::DIM as f64)) as Real
}

impl Measured for Vec2 {
    fn core_measures(core: &Core<Self>) -> Measures {
        let [area, perimeter] = match core {
            Core::Segment(segment) => polygon(&[segment.a, segment.b]),
            Core::Triangle(triangle) => polygon(&[triangle.a, triangle.b, triangle.c]),
            Core::Cuboid(cuboid) => {
                let half = cuboid.half_extents.to_precise();
                [4.0 * half.x * half.y, 4.0 * (half.x + half.y)]
            }
            Core::Hull(hull) => polygon(hull.vertices()),
            _ => [0.0; 2],
        };
        Measures([area, perimeter, 0.0])
    }

    fn swept(core: Measures, radius: f64) -> Measures {
        let [area, perimeter, _] = core.0;
        Measures([
            area + perimeter * radius + PI * radius * radius,
            perimeter + 2.0 * PI * radius,
            0.0,
        ])
    }

    fn mean_sum(a: Measures, b: Measures) -> f64 {
        let ([area_a, perimeter_a, _], [area_b, perimeter_b, _]) = (a.0, b.0);
        area_a + area_b + perimeter_a * perimeter_b / (2.0 * PI)
    }
}

/// Area and perimeter of a convex polygon.
fn polygon(corners: &[Vec2]) -> [f64; 2] {
    let (mut twice_area, mut perimeter) = (0.0, 0.0);
    for (index, corner) in corners.iter().enumerate() {
        let a = corner.to_precise();
        let b = corners[(index + 1) % corners.len()].to_precise();
        twice_area += a.x * b.y - a.y * b.x;
        perimeter += (b - a).length();
    }
    [0.5 * twice_area.abs(), perimeter]
}

impl Measured for Vec3 {
    fn core_measures(core: &Core<Self>) -> Measures {
        Measures(match core {
            Core::Segment(segment) => {
                let length = (segment.b.to_precise() - segment.a.to_precise()).length();
                [0.0, 0.0, PI * length]
            }
            Core::Cuboid(cuboid) => {
                let side = cuboid.half_extents.to_precise() * 2.0;
                let surface = 2.0 * (side.x * side.y + side.y * side.z + side.z * side.x);
                let curvature = PI * (side.x + side.y + side.z);
                [side.x * side.y * side.z, surface, curvature]
            }
            Core::Cylinder(cylinder) => {
                let height = 2.0 * f64::from(cylinder.half_height);
                let radius = f64::from(cylinder.radius);
                let disc = PI * radius * radius;
                let surface = 2.0 * disc + 2.0 * PI * radius * height;
                [disc * height, surface, PI * height + PI * PI * radius]
            }
            Core::Cone(cone) => {
                let height = 2.0 * f64::from(cone.half_height);
                let radius = f64::from(cone.radius);
                let disc = PI * radius * radius;
                let slant = (radius * radius + height * height).sqrt();
                let rim = PI * radius * (PI - libm::atan2(height, radius));
                [
                    disc * height / 3.0,
                    disc + PI * radius * slant,
                    PI * height + rim,
                ]
            }
            Core::Hull(hull) => polyhedron(hull),
            _ => [0.0; 3],
        })
    }

    fn swept(core: Measures, radius: f64) -> Measures {
        let [volume, surface, curvature] = core.0;
        let square = radius * radius;
        let ball = 4.0 / 3.0 * PI * square * radius;
        Measures([
            volume + surface * radius + curvature * square + ball,
            surface + 2.0 * curvature * radius + 4.0 * PI * square,
            curvature + 4.0 * PI * radius,
        ])
    }

    fn mean_sum(a: Measures, b: Measures) -> f64 {
        let ([volume_a, surface_a, curvature_a], [volume_b, surface_b, curvature_b]) = (a.0, b.0);
        volume_a + volume_b + (surface_a * curvature_b + curvature_a * surface_b) / (4.0 * PI)
    }
}

fn polyhedron(hull: &Hull<Vec3>) -> [f64; 3] {
    let position = |index: u32| hull.vertices()[index as usize].to_precise();
    let (mut volume, mut surface, mut curvature) = (0.0, 0.0, 0.0);
    for face in hull.faces() {
        let mut area = 0.0;
        for corners in face.vertices.windows(2) {
            let first = position(face.vertices[0]);
            let across = (position(corners[0]) - first).cross(position(corners[1]) - first);
            area += 0.5 * across.dot(face.normal);
        }
        surface += area;
        volume += area * face.offset / 3.0;
    }
    for edge in hull.edges() {
        let [a, b] = edge.vertices.map(position);
        let [left, right] = edge.faces.map(|face| hull.face(face as usize).normal);
        let turn = libm::acos(left.dot(right).clamp(-1.0, 1.0));
        curvature += 0.5 * (b - a).length() * turn;
    }
    [volume, surface, curvature]
}

#[cfg(test)]
mod tests {
    use clearance_shapes::ShapeError;

    use super::*;

    fn of<V: Measured>(shape: Result<Shape<V>, ShapeError>) -> [f64; 3] {
        measures(&shape.unwrap()).0
    }

    fn assert_near(measured: [f64; 3], expected: [f64; 3]) {
        for (a, b) in measured.into_iter().zip(expected) {
            assert!(
                (a - b).abs() <= 1e-6 * (1.0 + b),
                "{measured:?} {expected:?}"
            );
        }
    }

    #[test]
    fn a_hull_measures_what_its_closed_form_measures() {
        let half_extents = Vec3::new(0.5, 1.0, 1.5);
        let points = (0..8)
            .map(|k| {
                let sign = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
                half_extents * Vec3::new(sign(0), sign(1), sign(2))
            })
            .collect::<Vec<_>>();
        assert_near(of(Shape::hull(points)), of(Shape::cuboid(half_extents)));
        // A prism of many sides is nearly a cylinder.
        let corner = |k: usize, y: f32| {
            let (sin, cos) = libm::sincos(k as f64 * PI / 10_000.0);
            Vec3::new(cos as f32, y, sin as f32)
        };
        let points = (0..20_000).flat_map(|k| [corner(k, 0.7), corner(k, -0.7)]);
        let prism = of(Shape::hull(points.collect::<Vec<_>>()));
        let cylinder = of(Shape::cylinder(0.7, 1.0));
        for (a, b) in prism.into_iter().zip(cylinder) {
            assert!((a - b).abs() < 1e-3 * b, "{prism:?} {cylinder:?}");
        }
    }

    #[test]
    fn the_sum_of_two_balls_is_a_ball() {
        let ball = |radius| Measures(of(Shape::<Vec3>::ball(radius)));
        let sum = Vec3::mean_sum(ball(1.0), ball(2.0));
        assert!((sum - 4.0 / 3.0 * PI * 27.0).abs() < 1e-9);
        let disc = |radius| Measures(of(Shape::<Vec2>::ball(radius)));
        assert!((Vec2::mean_sum(disc(1.0), disc(2.0)) - PI * 9.0).abs() < 1e-9);
    }
}

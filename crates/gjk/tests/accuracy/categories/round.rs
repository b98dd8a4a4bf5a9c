//! Bodies of revolution about the same axis, or nearly so, and in the middle of each other.

use clearance_math::{DVec3, Quat, Real, Vec2, Vec3};
use clearance_shapes::Shape;

use crate::accuracy::body::{Space, size_of};
use crate::accuracy::harness::{Class, check};
use crate::accuracy::shapes::{cylinder_or_cone, valid};
use crate::common::{Body, Pcg, Space as _, unturned};

/// Two cylinders or cones of random sizes about the same axis, one on the other.
fn stacked(random: &mut Pcg, rounded: bool) -> [Body<Vec3>; 2] {
    let size = random.log_between(0.1, 10.0);
    let other = size * random.log_between(0.1, 10.0);
    let [a, b] = [size, other].map(|size| {
        let shape = cylinder_or_cone(random, size);
        if rounded && random.below(2) == 0 {
            valid(shape.rounded(random.log_between(1e-3 * size, 0.5 * size) as Real))
        } else {
            shape
        }
    });
    let rotation = Vec3::exact_rotation(random);
    // A cone may stand on its base or on its apex.
    let turn_of_b = match random.below(3) {
        0 => rotation * Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        _ => rotation,
    };
    let a = Body::turned(a, rotation);
    let b = Body::turned(b, turn_of_b);
    let axis = Vec3::turn(rotation) * DVec3::Y;
    let scale = size.max(other);
    let gap = match random.below(4) {
        0 => scale * random.log_between(1e-6, 2.0),
        1 => -scale * random.between(1e-3, 0.5),
        _ => -scale * random.log_between(1e-4, 0.5),
    };
    let b = b.beside(&a, axis, gap);
    // Exactly on the axis, whatever rounding did to the way there.
    let along = axis * axis.dot(b.at());
    let b = b.put_at(along);
    [a, b]
}

#[test]
fn stacked_coaxial_cylinders_and_cones_are_within_1e_4() {
    for (name, rounded) in [
        ("stacked coaxial cylinders and cones", false),
        ("stacked coaxial rounded cylinders and cones", true),
    ] {
        check::<Vec3>(name, Class::Smooth, |random| stacked(random, rounded));
    }
}

#[test]
fn nearly_coaxial_cylinders_and_cones_are_within_1e_4() {
    check::<Vec3>(
        "nearly coaxial cylinders and cones",
        Class::Smooth,
        |random| {
            let [a, b] = stacked(random, false);
            let size = size_of(&a, &b);
            let mut pose = b.pose;
            if random.below(2) == 0 {
                let offset =
                    random.direction_of::<Vec3>() * (size * random.log_between(1e-7, 1e-2));
                pose = b.put_at(b.at() + offset).pose;
            } else {
                let angle = random.log_between(1e-7, 1e-2);
                pose.rotation = Vec3::small_rotation(random, angle) * pose.rotation;
            }
            [a, Body::new(b.shape, pose)]
        },
    );
}

/// A ball, cylinder, cone or ellipsoid of revolution.
fn round_shape(random: &mut Pcg, size: f64) -> Shape<Vec3> {
    let (radius, half) = (random.extent(size), random.extent(size));
    valid(match random.below(4) {
        0 => Shape::ball(radius),
        1 => Shape::cylinder(half, radius),
        2 => Shape::cone(half, radius),
        _ => Shape::ellipsoid(Vec3::new(radius, half, radius)),
    })
}

#[test]
fn concentric_round_bodies_are_within_1e_4() {
    check::<Vec3>("concentric round bodies", Class::Smooth, |random| {
        let size = random.log_between(0.1, 10.0);
        let a = cylinder_or_cone_or_ellipsoid(random, size);
        let other = size * random.log_between(0.2, 1.0);
        let b = round_shape(random, other);
        let a = Body::turned(a, unturned::<Vec3>());
        let turn = match random.below(3) {
            0 => unturned::<Vec3>(),
            1 => Vec3::exact_rotation(random),
            _ => Vec3::any_rotation(random),
        };
        let b = Body::turned(b, turn);
        // The middle of the bodies, or of the heights of cones.
        let along = match random.below(3) {
            0 => DVec3::ZERO,
            1 => DVec3::Y * (size * random.between(-0.5, 0.5)),
            _ => random.direction_of::<Vec3>() * (size * random.log_between(1e-7, 1e-2)),
        };
        [a, b.put_at(along)]
    });
}

fn cylinder_or_cone_or_ellipsoid(random: &mut Pcg, size: f64) -> Shape<Vec3> {
    if random.below(3) > 0 {
        return cylinder_or_cone(random, size);
    }
    valid(Shape::ellipsoid(random.extents(size)))
}

#[test]
fn concentric_ellipses_and_circles_are_within_1e_4() {
    check::<Vec2>("concentric round bodies", Class::Smooth, |random| {
        let size = random.log_between(0.1, 10.0);
        let a = valid(Shape::ellipsoid(random.extents::<Vec2>(size)));
        let b = match random.below(3) {
            0 => Shape::ball(random.extent(size)),
            1 => Shape::capsule(random.extent(size), random.extent(size)),
            _ => Shape::ellipsoid(random.extents::<Vec2>(size)),
        };
        let a = Body::turned(a, Vec2::exact_rotation(random));
        let b = Body::turned(valid(b), Vec2::any_rotation(random));
        let off = match random.below(2) {
            0 => 0.0,
            _ => random.log_between(1e-7, 1e-2),
        };
        let to = random.direction_of::<Vec2>() * (size * off);
        [a, b.put_at(to)]
    });
}

#[test]
fn cylinders_and_cones_flat_on_cuboids_are_within_1e_4() {
    check::<Vec3>(
        "cylinder or cone flat on a cuboid",
        Class::Smooth,
        |random| {
            let size = random.log_between(0.1, 10.0);
            let cuboid = valid(Shape::cuboid(random.extents::<Vec3>(size)));
            let other = size * random.log_between(0.1, 10.0);
            let upright = cylinder_or_cone(random, other);
            let a = Body::turned(cuboid, unturned::<Vec3>());
            let b = Body::turned(upright, unturned::<Vec3>());
            on_top(random, &a, &b)
        },
    );
}

#[test]
fn cylinders_lying_on_cuboids_are_within_1e_4() {
    check::<Vec3>("cylinder lying on a cuboid", Class::Smooth, |random| {
        let size = random.log_between(0.1, 10.0);
        let cuboid = valid(Shape::cuboid(random.extents::<Vec3>(size)));
        let other = size * random.log_between(0.1, 10.0);
        let (half, radius) = (random.extent(other), random.extent(other));
        let cylinder = valid(Shape::cylinder(half, radius));
        let a = Body::turned(cuboid, unturned::<Vec3>());
        // Its axis along x or z: exactly, or by the quarter turn that users type.
        let root = core::f32::consts::FRAC_1_SQRT_2;
        let turn = random.pick(&[
            [0.5, 0.5, 0.5, 0.5],
            [-0.5, 0.5, -0.5, 0.5],
            [root, 0.0, 0.0, root],
            [0.0, 0.0, root, root],
        ]);
        let b = Body::turned(cylinder, Quat::from_array(turn));
        on_top(random, &a, &b)
    });
}

/// b on the top of a, shifted over it, in it or just over it, sometimes turned about the vertical.
fn on_top(random: &mut Pcg, a: &Body<Vec3>, b: &Body<Vec3>) -> [Body<Vec3>; 2] {
    let size = size_of(a, b);
    let gap = match random.below(4) {
        0 => size * random.log_between(1e-6, 1.0),
        1 => 0.0,
        2 => -size * random.log_between(1e-6, 0.5),
        _ => -size * random.between(0.0, 0.5),
    };
    let top = a.reach_along(DVec3::Y).y;
    let bottom = b.reach_along(-DVec3::Y).y;
    let over = match random.below(3) {
        0 => DVec3::ZERO,
        _ => random.point::<Vec3>(size).as_dvec3(),
    };
    let to = DVec3::new(over.x, top - bottom + gap, over.z);
    [a.clone(), b.put_at(to)]
}

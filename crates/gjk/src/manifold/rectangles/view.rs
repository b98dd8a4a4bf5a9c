//! How two faces of cuboids are seen along the normal of the pair.

use clearance_math::internal::MapEach;
use clearance_math::{DVec2, DVec3, PreciseVector, RelativePose, Vector, tolerances};
use clearance_shapes::{Convex, Cuboid};

use super::flat::Flat;
use super::{CLEAR, Frame, Plane, TwoFaces};
use crate::manifold::facing::is_facing;

/// A face and its outward unit normal.
pub(super) struct FlatFace {
    frame: Frame,
    normal: DVec3,
    number: usize,
}

impl FlatFace {
    /// The face of a cuboid that faces a direction, in the frame of the cuboid.
    #[inline(always)]
    pub(super) fn toward<V: Vector>(
        (convex, cuboid): (&Convex<V>, &Cuboid<V>),
        direction: DVec3,
    ) -> Option<Self> {
        let lengths = direction.abs();
        let axis = if lengths.y > lengths.x { 1 } else { 0 };
        let axis = if lengths.z > lengths[axis] { 2 } else { axis };
        if !is_facing(lengths[axis]) {
            return None;
        }
        let half = cuboid.half_extents.to_precise().in_space();
        let (one, two) = ((axis + 1) % 3, (axis + 2) % 3);
        let normal = DVec3::AXES[axis] * direction[axis].signum();
        Some(Self {
            frame: [
                normal * (half[axis] + convex.radius()),
                DVec3::AXES[one] * half[one],
                DVec3::AXES[two] * half[two],
            ],
            normal,
            number: 2 * axis + usize::from(direction[axis] < 0.0),
        })
    }

    /// The face in the frame in which its body has this pose.
    #[inline(always)]
    pub(super) fn moved_by<V: Vector>(self, pose: &RelativePose<V::Precise>) -> Self {
        let direction = |vector: DVec3| {
            let vector = V::Precise::from_space(vector);
            pose.transform_direction(vector).in_space()
        };
        let [middle, one, two] = self.frame.map_each(direction);
        Self {
            frame: [middle + pose.translation.in_space(), one, two],
            normal: direction(self.normal),
            number: self.number,
        }
    }
}

/// A plane across the normal of a pair.
pub(super) struct RectangleView {
    base: DVec3,
    normal: DVec3,
    right: DVec3,
    up: DVec3,
}

impl RectangleView {
    #[inline(always)]
    pub(super) fn along(normal: DVec3, base: DVec3) -> Self {
        let (right, up) = normal.any_orthonormal_pair();
        Self {
            base,
            normal,
            right,
            up,
        }
    }

    #[inline(always)]
    fn seen(&self, vector: DVec3) -> DVec2 {
        DVec2::new(vector.dot(self.right), vector.dot(self.up))
    }

    #[inline(always)]
    fn flat(&self, face: &FlatFace) -> Flat {
        let [middle, one, two] = face.frame;
        Flat {
            middle: self.seen(middle - self.base),
            half: [self.seen(one), self.seen(two)],
        }
    }

    #[inline(always)]
    fn plane(&self, face: &FlatFace) -> Plane {
        let scale = 1.0 / face.normal.dot(self.normal);
        Plane {
            level: face.normal.dot(face.frame[0] - self.base) * scale,
            rise: self.seen(face.normal) * -scale,
        }
    }

    /// Two faces as they are seen.
    #[inline(always)]
    pub(super) fn of(self, [of_a, of_b]: [FlatFace; 2]) -> TwoFaces {
        let [a, b] = [self.flat(&of_a), self.flat(&of_b)];
        let squared = a.squared_diameter().min(b.squared_diameter());
        let slack = tolerances::MANIFOLD_SLACK * squared.sqrt();
        let clear = CLEAR * slack;
        let [plane, plane_b] = [self.plane(&of_a), self.plane(&of_b)];
        TwoFaces {
            frames: [of_a.frame, of_b.frame, [self.base, self.right, self.up]],
            numbers: [of_a.number, of_b.number],
            normal: self.normal,
            flats: [a, b],
            seen_from_other: [a.seen_from(&b), b.seen_from(&a)],
            slack,
            clear: [a.within(clear), b.within(clear)],
            plane,
            gap: Plane {
                level: plane_b.level - plane.level,
                rise: plane_b.rise - plane.rise,
            },
        }
    }
}

//! The vertices of two polytopes with at most eight each, for support queries. At least one of the two is a
//! hull, because the support functions of the other kinds are faster than examining all vertices.

use clearance_math::internal::lanes::{Simd, dispatch};
use clearance_math::{PreciseVector, RelativePose, Vector};
use clearance_shapes::internal::EightCorners;
use clearance_shapes::{Convex, Core};

use super::vertex::Vertex;

/// Two lists of vertices. Those of b are rotated into the frame of a once, and not again in every support query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FewCorners<'a> {
    of_a: &'a EightCorners,
    of_b: &'a EightCorners,
}

impl<'a> FewCorners<'a> {
    /// The vertices of two cores. `None` if one is curved or has more than eight vertices, or if neither is a hull.
    ///
    /// `storage` receives the vertices of b, and those of a, unless a stores them itself.
    #[inline]
    pub(crate) fn new<V: Vector>(
        a: &'a Convex<V>,
        b: &Convex<V>,
        b_in_a: &RelativePose<V::Precise>,
        storage: &'a mut CornerStorage,
    ) -> Option<Self> {
        if !is_hull(a) && !is_hull(b) {
            return None;
        }
        let of_a = a.core().eight_corners(&mut storage.of_a)?;
        let mut storage_of_b = None;
        let of_b = b.core().eight_corners(&mut storage_of_b)?;
        let rotation = &b_in_a.rotation;
        let of_b = dispatch!(simd => of_b.turned::<_, V::Precise>(simd, rotation));
        Some(Self {
            of_a,
            of_b: storage.of_b.insert(of_b),
        })
    }

    /// The vertex of the difference that is farthest along `direction`, where b is moved by `translation`.
    #[inline(always)]
    pub(crate) fn support<S: Simd, P: PreciseVector>(
        &self,
        simd: S,
        direction: P,
        translation: P,
    ) -> Vertex<P> {
        let on_a = self.of_a.corner(self.of_a.farthest(simd, direction));
        let turned: P = self.of_b.corner(self.of_b.farthest(simd, -direction));
        Vertex::between(on_a, turned + translation)
    }
}

fn is_hull<V: Vector>(shape: &Convex<V>) -> bool {
    matches!(shape.core(), Core::Hull(_))
}

/// Storage for the vertices of shapes, so that what refers to them is small.
#[derive(Debug, Default)]
pub(crate) struct CornerStorage {
    of_a: Option<EightCorners>,
    of_b: Option<EightCorners>,
}

#[cfg(test)]
mod tests {
    use clearance_math::{DVec3, Pose, Quat, Vec3};
    use clearance_shapes::Shape;

    use super::*;
    use crate::search::{Cores, Minkowski, SupportMapping};

    /// A spiral of directions, none of them perpendicular to an edge.
    fn directions() -> impl Iterator<Item = DVec3> {
        (1..200).map(|k| {
            let turn = f64::from(k);
            DVec3::new(turn.sin(), (0.7 * turn).cos(), (1.3 * turn).sin())
        })
    }

    fn convex(shape: &Shape<Vec3>) -> &Convex<Vec3> {
        match shape {
            Shape::Convex(convex) => convex,
            _ => panic!("a convex shape was made"),
        }
    }

    #[test]
    fn corners_are_those_of_the_cores() {
        let points = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::new(0.2, -0.5, 0.9)];
        let shapes = [
            Shape::cuboid(Vec3::new(1.0, 2.0, 0.5)).unwrap(),
            Shape::hull(points).unwrap(),
            Shape::triangle(points[0], points[2], points[3]).unwrap(),
            Shape::segment(points[0], points[3]).unwrap(),
        ];
        let turn = Quat::from_xyzw(0.1, -0.7, 0.5, 0.5).normalize();
        let b_in_a = RelativePose::between(
            &Pose::<Vec3>::IDENTITY,
            &Pose::<Vec3>::new(Vec3::new(3.0, -1.0, 2.0), turn),
        );
        for a in &shapes {
            for b in &shapes {
                let (a, b) = (convex(a), convex(b));
                if !is_hull(a) && !is_hull(b) {
                    assert!(
                        FewCorners::new(a, b, &b_in_a, &mut CornerStorage::default()).is_none()
                    );
                    continue;
                }
                let moved = DVec3::new(0.25, 0.5, -1.0);
                let cores = Cores::new(a, b, &b_in_a).with_b_moved(moved);
                let mut storage = CornerStorage::default();
                let corners =
                    Cores::with_few_corners(a, b, &b_in_a, &mut storage).with_b_moved(moved);
                for direction in directions() {
                    assert_eq!(corners.support(direction), cores.support(direction));
                }
                assert!((corners.center() - cores.center()).length() < 1e-15);
                assert_eq!(corners.size(), cores.size());
                assert_eq!(corners.rounding(), cores.rounding());
                assert_eq!(corners.axis(4), cores.axis(4));
            }
        }
    }

    #[test]
    fn a_ninth_corner_is_one_too_many() {
        let ring = |count: u32| {
            let turn = |k| f64::from(k) * core::f64::consts::TAU / f64::from(count);
            let point = |k| DVec3::new(turn(k).cos(), turn(k).sin(), 0.0).as_vec3();
            Shape::hull((0..count).map(point).collect::<Vec<_>>()).unwrap()
        };
        let (eight, nine) = (ring(8), ring(9));
        let b_in_a = RelativePose::between(&Pose::IDENTITY, &Pose::<Vec3>::IDENTITY);
        let is_few = |a, b| {
            FewCorners::new(convex(a), convex(b), &b_in_a, &mut CornerStorage::default()).is_some()
        };
        assert!(is_few(&eight, &eight));
        assert!(!is_few(&eight, &nine) && !is_few(&nine, &eight));
    }
}

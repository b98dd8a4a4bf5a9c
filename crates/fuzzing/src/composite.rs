//! Composites: an answer is that of their parts.

use clearance_gjk::{
    Interior, Placed, Proximity, RayOptions, Separation, cast_ray, contacts_into, intersects,
    proximity, ray_hits,
};
use clearance_math::{Pose, PreciseVector, Ray, Real, Vec2, Vec3, Vector};
use clearance_shapes::Shape;

use crate::bytes::{Bytes, in_plane_or_space};
use crate::dimension::Dimension;
use crate::surface::{Composites, shape};

/// Two shapes at two poses, at least one of them a composite, a range and a ray.
///
/// Answers have their bounds in order and name parts that exist; exchanging the shapes mirrors them; no
/// part in the frame of its body is nearer or hit earlier; the contacts are those within the range; yes or
/// no agrees with the distance; far from the origin the answers are the same.
///
/// # Panics
/// If the engine breaks one of these promises, with the shapes and poses.
pub fn composite(data: &[u8]) {
    in_plane_or_space(data, run::<Vec2>, run::<Vec3>);
}

fn run<V: Composites>(bytes: &mut Bytes) {
    let scale = match bytes.below(8) {
        0 => bytes.power_of_two(60),
        _ => 1.0,
    };
    let (Some(a), Some(b)) = (V::composite(bytes, scale), shape::<V>(bytes, scale)) else {
        return;
    };
    let mut pose = || {
        let translation = bytes.vector::<V>(Bytes::lattice) * scale;
        Pose::new(translation, V::rotation(bytes))
    };
    let poses = [pose(), pose()];
    let within = match bytes.below(3) {
        0 => 0.0,
        1 => bytes.lattice() * scale,
        _ => Real::INFINITY,
    };
    let case = CompositeCase {
        a,
        b,
        poses,
        within,
    };
    case.check_pair();
    let options = RayOptions {
        max_distance: bytes.pick(&[Real::INFINITY, 4.0 * scale, 0.0]),
        interior: bytes.pick(&[Interior::Solid, Interior::Hollow]),
        ..RayOptions::default()
    };
    let origin = bytes.vector::<V>(Bytes::lattice) * scale;
    if let Ok(ray) = Ray::new(origin, bytes.vector(Bytes::moderate)) {
        case.check_ray(&ray, options);
    }
}

/// How far away along each axis, 2^33: single precision has steps of 1,024 there.
const FAR: f64 = 8_589_934_592.0;

/// All of a separation but its points.
fn without_points<V: Vector>(near: Separation<V>) -> Separation<V> {
    Separation {
        position_a: V::Precise::ZERO,
        position_b: V::Precise::ZERO,
        ..near
    }
}

#[derive(Debug)]
struct CompositeCase<V: Dimension> {
    a: Shape<V>,
    b: Shape<V>,
    poses: [Pose<V>; 2],
    within: Real,
}

impl<V: Dimension> CompositeCase<V> {
    fn sides(&self) -> [Placed<'_, V>; 2] {
        let [pose_a, pose_b] = &self.poses;
        [Placed::new(&self.a, pose_a), Placed::new(&self.b, pose_b)]
    }

    fn check_pair(&self) {
        let [a, b] = self.sides();
        let Ok(answer) = proximity(a, b, self.within) else {
            return;
        };
        let mirrored = proximity(b, a, self.within).expect("valid both ways");
        assert_eq!(
            format!("{:?}", mirrored.flipped()),
            format!("{answer:?}"),
            "{self:?}"
        );
        let near = match answer {
            Proximity::Near(near) => Some(near),
            _ => None,
        };
        if let Some(near) = near {
            self.check_bounds(&near);
        }
        for part in self.parts_in_frame() {
            let alone = proximity(Placed::new(&part, a.pose), b, self.within);
            if let Ok(Proximity::Near(alone)) = alone
                && alone.distance <= self.within
                && alone.upper < Real::INFINITY
            {
                let found = near.unwrap_or_else(|| panic!("not found: {alone:?}, {self:?}"));
                // Depths of curved shapes are precise to their bounds.
                assert!(found.lower <= alone.upper, "{found:?}, {alone:?}, {self:?}");
            }
        }
        self.check_contacts();
        self.check_far_away();
        if let Some(near) = near.filter(|near| near.lower > 0.0 || near.upper < 0.0) {
            let overlap = intersects(a, b).expect("valid before");
            assert_eq!(overlap, near.upper < 0.0, "{near:?}, {self:?}");
        }
    }

    fn check_bounds(&self, near: &Separation<V>) {
        let is_ordered = near.lower <= near.distance && near.distance <= near.upper;
        assert!(is_ordered, "{near:?}, {self:?}");
        for (shape, part) in [(&self.a, near.part_a), (&self.b, near.part_b)] {
            let count = match shape {
                Shape::Composite(composite) => composite.part_count(),
                _ => 1,
            };
            assert!(part < count, "{near:?}, {self:?}");
        }
    }

    fn check_contacts(&self) {
        let [a, b] = self.sides();
        let mut found = Vec::new();
        if self.within == Real::INFINITY || contacts_into(a, b, self.within, &mut found).is_err() {
            return;
        }
        for pair in found.windows(2) {
            let key = |near: &Separation<V>| (near.part_a, near.part_b);
            assert!(key(&pair[0]) < key(&pair[1]), "{self:?}");
        }
        for near in &found {
            self.check_bounds(near);
            assert!(near.distance <= self.within, "{near:?}, {self:?}");
        }
    }

    /// Where both shapes are far away, and no digit of their places is lost, the answers have the same bits but for points.
    fn check_far_away(&self) {
        let offset = V::Precise::splat(FAR);
        let poses = self.poses.map(|pose| pose.moved_by(offset));
        let is_exact =
            |(far, near): (&Pose<V>, &Pose<V>)| far.position() - offset == near.position();
        if !poses.iter().zip(&self.poses).all(is_exact) {
            return;
        }
        let answers = |[pose_a, pose_b]: &[Pose<V>; 2]| {
            let (a, b) = (Placed::new(&self.a, pose_a), Placed::new(&self.b, pose_b));
            let mut found = Vec::new();
            if self.within < Real::INFINITY && contacts_into(a, b, self.within, &mut found).is_err()
            {
                return None;
            }
            let near = proximity(a, b, self.within).ok()?;
            let first = near.near().into_iter();
            Some((
                near.near().is_some(),
                first.chain(found).map(without_points).collect::<Vec<_>>(),
            ))
        };
        assert_eq!(answers(&poses), answers(&self.poses), "{self:?}");
    }

    fn check_ray(&self, ray: &Ray<V>, options: RayOptions) {
        let [a, _] = self.sides();
        let Ok(hit) = cast_ray(ray, a, options) else {
            return;
        };
        assert_eq!(
            ray_hits(ray, a, options),
            Ok(hit.is_some()),
            "{ray:?}, {options:?}, {self:?}"
        );
        if let Some(hit) = hit {
            let is_ordered = hit.lower <= hit.distance && hit.distance <= hit.upper;
            assert!(is_ordered, "{hit:?}, {ray:?}, {self:?}");
        }
        for part in self.parts_in_frame() {
            let alone = cast_ray(ray, Placed::new(&part, a.pose), options);
            if let Ok(Some(alone)) = alone {
                let Some(found) = hit else {
                    // A part alone is seen in another frame, whose rounding may turn a miss into a hit.
                    continue;
                };
                assert!(
                    found.lower <= alone.upper,
                    "{found:?}, {alone:?}, {ray:?}, {self:?}"
                );
            }
        }
    }

    /// The parts of a that have no pose of their own, as shapes.
    fn parts_in_frame(&self) -> Vec<Shape<V>> {
        let Shape::Composite(composite) = &self.a else {
            return Vec::new();
        };
        let parts = composite
            .part_numbers()
            .filter_map(|number| composite.part(number));
        let plain = parts.filter(|part| part.pose.is_none());
        plain.map(|part| part.shape.into_owned()).collect()
    }
}

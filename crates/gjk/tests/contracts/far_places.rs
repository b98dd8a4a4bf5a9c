//! Where in the world two shapes are changes no bit of a distance, a normal, a bound, a time or a part, as long as the sums
//! of places are exact; points are as near to their places as double precision lets them be.

use std::fmt::Debug;

use clearance_gjk::{
    Cast, CastOptions, Interior, Motion, Placed, RayHit, RayOptions, Separation, cast_ray,
    cast_shapes, contact_manifold, contacts_into, intersects, point_proximity, proximity,
};
use clearance_math::{Pose, PreciseVector, Ray, Real, RelativePose, Vector};
use clearance_shapes::Shape;

use crate::common::{Pcg, in_both_dimensions, iterations};
use crate::composite_shapes::Composites;
use crate::coverage_questions::makers;

in_both_dimensions!(
    moved_shapes_answer_the_same,
    tiny_places_are_no_trouble,
    points_far_beside_their_origins_keep_their_bounds,
);

/// Places are whole numbers of 2^-12, so that sums with whole numbers of up to 2^33 are exact.
const STEPS: f64 = 4096.0;

fn on_grid<V: Vector>(random: &mut Pcg, size: f64) -> V::Precise {
    let place = random.vector::<V::Precise>() * size;
    (0..V::DIM).fold(place, |place, axis| {
        place.with_component(axis, (place.component(axis) * STEPS).round() / STEPS)
    })
}

/// What makes a shape.
type Make<'a, V> = &'a dyn Fn(&mut Pcg) -> Shape<V>;

/// Two shapes at poses, motions and a place, all of which can be moved.
struct Scene<V: Vector> {
    shapes: [Shape<V>; 2],
    places: [V::Precise; 2],
    rotations: [V::Rotation; 2],
    motions: [Motion<V>; 2],
    start: V::Precise,
    direction: V,
}

/// All of a separation but its points, and these relative to an origin.
fn split<V: Vector>(near: Separation<V>, origin: V::Precise) -> (Separation<V>, [V::Precise; 2]) {
    let points = [near.position_a - origin, near.position_b - origin];
    let without = Separation {
        position_a: V::Precise::ZERO,
        position_b: V::Precise::ZERO,
        ..near
    };
    (without, points)
}

/// What an answer says without points, as text with all bits, and its points relative to the origin.
type Said<P> = (String, Vec<P>);

struct Answers<V: Vector> {
    origin: V::Precise,
    said: Vec<Said<V::Precise>>,
}

impl<V: Vector> Answers<V> {
    fn separation(&mut self, more: impl Debug, near: Option<Separation<V>>) {
        let split = near.map(|near| split(near, self.origin));
        let points = split.iter().flat_map(|(_, points)| *points).collect();
        let text = format!("{more:?} {:?}", split.map(|(without, _)| without));
        self.said.push((text, points));
    }
}

impl<V: Composites> Scene<V> {
    fn random(makers: [Make<'_, V>; 2], random: &mut Pcg) -> Self {
        let motion = |random: &mut Pcg| Motion::from_linear(random.point::<V>(2.0));
        Self {
            shapes: makers.map(|make| make(random)),
            places: [(); 2].map(|()| on_grid::<V>(random, 1.2)),
            rotations: [(); 2].map(|()| V::any_rotation(random)),
            motions: [(); 2].map(|()| motion(random)),
            start: on_grid::<V>(random, 2.0),
            direction: random.point::<V>(1.0),
        }
    }

    fn answers(&self, origin: V::Precise) -> Answers<V> {
        let mut answers = Answers {
            origin,
            said: Vec::new(),
        };
        let [pose_a, pose_b] =
            [0, 1].map(|k| Pose::<V>::new(self.places[k] + origin, self.rotations[k]));
        let a = Placed::new(&self.shapes[0], &pose_a);
        let b = Placed::new(&self.shapes[1], &pose_b);
        answers.separation(
            intersects(a, b),
            proximity(a, b, Real::INFINITY).unwrap().near(),
        );
        answers.separation((), proximity(b, a, 0.1).unwrap().near());
        let mut list = Vec::new();
        let completeness = contacts_into(a, b, 0.2, &mut list).unwrap();
        for near in list {
            answers.separation(completeness, Some(near));
        }
        if let Ok(Some(manifold)) = contact_manifold(a, b, 0.3) {
            for point in manifold.points() {
                let features = (point.distance, point.feature_a, point.feature_b);
                let text = format!("{features:?}");
                let points = vec![point.position_a - origin, point.position_b - origin];
                answers.said.push((text, points));
            }
        }
        let [a, b] = [Cast::new(a, self.motions[0]), Cast::new(b, self.motions[1])];
        let hit = cast_shapes(a, b, CastOptions::default()).unwrap();
        let times = hit.map(|hit| (hit.time, hit.time_lower, hit.time_upper, hit.status));
        answers.separation(times, hit.map(|hit| hit.separation));
        self.ask_from_point(b.placed, &mut answers);
        answers
    }

    fn ask_from_point(&self, b: Placed<'_, V>, answers: &mut Answers<V>) {
        let start = self.start + answers.origin;
        let near = point_proximity(start, b, Real::INFINITY).unwrap().near();
        answers.separation((), near);
        let Ok(ray) = Ray::new(start, self.direction) else {
            return;
        };
        for interior in [Interior::Solid, Interior::Hollow] {
            let options = RayOptions {
                interior,
                ..RayOptions::default()
            };
            let hit = cast_ray(&ray, b, options).unwrap();
            let points = hit
                .iter()
                .map(|hit| hit.position - answers.origin)
                .collect();
            let without = hit.map(|hit| RayHit {
                position: V::Precise::ZERO,
                ..hit
            });
            answers.said.push((format!("{without:?}"), points));
        }
    }
}

fn moved_shapes_answer_the_same<V: Composites>() {
    let mut random = Pcg::new(61);
    let makers = makers::<V>();
    let mut answered = 0;
    for (name_a, make_a) in &makers {
        for (name_b, make_b) in &makers {
            for _ in 0..iterations(3) {
                let scene = Scene::random([make_a, make_b], &mut random);
                let here = scene.answers(V::Precise::ZERO);
                let exponent = random.between(14.0, 33.0);
                let origin = random.vector::<V::Precise>() * exponent.exp2();
                let origin = (0..V::DIM).fold(origin, |origin, axis| {
                    origin.with_component(axis, origin.component(axis).round())
                });
                let there = scene.answers(origin);
                let about = format!("{name_a} and {name_b} at {origin:?}");
                assert_eq!(here.said.len(), there.said.len(), "{about}");
                for (one, other) in here.said.iter().zip(&there.said) {
                    assert_eq!(one.0, other.0, "{about}");
                    let slack = 4.0 * f64::EPSILON * (origin.length() + 10.0);
                    for (point, moved) in one.1.iter().zip(&other.1) {
                        assert!(
                            (*point - *moved).length() <= slack,
                            "{about} {point:?} {moved:?}"
                        );
                        answered += 1;
                    }
                }
            }
        }
    }
    assert!(answered > 5000, "{answered}");
}

/// Double precision has numbers of which no power is one; places that small are zero.
fn tiny_places_are_no_trouble<V: Composites>() {
    let mut random = Pcg::new(62);
    let makers = makers::<V>();
    for (_, make_a) in &makers {
        for (_, make_b) in &makers {
            let mut scene = Scene::random([make_a, make_b], &mut random);
            scene.places = [1e-200, -1e-310].map(|size| random.vector::<V::Precise>() * size);
            scene.start = random.vector::<V::Precise>() * 1e-160;
            let tiny = scene.answers(V::Precise::ZERO);
            scene.places = scene.places.map(|_| V::Precise::ZERO);
            scene.start = V::Precise::ZERO;
            let zero = scene.answers(V::Precise::ZERO);
            for (one, other) in tiny.said.iter().zip(&zero.said) {
                assert!(!one.0.contains("NaN"), "{one:?}");
                // The signs of zeros decide which of two equal ways is named.
                assert_eq!(one.1.len(), other.1.len());
            }
        }
    }
}

/// Where bodies turn alike, the gap between points of them is known more precisely than where the points are.
fn points_far_beside_their_origins_keep_their_bounds<V: Composites>() {
    let mut random = Pcg::new(63);
    for _ in 0..iterations(200) {
        let turn = Pose::<V>::from_rotation(V::any_rotation(&mut random));
        let local = random.point::<V>(1e6);
        let beside = local + random.point::<V>(4.0);
        let step = RelativePose::from_pose(&turn)
            .transform_direction(beside.to_precise() - local.to_precise());
        let apart = random.direction::<V::Precise>() * random.log_between(1e-6, 1e-3);
        let pose = Pose::<V>::new(apart - step, turn.rotation);
        let [a, b] = [local, beside].map(|at| Shape::segment(at, at).expect("finite"));
        let near = proximity(
            Placed::new(&a, &turn),
            Placed::new(&b, &pose),
            Real::INFINITY,
        );
        let near = near.unwrap().near().unwrap();
        let [lower, upper] = [near.lower, near.upper].map(f64::from);
        let (truth, rounding) = (apart.length(), 1e-14);
        assert!(
            lower <= truth + rounding && truth - rounding <= upper,
            "{near:?} {truth}"
        );
    }
}

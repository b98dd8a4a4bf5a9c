//! Shapes of your own: written as a user would, they answer as the shapes that the engine knows, and
//! nothing that they answer makes a question panic or run for ever.

use std::sync::atomic::{AtomicU64, Ordering};

use clearance_gjk::{
    Interior, RayOptions, Status, cast_ray, contacts_into, intersects, point_proximity, proximity,
    ray_hits,
};
use clearance_math::{Pose, PreciseVector, Ray, Real, Vector};
use clearance_shapes::{CompoundPart, CustomShape, Shape, Support};

use crate::common::{
    Body, Kind, Pcg, Placement, Space, agreement, beside, body, in_both_dimensions, iterations,
    kept, size_of, soundness,
};

in_both_dimensions!(
    distances_are_those_of_known_shapes,
    points_and_rays_are_those_of_known_shapes,
    parts_of_a_compound_are_those_of_known_shapes,
    lies_are_answered,
);

/// The shapes of this file: lengths along the axes, by which each is defined.
#[derive(Clone, Copy, Debug)]
enum Form<V> {
    Ball(Real),
    Cuboid(V),
    /// In space; its half height and radius.
    Cylinder(Real, Real),
}

impl<V: Space> Form<V> {
    fn random(random: &mut Pcg, size: f64) -> Self {
        match random.below(V::DIM) {
            0 => Self::Ball(random.extent(size)),
            1 => Self::Cuboid(random.extents(size)),
            _ => Self::Cylinder(random.extent(size), random.extent(size)),
        }
    }

    fn known(self) -> Shape<V> {
        match self {
            Self::Ball(radius) => Shape::ball(radius).expect("valid"),
            Self::Cuboid(half) => Shape::cuboid(half).expect("valid"),
            Self::Cylinder(half_height, radius) => V::cylinder(half_height, radius),
        }
    }

    fn own(self) -> Shape<V> {
        Shape::custom(self).expect("it does not contradict itself")
    }
}

impl<V: Vector> Support<V::Precise> for Form<V> {
    fn support(&self, direction: V::Precise) -> V::Precise {
        match *self {
            Self::Ball(radius) => direction * f64::from(radius),
            Self::Cuboid(half) => half.to_precise().with_signs_of(direction),
            Self::Cylinder(half_height, radius) => {
                let y = f64::from(half_height).copysign(direction.component(1));
                let flat = direction.with_component(1, 0.0);
                let out = flat * (f64::from(radius) / flat.length().max(1e-150));
                out.with_component(1, y)
            }
        }
    }

    fn center(&self) -> V::Precise {
        V::Precise::ZERO
    }

    fn bounding_radius(&self) -> f64 {
        match *self {
            Self::Ball(radius) => radius.into(),
            Self::Cuboid(half) => half.to_precise().length(),
            Self::Cylinder(half_height, radius) => f64::from(half_height).hypot(radius.into()),
        }
    }
}

impl<V: Vector> CustomShape<V::Precise> for Form<V> {
    fn key(&self) -> [u32; 8] {
        let (kind, lengths) = match *self {
            Self::Ball(radius) => (1, [radius, 0.0, 0.0]),
            Self::Cuboid(half) => (2, [0, 1, V::DIM - 1].map(|k| half.component(k))),
            Self::Cylinder(half_height, radius) => (3, [half_height, radius, 0.0]),
        };
        let [x, y, z] = lengths.map(Real::to_bits);
        [kind, x, y, z, 0, 0, 0, 0]
    }
}

/// A body of a known shape, and one of the same shape written by hand.
fn twins<V: Space>(random: &mut Pcg, size: f64) -> (Body<V>, Body<V>) {
    let form = Form::<V>::random(random, size);
    let (mut known, mut own) = (form.known(), form.own());
    if random.chance(0.3) {
        let radius = random.extent(size);
        known = known.rounded(radius).expect("valid");
        own = own.rounded(radius).expect("valid");
    }
    let pose = body::<V>(Kind::Cuboid, random, 1.0).pose;
    (Body::new(known, pose), Body::new(own, pose))
}

fn distances_are_those_of_known_shapes<V: Space>() {
    let mut random = Pcg::new(71);
    for kind in Kind::all::<V>() {
        for placement in Placement::ALL {
            for round in 0..iterations(20) {
                let size = [1.0, 1e-3, 1e3, 1e20][round % 4];
                let (known, own) = twins::<V>(&mut random, size);
                let b = match round % 5 {
                    0 => twins::<V>(&mut random, size).1,
                    _ => body::<V>(kind, &mut random, size),
                };
                let b = beside(&mut random, &known, &b, placement);
                compare(&known, &own, &b);
            }
        }
    }
}

fn compare<V: Space>(known: &Body<V>, own: &Body<V>, b: &Body<V>) {
    let ask = |a: &Body<V>, within| proximity(a.placed(), b.placed(), within).expect("valid poses");
    let touch = intersects(own.placed(), b.placed()).expect("valid poses");
    let [expected, found] = [known, own].map(|a| ask(a, Real::INFINITY).near().expect("bounded"));
    let context = || format!("{expected:?} {found:?} {touch} {own:?} {b:?}");
    kept(soundness(&found), context);
    kept(agreement(&found, touch), context);
    // Both are proofs about the same two shapes.
    assert!(found.lower <= expected.upper, "{}", context());
    assert!(found.upper >= expected.lower, "{}", context());
    let size = size_of(known, b) as Real;
    let width = found.upper - found.lower;
    // Of concentric balls every direction is as good as any other, and the search runs out of iterations; two of them twice.
    let share = match found.status {
        Status::IterationLimit => 2e-2,
        _ => 2e-4,
    };
    let allowed = share * size + 2e-6 * found.distance.abs();
    assert!(width <= allowed, "{width} {}", context());
    let back = proximity(b.placed(), own.placed(), Real::INFINITY).expect("valid poses");
    assert_eq!(back.flipped(), ask(own, Real::INFINITY), "{}", context());
    let [box_of_known, box_of_own] = [known, own].map(|body| body.shape.bounds(&body.pose));
    let apart = |p: V, q: V| (p.to_precise() - q.to_precise()).length() as Real;
    assert!(apart(box_of_own.min, box_of_known.min) <= 1e-6 * size);
    assert!(apart(box_of_own.max, box_of_known.max) <= 1e-6 * size);
}

/// A ray from beyond the body, or from inside of it, that passes near it.
fn some_ray<V: Space>(random: &mut Pcg, body: &Body<V>) -> Ray<V> {
    let away = random.direction::<V::Precise>() * (body.reach() * random.between(0.0, 4.0));
    let toward = random.vector::<V::Precise>() * body.reach();
    let origin = V::from_precise(body.center() + away);
    let to = V::from_precise(toward - away);
    Ray::new(origin, to).unwrap_or_else(|_| Ray::new(origin, V::axis(0)).expect("valid"))
}

fn points_and_rays_are_those_of_known_shapes<V: Space>() {
    let mut random = Pcg::new(72);
    let (mut hits, mut grazing) = (0, 0);
    let rounds = iterations(600);
    for _ in 0..rounds {
        let (known, own) = twins::<V>(&mut random, 1.0);
        let ray = some_ray(&mut random, &known);
        let [expected, found] = [&known, &own].map(|body| {
            let near = point_proximity(ray.origin(), body.placed(), Real::INFINITY);
            near.expect("valid").near().expect("bounded")
        });
        assert!(
            found.lower <= expected.upper && found.upper >= expected.lower,
            "{expected:?} {found:?} {own:?}"
        );
        for interior in [Interior::Solid, Interior::Hollow] {
            let options = RayOptions {
                interior,
                ..RayOptions::default()
            };
            let cast = |body: &Body<V>| cast_ray(&ray, body.placed(), options).expect("valid");
            let (expected, found) = (cast(&known), cast(&own));
            let is_hit = ray_hits(&ray, own.placed(), options).expect("valid");
            assert_eq!(is_hit, found.is_some());
            match (expected, found) {
                (Some(expected), Some(found)) => {
                    let context = || format!("{expected:?} {found:?} {ray:?} {own:?}");
                    assert!(found.lower <= expected.upper, "{}", context());
                    assert!(found.upper >= expected.lower, "{}", context());
                    hits += 1;
                }
                (expected, found) => grazing += usize::from(expected.is_some() != found.is_some()),
            }
        }
    }
    assert!(
        hits > rounds / 2 && grazing <= rounds / 100,
        "{hits} {grazing}"
    );
}

fn parts_of_a_compound_are_those_of_known_shapes<V: Space>() {
    let mut random = Pcg::new(73);
    for _ in 0..iterations(100) {
        let pairs = [(); 3].map(|()| twins::<V>(&mut random, 1.0));
        let places =
            [(); 3].map(|()| Pose::new(random.point::<V>(2.0), V::any_rotation(&mut random)));
        let compound = |shapes: [&Shape<V>; 3]| {
            let parts = shapes
                .iter()
                .zip(places)
                .map(|(&shape, pose)| CompoundPart::new(shape.clone(), pose));
            Shape::compound(parts.collect::<Vec<_>>()).expect("valid")
        };
        let [known, own] = [
            compound([0, 1, 2].map(|k| &pairs[k].0.shape)),
            compound([0, 1, 2].map(|k| &pairs[k].1.shape)),
        ];
        let b =
            body::<V>(Kind::Hull, &mut random, 1.0).moved_to(random.vector::<V::Precise>() * 3.0);
        let ask = |shape: Shape<V>| {
            let a = Body::new(shape, Pose::IDENTITY);
            let mut found = Vec::new();
            contacts_into(a.placed(), b.placed(), 0.5, &mut found).expect("valid poses");
            let near = proximity(a.placed(), b.placed(), Real::INFINITY).expect("valid poses");
            (near.near().expect("bounded"), found.len())
        };
        let ((expected, count), (found, own_count)) = (ask(known), ask(own));
        assert!(found.lower <= expected.upper && found.upper >= expected.lower);
        assert!(count.abs_diff(own_count) <= 1, "{count} {own_count}");
    }
}

/// A ball of radius 1 that tells the truth until its key is asked for, which is when it is made.
#[derive(Debug)]
struct Liar {
    lie: usize,
    calls: AtomicU64,
}

const LIES: usize = 9;
const HONEST: u64 = 1 << 40;

impl<P: PreciseVector> Support<P> for Liar {
    fn support(&self, direction: P) -> P {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        if call >= HONEST {
            return direction;
        }
        let noise = |k: usize| ((call + k as u64) as f64 * 12.9898).sin();
        match self.lie {
            0 => P::splat(f64::NAN),
            1 => P::axis(0) * f64::INFINITY,
            2 => direction * 1e6,
            3 => direction * 1e300,
            4 => -direction,
            5 => (0..P::DIM).fold(P::ZERO, |point, k| point.with_component(k, noise(k))),
            // Only sometimes.
            6 if call.is_multiple_of(7) => P::splat(f64::NAN),
            // Not convex: a star.
            7 => direction * (10.0 * direction.component(0)).sin(),
            8 => direction.scaled_by(direction).scaled_by(direction) * 1e-200,
            _ => direction,
        }
    }

    fn center(&self) -> P {
        P::ZERO
    }

    fn bounding_radius(&self) -> f64 {
        1.0
    }
}

impl<P: PreciseVector> CustomShape<P> for Liar {
    fn key(&self) -> [u32; 8] {
        self.calls.store(0, Ordering::Relaxed);
        [self.lie as u32; 8]
    }
}

fn lies_are_answered<V: Space>() {
    let mut random = Pcg::new(75);
    for lie in 0..LIES {
        let calls = HONEST.into();
        let liar = Shape::<V>::custom(Liar { lie, calls }).expect("honest as yet");
        for liar in [liar.clone(), liar.rounded(0.25).expect("valid")] {
            for kind in Kind::all::<V>() {
                for placement in Placement::ALL {
                    let a = Body::new(liar.clone(), body::<V>(Kind::Ball, &mut random, 1.0).pose);
                    let b = body::<V>(kind, &mut random, 1.0);
                    question(
                        &mut random,
                        &a,
                        &beside(&mut Pcg::new(9), &b, &a, placement),
                    );
                    question(
                        &mut random,
                        &a,
                        &beside(&mut Pcg::new(9), &a, &b, placement),
                    );
                }
            }
        }
    }
}

/// Asks everything; any answer will do, if its numbers are finite and in order.
fn question<V: Space>(random: &mut Pcg, a: &Body<V>, b: &Body<V>) {
    for (a, b) in [(a, b), (b, a)] {
        for within in [-0.1, 0.0, Real::INFINITY] {
            let answer = proximity(a.placed(), b.placed(), within).expect("valid poses");
            if let Some(near) = answer.near() {
                kept(soundness(&near), || format!("{a:?} {b:?}"));
            }
        }
        let _any = intersects(a.placed(), b.placed()).expect("valid poses");
    }
    for interior in [Interior::Solid, Interior::Hollow] {
        let options = RayOptions {
            interior,
            ..RayOptions::default()
        };
        let ray = some_ray(random, a);
        if let Some(hit) = cast_ray(&ray, a.placed(), options).expect("valid") {
            let numbers = [hit.lower, hit.distance, hit.upper];
            assert!(numbers.is_sorted() && hit.distance.is_finite(), "{hit:?}");
        }
        let point = point_proximity(ray.origin(), a.placed(), Real::INFINITY).expect("valid");
        kept(soundness(&point.near().expect("bounded")), || {
            format!("{a:?}")
        });
    }
    let bounds = a.shape.bounds(&a.pose);
    assert!((0..V::DIM).all(|k| bounds.min.component(k) <= bounds.max.component(k)));
}

//! A world that is moved as far as 2^33 tells the same of all bodies, and crowds far apart cost what they cost alone.

use clearance_gjk::{Placed, RayOptions, Separation};
use clearance_math::{Aabb, Pose, PreciseVector, Ray, Real, Vector, round_up};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, Contact, Nearest, Options, SlideOptions, Sliding, World};

use crate::compare::bits;
use crate::contacts_are_those_of_all_pairs::contacts_of_all_pairs;
use crate::crowd::{
    BACKENDS, Dimension, Sure, crowd, heap, with_backend, with_margin, with_swept, world_of,
};
use crate::questions_are_answered_as_every_body_alone::check_hits;
use crate::random::Random;
use crate::wanted::Wanted;

crate::in_both_dimensions!(
    a_moved_world_tells_the_same,
    walks_end_where_they_end_beside_the_origin,
    crowds_far_apart_cost_what_they_cost_alone,
    rays_go_from_crowd_to_crowd,
    rays_far_out_hit_what_they_hardly_touch,
    rays_from_far_away_reach_their_greatest_distance,
    bodies_may_go_anywhere
);

/// Whole numbers of a size at which sums with places on a grid of 2^-12 are exact.
fn offset<V: Vector>(numbers: [f64; 3]) -> V::Precise {
    V::Precise::from_fn(|axis| numbers[axis])
}

const FAR: [f64; 3] = [8_589_934_000.0, -6_442_450_111.0, 5_000_000_001.0];

fn rounded<V: Vector>(vector: V, steps: Real) -> V {
    V::from_fn(|axis| (vector.component(axis) * steps).round() / steps)
}

/// The bodies on a grid, moved.
fn moved<V: Vector>(bodies: &[Body<V>], offset: V::Precise) -> Vec<Body<V>> {
    let one = |body: &Body<V>| {
        let mut body = body.clone();
        let place = rounded(body.pose.translation(), 4096.0);
        body.pose = Pose::new(place.to_precise() + offset, body.pose.rotation);
        body.velocity.linear = rounded(body.velocity.linear, 16.0);
        body
    };
    bodies.iter().map(one).collect()
}

/// All of an answer but where in the world its points are.
fn without_points<V: Vector>(separation: &Separation<V>) -> Vec<u32> {
    let s = separation;
    let mut numbers = vec![s.distance, s.lower, s.upper];
    numbers.extend((0..V::DIM).map(|axis| s.normal.component(axis)));
    let bits = numbers.into_iter().map(Real::to_bits);
    bits.chain([s.part_a, s.part_b, s.status as u32]).collect()
}

fn told<V: Vector>(world: &World<V>) -> [Vec<Vec<u32>>; 4] {
    let of = |a: BodyId, b: BodyId, separation: &Separation<V>| {
        let mut bits = vec![a.index(), b.index()];
        bits.extend(without_points(separation));
        bits
    };
    let of_contact = |contact: &Contact<V>| of(contact.a, contact.b, &contact.separation);
    let impacts = world.impacts().map(|impact| {
        let mut bits = of(impact.a, impact.b, &impact.hit.separation);
        bits.extend([impact.hit.time, impact.hit.time_upper].map(Real::to_bits));
        bits
    });
    let events = world.events().map(|event| {
        let mut bits = of_contact(event.contact);
        bits.push(event.kind as u32);
        bits
    });
    [
        world.contacts().iter().map(of_contact).collect(),
        world.part_contacts().iter().map(of_contact).collect(),
        impacts.collect(),
        events.collect(),
    ]
}

fn a_moved_world_tells_the_same<V: Dimension>() {
    let bodies = with_swept(heap::<V>(9, 120), 9);
    let offset = offset::<V>(FAR);
    let mut counts = [0; 4];
    for backend in BACKENDS {
        let options = Options {
            backend,
            surface_contacts: true,
            margin: 0.1,
            ..Options::default()
        };
        let (mut here, _) = world_of(options, moved(&bodies, V::Precise::ZERO));
        let (mut there, _) = world_of(options, moved(&bodies, offset));
        for frame in 0..30 {
            here.step(1.0 / 64.0).unwrap();
            there.step(1.0 / 64.0).unwrap();
            let (one, other) = (told(&here), told(&there));
            let about = |list: usize| format!("{backend:?}, frame {frame}, list {list}");
            for (list, (one, other)) in one.iter().zip(&other).enumerate() {
                let differing = one.iter().zip(other).find(|(one, other)| one != other);
                assert!(
                    one.len() == other.len() && differing.is_none(),
                    "{} {differing:?}",
                    about(list)
                );
            }
            for (count, lines) in counts.iter_mut().zip(one) {
                *count += lines.len();
            }
            assert_surfaces_alike(&here, &there);
            if frame % 10 == 0 {
                assert_questions_alike(&here, &there, offset, frame);
            }
        }
        // Boxes are as tight as beside the origin, but for their rounding.
        let [near, far] = [&here, &there].map(|world| world.profile().candidates as f64);
        assert!(far <= 1.02 * near, "{near} {far}");
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// Surface contacts are decided by contact points, which far out are rounded.
fn assert_surfaces_alike<V: Dimension>(here: &World<V>, there: &World<V>) {
    let surface =
        |world: &World<V>| -> Vec<Contact<V>> { world.surface_contacts().copied().collect() };
    let (one, other) = (surface(here), surface(there));
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(&other) {
        let [s, t] = [&one.separation, &other.separation];
        assert_eq!([s.part_a, s.part_b], [t.part_a, t.part_b]);
        let tilt = s.normal.to_precise() - t.normal.to_precise();
        assert!(tilt.length() < 3e-3, "{one:?} {other:?}");
        assert!((s.distance - t.distance).abs() < 1e-3, "{one:?} {other:?}");
    }
}

fn assert_questions_alike<V: Dimension>(
    here: &World<V>,
    there: &World<V>,
    offset: V::Precise,
    seed: u64,
) {
    let mut random = Random::new(seed);
    let mut hits = 0;
    for _ in 0..40 {
        let place = rounded(random.vector::<V>(-2.0, 8.0), 4096.0).to_precise();
        let direction = random.vector::<V>(-1.0, 1.0);
        let [one, other] = [(here, place), (there, place + offset)].map(|(world, place)| {
            let ray = Ray::new(place, direction).unwrap();
            let hit = world.query().cast_ray(&ray, RayOptions::default()).unwrap();
            hit.map(|found| (found.body.index(), found.hit.distance, found.hit.normal))
        });
        assert_eq!(one, other);
        hits += usize::from(one.is_some());
        let three = Nearest {
            count: 3,
            ..Nearest::default()
        };
        let [one, other] = [(here, place), (there, place + offset)].map(|(world, place)| {
            let mut found = Vec::new();
            world
                .query()
                .nearest_to_point_into(place, three, &mut found)
                .unwrap();
            let bits = |near: &clearance_world::BodySeparation<V>| {
                (near.body.index(), without_points(&near.separation))
            };
            found.iter().map(bits).collect::<Vec<_>>()
        });
        assert_eq!(one, other);
    }
    assert!(hits > 5, "{hits}");
}

/// Walks over a floor of tiles, up a step and along a wall end where they end beside the origin.
fn walks_end_where_they_end_beside_the_origin<V: Dimension>() {
    let tile = Shape::cuboid(V::splat(0.5)).unwrap();
    let mut tiles: Vec<V> = (-4..30)
        .map(|k| V::axis(0) * k as Real - V::axis(1) * 0.5)
        .collect();
    tiles.push(V::axis(0) * 12.0 - V::axis(1) * 0.25);
    tiles.push(V::axis(0) * 24.0 + V::axis(1) * 0.5);
    let ball = Shape::ball(0.4).unwrap();
    let walk = |origin: V::Precise| {
        let body = |place: &V| {
            let pose = Pose::from_translation(place.to_precise() + origin);
            Body::fixed(tile.clone(), pose)
        };
        let (world, _) = world_of(Options::default(), tiles.iter().map(body));
        let options = SlideOptions {
            up: Some(V::axis(1)),
            ..SlideOptions::default()
        };
        let start = V::axis(0) * -2.0 + V::axis(1) * 0.41;
        let mut pose = Pose::from_translation(start.to_precise() + origin);
        let motion = V::axis(0) * 0.125 - V::axis(1) * 0.0625;
        let mut contacts = Vec::new();
        for _ in 0..300 {
            let sliding = Sliding::new(Placed::new(&ball, &pose), motion);
            let slide = world.query().slide_into(sliding, options, &mut contacts);
            pose = slide.unwrap().pose;
        }
        pose.position() - origin
    };
    let here = walk(V::Precise::ZERO);
    assert!(here.component(0) > 20.0, "{here:?}");
    for far in [2400.0, 16_000.0, 65_536.0, 8e9] {
        let there = walk(V::axis(0).to_precise() * far - V::axis(1).to_precise() * (0.5 * far));
        assert!((here - there).length() < 1e-4, "{far}: {here:?} {there:?}");
    }
}

/// Crowds around four places, about 1e10 apart.
fn crowds<V: Dimension>() -> [Vec<Body<V>>; 4] {
    [0, 1, 2, 3].map(|k: u64| {
        let at = [
            k as f64 * 1e10,
            (k % 2) as f64 * -3e9,
            (k / 2) as f64 * 2e10,
        ];
        // Without the floor, which is endless.
        moved(&crowd::<V>(k, 150)[1..], offset::<V>(at))
    })
}

fn crowds_far_apart_cost_what_they_cost_alone<V: Dimension>() {
    let crowds = crowds::<V>();
    for backend in BACKENDS {
        let options = Options {
            backend,
            margin: 0.1,
            ..Options::default()
        };
        let mut alone = crowds.clone().map(|bodies| world_of(options, bodies).0);
        let (mut together, _) = world_of(options, crowds.concat());
        for _ in 0..5 {
            together.step(1.0 / 64.0).unwrap();
            together.validate().unwrap();
            let (mut contacts, mut candidates, mut first) = (Vec::new(), 0, 0);
            for world in &mut alone {
                world.step(1.0 / 64.0).unwrap();
                for contact in world.contacts() {
                    let pair = [contact.a, contact.b].map(|id| id.index() + first);
                    contacts.push((pair, without_points(&contact.separation)));
                }
                candidates += world.profile().candidates;
                first += world.len() as u32;
            }
            let found = together.contacts().iter().map(|contact| {
                let pair = [contact.a, contact.b].map(|id| id.index());
                (pair, without_points(&contact.separation))
            });
            assert_eq!(found.collect::<Vec<_>>(), contacts);
            assert!(contacts.len() > 50);
            let found = together.profile().candidates as f64;
            assert!(
                found <= 1.05 * candidates as f64,
                "{backend:?}: {found} {candidates}"
            );
        }
    }
}

fn rays_go_from_crowd_to_crowd<V: Dimension>() {
    let mut random = Random::new(4);
    for backend in BACKENDS {
        let options = with_backend(backend);
        let (mut world, _) = world_of(options, crowds::<V>().concat());
        world.step(0.0).unwrap();
        let ids: Vec<_> = world.bodies().ids().collect();
        let mut bodies_met = 0;
        for _ in 0..60 {
            let [from, to] = [(); 2].map(|()| {
                let body = world.body(ids[random.below(ids.len())]).unwrap();
                body.pose().position()
            });
            let beside = random.vector::<V>(-0.2, 0.2).to_precise();
            let direction = V::from_precise(to + beside - from);
            let Ok(ray) = Ray::new(from, direction) else {
                continue;
            };
            let asked = (ray, RayOptions::default());
            bodies_met += check_hits(&world, &Wanted::default(), asked);
        }
        assert!(bodies_met > 60, "{bodies_met}");
    }
}

/// A world of forty such bodies around a place far out.
fn far_out<V: Dimension>(shape: &Shape<V>, random: &mut Random) -> World<V> {
    let bodies = (0..40).map(|_| {
        let place = random.vector::<V>(-9000.0, 9000.0).to_precise() + offset::<V>(FAR);
        // Between the numbers of single precision.
        let place = place + random.vector::<V>(0.0, 0.01).to_precise();
        Body::fixed(shape.clone(), Pose::from_translation(place))
    });
    let options = with_margin(0.0);
    let (mut world, _) = world_of(options, bodies);
    world.step(0.0).unwrap();
    world
}

/// Each ray cuts off less of a corner than single precision tells apart there.
fn rays_far_out_hit_what_they_hardly_touch<V: Dimension>() {
    let mut random = Random::new(12);
    let cuboid = Shape::cuboid(V::splat(0.5)).unwrap();
    let world = far_out(&cuboid, &mut random);
    let [x, y] = [0, 1].map(|axis| V::axis(axis).to_precise());
    for body in world.bodies() {
        for _ in 0..100 {
            let corner = body.pose().position() + (y - x) * (0.5 - 1e-5);
            let before = f64::from(random.between(0.5, 3.0));
            let direction = V::axis(0) + V::axis(1);
            let ray = Ray::new(corner - (x + y) * before, direction).unwrap();
            let hit = world.query().cast_ray(&ray, RayOptions::default());
            let hit = hit.unwrap().map(|hit| hit.body);
            assert_eq!(hit, Some(body.id()), "{ray:?}");
        }
    }
}

/// Each ray ends in the middle of a ball, or no farther behind it than single precision tells.
fn rays_from_far_away_reach_their_greatest_distance<V: Dimension>() {
    let mut random = Random::new(13);
    let world = far_out(&Shape::ball(0.5).unwrap(), &mut random);
    for body in world.bodies() {
        for _ in 0..50 {
            let direction = random.vector::<V>(0.25, 1.0);
            let way = direction.to_precise() * (1.1 * f64::from(random.between(1e9, 1e10)));
            let ray = Ray::new(body.pose().position() - way, direction).unwrap();
            let options = RayOptions {
                max_distance: round_up(way.length()),
                ..RayOptions::default()
            };
            let hit = world.query().cast_ray(&ray, options);
            assert!(hit.unwrap().is_some(), "{ray:?}");
        }
    }
}

/// Bodies fly and jump from crowd to crowd, and to where no crowd is: nothing that they meet is missed.
fn bodies_may_go_anywhere<V: Dimension>() {
    let mut random = Random::new(7);
    let places = [0.0, 3e5, -2e6, 4e7, 1e10, 1e20, 3e30];
    let bodies: Vec<_> = crowd::<V>(3, 90).split_off(1);
    let options = with_margin(0.25);
    let (mut world, _) = world_of(options, bodies);
    let ids: Vec<_> = world.bodies().ids().collect();
    let mut met_far_out = 0;
    for _ in 0..60 {
        // Some jump to one place.
        let at = places[random.below(places.len())];
        let axis = random.below(V::DIM);
        for _ in 0..random.below(30) {
            let id = ids[random.below(ids.len())];
            let near = random.vector::<V>(0.0, 2.0).to_precise();
            let place = near + V::axis(axis).to_precise() * at;
            world
                .at(id)
                .set_pose(Pose::from_translation(place))
                .unwrap();
        }
        world.step(1.0 / 64.0).unwrap();
        world.validate().unwrap();
        assert!(bits(&world) == contacts_of_all_pairs(&world));
        let is_far_out = |c: &&Contact<V>| c.separation.position_a.length() > 1e5;
        met_far_out += world.contacts().iter().filter(is_far_out).count();
    }
    assert!(met_far_out > 500, "{met_far_out}");
    let everything = Aabb::everything();
    let mut found = Vec::new();
    world.query().in_box_into(&everything, &mut found);
    assert_eq!(found.len(), ids.len());
}

//! A solid is one body to those who look for a way out of it, along it or through it: the same shape as a primitive, a
//! hull, a solid or a compound has the same answers.

use clearance_gjk::{Cast, CastOptions, Leaving, Motion, Placed};
use clearance_math::{Pose, Real, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, EventKind, Options, SlideOptions, Sliding, Velocity, World};

use crate::crowd;
use crate::forms::{
    Form, Forms, Planes, form, is_free_by, least_way, placed_corners, planes_between, turned,
};
use crate::random::{Random, iterations};
use crate::slide_walk::{length, world_of};

crate::in_both_dimensions!(
    forms_are_pushed_out_by_the_least_translation,
    forms_are_slid_along_alike,
    forms_are_met_alike,
    forms_have_impacts_alike,
    solids_with_corners_are_one_body,
);

fn any_form<V: Forms>(low: Real, high: Real, random: &mut Random) -> Form<V> {
    let half = random.vector::<V>(low, high);
    let is_box = random.once_in(2);
    form(half, is_box, random)
}

/// A form that is pushed, and others that push it.
struct Heap<V: Vector> {
    hero: (Form<V>, Pose<V>),
    others: Vec<(Form<V>, Pose<V>)>,
    /// The planes between the hero and each of the others.
    planes: Vec<Planes>,
}

impl<V: Forms> Heap<V> {
    fn new(count: usize, random: &mut Random) -> Self {
        let hero = (any_form(0.1, 0.5, random), turned(V::ZERO, random));
        let others = (0..count).map(|_| {
            let other = any_form(0.2, 1.0, random);
            (other, turned(random.vector(-0.9, 0.9), random))
        });
        let others: Vec<_> = others.collect();
        let at = placed_corners(&hero.0.corners, &hero.1);
        let planes = others
            .iter()
            .map(|(other, pose)| planes_between::<V>(&at, &placed_corners(&other.corners, pose)));
        Self {
            planes: planes.collect(),
            hero,
            others,
        }
    }

    /// A shape of the hero, and all others in a form that each has.
    fn shapes(&self, number: usize, own: usize) -> (&Shape<V>, Vec<Body<V>>, String) {
        let of = |form: &Form<V>, number: usize| number % form.shapes.len();
        let others = self
            .others
            .iter()
            .map(|(other, pose)| Body::fixed(other.shapes[of(other, number)].1.clone(), *pose));
        let name = format!(
            "{} in {}",
            self.hero.0.shapes[own].0,
            self.others[0].0.shapes[of(&self.others[0].0, number)].0
        );
        (&self.hero.0.shapes[own].1, others.collect(), name)
    }
}

const FORMS: usize = 7;

/// Bodies that lie inside of others, cross them, touch them, or are outside.
fn forms_are_pushed_out_by_the_least_translation<V: Forms>() {
    let mut random = Random::new(311);
    let (mut far, mut all) = (Vec::new(), 0);
    for round in 0..iterations(if V::DIM == 2 { 80 } else { 16 }) {
        let count = [1, 1, 2, 3][round % 4];
        let heap = Heap::<V>::new(count, &mut random);
        let least = least_way::<V>(&heap.planes);
        for number in 0..FORMS {
            let (shape, others, name) = heap.shapes(number, number % 2);
            let body = Body::moving(shape.clone(), heap.hero.1);
            let world: World<V> = world_of(others.into_iter().chain([body]));
            let id = world.bodies().ids().last().unwrap();
            let out = world.query().push_out(id).unwrap();
            let way = f64::from(length(out.translation));
            let is_free = is_free_by(&heap.planes, out.translation, 1e-5);
            assert!(is_free && !out.is_squeezed, "{round}, {name}: {out:?}");
            assert!(
                way > least - 1e-5,
                "{round}, {name}: {way} is less than {least}"
            );
            all += 1;
            if way > 1.1 * least + 1e-4 {
                far.push((round, count, name, way / least, out.rounds));
            }
        }
    }
    let one = far.iter().filter(|(_, count, ..)| *count == 1).count();
    assert!(one == 0 && far.len() * 100 <= all, "of {all}: {far:?}");
}

fn forms_are_slid_along_alike<V: Forms>() {
    let mut random = Random::new(312);
    let options = SlideOptions {
        up: None,
        skin: Some(0.01),
        ..SlideOptions::default()
    };
    let mut touched = Vec::new();
    let (mut stuck, mut inside) = (0, 0);
    for round in 0..iterations(60) {
        let heap = Heap::<V>::new(1, &mut random);
        let motion = random.vector::<V>(-0.5, 0.5);
        let mut first = None;
        for number in 0..FORMS {
            let (shape, others, name) = heap.shapes(number, 0);
            let world: World<V> = world_of(others);
            let sliding = Sliding::new(Placed::new(shape, &heap.hero.1), motion);
            let slide = world
                .query()
                .slide_into(sliding, options, &mut touched)
                .unwrap();
            let is_free = is_free_by(&heap.planes, slide.motion, 1e-5);
            assert_eq!(is_free, !slide.is_stuck, "{round}, {name}: {slide:?}");
            stuck += usize::from(slide.is_stuck);
            inside += usize::from(!is_free_by(&heap.planes, V::ZERO, 0.0));
            // Cells and halves are several bodies.
            if number < 5 {
                let expected = *first.get_or_insert(slide.motion);
                let error = length(slide.motion - expected);
                assert!(
                    error < 2e-3,
                    "{round}, {name}: {error}, {slide:?}, not {expected}"
                );
            }
        }
    }
    assert!(inside > 100 && 10 * stuck < inside, "{stuck} of {inside}");
}

fn forms_are_met_alike<V: Forms>() {
    let mut random = Random::new(313);
    let mut hits = [0; 2];
    for round in 0..iterations(150) {
        let heap = Heap::<V>::new(1, &mut random);
        let motion = random.vector::<V>(-4.0, 4.0);
        for leaving in [Leaving::Hit, Leaving::Pass, Leaving::Ignore] {
            let options = CastOptions {
                leaving,
                ..CastOptions::default()
            };
            let mut first = None;
            for number in 0..5 {
                let (shape, others, name) = heap.shapes(number, number % 2);
                let world: World<V> = world_of(others);
                let cast = Cast::new(
                    Placed::new(shape, &heap.hero.1),
                    Motion::from_linear(motion),
                );
                let hit = world.query().cast_shape(cast, options).unwrap();
                let time = hit.map(|hit| hit.hit.time);
                let expected = *first.get_or_insert(time);
                let is_same = match (time, expected) {
                    (Some(time), Some(expected)) => (time - expected).abs() < 1e-5,
                    (time, expected) => time == expected,
                };
                assert!(
                    is_same,
                    "{round}, {leaving:?}, {name}: {time:?}, not {expected:?}"
                );
                hits[usize::from(time == Some(0.0))] += usize::from(time.is_some());
            }
        }
    }
    assert!(hits.iter().all(|&count| count > 100), "{hits:?}");
}

/// Bodies that were seen to overlap, and go on for a step.
fn forms_have_impacts_alike<V: Forms>() {
    let mut random = Random::new(314);
    let mut hits = 0;
    for round in 0..iterations(60) {
        let heap = Heap::<V>::new(1, &mut random);
        let velocity = Velocity::from_linear(random.vector::<V>(-4.0, 4.0));
        for is_told in [true, false] {
            let mut first = None;
            for number in 0..5 {
                let (shape, others, name) = heap.shapes(number, number % 2);
                let body = Body::moving(shape.clone(), heap.hero.1).with_velocity(velocity);
                let bodies = others.into_iter().chain([body.with_swept()]);
                let (mut world, _) = crowd::world_of(Options::default(), bodies);
                if is_told {
                    world.step(0.0).unwrap();
                }
                world.step(1.0).unwrap();
                let time = world.impacts().next().map(|impact| impact.hit.time);
                let kinds: Vec<EventKind> = world.events().map(|event| event.kind).collect();
                hits += usize::from(time == Some(0.0));
                let expected = first.get_or_insert_with(|| (time, kinds.clone()));
                assert!(
                    (time.unwrap_or(-1.0) - expected.0.unwrap_or(-1.0)).abs() < 1e-5
                        && kinds == expected.1,
                    "{round}, {is_told}, {name}: {time:?} {kinds:?}, not {expected:?}"
                );
                let overlaps = !is_free_by(&heap.planes, V::ZERO, 1e-5);
                assert!(
                    is_told || !overlaps || time == Some(0.0),
                    "{round}, {name} {time:?} {kinds:?} {:?}",
                    world.contacts()
                );
            }
        }
    }
    assert!(hits > 100, "{hits}");
}

/// An angle of two boxes as one solid: what is pushed ends free of both, and a cast knows what goes deeper.
fn solids_with_corners_are_one_body<V: Corners>() {
    let mut random = Random::new(315);
    let (mut far, mut all) = (Vec::new(), 0);
    let (mut missed, mut casts) = (0, 0);
    for round in 0..iterations(200) {
        let (angle, boxes) = V::angle();
        let hero: Form<V> = any_form(0.05, 0.3, &mut random);
        let pose = turned(random.vector(-0.3, 3.3), &mut random);
        let at = placed_corners(&hero.corners, &pose);
        let planes = boxes
            .map(|corners| planes_between::<V>(&at, &placed_corners(&corners, &Pose::IDENTITY)));
        let least = least_way::<V>(&planes);
        let body = Body::moving(hero.shapes[0].1.clone(), pose);
        let world: World<V> = world_of([Body::fixed(angle.clone(), Pose::IDENTITY), body]);
        let id = world.bodies().ids().last().unwrap();
        let out = world.query().push_out(id).unwrap();
        let way = f64::from(length(out.translation));
        let is_free = is_free_by(&planes, out.translation, 1e-5);
        assert!(is_free && !out.is_squeezed, "{round}: {out:?}, {least}");
        all += usize::from(least > 0.0);
        if way > 1.1 * least + 1e-4 {
            far.push((round, way / least, way, out.rounds));
        }
        // What has left an overlap by the least way and goes back is met at once, and what leaves it is not.
        if least > 1e-2 {
            let back = out.translation * (0.5 - 1.0);
            for (motion, meets) in [(back, true), (out.translation * 4.0, false)] {
                let (start, leaving) = (out.translation * 0.5, Leaving::Pass);
                let start = Pose::new(pose.translation() + start, pose.rotation);
                let cast = Cast::new(
                    Placed::new(&hero.shapes[0].1, &start),
                    Motion::from_linear(motion),
                );
                let options = CastOptions {
                    leaving,
                    ..CastOptions::default()
                };
                let others = world.query().exclude(&[id]).cast_shape(cast, options);
                let hit = others.unwrap();
                let is_at_once = hit.is_some_and(|hit| hit.hit.time == 0.0);
                casts += 1;
                missed += usize::from(is_at_once != meets);
            }
        }
    }
    assert!(far.len() * 20 <= all, "of {all}: {far:?}");
    assert!(missed * 50 <= casts, "{missed} of {casts}");
}

trait Corners: Forms {
    /// An angle from 0 to 3 whose arms are 1 wide, and the corners of its two boxes.
    fn angle() -> (Shape<Self>, [Vec<Self>; 2]);
}

const ANGLE: [[Real; 2]; 6] = [
    [0.0, 0.0],
    [3.0, 0.0],
    [3.0, 1.0],
    [1.0, 1.0],
    [1.0, 3.0],
    [0.0, 3.0],
];

impl Corners for clearance_math::Vec2 {
    fn angle() -> (Shape<Self>, [Vec<Self>; 2]) {
        let corners = ANGLE.map(Self::from);
        let boxes = [[0, 1, 2, 0], [0, 3, 4, 5]].map(|k| k.map(|k| corners[k]).to_vec());
        let [mut one, mut other] = boxes;
        one[3] = Self::new(0.0, 1.0);
        other[1] = Self::new(1.0, 0.0);
        other[2] = corners[4];
        (Shape::polygon(corners, &[]).unwrap(), [one, other])
    }
}

impl Corners for clearance_math::Vec3 {
    fn angle() -> (Shape<Self>, [Vec<Self>; 2]) {
        let corners = [0.0, 2.0].map(|z| ANGLE.map(|[x, y]| Self::new(x, y, z)));
        let mut faces = vec![[0, 2, 1], [0, 3, 2], [0, 5, 3], [3, 5, 4]];
        let upper: Vec<[u32; 3]> = faces
            .iter()
            .map(|[a, b, c]| [a + 6, c + 6, b + 6])
            .collect();
        faces.extend(upper);
        for k in 0..6_u32 {
            let next = (k + 1) % 6;
            faces.extend([[k, next, next + 6], [k, next + 6, k + 6]]);
        }
        let solid = Shape::solid_mesh(corners.concat(), faces).unwrap();
        let block = |x: Real, y: Real| {
            let all = [0.0, x].map(|x| [0.0, y].map(|y| [0.0, 2.0].map(|z| Self::new(x, y, z))));
            all.concat().concat()
        };
        (solid, [block(3.0, 1.0), block(1.0, 3.0)])
    }
}

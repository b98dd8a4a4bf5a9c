//! What a move answers is a function of the poses, lists what is near, and refuses what makes no sense.

use clearance_gjk::{Placed, proximity};
use clearance_math::{Pose, Real};
use clearance_shapes::Shape;
use clearance_world::{Options, Slide, SlideContact, SlideOptions, Sliding, World};

use crate::crowd::{BACKENDS, Dimension, Sure, crowd, with_backend, world_of as crowd_of};
use crate::random::Random;
use crate::slide_levels::any_shape;
use crate::slide_walk::{Walker, Walks, world_of};

crate::in_both_dimensions!(
    answers_do_not_depend_on_backend_or_history,
    what_is_touched_is_what_is_near,
    bad_input_is_refused_by_name,
);

/// Moves of many shapes in one world.
fn moves<V: Walks>(world: &World<V>, count: usize) -> Vec<(Slide<V>, Vec<SlideContact<V>>)> {
    let mut random = Random::new(31);
    let answers = (0..count).map(|_| {
        let shape = any_shape::<V>(&mut random);
        let mut walker = Walker::new(world, shape, random.vector::<V>(0.0, 8.0));
        walker.pose.rotation = V::rotation(&mut random);
        (walker.go(random.vector::<V>(-1.0, 1.0)), walker.contacts)
    });
    answers.collect()
}

fn answers_do_not_depend_on_backend_or_history<V: Walks>() {
    let mut all = Vec::new();
    for backend in BACKENDS {
        let options = with_backend(backend);
        // One world has just been filled, the other has been stepped, and bodies went away and came back.
        let (world, _) = crowd_of(options, crowd::<V>(35, 60));
        let fresh = moves(&world, 60);
        let (mut world, ids) = crowd_of(options, crowd::<V>(35, 60));
        world.step(0.0).unwrap();
        let away = Pose::from_translation(V::splat(90.0));
        for &id in &ids[20..40] {
            let before = *world.body(id).unwrap().pose();
            world.at(id).set_pose(away).unwrap();
            world.step(0.0).unwrap();
            world.at(id).set_pose(before).unwrap();
        }
        let number = |found: Vec<(Slide<V>, Vec<SlideContact<V>>)>| {
            let found = found.into_iter().map(|(slide, contacts)| {
                let touched: Vec<_> = contacts
                    .iter()
                    .map(|contact| (contact.body.index(), contact.part, contact.point()))
                    .collect();
                let ground = slide
                    .ground
                    .map(|ground| (ground.body.index(), ground.point()));
                (slide.pose, slide.motion, ground, slide.is_stuck, touched)
            });
            found.collect::<Vec<_>>()
        };
        all.push(number(fresh));
        all.push(number(moves(&world, 60)));
    }
    for other in &all[1..] {
        assert_eq!(&all[0], other);
    }
    assert!(all[0].iter().filter(|answer| !answer.4.is_empty()).count() > 5);
}

fn what_is_touched_is_what_is_near<V: Dimension>() {
    let (world, _) = crowd_of(Options::default(), crowd::<V>(36, 60));
    let mut random = Random::new(36);
    let mut walker = Walker::new(&world, Shape::ball(0.2).unwrap(), V::splat(9.5));
    let skin = 0.2 * 0.02;
    let mut touched = 0;
    for _ in 0..200 {
        let towards = random.vector::<V>(0.0, 8.0) - walker.pose.translation();
        let slide = walker.go(towards * 0.3);
        for body in world.bodies() {
            let a = Placed::new(&walker.shape, &walker.pose);
            let gap = proximity(a, Placed::new(body.shape(), body.pose()), 1.0).unwrap();
            let gap = gap.near().map_or(1.0, |near| near.distance);
            let mut contacts = walker.contacts.iter();
            let is_listed = contacts.any(|contact| contact.body == body.id() && contact.at_end);
            if gap < 1.2 * skin || gap > 1.3 * skin {
                assert_eq!(is_listed, gap < 1.25 * skin, "{gap}");
            }
        }
        assert!(!slide.is_stuck);
        let sorted = walker
            .contacts
            .is_sorted_by_key(|found| (found.body, found.part));
        assert!(sorted);
        touched += walker.contacts.len();
    }
    assert!(touched > 10, "{touched}");
}

fn bad_input_is_refused_by_name<V: Dimension>() {
    let world = world_of::<V>([]);
    let ball = Shape::ball(1.0).unwrap();
    let half_space = Shape::half_space(V::axis(0)).unwrap();
    let (here, good) = (Pose::IDENTITY, SlideOptions::default());
    let refuse = |sliding: Sliding<'_, V>, options: SlideOptions<V>, text: &str| {
        let mut contacts = Vec::new();
        let refused = world.query().slide_into(sliding, options, &mut contacts);
        let message = refused.unwrap_err().to_string();
        assert!(message.contains(text), "{message:?} does not say {text:?}");
    };
    let nan = V::ZERO.with_component(1, Real::NAN);
    let nowhere = Pose::from_translation(nan);
    let asked = |shape, pose, motion| Sliding::new(Placed::new(shape, pose), motion);
    let still = asked(&ball, &here, V::ZERO);
    let lost = asked(&ball, &nowhere, V::ZERO);
    refuse(lost, good, "a.pose.translation[1] is NaN");
    let moved = asked(&ball, &here, nan);
    refuse(moved, good, "motion[1] is NaN, must be finite");
    let no_half_space = "the shape that slides is a half_space, must be of finite size";
    refuse(asked(&half_space, &here, V::ZERO), good, no_half_space);
    for (up, text) in [(V::ZERO, "up is the zero vector"), (nan, "up[1] is NaN")] {
        let up = Some(up);
        refuse(still, SlideOptions { up, ..good }, text);
    }
    type Set<V> = fn(&mut SlideOptions<V>, Real);
    let fields: [(&str, Set<V>); 6] = [
        ("max_slope", |options, bad| options.max_slope = bad),
        ("max_edge_slope", |options, bad| {
            options.max_edge_slope = bad
        }),
        ("step_height", |options, bad| options.step_height = bad),
        ("step_depth", |options, bad| options.step_depth = Some(bad)),
        ("snap_distance", |options, bad| options.snap_distance = bad),
        ("skin", |options, bad| options.skin = Some(bad)),
    ];
    for (name, set) in fields {
        for bad in [-1.0, Real::NAN, Real::INFINITY] {
            let mut options = good;
            set(&mut options, bad);
            refuse(still, options, &format!("{name} is {bad}"));
        }
    }
    let skin = Some(0.0);
    let text = "skin is 0, must be finite and > 0";
    refuse(still, SlideOptions { skin, ..good }, text);
}

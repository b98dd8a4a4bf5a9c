//! A set of voxels without cells is a shape: every question at it is answered, and nothing is near it.

use clearance_gjk::{
    Cast, CastOptions, Motion, Placed, Proximity, Question, RayOptions, cast_ray,
    cast_ray_all_into, cast_shapes, contact_manifolds_into, contacts_into, intersects,
    manifold_each, measure_each, point_proximity, proximity, ray_hits, trace, trace_cast,
    trace_expansion,
};
use clearance_math::{Aabb, Cell, Pose, PreciseVector, Ray, Real, Vector};
use clearance_shapes::{Cells, CompoundPart, Shape, Tile};
use clearance_world::{
    Body, BodyId, Event, EventKind, Nearest, Options, SlideOptions, Sliding, SlidingBody, Snapshot,
    World,
};

use crate::compare::told;
use crate::crowd::{Dimension, Sure, any_shape, crowd, world_of};
use crate::random::Random;

crate::in_both_dimensions!(
    no_question_about_two_shapes_finds_anything,
    worlds_answer_as_if_the_body_was_not_there,
    what_is_dug_away_can_be_built_again,
    they_come_back_from_storage,
    compounds_pass_over_them,
);

fn cell<V: Vector>(x: i32) -> V::Cell {
    V::Cell::from_components([x, 0, 0])
}

fn all_cells<V: Vector>(shape: &Shape<V>) -> Vec<V::Cell> {
    shape.as_voxels().unwrap().cells().iter().collect()
}

fn dug<V: Vector>(mut shape: Shape<V>) -> Shape<V> {
    let cells = all_cells(&shape);
    shape.set_cells(cells, false).unwrap();
    shape
}

/// Sets without cells: made so, and dug away; of a list and of chunks; with tiles and without.
fn empties<V: Dimension>() -> Vec<Shape<V>> {
    let size = V::splat(0.5);
    let slope = || [Tile::new(Shape::segment(V::ZERO, size).unwrap())];
    let list = [0, 1, -40].map(cell::<V>);
    let mut cells = Cells::new();
    for cell in list {
        cells.set(cell, true).unwrap();
    }
    let mut tiles = Shape::tiles(size, list, slope()).unwrap();
    tiles.set_tiles([list[1]], 1).unwrap();
    let shapes = vec![
        Shape::voxels(size, []).unwrap(),
        Shape::voxels_of(size, Cells::new()).unwrap(),
        Shape::tiles(size, [], slope()).unwrap(),
        Shape::tiles_of(size, Cells::new(), slope()).unwrap(),
        dug(Shape::voxels(size, list).unwrap()),
        dug(Shape::voxels_of(size, cells).unwrap()),
        dug(tiles),
    ];
    let mirrored = |shape: &Shape<V>| shape.scaled_by(V::splat(-2.0)).unwrap();
    let others: Vec<_> = shapes.iter().map(mirrored).collect();
    [shapes, others].concat()
}

/// Everything that can be asked of two shapes.
fn ask_all<V: Dimension>(a: Placed<'_, V>, b: Placed<'_, V>, motion: Motion<V>) {
    for within in [-1.0, 0.0, 0.5, Real::INFINITY] {
        let is_apart = |found: &Proximity<V>| match *found {
            Proximity::Farther { lower } => lower > within || lower == Real::INFINITY,
            _ => false,
        };
        let found = proximity(a, b, within).unwrap();
        assert!(is_apart(&found), "{found:?} within {within}");
        let questions = [Question { a, b, within }; 5];
        measure_each(
            &questions,
            |&question| Some(question),
            |_, _, found| assert!(is_apart(found), "{found:?} within {within}"),
        );
        manifold_each(
            &questions,
            |&question| Some(question),
            |_, _, found| assert!(found.is_none()),
        );
        let (mut parts, mut manifolds) = (Vec::new(), Vec::new());
        contacts_into(a, b, within, &mut parts).unwrap();
        contact_manifolds_into(a, b, within, &mut manifolds).unwrap();
        assert!(parts.is_empty() && manifolds.is_empty());
    }
    assert!(!intersects(a, b).unwrap());
    let [a_cast, b_cast] = [Cast::new(a, motion), Cast::new(b, Motion::rest())];
    let options = CastOptions::default();
    assert_eq!(cast_shapes(a_cast, b_cast, options).unwrap(), None);
    // What they show of a search is what there is to show.
    let _ = (trace(a, b), trace_expansion(a, b));
    let _ = trace_cast(a_cast, b_cast, options);
}

fn no_question_about_two_shapes_finds_anything<V: Dimension>() {
    let mut random = Random::new(70);
    for (number, empty) in empties::<V>().iter().enumerate() {
        assert_eq!(empty.bounds(&Pose::IDENTITY), Aabb::new(V::ZERO, V::ZERO));
        let mass = empty.mass_properties(2.0).unwrap();
        assert!(mass.volume == 0.0 && mass.mass == 0.0 && mass.center_of_mass == V::Precise::ZERO);
        let mut others: Vec<Shape<V>> = (0..24).map(|_| any_shape(&mut random)).collect();
        others.extend([empty.clone(), Shape::half_space(V::axis(1)).unwrap()]);
        others.push(Shape::voxels(V::splat(1.0), [0, 3].map(cell::<V>)).unwrap());
        others.push(empties()[(number + 3) % 14].clone());
        for other in &others {
            let place = |random: &mut Random| random.vector::<V>(-0.4, 0.4);
            let mut pose = || Pose::new(place(&mut random), V::rotation(&mut random));
            let poses = [pose(), pose()];
            let motion = Motion::new(place(&mut random) * 9.0, V::angular(&mut random));
            let (a, b) = (Placed::new(empty, &poses[0]), Placed::new(other, &poses[1]));
            ask_all(a, b, motion);
            ask_all(b, a, motion);
            let ray = Ray::new(place(&mut random), V::axis(0)).unwrap();
            let (options, mut hits) = (RayOptions::default(), Vec::new());
            assert_eq!(cast_ray(&ray, a, options).unwrap(), None);
            cast_ray_all_into(&ray, a, options, &mut hits).unwrap();
            assert!(hits.is_empty() && !ray_hits(&ray, a, options).unwrap());
            let at_point = point_proximity(place(&mut random), a, Real::INFINITY).unwrap();
            assert!(matches!(at_point, Proximity::Farther { lower } if lower == Real::INFINITY));
        }
    }
}

/// What a world says to many questions, as text.
fn answers<V: Dimension>(world: &World<V>, ids: &[BodyId], random: &mut Random) -> Vec<String> {
    let mut told = Vec::new();
    for &id in ids {
        let (query, body) = (world.query(), world.body(id).unwrap().placed());
        let motion = random.vector::<V>(-2.0, 2.0);
        let point: V = random.vector(0.0, 4.0);
        let ray = Ray::new(point, motion).unwrap();
        let all = Nearest {
            count: 4,
            ..Nearest::default()
        };
        let cast = Cast::new(body, Motion::new(motion, V::angular(random)));
        let slide = query.slide_body(SlidingBody::new(id, motion), SlideOptions::default());
        told.push(format!("{:?}", query.near(body, Real::INFINITY)));
        told.push(format!("{:?}", query.nearest(body, all)));
        told.push(format!("{:?}", query.nearest_to_point(point, all)));
        told.push(format!(
            "{:?}",
            query.cast_ray_parts(&ray, RayOptions::default())
        ));
        told.push(format!(
            "{:?}",
            query.cast_shape_all(cast, CastOptions::default())
        ));
        told.push(format!("{:?} {slide:?}", query.push_out(id)));
    }
    told.push(format!("{:?}", world.query().manifolds()));
    told
}

fn worlds_answer_as_if_the_body_was_not_there<V: Dimension>() {
    let options = Options {
        surface_contacts: true,
        manifolds: true,
        ..Options::default()
    };
    let (mut without, ids) = world_of(options, crowd::<V>(71, 40));
    let mut with = without.clone();
    let mut random = Random::new(72);
    let mut added = Vec::new();
    for empty in empties::<V>() {
        let place: V = random.vector(0.0, 3.0);
        let body = Body::moving(empty, Pose::new(place, V::rotation(&mut random)));
        added.push(with.insert(body.with_swept().with_part_contacts()).unwrap());
    }
    for frame in 0..4 {
        for world in [&mut without, &mut with] {
            world.step(1.0 / 30.0).unwrap();
            world.validate().unwrap();
        }
        assert!(told(&with) == told(&without));
        let [one, other] =
            [&without, &with].map(|world| answers(world, &ids, &mut Random::new(frame)));
        assert_eq!(other, one);
    }
    // Nothing is near them, and nothing stops them.
    for &id in &added {
        let placed = with.body(id).unwrap().placed();
        let motion = V::axis(0) * 3.0;
        let query = with.query();
        assert!(query.near(placed, Real::INFINITY).unwrap().is_empty());
        assert!(
            query
                .nearest(placed, Nearest::default())
                .unwrap()
                .is_empty()
        );
        assert_eq!(query.push_out(id).unwrap().translation, V::ZERO);
        let slide = query.slide(Sliding::new(placed, motion), SlideOptions::default());
        let slide = slide.unwrap();
        let end = placed.pose.translation() + motion;
        assert!(
            (slide.pose.translation() - end).to_precise().length() < 1e-5 && slide.ground.is_none()
        );
    }
}

fn what_is_dug_away_can_be_built_again<V: Dimension>() {
    let row: Vec<_> = (0..4).map(cell::<V>).collect();
    let shape = Shape::voxels(V::splat(1.0), &row).unwrap();
    let ball = |x: Real| {
        let place = V::splat(0.5).with_component(0, x).with_component(1, 1.25);
        Body::moving(Shape::ball(0.25).unwrap(), Pose::from_translation(place))
    };
    let ground = Body::fixed(shape, Pose::IDENTITY);
    let (mut world, ids) = world_of(Options::default(), [ground, ball(0.5), ball(2.5)]);
    world.step(0.0).unwrap();
    assert_eq!(world.contacts().len(), 2);
    let fall = SlidingBody::new(ids[1], V::axis(1) * -0.5);
    let fallen = |world: &World<V>, before| {
        let fall = fall.standing_on(before);
        (world.query().slide_body(fall, SlideOptions::default())).unwrap()
    };
    let standing = fallen(&world, None).ground;
    assert!(standing.is_some());
    for &cell in &row {
        world.at(ids[0]).set_cells([cell], false).unwrap();
    }
    // To dig where nothing is changes nothing.
    world.at(ids[0]).set_cells(&row, false).unwrap();
    assert!(fallen(&world, standing).ground.is_none());
    world.step(0.0).unwrap();
    world.validate().unwrap();
    assert!(world.contacts().is_empty());
    let ended = |event: &Event<'_, V>| event.kind == EventKind::Ended;
    assert_eq!(world.events().filter(ended).count(), 2);
    let empty = world.snapshot();
    // Far away, then where it was.
    for built in [cell::<V>(5000), cell::<V>(2)] {
        world.at(ids[0]).set_cells([built], true).unwrap();
        world.step(0.0).unwrap();
        world.validate().unwrap();
    }
    assert!(
        world
            .contacts()
            .iter()
            .map(|contact| contact.b)
            .eq([ids[2]])
    );
    world.restore(&empty);
    world.step(0.0).unwrap();
    assert!(world.contacts().is_empty());
}

fn they_come_back_from_storage<V: Dimension>() {
    for empty in empties::<V>() {
        let (world, ids) = world_of(Options::default(), [Body::fixed(empty, Pose::IDENTITY)]);
        let text = serde_json::to_string(&world.snapshot()).unwrap();
        let read: Snapshot<V> = serde_json::from_str(&text).unwrap();
        let mut late = World::new(Options::default()).unwrap();
        late.restore(&read);
        assert_eq!(late.state_hash(), world.state_hash());
        let [shape, mut other] = [&world, &late].map(|world| {
            let body = world.bodies().next().unwrap();
            body.shape().clone()
        });
        assert_eq!(shape, other);
        other.set_cells([cell::<V>(7)], true).unwrap();
        assert_eq!(all_cells(&other), [cell::<V>(7)]);
        assert!(world.contains(ids[0]));
    }
}

fn compounds_pass_over_them<V: Dimension>() {
    let part = |shape: Shape<V>| CompoundPart::new(shape, Pose::IDENTITY);
    let ball = Shape::ball(0.5).unwrap();
    for empty in empties::<V>() {
        let both = [part(empty.clone()), part(ball.clone())];
        let Shape::Composite(compound) = Shape::compound(both).unwrap() else {
            panic!("a compound");
        };
        assert!(compound.part_numbers().eq([0]));
        let error = Shape::compound([part(empty)]).unwrap_err().to_string();
        assert!(error.contains("parts"), "{error}");
    }
}

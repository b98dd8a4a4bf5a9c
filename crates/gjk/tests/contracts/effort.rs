//! The effort of questions about composites: what it limits is honest, and what needs little of it grows slowly.

use clearance_gjk::{
    Cast, CastOptions, Completeness, Leaving, Motion, Placed, Proximity, Separation, Status,
    cast_shapes, contacts_into, intersects, proximity,
};
use clearance_math::{Cell, Pose, Real, Rotation, Vec2, Vec3, Vector};
use clearance_shapes::{CompoundPart, Shape};

use crate::common::{Body, Pcg, in_both_dimensions, iterations};
use crate::composite_shapes::{Composites, cells, convex, squares};

in_both_dimensions!(
    distances_are_bounded_whatever_the_effort,
    what_overlaps_is_seen_whatever_the_effort,
    lists_are_part_of_the_whole,
    casts_are_stopped_before_what_was_left,
    heaps_of_parts_end_at_the_limit,
    stored_voxels_end_where_edited_ones_do,
);

const EFFORTS: [u32; 7] = [0, 1, 4, 16, 64, 256, 4096];

/// Two shapes, at least one of which is a composite, that overlap or are near each other.
fn sides<V: Composites>(random: &mut Pcg) -> [Body<V>; 2] {
    let other = if random.chance(0.7) {
        V::composite(random)
    } else {
        convex(random)
    };
    [V::composite(random), other].map(|shape| {
        let size = random.pick(&[0.3, 3.0]);
        let place: V = random.point(size);
        Body::new(shape, Pose::new(place, V::any_rotation(random)))
    })
}

fn limited<V: Vector>(sides: &[Body<V>; 2], effort: u32) -> [Placed<'_, V>; 2] {
    let [a, b] = sides;
    [a, b].map(|body| Placed::new(&body.shape, &body.pose).with_effort(effort))
}

fn distances_are_bounded_whatever_the_effort<V: Composites>() {
    let mut random = Pcg::new(0xef01);
    let mut ended = 0;
    for case in 0..iterations(300) {
        let sides = sides::<V>(&mut random);
        let within = random.pick(&[Real::INFINITY, 0.5, 0.0]);
        let [a, b] = limited(&sides, u32::MAX);
        let whole = proximity(a, b, within).expect("valid poses");
        let overlap = intersects(a, b).expect("valid poses");
        for effort in EFFORTS {
            let [a, b] = limited(&sides, effort);
            let found = proximity(a, b, within).expect("valid poses");
            let mirrored = proximity(b, a, within).expect("valid poses");
            assert_eq!(found, mirrored.flipped(), "case {case}, effort {effort}");
            let context = || format!("case {case}, effort {effort}: {found:?} {whole:?}");
            match (found, whole) {
                (Proximity::Near(near), Proximity::Near(exact)) if found != whole => {
                    ended += 1;
                    assert_eq!(near.status, Status::IterationLimit, "{}", context());
                    assert!(near.lower <= exact.upper, "{}", context());
                    assert!(near.upper >= exact.lower, "{}", context());
                }
                (Proximity::Near(near), Proximity::Farther { .. }) => {
                    ended += 1;
                    assert_eq!(near.status, Status::IterationLimit, "{}", context());
                    assert!(near.upper >= within, "{}", context());
                    assert!(near.lower <= within, "{}", context());
                }
                (Proximity::Farther { lower }, Proximity::Farther { .. }) => {
                    assert!(lower > within, "{}", context());
                }
                _ => assert_eq!(found, whole, "{}", context()),
            }
            let may_overlap = intersects(a, b).expect("valid poses");
            assert!(may_overlap || !overlap, "{}", context());
            assert_eq!(may_overlap, intersects(b, a).expect("valid poses"));
        }
    }
    assert!(ended > 100, "{ended} searches ended at their effort");
}

/// One-sided surfaces leave parts out, so that a search may end without having measured any.
fn what_overlaps_is_seen_whatever_the_effort<V: Composites>() {
    let mut random = Pcg::new(0xef05);
    let mut overlaps = 0;
    for case in 0..iterations(200) {
        let composite = V::composite(&mut random);
        let depth = random.pick(&[0.1, 1.0]);
        let surface = composite.clone().one_sided(depth).unwrap_or(composite);
        let size = random.pick(&[0.3, 1.0]);
        let other = match random.chance(0.5) {
            true => Shape::ball(size),
            false => Shape::cuboid(V::splat(size)),
        };
        let sides = [surface, other.expect("positive sizes")].map(|shape| {
            let place: V = random.point(1.0);
            Body::new(shape, Pose::new(place, V::any_rotation(&mut random)))
        });
        let intersect = |effort: u32| {
            let [a, b] = limited(&sides, effort);
            intersects(a, b).expect("valid poses")
        };
        if intersect(u32::MAX) {
            overlaps += 1;
            let missed = (0..100).find(|&effort| !intersect(effort));
            assert_eq!(
                missed, None,
                "case {case}: the effort with which none is seen"
            );
        }
    }
    assert!(overlaps > 50, "{overlaps} overlaps");
}

fn lists_are_part_of_the_whole<V: Composites>() {
    let mut random = Pcg::new(0xef02);
    let mut ended = 0;
    for case in 0..iterations(300) {
        let sides = sides::<V>(&mut random);
        let within = random.pick(&[0.0, 0.3]);
        let list = |effort: u32| {
            let ([a, b], mut found) = (limited(&sides, effort), Vec::new());
            let completeness = contacts_into(a, b, within, &mut found).expect("valid poses");
            let mut mirrored = Vec::new();
            assert_eq!(contacts_into(b, a, within, &mut mirrored), Ok(completeness));
            assert_eq!(mirrored.len(), found.len());
            (completeness, found)
        };
        let (completeness, whole) = list(u32::MAX);
        assert_eq!(completeness, Completeness::Complete);
        for effort in EFFORTS {
            let (completeness, found) = list(effort);
            let is_listed = |contact: &Separation<V>| whole.contains(contact);
            assert!(found.iter().all(is_listed), "case {case}, effort {effort}");
            if completeness == Completeness::Complete {
                assert_eq!(found, whole, "case {case}, effort {effort}");
            } else {
                ended += 1;
            }
        }
    }
    assert!(ended > 100, "{ended} searches ended at their effort");
}

fn casts_are_stopped_before_what_was_left<V: Composites>() {
    let mut random = Pcg::new(0xef03);
    let (mut ended, mut met) = (0, 0);
    for case in 0..iterations(1200) {
        let sides = sides::<V>(&mut random);
        let angle = random.pick(&[0.0, 0.0, 0.4, 3.0]);
        let axis: clearance_math::DVec3 = random.direction();
        let angular = V::Rotation::angular_from_space((axis * angle).as_vec3());
        let motion = Motion::new(random.point(6.0), angular);
        let options = CastOptions {
            within: 0.0,
            leaving: random.pick(&[Leaving::Hit, Leaving::Pass, Leaving::Ignore]),
        };
        let cast = |effort: u32| {
            let [a, b] = limited(&sides, effort);
            let (a, b) = (Cast::resting(a), Cast::new(b, motion));
            let hit = cast_shapes(a, b, options).expect("valid input");
            let mirrored = cast_shapes(b, a, options).expect("valid input");
            assert_eq!(hit, mirrored.map(|hit| hit.flipped()), "case {case}");
            hit
        };
        let whole = cast(u32::MAX);
        for effort in EFFORTS {
            let found = cast(effort);
            if found == whole {
                met += usize::from(found.is_some());
                continue;
            }
            ended += 1;
            let hit = found.expect("what is not proven to miss is a hit");
            // Of shapes that certainly overlap at the start only the depth is open.
            let is_start = hit.time == 0.0 && hit.separation.upper <= 0.0;
            let is_said = hit.status == Status::IterationLimit
                || is_start && hit.separation.status == Status::IterationLimit;
            assert!(is_said, "case {case}: {hit:?}");
            assert!(hit.time_lower <= hit.time && hit.time <= hit.time_upper);
            if let Some(exact) = whole {
                assert!(hit.time_lower <= exact.time_upper, "{hit:?} {exact:?}");
                assert!(hit.time_upper >= exact.time_lower, "{hit:?} {exact:?}");
            }
        }
    }
    assert!(ended > 100 && met > 50, "{ended} {met}");
}

/// Long parts in every direction at one place: all boxes overlap. What a question costs is what it may.
fn heaps_of_parts_end_at_the_limit<V: Composites>() {
    let mut random = Pcg::new(0xef04);
    let mut heap = |count: usize| {
        let points: Vec<V> = (0..=count).map(|_| random.point(1.0)).collect();
        Shape::polyline(points).expect("finite vertices")
    };
    let (a, b) = (heap(3_000), heap(3_000));
    let (origin, aside) = (Pose::IDENTITY, Pose::from_translation(V::splat(0.25)));
    let effort = 1 << 12;
    let (a, b) = (
        Placed::new(&a, &origin).with_effort(effort),
        Placed::new(&b, &aside).with_effort(effort),
    );
    let near = proximity(a, b, Real::INFINITY).expect("valid poses");
    let near = near.near().expect("two polylines");
    assert_eq!(near.status, Status::IterationLimit, "{near:?}");
    assert!(near.lower < 0.0, "{near:?}");
    assert!(intersects(a, b).expect("valid poses"));
    let (way, turn) = (
        V::splat(1.0),
        V::Rotation::angular_from_space(Vec3::splat(0.5)),
    );
    for motion in [Motion::from_linear(way), Motion::new(way, turn)] {
        for leaving in [Leaving::Hit, Leaving::Pass, Leaving::Ignore] {
            let options = CastOptions {
                within: 0.0,
                leaving,
            };
            let hit = cast_shapes(Cast::resting(a), Cast::new(b, motion), options);
            let hit = hit.expect("valid input").expect("they may meet");
            // Those that are left alone are too many to be told apart.
            assert!(
                leaving == Leaving::Hit || hit.status == Status::IterationLimit,
                "{hit:?}"
            );
        }
    }
}

/// The least effort, up to a factor of two, with which a question has the answer that it has with any.
fn least_effort(is_answered: impl Fn(u32) -> bool) -> u32 {
    let effort = (0..31).map(|k| 1 << k).find(|&effort| is_answered(effort));
    effort.expect("some effort suffices")
}

fn moved<V: Vector>(place: V) -> Pose<V> {
    Pose::from_translation(place)
}

fn grid_of_cubes<V: Composites>(count: usize) -> Shape<V> {
    grid_of(
        &Shape::cuboid(V::splat(0.375)).expect("a valid size"),
        count,
    )
}

fn grid_of_cylinders(count: usize) -> Shape<Vec3> {
    grid_of(&Shape::cylinder(0.375, 0.375).expect("a valid size"), count)
}

fn grid_of<V: Composites>(part: &Shape<V>, count: usize) -> Shape<V> {
    let side = (1..).find(|side: &usize| side.pow(V::DIM as u32) >= count);
    let side = side.expect("there is one");
    let parts = (0..side.pow(V::DIM as u32)).map(|k| {
        let axis = |axis: usize| (k / side.pow(axis as u32) % side) as Real;
        let place = (0..V::DIM).fold(V::ZERO, |place, k| place.with_component(k, axis(k)));
        CompoundPart::new(part.clone(), moved(place))
    });
    Shape::compound(parts.collect::<Vec<_>>()).expect("a valid compound")
}

fn chain(count: usize) -> Shape<Vec2> {
    let vertex = |k: usize| Vec2::new(k as Real, 0.25 * (k % 3) as Real);
    Shape::polyline((0..=count).map(vertex).collect::<Vec<_>>()).expect("finite vertices")
}

fn side(count: usize) -> usize {
    (count as f64 / 2.0).sqrt().ceil() as usize
}

fn field(count: usize) -> Shape<Vec3> {
    let row = side(count) + 1;
    let heights = (0..row * row).map(|k| 0.25 * ((k * 7 + k / row * 3) % 5) as Real);
    let scale = Vec3::new((row - 1) as Real, 1.0, (row - 1) as Real);
    Shape::height_field(heights.collect::<Vec<_>>(), row, scale).expect("a valid field")
}

fn mesh(count: usize) -> Shape<Vec3> {
    let (side, row) = (side(count) as u32, side(count) as u32 + 1);
    let vertices = (0..row * row).map(|k| {
        let height = 0.25 * ((k * 7 + k / row * 3) % 5) as Real;
        Vec3::new((k / row) as Real, height, (k % row) as Real)
    });
    Shape::mesh(vertices.collect::<Vec<_>>(), squares(side)).expect("a valid mesh")
}

/// How many parts composites have, and what their questions need.
fn growth<V: Composites>(name: &str, shapes: impl Fn(usize) -> [Body<V>; 2], motion: &Motion<V>) {
    let most = if iterations(1) > 1 { 100_000 } else { 10_000 };
    let counts = [100, 1_000, 10_000, 100_000].into_iter();
    let needs = counts.filter(|&count| count <= most).map(|count| {
        let sides = shapes(count);
        let near = |effort: u32| {
            let [a, b] = limited(&sides, effort);
            let near = proximity(a, b, Real::INFINITY).expect("valid poses").near();
            near.is_some_and(|near| near.status != Status::IterationLimit)
        };
        let listed = |effort: u32| {
            let ([a, b], mut found) = (limited(&sides, effort), Vec::new());
            contacts_into(a, b, 0.25, &mut found) == Ok(Completeness::Complete)
        };
        let cast = |leaving: Leaving| {
            let sides = &sides;
            move |effort: u32| {
                let [a, b] = limited(sides, effort);
                let options = CastOptions {
                    within: 0.0,
                    leaving,
                };
                let hit = cast_shapes(Cast::resting(a), Cast::new(b, *motion), options);
                let hit = hit.expect("valid input");
                hit.is_none_or(|hit| hit.status != Status::IterationLimit)
            }
        };
        [
            least_effort(near),
            least_effort(listed),
            least_effort(cast(Leaving::Hit)),
            least_effort(cast(Leaving::Pass)),
            least_effort(cast(Leaving::Ignore)),
        ]
    });
    let needs: Vec<[u32; 5]> = needs.collect();
    let (first, last) = (needs[0], needs[needs.len() - 1]);
    for (first, last) in first.into_iter().zip(last) {
        // Ten and a hundred times as many parts have trees of two and of four more levels.
        assert!(last <= 8 * first.max(64), "{name}: {needs:?}");
    }
}

/// Makes a composite of so many parts.
type Maker = fn(usize) -> Shape<Vec3>;

/// A shape of few parts that comes down on one of many.
#[test]
fn the_effort_of_a_question_grows_as_the_logarithm_of_the_parts() {
    let down = Motion::from_linear(-Vec3::Y * 4.0);
    let turning = Motion::new(-Vec3::Y * 4.0, Vec3::new(0.2, 0.1, 0.3));
    let makers: [(&str, Maker); 4] = [
        ("mesh", mesh),
        ("field", field),
        ("cubes", grid_of_cubes),
        ("cylinders", grid_of_cylinders),
    ];
    for (name, maker) in makers {
        let sides = |count| {
            let (many, few) = (maker(count), grid_of_cubes(8));
            let top = many.bounds(&Pose::IDENTITY).max.y;
            let above = moved(Vec3::new(1.3, top + 2.0, 1.4));
            [Body::new(many, Pose::IDENTITY), Body::new(few, above)]
        };
        growth(name, sides, &down);
        growth(name, sides, &turning);
    }
    let sides = |count| {
        let above = moved(Vec2::new(1.3, 2.5));
        [
            Body::new(chain(count), Pose::IDENTITY),
            Body::new(grid_of_cubes(8), above),
        ]
    };
    growth("chain", sides, &Motion::from_linear(-Vec2::Y * 4.0));
    growth("chain", sides, &Motion::new(-Vec2::Y * 4.0, 0.4));
}

/// Discs on discs that turn about their common axis while they leave each other: each pair is looked at many times.
#[test]
fn looks_at_parts_that_leave_each_other_count() {
    let disc = Shape::cylinder(0.5, 1.0).expect("a valid size");
    let count = 16;
    let part = |k: usize| CompoundPart::new(disc.clone(), moved(Vec3::Y * (3 * k) as Real));
    let stack =
        Shape::compound((0..count).map(part).collect::<Vec<_>>()).expect("a valid compound");
    let sides = [0.0, 0.5].map(|x| Body::new(stack.clone(), moved(Vec3::X * x)));
    let options = CastOptions {
        within: 0.0,
        leaving: Leaving::Pass,
    };
    let motion = Motion::new(Vec3::X * 0.125, Vec3::Y * 0.25);
    let needed = least_effort(|effort| {
        let [a, b] = limited(&sides, effort);
        let hit = cast_shapes(Cast::resting(a), Cast::new(b, motion), options);
        let hit = hit.expect("valid input");
        hit.is_none_or(|hit| hit.status != Status::IterationLimit)
    });
    let looks = 16;
    assert!(needed >= 8 * looks * count as u32, "{needed}");
}

/// A half-space under a compound of many parts.
#[test]
fn a_half_space_is_cast_at_the_parts_that_it_may_meet() {
    let floor = Shape::half_space(Vec3::Y).expect("a direction");
    let sides = |count: usize| {
        let many = grid_of_cubes(count);
        [
            Body::new(many, moved(Vec3::Y * 2.0)),
            Body::new(floor.clone(), Pose::IDENTITY),
        ]
    };
    let needs = [1_000, 8_000].map(|count| {
        let sides = sides(count);
        [Vec3::ZERO, Vec3::Z * 0.001].map(|turn| {
            least_effort(|effort| {
                let [a, b] = limited(&sides, effort);
                let a = Cast::new(a, Motion::new(-Vec3::Y * 4.0, turn));
                let hit = cast_shapes(a, Cast::resting(b), CastOptions::default());
                let hit = hit.expect("valid input").expect("it falls on the floor");
                hit.status != Status::IterationLimit
            })
        })
    });
    // The parts of the lowest layer are met at one time: four times as many.
    for k in 0..2 {
        assert!(needs[1][k] <= 8 * needs[0][k], "{needs:?}");
    }
}

/// Voxels of a list remember the chunks that were emptied, and the order in which chunks came.
fn stored_voxels_end_where_edited_ones_do<V: Composites>() {
    let mut random = Pcg::new(0xef07);
    let mut ended = 0;
    for case in 0..iterations(200) {
        // Some in chunks of their own.
        let far = |k: i32| V::Cell::from_components([64 * k, -64 * k, 0]);
        let list = [cells::<V>(&mut random), (1..9).map(far).collect()].concat();
        let mut edited = Shape::voxels(V::splat(0.25), list).expect("valid voxels");
        for _ in 0..12 {
            let cell = far(random.below(20) as i32 - 6);
            let is_filled = random.chance(0.5);
            edited.set_cells([cell], is_filled).expect("room");
        }
        let encoding = edited.to_encoding().expect("no code");
        let stored = Shape::from_encoding(&encoding).expect("as it was stored");
        let other = V::composite(&mut random);
        let [of_voxels, of_other] = [40.0, 3.0]
            .map(|size| Pose::new(random.point::<V>(size), V::any_rotation(&mut random)));
        for effort in (1..40).map(|k| 8 * k) {
            let answers = [&edited, &stored].map(|shape| {
                let a = Placed::new(shape, &of_voxels).with_effort(effort);
                let b = Placed::new(&other, &of_other).with_effort(effort);
                let near = proximity(a, b, Real::INFINITY).expect("valid poses");
                (near, intersects(a, b).expect("valid poses"))
            });
            assert_eq!(answers[0], answers[1], "case {case}, effort {effort}");
            let limited = |near: &Separation<V>| near.status == Status::IterationLimit;
            ended += usize::from(answers[0].0.near().as_ref().is_some_and(limited));
        }
    }
    assert!(ended > 100, "{ended} searches ended at their effort");
}

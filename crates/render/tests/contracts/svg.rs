//! Pictures of the plane.

use clearance::dim2::{Body, CompoundPart, Placed, Pose, Rotation, Shape, Vec2, point_proximity};
use clearance::math::Aabb;
use clearance_render::{SvgOptions, svg};

use crate::common::world;

/// 100 by 100 pixels, 10 pixels a unit of length, the origin in the middle.
fn square() -> SvgOptions {
    SvgOptions {
        width: 100,
        height: 100,
        window: Some(Aabb::new(Vec2::splat(-5.0), Vec2::splat(5.0))),
        legend: false,
        ..SvgOptions::default()
    }
}

fn at(x: f32, y: f32, angle: f32) -> Pose {
    Pose::new(Vec2::new(x, y), Rotation::from_angle(angle))
}

fn shapes() -> Vec<Shape> {
    let hull = [[0.0, 0.0], [2.0, 0.5], [1.5, 2.0], [-0.5, 1.0]].map(Vec2::from);
    let part = |shape: Shape, x| CompoundPart::new(shape, at(x, 0.0, 0.5));
    let parts = vec![
        part(Shape::cuboid(Vec2::ONE).unwrap(), -1.0),
        part(Shape::ball(0.5).unwrap(), 1.0),
    ];
    let sharp = vec![
        Shape::ball(1.0).unwrap(),
        Shape::cuboid(Vec2::new(1.0, 0.5)).unwrap(),
        Shape::capsule(1.0, 0.5).unwrap(),
        Shape::tapered_capsule(1.0, 0.25, 0.75).unwrap(),
        Shape::ellipsoid(Vec2::new(1.5, 0.5)).unwrap(),
        Shape::triangle(hull[0], hull[1], hull[2]).unwrap(),
        Shape::segment(hull[0], hull[1]).unwrap(),
        Shape::hull(hull).unwrap(),
    ];
    let round = sharp.iter().map(|shape| shape.rounded(0.3).unwrap());
    let mut all: Vec<Shape> = round.collect();
    all.extend(sharp);
    all.push(Shape::polyline(hull).unwrap());
    all.push(Shape::compound(parts).unwrap());
    all.push(Shape::half_space(Vec2::Y).unwrap());
    all
}

/// Every tag is closed by its own end.
fn is_well_formed(svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, rest) = tag.split_once('>').expect("a tag ends");
        assert!(!rest.contains('>'), "{rest}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap_or(tag));
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert!(open.is_empty(), "{open:?}");
    for wrong in ["NaN", "inf"] {
        assert!(!svg.contains(wrong), "{svg}");
    }
}

/// The points of a path at which a line or an arc ends, in units of length.
fn points_of(svg: &str, class: &str) -> Vec<Vec2> {
    let group = svg.split(class).nth(1).expect("the group is there");
    let group = group.split("</g>").next().unwrap();
    let paths = group
        .split(" d=\"")
        .skip(1)
        .map(|path| path.split('"').next().unwrap());
    let commands = paths.flat_map(|path| path.split_inclusive(|c: char| c.is_ascii_alphabetic()));
    let numbers = commands.map(|word| word.trim_end_matches(|c: char| c.is_ascii_alphabetic()));
    let numbers = numbers.map(|word| -> Vec<f32> {
        word.split(' ')
            .filter_map(|number| number.parse().ok())
            .collect()
    });
    let ends = numbers.filter(|numbers| numbers.len() >= 2);
    ends.map(|numbers| {
        let [x, y] = numbers[numbers.len() - 2..] else {
            panic!("two numbers")
        };
        Vec2::new(x - 50.0, 50.0 - y) / 10.0
    })
    .collect()
}

#[test]
fn a_ball_is_a_circle_in_its_place() {
    let ball = Shape::ball(1.0).unwrap();
    let world = world(vec![Body::moving(ball, at(2.0, 1.0, 0.0))]);
    let picture = svg(&world, &square());
    is_well_formed(&picture);
    assert!(
        picture.contains(r#"<circle cx="70" cy="40" r="10"/>"#),
        "{picture}"
    );
}

/// What is drawn of a shape begins and ends on its surface: the distance is asked of the engine.
#[test]
fn outlines_run_along_the_surface() {
    for shape in shapes() {
        if matches!(shape, Shape::HalfSpace(_) | Shape::Composite(_)) {
            continue;
        }
        let pose = at(0.5, -0.5, 0.7);
        let world = world(vec![Body::moving(shape.clone(), pose)]);
        let picture = svg(&world, &square());
        is_well_formed(&picture);
        let points = points_of(&picture, "class=\"m\"");
        assert!(points.len() >= 2 || picture.contains("<circle") || picture.contains("<ellipse"));
        // Arcs turn counter-clockwise in the picture, as the outline runs.
        assert!(picture.matches('A').count() == picture.matches(" 0 0 0 ").count());
        for point in points {
            let near = point_proximity(point, Placed::new(&shape, &pose), f32::INFINITY);
            let off = near.unwrap().near().unwrap().distance;
            // Half a tenth of a pixel along both axes.
            assert!(off.abs() < 0.0072, "{point} is off by {off}: {shape:?}");
        }
    }
}

#[test]
fn contacts_are_lines_between_closest_points_in_the_colour_of_their_distance() {
    let cube = || Shape::cuboid(Vec2::ONE).unwrap();
    // Gaps of 0.1, 0.4 and 0.7 of a margin of 0.75, and an overlap of 0.5.
    for (gap, colour) in [
        (0.1, "#e07b00"),
        (0.4, "#6f8f00"),
        (0.7, "#00836b"),
        (-0.5, "#c62828"),
    ] {
        let other = Shape::ball(1.0).unwrap();
        let world = world(vec![
            Body::fixed(cube(), at(-1.0, 0.0, 0.0)),
            Body::moving(other, at(gap + 1.0, 0.0, 0.0)),
        ]);
        let picture = svg(&world, &square());
        is_well_formed(&picture);
        assert_eq!(picture.matches("class=\"k\"").count(), 1);
        let x = (50.0 + 10.0 * gap).to_string();
        // Both closest points, and the normal of 12 pixels from the second.
        let expected = format!("stroke=\"{colour}\"><path d=\"M50 50L{x} 50\"/>");
        assert!(
            picture.contains(&expected),
            "{expected} is not in {picture}"
        );
        let tip = 50.0 + 10.0 * gap + 12.0;
        assert!(
            picture.contains(&format!("d=\"M{x} 50L{tip} 50\"")),
            "{picture}"
        );
        let none = SvgOptions {
            contacts: false,
            ..square()
        };
        assert!(!svg(&world, &none).contains(colour));
    }
}

#[test]
fn the_legend_names_the_colours_that_are_there_and_the_unit() {
    let ball = || Shape::ball(1.0).unwrap();
    let world = world(vec![
        Body::fixed(ball(), at(0.0, 0.0, 0.0)),
        Body::moving(ball(), at(2.2, 0.0, 0.0)),
        Body::moving(ball(), at(-1.5, 0.0, 0.0)),
    ]);
    let picture = svg(
        &world,
        &SvgOptions {
            unit: "<m>".to_owned(),
            ..SvgOptions::default()
        },
    );
    is_well_formed(&picture);
    for words in [
        ">overlap<",
        ">gap to 0.25 &lt;m&gt;<",
        " &lt;m&gt;<",
        "3 bodies, 2 contacts",
    ] {
        assert!(picture.contains(words), "{words} is not in {picture}");
    }
    assert!(!picture.contains("0.75 &lt;m&gt;"));
    let unnamed = svg(&world, &SvgOptions::default());
    assert!(unnamed.contains("of length<"), "{unnamed}");
}

#[test]
fn all_bodies_are_in_the_picture() {
    for offset in [0.0, 1e4] {
        let bodies = [[-7.0, 2.0], [30.0, 5.0], [4.0, -9.0]]
            .map(|[x, y]| Body::moving(Shape::ball(1.0).unwrap(), at(x + offset, y, 0.0)));
        let world = world(bodies.to_vec());
        let options = SvgOptions {
            legend: false,
            ..SvgOptions::default()
        };
        let picture = svg(&world, &options);
        assert_eq!(picture.matches("<circle").count(), 3);
        let number = |text: &str| -> Vec<f32> {
            let name = format!(" {text}=\"");
            let values = picture.split(&name).skip(1);
            values
                .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
                .collect()
        };
        let (x, y, r) = (number("cx"), number("cy"), number("r"));
        let least = (0..3).map(|k| x[k] - r[k]).fold(f32::INFINITY, f32::min);
        let most = (0..3).map(|k| x[k] + r[k]).fold(0.0, f32::max);
        // Four hundredths of the width are free on either side.
        assert!(
            (least - 38.4).abs() < 0.5 && (most - 921.6).abs() < 0.5,
            "{least} {most}"
        );
        assert!((0..3).all(|k| y[k] - r[k] > 0.0 && y[k] + r[k] < 640.0));
    }
}

#[test]
fn equal_worlds_give_equal_bytes_after_other_histories() {
    let place = |index: usize| at(3.0 * index as f32, 0.0, index as f32);
    let bodies = || shapes().into_iter().enumerate();
    let direct = world(
        bodies()
            .map(|(k, shape)| Body::moving(shape, place(k)))
            .collect(),
    );
    let mut moved = world(
        bodies()
            .map(|(_, shape)| Body::moving(shape, at(1.0, 1.0, 0.0)))
            .collect(),
    );
    moved.step(0.5).unwrap();
    let ids: Vec<_> = moved.bodies().ids().collect();
    for (index, id) in ids.into_iter().enumerate() {
        moved.body_mut(id).unwrap().set_pose(place(index)).unwrap();
    }
    moved.step(0.0).unwrap();
    let options = SvgOptions::default();
    let picture = svg(&direct, &options);
    is_well_formed(&picture);
    assert!(picture.contains("class=\"k\""));
    assert_eq!(svg(&moved, &options), picture);
}

#[test]
fn whatever_is_drawn_is_well_formed() {
    let ball = |radius| Shape::ball(radius).unwrap();
    let point = Shape::segment(Vec2::ONE, Vec2::ONE).unwrap();
    let floor = || Body::fixed(Shape::half_space(Vec2::Y).unwrap(), at(1e6, 0.0, 1.0));
    let worlds = vec![
        vec![],
        vec![floor()],
        vec![Body::moving(point, Pose::IDENTITY)],
        vec![Body::moving(ball(f32::MAX), Pose::IDENTITY), floor()],
        vec![
            Body::moving(ball(1e-30), at(1e38, -1e38, 0.0)),
            Body::moving(ball(1e30), at(-1e38, 1e38, 0.0)),
        ],
    ];
    for bodies in worlds {
        let world = world(bodies);
        for [width, height] in [[960, 640], [1, 1], [40, 4000], [0, 0], [u32::MAX, 3]] {
            let picture = svg(
                &world,
                &SvgOptions {
                    width,
                    height,
                    ..SvgOptions::default()
                },
            );
            is_well_formed(&picture);
        }
    }
}

//! Pictures of space.

use clearance::dim3::{Body, Pose, Quat, Ray, Shape, Vec3};
use clearance::{BodyKind, RayOptions};
use clearance_render::{Camera, Image, ImageOptions, image};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::common::world;

const BACKGROUND: [u8; 3] = [0xfb, 0xfb, 0xf8];

fn small() -> ImageOptions {
    ImageOptions {
        width: 160,
        height: 120,
        contacts: false,
        ..ImageOptions::default()
    }
}

fn pixel(image: &Image, x: u32, y: u32) -> [u8; 3] {
    let first = 3 * (y * image.width + x) as usize;
    [0, 1, 2].map(|k| image.pixels[first + k])
}

fn at(x: f32, y: f32, z: f32) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

/// Many bodies of all kinds, some of them fixed.
fn crowd(random: &mut Pcg64) -> Vec<Body> {
    let shapes = [
        Shape::ball(1.0).unwrap(),
        Shape::cuboid(Vec3::new(1.0, 0.5, 0.75)).unwrap(),
        Shape::capsule(1.0, 0.5).unwrap(),
        Shape::cylinder(0.75, 1.0).unwrap(),
        Shape::cone(1.0, 1.0).unwrap(),
        Shape::cuboid(Vec3::splat(0.5))
            .unwrap()
            .rounded(0.25)
            .unwrap(),
        Shape::ellipsoid(Vec3::new(0.5, 1.0, 1.5)).unwrap(),
        Shape::triangle(Vec3::X, Vec3::Y, Vec3::Z).unwrap(),
    ];
    (0..40)
        .map(|index| {
            let [x, y, z] = [(); 3].map(|()| random.random_range(-8.0..8.0));
            let turn = Quat::from_scaled_axis(Vec3::new(x, z, y));
            let pose = Pose::new(Vec3::new(x, y, z), turn);
            let shape = shapes[index % shapes.len()].clone();
            if index % 3 == 0 {
                Body::fixed(shape, pose)
            } else {
                Body::moving(shape, pose)
            }
        })
        .collect()
}

/// Each pixel shows what a ray through it hits first, which the engine is asked about. Fixed bodies are
/// reddish, moving ones bluish.
#[test]
fn pixels_show_what_rays_hit() {
    let random = &mut Pcg64::seed_from_u64(6);
    let world = world(crowd(random));
    let camera = Camera {
        from: Vec3::new(3.0, 6.0, 24.0),
        towards: Vec3::new(0.5, 0.0, 0.0),
    };
    let options = ImageOptions {
        camera: Some(camera),
        ..small()
    };
    let picture = image(&world, &options).unwrap();
    let forward = (camera.towards - camera.from).normalize();
    let right = forward.cross(Vec3::Y).normalize();
    let up = right.cross(forward);
    // The shorter side spans 40 degrees.
    let half = 20.0_f32.to_radians().tan() / 60.0;
    let (mut wrong, mut hits) = (0, 0);
    for y in 0..120 {
        for x in 0..160 {
            let aside = right * ((x as f32 - 79.5) * half) - up * ((y as f32 - 59.5) * half);
            let ray = Ray::new(camera.from, forward + aside).unwrap();
            let options = RayOptions::default();
            let hit = world.query().cast_ray(&ray, options).unwrap();
            let [red, _, blue] = pixel(&picture, x, y);
            let shown = match (pixel(&picture, x, y), red > blue) {
                (BACKGROUND, _) => None,
                (_, true) => Some(BodyKind::Fixed),
                (_, false) => Some(BodyKind::Moving),
            };
            let expected = hit.map(|hit| world.body(hit.body).unwrap().kind());
            hits += usize::from(expected.is_some());
            wrong += usize::from(shown != expected);
        }
    }
    // Pixels on outlines are mixed, and facets cut off some of what is round.
    assert!(hits > 3000, "{hits}");
    assert!(wrong < 1200, "{wrong} of {hits}");
}

#[test]
fn the_camera_sees_all_bodies_and_is_no_farther_away_than_needed() {
    let random = &mut Pcg64::seed_from_u64(7);
    for scale in [1e-3, 1.0, 1e3] {
        let [x, y, z] = [(); 3].map(|()| scale * random.random_range(-5.0..5.0));
        let half_extents = Vec3::from([(); 3].map(|()| scale * random.random_range(0.5..5.0)));
        let cuboid = Shape::cuboid(half_extents).unwrap();
        let world = world(vec![Body::moving(cuboid, at(x, y, z))]);
        let picture = image(&world, &small()).unwrap();
        let is_empty = |x, y| pixel(&picture, x, y) == BACKGROUND;
        assert!((0..160).all(|x| is_empty(x, 0) && is_empty(x, 119)));
        assert!((0..120).all(|y| is_empty(0, y) && is_empty(159, y)));
        let columns = (0..160).filter(|x| (0..120).any(|y| !is_empty(*x, y)));
        let rows = (0..120).filter(|y| (0..160).any(|x| !is_empty(x, *y)));
        assert!(columns.count() > 140 || rows.count() > 105);
    }
}

#[test]
fn contacts_are_drawn_in_the_colour_of_their_distance_also_behind_bodies() {
    let camera = Some(Camera {
        from: Vec3::new(0.0, 0.0, 12.0),
        towards: Vec3::ZERO,
    });
    let options = ImageOptions {
        camera,
        contacts: true,
        ..small()
    };
    for (gap, colour) in [(0.6, [0x00, 0x83, 0x6b]), (0.1, [0xe0, 0x7b, 0x00])] {
        let ball = || Shape::ball(1.0).unwrap();
        let mut world = world(vec![
            Body::moving(ball(), at(-1.0 - gap / 2.0, 0.0, 0.0)),
            Body::moving(ball(), at(1.0 + gap / 2.0, 0.0, 0.0)),
        ]);
        let picture = image(&world, &options).unwrap();
        assert_eq!(pixel(&picture, 80, 60), colour);
        if gap < 0.5 {
            // Points and lines of narrow gaps lie over each other.
            continue;
        }
        // A wall in front leaves a quarter of the colour.
        let wall = Shape::cuboid(Vec3::new(2.0, 2.0, 0.1)).unwrap();
        world.insert(Body::fixed(wall, at(0.0, 0.0, 3.0))).unwrap();
        let bare = image(
            &world,
            &ImageOptions {
                contacts: false,
                ..options
            },
        )
        .unwrap();
        let behind = image(&world, &options).unwrap();
        let (under, found) = (pixel(&bare, 80, 60), pixel(&behind, 80, 60));
        for ((under, found), over) in under.into_iter().zip(found).zip(colour) {
            let expected = f32::from(under) + (f32::from(over) - f32::from(under)) * 0.25;
            assert!((f32::from(found) - expected).abs() <= 1.0);
        }
    }
}

#[test]
fn equal_worlds_give_equal_pixels() {
    let bodies = || crowd(&mut Pcg64::seed_from_u64(8));
    let options = ImageOptions {
        contacts: true,
        ..small()
    };
    let picture = image(&world(bodies()), &options).unwrap();
    assert_eq!(image(&world(bodies()), &options).unwrap(), picture);
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let world = world(vec![]);
    let refusal = |options: ImageOptions| image(&world, &options).unwrap_err().to_string();
    let camera = |from, towards| ImageOptions {
        camera: Some(Camera { from, towards }),
        ..small()
    };
    assert_eq!(
        refusal(ImageOptions {
            width: 0,
            ..small()
        }),
        "width is 0, must be from 1 to 4096 pixels"
    );
    assert_eq!(
        refusal(ImageOptions {
            height: 4097,
            ..small()
        }),
        "height is 4097, must be from 1 to 4096 pixels"
    );
    assert_eq!(
        refusal(camera(Vec3::ZERO, Vec3::new(0.0, f32::NAN, 0.0))),
        "camera.towards[1] is NaN, must be finite"
    );
    assert_eq!(
        refusal(camera(Vec3::ONE, Vec3::ONE)),
        "camera.towards equals camera.from, must be another point"
    );
}

#[test]
fn every_world_has_a_picture() {
    let ball = |radius| Shape::ball(radius).unwrap();
    let floor = || Body::fixed(Shape::half_space(Vec3::Y).unwrap(), at(1e5, 0.0, 0.0));
    let point = Shape::segment(Vec3::ONE, Vec3::ONE).unwrap();
    let worlds = vec![
        vec![],
        vec![floor()],
        vec![floor(), Body::moving(point, Pose::IDENTITY)],
        vec![Body::moving(ball(f32::MAX), Pose::IDENTITY), floor()],
        vec![Body::moving(ball(1e-30), Pose::IDENTITY)],
        vec![
            Body::moving(ball(1e-30), at(1e38, -1e38, 0.0)),
            Body::moving(ball(1e30), at(-1e38, 1e38, 0.0)),
        ],
        crowd(&mut Pcg64::seed_from_u64(9)),
    ];
    let cameras = [
        None,
        // Straight down, from the middle of everything, from far away.
        Some([Vec3::Y * 5.0, Vec3::ZERO]),
        Some([Vec3::ZERO, Vec3::X]),
        Some([Vec3::splat(1e38), Vec3::splat(-1e38)]),
        Some([Vec3::splat(1e-38), Vec3::ZERO]),
    ];
    for world in worlds.into_iter().map(world) {
        for camera in cameras {
            let options = ImageOptions {
                width: 40,
                height: 30,
                camera: camera.map(|[from, towards]| Camera { from, towards }),
                contacts: true,
            };
            assert_eq!(image(&world, &options).unwrap().pixels.len(), 3 * 40 * 30);
        }
    }
}

#[cfg(feature = "png")]
#[test]
fn a_png_file_has_the_pixels_of_the_image() {
    let world = world(crowd(&mut Pcg64::seed_from_u64(10)));
    let bytes = clearance_render::png(&world, &small()).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (160, 120));
    assert_eq!(pixels, image(&world, &small()).unwrap().pixels);
}

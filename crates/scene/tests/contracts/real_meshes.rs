//! Polygons, scales and welding of mesh files, also of those that mean harm.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use clearance_math::{Vec2, Vec3};
use clearance_scene::{FileVector, MeshFiles, Scene, read_scene_with_files};
use clearance_shapes::{CompositeKind, Mesh, Shape};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use crate::mesh_texts::binary;

/// How many files were read: each is in a folder of its own, since tests run at once.
static READ: AtomicU32 = AtomicU32::new(0);

/// The shape with these fields beside `"path": name`, where `name` is a file that holds `bytes`.
fn read(name: &str, bytes: &[u8], fields: &str) -> Result<Shape<Vec3>, String> {
    let number = READ.fetch_add(1, Ordering::Relaxed).to_string();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = folder.join("real").join(number);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), bytes).unwrap();
    let text =
        format!(r#"{{"dimension": 3, "bodies": [{{"shape": {{{fields}, "path": "{name}"}}}}]}}"#);
    let scene = read_scene_with_files(&text, &MeshFiles::in_folder(&folder));
    let scene = scene.map_err(|problems| problems.to_string())?;
    Ok(first_shape(&scene.into_space().unwrap()))
}

fn first_shape<V: FileVector>(scene: &Scene<V>) -> Shape<V> {
    scene.shape_of(&scene.bodies[0]).unwrap().clone()
}

const MESH: &str = r#""type": "mesh""#;

pub(crate) fn mesh(name: &str, bytes: &[u8]) -> Result<Shape<Vec3>, String> {
    read(name, bytes, MESH)
}

/// The corners of all triangles, by coordinates.
pub(crate) fn corners(shape: &Shape<Vec3>) -> Vec<[Vec3; 3]> {
    let mesh = inner(shape);
    let numbers = 0..mesh.triangles().len() as u32;
    numbers.map(|number| mesh.corners(number)).collect()
}

/// The numbers of the vertices of all triangles.
pub(crate) fn triangles(shape: &Shape<Vec3>) -> Vec<[u32; 3]> {
    inner(shape).triangles().to_vec()
}

fn inner(shape: &Shape<Vec3>) -> &Mesh<Vec3> {
    match shape {
        Shape::Composite(composite) => match composite.kind() {
            CompositeKind::Mesh(mesh) => mesh,
            kind => panic!("{kind:?}"),
        },
        shape => panic!("{shape:?}"),
    }
}

fn number(random: &mut Pcg64) -> f32 {
    random.next_u32() as f32 / u32::MAX as f32
}

/// An OBJ file with a polygon through these places.
fn polygon(places: &[Vec3]) -> String {
    let vertices = places
        .iter()
        .map(|p| format!("v {} {} {}\n", p.x, p.y, p.z));
    let corners = (1..=places.len()).map(|k| format!(" {k}"));
    vertices.chain(["f".to_owned()]).chain(corners).collect()
}

/// Outlines that are anything but convex, first corner anywhere: stars, combs, and a square with a hole that a slit
/// leads to.
fn outlines(random: &mut Pcg64) -> Vec<Vec<Vec2>> {
    let mut outlines = Vec::new();
    for count in [4, 5, 6, 9, 20, 100] {
        let star = (0..count).map(|k| {
            let angle = core::f32::consts::TAU * k as f32 / count as f32;
            Vec2::from_angle(angle) * (0.2 + number(random))
        });
        outlines.push(star.collect());
    }
    for teeth in [1_u16, 2, 7, 40] {
        let tooth = |k: u16| {
            let x = 2.0 * f32::from(k);
            [(x, 0.0), (x, 3.0), (x + 1.0, 3.0), (x + 1.0, 0.0)].map(|(x, y)| Vec2::new(x, y))
        };
        let mut comb: Vec<_> = (0..teeth).flat_map(tooth).collect();
        comb.extend([
            Vec2::new(2.0 * f32::from(teeth), 0.0),
            Vec2::new(2.0 * f32::from(teeth), -1.0),
            Vec2::new(0.0, -1.0),
        ]);
        outlines.push(comb);
    }
    let with_hole = [
        (0, 0),
        (4, 0),
        (4, 4),
        (0, 4),
        (0, 0),
        (1, 1),
        (1, 3),
        (3, 3),
        (3, 1),
        (1, 1),
    ];
    outlines.push(
        with_hole
            .map(|(x, y)| Vec2::new(x as f32, y as f32))
            .to_vec(),
    );
    for outline in &mut outlines {
        let first = random.next_u32() as usize % outline.len();
        outline.rotate_left(first);
        if random.next_u32().is_multiple_of(2) {
            outline.reverse();
        }
    }
    outlines
}

/// Whether a point is inside of an outline: sides cross a ray to the right an odd number of times.
fn is_inside(outline: &[Vec2], point: Vec2) -> bool {
    let next = outline.iter().cycle().skip(1);
    let crossed = outline.iter().zip(next).filter(|(a, b)| {
        (a.y > point.y) != (b.y > point.y)
            && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
    });
    crossed.count() % 2 == 1
}

#[test]
fn polygons_cover_what_their_outlines_enclose() {
    let mut random = Pcg64::seed_from_u64(1);
    // Sheared planes, of which each normal is nearest to another axis.
    let planes = [
        [Vec3::X, Vec3::Y],
        [Vec3::Y, Vec3::Z],
        [Vec3::new(1.0, 0.0, 0.5), Vec3::new(0.0, 0.5, 2.0)],
        [Vec3::new(0.5, 1.0, 0.0), Vec3::new(1.0, 0.0, 1.0)],
    ];
    for round in 0..20 {
        for outline in outlines(&mut random) {
            let [right, up] = planes[round % planes.len()];
            let places: Vec<_> = outline.iter().map(|p| right * p.x + up * p.y).collect();
            let text = polygon(&places);
            let found = corners(&mesh("polygon.obj", text.as_bytes()).unwrap());
            assert_eq!(found.len(), outline.len() - 2, "{text}");
            // The gradients of the two coordinates in the plane.
            let normal = right.cross(up);
            let square = normal.length_squared();
            let [along, across] = [up.cross(normal) / square, normal.cross(right) / square];
            let seen = |place: Vec3| Vec2::new(place.dot(along), place.dot(across));
            let flat: Vec<_> = found.iter().map(|corners| corners.map(seen)).collect();
            for _ in 0..100 {
                let point = Vec2::new(number(&mut random), number(&mut random)) * 6.0 - 2.0;
                let around = flat.iter().filter(|corners| is_inside(&corners[..], point));
                let expected = usize::from(is_inside(&outline, point));
                assert_eq!(around.count(), expected, "{point} {text}");
            }
        }
    }
}

#[test]
fn triangles_of_polygons_are_numbered_by_their_corners() {
    // An arrowhead whose notch is the third corner: the fan around the first would cover the notch.
    let notched = "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 2 3 4 1\nf 1 2 3 4\nf 4 3 2 1\n";
    let [a, b, c, d] =
        [(0.0, 0.0), (4.0, 0.0), (1.0, 1.0), (0.0, 4.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let expected = [
        [b, c, a],
        [c, d, a],
        [a, b, c],
        [a, c, d],
        [d, c, a],
        [c, b, a],
    ];
    assert_eq!(
        corners(&mesh("notched.obj", notched.as_bytes()).unwrap()),
        expected
    );
    let convex = "v 0 0 0\nv 4 0 0\nv 5 1 0\nv 4 2 0\nv 0 2 0\nf 3 4 5 1 2\n";
    let shape = mesh("convex.obj", convex.as_bytes()).unwrap();
    let v = [(0.0, 0.0), (4.0, 0.0), (5.0, 1.0), (4.0, 2.0), (0.0, 2.0)]
        .map(|(x, y)| Vec3::new(x, y, 0.0));
    assert_eq!(
        corners(&shape),
        [[v[2], v[3], v[4]], [v[2], v[4], v[0]], [v[2], v[0], v[1]]]
    );
}

#[test]
fn polygons_that_mean_harm_are_cut_or_refused_with_their_line() {
    let mut random = Pcg64::seed_from_u64(2);
    for count in [4_usize, 5, 8, 50, 1000] {
        for kind in 0..4 {
            let coordinate = |random: &mut Pcg64| match kind {
                // Crosses itself everywhere.
                0 => number(random),
                // Many corners at one place.
                1 => (number(random) * 3.0).floor(),
                // All in one line.
                2 => 0.5,
                _ => (number(random) - 0.5) * 3e38,
            };
            let places: Vec<_> = (0..count)
                .map(|_| {
                    Vec3::new(
                        number(&mut random),
                        coordinate(&mut random),
                        coordinate(&mut random),
                    )
                })
                .collect();
            let shape = mesh("harm.obj", polygon(&places).as_bytes()).unwrap();
            assert!((1..=count - 2).contains(&corners(&shape).len()));
        }
    }
    let one = format!("v 1 1 1\nf{}\n", " 1".repeat(100_000));
    assert_eq!(
        corners(&mesh("one.obj", one.as_bytes()).unwrap()).len(),
        99_998
    );
    let places: Vec<_> = (0..10_000)
        .map(|_| Vec3::new(number(&mut random), number(&mut random), 0.0))
        .collect();
    let refusal = mesh("many.obj", polygon(&places).as_bytes()).unwrap_err();
    assert!(
        refusal.contains("line 10001: ") && refusal.contains("10000"),
        "{refusal}"
    );
}

const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// Six times the volume that a closed mesh encloses: negative if its triangles face inwards.
fn volume(shape: &Shape<Vec3>) -> f32 {
    corners(shape)
        .iter()
        .map(|[a, b, c]| a.dot(b.cross(*c)))
        .sum()
}

#[test]
fn files_are_scaled_and_mirrored_with_their_outer_side() {
    for (scale, factors) in [
        ("[0.5, 0.5, 0.5]", Vec3::splat(0.5)),
        ("[-1, 1, 1]", Vec3::new(-1.0, 1.0, 1.0)),
        ("[2, -3, -1]", Vec3::new(2.0, -3.0, -1.0)),
        ("[-1, -1, -1]", Vec3::splat(-1.0)),
    ] {
        let plain = mesh("t.obj", TETRAHEDRON.as_bytes()).unwrap();
        let fields = format!(r#"{MESH}, "scale": {scale}"#);
        let scaled = read("t.obj", TETRAHEDRON.as_bytes(), &fields).unwrap();
        let product = (factors.x * factors.y * factors.z).abs();
        assert_eq!(volume(&scaled), volume(&plain) * product, "{scale}");
        for (plain, scaled) in corners(&plain).iter().zip(corners(&scaled)) {
            assert!(
                plain
                    .iter()
                    .all(|corner| scaled.contains(&(*corner * factors))),
                "{scale}"
            );
        }
        let hull = format!(r#""type": "hull", "scale": {scale}"#);
        let hull = read("t.obj", TETRAHEDRON.as_bytes(), &hull).unwrap();
        let points = [Vec3::ZERO, Vec3::X, Vec3::Y * 2.0, Vec3::Z * 3.0].map(|p| p * factors);
        assert_eq!(hull, Shape::hull(points).unwrap());
    }
    for (fields, expected) in [
        (
            r#""scale": [1, 0, 1]"#,
            "bodies[0].shape.scale: has the factor 0 at [1]",
        ),
        (
            r#""scale": [1e38, 1, 1e39]"#,
            "bodies[0].shape.scale[2]: is 1e39",
        ),
        (r#""scale": [3e38, 3e38, 3e38]"#, "bodies[0].shape.path"),
        (r#""weld": "exactly""#, "must be \"exact\" or \"near\""),
        (r#""vertices": []"#, "cannot be given beside `path`"),
    ] {
        let refusal = read(
            "t.obj",
            TETRAHEDRON.as_bytes(),
            &format!("{MESH}, {fields}"),
        )
        .unwrap_err();
        assert!(refusal.contains(expected), "{refusal}");
    }
}

#[test]
fn hulls_need_no_faces() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\n";
    let hull = read("points.obj", text.as_bytes(), r#""type": "hull""#).unwrap();
    let points = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    assert_eq!(hull, Shape::hull(points).unwrap());
}

/// How many sides of triangles have no neighbour that runs along them the other way.
fn open_sides(shape: &Shape<Vec3>) -> usize {
    let triangles = triangles(shape);
    let sides: Vec<_> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .collect();
    let is_open = |(a, b): &&(u32, u32)| a != b && !sides.contains(&(*b, *a));
    sides.iter().filter(is_open).count()
}

#[test]
fn corners_that_differ_by_roundings_are_one() {
    let mut random = Pcg64::seed_from_u64(3);
    let plain = corners(&mesh("t.obj", TETRAHEDRON.as_bytes()).unwrap());
    for size in [1e-30_f32, 1.0, 3.0, 1e20] {
        // A step of single precision of the largest coordinate.
        let step = (3.0 * size) - (3.0 * size).next_down();
        for _ in 0..50 {
            let mut moved = |corner: Vec3| {
                let offset = Vec3::from_array([0; 3].map(|_| number(&mut random) * 0.49 * step));
                corner * size - offset
            };
            let soup: Vec<_> = plain
                .iter()
                .map(|corners| corners.map(&mut moved))
                .collect();
            let bytes = binary(&soup);
            assert_eq!(
                open_sides(&mesh("crack.stl", &bytes).unwrap()),
                0,
                "{soup:?}"
            );
            let exact = read("crack.stl", &bytes, &format!(r#"{MESH}, "weld": "exact""#)).unwrap();
            assert_eq!(corners(&exact), soup);
            assert!(open_sides(&exact) > 0);
        }
    }
    // What is four steps apart stays apart.
    let step = 1.0 - 1.0_f32.next_down();
    let fine = [[Vec3::ZERO, Vec3::ONE, Vec3::X * (4.0 * step)]];
    assert_eq!(corners(&mesh("fine.stl", &binary(&fine)).unwrap()), fine);
}

#[test]
fn clouds_of_corners_are_welded_in_time() {
    let mut random = Pcg64::seed_from_u64(4);
    // All but one within two steps, in two cells, so that comparing all with all would take for ever.
    let place = |random: &mut Pcg64| Vec3::from_array([0; 3].map(|_| number(random) * 1.2e-7));
    let mut soup: Vec<_> = (0..50_000)
        .map(|_| [0; 3].map(|_| place(&mut random)))
        .collect();
    soup.push([Vec3::ONE; 3]);
    let shape = mesh("cloud.stl", &binary(&soup)).unwrap();
    let welded = triangles(&shape);
    assert_eq!((welded[0], welded[50_000]), ([0; 3], [1; 3]));
}

#[test]
fn corners_one_step_apart_are_one_in_any_direction() {
    let step = 1.0 - 1.0_f32.next_down();
    let corner = Vec3::new(0.25, 0.5, 0.125);
    for number in 0..27 {
        let away = [0, 1, 2].map(|axis| (number / 3_i32.pow(axis) % 3 - 1) as f32 * step);
        let soup = [
            [corner, Vec3::ONE, Vec3::X],
            [corner + Vec3::from_array(away), Vec3::X, Vec3::Y],
        ];
        let welded = triangles(&mesh("near.stl", &binary(&soup)).unwrap());
        assert_eq!(welded[0][0], welded[1][0], "{away:?}");
    }
}

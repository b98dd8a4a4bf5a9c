//! Parts for tests.

use std::fs;
use std::path::PathBuf;

use clearance_clash::{Allowed, Assembly, Check, Clash, Part, Rules};
use clearance_math::{DVec3, Pose, Vec3};
use clearance_shapes::Shape;

/// The corners and triangles of a box, counterclockwise seen from outside.
pub(crate) fn block(low: DVec3, high: DVec3) -> Mesh {
    let sides = [low, high];
    let corner = |k: usize| DVec3::new(sides[k & 1].x, sides[k >> 1 & 1].y, sides[k >> 2].z);
    let quads: [[u32; 4]; 6] = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let triangles = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    ((0..8).map(corner).collect(), triangles.collect())
}

/// A box as a closed mesh.
pub(crate) fn box_of(name: &str, low: [f64; 3], high: [f64; 3]) -> Part {
    let (vertices, triangles) = block(low.into(), high.into());
    Part::of_mesh(name, &vertices, &triangles).expect("a valid mesh")
}

/// An outline in the plane, and its triangles.
type Outline<'o> = (&'o [[f64; 2]], &'o [[u32; 3]]);

/// The vertices and triangles of a mesh.
pub(crate) type Mesh = (Vec<DVec3>, Vec<[u32; 3]>);

/// What an outline sweeps along z from 0 to a height, as one closed mesh.
fn prism((outline, caps): Outline<'_>, at: [f64; 3], height: f64) -> Mesh {
    let count = outline.len() as u32;
    let vertices: Vec<DVec3> = [0.0, height]
        .iter()
        .flat_map(|&z| outline.iter().map(move |&[x, y]| DVec3::new(x, y, z)))
        .map(|vertex| vertex + DVec3::from_array(at))
        .collect();
    let mut triangles = Vec::new();
    for &[a, b, c] in caps {
        triangles.extend([[a, c, b], [count + a, count + b, count + c]]);
    }
    for side in 0..count {
        let next = (side + 1) % count;
        triangles.extend([
            [side, next, count + next],
            [side, count + next, count + side],
        ]);
    }
    (vertices, triangles)
}

pub(crate) fn part_of(name: &str, (vertices, triangles): &Mesh) -> Part {
    Part::of_mesh(name, vertices, triangles).expect("a valid mesh")
}

/// An L of two boxes, as one closed mesh that is not convex, from 0 to 2 along x and y and from 0 to 1 along z.
pub(crate) fn angle(name: &str, at: [f64; 3]) -> Part {
    angle_of(name, at, 1.0)
}

/// The same of another height.
pub(crate) fn angle_of(name: &str, at: [f64; 3], height: f64) -> Part {
    let outline = [
        [0.0, 0.0],
        [2.0, 0.0],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, 2.0],
        [0.0, 2.0],
    ];
    let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    part_of(name, &prism((&outline, &caps), at, height))
}

/// A U from 0 to 3 along y and from 0 to 1 along z, by the places of its four walls along x. The notch begins at 1 along y.
pub(crate) fn channel(name: &str, walls: [f64; 4]) -> Part {
    part_of(name, &channel_mesh(walls))
}

pub(crate) fn channel_mesh([begin, left, right, end]: [f64; 4]) -> Mesh {
    let outline = [
        [begin, 0.0],
        [end, 0.0],
        [end, 3.0],
        [right, 3.0],
        [right, 1.0],
        [left, 1.0],
        [left, 3.0],
        [begin, 3.0],
    ];
    let caps = [
        [0, 1, 4],
        [0, 4, 5],
        [1, 2, 3],
        [1, 3, 4],
        [0, 5, 6],
        [0, 6, 7],
    ];
    prism((&outline, &caps), [0.0; 3], 1.0)
}

/// Two meshes as one.
pub(crate) fn both(name: &str, [one, other]: [Mesh; 2]) -> Part {
    let (mut vertices, mut triangles) = one;
    let first = vertices.len() as u32;
    vertices.extend(other.0);
    let more = other.1.into_iter();
    triangles.extend(more.map(|triangle| triangle.map(|corner| first + corner)));
    Part::of_mesh(name, &vertices, &triangles).expect("a valid mesh")
}

pub(crate) fn cuboid(name: &str, half: [f32; 3], at: [f64; 3]) -> Part {
    let shape = Shape::cuboid(Vec3::from_array(half)).expect("a valid shape");
    Part::new(name, shape, Pose::from_translation(DVec3::from_array(at))).expect("a valid pose")
}

pub(crate) fn everything(clearance: f64, tolerance: f64) -> Rules {
    Rules::everything(Allowed {
        clearance,
        tolerance: Some(tolerance),
    })
}

pub(crate) fn check(parts: Vec<Part>, rules: Rules) -> Check {
    Check::within(Assembly::new(parts), rules).expect("few parts")
}

pub(crate) fn all_clashes(check: &Check) -> Vec<Clash> {
    let blocks = check.blocks();
    blocks.iter().flat_map(|b| check.measure(b)).collect()
}

/// The only clash of two parts, if there is one.
pub(crate) fn clash_of(a: Part, b: Part, rules: Rules) -> Option<Clash> {
    let found = all_clashes(&check(vec![a, b], rules));
    assert!(found.len() <= 1, "{found:?}");
    found.first().copied()
}

/// A new folder for the test `name`.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("created");
    path
}

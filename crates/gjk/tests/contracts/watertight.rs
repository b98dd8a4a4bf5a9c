//! No ray passes between two triangles that share an edge or a vertex, or two segments that share a vertex.

use clearance_gjk::internal::RayInFrame;
use clearance_gjk::{Placed, RayOptions, cast_ray};
use clearance_math::{DVec2, DVec3, Pose, Ray, RelativePose, Vec2, Vec3, Vector};
use clearance_shapes::Shape;

use crate::common::{Pcg, iterations, turned};
use crate::composite_shapes::squares;

fn distance_to_triangle(line: &RayInFrame<DVec3>, [a, b, c]: [Vec3; 3]) -> Option<f64> {
    distance_to(line, &Shape::triangle(a, b, c).expect("finite corners"))
}

fn distance_to_segment(line: &RayInFrame<DVec2>, [a, b]: [Vec2; 2]) -> Option<f64> {
    distance_to(line, &Shape::segment(a, b).expect("finite ends"))
}

fn distance_to<V: Vector>(line: &RayInFrame<V::Precise>, shape: &Shape<V>) -> Option<f64> {
    let Shape::Convex(convex) = shape else {
        unreachable!("segments and triangles are convex");
    };
    let hit = line.hit_convex(convex, RayOptions::default());
    hit.map(|hit| hit.distance)
}

/// Triangles of a surface, and for each vertex those that contain it.
struct Mesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    around: Vec<Vec<usize>>,
    /// Whether the vertex lies on the border of an open surface, beside which rays may pass.
    is_on_border: Vec<bool>,
}

impl Mesh {
    fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        let mut around = vec![Vec::new(); vertices.len()];
        for (index, triangle) in triangles.iter().enumerate() {
            for vertex in triangle {
                around[*vertex as usize].push(index);
            }
        }
        let mut sides = std::collections::HashMap::new();
        for [a, b, c] in &triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *sides.entry((from.min(to), from.max(to))).or_insert(0) += 1;
            }
        }
        let mut is_on_border = vec![false; vertices.len()];
        for ((from, to), count) in sides {
            if count == 1 {
                is_on_border[*from as usize] = true;
                is_on_border[*to as usize] = true;
            }
        }
        Self {
            vertices,
            triangles,
            around,
            is_on_border,
        }
    }

    fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }

    fn reach(&self) -> f64 {
        let lengths = self
            .vertices
            .iter()
            .map(|vertex| vertex.as_dvec3().length());
        lengths.fold(0.0, f64::max)
    }

    /// The triangles at the vertices, and whether the surface has no border and no fold there, as seen along `direction`:
    /// then every line close by meets one of them.
    fn patch(&self, vertices: &[u32], direction: DVec3) -> (Vec<usize>, bool) {
        let mut patch: Vec<usize> = vertices
            .iter()
            .flat_map(|vertex| self.around[*vertex as usize].iter().copied())
            .collect();
        patch.sort_unstable();
        patch.dedup();
        let sides = patch.iter().map(|triangle| {
            let [a, b, c] = self.corners(*triangle).map(|corner| corner.as_dvec3());
            let across = (b - a).cross(c - a);
            across.dot(direction) / across.length().max(f64::MIN_POSITIVE)
        });
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for side in sides {
            (least, greatest) = (least.min(side), greatest.max(side));
        }
        let is_inner = vertices
            .iter()
            .all(|vertex| !self.is_on_border[*vertex as usize]);
        (patch, is_inner && (least > 0.05 || greatest < -0.05))
    }
}

/// An icosahedron whose faces are divided into four, again and again, projected to a sphere of `radius`.
fn sphere(divisions: usize, radius: f64) -> Mesh {
    let g = 0.5 * (1.0 + 5f64.sqrt());
    let mut vertices: Vec<DVec3> = Vec::new();
    for (one, other) in [(-1.0, g), (1.0, g), (-1.0, -g), (1.0, -g)] {
        vertices.push(DVec3::new(one, other, 0.0));
        vertices.push(DVec3::new(0.0, one, other));
        vertices.push(DVec3::new(other, 0.0, one));
    }
    let edge = 2.0;
    let count = vertices.len();
    let near = |a: usize, b: usize| ((vertices[a] - vertices[b]).length() - edge).abs() < 1e-6;
    let mut triangles: Vec<[usize; 3]> = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            for c in b + 1..count {
                if near(a, b) && near(b, c) && near(a, c) {
                    triangles.push([a, b, c]);
                }
            }
        }
    }
    // Counter-clockwise from outside.
    for triangle in &mut triangles {
        let [a, b, c] = triangle.map(|vertex| vertices[vertex]);
        if (b - a).cross(c - a).dot(a) < 0.0 {
            triangle.swap(1, 2);
        }
    }
    for _ in 0..divisions {
        let mut middles = std::collections::HashMap::new();
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let mut middle = |u: usize, v: usize| {
                *middles.entry((u.min(v), u.max(v))).or_insert_with(|| {
                    vertices.push(0.5 * (vertices[u] + vertices[v]));
                    vertices.len() - 1
                })
            };
            let (x, y, z) = (middle(a, b), middle(b, c), middle(c, a));
            finer.extend([[a, x, z], [x, b, y], [z, y, c], [x, y, z]]);
        }
        triangles = finer;
    }
    let on_sphere = |vertex: &DVec3| (vertex.normalize() * radius).as_vec3();
    let indices = |triangle: [usize; 3]| triangle.map(|vertex| vertex as u32);
    Mesh::new(
        vertices.iter().map(on_sphere).collect(),
        triangles.into_iter().map(indices).collect(),
    )
}

/// A grid of `count` by `count` cells of two triangles, with whole numbers for coordinates, stretched.
fn grid(random: &mut Pcg, count: usize, stretch: Vec3) -> Mesh {
    let mut vertices = Vec::new();
    for z in 0..=count {
        for x in 0..=count {
            let y = random.below(4) as f32;
            vertices.push(Vec3::new(x as f32, y, z as f32) * stretch);
        }
    }
    Mesh::new(vertices, squares(count as u32))
}

/// A ray that is aimed at a vertex, or at a point of an edge, and the vertices that it is aimed at.
fn aimed(random: &mut Pcg, mesh: &Mesh, pose: &RelativePose<DVec3>) -> (Ray<Vec3>, Vec<u32>) {
    let triangle = mesh.triangles[random.below(mesh.triangles.len())];
    let first = random.below(3);
    let (a, b) = (triangle[first], triangle[(first + 1) % 3]);
    let (at_a, at_b) = (
        mesh.vertices[a as usize].as_dvec3(),
        mesh.vertices[b as usize].as_dvec3(),
    );
    let (local, aims) = if random.chance(0.4) {
        (at_a, vec![a])
    } else {
        (at_a + (at_b - at_a) * random.unit(), vec![a, b])
    };
    let target = pose.transform_point(local);
    let direction = random.direction::<DVec3>();
    let away = mesh.reach() * random.log_between(0.01, 4.0);
    let origin = (target - direction * away).as_vec3();
    let direction = (target - origin.as_dvec3()).as_vec3();
    let direction = if direction == Vec3::ZERO {
        Vec3::X
    } else {
        direction
    };
    (Ray::new(origin, direction).expect("a valid ray"), aims)
}

/// Casts `count` rays at edges and vertices; none may pass all triangles there.
fn cast_at(random: &mut Pcg, mesh: &Mesh, pose: &Pose<Vec3>, count: usize) -> usize {
    let frame = RelativePose::from_pose(pose);
    let mut certain = 0;
    for _ in 0..count {
        let (ray, aims) = aimed(random, mesh, &frame);
        let direction = frame.inverse_transform_direction(ray.direction().as_dvec3().normalize());
        let (patch, is_plain) = mesh.patch(&aims, direction);
        if !is_plain {
            continue;
        }
        let line = RayInFrame::new(&ray, &frame, mesh.reach());
        let is_hit = patch
            .iter()
            .any(|&triangle| distance_to_triangle(&line, mesh.corners(triangle)).is_some());
        assert!(is_hit, "{ray:?} passes at {aims:?}, {pose:?}");
        certain += 1;
    }
    certain
}

fn any_pose(random: &mut Pcg, far: f64) -> Pose<Vec3> {
    Pose::<Vec3>::new(random.point::<Vec3>(far), turned::<Vec3>(random))
}

#[test]
fn no_ray_passes_at_edges_and_vertices_of_meshes() {
    let random = &mut Pcg::new(401);
    let mut certain = 0;
    for round in 0.. {
        if certain >= iterations(1_000_000) {
            break;
        }
        let size = random.pick(&[1e-3, 1.0, 1e3]);
        let stretch = random.pick(&[
            Vec3::ONE,
            Vec3::new(1.0, 1e-3, 1e-2),
            Vec3::new(1e-2, 0.1, 10.0),
        ]);
        let mesh = match round % 4 {
            0 => sphere(round % 3, size),
            1 => sphere(3, size),
            2 => grid(random, 8, stretch * size as f32),
            _ => grid(random, 8, stretch),
        };
        let far = random.pick(&[0.0, 1.0, 4.0]);
        let pose = any_pose(random, far * mesh.reach());
        certain += cast_at(random, &mesh, &pose, 16_000);
    }
}

/// With whole numbers the rays run exactly through vertices and along edges, also in the planes of triangles.
#[test]
fn no_ray_passes_exactly_through_vertices() {
    let random = &mut Pcg::new(402);
    let mut certain = 0;
    for _ in 0..iterations(200) {
        let mesh = grid(random, 6, Vec3::ONE);
        for _ in 0..1000 {
            let vertex = random.below(mesh.vertices.len());
            let steps = [(); 3].map(|()| random.below(7) as f32 - 3.0);
            let direction = Vec3::from_array(steps);
            if direction == Vec3::ZERO {
                continue;
            }
            let away = random.pick(&[0.0, 1.0, 2.0, 16.0, 1024.0]);
            let origin = mesh.vertices[vertex] - direction * away;
            let ray =
                Ray::new(origin, direction * random.pick(&[1.0, 1e-40, 1e38])).expect("valid");
            let line = RayInFrame::new(
                &ray,
                &RelativePose::from_pose(&Pose::<Vec3>::IDENTITY),
                mesh.reach(),
            );
            let (patch, is_plain) = mesh.patch(&[vertex as u32], direction.as_dvec3().normalize());
            // The line is computed with rounding, so at folds it may pass beside the vertex.
            if is_plain {
                let is_hit = patch
                    .iter()
                    .any(|&triangle| distance_to_triangle(&line, mesh.corners(triangle)).is_some());
                assert!(is_hit, "{ray:?} passes at {vertex}");
                certain += 1;
            }
        }
    }
    assert!(certain > iterations(15_000), "only {certain} rays count");
}

/// Triangles without area are segments or points, which a ray through them hits.
#[test]
fn rays_hit_triangles_without_area_and_from_the_side() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::new(3.0, 0.0, 0.0)];
    let cast = |origin: Vec3, direction: Vec3, corners: [Vec3; 3]| {
        let ray = Ray::new(origin, direction).expect("valid");
        let line = RayInFrame::new(&ray, &RelativePose::from_pose(&Pose::<Vec3>::IDENTITY), 4.0);
        distance_to_triangle(&line, corners)
    };
    assert_eq!(
        cast(Vec3::new(2.0, 5.0, 0.0), Vec3::NEG_Y, corners),
        Some(5.0)
    );
    assert_eq!(cast(Vec3::new(-2.0, 0.0, 0.0), Vec3::X, corners), Some(2.0));
    assert_eq!(cast(Vec3::new(4.0, 5.0, 0.0), Vec3::NEG_Y, corners), None);
    assert_eq!(cast(Vec3::new(2.0, 5.0, 1.0), Vec3::NEG_Y, corners), None);
    assert_eq!(
        cast(Vec3::new(1.0, 5.0, 0.0), Vec3::NEG_Y, [Vec3::X; 3]),
        Some(5.0)
    );
    // In the plane of a triangle: its edge is hit, or its corner.
    let flat = [Vec3::ZERO, Vec3::X * 2.0, Vec3::Z * 2.0];
    assert_eq!(cast(Vec3::new(-3.0, 0.0, 0.5), Vec3::X, flat), Some(3.0));
    assert_eq!(cast(Vec3::new(-3.0, 0.0, 2.0), Vec3::X, flat), Some(3.0));
    assert_eq!(cast(Vec3::new(-3.0, 0.0, 2.5), Vec3::X, flat), None);
    assert_eq!(cast(Vec3::new(-3.0, 0.0, 0.0), Vec3::X, flat), Some(3.0));
    assert_eq!(cast(Vec3::new(3.0, 0.0, 0.5), Vec3::X, flat), None);
    assert_eq!(cast(Vec3::new(0.5, 0.0, 0.5), Vec3::X, flat), Some(0.0));
    let [a, b, c] = flat;
    let shape = Shape::triangle(a, b, c).expect("valid");
    let ray = Ray::new(Vec3::new(-3.0, 0.0, 0.5), Vec3::X).expect("valid");
    let placed = Placed::new(&shape, &Pose::IDENTITY);
    let hit = cast_ray(&ray, placed, RayOptions::default())
        .expect("valid")
        .expect("a hit");
    assert_eq!(hit.normal.map(Vec3::abs), Some(Vec3::Y));
}

/// A ray through the common edge of two triangles hits one of them, and not what it surely hits behind them.
#[test]
fn an_edge_hides_what_is_behind_it() {
    let corners = [[-9, 0, -9], [9, 0, -9], [0, 0, 9]];
    let above = [[0, 1, 0], [2, 1, 0], [2, 1, 2], [0, 1, 2]];
    let vertices = corners.into_iter().chain(above);
    let vertices = vertices.map(|corner| Vec3::from_array(corner.map(|at| at as f32)));
    let triangles = [[0, 2, 1], [3, 4, 5], [3, 5, 6]];
    let mesh = Shape::mesh(vertices.collect::<Vec<_>>(), triangles).expect("valid");
    for k in 1..16 {
        let at = k as f32 * 0.125;
        let ray = Ray::new(Vec3::new(at, 5.0, at), Vec3::NEG_Y).expect("valid");
        let placed = Placed::new(&mesh, &Pose::IDENTITY);
        let hit = cast_ray(&ray, placed, RayOptions::default()).expect("valid");
        assert_eq!(hit.map(|hit| hit.distance), Some(4.0), "{ray:?}");
    }
}

/// A ray that starts on a shared edge is not lost behind both of its triangles.
#[test]
fn rays_that_start_on_an_edge_hit() {
    let random = &mut Pcg::new(403);
    let mesh = sphere(2, 1.0);
    let frame = RelativePose::from_pose(&Pose::<Vec3>::IDENTITY);
    for _ in 0..iterations(20_000) {
        let triangle = mesh.triangles[random.below(mesh.triangles.len())];
        let vertex = triangle[random.below(3)];
        let ray =
            Ray::<Vec3>::new(mesh.vertices[vertex as usize], random.point(1.0)).expect("not zero");
        let line = RayInFrame::new(&ray, &frame, mesh.reach());
        let (patch, is_plain) = mesh.patch(&[vertex], ray.direction().as_dvec3().normalize());
        let mut hits = patch
            .iter()
            .filter_map(|&triangle| distance_to_triangle(&line, mesh.corners(triangle)));
        assert!(
            !is_plain || hits.any(|distance| distance < 1e-12),
            "{ray:?}"
        );
    }
}

#[test]
fn no_ray_passes_at_vertices_of_polylines() {
    let random = &mut Pcg::new(404);
    for round in 0..iterations(400) {
        let count = 3 + round % 30;
        let size = random.pick(&[1e-3, 1.0, 1e3]);
        let corners: Vec<Vec2> = (0..count)
            .map(|k| {
                let angle = std::f64::consts::TAU * k as f64 / count as f64;
                (DVec2::from_angle(angle) * size).as_vec2()
            })
            .collect();
        let pose = Pose::<Vec2>::new(random.point::<Vec2>(10.0 * size), turned::<Vec2>(random));
        let frame = RelativePose::from_pose(&pose);
        for _ in 0..1000 {
            let k = random.below(count);
            let [before, at, after] = [k + count - 1, k, k + 1].map(|k| corners[k % count]);
            let target = frame.transform_point(at.as_dvec2());
            let origin = (target + random.direction::<DVec2>() * (size * random.between(0.5, 9.0)))
                .as_vec2();
            let direction = (target - origin.as_dvec2()).as_vec2();
            let ray = Ray::new(origin, direction).expect("not zero");
            let local = frame.inverse_transform_direction(direction.as_dvec2().normalize());
            let sides =
                [at - before, after - at].map(|side| side.as_dvec2().normalize().perp_dot(local));
            if sides[0] * sides[1] < 1e-6 {
                continue;
            }
            let line = RayInFrame::new(&ray, &frame, 2.0 * size);
            let hit = [[before, at], [at, after]]
                .into_iter()
                .find_map(|ends| distance_to_segment(&line, ends));
            assert!(hit.is_some(), "{ray:?} passes {at}, {pose:?}");
        }
    }
}

/// With whole numbers the rays run exactly through the vertices, and along the sides.
#[test]
fn no_ray_passes_exactly_through_vertices_of_polylines() {
    let corners = [[0, 0], [3, 1], [4, 4], [1, 3]].map(|[x, y]| Vec2::new(x as f32, y as f32));
    let frame = RelativePose::from_pose(&Pose::<Vec2>::IDENTITY);
    for k in 0..4 {
        let [before, at, after] = [k + 3, k, k + 1].map(|k| corners[k % 4]);
        for (x, y) in (-4..=4).flat_map(|x| (-4..=4).map(move |y| (x as f32, y as f32))) {
            let direction = Vec2::new(x, y);
            let Ok(ray) = Ray::new(at - direction * 16.0, direction) else {
                continue;
            };
            let sides = [at - before, after - at].map(|side| side.perp_dot(direction));
            let line = RayInFrame::new(&ray, &frame, 6.0);
            let segments = [[before, at], [at, after]];
            let hits = segments.map(|ends| distance_to_segment(&line, ends));
            // A line that both sides lie on one side of may miss the corner by rounding.
            let is_through = sides[0] * sides[1] > 0.0;
            let is_hit = hits.iter().any(Option::is_some);
            assert!(is_hit || !is_through, "{ray:?} passes {at}");
        }
    }
    let along = |from: Vec2, to: Vec2, ends: [Vec2; 2]| {
        let ray = Ray::new(from, to - from).expect("not zero");
        distance_to_segment(&RayInFrame::new(&ray, &frame, 6.0), ends)
    };
    let ends = [Vec2::new(1.0, 0.0), Vec2::new(3.0, 0.0)];
    assert_eq!(
        along(Vec2::new(5.0, 0.0), Vec2::new(4.0, 0.0), ends),
        Some(2.0)
    );
    assert_eq!(
        along(Vec2::new(2.0, 0.0), Vec2::new(4.0, 0.0), ends),
        Some(0.0)
    );
    assert_eq!(along(Vec2::new(4.0, 0.0), Vec2::new(5.0, 0.0), ends), None);
    assert_eq!(
        along(Vec2::new(3.0, 2.0), Vec2::new(3.0, 1.0), ends),
        Some(2.0)
    );
    assert_eq!(along(Vec2::new(3.5, 2.0), Vec2::new(3.5, 1.0), ends), None);
}

//! The steps of the expanding polytope.

use clearance_gjk::{Expansion, QueryError, Side, proximity, trace_expansion};
use clearance_math::{Pose, PreciseVector, Real, Vector};

use crate::common::{
    Body, Kind, Pcg, Placement, Space, beside, body, in_both_dimensions, iterations, size_of,
};

in_both_dimensions!(
    polytopes_grow_around_the_origin_to_the_depth,
    shapes_without_an_expansion_have_no_steps,
    poses_that_are_not_valid_are_refused,
);

/// What rounding leaves, relative to the size.
const ROUNDING: f64 = 1e-12;

/// Each edge is passed once in each direction; in the plane each vertex is left and reached once.
fn is_closed<P: PreciseVector>(step: &Expansion<P>) -> bool {
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for face in step.faces() {
        match face {
            [from, to] => edges.push([*from, *to]),
            [a, b, c] => edges.extend([[*a, *b], [*b, *c], [*c, *a]]),
            _ => return false,
        }
    }
    let count = step.vertices.len();
    let ends_once = |end: usize| {
        let mut times = vec![0; count];
        edges.iter().for_each(|edge| times[edge[end] as usize] += 1);
        times.iter().all(|times| *times == 1)
    };
    if P::DIM == 2 {
        return ends_once(0) && ends_once(1);
    }
    edges.sort_unstable();
    let is_single = edges.windows(2).all(|pair| pair[0] != pair[1]);
    let has_partner = |&[from, to]: &[u32; 2]| edges.binary_search(&[to, from]).is_ok();
    let is_sphere = edges.len() / 3 + 4 == 2 * count;
    is_single && is_sphere && edges.iter().all(has_partner)
}

/// The unit normal of a face, outwards by its order; `None` for a face that is too thin to have one.
fn normal<P: PreciseVector>(step: &Expansion<P>, face: &[u32]) -> Option<P> {
    let corner = |k: usize| step.vertices[face[k] as usize].point.in_space();
    let along = corner(1) - corner(0);
    let normal = match face.len() {
        2 => along.cross(clearance_math::DVec3::Z),
        _ => along.cross(corner(2) - corner(0)),
    };
    let scale = along.length() * (corner(face.len() - 1) - corner(0)).length();
    (normal.length() > 1e-6 * scale).then(|| P::from_space(normal.normalize()))
}

/// The surface is closed, no vertex is in front of a face, and the nearest face is what it is said to be.
fn check_surface<P: PreciseVector>(step: &Expansion<P>, size: f64) {
    assert!(is_closed(step), "{step:?}");
    let nearest = step.faces().nth(step.nearest).expect("one of the faces");
    let point = |k: &u32| step.vertices[*k as usize].point;
    let distance = step.normal.dot(point(&nearest[0]));
    assert!((step.normal.length() - 1.0).abs() < 1e-9, "{step:?}");
    let foot = step.normal * distance;
    assert!((step.point - foot).length() < 1e-7 * size, "{step:?}");
    for face in step.faces() {
        let Some(normal) = normal(step, face) else {
            continue;
        };
        let height = normal.dot(point(&face[0]));
        assert!(height >= distance - 1e-7 * size, "{face:?}: {step:?}");
        for vertex in &step.vertices {
            let above = normal.dot(vertex.point) - height;
            assert!(above <= 1e-7 * size, "{above:e} {face:?}: {step:?}");
        }
    }
}

fn check_vertices<P: PreciseVector>(step: &Expansion<P>, size: f64) {
    for vertex in step.vertices.iter().chain([&step.support]) {
        let off = (vertex.on_a - vertex.on_b - vertex.point).length();
        assert!(off <= ROUNDING * size, "{off:e}: {step:?}");
    }
}

/// Each step has the vertices of the one before and its support; the bounds close.
fn check_growth<P: PreciseVector>(before: &Expansion<P>, after: &Expansion<P>) {
    let known: Vec<_> = before.vertices.iter().chain([&before.support]).collect();
    assert!(after.vertices.iter().all(|vertex| known.contains(&vertex)));
    assert!(after.vertices.contains(&before.support), "{before:?}");
    assert_eq!(after.vertices.len(), before.vertices.len() + 1);
    assert!(before.lower <= after.lower, "{before:?} {after:?}");
    assert!(after.upper <= before.upper, "{before:?} {after:?}");
}

/// The last step agrees with the answer. Returns whether its bounds have closed.
fn check_end<V: Vector>(a: &Body<V>, b: &Body<V>, last: &Expansion<V::Precise>) -> bool {
    let answer = proximity(a.placed(), b.placed(), Real::INFINITY).expect("valid poses");
    let near = answer.near().expect("bounded shapes in range");
    let (radii, size) = (a.convex().radius() + b.convex().radius(), size_of(a, b));
    let rounding = ROUNDING * (size + radii);
    let depths = [near.upper, near.lower].map(|bound| -f64::from(bound) - radii);
    assert!(depths[0] <= last.upper + rounding, "{near:?} {last:?}");
    assert!(
        last.lower <= depths[1].max(0.0) + rounding,
        "{near:?} {last:?}"
    );
    if last.lower > 0.0 {
        let nearest = last.normal.dot(last.point);
        assert!(nearest >= last.lower - rounding, "{last:?}");
    }
    last.upper - last.lower <= 1e-4 * size
}

fn polytopes_grow_around_the_origin_to_the_depth<V: Space>() {
    let kinds: Vec<Kind> = Kind::bounded::<V>().collect();
    let placements = [Placement::Shallow, Placement::Deep, Placement::Concentric];
    let mut random = Pcg::new(0xe9a);
    let (mut traced, mut closed) = (0, 0);
    for round in 0..iterations(3000) {
        let [a, b] = [(); 2].map(|()| {
            let kind = random.pick(&kinds);
            body::<V>(kind, &mut random, 1.0)
        });
        let b = beside(&mut random, &a, &b, placements[round % 3]);
        let steps = trace_expansion(a.placed(), b.placed()).expect("valid poses");
        let Some(last) = steps.last() else {
            continue;
        };
        let size = size_of(&a, &b);
        for step in [&steps[0], last] {
            check_surface(step, size);
        }
        steps.iter().for_each(|step| check_vertices(step, size));
        for pair in steps.windows(2) {
            check_growth(&pair[0], &pair[1]);
        }
        traced += 1;
        closed += usize::from(check_end(&a, &b, last));
    }
    assert!(traced > iterations(1500), "{traced}");
    assert!(100 * closed > 98 * traced, "{closed} of {traced}");
}

fn shapes_without_an_expansion_have_no_steps<V: Space>() {
    let mut random = Pcg::new(0xe9b);
    let plane = body::<V>(Kind::HalfSpace, &mut random, 1.0);
    let ball = body::<V>(Kind::Ball, &mut random, 1.0);
    let cuboid = body::<V>(Kind::Cuboid, &mut random, 1.0);
    let apart = cuboid.moved_to(V::Precise::axis(0) * 5.0);
    for (a, b) in [(&plane, &cuboid), (&ball, &ball), (&cuboid, &apart)] {
        assert_eq!(trace_expansion(a.placed(), b.placed()), Ok(Vec::new()));
    }
}

fn poses_that_are_not_valid_are_refused<V: Space>() {
    let mut random = Pcg::new(0xe9c);
    let valid = body::<V>(Kind::Cuboid, &mut random, 1.0);
    let mut bad = valid.clone();
    bad.pose = Pose::from_translation(V::splat(Real::NAN));
    let refused = trace_expansion(valid.placed(), bad.placed()).expect_err("not a number");
    assert!(matches!(refused, QueryError::Pose { side: Side::B, .. }));
}

//! Faces, edges and corners of hulls.

use core::hint::select_unpredictable;

use arrayvec::ArrayVec;
use clearance_math::internal::MapEach;
use clearance_math::internal::heap_sort;
use clearance_math::internal::lanes::LANES;
use clearance_math::{DVec2, PreciseVector, Vector, greater_of, tolerances};
use clearance_shapes::Hull;
use clearance_shapes::internal::boundary_of;

use super::{Corner, Corners, Facing, Line, MOST_CORNERS, across, is_facing};
use crate::manifold::feature::Feature;

pub(super) fn facing<V: Vector>(
    sized: (&Hull<V>, f64),
    direction: V::Precise,
    found: &mut Facing<V::Precise>,
) {
    if const { V::DIM == 3 } || !of_few_sides(sized, direction, found) {
        at_farthest(sized, direction, found);
    }
}

/// Only the faces and edges at the farthest vertex are looked at: where the shapes touch, that vertex is part of what
/// touches.
fn at_farthest<V: Vector>(
    (hull, size): (&Hull<V>, f64),
    direction: V::Precise,
    found: &mut Facing<V::Precise>,
) {
    let vertex = hull.support_index(direction);
    let best = best_face(hull, vertex, direction);
    if let Some((number, cosine)) = best
        && is_facing(cosine)
    {
        return face((hull, number), tolerances::MANIFOLD_SLACK * size, found);
    }
    if const { V::DIM == 3 }
        && let Some(line) = edge(hull, vertex, direction)
    {
        return found.set_line(&line);
    }
    let point = position(hull, vertex);
    found.set_point(point, direction, Feature::Corner(vertex));
}

/// Finds what faces the direction on a polygon with few sides. All are looked at, which takes less time than to find the
/// farthest vertex: that is an end of the side whose normal is nearest to the direction.
///
/// `false` for other hulls, and where rounding might decide: where two normals are as near, or two ends as far.
fn of_few_sides<V: Vector>(
    (hull, size): (&Hull<V>, f64),
    direction: V::Precise,
    found: &mut Facing<V::Precise>,
) -> bool {
    let (sides, count) = (hull.sides(), hull.vertices().len());
    if sides.is_empty() {
        return false;
    }
    let along = direction.in_space();
    let cosine = |side: usize| {
        let [x, y] = &sides[side / LANES].normal;
        x[side % LANES] * along.x + y[side % LANES] * along.y
    };
    let (mut best, mut most) = (0, f64::NEG_INFINITY);
    for (block, four) in sides.iter().enumerate() {
        let [x, y] = &four.normal;
        for lane in 0..LANES {
            let other = x[lane] * along.x + y[lane] * along.y;
            let is_better = other > most;
            best = select_unpredictable(is_better, LANES * block + lane, best);
            most = select_unpredictable(is_better, other, most);
        }
    }
    // Sides are in order around the polygon, so the next best one is beside the best.
    let before = if best == 0 { count - 1 } else { best - 1 };
    let after = if best + 1 == count { 0 } else { best + 1 };
    let next = greater_of(cosine(before), cosine(after));
    if !(most - next > tolerances::SIDES_IN_LINE) {
        return false;
    }
    let [from, to] = [best, after].map_each(|start| corner(hull, start as u32));
    let normal = hull.face_normal(best);
    if is_facing(normal.dot(direction)) {
        found.corners.push(from);
        found.corners.push(to);
        found.set_plane(normal, Feature::Face(best as u32));
        return true;
    }
    let rise = direction.dot(to.point - from.point);
    if rise.abs() <= tolerances::DIFFERENCE_ROUNDING * size {
        return false;
    }
    let farther = if rise > 0.0 { to } else { from };
    found.set_point(farther.point, direction, Feature::Corner(farther.number));
    true
}

fn position<V: Vector>(hull: &Hull<V>, vertex: u32) -> V::Precise {
    hull.vertices()[vertex as usize].to_precise()
}

fn corner<V: Vector>(hull: &Hull<V>, vertex: u32) -> Corner<V::Precise> {
    Corner {
        point: position(hull, vertex),
        number: vertex,
    }
}

/// The face at a vertex whose normal is nearest to the direction, and the cosine between them.
fn best_face<V: Vector>(hull: &Hull<V>, vertex: u32, direction: V::Precise) -> Option<(u32, f64)> {
    let (&first, others) = hull.faces_at(vertex).split_first()?;
    let cosine = |face: u32| hull.face_normal(face as usize).dot(direction);
    let mut best = (first, cosine(first));
    for &face in others {
        let cosine = cosine(face);
        let is_better = cosine > best.1;
        // Which face is best cannot be guessed.
        best = (
            select_unpredictable(is_better, face, best.0),
            select_unpredictable(is_better, cosine, best.1),
        );
    }
    Some(best)
}

/// The edge at a vertex that lies most nearly across the direction, if it does.
fn edge<V: Vector>(hull: &Hull<V>, vertex: u32, direction: V::Precise) -> Option<Line<V::Precise>> {
    let Spanning { to, along, number } = most_across(hull, vertex, direction)?;
    let normal = across(along, direction)?;
    let ends = [vertex.min(to), vertex.max(to)];
    let number = number.unwrap_or_else(|| edge_number(hull, ends));
    Some(Line {
        ends: ends.map_each(|end| corner(hull, end)),
        normal: between_faces(hull, number, normal),
        feature: Feature::Edge(number),
    })
}

/// An edge at a vertex.
struct Spanning<P> {
    /// The vertex at its other end.
    to: u32,
    along: P,
    /// Its number, if that was at hand.
    number: Option<u32>,
}

/// The edge at a vertex that lies most nearly across a direction.
fn most_across<V: Vector>(
    hull: &Hull<V>,
    vertex: u32,
    direction: V::Precise,
) -> Option<Spanning<V::Precise>> {
    if let Some(boundary) = boundary_of(hull) {
        let along = |edge: u16| V::Precise::from_space(boundary.edges[usize::from(edge)].along);
        let spokes = boundary.spokes_of(vertex as u16).iter();
        let spoke = least(spokes, |spoke| along(spoke.edge).dot(direction).abs())?;
        return Some(Spanning {
            to: spoke.corner.into(),
            along: along(spoke.edge),
            number: Some(spoke.edge.into()),
        });
    }
    let from = position(hull, vertex);
    let neighbours = hull.neighbours(vertex).iter();
    let edges = neighbours.filter_map(|&to| Some((to, (position(hull, to) - from).direction()?)));
    let (to, along) = least(edges, |(_, along)| along.dot(direction).abs())?;
    Some(Spanning {
        to,
        along,
        number: None,
    })
}

/// The first item of which a number is least.
fn least<T>(items: impl Iterator<Item = T>, number: impl Fn(&T) -> f64) -> Option<T> {
    let numbered = items.map(|item| (number(&item), item));
    let (_, item) = numbered.reduce(|best, next| if next.0 < best.0 { next } else { best })?;
    Some(item)
}

/// A normal that the edge has, as near as possible to `normal`, which lies across it.
fn between_faces<V: Vector>(hull: &Hull<V>, edge: u32, normal: V::Precise) -> V::Precise {
    let Some(edge) = hull.edges().get(edge as usize) else {
        return normal;
    };
    let [from, to] = edge
        .vertices
        .map_each(|vertex| position(hull, vertex).in_space());
    // The first face lies to the left of the edge, the other one to the right.
    for (face, along) in edge.faces.into_iter().zip([to - from, from - to]) {
        let of_face = hull.face(face as usize).normal;
        let inwards = of_face.in_space().cross(along);
        if normal.in_space().dot(inwards) > 0.0 {
            return of_face;
        }
    }
    normal
}

/// The number of the edge from one vertex to the next. The outline of a bent face, or of one with very many sides, skips
/// vertices; its sides get the numbers of the vertices where they begin, after those of the edges.
pub(super) fn edge_number<V: Vector>(hull: &Hull<V>, [from, to]: [u32; 2]) -> u32 {
    let ends = [from.min(to), from.max(to)];
    let edge = hull.edge_between(ends);
    edge.unwrap_or_else(|| hull.edges().len() as u32 + from)
}

/// A face, together with the faces beside it that differ from its plane by rounding.
///
/// The faces of a box whose corners were rotated in single precision are two triangles each, since four rounded
/// points lie in no plane. Contacts must not depend on which of them is in front.
fn face<V: Vector>((hull, number): (&Hull<V>, u32), slack: f64, found: &mut Facing<V::Precise>) {
    let face = hull.face(number as usize);
    if const { V::DIM == 2 } || hull.is_face_alone(number as usize) {
        for vertex in evenly(face.vertices) {
            found.corners.push(corner(hull, vertex));
        }
        return found.set_plane(face.normal, Feature::Face(number));
    }
    let mut level: ArrayVec<u32, MOST_CORNERS> = evenly(face.vertices).collect();
    let own = level.len();
    let least = face.offset - slack;
    add_level_neighbours(hull, &mut level, |vertex| {
        position(hull, vertex).dot(face.normal) >= least
    });
    if level.len() == own {
        for &vertex in &level {
            found.corners.push(corner(hull, vertex));
        }
        return found.set_plane(face.normal, Feature::Face(number));
    }
    outline(hull, &level, (face.normal, &mut found.corners));
    let feature = Feature::Face(first_face(hull, &level, number));
    found.set_plane(face.normal, feature);
}

/// All vertices of a face, or as many as there is room for.
fn evenly(vertices: &[u32]) -> impl Iterator<Item = u32> {
    let count = vertices.len().min(MOST_CORNERS);
    let is_all = vertices.len() == count;
    // A division takes long.
    let place = move |k| {
        if is_all {
            k
        } else {
            k * vertices.len() / count
        }
    };
    (0..count).map(move |k| vertices[place(k)])
}

/// Adds the vertices that are connected to those of the list by vertices that are level.
fn add_level_neighbours<V: Vector>(
    hull: &Hull<V>,
    level: &mut ArrayVec<u32, MOST_CORNERS>,
    is_level: impl Fn(u32) -> bool,
) {
    let mut next = 0;
    while next < level.len() && !level.is_full() {
        for &vertex in hull.neighbours(level[next]) {
            if is_level(vertex) && !level.contains(&vertex) && level.try_push(vertex).is_err() {
                return;
            }
        }
        next += 1;
    }
}

/// The lowest number of the faces with all vertices in the list, which is the same whichever of them is in front.
fn first_face<V: Vector>(hull: &Hull<V>, level: &[u32], number: u32) -> u32 {
    let faces = level.iter().flat_map(|&vertex| hull.faces_at(vertex));
    let is_level = |face: &u32| {
        let vertices = hull.face(*face as usize).vertices;
        vertices.iter().all(|vertex| level.contains(vertex))
    };
    faces.copied().filter(is_level).fold(number, u32::min)
}

/// Appends the vertices that are corners of the polygon around all of them, in order.
fn outline<V: Vector>(
    hull: &Hull<V>,
    level: &[u32],
    (normal, corners): (V::Precise, &mut Corners<V::Precise>),
) {
    let right = normal.perpendicular();
    let up = V::Precise::from_space(normal.in_space().cross(right.in_space()));
    let first = position(hull, level[0]);
    let mut places: ArrayVec<(DVec2, u32), MOST_CORNERS> = level
        .iter()
        .zip(0..)
        .map(|(&vertex, number)| {
            let from_first = position(hull, vertex) - first;
            (
                DVec2::new(from_first.dot(right), from_first.dot(up)),
                number,
            )
        })
        .collect();
    // Those of a face come before those that are level with it.
    heap_sort(&mut places, |(p, a), (q, b)| {
        let xs = p.x.total_cmp(&q.x);
        xs.then(p.y.total_cmp(&q.y)).then(a.cmp(b)).is_lt()
    });
    for (_, number) in &mut places {
        *number = level[*number as usize];
    }
    chain(places.iter(), corners, hull);
    chain(places.iter().rev(), corners, hull);
}

/// Appends the vertices on one side of the polygon, without the last one, where the other side begins: see A. M.
/// Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.
fn chain<'a, V: Vector>(
    places: impl Iterator<Item = &'a (DVec2, u32)>,
    corners: &mut Corners<V::Precise>,
    hull: &Hull<V>,
) {
    let mut side: ArrayVec<(DVec2, u32), MOST_CORNERS> = ArrayVec::new();
    for &(place, vertex) in places {
        while let [.., (before, _), (last, _)] = side[..]
            && (last - before).perp_dot(place - last) <= 0.0
        {
            side.pop();
        }
        side.push((place, vertex));
    }
    side.pop();
    for (_, vertex) in side {
        // Both sides together have no more corners than there are vertices.
        if !corners.is_full() {
            corners.push(corner(hull, vertex));
        }
    }
}

#[cfg(test)]
mod tests {
    use clearance_math::Vec2;

    use super::*;
    use crate::test_numbers::Random;

    /// Polygons of random corners, and of few corners with more on the lines between them, which rounding moves off these.
    #[test]
    fn polygons_of_few_sides_are_answered_as_those_of_many() {
        let (mut random, mut counts) = (Random(19), [0; 3]);
        for round in 0..40_000 {
            let mut corners: Vec<Vec2> = (0..3 + round % 14).map(|_| random.vector()).collect();
            if round % 2 == 1 {
                corners.truncate(4);
                for k in 1..5 {
                    corners.push(corners[0].lerp(corners[1], k as f32 / 5.0));
                }
            }
            let hull = Hull::from_points(&corners).expect("they surround an area");
            let along = if round % 4 == 1 {
                (corners[1] - corners[0]).perp()
            } else {
                random.vector()
            };
            let direction = along.to_precise().normalize();
            let [mut few, mut many] = [Facing::empty(), Facing::empty()];
            at_farthest((&hull, 1.0), direction, &mut many);
            if !of_few_sides((&hull, 1.0), direction, &mut few) {
                counts[2] += 1;
                continue;
            }
            assert_eq!(format!("{few:?}"), format!("{many:?}"), "{corners:?}");
            counts[few.corners.len() - 1] += 1;
        }
        assert!(counts.iter().all(|&count| count > 1_000), "{counts:?}");
    }

    #[test]
    fn points_segments_and_polygons_of_many_sides_have_no_sides_to_look_at() {
        for count in [1, 2, 40] {
            let corner = |k: usize| Vec2::from_angle(k as f32);
            let corners: Vec<Vec2> = (0..count).map(corner).collect();
            let hull = Hull::from_points(&corners).expect("a hull of one point at least");
            let mut found = Facing::empty();
            let direction = Vec2::Y.to_precise();
            assert!(!of_few_sides((&hull, 1.0), direction, &mut found));
        }
    }
}

//! The simplex of a running search, with its vertices in SIMD lanes.
//!
//! The newest vertex is the farthest vertex towards the origin. Up to rounding it is therefore part
//! of the feature that contains the next nearest point: a face at the newest vertex, an edge there,
//! or the vertex alone. All faces and edges are examined together, and the next direction is the
//! normal of the face, not of unit length, so that no division delays it. Thin and flat simplices
//! are left to the careful solver, [`Simplex`].

use clearance_math::PreciseVector;
use clearance_math::internal::lanes::{
    FourVectors, LANES, Simd, SimdBase, SimdFloat, SimdMask, f64x4, mask64x4,
};
use clearance_math::tolerances::FLAT_SIMPLEX;

use crate::search::feet::Feet;
use crate::search::{Simplex, Vertex, weights_inside};

/// The greatest number of vertices that span a nearest point other than the origin.
const MOST: usize = 3;

/// A simplex of one to three vertices of the difference, with its point nearest to the origin.
pub(crate) struct SimplexInLanes<S: Simd, P> {
    vertices: [Vertex<P>; MOST],
    count: usize,
    /// The points of the vertices. Unused lanes have no meaning.
    points: FourVectors<S, P>,
    toward: Toward<P>,
    /// One over the size of the difference. Multiplied by it, normals (products of two edges) have
    /// the length of edges, whatever the unit of length is.
    per_size: f64,
}

/// The position of the nearest point of a simplex.
#[derive(Clone, Copy)]
pub(crate) struct Toward<P> {
    /// A vector from the origin towards the point.
    pub(crate) direction: P,
    /// The length of that vector.
    pub(crate) length: f64,
    /// The distance of the point from the origin.
    pub(crate) distance: f64,
}

/// The result of adding a vertex.
pub(crate) enum Added<P> {
    /// The simplex came nearer to the origin, or it is farther by less than the slack.
    Nearer,
    /// The simplex would be farther from the origin, so only rounding is left. It was not changed.
    NotNearer,
    /// The simplex and the vertex together contain the origin.
    Holds(Simplex<P>),
}

/// Which old vertices span the nearest point together with the newest vertex.
#[derive(Clone, Copy)]
enum Carriers {
    /// All vertices except the one in this place, which the newest vertex takes.
    Face(usize),
    /// The vertex in this place.
    Edge(usize),
    /// None.
    Newest,
}

/// The result of a trial with a newest vertex.
enum Trial<P> {
    /// The nearest point is spanned by the newest vertex and some others.
    Nearer(Toward<P>, Carriers),
    /// The simplex with the newest vertex contains the origin.
    Holds,
    /// The simplex is too thin or too flat for this solver, so the careful solver must decide.
    Unsure,
}

/// For each number of vertices: the faces (one bit for each lane) that face the origin in any case,
/// and those that do if the opposite vertex lies on the other side.
const FACES: [[u64; 2]; MOST + 1] = [[0, 0], [0, 0], [0b001, 0], [0, 0b111]];

/// The lane of the vertex opposite the face in each lane; the last entry has no meaning.
const OPPOSITE: [usize; LANES] = [2, 0, 1, 0];

impl<S: Simd, P: PreciseVector> SimplexInLanes<S, P> {
    /// The simplex of one vertex, for a difference of the given size.
    #[inline(always)]
    pub(crate) fn from_vertex(simd: S, vertex: &Vertex<P>, size: f64) -> Self {
        Self {
            per_size: if size > 0.0 { 1.0 / size } else { 1.0 },
            vertices: [*vertex; MOST],
            count: 1,
            points: FourVectors::splat(simd, vertex.point),
            toward: Toward::point(vertex.point),
        }
    }

    /// The simplex of those of one to three vertices that span the nearest point, in any order.
    #[inline(always)]
    pub(crate) fn from_vertices(simd: S, vertices: &[Vertex<P>], size: f64) -> Self {
        let mut simplex = Self::from_vertex(simd, &vertices[0], size);
        let points = match vertices {
            [a, b, c] => Some([a.point, b.point, c.point]),
            _ => None,
        };
        if let Some(toward) = points.and_then(|points| simplex.inside(points)) {
            simplex.set(vertices);
            simplex.toward = toward;
        } else {
            let nearest = Simplex::nearest_of(vertices);
            simplex.set(nearest.vertices());
            let (on_a, on_b) = nearest.witness_points();
            simplex.toward = Toward::point(on_a - on_b);
        }
        simplex
    }

    /// The position of the foot on a triangle, if it lies inside and the triangle is not thin.
    #[inline(always)]
    fn inside(&self, [a, b, c]: [P; 3]) -> Option<Toward<P>> {
        weights_inside([a, b, c])?;
        let normal = (a - c).in_space().cross((b - c).in_space());
        let normal = P::from_space(normal * self.per_size);
        let height = normal.dot(c);
        let toward = Toward::foot(normal * height.signum(), height.abs());
        Some(toward)
    }

    /// Takes these vertices in place of its own, of which the nearest point is not found anew.
    #[inline(always)]
    fn set(&mut self, vertices: &[Vertex<P>]) {
        self.count = vertices.len();
        self.vertices = [vertices[0]; MOST];
        self.vertices[..self.count].copy_from_slice(vertices);
        let of_lane = |lane: usize| self.vertices[lane % MOST].point;
        self.points = FourVectors::from_lanes(self.points.x.simd, of_lane);
    }

    /// The position of the nearest point.
    #[inline(always)]
    pub(crate) fn toward(&self) -> &Toward<P> {
        &self.toward
    }

    /// Adds the vertex that the last support query found, and keeps the vertices that span the next
    /// nearest point. That point must be nearer to the origin than before, or farther by less than
    /// `slack`.
    #[inline(always)]
    pub(crate) fn add(&mut self, newest: &Vertex<P>, slack: f64) -> Added<P> {
        match self.next(newest.point) {
            Trial::Nearer(toward, carriers) => {
                let is_nearer = toward.distance < self.toward.distance + slack;
                if !is_nearer {
                    return Added::NotNearer;
                }
                self.keep(carriers, newest);
                self.toward = toward;
                Added::Nearer
            }
            Trial::Holds => Added::Holds(Simplex::full(self.vertices(), newest)),
            Trial::Unsure => self.add_carefully(newest, slack),
        }
    }

    /// Moves b by `offset`, and adds a vertex that is given as it is after that. It must be one that the last
    /// support query found, and the origin may not move beyond its plane.
    #[inline(always)]
    pub(crate) fn move_b_and_add(&mut self, offset: P, newest: &Vertex<P>) -> Added<P> {
        let simd = self.points.x.simd;
        self.points = self.points - FourVectors::splat(simd, offset);
        for vertex in &mut self.vertices {
            vertex.point -= offset;
        }
        // The simplex may be farther from the origin than before.
        self.toward.distance = f64::INFINITY;
        self.add(newest, 0.0)
    }

    /// The vertices.
    #[inline(always)]
    pub(crate) fn vertices(&self) -> &[Vertex<P>] {
        &self.vertices[..self.count]
    }

    /// Whether the simplex has a vertex with the same two witness points.
    #[inline(always)]
    pub(crate) fn contains(&self, vertex: &Vertex<P>) -> bool {
        self.vertices().iter().any(|own| own.is_same(vertex))
    }

    /// Finds the feature that would contain the nearest point if `newest` were added: a face at it
    /// that contains the foot and has the origin beyond it; else no feature, if the origin lies
    /// beyond no face; else an edge at it, or the vertex alone.
    ///
    /// Lane k holds the vertices a = k and b = k + 1, the newest vertex c, u = a - c and v = b - c.
    /// The foot on the face is c + s u + t v, where s and t solve the normal equations u.u s + u.v
    /// t = -u.c and u.v s + v.v t = -v.c. It lies inside if both are positive and s + t < 1; all of
    /// these are multiplied by the determinant of the equations here. The origin lies beyond the
    /// face if the plane of the face separates it from the opposite vertex.
    #[inline(always)]
    fn next(&self, newest: P) -> Trial<P> {
        let simd = self.points.x.simd;
        let c = FourVectors::splat(simd, newest);
        let (u, v) = (self.points - c, self.points.rotated(1) - c);
        let feet = Feet::new(c, [u, v]);
        let over = feet.over().to_bitmask();

        let normals = u.cross(v);
        let heights = normals.dot(c);
        let w = self.points.rotated(2) - c;
        let volumes = normals.dot(w);
        let beyond = (heights * volumes)
            .simd_gt(f64x4::splat(simd, 0.0))
            .to_bitmask();
        let [always, where_beyond] = FACES[self.count];
        let facing = always | where_beyond & beyond;
        let edges = feet.spread * w.length_squared() * (FLAT_SIMPLEX * FLAT_SIMPLEX);
        let solid = (volumes * volumes).simd_gt(edges).to_bitmask();
        if where_beyond & !solid != 0 {
            return Trial::Unsure;
        }
        let found = over & facing;
        if found != 0 {
            if const { P::DIM == 2 } {
                return Trial::Holds;
            }
            let lane = found.trailing_zeros() as usize % LANES;
            let toward = self.foot(normals, heights, lane);
            return Trial::Nearer(toward, Carriers::Face(OPPOSITE[lane]));
        }
        if self.count == MOST && facing == 0 {
            return Trial::Holds;
        }
        if facing & (!feet.thick | feet.between).to_bitmask() != 0 {
            return Trial::Unsure;
        }
        match nearest_foot(c, u, feet.along_u(), self.count) {
            None => Trial::Nearer(Toward::point(newest), Carriers::Newest),
            Some((place, t, foot)) if t < 1.0 => {
                Trial::Nearer(Toward::point(foot), Carriers::Edge(place))
            }
            Some(_) => Trial::Unsure,
        }
    }

    /// The position of the foot on the face in one lane.
    #[inline(always)]
    fn foot(&self, normals: FourVectors<S, P>, heights: f64x4<S>, lane: usize) -> Toward<P> {
        let per_size = f64x4::splat(heights.simd, self.per_size);
        let normal = (normals * per_size.copysign(heights)).lane(lane);
        let height = (heights.abs() * per_size).to_array()[lane];
        Toward::foot(normal, height)
    }

    /// Adds the newest vertex and keeps the vertices that span the nearest point with it.
    #[inline(always)]
    fn keep(&mut self, carriers: Carriers, newest: &Vertex<P>) {
        let simd = self.points.x.simd;
        let new = FourVectors::splat(simd, newest.point);
        match carriers {
            Carriers::Face(place) => {
                self.points = new.or_where_unset(lane_of(simd, place), self.points);
                self.vertices[place].set(newest);
                self.count = MOST;
            }
            Carriers::Edge(place) => {
                let old = FourVectors::splat(simd, self.vertices[place].point);
                self.points = new.or_where_unset(lane_of(simd, 1), old);
                let old = self.vertices[place];
                self.vertices[0].set(&old);
                self.vertices[1].set(newest);
                self.count = 2;
            }
            Carriers::Newest => {
                self.points = new;
                self.vertices[0].set(newest);
                self.count = 1;
            }
        }
    }

    /// [`SimplexInLanes::add`] by the careful solver, which handles all cases.
    #[cold]
    #[inline(never)]
    fn add_carefully(&mut self, newest: &Vertex<P>, slack: f64) -> Added<P> {
        let mut simplex = Simplex::nearest_of(self.vertices());
        let nearest = simplex.with(newest);
        simplex.keep(&nearest, newest);
        if simplex.is_full() {
            return Added::Holds(simplex);
        }
        let toward = Toward::point(nearest.point);
        let is_nearer = toward.distance < self.toward.distance + slack;
        if !is_nearer {
            return Added::NotNearer;
        }
        self.set(simplex.vertices());
        self.toward = toward;
        Added::Nearer
    }
}

impl<P: PreciseVector> Toward<P> {
    /// The nearest point.
    pub(crate) fn nearest(&self) -> P {
        self.direction * (self.distance / self.length)
    }

    /// The position of a point that is known.
    #[inline(always)]
    fn point(nearest: P) -> Self {
        let length = nearest.length();
        Self {
            direction: nearest,
            length,
            distance: length,
        }
    }

    /// The position of the foot on a face: `height` is the scalar product of the normal with any
    /// point of the face.
    #[inline(always)]
    fn foot(normal: P, height: f64) -> Self {
        let length = normal.length();
        Self {
            direction: normal,
            length,
            distance: height / length,
        }
    }
}

/// Finds the edge, among the first `count` edges c + t u, whose foot is nearest to the origin, with
/// its t and its foot; `None` if c itself is nearest.
///
/// The edges are compared by the distances of their feet. How much nearer an edge comes than c
/// would decide it as well, but if c is far away, all digits of that would cancel.
#[inline(always)]
fn nearest_foot<S: Simd, P: PreciseVector>(
    c: FourVectors<S, P>,
    u: FourVectors<S, P>,
    t: f64x4<S>,
    count: usize,
) -> Option<(usize, f64, P)> {
    let feet = c + u * t;
    let (distances, t) = (feet.length_squared().to_array(), t.to_array());
    let mut nearest = c.length_squared().to_array()[0];
    let mut edge = None;
    for place in 0..count {
        if t[place] > 0.0 && distances[place] < nearest {
            nearest = distances[place];
            edge = Some(place);
        }
    }
    edge.map(|place| (place, t[place], feet.lane(place)))
}

/// The mask of the lane of the vertex in a place.
#[inline(always)]
fn lane_of<S: Simd>(simd: S, place: usize) -> mask64x4<S> {
    const LANE_OF: [[i64; LANES]; MOST] = [[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0]];
    mask64x4::from_slice(simd, &LANE_OF[place % MOST])
}

#[cfg(test)]
mod tests;

//! The simplex of a running search, its vertices beside each other in lanes.
//!
//! The newest vertex lies beyond the others as seen from the origin's side, so it carries the next
//! nearest point, but for rounding: with the foot of the perpendicular on a face at the newest vertex, on
//! an edge there, or alone. All faces and edges are looked at together, and no division is waited for:
//! the next direction is the normal of the face, not of unit length. What is thin or flat goes the
//! careful way of [`Simplex`].

mod feet;

use clearance_math::PreciseVector;
use clearance_math::lanes::{
    FourVectors, LANES, Simd, SimdBase, SimdFloat, SimdMask, f64x4, mask64x4,
};
use clearance_math::tolerances::FLAT_SIMPLEX;

use self::feet::{Feet, nearest_foot};
use crate::seed_simplex::SeedVertices;
use crate::simplex::Simplex;
use crate::vertex::Vertex;

/// The most vertices that can carry a point other than the origin.
const MOST: usize = 3;

/// One to three vertices of the difference, and where their hull is nearest the origin.
pub(crate) struct SimplexInLanes<S: Simd, P> {
    vertices: [Vertex<P>; MOST],
    count: usize,
    /// The points of the vertices; what stands in other lanes counts for nothing.
    points: FourVectors<S, P>,
    toward: Toward<P>,
    /// One over the size of the difference: normals, which are products of edges, are as long as edges
    /// with it, whatever the unit of length is.
    per_size: f64,
}

/// Where the nearest point of a simplex is.
#[derive(Clone, Copy)]
pub(crate) struct Toward<P> {
    /// A vector from the origin towards it.
    pub(crate) direction: P,
    /// The length of that vector.
    pub(crate) length: f64,
    /// How far from the origin it is.
    pub(crate) distance: f64,
}

/// What came of adding a vertex.
pub(crate) enum Added<P> {
    /// The simplex is nearer than before, or farther by less than the slack.
    Nearer,
    /// It would be farther: rounding is all that is left, and the simplex stays as it was.
    NotNearer,
    /// The simplex and the vertex hold the origin.
    Holds(Simplex<P>),
}

/// What carries the nearest point besides the newest vertex.
#[derive(Clone, Copy)]
enum Carriers {
    /// All vertices but the one in this place, which the newest takes.
    Face(usize),
    /// The vertex in this place.
    Edge(usize),
    /// None.
    Newest,
}

/// What would come of a newest vertex.
enum Next<P> {
    /// The nearest point is carried by the newest vertex and some others.
    Nearer(Toward<P>, Carriers),
    /// With the newest vertex the simplex holds the origin.
    Holds,
    /// Too thin or too flat to decide quickly: the careful solver decides.
    Unsure,
}

/// For a number of vertices: the faces (a bit for each lane) that lie towards the origin in any
/// case, and those that do where the vertex opposite lies on the other side.
const FACES: [[u64; 2]; MOST + 1] = [[0, 0], [0, 0], [0b001, 0], [0, 0b111]];

/// The lane of the vertex opposite of the face in each lane; the last counts for nothing.
const OPPOSITE: [usize; LANES] = [2, 0, 1, 0];

impl<S: Simd, P: PreciseVector> SimplexInLanes<S, P> {
    /// The simplex of one vertex of a difference of such a size.
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

    /// Makes of the one vertex of this simplex a face or an edge of the four triangles between it and
    /// the seed, if that comes nearer.
    ///
    /// The first face with its foot inside, else the edge at the vertex whose foot is nearest, unless that
    /// lies beyond the seed vertices: any simplex whose nearest point is known will do for a start.
    #[inline(always)]
    pub(crate) fn widen(&mut self, seed: &SeedVertices<S, P>) {
        let simd = self.points.x.simd;
        let middle = self.vertices[0];
        let c = FourVectors::splat(simd, middle.point);
        let rim = seed.on_a - seed.on_b;
        let (u, v) = (rim - c, rim.rolled() - c);
        let feet = Feet::new(c, u, v);
        let over = feet.over().to_bitmask();
        if over != 0 {
            let lane = over.trailing_zeros() as usize % LANES;
            let normals = u.cross(v);
            self.toward = self.foot(normals, normals.dot(c), lane);
            self.vertices = [seed.vertex(lane), seed.vertex((lane + 1) % LANES), middle];
            self.count = MOST;
        } else if let Some((lane, t, foot)) = nearest_foot((c, u), feet.along_u(), LANES)
            && t < 1.0
        {
            self.toward = Toward::point(foot);
            self.vertices = [seed.vertex(lane), middle, middle];
            self.count = 2;
        } else {
            return;
        }
        self.points = FourVectors::from_lanes(simd, |lane| self.vertices[lane % MOST].point);
    }

    /// Where the nearest point is.
    #[inline(always)]
    pub(crate) fn toward(&self) -> &Toward<P> {
        &self.toward
    }

    /// Adds the vertex that was sought beyond the nearest point, and keeps what carries the next one,
    /// which is nearer, or by less than `slack` farther.
    #[inline(always)]
    pub(crate) fn add(&mut self, newest: &Vertex<P>, slack: f64) -> Added<P> {
        match self.next(newest.point) {
            Next::Nearer(toward, carriers) => {
                let is_nearer = toward.distance < self.toward.distance + slack;
                if !is_nearer {
                    return Added::NotNearer;
                }
                self.keep(carriers, newest);
                self.toward = toward;
                Added::Nearer
            }
            Next::Holds => Added::Holds(Simplex::full(self.vertices(), *newest)),
            Next::Unsure => self.add_carefully(newest, slack),
        }
    }

    /// The vertices.
    #[inline(always)]
    pub(crate) fn vertices(&self) -> &[Vertex<P>] {
        &self.vertices[..self.count]
    }

    /// Whether a vertex with the same two witnesses is present.
    #[inline(always)]
    pub(crate) fn contains(&self, vertex: &Vertex<P>) -> bool {
        self.vertices()
            .iter()
            .any(|v| v.on_a == vertex.on_a && v.on_b == vertex.on_b)
    }

    /// What would carry the nearest point if `newest` were added: a face at it whose foot lies inside,
    /// with the origin beyond; else nothing, if the origin lies beyond none; else an edge at it, or it
    /// alone.
    ///
    /// In lane k stand the vertices a = k and b = k + 1, c the newest, u = a - c and v = b - c. The
    /// foot on the face is c + s u + t v, where s and t solve the normal equations
    /// u.u s + u.v t = -u.c, u.v s + v.v t = -v.c: inside if both are positive and s + t < 1, here
    /// all times the determinant of the equations. The origin lies beyond the face if it and the
    /// vertex opposite have the plane between them.
    #[inline(always)]
    fn next(&self, newest: P) -> Next<P> {
        let simd = self.points.x.simd;
        let c = FourVectors::splat(simd, newest);
        let (u, v) = (self.points - c, self.points.rotated(1) - c);
        let feet = Feet::new(c, u, v);
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
            return Next::Unsure;
        }
        let found = over & facing;
        if found != 0 {
            if P::DIM == 2 {
                return Next::Holds;
            }
            let lane = found.trailing_zeros() as usize % LANES;
            let toward = self.foot(normals, heights, lane);
            return Next::Nearer(toward, Carriers::Face(OPPOSITE[lane]));
        }
        if self.count == MOST && facing == 0 {
            return Next::Holds;
        }
        if facing & (!feet.thick | feet.between).to_bitmask() != 0 {
            return Next::Unsure;
        }
        match nearest_foot((c, u), feet.along_u(), self.count) {
            None => Next::Nearer(Toward::point(newest), Carriers::Newest),
            Some((place, t, foot)) if t < 1.0 => {
                Next::Nearer(Toward::point(foot), Carriers::Edge(place))
            }
            Some(_) => Next::Unsure,
        }
    }

    /// Towards the foot of one of the perpendiculars on faces.
    #[inline(always)]
    fn foot(&self, normals: FourVectors<S, P>, heights: f64x4<S>, lane: usize) -> Toward<P> {
        let per_size = f64x4::splat(heights.simd, self.per_size);
        let normal = (normals * per_size.copysign(heights)).lane(lane);
        let height = (heights.abs() * per_size).to_array()[lane];
        Toward::foot(normal, height)
    }

    /// Adds the newest vertex and keeps what carries the nearest point with it.
    #[inline(always)]
    fn keep(&mut self, carriers: Carriers, newest: &Vertex<P>) {
        let simd = self.points.x.simd;
        let new = FourVectors::splat(simd, newest.point);
        match carriers {
            Carriers::Face(place) => {
                self.points = new.or_where_unset(lane_of(simd, place), self.points);
                self.vertices[place] = *newest;
                self.count = MOST;
            }
            Carriers::Edge(place) => {
                let old = FourVectors::splat(simd, self.vertices[place].point);
                self.points = new.or_where_unset(lane_of(simd, 1), old);
                self.vertices[0] = self.vertices[place];
                self.vertices[1] = *newest;
                self.count = 2;
            }
            Carriers::Newest => {
                self.points = new;
                self.vertices[0] = *newest;
                self.count = 1;
            }
        }
    }

    /// [`SimplexInLanes::add`] by the solver that takes all cases into account.
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
        self.count = simplex.vertices().len();
        self.vertices = [simplex.vertices()[0]; MOST];
        self.vertices[..self.count].copy_from_slice(simplex.vertices());
        let of_lane = |lane: usize| self.vertices[lane % MOST].point;
        self.points = FourVectors::from_lanes(self.points.x.simd, of_lane);
        self.toward = toward;
        Added::Nearer
    }
}

impl<P: PreciseVector> Toward<P> {
    /// The nearest point.
    pub(crate) fn nearest(&self) -> P {
        self.direction * (self.distance / self.length)
    }

    /// Straight to the nearest point.
    #[inline(always)]
    fn point(nearest: P) -> Self {
        let length = nearest.length();
        Self {
            direction: nearest,
            length,
            distance: length,
        }
    }

    /// To the foot on a face, along its normal: `height` is the scalar product of the normal and any
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

/// The lane of the vertex in a place.
#[inline(always)]
fn lane_of<S: Simd>(simd: S, place: usize) -> mask64x4<S> {
    const LANE_OF: [[i64; LANES]; MOST] = [[-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 0]];
    mask64x4::from_slice(simd, &LANE_OF[place % MOST])
}

#[cfg(test)]
mod tests;

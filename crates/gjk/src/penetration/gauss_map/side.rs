//! One of two polyhedra: its faces as SIMD code reads them, and one by one.

use clearance_math::{DVec3, PreciseVector, Vector, tolerances};
use clearance_shapes::hull::{GaussMap, Hull, SIXTEEN, SixteenDirections, SixteenNumbers};
use clearance_shapes::{Convex, Core};

/// The normals of the faces of a side, in its own frame.
#[derive(Clone, Copy)]
pub(super) struct Faces<'a> {
    pub(super) normals: &'a [SixteenDirections],
    /// The number of the face to which each of them belongs.
    pub(super) numbers: &'a [u32],
}

/// Storage for the normals of a core that does not store them itself.
pub(super) type FaceStorage = Option<[SixteenDirections; 1]>;

/// A core with flat faces.
pub(super) struct Side<'a, V: Vector> {
    pub(super) core: &'a Core<V>,
    faces: Faces<'a>,
    /// An upper bound of the distance of its points from its middle.
    pub(super) size: f64,
    /// A point inside.
    pub(super) middle: V::Precise,
    /// The unit normal of a triangle.
    normal: V::Precise,
}

impl<'a, V: Vector> Side<'a, V> {
    /// `None` for cores of other kinds.
    #[inline]
    pub(super) fn new(shape: &'a Convex<V>, storage: &'a mut FaceStorage) -> Option<Self> {
        let core = shape.core();
        let mut normal = V::Precise::ZERO;
        let faces = match core {
            Core::Segment(_) => Faces {
                normals: &[],
                numbers: &[],
            },
            Core::Triangle(triangle) => {
                let unit = precise_normal(triangle.corners().map(PreciseVector::in_space))?;
                normal = V::Precise::from_space(unit);
                Faces {
                    normals: storage.insert([block(&[unit, -unit])]),
                    numbers: &[0, 1],
                }
            }
            Core::Cuboid(_) => Faces {
                normals: &CUBOID,
                numbers: &[0, 1, 2, 3, 4, 5],
            },
            Core::Hull(hull) => {
                let map = hull.gauss_map()?;
                Faces {
                    normals: map.normals(),
                    numbers: map.faces(),
                }
            }
            _ => return None,
        };
        Some(Self {
            core,
            faces,
            size: shape.core_size(),
            middle: shape.core_center(),
            normal,
        })
    }

    #[inline(always)]
    pub(super) fn faces(&self) -> Faces<'a> {
        self.faces
    }

    /// The outward unit normal of a face and one of its corners.
    #[inline(always)]
    pub(super) fn face(&self, face: usize) -> (V::Precise, V::Precise) {
        match self.core {
            Core::Hull(hull) => {
                let face = hull.face(face);
                let corner = hull.vertices()[face.vertices[0] as usize];
                (face.normal, corner.to_precise())
            }
            Core::Cuboid(cuboid) => {
                let axis = V::Precise::axis(face / 2);
                let half_extents = cuboid.half_extents.to_precise();
                if face.is_multiple_of(2) {
                    (axis, half_extents)
                } else {
                    (-axis, -half_extents)
                }
            }
            Core::Triangle(triangle) => {
                let normal = if face == 0 { self.normal } else { -self.normal };
                (normal, triangle.a.to_precise())
            }
            _ => unreachable!("other cores have no faces"),
        }
    }

    /// The hull and its Gauss map, of the side with arcs.
    #[inline(always)]
    pub(super) fn hull(&self) -> Option<(&'a Hull<V>, &'a GaussMap)> {
        match self.core {
            Core::Hull(hull) => Some((hull, hull.gauss_map()?)),
            _ => None,
        }
    }

    /// Whether a point of the plane of a face lies on the face, or at most `slack` beside it.
    pub(super) fn holds(&self, face: usize, point: V::Precise, slack: f64) -> bool {
        match self.core {
            Core::Hull(hull) => {
                let corner = |k: u32| hull.vertices()[k as usize].to_precise().in_space();
                let face = hull.face(face);
                let loops = face.vertices.iter().map(|&k| corner(k));
                is_within(loops, face.normal.in_space(), point.in_space(), slack)
            }
            Core::Cuboid(cuboid) => {
                let half_extents = cuboid.half_extents.to_precise();
                (0..3).all(|k| point.component(k).abs() <= half_extents.component(k) + slack)
            }
            Core::Triangle(triangle) => {
                let corners = triangle.corners().map(PreciseVector::in_space);
                let normal = self.normal.in_space();
                is_within(corners.into_iter(), normal, point.in_space(), slack)
            }
            _ => false,
        }
    }
}

/// The unit normal of a triangle; `None` for one that is so thin that rounding errors could tilt it.
fn precise_normal([a, b, c]: [DVec3; 3]) -> Option<DVec3> {
    let sides = [b - a, c - b, a - c];
    let longest = (sides.iter()).fold(0.0, |longest: f64, side| longest.max(side.length_squared()));
    let normal = sides[0].cross(sides[1]);
    let is_wide = normal.length() > tolerances::PRECISE_NORMAL * longest;
    is_wide.then(|| normal / normal.length())
}

/// Whether a point of the plane of a polygon is not more than `slack` outside of any of its sides. The corners are
/// counter-clockwise as seen from where the normal points.
fn is_within(
    corners: impl Iterator<Item = DVec3> + Clone,
    normal: DVec3,
    point: DVec3,
    slack: f64,
) -> bool {
    let next = corners.clone().cycle().skip(1);
    corners.zip(next).all(|(from, to)| {
        let side = to - from;
        let inside = normal.cross(side).dot(point - from);
        inside >= -slack * side.length()
    })
}

/// Up to sixteen directions; unused places are filled with copies of the last.
fn block(directions: &[DVec3]) -> SixteenDirections {
    let number = |lane: usize, axis: usize| directions[lane.min(directions.len() - 1)][axis] as f32;
    core::array::from_fn(|axis| SixteenNumbers(core::array::from_fn(|lane| number(lane, axis))))
}

/// The normals of the faces of a cuboid: x, -x, y, -y, z, -z.
static CUBOID: [SixteenDirections; 1] = [[
    SixteenNumbers(lanes([1.0, -1.0, 0.0, 0.0, 0.0, 0.0])),
    SixteenNumbers(lanes([0.0, 0.0, 1.0, -1.0, 0.0, 0.0])),
    SixteenNumbers(lanes([0.0, 0.0, 0.0, 0.0, 1.0, -1.0])),
]];

const fn lanes(six: [f32; 6]) -> [f32; SIXTEEN] {
    let mut lanes = [0.0; SIXTEEN];
    let mut k = 0;
    while k < six.len() {
        lanes[k] = six[k];
        k += 1;
    }
    lanes
}

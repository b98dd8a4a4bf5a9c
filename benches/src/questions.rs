//! The workloads of questions: a closed mesh, rays, points and poses about it, and a crowd of balls.

use clearance_gjk::Placed;
use clearance_math::{Pose, Quat, Ray, Real, Vec3};
use clearance_shapes::{Shape, ShapeError};

use crate::Random;

/// How many different questions are asked in turn.
pub const QUESTIONS: usize = 1024;

/// How far apart the parts of a contact may be.
pub const WITHIN: Real = 0.05;

/// How often the faces of the octahedron are divided: 131,072 triangles.
const DIVISIONS: u32 = 7;

/// The radius of each ball of the crowd.
pub const CROWD_RADIUS: Real = 0.5;

/// Questions about a closed mesh that is placed somewhere.
pub struct MeshQuestions {
    /// The vertices of the mesh.
    pub vertices: Vec<Vec3>,
    /// The triangles of the mesh.
    pub triangles: Vec<[u32; 3]>,
    /// The mesh.
    pub mesh: Shape<Vec3>,
    /// Its pose.
    pub pose: Pose<Vec3>,
    /// Rays from outside, most of which hit.
    pub rays: Vec<Ray<Vec3>>,
    /// Points inside and outside.
    pub points: Vec<Vec3>,
    /// Poses of bodies of size 0.1 at the surface.
    pub near: Vec<Pose<Vec3>>,
    /// Poses of the same mesh beside the placed one, apart by up to a tenth of its radius.
    pub beside: Vec<Pose<Vec3>>,
}

impl MeshQuestions {
    /// The same questions at each call.
    ///
    /// # Errors
    /// None, unless the mesh is made wrongly.
    pub fn new() -> Result<Self, ShapeError> {
        let (vertices, triangles) = bumpy_sphere();
        let mesh = Shape::mesh(&vertices, &triangles)?;
        let mut random = Random::new(91);
        let pose = Pose::new(Vec3::new(0.1, 0.2, 0.3), turn(&mut random));
        let rays = rays(&mut random, 3.0, 0.9);
        let points: Vec<Vec3> = (0..QUESTIONS).map(|_| point(&mut random, 1.5)).collect();
        let mut around = |distance: Real| -> Vec<Pose<Vec3>> {
            let place = |_| {
                let direction = point(&mut random, 1.0).normalize_or(Vec3::X);
                Pose::new(pose.translation() + direction * distance, turn(&mut random))
            };
            (0..QUESTIONS).map(place).collect()
        };
        let (near, beside) = (around(1.1), around(2.1));
        Ok(Self {
            vertices,
            triangles,
            mesh,
            pose,
            rays,
            points,
            near,
            beside,
        })
    }

    /// The mesh at its pose.
    #[must_use]
    pub fn placed(&self) -> Placed<'_, Vec3> {
        Placed::new(&self.mesh, &self.pose)
    }
}

/// The centres of 100,000 balls of radius [`CROWD_RADIUS`] in a cube of half extent 50, and rays through
/// it.
#[must_use]
pub fn crowd() -> (Vec<Vec3>, Vec<Ray<Vec3>>) {
    let mut random = Random::new(92);
    let centers = (0..100_000).map(|_| point(&mut random, 50.0)).collect();
    (centers, rays(&mut random, 100.0, 50.0))
}

/// A rotation without a preferred axis.
pub fn turn(random: &mut Random) -> Quat {
    let [x, y, z, w] = [(); 4].map(|()| random.between(-1.0, 1.0));
    Quat::from_xyzw(x, y, z, w).normalize()
}

/// A bumpy sphere: an octahedron whose triangles are divided in four and moved onto the surface.
fn bumpy_sphere() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut vertices = vec![
        Vec3::X,
        Vec3::NEG_X,
        Vec3::Y,
        Vec3::NEG_Y,
        Vec3::Z,
        Vec3::NEG_Z,
    ];
    let mut triangles = vec![
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];
    for _ in 0..DIVISIONS {
        let mut middles = std::collections::HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let sum = vertices[a as usize] + vertices[b as usize];
                vertices.push(sum.normalize());
                vertices.len() as u32 - 1
            })
        };
        let divided = triangles.iter().flat_map(|&[a, b, c]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        });
        triangles = divided.collect();
    }
    for vertex in &mut vertices {
        let [x, y, z] = (*vertex * 9.0).to_array().map(f64::from);
        let bump = libm::sin(x) * libm::sin(y) * libm::sin(z);
        *vertex *= 1.0 + 0.05 * bump as Real;
    }
    (vertices, triangles)
}

/// A point in a cube.
pub fn point(random: &mut Random, size: Real) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| random.between(-size, size)))
}

/// Rays from outside of a region to points within.
pub fn rays(random: &mut Random, outside: Real, within: Real) -> Vec<Ray<Vec3>> {
    let ray = |_| {
        let origin = point(random, 1.0).normalize_or(Vec3::X) * outside;
        let towards = point(random, within) - origin;
        Ray::new(origin, towards).unwrap_or_else(|_| unreachable!("the ray has a direction"))
    };
    (0..QUESTIONS).map(ray).collect()
}

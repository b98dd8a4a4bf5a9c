//! A placed shape as the truth sees it: double precision, from the definition of the shape.

use clearance_math::{DMat3, DVec3, PreciseVector, Real, Vector};
use clearance_shapes::{Core, Ellipsoid, Shape};

use super::body::Space;
use crate::common::Body;

/// The hull of finitely many points, in world orientation about the origin of its body.
#[derive(Clone, Debug)]
pub(crate) struct Polytope {
    pub(crate) corners: Vec<DVec3>,
    /// Pairs of corners.
    pub(crate) edges: Vec<[usize; 2]>,
    /// What the faces are made of.
    pub(crate) triangles: Vec<[usize; 3]>,
    /// Every unit normal of a face; those of a flat polytope with both signs.
    pub(crate) normals: Vec<DVec3>,
}

/// A core by its definition, in the frame of its body unless it says otherwise.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Polytope(Polytope),
    /// A cylinder, cone or tapered cylinder about the y axis, with a radius at the top and one at the bottom.
    Frustum {
        half: f64,
        radii: [f64; 2],
    },
    /// The hull of two balls on the y axis, with a radius at the top and one at the bottom.
    Balls {
        half: f64,
        radii: [f64; 2],
    },
    /// Half axes, and the radius of a ball that is taken off everywhere.
    Ellipsoid {
        radii: DVec3,
        inset: f64,
    },
}

/// A core in world orientation about the origin of its body, swept by a ball.
#[derive(Clone, Debug)]
pub(crate) struct Solid {
    pub(crate) form: Form,
    pub(crate) turn: DMat3,
    pub(crate) radius: f64,
    /// The greatest distance of a point, radius included, from the origin of the body.
    pub(crate) reach: f64,
}

impl Solid {
    /// The solid of a bounded shape.
    pub(crate) fn new<V: Space>(body: &Body<V>) -> Self {
        let Shape::Convex(convex) = &body.shape else {
            panic!("a half-space has no solid");
        };
        let turn = V::turn(body.pose.rotation);
        let frustum = |half: Real, radii: [Real; 2]| Form::Frustum {
            half: f64::from(half),
            radii: radii.map(f64::from),
        };
        let mut radius = convex.radius();
        let form = match convex.core() {
            Core::Ellipsoid(core) => {
                let form;
                (form, radius) = ellipsoid(core, radius);
                form
            }
            Core::Cylinder(core) => frustum(core.half_height, [core.radius; 2]),
            Core::Cone(core) => frustum(core.half_height, [0.0, core.radius]),
            Core::TaperedCylinder(core) => {
                frustum(core.half_height, [core.radius_top, core.radius_bottom])
            }
            Core::TaperedCapsule(core) => Form::Balls {
                half: f64::from(core.half_length()),
                radii: core.core_radii(),
            },
            core => Form::Polytope(polytope(core, turn)),
        };
        let reach = reach(&form) + radius;
        Self {
            form,
            turn,
            radius,
            reach,
        }
    }

    /// A point of the core farthest along a direction of the world.
    pub(crate) fn support(&self, direction: DVec3) -> DVec3 {
        if let Form::Polytope(polytope) = &self.form {
            return polytope.support(direction);
        }
        let local = self.turn.transpose() * direction;
        self.turn * curved_support(&self.form, local)
    }

    pub(crate) fn polytope(&self) -> Option<&Polytope> {
        match &self.form {
            Form::Polytope(polytope) => Some(polytope),
            _ => None,
        }
    }

    /// The axis about which the core is a body of revolution through the origin of its body.
    pub(crate) fn axis_of_revolution(&self) -> Option<DVec3> {
        let axis = self.turn * DVec3::Y;
        let is_round = match &self.form {
            Form::Frustum { .. } | Form::Balls { .. } => true,
            Form::Ellipsoid { radii, .. } => radii.x == radii.z,
            Form::Polytope(polytope) => polytope.corners.iter().all(|corner| {
                let local = self.turn.transpose() * *corner;
                local.x == 0.0 && local.z == 0.0
            }),
        };
        is_round.then_some(axis)
    }
}

impl Polytope {
    fn support(&self, direction: DVec3) -> DVec3 {
        let (mut best, mut height) = (self.corners[0], f64::NEG_INFINITY);
        for &corner in &self.corners {
            let other = corner.dot(direction);
            if other > height {
                (best, height) = (corner, other);
            }
        }
        best
    }

    pub(crate) fn all_edges(&self) -> impl Iterator<Item = DVec3> {
        self.edges.iter().map(|&edge| self.edge(edge))
    }

    pub(crate) fn edge(&self, [from, to]: [usize; 2]) -> DVec3 {
        self.corners[to] - self.corners[from]
    }
}

fn curved_support(form: &Form, direction: DVec3) -> DVec3 {
    let of_ends = |half: f64, [top, bottom]: [DVec3; 2]| {
        let (top, bottom) = (top + DVec3::Y * half, bottom - DVec3::Y * half);
        if top.dot(direction) >= bottom.dot(direction) {
            top
        } else {
            bottom
        }
    };
    match *form {
        Form::Frustum { half, radii } => {
            let flat = DVec3::new(direction.x, 0.0, direction.z);
            let across = flat.try_normalize().unwrap_or(DVec3::ZERO);
            of_ends(half, radii.map(|radius| across * radius))
        }
        Form::Balls { half, radii } => {
            let unit = direction.normalize();
            of_ends(half, radii.map(|radius| unit * radius))
        }
        Form::Ellipsoid { radii, inset } => {
            let scaled = direction * radii;
            scaled * radii / scaled.length() - direction * (inset / direction.length())
        }
        Form::Polytope(_) => unreachable!("has corners"),
    }
}

/// An ellipsoid rolls freely outside a ball of its least radius of curvature (Blaschke): it is the
/// sum of such a ball and a convex body, and the less is left of that the fewer directions decide.
fn ellipsoid<V: Vector>(core: &Ellipsoid<V>, radius: f64) -> (Form, f64) {
    let radii = core.radii().to_precise().in_space();
    let components = [radii.x, radii.y, radii.z];
    let used = &components[..V::DIM];
    let least = used.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = used.iter().copied().fold(0.0, f64::max);
    let inset = 0.99 * least * (least / greatest);
    let swept = radius - core.inset() + inset;
    (Form::Ellipsoid { radii, inset }, swept)
}

fn reach(form: &Form) -> f64 {
    match form {
        Form::Polytope(polytope) => {
            let lengths = polytope.corners.iter().map(|corner| corner.length());
            lengths.fold(0.0, f64::max)
        }
        Form::Frustum { half, radii } => half.hypot(radii[0].max(radii[1])),
        Form::Balls { half, radii } => half + radii[0].max(radii[1]),
        Form::Ellipsoid { radii, inset } => radii.max_element() - inset,
    }
}

fn polytope<V: Space>(core: &Core<V>, turn: DMat3) -> Polytope {
    let placed = |corners: &[V]| -> Vec<DVec3> {
        let place = |corner: &V| turn * corner.to_precise().in_space();
        corners.iter().map(place).collect()
    };
    let flat = |corners: &[V]| polygon(placed(corners), V::DIM);
    match core {
        Core::Point(point) => flat(&[*point]),
        Core::Segment(segment) => flat(&[segment.a, segment.b]),
        Core::Triangle(triangle) => flat(&[triangle.a, triangle.b, triangle.c]),
        Core::Cuboid(cuboid) => boxed::<V>(cuboid.half_extents.to_precise().in_space(), turn),
        Core::Hull(hull) if V::DIM == 2 => flat(hull.vertices()),
        Core::Hull(hull) => {
            let corners = placed(hull.vertices());
            let mut edges = Vec::new();
            let mut normals = Vec::new();
            let mut triangles = Vec::new();
            for face in hull.faces() {
                let ring: Vec<usize> = face.vertices.iter().map(|&v| v as usize).collect();
                normals.extend(normal_of_ring(&corners, &ring));
                triangles.extend(fan(&ring));
                for k in 0..ring.len() {
                    let (from, to) = (ring[k], ring[(k + 1) % ring.len()]);
                    if from < to {
                        edges.push([from, to]);
                    }
                }
            }
            Polytope {
                corners,
                edges,
                triangles,
                normals,
            }
        }
        _ => unreachable!("curved"),
    }
}

/// The triangles of a ring about its first corner.
fn fan(ring: &[usize]) -> impl Iterator<Item = [usize; 3]> {
    let sides = ring.get(1..).unwrap_or_default().windows(2);
    sides.map(|side| [ring[0], side[0], side[1]])
}

/// From the three corners of a ring that span most.
///
/// Rounding tilts the product of two sides in all directions alike: along the longest of them that
/// lifts the far corners, so that part is taken out.
fn normal_of_ring(corners: &[DVec3], ring: &[usize]) -> Option<DVec3> {
    let (mut best, mut longest) = (DVec3::ZERO, DVec3::ZERO);
    for j in 1..ring.len() {
        for k in j + 1..ring.len() {
            let (u, v) = (
                corners[ring[j]] - corners[ring[0]],
                corners[ring[k]] - corners[ring[0]],
            );
            for side in [u, v] {
                if side.length_squared() > longest.length_squared() {
                    longest = side;
                }
            }
            let cross = u.cross(v);
            if cross.length_squared() > best.length_squared() {
                best = cross;
            }
        }
    }
    let (normal, along) = (best.try_normalize()?, longest.try_normalize()?);
    (normal - along * normal.dot(along)).try_normalize()
}

/// A convex polygon, segment or point, its corners in order.
fn polygon(corners: Vec<DVec3>, dimension: usize) -> Polytope {
    let count = corners.len();
    let edges: Vec<[usize; 2]> = match count {
        1 => Vec::new(),
        2 => vec![[0, 1]],
        _ => (0..count).map(|k| [k, (k + 1) % count]).collect(),
    };
    let ring: Vec<usize> = (0..count).collect();
    let along = edges.iter().map(|&[from, to]| corners[to] - corners[from]);
    let normals = if dimension == 2 {
        along
            .filter_map(|edge| DVec3::new(edge.y, -edge.x, 0.0).try_normalize())
            .flat_map(|normal| [normal, -normal])
            .collect()
    } else {
        let plane = normal_of_ring(&corners, &ring);
        // What lies on a line has no plane: any direction across the line.
        let across = || {
            let edge = along.clone().next()?;
            Some(edge.normalize().any_orthonormal_vector())
        };
        let normal = plane.or_else(across);
        normal.into_iter().flat_map(|n| [n, -n]).collect()
    };
    Polytope {
        triangles: fan(&ring).collect(),
        normals,
        edges,
        corners,
    }
}

fn boxed<V: Vector>(half: DVec3, turn: DMat3) -> Polytope {
    let count = 1usize << V::DIM;
    let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { 1.0 } else { -1.0 };
    let corner = |k: usize| turn * (half * DVec3::new(sign(k, 0), sign(k, 1), sign(k, 2)));
    let mut edges = Vec::new();
    for k in 0..count {
        for axis in 0..V::DIM {
            let other = k | 1 << axis;
            if other != k {
                edges.push([k, other]);
            }
        }
    }
    let axes = (0..V::DIM).map(|axis| turn.col(axis));
    // Each side is two triangles: a corner, its neighbours, and the corner across.
    let mut triangles = Vec::new();
    for k in 0..count {
        for axis in 0..V::DIM {
            let across = (axis + 1) % V::DIM;
            let near = k ^ 1 << axis;
            triangles.push([k, near, near ^ 1 << across]);
        }
    }
    Polytope {
        corners: (0..count).map(corner).collect(),
        edges,
        triangles,
        normals: axes.flat_map(|axis| [axis, -axis]).collect(),
    }
}

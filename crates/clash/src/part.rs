//! Parts: named shapes in their places.

use clearance_gjk::Placed;
use clearance_math::{DVec3, Pose, PoseError, Real, Vec3};
use clearance_shapes::{CompositeKind, Shape, ShapeError};

/// Whether a part has an inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// It has: the part is convex, a closed mesh whose triangles all face outwards, or a union of convex parts. Overlaps have a depth.
    Solid,
    /// It has none: what lies within and crosses no triangle does not overlap it.
    Surface {
        /// Why it is no solid, such as a side without a neighbour.
        reason: String,
    },
}

impl Form {
    /// The name in reports: `solid` or `surface`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Surface { .. } => "surface",
        }
    }
}

/// Why a part was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// Its pose is not valid.
    #[error("pose.{0}")]
    Pose(#[from] PoseError),
    /// Its shape has no end.
    #[error("a half_space has no end, must be a shape of finite size such as a cuboid")]
    Endless,
    /// A coordinate of a vertex is not finite, or too large.
    #[error("vertices[{vertex}][{axis}] is {value}, must be finite and at most 1e30 in size")]
    Coordinate {
        /// The vertex, counted from 0.
        vertex: usize,
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: f64,
    },
    /// A triangle names a vertex that there is not.
    #[error("triangles[{triangle}] names vertex {vertex}, but there are {count} vertices")]
    NoVertex {
        /// The triangle, counted from 0.
        triangle: usize,
        /// The number that it names.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// Each triangle has two corners at one place, or there are no triangles.
    #[error("no triangle has three different corners")]
    NoTriangles,
    /// The shape is not valid.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// A named shape in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub(crate) name: String,
    shape: Shape<Vec3>,
    pose: Pose<Vec3>,
    form: Form,
    rounding: f64,
}

impl Part {
    /// The part `name`: a shape at a pose, in the unit and the axes of the assembly.
    ///
    /// A mesh becomes a solid if it can be one: see [`Form`]. Costs O(n log n) for a mesh of n triangles, and little otherwise.
    ///
    /// # Errors
    /// A pose that is not valid, and a half-space, which has no end.
    pub fn new(
        name: impl Into<String>,
        shape: Shape<Vec3>,
        pose: Pose<Vec3>,
    ) -> Result<Self, PartError> {
        let (shape, form) = with_form(shape)?;
        Self::formed(name.into(), (shape, form), pose)
    }

    /// [`Part::new`] with a shape whose form is known.
    pub(crate) fn formed(
        name: String,
        (shape, form): (Shape<Vec3>, Form),
        pose: Pose<Vec3>,
    ) -> Result<Self, PartError> {
        Ok(Self {
            name,
            shape,
            pose: pose.checked()?,
            form,
            rounding: 0.0,
        })
    }

    /// The part whose vertices were given up to so far from where they are stored, in units of length: bounds of clashes allow for that.
    #[must_use]
    pub fn rounded_by(self, rounding: f64) -> Self {
        Self { rounding, ..self }
    }

    /// The part `name`: a mesh of `triangles`, each of which names three of the `vertices`, in double precision.
    ///
    /// Vertices are stored in single precision from an origin beside the part, so that a part keeps its precision a million
    /// units away: each is moved by at most 1e-7 of the size of the part, which the bounds of clashes account for. Vertices that
    /// single precision has beside the origin of the assembly are not moved. Triangles with two corners at one place are left out.
    ///
    /// # Errors
    /// A vertex that is not finite or that there is not, and a mesh without triangles. The error names them.
    pub fn of_mesh(
        name: impl Into<String>,
        vertices: &[DVec3],
        triangles: &[[u32; 3]],
    ) -> Result<Self, PartError> {
        let (shape, origin) = mesh_beside_origin(vertices, triangles)?;
        let part = Self::new(name, shape, Pose::from_translation(origin))?;
        Ok(part.rounded_by(rounding_of(vertices, triangles, origin)))
    }

    /// Its name, unique in its assembly.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its shape, in its own frame.
    #[must_use]
    pub fn shape(&self) -> &Shape<Vec3> {
        &self.shape
    }

    /// Where its frame is in that of the assembly.
    #[must_use]
    pub fn pose(&self) -> &Pose<Vec3> {
        &self.pose
    }

    /// Whether it has an inside.
    #[must_use]
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// How many triangles or other convex shapes its shape is made of.
    #[must_use]
    pub fn triangles(&self) -> u32 {
        match &self.shape {
            Shape::Composite(composite) => composite.part_count(),
            Shape::Convex(_) | Shape::HalfSpace(_) => 1,
        }
    }

    /// How far the vertices are at most from where they were given: 0 where single precision has their coordinates.
    #[must_use]
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// The least and the greatest corner of a box around the part as it was given, in the frame of the assembly.
    #[must_use]
    pub fn limits(&self) -> [DVec3; 2] {
        self.shape.limits_within(&self.pose, self.rounding)
    }

    /// The diagonal of its box, in the unit of the assembly: how large it is.
    #[must_use]
    pub fn diagonal(&self) -> f64 {
        let [low, high] = self.limits();
        (high - low).length()
    }

    pub(crate) fn placed(&self) -> Placed<'_, Vec3> {
        Placed::new(&self.shape, &self.pose)
    }

    /// The hull in the place of the part, if it is convex.
    pub(crate) fn convex(&self) -> Option<Placed<'_, Vec3>> {
        match &self.shape {
            Shape::Convex(_) => Some(self.placed()),
            Shape::Composite(composite) => {
                let hull = composite.convex_hull()?;
                Some(Placed::new(hull, &self.pose))
            }
            Shape::HalfSpace(_) => None,
        }
    }
}

/// The shape as a solid if it can be one, and its form.
pub(crate) fn with_form(shape: Shape<Vec3>) -> Result<(Shape<Vec3>, Form), PartError> {
    let composite = match &shape {
        Shape::HalfSpace(_) => return Err(PartError::Endless),
        Shape::Convex(_) => return Ok((shape, Form::Solid)),
        Shape::Composite(composite) => composite,
    };
    let is_union = matches!(
        composite.kind(),
        CompositeKind::Points(_) | CompositeKind::Voxels(_) | CompositeKind::Compound(_)
    );
    if is_union || composite.is_solid() {
        return Ok((shape, Form::Solid));
    }
    Ok(match shape.clone().solid() {
        Ok(solid) => (solid, Form::Solid),
        Err(error) => {
            let reason = error.to_string();
            (shape, Form::Surface { reason })
        }
    })
}

/// The largest coordinate: sums and differences of such numbers are far within single precision.
const MOST: f64 = 1e30;

/// How far from the origin of the assembly, in sizes of the part, a part gets an origin of its own.
const FAR: f64 = 2.0;

/// A mesh in single precision, and its origin.
pub(crate) fn mesh_beside_origin(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
) -> Result<(Shape<Vec3>, DVec3), PartError> {
    let origin = origin_of(vertices, triangles)?;
    // A file may have many more vertices than one of its parts.
    let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let local: Vec<Vec3> = used
        .iter()
        .map(|&vertex| (vertices[vertex as usize] - origin).as_vec3())
        .collect();
    let number = |corner: u32| used.binary_search(&corner).unwrap_or_default() as u32;
    let has_corners = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|corner| local[corner as usize]);
        a != b && b != c && c != a
    };
    let own = triangles.iter().map(|triangle| triangle.map(number));
    let kept: Vec<[u32; 3]> = own.filter(has_corners).collect();
    if kept.is_empty() {
        return Err(PartError::NoTriangles);
    }
    Ok((Shape::mesh_welded(&local, &kept)?, origin))
}

/// How far the vertices that triangles name are at most from those of single precision beside an origin.
pub(crate) fn rounding_of(vertices: &[DVec3], triangles: &[[u32; 3]], origin: DVec3) -> f64 {
    let moved = |&vertex: &u32| {
        let local = vertices[vertex as usize] - origin;
        (local - local.as_vec3().as_dvec3()).length()
    };
    triangles.iter().flatten().map(moved).fold(0.0, f64::max)
}

/// An origin beside the vertices that triangles name, from which vertices of single precision have coordinates of single precision.
fn origin_of(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<DVec3, PartError> {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for (index, triangle) in triangles.iter().enumerate() {
        for &corner in triangle {
            let Some(&vertex) = vertices.get(corner as usize) else {
                return Err(PartError::NoVertex {
                    triangle: index,
                    vertex: corner,
                    count: vertices.len(),
                });
            };
            let numbers = vertex.to_array();
            if let Some(axis) = numbers.iter().position(|x| !(x.abs() <= MOST)) {
                return Err(PartError::Coordinate {
                    vertex: corner as usize,
                    axis,
                    value: numbers[axis],
                });
            }
            (low, high) = (low.min(vertex), high.max(vertex));
        }
    }
    let size = 0.5 * (high - low).max_element();
    // Single precision has no coordinates of such a size.
    if !(size > f64::from(Real::MIN_POSITIVE)) {
        return Ok(DVec3::ZERO);
    }
    // A power of two below the size. Coordinates that far out are multiples of much smaller ones, so that nothing is rounded.
    let step = f64::from_bits(size.to_bits() & !((1 << 52) - 1)) / 16.0;
    let beside = |low: f64, high: f64| {
        let center = 0.5 * (low + high);
        if center.abs() <= FAR * size {
            0.0
        } else {
            (center / step).round() * step
        }
    };
    Ok(DVec3::new(
        beside(low.x, high.x),
        beside(low.y, high.y),
        beside(low.z, high.z),
    ))
}

/// A range as questions take it: never less than the number.
pub(crate) fn range(length: f64) -> Real {
    clearance_math::round_up(length)
}

//! Assemblies of named parts.

use std::path::Path;

use clearance::math::glam::{DVec3, Vec3};
use clearance::math::{Pose, RelativePose};
use clearance::shapes::Shape;
use clearance_clash::{Assembly, Part, PartError, Refused, SourceOfParts, read_assembly};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};

use super::shapes::{Shapes, StoredPart};
use crate::classes::{Shape3, slice};
use crate::poses::Numbers;
use crate::problem::refused;
use crate::workers::{Workers, pool};

/// A shape, or the vertices and triangles of a mesh.
#[derive(FromPyObject)]
enum GivenShape<'py> {
    Shape(Py<Shape3>),
    Mesh(PyReadonlyArray2<'py, f64>, PyReadonlyArray1<'py, u32>),
}

/// A shape, where its origin is in the frame that it was given in, and how far its vertices are from where they were given.
struct Model {
    shape: Shape<Vec3>,
    origin: DVec3,
    rounding: f64,
}

impl GivenShape<'_> {
    fn model(&self) -> PyResult<Result<Model, PartError>> {
        let part = match self {
            Self::Shape(shape) => Part::new("", shape.get().shape().clone(), Pose::IDENTITY),
            Self::Mesh(vertices, triangles) => {
                let rows = Numbers::of("vertices", vertices)?.expect_width(3)?;
                let vertices: Vec<DVec3> = (0..rows.len())
                    .map(|row| DVec3::from_slice(rows.row(row)))
                    .collect();
                let (triangles, _) = slice(triangles)?.as_chunks::<3>();
                Part::of_mesh("", &vertices, triangles)
            }
        };
        Ok(part.map(|part| Model {
            shape: part.shape().clone(),
            origin: part.pose().position(),
            rounding: part.rounding(),
        }))
    }
}

impl Model {
    /// The part of this name whose frame, as it was given, is at a pose.
    fn part(&self, name: String, pose: &Pose<Vec3>) -> Result<Part, PartError> {
        let pose = if self.origin == DVec3::ZERO {
            *pose
        } else {
            let place = RelativePose::from_pose(pose).transform_point(self.origin);
            Pose::new(place, pose.rotation)
        };
        let part = Part::new(name, self.shape.clone(), pose)?;
        Ok(part.rounded_by(self.rounding))
    }
}

/// An assembly as pickles have it.
#[derive(Serialize, Deserialize)]
struct Stored {
    name: String,
    /// File, part and reason of what was refused.
    refused: Vec<(String, Option<String>, String)>,
    passed_over: usize,
    shapes: Vec<Shape<Vec3>>,
    parts: Vec<StoredPart>,
}

/// What stored assemblies begin with: their bytes are read by the version that wrote them only.
const HEADING: &str = concat!("clearance.clash.Assembly ", env!("CARGO_PKG_VERSION"), "\n");

/// An assembly of named parts.
#[pyclass(frozen, module = "clearance._clearance")]
pub struct ClashAssembly {
    pub(super) assembly: Assembly,
    pub(super) source: SourceOfParts,
}

#[pymethods]
impl ClashAssembly {
    #[staticmethod]
    #[pyo3(signature = (path, skip_invalid, threads, /))]
    fn read(
        py: Python<'_>,
        path: &str,
        skip_invalid: bool,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let threads = pool(threads)?;
        let path = Path::new(path);
        let read = py.detach(|| threads.install(|| read_assembly(path)));
        let read = read.map_err(|error| PyOSError::new_err(error.to_string()))?;
        if let Some(first) = read.refused.first().filter(|_| !skip_invalid) {
            let count = read.refused.len();
            let advice = "correct them, or give skip_invalid=True";
            return Err(refused(format!(
                "{first} (the first of {count} that are not valid; {advice})"
            )));
        }
        Ok(Self {
            assembly: read.assembly,
            source: SourceOfParts {
                name: path.display().to_string(),
                refused: read.refused,
                passed_over: read.passed_over,
            },
        })
    }

    #[staticmethod]
    #[pyo3(signature = (name, names, shapes, index, poses, /))]
    fn of_parts(
        name: String,
        names: Vec<String>,
        shapes: Vec<GivenShape<'_>>,
        index: PyReadonlyArray1<'_, u32>,
        poses: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<Self> {
        let mut models = Vec::with_capacity(shapes.len());
        for (number, shape) in shapes.iter().enumerate() {
            let model = shape.model()?;
            models.push(model.map_err(|error| refused(format!("shapes[{number}]: {error}")))?);
        }
        let poses = Numbers::of("poses", &poses)?.poses::<Vec3>(&Workers::CALLER)?;
        let mut parts = Vec::with_capacity(names.len());
        let rows = names.into_iter().zip(slice(&index)?).zip(&poses);
        for (row, ((name, &number), pose)) in rows.enumerate() {
            let count = models.len();
            let model = models.get(number as usize).ok_or_else(|| {
                refused(format!(
                    "shapes.index[{row}]: is {number}, must be less than {count}"
                ))
            })?;
            let part = model.part(name, pose);
            parts.push(part.map_err(|error| refused(format!("poses[{row}]: {error}")))?);
        }
        let source = SourceOfParts {
            name,
            ..SourceOfParts::default()
        };
        Ok(Self {
            assembly: Assembly::new(parts),
            source,
        })
    }

    #[staticmethod]
    #[pyo3(signature = (stored, /))]
    fn from_bytes(py: Python<'_>, stored: &[u8]) -> PyResult<Self> {
        let Some(stored) = stored.strip_prefix(HEADING.as_bytes()) else {
            let must = HEADING.trim_end();
            return Err(refused(format!(
                "stored assembly: must begin with {must:?}"
            )));
        };
        py.detach(|| {
            let stored = postcard::from_bytes::<Stored>(stored);
            stored
                .map_err(|error| refused(format!("stored assembly: {error}")))?
                .assembly()
        })
    }

    #[pyo3(signature = (/))]
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let stored = py.detach(|| {
            let stored = Stored::of(self);
            postcard::to_extend(&stored, HEADING.as_bytes().to_vec()).map_err(refused)
        })?;
        Ok(PyBytes::new(py, &stored))
    }

    #[pyo3(signature = (numbers, /))]
    fn select(&self, numbers: PyReadonlyArray1<'_, u32>) -> PyResult<Self> {
        let all = self.assembly.parts();
        let mut parts = Vec::new();
        for (row, &number) in slice(&numbers)?.iter().enumerate() {
            let count = all.len();
            let part = all.get(number as usize).ok_or_else(|| {
                refused(format!(
                    "numbers[{row}]: is {number}, must be less than {count}"
                ))
            })?;
            parts.push(part.clone());
        }
        Ok(Self {
            assembly: Assembly::new(parts),
            source: self.source.clone(),
        })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.source.name
    }

    #[getter]
    fn names(&self) -> Vec<&str> {
        self.assembly.parts().iter().map(Part::name).collect()
    }

    #[getter]
    fn forms(&self) -> Vec<&'static str> {
        let parts = self.assembly.parts().iter();
        parts.map(|part| part.form().name()).collect()
    }

    #[getter]
    fn refused(&self) -> Vec<String> {
        self.source.refused.iter().map(Refused::to_string).collect()
    }

    #[getter]
    fn triangles(&self) -> u64 {
        let parts = self.assembly.parts().iter();
        parts.map(|part| u64::from(part.triangles())).sum()
    }

    #[getter]
    fn fingerprint(&self) -> u64 {
        self.assembly.fingerprint()
    }

    fn __len__(&self) -> usize {
        self.assembly.parts().len()
    }
}

impl Stored {
    fn of(given: &ClashAssembly) -> Self {
        let mut shapes = Shapes::default();
        let parts = given.assembly.parts().iter();
        let parts = parts
            .map(|part| StoredPart::new(part, shapes.number_of(part)))
            .collect();
        let refused = given.source.refused.iter().cloned();
        Self {
            name: given.source.name.clone(),
            refused: refused
                .map(|refused| (refused.file, refused.part, refused.reason))
                .collect(),
            passed_over: given.source.passed_over,
            shapes: shapes.list,
            parts,
        }
    }

    fn assembly(self) -> PyResult<ClashAssembly> {
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in self.parts {
            let shape = self.shapes.get(part.shape as usize);
            let shape =
                shape.ok_or_else(|| refused("stored assembly: names a shape that is not there"))?;
            parts.push(part.with(shape)?);
        }
        let refused = self.refused.into_iter();
        let refused = refused.map(|(file, part, reason)| Refused { file, part, reason });
        Ok(ClashAssembly {
            assembly: Assembly::new(parts),
            source: SourceOfParts {
                name: self.name,
                refused: refused.collect(),
                passed_over: self.passed_over,
            },
        })
    }
}

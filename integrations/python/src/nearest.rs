//! The distance of one pair for Python, which makes a number of it only when it is asked for.

use clearance::gjk::Proximity;
use clearance::math::{PreciseVector, Real, Vector};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::rows::told_by;

/// How far one pair is apart; the attributes are those of `clearance.dim3.distance`.
#[pyclass(frozen, module = "clearance._clearance")]
pub struct Nearest {
    #[pyo3(get)]
    distance: Real,
    #[pyo3(get)]
    lower: Real,
    #[pyo3(get)]
    upper: Real,
    #[pyo3(get)]
    part_a: i32,
    #[pyo3(get)]
    part_b: i32,
    dim: usize,
    points: [[f64; 3]; 2],
    normal: [Real; 3],
    status: u8,
}

impl Nearest {
    pub(crate) fn of<V: Vector>(near: &Proximity<V>) -> Self {
        let (near, status) = told_by(near);
        let mut made = Self {
            distance: near.distance,
            lower: near.lower,
            upper: near.upper,
            part_a: near.part_a as i32,
            part_b: near.part_b as i32,
            dim: V::DIM,
            points: [[0.0; 3]; 2],
            normal: [0.0; 3],
            status,
        };
        for axis in 0..V::DIM {
            made.points[0][axis] = near.position_a.component(axis);
            made.points[1][axis] = near.position_b.component(axis);
            made.normal[axis] = near.normal.component(axis);
        }
        made
    }
}

#[pymethods]
impl Nearest {
    #[getter]
    fn point_a(&self) -> &[f64] {
        &self.points[0][..self.dim]
    }

    #[getter]
    fn point_b(&self) -> &[f64] {
        &self.points[1][..self.dim]
    }

    #[getter]
    fn normal(&self) -> &[Real] {
        &self.normal[..self.dim]
    }

    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static STATUS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let status = STATUS.import(py, "clearance._rows", "Status")?;
        status.call1((self.status,))
    }

    fn __repr__(&self) -> String {
        let Self {
            distance,
            lower,
            upper,
            ..
        } = self;
        format!("<clearance.Nearest {distance}, from {lower} to {upper}>")
    }
}

//! The distance of one pair for Python, which makes a number of it only when it is asked for.

use clearance::math::Real;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::rows::Single;

/// How far one pair is apart; the attributes are those of `clearance.dim3.distance`.
#[pyclass(frozen, module = "clearance._clearance")]
pub struct Nearest {
    pub(crate) answer: Single,
}

#[pymethods]
impl Nearest {
    #[getter]
    fn distance(&self) -> Real {
        self.answer.bounds[0]
    }

    #[getter]
    fn lower(&self) -> Real {
        self.answer.bounds[1]
    }

    #[getter]
    fn upper(&self) -> Real {
        self.answer.bounds[2]
    }

    #[getter]
    fn point_a(&self) -> &[f64] {
        &self.answer.points[0][..self.answer.dim]
    }

    #[getter]
    fn point_b(&self) -> &[f64] {
        &self.answer.points[1][..self.answer.dim]
    }

    #[getter]
    fn normal(&self) -> &[Real] {
        &self.answer.normal[..self.answer.dim]
    }

    #[getter]
    fn part_a(&self) -> i32 {
        self.answer.parts[0]
    }

    #[getter]
    fn part_b(&self) -> i32 {
        self.answer.parts[1]
    }

    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static STATUS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let status = STATUS.import(py, "clearance._rows", "Status")?;
        status.call1((self.answer.status,))
    }

    fn __repr__(&self) -> String {
        let [distance, lower, upper] = self.answer.bounds;
        format!("<clearance.Nearest {distance}, from {lower} to {upper}>")
    }
}

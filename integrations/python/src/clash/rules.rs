//! Rules of clash checks.

use clearance_clash::{Allowed, Rules};
use pyo3::prelude::*;

use crate::problem::refused;

/// What rules are made from, which pickles keep: a text, or the clearance and the tolerance of everything, and a name.
type Parts = (Option<String>, f64, Option<f64>, Option<String>);

/// Rules of a clash check.
#[pyclass(frozen, module = "clearance._clearance")]
pub struct ClashRules {
    pub(super) rules: Rules,
    pub(super) name: Option<String>,
    parts: Parts,
}

#[pymethods]
impl ClashRules {
    #[new]
    #[pyo3(signature = (text, clearance, tolerance, name, /))]
    fn new(
        text: Option<String>,
        clearance: f64,
        tolerance: Option<f64>,
        name: Option<String>,
    ) -> PyResult<Self> {
        let lengths = [("clearance", Some(clearance)), ("tolerance", tolerance)];
        for (argument, length) in lengths {
            let wrong = length.filter(|length| !(0.0..=f64::from(f32::MAX)).contains(length));
            if let Some(length) = wrong {
                let message = format!("{argument}: is {length}, must be finite and at least 0");
                return Err(refused(message));
            }
        }
        let rules = match &text {
            None => Rules::everything(Allowed {
                clearance,
                tolerance,
            }),
            Some(text) => Rules::from_json(text).map_err(|error| match &name {
                Some(name) => refused(format!("{name}: {error}")),
                None => refused(format!("rules: {error}")),
            })?,
        };
        let parts = (text, clearance, tolerance, name.clone());
        Ok(Self { rules, name, parts })
    }

    #[getter]
    fn parts(&self) -> Parts {
        self.parts.clone()
    }

    #[getter]
    fn names(&self) -> Vec<&str> {
        self.rules.names()
    }
}

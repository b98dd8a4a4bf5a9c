//! The class for Python.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use clearance::gjk::DEFAULT_EFFORT;
use clearance::math::glam::DAffine3;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use super::clearance::ClearanceQuestion;
use super::linkage::{GivenJoint, Joint};
use super::links::{LinkShape, PlacedLinks};
use super::paths::PathQuestion;
use crate::batch::{rows_of, writable};
use crate::classes::Shape3;
use crate::poses::Numbers;
use crate::problem::refused;
use crate::rows::{Row, clearance_size, path_size};
use crate::workers::{Load, Workers};

/// Links on joints, and the pairs of links that count.
pub(crate) struct Robot {
    /// Each behind the one that its parent hangs on.
    joints: Vec<Joint>,
    shapes: Vec<Option<Arc<LinkShape>>>,
    pub(crate) pairs: Vec<[usize; 2]>,
    /// How many numbers a configuration has.
    pub(crate) columns: usize,
    /// How often each pair was found to meet. Answers do not depend on it, but how soon they are found does.
    hits: Vec<AtomicU32>,
}

impl Robot {
    pub(crate) fn frames(&self, configuration: &[f64], frames: &mut [DAffine3]) {
        for joint in &self.joints {
            joint.place(configuration, frames);
        }
    }

    /// The pairs, those first that met most often.
    fn likely_first(&self) -> Vec<u32> {
        let mut pairs: Vec<u32> = (0..self.pairs.len() as u32).collect();
        pairs.sort_by_cached_key(|&pair| {
            core::cmp::Reverse(self.hits[pair as usize].load(Ordering::Relaxed))
        });
        pairs
    }

    fn meets(
        &self,
        configuration: &[f64],
        pairs: &[u32],
        margin: f64,
        placed: &mut PlacedLinks<'_>,
    ) -> bool {
        placed.place(|frames| self.frames(configuration, frames));
        let met = pairs
            .iter()
            .find(|&&pair| placed.meet(self.pairs[pair as usize], margin));
        met.inspect(|&&pair| {
            self.hits[pair as usize].fetch_add(1, Ordering::Relaxed);
        })
        .is_some()
    }

    fn expect_columns(&self, configurations: &Numbers<'_>) -> PyResult<()> {
        configurations.expect_width(self.columns.max(1)).map(|_| ())
    }
}

/// A shape of a link with what is around it, which takes long to make for a mesh.
#[pyclass(frozen, module = "clearance._clearance")]
pub struct Cover {
    link: Arc<LinkShape>,
}

#[pymethods]
impl Cover {
    #[new]
    #[pyo3(signature = (shape, /))]
    fn new(py: Python<'_>, shape: &Shape3) -> Self {
        let shape = shape.shape().clone();
        let link = py.detach(|| Arc::new(LinkShape::new(shape)));
        Self { link }
    }

    /// Whether parts of the shape count on one side only.
    #[getter]
    fn is_one_sided(&self) -> bool {
        self.link.is_one_sided()
    }
}

/// Links on joints, for batches of configurations.
#[pyclass(frozen, module = "clearance._clearance")]
pub struct Linkage {
    robot: Robot,
}

#[pymethods]
impl Linkage {
    #[new]
    #[pyo3(signature = (joints, shapes, pairs, columns, /))]
    fn new(
        joints: Vec<GivenJoint>,
        shapes: Vec<Option<Py<Cover>>>,
        pairs: Vec<[usize; 2]>,
        columns: usize,
    ) -> PyResult<Self> {
        let joints: Vec<Joint> = joints.into_iter().map(Joint::from).collect();
        let fits = |joint: &Joint| {
            let [links, numbers] = joint.counts();
            links <= shapes.len() && numbers <= columns
        };
        let is_link = |link: &usize| *link < shapes.len();
        if !joints.iter().all(fits) || !pairs.as_flattened().iter().all(is_link) {
            return Err(refused("joints: name links or numbers that are not there"));
        }
        let shape_of = |given: Option<Py<Cover>>| Some(Arc::clone(&given?.get().link));
        let hits = pairs.iter().map(|_| AtomicU32::new(0)).collect();
        let shapes = shapes.into_iter().map(shape_of).collect();
        let robot = Robot {
            joints,
            shapes,
            pairs,
            columns,
            hits,
        };
        Ok(Self { robot })
    }

    /// Writes the frames of all links, a matrix each, row by row.
    #[pyo3(signature = (configurations, out, /))]
    fn frames(
        &self,
        configurations: PyReadonlyArray2<'_, f64>,
        out: &Bound<'_, PyArray1<u8>>,
    ) -> PyResult<()> {
        let py = out.py();
        let mut writing = writable(out)?;
        let links = self.robot.shapes.len();
        let size = links * 16 * 8;
        let (bytes, _) = rows_of(&mut writing, size)?;
        let given = Numbers::of("configurations", &configurations)?;
        self.robot.expect_columns(&given)?;
        py.detach(|| {
            Workers::CALLER.fill(bytes, size, |range, bytes| {
                let mut frames = vec![DAffine3::IDENTITY; links];
                for (row, bytes) in range.zip(bytes.chunks_exact_mut(size)) {
                    self.robot.frames(given.row(row), &mut frames);
                    for (frame, bytes) in frames.iter().zip(bytes.chunks_exact_mut(16 * 8)) {
                        Row::new(bytes).matrix(frame);
                    }
                }
            })
        })
    }

    /// Writes of each configuration whether links meet.
    #[pyo3(signature = (configurations, margin, threads, out, /))]
    fn in_collision(
        &self,
        configurations: PyReadonlyArray2<'_, f64>,
        margin: f64,
        threads: Option<usize>,
        out: &Bound<'_, PyArray1<u8>>,
    ) -> PyResult<()> {
        let py = out.py();
        let mut writing = writable(out)?;
        let (bytes, rows) = rows_of(&mut writing, 1)?;
        let given = Numbers::of("configurations", &configurations)?;
        self.robot.expect_columns(&given)?;
        let robot = &self.robot;
        py.detach(move || {
            let workers = Workers::new(
                threads,
                Load {
                    rows,
                    has_parts: true,
                },
            )?
            .for_short_rows();
            workers.fill(bytes, 1, |range, bytes| {
                let pairs = robot.likely_first();
                let mut placed = PlacedLinks::new(&robot.shapes);
                for (row, byte) in range.zip(bytes) {
                    *byte = robot
                        .meets(given.row(row), &pairs, margin, &mut placed)
                        .into();
                }
            })
        })
    }

    /// Writes of each configuration how clear it is. The options are the effort and the threads.
    #[pyo3(signature = (configurations, slack, options, out, /))]
    fn clearance(
        &self,
        configurations: PyReadonlyArray2<'_, f64>,
        slack: PyReadonlyArray2<'_, f64>,
        options: (Option<u32>, Option<usize>),
        out: &Bound<'_, PyArray1<u8>>,
    ) -> PyResult<()> {
        let py = out.py();
        let mut writing = writable(out)?;
        let size = clearance_size();
        let (bytes, rows) = rows_of(&mut writing, size)?;
        let given = Numbers::of("configurations", &configurations)?;
        self.robot.expect_columns(&given)?;
        let slack = Numbers::of("slack", &slack)?.expect_width(self.robot.pairs.len())?;
        let (effort, threads) = options;
        let robot = &self.robot;
        py.detach(move || {
            let has_parts = true;
            let workers = Workers::new(threads, Load { rows, has_parts })?.for_short_rows();
            workers.fill(bytes, size, |range, bytes| {
                let mut placed = PlacedLinks::new(&robot.shapes);
                for (row, bytes) in range.zip(bytes.chunks_exact_mut(size)) {
                    let question = ClearanceQuestion {
                        configuration: given.row(row),
                        slack: slack.row(row),
                        effort: effort.unwrap_or(DEFAULT_EFFORT),
                    };
                    let found = robot.clearance(&question, &mut placed);
                    let bounds = [found.lower, found.upper].map(f64::to_bits);
                    let row = Row::new(bytes).whole(bounds[0]).whole(bounds[1]);
                    row.whole(found.pair.into()).proximity(&found.nearest).end();
                }
            })
        })
    }

    /// Writes of each path what is known of it. A row of `paths` has the control points of its segments, so many each; rows of the bounds are
    /// its rates and its slack. The options are the margin, the resolution, how often pairs are compared at most, and the threads.
    #[pyo3(signature = (paths, bounds, options, out, /))]
    fn paths(
        &self,
        paths: (PyReadonlyArray2<'_, f64>, usize),
        bounds: (PyReadonlyArray2<'_, f64>, PyReadonlyArray2<'_, f64>),
        options: (f64, f64, u64, Option<usize>),
        out: &Bound<'_, PyArray1<u8>>,
    ) -> PyResult<()> {
        let py = out.py();
        let mut writing = writable(out)?;
        let (bytes, rows) = rows_of(&mut writing, path_size())?;
        let (given, points) = (Numbers::of("paths", &paths.0)?, paths.1);
        let (margin, resolution, most, threads) = options;
        let robot = &self.robot;
        let pairs = robot.pairs.len();
        let rates = Numbers::of("rates", &bounds.0)?.expect_width(pairs * robot.columns)?;
        let slack = Numbers::of("slack", &bounds.1)?.expect_width(pairs)?;
        robot.check_path(given.width, points).map_err(refused)?;
        py.detach(move || {
            let has_parts = true;
            let workers = Workers::new(threads, Load { rows, has_parts })?;
            workers.fill_while(bytes, path_size(), |range, bytes, signals| {
                let mut placed = PlacedLinks::new(&robot.shapes);
                for (row, bytes) in range.zip(bytes.chunks_exact_mut(path_size())) {
                    let question = PathQuestion {
                        rates: rates.row(row),
                        slack: slack.row(row),
                        margin,
                        resolution,
                        most,
                        points,
                        signals,
                    };
                    let found = robot.path(given.row(row), &question, &mut placed);
                    let row = Row::new(bytes).whole(found.time.to_bits());
                    row.part(found.pair).byte(found.known as u8).end();
                }
            })
        })
    }
}

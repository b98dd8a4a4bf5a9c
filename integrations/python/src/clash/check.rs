//! Checks, their blocks and their reports.

use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clearance_clash::{
    Block, Check, Clash, Earlier, EarlierError, Issues, OutputError, Outputs, ReportError,
    ReportOptions, ReportWriter, Sources, groups_while,
};
use numpy::PyArray1;
use pyo3::exceptions::{PyFileExistsError, PyOSError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::assembly::ClashAssembly;
use super::rules::ClashRules;
use crate::problem::refused;
use crate::rows::{Rows, block_size, clash_size};
use crate::workers::{in_pool, pool};

type Bytes<'py> = Bound<'py, PyArray1<u8>>;

/// A clash check, with its blocks.
#[pyclass(frozen, module = "clearance._clearance")]
pub struct ClashCheck {
    pub(super) check: Check,
    pub(super) blocks: Vec<Block>,
    sources: Sources,
}

/// Clashes of blocks one behind the other, as they go from one machine to another.
pub(super) fn packed(found: &[Vec<Clash>]) -> PyResult<Vec<u8>> {
    postcard::to_stdvec(found).map_err(refused)
}

fn unpacked(found: &[u8]) -> PyResult<Vec<Vec<Clash>>> {
    postcard::from_bytes(found)
        .map_err(|error| refused(format!("found: {error}; must be what `measure` returned")))
}

/// The clashes of blocks, measured in a pool; or what the handler of a signal raises meanwhile.
pub(super) fn measured(
    check: &Check,
    blocks: &[Block],
    pool: &ThreadPool,
) -> PyResult<Vec<Vec<Clash>>> {
    in_pool(pool, |stop| {
        let goes_on = || !stop.load(Ordering::Relaxed);
        let found = blocks
            .par_iter()
            .with_max_len(1)
            .map(|block| check.measure_while(block, goes_on));
        found.while_some().collect()
    })
}

/// No group is known.
const NO_GROUP: i32 = -1;

fn rows_of<'a>(found: impl IntoIterator<Item = (&'a Clash, i32)>) -> Vec<u8> {
    let mut rows = Rows::of_size(clash_size());
    for (clash, group) in found {
        rows.add().clash(clash, group).end();
    }
    rows.bytes
}

fn problem(error: ReportError) -> PyErr {
    match error {
        ReportError::File { .. } => PyOSError::new_err(error.to_string()),
        ReportError::Unfinished { path } => PyFileExistsError::new_err(format!(
            "{path} is there from a run that was not ended; go on with it by resume=True, or delete it"
        )),
        ReportError::NotReplaced { .. } => PyFileExistsError::new_err(format!("out: {error}")),
        other => refused(other),
    }
}

/// A report to write.
#[derive(FromPyObject)]
struct ReportFiles {
    path: PathBuf,
    resume: bool,
    /// The report of an earlier run, or its BCF file.
    since: Option<PathBuf>,
    bcf: Option<PathBuf>,
}

/// The faults of an earlier run, and a warning of what was passed over.
fn earlier(py: Python<'_>, path: &Path) -> PyResult<Earlier> {
    let read = py.detach(|| Earlier::read(path));
    let read = read.map_err(|error| match error {
        EarlierError::File { .. } => PyOSError::new_err(format!("since: {error}")),
        _ => refused(format!("since: {error}")),
    })?;
    if let Some(warning) = read.warning() {
        let warning = CString::new(format!("since: {}: {warning}", path.display()))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &warning, 1)?;
    }
    Ok(read.earlier)
}

/// Refuses files to write that cannot be written or would be lost, before anything is read or measured.
#[pyfunction]
#[pyo3(signature = (out, bcf, inputs, /))]
pub(crate) fn refuse_outputs(
    out: Option<PathBuf>,
    bcf: Option<PathBuf>,
    inputs: Vec<PathBuf>,
) -> PyResult<()> {
    let outputs = Outputs {
        report: out.as_deref(),
        is_shard: false,
        bcf: bcf.as_deref(),
        others: Vec::new(),
        inputs: inputs.iter().map(PathBuf::as_path).collect(),
    };
    let is_of_bcf = Outputs {
        report: None,
        ..outputs.clone()
    };
    let argument = match is_of_bcf.refuse_wrong() {
        Err(_) => "bcf",
        Ok(()) => "out",
    };
    outputs.refuse_wrong().map_err(|error| match error {
        OutputError::File { .. } => PyOSError::new_err(format!("{argument}: {error}")),
        _ => refused(format!("{argument}: {error}")),
    })
}

impl ClashCheck {
    /// The blocks from the first number up to, not including, the last one.
    pub(super) fn blocks_of(&self, (first, last): (usize, usize)) -> PyResult<&[Block]> {
        let count = self.blocks.len();
        self.blocks.get(first..last).ok_or_else(|| {
            refused(format!(
                "blocks: are {first} to {last}, must be among the {count} of the check"
            ))
        })
    }

    /// Adds what a Python iterator yields to a report, up to the last block.
    fn fill(&self, report: &mut ReportWriter<'_>, source: &Bound<'_, PyAny>) -> PyResult<()> {
        let count = self.blocks.len();
        for found in source.call1((report.done(),))?.try_iter()? {
            let found = found?;
            for clashes in unpacked(found.cast::<PyBytes>()?.as_bytes())? {
                let block = self.blocks.get(report.done()).ok_or_else(|| {
                    refused(format!(
                        "source: has more blocks than the {count} of the check"
                    ))
                })?;
                report.write(block, &clashes).map_err(problem)?;
            }
        }
        if report.done() < count {
            let done = report.done();
            return Err(refused(format!(
                "source: ended behind {done} of {count} blocks"
            )));
        }
        Ok(())
    }

    /// The rows of all clashes of a report, and its summary; or what the handler of a signal raises meanwhile. Issues are written first, so that
    /// what is ended can be gone on with.
    fn finished(
        &self,
        report: ReportWriter<'_>,
        bcf: Option<&Path>,
        since: Option<&Earlier>,
    ) -> PyResult<(String, Vec<u8>)> {
        let pool = pool(None)?;
        in_pool(&pool, |stop| {
            let goes_on = || !stop.load(Ordering::Relaxed);
            let clashes = report.clashes_while(goes_on).map_err(problem)?;
            let grouped = clashes.iter().map(|clash| self.check.grouped(clash));
            let grouped: Vec<_> = grouped.collect();
            let numbers = groups_while(&grouped, goes_on).unwrap_or_default();
            if let Some(path) = bcf {
                let issues = Issues {
                    check: &self.check,
                    clashes: &clashes,
                    since,
                };
                let written = issues.write_while(path, goes_on);
                let name = path.display();
                written.map_err(|error| {
                    PyOSError::new_err(format!("bcf: cannot write {name}: {error}"))
                })?;
            }
            let summary = report.finish_while(goes_on).map_err(problem)?;
            let numbers = numbers.into_iter().map(|group| group as i32);
            let rows = rows_of(clashes.iter().zip(numbers));
            Ok((serde_json::to_string(&summary).map_err(refused)?, rows))
        })?
    }
}

#[pymethods]
impl ClashCheck {
    #[new]
    #[pyo3(signature = (a, b, rules, /))]
    fn new(
        py: Python<'_>,
        a: &ClashAssembly,
        b: Option<&ClashAssembly>,
        rules: &ClashRules,
    ) -> PyResult<Self> {
        py.detach(|| {
            let (first, list) = (a.assembly.clone(), rules.rules.clone());
            let check = match b {
                Some(b) => Check::between(first, b.assembly.clone(), list),
                None => Check::within(first, list),
            };
            let check = check.map_err(refused)?;
            Ok(Self {
                blocks: check.blocks(),
                check,
                sources: Sources {
                    a: a.source.clone(),
                    b: b.map(|b| b.source.clone()),
                    rules: rules.name.clone(),
                },
            })
        })
    }

    #[pyo3(signature = (/))]
    fn blocks<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        let mut rows = Rows::of_size(block_size());
        for block in &self.blocks {
            rows.add().block(block).end();
        }
        PyArray1::from_vec(py, rows.bytes)
    }

    #[getter]
    fn unmatched(&self) -> Vec<String> {
        self.check.unmatched().to_vec()
    }

    #[pyo3(signature = (blocks, threads, /))]
    fn measure<'py>(
        &self,
        py: Python<'py>,
        blocks: (usize, usize),
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (blocks, pool) = (self.blocks_of(blocks)?, pool(threads)?);
        let found = py.detach(|| packed(&measured(&self.check, blocks, &pool)?))?;
        Ok(PyBytes::new(py, &found))
    }

    #[staticmethod]
    #[pyo3(signature = (found, /))]
    fn rows<'py>(py: Python<'py>, found: &[u8]) -> PyResult<Bytes<'py>> {
        let found = unpacked(found)?;
        let rows = rows_of(found.iter().flatten().map(|clash| (clash, NO_GROUP)));
        Ok(PyArray1::from_vec(py, rows))
    }

    #[pyo3(signature = (files, source, /))]
    fn report<'py>(
        &self,
        files: ReportFiles,
        source: &Bound<'py, PyAny>,
    ) -> PyResult<(String, Bytes<'py>)> {
        let py = source.py();
        let since = files.since.as_deref();
        let earlier = since.map(|path| earlier(py, path)).transpose()?;
        let options = ReportOptions {
            check: &self.check,
            blocks: &self.blocks,
            sources: &self.sources,
            path: &files.path,
            resume: files.resume,
            since: earlier.as_ref(),
            shard: None,
        };
        let report = py.detach(|| ReportWriter::start(options));
        let mut report = report.map_err(problem)?;
        self.fill(&mut report, source)?;
        let (bcf, since) = (files.bcf.as_deref(), earlier.as_ref());
        let (summary, rows) = py.detach(|| self.finished(report, bcf, since))?;
        Ok((summary, PyArray1::from_vec(py, rows)))
    }
}

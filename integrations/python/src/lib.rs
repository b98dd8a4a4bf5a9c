//! The native half of the Python package `clearance`: shapes, batches and worlds over NumPy arrays.
//!
//! One generic source serves both dimensions; `classes` makes two classes of each of it, since Python has no type parameters.
//! The Python half (`python/clearance`) checks the forms of arrays and has the documentation for users. Answers are rows of
//! plain bytes, which Python looks at as structured arrays: see `rows`.

mod batch;
mod clash;
mod classes;
mod nearest;
mod order;
mod poses;
mod problem;
mod robot;
mod rows;
mod shapes;
mod sides;
mod space;
mod workers;
mod world;
mod world_classes;

use pyo3::prelude::*;

/// The native half of the package `clearance`.
#[pymodule(gil_used = false)]
mod _clearance {
    use clearance_scene::{MeshFiles, PairLine};
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::clash::{
        ClashAssembly, ClashCheck, ClashRules, ClashShapes, ClashStore, measure_shard,
        refuse_outputs,
    };
    #[pymodule_export]
    use super::classes::{Placed2, Placed3, Shape2, Shape3};
    #[pymodule_export]
    use super::nearest::Nearest;
    #[pymodule_export]
    use super::robot::{Cover, Linkage};
    #[pymodule_export]
    use super::world_classes::{World2, World3};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// The line that the command answers a line of a pair file with, without its end.
    #[pyfunction]
    #[pyo3(signature = (line, folder, /))]
    fn query(line: &[u8], folder: Option<String>) -> String {
        let files = folder.map_or_else(MeshFiles::none, MeshFiles::in_folder);
        PairLine::read(line, &files).answer().to_string()
    }
}

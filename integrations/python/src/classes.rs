//! The classes of both dimensions, from one source.
//!
//! Their methods take what Python has checked: contiguous arrays of the right type. A side of a batch is a tuple of the name of its
//! poses, its shapes, which of them each question is about, the poses, and the effort.

use clearance::gjk::{DEFAULT_EFFORT, Placed, intersects, measure};
use clearance::math::glam::{Vec2, Vec3};
use clearance::math::{Pose, Real};
use clearance::shapes::Shape;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::batch::{
    Listed, Motions, Pairs, Shots, cast_options, expect_rows, range, ray_options, read_rays,
    rows_of, writable,
};
use crate::nearest::Nearest;
use crate::poses::{Numbers, vector};
use crate::problem::refused;
use crate::shapes;
use crate::sides::{GivenSide, load};
use crate::workers::Workers;

type Array1<'py, T> = PyReadonlyArray1<'py, T>;
type Array2<'py> = PyReadonlyArray2<'py, f64>;
/// The rows of lists, and of each question whether it has all.
type ListedRows<'py> = (Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<bool>>);

/// The numbers of an array of one dimension.
pub(crate) fn slice<'a, T: numpy::Element>(array: &'a Array1<'_, T>) -> PyResult<&'a [T]> {
    array
        .as_slice()
        .map_err(|_| refused("an array must be contiguous"))
}

fn rows_for_python(py: Python<'_>, listed: Listed) -> ListedRows<'_> {
    (
        PyArray1::from_vec(py, listed.bytes),
        PyArray1::from_vec(py, listed.complete),
    )
}

macro_rules! classes {
    ($vector:ty, $shape:ident, $placed:ident, $side:ident) => {
        /// A shape.
        #[pyclass(frozen, eq, module = "clearance._clearance")]
        #[derive(PartialEq)]
        pub struct $shape {
            shape: Shape<$vector>,
        }

        /// The name of the poses, the shapes, which of them each question is about, the poses, and the effort.
        pub(crate) type $side<'py> = (
            String,
            Vec<Py<$shape>>,
            Option<Array1<'py, u32>>,
            Array2<'py>,
            Option<u32>,
        );

        impl $shape {
            /// The shape that is made while other threads of Python go on.
            fn made(
                py: Python<'_>,
                make: impl FnOnce() -> PyResult<Shape<$vector>> + Send,
            ) -> PyResult<Self> {
                let shape = py.detach(make)?;
                Ok(Self { shape })
            }

            /// The shape.
            pub(crate) fn shape(&self) -> &Shape<$vector> {
                &self.shape
            }

            fn list(shapes: &[Py<Self>]) -> Vec<Shape<$vector>> {
                shapes
                    .iter()
                    .map(|shape| shape.get().shape.clone())
                    .collect()
            }

            pub(crate) fn given<'a>(side: &'a $side<'_>) -> PyResult<GivenSide<'a, $vector>> {
                let (argument, shapes, index, poses, effort) = side;
                Ok(GivenSide {
                    shapes: Self::list(shapes),
                    index: index.as_ref().map(slice).transpose()?,
                    poses: Numbers::of(argument, poses)?,
                    effort: effort.unwrap_or(DEFAULT_EFFORT),
                })
            }
        }

        #[pymethods]
        impl $shape {
            #[staticmethod]
            #[pyo3(signature = (text, folder, /))]
            fn from_record(py: Python<'_>, text: &str, folder: Option<String>) -> PyResult<Self> {
                Self::made(py, || shapes::of_record(text, folder))
            }

            #[pyo3(signature = (/))]
            fn record(&self, py: Python<'_>) -> PyResult<String> {
                py.detach(|| shapes::record(&self.shape))
            }

            #[staticmethod]
            #[pyo3(signature = (stored, /))]
            fn from_bytes(py: Python<'_>, stored: &[u8]) -> PyResult<Self> {
                Self::made(py, || shapes::from_bytes(stored))
            }

            #[pyo3(signature = (/))]
            fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
                let stored = py.detach(|| shapes::to_bytes(&self.shape))?;
                Ok(PyBytes::new(py, &stored))
            }

            #[staticmethod]
            #[pyo3(signature = (kind, points, radius, /))]
            fn of_points(kind: &str, points: Array2<'_>, radius: f64) -> PyResult<Self> {
                let (py, rows) = (points.py(), Numbers::of("points", &points)?);
                Self::made(py, || {
                    shapes::of_points(kind, &shapes::points(&rows)?, radius)
                })
            }

            #[staticmethod]
            #[pyo3(signature = (vertices, indices, /))]
            fn surface(vertices: Array2<'_>, indices: Array1<'_, u32>) -> PyResult<Self> {
                let (py, rows) = (vertices.py(), Numbers::of("vertices", &vertices)?);
                let indices = slice(&indices)?;
                Self::made(py, || shapes::surface(&shapes::points(&rows)?, indices))
            }

            #[staticmethod]
            #[pyo3(signature = (heights, scale, /))]
            fn height_field(heights: Array2<'_>, scale: Array1<'_, f64>) -> PyResult<Self> {
                let (py, scale) = (heights.py(), vector(slice(&scale)?));
                let heights = Numbers::of("heights", &heights)?;
                Self::made(py, || shapes::height_field(&heights, scale))
            }

            #[staticmethod]
            #[pyo3(signature = (size, cells, /))]
            fn voxels(size: Array1<'_, f64>, cells: Array1<'_, i32>) -> PyResult<Self> {
                let (py, numbers) = (cells.py(), slice(&cells)?);
                let size = vector(slice(&size)?);
                Self::made(py, || {
                    Shape::voxels(size, shapes::cells::<$vector>(numbers)).map_err(refused)
                })
            }

            #[staticmethod]
            #[pyo3(signature = (parts, poses, /))]
            fn compound(parts: Vec<Py<Self>>, poses: Array2<'_>) -> PyResult<Self> {
                let (py, parts) = (poses.py(), Self::list(&parts));
                let poses = Numbers::of("poses_of_parts", &poses)?;
                Self::made(py, || {
                    let poses = poses.poses(&Workers::CALLER)?;
                    shapes::compound(parts, poses).map_err(refused)
                })
            }

            #[pyo3(signature = (radius, /))]
            fn rounded(&self, py: Python<'_>, radius: f64) -> PyResult<Self> {
                Self::made(py, || self.shape.rounded(radius as Real).map_err(refused))
            }

            #[pyo3(signature = (factors, /))]
            fn scaled_by(&self, factors: Array1<'_, f64>) -> PyResult<Self> {
                let (py, factors) = (factors.py(), vector(slice(&factors)?));
                Self::made(py, || self.shape.scaled_by(factors).map_err(refused))
            }

            #[pyo3(signature = (offset, /))]
            fn translated(&self, offset: Array1<'_, f64>) -> PyResult<Self> {
                let (py, offset) = (offset.py(), vector(slice(&offset)?));
                Self::made(py, || self.shape.translated(offset).map_err(refused))
            }

            #[pyo3(signature = (depth, /))]
            fn one_sided(&self, py: Python<'_>, depth: f64) -> PyResult<Self> {
                let shape = self.shape.clone();
                Self::made(py, || shape.one_sided(depth as Real).map_err(refused))
            }

            #[pyo3(signature = (/))]
            fn solid(&self, py: Python<'_>) -> PyResult<Self> {
                let shape = self.shape.clone();
                Self::made(py, || shape.solid().map_err(refused))
            }

            #[pyo3(signature = (density, /))]
            fn mass_properties(&self, py: Python<'_>, density: f64) -> PyResult<shapes::Mass> {
                py.detach(|| shapes::mass(&self.shape, density))
            }

            #[pyo3(signature = (effort, /))]
            fn self_crossings<'py>(
                &self,
                py: Python<'py>,
                effort: u32,
            ) -> PyResult<shapes::Crossings<'py>> {
                let (pairs, is_complete) =
                    py.detach(|| shapes::self_crossings(&self.shape, effort))?;
                Ok((PyArray1::from_vec(py, pairs), is_complete))
            }

            #[pyo3(signature = (pose, /))]
            fn bounds(&self, pose: Array2<'_>) -> PyResult<[Vec<f64>; 2]> {
                let poses = Numbers::of("pose", &pose)?.poses(&Workers::CALLER)?;
                let pose = poses.first().unwrap_or(&Pose::IDENTITY);
                Ok(shapes::bounds(&self.shape, pose))
            }

            #[getter]
            fn kind(&self) -> &'static str {
                self.shape.kind_name()
            }

            #[getter]
            fn part_count(&self) -> u32 {
                shapes::part_count(&self.shape)
            }

            #[getter]
            fn bounding_radius(&self) -> f64 {
                self.shape.bounding_radius()
            }

            #[getter]
            fn is_solid(&self) -> bool {
                self.shape.has_solid()
            }

            #[getter]
            fn memory(&self) -> usize {
                self.shape.shared_memory()
            }

            #[staticmethod]
            #[pyo3(signature = (a, b, within, threads, out, /))]
            fn distance(
                a: $side<'_>,
                b: $side<'_>,
                within: f64,
                threads: Option<usize>,
                out: &Bound<'_, PyArray1<u8>>,
            ) -> PyResult<()> {
                let py = out.py();
                let mut writing = writable(out)?;
                let (bytes, count) = rows_of(&mut writing, Pairs::<$vector>::DISTANCE_SIZE)?;
                let (a, b) = (Self::given(&a)?, Self::given(&b)?);
                let within = range(within)?;
                py.detach(move || {
                    let workers = Workers::new(threads, load(count, &[&a, &b]))?;
                    let (a, b) = (a.read(count, &workers)?, b.read(count, &workers)?);
                    Pairs { a, b, workers }.distances(within, bytes)
                })
            }

            #[staticmethod]
            #[pyo3(signature = (a, b, threads, out, /))]
            fn intersects(
                a: $side<'_>,
                b: $side<'_>,
                threads: Option<usize>,
                out: &Bound<'_, PyArray1<u8>>,
            ) -> PyResult<()> {
                let py = out.py();
                let mut writing = writable(out)?;
                let (bytes, count) = rows_of(&mut writing, 1)?;
                let (a, b) = (Self::given(&a)?, Self::given(&b)?);
                py.detach(move || {
                    let workers = Workers::new(threads, load(count, &[&a, &b]))?;
                    let (a, b) = (a.read(count, &workers)?, b.read(count, &workers)?);
                    Pairs { a, b, workers }.intersections(bytes)
                })
            }

            #[staticmethod]
            #[pyo3(signature = (kind, a, b, options, /))]
            fn contacts<'py>(
                kind: &str,
                a: $side<'py>,
                b: $side<'py>,
                options: (usize, f64, Option<usize>),
            ) -> PyResult<ListedRows<'py>> {
                let py = a.3.py();
                let (count, within, threads) = options;
                let given = (Self::given(&a)?, Self::given(&b)?);
                let within = range(within)?;
                let listed = py.detach(move || {
                    let (a, b) = given;
                    let workers = Workers::new(threads, load(count, &[&a, &b]))?;
                    let (a, b) = (a.read(count, &workers)?, b.read(count, &workers)?);
                    let pairs = Pairs { a, b, workers };
                    match kind {
                        "manifolds" => pairs.manifolds(count, within),
                        "crossings" => pairs.crossings(count),
                        _ => pairs.contacts(count, within),
                    }
                })?;
                Ok(rows_for_python(py, listed))
            }

            #[staticmethod]
            #[pyo3(signature = (a, b, motions, options, out, /))]
            fn cast_shapes(
                a: $side<'_>,
                b: $side<'_>,
                motions: (Array2<'_>, Array2<'_>),
                options: (f64, String, Option<usize>),
                out: &Bound<'_, PyArray1<u8>>,
            ) -> PyResult<()> {
                let py = out.py();
                let mut writing = writable(out)?;
                let (bytes, count) = rows_of(&mut writing, Pairs::<$vector>::CAST_SIZE)?;
                let (a, b) = (Self::given(&a)?, Self::given(&b)?);
                let motion_a = Numbers::of("motions_a", &motions.0)?;
                let motion_b = Numbers::of("motions_b", &motions.1)?;
                expect_rows(&motion_a, count)?;
                expect_rows(&motion_b, count)?;
                let (within, leaving, threads) = options;
                let options = cast_options(within, &leaving)?;
                py.detach(move || {
                    let workers = Workers::new(threads, load(count, &[&a, &b]))?;
                    let (a, b) = (a.read(count, &workers)?, b.read(count, &workers)?);
                    let motions = [motion_a.motions(&workers)?, motion_b.motions(&workers)?];
                    let [motion_a, motion_b] = &motions;
                    let motions = Motions {
                        a: motion_a,
                        b: motion_b,
                        options,
                    };
                    Pairs { a, b, workers }.casts(&motions, bytes)
                })
            }

            #[staticmethod]
            #[pyo3(signature = (rays, b, options, count, /))]
            fn cast_rays_all<'py>(
                rays: Array2<'py>,
                b: $side<'py>,
                options: (f64, bool, bool, Option<usize>),
                count: usize,
            ) -> PyResult<Bound<'py, PyArray1<u8>>> {
                let py = rays.py();
                let b = Self::given(&b)?;
                let rays = Numbers::of("rays", &rays)?;
                expect_rows(&rays, count)?;
                let (max_distance, solid, back_faces, threads) = options;
                let options = ray_options((max_distance, solid, back_faces))?;
                let found = py.detach(move || {
                    let workers = Workers::new(threads, load(count, &[&b]))?.for_short_rows();
                    let (rays, b) = (read_rays(&rays, &workers)?, b.read(count, &workers)?);
                    Shots {
                        rays,
                        b,
                        options,
                        workers,
                    }
                    .cast_all(count)
                })?;
                Ok(PyArray1::from_vec(py, found))
            }

            #[staticmethod]
            #[pyo3(signature = (rays, b, options, threads, out, /))]
            fn cast_rays(
                rays: Array2<'_>,
                b: $side<'_>,
                options: (f64, bool, bool),
                threads: Option<usize>,
                out: &Bound<'_, PyArray1<u8>>,
            ) -> PyResult<()> {
                let py = out.py();
                let mut writing = writable(out)?;
                let (bytes, count) = rows_of(&mut writing, Shots::<$vector>::SIZE)?;
                let b = Self::given(&b)?;
                let rays = Numbers::of("rays", &rays)?;
                expect_rows(&rays, count)?;
                let options = ray_options(options)?;
                py.detach(move || {
                    let workers = Workers::new(threads, load(count, &[&b]))?.for_short_rows();
                    let (rays, b) = (read_rays(&rays, &workers)?, b.read(count, &workers)?);
                    Shots {
                        rays,
                        b,
                        options,
                        workers,
                    }
                    .cast(bytes)
                })
            }
        }

        /// A shape at a pose, for questions about one pair.
        #[pyclass(frozen, module = "clearance._clearance")]
        pub struct $placed {
            shape: Shape<$vector>,
            pose: Pose<$vector>,
        }

        #[pymethods]
        impl $placed {
            #[new]
            #[pyo3(signature = (shape, pose, /))]
            fn new(shape: Py<$shape>, pose: Array2<'_>) -> PyResult<Self> {
                let poses = Numbers::of("pose", &pose)?.poses(&Workers::CALLER)?;
                let pose = *poses.first().ok_or_else(|| refused("pose: is empty"))?;
                let shape = shape.get().shape.clone();
                Ok(Self { shape, pose })
            }

            #[pyo3(signature = (other, within, /))]
            fn distance(&self, py: Python<'_>, other: &Self, within: f64) -> PyResult<Nearest> {
                let within = range(within)?;
                let [a, b] = [self, other].map(|side| Placed::new(&side.shape, &side.pose));
                let answer = move || Nearest::of(&measure(a, b, within));
                // To let other threads go on takes longer than a pair without parts.
                let has_parts = [a, b]
                    .iter()
                    .any(|side| matches!(side.shape, Shape::Composite(_)));
                Ok(if has_parts {
                    py.detach(answer)
                } else {
                    answer()
                })
            }

            #[pyo3(signature = (other, /))]
            fn intersects(&self, py: Python<'_>, other: &Self) -> bool {
                let [a, b] = [self, other].map(|side| Placed::new(&side.shape, &side.pose));
                // Poses were checked, so nothing is refused.
                py.detach(move || intersects(a, b)) == Ok(true)
            }
        }
    };
}

classes!(Vec2, Shape2, Placed2, Side2);
classes!(Vec3, Shape3, Placed3, Side3);

//! The worlds of both dimensions, from one source.

use clearance::generic::Velocity;
use clearance::gjk::Motion;
use clearance::math::Real;
use clearance::math::glam::{Vec2, Vec3};
use clearance::{BodyKind, Groups};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::batch::{cast_options, expect_rows, of_row, range, ray_options, read_rays};
use crate::classes::{Shape2, Shape3, Side2, Side3, slice};
use crate::poses::Numbers;
use crate::problem::refused;
use crate::workers::Workers;
use crate::world::{Bodies, Filter, Ids, NewBodies, Settings};

type GivenIds<'py> = PyReadonlyArray1<'py, u64>;
type Array2<'py> = PyReadonlyArray2<'py, f64>;
type Bytes<'py> = Bound<'py, PyArray1<u8>>;
type Floats<'py> = Bound<'py, PyArray1<f64>>;
/// What new bodies are: moving, memberships, what they meet, extra margin, user data, swept.
type Given<'py> = (
    PyReadonlyArray1<'py, u8>,
    PyReadonlyArray1<'py, u32>,
    PyReadonlyArray1<'py, u32>,
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, u64>,
    PyReadonlyArray1<'py, u8>,
);
/// The groups of a question, and bodies that are passed over.
type GivenFilter<'py> = ((u32, u32), GivenIds<'py>);

fn named<'a>(argument: &'a str, ids: &'a GivenIds<'_>) -> PyResult<Ids<'a>> {
    let numbers = slice(ids)?;
    Ok(Ids { argument, numbers })
}

fn filter(given: &GivenFilter<'_>) -> PyResult<Filter> {
    Ok(Filter::new(given.0, slice(&given.1)?))
}

macro_rules! world {
    ($vector:ty, $world:ident, $shape:ident, $side:ident) => {
        /// A world of bodies.
        #[pyclass(module = "clearance._clearance")]
        pub struct $world {
            bodies: Bodies<$vector>,
        }

        #[pymethods]
        impl $world {
            #[new]
            #[pyo3(signature = (settings, /))]
            fn new(settings: Settings) -> PyResult<Self> {
                let bodies = Bodies::new(settings)?;
                Ok(Self { bodies })
            }

            #[pyo3(signature = (side, velocities, given, /))]
            fn insert<'py>(
                &mut self,
                side: $side<'py>,
                velocities: Array2<'py>,
                given: Given<'py>,
            ) -> PyResult<Bound<'py, PyArray1<u64>>> {
                let py = velocities.py();
                let new = NewBodies {
                    moving: slice(&given.0)?,
                    memberships: slice(&given.1)?,
                    meets: slice(&given.2)?,
                    extra_margin: slice(&given.3)?,
                    user_data: slice(&given.4)?,
                    swept: slice(&given.5)?,
                };
                let count = new.moving.len();
                let side = $shape::given(&side)?;
                let velocities = Numbers::of("velocities", &velocities)?;
                expect_rows(&velocities, count)?;
                let bodies = &mut self.bodies;
                let ids = py.detach(move || {
                    let side = side.read(count, &Workers::CALLER)?;
                    let velocities = velocities.motions(&Workers::CALLER)?;
                    bodies.insert(&side, &velocities, &new)
                })?;
                Ok(PyArray1::from_vec(py, ids))
            }

            #[pyo3(signature = (ids, /))]
            fn remove(&mut self, ids: GivenIds<'_>) -> PyResult<()> {
                self.bodies.remove(named("ids", &ids)?)
            }

            #[pyo3(signature = (ids, poses, /))]
            fn set_poses(&mut self, ids: GivenIds<'_>, poses: Array2<'_>) -> PyResult<()> {
                let (ids, poses) = (named("ids", &ids)?, Numbers::of("poses", &poses)?);
                expect_rows(&poses, ids.numbers.len())?;
                let poses = poses.poses(&Workers::CALLER)?;
                self.bodies.set_poses(ids, &poses)
            }

            #[pyo3(signature = (ids, velocities, /))]
            fn set_velocities(
                &mut self,
                ids: GivenIds<'_>,
                velocities: Array2<'_>,
            ) -> PyResult<()> {
                let ids = named("ids", &ids)?;
                let given = Numbers::of("velocities", &velocities)?;
                expect_rows(&given, ids.numbers.len())?;
                let given = given.motions::<$vector>(&Workers::CALLER)?;
                let velocity = |row: usize| {
                    let Motion { linear, angular } = of_row(&given, row);
                    Velocity { linear, angular }
                };
                self.bodies.set_velocities(ids, velocity)
            }

            #[pyo3(signature = (ids, memberships, meets, /))]
            fn set_groups(
                &mut self,
                ids: GivenIds<'_>,
                memberships: u32,
                meets: u32,
            ) -> PyResult<()> {
                let groups = Groups {
                    memberships,
                    filter: meets,
                };
                self.bodies.each(named("ids", &ids)?, |world, _, id| {
                    world.body_mut(id).map(|mut body| body.set_groups(groups))
                })
            }

            #[pyo3(signature = (ids, moving, /))]
            fn set_moving(&mut self, ids: GivenIds<'_>, moving: bool) -> PyResult<()> {
                let kind = if moving {
                    BodyKind::Moving
                } else {
                    BodyKind::Fixed
                };
                self.bodies.each(named("ids", &ids)?, |world, _, id| {
                    world.body_mut(id).map(|mut body| body.set_kind(kind))
                })
            }

            #[pyo3(signature = (ids, shape, /))]
            fn set_shape(&mut self, ids: GivenIds<'_>, shape: Py<$shape>) -> PyResult<()> {
                let shape = shape.get().shape();
                self.bodies.each(named("ids", &ids)?, |world, _, id| {
                    world
                        .body_mut(id)
                        .map(|mut body| body.set_shape(shape.clone()))
                })
            }

            #[pyo3(signature = (a, b, is_ignored, /))]
            fn ignore(
                &mut self,
                a: GivenIds<'_>,
                b: GivenIds<'_>,
                is_ignored: bool,
            ) -> PyResult<()> {
                let pairs = [named("a", &a)?, named("b", &b)?];
                self.bodies.ignore(pairs, is_ignored)
            }

            #[pyo3(signature = (ids, /))]
            fn poses<'py>(&self, ids: GivenIds<'py>) -> PyResult<Floats<'py>> {
                let numbers = self.bodies.poses(named("ids", &ids)?)?;
                Ok(PyArray1::from_vec(ids.py(), numbers))
            }

            #[pyo3(signature = (ids, /))]
            fn velocities<'py>(&self, ids: GivenIds<'py>) -> PyResult<Floats<'py>> {
                let numbers = self.bodies.velocities(named("ids", &ids)?)?;
                Ok(PyArray1::from_vec(ids.py(), numbers))
            }

            #[pyo3(signature = (/))]
            fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
                let ids = self
                    .bodies
                    .world
                    .bodies()
                    .ids()
                    .map(crate::world::number_of);
                PyArray1::from_iter(py, ids)
            }

            #[pyo3(signature = (dt, /))]
            fn step(&mut self, py: Python<'_>, dt: f64) -> PyResult<()> {
                let world = &mut self.bodies.world;
                py.detach(move || world.step(dt as Real)).map_err(refused)
            }

            #[pyo3(signature = (of, /))]
            fn contacts<'py>(&self, py: Python<'py>, of: &str) -> Bytes<'py> {
                PyArray1::from_vec(py, self.bodies.contacts(of))
            }

            #[pyo3(signature = (/))]
            fn events<'py>(&self, py: Python<'py>) -> Bytes<'py> {
                PyArray1::from_vec(py, self.bodies.events())
            }

            #[pyo3(signature = (rays, options, about, /))]
            fn cast_rays<'py>(
                &self,
                rays: Array2<'py>,
                options: (f64, bool, bool),
                about: GivenFilter<'py>,
            ) -> PyResult<Bytes<'py>> {
                let py = rays.py();
                let (options, filter) = (ray_options(options)?, filter(&about)?);
                let rays = read_rays(&Numbers::of("rays", &rays)?, &Workers::CALLER)?;
                let bodies = &self.bodies;
                let rows = py.detach(move || bodies.cast_rays(&rays, options, &filter))?;
                Ok(PyArray1::from_vec(py, rows))
            }

            #[pyo3(signature = (side, motions, options, about, /))]
            fn cast_shapes<'py>(
                &self,
                side: $side<'py>,
                motions: Array2<'py>,
                options: (usize, f64, String),
                about: GivenFilter<'py>,
            ) -> PyResult<Bytes<'py>> {
                let py = motions.py();
                let (count, within, leaving) = options;
                let (options, filter) = (cast_options(within, &leaving)?, filter(&about)?);
                let motions = Numbers::of("motions", &motions)?;
                expect_rows(&motions, count)?;
                let motions = motions.motions(&Workers::CALLER)?;
                let side = $shape::given(&side)?.read(count, &Workers::CALLER)?;
                let bodies = &self.bodies;
                let cast = move || bodies.cast_shapes((&side, count), &motions, (options, &filter));
                Ok(PyArray1::from_vec(py, py.detach(cast)?))
            }

            #[pyo3(signature = (side, asked, about, /))]
            fn near<'py>(
                &self,
                side: $side<'py>,
                asked: (usize, Option<usize>, f64),
                about: GivenFilter<'py>,
            ) -> PyResult<Bytes<'py>> {
                let py = side.3.py();
                let (count, nearest, within) = asked;
                let (within, filter) = (range(within)?, filter(&about)?);
                let side = $shape::given(&side)?.read(count, &Workers::CALLER)?;
                let bodies = &self.bodies;
                let near = move || bodies.near((&side, count), (nearest, within), &filter);
                Ok(PyArray1::from_vec(py, py.detach(near)?))
            }

            #[pyo3(signature = (/))]
            fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
                let bodies = &self.bodies;
                Ok(PyBytes::new(py, &py.detach(move || bodies.snapshot())?))
            }

            #[pyo3(signature = (stored, /))]
            fn restore(&mut self, py: Python<'_>, stored: &[u8]) -> PyResult<()> {
                let bodies = &mut self.bodies;
                py.detach(move || bodies.restore(stored))
            }

            #[getter]
            fn state_hash(&self) -> u64 {
                self.bodies.world.state_hash()
            }

            #[getter]
            fn contacts_hash(&self) -> u64 {
                self.bodies.world.contacts_hash()
            }

            #[getter]
            fn margin(&self) -> Real {
                self.bodies.world.options().margin
            }
        }
    };
}

world!(Vec2, World2, Shape2, Side2);
world!(Vec3, World3, Shape3, Side3);

//! Questions about many pairs: each fills a row of an array, or adds rows to a list.

use clearance::gjk::{
    BackFaces, Cast, CastOptions, Completeness, Interior, Leaving, Motion, Placed, Question,
    RayOptions, cast_ray_all_into, cast_shapes, contact_manifolds_into, contacts_into,
    crossing_segments_into, hit_by_ray, intersects, measure_each,
};
use clearance::math::{PreciseVector, Ray, Real, Vector};
use numpy::{PyArray1, PyArrayMethods, PyReadwriteArray1};
use pyo3::{Bound, PyErr, PyResult};

use crate::order::{order, pays};
use crate::poses::{Numbers, direction};
use crate::problem::refused;
use crate::rows::{Row, Rows, cast_size, crossing_size, manifold_size, ray_size, separation_size};
use crate::sides::Side;
use crate::space::Space;
use crate::workers::{Signals, Workers};

/// The array of bytes that a call is to write, which no other call may write or read meanwhile.
pub(crate) fn writable<'py>(
    out: &Bound<'py, PyArray1<u8>>,
) -> PyResult<PyReadwriteArray1<'py, u8>> {
    let message = "out: is in use by another call, must be used by one at a time";
    out.try_readwrite().map_err(|_| refused(message))
}

/// The bytes of an array that is to hold rows of a size, and how many rows it holds.
pub(crate) fn rows_of<'o>(
    out: &'o mut PyReadwriteArray1<'_, u8>,
    size: usize,
) -> PyResult<(&'o mut [u8], usize)> {
    let bytes = out
        .as_slice_mut()
        .map_err(|_| refused("out: must be contiguous"))?;
    if !bytes.len().is_multiple_of(size) {
        let found = bytes.len();
        return Err(refused(format!(
            "out: has {found} bytes, must have a multiple of {size}"
        )));
    }
    let count = bytes.len() / size;
    Ok((bytes, count))
}

/// Two sides, and who answers.
pub(crate) struct Pairs<'a, V: Space> {
    pub(crate) a: Side<'a, V>,
    pub(crate) b: Side<'a, V>,
    pub(crate) workers: Workers,
}

/// The range of a question, which is no number only by mistake.
pub(crate) fn range(within: f64) -> PyResult<Real> {
    if within.is_nan() {
        return Err(refused("within: is NaN, must be a number or infinity"));
    }
    Ok(within as Real)
}

impl<V: Space> Pairs<'_, V> {
    pub(crate) const DISTANCE_SIZE: usize = separation_size(0, V::DIM);
    pub(crate) const CAST_SIZE: usize = cast_size(0, V::DIM);

    pub(crate) fn distances(&self, within: Real, bytes: &mut [u8]) -> PyResult<()> {
        let size = Self::DISTANCE_SIZE;
        self.workers.fill(bytes, size, |range, bytes| {
            let items: Vec<usize> = range.collect();
            let question = |&row: &usize| {
                Some(Question {
                    a: self.a.placed(row),
                    b: self.b.placed(row),
                    within,
                })
            };
            let mut rows = bytes.chunks_exact_mut(size);
            measure_each(&items, question, |_, _, near| {
                if let Some(row) = rows.next() {
                    Row::new(row).proximity(near).end();
                }
            });
        })
    }

    pub(crate) fn intersections(&self, bytes: &mut [u8]) -> PyResult<()> {
        self.workers.fill(bytes, 1, |range, bytes| {
            for (row, byte) in range.zip(bytes) {
                // Poses were checked, so nothing is refused.
                *byte = intersects(self.a.placed(row), self.b.placed(row))
                    .is_ok_and(|overlap| overlap)
                    .into();
            }
        })
    }

    /// The rows of all contacts of parts, and of each question whether these are all.
    pub(crate) fn contacts(&self, count: usize, within: Real) -> PyResult<Listed> {
        let answer = |row: usize, rows: &mut Rows| {
            let mut found = Vec::new();
            let done = contacts_into(self.a.placed(row), self.b.placed(row), within, &mut found);
            for near in &found {
                rows.add().whole(row as u64).separation(near);
            }
            done.map_err(|error| error.to_string())
        };
        self.list(count, separation_size(8, V::DIM), answer)
    }

    /// The rows of all points of manifolds, and of each question whether these are all.
    pub(crate) fn manifolds(&self, count: usize, within: Real) -> PyResult<Listed> {
        let answer = |row: usize, rows: &mut Rows| {
            let mut found = Vec::new();
            let [a, b] = [self.a.placed(row), self.b.placed(row)];
            let done = contact_manifolds_into(a, b, within, &mut found);
            for manifold in &found {
                for point in manifold.points() {
                    let row = rows.add().whole(row as u64);
                    row.manifold_point(&manifold.separation, point);
                }
            }
            done.map_err(|error| error.to_string())
        };
        self.list(count, manifold_size(V::DIM), answer)
    }

    /// The rows of all segments in which meshes cross, and of each question whether these are all.
    pub(crate) fn crossings(&self, count: usize) -> PyResult<Listed> {
        let answer = |row: usize, rows: &mut Rows| {
            let mut found = Vec::new();
            let [a, b] = [self.a.placed(row), self.b.placed(row)];
            let done = crossing_segments_into(a, b, &mut found);
            for segment in &found {
                rows.add().whole(row as u64).crossing(segment);
            }
            done.map_err(|error| error.to_string())
        };
        self.list(count, crossing_size(V::DIM), answer)
    }

    fn list(
        &self,
        count: usize,
        size: usize,
        answer: impl Fn(usize, &mut Rows) -> Result<Completeness, String> + Sync,
    ) -> PyResult<Listed> {
        let lists = self.workers.map_ranges(count, |range| {
            let mut rows = Rows::of_size(size);
            let complete = range.map(|row| answer(row, &mut rows));
            let complete = complete.collect::<Result<Vec<_>, String>>()?;
            Ok::<_, String>((rows.bytes, complete))
        })?;
        let (mut bytes, mut complete) = (Vec::new(), Vec::new());
        for list in lists {
            let (rows, done) = list.map_err(refused)?;
            bytes.extend(rows);
            complete.extend(done.iter().map(|done| *done == Completeness::Complete));
        }
        Ok(Listed { bytes, complete })
    }

    pub(crate) fn casts(&self, motions: &Motions<'_, V>, bytes: &mut [u8]) -> PyResult<()> {
        let size = Self::CAST_SIZE;
        self.workers.fill(bytes, size, |range, bytes| {
            for (row, bytes) in range.zip(bytes.chunks_exact_mut(size)) {
                let a = Cast::new(self.a.placed(row), of_row(motions.a, row));
                let b = Cast::new(self.b.placed(row), of_row(motions.b, row));
                // Poses, motions and options were checked, so nothing is refused.
                let hit = cast_shapes(a, b, motions.options).ok().flatten();
                Row::new(bytes).cast_hit(hit.as_ref()).end();
            }
        })
    }
}

/// Rows, and of each question whether all that it asks for is there.
pub(crate) struct Listed {
    pub(crate) bytes: Vec<u8>,
    pub(crate) complete: Vec<bool>,
}

/// The motions of both sides, one for all or one each, and what counts as met.
pub(crate) struct Motions<'m, V: Vector> {
    pub(crate) a: &'m [Motion<V>],
    pub(crate) b: &'m [Motion<V>],
    pub(crate) options: CastOptions,
}

/// The item of a row, or the only one.
pub(crate) fn of_row<T: Copy>(items: &[T], row: usize) -> T {
    items[row.min(items.len() - 1)]
}

/// Refuses a list that has neither one row nor as many as there are questions.
pub(crate) fn expect_rows(numbers: &Numbers, count: usize) -> PyResult<()> {
    let found = numbers.len();
    if found == 1 || found == count {
        return Ok(());
    }
    Err(refused(format!(
        "{}: has {found} rows, must have 1 or {count}",
        numbers.argument
    )))
}

/// What counts as met by a cast. `leaving` is the name of what shapes do that are in range at the start.
pub(crate) fn cast_options(within: f64, leaving: &str) -> PyResult<CastOptions> {
    let leaving = match leaving {
        "hit" => Leaving::Hit,
        "pass" => Leaving::Pass,
        "ignore" => Leaving::Ignore,
        other => {
            return Err(refused(format!(
                "leaving: is {other:?}, must be \"hit\", \"pass\" or \"ignore\""
            )));
        }
    };
    let options = CastOptions {
        within: within as Real,
        leaving,
    };
    options.check().map_err(refused)?;
    Ok(options)
}

/// What rays may hit: the greatest distance, whether shapes are solid, and whether back faces are hit.
pub(crate) fn ray_options(given: (f64, bool, bool)) -> PyResult<RayOptions> {
    let (max_distance, solid, back_faces) = given;
    let options = RayOptions {
        max_distance: max_distance as Real,
        interior: if solid {
            Interior::Solid
        } else {
            Interior::Hollow
        },
        back_faces: if back_faces {
            BackFaces::Hit
        } else {
            BackFaces::Pass
        },
    };
    options.check().map_err(refused)?;
    Ok(options)
}

/// The rays of rows that have an origin and a direction.
pub(crate) fn read_rays<V: Space>(rows: &Numbers, workers: &Workers) -> Result<Vec<Ray<V>>, PyErr> {
    rows.expect_width(2 * V::DIM)?
        .read(&workers.for_reading(), |row| {
            let origin = V::Precise::from_fn(|axis| row[axis]);
            Ray::new(origin, direction::<V>(&row[V::DIM..])).map_err(|error| error.to_string())
        })
}

/// How many rays are answered before their answers are copied to their rows, where rays are not in the order of these.
const AT_ONCE: usize = 16;

/// Rays against one shape each, and who answers.
pub(crate) struct Shots<'a, V: Space> {
    pub(crate) rays: Vec<Ray<V>>,
    pub(crate) b: Side<'a, V>,
    pub(crate) options: RayOptions,
    pub(crate) workers: Workers,
}

impl<V: Space> Shots<'_, V> {
    pub(crate) const SIZE: usize = ray_size(0, V::DIM);

    pub(crate) fn cast(&self, bytes: &mut [u8]) -> PyResult<()> {
        let count = bytes.len() / Self::SIZE;
        let only = self.b.only().filter(|_| self.rays.len() == count);
        let workers = self.workers.for_pieces(count);
        match only.filter(|b| pays(workers.chunk(count), b)) {
            Some(b) => workers.fill_while(bytes, Self::SIZE, |range, bytes, signals| {
                self.cast_piece(&self.rays[range], b, bytes, signals);
            }),
            None => self.workers.fill(bytes, Self::SIZE, |range, bytes| {
                for (row, bytes) in range.zip(bytes.chunks_exact_mut(Self::SIZE)) {
                    let hit = self.hit(&of_row(&self.rays, row), self.b.placed(row));
                    Row::new(bytes).ray_hit(hit.as_ref()).end();
                }
            }),
        }
    }

    /// Answers many rays at one shape, those that come the same way one after the other, as long as no signal ends it.
    fn cast_piece(
        &self,
        rays: &[Ray<V>],
        b: Placed<'_, V>,
        bytes: &mut [u8],
        signals: &Signals<'_>,
    ) {
        let mut rows: Vec<_> = bytes.chunks_exact_mut(Self::SIZE).collect();
        let order = order(rays, b).unwrap_or_else(|| (0..rays.len() as u32).collect());
        let rays: Vec<_> = order.iter().map(|&number| rays[number as usize]).collect();
        let mut answers = vec![0; AT_ONCE * Self::SIZE];
        for (rays, numbers) in rays.chunks(AT_ONCE).zip(order.chunks(AT_ONCE)) {
            if !signals.go_on() {
                return;
            }
            for (ray, answer) in rays.iter().zip(answers.chunks_exact_mut(Self::SIZE)) {
                Row::new(answer).ray_hit(self.hit(ray, b).as_ref()).end();
            }
            // All at once: what is elsewhere in memory is waited for together.
            for (&number, answer) in numbers.iter().zip(answers.chunks_exact(Self::SIZE)) {
                rows[number as usize].copy_from_slice(answer);
            }
        }
    }

    /// The rows of all hits of each ray, sorted as by [`cast_ray_all`].
    pub(crate) fn cast_all(&self, count: usize) -> PyResult<Vec<u8>> {
        let lists = self.workers.map_ranges(count, |range| {
            let (mut rows, mut hits) = (Rows::of_size(ray_size(8, V::DIM)), Vec::new());
            for row in range {
                let ray = of_row(&self.rays, row);
                // Poses and options were checked, so nothing is refused.
                let _ = cast_ray_all_into(&ray, self.b.placed(row), self.options, &mut hits);
                for hit in &hits {
                    rows.add().whole(row as u64).ray_hit(Some(hit));
                }
            }
            rows.bytes
        })?;
        Ok(lists.concat())
    }

    fn hit(&self, ray: &Ray<V>, b: Placed<'_, V>) -> Option<clearance::gjk::RayHit<V>> {
        // As files ask: a hollow ray leaves the cell of voxels that it starts in.
        let is_any = |_| true;
        let of_cells = self.options.interior == Interior::Hollow && b.shape.kind_name() == "voxels";
        let b = if of_cells { b.with_parts(&is_any) } else { b };
        hit_by_ray(ray, b, self.options)
    }
}

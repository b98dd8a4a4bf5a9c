//! Poses and vectors from rows of numbers.

use std::f64::consts::{PI, TAU};

use clearance::gjk::Motion;
use clearance::math::{Pose, PreciseVector, Real, Rotation, Vector};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::PyResult;

use crate::problem::{RowProblem, refused};
use crate::space::Space;
use crate::workers::Workers;

/// Rows of numbers: a borrowed array.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<'a> {
    pub(crate) argument: &'a str,
    numbers: &'a [f64],
    pub(crate) width: usize,
}

impl<'a> Numbers<'a> {
    /// The rows of an array, which must be contiguous.
    pub(crate) fn of(argument: &'a str, array: &'a PyReadonlyArray2<'_, f64>) -> PyResult<Self> {
        // A slice is also had of columns one after the other, which are no rows.
        let numbers = array.as_slice().ok().filter(|_| array.is_c_contiguous());
        let numbers = numbers.ok_or_else(|| refused(format!("{argument}: must be contiguous")))?;
        let width = array.shape()[1];
        if width == 0 {
            return Err(refused(format!("{argument}: has rows without numbers")));
        }
        Ok(Self {
            argument,
            numbers,
            width,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len() / self.width
    }

    pub(crate) fn row(&self, row: usize) -> &'a [f64] {
        &self.numbers[row * self.width..][..self.width]
    }

    /// Refuses rows of another width.
    pub(crate) fn expect_width(&self, width: usize) -> PyResult<Self> {
        if self.width == width {
            return Ok(*self);
        }
        let Self {
            argument,
            width: found,
            ..
        } = self;
        Err(refused(format!(
            "{argument}: has rows of {found} numbers, must have {width}"
        )))
    }

    /// What each row stands for; the first row that is refused decides the exception.
    pub(crate) fn read<T: Send>(
        &self,
        workers: &Workers,
        read: impl Fn(&[f64]) -> Result<T, String> + Sync,
    ) -> PyResult<Vec<T>> {
        let rows = workers.map_ranges(self.len(), |range| {
            let mut rows = Vec::with_capacity(range.len());
            for row in range {
                rows.push(read(self.row(row)).map_err(|text| RowProblem::new(row, text))?);
            }
            Ok::<_, RowProblem>(rows)
        })?;
        let mut all = Vec::with_capacity(self.len());
        for rows in rows {
            all.extend(rows.map_err(|problem| problem.of(self.argument))?);
        }
        Ok(all)
    }

    /// The poses that the rows stand for: numbers of a pose, of a matrix row by row, or of a position alone.
    pub(crate) fn poses<V: Space>(&self, workers: &Workers) -> PyResult<Vec<Pose<V>>> {
        let Some(form) = PoseForm::of_width::<V>(self.width) else {
            let widths = [V::DIM, V::DIM + V::ROTATION_NUMBERS, V::MATRIX_NUMBERS];
            return Err(refused(format!(
                "{}: has rows of {} numbers, must have {}, {} or {}",
                self.argument, self.width, widths[0], widths[1], widths[2]
            )));
        };
        self.read(workers, |row| read_pose(row, form))
    }

    /// The motions that the rows stand for: `linear` and `angular`.
    pub(crate) fn motions<V: Space>(&self, workers: &Workers) -> PyResult<Vec<Motion<V>>> {
        self.expect_width(V::DIM + V::ANGULAR_NUMBERS)?
            .read(workers, |row| {
                let wrong = |&(_, number): &(usize, &f64)| !(number.abs() <= Real::MAX.into());
                if let Some((place, number)) = row.iter().enumerate().find(wrong) {
                    return Err(format!("number {place} is {number}, must be finite"));
                }
                Ok(motion(row))
            })
    }
}

/// What the numbers of a row are.
#[derive(Clone, Copy)]
enum PoseForm {
    Position,
    Numbers,
    Matrix,
}

impl PoseForm {
    fn of_width<V: Space>(width: usize) -> Option<Self> {
        if width == V::DIM {
            Some(Self::Position)
        } else if width == V::DIM + V::ROTATION_NUMBERS {
            Some(Self::Numbers)
        } else if width == V::MATRIX_NUMBERS {
            Some(Self::Matrix)
        } else {
            None
        }
    }
}

fn read_pose<V: Space>(row: &[f64], form: PoseForm) -> Result<Pose<V>, String> {
    let position = || V::Precise::from_fn(|axis| row[axis]);
    let pose = match form {
        PoseForm::Position => Ok(Pose::from_translation(position())),
        PoseForm::Numbers => {
            let mut numbers = [0.0; 4];
            let numbers = &mut numbers[..V::ROTATION_NUMBERS];
            for (number, value) in numbers.iter_mut().zip(&row[V::DIM..]) {
                let value = if V::DIM == 2 { reduced(*value) } else { *value };
                *number = value as Real;
            }
            V::rotation_from_numbers(numbers)
                .map(|rotation| Pose::new(position(), rotation))
                .map_err(Into::into)
        }
        PoseForm::Matrix => V::pose_of_matrix(row).and_then(|pose| {
            let last = &row[V::MATRIX_NUMBERS - V::DIM - 1..];
            let is_affine = last[V::DIM] == 1.0 && last[..V::DIM].iter().all(|x| *x == 0.0);
            if is_affine {
                Ok(pose)
            } else {
                Err(clearance::math::MatrixError::LastRow.into())
            }
        }),
    };
    let pose = pose.and_then(Pose::checked);
    pose.map_err(|error| error.to_string())
}

/// An angle that single precision does not hold, and that is beyond half a turn, less whole turns: its rounding error would
/// grow with it. Other angles stay as they are.
fn reduced(angle: f64) -> f64 {
    let is_held = f64::from(angle as Real) == angle;
    if is_held || angle.abs() <= PI || !(angle.abs() <= Real::MAX.into()) {
        return angle;
    }
    let rest = angle % TAU;
    if rest.abs() > PI {
        rest - TAU.copysign(rest)
    } else {
        rest
    }
}

/// A vector in single precision.
pub(crate) fn vector<V: Vector>(row: &[f64]) -> V {
    V::from_fn(|axis| row[axis] as Real)
}

/// The direction of a row in single precision, which means the same at any length: one that is out of the range of single
/// precision is brought back by powers of two, which keep its bits.
pub(crate) fn direction<V: Vector>(row: &[f64]) -> V {
    // 2^64, and the lengths between which components that count are neither too small nor too large.
    const STEP: f64 = 18_446_744_073_709_551_616.0;
    const RANGE: [f64; 2] = [1e-30, 1e38];
    let greatest = |row: &[f64]| row.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if (RANGE[0]..=RANGE[1]).contains(&greatest(row)) {
        return vector(row);
    }
    let mut scaled = [0.0; 3];
    let scaled = &mut scaled[..V::DIM];
    scaled.copy_from_slice(row);
    if row.iter().any(|x| !x.is_finite()) || greatest(row) == 0.0 {
        return vector(row);
    }
    while greatest(scaled) < RANGE[0] {
        scaled.iter_mut().for_each(|x| *x *= STEP);
    }
    while greatest(scaled) > RANGE[1] {
        scaled.iter_mut().for_each(|x| *x /= STEP);
    }
    vector(scaled)
}

/// The numbers of a pose in double precision.
pub(crate) fn pose_numbers<V: Space>(pose: &Pose<V>) -> Vec<f64> {
    let position = (0..V::DIM).map(|axis| pose.position().component(axis));
    let rotation = V::rotation_numbers(pose.rotation);
    let rotation = rotation.as_slice().iter().map(|number| f64::from(*number));
    position.chain(rotation).collect()
}

/// What `linear` and `angular` are one after the other.
pub(crate) fn motion<V: Space>(row: &[f64]) -> Motion<V> {
    let mut angular = [0.0; 3];
    let angular = &mut angular[..V::ANGULAR_NUMBERS];
    for (number, value) in angular.iter_mut().zip(&row[V::DIM..]) {
        *number = *value as Real;
    }
    Motion::new(vector(row), V::angular_from_numbers(angular))
}

/// The numbers of an angular velocity.
pub(crate) fn angular_numbers<V: Space>(angular: V::Angular) -> Vec<f64> {
    let in_space = V::Rotation::angular_in_space(angular).to_array();
    let numbers = if V::DIM == 2 {
        &in_space[2..]
    } else {
        &in_space[..]
    };
    numbers.iter().map(|number| f64::from(*number)).collect()
}

//! Errors of shapes.

use clearance_math::Real;

use crate::HullError;

/// The range in which a number of a shape must lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Requirement {
    /// Neither NaN nor infinite.
    #[error("finite")]
    Finite,
    /// Finite and greater than zero.
    #[error("finite and > 0")]
    Positive,
    /// Finite and at least zero.
    #[error("finite and >= 0")]
    NotNegative,
}

impl Requirement {
    fn is_met_by(self, value: Real) -> bool {
        value.is_finite()
            && match self {
                Self::Finite => true,
                Self::Positive => value > 0.0,
                Self::NotNegative => value >= 0.0,
            }
    }
}

/// The error of a shape that is not valid. The message names the field, its value and what is
/// allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is out of its range.
    #[error("{field} is {value}, must be {requirement}")]
    Number {
        /// The name of the field, as in the constructor and in scene files.
        field: &'static str,
        /// The value that was given.
        value: Real,
        /// What the value must be.
        requirement: Requirement,
    },
    /// A component of a vector is out of its range.
    #[error("{field}[{axis}] is {value}, must be {requirement}")]
    Component {
        /// The name of the field, as in the constructor and in scene files.
        field: &'static str,
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// The value that was given.
        value: Real,
        /// What the value must be.
        requirement: Requirement,
    },
    /// A transformation would bring a coordinate of the shape beyond the range of single precision.
    #[error(
        "{argument} would bring a coordinate of the shape along axis {axis} to {value:e}, must stay below 3.5e38"
    )]
    OutOfRange {
        /// The name of the argument that says how to transform the shape.
        argument: &'static str,
        /// The axis: 0 is x, 1 is y, 2 is z.
        axis: usize,
        /// What the coordinate would become.
        value: f64,
    },
    /// A normal is not of unit length.
    #[error("normal has length {length}, must be of unit length (within 1e-3)")]
    NotUnit {
        /// The length that was given.
        length: f64,
    },
    /// Scale factors that differ between the axes would turn the shape into one of a kind that does
    /// not exist, such as a stretched capsule.
    #[error("factors do not fit a {kind}, must be {valid}")]
    CannotStretch {
        /// The kind of the shape.
        kind: &'static str,
        /// What the factors must be.
        valid: &'static str,
    },
    /// The shape has a fixed place at the origin of its body and cannot be moved there.
    #[error("a {kind} cannot be moved in its body, move the pose of the body")]
    CannotMove {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// A [`crate::ShapeEncoding`] that belongs to no shape.
    #[error("encoding of a shape: {reason}")]
    Encoding {
        /// What is wrong with the encoding.
        reason: String,
    },
    /// The points cannot be made into a hull.
    #[error(transparent)]
    Hull(#[from] HullError),
}

pub(crate) fn check_number(
    field: &'static str,
    value: Real,
    requirement: Requirement,
) -> Result<(), ShapeError> {
    if requirement.is_met_by(value) {
        Ok(())
    } else {
        Err(ShapeError::Number {
            field,
            value,
            requirement,
        })
    }
}

pub(crate) fn check_vector<V: clearance_math::Vector>(
    field: &'static str,
    vector: V,
    requirement: Requirement,
) -> Result<(), ShapeError> {
    for axis in 0..V::DIM {
        let value = vector.component(axis);
        if !requirement.is_met_by(value) {
            return Err(ShapeError::Component {
                field,
                axis,
                value,
                requirement,
            });
        }
    }
    Ok(())
}

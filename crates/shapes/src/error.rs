//! Why a shape was refused.

use clearance_math::Real;

use crate::HullError;

/// What a number of a shape must be.
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

/// Why a shape was refused: which field, which value, what would be valid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is out of its range.
    #[error("{field} is {value}, must be {requirement}")]
    Number {
        /// The field as the constructor and the file format name it.
        field: &'static str,
        /// The value that was given.
        value: Real,
        /// What it must be.
        requirement: Requirement,
    },
    /// A component of a vector is out of its range.
    #[error("{field}[{axis}] is {value}, must be {requirement}")]
    Component {
        /// The field as the constructor and the file format name it.
        field: &'static str,
        /// The axis, counted from 0.
        axis: usize,
        /// The value that was given.
        value: Real,
        /// What it must be.
        requirement: Requirement,
    },
    /// A normal is not of unit length.
    #[error("normal has length {length}, must be of unit length (within 1e-3)")]
    NotUnit {
        /// The length that was given.
        length: f64,
    },
    /// A shape that factors which are not equal would turn into something else.
    #[error("factors do not fit a {kind}, must be {valid}")]
    CannotStretch {
        /// The kind of the shape.
        kind: &'static str,
        /// What the factors must be.
        valid: &'static str,
    },
    /// A shape that always lies at the origin of its body.
    #[error("a {kind} cannot be moved in its body, move the pose of the body")]
    CannotMove {
        /// The kind of the shape.
        kind: &'static str,
    },
    /// Stored numbers that no shape has.
    #[error("encoding of a shape: {reason}")]
    Encoding {
        /// What is wrong with them.
        reason: String,
    },
    /// The points of a hull cannot be used.
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

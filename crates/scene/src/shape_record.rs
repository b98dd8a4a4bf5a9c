//! Shapes as files describe them.

use clearance_math::Real;
use clearance_shapes::{Shape, ShapeError};
use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::FileVector;
use crate::file_vector::Numbers;
use crate::problem::Problem;

/// The description of a shape in a file: its type and fields.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeRecord<V> {
    /// Circle or sphere centred on the origin.
    Ball {
        /// Greater than zero.
        radius: Real,
    },
    /// Box centred on the origin.
    Cuboid {
        /// Half the lengths of the sides, each greater than zero.
        half_extents: V,
    },
    /// Segment along y, centred on the origin, swept by a ball.
    Capsule {
        /// Half the length of the segment, at least zero.
        half_length: Real,
        /// Radius of the ball, greater than zero.
        radius: Real,
    },
    /// The points between two ends.
    Segment {
        /// One end.
        a: V,
        /// The other end.
        b: V,
    },
    /// The points between three corners.
    Triangle {
        /// The first corner.
        a: V,
        /// The second corner.
        b: V,
        /// The third corner.
        c: V,
    },
    /// The convex hull of points.
    Hull {
        /// At least one.
        points: Vec<V>,
    },
    /// Cylinder about y, centred on the origin; 3D only.
    Cylinder {
        /// Half the height, greater than zero.
        half_height: Real,
        /// Greater than zero.
        radius: Real,
    },
    /// Cone about y, apex at `half_height`, base at `-half_height`; 3D only.
    Cone {
        /// Half the height, greater than zero.
        half_height: Real,
        /// Radius of the base, greater than zero.
        radius: Real,
    },
    /// Ellipse or ellipsoid centred on the origin.
    Ellipsoid {
        /// Half the lengths of the axes, each greater than zero.
        radii: V,
    },
    /// All points x with `normal . x <= 0`.
    HalfSpace {
        /// Of unit length within a thousandth.
        normal: V,
    },
    /// The Minkowski sum of a shape and a ball.
    Rounded {
        /// The shape inside.
        shape: Box<ShapeRecord<V>>,
        /// Radius of the ball, greater than zero.
        radius: Real,
    },
}

impl<V: FileVector> ShapeRecord<V> {
    /// The value of the field `type`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Ball { .. } => "ball",
            Self::Cuboid { .. } => "cuboid",
            Self::Capsule { .. } => "capsule",
            Self::Segment { .. } => "segment",
            Self::Triangle { .. } => "triangle",
            Self::Hull { .. } => "hull",
            Self::Cylinder { .. } => "cylinder",
            Self::Cone { .. } => "cone",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::HalfSpace { .. } => "half_space",
            Self::Rounded { .. } => "rounded",
        }
    }

    /// Builds the shape.
    ///
    /// # Errors
    /// A number out of its range, or a type that does not exist in this dimension.
    pub fn build(&self) -> Result<Shape<V>, Problem> {
        let shape = match self {
            Self::Ball { radius } => Shape::ball(*radius),
            Self::Cuboid { half_extents } => Shape::cuboid(*half_extents),
            Self::Capsule {
                half_length,
                radius,
            } => Shape::capsule(*half_length, *radius),
            Self::Segment { a, b } => Shape::segment(*a, *b),
            Self::Triangle { a, b, c } => Shape::triangle(*a, *b, *c),
            Self::Hull { points } => Shape::hull(points),
            Self::Cylinder {
                half_height,
                radius,
            } => V::cylinder(*half_height, *radius).ok_or_else(|| self.only_in_space())?,
            Self::Cone {
                half_height,
                radius,
            } => V::cone(*half_height, *radius).ok_or_else(|| self.only_in_space())?,
            Self::Ellipsoid { radii } => Shape::ellipsoid(*radii),
            Self::HalfSpace { normal } => Shape::half_space(*normal),
            Self::Rounded { shape, radius } => shape
                .build()
                .map_err(|problem| problem.inside_field("shape"))?
                .rounded(*radius),
        };
        shape.map_err(|error| located(&error))
    }

    fn only_in_space(&self) -> Problem {
        Problem::new(
            0,
            "type",
            format!("a {} exists in 3D only", self.type_name()),
        )
    }
}

/// The error of a constructor with its field as the path.
fn located(error: &ShapeError) -> Problem {
    match error {
        ShapeError::Number {
            field,
            value,
            requirement,
        } => Problem::new(0, *field, format!("is {value}, must be {requirement}")),
        ShapeError::Component {
            field,
            axis,
            value,
            requirement,
        } => Problem::new(
            0,
            format!("{field}[{axis}]"),
            format!("is {value}, must be {requirement}"),
        ),
        ShapeError::NotUnit { length } => Problem::new(
            0,
            "normal",
            format!("has length {length}, must be of unit length (within 1e-3)"),
        ),
        error => Problem::new(0, "", error.to_string()),
    }
}

impl<V: FileVector> Serialize for ShapeRecord<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.type_name())?;
        let vector = |vector: &V| Numbers::of_vector(*vector);
        match self {
            Self::Ball { radius } => map.serialize_entry("radius", radius)?,
            Self::Cuboid { half_extents } => {
                map.serialize_entry("half_extents", &vector(half_extents))?;
            }
            Self::Capsule {
                half_length,
                radius,
            } => {
                map.serialize_entry("half_length", half_length)?;
                map.serialize_entry("radius", radius)?;
            }
            Self::Segment { a, b } => {
                map.serialize_entry("a", &vector(a))?;
                map.serialize_entry("b", &vector(b))?;
            }
            Self::Triangle { a, b, c } => {
                map.serialize_entry("a", &vector(a))?;
                map.serialize_entry("b", &vector(b))?;
                map.serialize_entry("c", &vector(c))?;
            }
            Self::Hull { points } => {
                let points: Vec<Numbers> = points.iter().map(vector).collect();
                map.serialize_entry("points", &points)?;
            }
            Self::Cylinder {
                half_height,
                radius,
            }
            | Self::Cone {
                half_height,
                radius,
            } => {
                map.serialize_entry("half_height", half_height)?;
                map.serialize_entry("radius", radius)?;
            }
            Self::Ellipsoid { radii } => map.serialize_entry("radii", &vector(radii))?,
            Self::HalfSpace { normal } => map.serialize_entry("normal", &vector(normal))?,
            Self::Rounded { shape, radius } => {
                map.serialize_entry("shape", shape)?;
                map.serialize_entry("radius", radius)?;
            }
        }
        map.end()
    }
}

/// A valid description and the shape that was built from it.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneShape<V: FileVector> {
    record: ShapeRecord<V>,
    shape: Shape<V>,
}

impl<V: FileVector> SceneShape<V> {
    /// Builds the shape of `record`.
    ///
    /// # Errors
    /// What [`ShapeRecord::build`] refuses.
    pub fn new(record: ShapeRecord<V>) -> Result<Self, Problem> {
        let shape = record.build()?;
        Ok(Self { record, shape })
    }

    /// The description of the shape.
    #[must_use]
    pub fn record(&self) -> &ShapeRecord<V> {
        &self.record
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> &Shape<V> {
        &self.shape
    }
}

//! Serialization of shapes and hulls with serde.

use clearance_math::{Real, Vector};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use crate::{Hull, Shape, ShapeEncoding};

/// A shape is serialized as a [`ShapeEncoding`], which keeps every bit. Numbers that belong to no
/// shape are an error, and so is a shape of your own.
///
/// ```
/// use clearance::dim3::{Shape, Vec3};
///
/// let shape = Shape::cuboid(Vec3::new(1.0, 2.0, 0.1))?.rounded(0.01)?;
/// let text = serde_json::to_string(&shape)?;
/// assert_eq!(serde_json::from_str::<Shape>(&text)?, shape);
/// let negative = text.replacen(&1.0_f32.to_bits().to_string(), &(-1.0_f32).to_bits().to_string(), 1);
/// let refused = serde_json::from_str::<Shape>(&negative).unwrap_err().to_string();
/// assert!(refused.starts_with("cuboid: half_extents[0] is -1, must be finite and > 0"), "{refused}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<V: Vector> Serialize for Shape<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let encoding = self.to_encoding().map_err(ser::Error::custom)?;
        encoding.serialize(serializer)
    }
}

impl<'de, V: Vector> Deserialize<'de> for Shape<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let encoding = ShapeEncoding::deserialize(deserializer)?;
        Self::from_encoding(&encoding).map_err(de::Error::custom)
    }
}

/// A hull is serialized as the list of its vertices. Reading computes the hull of any list of
/// points.
///
/// ```
/// use clearance::dim2::{Hull, Vec2};
///
/// let hull = Hull::from_points(&[Vec2::ZERO, Vec2::X, Vec2::Y])?;
/// let text = serde_json::to_string(&hull)?;
/// assert_eq!(text, "[[0.0,0.0],[1.0,0.0],[0.0,1.0]]");
/// assert_eq!(serde_json::from_str::<Hull>(&text)?, hull);
/// let refused = serde_json::from_str::<Hull>("[[0, 1], [2]]").unwrap_err().to_string();
/// assert!(refused.starts_with("points[1] has 1 coordinates, must have 2"), "{refused}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<V: Vector> Serialize for Hull<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.vertices().iter().map(|vertex| {
            let coordinates: Vec<Real> = (0..V::DIM).map(|k| vertex.component(k)).collect();
            coordinates
        }))
    }
}

impl<'de, V: Vector> Deserialize<'de> for Hull<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let lists = Vec::<Vec<Real>>::deserialize(deserializer)?;
        let mut points = Vec::with_capacity(lists.len());
        for (index, coordinates) in lists.into_iter().enumerate() {
            if coordinates.len() != V::DIM {
                let (found, dimension) = (coordinates.len(), V::DIM);
                return Err(de::Error::custom(format!(
                    "points[{index}] has {found} coordinates, must have {dimension}"
                )));
            }
            points.push(V::from_fn(|k| coordinates[k]));
        }
        Self::from_points(&points).map_err(de::Error::custom)
    }
}

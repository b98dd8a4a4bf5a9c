//! Serialization of poses, rotations and exact numbers with serde.

use glam::Vec2;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Pose, PreciseVector, Rotation, Rotation2, Vector};

/// A number of double precision that comes back to the bit through any format.
///
/// Some readers of text change the last bit of one double in ten, plain `serde_json` among them. So formats for people
/// hold it as text, the shortest decimal, which Rust itself writes and reads. A number in its place is read, too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactNumber(pub f64);

impl Serialize for ExactNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&self.0)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for ExactNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a number, as such or as text")]
        enum Written {
            Number(f64),
            Text(String),
        }
        if !deserializer.is_human_readable() {
            return f64::deserialize(deserializer).map(Self);
        }
        let number = match Written::deserialize(deserializer)? {
            Written::Number(number) => Ok(number),
            Written::Text(text) => (text.parse()).map_err(|_| format!("{text:?} is no number")),
        };
        number.map(Self).map_err(de::Error::custom)
    }
}

/// Lists of numbers, each as an [`ExactNumber`]: for `#[serde(with = "exact_numbers")]`.
pub mod exact_numbers {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::ExactNumber;

    /// Writes the list.
    ///
    /// # Errors
    /// Those of the format.
    pub fn serialize<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(numbers.iter().map(|&number| ExactNumber(number)))
    }

    /// Reads the list.
    ///
    /// # Errors
    /// Those of the format, and text that is no number.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let numbers = Vec::<ExactNumber>::deserialize(deserializer)?;
        Ok(numbers.into_iter().map(|number| number.0).collect())
    }
}

/// The serialized form of a pose, which keeps every bit in any format.
///
/// ```
/// use clearance::dim2::{Pose, Rotation, Vec2};
///
/// let pose = Pose::new(Vec2::new(0.5, -0.0), Rotation::from_angle(0.3));
/// let text = serde_json::to_string(&pose)?;
/// assert_eq!(serde_json::from_str::<Pose>(&text)?, pose);
/// let shorter = text.replacen(r#""0.5","#, "", 1);
/// let refused = serde_json::from_str::<Pose>(&shorter).unwrap_err().to_string();
/// assert!(refused.contains("translation has 1 components, must have 2"), "{refused}");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Pose", deny_unknown_fields)]
pub struct PoseEncoding {
    /// The components of the translation, in your unit of length.
    #[serde(with = "exact_numbers")]
    pub translation: Vec<f64>,
    /// The bits of the rotation, as [`Rotation::to_bits`] gives them.
    pub rotation: [u32; 4],
}

impl PoseEncoding {
    /// The serialized form of `pose`.
    #[must_use]
    pub fn new<V: Vector>(pose: &Pose<V>) -> Self {
        Self {
            translation: (0..V::DIM).map(|k| pose.position().component(k)).collect(),
            rotation: pose.rotation.to_bits(),
        }
    }

    /// The pose, checked as by [`Pose::checked`].
    ///
    /// # Errors
    /// A message that names the field and says what is wrong.
    pub fn pose<V: Vector>(&self) -> Result<Pose<V>, String> {
        if self.translation.len() != V::DIM {
            let (found, dimension) = (self.translation.len(), V::DIM);
            return Err(format!(
                "translation has {found} components, must have {dimension}"
            ));
        }
        let translation = V::Precise::from_fn(|axis| self.translation[axis]);
        let rotation = V::Rotation::from_bits(self.rotation);
        let rotation = rotation.map_err(|error| format!("rotation {error}"))?;
        let pose = Pose::new(translation, rotation).checked();
        pose.map_err(|error| error.to_string())
    }
}

impl<V: Vector> Serialize for Pose<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        PoseEncoding::new(self).serialize(serializer)
    }
}

impl<'de, V: Vector> Deserialize<'de> for Pose<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let encoding = PoseEncoding::deserialize(deserializer)?;
        encoding.pose().map_err(de::Error::custom)
    }
}

impl Serialize for Rotation2 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Rotation::<Vec2>::to_bits(*self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rotation2 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bits = <[u32; 4]>::deserialize(deserializer)?;
        Self::from_bits(bits).map_err(|error| de::Error::custom(format!("rotation {error}")))
    }
}

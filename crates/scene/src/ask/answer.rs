//! Answers to questions to a scene.

use clearance_gjk::{Cast, QueryError};
use clearance_world::{BodyCastHit, BodyId, BodyRayHit, BodyRef, BodySeparation, Query, World};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

use super::question::{Hits, Looker, SceneAsk, SceneQuestion};
use crate::FileVector;
use crate::pair::{write_cast_hit, write_hit, write_met, write_point};
use crate::question_line::Answered;

/// The answer to one line.
#[derive(Clone, Debug)]
pub struct SceneAnswer<V: FileVector> {
    /// The id of the line as written, if it could be found.
    pub id: Option<Box<RawValue>>,
    /// The number of the line, counted from 1, if it is known. It is written only where the line
    /// is refused and no id says which one it is.
    pub line: Option<u64>,
    /// The answer, or why there is none.
    pub outcome: Result<SceneHits<V>, String>,
}

/// The bodies that a question finds.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneHits<V: FileVector> {
    /// Bodies that a ray hits.
    OfRay(Vec<BodyRayHit<V>>),
    /// Bodies that a shape in motion meets.
    OfCast(Vec<BodyCastHit<V>>),
    /// Bodies near a point that the line says.
    OfPoint(Vec<BodySeparation<V>>),
    /// Bodies near a shape, or the nearest ones.
    OfShape(Vec<BodySeparation<V>>),
}

impl<V: FileVector> SceneQuestion<V> {
    pub(super) fn answer(&self, world: &World<V>) -> Result<SceneHits<V>, QueryError> {
        let exclude = &self.bodies.exclude;
        let is_asked = |id: BodyId| exclude.binary_search(&id.index()).is_err();
        let is_asked = |body: BodyRef<'_, V>| is_asked(body.id());
        let query = world.query().groups(self.bodies.groups);
        self.ask.answer(query.predicate(&is_asked))
    }
}

impl<V: FileVector> SceneAsk<V> {
    fn answer(&self, query: Query<'_, V>) -> Result<SceneHits<V>, QueryError> {
        Ok(match self {
            Self::Ray { ray, wanted } => SceneHits::OfRay(match wanted {
                Hits::First => Vec::from_iter(query.cast_ray(&ray.ray, ray.options)?),
                Hits::All => query.cast_ray_all(&ray.ray, ray.options)?,
            }),
            Self::Cast {
                a,
                motion,
                options,
                wanted,
            } => {
                let cast = Cast::new(a.placed(), *motion);
                SceneHits::OfCast(match wanted {
                    Hits::First => Vec::from_iter(query.cast_shape(cast, *options)?),
                    Hits::All => query.cast_shape_all(cast, *options)?,
                })
            }
            Self::Point { point, within } => SceneHits::OfPoint(query.near_point(*point, *within)?),
            Self::Overlap { a, within } => SceneHits::OfShape(query.near(a.placed(), *within)?),
            Self::Nearest { to, nearest } => SceneHits::OfShape(match to {
                Looker::Point(point) => query.nearest_to_point(*point, *nearest)?,
                Looker::Shape(a) => query.nearest(a.placed(), *nearest)?,
            }),
        })
    }
}

impl<V: FileVector> SceneAnswer<V> {
    /// The answer to line `number` of a file, counted from 1.
    #[must_use]
    pub fn at_line(mut self, number: u64) -> Self {
        self.line = Some(number);
        self
    }

    /// Whether the line could not be answered.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.outcome.is_err()
    }
}

impl<V: FileVector> core::fmt::Display for SceneAnswer<V> {
    /// One line of JSON without its end.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let json = serde_json::to_string(self).map_err(|_| core::fmt::Error)?;
        f.write_str(&json)
    }
}

impl<V: FileVector> Serialize for SceneAnswer<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let answered = Answered {
            id: self.id.as_deref(),
            line: self.line,
            is_refused: self.is_refused(),
        };
        answered.write_head(&mut map)?;
        match &self.outcome {
            Ok(hits) => map.serialize_entry("hits", hits)?,
            Err(text) => map.serialize_entry("error", text)?,
        }
        map.end()
    }
}

impl<V: FileVector> Serialize for SceneHits<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found: Vec<_> = match self {
            Self::OfRay(hits) => hits.iter().map(Found::Ray).collect(),
            Self::OfCast(hits) => hits.iter().map(Found::Cast).collect(),
            Self::OfPoint(near) => near.iter().map(Found::NearPoint).collect(),
            Self::OfShape(near) => near.iter().map(Found::NearShape).collect(),
        };
        found.serialize(serializer)
    }
}

/// A body that was found.
enum Found<'a, V: FileVector> {
    Ray(&'a BodyRayHit<V>),
    Cast(&'a BodyCastHit<V>),
    NearPoint(&'a BodySeparation<V>),
    NearShape(&'a BodySeparation<V>),
}

impl<V: FileVector> Serialize for Found<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let body = match self {
            Self::Ray(found) => found.body,
            Self::Cast(found) => found.body,
            Self::NearPoint(found) | Self::NearShape(found) => found.body,
        };
        map.serialize_entry("body", &body.index())?;
        match self {
            Self::Ray(found) => write_hit(&mut map, &found.hit)?,
            Self::Cast(found) => write_cast_hit(&mut map, &found.hit)?,
            Self::NearPoint(found) => write_point(&mut map, &found.separation)?,
            Self::NearShape(found) => write_met(&mut map, &found.separation)?,
        }
        map.end()
    }
}

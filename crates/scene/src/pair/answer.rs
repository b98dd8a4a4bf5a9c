//! Answers to the lines of pair files.

use clearance_gjk::{
    Cast, CastHit, Completeness, Interior, Manifold, Placed, Proximity, QueryError, RayHit,
    Separation, cast_ray, cast_shapes, contact_manifold, contacts_into, point_proximity, proximity,
};
use clearance_math::{Real, Vec2, Vec3, Vector};
use clearance_shapes::Shape;
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

use super::question::{Pair, Question};
use super::write::{
    WithParts, write_cast_hit, write_distance, write_hit, write_manifold, write_point,
    write_unbounded, write_uncounted,
};
use crate::FileVector;
use crate::question_line::{Answered, Side};

/// The answer to one line of a pair file.
#[derive(Clone, Debug)]
pub struct PairAnswer {
    /// The id of the line as written, if it could be found.
    pub id: Option<Box<RawValue>>,
    /// The number of the line, counted from 1, if it is known. It is written only where the line
    /// is refused and no id says which one it is.
    pub line: Option<u64>,
    /// The answer, or why there is none.
    pub outcome: PairOutcome,
}

/// The result of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum PairOutcome {
    /// The answer in 2D.
    Plane(Answer<Vec2>),
    /// The answer in 3D.
    Space(Answer<Vec3>),
    /// The line cannot be answered, and why.
    Refused(String),
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<V: Vector> {
    /// The distance of two shapes.
    Distance {
        /// The distance and the closest points.
        separation: Separation<V>,
        /// Whether a shape is a composite, so that the answer names parts.
        has_parts: bool,
    },
    /// Two half-spaces that overlap without bound.
    Unbounded,
    /// No parts of the two count for each other, or none were found by the end of the search.
    Uncounted {
        /// A lower bound of the distance: infinite if there are none.
        lower: Real,
    },
    /// The pairs of parts within a distance, sorted by the numbers of the parts.
    Contacts(Vec<Separation<V>>),
    /// The points in which two shapes touch; `None` if they are out of range.
    Manifold(Option<Manifold<V>>),
    /// What the ray hits; `None` for a miss.
    Ray(Option<RayHit<V>>),
    /// When two shapes in motion meet; `None` if they do not.
    Cast(Option<CastHit<V>>),
    /// The distance of a point, which takes the place of shape a.
    Point(Separation<V>),
}

impl<V: FileVector> Side<V> {
    pub(crate) fn placed(&self) -> Placed<'_, V> {
        Placed::new(&self.shape, &self.pose)
    }

    fn is_composite(&self) -> bool {
        matches!(self.shape, Shape::Composite(_))
    }
}

impl<V: FileVector> Question<V> {
    /// Answers the question.
    ///
    /// # Errors
    /// Why there is no answer.
    pub(super) fn answer(&self) -> Result<Answer<V>, String> {
        let answer = match self {
            Self::Distance(pair) => return measure(pair),
            Self::Contacts { pair, within } => {
                let mut found = Vec::new();
                let done = contacts_into(pair.a.placed(), pair.b.placed(), *within, &mut found);
                if done == Ok(Completeness::EffortLimit) {
                    return Err("too many pairs of parts are nearly in contact".to_owned());
                }
                done.map(|_| Answer::Contacts(found))
            }
            Self::Manifold { pair, within } => {
                contact_manifold(pair.a.placed(), pair.b.placed(), *within).map(Answer::Manifold)
            }
            Self::Ray { ray, b } => {
                // A line asks as of a compound of the cells: where a hollow ray leaves the one that it starts in.
                let is_any = |_| true;
                let has_cells =
                    || matches!(&b.shape, Shape::Composite(composite) if composite.has_voxels());
                let of_cells = ray.options.interior == Interior::Hollow && has_cells();
                let b = if of_cells {
                    b.placed().with_parts(&is_any)
                } else {
                    b.placed()
                };
                cast_ray(&ray.ray, b, ray.options).map(Answer::Ray)
            }
            Self::Cast {
                pair,
                motions,
                options,
            } => {
                let a = Cast::new(pair.a.placed(), motions.a);
                let b = Cast::new(pair.b.placed(), motions.b);
                cast_shapes(a, b, *options).map(Answer::Cast)
            }
            Self::Point { point, b } => {
                let near = point_proximity(*point, b.placed(), Real::INFINITY);
                return answer_of(near, Answer::Point);
            }
        };
        answer.map_err(|error| error.to_string())
    }
}

fn measure<V: FileVector>(pair: &Pair<V>) -> Result<Answer<V>, String> {
    let near = proximity(pair.a.placed(), pair.b.placed(), Real::INFINITY);
    let has_parts = pair.a.is_composite() || pair.b.is_composite();
    answer_of(near, |separation| Answer::Distance {
        separation,
        has_parts,
    })
}

/// The answer to what was measured without a limit.
fn answer_of<V: FileVector>(
    near: Result<Proximity<V>, QueryError>,
    measured: impl FnOnce(Separation<V>) -> Answer<V>,
) -> Result<Answer<V>, String> {
    Ok(match near.map_err(|error| error.to_string())? {
        Proximity::Near(separation) => measured(separation),
        Proximity::Unbounded => Answer::Unbounded,
        Proximity::Farther { lower } | Proximity::Undecided { lower } => {
            Answer::Uncounted { lower }
        }
    })
}

impl PairAnswer {
    /// The answer to line `number` of a file, counted from 1.
    #[must_use]
    pub fn at_line(mut self, number: u64) -> Self {
        self.line = Some(number);
        self
    }

    /// Whether the line could not be answered.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        matches!(self.outcome, PairOutcome::Refused(_))
    }
}

impl core::fmt::Display for PairAnswer {
    /// One line of JSON without its end.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let json = serde_json::to_string(self).map_err(|_| core::fmt::Error)?;
        f.write_str(&json)
    }
}

impl Serialize for PairAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let answered = Answered {
            id: self.id.as_deref(),
            line: self.line,
            is_refused: self.is_refused(),
        };
        answered.write_head(&mut map)?;
        match &self.outcome {
            PairOutcome::Plane(answer) => write_answer(&mut map, answer)?,
            PairOutcome::Space(answer) => write_answer(&mut map, answer)?,
            PairOutcome::Refused(text) => map.serialize_entry("error", text)?,
        }
        map.end()
    }
}

fn write_answer<V: FileVector, M: SerializeMap>(
    map: &mut M,
    answer: &Answer<V>,
) -> Result<(), M::Error> {
    match answer {
        Answer::Distance {
            separation,
            has_parts,
        } => write_distance(map, separation, *has_parts),
        Answer::Unbounded => write_unbounded(map),
        Answer::Uncounted { lower } => write_uncounted(map, *lower),
        Answer::Contacts(found) => {
            let found: Vec<_> = found.iter().map(WithParts).collect();
            map.serialize_entry("contacts", &found)
        }
        Answer::Manifold(manifold) => write_manifold(map, manifold.as_ref()),
        Answer::Ray(hit) => {
            map.serialize_entry("hit", &hit.is_some())?;
            hit.as_ref().map_or(Ok(()), |hit| write_hit(map, hit))
        }
        Answer::Cast(hit) => {
            map.serialize_entry("hit", &hit.is_some())?;
            hit.as_ref().map_or(Ok(()), |hit| write_cast_hit(map, hit))
        }
        Answer::Point(separation) => write_point(map, separation),
    }
}

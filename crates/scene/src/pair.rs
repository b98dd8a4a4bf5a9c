//! The lines of pair files and their answers.

use std::cell::RefCell;

use clearance_gjk::{Placed, Proximity, Separation, Status, proximity};
use clearance_math::{Pose, Real, Vec2, Vec3};
use clearance_shapes::Shape;
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

use crate::FileVector;
use crate::decimal::Bound;
use crate::file_vector::Numbers;
use crate::json::{Document, Node, Value};
use crate::problem::{Problem, Problems};
use crate::read::{Cursor, Dimension, Fields, read_pose, read_shape};

/// Two shapes and their poses.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair<V: FileVector> {
    /// The first shape.
    pub shape_a: Shape<V>,
    /// Its pose.
    pub pose_a: Pose<V>,
    /// The second shape.
    pub shape_b: Shape<V>,
    /// Its pose.
    pub pose_b: Pose<V>,
}

/// A pair of either dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyPair {
    /// `"dimension": 2`.
    Plane(Pair<Vec2>),
    /// `"dimension": 3`.
    Space(Pair<Vec3>),
}

/// Fields of scenes and of other questions, which a pair line does not have.
///
/// Whoever writes one of them into a pair line expects it to have an effect.
const FIELDS_OF_OTHERS: &[&str] = &[
    "all",
    "bounds",
    "count",
    "direction",
    "exclude",
    "extra_margin",
    "frame",
    "groups",
    "kind",
    "margin",
    "max_distance",
    "motion",
    "motion_a",
    "motion_b",
    "origin",
    "point",
    "pose",
    "pose_a",
    "pose_b",
    "shape",
    "shape_a",
    "shape_b",
    "shapes",
    "solid",
    "velocity",
    "within",
];

/// The fields that a pair line may have; all others are ignored.
const FIELDS: &[&str] = &["id", "ask", "dimension", "a", "b"];

/// A line of a pair file: its id, and its pair or what is wrong with it.
#[derive(Clone, Debug)]
pub struct PairLine {
    /// The id as written, quotes included; `None` if the line has none that could be found.
    pub id: Option<Box<RawValue>>,
    /// The pair, or what is wrong with the line.
    pub pair: Result<AnyPair, Problems>,
    /// Fields that are ignored although their names have a meaning elsewhere in the formats, such
    /// as `within` and `margin`, or differ only in case from those of a pair line.
    pub ignored_fields: Vec<String>,
}

impl PairLine {
    /// Reads one line, with or without its end.
    #[must_use]
    pub fn read(line: &[u8]) -> Self {
        let Ok(text) = str::from_utf8(line) else {
            let problem = Problem::new(1, "", "the line is not UTF-8");
            return Self {
                id: None,
                pair: Err(problem.into()),
                ignored_fields: Vec::new(),
            };
        };
        let document = Document::read(text, None);
        let id = find_id(&document.node);
        let pair = match document.fault {
            Some(fault) => Err(fault.into()),
            None => read_pair(&document.node),
        };
        Self {
            id,
            pair,
            ignored_fields: find_ignored(&document.node),
        }
    }

    /// Measures the pair.
    #[must_use]
    pub fn answer(self) -> PairAnswer {
        let outcome = match self.pair {
            Ok(AnyPair::Plane(pair)) => measure(&pair),
            Ok(AnyPair::Space(pair)) => measure(&pair),
            Err(problems) => PairOutcome::Refused(problems.to_string()),
        };
        PairAnswer {
            id: self.id,
            line: None,
            outcome,
        }
    }
}

/// Answers one line of a pair file.
///
/// ```
/// let line = r#"{"id": "t1", "dimension": 3, "a": {"shape": {"type": "ball"}}}"#;
/// let answer = clearance_scene::answer_line(line.as_bytes());
/// assert!(answer.is_refused());
/// assert_eq!(
///     answer.to_string(),
///     r#"{"id":"t1","error":"a.shape.radius: missing; b: missing"}"#
/// );
/// ```
#[must_use]
pub fn answer_line(line: &[u8]) -> PairAnswer {
    PairLine::read(line).answer()
}

/// The id of a line, even if the line is not valid after it.
fn find_id(node: &Node) -> Option<Box<RawValue>> {
    let Value::Object(members) = &node.value else {
        return None;
    };
    let id = members.iter().find(|member| member.key == "id")?;
    if !is_id(&id.node) {
        return None;
    }
    RawValue::from_string(id.node.text.to_owned()).ok()
}

/// Ignored fields whose names suggest that they were meant to have an effect.
fn find_ignored(node: &Node) -> Vec<String> {
    let Value::Object(members) = &node.value else {
        return Vec::new();
    };
    let is_meant = |key: &str| {
        let lower = key.to_ascii_lowercase();
        FIELDS_OF_OTHERS.contains(&&*lower) || FIELDS.contains(&&*lower)
    };
    let keys = members.iter().map(|member| &*member.key);
    keys.filter(|key| !FIELDS.contains(key) && is_meant(key))
        .map(str::to_owned)
        .collect()
}

/// Whether a value can be an id. Numbers must be finite, since the answer repeats the id.
fn is_id(node: &Node) -> bool {
    match node.value {
        Value::String(_) => true,
        Value::Number => node.text.parse::<f64>().is_ok_and(f64::is_finite),
        _ => false,
    }
}

fn read_pair(node: &Node) -> Result<AnyPair, Problems> {
    let problems = RefCell::new(Vec::new());
    let pair = read_fields_of(&Cursor::root(node, &problems));
    Problems::all(problems.into_inner())?;
    pair.ok_or_else(|| Problem::new(1, "", "cannot be read").into())
}

fn read_fields_of(cursor: &Cursor) -> Option<AnyPair> {
    // Other fields belong to whoever wrote the file.
    let fields = cursor.open_object(FIELDS)?;
    if let Some(id) = fields.optional("id")
        && !is_id(id.node())
    {
        id.refuse("must be a string or a finite number");
    }
    if let Some(question) = fields.optional("ask")
        && question.string().is_some_and(|name| name != "distance")
    {
        question.refuse("must be \"distance\", the only question of this version");
    }
    match Dimension::read(&fields)? {
        Dimension::Plane => Some(AnyPair::Plane(read_sides(&fields)?)),
        Dimension::Space => Some(AnyPair::Space(read_sides(&fields)?)),
    }
}

fn read_sides<V: FileVector>(fields: &Fields) -> Option<Pair<V>> {
    let [a, b] = ["a", "b"].map(|side| read_side(&fields.required(side)?));
    let ((shape_a, pose_a), (shape_b, pose_b)) = (a?, b?);
    Some(Pair {
        shape_a,
        pose_a,
        shape_b,
        pose_b,
    })
}

fn read_side<V: FileVector>(cursor: &Cursor) -> Option<(Shape<V>, Pose<V>)> {
    let fields = cursor.object(&["shape", "pose"])?;
    let shape = fields
        .required("shape")
        .and_then(|shape| read_shape::<V>(&shape));
    let pose = match fields.optional("pose") {
        Some(pose) => read_pose(&pose),
        None => Some(Pose::IDENTITY),
    };
    Some((shape?.shape().clone(), pose?))
}

/// The answer to one line of a pair file.
#[derive(Clone, Debug)]
pub struct PairAnswer {
    /// The id of the line as written, if it could be found.
    pub id: Option<Box<RawValue>>,
    /// The number of the line, counted from 1, if it is known. It is written only where the line
    /// is refused and no id says which one it is.
    pub line: Option<u64>,
    /// The distance, or why there is none.
    pub outcome: PairOutcome,
}

/// The result of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum PairOutcome {
    /// The answer in 2D.
    Plane(Separation<Vec2>),
    /// The answer in 3D.
    Space(Separation<Vec3>),
    /// Two half-spaces that overlap without bound.
    Unbounded,
    /// The line cannot be answered, and why.
    Refused(String),
}

impl From<Separation<Vec2>> for PairOutcome {
    fn from(separation: Separation<Vec2>) -> Self {
        Self::Plane(separation)
    }
}

impl From<Separation<Vec3>> for PairOutcome {
    fn from(separation: Separation<Vec3>) -> Self {
        Self::Space(separation)
    }
}

fn measure<V: FileVector>(pair: &Pair<V>) -> PairOutcome
where
    PairOutcome: From<Separation<V>>,
{
    let a = Placed::new(&pair.shape_a, &pair.pose_a);
    let b = Placed::new(&pair.shape_b, &pair.pose_b);
    match proximity(a, b, Real::INFINITY) {
        Ok(Proximity::Near(separation)) => separation.into(),
        Ok(Proximity::Unbounded) => PairOutcome::Unbounded,
        Ok(Proximity::Farther { lower }) => {
            PairOutcome::Refused(format!("farther apart than can be measured: above {lower}"))
        }
        Err(error) => PairOutcome::Refused(error.to_string()),
    }
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
        if let Some(id) = &self.id {
            map.serialize_entry("id", id)?;
        } else if let Some(line) = self.line
            && self.is_refused()
        {
            map.serialize_entry("line", &line)?;
        }
        match &self.outcome {
            PairOutcome::Plane(separation) => write_separation(&mut map, separation)?,
            PairOutcome::Space(separation) => write_separation(&mut map, separation)?,
            PairOutcome::Unbounded => {
                map.serialize_entry("distance", &None::<Real>)?;
                map.serialize_entry("unbounded", &true)?;
            }
            PairOutcome::Refused(text) => map.serialize_entry("error", text)?,
        }
        map.end()
    }
}

/// The fields of a separation, in answers and contacts alike.
///
/// `lower` and `upper` are rounded outwards, so that they are bounds as decimals, too.
pub(crate) fn write_separation<V: FileVector, M: SerializeMap>(
    map: &mut M,
    separation: &Separation<V>,
) -> Result<(), M::Error> {
    map.serialize_entry("distance", &separation.distance)?;
    map.serialize_entry("point_a", &Numbers::of_vector(separation.point_a))?;
    map.serialize_entry("point_b", &Numbers::of_vector(separation.point_b))?;
    map.serialize_entry("normal", &Numbers::of_vector(separation.normal))?;
    map.serialize_entry("lower", &Bound::Lower(separation.lower))?;
    map.serialize_entry("upper", &Bound::Upper(separation.upper))?;
    map.serialize_entry("status", status_name(separation.status))
}

/// The name of a status in files.
#[must_use]
pub fn status_name(status: Status) -> &'static str {
    status.name()
}

//! The room "GJK stepper": every step of the search for an answer.

mod difference;
mod parts;
mod steps;

use clearance_gjk::{CastOptions, Motion, core_corners};
use clearance_math::{Pose, PreciseVector, RelativePose, Vector};
use clearance_render::tessellate;
use clearance_scene::{AimedRay, AnyQuestion, MeshFiles, Motions, Pair, PairLine, Question, Side};
use clearance_shapes::Shape;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::binary::Binary;
use crate::dimension::{Dimension, three_precise, vector};
use crate::failure::Failure;
use crate::world::Drawn;
use difference::{difference, in_space};
use steps::{Advance, ExpansionStep, Moves, PoseInWorld, SearchStep};

pub(crate) use parts::convex_parts;

/// The answer to `pair.trace`.
///
/// Points are in the axes of the world; the difference has its own origin.
#[derive(Serialize)]
pub(crate) struct Trace {
    dimension: usize,
    ask: &'static str,
    /// What `clearance query` prints for the line.
    answer: Option<Box<RawValue>>,
    a: DrawnSide,
    b: DrawnSide,
    /// The difference of the cores.
    difference: Option<Drawn>,
    /// The sum of the rounding radii, without which GJK searches.
    radius: f64,
    search: Vec<SearchStep>,
    expansion: Vec<ExpansionStep>,
    cast: Option<Vec<Advance>>,
}

/// A shape where it lies in the world.
#[derive(Serialize)]
struct DrawnSide {
    #[serde(flatten)]
    drawn: Drawn,
    /// Where it is drawn: a cast moves it on from there.
    pose: PoseInWorld,
    core: &'static str,
    /// The corners of a core that is a polytope.
    points: Vec<[f64; 3]>,
}

pub(crate) fn trace(text: &str, binary: &mut Binary) -> Result<Trace, Failure> {
    let line = PairLine::read(text.as_bytes(), &MeshFiles::none());
    let ask = line.ask;
    let question = line.question.clone().map_err(Failure::of)?;
    let answer = serde_json::value::to_raw_value(&line.answer()).map_err(Failure::of)?;
    let mut trace = match question {
        AnyQuestion::Plane(question) => Scenario::of(question)?.trace(binary)?,
        AnyQuestion::Space(question) => Scenario::of(question)?.trace(binary)?,
    };
    trace.ask = ask;
    trace.answer = Some(answer);
    Ok(trace)
}

/// Two shapes that are looked at, and how they move if they do.
struct Scenario<V: Dimension> {
    pair: Pair<V>,
    moves: Option<Moves<V>>,
}

impl<V: Dimension> Scenario<V> {
    fn of(question: Question<V>) -> Result<Self, Failure> {
        let (pair, moves) = match question {
            Question::Distance(pair)
            | Question::Contacts { pair, .. }
            | Question::Manifold { pair, .. } => (pair, None),
            Question::Cast {
                pair,
                motions,
                options,
            } => (pair, Some(Moves { motions, options })),
            Question::Point { point, b } => {
                let a = point_side(point)?;
                (Pair { a, b }, None)
            }
            Question::Ray { ray, b } => return Self::of_ray(&ray, b),
        };
        Ok(Self { pair, moves })
    }

    /// A ray is a point that moves: to twice the distance of the shape's box, if it has no end of its own.
    fn of_ray(ray: &AimedRay<V>, b: Side<V>) -> Result<Self, Failure> {
        let (origin, direction) = (ray.ray.origin(), ray.ray.direction());
        let bounds = b.shape.bounds(&b.pose);
        let lengths =
            [bounds.min, bounds.max].map(|corner| (corner.to_precise() - origin).length() as f32);
        let far = 2.0 * lengths[0].max(lengths[1]).min(FARTHEST_RAY);
        let reach = ray.options.max_distance.min(far);
        let linear = direction * (reach / length(direction));
        let motions = Motions {
            a: Motion::new(linear, V::Angular::default()),
            b: Motion::rest(),
        };
        let a = point_side(origin)?;
        Ok(Self {
            pair: Pair { a, b },
            moves: Some(Moves {
                motions,
                options: CastOptions::default(),
            }),
        })
    }

    fn trace(&self, binary: &mut Binary) -> Result<Trace, Failure> {
        let parts = convex_parts(&self.pair);
        let steps = match &parts {
            Some(parts) => steps::of_pair(parts)?,
            None => steps::Steps::default(),
        };
        let difference = parts.as_ref().and_then(difference);
        Ok(Trace {
            dimension: V::DIM,
            ask: "",
            answer: None,
            a: DrawnSide::of(&self.pair.a, binary),
            b: DrawnSide::of(&self.pair.b, binary),
            difference: difference.map(|drawing| Drawn::new("difference", &drawing, binary)),
            radius: parts.map_or(0.0, |parts| parts.radius()),
            search: steps.search,
            expansion: steps.expansion,
            cast: match &self.moves {
                Some(moves) => Some(steps::of_cast(&self.pair, moves)?),
                None => None,
            },
        })
    }
}

/// How far a ray without an end is shown at most, in units of length.
const FARTHEST_RAY: f32 = 1e6;

fn length<V: Vector>(vector: V) -> f32 {
    vector.to_precise().length() as f32
}

fn point_side<V: Dimension>(point: V::Precise) -> Result<Side<V>, Failure> {
    Ok(Side {
        shape: Shape::segment(V::ZERO, V::ZERO).map_err(Failure::of)?,
        pose: Pose::from_translation(point),
    })
}

impl DrawnSide {
    fn of<V: Dimension>(side: &Side<V>, binary: &mut Binary) -> Self {
        let to_world = RelativePose::from_pose(&side.pose);
        let mut drawing = tessellate(&side.shape);
        for vertex in &mut drawing.vertices {
            let local: V = vector(vertex.to_array());
            *vertex = in_space(to_world.transform_point(local.to_precise()));
        }
        let (core, corners) = match &side.shape {
            Shape::Convex(convex) => match core_corners(convex.core()) {
                Some(corners) => ("polytope", corners),
                None => ("curved", Vec::new()),
            },
            Shape::HalfSpace(_) => ("half_space", Vec::new()),
            Shape::Composite(_) => ("composite", Vec::new()),
        };
        let points = corners.into_iter();
        let points = points.map(|corner| to_world.transform_point(corner.to_precise()));
        Self {
            drawn: Drawn::new(side.shape.kind_name(), &drawing, binary),
            pose: PoseInWorld::of(&side.pose),
            core,
            points: points.map(three_precise).collect(),
        }
    }
}

//! The steps of searches, in the axes of the world.

use clearance_gjk::{Cast, CastOptions, Placed, Vertex, trace, trace_cast, trace_expansion};
use clearance_math::{Pose, PreciseVector, RelativePose};
use clearance_scene::{Motions, Pair, Side};
use serde::Serialize;

use super::parts::ConvexPair;
use crate::dimension::{Dimension, three, three_precise};
use crate::failure::Failure;

/// How the shapes of a cast move, and what counts as met.
pub(super) struct Moves<V: Dimension> {
    pub(super) motions: Motions<V>,
    pub(super) options: CastOptions,
}

/// An iteration of GJK.
#[derive(Serialize)]
pub(super) struct SearchStep {
    vertices: Vec<VertexInWorld>,
    weights: Vec<f64>,
    region: &'static str,
    nearest: [f64; 3],
    direction: [f64; 3],
    support: VertexInWorld,
    lower: f64,
    upper: f64,
}

/// A step of the expanding polytope.
#[derive(Serialize)]
pub(super) struct ExpansionStep {
    vertices: Vec<[f64; 3]>,
    faces: Vec<Vec<u32>>,
    nearest: usize,
    point: [f64; 3],
    normal: [f64; 3],
    support: [f64; 3],
    lower: f64,
    upper: f64,
}

/// A time of a cast at which the shapes were measured.
#[derive(Serialize)]
pub(super) struct Advance {
    time: f64,
    distance_lower: f64,
    distance_upper: f64,
    normal: [f64; 3],
    pose_a: PoseInWorld,
    pose_b: PoseInWorld,
}

#[derive(Serialize)]
pub(super) struct PoseInWorld {
    translation: [f32; 3],
    rotation: [f32; 4],
}

impl PoseInWorld {
    pub(super) fn of<V: Dimension>(pose: &Pose<V>) -> Self {
        Self {
            translation: three(pose.translation()),
            rotation: V::quaternion(pose.rotation),
        }
    }
}

#[derive(Serialize)]
struct VertexInWorld {
    point: [f64; 3],
    on_a: [f64; 3],
    on_b: [f64; 3],
}

impl VertexInWorld {
    fn of<P: PreciseVector>(vertex: &Vertex<P>, to_world: &RelativePose<P>) -> Self {
        Self {
            point: three_precise(to_world.transform_direction(vertex.point)),
            on_a: three_precise(to_world.transform_point(vertex.on_a)),
            on_b: three_precise(to_world.transform_point(vertex.on_b)),
        }
    }
}

#[derive(Default)]
pub(super) struct Steps {
    pub(super) search: Vec<SearchStep>,
    pub(super) expansion: Vec<ExpansionStep>,
}

/// The steps of GJK, and where the cores overlap, those of the expansion.
pub(super) fn of_pair<V: Dimension>(pair: &ConvexPair<V>) -> Result<Steps, Failure> {
    let (a, b) = (pair.a.placed(), pair.b.placed());
    let to_world = RelativePose::from_pose(&pair.a.pose);
    let search = trace(a, b).map_err(Failure::of)?;
    let expansion = trace_expansion(a, b).map_err(Failure::of)?;
    Ok(Steps {
        search: search
            .iter()
            .map(|step| search_step(step, &to_world))
            .collect(),
        expansion: (expansion.iter())
            .map(|step| expansion_step(step, &to_world))
            .collect(),
    })
}

fn search_step<P: PreciseVector>(
    step: &clearance_gjk::Iteration<P>,
    to_world: &RelativePose<P>,
) -> SearchStep {
    let vertices = step.simplex.vertices();
    let (on_a, on_b) = step.simplex.witness_points();
    SearchStep {
        vertices: (vertices.iter())
            .map(|vertex| VertexInWorld::of(vertex, to_world))
            .collect(),
        weights: step.simplex.weights().to_vec(),
        region: step.simplex.region().name(),
        nearest: three_precise(to_world.transform_direction(on_a - on_b)),
        direction: three_precise(to_world.transform_direction(step.direction)),
        support: VertexInWorld::of(&step.support, to_world),
        lower: step.lower,
        upper: step.upper,
    }
}

fn expansion_step<P: PreciseVector>(
    step: &clearance_gjk::Expansion<P>,
    to_world: &RelativePose<P>,
) -> ExpansionStep {
    let turned = |point| three_precise(to_world.transform_direction(point));
    ExpansionStep {
        vertices: step
            .vertices
            .iter()
            .map(|vertex| turned(vertex.point))
            .collect(),
        faces: step.faces().map(<[u32]>::to_vec).collect(),
        nearest: step.nearest,
        point: turned(step.point),
        normal: turned(step.normal),
        support: turned(step.support.point),
        lower: step.lower,
        upper: step.upper,
    }
}

/// The times at which the shapes of a cast were measured.
pub(super) fn of_cast<V: Dimension>(
    pair: &Pair<V>,
    moves: &Moves<V>,
) -> Result<Vec<Advance>, Failure> {
    let a = Cast::new(placed(&pair.a), moves.motions.a);
    let b = Cast::new(placed(&pair.b), moves.motions.b);
    let advances = trace_cast(a, b, moves.options).map_err(Failure::of)?;
    Ok(advances.iter().map(advance).collect())
}

fn advance<V: Dimension>(advance: &clearance_gjk::Advance<V>) -> Advance {
    Advance {
        time: advance.time,
        distance_lower: advance.lower,
        distance_upper: advance.upper,
        normal: three_precise(advance.normal),
        pose_a: PoseInWorld::of(&advance.pose_a),
        pose_b: PoseInWorld::of(&advance.pose_b),
    }
}

fn placed<V: Dimension>(side: &Side<V>) -> Placed<'_, V> {
    Placed::new(&side.shape, &side.pose)
}

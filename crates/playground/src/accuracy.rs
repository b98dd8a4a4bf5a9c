//! The room "Accuracy": what the engine answers to the lines of a pair file, and what it cost.

use core::time::Duration;

use clearance_gjk::trace;
use clearance_math::Real;
use clearance_scene::{
    Answer, AnyQuestion, MeshFiles, PairLine, PairOutcome, Question, status_name,
};
use clearance_world::Clock;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::dimension::Dimension;
use crate::stepper::convex_parts;

/// Browsers round times to a tenth of a millisecond.
const LONG_ENOUGH: Duration = Duration::from_millis(1);

/// So many answers are timed at most.
const MOST_REPEATS: u32 = 1024;

/// The answer to `pair.answers`.
#[derive(Serialize)]
pub(crate) struct Answers {
    rows: Vec<Row>,
}

/// A line and its answer.
#[derive(Default, Serialize)]
struct Row {
    line: u64,
    id: Option<Box<RawValue>>,
    ask: &'static str,
    dimension: Option<usize>,
    /// The kinds of the shapes.
    kinds: String,
    distance: Option<Real>,
    lower: Option<Real>,
    upper: Option<Real>,
    /// How far the bounds are apart.
    width: Option<f64>,
    status: Option<&'static str>,
    /// Of GJK; none where it does not search.
    iterations: Option<usize>,
    microseconds: f64,
    error: Option<String>,
}

/// Bounds of a distance or a time.
struct AnswerBounds {
    value: Real,
    lower: Real,
    upper: Real,
    status: &'static str,
}

pub(crate) fn answers(text: &str, first: u64, clock: Clock) -> Answers {
    let numbered = (first..).zip(text.lines());
    let full = numbered.filter(|(_, line)| !line.trim().is_empty());
    Answers {
        rows: full
            .map(|(number, line)| row(number, line, clock))
            .collect(),
    }
}

fn row(number: u64, text: &str, clock: Clock) -> Row {
    let line = PairLine::read(text.as_bytes(), &MeshFiles::none());
    let mut row = Row {
        line: number,
        id: line.id.clone(),
        ask: line.ask,
        ..Row::default()
    };
    match &line.question {
        Ok(AnyQuestion::Plane(question)) => describe(question, &mut row),
        Ok(AnyQuestion::Space(question)) => describe(question, &mut row),
        Err(_) => {}
    }
    row.microseconds = microseconds(&line, clock);
    let answer = line.answer();
    let bounds = match answer.outcome {
        PairOutcome::Plane(answer) => bounds_of(&answer),
        PairOutcome::Space(answer) => bounds_of(&answer),
        PairOutcome::Refused(error) => {
            row.error = Some(error);
            None
        }
    };
    if let Some(bounds) = bounds {
        row.distance = Some(bounds.value);
        row.lower = Some(bounds.lower);
        row.upper = Some(bounds.upper);
        row.width = Some(f64::from(bounds.upper) - f64::from(bounds.lower));
        row.status = Some(bounds.status);
    }
    row
}

/// How long an answer takes, by the mean of as many as fill a time that the clock of a browser can tell.
fn microseconds(line: &PairLine, clock: Clock) -> f64 {
    let start = clock();
    let mut count = 0_u32;
    loop {
        core::hint::black_box(line.clone().answer());
        count += 1;
        let time = clock().saturating_sub(start);
        if time >= LONG_ENOUGH || count >= MOST_REPEATS {
            return time.as_secs_f64() * 1e6 / f64::from(count);
        }
    }
}

fn describe<V: Dimension>(question: &Question<V>, row: &mut Row) {
    row.dimension = Some(V::DIM);
    let (a, b) = match question {
        Question::Distance(pair)
        | Question::Contacts { pair, .. }
        | Question::Manifold { pair, .. }
        | Question::Cast { pair, .. } => {
            row.iterations = Some(iterations(pair));
            (pair.a.shape.kind_name(), &pair.b)
        }
        Question::Ray { b, .. } => ("ray", b),
        Question::Point { b, .. } => ("point", b),
    };
    row.kinds = format!("{a}, {}", b.shape.kind_name());
}

/// How many iterations GJK takes for the parts that are closest, though a closed form may answer.
fn iterations<V: Dimension>(pair: &clearance_scene::Pair<V>) -> usize {
    let parts = convex_parts(pair);
    let steps = parts.and_then(|parts| trace(parts.a.placed(), parts.b.placed()).ok());
    steps.map_or(0, |steps| steps.len())
}

/// The bounds of the answer; of several contacts, those that are farthest apart.
fn bounds_of<V: Dimension>(answer: &Answer<V>) -> Option<AnswerBounds> {
    let of_separation = |separation: &clearance_gjk::Separation<V>| AnswerBounds {
        value: separation.distance,
        lower: separation.lower,
        upper: separation.upper,
        status: status_name(separation.status),
    };
    match answer {
        Answer::Distance { separation, .. } | Answer::Point(separation) => {
            Some(of_separation(separation))
        }
        Answer::Contacts(found) => {
            let width = |bounds: &AnswerBounds| f64::from(bounds.upper) - f64::from(bounds.lower);
            let all = found.iter().map(of_separation);
            all.max_by(|a, b| width(a).total_cmp(&width(b)))
        }
        Answer::Ray(hit) => hit.as_ref().map(|hit| AnswerBounds {
            value: hit.distance,
            lower: hit.lower,
            upper: hit.upper,
            status: status_name(hit.status),
        }),
        Answer::Cast(hit) => hit.as_ref().map(|hit| AnswerBounds {
            value: hit.time,
            lower: hit.time_lower,
            upper: hit.time_upper,
            status: status_name(hit.status),
        }),
        Answer::Manifold(_) | Answer::Unbounded | Answer::Uncounted { .. } => None,
    }
}

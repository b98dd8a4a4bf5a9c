//! Records the advances of a cast.

use clearance_math::{Pose, Vector, compile_once};

use super::answer::CastOptions;
use super::balls;
use super::long_motion::Beginning;
use super::pair::{Asked, Stop, with_pair};
use super::sides::{Cast, check_casts, compare};
use super::straight::in_world;
use crate::pair::{Exchange, QueryError};
use crate::search::Steps;

/// A time at which a cast measured the shapes, on its way from time 0 to where they meet.
///
/// From here the shapes are proven to be farther apart than asked until the time of the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advance<V: Vector> {
    /// The time, from 0 to 1.
    pub time: f64,
    /// A lower bound of the signed distance at that time.
    pub lower: f64,
    /// An upper bound of the signed distance at that time.
    pub upper: f64,
    /// The unit normal of the plane between the shapes that leads to the next time, from a to b, in the
    /// frame of the world.
    pub normal: V::Precise,
    /// The pose of a at that time, rounded to single precision.
    pub pose_a: Pose<V>,
    /// The pose of b at that time, rounded to single precision.
    pub pose_b: Pose<V>,
}

/// Returns every time at which a cast of two convex shapes, or of a half-space and one, measures how far
/// they are apart. It is meant for teaching and debugging.
///
/// It shows the conservative advancement by which [`cast_shapes`](super::cast_shapes) finds when the
/// shapes meet, or proves that they do not: in the first case the last of the times is that of the hit,
/// unless the shapes are in range at the start and [`Leaving`](super::Leaving) asks for a later meeting.
/// Every cast of such shapes is answered in this way, except that two balls have a closed form where they do not graze
/// each other and are not in range at the start: it is seen as one time. If neither turns, one search finds all planes, and the
/// times are those from which it goes on, often only two; else each time has a search of its own, or a closed form, if the
/// pair has one. Convex shapes begin at the time at which their bounding spheres meet.
///
/// The result is empty if the bounding spheres never meet, or if a composite or two half-spaces take part, which are
/// answered in other ways.
///
/// Source: Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems" (1996), is the origin of
/// conservative advancement. Here a step is as long as a plane is proven to stay between the shapes.
///
/// # Errors
/// As [`cast_shapes`](super::cast_shapes).
///
/// ```
/// use clearance::dim2::{Cast, CastOptions, Motion, Placed, Pose, Shape, Vec2, trace_cast};
///
/// let (bar, wall) = (Shape::cuboid(Vec2::new(2.0, 0.25))?, Shape::half_space(Vec2::X)?);
/// let (start, place) = (Pose::from_translation(Vec2::new(4.0, 0.0)), Pose::IDENTITY);
/// let spin = Motion::new(Vec2::new(-4.0, 0.0), 3.0);
/// let bar = Cast::new(Placed::new(&bar, &start), spin);
/// let wall = Cast::resting(Placed::new(&wall, &place));
/// let advances = trace_cast(bar, wall, CastOptions::default())?;
/// assert!(advances.iter().all(|advance| advance.lower <= advance.upper));
/// assert!(advances.windows(2).all(|pair| pair[0].time < pair[1].time));
/// assert!(advances.last().unwrap().upper < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn trace_cast<V: Vector>(
    a: Cast<V>,
    b: Cast<V>,
    options: CastOptions,
) -> Result<Vec<Advance<V>>, QueryError> {
    check_casts(&a, &b, options)?;
    let exchange = Exchange::by(compare(&a, &b));
    let [first, second] = exchange.sides([a, b]);
    let advance = |stop: Stop<V::Precise>| Advance {
        time: stop.time,
        lower: stop.lower,
        upper: stop.upper,
        normal: exchange.normal(stop.normal),
        pose_a: a.pose_at(stop.time),
        pose_b: b.pose_at(stop.time),
    };
    Ok(stops(first, second, options)
        .into_iter()
        .map(advance)
        .collect())
}

compile_once! {
    /// The times for sides in canonical order.
    fn stops<'a, V>(a: Cast<'a, V>, b: Cast<'a, V>, options: CastOptions) -> Vec<Stop<V::Precise>> {
        if let Some(found) = balls::meet(&a, &b, &Asked::new(options.within, 1.0)) {
            return found.into_iter().map(|met| Stop::measured(met.time, &met.measured)).collect();
        }
        if let Some(beginning) = Beginning::of(&a, &b, options.within) {
            let mut found = stops(beginning.a, beginning.b, options);
            found.iter_mut().for_each(|stop| stop.time *= beginning.end);
            return found;
        }
        let mut steps = Steps { count: 0, list: Some(Vec::new()) };
        let asked = Asked::new(options.within, 1.0);
        let _ = with_pair([&a, &b], |pair| {
            let mut places = Some(Vec::new());
            let found = pair.meet_straight(&asked, &mut places);
            for place in places.into_iter().flatten() {
                let at = pair.at(place.time);
                steps.record(|| pair.stop(&at, Some(&in_world(&at.a.rotation, &place))));
            }
            pair.first_meeting(found, asked, options.leaving, &mut steps)
        });
        steps.list.unwrap_or_default()
    }
}

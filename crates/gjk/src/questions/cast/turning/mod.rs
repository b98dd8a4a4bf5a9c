//! Advancing two convex parts in motion until they meet, by steps that are proven to be free.
//!
//! At any time before they meet there is a plane between the parts. The gap along its normal is known
//! exactly at two times, and between them it is bent by no more than turning can bend it, so the parts are
//! apart at least as long as a parabola is above zero: see [`certify`].
//!
//! | step | where |
//! | --- | --- |
//! | to where the parts are about to meet, if planes whose normals lie between those at both ends keep them apart | [`aimed`] |
//! | as far as a plane leads that stays as it is, or turns with one of the parts | [`step`], [`turning_plane`] |
//!
//! [`way`] chooses between them. Two convex parts that do not turn are left to [`super::straight`], and come here only
//! if that does not decide.
//!
//! Sources: Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems" (1996), is the origin of
//! conservative advancement; Zhang, Lee and Kim, "Interactive Continuous Collision Detection for Non-Convex
//! Polyhedra" (2006), bound the motion along the direction of separation. Both bound the speed of points
//! from one pose; comparing two poses leaves only the second derivative.

mod aimed;
mod certify;
mod seen;
mod sharpened;
mod step;
mod turning_plane;
mod way;

use clearance_math::Vector;
use clearance_math::internal::MapEach;

use crate::questions::cast::pair::{Asked, Meeting, MovingPair, Stop};
use crate::search::Steps;
use seen::{Course, Seen};
use way::Onward;

/// The number of steps after which the tolerance begins to grow, where nothing turns far.
const PATIENCE: usize = 2048;

/// So many more steps for each radian that the bodies turn: parts that pass each other closely in every turn take about
/// ten steps a turn.
const PATIENCE_PER_RADIAN: f64 = 4.0;

/// Turns beyond this, in radians, get no more steps: so many take about a twentieth of a second. No body of a game turns
/// farther in a step, unless a solver has blown up.
pub(super) const MOST_PATIENT_TURN: f64 = 16_384.0;

/// After so many more steps the tolerance is doubled, again and again. In the end it exceeds any gap.
const DOUBLING: usize = 64;

/// After so many steps parts count as met even while they move apart. All others end long before, since their tolerance
/// grows; this many take about a third of a second.
const MOST_STEPS: usize = 1 << 18;

impl<V: Vector> MovingPair<'_, V> {
    /// Finds when the parts first are as near as asked; `None` if they are proven not to be, until the
    /// time of interest.
    ///
    /// `steps` sees every time at which the parts are measured.
    pub(super) fn advance(
        &self,
        asked: Asked,
        steps: &mut Steps<Stop<V::Precise>>,
    ) -> Option<Meeting<V::Precise>> {
        let near = self.precision.near(asked.within);
        let start = [self.a, self.b].map_each(|part| part.at_start());
        let balls = self.balls(start.each_ref(), asked.within + self.precision.radii + near);
        let time = balls.meet().ok()?.max(asked.from);
        (time <= asked.until).then(|| self.advance_from(time, asked, steps))?
    }

    /// After how many steps the tolerance begins to grow.
    ///
    /// It must not depend on the time of interest: that of a world is when another body was met.
    fn patience(&self, asked: &Asked) -> usize {
        let angle = self.angle().min(MOST_PATIENT_TURN);
        PATIENCE + (angle * asked.share * PATIENCE_PER_RADIAN) as usize
    }

    /// [`MovingPair::advance`] from a time until which the parts are not as near as asked.
    pub(super) fn advance_from(
        &self,
        time: f64,
        asked: Asked,
        steps: &mut Steps<Stop<V::Precise>>,
    ) -> Option<Meeting<V::Precise>> {
        let mut course = Course::new(asked, &self.precision);
        let patience = self.patience(&asked);
        let is_precise = self.precision.is_precise(asked.within);
        let mut here = self.seen_at(time, &mut course);
        for count in 0.. {
            if count >= patience && count % DOUBLING == 0 {
                course.near *= 2.0;
            }
            let Seen { at, plane } = &here;
            steps.record(|| self.stop(at, plane.as_ref().map(|plane| &plane.apart)));
            let met = Meeting {
                lower: at.time,
                time: at.time,
                is_start: at.time == 0.0,
                converged: is_precise && count < patience,
                apart: None,
            };
            let Some(plane) = plane.filter(|plane| plane.apart.upper > course.target) else {
                return Some(met);
            };
            let is_near = plane.apart.upper <= course.target + course.near;
            let way = if is_near {
                self.way_of_near(at, &plane, &asked, count < MOST_STEPS)
            } else {
                self.way(at, &plane, &mut course)
            };
            here = match way {
                Onward::Passes => return None,
                Onward::Until(later) => self.seen_at(later, &mut course),
                Onward::To(there) => there,
                Onward::Ends => {
                    return Some(Meeting {
                        is_start: false,
                        converged: met.converged && is_near,
                        apart: is_near.then_some(plane.apart),
                        ..met
                    });
                }
            };
        }
        None
    }
}

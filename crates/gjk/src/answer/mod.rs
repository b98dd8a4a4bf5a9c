//! What questions find, and what a method finds in the frame of a.
//!
//! | what | where |
//! | --- | --- |
//! | the signed distance of two shapes with its bounds, closest points and normal, in the world | `proximity.rs` |
//! | the same in double precision and in a's frame, while it is computed | `measured.rs` |
//! | the same for a pair in each lane of SIMD | `in_lanes.rs` |

mod in_lanes;
mod measured;
mod proximity;

pub(crate) use in_lanes::{
    AnswersInLanes, AskedInLanes, FourAnswers, FourMeasured, MeasuredInLanes, PreciseVectors,
    in_single_precision, precise, precise_vector, rounded, vector,
};
pub(crate) use measured::{ALIKE, lower_with_radii};
pub use measured::{Measured, Outcome};
pub use proximity::{Proximity, Separation, Status};

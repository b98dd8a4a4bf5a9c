//! Functions of C that a call or a step calls back. What is thrown through one, against what the header asks for, ends
//! the process.

use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::border::{In, Out, Plain};

/// Whether a question is about a body, or a part of one. The function may be called from several threads at a time.
pub type Accepts =
    Option<extern "C-unwind" fn(context: Context, body: u64, user_data: u64, part: u32) -> bool>;

/// Whether two bodies can make a contact. The function may be called from several threads at a time.
pub type MayMeet = Option<
    extern "C-unwind" fn(
        context: Context,
        a: u64,
        user_data_a: u64,
        b: u64,
        user_data_b: u64,
    ) -> bool,
>;

/// What a function of C is given back.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Context(pub *mut c_void);

// SAFETY: it is only handed back to C, whose header says that its functions may be called from any thread.
unsafe impl Send for Context {}

// SAFETY: as above.
unsafe impl Sync for Context {}

// SAFETY: it is a pointer that is not followed.
unsafe impl Plain for Context {}

// SAFETY: it is the address of a function, or none. That an address is one of a function is what C promises.
unsafe impl Plain for Accepts {}

// SAFETY: as above.
unsafe impl Plain for Support {}

/// The point of a convex shape of your own that is farthest along a direction, which need not be of unit length: three numbers each, two in the
/// plane. The function may be called from several threads at a time, and must give the same point for the same direction.
pub type Support =
    Option<extern "C-unwind" fn(context: Context, direction: In<f64>, point: Out<f64>)>;

/// What stands for the user data of a body in a hash.
pub type HashedData = Option<extern "C-unwind" fn(context: Context, user_data: u64) -> u64>;

/// A clock of C: nanoseconds since any moment.
pub type Clock = Option<extern "C-unwind" fn() -> u64>;

/// The clock that was set last.
static CLOCK: Mutex<Clock> = Mutex::new(None);

/// Remembers a clock, and returns what the engine asks.
pub(crate) fn set_clock(clock: Clock) -> Option<clearance::Clock> {
    *CLOCK.lock().unwrap_or_else(PoisonError::into_inner) = clock;
    clock.map(|_| now as clearance::Clock)
}

fn now() -> Duration {
    let clock = *CLOCK.lock().unwrap_or_else(PoisonError::into_inner);
    clock.map_or(Duration::ZERO, |clock| Duration::from_nanos(clock()))
}

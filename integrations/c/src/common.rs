//! What both dimensions share: codes, structs and calls.

use std::ffi::c_char;

use clearance::{BackFaces, BodyId, Interior, Leaving};

use crate::border::{In, Out, Outcome, Problem, Status, codes, guard, last_error, lists, rows};
use crate::callbacks::{Accepts, Context};

/// The version of the interface. It grows with each change of a struct or a call.
pub const ABI_VERSION: u32 = 1;

codes! {
    /// How a distance was found, and how precise it is.
    struct DistanceStatus: u8 = "CLR_DISTANCE_" {
        EXACT = 0: "By a closed form: the bounds differ by rounding errors only.",
        CONVERGED = 1: "By iteration, until the bounds were close enough.",
        ITERATION_LIMIT = 2: "By a search that had to stop early. The bounds hold, but are farther apart.",
        SATURATED = 3: "A number is beyond the range of single precision. The bounds hold; one of them may be infinite.",
        FARTHER = 4: "Not measured: proven to be farther apart than was asked, or nothing is hit. Only `lower` is known.",
        UNBOUNDED = 5: "Two half-spaces whose overlap has no end.",
    }

    /// Whether a step moves a body.
    struct BodyKind: u8 = "CLR_BODY_" {
        FIXED = 0: "A step leaves it where it is: walls, floors. Two fixed bodies make no contact with each other.",
        MOVING = 1: "A step moves it by its velocity: players, crates, platforms.",
    }

    /// What changed for a pair of bodies in the last step.
    struct EventKind: u8 = "CLR_EVENT_" {
        ENTERED = 0: "The bodies came within the margin.",
        BEGAN = 1: "They began to touch.",
        STAYED = 2: "They touched before and still do.",
        ENDED = 3: "They no longer touch.",
        LEFT = 4: "They are no longer within the margin.",
    }

    /// How a ray treats the inside of shapes.
    struct RayInterior: u32 = "CLR_INTERIOR_" {
        SOLID = 0: "A ray that starts inside of a shape hits it at distance 0, without a normal.",
        HOLLOW = 1: "A ray that starts inside of a shape hits the place where it leaves the shape.",
    }

    /// Whether a ray hits surfaces from behind.
    struct RayBackFaces: u32 = "CLR_BACK_FACES_" {
        HIT = 0: "They are hit, and the hit says so.",
        PASS = 1: "The ray passes through them.",
    }

    /// How a cast treats shapes that are within range at the start and move apart.
    struct CastLeaving: u32 = "CLR_LEAVING_" {
        HIT = 0: "They are hit at time 0, as all that are within range at the start.",
        PASS = 1: "They are passed over, so that a shape can leave what it touches.",
        IGNORE = 2: "They are never hit, whatever they do.",
    }

    /// What a shape does that meets something which it cannot walk on or climb.
    struct SlideAtWalls: u32 = "CLR_AT_WALLS_" {
        SLIDE = 0: "It slides along.",
        STOP = 1: "It stops, as one that follows a path or a grid should.",
    }

    /// The structure that finds overlapping boxes. Contacts do not depend on it.
    struct Backend: u32 = "CLR_BACKEND_" {
        TREE = 0: "A tree: the fastest for nearly all scenes.",
        BRUTE_FORCE = 1: "Every box against every other, for a few dozen bodies, and for checking the tree.",
    }
}

rows! {
    /// The groups of a body, one bit each. Two bodies can make a contact if each is a member of a group that the other one meets.
    struct Groups {
        memberships: u32 = "The groups that it is a member of: its layers.",
        filter: u32 = "The groups that it meets: its mask.",
    }

    /// Two bodies; `a` has the smaller id.
    struct BodyPair {
        a: u64 = "The body with the smaller id.",
        b: u64 = "The body with the larger id.",
    }

    /// What a ray may hit. Start from `clr_ray_options_default`. NULL in its place stands for the defaults.
    struct RayOptions {
        size: u32 = "The size of this struct in bytes.",
        max_distance: f32 = "The greatest distance of a hit, in units of length, >= 0; infinite at first.",
        interior: RayInterior = "How the inside of shapes is treated; solid at first.",
        back_faces: RayBackFaces = "Whether surfaces are hit from behind; they are at first.",
    }

    /// What counts as met by a shape in motion. Start from `clr_cast_options_default`. NULL in its place stands for the defaults.
    struct CastOptions {
        size: u32 = "The size of this struct in bytes.",
        within: f32 = "The distance that counts as met, in units of length, >= 0; 0 at first.",
        leaving: CastLeaving = "What happens to shapes that are within range at the start and move apart; they are hit at first.",
    }

    /// Which bodies a question is about. Start from `clr_filter_default`, which is about all. NULL in its place stands for that.
    struct Filter {
        size: u32 = "The size of this struct in bytes.",
        reserved: u32 = "Named so that there is no padding; zero.",
        groups: Groups = "The groups of the question, as if a body with these groups asked.",
        exclude: In<u64> = "Ids of bodies that are passed over, such as the one that asks. Other numbers pass over nothing.",
        exclude_count: usize = "How many ids there are.",
        accepts: Accepts = "Is called for each body that all else accepts, with part 0, and passes it over where it returns false. NULL accepts all.",
        accepts_part: Accepts = "Is called for parts of composites, and passes a part over where it returns false. NULL accepts all. Parts that it \
            refuses are searched like others.",
        context: Context = "The first argument of both functions.",
    }

    /// Times and counts of the last step. Times are in seconds, and zero unless profiling is on.
    struct Profile {
        move_bodies: f64 = "Time spent on moving bodies by their velocities.",
        bound: f64 = "Time spent on bounding boxes.",
        pair: f64 = "Time spent on finding pairs whose boxes overlap.",
        measure: f64 = "Time spent on measuring those pairs.",
        report: f64 = "Time spent on assembling the contacts.",
        boxes_updated: u64 = "How many bodies got a new bounding box.",
        candidates: u64 = "How many pairs might be contacts: their boxes overlap, and their groups allow it.",
        selected: u64 = "How many candidates were selected for measuring, since one of their bodies changed.",
        swept: u64 = "How many selected pairs were looked at on their ways, because one of their bodies is swept.",
        open_impacts: u64 = "For how many of those it was left open whether they met, since the search ended at its effort.",
        undecided: u64 = "For how many selected pairs the search ended at its effort before it found any parts that count.",
        contacts: u64 = "How many of the candidates are contacts.",
        part_contacts: u64 = "How many contacts of parts there are.",
        manifolds: u64 = "How many contact manifolds there are.",
        incomplete_parts: u64 = "How many pairs were measured whose part contacts are not complete.",
        closed_form: u64 = "How many contacts were measured by a closed form; zero unless profiling, as the next three.",
        iteration: u64 = "How many contacts were measured by iteration, to the tolerance.",
        iteration_limit: u64 = "How many contacts were measured by iteration that stopped at its limit.",
        saturated: u64 = "How many contacts are beyond the range of single precision.",
    }

    /// Bytes that the library holds.
    struct Bytes {
        data: In<u8> = "The first byte.",
        count: usize = "How many there are.",
    }

    /// How many bodies to find, and how far away.
    struct Nearest {
        count: u32 = "The greatest number of bodies to find.",
        within: f32 = "The greatest signed distance, in units of length; it may be infinite.",
    }
}

lists! {
    /// Room of the caller for ids.
    struct IdList of u64;

    /// Room of the caller for bytes.
    struct ByteList of u8;

    /// Room of the caller for pairs of bodies.
    struct BodyPairList of BodyPair;
}

/// What a struct that may grow must have as its size, refused where it has another one.
pub(crate) fn check_size<T>(size: u32, name: &str) -> Outcome {
    match size as usize == size_of::<T>() {
        true => Ok(()),
        false => Err(wrong_size(size, size_of::<T>(), name)),
    }
}

#[cold]
fn wrong_size(size: u32, must: usize, name: &str) -> Problem {
    Problem::argument(format!(
        "{name}.size is {size}, must be {must}: start from the function for the defaults"
    ))
}

/// The refusal of a code that has no name.
pub(crate) fn unknown(field: &str, value: u32, most: u32) -> Problem {
    Problem::argument(format!("{field} is {value}, must be from 0 to {most}"))
}

impl DistanceStatus {
    #[inline]
    pub(crate) fn of(status: clearance::Status) -> Self {
        match status {
            clearance::Status::Exact => Self::EXACT,
            clearance::Status::Converged => Self::CONVERGED,
            clearance::Status::Saturated => Self::SATURATED,
            _ => Self::ITERATION_LIMIT,
        }
    }
}

impl EventKind {
    /// The number of a kind.
    #[must_use]
    pub fn of(kind: clearance::EventKind) -> Self {
        match kind {
            clearance::EventKind::Entered => Self::ENTERED,
            clearance::EventKind::Began => Self::BEGAN,
            clearance::EventKind::Stayed => Self::STAYED,
            clearance::EventKind::Ended => Self::ENDED,
            _ => Self::LEFT,
        }
    }
}

impl RayOptions {
    const DEFAULT: Self = Self {
        size: size_of::<Self>() as u32,
        max_distance: f32::INFINITY,
        interior: RayInterior::SOLID,
        back_faces: RayBackFaces::HIT,
    };

    #[inline]
    pub(crate) fn read(options: In<Self>) -> Outcome<clearance::RayOptions> {
        let Some(options) = options.optional("options")? else {
            return Ok(clearance::RayOptions::default());
        };
        check_size::<Self>(options.size, "options")?;
        Ok(clearance::RayOptions {
            max_distance: options.max_distance,
            interior: match options.interior {
                RayInterior::SOLID => Interior::Solid,
                RayInterior::HOLLOW => Interior::Hollow,
                RayInterior(other) => return Err(unknown("options.interior", other, 1)),
            },
            back_faces: match options.back_faces {
                RayBackFaces::HIT => BackFaces::Hit,
                RayBackFaces::PASS => BackFaces::Pass,
                RayBackFaces(other) => return Err(unknown("options.back_faces", other, 1)),
            },
        })
    }
}

impl CastOptions {
    const DEFAULT: Self = Self {
        size: size_of::<Self>() as u32,
        within: 0.0,
        leaving: CastLeaving::HIT,
    };

    pub(crate) fn read(options: In<Self>) -> Outcome<clearance::CastOptions> {
        let Some(options) = options.optional("options")? else {
            return Ok(clearance::CastOptions::default());
        };
        check_size::<Self>(options.size, "options")?;
        Ok(clearance::CastOptions {
            within: options.within,
            leaving: match options.leaving {
                CastLeaving::HIT => Leaving::Hit,
                CastLeaving::PASS => Leaving::Pass,
                CastLeaving::IGNORE => Leaving::Ignore,
                CastLeaving(other) => return Err(unknown("options.leaving", other, 2)),
            },
        })
    }
}

impl Filter {
    const DEFAULT: Self = Self {
        size: size_of::<Self>() as u32,
        reserved: 0,
        groups: Groups::ALL,
        exclude: In::NULL,
        exclude_count: 0,
        accepts: None,
        accepts_part: None,
        context: Context(std::ptr::null_mut()),
    };
}

impl Groups {
    /// Member of every group, meets every group.
    pub(crate) const ALL: Self = Self {
        memberships: u32::MAX,
        filter: u32::MAX,
    };

    pub(crate) fn read(self) -> clearance::Groups {
        clearance::Groups {
            memberships: self.memberships,
            filter: self.filter,
        }
    }
}

impl Nearest {
    pub(crate) fn read(self) -> clearance::Nearest {
        clearance::Nearest {
            count: self.count.try_into().unwrap_or(usize::MAX),
            within: self.within,
        }
    }
}

/// An id as a number: one more than its bits, so that 0 is none.
pub fn number_of(id: BodyId) -> u64 {
    id.to_bits().wrapping_add(1)
}

/// The id of a number. Whether a world has it is for the world to say.
pub(crate) fn id_of(number: u64) -> BodyId {
    BodyId::from_bits(number.wrapping_sub(1))
}

impl Profile {
    pub(crate) fn of(profile: &clearance::Profile) -> Self {
        let seconds = |time: std::time::Duration| time.as_secs_f64();
        let methods = &profile.methods;
        Self {
            move_bodies: seconds(profile.move_bodies),
            bound: seconds(profile.bound),
            pair: seconds(profile.pair),
            measure: seconds(profile.measure),
            report: seconds(profile.report),
            boxes_updated: profile.boxes_updated as u64,
            candidates: profile.candidates as u64,
            selected: profile.selected as u64,
            swept: profile.swept as u64,
            open_impacts: profile.open_impacts as u64,
            undecided: profile.undecided as u64,
            contacts: profile.contacts as u64,
            part_contacts: profile.part_contacts as u64,
            manifolds: profile.manifolds as u64,
            incomplete_parts: profile.incomplete_parts as u64,
            closed_form: methods.closed_form as u64,
            iteration: methods.iteration as u64,
            iteration_limit: methods.iteration_limit as u64,
            saturated: methods.saturated as u64,
        }
    }
}

/// The sentence of the last call of this thread that did not return CLR_OK: what was wrong, where, and what would be right. An empty text
/// if there was none. It is in UTF-8, belongs to the library, and is valid until the next call of this thread that is refused.
#[unsafe(export_name = "clr_last_error")]
pub extern "C" fn clr_last_error() -> *const c_char {
    last_error()
}

/// Compares what the program was compiled with with the library: pass CLR_ABI_VERSION and CLR_ABI_SIZES. CLR_ABI if header and library
/// do not belong together.
#[unsafe(export_name = "clr_check_abi")]
pub extern "C" fn clr_check_abi(version: u32, sizes: u64) -> Status {
    guard(|| {
        let (own_version, own_sizes) = (ABI_VERSION, crate::abi::SIZES);
        if (version, sizes) == (own_version, own_sizes) {
            return Ok(());
        }
        let text = format!(
            "the program was compiled with version {version} of the header and sizes {sizes:#x}, the library has {own_version} and {own_sizes:#x}"
        );
        Err(Problem::new(Status::ABI, text))
    })
}

/// The name of a status, such as "CLR_BODY"; "unknown" for other numbers. The text is constant.
#[unsafe(export_name = "clr_status_name")]
pub extern "C" fn clr_status_name(status: Status) -> *const c_char {
    let name = match status {
        Status::OK => c"CLR_OK",
        Status::NULL_POINTER => c"CLR_NULL_POINTER",
        Status::ARGUMENT => c"CLR_ARGUMENT",
        Status::HANDLE => c"CLR_HANDLE",
        Status::BODY => c"CLR_BODY",
        Status::NO_ROOM => c"CLR_NO_ROOM",
        Status::FULL => c"CLR_FULL",
        Status::BUSY => c"CLR_BUSY",
        Status::STORED => c"CLR_STORED",
        Status::ABI => c"CLR_ABI",
        Status::PANIC => c"CLR_PANIC",
        _ => c"unknown",
    };
    name.as_ptr()
}

/// Rays of any length that hit all surfaces from both sides, and solid shapes from inside.
#[unsafe(export_name = "clr_ray_options_default")]
pub extern "C" fn clr_ray_options_default() -> RayOptions {
    RayOptions::DEFAULT
}

/// Casts that meet what they touch.
#[unsafe(export_name = "clr_cast_options_default")]
pub extern "C" fn clr_cast_options_default() -> CastOptions {
    CastOptions::DEFAULT
}

/// A filter that lets a question be about all bodies.
#[unsafe(export_name = "clr_filter_default")]
pub extern "C" fn clr_filter_default() -> Filter {
    Filter::DEFAULT
}

/// The same id without the mark of its world: every world that has such a body accepts it. Store or send this one: two worlds that did the
/// same have equal unmarked ids, while marked ones of two worlds differ.
#[unsafe(export_name = "clr_id_unmarked")]
pub extern "C" fn clr_id_unmarked(id: u64) -> u64 {
    let id = id_of(id);
    number_of(BodyId::from_parts(id.index(), id.generation()))
}

/// The slot of an id, counted from 0: at most one body at a time lives in it, so it can be the place in an array of the caller's.
#[unsafe(export_name = "clr_id_slot")]
pub extern "C" fn clr_id_slot(id: u64) -> u32 {
    id_of(id).index()
}

/// How many bodies lived in the slot of an id before.
#[unsafe(export_name = "clr_id_generation")]
pub extern "C" fn clr_id_generation(id: u64) -> u32 {
    id_of(id).generation()
}

/// The id of a slot and a generation, without the mark of a world, as `clr_id_unmarked` gives it.
#[unsafe(export_name = "clr_id_from_parts")]
pub extern "C" fn clr_id_from_parts(slot: u32, generation: u32) -> u64 {
    number_of(BodyId::from_parts(slot, generation))
}

/// Whether two ids are those of one body, whatever their marks.
#[unsafe(export_name = "clr_id_equal")]
pub extern "C" fn clr_id_equal(a: u64, b: u64) -> bool {
    id_of(a) == id_of(b)
}

/// The version of the library as text, such as "0.1.0". The text is constant.
#[unsafe(export_name = "clr_version")]
pub extern "C" fn clr_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Member of every group, meeting every group: the default of bodies and questions.
#[unsafe(export_name = "clr_groups_all")]
pub extern "C" fn clr_groups_all() -> Groups {
    Groups::ALL
}

//! Handles of worlds, shapes and snapshots: what C holds is no address, but a number that is looked up.
//!
//! So a handle that was freed, or made up, is told from one that is in use without reading memory that may be gone. A handle has the
//! kind of what it names in its lowest bits, then the place in the table, then how often the place was used before.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::border::{Outcome, Plain, Problem, Status};

const _: () = assert!(
    usize::BITS == 64,
    "handles and structs are laid out for pointers of 64 bits"
);

const KIND_BITS: u32 = 4;
const PLACE_BITS: u32 = 24;
/// The places of the first chunk; each further chunk has twice as many as the one before.
const FIRST_CHUNK: usize = 64;
const CHUNKS: usize = 18;

/// A handle as C holds it: in its header a pointer to a type of which nothing is known.
#[repr(transparent)]
pub struct Handle<T>(*mut c_void, PhantomData<T>);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

// SAFETY: it is a number that is looked up, never an address that is read.
unsafe impl<T> Plain for Handle<T> {}

impl<T> Handle<T> {
    /// No handle.
    pub const NULL: Self = Self(null_mut(), PhantomData);

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }
}

struct Slot<T> {
    /// How often the place was used, with the use of now.
    uses: AtomicUsize,
    /// What is there now, or null.
    value: AtomicPtr<T>,
}

/// Places that were used and are free now, and how many were ever used.
struct Places {
    free: Vec<usize>,
    end: usize,
}

/// What handles name.
pub(crate) struct Table<T> {
    kind: usize,
    name: &'static str,
    chunks: [OnceLock<Box<[Slot<T>]>>; CHUNKS],
    places: Mutex<Places>,
}

impl<T: Send + Sync> Table<T> {
    pub(crate) const fn new(kind: usize, name: &'static str) -> Self {
        assert!(kind > 0 && kind < 1 << KIND_BITS);
        let places = Places {
            free: Vec::new(),
            end: 0,
        };
        Self {
            kind,
            name,
            chunks: [const { OnceLock::new() }; CHUNKS],
            places: Mutex::new(places),
        }
    }

    /// Keeps a value, and names it.
    pub(crate) fn insert(&self, value: T) -> Outcome<Handle<T>> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let place = match places.free.pop() {
            Some(place) => place,
            None if places.end < most_places() => {
                places.end += 1;
                places.end - 1
            }
            None => {
                return Err(Problem::new(
                    Status::FULL,
                    format!("there are too many: {}", self.name),
                ));
            }
        };
        let slot = self.slot_or_grow(place);
        let uses = slot.uses.load(Ordering::Relaxed) + 1;
        slot.uses.store(uses, Ordering::Relaxed);
        let value = Box::into_raw(Box::new(value));
        slot.value.store(value, Ordering::Release);
        let number = (uses << PLACE_BITS | place) << KIND_BITS | self.kind;
        Ok(Handle(
            std::ptr::without_provenance_mut(number),
            PhantomData,
        ))
    }

    /// Looks a handle up for as long as `ask` runs. Whoever holds a handle must not free it meanwhile, as the header says; what is called
    /// back cannot, since worlds in use are not freed and shapes are copied first.
    #[inline]
    pub(crate) fn get<'a>(&self, handle: Handle<T>) -> Outcome<&'a T> {
        if let Some(slot) = self.slot_of(handle) {
            let value = slot.value.load(Ordering::Acquire);
            if !value.is_null() && slot.uses.load(Ordering::Relaxed) == uses_of(handle) {
                // SAFETY: the value is a box that only `take` frees, which C promises not to call with this handle at the same time.
                return Ok(unsafe { &*value });
            }
        }
        Err(self.refused(handle))
    }

    /// Frees the name, and returns what it named.
    pub(crate) fn take(&self, handle: Handle<T>) -> Outcome<Box<T>> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = self.slot_of(handle);
        let slot = slot.filter(|slot| slot.uses.load(Ordering::Relaxed) == uses_of(handle));
        let value = slot.map_or(null_mut(), |slot| {
            slot.value.swap(null_mut(), Ordering::AcqRel)
        });
        if value.is_null() {
            return Err(self.refused(handle));
        }
        places.free.push(place_of(handle));
        // SAFETY: `insert` made it of a box, and nobody else takes it, since it was there only once.
        Ok(unsafe { Box::from_raw(value) })
    }

    #[cold]
    fn refused(&self, handle: Handle<T>) -> Problem {
        let name = self.name;
        if handle.is_null() {
            return Problem::new(Status::NULL_POINTER, format!("the {name} is NULL"));
        }
        let text = format!("the {name} was freed, or never was one");
        Problem::new(Status::HANDLE, text)
    }

    #[inline]
    fn slot_of(&self, handle: Handle<T>) -> Option<&Slot<T>> {
        if handle.0.addr() & ((1 << KIND_BITS) - 1) != self.kind {
            return None;
        }
        let (chunk, place) = chunk_of(place_of(handle));
        self.chunks.get(chunk)?.get()?.get(place)
    }

    fn slot_or_grow(&self, place: usize) -> &Slot<T> {
        let (chunk, place) = chunk_of(place);
        let vacant = || Slot {
            uses: AtomicUsize::new(0),
            value: AtomicPtr::new(null_mut()),
        };
        let slots = self.chunks[chunk].get_or_init(|| {
            let slots = (0..FIRST_CHUNK << chunk).map(|_| vacant());
            slots.collect()
        });
        &slots[place]
    }
}

const fn most_places() -> usize {
    let of_chunks = FIRST_CHUNK * ((1 << CHUNKS) - 1);
    if of_chunks < 1 << PLACE_BITS {
        of_chunks
    } else {
        1 << PLACE_BITS
    }
}

#[inline]
fn place_of<T>(handle: Handle<T>) -> usize {
    handle.0.addr() >> KIND_BITS & ((1 << PLACE_BITS) - 1)
}

#[inline]
fn uses_of<T>(handle: Handle<T>) -> usize {
    handle.0.addr() >> (KIND_BITS + PLACE_BITS)
}

/// The chunk of a place, and the place in it.
#[inline]
fn chunk_of(place: usize) -> (usize, usize) {
    let chunk = (place / FIRST_CHUNK + 1).ilog2();
    (chunk as usize, place + FIRST_CHUNK - (FIRST_CHUNK << chunk))
}

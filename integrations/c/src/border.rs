//! What comes over the border from C and goes back: pointers, arrays, codes and errors.
//!
//! The types of arguments, [`In`] and [`Out`], have the layout of a pointer, and only C makes values of them, which promises by its header that
//! they are NULL or point to as many items as the call says. Here, and in `handles.rs`, is all unsafe code of the crate, but for what C
//! calls back.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

/// Declares numbers with names, which C may also pass as other numbers: so these are no `enum`.
macro_rules! codes {
    ($($(#[$about:meta])* struct $name:ident: $number:ty = $prefix:literal {
        $($code:ident = $value:literal: $of_one:literal,)*
    })*) => {$(
        $(#[$about])*
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub $number);

        impl $name {
            $(#[doc = $of_one] pub const $code: Self = Self($value);)*
        }

        // SAFETY: it is a number, and every number is a value.
        unsafe impl $crate::border::Plain for $name {}
    )*};
}
pub(crate) use codes;

/// Declares structs of C. They have no padding, so that all their bytes have names, and every value of their fields is one.
macro_rules! rows {
    ($($(#[$about:meta])* struct $name:ident {
        $($field:ident: $kind:ty = $of_field:literal,)*
    })*) => {$(
        $(#[$about])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name {
            $(#[doc = $of_field] pub $field: $kind,)*
        }

        const _: () = assert!(size_of::<$name>() == 0 $(+ size_of::<$kind>())*, "there is padding without a name");

        // SAFETY: its fields are plain, which the function asks the compiler to prove, and there is no padding.
        unsafe impl $crate::border::Plain for $name {}

        const _: fn() = || {
            fn is_plain<T: $crate::border::Plain>() {}
            $(is_plain::<$kind>();)*
        };
    )*};
}
pub(crate) use rows;

/// Declares room of the caller for lists whose length is not known before.
macro_rules! lists {
    ($($(#[$about:meta])* struct $name:ident of $kind:ty;)*) => {$(
        $crate::border::rows! {
            $(#[$about])*
            struct $name {
                data: Out<$kind> = "Where items are written; may be NULL if there is no room for any.",
                capacity: usize = "For how many items there is room.",
                count: usize = "How many items there are: the library writes it.",
            }
        }

        impl $name {
            /// Writes as many items as have room, and how many there are.
            pub(crate) fn fill(list: Out<Self>, items: impl Iterator<Item = $kind>) -> Outcome {
                let mut own = list.get("list")?;
                own.count = own.data.array(own.capacity, "list.data")?.fill(items);
                list.set(own, "list")?;
                $crate::border::check_room(own.capacity, own.count)
            }
        }
    )*};
}
pub(crate) use lists;

/// Declares calls of C, whose names `symbol!` gives. What stands before the name says what all of a kind have in common: `ask`, `lend` and `change` take
/// a world, `about` a world and a filter, `set` a world and ids, `make` and `remake` give a shape, `guard` has a status only, and `call` has all
/// written out.
macro_rules! calls {
    () => {};
    ($(#[$doc:meta])* call $name:ident($($arg:ident: $kind:ty),*) -> $result:ty $body:block $($rest:tt)*) => {
        $(#[$doc])*
        #[unsafe(export_name = symbol!($name))]
        #[allow(clippy::too_many_arguments)] // an array of C has its length beside it
        pub extern "C" fn $name($($arg: $kind),*) -> $result $body
        calls! { $($rest)* }
    };
    ($(#[$doc:meta])* guard $name:ident($($arg:ident: $kind:ty),*) $body:block $($rest:tt)*) => {
        calls! { $(#[$doc])* call $name($($arg: $kind),*) -> Status { guard(|| $body) } $($rest)* }
    };
    ($(#[$doc:meta])* ask $name:ident($($arg:ident: $kind:ty),*) |$inner:ident| $body:block $($rest:tt)*) => {
        calls! { $(#[$doc])* call $name(world: ConstWorldHandle $(, $arg: $kind)*) -> Status { ask(world, |$inner| $body) } $($rest)* }
    };
    ($(#[$doc:meta])* lend $name:ident($out:ident: Out<$kind:ident>) $kept:ident |$world:ident, $list:ident| $body:block $($rest:tt)*) => {
        calls! {
            $(#[$doc])*
            ask $name($out: Out<$kind>) |inner| {
                let $world = &inner.world;
                let (data, count) = inner.kept.$kept.get(|$list| $body);
                $out.set($kind { data, count }, stringify!($out))
            }
            $($rest)*
        }
    };
    ($(#[$doc:meta])* change $name:ident($($arg:ident: $kind:ty),*) |$inner:ident| $body:block $($rest:tt)*) => {
        calls! { $(#[$doc])* call $name(world: WorldHandle $(, $arg: $kind)*) -> Status { change(world, |$inner| $body) } $($rest)* }
    };
    ($(#[$doc:meta])* about $name:ident($($arg:ident: $kind:ty),*) |$query:ident, $filter:ident| $body:block $($rest:tt)*) => {
        calls! {
            $(#[$doc])*
            call $name(world: ConstWorldHandle $(, $arg: $kind)*) -> Status { ask_about(world, $filter, |$query| $body) }
            $($rest)*
        }
    };
    ($(#[$doc:meta])* set $name:ident($($arg:ident: $kind:ty),*) |$inner:ident, $id:ident| $body:block $($rest:tt)*) => {
        calls! {
            $(#[$doc])*
            call $name(world: WorldHandle, ids: In<u64>, count: usize $(, $arg: $kind)*) -> Status {
                change(world, |inner| set_each(inner, ids.array(count, "ids")?, |_| true, |$inner, $id, _| $body))
            }
            $($rest)*
        }
    };
    ($(#[$doc:meta])* make $name:ident($($arg:ident: $kind:ty),*) $body:block $($rest:tt)*) => {
        calls! { $(#[$doc])* call $name($($arg: $kind,)* shape: Out<ShapeHandle>) -> Status { make(shape, || $body) } $($rest)* }
    };
    ($(#[$doc:meta])* remake $name:ident($($arg:ident: $kind:ty),*) |$from:pat_param| $body:block $($rest:tt)*) => {
        calls! {
            $(#[$doc])*
            call $name(from: ConstShapeHandle, $($arg: $kind,)* shape: Out<ShapeHandle>) -> Status { remake(from, shape, |$from| $body) }
            $($rest)*
        }
    };
}
pub(crate) use calls;

/// Refuses to be silent about items that had no room.
pub(crate) fn check_room(capacity: usize, count: usize) -> Outcome {
    if count > capacity {
        let text = format!("there are {count} items, and room for {capacity}");
        return Err(Problem::new(Status::NO_ROOM, text));
    }
    Ok(())
}

codes! {
    /// What a call came to. After any but CLR_OK, `clr_last_error` has the sentence, and nothing else has changed.
    struct Status: i32 = "CLR_" {
        OK = 0: "The call did what it says.",
        NULL_POINTER = 1: "A pointer is NULL that must not be.",
        ARGUMENT = 2: "A number, a size, a code or a shape is not valid; or a pointer is not aligned.",
        HANDLE = 3: "A world, a shape or a snapshot was destroyed, or never was one.",
        BODY = 4: "An id is that of no body of the world: the body was removed, or is of another world.",
        NO_ROOM = 5: "The array of the caller is too small. The call says how many items there are; as many as have room are written.",
        FULL = 6: "There are too many worlds, shapes or bodies.",
        BUSY = 7: "The world is in use: a function that a question or a step calls may not change it, and one that a step calls may not ask it.",
        STORED = 8: "The bytes are not a snapshot or a shape of this version and dimension.",
        ABI = 9: "The header that the program was compiled with is not that of the library.",
        PANIC = 10: "The library has a defect: please report it. The world that was called refuses all further calls with this status.",
    }
}

/// Why a call is refused.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) status: Status,
    pub(crate) text: String,
}

impl Problem {
    pub(crate) fn new(status: Status, text: impl Display) -> Self {
        let text = text.to_string();
        Self { status, text }
    }

    pub(crate) fn argument(text: impl Display) -> Self {
        Self::new(Status::ARGUMENT, text)
    }

    /// The problem of the id 0.
    pub(crate) fn no_body() -> Self {
        Self::new(Status::BODY, "the id is 0, which is no body")
    }

    /// The problem of one item of an array.
    pub(crate) fn of_item(self, array: &str, place: usize) -> Self {
        let text = format!("{array}[{place}]: {}", self.text);
        Self { text, ..self }
    }

    pub(crate) fn in_field(self, field: &str) -> Self {
        let text = format!("{field}: {}", self.text);
        Self { text, ..self }
    }
}

/// Errors of the engine about values.
macro_rules! refused_arguments {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Problem {
            fn from(error: $error) -> Self {
                Self::argument(error)
            }
        })*
    };
}

refused_arguments!(
    clearance::ShapeError,
    clearance::QueryError,
    clearance::PoseError,
    clearance::RotationError,
    clearance::RayError,
    clearance::BatchError,
);

impl From<clearance::WorldError> for Problem {
    fn from(error: clearance::WorldError) -> Self {
        use clearance::WorldError::{Full, NotInWorld, OtherWorld};
        let status = match error {
            OtherWorld { id } if id == crate::common::id_of(0) => return Self::no_body(),
            NotInWorld { .. } | OtherWorld { .. } => Status::BODY,
            Full => Status::FULL,
            _ => Status::ARGUMENT,
        };
        Self::new(status, error)
    }
}

impl From<clearance::SlideError> for Problem {
    fn from(error: clearance::SlideError) -> Self {
        match error {
            clearance::SlideError::Body(error) => error.into(),
            _ => Self::new(Status::ARGUMENT, error),
        }
    }
}

pub(crate) type Outcome<T = ()> = Result<T, Problem>;

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::new(CString::default());
}

/// The sentence of the last call of this thread that was refused; empty if none was.
pub(crate) fn last_error() -> *const c_char {
    let text = LAST_ERROR.try_with(|last| last.borrow().as_ptr());
    text.unwrap_or(c"".as_ptr())
}

#[cold]
#[inline(never)]
fn tell(problem: Problem) -> Status {
    let Problem { status, text } = problem;
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    // Of a thread that ends the sentence is gone, and nobody can ask for it.
    let _ = LAST_ERROR.try_with(|last| *last.borrow_mut() = text);
    status
}

/// Runs what a call does. No panic comes through, since C could not catch it.
#[inline]
pub(crate) fn guard(run: impl FnOnce() -> Outcome) -> Status {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => Status::OK,
        Ok(Err(problem)) => tell(problem),
        Err(_) => tell(defect()),
    }
}

#[cold]
fn defect() -> Problem {
    let text = "the library has a defect that this call met: please report it";
    Problem::new(Status::PANIC, text)
}

/// Data of which any bytes are a value.
///
/// # Safety
/// That must be so, and there must be no padding.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($kind:ty),*) => {
        $(
            // SAFETY: it is a number or a pointer, and all of its bits are.
            unsafe impl Plain for $kind {}
        )*
    };
}
plain!(u8, i32, u32, u64, usize, f32, f64);

// SAFETY: an array has no padding between its items.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

// SAFETY: a pointer is not followed unless it is asked what it points to.
unsafe impl<T: Plain> Plain for In<T> {}

// SAFETY: as above.
unsafe impl<T: Plain> Plain for Out<T> {}

/// The value of which all bytes are zero.
pub(crate) fn zero<T: Plain>() -> T {
    // SAFETY: any bytes are a value.
    unsafe { std::mem::zeroed() }
}

/// A pointer from C to what a call reads.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct In<T>(*const T);

/// A pointer from C to what a call writes.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Out<T>(*mut T);

/// Refuses pointers that cannot point to so many items, each `stride` bytes after the one before.
#[inline]
fn check<T>(pointer: *const T, [count, stride]: [usize; 2], name: &str) -> Outcome {
    let end = count.checked_mul(stride);
    let end = end.and_then(|bytes| bytes.checked_add(pointer.addr()));
    let is_right = !pointer.is_null()
        && pointer.is_aligned()
        && stride.is_multiple_of(align_of::<T>())
        && stride >= size_of::<T>()
        && end.is_some_and(|end| end <= isize::MAX as usize);
    match is_right || count == 0 {
        true => Ok(()),
        false => Err(wrong_pointer(pointer, [count, stride], name)),
    }
}

#[cold]
#[inline(never)]
fn wrong_pointer<T>(pointer: *const T, [count, stride]: [usize; 2], name: &str) -> Problem {
    if pointer.is_null() {
        let text = format!("{name} is NULL, must point to {count}");
        return Problem::new(Status::NULL_POINTER, text);
    }
    let must = align_of::<T>();
    if !pointer.is_aligned() || !stride.is_multiple_of(must) {
        return Problem::argument(format!(
            "{name}: address and stride must be multiples of {must}"
        ));
    }
    Problem::argument(format!(
        "{name}: {count} items of {stride} bytes do not fit into memory"
    ))
}

impl<T> In<T> {
    /// No pointer.
    pub const NULL: Self = Self(std::ptr::null());

    /// Where a list is that the library keeps; none for an empty one.
    pub(crate) fn of(list: &[T]) -> Self {
        match list {
            [] => Self::NULL,
            _ => Self(list.as_ptr()),
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.0.is_null()
    }
}

impl<T: Plain> In<T> {
    /// So many items.
    #[inline]
    pub(crate) fn array(&self, count: usize, name: &str) -> Outcome<&[T]> {
        check(self.0, [count, size_of::<T>()], name)?;
        if count == 0 {
            return Ok(&[]);
        }
        // SAFETY: C promises that it points to so many items until the call returns, and it was checked that it can. Whatever they
        // are is a value.
        Ok(unsafe { slice::from_raw_parts(self.0, count) })
    }

    /// So many items that lie in items of the caller's, which are of so many bytes.
    pub(crate) fn strided(
        &self,
        [count, stride]: [usize; 2],
        name: &str,
    ) -> Outcome<impl Fn(usize) -> T> {
        check(self.0, [count, stride], name)?;
        let start = self.0;
        Ok(move |place: usize| {
            assert!(place < count);
            // SAFETY: as of an array; each item is a copy, so that nothing is said of the bytes between them.
            unsafe { start.byte_add(place * stride).read() }
        })
    }

    /// The item, which there must be.
    #[inline]
    pub(crate) fn one(&self, name: &str) -> Outcome<&T> {
        check(self.0, [1, size_of::<T>()], name)?;
        // SAFETY: as of an array.
        Ok(unsafe { &*self.0 })
    }

    /// The item, or none for NULL.
    #[inline]
    pub(crate) fn optional(&self, name: &str) -> Outcome<Option<&T>> {
        match self.is_null() {
            true => Ok(None),
            false => self.one(name).map(Some),
        }
    }
}

/// Room of the caller for so many items.
#[derive(Clone, Copy)]
pub(crate) struct Room<T> {
    start: *mut T,
    count: usize,
    stride: usize,
}

impl<T: Copy> Room<T> {
    /// Writes an item, if there is room.
    #[inline]
    pub(crate) fn put(&self, place: usize, value: T) {
        if place < self.count {
            // SAFETY: C promises room for so many items, and it was checked that there can be. What was there is not read.
            unsafe { self.start.byte_add(place * self.stride).write(value) }
        }
    }

    /// Writes items from the first place on, and says how many there were.
    pub(crate) fn fill(&self, items: impl Iterator<Item = T>) -> usize {
        let mut count = 0;
        for item in items {
            self.put(count, item);
            count += 1;
        }
        count
    }
}

impl<T: Copy> Out<T> {
    /// Where a function of C is to write.
    pub(crate) fn to(room: &mut [T]) -> Self {
        Self(room.as_mut_ptr())
    }

    pub(crate) fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// Room for so many items.
    #[inline]
    pub(crate) fn array(self, count: usize, name: &str) -> Outcome<Room<T>> {
        self.strided([count, size_of::<T>()], name)
    }

    /// Room for so many items that lie in items of the caller's, which are of so many bytes.
    #[inline]
    pub(crate) fn strided(self, [count, stride]: [usize; 2], name: &str) -> Outcome<Room<T>> {
        check(self.0, [count, stride], name)?;
        Ok(Room {
            start: self.0,
            count,
            stride,
        })
    }

    /// What C wrote there before.
    pub(crate) fn get(self, name: &str) -> Outcome<T>
    where
        T: Plain,
    {
        Ok(*In(self.0.cast_const()).one(name)?)
    }

    /// Writes the one item.
    #[inline]
    pub(crate) fn set(self, value: T, name: &str) -> Outcome {
        self.array(1, name).map(|room| room.put(0, value))
    }

    /// Writes the one item, unless C does not want it.
    pub(crate) fn set_optional(self, value: T, name: &str) -> Outcome {
        match self.0.is_null() {
            true => Ok(()),
            false => self.set(value, name),
        }
    }

    /// Writes what a call finds, after it was checked that there is room.
    pub(crate) fn fill(self, name: &str, find: impl FnOnce() -> Outcome<T>) -> Outcome {
        let room = self.array(1, name)?;
        room.put(0, find()?);
        Ok(())
    }
}

//! Worlds and shapes behind handles, and who may use them when.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use super::frame::Kept;
use super::only::{FIRST_KIND, engine};
use crate::border::{Out, Outcome, Problem, Status, guard};
use crate::common::id_of;
use crate::handles::{Handle, Table};

/// A shape that is counted.
pub struct CountedShape {
    /// How many own the handle.
    owners: AtomicU32,
    pub(crate) shape: engine::Shape,
}

/// A world, and what it keeps for C.
pub struct World {
    inner: UnsafeCell<Inner>,
    /// How many questions run; [`CHANGING`] while the world is changed.
    users: AtomicUsize,
    /// Whether a call met a defect, so that nobody knows what state the world is in.
    is_broken: AtomicBool,
}

pub(crate) struct Inner {
    pub(crate) world: engine::World,
    pub(crate) kept: Kept,
    /// Room for the poses of a call.
    pub(crate) poses: Vec<engine::BodyPose>,
}

const CHANGING: usize = usize::MAX;

// SAFETY: what is inside is reached through `ask` and `change` only. They keep apart what one thread does, and the header says that
// the calls which change a world are made by one thread at a time, while no other asks.
unsafe impl Sync for World {}

/// A world that a call may change.
pub type WorldHandle = Handle<World>;
/// A world that a call asks.
pub type ConstWorldHandle = Handle<World>;
/// A shape that belongs to the caller.
pub type ShapeHandle = Handle<CountedShape>;
/// A shape that a call reads.
pub type ConstShapeHandle = Handle<CountedShape>;

static WORLDS: Table<World> = Table::new(FIRST_KIND, "world");
static SHAPES: Table<CountedShape> = Table::new(FIRST_KIND + 1, "shape");

/// Ends a use of a world, also by a panic.
struct Use<'a> {
    world: &'a World,
    is_change: bool,
}

impl Drop for Use<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.world.is_broken.store(true, Ordering::Relaxed);
        }
        if self.is_change {
            self.world.users.store(0, Ordering::Release);
        } else {
            self.world.users.fetch_sub(1, Ordering::Release);
        }
    }
}

#[cold]
fn busy() -> Problem {
    let text = "the world is in use: a function that a question calls may not change or end it, and one that a step calls may not ask it";
    Problem::new(Status::BUSY, text)
}

impl World {
    #[inline]
    fn check(&self) -> Outcome {
        if self.is_broken.load(Ordering::Relaxed) {
            let text = "the world met a defect of the library before, and refuses all calls but that which ends it";
            return Err(Problem::new(Status::PANIC, text));
        }
        Ok(())
    }
}

impl Inner {
    fn new(world: engine::World) -> Self {
        Self {
            world,
            kept: Kept::default(),
            poses: Vec::new(),
        }
    }
}

/// Asks a world something, which may call functions of C (filters, shapes of the program's own) that ask the world too.
#[inline]
pub(crate) fn ask(handle: ConstWorldHandle, question: impl FnOnce(&Inner) -> Outcome) -> Status {
    guard(|| {
        let world = WORLDS.get(handle)?;
        world.check()?;
        let more = |users: usize| (users < CHANGING - 1).then(|| users + 1);
        let counted = (world.users).fetch_update(Ordering::Acquire, Ordering::Relaxed, more);
        counted.map_err(|_| busy())?;
        let _use = Use {
            world,
            is_change: false,
        };
        // SAFETY: nothing changes the world: calls that do are refused meanwhile, and no other thread does, as C promises.
        question(unsafe { &*world.inner.get() })
    })
}

/// Changes a world.
pub(crate) fn change(handle: WorldHandle, edit: impl FnOnce(&mut Inner) -> Outcome) -> Status {
    guard(|| {
        let world = WORLDS.get(handle)?;
        world.check()?;
        let _use = begin_change(world)?;
        // SAFETY: nobody else uses the world: calls that would are refused meanwhile, and no other thread does, as C promises.
        let inner = unsafe { &mut *world.inner.get() };
        inner.kept.forget();
        edit(inner)
    })
}

fn begin_change(world: &World) -> Outcome<Use<'_>> {
    let users = &world.users;
    let none = users.compare_exchange(0, CHANGING, Ordering::Acquire, Ordering::Relaxed);
    none.map_err(|_| busy())?;
    Ok(Use {
        world,
        is_change: true,
    })
}

/// Keeps a new world for C.
pub(crate) fn insert_world(world: engine::World) -> Outcome<WorldHandle> {
    WORLDS.insert(World {
        inner: UnsafeCell::new(Inner::new(world)),
        users: AtomicUsize::new(0),
        is_broken: AtomicBool::new(false),
    })
}

/// Ends a world that is not in use.
pub(crate) fn remove_world(handle: WorldHandle) -> Outcome {
    // Kept to the end of the world, so that no other call begins.
    let world = WORLDS.get(handle)?;
    std::mem::forget(begin_change(world)?);
    drop(WORLDS.take(handle)?);
    Ok(())
}

/// Makes a shape for C.
pub(crate) fn make(
    shape: Out<ShapeHandle>,
    new: impl FnOnce() -> Outcome<engine::Shape>,
) -> Status {
    guard(|| shape.fill("shape", || insert_shape(new()?)))
}

/// Keeps a shape for C, which owns it once.
pub(crate) fn insert_shape(shape: engine::Shape) -> Outcome<ShapeHandle> {
    SHAPES.insert(CountedShape {
        owners: AtomicU32::new(1),
        shape,
    })
}

/// A copy of a shape, which shares all that is large with it.
pub(crate) fn shape(handle: ConstShapeHandle) -> Outcome<engine::Shape> {
    Ok(SHAPES.get(handle)?.shape.clone())
}

/// Counts one owner more.
pub(crate) fn retain_shape(handle: ShapeHandle) -> Outcome {
    let owners = &SHAPES.get(handle)?.owners;
    let more = owners.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |owners| {
        owners.checked_add(1)
    });
    match more {
        Ok(_) => Ok(()),
        Err(_) => Err(Problem::new(Status::FULL, "the shape has too many owners")),
    }
}

/// Counts one owner less, and ends the shape after the last.
pub(crate) fn release_shape(handle: ShapeHandle) -> Outcome {
    if SHAPES.get(handle)?.owners.fetch_sub(1, Ordering::AcqRel) == 1 {
        drop(SHAPES.take(handle)?);
    }
    Ok(())
}

/// The id of a number that a body of the world has.
pub(crate) fn known(inner: &Inner, number: u64) -> Outcome<engine::BodyId> {
    let id = id_of(number);
    if inner.world.contains(id) {
        return Ok(id);
    }
    if number == 0 {
        return Err(Problem::no_body());
    }
    let text = format!("body {id} is not in this world: it was removed, or is of another world");
    Err(Problem::new(Status::BODY, text))
}

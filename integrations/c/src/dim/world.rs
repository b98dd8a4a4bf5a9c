//! Worlds: made, ended, set up.

use clearance::MAX_THREADS;

use super::access::{ask, change, insert_world, remove_world};
use super::only::engine;
use super::{ConstWorldHandle, WorldHandle};
use crate::border::{In, Out, Outcome, Status, calls, guard, rows};
use crate::common::{Backend, check_size, unknown};

rows! {
    /// How a world is set up. Start from `clrN_options_default`.
    struct Options {
        size: u32 = "The size of this struct in bytes.",
        margin: f32 = "Pairs that are no farther apart than this are contacts, in units of length, >= 0; 0.05 at first.",
        threads: u32 = "How many threads a step and a batch of questions use, with the one that calls: from 1, which it is at first. Answers do not \
            depend on it.",
        effort: u32 = "How long a question about composites may search; 262144 at first, which takes tens of milliseconds for most shapes.",
        backend: Backend = "The structure that finds overlapping boxes.",
        part_contacts: u8 = "Whether every pair gives the contacts of its parts, too: 0 or 1; 0 at first.",
        surface_contacts: u8 = "Whether steps tell the part contacts of a surface without those of its seams: 0 or 1; 0 at first.",
        manifolds: u8 = "Whether steps find the contact manifolds of all pairs: 0 or 1; 0 at first.",
        reserved: u8 = "Named so that there is no padding; zero.",
    }
}

impl Options {
    fn of(options: engine::Options) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            margin: options.margin,
            threads: options.threads as u32,
            effort: options.effort,
            backend: match options.backend {
                engine::Backend::BruteForce => Backend::BRUTE_FORCE,
                _ => Backend::TREE,
            },
            part_contacts: options.part_contacts.into(),
            surface_contacts: options.surface_contacts.into(),
            manifolds: options.manifolds.into(),
            reserved: 0,
        }
    }

    fn read(&self) -> Outcome<engine::Options> {
        check_size::<Self>(self.size, "options")?;
        Ok(engine::Options {
            margin: self.margin,
            part_contacts: self.part_contacts != 0,
            surface_contacts: self.surface_contacts != 0,
            manifolds: self.manifolds != 0,
            backend: match self.backend {
                Backend::TREE => engine::Backend::Bvh,
                Backend::BRUTE_FORCE => engine::Backend::BruteForce,
                Backend(other) => return Err(unknown("options.backend", other, 1)),
            },
            threads: usize::try_from(self.threads).unwrap_or(MAX_THREADS + 1),
            effort: self.effort,
        })
    }
}

calls! {
    /// The options that a world has unless others are wanted.
    call options_default() -> Options { Options::of(engine::Options::default()) }

    /// Makes a world without bodies. NULL options are the defaults. It belongs to the caller, who ends it with `clrN_world_destroy`.
    guard world_create(options: In<Options>, world: Out<WorldHandle>) {
        let options = match options.optional("options")? {
            Some(options) => options.read()?,
            None => engine::Options::default(),
        };
        world.fill("world", || insert_world(engine::World::new(options)?))
    }

    /// Ends a world. Its handle, and all that was borrowed from it, must not be used any more; the library refuses the handle. NULL is
    /// CLR_OK.
    guard world_destroy(world: WorldHandle) {
        match world.is_null() {
            true => Ok(()),
            false => remove_world(world),
        }
    }

    /// How a world is set up now.
    ask world_options(options: Out<Options>) |inner| { options.set(Options::of(inner.world.options()), "options") }

    /// Sets a world up anew, from the next step on, which measures every pair if anything but the threads differs. Start from
    /// `clrN_world_options`. A refusal changes nothing.
    change world_set_options(options: In<Options>) |inner| { Ok(inner.world.set_options(options.one("options")?.read()?)?) }
}

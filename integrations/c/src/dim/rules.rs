//! Which pairs of bodies can make contacts, beyond what their groups say, and which lists steps give.

use super::access::{ask, change};
use super::only::engine;
use super::{ConstWorldHandle, WorldHandle};
use crate::border::{In, Out, Problem, Status, calls};
use crate::callbacks::{Clock, Context, MayMeet, set_clock};
use crate::common::{BodyPair, BodyPairList, id_of, number_of};

calls! {
    /// Lets pairs of bodies make no contact, whatever their groups say, or of none of them if one is refused: for links that a joint connects. It
    /// lasts until `clrN_world_unignore_pairs`, or until one of the two is removed.
    call world_ignore_pairs(world: WorldHandle, pairs: In<BodyPair>, count: usize) -> Status {
        change_pairs(world, pairs, count, engine::World::ignore_pair)
    }

    /// Lets pairs of bodies make contacts again; nothing changes for those that were not ignored.
    call world_unignore_pairs(world: WorldHandle, pairs: In<BodyPair>, count: usize) -> Status {
        change_pairs(world, pairs, count, engine::World::unignore_pair)
    }
}

type ChangePair =
    fn(&mut engine::World, engine::BodyId, engine::BodyId) -> Result<(), clearance::WorldError>;

fn change_pairs(
    world: WorldHandle,
    pairs: In<BodyPair>,
    count: usize,
    change_pair: ChangePair,
) -> Status {
    change(world, |inner| {
        let (pairs, world) = (pairs.array(count, "pairs")?, &mut inner.world);
        let is_wrong = |place: &usize| {
            let [a, b] = [pairs[*place].a, pairs[*place].b].map(id_of);
            a == b || !world.contains(a) || !world.contains(b)
        };
        // What is wrong comes first: that changes nothing, and says why.
        let first = (0..count).find(is_wrong).into_iter();
        for place in first.chain(0..count) {
            let [a, b] = [pairs[place].a, pairs[place].b].map(id_of);
            let done = change_pair(world, a, b);
            done.map_err(|error| Problem::from(error).of_item("pairs", place))?;
        }
        Ok(())
    })
}

calls! {
    /// Whether a pair of bodies was told to make no contact, in whichever order they are named.
    ask world_is_ignored(a: u64, b: u64, is_ignored: Out<bool>) |inner| {
        is_ignored.set(inner.world.is_ignored(id_of(a), id_of(b)), "is_ignored")
    }

    /// All pairs that were told to make no contact, sorted.
    ask world_ignored_pairs(list: Out<BodyPairList>) |inner| {
        let pairs = inner.world.ignored_pairs().map(|pair| BodyPair { a: number_of(pair.a), b: number_of(pair.b) });
        BodyPairList::fill(list, pairs)
    }

    /// Lets a function decide which pairs make contacts, among those that groups and ignored pairs leave; NULL lets those alone decide. Steps call it
    /// for pairs that are near and of which a body changed, with the lesser id first. Its answer must depend on nothing else than the two bodies,
    /// or `clrN_world_pair_filter_changed` must be called. It is not part of snapshots. It must live as long as the world, and must not call the
    /// world.
    change world_set_pair_filter(may_meet: MayMeet, context: Context) |inner| {
        let Some(may_meet) = may_meet else {
            inner.world.clear_pair_filter();
            return Ok(());
        };
        inner.world.set_pair_filter(move |a, b| {
            // All of the context is taken along, which says that it may go to other threads.
            let context: Context = context;
            let [(a, of_a), (b, of_b)] = [a, b].map(|body| (number_of(body.id()), body.user_data()));
            may_meet(context, a, of_a, b, of_b)
        });
        Ok(())
    }

    /// Says that the function of `clrN_world_set_pair_filter` answers differently than before. The next step measures every pair.
    call world_pair_filter_changed(world: WorldHandle) -> Status { switch(world, engine::World::pair_filter_changed) }

    /// Switches the measuring of times on, by a clock of the program's: nanoseconds since any moment. One clock serves all worlds; NULL is the
    /// clock of the system.
    call world_set_profiling_by(world: WorldHandle, clock: Clock) -> Status {
        switch(world, |world| match set_clock(clock) {
            None => world.set_profiling(Some(clearance::Profile::standard_clock)),
            clock => world.set_profiling(clock),
        })
    }
}

fn switch(world: WorldHandle, set: impl FnOnce(&mut engine::World)) -> Status {
    change(world, |inner| {
        set(&mut inner.world);
        Ok::<_, Problem>(())
    })
}

calls! {
    /// The bytes that a world holds.
    ask world_memory(bytes: Out<usize>) |inner| { bytes.set(inner.world.memory(), "bytes") }

    /// Looks for damage in a world: for tests. CLR_PANIC with what was found, if anything.
    ask world_validate() |inner| {
        let problem = |text| Problem::new(Status::PANIC, text);
        inner.world.validate().map_err(problem)
    }
}

//! Giving back memory that a crowd needed, some time after it is gone.

/// Makes copies of a struct reuse the memory of what they replace. A field that is not named is an error of the compiler.
macro_rules! cloned_in_place {
    ($name:ident: $($field:ident),+) => {
        impl<V: Vector> Clone for $name<V> {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone()),+ }
            }

            fn clone_from(&mut self, source: &Self) {
                $(self.$field.clone_from(&source.$field);)+
            }
        }
    };
}
pub(crate) use cloned_in_place;

/// So many frames without a crowd, and its memory is given back.
const WINDOW: u32 = 256;

/// A buffer is cut down if it holds more than this many times what the frames of a window needed: so the
/// buffers of a steady scene are never touched.
const EXCESS: usize = 4;

/// To how many times what was needed a buffer is cut down.
pub(crate) const SPARE: usize = 2;

/// Buffers of less than this many items are left alone.
const SMALL: usize = 1024;

/// How many items of each sort a frame needs space for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Need {
    pub(crate) bodies: usize,
    pub(crate) pairs: usize,
    pub(crate) contacts: usize,
    pub(crate) part_contacts: usize,
    pub(crate) manifolds: usize,
    /// Part contacts that lie on another part, once for each of those.
    pub(crate) covers: usize,
    /// Contacts that came, went, or began or ceased to touch.
    pub(crate) changes: usize,
}

impl Need {
    fn at_least(self, other: Self) -> Self {
        Self {
            bodies: self.bodies.max(other.bodies),
            pairs: self.pairs.max(other.pairs),
            contacts: self.contacts.max(other.contacts),
            part_contacts: self.part_contacts.max(other.part_contacts),
            manifolds: self.manifolds.max(other.manifolds),
            covers: self.covers.max(other.covers),
            changes: self.changes.max(other.changes),
        }
    }
}

/// What the last frames needed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reserve {
    frames: u32,
    most: Need,
}

impl Reserve {
    /// Notes what a frame needed. At the end of a window, the most that its frames needed: the buffers
    /// are to be cut down to that.
    pub(crate) fn note(&mut self, need: Need) -> Option<Need> {
        self.most = self.most.at_least(need);
        self.frames += 1;
        if self.frames < WINDOW {
            return None;
        }
        Some(core::mem::take(self).most)
    }
}

/// Gives memory back if a buffer holds far more than it needs.
///
/// What lies beyond `need` was left by an earlier frame, and is never read.
pub(crate) fn cut_down<T>(buffer: &mut Vec<T>, need: usize) {
    if is_far_more(buffer.capacity(), need) {
        buffer.truncate(need);
        buffer.shrink_to(SPARE * need);
    }
}

/// Whether a capacity is worth cutting down to what is needed.
pub(crate) fn is_far_more(capacity: usize, need: usize) -> bool {
    capacity > SMALL.max(EXCESS * need)
}

/// Makes a column shorter, and gives back the memory beyond `capacity` rows.
pub(crate) fn cut<T>(column: &mut Vec<T>, rows: usize, capacity: usize) {
    column.truncate(rows);
    column.shrink_to(capacity);
}

/// Bytes that a vector holds, spare capacity included.
pub(crate) fn bytes<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

#[cfg(test)]
mod tests {
    use clearance_math::{Pose, Vec2};
    use clearance_shapes::Shape;

    use super::*;
    use crate::{Body, Options, World};

    #[test]
    fn what_a_crowd_needed_is_given_back_once_it_is_gone() {
        let mut world = World::<Vec2>::new(Options::default()).unwrap();
        let ball = Shape::ball(0.5).unwrap();
        for k in 0..300 {
            let pose = Pose::from_translation(Vec2::X * (0.001 * k as f32));
            world.insert(Body::moving(ball.clone(), pose)).unwrap();
        }
        let held = |world: &World<Vec2>| world.buffers.memory() + world.report.memory();
        world.step(0.0).unwrap();
        assert_eq!(world.contacts().len(), 300 * 299 / 2);
        let crowded = held(&world);
        world.retain(|body| body.id().index() < 10);
        world.step(0.0).unwrap();
        // What ended is still reported.
        assert!(held(&world) > crowded / 2);
        for _ in 0..2 * WINDOW {
            world.step(0.0).unwrap();
        }
        assert!(held(&world) < crowded / 20, "{} of {crowded}", held(&world));
        assert_eq!(world.contacts().len(), 45);
        world.validate().unwrap();
    }

    #[test]
    fn slots_of_a_crowd_are_given_back_but_for_their_generations() {
        let mut world = World::<Vec2>::new(Options::default()).unwrap();
        let ball = Shape::ball(0.5).unwrap();
        for k in 0..20_000 {
            let pose = Pose::from_translation(Vec2::X * k as f32);
            let ball = Body::moving(ball.clone(), pose).with_user_data(1);
            world.insert(ball).unwrap();
        }
        world.step(0.0).unwrap();
        world.clear();
        for _ in 0..2 * WINDOW {
            world.step(0.0).unwrap();
        }
        assert_eq!(world.bodies.slots(), 0);
        assert_eq!(world.bodies.columns.generations, vec![1; 20_000]);
        let beside = 4 * world.bodies.columns.generations.capacity() + 1000;
        let held = world.bodies.memory() + world.buffers.memory() + world.report.memory();
        assert!(held <= beside, "{held} bytes, {beside} at most");
    }
}

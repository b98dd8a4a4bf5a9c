//! Filters of pairs, as worlds get them and as the model applies them.

use clearance_math::Vector;
use clearance_world::{Body, BodyRef, Velocity, World};

/// Which pairs a filter allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairRule {
    /// There is no filter.
    All,
    /// Pairs whose user data differ in one of these bits.
    Different(u64),
    /// Pairs of which at least one has a velocity.
    Driven,
}

/// What a filter sees of a body.
struct Facts {
    user_data: u64,
    is_driven: bool,
}

impl Facts {
    fn new<V: Vector>(user_data: u64, velocity: Velocity<V>) -> Self {
        Self {
            user_data,
            is_driven: velocity != Velocity::default(),
        }
    }
}

impl PairRule {
    /// Whether the pair of two bodies of the model is allowed.
    pub(super) fn allows<V: Vector>(self, a: &Body<V>, b: &Body<V>) -> bool {
        self.decide([a, b].map(|body| Facts::new(body.user_data, body.velocity)))
    }

    /// Makes it the filter of a world.
    pub(super) fn install<V: Vector>(self, world: &mut World<V>) {
        match self {
            Self::All => world.clear_pair_filter(),
            rule => world.set_pair_filter(move |a: BodyRef<'_, V>, b: BodyRef<'_, V>| {
                rule.decide([a, b].map(|body| Facts::new(body.user_data(), body.velocity())))
            }),
        }
    }

    fn decide(self, [a, b]: [Facts; 2]) -> bool {
        match self {
            Self::All => true,
            Self::Different(bits) => (a.user_data ^ b.user_data) & bits != 0,
            Self::Driven => a.is_driven || b.is_driven,
        }
    }
}

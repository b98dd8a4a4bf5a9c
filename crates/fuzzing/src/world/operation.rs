//! What can be done to a world, and how bytes choose it.
//!
//! A new operation is a variant here, a line in [`Operation::decode`], and an arm in
//! `Twins::perform`.

use clearance_math::{Aabb, Pose, Real, Vector};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId, BodyKind, BodyPair, Groups, Velocity};

use super::model::Model;
use super::pair_rule::PairRule;
use crate::bytes::Bytes;
use crate::dimension::Dimension;
use crate::form::Form;

/// The most bodies at a time.
const MOST_BODIES: usize = 8;
/// Bytes from this one on choose what is swept, and whether surface contacts are wanted.
const FIRST_ABOUT_WAYS: u8 = 228;
/// Bytes from this one on choose an operation about pairs.
const FIRST_ABOUT_PAIRS: u8 = 240;
/// What lengths of shapes are multiplied by, so that bodies touch more often than they overlap.
const SCALE: Real = 0.25;

/// What can be done to a world.
#[derive(Clone, Debug)]
pub(super) enum Operation<V: Vector> {
    Insert(Box<Body<V>>),
    Remove(BodyId),
    SetPose(BodyId, Pose<V>),
    SetVelocity(BodyId, Velocity<V>),
    SetShape(BodyId, Box<Shape<V>>),
    SetGroups(BodyId, Groups),
    SetKind(BodyId, BodyKind),
    SetExtraMargin(BodyId, Real),
    SetUserData(BodyId, u64),
    AboutPairs(AboutPairs),
    SetMargin(Real),
    Step(Real),
    BodiesInBox(Aabb<V>),
    /// Keeps the present state.
    Keep,
    /// Restores the saved state.
    Restore,
    /// Restores the saved state after storing and reading it, with one bit of it changed if there is a place.
    RestoreStored(Option<usize>),
}

/// What changes which contacts pairs make, beyond groups.
#[derive(Clone, Copy, Debug)]
pub(super) enum AboutPairs {
    Ignore(BodyId, BodyId),
    Unignore(BodyId, BodyId),
    SetFilter(PairRule),
    /// Whether a body, or the world, wants part contacts.
    SetPartContacts(Option<BodyId>, bool),
    SetSwept(BodyId, bool),
    SetSurfaceContacts(bool),
}

impl<V: Dimension> Operation<V> {
    pub(super) fn decode(bytes: &mut Bytes, model: &Model<V>) -> Self {
        let choice = bytes.byte();
        if let Some(about_pairs) = choice.checked_sub(FIRST_ABOUT_PAIRS) {
            return Self::decode_about_pairs(about_pairs, bytes, model);
        }
        if let Some(about_ways) = choice.checked_sub(FIRST_ABOUT_WAYS) {
            return Self::AboutPairs(match about_ways {
                0..9 => AboutPairs::SetSwept(id(bytes, model), !bytes.once_in(4)),
                _ => AboutPairs::SetSurfaceContacts(!bytes.once_in(4)),
            });
        }
        let kind = choice % 28;
        if kind < 8 && model.bodies().len() < MOST_BODIES {
            return body(bytes).map_or(Self::Step(0.0), |body| Self::Insert(Box::new(body)));
        }
        match kind {
            8 => Self::Remove(id(bytes, model)),
            9 | 10 => Self::SetPose(id(bytes, model), pose(bytes)),
            11 | 12 => Self::SetVelocity(id(bytes, model), velocity(bytes)),
            13 => {
                let (id, form) = (id(bytes, model), Form::decode(bytes, SCALE));
                let shape = form.build();
                shape.map_or(Self::Remove(id), |shape| {
                    Self::SetShape(id, Box::new(shape))
                })
            }
            14 => Self::SetGroups(id(bytes, model), groups(bytes)),
            15 => Self::SetKind(id(bytes, model), kind_of(bytes)),
            16 => Self::SetExtraMargin(id(bytes, model), bytes.number()),
            17 => Self::SetMargin(bytes.number()),
            18 => Self::BodiesInBox(Aabb::new(
                bytes.vector(Bytes::number),
                bytes.vector(Bytes::number),
            )),
            19 => {
                let (at, size): (V, V) =
                    (bytes.vector(Bytes::lattice), bytes.vector(Bytes::length));
                Self::BodiesInBox(Aabb::new(at - size, at + size))
            }
            20 => Self::Step(bytes.number()),
            21 => Self::Keep,
            22 => Self::Restore,
            23 => match bytes.byte() {
                0..=127 => Self::RestoreStored(None),
                low => Self::RestoreStored(Some(usize::from(low) << 8 | usize::from(bytes.byte()))),
            },
            _ => Self::Step(bytes.pick(&[0.0, 0.015_625, 1.0 / 60.0, 0.5])),
        }
    }

    /// What pair rules can see, what is wanted of pairs, and the rules themselves.
    fn decode_about_pairs(choice: u8, bytes: &mut Bytes, model: &Model<V>) -> Self {
        Self::AboutPairs(match choice {
            0..3 => return Self::SetUserData(id(bytes, model), u64::from(bytes.byte())),
            3 => {
                let of_body = (!bytes.once_in(4)).then(|| id(bytes, model));
                AboutPairs::SetPartContacts(of_body, !bytes.once_in(3))
            }
            4..9 => AboutPairs::Ignore(id(bytes, model), id(bytes, model)),
            9..12 => match model.ignored().iter().nth(bytes.below(8)) {
                Some(&BodyPair { a, b }) => AboutPairs::Unignore(b, a),
                None => AboutPairs::Unignore(id(bytes, model), id(bytes, model)),
            },
            _ => AboutPairs::SetFilter(bytes.pick(&[
                PairRule::All,
                PairRule::Different(1),
                PairRule::Different(6),
                PairRule::Driven,
            ])),
        })
    }
}

/// Mostly the id of a body that is there, at times of one that was, or of none.
fn id<V: Dimension>(bytes: &mut Bytes, model: &Model<V>) -> BodyId {
    let choice = bytes.byte();
    let place = usize::from(choice) / 8;
    match choice % 8 {
        0 => BodyId::from_parts(u32::from(choice) / 32, u32::from(bytes.byte()) % 4),
        1 => BodyId::from_parts(bytes.word(), bytes.word()),
        _ => {
            let count = model.bodies().len().max(1);
            let id = model.bodies().keys().nth(place % count);
            id.copied().unwrap_or(BodyId::from_parts(0, 0))
        }
    }
}

/// A body of moderate size in a region small enough for contacts.
fn body<V: Dimension>(bytes: &mut Bytes) -> Option<Body<V>> {
    let shape = Form::decode(bytes, SCALE).build()?;
    let mut body = Body::moving(shape, pose(bytes));
    body.kind = kind_of(bytes);
    let extras = bytes.byte();
    if extras & 1 != 0 {
        body.velocity = velocity(bytes);
    }
    if extras & 6 == 6 {
        body.groups = groups(bytes);
    }
    if extras & 24 == 24 {
        body.extra_margin = bytes.length();
    }
    body.user_data = u64::from(extras >> 5);
    body.swept = extras >> 5 == 7;
    Some(body)
}

fn pose<V: Dimension>(bytes: &mut Bytes) -> Pose<V> {
    let translation: V = match bytes.below(8) {
        0 => bytes.vector(Bytes::number),
        _ => bytes.vector(Bytes::lattice),
    };
    Pose::new(translation, V::rotation(bytes))
}

fn velocity<V: Dimension>(bytes: &mut Bytes) -> Velocity<V> {
    match bytes.below(4) {
        0 => Velocity::new(bytes.vector(Bytes::number), V::angular(bytes)),
        1 => Velocity::new(bytes.vector(Bytes::lattice), V::angular(bytes)),
        _ => Velocity::from_linear(bytes.vector(Bytes::lattice)),
    }
}

fn kind_of(bytes: &mut Bytes) -> BodyKind {
    bytes.pick(&[BodyKind::Moving, BodyKind::Moving, BodyKind::Fixed])
}

fn groups(bytes: &mut Bytes) -> Groups {
    let mut mask = || bytes.pick(&[0, 1, 2, 3, u32::MAX]);
    Groups {
        memberships: mask(),
        filter: mask(),
    }
}

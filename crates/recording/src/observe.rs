//! What is different in a world since the frame before, and when it became so: before the step, or after it.

use clearance_math::{
    Pose, PoseResidual, PreciseVector, Real, Rotation, Vec3, Vector, VelocityStep,
};
use clearance_world::internal::{LastStep, SlotRef, slots};
use clearance_world::{BodyRef, Velocity, World};

use crate::error::EncodeError;
use crate::row::{Motion, POSITION_NUMBERS, Properties, Row, VELOCITY_WORDS};
use crate::rows::{Change, Rows};
use crate::shapes::ShapeTable;

/// What became different of the slots of a world.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    /// Before the step.
    pub(crate) early: Vec<Change>,
    /// After it.
    pub(crate) late: Vec<Change>,
    /// Whether anything changed after the step by which contacts can change.
    pub(crate) is_late: bool,
}

/// In what way the world came from the frame before to where it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ArrivedBy {
    /// By a step of so many seconds.
    Step(Real),
    /// A snapshot was restored: all that differs is taken for the work of that.
    Restored,
    /// There was no step.
    Stayed,
}

impl ArrivedBy {
    pub(crate) fn new(last: LastStep, count_before: Option<u64>) -> Self {
        if count_before.unwrap_or(0) == last.count {
            Self::Stayed
        } else if last.is_restored {
            Self::Restored
        } else {
            Self::Step(last.dt)
        }
    }

    /// The length of the step that a player makes.
    pub(crate) fn dt(self) -> Option<Real> {
        match self {
            Self::Step(dt) => Some(dt),
            Self::Restored => Some(0.0),
            Self::Stayed => None,
        }
    }
}

impl Observed {
    /// Compares the slots of a world with `rows`, and makes the rows those of the world. New shapes are written.
    pub(crate) fn compare<V: Vector>(
        &mut self,
        world: &World<V>,
        way: ArrivedBy,
        rows: &mut Rows,
        (shapes, out): (&mut ShapeTable<V>, &mut Vec<u8>),
    ) -> Result<(), EncodeError> {
        self.early.clear();
        self.late.clear();
        self.is_late = false;
        for slot in slots(world) {
            let before = rows.row(slot.index());
            let now = row_of(&slot, &before, rows, shapes, out)?;
            let known = rows.get(slot.index()).copied();
            let known = known.unwrap_or(Row::vacant(now.generation, rows.space));
            let stages = Stages::new(&slot, way, known, now);
            let index = slot.index();
            self.is_late |= slot.has_changed() && way != ArrivedBy::Restored;
            if stages.early != before {
                self.early.push(Change {
                    slot: index,
                    from: before,
                    to: stages.early,
                });
            }
            if stages.stepped != now {
                self.late.push(Change {
                    slot: index,
                    from: stages.stepped,
                    to: now,
                });
            }
            // Slots come in order: none is left out.
            let _ = rows.set(index, now);
        }
        self.vacate(slots(world).len(), rows);
        Ok(())
    }

    /// Leaves the slots from `first` on vacant, which the world has not used yet: it went back to a snapshot.
    fn vacate(&mut self, first: usize, rows: &mut Rows) {
        let to = Row::vacant(0, rows.space);
        for slot in first as u32..rows.len() as u32 {
            let from = rows.row(slot);
            if from != to {
                self.early.push(Change { slot, from, to });
                let _ = rows.set(slot, to);
            }
        }
    }
}

/// The row of a slot before the step, and after it, as long as nothing changed after the step.
struct Stages {
    early: Row,
    stepped: Row,
}

impl Stages {
    fn new<V: Vector>(slot: &SlotRef<'_, V>, way: ArrivedBy, before: Row, now: Row) -> Self {
        let dt = match way {
            ArrivedBy::Step(dt) => dt,
            ArrivedBy::Restored => return Self::at_once(now),
            ArrivedBy::Stayed => return Self::at_once(before),
        };
        if slot.has_changed() {
            return Self::changed_late(slot, dt, before);
        }
        let start = |motion: Motion| start_of(slot, motion);
        if !now.moves() {
            return Self::at_once(now);
        }
        let early = Row {
            motion: start(now.motion),
            ..now
        };
        let is_sure = if now.motion.has_velocity() {
            before.motion.velocity == now.motion.velocity && now.motion.residual != [0; 4]
        } else {
            early.motion == now.motion
        };
        if is_sure || moved::<V>(&early, dt).motion == now.motion {
            return Self {
                early,
                stepped: now,
            };
        }
        // It got its velocity after the step, or its pose.
        let mut early = early;
        early.motion.velocity = before.motion.velocity;
        Self {
            early,
            stepped: moved::<V>(&early, dt),
        }
    }

    /// Nothing moves.
    fn at_once(row: Row) -> Self {
        Self {
            early: row,
            stepped: row,
        }
    }

    /// All that is different now was made so after the step, but where the step started from.
    fn changed_late<V: Vector>(slot: &SlotRef<'_, V>, dt: Real, before: Row) -> Self {
        if !before.moves() {
            return Self::at_once(before);
        }
        let early = Row {
            motion: start_of(slot, before.motion),
            ..before
        };
        Self {
            early,
            stepped: moved::<V>(&early, dt),
        }
    }
}

/// The motion with the pose from which the last step started, if the body was in it.
fn start_of<V: Vector>(slot: &SlotRef<'_, V>, motion: Motion) -> Motion {
    let Some(start) = slot.start() else {
        return motion;
    };
    Motion {
        position: position_bits(&start.pose),
        rotation: start.pose.rotation.to_bits(),
        residual: start.residual.encode(),
        ..motion
    }
}

/// The row after a step, as the world computes it.
fn moved<V: Vector>(row: &Row, dt: Real) -> Row {
    let Ok(pose) = pose_of::<V>(&row.motion) else {
        return *row;
    };
    if dt == 0.0 {
        return *row;
    }
    let velocity = velocity_of::<V>(&row.motion);
    let motion = VelocityStep {
        linear: velocity.linear,
        angular: velocity.angular,
        dt,
    };
    let residual = PoseResidual::decode(row.motion.residual);
    let (next, residual) = pose.moved(&residual, &motion);
    // Zeros of both signs are one place: the body stays as it is.
    let next = if next == pose { pose } else { next };
    let motion = Motion {
        position: position_bits(&next),
        rotation: next.rotation.to_bits(),
        residual: residual.encode(),
        ..row.motion
    };
    Row { motion, ..*row }
}

fn row_of<V: Vector>(
    slot: &SlotRef<'_, V>,
    before: &Row,
    rows: &Rows,
    shapes: &mut ShapeTable<V>,
    out: &mut Vec<u8>,
) -> Result<Row, EncodeError> {
    let Some(body) = slot.body() else {
        return Ok(Row::vacant(slot.generation(), rows.space));
    };
    let known = before.properties.shape;
    let shape = if shapes.is(known, body.shape()) {
        known
    } else {
        shapes.number(body.shape(), out)?
    };
    Ok(Row {
        generation: slot.generation(),
        is_taken: true,
        properties: Properties {
            shape,
            kind: body.kind(),
            groups: body.groups(),
            extra_margin: body.extra_margin().to_bits(),
            part_contacts: body.wants_part_contacts(),
            manifolds: body.wants_manifolds(),
            is_swept: body.is_swept(),
            user_data: body.user_data(),
        },
        motion: motion_of(&body),
    })
}

/// Where a body of a world is now, and how fast it moves.
pub(crate) fn motion_of<V: Vector>(body: &BodyRef<'_, V>) -> Motion {
    let velocity = body.velocity();
    let angular = V::Rotation::angular_in_space(velocity.angular).to_array();
    let mut words = [0; VELOCITY_WORDS];
    for (axis, word) in words.iter_mut().enumerate().take(V::DIM) {
        *word = velocity.linear.component(axis).to_bits();
    }
    for (word, number) in words[3..].iter_mut().zip(angular) {
        *word = number.to_bits();
    }
    Motion {
        position: position_bits(body.pose()),
        rotation: body.pose().rotation.to_bits(),
        residual: body.residual().encode(),
        velocity: words,
    }
}

fn position_bits<V: Vector>(pose: &Pose<V>) -> [u64; POSITION_NUMBERS] {
    let mut bits = [0; POSITION_NUMBERS];
    for (axis, number) in bits.iter_mut().enumerate().take(V::DIM) {
        *number = pose.position().component(axis).to_bits();
    }
    bits
}

/// The pose of a motion. Only its rotation is checked.
pub(crate) fn pose_of<V: Vector>(motion: &Motion) -> Result<Pose<V>, String> {
    let rotation = V::Rotation::from_bits(motion.rotation);
    let rotation = rotation.map_err(|error| format!("rotation {error}"))?;
    let position = V::Precise::from_fn(|axis| f64::from_bits(motion.position[axis]));
    Ok(Pose::new(position, rotation))
}

/// The velocity of a motion, unchecked.
pub(crate) fn velocity_of<V: Vector>(motion: &Motion) -> Velocity<V> {
    let [.., x, y, z] = motion.velocity;
    let angular = Vec3::from_array([x, y, z].map(Real::from_bits));
    Velocity::new(
        vector(&motion.velocity),
        V::Rotation::angular_from_space(angular),
    )
}

fn vector<V: Vector>(words: &[u32]) -> V {
    V::from_fn(|axis| Real::from_bits(words[axis]))
}

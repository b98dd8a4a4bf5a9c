//! Stands in for the crate of recordings until that is there.

use clearance_math::Vector;
use clearance_world::World;

#[derive(Debug, thiserror::Error)]
#[error("cannot encode")]
pub struct EncodeError;

#[derive(Default)]
pub(crate) struct EncoderOptions;

pub(crate) struct Encoder<V> {
    last: Option<V>,
}

impl<V: Vector> Encoder<V> {
    pub(crate) fn new(_: EncoderOptions) -> Self {
        Self { last: None }
    }

    pub(crate) fn frame(&mut self, world: &World<V>, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.last = Some(V::ZERO);
        out.push(b'F');
        out.extend(world.contacts_hash().to_le_bytes());
        Ok(())
    }

    pub(crate) fn join(&mut self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        out.push(b'H');
        Ok(())
    }
}

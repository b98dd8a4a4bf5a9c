//! Numbers as bytes, and back.

/// Why bytes cannot be read: what was to be there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unreadable(pub(crate) String);

impl Unreadable {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }
}

/// What is left to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Unreadable> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| {
            let left = self.rest.len();
            Unreadable(format!("{left} bytes are left, must be at least {count}"))
        })?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], Unreadable> {
        let mut array = [0; COUNT];
        array.copy_from_slice(self.take(COUNT)?);
        Ok(array)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Unreadable> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn half_word(&mut self) -> Result<u16, Unreadable> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn word(&mut self) -> Result<u32, Unreadable> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn long(&mut self) -> Result<u64, Unreadable> {
        self.array().map(u64::from_le_bytes)
    }

    /// A number in groups of seven bits, the lowest first.
    pub(crate) fn varint(&mut self) -> Result<u64, Unreadable> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let group = u64::from(byte & 0x7f);
            if shift == 63 && group > 1 {
                break;
            }
            number |= group << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Unreadable::new("a number has more than 64 bits"))
    }

    /// A number that must fit into 32 bits.
    pub(crate) fn small(&mut self) -> Result<u32, Unreadable> {
        let number = self.varint()?;
        u32::try_from(number).map_err(|_| Unreadable(format!("{number} has more than 32 bits")))
    }

    pub(crate) fn finish(&self) -> Result<(), Unreadable> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(Unreadable(format!("{left} bytes are left over"))),
        }
    }
}

/// Writes a number in groups of seven bits, the lowest first.
pub(crate) fn put_varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The bits that are set, in one byte.
pub(crate) fn flags(bits: &[(u8, bool)]) -> u8 {
    let set = bits.iter().filter(|(_, is_set)| *is_set);
    set.fold(0, |flags, (bit, _)| flags | bit)
}

/// Small numbers of both signs as small numbers.
pub(crate) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// The inverse of [`zigzag`].
pub(crate) fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [
            0,
            1,
            127,
            128,
            300,
            u64::from(u32::MAX),
            u64::MAX - 1,
            u64::MAX,
        ] {
            let mut out = Vec::new();
            put_varint(number, &mut out);
            let mut bytes = Bytes::new(&out);
            assert_eq!(bytes.varint(), Ok(number));
            assert_eq!(bytes.finish(), Ok(()));
            assert_eq!(unzigzag(zigzag(number as i64)), number as i64);
        }
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
    }

    #[test]
    fn what_is_too_long_or_cut_off_is_refused() {
        for bytes in [&[0x80; 9][..], &[0xff; 10], &[0x80; 20], &[]] {
            assert!(Bytes::new(bytes).varint().is_err(), "{bytes:?}");
        }
        assert!(Bytes::new(&[0xff, 0xff, 0xff, 0xff, 0x1f]).small().is_err());
        assert!(Bytes::new(&[1, 2, 3]).word().is_err());
    }
}

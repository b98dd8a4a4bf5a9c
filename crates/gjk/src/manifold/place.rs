//! Places on the parts of surfaces that face each other.

/// What a corner of the common part is on one of the two parts of surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A corner, by its place in the list of corners.
    Corner(u8),
    /// A point of the side from this corner to the next.
    Side(u8),
    /// A point within.
    Inside,
}

impl Place {
    /// A number by which places are ordered.
    #[inline(always)]
    pub(super) fn rank(self) -> u16 {
        match self {
            Self::Corner(number) => u16::from(number),
            Self::Side(number) => SIDE | u16::from(number),
            Self::Inside => INSIDE,
        }
    }

    #[inline(always)]
    fn of_rank(rank: u16) -> Self {
        if rank < SIDE {
            Self::Corner(rank as u8)
        } else if rank < INSIDE {
            Self::Side(rank as u8)
        } else {
            Self::Inside
        }
    }
}

/// The least rank of a side.
const SIDE: u16 = 1 << 8;

/// The rank of a point within.
const INSIDE: u16 = 2 << 8;

/// What a corner is on each of two parts, packed into one number. As two enums it would be written in several pieces and
/// read again in one, for which a processor has to wait until all pieces are stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places(u32);

impl Places {
    #[inline(always)]
    pub(super) fn of([first, second]: [Place; 2]) -> Self {
        Self(u32::from(first.rank()) | u32::from(second.rank()) << 16)
    }

    #[inline(always)]
    pub(super) fn both(self) -> [Place; 2] {
        [
            Place::of_rank(self.0 as u16),
            Place::of_rank((self.0 >> 16) as u16),
        ]
    }

    /// The numbers by which the two places are ordered.
    #[inline(always)]
    pub(super) fn ranks(self) -> [u64; 2] {
        [u64::from(self.0 & 0xffff), u64::from(self.0 >> 16)]
    }

    #[inline(always)]
    pub(super) fn exchanged(self) -> Self {
        Self(self.0.rotate_left(16))
    }
}

//! Parts of a shape's surface, by which contact points are told apart.

/// The part of a shape's surface that a contact point lies on.
///
/// The same part has the same number under every pose, so a solver that keeps something for each contact point
/// finds it again in the next frame. Numbers of different shapes have nothing to do with each other.
///
/// | shape | faces | edges | corners |
/// | --- | --- | --- | --- |
/// | cuboid | two for each axis | 4 for each axis (3D) | by the signs of x, y and z |
/// | triangle, hull | those of the shape | those of the shape (3D) | the vertices |
/// | segment, capsule | its sides (2D) | the segment (3D) | its ends |
/// | cylinder, cone | top, bottom | the rims, a line of the side, the sides of the octagons | eight of each rim, the ends of the line |
/// | tapered capsule | the balls at its ends | a line of the side | the ends of the line |
/// | ball, ellipsoid, custom shape, half-space | the surface | | |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// A face, or the whole of a curved surface.
    Face(u32),
    /// An edge between two faces, or a line of a curved surface.
    Edge(u32),
    /// A corner, or the end of a line.
    Corner(u32),
}

impl Feature {
    /// The feature as one number, which differs for all features of a shape.
    #[must_use]
    pub fn id(self) -> u32 {
        let (kind, number) = match self {
            Self::Face(number) => (0, number),
            Self::Edge(number) => (1, number),
            Self::Corner(number) => (2, number),
        };
        // Two bits are lost where a shape has more than a thousand million corners.
        number << 2 | kind
    }
}

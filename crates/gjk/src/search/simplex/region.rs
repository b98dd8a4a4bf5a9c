//! The feature of a simplex on which its nearest point lies.

/// The feature of a simplex on which its point nearest to the origin lies.
///
/// The origin is then in the Voronoi region of that feature: the region of all points to which no other
/// feature is nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// A vertex.
    Vertex,
    /// An edge between two vertices.
    Edge,
    /// A triangle in 3D.
    Face,
    /// The simplex contains the origin: a triangle in 2D, a tetrahedron in 3D.
    Interior,
}

impl Region {
    /// The name: one word in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Edge => "edge",
            Self::Face => "face",
            Self::Interior => "interior",
        }
    }
}

/// Writes the name.
impl core::fmt::Display for Region {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

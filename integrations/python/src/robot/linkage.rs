//! Joints, and the frames of links in a configuration, in double precision.

use clearance::math::glam::{DAffine3, DMat3, DVec3};

/// A joint as Python describes it: the attributes of an object.
#[derive(pyo3::FromPyObject)]
pub(crate) struct GivenJoint {
    parent: usize,
    child: usize,
    kind: String,
    /// Which number of a configuration is that of the joint; none for one that is fixed.
    column: Option<usize>,
    factor: f64,
    offset: f64,
    /// The pose in the frame of the parent, row by row.
    origin: [[f64; 4]; 4],
    /// Of length 1.
    axis: [f64; 3],
}

/// A joint between two links.
pub(crate) struct Joint {
    parent: usize,
    child: usize,
    column: Option<usize>,
    factor: f64,
    offset: f64,
    /// The pose in the frame of the parent when the number of the joint is 0.
    origin: DAffine3,
    motion: Motion,
}

/// What a joint does, in the frame of the parent.
enum Motion {
    /// The frame turns: it is that of the origin, plus these times the sine and times one less the cosine.
    Turn([DMat3; 2]),
    /// The frame moves along this vector.
    Slide(DVec3),
}

impl From<GivenJoint> for Joint {
    fn from(given: GivenJoint) -> Self {
        let [x, y, z, _] = given.origin;
        let column = |k: usize| DVec3::new(x[k], y[k], z[k]);
        let turn = DMat3::from_cols(column(0), column(1), column(2));
        let axis = DVec3::from_array(given.axis);
        let motion = if given.kind == "revolute" {
            let cross = DMat3::from_cols(
                axis.cross(DVec3::X),
                axis.cross(DVec3::Y),
                axis.cross(DVec3::Z),
            );
            Motion::Turn([turn * cross, turn * cross * cross])
        } else {
            Motion::Slide(turn * axis)
        };
        Self {
            parent: given.parent,
            child: given.child,
            column: given.column,
            factor: given.factor,
            offset: given.offset,
            origin: DAffine3::from_mat3_translation(turn, column(3)),
            motion,
        }
    }
}

impl Joint {
    /// The links that it needs, and the numbers of a configuration.
    pub(crate) fn counts(&self) -> [usize; 2] {
        let columns = self.column.map_or(0, |column| column + 1);
        [self.parent.max(self.child) + 1, columns]
    }

    /// The frame of the child in the frame of the parent.
    fn moved(&self, configuration: &[f64]) -> DAffine3 {
        let Some(column) = self.column else {
            return self.origin;
        };
        let number = configuration[column] * self.factor + self.offset;
        let mut moved = self.origin;
        match &self.motion {
            Motion::Turn([by_sine, by_rest]) => {
                let (sine, cosine) = libm::sincos(number);
                moved.matrix3 += *by_sine * sine + *by_rest * (1.0 - cosine);
            }
            Motion::Slide(along) => moved.translation += *along * number,
        }
        moved
    }

    /// Writes the frame of the child. That of the parent must be there.
    pub(crate) fn place(&self, configuration: &[f64], frames: &mut [DAffine3]) {
        let parent = frames[self.parent];
        frames[self.child] = parent * self.moved(configuration);
    }
}

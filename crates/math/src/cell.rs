//! Cells of a grid, by whole numbers.

use core::fmt::{Debug, Display};
use core::hash::Hash;

use crate::precise::Sealed;

/// A cell of a grid: glam's `IVec2` or `IVec3`. The trait is sealed.
///
/// Cell i along an axis reaches from i to i + 1 times the size of a cell.
pub trait Cell:
    Sealed + Copy + Debug + Display + Default + Eq + Hash + Send + Sync + 'static
{
    /// The number of components, 2 or 3.
    const DIM: usize;

    /// The component along an axis: 0 is x, 1 is y, 2 is z.
    fn component(self, index: usize) -> i32;
    /// The cell with these components, of which the third does not count in 2D.
    fn from_components(components: [i32; 3]) -> Self;
    /// All components, 0 for z in 2D.
    #[inline]
    #[must_use]
    fn components(self) -> [i32; 3] {
        let mut components = [0; 3];
        for (k, component) in components.iter_mut().enumerate().take(Self::DIM) {
            *component = self.component(k);
        }
        components
    }
}

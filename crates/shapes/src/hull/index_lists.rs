//! Many short lists of indices, stored one after the other in one array.

/// A list of vertex indices for each face or for each vertex, such as the loops of all faces or the
/// neighbours of all vertices.
///
/// The layout is that of a compressed sparse row matrix.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IndexLists {
    /// Where each list starts in `items`, followed by the end of the last list.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl IndexLists {
    /// No lists.
    pub(super) fn new() -> Self {
        Self {
            starts: vec![0],
            items: Vec::new(),
        }
    }

    /// For each of `count` vertices, its neighbours in ascending order. `edges` contains each edge of
    /// the graph once, in either direction.
    pub(super) fn adjacency(count: usize, edges: &[[u32; 2]]) -> Self {
        let mut directed: Vec<[u32; 2]> =
            edges.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        directed.sort_unstable();
        let mut lists = Self::new();
        let mut rest = directed.as_slice();
        for vertex in 0..count as u32 {
            let end = rest.partition_point(|edge| edge[0] <= vertex);
            lists.push(rest[..end].iter().map(|edge| edge[1]));
            rest = &rest[end..];
        }
        lists
    }

    /// For each of `count` items, the lists that contain it, in ascending order.
    pub(super) fn transposed(&self, count: usize) -> Self {
        let mut starts = vec![0; count + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for item in 0..count {
            starts[item + 1] += starts[item];
        }
        let mut ends = starts.clone();
        let mut items = vec![0; self.items.len()];
        for (list, index) in self.iter().zip(0..) {
            for &item in list {
                items[ends[item as usize] as usize] = index;
                ends[item as usize] += 1;
            }
        }
        Self { starts, items }
    }

    /// Appends a list.
    pub(super) fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.starts.push(self.items.len() as u32);
    }

    /// The number of lists.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// List `index`, counted from 0.
    #[inline]
    pub(super) fn get(&self, index: usize) -> &[u32] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// All lists in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The allocated memory in bytes.
    pub(super) fn memory(&self) -> usize {
        (self.starts.capacity() + self.items.capacity()) * size_of::<u32>()
    }
}

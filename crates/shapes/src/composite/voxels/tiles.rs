//! Cells that are not whole cuboids: the shapes of a palette.

use std::sync::Arc;

use clearance_math::tolerances::{TILE_ROUNDING, UNIT_LENGTH_SLACK};
use clearance_math::{
    Aabb, Cell, Matrix, PreciseVector, Real, RelativePose, Vector, round_nearest,
};

use super::Voxels;
use super::cells::Spot;
use super::chunk::{Block, coordinates};
use crate::error::check_number;
use crate::shape::{OuterSide, Shape};
use crate::{CoreKind, Requirement, ShapeError};

/// The most tiles of a palette: a cell has a byte, of which 0 is the whole cuboid.
const MOST_TILES: usize = 255;

/// What a cell of voxels can hold instead of the whole cuboid: a slope, a half, or any other convex shape.
///
/// The shape is in the frame of the least corner of the cell, and must lie between 0 and the size along each axis. So it is
/// a hull, say, or a ball that was [moved](Shape::translated).
#[derive(Clone, Debug, PartialEq)]
pub struct Tile<V: Vector> {
    /// A convex shape.
    pub shape: Shape<V>,
    /// A number of yours, such as a material. Nothing depends on it.
    pub user: u64,
    /// The only side from which the tile counts, as that of a platform which is jumped through from below. `None` if it
    /// counts from all sides.
    #[doc(alias("one_way_platform"))]
    pub one_way: Option<OneWay<V>>,
}

/// The side from which a one-way tile counts, or each part of a [one-way shape](Shape::one_way).
///
/// It counts for a convex shape, or a part of a composite, that lies beyond it along the normal as a whole, but for the depth,
/// if the normal of their contact looks to that side, too. For all else every question passes it over, as if it were not there.
/// A cast asks where the shape first comes within its range of the tile, and no more after that. Rays meet the faces that look to
/// that side, from outside. A body of several parts that jumps through is held by its upper parts as soon as these are beyond: leave
/// the tiles out by a filter of parts while its feet are below them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneWay<V> {
    /// The unit vector from the tile to that side, in the frame of the shape: up, for a platform.
    pub normal: V,
    /// How far what counts may reach below the end of the tile along the normal, in units of length, >= 0.
    pub depth: Real,
}

impl<V: Vector> Tile<V> {
    /// A tile that counts from all sides, with the number 0.
    #[must_use]
    pub fn new(shape: Shape<V>) -> Self {
        Self {
            shape,
            user: 0,
            one_way: None,
        }
    }

    /// The side on which the tile counts, if it does not on all.
    pub(super) fn outer_side(&self) -> Option<OuterSide<V::Precise>> {
        self.one_way.as_ref().map(OneWay::side)
    }

    /// What is not valid beside the place.
    fn check_side(&self) -> Result<(), ShapeError> {
        self.one_way.as_ref().map_or(Ok(()), OneWay::check)
    }
}

impl<V: Vector> OneWay<V> {
    pub(in crate::composite) fn check(&self) -> Result<(), ShapeError> {
        check_number("one_way", "depth", self.depth, Requirement::NotNegative)?;
        let length = self.normal.to_precise().length();
        if !((length - 1.0).abs() <= UNIT_LENGTH_SLACK) {
            return Err(ShapeError::NotUnit {
                shape: "one_way",
                length,
            });
        }
        Ok(())
    }

    /// The same as a side of a part.
    pub(in crate::composite) fn side(&self) -> OuterSide<V::Precise> {
        let normal = self.normal.to_precise();
        OuterSide {
            normal: normal * (1.0 / normal.length()),
            depth: self.depth,
            is_of_tile: true,
        }
    }

    /// The side of what was scaled.
    pub(in crate::composite) fn scaled(self, factors: V) -> Self {
        let factor = |k: usize| f64::from(factors.component(k));
        let normal = self.normal.to_precise();
        // An even factor is taken out first, so that the normal keeps its bits.
        let scaled = |k: usize| normal.component(k) / (factor(k) / factor(0).abs());
        let scaled = V::Precise::from_fn(scaled);
        let is_even = (0..V::DIM).all(|k| factor(k).abs() == factor(0).abs());
        let length = if is_even { 1.0 } else { scaled.length() };
        let depth = round_nearest(f64::from(self.depth) * factor(0).abs() / length);
        Self {
            normal: V::from_precise(scaled * (1.0 / length)),
            depth: depth.min(Real::MAX),
        }
    }
}

/// The tiles of voxels, which are checked. Tile k is entry k + 1 of cells.
#[derive(PartialEq)]
pub(super) struct Palette<V: Vector> {
    pub(super) tiles: Vec<Tile<V>>,
    /// How far they reach beyond their cells by rounding, in units of length.
    pub(super) beyond: f64,
}

impl<V: Vector> Palette<V> {
    /// `None` without any tiles.
    pub(super) fn new(size: V, tiles: Vec<Tile<V>>) -> Result<Option<Arc<Self>>, ShapeError> {
        if tiles.len() > MOST_TILES {
            return Err(ShapeError::TooManyTiles { count: tiles.len() });
        }
        let mut beyond = 0.0_f64;
        for (index, tile) in tiles.iter().enumerate() {
            let own = tile.check_side().and_then(|()| overhang(size, &tile.shape));
            let own = own.map_err(|error| in_tile(index, error))?;
            beyond = beyond.max(own);
        }
        let palette = Self { tiles, beyond };
        Ok((!palette.tiles.is_empty()).then(|| Arc::new(palette)))
    }

    #[inline]
    pub(super) fn tile(&self, entry: u8) -> Option<&Tile<V>> {
        self.tiles.get(usize::from(entry).checked_sub(1)?)
    }

    /// The same scaled about the corners of cells; where it is mirrored, the other corner becomes the least one.
    pub(super) fn scaled(&self, size: V, factors: V) -> Result<Vec<Tile<V>>, ShapeError> {
        let offset = (0..V::DIM).fold(V::ZERO, |offset, k| {
            let is_mirrored = factors.component(k) < 0.0;
            offset.with_component(k, if is_mirrored { size.component(k) } else { 0.0 })
        });
        let scaled = |(index, tile): (usize, &Tile<V>)| {
            let shape = tile.shape.scaled_by(factors);
            let shape = match shape {
                Ok(shape) if offset != V::ZERO => shape.translated(offset),
                shape => shape,
            };
            Ok(Tile {
                shape: shape.map_err(|error| in_tile(index, error))?,
                user: tile.user,
                one_way: tile.one_way.map(|side| side.scaled(factors)),
            })
        };
        self.tiles.iter().enumerate().map(scaled).collect()
    }
}

fn in_tile(index: usize, error: ShapeError) -> ShapeError {
    ShapeError::Tile {
        index,
        error: Box::new(error),
    }
}

/// How far a tile reaches beyond its cell, if that is by rounding only.
fn overhang<V: Vector>(size: V, shape: &Shape<V>) -> Result<f64, ShapeError> {
    let convex = match shape {
        Shape::Convex(convex) if convex.core().kind() != CoreKind::Custom => convex,
        _ => {
            let kind = shape.kind_name();
            return Err(ShapeError::NotATile { kind });
        }
    };
    let [low, high] = convex
        .core()
        .extent(&<V::Precise as PreciseVector>::Matrix::IDENTITY);
    let mut most = 0.0_f64;
    for axis in 0..V::DIM {
        let limits = [
            low.component(axis) - convex.radius(),
            high.component(axis) + convex.radius(),
        ];
        let end = f64::from(size.component(axis));
        let beyond = (-limits[0]).max(limits[1] - end);
        if !(beyond <= TILE_ROUNDING * end) {
            return Err(ShapeError::TileOutside {
                axis,
                limits,
                size: size.component(axis),
            });
        }
        most = most.max(beyond);
    }
    Ok(most)
}

impl<V: Vector> Voxels<V> {
    /// The tiles that cells can be; entry k of a cell is tile k - 1, and 0 the whole cuboid.
    #[must_use]
    pub fn palette(&self) -> &[Tile<V>] {
        self.palette.as_ref().map_or(&[], |palette| &palette.tiles)
    }

    /// The tile that the part with this number is; `None` for whole cells.
    #[inline]
    #[must_use]
    pub fn tile(&self, part: u32) -> Option<&Tile<V>> {
        let palette = self.palette.as_ref()?;
        palette.tile(self.cells.entry(self.spot(part)?))
    }

    /// The greatest depth up to which a tile counts that does not count from all sides.
    pub(in crate::composite) fn greatest_depth(&self) -> Option<Real> {
        let sides = self.palette().iter().filter_map(|tile| tile.one_way);
        sides.map(|side| side.depth).reduce(Real::max)
    }

    /// The side on which a part counts, if it does not on all.
    pub(in crate::composite) fn outer_side(&self, part: u32) -> Option<OuterSide<V::Precise>> {
        self.tile(part)?.outer_side()
    }

    /// The entry of a cell, which is not looked up without a palette.
    #[inline]
    pub(super) fn entry(&self, spot: Spot) -> u8 {
        self.palette.as_ref().map_or(0, |_| self.cells.entry(spot))
    }

    /// How far tiles reach beyond their cells, in units of length.
    #[inline]
    pub(super) fn beyond(&self) -> f64 {
        self.palette.as_ref().map_or(0.0, |palette| palette.beyond)
    }

    /// Checks that the palette has an entry.
    pub(super) fn check_entry(&self, entry: u8) -> Result<(), ShapeError> {
        let tiles = self.palette().len();
        if usize::from(entry) > tiles {
            return Err(ShapeError::NoSuchTile { entry, tiles });
        }
        Ok(())
    }

    /// Where the least corner of a cell is; `None` at the origin, as for a part of a compound.
    pub(super) fn corner_pose(&self, cell: V::Cell) -> Option<RelativePose<V::Precise>> {
        let at = |k: usize| f64::from(cell.component(k)) * f64::from(self.size.component(k));
        let translation = V::Precise::from_fn(at);
        (translation != V::Precise::ZERO).then_some(RelativePose {
            rotation: <V::Precise as PreciseVector>::Matrix::IDENTITY,
            translation,
        })
    }

    /// The box around all parts where some are tiles: those of the outermost layers decide.
    pub(super) fn bounds_with_tiles(&self) -> Aabb<V> {
        let (mut min, mut max) = (V::ZERO, V::ZERO);
        for axis in 0..V::DIM {
            min = min.with_component(axis, -self.farthest(axis, 0));
            max = max.with_component(axis, self.farthest(axis, 1));
        }
        Aabb::new(min, max)
    }

    /// How far the parts reach up along an axis, or down with `side` 0. Costs O(n) for n chunks, and for the outermost layer
    /// of cells of those that may reach farther than others, or for all of their cells where a layer is thin.
    fn farthest(&self, axis: usize, side: usize) -> Real {
        let (outermost, mut farthest) = (self.limits[side][axis], Real::NEG_INFINITY);
        // No layer from this one on reaches farther.
        let mut within: Option<i64> = None;
        let outwards = |layer: i32| [-1, 1][side] * i64::from(layer);
        // The outermost chunks come first: most others need not be looked at then.
        for is_outermost in [true, false] {
            for slot in 0..self.cells.chunk_count() {
                let ends = self.cells.ends(slot);
                let Some(layer) = ends.map(|ends| ends[side].component(axis)) else {
                    continue;
                };
                if (layer == outermost) != is_outermost || within >= Some(outwards(layer)) {
                    continue;
                }
                if farthest >= self.most_of_layer(axis, side, layer) {
                    within = Some(outwards(layer));
                    continue;
                }
                let inwards = layer.saturating_add([1, -1][side]);
                let mut look = |layers| {
                    for (entry, layer) in self.outermost(slot, (axis, side), layers) {
                        farthest = farthest.max(self.reach_of_cell(axis, side, layer, entry));
                    }
                    farthest
                };
                if look([layer; 2]) < self.most_of_layer(axis, side, inwards) {
                    look([i32::MIN, i32::MAX]);
                }
            }
        }
        farthest
    }

    /// How far any cell of a layer could reach along an axis.
    fn most_of_layer(&self, axis: usize, side: usize, layer: i32) -> Real {
        let entries = 0..=self.palette().len() as u8;
        let reach = entries.map(|entry| self.reach_of_cell(axis, side, layer, entry));
        reach.fold(Real::NEG_INFINITY, Real::max)
    }

    /// How far a cell of a layer with an entry reaches along an axis.
    fn reach_of_cell(&self, axis: usize, side: usize, layer: i32, entry: u8) -> Real {
        let mut cell = [0; 3];
        cell[axis] = layer;
        let bounds = self.placed(V::Cell::from_components(cell), entry).bounds();
        if side == 0 {
            -bounds.min.component(axis)
        } else {
            bounds.max.component(axis)
        }
    }

    /// The entries of the cells of a chunk between two layers, each with the outermost layer that has it.
    fn outermost(
        &self,
        slot: u32,
        (axis, side): (usize, usize),
        layers: [i32; 2],
    ) -> impl Iterator<Item = (u8, i32)> {
        let (first, Block { low, high }) = (self.cells.corner(slot)[axis], self.cells.block(slot));
        let mut ends = [low.map(u32::from), high.map(u32::from)];
        let within = |layer: i32| {
            (i64::from(layer) - i64::from(first)).clamp(low[axis].into(), high[axis].into())
        };
        (ends[0][axis], ends[1][axis]) = (within(layers[0]) as u32, within(layers[1]) as u32);
        let mut outermost = [None::<i32>; 1 + MOST_TILES];
        self.cells.chunk(slot).each_between::<V>(ends, |place| {
            let own = &mut outermost[usize::from(self.cells.entry(Spot { slot, place }))];
            let layer = first + coordinates::<V>(place)[axis] as i32;
            let farther = [i32::min, i32::max][side];
            *own = Some(own.map_or(layer, |known| farther(known, layer)));
        });
        let entries = (0..=MOST_TILES as u8).zip(outermost);
        entries.filter_map(|(entry, layer)| Some((entry, layer?)))
    }
}

//! Filled cells: by sums over chunks, however many cells these have.

use core::ops::Add;

use clearance_math::internal::MapEach;
use clearance_math::{DMat3, DVec3, PreciseVector, Vector};

use super::moments::{Moments, mixed, outer};
use super::{MassProperties, of_any, round};
use crate::ShapeError;
use crate::composite::{Sums, Voxels};

/// The cells, which do not overlap: those of one shape after the other.
pub(super) fn of_voxels<V: Vector>(voxels: &Voxels<V>) -> Result<MassProperties<V>, ShapeError> {
    let size = voxels.size().to_precise().in_space();
    // For each entry a cell, and the corners of all from there, both in cells.
    let mut places = vec![None::<([i32; 3], Moments)>; voxels.palette().len() + 1];
    voxels.cells().each_sum(|corner, entry, sums| {
        let (first, about) = places[usize::from(entry)].get_or_insert((corner, Moments::ZERO));
        let away = [0, 1, 2].map_each(|k| f64::from(corner[k]) - f64::from(first[k]));
        *about += moved(sums, DVec3::from(away));
    });
    let half = size * 0.5;
    let cuboid = round::cuboid(V::DIM, half);
    let mut own = vec![MassProperties {
        volume: cuboid.measure,
        mass: cuboid.measure,
        center_of_mass: V::Precise::from_space(half),
        second: cuboid.second,
    }];
    for tile in voxels.palette() {
        own.push(of_any(&tile.shape)?);
    }
    let parts = own.iter().zip(places);
    let sum = parts.filter_map(|(own, places)| {
        let (first, about) = places?;
        let origin = DVec3::from(first.map_each(f64::from)) * size;
        let places = scaled(&about, size);
        let about = MassProperties::new(origin + own.center_of_mass.in_space(), &places);
        let spread = about.with_mass(places.measure * own.volume);
        Some(MassProperties {
            volume: spread.mass,
            second: spread.second + own.second * places.measure,
            ..spread
        })
    });
    // A set without cells has no mass, at the origin.
    Ok(sum
        .reduce(MassProperties::add)
        .unwrap_or(MassProperties::of_point(V::Precise::ZERO, 0.0)))
}

/// Sums over cells from a point that is so far from where they begin.
fn moved(sums: &Sums, away: DVec3) -> Moments {
    let count = f64::from(sums.count);
    let first = DVec3::from(sums.first.map_each(f64::from));
    let second = sums
        .second
        .map_each(|column| DVec3::from(column.map_each(f64::from)));
    let second = DMat3::from_cols(second[0], second[1], second[2]);
    Moments {
        measure: count,
        first: first + away * count,
        second: second + mixed(first, away) + outer(away, away) * count,
    }
}

/// The moments of the same points, scaled along the axes.
fn scaled(moments: &Moments, factors: DVec3) -> Moments {
    let scale = DMat3::from_diagonal(factors);
    Moments {
        measure: moments.measure,
        first: moments.first * factors,
        second: scale * moments.second * scale,
    }
}

//! What is measured of a pair of parts.

use clearance_gjk::{crossing_segments_into, measure};
use clearance_math::DVec3;

use super::Check;
use super::pairs::Candidate;
use crate::clash::Clash;
use crate::kind::{Classified, Kind, classify};
use crate::measured::{Hulled, Measured, separation};
use crate::nesting::{Nesting, nesting, same};
use crate::part::{Form, Part};

impl Check {
    pub(super) fn clash_of(&self, a: u32, candidate: &Candidate) -> Option<Clash> {
        let part_a = &self.a.parts()[a as usize];
        let part_b = &self.second().parts()[candidate.b as usize];
        let limits = candidate.limits;
        let hulls_of_b = match self.b {
            Some(_) => &self.hulls_b,
            None => &self.hulls_a,
        };
        let sides = [
            (part_a, &self.hulls_a[a as usize]),
            (part_b, &hulls_of_b[candidate.b as usize]),
        ]
        .map(|(part, hull)| Hulled { part, hull });
        let Measured { near, firm } = separation(sides, limits)?;
        let mut found = classify(firm, limits)?;
        let mut inner = None;
        if let Some(sharper) = nesting_of(sides, found.kind, limits.tolerance) {
            found.is_allowed = false;
            (found.kind, found.is_proven) = match sharper {
                Nesting::Both { is_proven } => (Kind::Duplicate, is_proven),
                Nesting::Inner(side) => {
                    inner = Some(side);
                    (Kind::Inside, true)
                }
            };
        }
        let Classified {
            kind,
            is_proven,
            is_allowed,
        } = found;
        Some(Clash {
            a,
            b: candidate.b,
            rule: candidate.rule,
            kind,
            inner,
            is_proven,
            is_allowed,
            distance: near.distance,
            lower: near.lower,
            upper: near.upper,
            point_a: near.position_a.to_array(),
            point_b: near.position_b.to_array(),
            normal: near.normal.to_array(),
        })
    }

    /// The curves in which the surfaces of both parts of a clash cross, as segments in the frame of the assembly: none where a part is no mesh, and
    /// not all of them where the search ends at its effort.
    ///
    /// # Panics
    /// If the clash is not one of this check.
    #[must_use]
    pub fn crossing_segments(&self, clash: &Clash) -> Vec<[DVec3; 2]> {
        let [a, b] = [self.part_a(clash), self.part_b(clash)].map(Part::placed);
        let mut segments = Vec::new();
        // What is no mesh is refused.
        let _ = crossing_segments_into(a, b, &mut segments);
        segments.into_iter().map(|segment| segment.ends).collect()
    }
}

/// How parts lie in each other that overlap or touch: what is thinner than the tolerance overlaps no deeper.
fn nesting_of(sides: [Hulled<'_>; 2], kind: Kind, tolerance: f64) -> Option<Nesting> {
    let [a, b] = sides.map(|side| side.part);
    match kind {
        Kind::Overlap => nesting(a, b, tolerance),
        Kind::Touch => {
            let known = same(a, b, tolerance)?;
            if [a, b].iter().any(|part| *part.form() != Form::Solid) {
                return Some(known);
            }
            // Sheets that lie on each other are two, however thin they are: what is the same is moved by less than the depth in common,
            // which is that of the hulls here, since that of sheets with notches is left open.
            let [Some(hull_a), Some(hull_b)] = sides.map(|side| side.hull.of(side.part)) else {
                return Some(known);
            };
            let near = measure(hull_a, hull_b, 0.0).near()?;
            same(a, b, tolerance.min(-f64::from(near.upper)))
        }
        _ => None,
    }
}

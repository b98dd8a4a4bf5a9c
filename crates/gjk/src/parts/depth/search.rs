//! The search for the shortest way out of two shapes that overlap.

use arrayvec::ArrayVec;
use clearance_math::{PreciseVector, Real, Vector, tolerances};

use super::common::Moved;
use super::obstacle::Obstacle;
use super::ways::{Exit, NextWay, Way, Ways};
use super::{OverlappingUnits, WayOut};
use crate::answer::Separation;
use crate::parts::inside::{Containment, Unit, bounds_of, place_of_units};
use crate::parts::least::{self, Crossing, crossing};
use crate::parts::outward::outward;

/// Out of how many obstacles ways are looked for.
const MOST_OBSTACLES: usize = 12;

/// How many nodes and facets are looked at for cells of solids: a few milliseconds.
const MOST_VISITS: usize = 60_000;

/// How many ways are looked at.
const MOST_LOOKS: usize = 256;

/// And how many in the end, whose length is not known as well.
const MOST_LAST_LOOKS: usize = 16;

/// What a look counts that used up its effort: it takes as long as so many others.
const LOOKS_OF_OPEN: usize = 16;

/// What there is when a is moved.
pub(super) enum There<V: Vector> {
    /// Both are proven to be apart.
    Apart(WayOut<V>),
    /// These parts cross, or touch.
    Crossing(Separation<V>),
    /// One lies inside the other.
    Inside,
    /// The effort was used up before that was known.
    Open,
}

/// What a search found.
pub(super) struct FoundDepth<V: Vector> {
    /// No way out is shorter.
    pub(super) depth: f64,
    pub(super) way: Option<WayOut<V>>,
}

/// A search among the translations of a.
pub(super) struct DepthSearch<'a, V: Vector> {
    overlap: &'a OverlappingUnits<'a, V>,
    obstacles: ArrayVec<Obstacle<V>, MOST_OBSTACLES>,
    ways: Ways<V::Precise>,
    /// How far around a place in both shapes it matters what there is, in units of length.
    reach: f64,
    /// How many nodes and facets may still be looked at for cells.
    visits_left: core::cell::Cell<usize>,
}

impl<'a, V: Vector> DepthSearch<'a, V> {
    /// A search for ways out up to a length.
    pub(super) fn new(overlap: &'a OverlappingUnits<'a, V>, longest: f64) -> Self {
        let size = |unit: &Unit<V>| {
            let bounds = bounds_of(unit);
            (bounds.max - bounds.min).to_precise().length()
        };
        let reach = size(&overlap.a).min(size(&overlap.b)) + longest;
        Self {
            overlap,
            obstacles: ArrayVec::new(),
            ways: Ways::up_to(longest, reach),
            reach,
            visits_left: core::cell::Cell::new(MOST_VISITS),
        }
    }

    /// Looks at the ways that may be the shortest until one leads out, at a number of places at most.
    pub(super) fn run(&mut self, steps: &mut usize) -> FoundDepth<V> {
        let all = Way {
            exits: ArrayVec::new(),
            length: 0.0,
        };
        let mut depth = 0.0;
        if *steps == 0 {
            return FoundDepth { depth, way: None };
        }
        let mut out = self.look_at(all, None, steps);
        for _ in 0..MOST_LOOKS {
            if out.is_some() || *steps == 0 {
                break;
            }
            let Some(NextWay { way, fork }) = self.ways.pop() else {
                break;
            };
            depth = way.length.min(self.ways.least());
            out = self.look_at(way, Some(fork), steps);
        }
        if out.is_none() {
            depth = self.ways.least();
            out = self.any_way_out(steps);
        }
        FoundDepth { depth, way: out }
    }

    /// Any of the shortest ways that are left which leads out, where there was no time to find the shortest of all.
    fn any_way_out(&mut self, steps: &mut usize) -> Option<WayOut<V>> {
        for _ in 0..MOST_LAST_LOOKS {
            if *steps == 0 {
                break;
            }
            let NextWay { mut way, .. } = self.ways.pop()?;
            let slack = self.slack(way.length);
            for exit in way.exits.iter_mut().filter(|exit| exit.enough.is_nan()) {
                exit.enough = self.obstacles[exit.obstacle?].reach(exit.normal);
            }
            if let Some(translation) = way.shortest(|exit| exit.enough + slack)
                && let There::Apart(out) = self.look(translation, steps)
            {
                return Some(out);
            }
        }
        None
    }

    /// Whether a way leads out. If not, it is continued.
    fn look_at(
        &mut self,
        mut way: Way<V::Precise>,
        fork: Option<usize>,
        steps: &mut usize,
    ) -> Option<WayOut<V>> {
        if let Some(last) = way.exits.last_mut().filter(|exit| exit.enough.is_nan()) {
            let index = last.obstacle?;
            match self.obstacles[index].settle(*last) {
                Some(enough) => last.enough = enough,
                None => {
                    self.continue_at(fork?, index);
                    return None;
                }
            }
        }
        let slack = self.slack(way.length);
        let Some(translation) = way.shortest(|exit| exit.enough + slack) else {
            self.ways.give_up(way.length);
            return None;
        };
        let in_way = (0..self.obstacles.len()).find(|&index| {
            way.exits.iter().all(|exit| exit.obstacle != Some(index))
                && self.obstacles[index].contains(translation, 0.5 * slack)
        });
        if let Some(index) = in_way {
            self.continue_out_of(index, &way);
            return None;
        }
        let there = self.look(translation, steps);
        if let There::Apart(out) = there {
            return Some(out);
        }
        self.continue_from(&there, &way, translation);
        None
    }

    /// What there is at a translation, for which steps are taken.
    fn look(&self, translation: V::Precise, steps: &mut usize) -> There<V> {
        let there = self.overlap.there(translation);
        let is_open = matches!(there, There::Open);
        *steps = steps.saturating_sub(if is_open { LOOKS_OF_OPEN } else { 1 });
        there
    }

    /// How much farther than necessary a is moved.
    fn slack(&self, length: f64) -> f64 {
        self.overlap.slack(length) + 2.0 * tolerances::CELL_CLEARANCE * self.reach
    }

    /// Continues a way that leads to a place where the shapes overlap.
    fn continue_from(&mut self, there: &There<V>, way: &Way<V::Precise>, translation: V::Precise) {
        if !self.obstacles.is_full()
            && let Some(obstacle) = self.obstacle_at(there, translation)
        {
            self.obstacles.push(obstacle);
            return self.continue_out_of(self.obstacles.len() - 1, way);
        }
        self.ways.give_up(way.length);
        let There::Crossing(near) = there else { return };
        // Perhaps they only touch. Out of the parts a way can be tried, which proves nothing about others.
        let normal = -near.normal.to_precise();
        let enough = normal.dot(translation) + f64::from(-near.distance).max(0.0);
        if let Some(fork) = self.ways.fork(way) {
            let exit = Exit {
                obstacle: None,
                normal,
                least: enough,
                enough,
            };
            self.ways.push(fork, exit);
        }
    }

    /// Continues a way on each side of an obstacle.
    fn continue_out_of(&mut self, index: usize, way: &Way<V::Precise>) {
        if let Some(fork) = self.ways.fork(way) {
            self.continue_at(fork, index);
        }
    }

    /// Continues the way to a fork on each side that the obstacle there got since it was last done.
    fn continue_at(&mut self, fork: usize, index: usize) {
        let obstacle = &self.obstacles[index];
        let since = self.ways.unseen(fork, obstacle.time());
        for face in obstacle.faces().filter(|face| face.born >= since) {
            let exit = Exit {
                obstacle: Some(index),
                normal: face.normal,
                least: face.offset,
                enough: f64::NAN,
            };
            self.ways.push(fork, exit);
        }
    }

    /// The obstacle that a translation leads into.
    fn obstacle_at(&self, there: &There<V>, translation: V::Precise) -> Option<Obstacle<V>> {
        let OverlappingUnits { a, b, .. } = self.overlap;
        let moved = a.placed.pose.moved_by(translation);
        let both = Moved {
            units: [a.at(&moved), *b],
            before: [a.placed.pose, b.placed.pose],
            reach: self.reach,
            visits_left: &self.visits_left,
        };
        let pieces = match there {
            There::Crossing(near) => both.pieces_at(near)?,
            There::Inside => both.pieces_inside()?,
            There::Apart(_) | There::Open => return None,
        };
        Obstacle::new(pieces, self.overlap.gap())
    }
}

impl<V: Vector> OverlappingUnits<'_, V> {
    /// What there is when a is moved.
    pub(super) fn there(&self, translation: V::Precise) -> There<V> {
        if translation == V::Precise::ZERO {
            return if self.near.distance > 0.0 {
                There::Inside
            } else {
                There::Crossing(self.near)
            };
        }
        let start = self.a.placed.pose.position();
        let pose = self.a.placed.pose.moved_by(translation);
        if pose.checked().is_err() {
            return There::Open;
        }
        let (a, b) = (self.a.at(&pose), &self.b);
        match crossing(a.placed, b.placed) {
            Crossing::Found(near) => {
                let out = outward([&a.placed, &b.placed], &near);
                return There::Crossing(out.unwrap_or(near));
            }
            Crossing::Open => return There::Open,
            Crossing::None => {}
        }
        match place_of_units(&a, b) {
            Containment::Inside => return There::Inside,
            Containment::Open => return There::Open,
            Containment::Outside => {}
        }
        // Out of the shapes by the shortest way they are hardly apart, which is found sooner than how far apart others are.
        let close = 4.0 * (self.slack(translation.length()) + self.gap());
        let measured = |within| least::measure(a.placed, b.placed, within).near();
        match measured(close as Real).or_else(|| measured(Real::INFINITY)) {
            Some(near) if near.lower < 0.0 => There::Crossing(near),
            Some(apart) => {
                let translation = pose.position() - start;
                There::Apart(WayOut {
                    translation,
                    length: translation.length(),
                    apart,
                })
            }
            None => There::Open,
        }
    }
}

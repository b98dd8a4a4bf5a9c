//! Ways out of obstacles, the shortest first.

use arrayvec::ArrayVec;
use clearance_math::{Plane, PreciseVector, nearest_allowed, tolerances};

/// Out of how many obstacles one way leads at most.
const MOST_EXITS: usize = 8;

/// How many ways are kept at most.
const MOST_WAYS: usize = 256;

/// A side of an obstacle on which a translation has to be to lead out of it.
#[derive(Clone, Copy)]
pub(super) struct Exit<P> {
    /// The number of the obstacle; `None` for a side that was guessed.
    pub(super) obstacle: Option<usize>,
    pub(super) normal: P,
    /// A length along the normal that all translations on this side have.
    pub(super) least: f64,
    /// From this length on a translation is out of the obstacle. No number if that is not known yet.
    pub(super) enough: f64,
}

/// Translations that are on one side each of some obstacles.
#[derive(Clone)]
pub(super) struct Way<P> {
    pub(super) exits: ArrayVec<Exit<P>, MOST_EXITS>,
    /// None of the translations is shorter.
    pub(super) length: f64,
}

impl<P: PreciseVector> Way<P> {
    /// The last exit, if it is not known how far it leads.
    pub(super) fn unsettled(&self) -> Option<Exit<P>> {
        self.exits
            .last()
            .filter(|exit| exit.enough.is_nan())
            .copied()
    }

    /// Takes over how far the last exit leads.
    pub(super) fn settle(&mut self, enough: f64) {
        if let Some(last) = self.exits.last_mut() {
            last.enough = enough;
        }
    }

    /// The shortest translation that is on the side of each exit, by as much as a function of the exit says.
    pub(super) fn shortest(&self, bound: impl Fn(&Exit<P>) -> f64) -> Option<P> {
        let planes = self.exits.iter();
        let planes: ArrayVec<_, MOST_EXITS> = planes
            .map(|exit| Plane::new(exit.normal, bound(exit)))
            .collect();
        nearest_allowed(&planes, P::ZERO)
    }

    /// Whether both lead out on the same sides: a flat side may be divided into several faces.
    fn has_sides_of(&self, other: &Self) -> bool {
        let is_same = |(a, b): (&Exit<P>, &Exit<P>)| {
            let apart = (a.normal - b.normal).length();
            a.obstacle == b.obstacle && apart <= tolerances::CELL_ROUNDING
        };
        self.exits.len() == other.exits.len() && self.exits.iter().zip(&other.exits).all(is_same)
    }
}

/// The ways that were not looked at yet. Each translation that leads out and is shorter than `longest` is on one of them,
/// or on one that was given up.
pub(super) struct Ways<P> {
    ways: ArrayVec<Way<P>, MOST_WAYS>,
    longest: f64,
    /// How large the obstacles are, in units of length.
    reach: f64,
    /// No translation of those given up is shorter.
    given_up: f64,
}

impl<P: PreciseVector> Ways<P> {
    /// All translations up to a length, with obstacles up to a size.
    pub(super) fn up_to(longest: f64, reach: f64) -> Self {
        let mut ways = ArrayVec::new();
        ways.push(Way {
            exits: ArrayVec::new(),
            length: 0.0,
        });
        Self {
            ways,
            longest,
            reach,
            given_up: longest,
        }
    }

    /// The least length that a translation which leads out may have.
    pub(super) fn least(&self) -> f64 {
        let lengths = self.ways.iter().map(|way| way.length);
        lengths.fold(self.given_up, f64::min)
    }

    /// Takes the way whose translations may be the shortest.
    pub(super) fn pop(&mut self) -> Option<Way<P>> {
        let lengths = self.ways.iter().map(|way| way.length).enumerate();
        let (index, _) = lengths.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(self.ways.swap_remove(index))
    }

    /// Gives a way up: nothing more is known of its translations.
    pub(super) fn give_up(&mut self, way: &Way<P>) {
        self.given_up = self.given_up.min(way.length);
    }

    /// Puts a way back.
    pub(super) fn keep(&mut self, way: Way<P>) {
        if let Err(error) = self.ways.try_push(way) {
            self.give_up(&error.element());
        }
    }

    /// Adds a way that is continued by an exit, if it leads anywhere.
    pub(super) fn push(&mut self, before: &Way<P>, exit: Exit<P>) {
        let mut way = before.clone();
        if way.exits.try_push(exit).is_err() {
            return self.give_up(before);
        }
        let rounding = 4.0 * tolerances::CELL_ROUNDING * self.reach;
        // Between two obstacles that touch there is no room.
        if way.shortest(|exit| exit.least + rounding).is_none() {
            return;
        }
        let shortest = way.shortest(|exit| exit.least - rounding);
        way.length = before.length.max(shortest.map_or(0.0, P::length));
        if way.length >= self.longest || self.ways.iter().any(|other| other.has_sides_of(&way)) {
            return;
        }
        if self.ways.is_full() {
            self.give_up_longest();
        }
        self.keep(way);
    }

    fn give_up_longest(&mut self) {
        let lengths = self.ways.iter().map(|way| way.length).enumerate();
        if let Some((index, _)) = lengths.max_by(|a, b| a.1.total_cmp(&b.1)) {
            let way = self.ways.swap_remove(index);
            self.give_up(&way);
        }
    }
}

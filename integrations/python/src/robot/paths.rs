//! Whether anything meets on a path: pieces of it, until each is proven.

use std::collections::VecDeque;

use super::class::Robot;
use super::links::{Gap, PlacedLinks};
use crate::workers::Signals;

/// What is asked of paths.
pub(crate) struct PathQuestion<'q> {
    /// How far the links of each pair come nearer at most for one unit of each number of a configuration, row by row.
    pub(crate) rates: &'q [f64],
    /// How far the distance of each pair is off at most because poses are rounded.
    pub(crate) slack: &'q [f64],
    /// Links that are as near as this meet.
    pub(crate) margin: f64,
    /// Pieces in which links come nearer by less than this are not divided.
    pub(crate) resolution: f64,
    /// How often links are compared at most.
    pub(crate) most: u64,
    /// How many control points each segment has.
    pub(crate) points: usize,
    /// Which end the search, whose answer does not count then.
    pub(crate) signals: &'q Signals<'q>,
}

/// What is known of a path. The numbers are those of `PathStatus` of Python.
#[derive(Clone, Copy)]
pub(crate) enum Known {
    Free = 0,
    Meets = 1,
    Open = 2,
}

/// What is known of a path, and where: how many segments from the start, and which pair.
pub(crate) struct PathAnswer {
    pub(crate) known: Known,
    pub(crate) time: f64,
    pub(crate) pair: i32,
}

/// A part of a segment: a Bézier curve.
struct Piece {
    begin: f64,
    length: f64,
    /// Its control points, configurations one after the other.
    control: Vec<f64>,
    /// The pairs of which it is not proven that they stay apart.
    pairs: Vec<u32>,
}

impl Robot {
    /// Refuses paths in rows of this width that are not for this robot.
    pub(crate) fn check_path(&self, width: usize, points: usize) -> Result<(), &'static str> {
        let segment = points * self.columns;
        if segment > 0 && width.is_multiple_of(segment) {
            Ok(())
        } else {
            Err("paths: do not fit the robot")
        }
    }

    /// Looks at the middle of pieces, the longest first: what is far enough apart there stays apart on the whole piece. The rest of it is
    /// divided.
    pub(crate) fn path(
        &self,
        path: &[f64],
        question: &PathQuestion<'_>,
        placed: &mut PlacedLinks<'_>,
    ) -> PathAnswer {
        let mut pieces = self.pieces(path, question.points);
        let mut answer = PathAnswer {
            known: Known::Free,
            time: f64::NAN,
            pair: -1,
        };
        let mut compared = 0;
        while let Some(piece) = pieces.pop_front().filter(|_| question.signals.go_on()) {
            compared += piece.pairs.len() as u64;
            let [before, after] = halves(&piece.control, self.columns);
            let travel = Travel::of([&before, &after], self.columns);
            placed.place(|frames| self.frames(&after[..self.columns], frames));
            let length = piece.length / 2.0;
            let middle = piece.begin + length;
            let mut left = Vec::new();
            for pair in piece.pairs {
                let known = match self.in_piece(pair as usize, &travel, question, placed) {
                    InPiece::Apart => continue,
                    InPiece::Divided if compared < question.most => {
                        left.push(pair);
                        continue;
                    }
                    InPiece::Divided | InPiece::Short => Known::Open,
                    InPiece::Meets => Known::Meets,
                };
                let (time, pair) = (middle, pair as i32);
                let found = PathAnswer { known, time, pair };
                if matches!(known, Known::Meets) {
                    return found;
                }
                if matches!(answer.known, Known::Free) {
                    answer = found;
                }
            }
            if !left.is_empty() {
                let half = |begin, control, pairs| Piece {
                    begin,
                    length,
                    control,
                    pairs,
                };
                pieces.push_back(half(piece.begin, before, left.clone()));
                pieces.push_back(half(middle, after, left));
            }
        }
        answer
    }

    /// The segments of a path with so many control points each.
    fn pieces(&self, path: &[f64], points: usize) -> VecDeque<Piece> {
        // In the same order whatever was asked before, so that the pair that is found first is the same.
        let pairs: Vec<u32> = (0..self.pairs.len() as u32).collect();
        let segments = path.chunks_exact(points * self.columns).enumerate();
        let piece = |(segment, control): (usize, &[f64])| Piece {
            begin: segment as f64,
            length: 1.0,
            control: control.to_vec(),
            pairs: pairs.clone(),
        };
        segments.map(piece).collect()
    }

    /// What the distance in the middle of a piece says about a pair on all of it.
    fn in_piece(
        &self,
        pair: usize,
        travel: &Travel,
        question: &PathQuestion<'_>,
        placed: &mut PlacedLinks<'_>,
    ) -> InPiece {
        let rates = &question.rates[pair * self.columns..][..self.columns];
        let nearer: f64 = rates
            .iter()
            .zip(&travel.most)
            .map(|(rate, way)| rate * way)
            .sum();
        let slack = question.slack[pair];
        let needed = question.margin + slack + nearer;
        match placed.gap(self.pairs[pair], needed) {
            Gap::More => InPiece::Apart,
            Gap::Between([lower, _]) if lower > needed => InPiece::Apart,
            Gap::Between([_, upper]) if upper + slack <= question.margin => InPiece::Meets,
            Gap::Between(_) if nearer < question.resolution => InPiece::Short,
            Gap::Between(_) => InPiece::Divided,
        }
    }
}

/// What is known of a pair on a piece.
enum InPiece {
    Apart,
    Meets,
    /// Neither, so that it is to be divided.
    Divided,
    /// Neither, and it is too short to be divided.
    Short,
}

/// How far each number of a configuration moves away from the middle of a piece.
struct Travel {
    most: Vec<f64>,
}

impl Travel {
    /// A Bézier curve changes no more than the chain of its control points does.
    fn of(halves: [&[f64]; 2], columns: usize) -> Self {
        let way = |control: &[f64], column: usize| -> f64 {
            let numbers = control.iter().skip(column).step_by(columns);
            let next = numbers.clone().skip(1);
            numbers.zip(next).map(|(a, b)| (b - a).abs()).sum()
        };
        let most = |column| way(halves[0], column).max(way(halves[1], column));
        Self {
            most: (0..columns).map(most).collect(),
        }
    }
}

/// The control points of both halves of a Bézier curve, by de Casteljau.
fn halves(control: &[f64], columns: usize) -> [Vec<f64>; 2] {
    let mut row = control.to_vec();
    let mut before = Vec::with_capacity(control.len());
    let mut after = vec![0.0; control.len()];
    while !row.is_empty() {
        let last = row.len() - columns;
        before.extend_from_slice(&row[..columns]);
        after[last..last + columns].copy_from_slice(&row[last..]);
        row = (0..last)
            .map(|k| row[k] / 2.0 + row[k + columns] / 2.0)
            .collect();
    }
    [before, after]
}

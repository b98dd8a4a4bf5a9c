//! Going a way, along everything that is met.

use clearance_math::{PreciseVector, Vector, tolerances};

use super::mover::{Leg, Mover, Terrain, Touch};
use super::options::AtWalls;
use super::planes::{Plane, Planes};
use super::recover::SETTLED;
use super::rules::Rules;

/// How many times a shape is blocked on one way, at most.
const MOST_LEGS: usize = 24;

/// How many steps it climbs on one way.
const MOST_STEPS: usize = 8;

/// How far planes that were found are trusted, relative to the size of the shape.
const TRUST: f64 = 2.0;

/// A way that is slid along one plane is looked at anew after this share of the whole.
const LONGEST: f64 = 0.125;

/// How far a shape slides at most along what it meets in one way, in skins: so far the planes that it must not cross are
/// known to a part of the skin.
const FARTHEST: f64 = tolerances::SLIDE_SKIN_SLACK / tolerances::SLIDE_PLANE_SLACK;

/// How many skins farther than asked a shape goes at most in one way, where planes push it.
const PUSHED: f64 = 2.0;

/// The share of a way that is not worth going.
const STILL: f64 = 1.0 / 1024.0;

/// The share of its length by which a way may lead towards what squeezes the shape already: a corridor whose walls are
/// parallel but for rounding is walked through. At this rate a shape goes hundreds of skins until it lost one more of
/// the thirty-two parts of its skin.
const PARALLEL: f64 = 1e-4;

/// By how much of its length a way may be turned aside, or shortened, for a shape that stops at walls to go on.
const TURNED: f64 = 0.02;

/// The least height of the normal of a wall that leans over the shape; below that it is a ceiling.
const LEANING: f64 = -0.5;

/// How a shape moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gait {
    /// It stands: slopes lift it, steps are climbed, and nothing pushes it down.
    Walk,
    /// It does not stand: it slides along everything alike, until it lands.
    Fly,
}

/// A way that a shape is going.
struct Travel<P> {
    gait: Gait,
    /// What is left of it.
    rest: P,
    /// What must not be crossed.
    planes: Planes<P>,
    /// Walls and steep slopes as upright walls: pushing against them does not slow down a fall.
    walls: Planes<P>,
    /// How far planes are trusted.
    trust: f64,
    /// How far it goes at most: what lifts a shape that walks does not count.
    budget: f64,
    steps: usize,
}

impl<P: PreciseVector> Travel<P> {
    /// The next straight way.
    fn next(&self, rules: &Rules<P>) -> P {
        match self.gait {
            Gait::Walk => self.planes.walking_way(self.rest, rules.up),
            Gait::Fly => {
                let level = self.walls.free_way(rules.level(self.rest));
                let wanted = level + rules.up * rules.rise(self.rest);
                self.planes.free_way(wanted)
            }
        }
    }

    /// Whether it must stop before the next straight way, since something turns it aside. The ground does that little.
    fn is_stopped(&self, rules: &Rules<P>, next: P) -> bool {
        let seen = |way: P| match self.gait {
            Gait::Walk => rules.level(way),
            Gait::Fly => way,
        };
        let (next, rest) = (seen(next), seen(self.rest));
        rules.at_walls == AtWalls::Stop && (next - rest).length() > TURNED * rest.length()
    }

    /// What a way takes from the budget.
    fn cost(&self, rules: &Rules<P>, way: P) -> f64 {
        match self.gait {
            Gait::Walk => rules.level(way).length(),
            Gait::Fly => way.length(),
        }
    }

    /// The share of the next way that is gone before it looks at what is around anew.
    fn part(&self, rules: &Rules<P>, next: P) -> f64 {
        let trusted = if self.planes.is_empty() {
            1.0
        } else {
            self.trust / next.length()
        };
        trusted.min(self.budget / self.cost(rules, next)).min(1.0)
    }

    /// Does with less than what is left, if that is very far.
    fn shorten(&mut self, longest: f64) {
        self.rest = self.rest * (longest / self.rest.length()).min(1.0);
    }

    fn went(&mut self, way: P) {
        self.planes.went(way, self.trust);
        self.walls.went(way, self.trust);
    }

    fn forget_planes(&mut self) {
        self.planes = Planes::none();
        self.walls = Planes::none();
    }
}

impl<V: Vector> Mover<'_, V> {
    /// Goes a way as far as it leads. Returns what is left of it when the shape lands on ground.
    pub(super) fn travel(&mut self, way: V::Precise, gait: Gait) -> Option<V::Precise> {
        let mut travel = Travel {
            gait,
            rest: way,
            planes: Planes::none(),
            walls: Planes::none(),
            trust: (TRUST * self.rules.size).max(LONGEST * way.length()),
            budget: PUSHED * self.rules.skin,
            steps: 0,
        };
        travel.budget += travel.cost(&self.rules, way);
        // However slow it goes.
        let still = self.rules.still().min(STILL * way.length());
        let farthest = FARTHEST * self.rules.skin;
        self.reset_range();
        self.add_squeezing(&mut travel);
        if !travel.planes.is_empty() {
            travel.shorten(farthest);
        }
        for _ in 0..MOST_LEGS {
            let next = travel.next(&self.rules);
            let length = next.length();
            let is_stopped = travel.is_stopped(&self.rules, next);
            if is_stopped || !(length > still && travel.budget > still) {
                break;
            }
            let part = travel.part(&self.rules, next);
            let before = self.at;
            let Leg { share, touch } = self.advance(next * part);
            travel.budget -= travel.cost(&self.rules, next * (part * share));
            let left = travel.rest * (1.0 - part * share);
            let (touch, rest) = match touch {
                Some(touch) => (touch, left),
                None if part < 1.0 => {
                    travel.rest = left;
                    travel.went(self.at - before);
                    continue;
                }
                None => {
                    // What took a part of the way may take less, now that more is known.
                    let Some(touch) = self.most_violated() else {
                        break;
                    };
                    (touch, travel.rest - next)
                }
            };
            self.note(&touch);
            let terrain = self.terrain(&touch);
            let is_ground = matches!(terrain, Terrain::Ground | Terrain::Edge);
            if gait == Gait::Fly && is_ground && self.rules.rise(travel.rest) <= 0.0 {
                return Some(rest);
            }
            let is_barrier = terrain != Terrain::Ground && self.is_approached(&touch);
            travel.rest = rest;
            travel.shorten(farthest);
            if gait == Gait::Walk && is_barrier && self.takes_step(&mut travel, &touch) {
                continue;
            }
            travel.went(self.at - before);
            self.add_planes(&mut travel, &touch, &self.whole(&touch));
        }
        None
    }

    /// Whatever squeezes the shape when it sets out is come no nearer. Otherwise each call would press a little farther
    /// into a wedge.
    fn add_squeezing(&self, travel: &mut Travel<V::Precise>) {
        let falls = travel.gait == Gait::Fly && self.rules.rise(travel.rest) <= 0.0;
        for touch in self.around() {
            let lands = falls && self.can_stand_on(&touch);
            if touch.gap < (1.0 - SETTLED) * self.rules.skin && !lands {
                let plane = Plane {
                    leeway: PARALLEL,
                    ..Plane::new(touch.normal, 0.0)
                };
                self.add_planes(travel, &touch, &plane);
            }
        }
    }

    /// The plane that a shape keeps its whole skin from. Whatever it is deep inside of is left a little at a time.
    fn whole(&self, touch: &Touch<V>) -> Plane<V::Precise> {
        let bound = (self.rules.skin - touch.gap).min(self.rules.skin);
        Plane::new(touch.normal, bound)
    }

    /// Climbs a step, if that is what blocks the way.
    fn takes_step(&mut self, travel: &mut Travel<V::Precise>, touch: &Touch<V>) -> bool {
        if travel.steps == MOST_STEPS {
            return false;
        }
        let Some(rest) = self.step_up(touch, travel.rest) else {
            return false;
        };
        travel.rest = rest;
        travel.forget_planes();
        travel.steps += 1;
        self.reset_range();
        true
    }

    /// What is nearer than the skin, if anything is: that which is nearest.
    fn most_violated(&mut self) -> Option<Touch<V>> {
        self.look_around();
        let mut least = (1.0 - SETTLED) * self.rules.skin;
        let mut nearest = None;
        for touch in self.around() {
            if touch.gap < least {
                (least, nearest) = (touch.gap, Some(touch));
            }
        }
        nearest
    }

    /// Whether the shape wants to go towards something, seen from above.
    pub(super) fn is_approached(&self, touch: &Touch<V>) -> bool {
        let level = self.rules.level(touch.normal);
        self.wanted.dot(level) < 0.0
    }

    /// What must not be crossed because of the plane of something that was met.
    fn add_planes(
        &self,
        travel: &mut Travel<V::Precise>,
        touch: &Touch<V>,
        plane: &Plane<V::Precise>,
    ) {
        let terrain = self.terrain(touch);
        let is_wall = match terrain {
            Terrain::Ground | Terrain::Above => false,
            Terrain::Edge => self.is_approached(touch),
            Terrain::Steep => true,
        };
        let leans = terrain == Terrain::Above && self.rules.rise(touch.normal) > LEANING;
        let wall = self.upright(plane);
        if let Some(wall) = wall.filter(|_| is_wall || leans) {
            travel.walls.add(Plane { bound: 0.0, ..wall });
        }
        if travel.gait == Gait::Fly || !is_wall {
            travel.planes.add(*plane);
        }
        if let Some(wall) = wall.filter(|_| is_wall) {
            travel.planes.add(wall);
        }
    }

    /// The upright wall that stands where a plane is met at the height of the shape. A steep slope is one, too, so that
    /// no push along its normal ever lifts a shape up the slope.
    pub(super) fn upright(&self, plane: &Plane<V::Precise>) -> Option<Plane<V::Precise>> {
        let level = self.rules.level(plane.normal);
        Some(Plane {
            normal: level.direction()?,
            bound: plane.bound / level.length(),
            leeway: plane.leeway / level.length(),
        })
    }
}

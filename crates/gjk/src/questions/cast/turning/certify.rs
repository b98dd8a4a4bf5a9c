//! How long a plane keeps two parts apart.

/// The gap along a normal at two times, and how much it may bend between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// By how much the gap exceeds what is asked at the beginning; above zero.
    pub(super) first: f64,
    /// By how much at the end.
    pub(super) last: f64,
    /// The time between, above zero.
    pub(super) duration: f64,
    /// The greatest second derivative of the gap.
    pub(super) bend: f64,
}

impl Stretch {
    /// For how long the gap certainly exceeds what is asked, at most the whole duration.
    ///
    /// A function whose second derivative is at most `bend` lies above the parabola with that second
    /// derivative through its two ends, so this is where the parabola first reaches zero.
    pub(super) fn certain(&self) -> f64 {
        let curve = 0.5 * self.bend;
        let slope = (self.last - self.first) / self.duration - curve * self.duration;
        if slope >= 0.0 {
            return self.duration;
        }
        let discriminant = slope * slope - 4.0 * curve * self.first;
        if discriminant < 0.0 {
            return self.duration;
        }
        (2.0 * self.first / (discriminant.sqrt() - slope)).min(self.duration)
    }
}

/// How far ahead to look: about where the gap becomes zero, if it grows at `rate` now and may bend.
///
/// This is only a guess, and a stretch of any duration is proven. With this one the parabola of a
/// [`Stretch`] just reaches zero.
pub(super) fn duration(gap: f64, rate: f64, bend: f64) -> f64 {
    let root = (rate * rate + 0.5 * bend * gap).sqrt();
    if rate < 0.0 {
        2.0 * gap / (root - rate)
    } else {
        (root + rate) / (0.25 * bend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on circles never come nearer than a stretch proves.
    #[test]
    fn circles_stay_above_the_parabola() {
        for k in 0..1000 {
            let number = |salt: u32| f64::from((k * 7919 + salt * 104_729) % 1000) / 1000.0;
            let (radius, angle) = (0.1 + 10.0 * number(1), 0.1 + 100.0 * number(2));
            let (phase, speed) = (6.3 * number(3), 4.0 * number(4) - 2.0);
            let gap =
                |time: f64| radius + 1e-3 + speed * time + radius * (phase + angle * time).sin();
            let bend = radius * angle * angle;
            let duration = 0.2 * number(5) + 1e-3;
            let stretch = Stretch {
                first: gap(0.0),
                last: gap(duration),
                duration,
                bend,
            };
            let certain = stretch.certain();
            assert!(certain > 0.0);
            for step in 0..50 {
                let time = certain * f64::from(step) / 50.0;
                assert!(gap(time) > 0.0, "{k}: {time} of {certain}");
            }
        }
    }

    #[test]
    fn straight_ways_end_where_they_cross() {
        let stretch = Stretch {
            first: 1.0,
            last: -1.0,
            duration: 1.0,
            bend: 0.0,
        };
        assert_eq!(stretch.certain(), 0.5);
        assert_eq!(duration(1.0, -2.0, 0.0), 0.5);
        assert_eq!(duration(1.0, 2.0, 0.0), f64::INFINITY);
    }
}

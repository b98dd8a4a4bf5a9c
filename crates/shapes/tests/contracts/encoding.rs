//! Shapes made again from their encoding are the same, bit for bit; encodings of no shape are refused.

use clearance_math::{Vec2, Vec3, Vector};
use clearance_shapes::{Shape, ShapeEncoding, ShapeError};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::any_shapes::{shapes, shapes_of_space};

fn check<V: Vector>(shapes: &[Shape<V>]) {
    for shape in shapes {
        let encoding = shape.to_encoding().unwrap();
        let again = Shape::<V>::from_encoding(&encoding).unwrap();
        // The text tells what equality does not: the sign of a zero.
        assert_eq!(format!("{again:?}"), format!("{shape:?}"));
        assert_eq!(again.to_encoding(), Ok(encoding));
    }
}

/// Shapes of all kinds, some of them rounded.
fn in_space() -> Vec<Shape<Vec3>> {
    let mut shapes = shapes_of_space(&mut Pcg64::seed_from_u64(12));
    let ground = Shape::half_space(Vec3::Y).unwrap();
    shapes.extend([ground.rounded(0.3).unwrap(), ground]);
    shapes
}

#[test]
fn shapes_come_back_bit_for_bit() {
    check(&shapes::<Vec2>(&mut Pcg64::seed_from_u64(11)));
    check(&in_space());
}

#[test]
fn encodings_of_no_shape_are_refused() {
    let shapes = in_space();
    let mut refused = 0;
    let mut try_encoding = |encoding: ShapeEncoding| {
        // Whatever is accepted is a shape with just this encoding.
        match Shape::<Vec3>::from_encoding(&encoding) {
            Ok(shape) => assert_eq!(shape.to_encoding(), Ok(encoding)),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    };
    for shape in &shapes {
        let encoding = shape.to_encoding().unwrap();
        for kind in 0..=u8::MAX {
            try_encoding(ShapeEncoding {
                kind,
                ..encoding.clone()
            });
        }
        for bits in [f64::NAN, -1.0, f64::INFINITY, 1e308, 1e-30] {
            let radius = bits.to_bits();
            try_encoding(ShapeEncoding {
                radius,
                ..encoding.clone()
            });
        }
        for k in 0..encoding.numbers.len().min(8) {
            for number in [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e30] {
                let mut encoding = encoding.clone();
                encoding.numbers[k] = number.to_bits();
                try_encoding(encoding);
            }
        }
        let mut short = encoding.clone();
        short.numbers.pop();
        try_encoding(short);
        let mut long = encoding;
        long.numbers.push(0);
        try_encoding(long);
    }
    assert!(refused > 1000, "{refused} were refused");
    let inner = ShapeEncoding {
        kind: 5,
        numbers: [0.0, 1.0, 2.0, 3.0]
            .repeat(3)
            .into_iter()
            .map(f32::to_bits)
            .collect(),
        radius: 0,
    };
    let error = Shape::<Vec3>::from_encoding(&inner).unwrap_err();
    assert!(matches!(error, ShapeError::Encoding { .. }), "{error}");
}

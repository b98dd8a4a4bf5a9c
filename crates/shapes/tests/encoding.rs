//! Shapes made again from their encoding are the same, bit for bit; encodings of no shape are refused.

use clearance_math::{Vec2, Vec3, Vector};
use clearance_shapes::{Shape, ShapeEncoding, ShapeError};

fn both<V: Vector>(x: f32) -> Vec<Shape<V>> {
    let (a, b, c) = (V::axis(0) * x, V::axis(1), -V::axis(0));
    let points: Vec<V> = (0..20)
        .map(|k| V::axis(0) * (k as f32).sin() + V::axis(1) * (1.3 * k as f32).cos() * x)
        .chain([a, b, c])
        .collect();
    let shapes = [
        Shape::ball(x),
        Shape::cuboid(V::splat(x)),
        Shape::capsule(x, 0.1),
        Shape::segment(a, b),
        Shape::triangle(a, b, c),
        Shape::hull(&points),
        Shape::hull(&points[..1]),
        Shape::hull(&points[..2]),
        Shape::ellipsoid(V::splat(x).with_component(0, 3.0 * x)),
        Shape::half_space(V::axis(1)),
    ];
    let shapes: Vec<_> = shapes.into_iter().map(Result::unwrap).collect();
    let rounded = shapes.iter().map(|shape| shape.rounded(0.3 * x).unwrap());
    shapes.iter().cloned().chain(rounded).collect()
}

fn check<V: Vector>(shapes: &[Shape<V>]) {
    for shape in shapes {
        let encoding = shape.to_encoding().unwrap();
        let again = Shape::<V>::from_encoding(&encoding).unwrap();
        // The text tells what equality does not: the sign of a zero.
        assert_eq!(format!("{again:?}"), format!("{shape:?}"));
        assert_eq!(again.to_encoding(), Ok(encoding));
    }
}

fn in_space() -> Vec<Shape<Vec3>> {
    let mut shapes = both::<Vec3>(0.7);
    shapes.push(Shape::cylinder(0.3, 0.7).unwrap());
    shapes.push(Shape::cone(0.3, 0.7).unwrap().rounded(0.01).unwrap());
    shapes
}

#[test]
fn shapes_come_back_bit_for_bit() {
    check(&both::<Vec2>(0.7));
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

//! The categories of pairs, a contract each.

/// A test for each class and dimension of a category.
macro_rules! contracts {
    ($($category:ident: $polytopes_2d:ident, $polytopes_3d:ident, $smooth_2d:ident, $smooth_3d:ident;)+) => {
        $(
            #[test]
            fn $polytopes_2d() {
                $category::<Vec2>(Class::Polytopes);
            }
            #[test]
            fn $polytopes_3d() {
                $category::<Vec3>(Class::Polytopes);
            }
            #[test]
            fn $smooth_2d() {
                $category::<Vec2>(Class::Smooth);
            }
            #[test]
            fn $smooth_3d() {
                $category::<Vec3>(Class::Smooth);
            }
        )+
    };
}

mod aligned;
mod degenerate;
mod found;
mod general;
mod points;
mod rays;
mod round;

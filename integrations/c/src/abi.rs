//! What a program and the library compare, so that a header of another version is found out.

use crate::{common, plane, space};

/// Folds the sizes of structs into one number, as the header does for CLR_ABI_SIZES.
macro_rules! sizes {
    ($($kind:ty,)*) => {
        /// The sizes of the structs of C, in the order of the header, which `header` writes here.
        pub const SIZES: u64 = {
            let sizes = [$(size_of::<$kind>() as u64),*];
            let (mut folded, mut place) = (0u64, 0);
            while place < sizes.len() {
                folded = folded.wrapping_mul(31).wrapping_add(sizes[place]);
                place += 1;
            }
            folded
        };
    };
}

sizes! {
    common::Groups, common::BodyPair, common::RayOptions, common::CastOptions, common::Filter, common::Profile, common::Bytes,
    common::Nearest, common::IdList, common::ByteList, common::BodyPairList, plane::dim::Pose, plane::dim::Velocity, plane::dim::Body,
    plane::dim::Placed, plane::dim::Ray, plane::dim::Cast, plane::dim::Separation, plane::dim::Contact, plane::dim::Event,
    plane::dim::CastHit, plane::dim::BodyCastHit, plane::dim::Impact, plane::dim::BodyNear, plane::dim::ManifoldPoint, plane::dim::Manifold,
    plane::dim::RayHit, plane::dim::BodyRayHit, plane::dim::Bounds, plane::dim::Contacts, plane::dim::Events, plane::dim::Impacts,
    plane::dim::Manifolds, plane::dim::ContactList, plane::dim::ImpactList, plane::dim::ManifoldList, plane::dim::SeparationList,
    plane::dim::RayHitList, plane::dim::BodyRayHitList, plane::dim::BodyCastHitList, plane::dim::BodyNearList, plane::dim::Options,
    plane::dim::OneWay, plane::dim::Tile, plane::dim::Custom, plane::dim::CellBox, plane::dim::Tiles, plane::dim::MassProperties,
    plane::dim::SlideOptions, plane::dim::SlideGround, plane::dim::Sliding, plane::dim::SlidingBody, plane::dim::SlideContact,
    plane::dim::SlideContactList, plane::dim::Slide, plane::dim::PushOut, space::dim::Pose, space::dim::Velocity, space::dim::Body,
    space::dim::Placed, space::dim::Ray, space::dim::Cast, space::dim::Separation, space::dim::Contact, space::dim::Event,
    space::dim::CastHit, space::dim::BodyCastHit, space::dim::Impact, space::dim::BodyNear, space::dim::ManifoldPoint, space::dim::Manifold,
    space::dim::RayHit, space::dim::BodyRayHit, space::dim::Bounds, space::dim::Contacts, space::dim::Events, space::dim::Impacts,
    space::dim::Manifolds, space::dim::ContactList, space::dim::ImpactList, space::dim::ManifoldList, space::dim::SeparationList,
    space::dim::RayHitList, space::dim::BodyRayHitList, space::dim::BodyCastHitList, space::dim::BodyNearList, space::dim::Options,
    space::dim::OneWay, space::dim::Tile, space::dim::Custom, space::dim::CellBox, space::dim::Tiles, space::dim::MassProperties,
    space::dim::SlideOptions, space::dim::SlideGround, space::dim::Sliding, space::dim::SlidingBody, space::dim::SlideContact,
    space::dim::SlideContactList, space::dim::Slide, space::dim::PushOut, space::shapes::HeightBlock,
}

//! What differs between the plane and space: how a transform says where a body is.

use bevy_app::App;
use bevy_math::{Affine3A, DVec2, Mat3, Quat, Vec2, Vec3};
use bevy_reflect::{FromReflect, GetTypeRegistration, Reflect, Typed};
use bevy_transform::components::Transform;
use clearance::RotationError;
use clearance::dim2::Rotation;
use clearance::generic::{Pose, Rotation as _, Vector};
use clearance::math::{compiled_in_plane, compiled_in_space};

use crate::CollisionPlugin;

/// A direction of a transform counts as square to another one up to this cosine.
const SHEAR: f32 = 1e-4;

/// Scales and rotations that differ by less than this are the same: products of matrices round.
const ROUNDING: f32 = 1e-5;

/// `Vec2` or `Vec3`: what the plugin and all its types are generic over.
///
/// [`dim2`](crate::dim2) and [`dim3`](crate::dim3) have the same types without the parameter.
pub trait Space:
    Vector<Angular: Reflected, Precise: Reflected> + Typed + FromReflect + GetTypeRegistration
{
    /// Where a transform without parents puts a body.
    ///
    /// # Errors
    /// See [`PlacementError`].
    fn place(transform: &Transform) -> Result<Placement<Self>, PlacementError>;

    /// Where the product of a transform and its parents puts a body.
    ///
    /// # Errors
    /// See [`PlacementError`].
    fn place_affine(affine: &Affine3A) -> Result<Placement<Self>, PlacementError>;

    /// Whether two rotations differ by rounding alone.
    fn is_same_turn(a: Self::Rotation, b: Self::Rotation) -> bool;

    /// The rotation as a quaternion; in the plane about z.
    fn quaternion(rotation: Self::Rotation) -> Quat;

    /// The vector in space; in the plane with the given z.
    fn with_depth(self, z: f32) -> Vec3;

    /// Adds a plugin to an app. It is written once for each dimension, so that the systems are compiled here: what is generic is
    /// compiled in the game, which would wait for it after each edit, and run it unoptimized even where it optimizes dependencies.
    #[doc(hidden)] // a trait cannot hide a function otherwise
    fn install(plugin: &CollisionPlugin<Self>, app: &mut App);
}

/// What reflection asks of the fields of components: angular velocities and places in double precision.
pub trait Reflected: Copy + Reflect + Typed + FromReflect + GetTypeRegistration {}

impl<T: Copy + Reflect + Typed + FromReflect + GetTypeRegistration> Reflected for T {}

/// Where a transform puts a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement<V: Vector> {
    /// The place of its origin.
    pub translation: V,
    /// How it is turned.
    pub rotation: V::Rotation,
    /// By what its shape is scaled before it is turned.
    pub scale: V,
}

/// Why a transform puts no body anywhere.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// A number is NaN or infinite.
    #[error("transform has a number that is not finite")]
    NotFinite,
    /// The rotation is none.
    #[error("transform: rotation {0}")]
    Rotation(RotationError),
    /// A scale of zero flattens the shape.
    #[error("transform: scale[{axis}] is 0, must not be 0")]
    ZeroScale {
        /// The axis, counted from 0.
        axis: usize,
    },
    /// Parents with a scale that is not the same along all axes shear what is turned in them.
    #[error(
        "global transform shears: axes {first} and {second} have a cosine of {cosine}, must be 0; scale parents evenly"
    )]
    Sheared {
        /// An axis, counted from 0.
        first: usize,
        /// Another axis.
        second: usize,
        /// The cosine of the angle between both.
        cosine: f32,
    },
    /// A body of the plane is turned out of it.
    #[error("transform turns out of the plane: its z axis is ({}, {}, {}), must be along z", .0.x, .0.y, .0.z)]
    OutOfPlane(Vec3),
}

impl<V: Space> Placement<V> {
    /// The pose in a world whose origin has this place.
    pub(crate) fn pose(&self, origin: V::Precise) -> Pose<V> {
        Pose::new(origin + self.translation.to_precise(), self.rotation)
    }

    /// This placement with the scale `known` if it has that up to rounding.
    pub(crate) fn settled(self, known: V) -> Self {
        if self.scale == known {
            return self;
        }
        let is_near = |axis| {
            let (scale, known) = (self.scale.component(axis), known.component(axis));
            (scale - known).abs() <= ROUNDING * known.abs()
        };
        let scale = if (0..V::DIM).all(is_near) {
            known
        } else {
            self.scale
        };
        Self { scale, ..self }
    }
}

/// Refuses what is not finite, and a scale of zero.
fn check_numbers(affine: &Affine3A, dim: usize) -> Result<(), PlacementError> {
    if !affine.is_finite() {
        return Err(PlacementError::NotFinite);
    }
    let columns = affine.matrix3.to_cols_array_2d();
    match (0..dim).find(|&axis| columns[axis] == [0.0; 3]) {
        Some(axis) => Err(PlacementError::ZeroScale { axis }),
        None => Ok(()),
    }
}

/// Refuses axes that are not square to each other.
fn check_shear(affine: &Affine3A, dim: usize) -> Result<(), PlacementError> {
    let axis = |axis| Vec3::from(affine.matrix3.col(axis)).normalize();
    for second in 1..dim {
        for first in 0..second {
            let cosine = axis(first).dot(axis(second));
            // A NaN, too, where lengths leave the range of numbers.
            if !(cosine.abs() <= SHEAR) {
                return Err(PlacementError::Sheared {
                    first,
                    second,
                    cosine,
                });
            }
        }
    }
    Ok(())
}

fn check_scale(scale: Vec3, dim: usize) -> Result<(), PlacementError> {
    match (0..dim).find(|&axis| scale[axis] == 0.0) {
        Some(axis) => Err(PlacementError::ZeroScale { axis }),
        None => Ok(()),
    }
}

impl Space for Vec3 {
    fn place(transform: &Transform) -> Result<Placement<Self>, PlacementError> {
        if !transform.is_finite() {
            return Err(PlacementError::NotFinite);
        }
        check_scale(transform.scale, 3)?;
        let rotation = transform.rotation.checked();
        Ok(Placement {
            translation: transform.translation,
            rotation: rotation.map_err(PlacementError::Rotation)?,
            scale: transform.scale,
        })
    }

    fn place_affine(affine: &Affine3A) -> Result<Placement<Self>, PlacementError> {
        check_numbers(affine, 3)?;
        check_shear(affine, 3)?;
        let (scale, rotation, translation) = affine.to_scale_rotation_translation();
        let rotation = rotation.checked().map_err(PlacementError::Rotation)?;
        Ok(Placement {
            translation,
            rotation,
            scale,
        })
    }

    fn is_same_turn(a: Quat, b: Quat) -> bool {
        a.abs_diff_eq(b, ROUNDING) || a.abs_diff_eq(-b, ROUNDING)
    }

    fn quaternion(rotation: Quat) -> Quat {
        rotation
    }

    fn with_depth(self, _z: f32) -> Vec3 {
        self
    }

    compiled_in_space! {
        fn install(plugin: &CollisionPlugin<Self>, app: &mut App) {
            plugin.add_to(app);
        }
    }
}

impl Space for Vec2 {
    fn place(transform: &Transform) -> Result<Placement<Self>, PlacementError> {
        if !transform.is_finite() {
            return Err(PlacementError::NotFinite);
        }
        let turn = transform.rotation;
        if turn.x != 0.0 || turn.y != 0.0 {
            return Self::place_affine(&transform.compute_affine());
        }
        check_scale(transform.scale, 2)?;
        let (z, w) = (f64::from(turn.z), f64::from(turn.w));
        // Much of the plane is not turned, and need not be divided by its length.
        let rotation = match (z, w) {
            (0.0, 1.0) => Ok(Rotation::IDENTITY),
            _ => Rotation::from_cos_sin(w * w - z * z, 2.0 * z * w),
        };
        Ok(Placement {
            translation: transform.translation.truncate(),
            rotation: rotation.map_err(PlacementError::Rotation)?,
            scale: transform.scale.truncate(),
        })
    }

    fn place_affine(affine: &Affine3A) -> Result<Placement<Self>, PlacementError> {
        check_numbers(affine, 2)?;
        let [x, y, z] = [0, 1, 2].map(|axis| Vec3::from(affine.matrix3.col(axis)));
        let is_level = |axis: Vec3| axis.z.abs() <= SHEAR * axis.length();
        if !is_level(x) || !is_level(y) {
            return Err(PlacementError::OutOfPlane(z.normalize_or_zero()));
        }
        let flat = Affine3A::from_mat3_translation(
            Mat3::from_cols(x.with_z(0.0), y.with_z(0.0), Vec3::Z),
            Vec3::ZERO,
        );
        check_shear(&flat, 2)?;
        let side = x.truncate().as_dvec2();
        let (length, height) = (side.length(), y.truncate().as_dvec2().length());
        let sign = side.perp_dot(y.truncate().as_dvec2()).signum();
        let DVec2 { x: cos, y: sin } = side / length;
        let rotation = Rotation::from_cos_sin(cos, sin).map_err(PlacementError::Rotation)?;
        Ok(Placement {
            translation: Vec3::from(affine.translation).truncate(),
            rotation,
            scale: DVec2::new(length, sign * height).as_vec2(),
        })
    }

    fn is_same_turn(a: Rotation, b: Rotation) -> bool {
        let rounding = f64::from(ROUNDING);
        (a.cos() - b.cos()).abs() <= rounding && (a.sin() - b.sin()).abs() <= rounding
    }

    fn quaternion(rotation: Rotation) -> Quat {
        // Square roots have the same bits everywhere, sines and cosines of the platform do not.
        let half = |square: f64| (0.5 * square.max(0.0)).sqrt();
        let (w, z) = (half(1.0 + rotation.cos()), half(1.0 - rotation.cos()));
        let (w, z) = match rotation.cos() >= 0.0 {
            true => (w, 0.5 * rotation.sin() / w),
            false => (0.5 * rotation.sin().abs() / z, z.copysign(rotation.sin())),
        };
        Quat::from_xyzw(0.0, 0.0, z as f32, w as f32)
    }

    fn with_depth(self, z: f32) -> Vec3 {
        self.extend(z)
    }

    compiled_in_plane! {
        fn install(plugin: &CollisionPlugin<Self>, app: &mut App) {
            plugin.add_to(app);
        }
    }
}

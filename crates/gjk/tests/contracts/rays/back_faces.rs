//! Which side of a surface a ray hits, and all hits along a ray: closed surfaces of convex bodies, whose outward normals
//! are known from their planes.

use clearance_gjk::{
    BackFaces, Interior, Placed, RayHit, RayOptions, cast_ray, cast_ray_all_into, ray_hits,
};
use clearance_math::{Pose, PreciseVector, Ray, Real, Vec2, Vec3, Vector};
use clearance_shapes::{Hull, Shape, ShapeError};

use crate::common::{Pcg, Space, in_both_dimensions, iterations, turned};

in_both_dimensions!(
    closed_surfaces_are_entered_at_fronts_and_left_at_backs,
    the_end_of_a_hollow_solid_is_a_back,
);

/// A vector whose space has surfaces.
pub(crate) trait Surface: Space {
    /// The triangles; in the plane, the segments from the first corner of each to the last.
    fn surface(corners: Vec<Self>, parts: Vec<[u32; 3]>) -> Result<Shape<Self>, ShapeError>;
}

impl Surface for Vec2 {
    fn surface(corners: Vec<Self>, parts: Vec<[u32; 3]>) -> Result<Shape<Self>, ShapeError> {
        let ends: Vec<_> = parts.iter().map(|&[a, _, b]| [a, b]).collect();
        Shape::polyline_of_segments(corners, ends)
    }
}

impl Surface for Vec3 {
    fn surface(corners: Vec<Self>, parts: Vec<[u32; 3]>) -> Result<Shape<Self>, ShapeError> {
        Shape::mesh(corners, parts)
    }
}

/// A closed surface, and the outward normal of each of its parts.
pub(crate) struct Closed<V: Vector> {
    pub(crate) surface: Shape<V>,
    pub(crate) normals: Vec<V::Precise>,
    pub(crate) corners: Vec<V>,
}

pub(crate) fn closed<V: Surface>(random: &mut Pcg) -> Closed<V> {
    let points: Vec<V> = (0..12).map(|_| random.point(2.0)).collect();
    let hull = Hull::from_points(&points).expect("valid");
    let (mut normals, mut parts) = (Vec::new(), Vec::new());
    for face in hull.faces() {
        let corners = face.vertices;
        for k in V::DIM - 1..corners.len() {
            normals.push(face.normal);
            parts.push([corners[0], corners[k - 1], corners[k]]);
        }
    }
    let corners = hull.vertices().to_vec();
    let surface = V::surface(corners.clone(), parts);
    Closed {
        surface: surface.expect("valid"),
        normals,
        corners,
    }
}

/// A target on or in the surface: its middle, a corner, a point of an edge, or anywhere.
fn target<V: Space>(random: &mut Pcg, corners: &[V]) -> V {
    let [one, other] = [(); 2].map(|()| corners[random.below(corners.len())]);
    match random.below(4) {
        0 => corners.iter().fold(V::ZERO, |sum, &at| sum + at) * (1.0 / corners.len() as f32),
        1 => one,
        2 => one + (other - one) * 0.5,
        _ => random.point(2.0),
    }
}

fn closed_surfaces_are_entered_at_fronts_and_left_at_backs<V: Surface>() {
    let mut random = Pcg::new(811);
    let (mut fronts, mut backs) = (0, 0);
    for _ in 0..iterations(200) {
        let Closed {
            surface,
            normals,
            corners,
        } = closed::<V>(&mut random);
        let pose = Pose::new(random.point::<V>(3.0), turned::<V>(&mut random));
        let b = Placed::new(&surface, &pose);
        for _ in 0..20 {
            let at = pose.transform_point(target(&mut random, &corners));
            let direction: V = random.point(1.0);
            let back = [0.0, 8.0][random.below(2)];
            let Ok(ray) = Ray::new(at - direction * back, direction) else {
                continue;
            };
            let options = RayOptions::default();
            let all = hits(&ray, b, options);
            for hit in &all {
                let inwards = pose.inverse_transform_direction(direction).to_precise();
                let inwards = inwards / inwards.length();
                let towards = normals[hit.part as usize].dot(inwards);
                assert!(
                    towards.abs() < 1e-5 || hit.is_back_face == (towards > 0.0),
                    "{towards} {hit:?} {ray:?}"
                );
                *(if hit.is_back_face {
                    &mut backs
                } else {
                    &mut fronts
                }) += 1;
            }
            assert_eq!(
                cast_ray(&ray, b, options),
                Ok(all.first().copied()),
                "{ray:?}"
            );
            let one_sided = RayOptions {
                back_faces: BackFaces::Pass,
                ..options
            };
            let seen: Vec<_> = all.into_iter().filter(|hit| !hit.is_back_face).collect();
            assert_eq!(hits(&ray, b, one_sided), seen, "{ray:?}");
            assert_eq!(
                cast_ray(&ray, b, one_sided),
                Ok(seen.first().copied()),
                "{ray:?}"
            );
            assert_eq!(
                ray_hits(&ray, b, one_sided),
                Ok(!seen.is_empty()),
                "{ray:?}"
            );
        }
    }
    assert!(fronts > 1000 && backs > 1000, "{fronts} {backs}");
}

fn hits<V: Vector>(ray: &Ray<V>, b: Placed<V>, options: RayOptions) -> Vec<RayHit<V>> {
    let mut hits = Vec::new();
    cast_ray_all_into(ray, b, options, &mut hits).expect("valid");
    hits
}

fn the_end_of_a_hollow_solid_is_a_back<V: Space>() {
    let ball = Shape::ball(1.0).expect("valid");
    let solids = [
        ball.clone(),
        Shape::cuboid(V::splat(1.0)).expect("valid"),
        ball.rounded(0.5).unwrap_or(ball),
    ];
    for solid in &solids {
        let pose = Pose::IDENTITY;
        let b = Placed::new(solid, &pose);
        let ray = Ray::new(V::ZERO, V::axis(0)).expect("valid");
        let hollow = RayOptions {
            interior: Interior::Hollow,
            ..RayOptions::default()
        };
        let hit = cast_ray(&ray, b, hollow)
            .expect("valid")
            .expect("it is inside");
        assert!(hit.is_back_face, "{hit:?}");
        let one_sided = RayOptions {
            back_faces: BackFaces::Pass,
            ..hollow
        };
        assert_eq!(cast_ray(&ray, b, one_sided), Ok(None));
        let outside = Ray::new(V::axis(0) * 3.0, -V::axis(0)).expect("valid");
        let hit = cast_ray(&outside, b, one_sided)
            .expect("valid")
            .expect("it comes from outside");
        assert!(!hit.is_back_face, "{hit:?}");
    }
}

/// The front of a height field is the side to which its scale along y points, whichever of its scales are negative.
#[test]
fn the_front_of_a_mirrored_height_field_is_where_its_scale_points() {
    let mut random = Pcg::new(812);
    let heights: Vec<Real> = (0..30).map(|_| random.unit() as Real).collect();
    for signs in 0..8 {
        let sign = |axis: usize| if signs >> axis & 1 == 0 { 1.0 } else { -1.0 };
        let scale = Vec3::new(4.0 * sign(0), sign(1), 3.0 * sign(2));
        let field = Shape::height_field(heights.clone(), 6, scale).expect("valid");
        let pose = Pose::IDENTITY;
        let b = Placed::new(&field, &pose);
        for _ in 0..50 {
            let [x, z] = [random.between(-1.9, 1.9), random.between(-1.4, 1.4)].map(|x| x as Real);
            for down in [1.0, -1.0] {
                let ray = Ray::new(Vec3::new(x, 2.0 * down, z), -Vec3::Y * down).expect("valid");
                let all = hits(&ray, b, RayOptions::default());
                assert!(!all.is_empty(), "{scale} {ray:?}");
                for hit in all {
                    assert_eq!(hit.is_back_face, down != sign(1), "{scale} {hit:?}");
                }
            }
        }
    }
}

/// On a ridge both sides are met at one distance. Where a ray sees the front of one of them, it does not name the other's back.
#[test]
fn rays_at_ridges_name_the_front() {
    let mut random = Pcg::new(0x21d6e);
    let mut ties = 0;
    for _ in 0..iterations(3000) {
        // A field on a grid of whole numbers, whose middles of edges are exact.
        let heights: Vec<Real> = (0..25).map(|_| 2.0 * random.below(4) as Real).collect();
        let field = Shape::height_field(&heights, 5, Vec3::new(8.0, 1.0, 8.0)).expect("valid");
        let [row, column] = [(); 2].map(|()| 1 + random.below(3));
        let at = |row: usize, column: usize| {
            let [x, z] = [column, row].map(|k| 2.0 * k as Real - 4.0);
            Vec3::new(x, heights[5 * row + column], z)
        };
        let beside = random.pick(&[(1, 0), (0, 1), (1, 1), (0, 0)]);
        let ridge = (at(row, column) + at(row + beside.0, column + beside.1)) * 0.5;
        let direction = [(); 3].map(|()| random.below(9) as Real - 4.0);
        let [x, y, z] = direction;
        let Ok(ray) = Ray::new(
            ridge - Vec3::new(x, -y.abs(), z) * 4.0,
            Vec3::new(x, -y.abs(), z),
        ) else {
            continue;
        };
        let field = Placed::new(&field, &Pose::IDENTITY);
        let mut hits = Vec::new();
        cast_ray_all_into(&ray, field, RayOptions::default(), &mut hits).expect("valid");
        let first = cast_ray(&ray, field, RayOptions::default()).expect("valid");
        let least = hits.iter().map(|hit| hit.distance).reduce(Real::min);
        assert_eq!(first.map(|hit| hit.distance), least);
        let nearest = || hits.iter().filter(|hit| Some(hit.distance) == least);
        let has_front = nearest().any(|hit| !hit.is_back_face);
        assert!(
            first.is_none_or(|hit| !hit.is_back_face || !has_front),
            "{ray:?} {hits:?}"
        );
        assert_eq!(first, hits.first().copied());
        ties += usize::from(has_front && nearest().any(|hit| hit.is_back_face));
    }
    assert!(ties > 20, "{ties}");
}

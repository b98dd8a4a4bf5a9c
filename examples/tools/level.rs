//! 500 crates fall about in a level that is read from a file, while a scout collects gems.
//!
//! There is no physics engine: bodies fall, and those that overlap are pushed out along the normal.

#![allow(clippy::print_stdout, reason = "an example prints what happens")]

use clearance::dim3::{Body, BodyId, Pose, Query, Ray, RayOptions, Shape, Vec3, Velocity, World};
use clearance::{Groups, Nearest, Options};
use clearance_scene::MeshFiles;

/// Length of a step in seconds.
const STEP: f32 = 1.0 / 60.0;
const GRAVITY: Vec3 = Vec3::new(0.0, -10.0, 0.0);
/// Slow enough for no body to fall through the ground within a step.
const TOP_SPEED: f32 = 8.0;
const SOLID: u32 = 1;
const SCOUT: u32 = 2;
const GEMS: u32 = 4;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

struct Game {
    world: World,
    /// The scout, then the crates.
    movers: Vec<BodyId>,
}

impl Game {
    fn new() -> Outcome<Self> {
        let mut world = World::new(Options::default())?;
        let mesh = MeshFiles::in_folder(env!("CARGO_MANIFEST_DIR")).mesh("level.obj")?;
        let solid = Groups::member_of(SOLID);
        world.insert(Body::fixed(mesh, Pose::IDENTITY).with_groups(solid))?;

        // A gem is found by questions of the scout, and bumps into nobody else.
        let groups = Groups::member_of(GEMS).meeting(SCOUT);
        for place in [[-3.0, 1.0, 0.0], [4.0, 0.5, -6.0], [9.0, 1.5, -9.5]] {
            let gem = Body::fixed(Shape::ball(0.2)?, at(Vec3::from_array(place)));
            world.insert(gem.with_groups(groups))?;
        }
        let scout = Body::moving(Shape::capsule(0.4, 0.3)?, at(Vec3::new(-9.0, 3.0, -9.0)));
        let scout = world.insert(scout.with_groups(Groups::member_of(SCOUT)))?;
        let shapes = [Shape::ball(0.3)?, Shape::cuboid(Vec3::splat(0.25))?];
        let mut movers = vec![scout];
        for k in 0..500 {
            let [x, z, layer] = [k % 10, k / 10 % 10, k / 100].map(|cell| cell as f32);
            let place = Vec3::new(2.0 * x + 0.3 * layer - 10.0, 5.0 + layer, 2.0 * z - 9.0);
            let body = Body::moving(shapes[k % 2].clone(), at(place));
            movers.push(world.insert(body.with_groups(solid))?);
        }
        Ok(Self { world, movers })
    }

    fn step(&mut self) -> Outcome<()> {
        let walk = self.collect_gem()?;
        for &id in &self.movers {
            let fall = (self.velocity(id) + GRAVITY * STEP).clamp_length_max(TOP_SPEED);
            let is_scout = id == self.movers[0];
            let linear = if is_scout { walk.with_y(fall.y) } else { fall };
            self.world
                .body_mut(id)?
                .set_velocity(Velocity::from_linear(linear))?;
        }
        self.world.step(STEP)?;
        self.push_apart()
    }

    fn place(&self, id: BodyId) -> Outcome<Vec3> {
        Ok(self.world.body(id)?.pose().translation())
    }

    /// Questions of the scout about bodies of these groups.
    fn seeking(&self, groups: u32) -> Query<'_> {
        let scout = Groups::member_of(SCOUT);
        self.world.query().groups(scout.meeting(groups))
    }

    /// Takes the nearest gem if it is in reach, and returns the velocity to walk towards it.
    fn collect_gem(&mut self) -> Outcome<Vec3> {
        let place = self.place(self.movers[0])?;
        let gems = self.seeking(GEMS);
        let [gem] = gems.nearest_to_point(place, Nearest::default())?[..] else {
            return Ok(Vec3::ZERO);
        };
        if gem.separation.distance < 0.8 {
            println!("a gem at {:.1}", gem.separation.point_b());
            self.world.remove(gem.body)?;
        }
        let way = (gem.separation.point_b() - place).with_y(0.0);
        Ok(4.0 * way.normalize_or_zero())
    }

    /// Moves bodies that overlap out of each other, and stops them from coming nearer.
    fn push_apart(&mut self) -> Outcome<()> {
        for &id in &self.movers {
            let (mut place, mut velocity) = (self.place(id)?, self.velocity(id));
            let contacts = self.world.contacts_of(id);
            for seen in contacts.filter_map(|contact| contact.seen_from(id)) {
                if seen.distance < 0.0 {
                    // The normal points into the other body, so this leads half of the way out.
                    place += 0.5 * seen.distance * seen.normal;
                    let approach = velocity.dot(seen.normal).max(0.0) * seen.normal;
                    velocity = 0.98 * (velocity - approach);
                }
            }
            self.world.body_mut(id)?.set_pose(at(place))?;
            let slowed = Velocity::from_linear(velocity);
            self.world.body_mut(id)?.set_velocity(slowed)?;
        }
        Ok(())
    }

    fn velocity(&self, id: BodyId) -> Vec3 {
        let body = self.world.body(id);
        body.map_or(Vec3::ZERO, |body| body.velocity().linear)
    }

    /// How many crates an eye sees: those that a ray to their middle hits first.
    fn visible_from(&self, eye: Vec3) -> Outcome<usize> {
        let mut seen = 0;
        for &id in &self.movers[1..] {
            let ray = Ray::new(eye, self.place(id)? - eye)?;
            let first = self.seeking(SOLID).cast_ray(&ray, RayOptions::default())?;
            seen += usize::from(first.is_some_and(|first| first.body == id));
        }
        Ok(seen)
    }
}

fn at(place: Vec3) -> Pose {
    Pose::from_translation(place)
}

fn main() -> Outcome<()> {
    let mut game = Game::new()?;
    for _ in 0..600 {
        game.step()?;
    }
    let seen = game.visible_from(Vec3::new(-6.0, 4.0, 0.0))?;
    let places = (game.movers.iter()).map(|&id| game.place(id));
    let places = places.collect::<Outcome<Vec<_>>>()?;
    let lowest = places.iter().map(|place| place.y).fold(f32::MAX, f32::min);
    println!("{seen} of 500 crates in sight, the lowest at {lowest:.2}");
    assert_eq!(game.world.len(), 502, "the scout took all gems");
    assert!((50..450).contains(&seen) && lowest > -1.0);
    Ok(())
}

#[test]
fn holds_what_it_says() -> Outcome<()> {
    main()
}

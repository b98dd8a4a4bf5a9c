//! Glob imports that programs combine do not make names ambiguous.

/// The prelude, one dimension, and glam.
mod plane {
    use clearance::dim2::*;
    use clearance::prelude::*;
    use glam::*;

    #[test]
    fn worlds_of_the_plane() -> Result<(), Box<dyn std::error::Error>> {
        let mut world = World::new(Options {
            margin: 0.1 as Real,
            backend: Backend::Bvh,
            threads: 1,
            ..Options::default()
        })?;
        let pose = Pose::new(vec2(1.0, 0.5), Rotation2::IDENTITY);
        let body: Body = Body::moving(Shape::ball(0.5)?, pose).with_groups(Groups::ALL);
        let id: BodyId = world.insert(body.with_velocity(Velocity::from_linear(Vector::X)))?;
        world.insert(Body::fixed(Shape::half_space(Vec2::Y)?, Pose::IDENTITY))?;
        world.step(0.0)?;
        let contact: &Contact = world
            .contact_between(id, world.contacts()[0].b)
            .ok_or("they touch")?;
        assert_eq!(contact.separation.status, Status::Exact);
        let view: Option<ContactView> = contact.seen_from(id);
        assert!(view.is_some());
        let kinds: Vec<EventKind> = world.events().map(|event: Event<'_>| event.kind).collect();
        assert_eq!(kinds, [EventKind::Entered, EventKind::Began]);
        assert_eq!(
            world.body(id).map(|body: BodyRef<'_>| body.kind()),
            Ok(BodyKind::Moving)
        );
        assert!(Quat::IDENTITY.is_normalized() && Vec3::ZERO == Vec3::default());
        let bounds = Aabb::new(Vec2::ZERO, Vec2::ONE);
        assert!(bounds.overlaps(&bounds));
        let error: Option<WorldError> = world.step(-1.0).err();
        assert!(
            error.is_some()
                && Shape::ball(-1.0).is_err_and(|error: ShapeError| !error.to_string().is_empty())
        );
        Ok(())
    }
}

/// All names of the crate, and one dimension.
mod space {
    use clearance::dim3::*;
    use clearance::*;

    #[test]
    fn worlds_of_space() -> Result<(), Box<dyn std::error::Error>> {
        let mut world = World::new(Options::default())?;
        let ball = world.insert(Body::moving(Shape::ball(0.5)?, Pose::IDENTITY))?;
        world.step(0.0)?;
        assert_eq!(world.body(ball).unwrap().pose().translation(), Vector::ZERO);
        assert_eq!(world.profile().candidates, 0);
        let profile: Profile = world.profile();
        assert_eq!(profile.methods, Methods::default());
        let shape = Shape::ball(1.0)?;
        let placed = Placed::new(&shape, &Pose::IDENTITY);
        assert!(intersects(placed, placed)?);
        use broadphase::{AnyBroadPhase, BroadPhase, Key, MAX_KEY};
        let key: Key = 7;
        assert!(key < MAX_KEY);
        let mut broad_phase = AnyBroadPhase::new(Backend::Bvh);
        broad_phase.insert(key, Aabb::new(Vec3::ZERO, Vec3::ONE), BodyKind::Moving);
        assert_eq!(broad_phase.len(), 1);
        Ok(())
    }
}

/// Both dimensions at once, by module.
mod both {
    use clearance::prelude::*;
    use glam::*;

    #[test]
    fn worlds_of_both() {
        assert!(dim2::World::default().is_empty() && dim3::World::default().is_empty());
        assert_eq!(dim2::Pose::IDENTITY.translation(), Vec2::ZERO);
        assert_eq!(dim3::Pose::IDENTITY.rotation, quat(0.0, 0.0, 0.0, 1.0));
    }
}

/// Generic code, with the prelude.
mod generic_code {
    use clearance::generic::*;
    use clearance::prelude::*;

    fn count<V: Vector>(world: &World<V>) -> usize {
        world.into_iter().count()
    }

    #[test]
    fn worlds_of_any_dimension() {
        assert_eq!(
            count(&dim2::World::default()) + count(&dim3::World::default()),
            0
        );
        assert_eq!(Real::default(), 0.0);
    }
}

/// Every public type of the world can be named by those who import from this crate.
mod named {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// The names that a file of this workspace exports, and those of the type aliases in it.
    fn names_of(file: &str) -> BTreeSet<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        let text = fs::read_to_string(&path).expect("a file of this workspace");
        let mut names = BTreeSet::new();
        for statement in text.split(';') {
            // What is hidden is for the crates of this workspace.
            if statement.contains("#[doc(hidden)]") {
                continue;
            }
            if let Some(start) = statement.find("pub use ") {
                let words = statement[start..].split(|c: char| !c.is_alphanumeric());
                names.extend(words.map(str::to_owned));
            }
            if let Some(start) = statement.find("pub type ") {
                let rest = &statement[start + "pub type ".len()..];
                names.extend(
                    rest.split(|c: char| !c.is_alphanumeric())
                        .next()
                        .map(str::to_owned),
                );
            }
        }
        names.retain(|name| name.starts_with(char::is_uppercase));
        names
    }

    #[test]
    fn every_type_of_the_world_has_a_name_in_both_dimensions() {
        let of_world = names_of("world/src/lib.rs");
        assert!(of_world.len() > 20 && of_world.contains("BodyIter"));
        // Both include this file.
        let names = names_of("clearance/src/dimension.rs");
        let missing: Vec<_> = of_world.difference(&names).collect();
        assert!(missing.is_empty(), "dimensions lack {missing:?}");
        let generic = names_of("clearance/src/generic.rs");
        let plain = names_of("clearance/src/lib.rs");
        let missing: Vec<_> = (of_world.iter())
            .filter(|name| !generic.contains(*name) && !plain.contains(*name))
            .collect();
        assert!(
            missing.is_empty(),
            "neither generic nor the crate has {missing:?}"
        );
    }

    /// What the methods of a world give out can be kept in structs of the caller.
    #[test]
    fn results_of_a_world_can_be_kept() {
        use clearance::dim2::{BodyIter, BodyPair, BodyPose, Groups, Pose, StageTime, Vec2, World};
        struct Kept<'w> {
            bodies: BodyIter<'w>,
            pairs: Vec<BodyPair>,
            poses: Vec<BodyPose>,
            stages: [StageTime; 5],
        }
        let world = World::default();
        let kept = Kept {
            bodies: world.bodies(),
            pairs: world.ignored_pairs().collect(),
            poses: world
                .bodies()
                .ids()
                .map(|body| BodyPose {
                    body,
                    pose: Pose::IDENTITY,
                })
                .collect(),
            stages: world.profile().stages(),
        };
        assert_eq!(
            (kept.bodies.len(), kept.pairs.len(), kept.poses.len()),
            (0, 0, 0)
        );
        assert_eq!(kept.stages[0].name, "move");
        let mut broad_phase = clearance::broadphase::Bvh::<Vec2>::new();
        clearance::broadphase::BroadPhase::set_groups(&mut broad_phase, 3, Groups::default());
    }
}

/// What a game keeps, hands to other threads and prints.
mod values {
    use clearance::dim3::*;
    use clearance::prelude::*;
    use std::error::Error;

    fn is_sent_and_shared<T: Send + Sync>() {}

    fn is_an_error<T: Error + Send + Sync + 'static>() {}

    #[test]
    fn all_can_be_sent_and_shared() {
        is_sent_and_shared::<(dim2::World, dim2::Shape, dim2::Snapshot, dim2::Query<'_>)>();
        is_sent_and_shared::<(World, BodyMut<'_>, BodyRef<'_>, BodyIter<'_>, Query<'_>)>();
        is_sent_and_shared::<(Snapshot, Body, Contact, Event<'_>, Impact, BodyManifold)>();
        is_sent_and_shared::<(Shape, Hull, Composite, Cells, Voxels, Placed<'_>, Cast<'_>)>();
        is_sent_and_shared::<(Options, Profile, Slide, SlideGround, SlideOptions, PushOut)>();
        is_an_error::<WorldError>();
        is_an_error::<ShapeError>();
        is_an_error::<QueryError>();
        is_an_error::<BatchError>();
        is_an_error::<SlideError>();
        is_an_error::<RayError>();
        is_an_error::<PoseError>();
        is_an_error::<RotationError>();
        is_an_error::<clearance::Inconsistent>();
    }

    /// A line of a log, however much there is.
    #[test]
    fn what_is_large_is_printed_short() -> Result<(), Box<dyn Error>> {
        let points: Vec<Vec3> = (0..400)
            .map(|k| Vec3::new(k as f32, (k * k % 7) as f32, 0.5))
            .collect();
        let mut cells = Cells::new();
        cells.set_box(IVec3::ZERO, IVec3::splat(40), true)?;
        let corners = [[0, 1, 2], [1, 2, 3]].repeat(300);
        let field = Shape::height_field(vec![0.5; 2500], 50, Vec3::ONE)?;
        let ball = CompoundPart::new(Shape::ball(0.5)?, Pose::IDENTITY);
        let shapes = [
            Shape::mesh(points.clone(), corners)?,
            Shape::points(points.clone(), 0.5)?,
            Shape::hull(points)?,
            Shape::compound(vec![ball; 300])?,
            Shape::voxels_of(Vec3::ONE, cells)?,
            field,
        ];
        let mut world = World::default();
        for shape in shapes {
            let body = Body::fixed(shape, Pose::IDENTITY);
            assert!(format!("{:?}", body.shape).len() < 300, "{:?}", body.shape);
            for _ in 0..20 {
                world.insert(body.clone())?;
            }
        }
        world.step(0.0)?;
        let id = world.bodies().ids().next().ok_or("there are some")?;
        let other = world.clone();
        let texts = [
            format!("{world:?}"),
            format!("{:?}", world.query()),
            format!("{:?}", world.bodies()),
            format!("{:?}", world.body_mut(id)?),
            format!("{:?}", other.body(id)?),
        ];
        for text in texts {
            assert!(text.len() < 900, "{text}");
        }
        Ok(())
    }
}

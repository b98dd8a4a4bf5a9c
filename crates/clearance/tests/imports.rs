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
        })?;
        let pose = Pose::new(vec2(1.0, 0.5), Rotation2::IDENTITY);
        let body: Body = Body::moving(Shape::ball(0.5)?, pose).with_groups(Groups::ALL);
        let id: BodyId = world.insert(body.with_velocity(Velocity::from_linear(Vector::X)))?;
        world.insert(Body::fixed(Shape::half_space(Vec2::Y)?, Pose::IDENTITY))?;
        world.step(0.0)?;
        let contact: &Contact = world
            .contact(id, world.contacts()[0].b)
            .ok_or("they touch")?;
        assert_eq!(contact.separation.status, Status::Exact);
        let view: Option<ContactView> = contact.seen_from(id);
        assert!(view.is_some());
        let kinds: Vec<EventKind> = world.events().map(|event: Event<'_>| event.kind).collect();
        assert_eq!(kinds, [EventKind::Entered, EventKind::Began]);
        assert_eq!(
            world.get(id).map(|body: BodyRef<'_>| body.kind()),
            Some(Kind::Moving)
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
        assert_eq!(world[ball].translation, Vector::ZERO);
        assert_eq!(world.profile().candidates, 0);
        let profile: Profile = world.profile();
        assert_eq!(profile.methods, Methods::default());
        let shape = Shape::ball(1.0)?;
        let placed = Placed::new(&shape, &Pose::IDENTITY);
        assert!(intersects(placed, placed)?);
        let key: Key = 7;
        assert!(key < broadphase::MAX_KEY);
        let mut broad_phase = AnyBroadPhase::new(Backend::Bvh);
        broad_phase.insert(key, Aabb::new(Vec3::ZERO, Vec3::ONE), Mobility::Moving);
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
        assert_eq!(dim2::Pose::IDENTITY.translation, Vec2::ZERO);
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

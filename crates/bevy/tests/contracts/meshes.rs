//! Colliders of meshes that load later, and of scenes that spawn later.

use crate::common::{app3, insert, spawn, world3};
use bevy_app::App;
use bevy_asset::{AssetApp, AssetPlugin, Assets, Handle, RenderAssetUsages};
use bevy_clearance::dim3::{
    BodyKind, Collider, CollisionEvents, CompoundBody, InWorld, Layers, Margin, Sensor,
};
use bevy_clearance::{
    Cause, ColliderConstructor, ColliderConstructorHierarchy, ColliderConstructorPlugin, MeshError,
    MeshShape,
};
use bevy_ecs::name::Name;
use bevy_ecs::prelude::*;
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology};

fn app() -> App {
    let mut app = app3();
    app.add_plugins((AssetPlugin::default(), ColliderConstructorPlugin::default()));
    app
}

/// A cube of size 2; each face has vertices of its own, as for flat shading.
fn cube() -> Mesh {
    let (mut corners, mut indices) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for side in [-1.0, 1.0_f32] {
            let first = corners.len() as u32;
            for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let mut corner = [0.0; 3];
                (corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (side, u, v);
                corners.push(corner);
            }
            let turns = if side > 0.0 {
                [0, 1, 2, 0, 2, 3]
            } else {
                [0, 2, 1, 0, 3, 2]
            };
            indices.extend(turns.map(|corner| first + corner));
        }
    }
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
    .with_inserted_indices(Indices::U32(indices))
}

fn kind(app: &App, entity: Entity) -> Option<&'static str> {
    app.world()
        .entity(entity)
        .get::<Collider>()
        .map(|collider| collider.shape().kind_name())
}

#[test]
fn a_mesh_that_loads_later_becomes_what_it_is_to_be() {
    let mut app = app();
    let handle = app.world().resource::<Assets<Mesh>>().reserve_handle();
    let entities = [MeshShape::Surface, MeshShape::Solid, MeshShape::Hull].map(|shape| {
        spawn(
            &mut app,
            (Mesh3d(handle.clone()), ColliderConstructor(shape)),
        )
    });
    app.update();
    assert!(entities.iter().all(|&entity| kind(&app, entity).is_none()));
    app.world_mut()
        .resource_mut::<Assets<Mesh>>()
        .insert(&handle, cube())
        .expect("the handle is reserved");
    app.update();
    assert_eq!(
        entities.map(|entity| kind(&app, entity)),
        [Some("mesh"), Some("mesh"), Some("hull")]
    );
    assert_eq!(
        world3(&app).world().len(),
        3,
        "the step of the same update has them"
    );
    assert!(
        entities
            .iter()
            .all(|&entity| !app.world().entity(entity).contains::<ColliderConstructor>())
    );
    // Only the surface is hollow.
    let inside = |entity: Entity| {
        let shape = app
            .world()
            .entity(entity)
            .get::<Collider>()
            .expect("it has one")
            .shape();
        let (probe, pose) = (
            clearance::dim3::Shape::ball(0.25).expect("it has a size"),
            clearance::dim3::Pose::IDENTITY,
        );
        let placed = |shape| clearance::dim3::Placed::new(shape, &pose);
        clearance::dim3::intersects(placed(shape), placed(&probe)).expect("both are valid")
    };
    assert_eq!(entities.map(inside), [false, true, true]);
}

#[test]
fn a_mesh_that_is_none_of_triangles_is_a_problem() {
    let mut app = app();
    let lines = Mesh::new(PrimitiveTopology::LineList, RenderAssetUsages::default());
    let handle = app.world_mut().resource_mut::<Assets<Mesh>>().add(lines);
    let entity = spawn(&mut app, (Mesh3d(handle), ColliderConstructor::default()));
    app.update();
    let problems: Vec<_> = world3(&app).problems().cloned().collect();
    let [problem] = &problems[..] else {
        panic!("{problems:?}")
    };
    assert_eq!(
        (problem.entity, &problem.cause),
        (
            entity,
            &Cause::Mesh(MeshError::Topology(PrimitiveTopology::LineList))
        )
    );
}

#[test]
fn scenes_get_colliders_by_name_also_for_what_spawns_later() {
    let mut app = app();
    let mesh: Handle<Mesh> = app.world_mut().resource_mut::<Assets<Mesh>>().add(cube());
    let mesh = || Mesh3d(mesh.clone());
    let wanted = ColliderConstructorHierarchy::new(MeshShape::Surface)
        .with_name("Rock", Some(MeshShape::Hull))
        .with_name("Grass", None);
    let scene = spawn(&mut app, wanted);
    app.update();
    let ground = spawn(&mut app, (mesh(), Name::new("Ground"), ChildOf(scene)));
    let rock = spawn(&mut app, (Name::new("Rock"), ChildOf(scene)));
    let primitive = spawn(
        &mut app,
        (mesh(), Name::new("Rock.Primitive"), ChildOf(rock)),
    );
    let grass = spawn(&mut app, (mesh(), Name::new("Grass"), ChildOf(scene)));
    let elsewhere = spawn(&mut app, (mesh(), Name::new("Rock")));
    app.update();
    let found = [ground, primitive, grass, elsewhere].map(|entity| kind(&app, entity));
    assert_eq!(found, [Some("mesh"), Some("hull"), None, None]);
    // Who takes the collider away keeps it away.
    app.world_mut().entity_mut(ground).remove::<Collider>();
    app.update();
    assert_eq!(kind(&app, ground), None);
    let late = spawn(&mut app, (mesh(), ChildOf(scene)));
    app.update();
    assert_eq!(kind(&app, late), Some("mesh"));
}

#[test]
fn meshes_that_were_there_before_the_plugin_stay() {
    let mut app = app3();
    app.add_plugins(AssetPlugin::default());
    app.init_asset::<Mesh>();
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(cube());
    app.add_plugins(ColliderConstructorPlugin::default());
    let wanted = ColliderConstructor(MeshShape::Hull);
    let cube = spawn(&mut app, (Mesh3d(mesh), wanted));
    app.update();
    assert_eq!(kind(&app, cube), Some("hull"));
    // Asked for once more, in place of the collider that is there.
    let solid = ColliderConstructor(MeshShape::Solid);
    insert(&mut app, cube, solid);
    app.update();
    assert_eq!(kind(&app, cube), Some("mesh"));
}

#[test]
fn the_problem_of_a_mesh_stays_as_long_as_its_entity() {
    let mut app = app();
    let points = Mesh::new(PrimitiveTopology::PointList, RenderAssetUsages::default());
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(points);
    let scene = ColliderConstructorHierarchy::new(MeshShape::Surface);
    let scene = spawn(&mut app, scene);
    app.update();
    let child = spawn(&mut app, (Mesh3d(mesh.clone()), ChildOf(scene)));
    let root = ColliderConstructor(MeshShape::Surface);
    let root = spawn(&mut app, (Mesh3d(mesh), root));
    for _ in 0..3 {
        app.update();
        let problems = world3(&app).problems();
        let mut entities: Vec<_> = problems.map(|problem| problem.entity).collect();
        entities.sort();
        let mut expected = [child, root];
        expected.sort();
        assert_eq!(entities, expected);
    }
    app.world_mut().despawn(root);
    app.world_mut().despawn(scene);
    app.update();
    assert_eq!(world3(&app).problems().count(), 0);
}

#[test]
fn a_mesh_that_comes_below_a_scene_later_gets_its_collider() {
    let mut app = app();
    let scene = ColliderConstructorHierarchy::new(MeshShape::Hull);
    let scene = spawn(&mut app, scene);
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(cube());
    let cube = spawn(&mut app, Mesh3d(mesh));
    app.update();
    app.update();
    assert_eq!(kind(&app, cube), None);
    insert(&mut app, cube, ChildOf(scene));
    app.update();
    assert_eq!(kind(&app, cube), Some("hull"));
}

/// What the bodies of a level of eight meshes, in two groups, are like.
fn bodies_of_a_level(app: &mut App, root: impl Bundle) -> (Entity, Vec<Entity>) {
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(cube());
    let hierarchy = ColliderConstructorHierarchy::new(MeshShape::Hull);
    let root = spawn(app, (hierarchy, root));
    let groups = [(); 2].map(|()| {
        spawn(
            app,
            (
                bevy_transform::components::Transform::IDENTITY,
                ChildOf(root),
            ),
        )
    });
    let meshes = groups.into_iter().flat_map(|group| [group; 4]);
    let meshes: Vec<_> = meshes
        .map(|group| (Mesh3d(mesh.clone()), ChildOf(group)))
        .collect();
    let meshes = meshes.into_iter().map(|mesh| spawn(app, mesh)).collect();
    app.update();
    app.update();
    (root, meshes)
}

#[test]
fn the_settings_of_a_hierarchy_hold_for_what_is_made_below_it() {
    let mut app = app();
    let (layers, margin) = (Layers::member_of(4).meeting(3), Margin(0.25));
    let settings = (
        BodyKind::Fixed,
        layers,
        margin,
        InWorld(1),
        Sensor,
        CollisionEvents,
    );
    let (root, meshes) = bodies_of_a_level(&mut app, settings);
    let is_so = |app: &App, (mobility, layers): (BodyKind, Layers)| {
        let world = world3(app).get(InWorld(1)).expect("it is there");
        assert_eq!((world.len(), world3(app).world().len()), (8, 0));
        for body in world.bodies() {
            assert_eq!(body.kind(), mobility.into());
            assert_eq!((body.groups(), body.extra_margin()), (layers.into(), 0.25));
        }
        let entity = |&mesh: &Entity| app.world().entity(mesh);
        let mut meshes = meshes.iter().map(entity);
        assert!(meshes.all(|mesh| mesh.contains::<Sensor>() && mesh.contains::<CollisionEvents>()));
        assert_eq!(world3(app).problems().count(), 0);
    };
    is_so(&app, (BodyKind::Fixed, layers));
    // Also what changes there later.
    insert(&mut app, root, (BodyKind::Moving, Layers::member_of(8)));
    app.update();
    is_so(&app, (BodyKind::Moving, Layers::member_of(8)));
}

#[test]
fn what_has_settings_of_its_own_below_a_hierarchy_keeps_them() {
    let mut app = app();
    let (root, _) = bodies_of_a_level(&mut app, BodyKind::Fixed);
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(cube());
    let door = spawn(&mut app, (Mesh3d(mesh), ChildOf(root), BodyKind::Moving));
    app.update();
    let kinds = world3(&app).world().bodies().map(|body| body.kind());
    assert_eq!(
        kinds
            .filter(|&kind| kind == clearance::BodyKind::Fixed)
            .count(),
        8
    );
    assert_eq!(app.world().get::<BodyKind>(door), Some(&BodyKind::Moving));
}

#[test]
fn a_hierarchy_that_is_a_compound_is_one_body() {
    let mut app = app();
    let settings = (BodyKind::Fixed, Layers::member_of(4), CompoundBody, Sensor);
    bodies_of_a_level(&mut app, settings);
    let world = world3(&app).world();
    assert_eq!((world.len(), world3(&app).problems().count()), (1, 0));
    let body = world.bodies().next().expect("it is there");
    assert_eq!(body.groups(), Layers::member_of(4).into());
    assert_eq!(body.kind(), clearance::BodyKind::Fixed);
}

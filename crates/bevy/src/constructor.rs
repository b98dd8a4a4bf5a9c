//! Colliders from meshes, also from those that load later.

use std::collections::BTreeMap;

use bevy_app::{App, Plugin};
use bevy_asset::{AssetApp, Assets};
use bevy_ecs::intern::Interned;
use bevy_ecs::name::Name;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec3;
use bevy_mesh::{Mesh, Mesh3d, MeshAccessError, PrimitiveTopology};
use bevy_reflect::prelude::*;
use clearance::ShapeError;
use clearance::dim3::Shape;

use crate::problem::ColliderProblem;
use crate::{
    BodyKind, Collider, CollisionEvents, CollisionSystems, CollisionWorld, CompoundBody, InWorld,
    Layers, Margin, PartContacts, Sensor, Swept,
};

/// What a mesh becomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
#[reflect(Debug, Default, PartialEq, Clone)]
pub enum MeshShape {
    /// A surface without an inside: levels.
    #[default]
    Surface,
    /// What the mesh, which must be closed, encloses.
    Solid,
    /// The convex hull of its vertices: what moves and is nearly convex.
    Hull,
}

/// Makes a [`Collider`] of the [`Mesh3d`] of its entity as soon as that is loaded, in place of one that is there, and goes.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[doc(alias = "async_collider")]
pub struct ColliderConstructor(pub MeshShape);

/// Gives a [`ColliderConstructor`] to all descendants with a [`Mesh3d`], also to those that are spawned later: for scenes.
///
/// What is made is as this entity says: [`BodyKind`], [`Layers`], [`Margin`], [`InWorld`], [`Sensor`], [`CollisionEvents`],
/// [`PartContacts`] and [`Swept`], where a descendant has none of its own, and again when one of them changes here. With a
/// [`CompoundBody`] here or above, all are one body.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[doc(alias = "async_scene_collider")]
pub struct ColliderConstructorHierarchy {
    /// What meshes become whose names are not listed; `None` if they get no collider.
    pub default: Option<MeshShape>,
    /// By the name of the entity, or of the nearest of its ancestors that is listed.
    pub by_name: BTreeMap<String, Option<MeshShape>>,
}

impl ColliderConstructorHierarchy {
    /// The same for all meshes.
    #[must_use]
    pub fn new(shape: MeshShape) -> Self {
        Self {
            default: Some(shape),
            by_name: BTreeMap::new(),
        }
    }

    /// Another shape for the meshes of a name and below, or none.
    #[must_use]
    pub fn with_name(mut self, name: &str, shape: Option<MeshShape>) -> Self {
        self.by_name.insert(name.to_owned(), shape);
        self
    }

    /// What a mesh becomes, by the names on the way up from it.
    fn shape_of(&self, path: &[&Name]) -> Option<MeshShape> {
        let listed = path.iter().find_map(|name| self.by_name.get(name.as_str()));
        listed.copied().unwrap_or(self.default)
    }
}

/// Why a mesh makes no collider.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// It is none of triangles, three indices each.
    #[error("mesh: topology is {0:?}, must be TriangleList")]
    Topology(PrimitiveTopology),
    /// Its numbers are with the renderer.
    #[error("mesh: {0}; keep it in the main world by RenderAssetUsages")]
    Access(String),
    /// Its positions are no numbers of single precision.
    #[error("mesh: positions must be of the format Float32x3")]
    Positions,
    /// The engine refused it.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

impl From<MeshAccessError> for MeshError {
    fn from(error: MeshAccessError) -> Self {
        Self::Access(error.to_string())
    }
}

impl Collider<Vec3> {
    /// The shape of a mesh. Vertices at one place count as one, whatever their normals.
    ///
    /// ```
    /// use bevy_asset::RenderAssetUsages;
    /// use bevy_clearance::{MeshShape, dim3::Collider};
    /// use bevy_mesh::{Mesh, PrimitiveTopology};
    ///
    /// let corners = vec![[0.0_f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]];
    /// let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default());
    /// let floor = Collider::from_mesh(&mesh.with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners), MeshShape::Surface)?;
    /// assert_eq!(floor.shape().kind_name(), "mesh");
    /// # Ok::<(), bevy_clearance::MeshError>(())
    /// ```
    ///
    /// # Errors
    /// See [`MeshError`].
    pub fn from_mesh(mesh: &Mesh, shape: MeshShape) -> Result<Self, MeshError> {
        let topology = mesh.primitive_topology();
        if topology != PrimitiveTopology::TriangleList {
            return Err(MeshError::Topology(topology));
        }
        let positions = mesh
            .try_attribute(Mesh::ATTRIBUTE_POSITION)?
            .as_float3()
            .ok_or(MeshError::Positions)?;
        let vertices: Vec<Vec3> = positions.iter().copied().map(Vec3::from).collect();
        if shape == MeshShape::Hull {
            return Ok(Shape::hull(vertices)?.into());
        }
        let indices: Vec<u32> = match mesh.try_indices_option()? {
            Some(indices) => indices.iter().map(|index| index as u32).collect(),
            None => (0..vertices.len() as u32).collect(),
        };
        let triangles: Vec<[u32; 3]> = indices
            .chunks_exact(3)
            .map(|corners| [corners[0], corners[1], corners[2]])
            .collect();
        let surface = Shape::mesh_welded(vertices, triangles)?;
        Ok(match shape {
            MeshShape::Solid => surface.solid()?,
            _ => surface,
        }
        .into())
    }
}

/// Makes colliders of meshes in the schedule of the [`CollisionPlugin`](crate::CollisionPlugin) of space, before what changed is collected.
///
/// Add it after the plugins of Bevy that know of assets and meshes.
#[derive(Clone, Debug)]
pub struct ColliderConstructorPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for ColliderConstructorPlugin {
    fn default() -> Self {
        Self::in_schedule(bevy_app::FixedPostUpdate)
    }
}

impl ColliderConstructorPlugin {
    /// In another schedule: that in which the [`CollisionPlugin`](crate::CollisionPlugin) is.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl Plugin for ColliderConstructorPlugin {
    fn build(&self, app: &mut App) {
        // Once more would take away the meshes that are there.
        if !app.world().contains_resource::<Assets<Mesh>>() {
            app.init_asset::<Mesh>();
        }
        app.register_type::<ColliderConstructor>()
            .register_type::<ColliderConstructorHierarchy>();
        app.add_systems(
            self.schedule,
            (pass_on, construct_below, construct)
                .chain()
                .before(CollisionSystems::Propagate),
        );
    }
}

/// A mesh that may want a collider.
type Bare<'a> = (Entity, Ref<'a, Mesh3d>, Option<Ref<'a, ChildOf>>);

/// That it has none, and waits for none.
type IsBare = (Without<Collider<Vec3>>, Without<ColliderConstructor>);

/// The settings of a hierarchy, which hold for what is made below it.
#[derive(QueryData)]
struct Settings {
    kind: Option<&'static BodyKind>,
    layers: Option<&'static Layers>,
    margin: Option<&'static Margin>,
    world: Option<&'static InWorld>,
    sensor: Option<&'static Sensor>,
    events: Option<&'static CollisionEvents>,
    parts: Option<&'static PartContacts>,
    swept: Option<&'static Swept>,
}

impl SettingsItem<'_, '_> {
    /// Gives those that are there to an entity.
    fn give(&self, to: &mut EntityCommands<'_>, how: Giving) {
        macro_rules! give {
            ($($setting:ident),*) => {
                $(match (self.$setting, how) {
                    (Some(&setting), Giving::IfNew) => _ = to.insert_if_new(setting),
                    (Some(&setting), Giving::Anew) => _ = to.insert(setting),
                    (None, _) => {}
                })*
            };
        }
        give!(kind, layers, margin, world, sensor, events, parts, swept);
    }
}

/// Whether settings replace those that are there.
#[derive(Clone, Copy)]
enum Giving {
    IfNew,
    Anew,
}

/// Marks what was made below a hierarchy.
#[derive(Component)]
struct MadeBelow;

/// That a setting of a hierarchy changed.
type HasOtherSettings = (
    With<ColliderConstructorHierarchy>,
    Or<(
        Changed<BodyKind>,
        Changed<Layers>,
        Changed<Margin>,
        Changed<InWorld>,
        Changed<Sensor>,
        Changed<CollisionEvents>,
        Changed<PartContacts>,
        Changed<Swept>,
    )>,
);

/// What is above a mesh.
#[derive(SystemParam)]
struct Above<'w, 's> {
    hierarchies: Query<'w, 's, (Ref<'static, ColliderConstructorHierarchy>, Settings)>,
    compounds: Query<'w, 's, (), With<CompoundBody>>,
    parents: Query<'w, 's, &'static ChildOf>,
    names: Query<'w, 's, &'static Name>,
}

/// Gives what was made below a hierarchy the settings that changed there.
fn pass_on(
    mut commands: Commands,
    changed: Query<Settings, HasOtherSettings>,
    made: Query<Entity, With<MadeBelow>>,
    above: Above<'_, '_>,
) {
    if changed.is_empty() {
        return;
    }
    for entity in &made {
        let mut ancestors = above.parents.iter_ancestors(entity);
        let root = ancestors.find(|&ancestor| above.hierarchies.contains(ancestor));
        if let Some(settings) = root.and_then(|root| changed.get(root).ok()) {
            settings.give(&mut commands.entity(entity), Giving::Anew);
        }
    }
}

fn construct_below(mut commands: Commands, above: Above<'_, '_>, meshes: Query<Bare<'_>, IsBare>) {
    let mut hierarchies = above.hierarchies.iter();
    let is_new_hierarchy = hierarchies.any(|(hierarchy, _)| hierarchy.is_changed());
    for (entity, mesh, parent) in &meshes {
        // What was looked at before got a collider, or is to have none.
        let is_new = mesh.is_added() || parent.is_some_and(|parent| parent.is_changed());
        if !is_new && !is_new_hierarchy {
            continue;
        }
        let way_up = || core::iter::once(entity).chain(above.parents.iter_ancestors(entity));
        let mut path = Vec::new();
        for root in way_up() {
            let Ok((hierarchy, settings)) = above.hierarchies.get(root) else {
                path.extend(above.names.get(root));
                continue;
            };
            if (is_new || hierarchy.is_changed())
                && let Some(shape) = hierarchy.shape_of(&path)
            {
                let mut made = commands.entity(entity);
                made.insert(ColliderConstructor(shape));
                // A part of a compound is as its body.
                if root != entity && !way_up().any(|above_it| above.compounds.contains(above_it)) {
                    settings.give(&mut made, Giving::IfNew);
                    made.insert(MadeBelow);
                }
            }
            break;
        }
    }
}

fn construct(
    mut commands: Commands,
    waiting: Query<(Entity, &Mesh3d, &ColliderConstructor)>,
    meshes: Res<Assets<Mesh>>,
    mut world: ResMut<CollisionWorld<Vec3>>,
) {
    for (entity, mesh, constructor) in &waiting {
        let Some(mesh) = meshes.get(&mesh.0) else {
            continue;
        };
        commands.entity(entity).remove::<ColliderConstructor>();
        match Collider::from_mesh(mesh, constructor.0) {
            Ok(collider) => _ = commands.entity(entity).insert(collider),
            Err(error) => world.refuse(entity, ColliderProblem::new(entity, error)),
        }
    }
}

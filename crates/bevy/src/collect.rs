//! From entities to bodies: what changed since the last step is sent to the worlds.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_transform::components::{GlobalTransform, Transform};

use crate::changes::{self, Altered, Changes, Watched};
use crate::family::{Family, Past};
use crate::records::Record;
use crate::world::{CollisionWorld, Followed};
use crate::{Space, Velocity, WorldOrigin};

/// What changed.
#[derive(SystemParam)]
pub(crate) struct News<'w, 's, V: Space> {
    changes: ResMut<'w, Changes<V>>,
    altered: Altered<'w, 's, V>,
    roots: Watched<'w, 's, Transform, changes::Roots<V>>,
    children: Watched<'w, 's, GlobalTransform, changes::Children<V>>,
    velocities: Watched<'w, 's, Velocity<V>, changes::Bodies<V>>,
    origin: Res<'w, WorldOrigin<V>>,
}

/// Sends what changed to the worlds.
pub(crate) fn collect<V: Space>(
    mut news: News<'_, '_, V>,
    family: Family<'_, '_, V>,
    mut world: ResMut<CollisionWorld<V>>,
) {
    let world = &mut *world;
    world.forget_problems(|entity| family.alive.contains(entity));
    let mut changed: Vec<Entity> = news.changes.entities.drain().collect();
    for entity in news.changes.families.drain() {
        family.colliders_below(entity, &mut changed);
    }
    news.altered.add_to(&mut changed);
    changed.extend(world.take_suspects());
    if world.origin != news.origin.position {
        world.origin = news.origin.position;
        changed.extend(world.records.iter().map(|record| record.entity));
    }
    news.velocities.each_changed(|entity, &velocity| {
        if !world.accelerate(entity, velocity) {
            changed.push(entity);
        }
    });
    follow(world, &news, &family, &mut changed);
    if !changed.is_empty() {
        renew(world, &family, &news.changes, &changed);
        for entity in changed {
            if !family.ranked.contains(entity) {
                news.changes.forget(entity);
            }
            if !family.entities.contains(entity) {
                world.ignored.forget(entity);
            }
        }
    }
}

/// Moves the bodies that moved, and adds those to `changed` of which more than the pose did.
fn follow<V: Space>(
    world: &mut CollisionWorld<V>,
    news: &News<'_, '_, V>,
    family: &Family<'_, '_, V>,
    changed: &mut Vec<Entity>,
) {
    // Compounds of which a part may have moved in them.
    let mut compounds = Vec::new();
    let mut note = |entity, has_followed| match has_followed {
        Some(Followed::Whole) => {}
        Some(Followed::Compound) => compounds.push(entity),
        // What was not sent yet will be found to be new, and what was refused may be all right now.
        Some(Followed::Not) | None => changed.push(entity),
    };
    news.roots.each_changed(|entity, transform| {
        note(entity, world.follow(entity, || V::place(transform)));
    });
    news.children.each_changed(|entity, global| {
        let followed = world.follow(entity, || V::place_affine(&global.affine()));
        match world.records.owner(entity).filter(|_| followed.is_none()) {
            Some(owner) => note(owner, Some(Followed::Compound)),
            None => note(entity, followed),
        }
    });
    compounds.sort_unstable();
    compounds.dedup();
    for owner in compounds {
        let record = world.records.get(owner);
        let mut members = record.into_iter().flat_map(Record::members);
        if members.any(|member| member.frame != family.frame(member.collider, owner)) {
            changed.push(owner);
        }
    }
}

/// Makes the bodies anew to which entities belong or belonged: first those that go, then the others in order.
fn renew<V: Space>(
    world: &mut CollisionWorld<V>,
    family: &Family<'_, '_, V>,
    changes: &Changes<V>,
    changed: &[Entity],
) {
    let mut owners = Vec::with_capacity(changed.len());
    for &entity in changed {
        owners.extend(family.owner(entity));
        owners.extend(world.records.owner(entity));
        owners.extend(world.records.hanging_on(entity));
        owners.push(entity);
    }
    owners.extend(world.troubled());
    owners.sort_unstable();
    owners.dedup();
    owners.sort_by_cached_key(|&owner| {
        let known = world.records.get(owner);
        let known = known.map(|record| (record.world, record.body));
        family.order(owner, known, changes)
    });
    let mut stay = Vec::with_capacity(owners.len());
    for owner in owners {
        match family.describe(owner, &Past { world, changes }) {
            Some(Ok(description)) => stay.push(description),
            Some(Err(problem)) => world.refuse(owner, problem),
            None => world.remove(owner),
        }
    }
    for description in stay {
        world.put(description);
    }
}

// One source for both dimensions, included by `plane.rs` and `space.rs`.

/// The box of a form.
fn bounds(form: &Form, pose: &Pose) -> Aabb {
    form.as_shape().compute_aabb(pose)
}

/// What `parry::query::contact` computes for the pair, without looking the types up.
#[must_use]
pub fn contact(
    cuboids: Cuboids,
    b_in_a: &Pose,
    (a, b): (&Form, &Form),
    within: f32,
) -> Option<Contact> {
    match (a, b) {
        (Form::Surface(_), _) | (_, Form::Surface(_)) => {
            let (a, b) = (a.as_shape(), b.as_shape());
            let near = parry::query::QueryDispatcher::contact(
                &parry::query::DefaultQueryDispatcher,
                b_in_a,
                a,
                b,
                within,
            );
            near.ok().flatten()
        }
        (Form::Ball(a), Form::Ball(b)) => details::contact_ball_ball(b_in_a, a, b, within),
        (Form::Ball(a), b) => with_support!(b, b =>
            details::contact_ball_convex_polyhedron(b_in_a, a, b, within)),
        (a, Form::Ball(b)) => with_support!(a, a =>
            details::contact_convex_polyhedron_ball(b_in_a, a, b, within)),
        (Form::Cuboid(a), Form::Cuboid(b)) if cuboids == Cuboids::SeparatingAxes => {
            details::contact_cuboid_cuboid(b_in_a, a, b, within)
        }
        (a, b) => with_support!(a, a => with_support!(b, b =>
            details::contact_support_map_support_map(b_in_a, a, b, within))),
    }
}

/// What `parry::query::closest_points` computes for two shapes that are no balls.
#[must_use]
pub fn closest_points(b_in_a: &Pose, (a, b): (&Form, &Form), within: f32) -> ClosestPoints {
    with_support!(a, a => with_support!(b, b =>
        details::closest_points_support_map_support_map(b_in_a, a, b, within)))
}

/// What `parry::query::intersection_test` computes for two shapes that are no balls.
#[must_use]
pub fn intersects(b_in_a: &Pose, (a, b): (&Form, &Form)) -> bool {
    with_support!(a, a => with_support!(b, b =>
        details::intersection_test_support_map_support_map(b_in_a, a, b)))
}

/// The form of every body; bodies that name a shape share it.
fn forms(scene: &Scene<Dimension>) -> Result<Vec<Form>, Box<dyn Error>> {
    let mut named = BTreeMap::new();
    for (name, shape) in &scene.shapes {
        named.insert(name, Form::new(shape).ok_or("a shape that parry lacks")?);
    }
    let of_body = |body: &SceneBody<Dimension>| match &body.shape {
        BodyShape::Named(name) => named.get(name).cloned(),
        BodyShape::Own(shape) => Form::new(shape),
    };
    let forms: Option<Vec<Form>> = scene.bodies.iter().map(of_body).collect();
    forms.ok_or_else(|| "a shape that parry lacks".into())
}

impl Compared for Dimension {
    fn engine(peer: Peer, film: &Film<Self>) -> Result<Box<dyn Engine<Self>>, Box<dyn Error>> {
        let by_hand = |upkeep, cuboids| ByHand::new(film, upkeep, cuboids);
        Ok(match peer {
            Peer::Clearance => Box::new(Clearance::new(film, 1)?),
            Peer::ClearanceManifolds => Box::new(Clearance::new(film, 1)?.with_manifolds()?),
            Peer::ClearanceTwoThreads => Box::new(Clearance::new(film, 2)?.with_manifolds()?),
            Peer::Parry => Box::new(by_hand(Upkeep::Refit, Cuboids::AsContact)?),
            Peer::ParryAxes => Box::new(by_hand(Upkeep::Refit, Cuboids::SeparatingAxes)?),
            Peer::ParryRebuilt => Box::new(by_hand(Upkeep::Rebuild, Cuboids::AsContact)?),
            Peer::ParryManifolds => {
                Box::new(by_hand(Upkeep::Refit, Cuboids::AsContact)?.with_manifolds())
            }
            Peer::Rapier => Box::new(Pipeline::new(film)?),
        })
    }

    fn take(film: AnyFilm) -> Option<Film<Self>> {
        into_dimension(film)
    }
}

//! Recordings and live worlds are played, and gone on with.

use clearance_math::{Pose, Vec2};
use clearance_recording::{Encoder, EncoderOptions};
use clearance_scene::{RunOptions, SceneKind, SceneRunner, generate};
use clearance_shapes::Shape;
use clearance_world::{Body, BodyId};
use serde_json::{Value, json};

use crate::page::Page;

const DT: f32 = 1.0 / 60.0;

/// The blocks of each frame of a scene, and its hashes. In frame `moved`, if there is one, a body is put elsewhere.
fn recorded(frames: u64, moved: Option<u64>) -> (Vec<Vec<u8>>, Vec<String>) {
    let scene = generate(SceneKind::Mixed2, 60, 5).into_plane().unwrap();
    let mut runner = SceneRunner::new(&scene, RunOptions::default()).unwrap();
    let mut encoder = Encoder::new(EncoderOptions::default());
    let (mut blocks, mut hashes) = (Vec::new(), Vec::new());
    for frame in 1..=frames {
        if moved == Some(frame) {
            let [a, b] = [3, 17].map(|k| runner.world().bodies().ids().nth(k).unwrap());
            let target = *runner.world().body(b).unwrap().pose();
            runner
                .world_mut()
                .body_mut(a)
                .unwrap()
                .set_pose(target)
                .unwrap();
        }
        runner.step(DT).unwrap();
        let mut block = Vec::new();
        encoder.frame(runner.world(), &mut block).unwrap();
        blocks.push(block);
        hashes.push(format!("{:016x}", runner.world().contacts_hash()));
    }
    (blocks, hashes)
}

fn play(page: &mut Page, blocks: &[Vec<u8>]) -> Value {
    page.ask_with(&json!({ "do": "world.play" }), &blocks.concat())
        .json
}

#[test]
fn a_recording_plays_with_the_hashes_that_it_holds() {
    let (blocks, hashes) = recorded(40, None);
    let mut page = Page::new();
    let loaded = play(&mut page, &blocks);
    assert_eq!(
        (&loaded["source"], &loaded["dimension"]),
        (&json!("recording"), &json!(2))
    );
    assert_eq!(
        (&loaded["bodies"], &loaded["frames"]),
        (&json!(60), &json!(41))
    );
    // Frame 0 is the world before its first step.
    assert_eq!((&loaded["first"], &loaded["last"]), (&json!(0), &json!(40)));
    let at = |frame: &Value| hashes[frame["frame"].as_u64().unwrap() as usize - 1].clone();
    for frame in [40, 4, 21, 1, 12] {
        let sought = page.told(&json!({ "do": "world.seek", "frame": frame }));
        assert_eq!(sought["hash"], at(&sought));
    }
    let stepped = page.told(&json!({ "do": "world.step", "dt": 0.5, "count": 7 }));
    assert_eq!(stepped["frame"], 19);
    assert_eq!(
        (&stepped["hash"], &stepped["recorded_hash"]),
        (&json!(at(&stepped)), &json!(at(&stepped)))
    );
    let end = page.told(&json!({ "do": "world.step", "dt": DT, "count": 100 }));
    assert_eq!(end["frame"], loaded["last"]);
}

#[test]
fn a_recording_is_gone_on_with_where_it_was_left() {
    let (blocks, _) = recorded(20, None);
    let mut page = Page::new();
    let first = play(&mut page, &blocks)["first"].as_u64().unwrap();
    page.ask(&json!({ "do": "world.seek", "frame": first + 9 }));
    let before = page.told(&json!({ "do": "world.frame" }));
    let forked = page.told(&json!({ "do": "world.fork" }));
    assert_eq!(
        (&forked["source"], &forked["frame"]),
        (&json!("scene"), &before["frame"])
    );
    assert_eq!(
        page.told(&json!({ "do": "world.frame" }))["hash"],
        before["hash"]
    );
    // It has no end any more.
    let later = page.told(&json!({ "do": "world.step", "dt": DT, "count": 30 }));
    assert_eq!(later["frame"], first + 39);

    // Who moves a body goes on, too.
    play(&mut page, &blocks);
    let moved = json!({ "do": "world.move", "index": 3, "translation": [0, 0, 0] });
    assert_eq!(page.told(&moved)["recorded_hash"], Value::Null);
    assert_eq!(
        page.told(&json!({ "do": "world.body", "index": 3 }))["translation"],
        json!([0.0, 0.0, 0.0])
    );
}

#[test]
fn a_live_world_is_followed_until_a_frame_is_sought() {
    let (blocks, hashes) = recorded(40, None);
    let mut page = Page::new();
    assert_eq!(page.told(&json!({ "do": "world.live" }))["source"], "live");
    let mut frame = Value::Null;
    for (number, block) in blocks.iter().enumerate() {
        frame = page.ask_with(&json!({ "do": "world.block" }), block).json;
        assert_eq!(frame["opened"].is_object(), number == 0);
        assert_eq!(frame["hash"], hashes[number]);
    }
    assert!(frame["last"].as_u64().unwrap() > frame["first"].as_u64().unwrap() + 30);
    // The last frames can be gone to, whichever of them the history keeps, and gone on from.
    let last = frame["last"].as_u64().unwrap();
    let place = |shown: &Value| hashes.len() - 1 - (last - shown.as_u64().unwrap()) as usize;
    let seek = |frame: u64| json!({ "do": "world.seek", "frame": frame });
    let sought = page.told(&seek(last));
    assert_eq!(
        (&sought["frame"], &sought["hash"]),
        (&json!(last), &json!(hashes[39]))
    );
    let on = json!({ "do": "world.step", "dt": DT, "count": 3 });
    let stepped = page.told(&on);
    assert_eq!(
        (&stepped["frame"], &stepped["last"]),
        (&json!(last + 3), &json!(last + 3))
    );
    assert_eq!(page.told(&seek(last))["hash"], hashes[39]);
    for wanted in [last - 1, last - 13] {
        let sought = page.told(&seek(wanted));
        let shown = sought["frame"].as_u64().unwrap();
        assert!(shown <= wanted && wanted < shown + 8);
        assert_eq!(sought["hash"], hashes[place(&sought["frame"])]);
    }
    let refused = page.raw(r#"{"do": "world.block"}"#, &blocks[39]);
    assert_eq!(refused["error"], "no live world is followed");
}

#[test]
fn damage_is_told_and_the_frames_before_it_play() {
    let (blocks, hashes) = recorded(30, None);
    let bytes = blocks.concat();
    let mut page = Page::new();
    let loaded = page
        .ask_with(&json!({ "do": "world.play" }), &bytes[..bytes.len() - 3])
        .json;
    assert_eq!(loaded["frames"], 30);
    assert!(
        loaded["damage"].as_str().unwrap().contains("byte"),
        "{loaded}"
    );
    let last = page.told(&json!({ "do": "world.seek", "frame": loaded["last"] }));
    assert_eq!(last["hash"], hashes[28]);
    for bytes in [&b"no recording"[..], &[], &bytes[..20]] {
        assert!(page.raw(r#"{"do": "world.play"}"#, bytes)["error"].is_string());
        assert_eq!(
            page.told(&json!({ "do": "world.frame" }))["hash"],
            hashes[28]
        );
    }
}

#[test]
fn what_comes_and_goes_is_drawn_anew() {
    let mut world = clearance_world::World::<Vec2>::default();
    let mut encoder = Encoder::new(EncoderOptions::default());
    let ball = |radius, x| {
        let pose = Pose::from_translation(Vec2::new(x, 0.0));
        Body::moving(Shape::ball(radius).unwrap(), pose)
    };
    let first = world.insert(ball(1.0, 0.0)).unwrap();
    let mut page = Page::new();
    page.ask(&json!({ "do": "world.live" }));
    let mut frame = |world: &mut clearance_world::World<Vec2>| {
        world.step(DT).unwrap();
        let mut block = Vec::new();
        encoder.frame(world, &mut block).unwrap();
        let answer = page.ask_with(&json!({ "do": "world.block" }), &block).json;
        let shapes = page.ask(&json!({ "do": "world.shapes" }));
        let numbers = shapes.integers(&shapes.json["body_shapes"]).to_vec();
        (answer["layout"].as_u64().unwrap(), numbers)
    };
    let (layout, numbers) = frame(&mut world);
    assert_eq!(numbers, [0]);
    assert_eq!(frame(&mut world).0, layout);
    world.insert(ball(1.0, 3.0)).unwrap();
    let last: BodyId = world.insert(ball(2.0, 9.0)).unwrap();
    let (second, numbers) = frame(&mut world);
    assert_eq!((second > layout, numbers), (true, vec![0, 0, 1]));
    world.remove(first).unwrap();
    world
        .body_mut(last)
        .unwrap()
        .set_shape(Shape::ball(1.0).unwrap());
    let (third, numbers) = frame(&mut world);
    assert_eq!((third > second, numbers), (true, vec![0, 0]));
}

#[test]
fn recordings_are_compared_to_the_first_difference() {
    let (left, _) = recorded(30, None);
    let (right, _) = recorded(30, Some(12));
    let mut page = Page::new();
    let error = page.error(&json!({ "do": "compare.find" }));
    assert_eq!(error, "load a left and a right recording first");
    let load = |page: &mut Page, side: &str, blocks: &[Vec<u8>]| {
        let request = json!({ "do": "compare.load", "side": side });
        page.ask_with(&request, &blocks.concat()).json
    };
    let loaded = load(&mut page, "left", &left);
    assert_eq!(loaded["frames"], 31);
    load(&mut page, "right", &left);
    assert_eq!(
        page.told(&json!({ "do": "compare.find" }))["frame"],
        Value::Null
    );

    load(&mut page, "right", &right);
    let found = page.told(&json!({ "do": "compare.find" }));
    assert_eq!(found["frame"], 12, "{found}");
    let contacts = found["contacts"].as_array().unwrap();
    // The body was put onto body 17, and that is all that is different.
    assert!(
        contacts
            .iter()
            .all(|contact| contact["a"] == 3 || contact["b"] == 3)
    );
    let new = contacts.iter().find(|contact| contact["b"] == 17).unwrap();
    assert!(new["left"].is_null() && new["right"]["distance"].as_f64().unwrap() < 0.0);
    for side in ["left", "right"] {
        let request = json!({ "do": "compare.frame", "side": side, "frame": found["frame"] });
        let frame = page.ask(&request);
        assert_eq!(frame.floats(&frame.json["poses"]).len(), 7 * 60);
        let shapes = page.told(&json!({ "do": "compare.shapes", "side": side }));
        assert!(!shapes["shapes"].as_array().unwrap().is_empty());
    }
}

//! Answers the few requests that the checks of this crate need: a generated scene, and its frames.

use std::time::Duration;

use clearance_math::{Real, Vec2, Vec3};
use clearance_scene::{AnyScene, FileVector, RunOptions, SceneKind, SceneRunner, generate};
use serde::Deserialize;
use serde_json::{Value, json};

/// The reply to a request.
#[derive(Default)]
pub(crate) struct Reply {
    /// `{"ok": …}` or `{"error": "…"}`.
    pub(crate) json: String,
    /// The numbers that the JSON refers to.
    pub(crate) binary: Vec<u8>,
}

pub(crate) struct Playground {
    clock: fn() -> Duration,
    world: Option<AnyRunner>,
    frame: u64,
}

enum AnyRunner {
    Plane(SceneRunner<Vec2>),
    Space(SceneRunner<Vec3>),
}

#[derive(Deserialize)]
#[serde(tag = "do")]
enum Request {
    #[serde(rename = "world.kinds")]
    Kinds,
    #[serde(rename = "world.generate")]
    Generate {
        kind: String,
        count: usize,
        seed: u64,
    },
    #[serde(rename = "world.step")]
    Step { dt: Real, count: Option<u32> },
}

impl Playground {
    pub(crate) fn new(clock: fn() -> Duration) -> Self {
        Self {
            clock,
            world: None,
            frame: 0,
        }
    }

    pub(crate) fn handle(&mut self, request: &str, _attachment: &[u8]) -> Reply {
        let answer = serde_json::from_str(request)
            .map_err(|error| error.to_string())
            .and_then(|request| self.answer(request));
        let json = match answer {
            Ok(answer) => json!({ "ok": answer }),
            Err(sentence) => json!({ "error": sentence }),
        };
        Reply {
            json: json.to_string(),
            binary: Vec::new(),
        }
    }

    fn answer(&mut self, request: Request) -> Result<Value, String> {
        match request {
            Request::Kinds => {
                let kinds = SceneKind::ALL.map(|kind| json!({ "name": kind.name() }));
                Ok(json!({ "kinds": kinds }))
            }
            Request::Generate { kind, count, seed } => {
                let kind: SceneKind = kind.parse().map_err(|error| format!("kind: {error}"))?;
                self.frame = 0;
                self.world = Some(AnyRunner::new(&generate(kind, count, seed))?);
                Ok(json!({ "bodies": count, "frame": 0 }))
            }
            Request::Step { dt, count } => self.step(dt, count.unwrap_or(1)),
        }
    }

    fn step(&mut self, dt: Real, count: u32) -> Result<Value, String> {
        let world = self.world.as_mut().ok_or("no scene is open")?;
        let begun = (self.clock)();
        for _ in 0..count {
            match world {
                AnyRunner::Plane(runner) => step(runner, dt)?,
                AnyRunner::Space(runner) => step(runner, dt)?,
            }
        }
        let taken = (self.clock)() - begun;
        self.frame += u64::from(count);
        let hash = match world {
            AnyRunner::Plane(runner) => runner.world().contacts_hash(),
            AnyRunner::Space(runner) => runner.world().contacts_hash(),
        };
        Ok(
            json!({ "frame": self.frame, "hash": format!("{hash:016x}"), "milliseconds": 1e3 * taken.as_secs_f64() }),
        )
    }
}

impl AnyRunner {
    fn new(scene: &AnyScene) -> Result<Self, String> {
        let options = RunOptions::default();
        let world = match scene {
            AnyScene::Plane(scene) => SceneRunner::new(scene, options).map(Self::Plane),
            AnyScene::Space(scene) => SceneRunner::new(scene, options).map(Self::Space),
        };
        world.map_err(|error| error.to_string())
    }
}

fn step<V: FileVector>(runner: &mut SceneRunner<V>, dt: Real) -> Result<(), String> {
    runner.step(dt).map_err(|error| format!("dt: {error}"))
}

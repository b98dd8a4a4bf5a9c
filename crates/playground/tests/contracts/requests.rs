//! Whatever the page sends, it gets an answer, and what was open stays open.

use serde_json::json;

use crate::page::Page;

#[test]
fn what_is_not_a_request_is_refused_by_name() {
    let mut page = Page::new();
    for (request, part) in [
        ("", "request: EOF"),
        ("{}", "missing field `do`"),
        (r#"{"do": "world.fly"}"#, "unknown variant `world.fly`"),
        (
            r#"{"do": "world.step", "dt": 0.1, "count": -1}"#,
            "invalid value: integer `-1`",
        ),
        (
            r#"{"do": "world.step", "dt": 0.1, "count": 1, "speed": 2}"#,
            "unknown field `speed`",
        ),
        (
            r#"{"do": "world.boxes", "of": "trees"}"#,
            "unknown variant `trees`",
        ),
    ] {
        let answer = page.raw(request, &[]);
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains(part), "{request}: {error}");
    }
}

#[test]
fn a_world_that_is_not_there_is_asked_for() {
    let mut page = Page::new();
    for request in ["frame", "shapes", "save"] {
        let error = page.error(&json!({ "do": format!("world.{request}") }));
        assert_eq!(error, "no world is open: load or generate a scene first");
    }
}

#[test]
fn errors_leave_what_was_open() {
    let mut page = Page::new();
    page.ask(&json!({ "do": "world.generate", "kind": "mixed2", "count": 40, "seed": 3 }));
    let frame = json!({ "do": "world.step", "dt": 0.0625, "count": 5 });
    page.ask(&frame);
    let hash = page.told(&json!({ "do": "world.frame" }))["hash"].clone();
    for (request, part) in [
        (
            json!({ "do": "world.generate", "kind": "cars", "count": 4, "seed": 3 }),
            "cars",
        ),
        (
            json!({ "do": "world.generate", "kind": "balls", "count": 100_000_000, "seed": 3 }),
            "at most",
        ),
        (
            json!({ "do": "world.load", "scene": "{\"dimension\": 4}" }),
            "dimension",
        ),
        (json!({ "do": "world.step", "dt": -1.0, "count": 1 }), "-1"),
        (
            json!({ "do": "world.step", "dt": 0.1, "count": 1_000_000 }),
            "count is 1000000",
        ),
        (
            json!({ "do": "world.seek", "frame": 6 }),
            "frame is 6, must be from 0 to 5",
        ),
        (
            json!({ "do": "world.body", "index": 40 }),
            "index is 40, must be less than 40",
        ),
        (
            json!({ "do": "world.contact", "number": 4000 }),
            "number is 4000, must be less than",
        ),
        (
            json!({ "do": "world.pick", "origin": [0, 0, 0] }),
            "either origin and direction",
        ),
        (
            json!({ "do": "world.pick", "origin": [0, 0, 0], "direction": [0, 0, 1] }),
            "direction",
        ),
        (
            json!({ "do": "world.move", "index": 0, "translation": [0, 0, 0], "rotation": [0, 0, 0, 0] }),
            "rotation",
        ),
        (
            json!({ "do": "pair.trace", "line": "{\"dimension\": 2}" }),
            "a: missing",
        ),
    ] {
        let error = page.error(&request);
        assert!(error.contains(part), "{request}: {error}");
        assert_eq!(page.told(&json!({ "do": "world.frame" }))["hash"], hash);
    }
}

//! The page of a running game.

use serde_json::json;

use super::served::Served;
use crate::common::run;

#[test]
fn the_page_is_told_where_the_game_is() {
    for address in ["127.0.0.1:40123", "ws://127.0.0.1:40123/"] {
        let served = Served::new(&["--attach", address]);
        let live = "ws://127.0.0.1:40123";
        let expected = json!({"open": "world", "kind": null, "name": null, "input": null, "live": live, "report": null});
        assert_eq!(served.session(), expected);
        assert_eq!(
            served.follow(None).map(drop),
            Err(404),
            "the game is elsewhere"
        );
    }
    let served = Served::new(&["--attach", "console.example:7000"]);
    let page = served.get("/");
    let policy = page.header("content-security-policy");
    assert!(policy.contains("ws://console.example:7000"), "{policy}");
}

#[test]
fn addresses_that_cannot_be_one_are_refused() {
    for address in [
        "",
        "localhost",
        "localhost:70000",
        "http://localhost:80",
        "a b:80",
    ] {
        run(&["view", "--attach", address]).assert_refused("must be a host and a port");
    }
    run(&["view", "scene.json", "--attach", "127.0.0.1:80"]).assert_refused("cannot be used with");
}

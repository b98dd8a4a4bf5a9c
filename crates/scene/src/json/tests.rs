//! The tree against serde_json, and what serde_json does not do.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::parser::{Document, Elements};
use super::{Node, Value};

/// The tree in serde_json's terms.
fn converted(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Null => serde_json::Value::Null,
        Value::String(string) => string.as_ref().into(),
        Value::List(nodes) => nodes.iter().map(converted).collect(),
        Value::UnreadList => Elements::new(node).map(|node| converted(&node)).collect(),
        Value::Object(members) => members
            .iter()
            .map(|member| (member.key.to_string(), converted(&member.node)))
            .collect(),
        _ => serde_json::from_str(node.text).unwrap(),
    }
}

fn fault(text: &str) -> String {
    Document::read(text, None).fault.unwrap().to_string()
}

#[test]
fn reads_what_serde_json_reads() {
    let text = "\u{feff} {\"a\" : [1, -2.5e3, 0, -0.0, 1E+2, [], {}], \"\": {\"b\":null},\r\n\
        \"s\\u00e9\\n\": \"\\ud83d\\ude00 \\\"\\\\\\/\\b\\f\\t\", \"t\": true, \"f\": false}\n ";
    let expected: serde_json::Value = serde_json::from_str(&text[3..]).unwrap();
    for unread in [None, Some("a")] {
        let document = Document::read(text, unread);
        assert_eq!(document.fault, None);
        assert_eq!(converted(&document.node), expected);
    }
}

#[test]
fn accepts_exactly_what_serde_json_accepts() {
    let seed = r#"{"a":[1,-2.5e3,{"b":"c\u0041\n"},null,true],"d":{"e":0.5}}"#;
    let alphabet = br#"{}[],:"\ntrue0123.-+eE x"#;
    let mut random = Pcg64::seed_from_u64(1);
    let mut pick = |count: usize| (random.next_u64() % count as u64) as usize;
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut bytes = seed.as_bytes().to_vec();
        for _ in 0..1 + pick(2) {
            let at = pick(bytes.len());
            match pick(3) {
                0 => bytes[at] = alphabet[pick(alphabet.len())],
                1 => bytes.insert(at, alphabet[pick(alphabet.len())]),
                _ => bytes.truncate(at + 1),
            }
        }
        let text = String::from_utf8(bytes).unwrap();
        let expected = serde_json::from_str::<serde_json::Value>(&text).ok();
        let expected = expected.filter(serde_json::Value::is_object);
        let document = Document::read(&text, None);
        assert_eq!(document.fault.is_none(), expected.is_some(), "{text}");
        if let Some(expected) = expected {
            accepted += 1;
            assert_eq!(converted(&document.node), expected, "{text}");
        }
    }
    assert!(accepted > 1_000, "{accepted}");
}

#[test]
fn a_mistake_is_named_with_its_path_and_its_place() {
    assert_eq!(
        fault(r#"{"a": {"b": [1, x]}}"#),
        "a.b[1]: expected a value; strings need quotes (column 17)"
    );
    assert_eq!(
        fault(r#"{"a": 01}"#),
        "a: a number that is not written as JSON wants it (column 7)"
    );
    assert_eq!(
        fault(r#"{"a": [1"#),
        "a: the text ends before `]` (column 9)"
    );
    assert_eq!(
        fault("{\"a\": [1,\n],}"),
        "a: a comma too many before `]` (column 9)"
    );
    assert_eq!(
        fault("{\"a\": 1,\n}"),
        "a comma too many before `}` (column 8)"
    );
    assert_eq!(
        fault("{\"a\": 1, // one\n \"b\": 2}"),
        "expected the name of a field in quotes; JSON has no comments (column 10)"
    );
    assert_eq!(fault(""), "empty, must be an object (column 1)");
    assert_eq!(fault("[]"), "must be an object: {...}");
    assert_eq!(
        fault("{} {}"),
        "more text behind the end of the object (column 4)"
    );
    let deep = format!("{{\"a\": {}", "[".repeat(100_000));
    assert!(fault(&deep).ends_with("nested too deep (column 134)"));
}

#[test]
fn what_came_before_a_mistake_is_kept() {
    let document = Document::read(r#"{"id": "x", "a": {"b""#, None);
    assert!(document.fault.is_some());
    assert_eq!(converted(&document.node), serde_json::json!({"id": "x"}));
}

#[test]
fn numbers_that_are_not_finite_are_values() {
    let document = Document::read(r#"{"a": [NaN, Infinity, -Infinity, 1e400]}"#, None);
    assert_eq!(document.fault, None);
}

#[test]
fn lines_are_counted_in_unread_lists_too() {
    let text = "{\n\"a\": [\n1,\n\n2]\n}";
    let document = Document::read(text, Some("a"));
    let Value::Object(members) = &document.node.value else {
        panic!("not an object");
    };
    let lines: Vec<u32> = Elements::new(&members[0].node).map(|n| n.line).collect();
    assert_eq!(lines, [3, 5]);
}

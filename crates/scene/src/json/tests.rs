//! Where a text stops being JSON, and what came before.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

use super::{Document, elements, members};

fn fault(text: &str) -> String {
    Document::read(text).fault.unwrap().to_string()
}

/// The value read member by member, in serde_json's terms.
fn converted(text: &str) -> serde_json::Value {
    match text.as_bytes()[0] {
        b'[' => elements(text).unwrap().into_iter().map(converted).collect(),
        b'{' => {
            let members = members(text).unwrap().into_iter();
            members
                .map(|member| (member.key.into_owned(), converted(member.text)))
                .collect()
        }
        _ => serde_json::from_str(text).unwrap(),
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
        let document = Document::read(&text);
        assert_eq!(document.fault.is_none(), expected.is_some(), "{text}");
        if let Some(expected) = expected {
            accepted += 1;
            assert_eq!(converted(&text), expected, "{text}");
        }
    }
    assert!(accepted > 1_000, "{accepted}");
}

#[test]
fn a_mistake_is_named_with_its_path_and_its_place() {
    let word =
        "must be a finite number, a string in quotes, a list, an object, true, false or null";
    for (text, expected) in [
        (
            r#"{"a": {"b": [1, x]}}"#,
            format!("a.b[1]: is x, {word} (column 17)"),
        ),
        (
            r#"{"a": {"b": [-Infinity]}}"#,
            format!("a.b[0]: is -Infinity, {word} (column 14)"),
        ),
        (r#"{"a": 01}"#, format!("a: is 01, {word} (column 7)")),
        (r#"{"a": é}"#, format!("a: is é, {word} (column 7)")),
        (
            r#"{"a": ,}"#,
            "a: expected a value; strings need quotes (column 7)".to_owned(),
        ),
        (
            r#"{"a": [{}, [2"#,
            "a[1][0]: the text ends before the end of a list (column 14)".to_owned(),
        ),
        (
            r#"{"a": [{}"#,
            "a: the text ends before the end of a list (column 10)".to_owned(),
        ),
        (
            "{\"a\": [1,\n],}",
            "a: a comma too many (column 1)".to_owned(),
        ),
        (
            "{\"a\": 1, // one\n \"b\": 2}",
            "JSON has no comments (column 10)".to_owned(),
        ),
        (r#"{"a": "\x"}"#, "a: invalid escape (column 9)".to_owned()),
        ("", "empty, must be an object: {...}".to_owned()),
        ("[]", "must be an object: {...}".to_owned()),
        (
            "{} {}",
            "more text behind the end of the object (column 4)".to_owned(),
        ),
    ] {
        assert_eq!(fault(text), expected, "{text}");
    }
}

#[test]
fn a_mistake_in_a_long_or_deep_text_is_found() {
    let long = format!("{{\"a\": {}}}", "x".repeat(100_000));
    assert!(fault(&long).starts_with("a: is xxxxxxxxxxxxxxxxxxxxxxxx..., must be"));
    let deep = format!("{{\"a\": {}", "[".repeat(100_000));
    assert!(fault(&deep).ends_with("nested too deep (column 134)"));
    // The first mistake counts, and what comes after it takes no time.
    let wrong = format!("{{é\"a\": 1, \"b\": {}", "[".repeat(1000));
    assert!(fault(&wrong).starts_with("expected the name of a field"));
    let closed = format!("{{{}{}", "}".repeat(1_000_000), "[".repeat(1_000_200));
    assert_eq!(
        fault(&closed),
        "more text behind the end of the object (column 3)"
    );
    assert_eq!(
        fault("{\"a\": 1, // one\n}"),
        "JSON has no comments (column 10)"
    );
    assert_eq!(fault("{\"a\": [1, 2,]}"), "a: a comma too many (column 13)");
    let half = r#"{"\ud800": "abc" x"#;
    assert!(!fault(half).starts_with("abc"));
    let brackets = format!("{{\"a\": \"\\\"{}\"}}", "[".repeat(100_000));
    assert_eq!(Document::read(&brackets).fault, None);
}

#[test]
fn what_came_before_a_mistake_is_kept() {
    let document = Document::read("\u{feff} {\"id\": \"x\", \"a\": {\"b\"");
    assert!(document.fault.is_some());
    assert_eq!(document.find("id"), Some("\"x\""));
    assert_eq!(document.find("a"), None);
}

#[test]
fn every_cut_and_every_strange_character_is_a_mistake_in_its_line() {
    let text = "{\"é\": [1, {\"b\\u00e9\": \"ü\\n\"}],\r\n\"c\": [[-2.5e-3], true]}";
    for (at, _) in text.char_indices().skip(1) {
        let (head, tail) = text.split_at(at);
        for changed in [
            head.to_owned(),
            format!("{head}\u{1}{tail}"),
            format!("{head}ö\n{tail}"),
        ] {
            // A strange character in a string is none.
            let Some(fault) = Document::read(&changed).fault else {
                continue;
            };
            let line = head.trim_end().matches('\n').count() as u32 + 1;
            assert!(
                (line..=line + 1).contains(&fault.line),
                "{fault:?}: {changed}"
            );
        }
    }
}

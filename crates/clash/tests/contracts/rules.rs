//! Rules: which pairs they decide about, and what is wrong with them.

use clearance_clash::{Assembly, Check, Kind, Rules};

use crate::common::{all_clashes, box_of, check};

/// Boxes in a row, 0.25 apart.
fn row(names: &[&str]) -> Vec<clearance_clash::Part> {
    let part = |(number, name): (usize, &&str)| {
        let x = number as f64 * 1.25;
        box_of(name, [x, 0.0, 0.0], [x + 1.0, 1.0, 1.0])
    };
    names.iter().enumerate().map(part).collect()
}

/// The names of the parts of each clash, and its rule.
fn found(names: &[&str], rules: &str) -> Vec<String> {
    let rules = Rules::from_json(rules).unwrap().all_optional();
    let check = check(row(names), rules);
    let clashes = all_clashes(&check);
    assert!(clashes.iter().all(|clash| clash.kind == Kind::Clearance));
    let text = |clash| {
        let (a, b) = (check.part_a(clash).name(), check.part_b(clash).name());
        format!("{a} {b} {:?}", clash.rule)
    };
    clashes.iter().map(text).collect()
}

#[test]
fn the_first_rule_that_matches_decides_in_either_order() {
    let rules = r#"{"groups": {"pipes": ["pipe*"]}, "rules": [
        {"between": ["wall", "pipes"], "ignore": true},
        {"between": ["pipes", "pipes"], "clearance": 0.5},
        {"between": ["pipes", "*"], "clearance": 0.3}]}"#;
    let names = ["pipe1", "pipe2", "wall", "beam", "pipe3"];
    assert_eq!(
        found(&names, rules),
        ["beam pipe3 Some(2)", "pipe1 pipe2 Some(1)"]
    );
}

#[test]
fn the_rules_of_the_page_about_files_are_read() {
    let page = include_str!("../../../../docs/file-formats.md");
    let examples: Vec<&str> = page.split("```json rules").skip(1).collect();
    assert_eq!(examples.len(), 1);
    let text = examples[0].split("```").next().unwrap();
    let rules = Rules::from_json(text).unwrap();
    assert_eq!(rules.name(1), Some("pipes keep 5 cm off"));
    assert!(found(&["pipe 1", "pipe 2", "valve"], text).is_empty());
}

#[test]
fn pairs_that_no_rule_matches_are_not_checked() {
    let none = r#"{"rules": []}"#;
    assert!(found(&["a", "b"], none).is_empty());
    let others = r#"{"rules": [{"between": ["c", "*"], "clearance": 9}]}"#;
    assert!(found(&["a", "b"], others).is_empty());
    let empty =
        r#"{"groups": {"none": []}, "rules": [{"between": ["none", "*"], "clearance": 9}]}"#;
    assert!(found(&["a", "b"], empty).is_empty());
}

#[test]
fn patterns_match_whole_names_or_what_is_behind_a_slash() {
    let names = ["site/storey 1/pipe ü", "storey 1/walls/x"];
    let with = |pattern: &str| {
        let rules = format!(r#"{{"rules": [{{"between": ["{pattern}", "*x"], "clearance": 1}}]}}"#);
        found(&names, &rules).len()
    };
    for pattern in [
        "pipe{, ü,x}",
        "pipe*",
        "storey 1/*",
        "*ü",
        "pip? *",
        "storey [0-9]/p*",
        "*",
    ] {
        assert_eq!(with(pattern), 1, "{pattern}");
    }
    for pattern in ["Pipe*", "pipe", "1/pipe*", "storey 2*"] {
        assert_eq!(with(pattern), 0, "{pattern}");
    }
}

#[test]
fn a_far_clearance_finds_parts_that_only_it_reaches() {
    let rules = r#"{"rules": [{"between": ["a", "e"], "clearance": 5}, {"between": ["*", "*"]}]}"#;
    // Only a and e are nearer than their rule allows: 4 apart.
    assert_eq!(found(&["a", "b", "c", "d", "e"], rules), ["a e Some(0)"]);
    let parts = row(&["a", "b", "c", "d", "e"]);
    let (first, rest) = parts.split_at(1);
    let rules = Rules::from_json(rules).unwrap().all_optional();
    let check = Check::between(
        Assembly::new(rest.to_vec()),
        Assembly::new(first.to_vec()),
        rules,
    );
    assert_eq!(all_clashes(&check.unwrap()).len(), 1);
}

#[test]
fn rules_for_no_pair_of_the_parts_are_refused_unless_they_are_optional() {
    let of = |rule: &str| {
        let text = format!(r#"{{"rules": [{{"between": ["*", "wall"]}}, {rule}]}}"#);
        let rules = Rules::from_json(&text).unwrap();
        let [a, b] = [["pipe", "pipes"], ["wall", "door"]].map(|names| Assembly::new(row(&names)));
        Check::between(a, b, rules)
            .err()
            .map(|error| error.to_string())
    };
    assert_eq!(of(r#"{"between": ["pipe{,s}", "door"]}"#), None);
    assert_eq!(
        of(r#"{"between": ["door", "pump"], "optional": true}"#),
        None
    );
    // Both match parts, but of one assembly.
    let error = of(r#"{"between": ["pipe", "pipes"]}"#).expect("no pair");
    assert!(
        error.starts_with("rule \"pipe, pipes\" matches no pair of parts; "),
        "{error}"
    );
    let error = of(r#"{"between": ["pump", "*"], "ignore": true}"#).expect("no pair");
    assert!(error.contains("no part matches pump;"), "{error}");
}

#[test]
fn patterns_that_match_no_part_are_named() {
    let rules = r#"{"groups": {"g": ["pipe*", "pip*x"], "unused": ["pumps"]}, "rules": [
        {"between": ["g", "walll"]}, {"between": ["*", "walll"]}]}"#;
    let rules = Rules::from_json(rules).unwrap();
    let error = Check::within(Assembly::new(row(&["pipe", "wall"])), rules.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "rule \"g, walll\" matches no pair of parts, and no part matches pip*x, pumps, walll; mend it, or give it \
         `\"optional\": true`"
    );
    let check = check(row(&["pipe", "wall"]), rules.all_optional());
    assert_eq!(check.unmatched(), ["pip*x", "pumps", "walll"]);
}

#[test]
fn groups_and_rules_that_do_nothing_are_named() {
    let rules = r#"{"groups": {"g": ["a"], "none": [], "unused": ["b"]}, "rules": [
        {"between": ["g", "none"]}, {"between": ["*", "g"]},
        {"between": ["g", "b"], "name": "late"}, {"between": ["b", "b"]}]}"#;
    let expected = [
        "the group \"none\" has no patterns",
        "no rule names the group \"unused\"",
        "the rule \"late\" never decides: \"*, g\" is before it",
    ];
    assert_eq!(Rules::from_json(rules).unwrap().warnings(), expected);
}

#[test]
fn patterns_that_are_too_large_are_refused() {
    let nested = "{".repeat(500) + "a" + &"}".repeat(500);
    for (pattern, words) in [
        (
            "{a,b}".repeat(200_000),
            "has 1000000 bytes, must have at most 1024",
        ),
        (nested, "is no pattern"),
    ] {
        let text = format!(r#"{{"rules": [{{"between": ["{pattern}", "*"]}}]}}"#);
        let error = Rules::from_json(&text).unwrap_err();
        assert!(error.text.contains(words), "{error}");
    }
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let cases = [
        (
            "{\n\"rules\": [{\"between\": [\"a\", \"b\"],\n\"clearence\": 1}]}",
            3,
            "`clearence` is no field, must be one of `between`, `clearance`",
        ),
        (
            "{\"rules\": [\n{\"between\": [\"a\"]}]}",
            2,
            "`between` has 1 sides, must have 2",
        ),
        (
            "{\"rules\": [\n{\"between\": [\"a\", \"b\", \"c\"]}]}",
            2,
            "`between` has 3 sides, must have 2",
        ),
        (
            "{\"rules\": [{\"between\": [\"a\", \"b\"], \"clearance\": -0.5}]}",
            1,
            "`clearance` is -0.5, must be at least 0 and at most 3.4028235e38",
        ),
        (
            "{\"rules\": [{\"between\": [\"a\", \"b\"], \"tolerance\": 1e39}]}",
            1,
            "`tolerance` is 1e39, must be at least 0 and at most 3.4028235e38",
        ),
        (
            "{\"rules\": [\n\n{\"between\": [\"a\", \"b\"], \"ignore\": true, \"clearance\": 1}]}",
            3,
            "`ignore`",
        ),
        (
            "{\"groups\": {\"g\": [\"a[\"]}, \"rules\": []}",
            1,
            "\"a[\" is no pattern",
        ),
        (
            "{\"rules\": [\n{\"between\": [\"a{\", \"b\"]}]}",
            2,
            "\"a{\" is no pattern",
        ),
        (
            "{\"groups\": {\"g\": [],\n\"g\": []}, \"rules\": []}",
            2,
            "given twice",
        ),
        ("{}", 1, "`rules` is missing"),
        ("", 1, "the text ends before the end of a value"),
    ];
    for (text, line, words) in cases {
        let error = Rules::from_json(text).unwrap_err();
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.text.contains(words), "{text}: {error}");
    }
}

#[test]
fn wrong_types_are_told_in_words_of_json() {
    let rule = |field: &str| format!(r#"{{"rules": [{{"between": ["a", "b"], {field}}}]}}"#);
    let file =
        r#"must be an object with `rules`, such as {"rules": [{"between": ["pipe*", "*"]}]}"#;
    let one = r#"must be an object with `between`, such as {"between": ["pipe*", "*"]}"#;
    let cases = [
        (
            r#"[{"between": ["a", "b"]}]"#.to_owned(),
            format!("is a list, {file}"),
        ),
        ("3".to_owned(), format!("is 3, {file}")),
        (r#"{"rules": ["a"]}"#.to_owned(), format!("is \"a\", {one}")),
        (
            r#"{"rules": {"a": 1}}"#.to_owned(),
            "is an object, must be a list".to_owned(),
        ),
        (
            r#"{"rules": [{"between": "a, expected f64"}]}"#.to_owned(),
            "is \"a, expected f64\", must be a list".to_owned(),
        ),
        (
            rule(r#""clearance": "0.1""#),
            "is \"0.1\", must be a number".to_owned(),
        ),
        (
            rule(r#""tolerance": []"#),
            "is a list, must be a number".to_owned(),
        ),
        (
            rule(r#""ignore": 1"#),
            "is 1, must be `true` or `false`".to_owned(),
        ),
        (rule(r#""name": 1"#), "is 1, must be a string".to_owned()),
        (
            rule(r#""clearance": null, "tolerance": 0.5, "name": null, "optional": null"#),
            "is null, must be `true` or `false`".to_owned(),
        ),
        (
            r#"{"rules": [{"between": ["a[, expected f64", "b"]}]}"#.to_owned(),
            "\"a[, expected f64\" is no pattern: unclosed character class; missing ']'".to_owned(),
        ),
    ];
    for (text, words) in cases {
        assert_eq!(Rules::from_json(&text).unwrap_err().text, words, "{text}");
    }
}

#[test]
fn equal_rules_have_equal_fingerprints() {
    let of = |text: &str| Rules::from_json(text).unwrap().fingerprint();
    let one = r#"{"rules": [{"between": ["a", "b"]}]}"#;
    assert_eq!(of(one), of(one));
    assert_ne!(of(one), of(r#"{"rules": [{"between": ["a", "c"]}]}"#));
}

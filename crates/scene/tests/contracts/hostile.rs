//! A text that meant harm. Others come from the fuzz targets `pair_file` and `scene_file`, whose files are changed at random,
//! too: they are refused or answered, and nothing else happens.

use clearance_scene::answer_line;

/// It took hours: parts that leave each other so far away and turn so fast that a step proves next to nothing.
const ENDLESS_CAST: &str = r#"{"id": "x", "dimension": 3, "ask": "cast", "a": {"shape": {"type": "ellipsoid", "radii": [0.5, 4e-21, 2]}}, "within": 3.5, "motion_a": {"linear": [0, 0.5, 0], "angular": [-5.5e28, 0.3, -6]}, "b": {"shape": {"type": "half_space", "normal": [-0.4025191, 0.46876207, 0.7862827]}, "pose": {"translation": [-5.4541466e35, 559154.4, -304.9], "rotation": [0.5, 0.5, 0.5, 0.5]}}, "motion_b": {"linear": [4, -2, -3.5], "angular": [1.5, 6, 0]}}"#;

#[test]
fn a_cast_that_turns_beyond_measure_ends() {
    let answer = answer_line(ENDLESS_CAST.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&answer.to_string()).unwrap();
    assert_eq!(json["hit"], true, "{answer}");
    assert_eq!(json["time_status"], "iteration_limit", "{answer}");
}

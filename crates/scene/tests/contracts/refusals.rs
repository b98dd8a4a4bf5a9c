//! What is wrong with a shape is said once, and names every field that could mend it.

use clearance_scene::read_scene;

/// A shape in space, and all that is refused of it.
const SHAPES: &[(&str, &[&str])] = &[
    (
        r#"{"type": "tapered_cylinder", "half_height": 1, "radius_top": 0, "radius_bottom": -0.0}"#,
        &[
            "bodies[0].shape: tapered_cylinder: radius_top and radius_bottom are 0, one of them must be > 0",
        ],
    ),
    (
        r#"{"type": "height_field", "heights": [[0, 0, 0], [0, 0], [0]], "scale": [1, 1, 1]}"#,
        &["bodies[0].shape.heights[1]: has 2 heights, must have 3 as the first row"],
    ),
    (
        r#"{"type": "height_field", "heights": [[0], [null]], "scale": [1, 1, 1]}"#,
        &["bodies[0].shape.heights[0]: has 1 heights, must have at least 2"],
    ),
    (
        r#"{"type": "height_field", "heights": [[0, 0]], "scale": [1, 1, 1]}"#,
        &["bodies[0].shape.heights: has 1 rows, must have at least 2"],
    ),
    (
        r#"{"type": "voxels", "size": [1, 1, 1], "cells": [[0, 0, 0]], "tiles": [2], "palette": [{"shape":
            {"type": "ball", "radius": 0.5}, "user": -1}]}"#,
        &[
            "bodies[0].shape.palette[0].user: is -1, must be a whole number from 0 to 18446744073709551615",
        ],
    ),
    (
        r#"{"type": "voxels", "size": [1, 1, 1], "cells": [[0, 0, 0]], "tiles": [1], "palette": 3}"#,
        &["bodies[0].shape.palette: is 3, must be a list"],
    ),
    (
        r#"{"type": "voxels", "size": [1, 1, 1], "cells": [[0, 0, 0]], "tiles": []}"#,
        &["bodies[0].shape.tiles: has 0 numbers, must have 1, one for each of `cells`"],
    ),
    (
        r#"{"type": "voxels", "size": [1, 1, 1], "cells": [[0, 0, 0]], "tiles": [1]}"#,
        &["bodies[0].shape.tiles[0]: is 1, must be a whole number from 0 to 0"],
    ),
    (
        r#"{"type": "voxels", "size": [1, 1, 1], "cells": [[0, 0, 0]], "palette": [{"shape":
            {"type": "ball", "radius": 0.5}}]}"#,
        &[
            "bodies[0].shape.palette[0].shape: reaches from -0.5 to 0.5 along axis 0, must lie within 0 and 1, counted from \
             the least corner of the cell",
        ],
    ),
    (
        r#"{"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]], "solid": true}"#,
        &[
            "bodies[0].shape: triangles[0] has a side without a neighbour, the surface of a solid must be closed",
        ],
    ),
    (
        r#"{"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]], "solid": "yes"}"#,
        &["bodies[0].shape.solid: is \"yes\", must be true or false"],
    ),
    (
        r#"{"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]], "solid": true, "one_sided": 0}"#,
        &[
            "bodies[0].shape.one_sided: cannot be given beside `solid`: a solid counts on its outer side",
        ],
    ),
    (
        r#"{"type": "polyline", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "user": [1, 2, 3]}"#,
        &["bodies[0].shape.user: has 3 numbers, must have 2"],
    ),
    (
        r#"{"type": "compound", "parts": [{"shape": {"type": "ball", "radius": 1}}], "user": [-1, 0.5]}"#,
        &["bodies[0].shape.user[0]: is -1, must be a whole number from 0 to 18446744073709551615"],
    ),
    (
        r#"{"type": "compound", "parts": [{"shape": {"type": "ball", "radius": 1}}], "one_way": {"normal": [0, 2, 0], "depth": 0}}"#,
        &["bodies[0].shape.one_way.normal: has length 2, must be of unit length (within 1e-3)"],
    ),
    (
        r#"{"type": "compound", "parts": [{"shape": {"type": "ball", "radius": 1}}], "one_way": {"normal": [0, 1, 0], "depth": -1}}"#,
        &["bodies[0].shape.one_way.depth: is -1, must be finite and >= 0"],
    ),
];

#[test]
fn each_mistake_is_refused_once() {
    for (shape, expected) in SHAPES {
        let text = format!(r#"{{"dimension": 3, "bodies": [{{"shape": {shape}}}]}}"#);
        let problems = read_scene(&text).expect_err(shape);
        let found: Vec<String> = problems
            .list()
            .iter()
            .map(|problem| format!("{}: {}", problem.path, problem.text))
            .collect();
        assert_eq!(found, *expected, "{shape}");
    }
}

#[test]
fn what_only_the_whole_shape_shows_is_refused_at_its_line() {
    let text = r#"{"dimension": 3, "bodies": [
        {"shape": {"type": "height_field", "scale": [1, 1e30, 1],
            "heights": [[0, 0],
                        [0, 1e30]]}}]}"#;
    let problems = read_scene(text).unwrap_err();
    let problem = &problems.list()[0];
    assert_eq!(problem.path, "bodies[0].shape.heights[1][1]");
    assert_eq!(problem.line, 4);
}

//! What the constructors of shapes refuse, in terms of files.

use clearance_shapes::ShapeError;

use crate::problem::Problem;

/// The error of a constructor with its field as the path. The text does not begin with the path again.
pub(crate) fn located(error: &ShapeError) -> Problem {
    use ShapeError as E;

    let text = error.to_string();
    let at = |path: &str| {
        let rest = text.split_once(&format!(": {path} "));
        Problem::new(0, path, rest.map_or(&*text, |(_, rest)| rest))
    };
    match error {
        E::Number {
            shape: "one_way",
            field,
            ..
        } => at(field).inside_field("one_way"),
        E::NotUnit {
            shape: "one_way", ..
        } => at("normal").inside_field("one_way"),
        E::NotUnit { .. } => at("normal"),
        E::Number { field, .. } | E::PartCount { field, .. } => at(field),
        E::Component { field, axis, .. } => at(&format!("{field}[{axis}]")),
        E::NoSuchVertex { field, index, .. } => at(&format!("{field}[{index}]")),
        E::Vertex {
            list, vertex, axis, ..
        } => at(&format!("{list}[{vertex}][{axis}]")),
        E::Height { row, column, .. } => at(&format!("heights[{row}][{column}]")),
        E::TooFewVertices { .. } | E::RingTooShort { ring: 0, .. } => at("vertices"),
        E::RingTooShort { ring, .. } => at(&format!("holes[{}]", ring - 1)),
        E::Grid { .. } => at("heights"),
        E::OnlyHoles => Problem::new(
            0,
            "heights",
            "leave no triangle: each has a corner that is null",
        ),
        E::UserDataCount { count, places, .. } => Problem::new(
            0,
            "user",
            format!("has {count} numbers, must have {places}"),
        ),
        E::CannotRound { .. } | E::NotInCompound { .. } => at("shape"),
        E::Part { index, error } => located(error).inside_list(*index).inside_field("parts"),
        E::Tile { index, error } => {
            let own = located(error);
            let is_of_side = own.path.starts_with("one_way");
            let own = if is_of_side {
                own
            } else {
                own.inside_field("shape")
            };
            own.inside_list(*index).inside_field("palette")
        }
        E::CellTwice { cells } => at(&format!("cells[{}]", cells[1])),
        E::PartTooFar {
            shape: "voxels",
            number,
        } => at(&format!("cells[{number}]")),
        E::NoSuchTile { .. } => at("tiles"),
        E::FlatTriangle { index } => at(&format!("triangles[{index}]")),
        _ => Problem::new(0, "", text),
    }
}

//! What the constructors of shapes refuse, in terms of files.

use clearance_shapes::ShapeError;

use crate::problem::Problem;

/// The error of a constructor with its field as the path.
pub(crate) fn located(error: &ShapeError) -> Problem {
    let (path, text) = match error {
        ShapeError::Number {
            field,
            value,
            requirement,
            ..
        } => (
            (*field).to_owned(),
            format!("is {value}, must be {requirement}"),
        ),
        ShapeError::Component {
            field,
            axis,
            value,
            requirement,
            ..
        } => (
            format!("{field}[{axis}]"),
            format!("is {value}, must be {requirement}"),
        ),
        ShapeError::NotUnit { shape, length } if *shape == "one_way" => (
            "one_way.normal".to_owned(),
            format!("has length {length}, must be of unit length (within 1e-3)"),
        ),
        ShapeError::UserDataCount { count, places, .. } => (
            "user".to_owned(),
            format!("has {count} numbers, must have {places}"),
        ),
        ShapeError::NotUnit { length, .. } => (
            "normal".to_owned(),
            format!("has length {length}, must be of unit length (within 1e-3)"),
        ),
        error => return located_in_composite(error),
    };
    Problem::new(0, path, text)
}

/// The error of the constructor of a composite with its field as the path.
fn located_in_composite(error: &ShapeError) -> Problem {
    let (path, text) = match error {
        ShapeError::TooFewVertices { count } => (
            "vertices".to_owned(),
            format!("has length {count}, must be at least 2"),
        ),
        ShapeError::OnlyHoles => (
            "heights".to_owned(),
            "leave no triangle: each has a corner that is null".to_owned(),
        ),
        ShapeError::PartCount {
            field, count, most, ..
        } => (
            (*field).to_owned(),
            format!("has {count} elements, must have from 1 to {most}"),
        ),
        ShapeError::NoSuchVertex {
            field,
            index,
            vertex,
            vertices,
            ..
        } => (
            format!("{field}[{index}]"),
            format!("names vertex {vertex}, must be less than {vertices}"),
        ),
        ShapeError::Vertex {
            list,
            vertex,
            axis,
            value,
            ..
        } => (
            format!("{list}[{vertex}][{axis}]"),
            format!("is {value}, must be finite"),
        ),
        ShapeError::Height { row, column, value } => (
            format!("heights[{row}][{column}]"),
            format!("is {value}, must be finite when scaled"),
        ),
        ShapeError::Grid { .. } => ("heights".to_owned(), error.to_string()),
        ShapeError::CannotRound { .. } | ShapeError::NotInCompound { .. } => {
            ("shape".to_owned(), error.to_string())
        }
        ShapeError::Part { index, error } => {
            let in_part = located(error).inside_list(*index);
            return in_part.inside_field("parts");
        }
        ShapeError::Tile { index, error } => return located_in_tile(*index, error),
        error => located_in_element(error),
    };
    Problem::new(0, path, text)
}

fn located_in_tile(index: usize, error: &ShapeError) -> Problem {
    let own = located(error);
    let own = match error {
        ShapeError::NotUnit {
            shape: "one_way", ..
        } => own,
        ShapeError::Number {
            shape: "one_way", ..
        } => own.inside_field("one_way"),
        _ => own.inside_field("shape"),
    };
    own.inside_list(index).inside_field("palette")
}

/// The same for an element of a list of triangles, cells or corners: path and text.
fn located_in_element(error: &ShapeError) -> (String, String) {
    match error {
        ShapeError::CellTwice {
            cells: [first, second],
        } => (
            format!("cells[{second}]"),
            format!("is the same as cells[{first}], must differ"),
        ),
        ShapeError::PartTooFar {
            shape: "voxels",
            number,
        } => (
            format!("cells[{number}]"),
            "extends beyond the range of numbers".to_owned(),
        ),
        ShapeError::NoSuchTile { .. } => ("tiles".to_owned(), error.to_string()),
        ShapeError::FlatTriangle { index } => (
            format!("triangles[{index}]"),
            "has no area, every triangle of a solid mesh must have some".to_owned(),
        ),
        ShapeError::RingTooShort { ring, count } => (
            ring.checked_sub(1)
                .map_or_else(|| "vertices".to_owned(), |hole| format!("holes[{hole}]")),
            format!("has length {count}, must be at least 3"),
        ),
        error => (String::new(), error.to_string()),
    }
}

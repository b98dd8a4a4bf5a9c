//! OBJ and STL files: what is read as programs write it, and what is refused with its place.

use clearance_math::Vec3;
use clearance_shapes::Shape;

use crate::real_meshes::{corners, mesh, triangles};

type Corners = Vec<[Vec3; 3]>;

const O: Vec3 = Vec3::ZERO;
const X: Vec3 = Vec3::X;
const Y: Vec3 = Vec3::Y;
const Z: Vec3 = Vec3::Z;
const ONE: Vec3 = Vec3::ONE;
const VERTICES: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\n";
const FACET: &str = "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1.0e+00 0 0\n  \
                     vertex 0 1 -0.0E0\n endloop\nendfacet\n";

fn obj(bytes: &[u8]) -> Result<Shape<Vec3>, String> {
    mesh("a.obj", bytes)
}

fn of_obj(text: &str) -> Corners {
    corners(&obj(text.as_bytes()).unwrap())
}

fn stl(bytes: &[u8]) -> Result<Shape<Vec3>, String> {
    mesh("a.stl", bytes)
}

/// A binary STL file with this header.
fn with_header(header: &[u8], triangles: &[[Vec3; 3]]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, b' ');
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        let numbers = triangle.iter().flat_map(|corner| corner.to_array());
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
        bytes.extend([7, 9]);
    }
    bytes
}

/// A binary STL file of these triangles.
pub(crate) fn binary(triangles: &[[Vec3; 3]]) -> Vec<u8> {
    with_header(b"", triangles)
}

#[test]
fn faces_of_obj_files_that_can_be_are_fans_from_their_first_corners() {
    let text = format!("{VERTICES}f 1 2 3\nf 2 3 4 5 1\nf 3 4 5 1\n");
    let fans = [
        [O, X, Y],
        [X, Y, Z],
        [X, Z, ONE],
        [X, ONE, O],
        [Y, Z, ONE],
        [Y, ONE, O],
    ];
    assert_eq!(of_obj(&text), fans);
}

#[test]
fn negative_indices_of_obj_files_count_from_the_last_vertex_so_far() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -3//-9 -2/7/-9 -1\n";
    assert_eq!(of_obj(text), [[O, X, Y], [X, Y, Z]]);
    let refusal = obj(b"v 0 0 0\nv 1 0 0\nf -3 -2 -1\nv 0 1 0\n").unwrap_err();
    assert!(refusal.contains("line 3: there is no vertex -3"));
}

#[test]
fn lines_of_obj_files_may_be_continued_and_end_in_any_way() {
    let text = "v 0 0 \\\n0\r\nv 1 0 0\rv 0\\\r\n1 0\nf 1\\\n\\\r 2 3\r\n";
    assert_eq!(of_obj(text), [[O, X, Y]]);
    let text = format!("{VERTICES}f 1 2 3\nf 1 2 4\\");
    assert!(obj(text.as_bytes()).unwrap_err().contains("continued"));
}

#[test]
fn all_else_in_obj_files_is_passed_over() {
    let text = "mtllib no.mtl\no one\nv 0 0 0 2\nvn bad\nv 1 0 0 0.5 0.5 0.5\nvt\ng a\nusemtl\n\
                v 0 1 0 red # a note\nl 1 2\np 1\ns off\nf 1 2\nf 1/1/1 2/9 3//7 # a note\no two\n\
                f 3 2 1\ncurv 1 2\n\u{e9} v f\n";
    assert_eq!(of_obj(text), [[O, X, Y], [Y, X, O]]);
    let mut bytes = b"# \xff\xfe\n".to_vec();
    bytes.extend(text.as_bytes());
    assert_eq!(corners(&obj(&bytes).unwrap()).len(), 2);
}

#[test]
fn a_byte_order_mark_hides_nothing_of_a_file() {
    let text = format!("\u{feff}{VERTICES}f 1 2 3\nf -3 -2 -1\n");
    assert_eq!(of_obj(&text), [[O, X, Y], [Y, Z, ONE]]);
    let refusal = obj("\u{feff}v 0 0 zero\n".as_bytes()).unwrap_err();
    assert!(refusal.contains("line 1: "), "{refusal}");
    for start in ["solid", "  Solid a"] {
        let text = format!("\u{feff}{start}\n{FACET}endsolid\n");
        let found = corners(&stl(text.as_bytes()).unwrap());
        assert_eq!(found, [[O, X, Y]], "{start}");
    }
}

#[test]
fn obj_files_that_are_wrong_are_refused_with_the_line() {
    for (lines, named) in [
        ("v 0 0\n", "line 6: has 2 coordinates, must have 3"),
        ("v 0 0 zero\n", "line 6: "),
        ("\nf 1 2 three\n", "line 7: "),
        ("f 1 2 1.5\n", "line 6: "),
        ("f 1 2 6\n", "line 6: there is no vertex 6"),
        ("f 0 1 2\n", "line 6: there is no vertex 0"),
        ("f 1 2 \\\n3 6\n", "line 6: there is no vertex 6"),
        ("f 1 2 -9223372036854775808\n", "line 6: there is no vertex"),
        ("f 1 2 9223372036854775807\n", "line 6: there is no vertex"),
        ("f 1 2 /3\n", "line 6: \"/3\" is not the number of a vertex"),
        ("v nan 0 0\nf 1 2 6\n", "line 6: \"nan\""),
        ("v 1e39 0 0\nf 1 2 6\n", "line 6: \"1e39\""),
        ("", "has vertices, but no triangles"),
        ("f\n", "line 6: a polygon without corners"),
    ] {
        let text = format!("{VERTICES}{lines}");
        let refusal = obj(text.as_bytes()).unwrap_err();
        assert!(refusal.contains(named), "{lines:?}: {refusal}");
    }
}

#[test]
fn the_length_tells_binary_stl_files_from_texts() {
    let triangles = [[O, X, Y], [Z, Y, X]];
    for header in [
        &b""[..],
        b"solid cube",
        b"solid \xff\x00",
        b"SOLID\nfacet",
        b"solid cube\n",
    ] {
        let found = corners(&stl(&with_header(header, &triangles)).unwrap());
        assert_eq!(found, triangles, "{header:?}");
    }
}

#[test]
fn equal_vertices_of_stl_files_are_made_one() {
    let soup = [[X, Y, Z], [Y, ONE, Z], [O, -O, O]];
    let found = triangles(&stl(&binary(&soup)).unwrap());
    assert_eq!(found, [[0, 1, 2], [1, 3, 2], [4, 4, 4]]);
}

#[test]
fn a_binary_stl_file_that_lies_about_its_length_is_refused_with_both_numbers() {
    let bytes = with_header(b"solid", &[[O, X, Y]; 3]);
    let mut huge = bytes.clone();
    huge[80..84].fill(0xff);
    let told = "says that it has 3 triangles, which take 234 bytes";
    for (bytes, numbers) in [
        (bytes[..233].to_vec(), ["has 233 bytes", told]),
        (
            huge,
            [
                "has 234 bytes",
                "4294967295 triangles, which take 214748364834",
            ],
        ),
        (vec![0; 83], ["has 83 bytes", "too few"]),
        (Vec::new(), ["has 0 bytes", "too few"]),
    ] {
        let refusal = stl(&bytes).unwrap_err();
        for number in numbers {
            assert!(refusal.contains(number), "{refusal}");
        }
    }
}

#[test]
fn a_binary_stl_file_with_a_number_that_is_not_finite_is_refused_with_the_triangle() {
    let bytes = binary(&[[O, X, Y], [O, X, Vec3::Y * f32::NAN]]);
    let refusal = stl(&bytes).unwrap_err();
    assert!(
        refusal.contains("NaN") && refusal.contains("triangles[1]"),
        "{refusal}"
    );
}

#[test]
fn stl_texts_are_read_with_all_their_solids_and_whatever_their_normals() {
    let odd = FACET.replace("normal 0 0 1", "normal -nan(ind) nan inf");
    for text in [
        format!("solid\n{FACET}{FACET}endsolid\n"),
        format!(
            "solid a b\r\n{}endsolid",
            [FACET, FACET].concat().replace('\n', "\r\n")
        ),
        format!("solid one\n{FACET}endsolid one\n\nsolid two\n{odd}endsolid two\n"),
        format!("  SOLID \u{e9}\n{}{odd}EndSolid", FACET.to_uppercase()),
    ] {
        let found = corners(&stl(text.as_bytes()).unwrap());
        assert_eq!(found, [[O, X, Y]; 2], "{text}");
    }
}

#[test]
fn stl_texts_that_are_wrong_are_refused_with_the_line() {
    for (text, named) in [
        (format!("solid\n{FACET}{FACET}"), "line 15: "),
        (format!("solid\n{FACET}facet normal 0 0 1\n"), "line 9: "),
        (
            format!("solid\n{}endsolid\n", FACET.replace("1.0e+00", "one")),
            "line 5: \"one\"",
        ),
        (
            format!("solid\n{}endsolid\n", FACET.replace("1.0e+00", "inf")),
            "line 5: \"inf\"",
        ),
        (
            format!("solid\n{}endsolid\n", FACET.replace("  vertex 0 0 0\n", "")),
            "line 7: ",
        ),
        ("solid\nendsolid\n".to_owned(), "0 elements"),
    ] {
        let refusal = stl(text.as_bytes()).unwrap_err();
        assert!(refusal.contains(named), "{text}: {refusal}");
    }
}

#[test]
fn what_other_readers_accept_is_read() {
    let one = [[O, X, Y]];
    let with = |end: &[u8]| [&binary(&one), end].concat();
    let texts = |text: String| text.into_bytes();
    for (name, bytes) in [
        ("end.stl", with(b"\0")),
        ("end.stl", with(b"\r\n")),
        ("end.stl", with(&[7; 200])),
        ("text.stl", texts(format!("solid\n{FACET}endsolid\n\0\0\0"))),
        ("text.stl", texts(format!("solid a\n{FACET}endsolid\0\x1a"))),
        (
            "text.stl",
            texts(format!(
                "# made by hand\n\nsolid a\n# a vertex\n{FACET}endsolid"
            )),
        ),
        (
            "text.stl",
            texts(format!("SOLID A\n{}ENDSOLID A\n", FACET.to_uppercase())),
        ),
        (
            "text.stl",
            texts(format!(
                "solid a\n{}endsolid",
                FACET.replace("1.0e+00 0 0", "1 0 0 # x")
            )),
        ),
        (
            "text.stl",
            texts(format!(
                "solid a\n{}endsolid",
                FACET.replace("facet normal 0 0 1\n", "color 1 0 0\nfacet normal 0 0 1 ")
            )),
        ),
        (
            "a.obj",
            texts("v 0 0 0# o\nv 1 0 0 # x\nv 0 1 0# y\nf 1 2 3# all\n#\n".to_owned()),
        ),
        (
            "a.obj",
            texts("# C:\\meshes\\\nv 0 0 0\nv 1 0 \\ \n0\nv 0 1 0\nf 1 2\\\t\n3\n".to_owned()),
        ),
        (
            "a.obj",
            texts("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 \\ # the first\n2 3 # the others".to_owned()),
        ),
    ] {
        let read = mesh(name, &bytes).map(|shape| corners(&shape));
        assert_eq!(
            read.as_deref(),
            Ok(&one[..]),
            "{name}: {}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

#[test]
fn texts_in_utf_16_are_named_so() {
    for (name, text) in [
        ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_owned()),
        ("a.stl", format!("solid\n{FACET}endsolid")),
    ] {
        for mark in ["\u{feff}", ""] {
            let units: Vec<u16> = format!("{mark}{text}").encode_utf16().collect();
            let little = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            for bytes in [little, big] as [Vec<u8>; 2] {
                let refusal = mesh(name, &bytes).unwrap_err();
                assert!(refusal.contains("UTF-16"), "{refusal}");
            }
        }
    }
}

use clearance_math::Vec3;
use clearance_shapes::{CompositeKind, Shape};

use super::{Form, MeshFile, MeshFileError, MeshFiles, Surface, obj, stl};

type Corners = Vec<[[f32; 3]; 3]>;

/// The mesh of what was read.
fn built(read: Result<Surface, MeshFileError>) -> Result<Shape<Vec3>, MeshFileError> {
    read?.build(Form::Mesh, &MeshFile::from(""))
}

/// The corners of all triangles in order.
fn corners(shape: &Shape<Vec3>) -> Corners {
    let Shape::Composite(composite) = shape else {
        panic!("{shape:?}");
    };
    let CompositeKind::Mesh(mesh) = composite.kind() else {
        panic!("{shape:?}");
    };
    let numbers = 0..composite.part_count();
    numbers
        .map(|number| mesh.corners(number).map(|corner| corner.to_array()))
        .collect()
}

fn of_obj(text: &str) -> Corners {
    corners(&built(obj::read(text.as_bytes())).unwrap())
}

fn refusal(result: Result<Surface, MeshFileError>) -> String {
    built(result).unwrap_err().to_string()
}

const O: [f32; 3] = [0.0; 3];
const X: [f32; 3] = [1.0, 0.0, 0.0];
const Y: [f32; 3] = [0.0, 1.0, 0.0];
const Z: [f32; 3] = [0.0, 0.0, 1.0];
const ONE: [f32; 3] = [1.0; 3];
const VERTICES: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\n";

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
    let text = "v 0 0 0\nv 1 0 0\nf -3 -2 -1\nv 0 1 0\n";
    assert!(refusal(obj::read(text.as_bytes())).contains("line 3: there is no vertex -3"));
}

#[test]
fn lines_of_obj_files_may_be_continued_and_end_in_any_way() {
    let text = "v 0 0 \\\n0\r\nv 1 0 0\rv 0\\\r\n1 0\nf 1\\\n\\\r 2 3\r\n";
    assert_eq!(of_obj(text), [[O, X, Y]]);
    let text = format!("{VERTICES}f 1 2 3\nf 1 2 4\\");
    assert!(refusal(obj::read(text.as_bytes())).contains("continued"));
}

#[test]
fn all_else_in_obj_files_is_passed_over() {
    let text = "mtllib no.mtl\no one\nv 0 0 0 2\nvn bad\nv 1 0 0 0.5 0.5 0.5\nvt\ng a\nusemtl\n\
                v 0 1 0 red # a note\nl 1 2\np 1\ns off\nf 1 2\nf 1/1/1 2/9 3//7 # a note\no two\n\
                f 3 2 1\ncurv 1 2\n\u{e9} v f\n";
    assert_eq!(of_obj(text), [[O, X, Y], [Y, X, O]]);
    let mut bytes = b"# \xff\xfe\n".to_vec();
    bytes.extend(text.as_bytes());
    assert_eq!(corners(&built(obj::read(&bytes)).unwrap()).len(), 2);
}

#[test]
fn a_byte_order_mark_hides_nothing_of_a_file() {
    let text = format!("\u{feff}{VERTICES}f 1 2 3\nf -3 -2 -1\n");
    assert_eq!(of_obj(&text), [[O, X, Y], [Y, Z, ONE]]);
    let refusal = refusal(obj::read("\u{feff}v 0 0 zero\n".as_bytes()));
    assert!(refusal.contains("line 1: "), "{refusal}");
    for start in ["solid", "  Solid a"] {
        let text = format!("\u{feff}{start}\n{FACET}endsolid\n");
        let found = corners(&built(stl::read(text.as_bytes())).unwrap());
        assert_eq!(found, [[O, X, Y]], "{start}");
    }
}

#[test]
fn obj_files_that_are_wrong_are_refused_with_the_line() {
    for (lines, named) in [
        ("v 0 0\n", "line 6: "),
        ("v 0 0 zero\n", "line 6: "),
        ("\nf 1 2 three\n", "line 7: "),
        ("f 1 2 1.5\n", "line 6: "),
        ("f 1 2 6\n", "line 6: there is no vertex 6"),
        ("f 0 1 2\n", "line 6: there is no vertex 0"),
        ("f 1 2 -9223372036854775808\n", "line 6: there is no vertex"),
        ("f 1 2 9223372036854775807\n", "line 6: there is no vertex"),
        ("f 1 2 /3\n", "line 6: \"/3\" is not the number of a vertex"),
        ("v nan 0 0\nf 1 2 6\n", "line 6: \"nan\""),
        ("v 1e39 0 0\nf 1 2 6\n", "line 6: \"1e39\""),
        ("", "has vertices, but no triangles"),
        ("f\n", "line 6: a polygon without corners"),
    ] {
        let text = format!("{VERTICES}{lines}");
        let refusal = refusal(obj::read(text.as_bytes()));
        assert!(refusal.contains(named), "{lines:?}: {refusal}");
    }
}

/// A binary STL file with this header.
fn binary(header: &[u8], triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, b' ');
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        for number in triangle.as_flattened() {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([7, 9]);
    }
    bytes
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
        let bytes = binary(header, &triangles);
        assert_eq!(
            corners(&built(stl::read(&bytes)).unwrap()),
            triangles,
            "{header:?}"
        );
    }
}

#[test]
fn equal_vertices_of_stl_files_are_made_one() {
    let shape = built(stl::read(&binary(
        b"",
        &[[O, X, Y], [X, ONE, Y], [O, [-0.0; 3], O]],
    )))
    .unwrap();
    let Shape::Composite(composite) = shape else {
        panic!("{shape:?}");
    };
    let CompositeKind::Mesh(mesh) = composite.kind() else {
        panic!("{composite:?}");
    };
    assert_eq!(mesh.vertices().len(), 4);
    assert_eq!(mesh.triangles(), [[0, 1, 2], [1, 3, 2], [0, 0, 0]]);
}

#[test]
fn a_binary_stl_file_that_lies_about_its_length_is_refused_with_both_numbers() {
    let bytes = binary(b"solid", &[[O, X, Y]; 3]);
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
        let refusal = refusal(stl::read(&bytes));
        for number in numbers {
            assert!(refusal.contains(number), "{refusal}");
        }
    }
}

#[test]
fn a_binary_stl_file_with_a_number_that_is_not_finite_is_refused_with_the_triangle() {
    let bytes = binary(b"", &[[O, X, Y], [O, X, [0.0, f32::NAN, 0.0]]]);
    let refusal = refusal(stl::read(&bytes));
    assert!(
        refusal.contains("NaN") && refusal.contains("triangles[1]"),
        "{refusal}"
    );
}

const FACET: &str = "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1.0e+00 0 0\n  \
                     vertex 0 1 -0.0E0\n endloop\nendfacet\n";

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
        let found = corners(&built(stl::read(text.as_bytes())).unwrap());
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
        let refusal = refusal(stl::read(text.as_bytes()));
        assert!(refusal.contains(named), "{text}: {refusal}");
    }
}

#[test]
fn without_a_folder_no_file_is_read() {
    let refusal = MeshFiles::none().mesh("/etc/hostname").unwrap_err();
    let refusal = refusal.to_string();
    assert!(refusal.contains("no files are read"), "{refusal}");
}

//! Assemblies from files, good ones and bad ones.

use std::fs;
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine};
use clearance_clash::{Check, Form, ReadAssembly, read_assembly};
use clearance_math::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::common::{all_clashes, block, everything, folder};

/// An OBJ text of a unit cube at a place.
fn obj(name: &str, at: [f64; 3], first: usize) -> String {
    let (vertices, triangles) = block(at.into(), DVec3::from_array(at) + DVec3::ONE);
    let mut text = format!("o {name}\n");
    for vertex in vertices {
        text += &format!("v {} {} {}\n", vertex.x, vertex.y, vertex.z);
    }
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| corner as usize + first);
        text += &format!("f {a} {b} {c}\n");
    }
    text
}

fn stl(at: [f32; 3]) -> Vec<u8> {
    let at = DVec3::from_array(at.map(f64::from));
    let (vertices, triangles) = block(at, at + DVec3::ONE);
    let mut bytes = vec![0; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        for corner in triangle {
            let place = vertices[corner as usize].as_vec3().to_array();
            bytes.extend(place.iter().flat_map(|x| x.to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn names(read: &ReadAssembly) -> Vec<&str> {
    read.assembly
        .parts()
        .iter()
        .map(|part| part.name())
        .collect()
}

fn refusal(path: &Path) -> String {
    read_assembly(path).unwrap_err().to_string()
}

#[test]
fn a_folder_is_read_with_all_folders_in_it() {
    let root = folder("clash_folder");
    fs::create_dir_all(root.join("storey 1/ünder")).unwrap();
    fs::write(root.join("storey 1/a.STL"), stl([0.0; 3])).unwrap();
    fs::write(root.join("storey 1/ünder/b.obj"), obj("x", [2.0; 3], 1)).unwrap();
    fs::write(root.join("b.obj"), obj("", [4.0; 3], 1)).unwrap();
    fs::write(root.join("b.stl"), stl([4.0; 3])).unwrap();
    fs::write(root.join("notes.txt"), "no mesh").unwrap();
    let read = read_assembly(&root).unwrap();
    assert_eq!(
        names(&read),
        ["b", "b#2", "storey 1/a", "storey 1/ünder/b/x"]
    );
    assert!(read.refused.is_empty());
    assert_eq!(read.assembly.solids(), 4);
}

#[test]
fn objects_and_groups_of_an_obj_file_are_parts_with_double_precision() {
    let root = folder("clash_obj");
    let at = 1_234_567.125;
    let mut text = obj("one", [at, 0.0, 0.0], 1);
    text += &obj("two", [at + 1.0, 0.0, 0.0], 9);
    text += "g lid\nf 1 2 3\no one\nf 2 3 4\n";
    fs::write(root.join("x.obj"), text).unwrap();
    let read = read_assembly(&root.join("x.obj")).unwrap();
    assert_eq!(names(&read), ["one", "two", "two/lid"]);
    let [low, high] = read.assembly.parts()[1].limits();
    // The vertices have these places; the box is rounded outwards.
    let off = (low.x - (at + 1.0)).abs().max((high.x - (at + 2.0)).abs());
    assert!(off < 1e-8, "{low} {high}");
    // The triangle at the end belongs to the first object, and closes nothing.
    assert_eq!(read.assembly.parts()[0].triangles(), 13);
    assert!(matches!(
        read.assembly.parts()[0].form(),
        Form::Surface { .. }
    ));
}

#[test]
fn a_scene_is_read_body_by_body_and_half_spaces_are_refused() {
    let root = folder("clash_scene");
    fs::write(root.join("cube.obj"), obj("", [0.0; 3], 1)).unwrap();
    let scene = r#"{"dimension": 3, "bodies": [
        {"shape": {"type": "half_space", "normal": [0, 1, 0]}},
        {"shape": {"type": "mesh", "path": "cube.obj"}, "pose": {"translation": [3, 0, 0]}},
        {"shape": {"type": "ball", "radius": 1}}]}"#;
    fs::write(root.join("scene.json"), scene).unwrap();
    let read = read_assembly(&root.join("scene.json")).unwrap();
    assert_eq!(names(&read), ["1", "2"]);
    assert_eq!(read.assembly.solids(), 2);
    let refused = &read.refused[0];
    assert_eq!(refused.part.as_deref(), Some("0"));
    assert!(refused.reason.contains("no end"));
    fs::write(root.join("flat.json"), r#"{"dimension": 2, "bodies": []}"#).unwrap();
    assert!(refusal(&root.join("flat.json")).ends_with("has dimension 2, must have 3"));
}

#[test]
fn one_bad_file_is_named_and_the_others_are_read() {
    let root = folder("clash_bad");
    fs::write(root.join("a.stl"), stl([0.0; 3])).unwrap();
    fs::write(root.join("b.stl"), stl([f32::NAN, 0.0, 0.0])).unwrap();
    fs::write(root.join("c.stl"), &stl([0.0; 3])[..200]).unwrap();
    fs::write(root.join("d.obj"), "v 1 2\n").unwrap();
    fs::write(root.join("e.obj"), "# nothing\n").unwrap();
    let read = read_assembly(&root).unwrap();
    assert_eq!(names(&read), ["a"]);
    let reasons: Vec<String> = read.refused.iter().map(ToString::to_string).collect();
    let expected = ["NaN", "200 bytes", "line 1", "no triangles"];
    assert_eq!(reasons.len(), expected.len(), "{reasons:?}");
    for (reason, word) in reasons.iter().zip(expected) {
        assert!(
            reason.contains(word) && reason.contains("clash_bad"),
            "{reason}"
        );
    }
}

#[test]
fn what_cannot_be_read_at_all_is_refused() {
    let root = folder("clash_none");
    assert!(refusal(&root).contains("holds no file that ends in"));
    assert!(refusal(&root.join("no such file.stl")).contains("cannot be read"));
    fs::write(root.join("x.ifc"), "ISO-10303-21;").unwrap();
    assert!(refusal(&root.join("x.ifc")).contains("must be a folder, or end in .stl"));
    for (name, bytes) in [
        ("a.glb", &b"glTF\x02\0\0\0\x0c\0\0\0"[..]),
        ("b.gltf", b"{}"),
        ("c.gltf", b"{\"asset\": {\"version\": \"2.0\"}}"),
        ("d.glb", b""),
    ] {
        fs::write(root.join(name), bytes).unwrap();
        let text = refusal(&root.join(name));
        assert!(
            text.contains("glTF") || text.contains("has no parts"),
            "{name}: {text}"
        );
    }
}

/// A glTF file with one mesh, the unit cube, and these nodes.
fn gltf(
    root: &Path,
    nodes: &str,
    changed: impl Fn(String) -> String,
) -> Result<ReadAssembly, String> {
    let (vertices, triangles) = block(DVec3::ZERO, DVec3::ONE);
    let mut bytes = Vec::new();
    for vertex in &vertices {
        bytes.extend(
            vertex
                .as_vec3()
                .to_array()
                .iter()
                .flat_map(|x| x.to_le_bytes()),
        );
    }
    bytes.extend(triangles.iter().flatten().map(|&corner| corner as u8));
    fs::write(root.join("cube.bin"), &bytes).unwrap();
    let text = format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}], "nodes": [{nodes}],
        "buffers": [{{"byteLength": {length}, "uri": "cube.bin"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 96}}, {{"buffer": 0, "byteOffset": 96, "byteLength": 36}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 8, "min": [0, 0, 0], "max": [1, 1, 1]}},
            {{"bufferView": 1, "componentType": 5121, "type": "SCALAR", "count": 36}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}]}}"#,
        length = bytes.len()
    );
    fs::write(root.join("x.gltf"), changed(text)).unwrap();
    read_assembly(&root.join("x.gltf")).map_err(|refused| refused.to_string())
}

#[test]
fn nodes_of_gltf_are_named_by_their_way_and_stand_where_their_parents_put_them() {
    let root = folder("clash_gltf");
    let nodes = r#"{"name": "site", "translation": [1000000, 0, 0], "children": [1, 2, 3, 4]},
        {"name": "a", "mesh": 0}, {"name": "a", "mesh": 0, "scale": [2, -1, 3]},
        {"mesh": 0, "rotation": [0, 0, 0.70710677, 0.70710677]}, {"name": "empty"}"#;
    let read = gltf(&root, nodes, |text| text).unwrap();
    assert_eq!(names(&read), ["site/a", "site/a#2", "site/node 3"]);
    assert_eq!(read.assembly.solids(), 3);
    let near = |place: DVec3, x: f64, y: f64, z: f64| (place - DVec3::new(x, y, z)).length() < 1e-5;
    let limits: Vec<[DVec3; 2]> = read
        .assembly
        .parts()
        .iter()
        .map(|part| part.limits())
        .collect();
    assert!(near(limits[0][0], 1e6, 0.0, 0.0) && near(limits[0][1], 1e6 + 1.0, 1.0, 1.0));
    assert!(near(limits[1][0], 1e6, -1.0, 0.0) && near(limits[1][1], 1e6 + 2.0, 0.0, 3.0));
    assert!(near(limits[2][0], 1e6 - 1.0, 0.0, 0.0) && near(limits[2][1], 1e6, 1.0, 1.0));
}

#[test]
fn places_of_nodes_are_read_in_double_precision() {
    let root = folder("clash_gltf_far");
    let nodes = r#"{"name": "site", "children": [1, 2]},
        {"name": "a", "mesh": 0, "translation": [1000001.03, 0, 0]},
        {"name": "b", "mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1000000.98, 0, 0, 1]}"#;
    let read = gltf(&root, nodes, |text| text).unwrap();
    for (part, x) in read.assembly.parts().iter().zip([1000001.03, 1000000.98]) {
        let low = part.limits()[0].x + part.rounding();
        assert!((low - x).abs() < 1e-8, "{low}");
    }
}

#[test]
fn a_part_does_not_depend_on_other_nodes_with_its_mesh() {
    let root = folder("clash_gltf_shared");
    let own = r#"{"name": "a", "mesh": 0, "scale": [1.0000004, 1.0000004, 1.0000004]}"#;
    let turned = r#"{"name": "a", "mesh": 0, "rotation": [0.6, 0, 0, 0.8]}"#;
    for own in [own, turned] {
        let alone = format!(r#"{{"name": "site", "children": [1]}}, {own}"#);
        let shared = format!(r#"{{"name": "site", "children": [1, 2]}}, {own}, {{"mesh": 0}}"#);
        let [alone, shared] = [alone, shared].map(|nodes| gltf(&root, &nodes, |text| text));
        let (alone, shared) = (alone.unwrap(), shared.unwrap());
        assert_eq!(alone.assembly.parts()[0], shared.assembly.parts()[0]);
    }
    // Single precision has multiples of 1.2e-7 beside 1.
    let read = gltf(
        &root,
        &format!(r#"{{"children": [1, 2]}}, {own}, {{"mesh": 0}}"#),
        |text| text,
    );
    let read = read.unwrap();
    let part = &read.assembly.parts()[0];
    let high = part.limits()[1].x - part.rounding();
    assert!((high - 1.000_000_4).abs() < 1e-7, "{high}");
}

#[test]
fn the_first_scene_is_read_if_none_is_said_and_buffers_may_have_spaces_in_their_names() {
    let root = folder("clash_gltf_scenes");
    fs::create_dir_all(root.join("b 1")).unwrap();
    let changed = |text: String| {
        fs::rename(root.join("cube.bin"), root.join("b 1/cube.bin")).unwrap();
        text.replace(
            "\"scene\": 0, \"scenes\": [",
            "\"scenes\": [{\"nodes\": [0]}, ",
        )
        .replace("cube.bin", "b%201/cube.bin")
    };
    let read = gltf(&root, r#"{"name": "a", "mesh": 0}"#, changed).unwrap();
    assert_eq!(names(&read), ["a"]);
}

#[test]
fn gltf_that_reaches_beyond_its_buffers_or_in_circles_is_refused() {
    let root = folder("clash_gltf_bad");
    let node = r#"{"name": "a", "mesh": 0}"#;
    let instances = r#"{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {}}}}"#;
    let word = "n".repeat(2048);
    let long = format!(r#"{{"name": "{word}", "children": [1]}}, {{"name": "{word}", "mesh": 0}}"#);
    let types = "has componentType 5126, must be 5121 or 5123 or 5125";
    let past = "\"count\": 8, \"byteOffset\": 18446744073709551615";
    let cases = [
        [node, "\"count\": 8", "\"count\": 9", "reaches beyond"],
        [
            node,
            "\"count\": 8",
            "\"count\": 4000000000000000000",
            "reaches beyond",
        ],
        [
            node,
            "\"byteLength\": 132",
            "\"byteLength\": 133",
            "must have 133",
        ],
        [node, "\"cube.bin\"", "\"none.bin\"", "cannot be read"],
        [node, "\"count\": 36", "\"count\": 35", "has 35 corners"],
        [node, "\"count\": 8", "\"count\": 7", "names vertex 7, but"],
        [node, "\"count\": 8", past, "reaches beyond"],
        [node, "5121", "5126", types],
        [node, "SCALAR", "VEC2", "is Vec2, must be Scalar"],
        [node, "cube.bin", "/dev/zero", "is not beside the file"],
        [
            node,
            "cube.bin",
            "../clash_gltf_bad/cube.bin",
            "is not beside",
        ],
        [node, "cube.bin", "%2e%2e/cube.bin", "is not beside"],
        [node, "cube.bin", ".", "is no file"],
        [instances, "", "", "nodes[0] has EXT_mesh_gpu_instancing"],
        [&long, "", "", "nodes[1] has a name of 4097 bytes"],
        [r#"{"children": [0], "mesh": 0}"#, "", "", "several nodes"],
    ];
    for case in cases {
        assert_refused(&root, case);
    }
}

#[test]
fn gltf_that_names_what_is_not_there_or_is_not_read_is_refused() {
    let root = folder("clash_gltf_names");
    let node = r#"{"name": "a", "mesh": 0}"#;
    let cases = [
        [
            node,
            "\"POSITION\": 0",
            "\"POSITION\": 7",
            "meshes[0].primitives[0].attributes.POSITION is 7, must be less than 2",
        ],
        [
            node,
            "\"indices\": 1",
            "\"indices\": 7",
            "meshes[0].primitives[0].indices",
        ],
        [r#"{"mesh": 3}"#, "", "", "nodes[0].mesh"],
        [
            node,
            "{\"asset\"",
            "{\"extensionsRequired\": [\"KHR_draco_mesh_compression\"], \"asset\"",
            "requires KHR_draco_mesh_compression, which is not read",
        ],
        [node, "cube.bin", "data:,abc", "not in base64"],
        [node, "cube.bin", "data:;base64,!", "is no valid base64"],
    ];
    for case in cases {
        assert_refused(&root, case);
    }
}

/// That a file of these nodes, where one text stands for another, is refused with these words.
fn assert_refused(root: &Path, [nodes, from, to, words]: [&str; 4]) {
    let changed = |text: String| match from {
        "" => text,
        from => text.replacen(from, to, 1),
    };
    let text = match gltf(root, nodes, changed) {
        Err(text) => text,
        Ok(read) => read.refused.iter().map(ToString::to_string).collect(),
    };
    assert!(text.contains(words), "{to}: {text}");
}

/// A cube with its buffer in the text, its corners as whole numbers, and one of them listed apart.
fn quantized(root: &Path, size: f64) -> ReadAssembly {
    let (vertices, triangles) = block(DVec3::ZERO, DVec3::ONE);
    let mut bytes: Vec<u8> = vertices
        .iter()
        .flat_map(|vertex| (vertex.as_vec3() * 255.0).to_array().map(|x| x as u8))
        .collect();
    // The last one is wrong, and replaced.
    bytes[21..24].fill(9);
    bytes.extend(triangles.iter().flatten().map(|&corner| corner as u8));
    bytes.extend([7, 255, 255, 255]);
    let text = format!(
        r#"{{"asset": {{"version": "2.0"}}, "scenes": [{{"nodes": [0, 1]}}],
        "extensionsRequired": ["KHR_mesh_quantization"], "extensionsUsed": ["KHR_mesh_quantization"],
        "nodes": [{{"name": "cube", "mesh": 0, "scale": [{size}, {size}, {size}]}}, {{"name": "axis", "mesh": 1}}],
        "buffers": [{{"byteLength": 64, "uri": "data:application/octet-stream;base64,{}"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 24}}, {{"buffer": 0, "byteOffset": 24, "byteLength": 36}},
            {{"buffer": 0, "byteOffset": 60, "byteLength": 1}}, {{"buffer": 0, "byteOffset": 61, "byteLength": 3}}],
        "accessors": [{{"bufferView": 0, "componentType": 5121, "normalized": true, "type": "VEC3", "count": 8, "min": [0, 0, 0],
            "max": [255, 255, 255], "sparse": {{"count": 1, "indices": {{"bufferView": 2, "componentType": 5121}},
            "values": {{"bufferView": 3}}}}}},
            {{"bufferView": 1, "componentType": 5121, "type": "SCALAR", "count": 36}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}},
            {{"primitives": [{{"attributes": {{"POSITION": 0}}, "mode": 1}}]}}]}}"#,
        BASE64_STANDARD.encode(&bytes)
    );
    fs::write(root.join("x.gltf"), text).unwrap();
    read_assembly(&root.join("x.gltf")).unwrap()
}

#[test]
fn buffers_in_the_text_whole_numbers_and_sparse_values_are_read_and_lines_passed_over() {
    let root = folder("clash_gltf_quantized");
    let read = quantized(&root, 4.0);
    assert_eq!((names(&read), read.passed_over), (vec!["cube"], 1));
    assert!(read.refused.is_empty(), "{:?}", read.refused);
    let part = &read.assembly.parts()[0];
    assert_eq!(*part.form(), Form::Solid);
    // A step of the file is 4 / 255: corners may be half of it away along each axis.
    let half = 0.5 * 4.0 / 255.0;
    assert!(
        (part.rounding() - half * 3.0_f64.sqrt()).abs() < 1e-6,
        "{}",
        part.rounding()
    );
    let [low, high] = part.limits();
    let grown = part.rounding();
    assert!(
        (low + grown).abs().max_element() < 1e-6 && (high - 4.0 - grown).abs().max_element() < 1e-6
    );
}

#[test]
fn strips_and_fans_are_triangles_that_face_one_way() {
    let root = folder("clash_gltf_strips");
    // A tetrahedron: a strip around three sides and a fan of one.
    let places: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let strip = [0_u8, 2, 1, 3, 0];
    let fan = [0_u8, 3, 2];
    let mut bytes: Vec<u8> = places
        .iter()
        .flatten()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    bytes.extend(strip.iter().chain(&fan));
    fs::write(root.join("t.bin"), &bytes).unwrap();
    let text = r#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"name": "t", "mesh": 0}],
        "buffers": [{"byteLength": 56, "uri": "t.bin"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 8}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4, "min": [0, 0, 0], "max": [1, 1, 1]},
            {"bufferView": 1, "componentType": 5121, "type": "SCALAR", "count": 5},
            {"bufferView": 1, "byteOffset": 5, "componentType": 5121, "type": "SCALAR", "count": 3}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 5},
            {"attributes": {"POSITION": 0}, "indices": 2, "mode": 6}]}]}"#;
    fs::write(root.join("t.gltf"), text).unwrap();
    let read = read_assembly(&root.join("t.gltf")).unwrap();
    let part = &read.assembly.parts()[0];
    assert_eq!((part.triangles(), part.form()), (4, &Form::Solid));
}

/// A binary glTF file with this text.
fn glb(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    text.resize(text.len().next_multiple_of(4), b' ');
    let lengths = [20 + text.len(), text.len()].map(|length| (length as u32).to_le_bytes());
    let header: [&[u8]; 5] = [b"glTF", &[2, 0, 0, 0], &lengths[0], &lengths[1], b"JSON"];
    [header.concat(), text].concat()
}

#[test]
fn damaged_gltf_is_read_or_refused() {
    let root = folder("clash_gltf_damaged");
    quantized(&root, 1.0);
    let text = fs::read(root.join("x.gltf")).unwrap();
    let mut random = Pcg64Mcg::seed_from_u64(62);
    let mut refused = 0;
    for round in 0..1500 {
        let is_text = round % 3 > 0;
        let mut bytes = if is_text { text.clone() } else { glb(&text) };
        for _ in 0..random.random_range(1..4) {
            // Numbers most often: they name accessors, views and buffers, and are lengths and offsets.
            let numbers = (0..bytes.len()).filter(|&k| bytes[k].is_ascii_digit());
            let numbers: Vec<usize> = numbers.collect();
            let number = numbers[random.random_range(0..numbers.len())];
            let any = random.random_range(0..if is_text { bytes.len() } else { 24 });
            match random.random_range(0..4) {
                0 | 1 => bytes[number] = random.random_range(b'0'..=b'9'),
                2 => drop(bytes.splice(number..number, vec![b'9'; random.random_range(1..20)])),
                _ => bytes[any] = random.random(),
            }
        }
        let path = root.join(if is_text { "y.gltf" } else { "y.glb" });
        fs::write(&path, bytes).unwrap();
        // No panic, and no memory without end.
        refused += usize::from(read_assembly(&path).is_err());
    }
    assert!(refused > 500, "{refused}");
}

#[test]
fn steps_of_the_numbers_of_a_file_are_part_of_the_bounds() {
    let root = folder("clash_stl_far");
    // At 50 km a step of single precision is 3.9 mm: the second cube begins one step before the first one ends.
    fs::write(root.join("a.stl"), stl([50_000.0, 0.0, 0.0])).unwrap();
    fs::write(root.join("b.stl"), stl([50_000.996, 0.0, 0.0])).unwrap();
    let read = read_assembly(&root).unwrap();
    assert_eq!(read.assembly.solids(), 2);
    let check = Check::within(read.assembly, everything(0.0, 0.001)).unwrap();
    let clash = all_clashes(&check)[0];
    assert!(clash.distance < -0.003 && clash.upper >= 0.0, "{clash:?}");
    assert_eq!(
        (clash.is_proven, clash.is_allowed),
        (false, true),
        "{clash:?}"
    );
}

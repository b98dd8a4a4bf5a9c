//! Links of the documents lead somewhere, and no chapter of the book is forgotten.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> PathBuf {
    normal(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// The texts of all documents below a folder. What builds and tools make is passed over.
fn documents(folder: &Path, found: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_made = name.starts_with('.') || name == "target" || name == "node_modules";
        if is_made || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            documents(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).expect("a document is text");
            found.insert(path, text);
        }
    }
}

/// A document without its blocks of code.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let mut out = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Where the links and pictures of a document lead, and on which line they are.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut is_code = false;
    for (line, content) in text.lines().enumerate() {
        is_code ^= content.trim_start().starts_with("```");
        if is_code {
            continue;
        }
        // Every other piece between two backticks is code.
        for piece in content.split('`').step_by(2) {
            let targets = piece.split("](").skip(1);
            out.extend(
                targets
                    .filter_map(|rest| rest.split([')', ' ']).next())
                    .map(|to| (line + 1, to)),
            );
        }
    }
    out
}

/// The anchors of the headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for heading in prose(text).lines().filter(|line| line.starts_with('#')) {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let letters = title.chars().filter_map(|letter| match letter {
            ' ' => Some('-'),
            letter => (letter.is_alphanumeric() || "-_".contains(letter)).then_some(letter),
        });
        let anchor: String = letters.collect();
        let same = out.iter().filter(|known| **known == anchor).count();
        out.push(match same {
            0 => anchor,
            again => format!("{anchor}-{again}"),
        });
    }
    out
}

#[test]
fn every_link_leads_somewhere() {
    let mut all = BTreeMap::new();
    documents(&root(), &mut all);
    assert!(all.len() > 40, "only {} documents were found", all.len());
    let (mut dead, mut count) = (Vec::new(), 0);
    for (path, text) in &all {
        let folder = path.parent().expect("a document is in a folder");
        for (line, link) in links(text) {
            // Elsewhere, or an item of the source.
            if link.contains("://") || link.contains("::") {
                continue;
            }
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                file => normal(&folder.join(file)),
            };
            let is_there = target.exists();
            let known = all.get(&target).map(|text| anchors(text));
            if !is_there
                || (!anchor.is_empty()
                    && known.is_some_and(|known| !known.iter().any(|one| one == anchor)))
            {
                dead.push(format!("{}:{line}: {link}", path.display()));
            }
        }
    }
    assert!(count > 100, "only {count} links were found");
    assert!(
        dead.is_empty(),
        "these links lead nowhere:\n{}",
        dead.join("\n")
    );
}

#[test]
fn every_chapter_is_in_the_book_and_its_code_is_run() {
    let source = root().join("docs/book/src");
    let mut chapters = BTreeMap::new();
    documents(&source, &mut chapters);
    let summary = chapters
        .remove(&source.join("SUMMARY.md"))
        .expect("the book has a summary");
    let listed: Vec<_> = links(&summary).into_iter().map(|(_, to)| to).collect();
    let runs = ["crates/clearance/src/lib.rs", "crates/bevy/src/lib.rs"]
        .map(|file| fs::read_to_string(root().join(file)).expect("it is there"))
        .concat();
    for (path, text) in &chapters {
        let name = path
            .strip_prefix(&source)
            .expect("it is below")
            .to_string_lossy();
        assert!(listed.contains(&&*name), "{name} is not in SUMMARY.md");
        assert!(
            !text.contains("```rust") || runs.contains(&format!("docs/book/src/{name}\"")),
            "the code of {name} is not run: list it in crates/clearance/src/lib.rs"
        );
    }
    assert_eq!(
        listed.len(),
        chapters.len(),
        "SUMMARY.md lists a chapter twice"
    );
}

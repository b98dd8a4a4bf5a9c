//! Has the command compiled again when files come to the page or go from it.

#![allow(
    clippy::print_stdout,
    reason = "this is how a build script talks to cargo"
)]

fn main() {
    println!("cargo::rerun-if-changed=page");
}

//! Gives the shared library the name by which programs look for it: that of the installed file, not of the crate.

fn main() {
    let target = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    match target.as_str() {
        "macos" | "ios" => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libclearance.dylib");
        }
        "windows" | "" => {}
        _ => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libclearance.so"),
    }
    println!("cargo:rerun-if-changed=build.rs");
}

//! Running the command.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The result of a run of the command.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("ended by itself"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

/// The command that cargo has built, or the program that `CLEARANCE_COMMAND` names: the command of
/// another platform, inside of what runs it here.
fn program() -> OsString {
    std::env::var_os("CLEARANCE_COMMAND").unwrap_or_else(|| env!("CARGO_BIN_EXE_clearance").into())
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(arguments);
    command
}

pub(crate) fn run(arguments: &[&str]) -> Ran {
    run_on(arguments, b"")
}

/// Runs with `input` on standard input.
pub(crate) fn run_on(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A command that does not read its input closes it.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("ended");
    writer.join().expect("wrote");
    output.into()
}

/// A path for a file of the test `name`, in a folder that cargo keeps for tests.
pub(crate) fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

pub(crate) fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

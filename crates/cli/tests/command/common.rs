//! Running the command.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

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

impl Ran {
    /// Asserts that the command ended with 2, wrote nothing and gave a reason with these words.
    #[track_caller]
    pub(crate) fn assert_refused(&self, words: &str) {
        assert_eq!((self.code, self.out.as_str()), (2, ""), "{}", self.err);
        self.assert_err(words);
    }

    /// Asserts that the reason has these words, and begins with them if they begin with the name of the command.
    #[track_caller]
    pub(crate) fn assert_err(&self, words: &str) {
        let is_there = if words.starts_with("clearance: ") {
            self.err.starts_with(words)
        } else {
            self.err.contains(words)
        };
        assert!(is_there, "no {words:?} in {}", self.err);
    }

    #[track_caller]
    pub(crate) fn assert_out(&self, words: &str) {
        assert!(self.out.contains(words), "no {words:?} in {}", self.out);
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

/// Starts the command, with pipes for all that it reads and writes.
pub(crate) fn spawn(arguments: &[&str]) -> Child {
    command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started")
}

/// Sends the signal of Ctrl-C.
#[cfg(unix)]
pub(crate) fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("sent").success());
}

pub(crate) fn run(arguments: &[&str]) -> Ran {
    run_on(arguments, b"")
}

/// Runs with `input` on standard input.
pub(crate) fn run_on(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = spawn(arguments);
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

//! `clearance view`: the page, served from inside of the command.

mod address;
mod connections;
mod content;
mod pace;
mod page;
mod server;
mod session;
mod socket;
mod stepper;

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

use clearance_inspect::Broadcaster;

use crate::failure::{Failure, Verdict};
use crate::number::whole;
use crate::output;
use crate::run::Stepping;
use address::Attached;
use content::Content;
use session::{Live, Session, Site};

const EXAMPLES: &str = "\
Examples:
  clearance view --open
  clearance generate mixed --count 10000 > scene.json
  clearance view scene.json --threads 2
  clearance run scene.json --record run.clrec && clearance view run.clrec
  clearance clash building.glb -o report.jsonl --scene clashes.json
  clearance view clashes.json --report report.jsonl
  clearance view pairs.jsonl --port 8080
  clearance view --attach 127.0.0.1:40123

A scene is stepped here, 60 times a second while somebody looks, and the page shows it; a recording
is played by the page. Of pairs, a single one opens in the stepper of GJK, several in the table of
their accuracy. What the file is, is found out from what is in it.

With a --report, the page lists its clashes and flies from one to the next.

--attach shows the world of a running game that has an inspector: the crate clearance-inspect.

The page and everything it needs are part of this command. It is served to this machine only.
docs/file-formats.md in the source code describes scenes and pairs.";

/// Show a scene, a recording, pairs or a running game in the browser.
///
/// Prints the address of the page. Ctrl-C ends it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A scene, a recording or a file of pairs, or - for standard input [default: the page alone]
    file: Option<PathBuf>,
    /// The report of clashes whose parts are in the scene: what `clearance clash --scene` wrote
    #[arg(long, value_name = "FILE", requires = "file")]
    report: Option<PathBuf>,
    /// Port of the page; 0 takes a free one
    #[arg(long, value_name = "N", default_value = "0", allow_hyphen_values = true, value_parser = port)]
    port: u64,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Show the world of a running game: the address that its inspector listens at
    #[arg(long, value_name = "ADDRESS", conflicts_with = "file")]
    attach: Option<Attached>,
    #[command(flatten, next_help_heading = "Options of a scene")]
    stepping: Stepping,
}

fn port(word: &str) -> Result<u64, String> {
    whole(word, 0..=u16::MAX.into())
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Verdict, Failure> {
    let content = match (&arguments.file, &arguments.report) {
        (Some(scene), Some(report)) => Content::read_clashes(scene, report)?,
        (Some(path), None) => Content::read(path)?,
        (None, _) => Content::Nothing,
    };
    let attached = arguments.attach.as_ref();
    let session = Session::new(&content, arguments.file.as_deref(), attached);
    let (live, stepping) = match &content {
        Content::Scene(scene) => {
            let broadcaster = Broadcaster::new(&socket::options())?;
            let door = broadcaster.door();
            let (orders, thread) =
                stepper::start(scene, arguments.stepping.run_options(), broadcaster)?;
            (Some(Live { door, orders }), Some(thread))
        }
        _ => (None, None),
    };
    let port = arguments.port as u16;
    let listen = |error| Failure::Listen { port, error };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(listen)?;
    let address = listener.local_addr().map_err(listen)?;
    let site = Site::new(&session, content, live);
    let url = format!("http://{address}/");
    let ready = || announce(&url, arguments.open);
    server::serve(listener, site, attached, ready)?;
    if let Some(stepping) = stepping {
        // Its orders ended with the server.
        let _ = stepping.join();
    }
    Ok(Verdict::Fine)
}

/// Says where the page is, and opens it where that is wanted.
fn announce(url: &str, opens: bool) {
    let mut out = output::standard();
    // Whoever does not read it may know the port.
    let _ = writeln!(out, "{url}").and_then(|()| out.flush());
    drop(out);
    if opens && let Err(error) = open::that_detached(url) {
        let _ = writeln!(
            io::stderr(),
            "clearance: warning: cannot open a browser: {error}; open {url} yourself"
        );
    }
}

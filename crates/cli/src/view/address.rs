//! The address of an inspector on the command line.

use core::str::FromStr;

use axum::http::uri::Authority;

/// Where an inspector listens: a host and a port.
#[derive(Clone, Debug)]
pub(crate) struct Attached(Authority);

impl Attached {
    /// The address as a page connects to it.
    pub(super) fn websocket(&self) -> String {
        format!("ws://{}", self.0)
    }

    /// What a content security policy says for it. The policies of browsers know no addresses of IPv6, so
    /// that for one of them websockets to every host have to be allowed.
    pub(super) fn source(&self) -> String {
        if self.0.host().starts_with('[') {
            "ws:".to_owned()
        } else {
            self.websocket()
        }
    }
}

impl FromStr for Attached {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let bare = word.strip_prefix("ws://").unwrap_or(word);
        let bare = bare.strip_suffix('/').unwrap_or(bare);
        let authority = bare.parse::<Authority>().ok();
        authority
            .filter(|address| address.port_u16().is_some() && !bare.contains('@'))
            .filter(|address| !address.host().is_empty())
            .map(Self)
            .ok_or_else(|| "must be a host and a port, such as 127.0.0.1:40123".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_a_port() {
        for word in [
            "127.0.0.1:40123",
            "ws://127.0.0.1:40123",
            "ws://127.0.0.1:40123/",
        ] {
            let address = word.parse::<Attached>().expect(word);
            assert_eq!(address.websocket(), "ws://127.0.0.1:40123");
            assert_eq!(address.source(), address.websocket());
        }
        let six = "[::1]:80".parse::<Attached>().expect("an address of IPv6");
        assert_eq!(six.websocket(), "ws://[::1]:80");
        assert_eq!(six.source(), "ws:");
        for word in [
            "",
            ":80",
            "localhost",
            "localhost:",
            "localhost:x",
            "localhost:70000",
            "a@b:80",
            "http://localhost:80",
            "localhost:80/path",
            "local host:80",
            "ws://",
        ] {
            assert!(word.parse::<Attached>().is_err(), "{word}");
        }
    }
}

//! Which web pages may look.

use core::net::IpAddr;

use tungstenite::http::Uri;
use tungstenite::http::uri::Authority;

/// Whether a page of this origin was served by this machine on loopback: `http://localhost:5173`.
///
/// A browser sends the header `Origin` with the address from which it has the page. Without looking at it, any
/// web site could read along in the browser of whoever visits it.
#[must_use]
pub fn is_loopback_origin(origin: &str) -> bool {
    let Ok(uri) = origin.parse::<Uri>() else {
        return false;
    };
    let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
    is_web && uri.authority().is_some_and(is_loopback)
}

/// Whether the header `Host` of a request names this machine by a name of loopback: `127.0.0.1:8080`.
///
/// A web site can let its own name stand for 127.0.0.1 once its page is loaded ("DNS rebinding"); to the browser
/// the page and a server on loopback are then one site. The name in `Host` gives it away.
#[must_use]
pub fn is_loopback_host(host: &str) -> bool {
    host.parse::<Authority>()
        .is_ok_and(|authority| is_loopback(&authority))
}

fn is_loopback(authority: &Authority) -> bool {
    if authority.as_str().contains('@') {
        return false;
    }
    let host = authority.host();
    if host.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let bare = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    bare.unwrap_or(host)
        .parse::<IpAddr>()
        .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_of_this_machine_are_told_from_all_others() {
        for origin in [
            "http://127.0.0.1",
            "http://127.0.0.1:5173",
            "http://LocalHost:80",
            "https://localhost",
            "http://[::1]:8080",
        ] {
            assert!(is_loopback_origin(origin), "{origin}");
        }
        for origin in [
            "",
            "null",
            "localhost",
            "file://localhost",
            "http://",
            "http://example.com",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com",
            "http://127.0.0.1@example.com",
            "http://user@localhost",
            "http://192.168.0.1",
            "http://0.0.0.0",
            "http://[::2]",
            "http://2130706433",
            "http://exa mple",
        ] {
            assert!(!is_loopback_origin(origin), "{origin}");
        }
    }

    #[test]
    fn hosts_of_this_machine_are_told_from_all_others() {
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost:9",
            "[::1]:1",
            "[::1]",
        ] {
            assert!(is_loopback_host(host), "{host}");
        }
        for host in [
            "",
            "example.com",
            "example.com:80",
            "localhost.",
            "a@localhost",
            "[::1",
            "10.0.0.1",
        ] {
            assert!(!is_loopback_host(host), "{host}");
        }
    }
}

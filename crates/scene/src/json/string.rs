//! Strings: where they end and what their escapes mean.

use std::borrow::Cow;

/// The string that starts behind the opening quote at the start of `text`.
///
/// Returns it and the length of its text without the quotes, or what is wrong and where.
pub(super) fn scan(text: &str) -> Result<(Cow<'_, str>, usize), (usize, &'static str)> {
    let bytes = text.as_bytes();
    let mut escaped = false;
    let mut at = 0;
    loop {
        match bytes.get(at) {
            None => return Err((at, "the text ends inside a string")),
            Some(b'"') => break,
            Some(b'\\') => {
                escaped = true;
                at += 2;
            }
            Some(0..0x20) => return Err((at, "a control character in a string, must be escaped")),
            Some(_) => at += 1,
        }
    }
    let raw = &text[..at];
    if escaped {
        Ok((Cow::Owned(unescaped(raw)?), at))
    } else {
        Ok((Cow::Borrowed(raw), at))
    }
}

fn unescaped(raw: &str) -> Result<String, (usize, &'static str)> {
    let mut out = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some(offset) = raw[at..].find('\\') {
        out.push_str(&raw[at..at + offset]);
        at += offset;
        let (character, length) = escape(&raw[at..]).map_err(|problem| (at, problem))?;
        out.push(character);
        at += length;
    }
    out.push_str(&raw[at..]);
    Ok(out)
}

/// The character that the escape at the start of `raw` stands for, and the length of the escape.
fn escape(raw: &str) -> Result<(char, usize), &'static str> {
    let character = match raw.as_bytes().get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(raw),
        _ => return Err("an unknown escape in a string"),
    };
    Ok((character, 2))
}

fn unicode(raw: &str) -> Result<(char, usize), &'static str> {
    let first = unit(raw, 2)?;
    if let Some(character) = char::from_u32(first) {
        return Ok((character, 6));
    }
    let lone = "half of a surrogate pair in a string";
    if first >= 0xDC00 || raw.get(6..8) != Some("\\u") {
        return Err(lone);
    }
    let second = unit(raw, 8)?;
    let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400);
    let code = 0x10000 + ((first - 0xD800) << 10) + low.ok_or(lone)?;
    Ok((char::from_u32(code).ok_or(lone)?, 12))
}

fn unit(raw: &str, at: usize) -> Result<u32, &'static str> {
    raw.get(at..at + 4)
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .ok_or("an escape \\u in a string needs four hexadecimal digits")
}

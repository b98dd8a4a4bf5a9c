//! What stands in for the page: sends requests, reads replies.

use core::time::Duration;
use std::sync::atomic::{AtomicU64, Ordering};

use clearance_playground::Playground;
use serde_json::Value;

/// A millisecond passes between any two readings.
fn clock() -> Duration {
    static READINGS: AtomicU64 = AtomicU64::new(0);
    Duration::from_millis(READINGS.fetch_add(1, Ordering::Relaxed))
}

pub(crate) struct Page {
    playground: Playground,
}

/// An answer that is not an error.
pub(crate) struct Answer {
    pub(crate) json: Value,
    words: Vec<u32>,
}

impl Page {
    pub(crate) fn new() -> Self {
        Self {
            playground: Playground::new(clock),
        }
    }

    pub(crate) fn raw(&mut self, request: &str, attachment: &[u8]) -> Value {
        let reply = self.playground.handle(request, attachment);
        serde_json::from_str(&reply.json).unwrap()
    }

    pub(crate) fn ask(&mut self, request: &Value) -> Answer {
        self.ask_with(request, &[])
    }

    /// The answer without the numbers beside it.
    pub(crate) fn told(&mut self, request: &Value) -> Value {
        self.ask(request).json
    }

    pub(crate) fn ask_with(&mut self, request: &Value, attachment: &[u8]) -> Answer {
        let reply = self.playground.handle(&request.to_string(), attachment);
        let json: Value = serde_json::from_str(&reply.json).unwrap();
        assert!(json.get("error").is_none(), "{request}: {json}");
        let words = reply.binary.chunks_exact(4);
        Answer {
            json: json["ok"].clone(),
            words: words
                .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
                .collect(),
        }
    }

    pub(crate) fn error(&mut self, request: &Value) -> String {
        let answer = self.raw(&request.to_string(), &[]);
        answer["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{request}: {answer}"))
            .to_owned()
    }
}

impl Answer {
    pub(crate) fn integers(&self, span: &Value) -> &[u32] {
        let [start, count] = [0, 1].map(|k| span[k].as_u64().unwrap() as usize);
        &self.words[start..start + count]
    }

    pub(crate) fn floats(&self, span: &Value) -> Vec<f32> {
        let bits = self.integers(span).iter();
        bits.map(|bits| f32::from_bits(*bits)).collect()
    }
}

/// The numbers of a list.
pub(crate) fn numbers(list: &Value) -> Vec<f64> {
    let list = list.as_array().unwrap_or_else(|| panic!("{list}"));
    list.iter().map(|number| number.as_f64().unwrap()).collect()
}

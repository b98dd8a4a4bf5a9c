// A request to the engine, in Node as in a browser.

/** Sends bytes as a request, and returns the reply: an object with `ok` or `error`. */
export function send(engine, request, attachment = new Uint8Array()) {
    for (const [place, bytes] of [[engine.input, request], [engine.attachment, attachment]]) {
        // Unsigned: half of the memory has addresses that are negative as 32-bit numbers.
        const start = place(bytes.length) >>> 0;
        new Uint8Array(engine.memory.buffer, start, bytes.length).set(bytes);
    }
    engine.handle();
    const text = new Uint8Array(engine.memory.buffer, engine.output() >>> 0, engine.output_length() >>> 0);
    return JSON.parse(new TextDecoder().decode(text));
}

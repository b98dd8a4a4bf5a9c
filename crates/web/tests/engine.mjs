// The engine in Node, asked as the page asks it.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** The exports of a new instance of the module in `file`, whose clock is `now`. */
export function instantiate(file, now = () => performance.now()) {
    const module = new WebAssembly.Module(readFileSync(file));
    return new WebAssembly.Instance(module, { env: { now } }).exports;
}

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

/** Loads a module and returns a function that takes a request and gives what its reply holds. */
export function load(file) {
    const engine = instantiate(file);
    return function ask(request) {
        const reply = send(engine, new TextEncoder().encode(JSON.stringify(request)));
        if (!('ok' in reply)) {
            throw new Error(reply.error);
        }
        return reply.ok;
    };
}

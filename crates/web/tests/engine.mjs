// The engine in Node, asked as the page asks it.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** Loads a module and returns a function that takes a request and gives what its reply holds. */
export function load(file) {
    const module = new WebAssembly.Module(readFileSync(file));
    const env = { now: () => performance.now() };
    const engine = new WebAssembly.Instance(module, { env }).exports;

    function put(place, bytes) {
        // Unsigned: half of the memory has addresses that are negative as 32-bit numbers.
        const start = place(bytes.length) >>> 0;
        new Uint8Array(engine.memory.buffer, start, bytes.length).set(bytes);
    }

    return function ask(request, attachment = new Uint8Array()) {
        put(engine.input, new TextEncoder().encode(JSON.stringify(request)));
        put(engine.attachment, attachment);
        let trapped = null;
        try {
            engine.handle();
        } catch (error) {
            trapped = error;
        }
        const text = new Uint8Array(engine.memory.buffer, engine.output() >>> 0, engine.output_length() >>> 0);
        const reply = JSON.parse(new TextDecoder().decode(text));
        if (trapped || !('ok' in reply)) {
            throw new Error(reply.error ?? String(trapped));
        }
        return reply.ok;
    };
}

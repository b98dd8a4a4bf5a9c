// The engine in Node, asked as the page asks it.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { send } from './send.mjs';

export { send };

/** The exports of a new instance of the module in `file`, whose clock is `now`. */
export function instantiate(file, now = () => performance.now()) {
    const module = new WebAssembly.Module(readFileSync(file));
    return new WebAssembly.Instance(module, { env: { now } }).exports;
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

// How long the WebAssembly module takes for a step in a worker of Chromium, as in the page: the median over frames, of
// several runs. Needs the packages of the playground (npm ci), and Chromium.
//
// usage: node speed_in_chromium.mjs MODULE.wasm [KIND [COUNT [RUNS]]]
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../../../playground/package.json', import.meta.url))('playwright-core');

const [moduleFile, kind = 'mixed', count = '5000', runs = '5'] = process.argv.slice(2);
const FRAMES = 120;

/** Runs in the worker. */
async function measure({ kind, count, frames }) {
    const { send } = await import('/send.mjs');
    const env = { now: () => performance.now() };
    const { instance } = await WebAssembly.instantiateStreaming(fetch('/engine.wasm'), { env });
    const ask = (request) => {
        const reply = send(instance.exports, new TextEncoder().encode(JSON.stringify(request)));
        if (!('ok' in reply)) {
            throw new Error(reply.error);
        }
        return reply.ok;
    };
    ask({ do: 'world.generate', kind, count, seed: 1 });
    const step = () => ask({ do: 'world.step', dt: 1 / 60, count: 1, contacts: false }).milliseconds;
    const times = Array.from({ length: frames }, step).toSorted((a, b) => a - b);
    postMessage(times[Math.floor(frames / 2)]);
}

const pages = new Map([
    ['/', ['text/html', '<!doctype html>']],
    ['/engine.wasm', ['application/wasm', readFileSync(moduleFile)]],
    ['/send.mjs', ['text/javascript', readFileSync(new URL('send.mjs', import.meta.url))]],
    ['/worker.mjs', ['text/javascript', `${measure} onmessage = ({ data }) => measure(data);`]],
]);
// The clock of a page is finer where no other page can share its process.
const alone = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
const server = createServer((request, response) => {
    const [type, body] = pages.get(request.url) ?? ['text/plain', ''];
    response.writeHead(pages.has(request.url) ? 200 : 404, { 'Content-Type': type, ...alone });
    response.end(body);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);
for (let run = 0; run < Number(runs); run += 1) {
    const asked = { kind, count: Number(count), frames: FRAMES };
    const time = await page.evaluate(
        (asked) =>
            new Promise((done, failed) => {
                const worker = new Worker('/worker.mjs', { type: 'module' });
                worker.onmessage = ({ data }) => {
                    worker.terminate();
                    done(data);
                };
                worker.onerror = ({ message }) => failed(new Error(message));
                worker.postMessage(asked);
            }),
        asked,
    );
    console.log(`${kind}, ${count} bodies: ${time.toFixed(3)} ms`);
}
await browser.close();
server.close();

// Compares the hashes of contacts that the WebAssembly module finds with those that are known.
//
// usage: node golden.mjs MODULE.wasm GOLDEN.txt
import { readFileSync } from 'node:fs';
import { load } from './engine.mjs';

const [moduleFile, goldenFile] = process.argv.slice(2);
const ask = load(moduleFile);
const [header, ...scenes] = readFileSync(goldenFile, 'utf8').trimEnd().split('\n\n');
const found = /^seed (\d+), frames (\d+), dt ([\d.]+)$/.exec(header);
if (!found || scenes.length === 0) {
    throw new Error(`${goldenFile}: does not begin with the seed, the frames and dt, or has no scenes`);
}
const [seed, frames, dt] = found.slice(1).map(Number);

let wrong = 0;
for (const scene of scenes) {
    const [title, ...known] = scene.split('\n');
    const [kind, count] = title.split(' ');
    if (known.length !== frames) {
        throw new Error(`${goldenFile}: ${title}: ${known.length} lines for ${frames} frames`);
    }
    ask({ do: 'world.generate', kind, count: Number(count), seed });
    const differs = known.find((line) => {
        const { frame, hash } = ask({ do: 'world.step', dt, count: 1, contacts: false });
        return line !== `${frame} ${hash}`;
    });
    if (differs) {
        console.error(`${title}: other contacts than those of hash ${differs} (frame, hash)`);
        wrong += 1;
    }
}
if (wrong > 0) {
    process.exit(1);
}
console.log(`${scenes.length} scenes of ${frames} frames have the known hashes`);

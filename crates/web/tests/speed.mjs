// How long the WebAssembly module takes for a step: the median over frames, of several runs.
//
// usage: node speed.mjs MODULE.wasm [KIND [COUNT [RUNS]]]
import { load } from './engine.mjs';

const [moduleFile, kind = 'mixed', count = '5000', runs = '5'] = process.argv.slice(2);
const FRAMES = 120;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

for (let run = 0; run < Number(runs); run += 1) {
    const ask = load(moduleFile);
    ask({ do: 'world.generate', kind, count: Number(count), seed: 1 });
    const times = Array.from({ length: FRAMES }, () => {
        const { milliseconds } = ask({ do: 'world.step', dt: 1 / 60, count: 1, contacts: false });
        return milliseconds;
    });
    console.log(`${kind}, ${count} bodies: ${median(times).toFixed(3)} ms`);
}

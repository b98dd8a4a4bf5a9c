// What the page relies on beyond the requests themselves.
//
// usage: node boundary.mjs MODULE.wasm
import assert from 'node:assert/strict';
import { instantiate, send } from './engine.mjs';

const [moduleFile] = process.argv.slice(2);
const bytes = (request) => new TextEncoder().encode(JSON.stringify(request));
const generate = bytes({ do: 'world.generate', kind: 'balls2', count: 20, seed: 1 });
const step = bytes({ do: 'world.step', dt: 0.01, count: 1 });

function badRequestsAreRefusedAndTheNextIsAnswered() {
    const engine = instantiate(moduleFile);
    assert.match(send(engine, Uint8Array.of(0xff, 0x7b)).error, /not UTF-8/);
    assert.ok(send(engine, new Uint8Array()).error);
    assert.equal(send(engine, generate).ok.bodies, 20);
    assert.ok(send(engine, bytes({ do: 'nothing' })).error);
    assert.equal(send(engine, step).ok.frame, 1);
}

function roomThatIsNotThereIsNull() {
    const engine = instantiate(moduleFile);
    assert.equal(engine.input(0xffff0000), 0);
    assert.equal(engine.attachment(0xffff0000), 0);
    assert.equal(send(engine, generate).ok.bodies, 20);
}

function numbersLieInTheBinary() {
    const engine = instantiate(moduleFile);
    send(engine, generate);
    const { poses, contacts, contact_count: count } = send(engine, step).ok;
    assert.deepEqual([poses[1], contacts[1]], [20 * 7, count * 13]);
    assert.equal(engine.binary_length(), 4 * (poses[1] + contacts[1]));
    const numbers = new Float32Array(engine.memory.buffer, engine.binary(), poses[1]);
    assert.ok(numbers.every(Number.isFinite) && numbers.some((number) => number !== 0));
    send(engine, bytes({ do: 'nothing' }));
    assert.equal(engine.binary_length(), 0);
}

function stepsAreTimedByTheClockOfThePage() {
    let time = 1000;
    const engine = instantiate(moduleFile, () => (time += 0.5));
    send(engine, generate);
    const { milliseconds } = send(engine, step).ok;
    assert.ok(milliseconds >= 0.5 && milliseconds % 0.5 === 0, `${milliseconds}`);
}

badRequestsAreRefusedAndTheNextIsAnswered();
roomThatIsNotThereIsNull();
numbersLieInTheBinary();
stepsAreTimedByTheClockOfThePage();
console.log('requests, replies, memory and clock are as the page expects');

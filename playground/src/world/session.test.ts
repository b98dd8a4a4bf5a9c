import { Vector3 } from "three";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WorldView } from "../drawing/world-view";
import { FakeWorker } from "../engine/fake-worker";
import { WorldSession } from "./session";

/** What was drawn: the shapes of a layout, or a frame. */
let drawn: string[] = [];
let finishDrawing = () => {};
let tick = (_: number) => {};

const view = {
  begin: () => undefined,
  show: () => undefined,
  highlight: () => undefined,
  mark: () => undefined,
  highlightPair: () => undefined,
  contactOf: () => null,
  setCrossing: (ends: Float32Array) => drawn.push(`${ends.length / 6} segments`),
  setBoxes: (boxes: Float32Array) => drawn.push(`${boxes.length} boxes`),
  setShapes: () => drawn.push("shapes"),
  setFrame: ({ frame }: { frame: number }) => drawn.push(`frame ${frame}`),
  stage: {
    drawn: () =>
      new Promise<void>((resolve) => {
        finishDrawing = resolve;
      }),
  },
};

const loaded = (source: string) => ({ ok: { source, dimension: 3, bodies: 1, margin: 0, damage: null } });
const frame = (number: number, layout = 1) => ({
  ok: { frame: number, first: 0, last: 9, layout, stages: [], milliseconds: 0 },
});

/** A session with a world open, at frame 0. */
async function open(source: string): Promise<WorldSession> {
  const session = new WorldSession();
  session.attach(view as unknown as WorldView);
  session.load("first", "{}");
  await FakeWorker.answer(loaded(source));
  await FakeWorker.answer(frame(0));
  await FakeWorker.answer({ ok: {} });
  drawn = drawn.filter((each) => each.startsWith("frame"));
  expect(drawn).toEqual(["frame 0"]);
  drawn = [];
  return session;
}

beforeEach(() => {
  FakeWorker.install();
  drawn = [];
  vi.stubGlobal("requestAnimationFrame", (work: (now: number) => void) => {
    tick = work;
  });
});
afterEach(() => vi.unstubAllGlobals());

const frames = () => drawn.filter((each) => each.startsWith("frame"));

describe("a world of the page", () => {
  it("takes no step, seek or move while something else is opened", async () => {
    const session = await open("scene");
    session.toggle();
    session.load("second", "{}");
    tick(0);
    session.step();
    session.seek(3);
    session.fork();
    await session.move(0, [1, 2, 3]);
    expect(FakeWorker.waiting).toEqual(["world.load"]);
    await FakeWorker.answer({ error: "refused" });
    session.step();
    expect(FakeWorker.waiting).toEqual(["world.step"]);
  });

  it("forgets where it was to go when something else is opened", async () => {
    const session = await open("recording");
    session.seek(3);
    session.seek(5);
    session.load("second", "{}");
    await FakeWorker.answer(frame(3));
    expect(FakeWorker.waiting).toEqual(["world.load"]);
  });

  it("draws no step of the world before", async () => {
    const session = await open("scene");
    session.toggle();
    tick(0);
    await FakeWorker.answer(frame(1));
    session.load("second", "{}");
    await FakeWorker.answer(loaded("scene"));
    finishDrawing();
    await FakeWorker.settle();
    expect(frames()).toEqual([]);
    expect(FakeWorker.waiting).toEqual(["world.frame"]);
  });

  it("draws no frame before its shapes are there, nor after a later one", async () => {
    const session = await open("scene");
    const clock = vi.spyOn(performance, "now");
    session.toggle();
    tick(0);
    for (let step = 1; step <= 2; step += 1) {
      clock.mockReturnValue(step * 17);
      await FakeWorker.answer(frame(step, 2));
      finishDrawing();
      await FakeWorker.settle();
    }
    clock.mockRestore();
    // The second step was asked for before the shapes of the first.
    expect(FakeWorker.waiting).toEqual(["world.shapes", "world.step", "world.shapes"]);
    expect(drawn).toEqual([]);
    await FakeWorker.answer({ ok: {} });
    await FakeWorker.answer(frame(3, 2));
    await FakeWorker.answer({ ok: {} });
    expect(drawn.filter((each) => !each.endsWith("boxes"))).toEqual([
      "shapes",
      "frame 1",
      "shapes",
      "frame 2",
    ]);
  });

  it("plays each frame of a recording once", async () => {
    const session = await open("recording");
    session.toggle();
    tick(0);
    const asked: unknown[] = [];
    const clock = vi.spyOn(performance, "now");
    for (let step = 1; step <= 4; step += 1) {
      expect(FakeWorker.waiting).toEqual(["world.seek"]);
      asked.push(FakeWorker.asked[0]?.frame);
      clock.mockReturnValue(step * 17);
      await FakeWorker.answer(frame(Number(asked.at(-1))));
      finishDrawing();
      await FakeWorker.settle();
    }
    clock.mockRestore();
    expect(asked).toEqual([1, 2, 3, 4]);
  });
});

describe("the boxes of a world", () => {
  it("are not drawn if they were switched off before they came", async () => {
    const session = await open("scene");
    session.layers.show({ boxes: true });
    session.layers.show({ boxes: false });
    await FakeWorker.answer({ ok: { boxes: [0, 0], levels: 7 } });
    expect(session.layers.levels.value).toBe(0);
    expect(drawn).toEqual(["0 boxes"]);
  });
});

describe("the curves in which two bodies cross", () => {
  it("are drawn as long as their clash is looked at", async () => {
    const session = await open("scene");
    const at = new Vector3();
    const clash = { pointA: at, pointB: at, normal: at };
    const crossing = (count: number) => ({ ok: { segments: [0, count * 6] } });
    session.face([1, 0], clash);
    session.face([2, 0], clash);
    const [first] = FakeWorker.asked;
    expect(first).toMatchObject({ do: "world.crossing", a: 0, b: 1 });
    FakeWorker.asked.splice(1, 4);
    await FakeWorker.answer(crossing(3));
    expect(FakeWorker.asked[0]).toMatchObject({ do: "world.crossing", a: 0, b: 2 });
    await FakeWorker.answer(crossing(2));
    session.select(null);
    expect(drawn).toEqual(["0 segments", "0 segments", "2 segments", "0 segments"]);
  });
});

import { describe, expect, it } from "vitest";
import { Engine, EngineError, floats, words } from "./client";

/** An engine that answers with this text, and remembers what it was asked. */
function answering(json: string, binary = new ArrayBuffer(0)) {
  const asked: { json: string; attachment: ArrayBuffer | null }[] = [];
  const engine = new Engine(async (request, attachment) => {
    asked.push({ json: request, attachment });
    return { json, binary };
  });
  return { engine, asked };
}

describe("requests", () => {
  it("are objects that name what to do, with what is attached", async () => {
    const { engine, asked } = answering('{"ok":{"dimension":2}}');
    const bytes = new ArrayBuffer(3);
    const { ok } = await engine.ask("compare.load", { side: "left" }, bytes);
    expect(ok.dimension).toBe(2);
    expect(JSON.parse(asked[0]?.json ?? "")).toEqual({ do: "compare.load", side: "left" });
    expect(asked[0]?.attachment).toBe(bytes);
  });

  it("fail with the sentence of the engine", async () => {
    const { engine } = answering('{"error":"index is 7, must be less than 3"}');
    const asked = engine.ask("world.body", { index: 7 });
    await expect(asked).rejects.toThrow(EngineError);
    await expect(asked).rejects.toThrow("index is 7, must be less than 3");
  });

  it("have numbers in the binary part, counted in words", () => {
    const binary = new ArrayBuffer(16);
    new Float32Array(binary).set([1.5, -2, 3]);
    new Uint32Array(binary)[3] = 4_000_000_000;
    expect([...floats(binary, [1, 2])]).toEqual([-2, 3]);
    expect([...words(binary, [3, 1])]).toEqual([4_000_000_000]);
    expect(floats(binary, [4, 0])).toHaveLength(0);
  });
});

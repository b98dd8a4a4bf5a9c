import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import {
  cornerAdded,
  cornerDeleted,
  cornerMoved,
  corners,
  cornersInWorld,
  moved,
  type PairLine,
  readPair,
  turned,
} from "./pair";

const pair: PairLine = {
  dimension: 2,
  a: {
    shape: {
      type: "hull",
      points: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
    },
    pose: { translation: [2, 3], rotation: Math.PI / 2 },
  },
  b: { shape: { type: "cuboid", half_extents: [1, 2] } },
};

describe("a line of a pair file", () => {
  it("is read, or refused without a complaint", () => {
    expect(readPair(JSON.stringify(pair))?.dimension).toBe(2);
    expect(readPair("{")).toBeNull();
    expect(readPair('{"dimension":4}')).toBeNull();
    expect(readPair("[2]")).toBeNull();
  });

  it("is moved and turned", () => {
    expect(moved(pair, "a", [1, -1]).a?.pose?.translation).toEqual([3, 2]);
    expect(moved(pair, "b", [1, -1]).b?.pose?.translation).toEqual([1, -1]);
    expect(turned(pair, "b", 0.5).b?.pose?.rotation).toBeCloseTo(0.5);
    expect(turned(pair, "a", Math.PI).a?.pose?.rotation).toBeCloseTo(-Math.PI / 2, 4);
    const space: PairLine = { ...pair, dimension: 3 };
    const once = turned(turned({ ...space, a: { shape: { type: "ball" } } }, "a", 1), "a", -1);
    const [x, y, z, w] = (once.a?.pose?.rotation ?? []) as number[];
    expect([x, y]).toEqual([0, 0]);
    expect(z).toBeCloseTo(0, 6);
    expect(w).toBeCloseTo(1, 6);
  });

  it("has corners in the world, which can be dragged there", () => {
    const [first, second] = cornersInWorld(pair, "a");
    expect(first?.toArray()).toEqual([2, 3, 0]);
    expect(second?.y).toBeCloseTo(4);
    const dragged = cornerMoved(pair, "a", 1, new Vector3(2, 7, 0));
    expect(cornersInWorld(dragged, "a")[1]?.y).toBeCloseTo(7, 4);
    expect(corners(dragged.a?.shape)[1]?.[0]).toBeCloseTo(4, 4);
  });

  it("gains and loses corners; a box becomes a hull", () => {
    const more = cornerAdded(pair, "b", new Vector3(3, 0, 0));
    expect(more.b?.shape.type).toBe("hull");
    expect(corners(more.b?.shape)).toHaveLength(5);
    const fewer = cornerDeleted(pair, "a", 0);
    expect(corners(fewer.a?.shape)).toEqual([
      [1, 0],
      [0, 1],
    ]);
    const one = cornerDeleted(cornerDeleted(fewer, "a", 0), "a", 0);
    expect(corners(one.a?.shape)).toHaveLength(1);
  });
});

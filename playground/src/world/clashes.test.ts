import { signal } from "@preact/signals";
import { beforeEach, describe, expect, it } from "vitest";
import { Clashes } from "./clashes";

const line = (number: number, a: string, b: string) =>
  JSON.stringify({
    ...{ type: "clash", clash: number, group: number, kind: "overlap", proven: true, allowed: false },
    ...{ a, b, distance: -1, point_a: [0, 0, 0], point_b: [1, 0, 0], normal: [1, 0, 0] },
  });
const REPORT = [
  '{"type":"header","format":"clearance clash report","version":1,"b":null}',
  line(1, "duct", "wall"),
  line(2, "pipe", "wall"),
  '{"type":"summary"}',
].join("\n");
const SCENE = '{"bodies":[{"shape":"pipe"},{"shape":"wall"}]}';

let scene = signal<string | null>(null);
let did: string[] = [];
let clashes: Clashes;
beforeEach(() => {
  scene = signal<string | null>(null);
  did = [];
  clashes = new Clashes({
    scene,
    name: (names) => did.push(`name ${names.join(" ")}`),
    face: async (bodies) => void did.push(`face ${bodies}`),
    leave: () => did.push("leave"),
  });
});

describe("clashes beside a world", () => {
  it("find their bodies, whichever is opened first", () => {
    clashes.open("r", REPORT);
    expect(clashes.absent.value).toBe(2);
    scene.value = SCENE;
    expect(clashes.absent.value).toBe(1);
    expect(did).toEqual(["name 0,pipe 1,wall"]);
    clashes.close();
    clashes.open("r", REPORT);
    expect(clashes.absent.value).toBe(1);
  });

  it("are gone through from one end to the other", () => {
    scene.value = SCENE;
    clashes.open("r", REPORT);
    did = [];
    clashes.next(1);
    clashes.next(1);
    clashes.next(1);
    expect(did).toEqual(["leave", "face 0,1"]);
    expect(clashes.current.value?.number).toBe(2);
    clashes.next(-1);
    clashes.next(-1);
    expect(clashes.current.value?.number).toBe(1);
  });

  it("stay as they were if another report is none", () => {
    clashes.open("r", REPORT);
    expect(() => clashes.open("s", "{}")).toThrow("s is no report");
    expect(clashes.report.value?.name).toBe("r");
  });
});

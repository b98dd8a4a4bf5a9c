import { describe, expect, it } from "vitest";
import { bodiesByShape, listed, readReport } from "./report";

const HEADER = '{"type":"header","format":"clearance clash report","version":1,"b":null}';
const SUMMARY = '{"type":"summary","clashes":4}';

const clash = (number: number, fields: Record<string, unknown> = {}) => ({
  type: "clash",
  clash: number,
  group: number,
  kind: "overlap",
  proven: true,
  allowed: false,
  a: `a${number}`,
  b: `b${number}`,
  distance: -number,
  point_a: [1, 2, 3],
  point_b: [1, 2, 4],
  normal: [0, 0, 1],
  ...fields,
});

const text = (...lines: unknown[]) =>
  lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

describe("a report", () => {
  it("has its clashes, and says nothing if it is whole", () => {
    const surface = { type: "surface", side: "a", part: "x", reason: "open" };
    const report = readReport("r", text(HEADER, surface, clash(1), clash(2), SUMMARY, ""));
    expect(report.missing).toBe("");
    expect(report.clashes.map(({ number }) => number)).toEqual([1, 2]);
    expect(report.clashes[0]).toMatchObject({ names: ["a1", "b1"], shapes: ["a1", "b1"], pointB: [1, 2, 4] });
  });

  it("of two assemblies names the shapes by their sides", () => {
    const report = readReport("r", text(HEADER.replace("null", '{"name":"other"}'), clash(1), SUMMARY));
    expect(report.clashes[0]?.shapes).toEqual(["a/a1", "b/b1"]);
  });

  it("that was cut off is listed up to there", () => {
    for (const end of ["", JSON.stringify(clash(2)).slice(0, 40)]) {
      const report = readReport("r", text(HEADER, clash(1), end));
      expect(report.clashes).toHaveLength(1);
      expect(report.missing).toContain("was cut off");
    }
  });

  it("is refused in plain words if it is none", () => {
    const partial = { type: "block", block: 0, last: [0, 1], clashes: 0 };
    const { group: _, ...ungrouped } = clash(1);
    for (const [given, words] of [
      [text('{"bodies":[]}'), "must begin with the header"],
      ["", "must begin with the header"],
      [text(HEADER.replace(":1,", ":2,"), SUMMARY), "version 2 of the format, must have 1"],
      ["clash,group,kind,inner\n1,1,overlap,\n", "is a table: open the report that ends in .jsonl"],
      [text(HEADER, partial), "partial report of a check that has not ended"],
      [text(HEADER, ungrouped, partial), "partial report of a check that has not ended"],
      [text(HEADER, "nonsense", SUMMARY), "r, line 2: is no object of JSON"],
      [text(HEADER, clash(1), clash(2, { kind: "kiss" })), 'line 3: kind is "kiss", must be one of dup'],
      [text(HEADER, clash(1, { point_a: [0, 1] })), "line 2: point_a is [0,1], must be three numbers"],
      [text(HEADER, clash(1, { distance: undefined })), "distance is missing, must be a number"],
      [text(HEADER, clash(1, { a: { html: "<b>" } })), "must be a name"],
    ] as const) {
      expect(() => readReport("r", given), words).toThrow(words);
    }
  });
});

describe("the list of clashes", () => {
  const { clashes } = readReport(
    "r",
    text(
      HEADER,
      clash(1),
      clash(2, { kind: "touch", distance: 0, allowed: true }),
      clash(3, { kind: "clearance", distance: 0.5 }),
      clash(4, { group: 1, distance: -0.5 }),
      clash(5, { distance: -3 }),
      SUMMARY,
    ),
  );
  const numbers = (...listing: Parameters<typeof listed>[1][]) =>
    listing.map((each) => listed(clashes, each).map(({ number }) => number));

  it("has faults first, deep ones before others, and groups together", () => {
    expect(numbers({ kind: "all", order: "depth" }, { kind: "overlap", order: "depth" })).toEqual([
      [5, 1, 4, 3, 2],
      [5, 1, 4],
    ]);
  });

  it("can be in the order of the report", () => {
    expect(numbers({ kind: "all", order: "report" }, { kind: "touch", order: "report" })).toEqual([
      [1, 4, 2, 3, 5],
      [2],
    ]);
  });
});

describe("bodies of a scene", () => {
  it("are found by the names of their shapes", () => {
    const scene = '{"bodies":[{"shape":"b"},{"shape":{"type":"ball"}},{"shape":"a"},{"shape":"b"},null]}';
    expect([...bodiesByShape(scene)]).toEqual([
      ["b", 0],
      ["a", 2],
    ]);
  });

  it("are none where there is no scene", () => {
    for (const scene of [null, "", "[]", "{", '{"bodies":3}']) {
      expect(bodiesByShape(scene).size).toBe(0);
    }
  });
});

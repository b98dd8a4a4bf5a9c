import { describe, expect, it } from "vitest";
import { tellApart } from "./files";

const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

describe("files are told apart by what is in them", () => {
  it("scenes, of one line or of many", () => {
    expect(tellApart("a", bytes('{"dimension":2,"bodies":[]}')).kind).toBe("scene");
    expect(tellApart("a", bytes('\n{\n "dimension": 2,\n "bodies" : []\n}')).kind).toBe("scene");
  });

  it("pairs, damaged lines among them", () => {
    const pair = '{"dimension":2,"a":{"shape":{"type":"ball","radius":1}},"b":{}}';
    expect(tellApart("a", bytes(`${pair}\n${pair}`)).kind).toBe("pairs");
    expect(tellApart("a", bytes("no JSON")).kind).toBe("pairs");
  });

  it("reports of clashes, and tables of them", () => {
    const report = '{"type":"header","format":"clearance clash report","version":1}\n';
    expect(tellApart("a", bytes(report)).kind).toBe("report");
    expect(tellApart("a", bytes("clash,group,kind,inner\n")).kind).toBe("report");
  });

  it("recordings, which are no text", () => {
    expect(tellApart("a", Uint8Array.of(0x43, 0, 0xff, 0xfe).buffer).kind).toBe("recording");
    expect(tellApart("a", Uint8Array.of(0x43, 0, 1, 2).buffer).kind).toBe("recording");
  });
});

import { describe, expect, it } from "vitest";
import { bytes, list, short } from "./numbers";

describe("numbers as the page shows them", () => {
  it("have few digits and no needless zeros", () => {
    expect(short(0)).toBe("0");
    expect(short(1.25)).toBe("1.25");
    expect(short(-0.123456789)).toBe("-0.12346");
    expect(short(1e-10)).toBe("1e-10");
    expect(short(1.2345e-7, 6)).toBe("1.235e-7");
    expect(short(123456789)).toBe("1.23e8");
    expect(short(null)).toBe("not known");
  });

  it("in lists and as sizes", () => {
    expect(list([1, 0.333333, 0])).toBe("1, 0.3333, 0");
    expect(bytes(1234)).toBe("1.23 kB");
    expect(bytes(45_600_000)).toBe("45.6 MB");
  });
});

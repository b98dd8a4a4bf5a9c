import { describe, expect, it } from "vitest";
import { pack, readAddress, unpack } from "./address";

describe("addresses", () => {
  it("give back the text that was packed", async () => {
    const line = `{"dimension":2,"note":"äö 🟦","points":[${"0.25,".repeat(20000)}1]}`;
    const packed = await pack(line);
    expect(packed).toMatch(/^[\w-]+$/);
    expect(packed.length).toBeLessThan(2000);
    expect(await unpack(packed)).toBe(line);
  });

  it("refuse letters that are no packed text", async () => {
    await expect(unpack("AAAA")).rejects.toThrow();
    await expect(unpack("not base64!")).rejects.toThrow();
  });

  it("are read with or without the #", () => {
    expect(readAddress("#room=stepper&pair=a-b_c").get("pair")).toBe("a-b_c");
    expect(readAddress("room=world").get("room")).toBe("world");
    expect(readAddress("").size).toBe(0);
  });
});

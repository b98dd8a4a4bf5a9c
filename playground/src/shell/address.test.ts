import { describe, expect, it } from "vitest";
import { LONGEST_TEXT, liveAddress, pack, readAddress, TooLong, unpack } from "./address";

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

  it("refuse a text that is longer than a page takes, and say so", async () => {
    const longest = "x".repeat(LONGEST_TEXT);
    expect((await unpack(await pack(longest))).length).toBe(LONGEST_TEXT);
    const packed = await pack(`${longest}x`);
    expect(packed.length).toBeLessThan(100_000);
    await expect(unpack(packed)).rejects.toThrow(TooLong);
    await expect(unpack(packed)).rejects.toThrow("16 million letters");
  });

  it("are read with or without the #", () => {
    expect(readAddress("#room=stepper&pair=a-b_c").get("pair")).toBe("a-b_c");
    expect(readAddress("room=world").get("room")).toBe("world");
    expect(readAddress("").size).toBe(0);
  });
});

describe("the address of a live world", () => {
  it("is that of a websocket, with a host", () => {
    expect(liveAddress("ws://127.0.0.1:40123")).toBe("ws://127.0.0.1:40123/");
    expect(liveAddress("ws://[::1]:40123/")).toBe("ws://[::1]:40123/");
    for (const text of [
      "garbage",
      "ws://",
      "http://127.0.0.1:1",
      "127.0.0.1:40123",
      "ws://a:b",
      "ws://a#b",
      "ws://a#",
    ]) {
      expect(() => liveAddress(text)).toThrow(`live: is “${text}”, must be the address`);
    }
  });
});

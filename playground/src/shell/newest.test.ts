import { describe, expect, it } from "vitest";
import { Newest } from "./newest";
import { notice } from "./notice";

describe("the newest wish", () => {
  it("is done next, and those before it are left out", async () => {
    const done: number[] = [];
    let finish = () => {};
    const newest = new Newest<number>((wish) => {
      done.push(wish);
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    for (const wish of [1, 2, 3, 4]) {
      newest.want(wish);
    }
    expect(done).toEqual([1]);
    finish();
    await expect.poll(() => done).toEqual([1, 4]);
    newest.want(5);
    newest.forget();
    finish();
    await Promise.resolve();
    newest.want(6);
    await expect.poll(() => done).toEqual([1, 4, 6]);
  });

  it("is done although the one before failed", async () => {
    const done: number[] = [];
    const newest = new Newest<number>(async (wish) => {
      done.push(wish);
      if (wish === 1) {
        throw new Error("refused");
      }
    });
    newest.want(1);
    newest.want(2);
    await expect.poll(() => done).toEqual([1, 2]);
    expect(notice.value?.text).toBe("refused");
  });
});

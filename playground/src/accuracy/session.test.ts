import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeWorker } from "../engine/fake-worker";
import { notice } from "../shell/notice";
import { AccuracySession } from "./session";

beforeEach(() => FakeWorker.install());
afterEach(() => vi.unstubAllGlobals());

const rows = (count: number, error: string | null) => ({
  ok: { rows: Array.from({ length: count }, () => ({ error })) },
});

describe("a file of pairs", () => {
  it("counts errors batch by batch, and shows what was answered before a batch failed", async () => {
    const session = new AccuracySession();
    session.open("pairs", "{}\n".repeat(2000));
    for (let batch = 0; batch < 5; batch += 1) {
      await FakeWorker.answer(rows(200, null));
    }
    // Too few to sort all rows anew.
    await FakeWorker.answer(rows(200, "bad"));
    expect(session.answered.value).toBe(1200);
    expect(session.errors.value).toBe(200);
    const shown = session.rows.value.length;
    expect(shown).toBeLessThan(1200);
    await FakeWorker.answer({ error: "out of memory" });
    expect(notice.value?.text).toBe("out of memory");
    expect(session.rows.value.length).toBe(1200);
    expect(session.errors.value).toBe(200);
    expect(session.total.value).toBe(2000);
  });
});

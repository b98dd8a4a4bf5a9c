// Steps that many tests take.

import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { launch, open, type Watched } from "./chromium";
import { type Served, serve } from "./server";

export interface Site {
  browser: Browser;
  address: string;
  /** Opens a room; its page must say no error until the end of the test. */
  enter(fields: string, options?: Parameters<typeof open>[2]): Promise<Watched>;
}

/** A browser and the served page for the tests of a file. */
export function site(): Site {
  let served: Served;
  const made = {} as Site;
  beforeAll(async () => {
    served = await serve();
    made.browser = await launch();
    made.address = served.address;
    made.enter = (fields, options) => open(made.browser, `${served.address}#${fields}`, options);
  });
  afterAll(async () => {
    await made.browser?.close();
    await served?.close();
  });
  return made;
}

/** Nothing went wrong on a page, and nothing was asked for elsewhere. */
export async function fine({ page, errors, foreign }: Watched): Promise<void> {
  expect(errors).toEqual([]);
  expect(foreign).toEqual([]);
  await page.context().close();
}

export async function eventually<T>(read: () => Promise<T>, check: (value: T) => boolean): Promise<T> {
  const start = Date.now();
  for (;;) {
    const value = await read();
    if (check(value)) {
      return value;
    }
    if (Date.now() - start > 60_000) {
      throw new Error(`is still ${JSON.stringify(value)} after a minute`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function attribute(place: Locator, name: string): Promise<string> {
  return (await place.getAttribute(name)) ?? "";
}

/** Waits until the page has drawn some frames. */
export async function drawn(page: Page, frames = 2): Promise<void> {
  await page.evaluate(async (count) => {
    for (let frame = 0; frame < count; frame += 1) {
      await new Promise(requestAnimationFrame);
    }
  }, frames);
}

/** What is read when it has stayed the same while the page drew many frames: nothing is on its way any more. */
export async function settled<T>(page: Page, read: () => Promise<T>): Promise<T> {
  let before = await read();
  return eventually(
    async () => {
      await drawn(page, 30);
      const now = await read();
      const same = now === before;
      before = now;
      return { now, same };
    },
    ({ same }) => same,
  ).then(({ now }) => now);
}

/** Drags by some pixels what is at a place, once the page has taken hold of it. */
export async function drag(
  page: Page,
  from: { x: number; y: number },
  by: { x: number; y: number },
): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  // Of a world, the engine is asked first which body is there; what is drawn as SVG is held at once.
  await page.waitForFunction(
    ([x, y]) => {
      const under = document.elementFromPoint(x, y);
      return !(under instanceof HTMLCanvasElement) || under.hasPointerCapture(1);
    },
    [from.x, from.y] as [number, number],
  );
  for (let step = 1; step <= 5; step += 1) {
    await page.mouse.move(from.x + (by.x * step) / 5, from.y + (by.y * step) / 5);
    await drawn(page);
  }
  await page.mouse.up();
}

/** What a room shows when it is ready to be used. */
const READY: Record<string, string> = {
  world: "#world .canvas[data-frame]",
  stepper: "#stepper [data-answer]",
  accuracy: "#accuracy [aria-label='Worst lines'] tbody tr",
  compare: "#compare input[type=file]",
};

export async function ready(page: Page, room: string): Promise<void> {
  await page.locator(`main#${room}:not([hidden])`).waitFor();
  await page
    .locator(READY[room] ?? "")
    .first()
    .waitFor({ state: "attached" });
  await drawn(page);
}

export async function middle(place: Locator): Promise<{ x: number; y: number }> {
  const box = await place.boundingBox();
  if (!box) {
    throw new Error("is not on the page");
  }
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

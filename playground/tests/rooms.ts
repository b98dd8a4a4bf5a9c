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

/** Drags the middle of an element by some pixels. */
export async function drag(
  page: Page,
  from: { x: number; y: number },
  by: { x: number; y: number },
): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.waitForTimeout(400);
  for (let step = 1; step <= 5; step += 1) {
    await page.mouse.move(from.x + (by.x * step) / 5, from.y + (by.y * step) / 5);
    await page.waitForTimeout(60);
  }
  await page.mouse.up();
}

export async function middle(place: Locator): Promise<{ x: number; y: number }> {
  const box = await place.boundingBox();
  if (!box) {
    throw new Error("is not on the page");
  }
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

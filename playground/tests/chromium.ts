// Debian's Chromium, without a graphics card and without the network.

import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  // Mesa draws faster than Chromium's own software renderer.
  "--use-gl=angle",
  "--use-angle=gles-egl",
  "--ignore-gpu-blocklist",
];

export async function launch(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    throw new Error(`${executablePath} is missing: install Debian's package chromium, or set CHROMIUM`);
  }
  return chromium.launch({ executablePath, args: FLAGS });
}

export interface Watched {
  page: Page;
  /** What the console said that is not to be. */
  errors: string[];
  /** Addresses that were asked for elsewhere. */
  foreign: string[];
}

export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** Opens a page that keeps a list of all errors. */
export async function open(
  browser: Browser,
  address: string,
  options: {
    viewport?: { width: number; height: number };
    colorScheme?: "light" | "dark";
    reducedMotion?: "reduce";
  } = {},
): Promise<Watched> {
  const context = await browser.newContext({ viewport: DESK, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      errors.push(message.text());
    }
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith("http") && host !== new URL(address).host) {
      foreign.push(request.url());
    }
  });
  await page.goto(address);
  return { page, errors, foreign };
}

// The built page, served as a static host would.

import { fileURLToPath } from "node:url";
import { preview } from "vite";

/** The folder of the page: the one that is committed, or what `PAGE_FOLDER` names, which ends in a slash. */
export const PAGE =
  process.env.PAGE_FOLDER ?? fileURLToPath(new URL("../../crates/cli/page/", import.meta.url));

export interface Served {
  address: string;
  close(): Promise<void>;
}

/** Serves the page under a path, since it may be offered under any. */
export async function serve(base = "/some/path/"): Promise<Served> {
  const server = await preview({
    configFile: false,
    root: fileURLToPath(new URL("..", import.meta.url)),
    base,
    build: { outDir: PAGE },
    preview: { port: 0, host: "127.0.0.1" },
    logLevel: "error",
  });
  const address = server.resolvedUrls?.local[0];
  if (!address) {
    throw new Error("the server of the page has no address");
  }
  return { address, close: () => server.close() };
}

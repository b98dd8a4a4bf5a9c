// The page's engine in Node: what it answers is what the page has to show.

import { readFileSync } from "node:fs";
import { Engine } from "../src/engine/client";
import { EngineModule } from "../src/engine/module";
import { PAGE } from "./server";

export async function engine(): Promise<Engine> {
  const compiled = await WebAssembly.compile(readFileSync(`${PAGE}clearance.wasm`));
  const module = await EngineModule.compile(compiled);
  return new Engine(async (json, attachment) => module.handle(json, attachment));
}

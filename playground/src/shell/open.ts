// Brings files, and what a server offers, into the rooms they belong to.

import { liveAddress } from "./address";
import { readFile, tellApart } from "./files";
import { complain } from "./notice";
import { enter, forAccuracy, forCompare, forReport, forStepper, forWorld, isRoom, room } from "./router";

/** Opens files that were dropped or chosen: what they are decides the room. */
export async function openFiles(files: File[]): Promise<void> {
  const given = await Promise.all(files.map(readFile));
  const recordings = given.filter((each) => each.kind === "recording");
  if (recordings.length > 0 && (room.value === "compare" || recordings.length > 1)) {
    forCompare.value = recordings;
    enter("compare");
    return;
  }
  const report = given.find((each) => each.kind === "report");
  if (report) {
    forReport.value = report;
    enter("world");
  }
  const first = given.find((each) => each.kind !== "report");
  if (!first) {
    return;
  }
  if (first.kind === "pairs") {
    openPairs(first.name, first.text);
  } else {
    forWorld.value = first;
    enter("world");
  }
}

/** One line, or any lines while the stepper is open, go there; more are for the room of accuracy. */
function openPairs(name: string, text: string): void {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (room.value === "stepper" || lines.length === 1) {
    forStepper.value = text;
    enter("stepper");
  } else {
    forAccuracy.value = { name, text };
    enter("accuracy");
  }
}

/** What the server that offers this page was started with. */
interface Session {
  open: string;
  input: string | null;
  name: string | null;
  kind: "scene" | "recording" | "pairs" | null;
  live: string | null;
  /** A report of clashes whose parts are in the scene. */
  report?: string | null;
}

/** Asks the server what to show. */
export async function openSession(): Promise<void> {
  const attached = new URLSearchParams(window.location.search).get("live");
  if (attached) {
    watch(liveAddress(attached), false);
    return;
  }
  const session = await readSession();
  if (!session) {
    return;
  }
  const name = session.name ?? "what the command was given";
  if (isRoom(session.open) && window.location.hash === "") {
    room.value = session.open;
  }
  if (session.live) {
    const address = new URL(session.live, document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    watch(address.href, session.kind === "scene");
  } else if (session.input) {
    openInput(name, session, await load(name, session.input));
    if (session.report) {
      const what = `the report about ${name}`;
      forReport.value = { name: what, text: new TextDecoder().decode(await load(what, session.report)) };
    }
  }
}

async function load(name: string, path: string): Promise<ArrayBuffer> {
  const response = await fetch(new URL(path, document.baseURI));
  if (!response.ok) {
    throw new Error(`${name} could not be loaded: the server answers ${response.status}.`);
  }
  return response.arrayBuffer();
}

function watch(address: string, controls: boolean): void {
  forWorld.value = { kind: "live", address, controls };
  room.value = "world";
}

function openInput(name: string, session: Session, bytes: ArrayBuffer): void {
  if (session.kind === "recording") {
    if (session.open === "compare") {
      forCompare.value = [{ name, bytes }];
    } else {
      forWorld.value = { kind: "recording", name, bytes };
    }
    return;
  }
  const given = tellApart(name, bytes);
  if (given.kind === "recording") {
    complain(`${name} is not text in UTF-8.`);
  } else if (session.kind === "scene") {
    forWorld.value = { ...given, kind: "scene" };
  } else if (session.open === "stepper") {
    forStepper.value = given.text;
  } else {
    forAccuracy.value = given;
  }
}

async function readSession(): Promise<Session | null> {
  // On a static host this is a file that says that there is nothing.
  const response = await fetch(new URL("session.json", document.baseURI));
  return response.ok ? ((await response.json()) as Session) : null;
}

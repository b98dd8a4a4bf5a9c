// Files that are chosen or dropped on the page, told apart by what is in them.

import { looksLikeReport } from "../world/report";

export type Given =
  | { kind: "scene"; name: string; text: string }
  | { kind: "report"; name: string; text: string }
  | { kind: "pairs"; name: string; text: string }
  | { kind: "recording"; name: string; bytes: ArrayBuffer };

/** A text is a report of clashes, or a scene if it is one object with bodies, and else pairs, one a line; all else is a recording. */
export function tellApart(name: string, bytes: ArrayBuffer): Given {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { kind: "recording", name, bytes };
  }
  if (text.includes("\0")) {
    return { kind: "recording", name, bytes };
  }
  const kind = looksLikeReport(text) ? "report" : looksLikeScene(text) ? "scene" : "pairs";
  return { kind, name, text };
}

function looksLikeScene(text: string): boolean {
  const first = text.trimStart().split("\n", 1)[0] ?? "";
  try {
    const line: unknown = JSON.parse(first);
    return typeof line === "object" && line !== null && "bodies" in line;
  } catch {
    // A scene of several lines, or a line that is no JSON.
    return /"bodies"\s*:/.test(text);
  }
}

export async function readFile(file: File): Promise<Given> {
  return tellApart(file.name, await file.arrayBuffer());
}

/** Takes files that are dropped anywhere on the page. */
export function listenForDrops(take: (files: File[]) => void): void {
  const page = document.documentElement;
  window.addEventListener("dragover", (event) => {
    event.preventDefault();
    page.dataset.dropping = "";
  });
  window.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) {
      delete page.dataset.dropping;
    }
  });
  window.addEventListener("drop", (event) => {
    event.preventDefault();
    delete page.dataset.dropping;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) {
      take(files);
    }
  });
}

// What the page has to say: an error of the engine, or that something was copied.

import { signal } from "@preact/signals";

export interface Notice {
  text: string;
  bad: boolean;
}

export const notice = signal<Notice | null>(null);

const SHOWN_MILLISECONDS = 4000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(text: string): void {
  clearTimeout(timer);
  notice.value = { text, bad: false };
  timer = setTimeout(() => {
    notice.value = null;
  }, SHOWN_MILLISECONDS);
}

/** Shows what went wrong, until it is closed. */
export function complain(problem: unknown): void {
  clearTimeout(timer);
  notice.value = { text: problem instanceof Error ? problem.message : String(problem), bad: true };
}

/** Runs something that may be refused, and shows why. */
export function attempt(work: () => Promise<void>): void {
  work().catch(complain);
}

/** Copies a text; where the browser refuses, it says where the text is to be found. */
export async function copy(text: string, what: string, where: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied.`);
  } catch {
    say(`${what}: this browser does not let the page copy. It is ${where}, ready to be copied.`);
  }
}

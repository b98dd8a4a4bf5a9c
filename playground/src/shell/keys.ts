// What can be done by keyboard: each room lists its commands, and the help shows them.

import { signal } from "@preact/signals";

export interface Command {
  /** As `KeyboardEvent.key` has it; letters in lower case. */
  key: string;
  /** What the help shows instead of the key. */
  shown?: string;
  does: string;
  run(): void;
}

export const roomCommands = signal<Command[]>([]);

/** Fields in which keys are text, and buttons and sliders that have keys of their own. */
function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) {
    return false;
  }
  if (target.closest("textarea, select, dialog[open], input:not([type=range]):not([type=checkbox])")) {
    return true;
  }
  if (target.closest("input[type=range]") && (key.startsWith("Arrow") || key === "Home" || key === "End")) {
    return true;
  }
  return (
    (key === " " || key === "Enter") && target.closest("button, a, input, summary, [role=button]") !== null
  );
}

export function listen(pageCommands: Command[]): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (takesKey(event.target, event.key)) {
      return;
    }
    const command = [...roomCommands.value, ...pageCommands].find((each) => each.key === key);
    if (command) {
      event.preventDefault();
      command.run();
    }
  });
}

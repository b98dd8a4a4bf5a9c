// The dialog that lists the keys of the page and of the room.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { roomCommands } from "./keys";
import { ROOMS, room, TITLES } from "./router";

const open = signal(false);

export function openKeyHelp(): void {
  open.value = true;
}

export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const wanted = open.value;
  useEffect(() => {
    if (wanted) {
      dialog.current?.showModal();
    }
  }, [wanted]);
  return (
    <dialog ref={dialog} aria-label="Keys" onClose={() => (open.value = false)}>
      <h2>Keys in {TITLES[room.value]}</h2>
      <dl class="keys">
        {roomCommands.value.map(({ key, shown, does }) => (
          <div key={key}>
            <dt>
              <kbd>{shown ?? key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>1</kbd> to <kbd>{ROOMS.length}</kbd>
          </dt>
          <dd>the rooms</dd>
        </div>
        <div>
          <dt>
            <kbd>T</kbd>
          </dt>
          <dd>light or dark</dd>
        </div>
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

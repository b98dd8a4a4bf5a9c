// Small hooks that all rooms use.

import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Command, roomCommands } from "./keys";
import { type Room, room } from "./router";

/** Takes what waits for a room, also what comes while it is open. */
export function useInbox<T>(inbox: Signal<T | null>, take: (item: T) => void): void {
  const item = inbox.value;
  useEffect(() => {
    if (item !== null) {
      inbox.value = null;
      take(item);
    }
  }, [item]);
}

/** Offers commands for as long as the room is shown. */
export function useCommands(of: Room, commands: Command[]): void {
  const shown = room.value === of;
  useEffect(() => {
    if (shown) {
      roomCommands.value = commands;
    }
  }, [shown]);
}

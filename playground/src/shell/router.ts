// Which room is shown, and what the rooms hand to each other.

import { signal } from "@preact/signals";

export const ROOMS = ["world", "stepper", "accuracy", "compare"] as const;
export type Room = (typeof ROOMS)[number];

export const TITLES: Record<Room, string> = {
  world: "World",
  stepper: "GJK stepper",
  accuracy: "Accuracy",
  compare: "Compare",
};

export const room = signal<Room>("world");

/** What waits for a room to take it. */
export const forWorld = signal<
  | { kind: "scene"; name: string; text: string }
  | { kind: "recording"; name: string; bytes: ArrayBuffer }
  | { kind: "live"; address: string; controls: boolean }
  | null
>(null);
export const forReport = signal<{ name: string; text: string } | null>(null);
export const forStepper = signal<string | null>(null);
export const forAccuracy = signal<{ name: string; text: string } | null>(null);
export const forCompare = signal<{ name: string; bytes: ArrayBuffer }[] | null>(null);

export function isRoom(name: string | undefined): name is Room {
  return ROOMS.some((each) => each === name);
}

/** Shows a room; the address follows, and forgets what it shared before. */
export function enter(next: Room): void {
  if (room.value !== next) {
    room.value = next;
    history.replaceState(null, "", `#room=${next}`);
  }
}

export function openInStepper(line: string): void {
  forStepper.value = line;
  enter("stepper");
}

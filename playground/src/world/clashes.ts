// A report of clashes beside the scene of its parts: which clashes are listed, and which one is looked at.

import { computed, effect, type Signal, signal } from "@preact/signals";
import { attempt } from "../shell/notice";
import { bodiesByShape, type Clash, type Listing, listed, type Report, readReport } from "./report";

/** What a list of clashes does with the world that is open. */
interface World {
  /** The text of the scene; null for a world that came otherwise. */
  scene: Signal<string | null>;
  /** Calls bodies by names, by their numbers. */
  name(names: [number, string][]): void;
  /** Looks at the pair of bodies that clash. */
  face(bodies: [number, number], clash: Clash): Promise<void>;
  leave(): void;
}

export class Clashes {
  readonly report = signal<Report | null>(null);
  readonly listing = signal<Listing>({ kind: "all", order: "depth" });
  readonly current = signal<Clash | null>(null);
  readonly listed = computed(() => listed(this.report.value?.clashes ?? [], this.listing.value));
  /** The bodies of a clash by the names of their shapes. */
  readonly #bodies = computed(() =>
    this.report.value ? bodiesByShape(this.#world.scene.value) : new Map<string, number>(),
  );
  /** How many clashes have a part that the scene has not. */
  readonly absent = computed(
    () => this.report.value?.clashes.filter((clash) => this.bodiesOf(clash) === null).length ?? 0,
  );
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
    effect(() => {
      const report = this.report.value;
      const bodies = this.#bodies.value;
      this.current.value = null;
      if (report && bodies.size > 0) {
        this.#world.name(
          report.clashes.flatMap((clash) =>
            (this.bodiesOf(clash) ?? []).map((body, side): [number, string] => [
              body,
              clash.names[side] ?? "",
            ]),
          ),
        );
      }
    });
  }

  open(name: string, text: string): void {
    this.report.value = readReport(name, text);
  }

  close(): void {
    this.report.value = null;
    this.#world.leave();
  }

  /** The numbers of the bodies of a clash; null if the scene has not both. */
  bodiesOf({ shapes: [a, b] }: Clash): [number, number] | null {
    const one = this.#bodies.value.get(a);
    const other = this.#bodies.value.get(b);
    return one === undefined || other === undefined ? null : [one, other];
  }

  /** Looks at a clash. */
  go(clash: Clash): void {
    this.current.value = clash;
    const bodies = this.bodiesOf(clash);
    if (bodies) {
      attempt(() => this.#world.face(bodies, clash));
    } else {
      this.#world.leave();
    }
  }

  /** Goes so many clashes on in the list; from none to the first or to the last one. */
  next(by: number): void {
    const { value } = this.listed;
    const now = this.current.value ? value.indexOf(this.current.value) : -1;
    const place = now < 0 && by < 0 ? value.length - 1 : now + by;
    const clash = value[place];
    if (clash) {
      this.go(clash);
    }
  }
}

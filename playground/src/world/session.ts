// A world that runs in the engine's worker, and what the room shows of it.

import { batch, computed, signal } from "@preact/signals";
import { Vector3 } from "three";
import type { Nearest } from "../drawing/framing";
import type { WorldView } from "../drawing/world-view";
import { Engine, type Reply, workerCarrier } from "../engine/client";
import type { Dimension, Frame, Loaded, Requests, Vector } from "../engine/protocol";
import { Newest } from "../shell/newest";
import { attempt, complain } from "../shell/notice";
import { Arrivals } from "./arrivals";
import { Clashes } from "./clashes";
import { FrameRate } from "./frame-rate";
import { FrameTimes } from "./frame-times";
import { Inspection, type Selection } from "./inspection";
import { Following } from "./live";
import { Pace } from "./pace";
import { ShownLayers } from "./shown";

/** The time between two steps, in seconds of the world. */
export const DT = 1 / 60;
/** Text that changes is painted anew, which takes time from what is shown. */
const BETWEEN_NUMBERS = 250;

export class WorldSession {
  readonly #engine = new Engine(workerCarrier(new URL("clearance.wasm", document.baseURI).href));
  readonly kinds = signal<{ name: string; dimension: Dimension }[]>([]);
  readonly name = signal("");
  /** The text of the scene that was opened; null for a world that came otherwise. */
  readonly scene = signal<string | null>(null);
  readonly loaded = signal<Loaded | null>(null);
  readonly frame = signal<Frame | null>(null);
  readonly playing = signal(false);
  readonly speed = signal(1);
  readonly layers = new ShownLayers(this.#engine);
  readonly times = new FrameTimes();
  readonly following = new Following({
    play: async (blocks) => this.#apply(await this.#engine.ask("world.block", {}, blocks)),
    named: (names) => {
      this.names.value = names;
    },
    // A page before this one, or the connection before, may have left the world at another speed.
    opened: () => {
      this.following.send({ do: "speed", factor: this.speed.value });
      this.following.send({ do: this.playing.value ? "run" : "pause" });
    },
    ended: () => {
      this.playing.value = false;
    },
  });
  /** What a game calls its bodies, by their ids. */
  readonly names = signal<ReadonlyMap<string, string>>(new Map());
  /** Whether the world can be run, stopped and stepped from here: a game's own can not. */
  readonly steerable = computed(() => {
    const loaded = this.loaded.value;
    return loaded !== null && (loaded.source !== "live" || this.following.state.value === "steered");
  });

  /** The report of clashes that is open beside the world. */
  readonly clashes = new Clashes({
    scene: this.scene,
    name: (names) => {
      this.names.value = new Map(names.map(([body, name]) => [`${body}v0`, name]));
    },
    face: (bodies, { pointA, pointB, normal }) =>
      this.face(bodies, {
        pointA: new Vector3(...pointA),
        pointB: new Vector3(...pointB),
        normal: new Vector3(...normal),
      }),
    leave: () => this.select(null),
  });

  readonly #inspection = new Inspection(this.#engine);
  readonly selection = this.#inspection.selection;
  readonly body = this.#inspection.body;
  readonly contact = this.#inspection.contact;

  readonly #pace = new Pace(DT);
  readonly #rate = new FrameRate();
  #view: WorldView | null = null;
  #layout = -1;
  #stepping = false;
  /** How much is being opened. Whatever is asked meanwhile would meet the new world: the engine answers in order. */
  #opening = 0;
  readonly #arrivals = new Arrivals();
  readonly #seeks = new Newest<number>(async (frame) =>
    this.#apply(await this.#engine.ask("world.seek", { frame })),
  );
  /** The frame that is drawn; `frame` follows it. */
  #latest: Frame | null = null;
  #noted = Number.NEGATIVE_INFINITY;

  /** Whether nothing was opened yet, nor is being. */
  get isFresh(): boolean {
    return this.loaded.value === null && this.#opening === 0;
  }

  /** The frames of the last second. */
  get rate(): number {
    return this.#rate.shown.value;
  }

  attach(view: WorldView): void {
    this.#view = view;
    this.layers.attach(view);
    this.#inspection.attach(view);
    const tick = (now: number) => {
      this.#rate.read(now);
      this.#advance(now);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  async readKinds(): Promise<void> {
    this.kinds.value = (await this.#engine.ask("world.kinds", {})).ok.kinds;
  }

  generate(kind: string, count: number, seed: number): void {
    const name = `${kind}, ${count} bodies, seed ${seed}`;
    this.#open(name, this.#engine.ask("world.generate", { kind, count, seed }));
  }

  load(name: string, scene: string): void {
    this.#open(name, this.#engine.ask("world.load", { scene }), { scene });
  }

  play(name: string, recording: ArrayBuffer): void {
    this.#open(name, this.#engine.ask("world.play", {}, recording));
  }

  /** Follows a world that runs elsewhere; a server that runs it for this page can be steered. */
  watch(address: string, steered: boolean): void {
    const connect = () => {
      this.playing.value = true;
      this.following.start({ address, steered });
    };
    this.#open(address, this.#engine.ask("world.live", {}), { connect });
  }

  /** Follows once more what was left or has ended. */
  watchAgain(): void {
    const source = this.following.last.value;
    if (source) {
      this.watch(source.address, source.steered);
    }
  }

  toggle(): void {
    if (this.steerable.value) {
      this.#toggle();
    }
  }

  #toggle(): void {
    this.playing.value = !this.playing.value;
    if (!this.playing.value && this.#latest) {
      this.frame.value = this.#latest;
      attempt(() => this.#inspection.refresh(false));
    }
    this.#pace.restart();
    this.following.send({ do: this.playing.value ? "run" : "pause" });
  }

  pause(): void {
    if (this.playing.value) {
      this.#toggle();
    }
  }

  step(): void {
    if (!this.steerable.value) {
      return;
    }
    this.pause();
    if (this.following.state.value === "steered") {
      this.following.send({ do: "step" });
    } else {
      this.#stepOnce(1);
    }
  }

  setSpeed(factor: number): void {
    if (this.steerable.value) {
      this.speed.value = factor;
      this.#pace.restart();
      this.following.send({ do: "speed", factor });
    }
  }

  seek(frame: number): void {
    const now = this.frame.value;
    if (now && this.#opening === 0) {
      this.pause();
      if (this.loaded.value?.source === "live") {
        this.#leaveSource();
      }
      this.#seeks.want(Math.min(Math.max(frame, now.first), now.last));
    }
  }

  select(selection: Selection | null): void {
    this.#inspection.set(selection);
    this.#inspection.mark();
    attempt(() => this.#inspection.refresh(false));
  }

  /** Selects two bodies with pale ones about them, and flies to where they are nearest to each other. */
  async face([one, other]: [number, number], clash: Nearest): Promise<void> {
    const [a, b] = one < other ? [one, other] : [other, one];
    const selection: Selection = { kind: "contact", a, b, alone: true };
    this.pause();
    this.select(selection);
    const answers = [a, b].map((index) => this.#engine.ask("world.body", { index }));
    const [boxA, boxB] = (await Promise.all(answers)).map(({ ok }) => ok.bounds);
    if (boxA && boxB && this.selection.value === selection) {
      this.#view?.face(this.#view.contactOf(a, b) ?? clash, [boxA, boxB]);
    }
  }

  selectContact(number: number): void {
    const contact = this.#view?.contact(number);
    if (contact) {
      this.select({ kind: "contact", a: contact.a, b: contact.b });
    }
  }

  selectNext(by: number): void {
    const bodies = this.frame.value?.bodies ?? 0;
    const now = this.selection.value;
    const start = now?.kind === "body" ? now.index : by > 0 ? -1 : 0;
    if (bodies > 0) {
      this.select({ kind: "body", index: (start + by + bodies) % bodies });
    }
  }

  /** Moves the selected body along the view, by a hundredth of what is shown. */
  nudge(right: number, up: number): void {
    const selection = this.selection.value;
    const view = this.#view;
    if (selection?.kind === "body" && view && this.#opening === 0) {
      this.pause();
      const [x, y, z] = view.beside(selection.index, right, up);
      attempt(() => this.move(selection.index, [x, y, z]));
    }
  }

  fit(): void {
    this.#view?.stage.fit();
  }

  /** The depth from which on all overlaps have one colour. */
  get depth(): number {
    return this.#view?.depthOfScale(this.loaded.value?.margin ?? 0) ?? 0;
  }

  /** The other body of a contact. */
  other(number: number, body: number): number {
    const contact = this.#view?.contact(number);
    return contact ? (contact.a === body ? contact.b : contact.a) : number;
  }

  async pick(ask: Requests["world.pick"]["ask"]): Promise<Requests["world.pick"]["reply"]> {
    return (await this.#engine.ask("world.pick", ask)).ok;
  }

  /** Puts a body elsewhere; its contacts are measured again, without a step in time. */
  async move(index: number, translation: Vector): Promise<void> {
    if (this.#opening === 0) {
      if (this.loaded.value?.source !== "scene") {
        this.#leaveSource();
      }
      await this.#apply(await this.#engine.ask("world.move", { index, translation }));
    }
  }

  /** Goes on from this frame of a recording or a live world, here in the page. */
  fork(): void {
    attempt(async () => {
      if (this.#opening > 0) {
        return;
      }
      this.pause();
      this.#leaveSource();
      const { ok } = await this.#engine.ask("world.fork", {});
      this.loaded.value = ok;
      await this.#apply(await this.#engine.ask("world.frame", {}));
    });
  }

  async save(): Promise<string> {
    return (await this.#engine.ask("world.save", {})).ok.scene;
  }

  /** What is open stays open if the answer is that the other thing cannot be. */
  #open(
    name: string,
    answer: Promise<Reply<Loaded>>,
    { scene = null, connect }: { scene?: string | null; connect?: () => void } = {},
  ): void {
    this.#opening += 1;
    this.#seeks.forget();
    this.following.hold(true);
    attempt(async () => {
      try {
        const { ok } = await answer;
        this.following.stop();
        this.playing.value = false;
        this.names.value = new Map();
        this.scene.value = null;
        this.name.value = name;
        this.#arrivals.draw(this.#arrivals.next());
        this.#begin(ok);
        this.scene.value = scene;
      } finally {
        this.#opening -= 1;
        this.following.hold(this.#opening > 0);
      }
      if (connect) {
        connect();
      } else {
        await this.#apply(await this.#engine.ask("world.frame", {}));
      }
    });
  }

  #begin(loaded: Loaded): void {
    this.#layout = -1;
    this.times.clear();
    batch(() => {
      this.loaded.value = loaded;
      this.frame.value = null;
      this.#latest = null;
      this.#inspection.set(null);
    });
    this.#view?.begin(loaded.dimension, loaded.bounds, loaded.margin);
    this.#view?.show(this.layers.shown.value);
    if (loaded.damage !== null) {
      complain(loaded.damage);
    }
  }

  /** From here on the world goes on in the page, by its velocities, wherever it came from. */
  #leaveSource(): void {
    this.following.stop();
    const loaded = this.loaded.value;
    if (loaded) {
      this.loaded.value = { ...loaded, source: "scene" };
    }
  }

  async #apply({ ok, binary }: Reply<Frame>, number = this.#arrivals.next()): Promise<void> {
    const view = this.#view;
    if (!view || this.#arrivals.late(number)) {
      return;
    }
    if (ok.opened) {
      this.#begin(ok.opened);
    }
    if (ok.layout !== this.#layout) {
      const shapes = await this.#engine.ask("world.shapes", {});
      if (this.#arrivals.late(number)) {
        return;
      }
      this.#layout = ok.layout;
      view.setShapes(shapes.ok, shapes.binary);
      this.#inspection.mark();
    }
    this.#arrivals.draw(number);
    view.setFrame(ok, binary);
    this.#note(ok);
    this.times.add(ok);
    this.#rate.note(performance.now());
    this.#inspection.markContact();
    await Promise.all([this.layers.drawBoxes(), this.#inspection.refresh(this.playing.value)]);
  }

  /** Shows the numbers of a frame; while the world runs, not more often than can be read. */
  #note(frame: Frame): void {
    const now = performance.now();
    this.#latest = frame;
    if (!this.playing.value || now - this.#noted >= BETWEEN_NUMBERS) {
      this.#noted = now;
      // All in one go: each time that the page changes, it is painted anew.
      batch(() => {
        this.frame.value = frame;
        this.#rate.show(now);
      });
    }
  }

  #advance(now: number): void {
    if (
      !this.playing.value ||
      this.#stepping ||
      !this.steerable.value ||
      this.loaded.value?.source === "live"
    ) {
      return;
    }
    const due = this.#pace.due(now, this.speed.value);
    if (due > 0) {
      this.#stepOnce(due);
    }
  }

  #stepOnce(count: number): void {
    const now = this.#latest;
    if (!now || this.#stepping || this.#opening > 0) {
      return;
    }
    if (this.loaded.value?.source === "recording") {
      if (now.frame >= now.last) {
        this.toggle();
        return;
      }
      const frame = Math.min(now.frame + count, now.last);
      this.#whileStepping(this.#engine.ask("world.seek", { frame }));
    } else {
      this.#whileStepping(this.#engine.ask("world.step", { dt: DT, count }));
    }
  }

  #whileStepping(answer: Promise<Reply<Frame>>): void {
    this.#stepping = true;
    attempt(async () => {
      try {
        const reply = await answer;
        const number = this.#arrivals.next();
        if (this.playing.value) {
          // No frame is skipped: time for steps that nobody sees is better spent on drawing.
          await this.#view?.stage.drawn();
        }
        this.#stepping = false;
        if (!this.#arrivals.late(number)) {
          this.#latest = reply.ok;
        }
        // The engine makes the next frame while the page draws this one.
        this.#advance(performance.now());
        await this.#apply(reply, number);
      } catch (problem) {
        this.#stepping = false;
        this.playing.value = false;
        throw problem;
      }
    });
  }
}

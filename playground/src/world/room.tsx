// The room in which a world runs.

import { useEffect, useRef } from "preact/hooks";
import { WorldView } from "../drawing/world-view";
import { addressOf, pack } from "../shell/address";
import { expose } from "../shell/expose";
import { useCommands, useInbox } from "../shell/hooks";
import { attempt, copy } from "../shell/notice";
import { Panes } from "../shell/panes";
import { forReport, forWorld, room } from "../shell/router";
import { ClashList } from "./clash-list";
import { EXAMPLES } from "./examples";
import { Inspect } from "./inspect";
import { Layers } from "./layers";
import { ContactLegend } from "./legend";
import { Playback, Scrubber } from "./playback";
import { Pointer } from "./pointer";
import { WorldSession } from "./session";
import { Source } from "./source";
import { Times } from "./times";

/** Longer addresses are cut off by programs that pass them on. */
const LONGEST_ADDRESS = 100_000;

const session = new WorldSession();

async function share(): Promise<void> {
  const scene = await session.save();
  const address = addressOf({ room: "world", scene: await pack(scene) });
  if (address.length > LONGEST_ADDRESS) {
    throw new Error(
      `The scene is too large for an address: it takes ${address.length} letters, and ${LONGEST_ADDRESS} are the most. Save it as a file instead.`,
    );
  }
  history.replaceState(null, "", address);
  await copy(address, "Address of this scene", "in the address bar");
}

async function saveFile(): Promise<void> {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([await session.save()], { type: "application/json" }));
  link.download = "scene.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

function start(): void {
  const example = EXAMPLES[0];
  // What waited for the room may have been taken before the canvas is there.
  if (forWorld.value === null && session.isFresh && example) {
    session.load(example.name, example.scene);
  }
}

function Canvas() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!canvas.current) {
      return;
    }
    const view = new WorldView(canvas.current);
    session.attach(view);
    new Pointer(view, session);
    expose("world", { session, view });
    attempt(() => session.readKinds());
    start();
  }, []);
  useEffect(
    () =>
      room.subscribe((shown) => {
        if (shown !== "world" && session.following.state.peek() === "no") {
          session.pause();
        }
      }),
    [],
  );
  return (
    <canvas
      ref={canvas}
      tabIndex={0}
      aria-label="The world. Click a body or a contact to inspect it, drag a body to move it, drag elsewhere to turn the view."
    />
  );
}

function take(item: NonNullable<typeof forWorld.value>): void {
  if (item.kind === "scene") {
    session.load(item.name, item.text);
  } else if (item.kind === "recording") {
    session.play(item.name, item.bytes);
  } else {
    session.watch(item.address, item.controls);
  }
}

function View() {
  const frame = session.frame.value;
  const loaded = session.loaded.value;
  return (
    <section class="view" aria-label="View">
      <div
        class="canvas"
        data-frame={frame?.frame}
        data-hash={frame?.hash}
        data-contacts={frame?.contact_count}
        data-bodies={frame?.bodies}
      >
        <Canvas />
        <ContactLegend session={session} />
        <p class="caption">
          {loaded
            ? `${session.name.value} · ${frame?.bodies ?? loaded.bodies} bodies in ${loaded.dimension}D`
            : "…"}
        </p>
      </div>
      <Scrubber session={session} />
      <Playback session={session} />
    </section>
  );
}

export default function WorldRoom() {
  useInbox(forWorld, take);
  useInbox(forReport, ({ name, text }) => attempt(async () => session.clashes.open(name, text)));
  useCommands("world", [
    { key: " ", shown: "Space", does: "run or pause", run: () => session.toggle() },
    { key: ".", does: "one step", run: () => session.step() },
    { key: ",", does: "one frame back", run: () => session.seek((session.frame.value?.frame ?? 0) - 1) },
    {
      key: "Home",
      does: "the first frame that is kept",
      run: () => session.seek(session.frame.value?.first ?? 0),
    },
    { key: "End", does: "the last frame", run: () => session.seek(session.frame.value?.last ?? 0) },
    { key: "+", does: "twice as fast", run: () => session.setSpeed(Math.min(session.speed.value * 2, 4)) },
    {
      key: "-",
      does: "half as fast",
      run: () => session.setSpeed(Math.max(session.speed.value / 2, 1 / 16)),
    },
    {
      key: "c",
      shown: "C",
      does: "contacts",
      run: () => session.layers.show({ contacts: !session.layers.shown.value.contacts }),
    },
    {
      key: "n",
      shown: "N",
      does: "normals",
      run: () => session.layers.show({ normals: !session.layers.shown.value.normals }),
    },
    {
      key: "b",
      shown: "B",
      does: "boxes of the bodies",
      run: () => session.layers.show({ boxes: !session.layers.shown.value.boxes, tree: false }),
    },
    {
      key: "l",
      shown: "L",
      does: "levels of the tree",
      run: () => session.layers.show({ tree: !session.layers.shown.value.tree, boxes: false }),
    },
    { key: "f", shown: "F", does: "all of the world in view", run: () => session.fit() },
    { key: "j", shown: "J", does: "the next clash", run: () => session.clashes.next(1) },
    { key: "k", shown: "K", does: "the clash before", run: () => session.clashes.next(-1) },
    { key: "]", does: "select the next body", run: () => session.selectNext(1) },
    { key: "[", does: "select the body before", run: () => session.selectNext(-1) },
    { key: "ArrowLeft", shown: "← → ↑ ↓", does: "move the selected body", run: () => session.nudge(-1, 0) },
    { key: "ArrowRight", shown: "→", does: "to the right", run: () => session.nudge(1, 0) },
    { key: "ArrowUp", shown: "↑", does: "up", run: () => session.nudge(0, 1) },
    { key: "ArrowDown", shown: "↓", does: "down", run: () => session.nudge(0, -1) },
    { key: "Escape", shown: "Esc", does: "select nothing", run: () => session.select(null) },
  ]);
  return (
    <Panes first={72} name="world and panel">
      <View />
      <aside class="panel" aria-label="Panel">
        <ClashList clashes={session.clashes} />
        <Source session={session} onShare={() => attempt(share)} onSave={() => attempt(saveFile)} />
        <Layers session={session} />
        <Inspect session={session} />
        <Times session={session} />
      </aside>
    </Panes>
  );
}

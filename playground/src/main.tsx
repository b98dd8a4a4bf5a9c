// The page: a heading with the rooms, and the room that is shown. Rooms are loaded when first entered.

import { effect, signal } from "@preact/signals";
import { type ComponentType, render } from "preact";
import { readAddress, TooLong, unpack } from "./shell/address";
import { listenForDrops } from "./shell/files";
import { KeyHelp, openKeyHelp } from "./shell/key-help";
import { listen } from "./shell/keys";
import { attempt, complain, type Notice, notice } from "./shell/notice";
import { openFiles, openSession } from "./shell/open";
import { enter, forStepper, forWorld, isRoom, ROOMS, type Room, room, TITLES } from "./shell/router";
import { darkPage, nextTheme } from "./shell/theme";
import "./shell/expose";
import "./shell/page.css";
import "./shell/panes.css";
import "./shell/panel.css";

const LOAD: Record<Room, () => Promise<{ default: ComponentType }>> = {
  world: () => import("./world/room"),
  stepper: () => import("./stepper/room"),
  accuracy: () => import("./accuracy/room"),
  compare: () => import("./compare/room"),
};

const loaded = signal<Partial<Record<Room, ComponentType>>>({});

effect(() => {
  const wanted = room.value;
  document.title = `${TITLES[wanted]} · Clearance playground`;
  if (!loaded.peek()[wanted]) {
    attempt(async () => {
      const { default: Loaded } = await LOAD[wanted]();
      loaded.value = { ...loaded.value, [wanted]: Loaded };
    });
  }
});

function Heading() {
  return (
    <header>
      <h1>Clearance</h1>
      <nav aria-label="Rooms">
        {ROOMS.map((each, place) => (
          <button
            type="button"
            key={each}
            aria-current={room.value === each ? "page" : undefined}
            title={`${TITLES[each]} (key ${place + 1})`}
            onClick={() => enter(each)}
          >
            {TITLES[each]}
          </button>
        ))}
      </nav>
      <div class="tools">
        <button type="button" onClick={openKeyHelp} title="Keys of this room (key ?)">
          Keys
        </button>
        <button type="button" onClick={nextTheme} title="Switch between light and dark (key T)">
          {darkPage.value ? "Light" : "Dark"}
        </button>
      </div>
    </header>
  );
}

/** A reader is interrupted for what went wrong; all else can wait for it. */
function NoticeBar() {
  const shown = notice.value;
  return (
    <div class="notice">
      <div role="alert">{shown?.bad && <Message {...shown} />}</div>
      <div role="status">{shown?.bad === false && <Message {...shown} />}</div>
    </div>
  );
}

function Message({ text, bad }: Notice) {
  return (
    <p class={bad ? "bad" : ""} data-notice={bad ? "bad" : "good"}>
      <span>{text}</span>
      <button type="button" onClick={() => (notice.value = null)} aria-label="Close this message">
        ×
      </button>
    </p>
  );
}

function Page() {
  return (
    <>
      <Heading />
      <NoticeBar />
      {ROOMS.map((each) => {
        const Loaded = loaded.value[each];
        return (
          <main key={each} id={each} hidden={room.value !== each} aria-label={TITLES[each]}>
            {Loaded ? <Loaded /> : <p class="loading">Loading…</p>}
          </main>
        );
      })}
      <KeyHelp />
    </>
  );
}

async function openAddress(): Promise<void> {
  const fields = readAddress(window.location.hash);
  const wanted = fields.get("room");
  const pair = fields.get("pair");
  const scene = fields.get("scene");
  if (isRoom(wanted)) {
    room.value = wanted;
  }
  try {
    if (pair) {
      forStepper.value = await unpack(pair);
    }
    if (scene) {
      forWorld.value = { kind: "scene", name: "shared scene", text: await unpack(scene) };
    }
  } catch (problem) {
    complain(
      problem instanceof TooLong
        ? problem
        : "What this address shares cannot be read: it may have been cut off when it was copied.",
    );
  }
}

listen([
  ...ROOMS.map((each, place) => ({
    key: String(place + 1),
    does: `the room ${TITLES[each]}`,
    run: () => enter(each),
  })),
  { key: "t", shown: "T", does: "light or dark", run: nextTheme },
  { key: "?", does: "these keys", run: openKeyHelp },
]);
listenForDrops((files) => attempt(() => openFiles(files)));
window.addEventListener("hashchange", () => attempt(openAddress));
attempt(openAddress);
attempt(openSession);
const page = document.getElementById("page");
if (page) {
  render(<Page />, page);
}

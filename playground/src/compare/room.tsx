// The room in which two recordings are compared.

import { useEffect, useRef } from "preact/hooks";
import { WorldView } from "../drawing/world-view";
import type { Side } from "../engine/protocol";
import { expose } from "../shell/expose";
import { useCommands, useInbox } from "../shell/hooks";
import { attempt } from "../shell/notice";
import { exact } from "../shell/numbers";
import { Panes } from "../shell/panes";
import { forCompare } from "../shell/router";
import { CompareSession } from "./session";
import "./compare.css";

const session = new CompareSession();

function Recording({ side }: { side: Side }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) {
      session.attach(side, new WorldView(canvas.current));
    }
  }, [side]);
  const recording = session.recordings.value[side];
  const frame = session.frames.value[side];
  const other = session.frames.value[side === "left" ? "right" : "left"];
  const differs = frame !== null && other !== null && frame.hash !== other.hash;
  return (
    <section class="view" aria-label={`Recording on the ${side}`}>
      <div class="bar">
        <label class="file">
          {side === "left" ? "Left" : "Right"}{" "}
          <input
            type="file"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file) {
                attempt(async () => session.load(side, file.name, await file.arrayBuffer()));
              }
            }}
          />
        </label>
        <span class="small">
          {recording ? `${recording.name}, ${recording.frames} frames` : "no recording"}
        </span>
      </div>
      <div class="canvas" data-side={side} data-hash={frame?.hash} data-frame={frame?.frame}>
        <canvas ref={canvas} tabIndex={0} aria-label={`Recording on the ${side}; drag to turn both views`} />
        {frame && (
          <p class={`caption ${differs ? "bad" : ""}`}>
            {frame.contact_count} contacts · <span class="hash">{frame.hash}</span>
            {differs ? " differs" : ""}
          </p>
        )}
      </div>
    </section>
  );
}

function Frames() {
  const { first, last } = session.range.value;
  const frame = session.frame.value;
  const found = session.difference.value?.frame ?? null;
  return (
    <div class="bar" role="toolbar" aria-label="Frames">
      <button type="button" disabled={frame <= first} onClick={() => session.show(frame - 1)}>
        Back
      </button>
      <button type="button" disabled={frame >= last} onClick={() => session.show(frame + 1)}>
        Forward
      </button>
      <label class="wide">
        Frame{" "}
        <input
          type="range"
          min={first}
          max={last}
          value={frame}
          disabled={last === first}
          onInput={(event) => session.show(Number(event.currentTarget.value))}
        />
      </label>
      <output>
        {frame} / {last}
      </output>
      <button type="button" disabled={found === null} onClick={() => session.show(found ?? first)}>
        First difference
      </button>
    </div>
  );
}

function sentence(text: string): string {
  const end = /[.!?]$/.test(text) ? "" : ".";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}

function Differences() {
  const difference = session.difference.value;
  if (!difference) {
    return <p class="small">Load two recordings: drop both on the page, or choose one on each side.</p>;
  }
  return (
    <>
      <p data-difference={difference.frame ?? "none"} class={difference.frame === null ? "good" : "bad"}>
        {sentence(difference.reason)}
      </p>
      {difference.contacts.length > 0 && (
        <div class="scroll">
          <table class="grid" aria-label="Contacts that differ">
            <thead>
              <tr>
                <th>bodies</th>
                <th class="number">distance, left</th>
                <th class="number">distance, right</th>
              </tr>
            </thead>
            <tbody>
              {difference.contacts.map((contact) => (
                <tr key={`${contact.a} ${contact.b}`} data-pair={`${contact.a} ${contact.b}`}>
                  <td>
                    <button
                      type="button"
                      class="link"
                      aria-pressed={session.chosen.value === contact}
                      onClick={() => {
                        session.show(difference.frame ?? session.frame.value);
                        session.choose(contact);
                      }}
                    >
                      {contact.a ?? `id ${contact.id_a}`}, {contact.b ?? `id ${contact.id_b}`}
                    </button>
                  </td>
                  <td class="number">{contact.left ? exact(contact.left.distance) : "no contact"}</td>
                  <td class="number">{contact.right ? exact(contact.right.distance) : "no contact"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

export default function CompareRoom() {
  useInbox(forCompare, (files) => session.open(files));
  useCommands("compare", [
    { key: ",", does: "one frame back", run: () => session.show(session.frame.value - 1) },
    { key: ".", does: "one frame on", run: () => session.show(session.frame.value + 1) },
    { key: "Home", does: "the first frame", run: () => session.show(session.range.value.first) },
    { key: "End", does: "the last frame", run: () => session.show(session.range.value.last) },
    {
      key: "d",
      shown: "D",
      does: "the first frame that differs",
      run: () => session.show(session.difference.value?.frame ?? session.frame.value),
    },
  ]);
  useEffect(() => expose("compare", session), []);
  return (
    <>
      <Panes first={50} name="both recordings">
        <Recording side="left" />
        <Recording side="right" />
      </Panes>
      <Frames />
      <div class="differences">
        <Differences />
      </div>
    </>
  );
}

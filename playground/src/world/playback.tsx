// Run, pause, step, speed, and the bar that goes back through the last frames.

import { short } from "../shell/numbers";
import type { WorldSession } from "./session";

const SPEEDS = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4];

export function Playback({ session }: { session: WorldSession }) {
  const frame = session.frame.value;
  const steerable = session.steerable.value;
  const loaded = session.loaded.value;
  const last = session.following.last.value;
  const back = frame !== null && frame.frame > frame.first;
  return (
    <div class="bar" role="toolbar" aria-label="Playback">
      <button
        type="button"
        class="main"
        onClick={() => session.toggle()}
        disabled={!steerable}
        title="Run or pause (Space)"
      >
        {session.playing.value ? "Pause" : "Run"}
      </button>
      <button
        type="button"
        onClick={() => session.seek((frame?.frame ?? 0) - 1)}
        disabled={!back}
        title="One frame back (,)"
      >
        Back
      </button>
      <button type="button" onClick={() => session.step()} disabled={!steerable} title="One step (.)">
        Step
      </button>
      {last && session.following.state.value === "no" && (
        <button type="button" onClick={() => session.watchAgain()} title={`Shows what ${last.address} sends`}>
          Follow again
        </button>
      )}
      {loaded && loaded.source !== "scene" && frame && (
        <button
          type="button"
          onClick={() => session.fork()}
          title="From this frame on, the bodies go on here by their velocities"
        >
          Go on from here
        </button>
      )}
      <label>
        Speed{" "}
        <select
          value={session.speed.value}
          disabled={!steerable}
          onChange={(event) => session.setSpeed(Number(event.currentTarget.value))}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={speed}>
              {speed < 1 ? `1/${1 / speed}` : `${speed} ×`}
            </option>
          ))}
        </select>
      </label>
      <output class="facts" aria-live="off">
        {frame && (
          <>
            <span>{session.playing.value ? `${session.rate} frames/s` : "paused"}</span>
            <span>step {short(frame.milliseconds, 3)} ms</span>
            <span>{frame.contact_count} contacts</span>
            <span class="hash" title="The hash of all contacts of this frame">
              {frame.hash}
            </span>
            {frame.recorded_hash !== null && (
              <span class={frame.recorded_hash === frame.hash ? "good" : "bad"}>
                {frame.recorded_hash === frame.hash ? "as recorded" : `recorded: ${frame.recorded_hash}`}
              </span>
            )}
          </>
        )}
      </output>
    </div>
  );
}

export function Scrubber({ session }: { session: WorldSession }) {
  const frame = session.frame.value;
  const can = frame !== null && frame.last > frame.first;
  return (
    <div class="bar scrubber">
      <label>
        Frame{" "}
        <input
          type="range"
          min={frame?.first ?? 0}
          max={frame?.last ?? 0}
          value={frame?.frame ?? 0}
          disabled={!can}
          aria-valuetext={`frame ${frame?.frame ?? 0} of ${frame?.first ?? 0} to ${frame?.last ?? 0}`}
          onInput={(event) => session.seek(Number(event.currentTarget.value))}
        />
      </label>
      <output aria-live="off">
        {frame?.frame ?? 0} / {frame?.last ?? 0}
      </output>
    </div>
  );
}

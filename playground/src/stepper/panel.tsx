// The pair as text, its poses, and the answer.

import { addressOf, pack } from "../shell/address";
import { attempt, copy } from "../shell/notice";
import { exact, list } from "../shell/numbers";
import { OpenFields } from "../shell/open-fields";
import { Details } from "./details";
import { type SideName, translation } from "./pair";
import { PRESETS } from "./presets";
import type { StepperSession } from "./session";
import { PHASES } from "./timeline";

export function PairSource({ session }: { session: StepperSession }) {
  const lines = session.lines.value;
  return (
    <details open>
      <summary>Pair</summary>
      <div class="fields">
        <OpenFields examples={PRESETS} onExample={({ pair }) => session.open(JSON.stringify(pair))} />
        {lines.length > 1 && (
          <label>
            Line{" "}
            <input
              type="number"
              min={1}
              max={lines.length}
              value={session.line.value + 1}
              onChange={(event) => session.show(Number(event.currentTarget.value) - 1)}
            />{" "}
            of {lines.length}
          </label>
        )}
      </div>
      <label class="small">
        A line of a pair file: paste any
        <textarea
          rows={4}
          spellcheck={false}
          value={session.text.value}
          data-field="line"
          onInput={(event) => session.setText(event.currentTarget.value)}
        />
      </label>
      <div class="fields">
        <button type="button" onClick={() => attempt(() => copy(session.text.value, "Pair", "in the panel"))}>
          Copy
        </button>
        <button
          type="button"
          onClick={() =>
            attempt(async () => {
              const address = addressOf({ room: "stepper", pair: await pack(session.text.value) });
              history.replaceState(null, "", address);
              await copy(address, "Address of this pair", "in the address bar");
            })
          }
        >
          Share
        </button>
      </div>
    </details>
  );
}

export function Answer({ session }: { session: StepperSession }) {
  const trace = session.traced.value?.trace;
  const answer = trace?.answer;
  return (
    <details open>
      <summary>Answer</summary>
      {answer && (
        <table class="facts" data-answer={JSON.stringify(answer)} data-answer-of={session.traced.value?.line}>
          <tbody>
            {Object.entries(answer).map(([field, value]) => (
              <tr key={field}>
                <th scope="row">{field.replace("_", " ")}</th>
                <td data-field={field}>{shown(value)}</td>
              </tr>
            ))}
            {trace.radius > 0 && (
              <tr>
                <th scope="row">sum of radii</th>
                <td>{exact(trace.radius)}</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </details>
  );
}

function shown(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each === "number")) {
    return list(value, 7);
  }
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

export function StepPanel({ session }: { session: StepperSession }) {
  const step = session.step.value;
  return (
    <details open>
      <summary>{step ? `Step ${step.number + 1} of the ${PHASES[step.phase]}` : "Steps"}</summary>
      <Details session={session} />
    </details>
  );
}

export function Poses({ session }: { session: StepperSession }) {
  return (
    <details>
      <summary>Poses</summary>
      <Pose session={session} side="a" />
      <Pose session={session} side="b" />
    </details>
  );
}

function Pose({ session, side }: { session: StepperSession; side: SideName }) {
  const pair = session.pair.value;
  const pose = pair?.[side]?.pose;
  if (!pair?.[side]) {
    return null;
  }
  const at = translation(pose).toArray().slice(0, pair.dimension);
  return (
    <fieldset>
      <legend>{side}</legend>
      <div class="fields">
        {at.map((value, axis) => (
          <label key={axis}>
            {"xyz"[axis]}{" "}
            <input
              type="number"
              step={0.05}
              value={value}
              onChange={(event) => {
                const by = at.map((_, other) =>
                  other === axis ? Number(event.currentTarget.value) - value : 0,
                );
                session.move(side, by);
              }}
            />
          </label>
        ))}
        <button type="button" onClick={() => session.turn(side, Math.PI / 36)}>
          Turn 5° ⟲
        </button>
        <button type="button" onClick={() => session.turn(side, -Math.PI / 36)}>
          Turn 5° ⟳
        </button>
      </div>
    </fieldset>
  );
}

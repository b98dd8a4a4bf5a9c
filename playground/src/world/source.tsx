// Where the world comes from: a generator, an example or a file.

import { useSignal } from "@preact/signals";
import { OpenFields } from "../shell/open-fields";
import { EXAMPLES } from "./examples";
import type { WorldSession } from "./session";

interface Props {
  session: WorldSession;
  onShare(): void;
  onSave(): void;
}

export function Source({ session, onShare, onSave }: Props) {
  const kind = useSignal("mixed");
  const count = useSignal(500);
  const seed = useSignal(1);
  return (
    <details open>
      <summary>Scene</summary>
      <div class="fields">
        <OpenFields examples={EXAMPLES} onExample={({ name, scene }) => session.load(name, scene)} />
      </div>
      <form
        class="fields"
        aria-label="Generate a scene"
        onSubmit={(event) => {
          event.preventDefault();
          session.generate(kind.value, count.value, seed.value);
        }}
      >
        <label>
          Kind{" "}
          <select value={kind.value} onChange={(event) => (kind.value = event.currentTarget.value)}>
            {session.kinds.value.map(({ name, dimension }) => (
              <option key={name} value={name}>
                {name} ({dimension}D)
              </option>
            ))}
          </select>
        </label>
        <label>
          Bodies{" "}
          <input
            type="number"
            min={1}
            max={100000}
            value={count.value}
            onInput={(event) => (count.value = Number(event.currentTarget.value))}
          />
        </label>
        <label>
          Seed{" "}
          <input
            type="number"
            min={0}
            value={seed.value}
            onInput={(event) => (seed.value = Number(event.currentTarget.value))}
          />
        </label>
        <button type="submit">Generate</button>
      </form>
      <div class="fields">
        <button type="button" onClick={onShare} disabled={session.loaded.value === null}>
          Share this scene
        </button>
        <button type="button" onClick={onSave} disabled={session.loaded.value === null}>
          Save as file
        </button>
      </div>
    </details>
  );
}

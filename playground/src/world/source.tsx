// Where the world comes from: a generator, an example or a file.

import { useSignal } from "@preact/signals";
import { attempt } from "../shell/notice";
import { openFiles } from "../shell/open";
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
        <label>
          Example{" "}
          <select
            aria-label="Example"
            value=""
            onChange={(event) => {
              const example = EXAMPLES.find(({ name }) => name === event.currentTarget.value);
              if (example) {
                session.load(example.name, example.scene);
              }
              event.currentTarget.value = "";
            }}
          >
            <option value="">choose…</option>
            {EXAMPLES.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label class="file">
          File{" "}
          <input
            type="file"
            onChange={(event) => attempt(() => openFiles([...(event.currentTarget.files ?? [])]))}
          />
        </label>
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

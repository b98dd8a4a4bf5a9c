// What is drawn besides the bodies.

import type { WorldSession } from "./session";

export function Layers({ session }: { session: WorldSession }) {
  const shown = session.layers.shown.value;
  return (
    <details open>
      <summary>Layers</summary>
      <div class="fields">
        <label class="check">
          <input
            type="checkbox"
            checked={shown.contacts}
            onChange={(event) => session.layers.show({ contacts: event.currentTarget.checked })}
          />
          Contacts
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={shown.normals}
            onChange={(event) => session.layers.show({ normals: event.currentTarget.checked })}
          />
          Normals
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={shown.boxes}
            onChange={(event) => session.layers.show({ boxes: event.currentTarget.checked, tree: false })}
          />
          Boxes of bodies
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={shown.tree}
            onChange={(event) => session.layers.show({ tree: event.currentTarget.checked, boxes: false })}
          />
          Boxes of the tree
        </label>
        {shown.tree && (
          <label>
            Level {shown.level}{" "}
            <input
              type="range"
              min={0}
              max={Math.max(session.layers.levels.value - 1, 0)}
              value={shown.level}
              onInput={(event) => session.layers.show({ level: Number(event.currentTarget.value) })}
            />
          </label>
        )}
        <button type="button" onClick={() => session.fit()} title="All of the world in view (F)">
          Fit view
        </button>
      </div>
    </details>
  );
}

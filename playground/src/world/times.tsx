// The time of a frame by stage, as a plot that follows the world.

import type { AlignedData } from "uplot";
import { Plot } from "../drawing/plot";
import { bytes, short } from "../shell/numbers";
import type { WorldSession } from "./session";

const COLOURS = ["#3b82f6", "#e0457b", "#1f9a6a", "#d97a00", "#8a63c9", "#0e9aa7", "#9a6b3f"];

export function Times({ session }: { session: WorldSession }) {
  const { stages, rows } = session.times.plotted.value;
  const frame = session.frame.value;
  return (
    <details open>
      <summary>Time of a frame</summary>
      <Plot
        name="Time of the last frames by stage, in milliseconds"
        x="frame"
        y="milliseconds"
        height={150}
        lines={stages.map((label, place) => ({
          label,
          colour: COLOURS[place % COLOURS.length] ?? "#3b82f6",
          unit: "ms",
        }))}
        data={rows as unknown as AlignedData}
      />
      {frame && (
        <p class="small">
          {short(frame.milliseconds, 3)} ms · {frame.candidates} candidates · {frame.begun} contacts begun,{" "}
          {frame.ended} ended · {bytes(frame.memory)}
        </p>
      )}
    </details>
  );
}

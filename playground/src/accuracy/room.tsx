// The room in which a file of pairs is answered: how accurate, how long, how fast, and which lines are worst.

import { useEffect, useMemo } from "preact/hooks";
import type { AlignedData } from "uplot";
import { Plot } from "../drawing/plot";
import type { AnswerRow } from "../engine/protocol";
import { expose } from "../shell/expose";
import { useCommands, useInbox } from "../shell/hooks";
import { attempt } from "../shell/notice";
import { exact, short } from "../shell/numbers";
import { openFiles } from "../shell/open";
import { forAccuracy, openInStepper } from "../shell/router";
import { AccuracySession } from "./session";
import { curves, groupName, MEASURES, type Measure, worst, worstGroups } from "./summary";
import "./accuracy.css";

const SHOWN = 100;
/** So wide is the place of a name below the plot, in pixels. */
const NAME_WIDTH = 46;
const session = new AccuracySession();

function open(row: AnswerRow): void {
  openInStepper(session.line(row.line));
}

function Toolbar() {
  const { answered, errors, total, name, measure } = session;
  return (
    <div class="bar" role="toolbar" aria-label="Pairs">
      <label class="file">
        File of pairs{" "}
        <input
          type="file"
          onChange={(event) => attempt(() => openFiles([...(event.currentTarget.files ?? [])]))}
        />
      </label>
      <button type="button" onClick={() => attempt(() => session.openSample())}>
        Sample
      </button>
      <label>
        Measure{" "}
        <select
          value={measure.value}
          onChange={(event) => (measure.value = event.currentTarget.value as Measure)}
        >
          {Object.entries(MEASURES).map(([key, { name: label, unit }]) => (
            <option key={key} value={key}>
              {label} ({unit})
            </option>
          ))}
        </select>
      </label>
      <output class="facts" aria-live="off" data-answered={answered.value} data-total={total.value}>
        {name.value && (
          <>
            <span>{name.value}</span>
            <span>
              {answered.value} of {total.value} lines
            </span>
            <span class={errors.value > 0 ? "bad" : ""}>{errors.value} errors</span>
          </>
        )}
      </output>
    </div>
  );
}

function KindsPlot() {
  const all = session.groups.value;
  const measure = session.measure.value;
  const groups = useMemo(
    () => worstGroups(all, measure, Math.floor(window.innerWidth / NAME_WIDTH)),
    [all, measure],
  );
  const { curve, data, names } = useMemo(() => {
    const made = curves(groups, measure);
    return {
      curve: made,
      data: [made.x, made.y] as unknown as AlignedData,
      names: groups.map(({ name }) => name),
    };
  }, [groups, measure]);
  const { name, unit } = MEASURES[measure];
  return (
    <Plot
      name={`${name} by kind of pair, in ${unit}`}
      x={
        all.length > groups.length
          ? `the ${groups.length} kinds of pairs with the greatest values, of ${all.length}; each rises over its lines`
          : "kinds of pairs; each rises over its lines"
      }
      y={unit}
      height={320}
      logarithmic
      names={names}
      data={data}
      lines={[{ label: name, colour: "#3b82f6", points: true, unit }]}
      onPick={(index) => {
        const row = curve.rows[index];
        if (row) {
          open(row);
        }
      }}
    />
  );
}

function Kinds() {
  const { only } = session;
  return (
    <div class="scroll">
      <table class="grid" aria-label="By kind of pair">
        <thead>
          <tr>
            <th>kind of pair</th>
            <th class="number">lines</th>
            <th class="number">errors</th>
            <th class="number">widest bounds</th>
            <th class="number">iterations, median</th>
            <th class="number">most</th>
            <th class="number">time, median µs</th>
            <th class="number">longest</th>
          </tr>
        </thead>
        <tbody>
          {session.groups.value.map((group) => (
            <tr key={group.name}>
              <td>
                <button
                  type="button"
                  class="link"
                  aria-pressed={only.value === group.name}
                  onClick={() => (only.value = only.value === group.name ? null : group.name)}
                >
                  {group.name}
                </button>
              </td>
              <td class="number">{group.rows.length}</td>
              <td class={`number ${group.errors > 0 ? "bad" : ""}`}>{group.errors}</td>
              <td class="number">{group.widest === null ? "–" : short(group.widest, 4)}</td>
              <td class="number">{group.medianIterations ?? "–"}</td>
              <td class="number">{group.mostIterations ?? "–"}</td>
              <td class="number">{short(group.medianTime, 3)}</td>
              <td class="number">{short(group.longestTime, 3)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Worst() {
  const measure = session.measure.value;
  const only = session.only.value;
  const all = session.rows.value;
  const rows = useMemo(
    () => worst(only === null ? all : all.filter((row) => groupName(row) === only), measure, SHOWN),
    [all, measure, only],
  );
  return (
    <section>
      <h2>
        Worst lines by {MEASURES[measure].name}
        {only === null ? "" : `: ${only}`}
      </h2>
      <p class="small">A line opens in the stepper.</p>
      <div class="scroll">
        <table class="grid" aria-label="Worst lines">
          <thead>
            <tr>
              <th>line</th>
              <th>kind of pair</th>
              <th class="number">distance</th>
              <th class="number">width</th>
              <th class="number">iterations</th>
              <th class="number">µs</th>
              <th>status</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.line} data-line={row.line}>
                <td>
                  <button type="button" class="link" onClick={() => open(row)}>
                    {row.line}
                    {row.id === null ? "" : ` (${row.id})`}
                  </button>
                </td>
                <td>{groupName(row)}</td>
                {row.error === null ? (
                  <>
                    <td class="number">{exact(row.distance)}</td>
                    <td class="number">{row.width === null ? "–" : short(row.width, 4)}</td>
                    <td class="number">{row.iterations ?? "–"}</td>
                    <td class="number">{short(row.microseconds, 3)}</td>
                    <td>{row.status}</td>
                  </>
                ) : (
                  <td class="bad" colSpan={5}>
                    {row.error}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export default function AccuracyRoom() {
  useInbox(forAccuracy, ({ name, text }) => session.open(name, text));
  useCommands("accuracy", [
    { key: "w", shown: "W", does: "width of the bounds", run: () => (session.measure.value = "width") },
    { key: "i", shown: "I", does: "iterations", run: () => (session.measure.value = "iterations") },
    { key: "m", shown: "M", does: "microseconds", run: () => (session.measure.value = "microseconds") },
    {
      key: "o",
      shown: "O",
      does: "open the worst line in the stepper",
      run: () => {
        const [row] = worst(session.rows.value, session.measure.value, 1);
        if (row) {
          open(row);
        }
      },
    },
  ]);
  useEffect(() => {
    expose("accuracy", session);
    if (session.total.value === 0 && forAccuracy.value === null) {
      attempt(() => session.openSample());
    }
  }, []);
  const empty = session.total.value === 0;
  return (
    <>
      <Toolbar />
      {empty ? (
        <p class="loading">Drop a file of pairs on the page, or choose one.</p>
      ) : (
        <div class="accuracy">
          <KindsPlot />
          <div class="tables">
            <section>
              <h2>By kind of pair</h2>
              <Kinds />
            </section>
            <Worst />
          </div>
        </div>
      )}
    </>
  );
}

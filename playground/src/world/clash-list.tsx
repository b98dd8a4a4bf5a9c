// The clashes of a report, one below the other: each is looked at when it is clicked or reached by arrow keys.

import { useEffect, useRef } from "preact/hooks";
import { palette, Tint } from "../drawing/colours";
import { short } from "../shell/numbers";
import type { Clashes } from "./clashes";
import { CLASH_KINDS, type Clash, type ClashKind, type Listing } from "./report";

/** So many are on the page at once. */
const ROWS = 100;

export function ClashList({ clashes }: { clashes: Clashes }) {
  const report = clashes.report.value;
  if (!report) {
    return null;
  }
  const all = clashes.listed.value;
  const current = clashes.current.value;
  const first = Math.floor(Math.max(current ? all.indexOf(current) : 0, 0) / ROWS) * ROWS;
  const absent = clashes.absent.value;
  return (
    <details open data-clashes={all.length}>
      <summary>Clashes</summary>
      <p class="small">
        <bdi>{report.name}</bdi>: {report.clashes.length} clashes. {report.missing}
      </p>
      {absent > 0 && (
        <p class="small bad" data-field="absent">
          {absent === report.clashes.length
            ? "The parts of these clashes are not in the world that is open. Open the scene that clearance clash wrote with --scene."
            : `${absent} clashes have parts that the scene leaves out.`}
        </p>
      )}
      <Choice clashes={clashes} />
      <Rows clashes={clashes} rows={all.slice(first, first + ROWS)} />
      {all.length > ROWS && (
        <p class="small">
          {first + 1} to {Math.min(first + ROWS, all.length)} of {all.length}. The keys J and K go on beyond.
        </p>
      )}
    </details>
  );
}

function Choice({ clashes }: { clashes: Clashes }) {
  const counts = new Map<ClashKind, number>();
  for (const { kind } of clashes.report.value?.clashes ?? []) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const { kind, order } = clashes.listing.value;
  const choose = (change: Partial<Listing>) => {
    clashes.listing.value = { ...clashes.listing.value, ...change };
  };
  return (
    <div class="fields">
      <label>
        Kind{" "}
        <select value={kind} onChange={(event) => choose({ kind: event.currentTarget.value as ClashKind })}>
          <option value="all">all</option>
          {CLASH_KINDS.filter((each) => counts.has(each)).map((each) => (
            <option key={each} value={each}>
              {each} ({counts.get(each)})
            </option>
          ))}
        </select>
      </label>
      <label>
        Order{" "}
        <select
          value={order}
          onChange={(event) => choose({ order: event.currentTarget.value as Listing["order"] })}
        >
          <option value="depth">deepest first</option>
          <option value="report">by names</option>
        </select>
      </label>
      <button type="button" onClick={() => clashes.close()}>
        Close report
      </button>
    </div>
  );
}

function Rows({ clashes, rows }: { clashes: Clashes; rows: Clash[] }) {
  const list = useRef<HTMLOListElement>(null);
  const current = clashes.current.value;
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>("[aria-current=true]");
    row?.scrollIntoView({ block: "nearest" });
    if (list.current?.contains(document.activeElement)) {
      row?.focus({ preventScroll: true });
    }
  }, [current]);
  return (
    <ol class="clashes" aria-label="Clashes" ref={list}>
      {rows.map((clash, place) => (
        <li key={clash.number} data-group={rows[place - 1]?.group === clash.group ? "same" : "new"}>
          <button
            type="button"
            aria-current={clash === current ? "true" : undefined}
            data-clash={clash.number}
            onClick={() => clashes.go(clash)}
            onKeyDown={(event) => {
              const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
              if (by) {
                event.preventDefault();
                clashes.next(by);
              }
            }}
          >
            <Row clash={clash} coloured={clash === current && clashes.bodiesOf(clash) !== null} />
          </button>
        </li>
      ))}
    </ol>
  );
}

function Row({ clash, coloured }: { clash: Clash; coloured: boolean }) {
  const colours = [Tint.selected, Tint.differs].map((tint) => palette().bodies[tint]?.getStyle());
  return (
    <>
      <span class="kind">
        {clash.kind}
        {clash.allowed && " (allowed)"}
        {!clash.proven && " (not proven)"}
      </span>
      <span class="number">{short(clash.distance)}</span>
      {clash.names.map((name, side) => (
        <span class="name" key={side === 0 ? "a" : "b"}>
          {coloured && <i style={{ background: colours[side] }} />}
          <bdi>{name}</bdi>
        </span>
      ))}
    </>
  );
}

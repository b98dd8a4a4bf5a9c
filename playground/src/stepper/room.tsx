// The room in which a pair is measured step by step.

import { computed, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Vector3 } from "three";
import type { AlignedData } from "uplot";
import { Plot } from "../drawing/plot";
import { expose } from "../shell/expose";
import { useCommands, useInbox } from "../shell/hooks";
import { Panes } from "../shell/panes";
import { forStepper, room } from "../shell/router";
import { Answer, PairSource, Poses, StepPanel } from "./panel";
import { extentOf } from "./picture";
import { differencePicture, overlaps, type Seen, shapesPicture } from "./pictures";
import { PlaneHandles } from "./plane-handles";
import { PlaneView } from "./plane-view";
import { PRESETS } from "./presets";
import { StepperSession } from "./session";
import { SpaceView } from "./space-view";
import { boundsOf, PHASES } from "./timeline";
import "./stepper.css";

const session = new StepperSession();
const turning = signal(false);

/** Where the views look: it stays while shapes are dragged, and follows where another pair is shown. */
const views = computed(() => {
  const traced = session.traced.value;
  if (!traced) {
    return null;
  }
  const { trace, binary } = traced;
  const seen: Seen = { trace, binary, step: null, last: false, regions: false, arrow: 1 };
  const shapes = extentOf(shapesPicture(seen));
  const huge = new Vector3(1, 1, 1);
  const bare = differencePicture(seen, { min: huge.clone().negate(), max: huge });
  const difference = extentOf(bare);
  return { shapes, difference, arrow: shapes.max.distanceTo(shapes.min) * 0.12 };
});

const pictures = computed(() => {
  const traced = session.traced.value;
  const view = views.value;
  if (!traced || !view) {
    return null;
  }
  const steps = session.steps.value;
  const seen: Seen = {
    trace: traced.trace,
    binary: traced.binary,
    step: session.step.value,
    last: session.at.value >= steps.length - 1,
    regions: session.regions.value,
    arrow: view.arrow,
  };
  return { shapes: shapesPicture(seen), difference: differencePicture(seen, view.difference) };
});

function turnChosen(angle: number): void {
  session.turn(session.side.value, angle);
}

/** Lines that are pasted anywhere but into a field are opened. */
function paste(event: ClipboardEvent): void {
  const field = event.target instanceof Element && event.target.closest("textarea, input");
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (room.value === "stepper" && !field && text.trim() !== "") {
    event.preventDefault();
    session.open(text);
  }
}

function Views() {
  const traced = session.traced.value;
  const view = views.value;
  const drawn = pictures.value;
  if (!traced || !view || !drawn) {
    return <p class="loading">Measuring…</p>;
  }
  const { trace, fresh } = traced;
  const plane = trace.dimension === 2;
  const key = `${fresh} ${trace.dimension}`;
  return (
    <div class="views" data-overlap={overlaps(trace)}>
      <section class="canvas" aria-label="Shapes">
        {plane ? (
          <PlaneView
            name="Shapes"
            picture={drawn.shapes}
            extent={view.shapes}
            fresh={key}
            handles={(place) => <PlaneHandles session={session} place={place} />}
            onDoubleClick={(at) => session.addCorner(session.side.value, at)}
          />
        ) : (
          <SpaceView
            name="Shapes"
            picture={drawn.shapes}
            extent={view.shapes}
            fresh={key}
            session={session}
            turning={turning.value}
          />
        )}
        <p class="caption">
          <b class="a">a</b> and <b class="b">b</b>
          {overlaps(trace) && <b class="overlap"> overlap</b>}
        </p>
        {!plane && <GripChoice />}
      </section>
      <section class="canvas" aria-label="Minkowski difference">
        {plane ? (
          <PlaneView
            name="Minkowski difference"
            picture={drawn.difference}
            extent={view.difference}
            fresh={key}
          />
        ) : (
          <SpaceView
            name="Minkowski difference"
            picture={drawn.difference}
            extent={view.difference}
            fresh={key}
          />
        )}
        <p class="caption">Minkowski difference{trace.radius > 0 ? " of the cores" : ""}</p>
      </section>
    </div>
  );
}

function GripChoice() {
  return (
    <div class="grip" role="group" aria-label="Handles">
      {(["a", "b"] as const).map((side) => (
        <button
          type="button"
          key={side}
          aria-pressed={session.side.value === side}
          onClick={() => (session.side.value = side)}
        >
          {side}
        </button>
      ))}
      <button type="button" aria-pressed={!turning.value} onClick={() => (turning.value = false)}>
        Move
      </button>
      <button type="button" aria-pressed={turning.value} onClick={() => (turning.value = true)}>
        Turn
      </button>
    </div>
  );
}

function StepBar() {
  const steps = session.steps.value;
  const at = session.at.value;
  const step = session.step.value;
  const last = Math.max(steps.length - 1, 0);
  return (
    <div class="bar" role="toolbar" aria-label="Steps">
      <button
        type="button"
        class="main"
        disabled={last === 0}
        onClick={() => session.run()}
        title="Run through the steps (Space)"
      >
        {session.running.value ? "Pause" : "Run"}
      </button>
      <button type="button" disabled={at === 0} onClick={() => session.go(at - 1)} title="Step back (,)">
        Back
      </button>
      <button type="button" disabled={at >= last} onClick={() => session.go(at + 1)} title="Step (.)">
        Step
      </button>
      <label class="wide">
        <span class="hidden">Step</span>
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          disabled={last === 0}
          aria-valuetext={step ? `step ${step.number + 1} of the ${PHASES[step.phase]}` : "no steps"}
          onInput={(event) => session.go(Number(event.currentTarget.value))}
        />
      </label>
      <output aria-live="polite" data-step={at} data-phase={step?.phase ?? "none"} data-steps={steps.length}>
        {step ? `${at + 1} of ${steps.length}: ${PHASES[step.phase]}` : "closed formula: no steps"}
      </output>
      <label class="check">
        <input
          type="checkbox"
          checked={session.regions.value}
          onChange={(event) => (session.regions.value = event.currentTarget.checked)}
        />
        Voronoi regions
      </label>
    </div>
  );
}

function Legend() {
  return (
    <ul class="roles" aria-label="Legend; lengths are in units of the pair">
      <li class="simplex">simplex, with weights</li>
      <li class="support">search direction, support points</li>
      <li class="nearest">nearest points</li>
      <li class="region">region that holds the origin</li>
      <li>lengths in units of the pair</li>
    </ul>
  );
}

function BoundsPlot() {
  const steps = session.steps.value;
  const { lower, upper } = useMemo(() => boundsOf(steps), [steps]);
  const data = useMemo(
    () => [steps.map((_, number) => number + 1), lower, upper] as unknown as AlignedData,
    [steps, lower, upper],
  );
  if (steps.length === 0) {
    return null;
  }
  return (
    <Plot
      name="Lower and upper bound of the distance after each step"
      x="step"
      y="distance"
      height={150}
      data={data}
      mark={session.at.value + 1}
      lines={[
        { label: "lower bound", colour: "#3b82f6" },
        { label: "upper bound", colour: "#e0457b" },
      ]}
      onPick={(index) => session.go(index)}
    />
  );
}

export default function StepperRoom() {
  useInbox(forStepper, (text) => session.open(text));
  useCommands("stepper", [
    { key: ".", does: "one step", run: () => session.go(session.at.value + 1) },
    { key: ",", does: "one step back", run: () => session.go(session.at.value - 1) },
    { key: "Home", does: "the first step", run: () => session.go(0) },
    { key: "End", does: "the last step", run: () => session.go(Number.MAX_SAFE_INTEGER) },
    { key: " ", shown: "Space", does: "run through the steps, or pause", run: () => session.run() },
    { key: "a", shown: "A", does: "choose shape a", run: () => (session.side.value = "a") },
    { key: "b", shown: "B", does: "choose shape b", run: () => (session.side.value = "b") },
    {
      key: "ArrowLeft",
      shown: "← → ↑ ↓",
      does: "move the chosen shape",
      run: () => session.nudge([-1, 0, 0]),
    },
    { key: "ArrowRight", shown: "→", does: "to the right", run: () => session.nudge([1, 0, 0]) },
    { key: "ArrowUp", shown: "↑", does: "up", run: () => session.nudge([0, 1, 0]) },
    { key: "ArrowDown", shown: "↓", does: "down", run: () => session.nudge([0, -1, 0]) },
    { key: "PageUp", does: "towards the viewer (3D)", run: () => session.nudge([0, 0, 1]) },
    { key: "PageDown", does: "away from the viewer (3D)", run: () => session.nudge([0, 0, -1]) },
    { key: "[", does: "turn the chosen shape counterclockwise", run: () => turnChosen(Math.PI / 36) },
    { key: "]", does: "turn it clockwise", run: () => turnChosen(-Math.PI / 36) },
    {
      key: "v",
      shown: "V",
      does: "Voronoi regions",
      run: () => (session.regions.value = !session.regions.value),
    },
  ]);
  useEffect(() => {
    expose("stepper", session);
    const preset = PRESETS[0];
    if (session.text.value === "" && forStepper.value === null && preset) {
      session.open(JSON.stringify(preset.pair));
    }
    window.addEventListener("paste", paste);
    const unsubscribe = room.subscribe((shown) => {
      if (shown !== "stepper") {
        session.run(false);
      }
    });
    return () => {
      window.removeEventListener("paste", paste);
      unsubscribe();
    };
  }, []);
  const about = PRESETS.find(({ pair }) => JSON.stringify(pair) === session.lines.value[0])?.about;
  return (
    <Panes first={68} name="views and panel">
      <section class="view" aria-label="View">
        {about && <p class="about">{about}</p>}
        <Views />
        <Legend />
        <StepBar />
        <BoundsPlot />
      </section>
      <aside class="panel" aria-label="Panel">
        <Answer session={session} />
        <PairSource session={session} />
        <Poses session={session} />
        <StepPanel session={session} />
      </aside>
    </Panes>
  );
}

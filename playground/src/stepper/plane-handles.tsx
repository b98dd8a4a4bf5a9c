// What can be grabbed in the plane: whole shapes, their vertices, and a knob that turns each shape.

import { useRef } from "preact/hooks";
import { Vector3 } from "three";
import { cornersInWorld, quaternion, type SideName, translation } from "./pair";
import { solidOf } from "./pictures";
import { outline, type Place } from "./plane-view";
import type { StepperSession } from "./session";

const ARM = 46;

interface Props {
  session: StepperSession;
  place: Place;
}

/** Follows a pointer from where it was pressed. */
function useDrag(place: Place, drag: (at: Vector3, before: Vector3) => void) {
  const before = useRef<Vector3 | null>(null);
  return {
    onPointerDown: (event: PointerEvent) => {
      event.preventDefault();
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      (event.currentTarget as SVGElement).focus();
      before.current = place.world(event);
    },
    onPointerMove: (event: PointerEvent) => {
      if (before.current) {
        const now = place.world(event);
        drag(now, before.current);
        before.current = now;
      }
    },
    onPointerUp: () => {
      before.current = null;
    },
    onPointerCancel: () => {
      before.current = null;
    },
  };
}

export function PlaneHandles({ session, place }: Props) {
  const pair = session.pair.value;
  if (!pair?.a || !pair.b) {
    return null;
  }
  const corner = (side: SideName) =>
    cornersInWorld(pair, side).map((at, number) => (
      <Corner key={`${side} ${number}`} session={session} place={place} side={side} number={number} at={at} />
    ));
  return (
    <>
      <Body session={session} place={place} side="a" />
      <Body session={session} place={place} side="b" />
      <Knob session={session} place={place} side="a" />
      <Knob session={session} place={place} side="b" />
      {corner("a")}
      {corner("b")}
    </>
  );
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** How far a key moves something: eight pixels, or one with Shift. */
function keyStep(event: KeyboardEvent, pixel: number): [number, number] | null {
  const arrow = ARROWS[event.key];
  const step = (event.shiftKey ? 1 : 8) * pixel;
  return arrow ? [arrow[0] * step, arrow[1] * step] : null;
}

function Body({ session, place, side }: Props & { side: SideName }) {
  const drag = useDrag(place, (at, before) => session.move(side, at.clone().sub(before).toArray()));
  const traced = session.traced.value;
  if (!traced) {
    return null;
  }
  return (
    <path
      class={`grab ${session.side.value === side ? "chosen" : ""}`}
      d={outline(solidOf(traced.trace[side], traced.binary, side))}
      role="button"
      tabindex={0}
      aria-label={`Shape ${side}: drag or arrow keys move it, [ and ] turn it`}
      data-side={side}
      onFocus={() => (session.side.value = side)}
      {...drag}
      onKeyDown={(event) => {
        const step = keyStep(event, place.pixel);
        if (step) {
          event.preventDefault();
          session.move(side, step);
        }
      }}
    />
  );
}

function Knob({ session, place, side }: Props & { side: SideName }) {
  const pair = session.pair.value;
  const pose = pair?.[side]?.pose;
  const centre = translation(pose);
  const arm = new Vector3(0, ARM * place.pixel, 0).applyQuaternion(quaternion(pose));
  const drag = useDrag(place, (at, before) => {
    const now = at.clone().sub(centre);
    const then = before.clone().sub(centre);
    session.turn(side, Math.atan2(then.x * now.y - then.y * now.x, then.dot(now)));
  });
  const end = centre.clone().add(arm);
  return (
    <>
      <path class={`arm ${side}`} d={`M${centre.x} ${centre.y}L${end.x} ${end.y}`} />
      <circle
        class={`knob ${side}`}
        cx={end.x}
        cy={end.y}
        r={6 * place.pixel}
        role="button"
        tabindex={0}
        aria-label={`Turn shape ${side}: drag, or left and right arrow keys`}
        {...drag}
        onKeyDown={(event) => {
          if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
            event.preventDefault();
            session.turn(side, event.key === "ArrowLeft" ? 0.05 : -0.05);
          }
        }}
      />
    </>
  );
}

interface CornerProps extends Props {
  side: SideName;
  number: number;
  at: Vector3;
}

function Corner({ session, place, side, number, at }: CornerProps) {
  const drag = useDrag(place, (to) => session.moveCorner(side, number, to));
  return (
    <circle
      class={`corner ${side}`}
      cx={at.x}
      cy={at.y}
      r={5 * place.pixel}
      role="button"
      tabindex={0}
      aria-label={`Vertex ${number + 1} of ${side}: drag or arrow keys move it, Delete deletes it`}
      data-corner={`${side} ${number}`}
      {...drag}
      onDblClick={(event) => {
        event.stopPropagation();
        session.deleteCorner(side, number);
      }}
      onKeyDown={(event) => {
        const step = keyStep(event, place.pixel);
        if (step) {
          event.preventDefault();
          session.moveCorner(side, number, at.clone().add(new Vector3(step[0], step[1], 0)));
        } else if (event.key === "Delete" || event.key === "Backspace") {
          event.preventDefault();
          session.deleteCorner(side, number);
        }
      }}
    />
  );
}

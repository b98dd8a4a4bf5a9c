// A picture in the plane, as SVG. Shapes are dragged and turned, vertices dragged, added and deleted.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Vector3 } from "three";
import { type Extent, type Picture, paths, type Solid } from "./picture";

interface Camera {
  x: number;
  y: number;
  /** What is seen of the world, from below to above. */
  height: number;
}

export interface Place {
  /** A place of the page in the world. */
  world(event: { clientX: number; clientY: number }): Vector3;
  /** The length of a pixel in the world. */
  pixel: number;
}

interface Props {
  name: string;
  picture: Picture;
  extent: Extent;
  /** Changes when the view should show all anew. */
  fresh: unknown;
  /** What can be grabbed, drawn above all else. */
  handles?: (place: Place) => ComponentChildren;
  onDoubleClick?(at: Vector3): void;
}

function cameraFor(extent: Extent, aspect: number): Camera {
  const size = extent.max.clone().sub(extent.min);
  return {
    x: (extent.min.x + extent.max.x) / 2,
    y: (extent.min.y + extent.max.y) / 2,
    height: Math.max(size.y, size.x / aspect, 1e-9) * 1.35,
  };
}

export function PlaneView({ name, picture, extent, fresh, handles, onDoubleClick }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const camera = useSignal<Camera | null>(null);
  const size = useSignal({ width: 400, height: 300 });
  const pan = useRef<{ pointer: number; at: Vector3 } | null>(null);
  const aspect = size.value.width / size.value.height;

  useEffect(() => {
    const frame = svg.current?.parentElement;
    if (!frame) {
      return;
    }
    const observer = new ResizeObserver(() => {
      size.value = { width: Math.max(frame.clientWidth, 1), height: Math.max(frame.clientHeight, 1) };
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    camera.value = null;
  }, [fresh]);

  const seen = camera.value ?? cameraFor(extent, aspect);
  const width = seen.height * aspect;
  const pixel = seen.height / size.value.height;
  const place: Place = {
    pixel,
    world: ({ clientX, clientY }) => {
      const frame = svg.current?.getBoundingClientRect() ?? new DOMRect();
      const x = seen.x + (clientX - frame.left - frame.width / 2) * pixel;
      const y = seen.y - (clientY - frame.top - frame.height / 2) * pixel;
      return new Vector3(x, y, 0);
    },
  };
  const zoom = (factor: number, about = new Vector3(seen.x, seen.y, 0)) => {
    camera.value = {
      x: about.x + (seen.x - about.x) * factor,
      y: about.y + (seen.y - about.y) * factor,
      height: seen.height * factor,
    };
  };

  return (
    <>
      <svg
        ref={svg}
        class="plane"
        role="group"
        aria-label={name}
        viewBox={`${seen.x - width / 2} ${-seen.y - seen.height / 2} ${width} ${seen.height}`}
        preserveAspectRatio="none"
        onWheel={(event) => {
          event.preventDefault();
          zoom(Math.exp(event.deltaY * 0.0015), place.world(event));
        }}
        onDblClick={(event) => onDoubleClick?.(place.world(event))}
        onPointerDown={(event) => {
          if (!event.defaultPrevented) {
            pan.current = { pointer: event.pointerId, at: place.world(event) };
            event.currentTarget.setPointerCapture(event.pointerId);
          }
        }}
        onPointerMove={(event) => {
          if (pan.current?.pointer === event.pointerId) {
            const now = place.world(event);
            const { at } = pan.current;
            camera.value = { ...seen, x: seen.x + at.x - now.x, y: seen.y + at.y - now.y };
          }
        }}
        onPointerUp={() => {
          pan.current = null;
        }}
      >
        <g transform="scale(1 -1)">
          <Grid seen={seen} width={width} />
          <Drawing picture={picture} pixel={pixel} />
          {handles?.(place)}
        </g>
        <Labels picture={picture} pixel={pixel} />
      </svg>
      <div class="zoom">
        <button type="button" aria-label={`${name}: nearer`} onClick={() => zoom(1 / 1.3)}>
          +
        </button>
        <button type="button" aria-label={`${name}: farther`} onClick={() => zoom(1.3)}>
          −
        </button>
        <button type="button" aria-label={`${name}: show all`} onClick={() => (camera.value = null)}>
          Fit
        </button>
      </div>
    </>
  );
}

function Grid({ seen, width }: { seen: Camera; width: number }) {
  const step = 10 ** Math.floor(Math.log10(seen.height / 2));
  const lines: string[] = [];
  const [left, right] = [seen.x - width / 2, seen.x + width / 2];
  const [bottom, top] = [seen.y - seen.height / 2, seen.y + seen.height / 2];
  for (let x = Math.ceil(left / step) * step; x < right && lines.length < 200; x += step) {
    lines.push(`M${x} ${bottom}V${top}`);
  }
  for (let y = Math.ceil(bottom / step) * step; y < top && lines.length < 400; y += step) {
    lines.push(`M${left} ${y}H${right}`);
  }
  return <path class="grid" d={lines.join("")} />;
}

export function outline(solid: Solid): string {
  const at = (vertex: number) => `${solid.vertices[vertex * 3]} ${solid.vertices[vertex * 3 + 1]}`;
  return paths(solid.edges)
    .map(({ vertices, closed }) => `M${vertices.map(at).join("L")}${closed ? "Z" : ""}`)
    .join("");
}

function Drawing({ picture, pixel }: { picture: Picture; pixel: number }) {
  return (
    <>
      {picture.patches.map(({ role, corners, opacity }, number) => (
        <polygon
          key={`patch ${number}`}
          class={`patch ${role}`}
          fill-opacity={opacity}
          points={corners.map(({ x, y }) => `${x},${y}`).join(" ")}
        />
      ))}
      {picture.solids.map((solid, number) => (
        <path
          key={`solid ${number}`}
          class={`solid ${solid.role} ${solid.ghost ? "ghost" : ""} ${solid.triangles.length > 0 ? "" : "line"}`}
          d={outline(solid)}
        />
      ))}
      {picture.rounds.map(({ role, centre, radius }, number) => (
        <circle key={`round ${number}`} class={`round ${role}`} cx={centre.x} cy={centre.y} r={radius} />
      ))}
      {picture.strokes.map((stroke, number) => (
        <path
          key={`stroke ${number}`}
          class={`stroke ${stroke.role} ${stroke.dashed ? "dashed" : ""}`}
          d={strokePath(stroke, pixel)}
        />
      ))}
      {picture.marks.map(({ role, at, title }, number) => (
        <circle
          key={`mark ${number}`}
          class={`mark ${role}`}
          cx={at.x}
          cy={at.y}
          r={(role === "support" ? 6 : 4.5) * pixel}
          data-mark={role}
          data-at={`${at.x} ${at.y}`}
        >
          {title && <title>{title}</title>}
        </circle>
      ))}
    </>
  );
}

function strokePath({ from, to, arrow }: Picture["strokes"][number], pixel: number): string {
  const line = `M${from.x} ${from.y}L${to.x} ${to.y}`;
  if (!arrow) {
    return line;
  }
  const back = from
    .clone()
    .sub(to)
    .normalize()
    .multiplyScalar(9 * pixel);
  const aside = new Vector3(-back.y, back.x, 0).multiplyScalar(0.5);
  const left = to.clone().add(back).add(aside);
  const right = to.clone().add(back).sub(aside);
  return `${line}M${left.x} ${left.y}L${to.x} ${to.y}L${right.x} ${right.y}`;
}

function Labels({ picture, pixel }: { picture: Picture; pixel: number }) {
  return (
    <>
      {picture.marks.map(
        ({ role, at, label }, number) =>
          label && (
            <text
              key={`label ${number}`}
              class={`label ${role}`}
              x={at.x + 8 * pixel}
              y={-at.y - 7 * pixel}
              font-size={12.5 * pixel}
            >
              {label}
            </text>
          ),
      )}
    </>
  );
}

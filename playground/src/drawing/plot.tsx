// A plot by uPlot that follows its numbers, its frame and the theme.

import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { short } from "../shell/numbers";
import { darkPage } from "../shell/theme";

export interface Line {
  label: string;
  colour: string;
  points?: boolean;
  unit?: string;
}

interface Props {
  /** What the plot shows, for those who cannot see it. */
  name: string;
  x: string;
  y: string;
  lines: Line[];
  data: UPlot.AlignedData;
  logarithmic?: boolean;
  height?: number;
  /** A place on the x axis that is marked. */
  mark?: number | null;
  legend?: boolean;
  onPick?(index: number): void;
  /** Names instead of numbers on the x axis. */
  names?: string[];
}

const INK = { light: "#465160", dark: "#aab6c4" };
const GRID = { light: "#dfe3e9", dark: "#29313b" };

/** A plot, or its place as long as there is nothing to show. */
export function Plot(props: Props) {
  const empty = props.data.length < 2 || (props.data[0]?.length ?? 0) === 0;
  return empty ? <div class="plot" style={`height: ${props.height ?? 150}px`} /> : <FilledPlot {...props} />;
}

function FilledPlot(props: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const dark = darkPage.value;
  const { lines, logarithmic = false, height = 150, x, y, legend = true } = props;
  const shape = JSON.stringify([lines, logarithmic, x, y, dark, height, legend, props.names ?? null]);

  useEffect(() => {
    const frame = place.current;
    if (!frame) {
      return;
    }
    const made = new UPlot(options(frame, latest), latest.current.data, frame);
    plot.current = made;
    const observer = new ResizeObserver(() => {
      made.setSize({ width: Math.max(frame.clientWidth, 120), height });
    });
    observer.observe(frame);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape]);

  useEffect(() => {
    plot.current?.setData(props.data);
  }, [props.data]);

  useEffect(() => {
    plot.current?.redraw(false, false);
  }, [props.mark]);

  return <div class="plot" ref={place} role="img" aria-label={props.name} />;
}

function options(frame: HTMLElement, latest: { current: Props }): UPlot.Options {
  const { lines, logarithmic = false, height = 150, x, y, legend = true, names } = latest.current;
  const theme = darkPage.value ? "dark" : "light";
  const axis = {
    stroke: INK[theme],
    grid: { stroke: GRID[theme], width: 1 },
    ticks: { stroke: GRID[theme] },
  };
  const shown = (value: number | null) => (value === null ? "" : short(value, 6));
  return {
    width: Math.max(frame.clientWidth, 120),
    height,
    legend: { show: legend },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: false }, y: logarithmic ? { distr: 3 } : {} },
    axes: [
      {
        ...axis,
        label: x,
        labelSize: 16,
        // Frames, steps and kinds are counted.
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
        size: names ? 124 : 34,
        ...(names
          ? {
              rotate: -50,
              splits: names.map((_, place) => place),
              values: (_: UPlot, places: number[]) => places.map((at) => names[at] ?? ""),
            }
          : {}),
      },
      {
        ...axis,
        label: y,
        labelSize: 16,
        size: 58,
        ...(logarithmic ? { splits: decades } : {}),
        values: (_: UPlot, splits: (number | null)[]) => splits.map(shown),
      },
    ],
    series: [
      {
        label: names ? "kind" : x,
        value: (_: UPlot, value: number | null) =>
          names ? (names[Math.round(value ?? 0)] ?? "") : shown(value),
      },
      ...lines.map((line) => ({
        label: line.label,
        stroke: line.colour,
        width: line.points ? 0 : 1.5,
        points: line.points ? { show: true, size: 5, fill: line.colour } : { show: false },
        value: (_: UPlot, value: number | null) => `${shown(value)}${line.unit ? ` ${line.unit}` : ""}`,
      })),
    ],
    hooks: {
      draw: [(plot) => drawMark(plot, latest.current.mark ?? null)],
      ready: [
        (plot) => {
          plot.over.addEventListener("click", () => {
            const index = plot.cursor.idx;
            if (index !== null && index !== undefined) {
              latest.current.onPick?.(index);
            }
          });
        },
      ],
    },
  };
}

/** Powers of ten, few enough to be read. */
function decades(_: UPlot, __: number, min: number, max: number): number[] {
  const first = Math.ceil(Math.log10(min));
  const last = Math.floor(Math.log10(max));
  const step = Math.max(1, Math.ceil((last - first) / 8));
  const splits: number[] = [];
  for (let power = first; power <= last; power += step) {
    splits.push(10 ** power);
  }
  return splits;
}

function drawMark(plot: UPlot, mark: number | null): void {
  if (mark === null) {
    return;
  }
  const { ctx, bbox } = plot;
  const x = plot.valToPos(mark, "x", true);
  ctx.save();
  ctx.strokeStyle = "#d97a00";
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

// Two panes beside each other with a bar between them that can be dragged; one above the other on a phone.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import Split from "split.js";

const WIDE = "(min-width: 60rem)";

/** How far an arrow key moves the bar, in percent. */
const STEP = 2;

interface Props {
  /** The share of the first pane, in percent. */
  first: number;
  /** The least width of the second pane in pixels. */
  least?: number;
  name: string;
  children: [ComponentChildren, ComponentChildren];
}

/** The bar between the panes: arrow keys move it as dragging does. */
function makeBar(name: string, move: (wanted: (now: number) => number) => void): HTMLElement {
  const bar = document.createElement("div");
  bar.className = "gutter gutter-horizontal";
  bar.tabIndex = 0;
  bar.setAttribute("role", "separator");
  bar.setAttribute("aria-orientation", "vertical");
  bar.setAttribute("aria-label", `Width of the panes: ${name}`);
  bar.setAttribute("aria-valuemin", "0");
  bar.setAttribute("aria-valuemax", "100");
  const keys: Record<string, (now: number) => number> = {
    ArrowLeft: (now) => now - STEP,
    ArrowRight: (now) => now + STEP,
    Home: () => 0,
    End: () => 100,
  };
  bar.addEventListener("keydown", (event) => {
    const wanted = keys[event.key];
    if (wanted) {
      event.preventDefault();
      move(wanted);
    }
  });
  return bar;
}

/** Gives the first pane another share; the least widths of both hold. */
function move(split: Split.Instance | null, bar: HTMLElement, wanted: (now: number) => number): void {
  const now = split?.getSizes()[0] ?? 0;
  const share = Math.min(Math.max(wanted(now), 0), 100);
  split?.setSizes([share, 100 - share]);
  tell(bar, split?.getSizes() ?? []);
}

function tell(bar: HTMLElement, [first = 0]: number[]): void {
  bar.setAttribute("aria-valuenow", String(Math.round(first)));
}

export function Panes({ first, least = 260, name, children }: Props) {
  const left = useRef<HTMLDivElement>(null);
  const right = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const wide = window.matchMedia(WIDE);
    let split: Split.Instance | null = null;
    const adapt = () => {
      split?.destroy();
      split = null;
      if (wide.matches && left.current && right.current) {
        const bar = makeBar(name, (wanted) => move(split, bar, wanted));
        split = Split([left.current, right.current], {
          sizes: [first, 100 - first],
          minSize: [280, least],
          gutterSize: 8,
          gutter: () => bar,
          onDrag: (sizes) => tell(bar, sizes),
        });
        tell(bar, split.getSizes());
      }
    };
    adapt();
    wide.addEventListener("change", adapt);
    return () => {
      wide.removeEventListener("change", adapt);
      split?.destroy();
    };
  }, [first, least, name]);
  return (
    <div class="panes">
      <div class="pane" ref={left}>
        {children[0]}
      </div>
      <div class="pane" ref={right}>
        {children[1]}
      </div>
    </div>
  );
}

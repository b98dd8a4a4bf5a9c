// Two panes beside each other with a bar between them that can be dragged; one above the other on a phone.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import Split from "split.js";

const WIDE = "(min-width: 60rem)";

interface Props {
  /** The share of the first pane, in percent. */
  first: number;
  /** The least width of the second pane in pixels. */
  least?: number;
  name: string;
  children: [ComponentChildren, ComponentChildren];
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
        split = Split([left.current, right.current], {
          sizes: [first, 100 - first],
          minSize: [280, least],
          gutterSize: 8,
          gutter: (_, direction) => {
            const bar = document.createElement("div");
            bar.className = `gutter gutter-${direction}`;
            bar.setAttribute("role", "separator");
            bar.setAttribute("aria-orientation", "vertical");
            bar.setAttribute("aria-label", `Width of the panes: ${name}`);
            return bar;
          },
        });
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

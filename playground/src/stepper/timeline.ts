// The steps of a trace in one line: the search, then the growth of the polytope, then the advances of a cast.

import type { CastStep, ExpansionStep, SearchStep, Trace } from "../engine/protocol";

export type Step =
  | { phase: "search"; number: number; step: SearchStep; before: SearchStep | null }
  | { phase: "expansion"; number: number; step: ExpansionStep }
  | { phase: "cast"; number: number; step: CastStep };

export const PHASES: Record<Step["phase"], string> = {
  search: "search",
  expansion: "expanding polytope",
  cast: "advance of the cast",
};

export function timeline(trace: Trace): Step[] {
  const search = trace.search.map(
    (step, number): Step => ({
      phase: "search",
      number,
      step,
      before: trace.search[number - 1] ?? null,
    }),
  );
  const expansion = trace.expansion.map((step, number): Step => ({ phase: "expansion", number, step }));
  const cast = (trace.cast ?? []).map((step, number): Step => ({ phase: "cast", number, step }));
  return [...search, ...expansion, ...cast];
}

/**
 * The bounds of the distance after each step; null where there is none. A polytope has bounds of the depth, which
 * are those of the distance with the other sign.
 */
export function boundsOf(steps: readonly Step[]): { lower: (number | null)[]; upper: (number | null)[] } {
  return {
    lower: steps.map((step) => bound(step, "lower")),
    upper: steps.map((step) => bound(step, "upper")),
  };
}

function bound(step: Step, which: "lower" | "upper"): number | null {
  if (step.phase === "search") {
    return step.step[which];
  }
  if (step.phase === "cast") {
    return which === "lower" ? step.step.distance_lower : step.step.distance_upper;
  }
  const depth = which === "lower" ? step.step.upper : step.step.lower;
  return depth === null ? null : -depth;
}

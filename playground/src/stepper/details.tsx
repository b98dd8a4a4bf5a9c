// The step in numbers: vertices and weights, bounds, and who decides which part of the simplex is nearest.

import { exact, list, short } from "../shell/numbers";
import { candidate } from "./pictures";
import type { StepperSession } from "./session";
import { subsets } from "./subsets";
import type { Step } from "./timeline";

export function Details({ session }: { session: StepperSession }) {
  const step = session.step.value;
  if (!step) {
    return (
      <p class="small">This pair has a closed formula: there is nothing to search. The answer is exact.</p>
    );
  }
  if (step.phase === "search") {
    return <Search step={step} />;
  }
  return step.phase === "expansion" ? <Expansion step={step} /> : <Cast step={step} />;
}

function Search({ step: { step, before } }: { step: Extract<Step, { phase: "search" }> }) {
  return (
    <>
      <table class="grid" aria-label="Simplex">
        <thead>
          <tr>
            <th>vertex</th>
            <th>of the difference</th>
            <th class="number">weight</th>
          </tr>
        </thead>
        <tbody>
          {step.vertices.map((vertex, number) => (
            <tr key={vertex.point.join()} data-vertex={JSON.stringify(vertex.point)}>
              <td>{number + 1}</td>
              <td>{list(vertex.point)}</td>
              <td class="number" data-weight={step.weights[number]}>
                {short(step.weights[number], 4)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <table class="facts">
        <tbody>
          <Fact name="nearest part">{step.region}</Fact>
          <Fact name="nearest point">{list(step.nearest)}</Fact>
          <Fact name="search direction">{list(step.direction)}</Fact>
          <Fact name="support point">{list(step.support.point)}</Fact>
          <Fact name="lower bound">{short(step.lower, 9)}</Fact>
          <Fact name="upper bound">{short(step.upper, 9)}</Fact>
        </tbody>
      </table>
      <Decision vertices={candidate(step, before)} first={before === null} />
    </>
  );
}

function Decision({ vertices, first }: { vertices: ReturnType<typeof candidate>; first: boolean }) {
  const all = subsets(vertices);
  return (
    <>
      <h3>
        {first
          ? "The first simplex"
          : "Among the vertices before and the support point, the part nearest to the origin"}
      </h3>
      <div class="scroll">
        <table class="grid" aria-label="Johnson's subalgorithm and Voronoi regions">
          <thead>
            <tr>
              <th>part</th>
              <th>Johnson: Δ of its vertices</th>
              <th>Δ of others, joining</th>
              <th>Johnson</th>
              <th>Voronoi</th>
            </tr>
          </thead>
          <tbody>
            {all.map((each) => (
              <tr
                key={each.members.join()}
                class={each.voronoi ? "chosen" : ""}
                data-part={each.members.join(" ")}
              >
                <td>{each.members.map((member) => letter(member)).join(" ")}</td>
                <td>{each.determinants.map((value) => short(value, 3)).join(", ")}</td>
                <td>{each.joining.map((value) => short(value, 3)).join(", ") || "–"}</td>
                <td data-johnson={each.johnson}>{each.johnson ? "nearest" : "no"}</td>
                <td data-voronoi={each.voronoi}>{each.voronoi ? "holds the origin" : "no"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="small">
        A part is nearest if the Δ of all its vertices are above 0 and none that joins has one above 0.
        Weights are its Δ divided by their sum. Vertices:{" "}
        {vertices.map((point, number) => `${letter(number)} (${list(point.toArray(), 3)})`).join(", ")}.
      </p>
    </>
  );
}

function letter(number: number): string {
  return "pqrstu"[number] ?? String(number);
}

function Expansion({ step: { step } }: { step: Extract<Step, { phase: "expansion" }> }) {
  return (
    <table class="facts" aria-label="Polytope">
      <tbody>
        <Fact name="vertices">{step.vertices.length}</Fact>
        <Fact name="faces">{step.faces.length}</Fact>
        <Fact name="nearest face">{step.nearest}</Fact>
        <Fact name="its nearest point">{list(step.point)}</Fact>
        <Fact name="its normal">{list(step.normal)}</Fact>
        <Fact name="support point">{list(step.support)}</Fact>
        <Fact name="depth, at least">{short(step.lower, 9)}</Fact>
        <Fact name="depth, at most">{short(step.upper, 9)}</Fact>
      </tbody>
    </table>
  );
}

function Cast({ step: { step } }: { step: Extract<Step, { phase: "cast" }> }) {
  return (
    <table class="facts" aria-label="Advance">
      <tbody>
        <Fact name="time">{exact(step.time)}</Fact>
        <Fact name="distance, at least">{short(step.distance_lower, 9)}</Fact>
        <Fact name="distance, at most">{short(step.distance_upper, 9)}</Fact>
        <Fact name="normal">{list(step.normal)}</Fact>
        <Fact name="a at">{list(step.pose_a.translation)}</Fact>
        <Fact name="b at">{list(step.pose_b.translation)}</Fact>
      </tbody>
    </table>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-fact={name}>{children}</td>
    </tr>
  );
}

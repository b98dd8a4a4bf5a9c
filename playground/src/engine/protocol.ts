// The requests that the engine answers, and their answers.
//
// A vector always has three numbers (z is 0 in the plane), a rotation is a quaternion x y z w. A span is a
// place in the binary part of a reply: the first 4-byte word, and how many.

export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number];
export type Span = [number, number];
export type Dimension = 2 | 3;

export interface Pose {
  translation: Vector;
  rotation: Quaternion;
}

export interface Bounds {
  min: Vector;
  max: Vector;
}

export interface Loaded {
  source: "scene" | "recording" | "live";
  dimension: Dimension;
  bodies: number;
  margin: number;
  bounds: Bounds | null;
  frame: number;
  first: number;
  last: number;
  frames: number | null;
  damage: string | null;
}

export interface ShapeMesh {
  kind: string;
  vertices: Span;
  triangles: Span;
  edges: Span;
}

export interface Shapes {
  shapes: ShapeMesh[];
  body_shapes: Span;
  body_kinds: Span;
}

export interface Stage {
  name: string;
  milliseconds: number;
}

export interface Frame {
  frame: number;
  first: number;
  last: number;
  hash: string;
  recorded_hash: string | null;
  layout: number;
  bodies: number;
  poses: Span;
  contacts: Span;
  contact_count: number;
  begun: number;
  ended: number;
  milliseconds: number;
  stages: Stage[];
  candidates: number;
  memory: number;
  /** The world that this frame opened: the first blocks of a live world do. */
  opened?: Loaded;
}

export interface BodyAnswer {
  index: number;
  id: string;
  kind: string;
  shape: unknown;
  shape_kind: string;
  translation: Vector;
  rotation: Quaternion;
  linear: Vector;
  angular: Vector;
  bounds: Bounds | null;
  swept: boolean;
  extra_margin: number;
  contacts: number[];
}

export type Status = "exact" | "converged" | "iteration_limit" | "saturated";

export interface Separation {
  distance: number | null;
  lower: number | null;
  upper: number | null;
  status: Status;
  point_a: Vector;
  point_b: Vector;
  normal: Vector;
  part_a: number;
  part_b: number;
}

export interface ContactAnswer extends Separation {
  a: number | null;
  b: number | null;
  id_a: string;
  id_b: string;
  /** The line for `clearance query`; none for shapes of the program's own. */
  pair: string | null;
}

export interface Pick {
  body: number | null;
  distance: number | null;
  point: Vector | null;
}

export interface Drawn extends ShapeMesh {
  /** Where it is drawn: a cast moves it on from there. */
  pose: Pose;
  core: "polytope" | "curved" | "half_space" | "composite";
  points: Vector[];
}

export interface DifferenceVertex {
  point: Vector;
  on_a: Vector;
  on_b: Vector;
}

export type Region = "vertex" | "edge" | "face" | "interior";

export interface SearchStep {
  vertices: DifferenceVertex[];
  weights: number[];
  region: Region;
  nearest: Vector;
  direction: Vector;
  support: DifferenceVertex;
  lower: number | null;
  upper: number | null;
}

export interface ExpansionStep {
  vertices: Vector[];
  faces: number[][];
  nearest: number;
  point: Vector;
  normal: Vector;
  support: Vector;
  lower: number | null;
  upper: number | null;
}

export interface CastStep {
  time: number;
  distance_lower: number;
  distance_upper: number;
  normal: Vector;
  pose_a: Pose;
  pose_b: Pose;
}

/** What `clearance query` prints for the line. */
export interface QueryAnswer {
  id?: string | number;
  distance?: number | null;
  lower?: number | null;
  upper?: number | null;
  point_a?: number[];
  point_b?: number[];
  normal?: number[] | null;
  status?: Status;
  hit?: boolean;
  time?: number;
  error?: string;
  [field: string]: unknown;
}

export interface Trace {
  dimension: Dimension;
  ask: string;
  answer: QueryAnswer;
  a: Drawn;
  b: Drawn;
  difference: ShapeMesh | null;
  radius: number;
  search: SearchStep[];
  expansion: ExpansionStep[];
  cast: CastStep[] | null;
}

export interface AnswerRow {
  line: number;
  id: string | number | null;
  kinds: string;
  dimension: Dimension;
  ask: string;
  distance: number | null;
  lower: number | null;
  upper: number | null;
  width: number | null;
  status: string | null;
  iterations: number | null;
  microseconds: number;
  error: string | null;
}

export interface ComparedContact {
  a: number | null;
  b: number | null;
  id_a: string;
  id_b: string;
  left: Separation | null;
  right: Separation | null;
}

export type Side = "left" | "right";

interface Nothing {
  [field: string]: never;
}

/** Each request by its name: what it asks with, and what it is answered. */
export interface Requests {
  "world.kinds": { ask: Nothing; reply: { kinds: { name: string; dimension: Dimension }[] } };
  "world.generate": { ask: { kind: string; count: number; seed: number }; reply: Loaded };
  "world.load": { ask: { scene: string }; reply: Loaded };
  "world.play": { ask: Nothing; reply: Loaded };
  "world.live": { ask: Nothing; reply: Loaded };
  "world.block": { ask: { contacts?: boolean }; reply: Frame };
  "world.shapes": { ask: Nothing; reply: Shapes };
  "world.fork": { ask: Nothing; reply: Loaded };
  "world.step": { ask: { dt: number; count: number; contacts?: boolean }; reply: Frame };
  "world.frame": { ask: { contacts?: boolean }; reply: Frame };
  "world.seek": { ask: { frame: number; contacts?: boolean }; reply: Frame };
  "world.boxes": {
    ask: { of: "bodies" } | { of: "tree"; level: number };
    reply: { boxes: Span; levels: number };
  };
  "world.body": { ask: { index: number }; reply: BodyAnswer };
  "world.contact": { ask: { number: number }; reply: ContactAnswer };
  "world.crossing": { ask: { a: number; b: number }; reply: { segments: Span } };
  "world.pick": { ask: { origin: Vector; direction: Vector } | { point: Vector }; reply: Pick };
  "world.move": { ask: { index: number; translation: Vector; rotation?: Quaternion }; reply: Frame };
  "world.save": { ask: Nothing; reply: { scene: string } };
  "pair.trace": { ask: { line: string }; reply: Trace };
  "pair.answers": { ask: { text: string; first: number }; reply: { rows: AnswerRow[] } };
  "compare.load": {
    ask: { side: Side };
    reply: { dimension: Dimension; frames: number; first: number; last: number; damage: string | null };
  };
  "compare.find": {
    ask: Nothing;
    reply: { frame: number | null; reason: string; contacts: ComparedContact[] };
  };
  "compare.shapes": { ask: { side: Side }; reply: Shapes };
  "compare.frame": { ask: { side: Side; frame: number }; reply: Frame };
}

export type RequestName = keyof Requests;

/** Whole words of a contact in a frame. */
export const WORDS_PER_CONTACT = 13;
export const WORDS_PER_POSE = 7;

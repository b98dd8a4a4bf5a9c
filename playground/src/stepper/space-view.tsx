// A picture in space, by three.js. The chosen shape carries handles that move and turn it.

import { useEffect, useRef } from "preact/hooks";
import {
  AmbientLight,
  ArrowHelper,
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  type Color,
  DirectionalLight,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineDashedMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Object3D,
  Points,
  PointsMaterial,
  SphereGeometry,
  Sprite,
  SpriteMaterial,
} from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import { type Palette, palette } from "../drawing/colours";
import { Stage } from "../drawing/stage";
import { darkPage } from "../shell/theme";
import { quaternion, translation } from "./pair";
import type { Extent, Mark, Picture, Role, Solid } from "./picture";
import type { StepperSession } from "./session";

function colourOf(role: Role, colours: Palette): Color {
  switch (role) {
    case "nearest":
      return colours.overlap;
    case "region":
      return colours.simplex;
    case "faint":
      return colours.boxes;
    default:
      return colours[role];
  }
}

/** Draws pictures; each one replaces the one before. */
class SpaceDrawing {
  readonly stage: Stage;
  #group = new Group();

  constructor(canvas: HTMLCanvasElement) {
    this.stage = new Stage(canvas, 3);
    this.stage.scene.add(new AmbientLight(0xffffff, 2), this.#group);
    const sun = new DirectionalLight(0xffffff, 1.3);
    sun.position.set(2, 5, 3);
    this.stage.scene.add(sun);
  }

  draw(picture: Picture): void {
    this.#clear();
    const colours = palette();
    for (const solid of picture.solids) {
      this.#addSolid(solid, colourOf(solid.role, colours));
    }
    for (const { role, corners, opacity } of picture.patches) {
      this.#addPatch(corners, colourOf(role, colours), opacity);
    }
    for (const { role, centre, radius } of picture.rounds) {
      const look = new MeshBasicMaterial({
        color: colourOf(role, colours),
        wireframe: true,
        transparent: true,
        opacity: 0.12,
      });
      const ball = new Mesh(new SphereGeometry(radius, 24, 12), look);
      ball.position.copy(centre);
      this.#group.add(ball);
    }
    for (const { role, from, to, arrow, dashed } of picture.strokes) {
      const colour = colourOf(role, colours);
      const length = from.distanceTo(to);
      if (arrow && length > 0) {
        const direction = to.clone().sub(from).divideScalar(length);
        this.#group.add(new ArrowHelper(direction, from, length, colour, length * 0.3, length * 0.15));
      } else {
        this.#addLine([from, to], colour, dashed === true, length);
      }
    }
    this.#addMarks(picture.marks, colours);
    this.stage.invalidate();
  }

  dispose(): void {
    this.#clear();
    this.stage.dispose();
  }

  #addSolid(solid: Solid, color: Color): void {
    const positions = new BufferAttribute(solid.vertices, 3);
    if (!solid.ghost && solid.triangles.length > 0) {
      const indexed = new BufferGeometry();
      indexed.setAttribute("position", positions);
      indexed.setIndex(new BufferAttribute(solid.triangles, 1));
      const flat = indexed.toNonIndexed();
      flat.computeVertexNormals();
      const look = new MeshLambertMaterial({
        color,
        transparent: true,
        opacity: 0.32,
        side: DoubleSide,
        depthWrite: false,
      });
      this.#group.add(new Mesh(flat, look));
    }
    const edges = new BufferGeometry();
    edges.setAttribute("position", positions);
    edges.setIndex(new BufferAttribute(solid.edges, 1));
    const look = new LineBasicMaterial({ color, transparent: true, opacity: solid.ghost ? 0.35 : 0.75 });
    this.#group.add(new LineSegments(edges, look));
  }

  #addPatch(corners: readonly { toArray(): number[] }[], color: Color, opacity: number): void {
    const geometry = new BufferGeometry();
    const positions = Float32Array.from(corners.flatMap((corner) => corner.toArray()));
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    const fan = corners.slice(2).flatMap((_, number) => [0, number + 1, number + 2]);
    geometry.setIndex(fan);
    const look = new MeshBasicMaterial({
      color,
      transparent: true,
      opacity,
      side: DoubleSide,
      depthWrite: false,
    });
    this.#group.add(new Mesh(geometry, look));
  }

  #addLine(ends: readonly Object3D["position"][], color: Color, dashed: boolean, length: number): void {
    const look = dashed
      ? new LineDashedMaterial({ color, dashSize: length / 16, gapSize: length / 20, depthTest: false })
      : new LineBasicMaterial({ color, depthTest: false });
    const line = new LineSegments(new BufferGeometry().setFromPoints([...ends]), look);
    line.computeLineDistances();
    line.renderOrder = 2;
    this.#group.add(line);
  }

  #addMarks(marks: readonly Mark[], colours: Palette): void {
    for (const { role, at, label } of marks) {
      const color = colourOf(role, colours);
      const look = new PointsMaterial({
        color,
        size: role === "support" ? 12 : 9,
        sizeAttenuation: false,
        depthTest: false,
        map: disc(),
        transparent: true,
        alphaTest: 0.4,
      });
      const point = new Points(new BufferGeometry().setFromPoints([at]), look);
      point.renderOrder = 3;
      this.#group.add(point);
      if (label) {
        this.#addLabel(label, at, color);
      }
    }
  }

  #addLabel(label: string, at: Object3D["position"], color: Color): void {
    const map = lettering(label, `#${color.getHexString()}`);
    const look = new SpriteMaterial({ map, depthTest: false, transparent: true, sizeAttenuation: false });
    const sprite = new Sprite(look);
    const height = 0.034;
    sprite.scale.set((height * map.image.width) / map.image.height, height, 1);
    sprite.center.set(-0.12, -0.3);
    sprite.position.copy(at);
    sprite.renderOrder = 4;
    this.#group.add(sprite);
  }

  #clear(): void {
    this.#group.traverse((object) => {
      const drawn = object as Partial<Mesh>;
      drawn.geometry?.dispose();
      for (const material of [drawn.material].flat()) {
        const map = (material as SpriteMaterial | undefined)?.map;
        if (map && map !== discTexture) {
          map.dispose();
        }
        material?.dispose();
      }
    });
    this.#group.clear();
  }
}

let discTexture: CanvasTexture<HTMLCanvasElement> | null = null;

function disc(): CanvasTexture<HTMLCanvasElement> {
  if (!discTexture) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 32;
    const ink = canvas.getContext("2d");
    if (ink) {
      ink.fillStyle = "#fff";
      ink.arc(16, 16, 15, 0, 7);
      ink.fill();
    }
    discTexture = new CanvasTexture(canvas);
  }
  return discTexture;
}

function lettering(text: string, colour: string): CanvasTexture<HTMLCanvasElement> {
  const canvas = document.createElement("canvas");
  const ink = canvas.getContext("2d");
  const font = "600 40px system-ui, sans-serif";
  if (ink) {
    ink.font = font;
    canvas.width = Math.ceil(ink.measureText(text).width) + 8;
    canvas.height = 52;
    ink.font = font;
    ink.fillStyle = colour;
    ink.fillText(text, 4, 40);
  }
  return new CanvasTexture(canvas);
}

interface Props {
  name: string;
  picture: Picture;
  extent: Extent;
  fresh: unknown;
  /** The pair whose chosen side can be moved and turned; none where nothing can. */
  session?: StepperSession;
  turning?: boolean;
}

export function SpaceView({ name, picture, extent, fresh, session, turning = false }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<SpaceDrawing | null>(null);
  const grip = useRef<Grip | null>(null);

  useEffect(() => {
    if (!canvas.current) {
      return;
    }
    const made = new SpaceDrawing(canvas.current);
    drawing.current = made;
    grip.current = session ? new Grip(made.stage, session) : null;
    return () => {
      grip.current?.dispose();
      made.dispose();
    };
  }, [session]);
  useEffect(() => {
    drawing.current?.stage.setBounds({ min: tuple(extent.min), max: tuple(extent.max) });
    drawing.current?.stage.fit();
  }, [fresh]);
  const dark = darkPage.value;
  useEffect(() => drawing.current?.draw(picture), [picture, dark]);
  const side = session?.side.value;
  const pair = session?.pair.value;
  useEffect(() => grip.current?.follow(turning), [side, pair, turning]);

  return (
    <>
      <canvas ref={canvas} tabIndex={0} aria-label={name} />
      <div class="zoom">
        <button type="button" aria-label={`${name}: show all`} onClick={() => drawing.current?.stage.fit()}>
          Fit
        </button>
      </div>
    </>
  );
}

function tuple({ x, y, z }: Object3D["position"]): [number, number, number] {
  return [x, y, z];
}

/** The handles of three.js on the chosen shape. */
class Grip {
  readonly #controls: TransformControls;
  readonly #held = new Object3D();
  readonly #session: StepperSession;
  readonly #stage: Stage;

  constructor(stage: Stage, session: StepperSession) {
    this.#session = session;
    this.#stage = stage;
    this.#controls = new TransformControls(stage.camera, stage.canvas);
    this.#controls.setSize(0.75);
    this.#controls.attach(this.#held);
    stage.scene.add(this.#held, this.#controls.getHelper());
    this.#controls.addEventListener("change", () => stage.invalidate());
    this.#controls.addEventListener("dragging-changed", ({ value }) => {
      stage.controls.enabled = value !== true;
    });
    this.#controls.addEventListener("objectChange", () => {
      const round = (value: number) => Number(value.toFixed(7));
      session.place(session.side.value, {
        translation: this.#held.position.toArray().map(round),
        rotation: this.#held.quaternion.toArray().map(round),
      });
    });
  }

  follow(turning: boolean): void {
    this.#controls.setMode(turning ? "rotate" : "translate");
    if (!this.#controls.dragging) {
      const pose = this.#session.pair.value?.[this.#session.side.value]?.pose;
      this.#held.position.copy(translation(pose));
      this.#held.quaternion.copy(quaternion(pose));
    }
    this.#held.updateMatrixWorld();
    this.#stage.invalidate();
  }

  dispose(): void {
    this.#controls.detach();
    this.#controls.dispose();
  }
}

// A canvas with its camera: of three.js what all views have in common.

import { effect } from "@preact/signals";
import {
  Box3,
  LinearSRGBColorSpace,
  MathUtils,
  MOUSE,
  OrthographicCamera,
  PerspectiveCamera,
  type Ray,
  Raycaster,
  Scene,
  TOUCH,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Bounds, Dimension } from "../engine/protocol";
import { palette } from "./colours";
import type { Sighting } from "./framing";

type Camera = PerspectiveCamera | OrthographicCamera;

/** How long the camera is on its way from one sight to the next, in milliseconds. */
const FLIGHT = 700;

/** Whether the browser draws without a graphics card. */
function drawsInSoftware(renderer: WebGLRenderer): boolean {
  const context = renderer.getContext();
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  return /llvmpipe|softpipe|swiftshader|software|basic render/i.test(name);
}

/** What is opaque hides the page below it, which then need not be drawn. */
function opaqueContext(canvas: HTMLCanvasElement): WebGL2RenderingContext {
  const context = canvas.getContext("webgl2", {
    alpha: false,
    antialias: false,
    powerPreference: "high-performance",
  });
  if (!context) {
    throw new Error("This browser does not draw in three dimensions: it has no WebGL 2.");
  }
  return context;
}

export class Stage {
  readonly scene = new Scene();
  readonly canvas: HTMLCanvasElement;
  readonly software: boolean;
  camera: Camera;
  controls: OrbitControls;
  dimension: Dimension;
  onTheme: (() => void) | null = null;
  /** Called before anything is drawn. */
  onDraw: (() => void) | null = null;
  /** Called when the camera moves. */
  readonly onMotion: (() => void)[] = [];
  draws = 0;

  readonly #renderer: WebGLRenderer;
  readonly #observer: ResizeObserver;
  readonly #stopTheme: () => void;
  #asked = 0;
  #waiting: (() => void)[] = [];
  #flight = 0;
  #bounds = new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));

  constructor(canvas: HTMLCanvasElement, dimension: Dimension) {
    this.canvas = canvas;
    this.dimension = dimension;
    // Without a graphics card, smooth edges would cost more than all else.
    this.#renderer = new WebGLRenderer({ canvas, context: opaqueContext(canvas) });
    this.#renderer.outputColorSpace = LinearSRGBColorSpace;
    this.software = drawsInSoftware(this.#renderer);
    this.setDetail(1);
    this.scene.matrixAutoUpdate = false;
    this.camera = makeCamera(dimension);
    this.controls = this.#makeControls();
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(canvas.parentElement ?? canvas);
    this.#stopTheme = effect(() => {
      this.scene.background = palette().background;
      this.onTheme?.();
      this.invalidate();
    });
    this.#resize();
  }

  /** Done when what was asked for is drawn. */
  drawn(): Promise<void> {
    return this.#asked === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Draws once, soon, however often it is called until then. */
  invalidate(): void {
    if (this.#asked === 0) {
      this.#asked = requestAnimationFrame(() => this.#draw());
    }
  }

  /** Draws with more or fewer pixels than the page has. */
  setDetail(share: number): void {
    const ratio = (this.software ? 1 : Math.min(window.devicePixelRatio, 2)) * share;
    if (this.#renderer.getPixelRatio() !== ratio) {
      this.#renderer.setPixelRatio(ratio);
    }
    this.invalidate();
  }

  setDimension(dimension: Dimension): void {
    if (dimension !== this.dimension) {
      this.dimension = dimension;
      this.controls.dispose();
      this.camera = makeCamera(dimension);
      this.controls = this.#makeControls();
      this.#resize();
    }
    this.fit();
  }

  /** What `fit` shows. */
  setBounds(bounds: Bounds | null): void {
    this.#bounds = bounds
      ? new Box3(new Vector3(...bounds.min), new Vector3(...bounds.max))
      : new Box3(new Vector3(-5, -5, -5), new Vector3(5, 5, 5));
  }

  /** The size of what is shown: a unit for lengths of marks. */
  extent(): number {
    return Math.max(this.#bounds.getSize(new Vector3()).length(), 1e-6);
  }

  /** Moves the camera so that all is seen. */
  fit(): void {
    this.#land();
    const centre = this.#bounds.getCenter(new Vector3());
    const size = this.#bounds.getSize(new Vector3());
    if (this.camera instanceof OrthographicCamera) {
      centre.z = 0;
      const aspect = this.#aspect();
      const height = Math.max(size.y, size.x / aspect, 1e-6) * 1.12;
      this.camera.zoom = (this.camera.top - this.camera.bottom) / height;
      this.camera.position.set(centre.x, centre.y, 100);
      this.camera.near = -1e6;
      this.camera.far = 1e6;
    } else {
      const radius = Math.max(size.length() / 2, 1e-6);
      const angle = (this.camera.fov * Math.PI) / 360;
      const narrow = Math.min(1, this.#aspect());
      const away = (radius * 0.92) / (Math.sin(angle) * narrow);
      const eye = new Vector3(0.55, 0.42, 0.72).normalize().multiplyScalar(away);
      this.camera.position.copy(centre).add(eye);
      this.camera.near = away / 500;
      this.camera.far = away * 20;
    }
    this.controls.target.copy(centre);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.invalidate();
  }

  /** Brings the camera to another sight: little by little, or at once where the reader wants no motion. */
  fly({ eye, target }: Sighting): void {
    this.#land();
    const { camera, controls } = this;
    const from = { eye: camera.position.clone(), target: controls.target.clone() };
    const begun = performance.now();
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const move = (now: number) => {
      const share = still ? 1 : MathUtils.clamp((now - begun) / FLIGHT, 0, 1);
      const eased = MathUtils.smoothstep(share, 0, 1);
      controls.target.lerpVectors(from.target, target, eased);
      camera.position.lerpVectors(from.eye, eye, eased);
      const away = camera.position.distanceTo(controls.target);
      camera.near = away / 200;
      camera.far = away * 20 + this.extent() * 4;
      camera.updateProjectionMatrix();
      controls.update();
      this.invalidate();
      this.#flight = share < 1 ? requestAnimationFrame(move) : 0;
    };
    move(begun);
  }

  /** Whether the camera is on its way. */
  get flies(): boolean {
    return this.#flight !== 0;
  }

  /** Stays where the camera is on its way. */
  #land(): void {
    cancelAnimationFrame(this.#flight);
    this.#flight = 0;
  }

  /** Takes over where another view looks from. */
  lookAs(other: Stage): void {
    if (
      other.dimension !== this.dimension ||
      (this.camera.position.equals(other.camera.position) &&
        this.camera.zoom === other.camera.zoom &&
        this.controls.target.equals(other.controls.target))
    ) {
      return;
    }
    this.camera.position.copy(other.camera.position);
    this.camera.quaternion.copy(other.camera.quaternion);
    this.camera.zoom = other.camera.zoom;
    this.camera.near = other.camera.near;
    this.camera.far = other.camera.far;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(other.controls.target);
    this.invalidate();
  }

  /** The ray of the camera through a place of the page. */
  ray(clientX: number, clientY: number): Ray {
    const frame = this.canvas.getBoundingClientRect();
    const place = new Vector2(
      ((clientX - frame.left) / frame.width) * 2 - 1,
      1 - ((clientY - frame.top) / frame.height) * 2,
    );
    const caster = new Raycaster();
    caster.setFromCamera(place, this.#cameraNow());
    return caster.ray;
  }

  /** Where a point of the scene is on the canvas, in pixels of the page; null behind the camera. */
  place(point: Vector3): { x: number; y: number } | null {
    const seen = point.clone().project(this.#cameraNow());
    if (seen.z > 1 || seen.z < -1) {
      return null;
    }
    const frame = this.canvas.getBoundingClientRect();
    return { x: ((seen.x + 1) / 2) * frame.width, y: ((1 - seen.y) / 2) * frame.height };
  }

  /** How long a pixel is at a point of the scene. */
  pixel(point: Vector3): number {
    const height = Math.max(this.canvas.clientHeight, 1);
    if (this.camera instanceof OrthographicCamera) {
      return (this.camera.top - this.camera.bottom) / this.camera.zoom / height;
    }
    const away = point.distanceTo(this.camera.position);
    return (2 * away * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
  }

  /** The numbers of the last drawing. */
  get info(): { calls: number; triangles: number } {
    return { calls: this.#renderer.info.render.calls, triangles: this.#renderer.info.render.triangles };
  }

  dispose(): void {
    cancelAnimationFrame(this.#asked);
    this.#land();
    this.#stopTheme();
    this.#observer.disconnect();
    this.controls.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }

  #draw(): void {
    this.#asked = 0;
    this.onDraw?.();
    this.#renderer.render(this.scene, this.camera);
    this.draws += 1;
    for (const resolve of this.#waiting.splice(0)) {
      resolve();
    }
  }

  /** The camera with the matrices of where it is: drawing renews them, and it may have moved since. */
  #cameraNow(): PerspectiveCamera | OrthographicCamera {
    this.camera.updateMatrixWorld();
    return this.camera;
  }

  #aspect(): number {
    return Math.max(this.canvas.clientWidth, 1) / Math.max(this.canvas.clientHeight, 1);
  }

  #resize(): void {
    const frame = this.canvas.parentElement ?? this.canvas;
    const width = Math.max(frame.clientWidth, 1);
    const height = Math.max(frame.clientHeight, 1);
    this.#renderer.setSize(width, height, false);
    const aspect = width / height;
    if (this.camera instanceof OrthographicCamera) {
      this.camera.left = -aspect;
      this.camera.right = aspect;
    } else {
      this.camera.aspect = aspect;
    }
    this.camera.updateProjectionMatrix();
    this.#draw();
  }

  #makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.zoomToCursor = true;
    // Who turns the view wants no flight.
    controls.addEventListener("start", () => this.#land());
    if (this.dimension === 2) {
      controls.enableRotate = false;
      controls.screenSpacePanning = true;
      controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    controls.addEventListener("change", () => {
      for (const listener of this.onMotion) {
        listener();
      }
      this.invalidate();
    });
    return controls;
  }
}

function makeCamera(dimension: Dimension): Camera {
  return dimension === 2
    ? new OrthographicCamera(-1, 1, 1, -1, -1e6, 1e6)
    : new PerspectiveCamera(40, 1, 0.1, 1000);
}

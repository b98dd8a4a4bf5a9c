// Clicks that select, and drags that move bodies. Everywhere else, dragging turns the view.

import { Plane, Vector3 } from "three";
import type { WorldView } from "../drawing/world-view";
import type { Vector } from "../engine/protocol";
import { attempt } from "../shell/notice";
import type { WorldSession } from "./session";

/** How near to a contact a click must be, in pixels. */
const NEAR = 7;
/** A press that moves less than this is a click. */
const STILL = 4;

interface Drag {
  pointer: number;
  body: number;
  plane: Plane;
  /** From the place that was grabbed to the body's origin. */
  offset: Vector3;
}

export class Pointer {
  readonly #view: WorldView;
  readonly #session: WorldSession;
  #drag: Drag | null = null;
  #pressed: { pointer: number; x: number; y: number } | null = null;
  /** A press that is handed on to the controls of the camera. */
  #passing = false;
  #wanted: Vector | null = null;
  #moving = false;

  constructor(view: WorldView, session: WorldSession) {
    this.#view = view;
    this.#session = session;
    const canvas = view.stage.canvas;
    canvas.addEventListener("pointerdown", (event) => this.#down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", () => this.#release());
  }

  #down(event: PointerEvent): void {
    if (this.#passing || event.button !== 0 || !event.isPrimary || event.shiftKey) {
      return;
    }
    event.stopImmediatePropagation();
    this.#view.stage.canvas.focus();
    const press = { pointer: event.pointerId, x: event.clientX, y: event.clientY };
    this.#pressed = press;
    attempt(async () => {
      const grabbed = await this.#grab(press);
      if (!grabbed && this.#pressed === press) {
        // Nothing was hit: what follows turns the view.
        this.#passing = true;
        this.#view.stage.canvas.dispatchEvent(new PointerEvent("pointerdown", event));
        this.#passing = false;
      }
    });
  }

  /** Takes hold of the body that is pressed, if there is one. */
  async #grab(press: { pointer: number; x: number; y: number }): Promise<boolean> {
    const { stage } = this.#view;
    const ray = stage.ray(press.x, press.y);
    const origin = ray.origin.toArray();
    const picked = await this.#session.pick(
      stage.dimension === 2
        ? { point: [origin[0], origin[1], 0] }
        : { origin, direction: ray.direction.toArray() },
    );
    if (picked.body === null || this.#pressed !== press) {
      return picked.body !== null;
    }
    const at = picked.point ? new Vector3(...picked.point) : this.#view.positionOf(picked.body);
    const facing = stage.camera.getWorldDirection(new Vector3());
    this.#drag = {
      pointer: press.pointer,
      body: picked.body,
      plane: new Plane().setFromNormalAndCoplanarPoint(facing, at),
      offset: this.#view.positionOf(picked.body).sub(at),
    };
    stage.canvas.setPointerCapture(press.pointer);
    return true;
  }

  #move(event: PointerEvent): void {
    const drag = this.#drag;
    if (!drag || drag.pointer !== event.pointerId || (this.#pressed && this.#isStill(event))) {
      return;
    }
    this.#pressed = null;
    this.#session.pause();
    const place = this.#view.stage
      .ray(event.clientX, event.clientY)
      .intersectPlane(drag.plane, new Vector3());
    if (place) {
      this.#wanted = place.add(drag.offset).toArray();
      this.#bring(drag.body);
    }
  }

  /** Moves the body to where the pointer is by now, one request at a time. */
  #bring(body: number): void {
    const wanted = this.#wanted;
    if (this.#moving || !wanted) {
      return;
    }
    this.#moving = true;
    this.#wanted = null;
    attempt(async () => {
      try {
        await this.#session.move(body, wanted);
      } finally {
        this.#moving = false;
      }
      this.#bring(body);
    });
  }

  #up(event: PointerEvent): void {
    if (this.#pressed && this.#isStill(event)) {
      attempt(() => this.#click(event.clientX, event.clientY));
    } else if (this.#drag) {
      this.#session.select({ kind: "body", index: this.#drag.body });
    }
    this.#release();
  }

  async #click(x: number, y: number): Promise<void> {
    const contact = this.#view.contactAt(x, y, NEAR);
    if (contact) {
      this.#session.select({ kind: "contact", a: contact.a, b: contact.b });
      return;
    }
    const { stage } = this.#view;
    const ray = stage.ray(x, y);
    const [px, py] = ray.origin.toArray();
    const picked = await this.#session.pick(
      stage.dimension === 2
        ? { point: [px, py, 0] }
        : { origin: ray.origin.toArray(), direction: ray.direction.toArray() },
    );
    this.#session.select(picked.body === null ? null : { kind: "body", index: picked.body });
  }

  #isStill(event: PointerEvent): boolean {
    const pressed = this.#pressed;
    return pressed !== null && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < STILL;
  }

  #release(): void {
    this.#pressed = null;
    this.#drag = null;
  }
}

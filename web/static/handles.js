// An outline over its picture: handles for finger, mouse and keys, with a loupe. It knows no steps and no
// server.
// @ts-check

import { el, mark, say, touched } from "./dom.js";
import { rings } from "./lens.js";
import { LEAST, MOST, Outline } from "./outline.js";

/** @import { Place } from "../types/api.d.ts" */
/** @import { Part, Shape, StandingPart } from "../types/pages.d.ts" */

const ZOOM = 3;
const LOUPE = 116;
const STEP = 0.001;
const FAR = 0.01;
const ROOM = 92; // pixels between two corners: less has no room for the handle that adds one
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FRAME = [[0.004, 0.006], [0.996, 0.006], [0.996, 0.994], [0.004, 0.994]].map(([x, y]) => ({ x, y }));
/** @type {Shape[]} */
const SHAPES = ["corners", "round", "whole"];

export class Handles {
  /**
   * changed(): after every change of the outline.
   * @param {string} source
   * @param {Shape} shape
   * @param {Place[]} places
   * @param {() => void} changed
   */
  constructor(source, shape, places, changed) {
    this.source = source;
    this.changed = changed;
    this.picture = el("img.sees", { src: source, alt: say("setup.corners_picture"), draggable: "false" });
    this.outline = new Outline(shape, places, () => this.ratio);
    this.stage = el("div.stage", {}, this.picture);
    /** @type {Map<string, { node: HTMLButtonElement, part: StandingPart }>} */
    this.nodes = new Map(); // by what they move; one that is not wanted is hidden, for a finger may be on it
    /** @type {number | null} */
    this.chosen = null; // the corner that the button removes
    /** @type {string | null} */
    this.pressed = null; // the key that is held
    /** @type {HTMLElement | null} */
    this.glass = null;
    this.kinds = el(
      "div.shapes",
      { role: "group", "aria-label": say("setup.shape") },
      ...SHAPES.map((each) => this.button(`setup.shape_${each}`, () => this.become(each))),
    );
    this.undo = this.button("setup.undo", () => this.back());
    this.add = this.button("setup.corner_add", () => this.addAfter(this.chosen ?? this.outline.longest));
    this.remove = this.button("setup.corner_remove", () => this.drop(this.chosen));
    this.tools = el("div.tools", {}, this.add, this.remove, this.undo);
    this.listen();
    this.picture.addEventListener("load", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.picture);
    this.draw();
  }

  get ratio() {
    return this.picture.naturalWidth / this.picture.naturalHeight || 4 / 3;
  }

  /**
   * @param {string} key
   * @param {() => unknown} onclick
   */
  button(key, onclick) {
    return el("button", { type: "button", "data-keep": key, onclick }, say(key));
  }

  /**
   * Each handle there is: what it moves, where it stands, and what it is called.
   * @returns {StandingPart[]}
   */
  parts() {
    const { outline } = this;
    if (outline.shape === "whole") return [];
    /** @param {Place} place */
    const percent = (place) => ({ x: Math.round(100 * place.x), y: Math.round(100 * place.y) });
    if (outline.shape === "round") {
      /** @type {StandingPart[]} */
      const ends = outline.round.ends.map((place, n) => ({
        kind: "end",
        n,
        place,
        label: say("setup.round_end", { n: n + 1, ...percent(place) }),
      }));
      return [{
        kind: "centre",
        n: 0,
        place: outline.round.centre,
        label: say("setup.round_centre", percent(outline.round.centre)),
      }, ...ends];
    }
    const { corners } = outline;
    return corners.flatMap((place, n) => {
      /** @type {StandingPart} */
      const corner = {
        kind: "corner",
        n,
        place,
        label: say("setup.corner", { n: n + 1, of: corners.length, ...percent(place) }),
      };
      const next = corners[(n + 1) % corners.length];
      /** @type {StandingPart} */
      const between = {
        kind: "between",
        n,
        place: { x: (place.x + next.x) / 2, y: (place.y + next.y) / 2 },
        label: say("setup.corner_between", { n: n + 1, next: ((n + 1) % corners.length) + 1 }),
      };
      return corners.length < MOST && this.pixels(place, next) >= ROOM ? [corner, between] : [corner];
    });
  }

  /**
   * @param {Place} one
   * @param {Place} other
   */
  pixels(one, other) {
    return Math.hypot(
      (one.x - other.x) * this.picture.clientWidth,
      (one.y - other.y) * this.picture.clientHeight,
    );
  }

  draw() {
    const { outline } = this;
    const whole = outline.shape === "whole";
    const drawing = rings([{
      places: whole ? FRAME : outline.line,
      kind: outline.fault ? "bad" : whole ? "lid whole" : "lid",
    }]);
    this.stage.querySelector("svg")?.remove();
    this.picture.after(drawing);
    const parts = this.parts();
    if (outline.shape !== "corners" || (this.chosen ?? 0) >= outline.corners.length) this.chosen = null;
    const wanted = parts.map((part) => this.place(part));
    for (const { node } of this.nodes.values()) if (!wanted.includes(node)) node.hidden = true;
    [...this.kinds.children].forEach((node, n) =>
      mark(node, "aria-pressed", String(outline.shape === SHAPES[n]))
    );
    const cornered = outline.shape === "corners";
    this.add.hidden = this.remove.hidden = !cornered;
    this.add.disabled = cornered && outline.corners.length >= MOST;
    this.remove.disabled = !cornered || this.chosen === null || outline.corners.length <= LEAST;
    this.undo.disabled = !outline.past.length;
  }

  /** @param {StandingPart} part */
  place(part) {
    const key = `${part.kind}-${part.n}`;
    const known = this.nodes.get(key)?.node;
    const node = known ??
      el("button.handle", { type: "button", "aria-describedby": "corners-hint", "data-keep": key });
    this.nodes.set(key, { node, part });
    node.hidden = false;
    node.className = `handle ${part.kind}${
      part.kind === "corner" && part.n === this.chosen ? " chosen" : ""
    }`;
    node.style.setProperty("left", `${100 * part.place.x}%`);
    node.style.setProperty("top", `${100 * part.place.y}%`);
    mark(node, "aria-label", part.label);
    if (!known) this.stage.append(node);
    return node;
  }

  /**
   * The handle that an event is about, and what it moves.
   * @param {Event} event
   */
  at(event) {
    const node = touched(event, ".handle");
    return [...this.nodes.values()].find((each) => each.node === node) ?? null;
  }

  redraw() {
    this.draw();
    this.changed();
  }

  // --- fingers, mouse and keys ----------------------------------------------------------------------------

  listen() {
    /** @type {{ id: number, x: number, y: number, part: Part } | null} */
    let grip = null;
    this.stage.addEventListener("pointerdown", (event) => {
      const handle = this.at(event);
      if (!handle || grip) return;
      const box = handle.node.getBoundingClientRect();
      grip = {
        id: event.pointerId,
        x: event.clientX - (box.left + box.width / 2),
        y: event.clientY - (box.top + box.height / 2),
        part: handle.part,
      };
      this.stage.setPointerCapture(event.pointerId);
      event.preventDefault();
      if (handle.part.kind === "between") grip.part = this.added(handle.part.n);
      else {
        this.outline.begin();
        this.choose(handle.part);
      }
      this.look(grip.part);
    });
    this.stage.addEventListener("pointermove", (event) => {
      if (!grip || event.pointerId !== grip.id) return;
      const box = this.picture.getBoundingClientRect();
      this.put(grip.part, {
        x: (event.clientX - grip.x - box.left) / box.width,
        y: (event.clientY - grip.y - box.top) / box.height,
      });
      this.look(grip.part);
    });
    /** @param {PointerEvent} event */
    const drop = (event) => {
      if (event.pointerId !== grip?.id) return;
      grip = null;
      this.outline.end();
      this.unlook();
      this.redraw();
    };
    this.stage.addEventListener("pointerup", drop);
    this.stage.addEventListener("pointercancel", drop);
    this.stage.addEventListener("lostpointercapture", drop);
    // a finger that rests before it drags
    this.stage.addEventListener("contextmenu", (event) => this.at(event) && event.preventDefault());
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.stage.addEventListener("click", (event) => {
      const part = this.at(event)?.part;
      if (event.detail === 0 && part?.kind === "between") this.addAfter(part.n); // by Enter
    });
    this.stage.addEventListener("focusin", (event) => {
      const part = this.at(event)?.part;
      if (part) this.mark(part);
    });
    this.stage.addEventListener("focusout", () => this.unlook());
    this.stage.addEventListener("keyup", () => (this.pressed = null));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const part = this.at(event)?.part;
    if (!part) return;
    const way = ARROWS[event.key];
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) this.back();
    else if ((event.key === "Delete" || event.key === "Backspace") && part.kind === "corner") {
      this.drop(part.n);
    } else if (way && part.kind !== "between") {
      if (this.pressed !== event.key) this.outline.begin(); // a key that is held is one change
      this.pressed = event.key;
      const step = event.shiftKey ? FAR : STEP;
      this.put(part, { x: part.place.x + way[0] * step, y: part.place.y + way[1] * step });
      this.look(part);
      this.changed();
    } else return;
    event.preventDefault();
  }

  /**
   * The button that removes a corner is about that one from now on.
   * @param {Part} part
   */
  mark(part) {
    const chosen = part.kind === "corner" ? part.n : null;
    if (chosen === this.chosen) return;
    this.chosen = chosen;
    this.draw();
  }

  /** @param {Part} part */
  choose(part) {
    this.mark(part);
    this.nodeOf(part)?.node.focus({ preventScroll: true });
  }

  /** @param {Part} part */
  nodeOf({ kind, n }) {
    return this.nodes.get(`${kind}-${n}`);
  }

  /**
   * @param {Part} part
   * @param {Place} place
   */
  put({ kind, n }, place) {
    if (kind === "corner") this.outline.moveCorner(n, place);
    else if (kind === "centre") this.outline.moveCentre(place);
    else this.outline.moveEnd(n, place);
    this.redraw();
  }

  // --- changes --------------------------------------------------------------------------------------------

  /** @param {Shape} shape */
  become(shape) {
    this.outline.become(shape);
    this.redraw();
  }

  /**
   * A corner in the middle of a side, chosen and ready to be dragged.
   * @param {number} n
   * @returns {Part}
   */
  added(n) {
    /** @type {Part} */
    const corner = { kind: "corner", n: this.outline.add(n) };
    this.draw();
    this.choose(corner);
    this.changed();
    return corner;
  }

  /** @param {number} n */
  addAfter(n) {
    if (this.outline.corners.length < MOST) this.added(n);
  }

  /** @param {number | null} n */
  drop(n) {
    if (n === null || this.outline.corners.length <= LEAST) return;
    this.outline.remove(n);
    this.draw();
    this.choose({ kind: "corner", n: Math.min(n, this.outline.corners.length - 1) });
    this.changed();
  }

  back() {
    this.outline.undo();
    this.redraw();
  }

  // --- the loupe ------------------------------------------------------------------------------------------

  /**
   * The finger hides the corner, so it is shown enlarged, on the side where the finger is not.
   * @param {Part} part
   */
  look(part) {
    const box = this.picture.getBoundingClientRect();
    const { x, y } = this.nodeOf(part)?.part.place ?? { x: 0, y: 0 };
    this.glass ??= el("div.loupe", { "aria-hidden": "true" }, el("img", { src: this.source, alt: "" }));
    const image = /** @type {HTMLImageElement} */ (this.glass.firstChild);
    const left = x < 0.5 && y < 0.6 ? `calc(100% - ${LOUPE + 6}px)` : "6px";
    this.glass.style.setProperty("left", left);
    image.style.setProperty("width", `${box.width * ZOOM}px`);
    const middle = LOUPE / 2 - 3;
    image.style.setProperty(
      "transform",
      `translate(${middle - x * box.width * ZOOM}px, ${middle - y * box.height * ZOOM}px)`,
    );
    if (!this.glass.isConnected) this.stage.append(this.glass);
  }

  unlook() {
    this.glass?.remove();
  }
}

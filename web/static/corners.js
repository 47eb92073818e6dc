// The lid's corners: four handles for finger, mouse and arrow keys, with a loupe. Crossed corners are
// refused.

import { el, mark, say } from "./dom.js";
import { rings } from "./lens.js";

const ZOOM = 3;
const LOUPE = 116;
const STEP = 0.001;
const FAR = 0.01;
const LEAST = 0.02; // of the picture
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Whether the corners go round: no side crosses another, none bends inwards, and they hold an area. */
export function outline(places) {
  let area = 0;
  const turns = places.map((place, n) => {
    const next = places[(n + 1) % 4];
    const after = places[(n + 2) % 4];
    area += place.x * next.y - next.x * place.y;
    return (next.x - place.x) * (after.y - next.y) - (next.y - place.y) * (after.x - next.x);
  });
  const round = turns.every((turn) => turn > 0) || turns.every((turn) => turn < 0);
  return round && Math.abs(area) / 2 >= LEAST;
}

export class Corners {
  /** changed(fine): after every move, whether the corners may be kept. */
  constructor(source, places, changed) {
    this.places = places.map((place) => ({ ...place }));
    this.moved = false;
    this.changed = changed;
    this.source = source;
    this.picture = el("img.sees", { src: source, alt: say("setup.corners_picture"), draggable: "false" });
    this.stage = el("div.stage", {}, this.picture);
    this.handles = this.places.map((_, n) => this.handle(n));
    this.draw();
  }

  get fine() {
    return outline(this.places);
  }

  handle(n) {
    const node = el("button.handle", {
      type: "button",
      "data-keep": `corner-${n}`,
      "aria-describedby": "corners-hint",
    });
    let grip = null;
    node.addEventListener("pointerdown", (event) => {
      const box = node.getBoundingClientRect();
      grip = { x: event.clientX - (box.left + box.width / 2), y: event.clientY - (box.top + box.height / 2) };
      node.setPointerCapture(event.pointerId);
      this.look(n);
      event.preventDefault();
      node.focus();
    });
    node.addEventListener("pointermove", (event) => {
      if (!grip) return;
      const box = this.picture.getBoundingClientRect();
      this.put(
        n,
        (event.clientX - grip.x - box.left) / box.width,
        (event.clientY - grip.y - box.top) / box.height,
      );
      this.look(n);
    });
    const drop = () => {
      grip = null;
      this.unlook();
    };
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) node.addEventListener(end, drop);
    // a finger that rests before it drags
    node.addEventListener("contextmenu", (event) => event.preventDefault());
    node.addEventListener("keydown", (event) => {
      const way = ARROWS[event.key];
      if (!way) return;
      event.preventDefault();
      const step = event.shiftKey ? FAR : STEP;
      this.put(n, this.places[n].x + way[0] * step, this.places[n].y + way[1] * step);
      this.look(n);
    });
    node.addEventListener("keyup", () => this.look(n));
    node.addEventListener("blur", () => this.unlook());
    return node;
  }

  put(n, x, y) {
    const within = (value) => Math.min(1, Math.max(0, value));
    this.places[n] = { x: within(x), y: within(y) };
    this.moved = true;
    this.draw();
    this.changed(this.fine);
  }

  draw() {
    const drawing = rings([{ places: this.places, kind: this.fine ? "lid" : "bad" }]);
    this.stage.querySelector("svg")?.remove();
    this.picture.after(drawing);
    this.handles.forEach((node, n) => {
      const { x, y } = this.places[n];
      node.style.setProperty("left", `${100 * x}%`);
      node.style.setProperty("top", `${100 * y}%`);
      mark(
        node,
        "aria-label",
        say("setup.corner", { n: n + 1, x: Math.round(100 * x), y: Math.round(100 * y) }),
      );
      if (!node.isConnected) this.stage.append(node);
    });
  }

  /** The finger hides the corner, so it is shown enlarged, on the side where the finger is not. */
  look(n) {
    const box = this.picture.getBoundingClientRect();
    const { x, y } = this.places[n];
    this.glass ??= el("div.loupe", { "aria-hidden": "true" }, el("img", { src: this.source, alt: "" }));
    const image = this.glass.firstChild;
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

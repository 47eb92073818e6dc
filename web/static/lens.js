// Pictures of the set-up: the live one, and what is drawn over a picture. Places are fractions of the picture.

import { el, say } from "./dom.js";

const PAUSE = 300; // three pictures a second
const SIGHT = 900;
const LOST = 1500;

/** An element of a drawing. */
function shape(name, settings) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(settings)) node.setAttribute(key, value);
  return node;
}

const points = (places) => places.map((place) => `${place.x * 1000},${place.y * 1000}`).join(" ");

/** Rings over a picture, each drawn dark below and bright above so that it shows on any ground. */
export function rings(list) {
  const svg = shape("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const { places, kind } of list) {
    svg.append(shape("polygon", { points: points(places), class: "under" }), shape("polygon", { points: points(places), class: `over ${kind}` }));
  }
  return svg;
}

const MARGIN = 0.03; // beside the lid, where a picture is cut to it

/** A picture with the dice that were read, cut to the lid: their outline, and their number above it. */
export function overlay(source, dice, corners) {
  const picture = el("img.sees", { src: source, alt: say("setup.picture") });
  const stage = el("div.sheet-of", {}, picture);
  const list = dice.map((die) => ({ places: die.corners, kind: die.colour }));
  if (corners.length) list.unshift({ places: corners, kind: "lid" });
  stage.append(rings(list));
  tag(stage, dice);
  const frame = el("div.stage.cut", {}, stage);
  const all = [...corners, ...dice.flatMap((die) => die.corners)];
  if (dice.length && all.length) picture.addEventListener("load", () => cut(frame, stage, picture, all));
  return frame;
}

/** The part of the picture that matters fills the stage: dice are small, and so are phones. */
function cut(frame, stage, picture, places) {
  const span = (key) => {
    const low = Math.max(0, Math.min(...places.map((place) => place[key])) - MARGIN);
    return [low, Math.min(1, Math.max(...places.map((place) => place[key])) + MARGIN) - low];
  };
  const [x, wide] = span("x");
  const [y, high] = span("y");
  frame.style.setProperty("aspect-ratio", String((wide * picture.naturalWidth) / (high * picture.naturalHeight)));
  stage.style.setProperty("position", "absolute");
  stage.style.setProperty("width", `${100 / wide}%`);
  stage.style.setProperty("left", `${(-100 * x) / wide}%`);
  stage.style.setProperty("top", `${(-100 * y) / high}%`);
}

function tag(stage, dice) {
  for (const die of dice) {
    const x = die.corners.reduce((sum, place) => sum + place.x, 0) / die.corners.length;
    const y = Math.max(0.06, Math.min(...die.corners.map((place) => place.y)) - 0.01);
    const label = el(`span.tag.${die.colour}`, { "aria-hidden": "true", style: { left: `${100 * x}%`, top: `${100 * y}%` } }, `${say(`letter.${die.colour}`)} ${die.pips}`);
    stage.append(label);
  }
}

/** The live picture: asked for only while it is on the page and somebody looks. */
export class Live {
  constructor() {
    this.run = 0;
  }

  stop() {
    this.run++;
  }

  /** A stage with the live picture; corners, if there are any, are drawn over it. */
  stage(corners) {
    const picture = el("img.sees", { alt: say("setup.live"), width: 800, height: 600 });
    const run = ++this.run;
    const ask = () => {
      if (run !== this.run || !picture.isConnected) return;
      if (document.visibilityState !== "visible") setTimeout(ask, LOST);
      else picture.src = `/api/setup/live.jpg?${Date.now()}`;
    };
    picture.addEventListener("load", () => setTimeout(ask, PAUSE));
    picture.addEventListener("error", () => setTimeout(ask, LOST));
    requestAnimationFrame(ask);
    return el("div.stage", {}, picture, corners.length ? rings([{ places: corners, kind: "lid" }]) : null);
  }

  /** Calls back with what the camera is good for, now and again, until the stage is gone. */
  sight(node, tell) {
    const run = this.run;
    const ask = async () => {
      if (run !== this.run || !node.isConnected) return;
      if (document.visibilityState === "visible") {
        try {
          const answer = await fetch("/api/setup/sight", { signal: AbortSignal.timeout(8000) });
          if (answer.ok && run === this.run) tell(await answer.json());
        } catch {
          // the next look tells
        }
      }
      setTimeout(ask, SIGHT);
    };
    requestAnimationFrame(ask);
  }
}

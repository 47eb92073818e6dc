// Pictures of the set-up: the live one, and what is drawn over a picture. Places are fractions of the
// picture.
// @ts-check

import { el, say } from "./dom.js";

/** @import { Place, Sight } from "../types/api.d.ts" */
/** @import { Box, Outlined, Ring } from "../types/pages.d.ts" */

const PAUSE = 300; // three pictures a second
const SIGHT = 900;
const LOST = 1500;

/**
 * An element of a drawing.
 * @param {string} name
 * @param {Record<string, string>} settings
 */
function drawn(name, settings) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(settings)) node.setAttribute(key, value);
  return node;
}

/** @param {Place[]} places */
const points = (places) => places.map((place) => `${place.x * 1000},${place.y * 1000}`).join(" ");

/**
 * Rings over a picture, each drawn dark below and bright above so that it shows on any ground.
 * @param {Ring[]} list
 */
export function rings(list) {
  const svg = drawn("svg", { viewBox: "0 0 1000 1000", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const { places, kind } of list) {
    svg.append(
      drawn("polygon", { points: points(places), class: "under" }),
      drawn("polygon", { points: points(places), class: `over ${kind}` }),
    );
  }
  return svg;
}

const MARGIN = 0.03; // beside the lid, where a picture is cut to it
/** @type {number | null} */
let shape = null; // width over height of this camera's pictures, once one has come

/**
 * Pictures take their room before they come, so that no button moves away under a finger.
 * @param {HTMLImageElement} picture
 */
function keepRoom(picture) {
  if (shape) picture.style.setProperty("aspect-ratio", String(shape));
  picture.addEventListener("load", () => {
    shape = picture.naturalWidth / picture.naturalHeight;
    picture.style.setProperty("aspect-ratio", String(shape));
  });
}

/**
 * A picture cut to the lid, with the outline of each die that was read, and its number beside it.
 * @param {string} source
 * @param {Outlined[]} dice
 * @param {Place[]} corners
 */
export function overlay(source, dice, corners) {
  const picture = el("img.sees", { src: source, alt: say("setup.picture") });
  const stage = el("div.sheet-of", {}, picture);
  const list = dice.map((die) => ({
    places: die.corners,
    kind: die.doubtful ? `${die.colour} doubtful` : die.colour,
  }));
  if (corners.length) list.unshift({ places: corners, kind: "lid" });
  stage.append(rings(list));
  const frame = el("div.stage.cut", {}, stage);
  // without an edge all of it counts
  const all = corners.length ? [...corners, ...dice.flatMap((die) => die.corners)] : [];
  keepRoom(picture);
  if (all.length && shape) cut(frame, stage, all, shape);
  picture.addEventListener("load", () => {
    if (all.length && shape) cut(frame, stage, all, shape);
    tag(stage, dice);
  });
  return frame;
}

/**
 * The part of the picture that matters fills the stage: dice are small, and so are phones.
 * @param {HTMLElement} frame
 * @param {HTMLElement} stage
 * @param {Place[]} places
 * @param {number} shape
 */
function cut(frame, stage, places, shape) {
  /** @param {"x" | "y"} key */
  const span = (key) => {
    const low = Math.max(0, Math.min(...places.map((place) => place[key])) - MARGIN);
    return [low, Math.min(1, Math.max(...places.map((place) => place[key])) + MARGIN) - low];
  };
  const [x, wide] = span("x");
  const [y, high] = span("y");
  frame.style.setProperty("aspect-ratio", String((wide * shape) / high));
  stage.style.setProperty("position", "absolute");
  stage.style.setProperty("width", `${100 / wide}%`);
  stage.style.setProperty("left", `${(-100 * x) / wide}%`);
  stage.style.setProperty("top", `${(-100 * y) / high}%`);
}

const TAG = { wide: 46, high: 24, gap: 3 }; // pixels

/**
 * Each die's colour and number beside it, on the side where it hides least of the others.
 * @param {HTMLElement} stage
 * @param {Outlined[]} dice
 */
function tag(stage, dice) {
  const { clientWidth: wide, clientHeight: high } = stage;
  const boxes = dice.map((die) => {
    const x = die.corners.map((place) => place.x * wide);
    const y = die.corners.map((place) => place.y * high);
    return { left: Math.min(...x), right: Math.max(...x), top: Math.min(...y), bottom: Math.max(...y) };
  });
  const taken = [...boxes];
  dice.forEach((die, n) => {
    const box = boxes[n];
    const x = (box.left + box.right - TAG.wide) / 2;
    const y = (box.top + box.bottom - TAG.high) / 2;
    const ways = [[x, box.top - TAG.high - TAG.gap], [x, box.bottom + TAG.gap], [box.right + TAG.gap, y], [
      box.left - TAG.wide - TAG.gap,
      y,
    ]];
    const spots = ways.map(([left, top]) => ({ left, top, right: left + TAG.wide, bottom: top + TAG.high }));
    const hides = spots.map((spot) =>
      taken.reduce((sum, other) => sum + shared(spot, other), 0) + outside(spot, wide, high)
    );
    const spot = spots[hides.indexOf(Math.min(...hides))];
    taken.push(spot);
    const at = {
      left: `${(100 * (spot.left + spot.right)) / 2 / wide}%`,
      top: `${(100 * (spot.top + spot.bottom)) / 2 / high}%`,
    };
    stage.append(
      el(
        `span.tag.${die.colour}${die.doubtful ? ".doubtful" : ""}`,
        { "aria-hidden": "true", style: at },
        `${say(`letter.${die.colour}`)} ${die.pips}${die.doubtful ? "?" : ""}`,
      ),
    );
  });
}

/**
 * How much two boxes share.
 * @param {Box} one
 * @param {Box} other
 */
function shared(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, across) * Math.max(0, down);
}

/**
 * @param {Box} spot
 * @param {number} wide
 * @param {number} high
 */
function outside(spot, wide, high) {
  return spot.left < 0 || spot.top < 0 || spot.right > wide || spot.bottom > high ? TAG.wide * TAG.high : 0;
}

/** The live picture: asked for only while it is on the page and somebody looks. */
export class Live {
  constructor() {
    this.run = 0;
  }

  stop() {
    this.run++;
  }

  /**
   * A stage with the live picture; corners, if there are any, are drawn over it.
   * @param {Place[]} corners
   */
  stage(corners) {
    const picture = el("img.sees", { alt: say("setup.live"), width: 800, height: 600 });
    keepRoom(picture);
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

  /**
   * Calls back with what the camera is good for, now and again, until the stage is gone.
   * @param {Element} node
   * @param {(sight: Sight) => void} tell
   */
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

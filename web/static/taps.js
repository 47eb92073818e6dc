// What a tap means. What has just changed its meaning takes no tap for a moment: the finger was on its way
// before.
// Keys and screen readers come the same way; a key held down is one wish.
// @ts-check

import { dialog, el, mark, names, say, touched } from "./dom.js";

/** @import { View } from "../types/api.d.ts" */
/** @import { Act, Do, Values } from "../types/pages.d.ts" */

const MOMENT = 400;
/** @type {WeakMap<Element, { what: string, grave: boolean }>} */
const meanings = new WeakMap();
/** @type {WeakMap<Element, number>} */
const timers = new WeakMap();

/**
 * Tells what a tap on the node would do now. Turning `grave` is a change; ceasing to be grave is none.
 * @param {Element} node
 * @param {string} what
 * @param {boolean} [grave]
 */
export function means(node, what, grave = false) {
  const before = meanings.get(node);
  meanings.set(node, { what, grave });
  if (before && (before.what !== what || (grave && !before.grave))) hold(node);
}

/**
 * Takes no tap for a moment.
 * @param {Element} node
 */
export function hold(node) {
  mark(node, "data-held", true);
  clearTimeout(timers.get(node));
  timers.set(node, setTimeout(() => mark(node, "data-held", null), MOMENT));
}

/** @param {Event} event */
function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

addEventListener("click", (event) => touched(event, "[data-held]") && swallow(event), true);
addEventListener(
  "keydown",
  (event) => event.repeat && touched(event, "button") && ["Enter", " "].includes(event.key) && swallow(event),
  true,
);

/**
 * Asks before something grave, in the half of the screen where the finger is not. The harmless answer comes
 * first.
 * @param {Element} spot
 * @param {string} key
 * @param {Values} words
 * @param {() => unknown} act
 */
export function ask(spot, key, words, act) {
  const { top, bottom } = spot.getBoundingClientRect();
  const no = el("button.main", { type: "button", onclick: () => box.close() }, say(`ask.${key}_no`, words));
  const yes = el(
    "button.danger",
    { type: "button", onclick: () => (box.close(), act()) },
    say(`ask.${key}_yes`, words),
  );
  /** @type {HTMLDialogElement} */
  const box = dialog(
    say(`ask.${key}`, words),
    el("p.hint", {}, say(`ask.${key}_more`, words)),
    el("div.answers", {}, no, yes),
  );
  box.classList.add("question");
  mark(box, "role", "alertdialog");
  mark(box, "data-place", top + bottom > innerHeight ? "top" : "bottom");
  no.focus();
  hold(box);
}

/**
 * Starts a game; whoever has no phone here, or one that is away, or sat out, is asked about before.
 * @param {View} view
 * @param {Do<"start"> | Do<"again">} wish
 * @param {Act} act
 */
export function starting(view, wish, act) {
  const absent = [...view.seats, ...view.waiting].filter((seat) => seat.absent).map((seat) => seat.name);
  if (!absent.length) return act(wish);
  const words = { names: names(absent) };
  /** @param {"leave" | "play"} how */
  const answer = (how) =>
    el(
      "button",
      { type: "button", onclick: () => (box.close(), act({ ...wish, absent: how })) },
      say(`absent.${how}`, words),
    );
  /** @type {HTMLDialogElement} */
  const box = dialog(
    say("absent.title"),
    el("p.hint", {}, say("absent.more", words)),
    el("div.answers", {}, answer("leave"), answer("play")),
  );
  return hold(box);
}

for (const node of document.querySelectorAll(".answers")) hold(node); // a page that is a question

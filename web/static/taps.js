// What a tap means. What has just changed its meaning takes no tap for a moment: the finger was on its way
// before.
// Keys and screen readers come the same way; a key held down is one wish.

import { dialog, el, mark, names, say } from "./dom.js";

const MOMENT = 400;
const meanings = new WeakMap();
const timers = new WeakMap();

/** Tells what a tap on the node would do now. Turning `grave` is a change; ceasing to be grave is none. */
export function means(node, what, grave = false) {
  const before = meanings.get(node);
  meanings.set(node, { what, grave });
  if (before && (before.what !== what || (grave && !before.grave))) hold(node);
}

/** Takes no tap for a moment. */
export function hold(node) {
  mark(node, "data-held", true);
  clearTimeout(timers.get(node));
  timers.set(node, setTimeout(() => mark(node, "data-held", null), MOMENT));
}

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

addEventListener("click", (event) => event.target.closest("[data-held]") && swallow(event), true);
addEventListener(
  "keydown",
  (event) =>
    event.repeat && event.target.closest("button") && ["Enter", " "].includes(event.key) && swallow(event),
  true,
);

/**
 * Asks before something grave, in the half of the screen where the finger is not. The harmless answer comes
 * first.
 */
export function ask(spot, key, words, act) {
  const { top, bottom } = spot.getBoundingClientRect();
  const no = el("button.main", { type: "button", onclick: () => box.close() }, say(`ask.${key}_no`, words));
  const yes = el(
    "button.danger",
    { type: "button", onclick: () => (box.close(), act()) },
    say(`ask.${key}_yes`, words),
  );
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

/** Starts a game; whoever has no phone here, or one that is away, or sat out, is asked about before. */
export function starting(view, wish, act) {
  const absent = [...view.seats, ...view.waiting].filter((seat) => seat.absent).map((seat) => seat.name);
  if (!absent.length) return act(wish);
  const words = { names: names(absent) };
  const answer = (how) =>
    el(
      "button",
      { type: "button", onclick: () => (box.close(), act({ ...wish, absent: how })) },
      say(`absent.${how}`, words),
    );
  const box = dialog(
    say("absent.title"),
    el("p.hint", {}, say("absent.more", words)),
    el("div.answers", {}, answer("leave"), answer("play")),
  );
  return hold(box);
}

for (const node of document.querySelectorAll(".answers")) hold(node); // a page that is a question

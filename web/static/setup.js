// The set-up of the table: one step at a time. The server keeps the steps; this page shows them and asks.
// @ts-check

import { $, all, data, el, mark, put, say } from "./dom.js";
import { Live, overlay } from "./lens.js";
import { PAINT } from "./setup-steps.js";
import { Talk } from "./setup-talk.js";

/** @import { SetUpView } from "../types/api.d.ts" */
/** @import { SetUpData, SetUpStep, SetUpWish } from "../types/pages.d.ts" */

const talk = new Talk(shows, refused);
const live = new Live();
const { steps, longest_name, ...begun } = /** @type {SetUpData} */ (data);
let view = begun.view;
/** @type {SetUpStep | null} */
let at = view.step; // null: everything is done
let painted = "";
let refusal = "";

/** @param {SetUpView} newest */
function shows(newest) {
  view = newest;
  // it has to be reached again: a roll was read wrongly, or somebody began anew
  if (at && !open(at)) at = view.step;
  paint();
}

/** @param {string} error */
function refused(error) {
  refusal = error ? say(`error.${error}`, { n: longest_name }) : say("setup.lost");
  paint();
}

/**
 * One wish of a step: the page goes on to the next step only if the server kept it.
 * @param {SetUpWish} body
 * @param {(newest: SetUpView) => void} [next]
 */
async function wish(body, next) {
  refusal = "";
  const newest = await talk.wish(body);
  if (newest && next) next(newest);
}

/** @param {SetUpStep | null} step */
function go(step) {
  at = step;
  refusal = "";
  talk.closeLamp(view);
  paint();
  all($("step"), "h2")[0]?.focus();
}

/**
 * @param {SetUpStep} step
 * @returns {SetUpStep | null}
 */
const nextOf = (step) => steps[steps.indexOf(step) + 1] ?? null;
/** @param {SetUpStep} step */
const open = (step) => view.done.includes(step) || step === view.step;

function paint() {
  paintSteps();
  paintNotes();
  mark($("step"), "aria-busy", view.busy || talk.waits ? "true" : null);
  const gated = view.game && !view.here;
  const part = at ? PAINT[at].depends(view) : [view.in_force];
  const key = JSON.stringify([at, gated, refusal, view.here, view.busy || talk.waits, ...part]);
  if (key === painted) return;
  painted = key;
  const before = document.activeElement?.getAttribute("data-keep");
  live.stop();
  $("step").replaceChildren(...(gated ? gate() : at ? step(at) : finished()));
  if (before) all($("step"), `[data-keep="${before}"]`)[0]?.focus();
}

function paintSteps() {
  const list = steps.map((name, place) => {
    const done = view.done.includes(name);
    const label = `${place + 1} ${say(`step.${name}`)}${done ? `, ${say("setup.done")}` : ""}`;
    const button = el(
      "button",
      {
        type: "button",
        disabled: !open(name),
        "aria-label": label,
        "aria-current": at === name ? "step" : null,
        onclick: () => go(name),
      },
      el("span.place", {}, String(place + 1)),
      el("span.name", {}, say(`step.${name}`)),
    );
    return el(done ? "li.done" : "li", {}, button);
  });
  const key = JSON.stringify([view.done, view.step, at]);
  if ($("steps").dataset.key === key) return;
  $("steps").dataset.key = key;
  const had = $("steps").contains(document.activeElement);
  $("steps").replaceChildren(...list);
  if (had) all($("steps"), "[aria-current]")[0]?.focus();
}

function paintNotes() {
  /** @type {string[]} */
  const notes = [];
  if (view.others) notes.push("setup.others");
  if (view.game && view.here) notes.push("setup.game_waits");
  const text = notes.join(" ");
  if ($("notes").dataset.key === text) return;
  $("notes").dataset.key = text;
  $("notes").replaceChildren(...notes.map((key) => el("p.note", { role: "status" }, say(key))));
}

function gate() {
  const button = el("button.main", { type: "button", onclick: () => talk.take() }, say("setup.take_table"));
  return [el("h2", { tabindex: -1 }, say("setup.game_title")), el("p", {}, say("setup.game_lead")), button];
}

/** @param {SetUpStep} at */
function step(at) {
  const place = steps.indexOf(at) + 1;
  const head = el(
    "h2",
    { tabindex: -1 },
    say(`step.${at}`),
    el("span.said", {}, ` ${say("setup.place", { n: place, of: steps.length })}`),
  );
  const busy = view.busy || talk.waits;
  const content = PAINT[at].paint({ view, wish, busy, live, overlay, next: () => go(nextOf(at)), go });
  const wrong = refusal ? [el("p.trouble", { role: "alert" }, refusal)] : [];
  return [head, ...content, ...wrong];
}

function finished() {
  const again = el("button", {
    type: "button",
    onclick: () => wish({ do: "start-again" }, (newest) => go(newest.step)),
  }, say("setup.again"));
  /**
   * @param {string} where
   * @param {string} key
   * @param {string} [kind]
   */
  const to = (where, key, kind = "a.button") => el(kind, { href: where }, say(key));
  return [
    el("h2", { tabindex: -1 }, say("setup.finished")),
    el("p", {}, say(view.in_force ? "setup.finished_lead" : "setup.not_in_force")),
    el(
      "div.row-of",
      {},
      to("/table", "setup.to_table", "a.button.main"),
      to("/join", "setup.to_join"),
      again,
    ),
  ];
}

addEventListener("pagehide", () => talk.leave());
addEventListener("pageshow", (event) => event.persisted && location.reload());
put(all(document, "h1")[0], say("setup.title"));
paint();
talk.start(!view.game);

// What each step of the set-up shows and asks. It knows no order and sends nothing itself but presses.
// @ts-check

import { $, all, data, el, face, names, put, say } from "./dom.js";
import { camera } from "./setup-camera.js";
import { panel } from "./setup-panel.js";
import { busyLine, button, fine, hint, row, simulated, text, troubles } from "./setup-parts.js";
import { place } from "./setup-place.js";
import { inWords } from "./setup-talk.js";

/** @import { SetUpView } from "../types/api.d.ts" */
/** @import { SetUpData, SetUpStep, StepHands, StepPaint } from "../types/pages.d.ts" */

const setUp = /** @type {SetUpData} */ (data);

// --- language -------------------------------------------------------------------------------------------

/** @param {StepHands} hands */
function language({ view, wish }) {
  /** @param {string} code */
  const choose = (code) => () => wish({ do: "language", language: code }, () => location.reload());
  const list = setUp.languages.map(([code, name]) =>
    el("button.choice", {
      type: "button",
      lang: code,
      "aria-pressed": String(code === (view.language || setUp.language)),
      onclick: choose(code),
    }, name)
  );
  return [text("setup.language_lead"), el("div.choices", {}, ...list)];
}

// --- empty lid and dice ---------------------------------------------------------------------------------

/** @param {StepHands} hands */
function empty({ view, wish, busy, live, overlay, next }) {
  /** @type {(key: string, main?: boolean) => HTMLElement} */
  const take = (key, main) => button(key, () => wish({ do: "empty" }), { main, disabled: busy });
  const found = troubles(view, "empty");
  // it may be printed there
  const doubt = found.length > 0 && view.troubles.every((each) => each.kind === "like-a-die");
  if (view.done.includes("empty") && (doubt || !found.length)) {
    const picture = overlay(`/api/setup/pictures/empty.jpg?${view.empty}`, [], view.kept);
    const ways = doubt
      ? [take("setup.take_again", true), button("setup.printed", next, { disabled: busy })]
      : [button("setup.next", next, { main: true, disabled: busy }), take("setup.take_again")];
    return [
      text("setup.empty_lead"),
      picture,
      ...(doubt ? found : [fine("setup.empty_kept")]),
      ...busyLine(busy),
      row(...ways),
    ];
  }
  return [
    text("setup.empty_lead"),
    ...simulated(view, "setup.emptied"),
    live.stage(view.kept),
    ...found,
    ...busyLine(busy),
    take("setup.take", true),
  ];
}

/** @param {StepHands} hands */
function dice({ view, wish, busy, live, overlay, next, go }) {
  /** @type {(key: string, main?: boolean, outside?: "ask" | "keep" | "whole") => HTMLElement} */
  const learn = (key, main, outside = "ask") =>
    button(key, () => wish({ do: "dice", outside }), { main, disabled: busy });
  const found = troubles(view, "dice");
  const warnings = view.warnings.map((each) => el("p.trouble", { role: "status" }, inWords(each, names)));
  const seen = view.dice_picture
    ? [overlay(`/api/setup/pictures/dice.jpg?${view.dice_picture}`, view.dice, view.kept)]
    : [];
  if (view.done.includes("dice") && !found.length) {
    return [
      text("setup.dice_lead"),
      ...seen,
      fine("setup.dice_kept"),
      ...warnings,
      ...busyLine(busy),
      row(button("setup.next", next, { main: true, disabled: busy }), learn("setup.learn_again")),
    ];
  }
  if (found.length && view.troubles.some((each) => each.kind === "die-apart")) {
    const ways = row(
      button("setup.outline_change", () => go("lid"), { main: true, disabled: busy }),
      learn("setup.outline_drop", false, "whole"),
      learn("setup.outline_anyway", false, "keep"),
    );
    return [text("setup.dice_lead"), ...seen, ...found, ...busyLine(busy), ways];
  }
  const picture = found.length && seen.length && view.dice.length
    ? [...seen, hint("setup.dice_seen")]
    : [live.stage(view.kept)];
  return [
    text("setup.dice_lead"),
    ...simulated(view, "setup.laid_out"),
    ...picture,
    ...found,
    ...busyLine(busy),
    learn("setup.learn", true),
  ];
}

// --- rolls ----------------------------------------------------------------------------------------------

/** @param {StepHands} hands */
function rolls({ view, wish, busy, live, overlay, next }) {
  const { roll } = view;
  const judge = (/** @type {boolean} */ right) => () =>
    roll && wish({ do: "judge-roll", roll: roll.id, right });
  const read = (/** @type {string} */ key) =>
    button(key, () => wish({ do: "roll" }), { main: true, disabled: busy });
  const dots = el("p.dots", {
    role: "img",
    "aria-label": say("setup.rolls_right", { n: Math.min(3, view.right) }),
  }, ...[0, 1, 2].map((n) => el(n < view.right ? "i.full" : "i")));
  const found = troubles(view, "rolls");
  const first = [text("setup.rolls_lead"), dots];
  if (view.done.includes("rolls")) {
    const before = view.before
      ? [el("p.hint", {}, say("setup.before"), " ", el("code", {}, view.before))]
      : [];
    return [...first, fine("setup.in_force"), ...before, row(button("setup.next", next, { main: true }))];
  }
  if (!roll || roll.judged) {
    return [
      ...first,
      ...simulated(view, "setup.rolls_simulated"),
      live.stage(view.kept),
      ...found,
      ...busyLine(busy),
      read(view.simulated ? "setup.roll_for_me" : "setup.read"),
    ];
  }
  const picture = overlay(`/api/setup/pictures/roll.jpg?${roll.id}`, roll.dice, view.kept);
  if (!roll.certain) {
    return [
      ...first,
      picture,
      ...found,
      text("setup.rolls_unsure"),
      ...busyLine(busy),
      read(view.simulated ? "setup.roll_for_me" : "setup.read_again"),
    ];
  }
  const list = roll.dice.map((die) =>
    el(
      "li",
      {},
      el("span", {
        role: "img",
        "aria-label": say("die.label", { colour: say(`dice.${die.colour}`), pips: die.pips }),
      }, face(die.colour, die.pips)),
    )
  );
  const ask = [
    el("h3", {}, say("setup.rolls_ask")),
    row(
      button("setup.rolls_yes", judge(true), { main: true, disabled: busy }),
      button("setup.rolls_no", judge(false), { disabled: busy }),
    ),
  ];
  return [
    ...first,
    picture,
    el("ul.seen-dice", { "aria-label": say("setup.rolls_read") }, ...list),
    ...ask,
    ...busyLine(busy),
  ];
}

// --- players --------------------------------------------------------------------------------------------

/** @type {string[] | null} */
let typed = null;

/** @param {StepHands} hands */
function players({ view, wish, busy, next }) {
  const names = (typed ??= [...view.players, ""]);
  const list = el("ul.name-list");
  /** @type {(name: string, place: number) => HTMLElement} */
  const line = (name, place) => {
    const label = say("setup.name", { n: place + 1 });
    const input = el("input", {
      value: name,
      maxlength: setUp.longest_name,
      "aria-label": label,
      autocomplete: "off",
      autocapitalize: "words",
      spellcheck: "false",
      "data-keep": `name-${place}`,
      oninput: (event) => (names[place] = event.target.value),
    });
    const drop = el("button.icon-button", {
      type: "button",
      "aria-label": say("setup.name_drop", { name: name || label }),
      onclick: () => (names.splice(place, 1), fill()),
    }, el("i.leave-mark", { "aria-hidden": "true" }));
    return el("li", {}, input, drop);
  };
  const fill = () => list.replaceChildren(...names.map(line));
  const add = () => {
    names.push("");
    fill();
    all(list, "input").at(-1)?.focus();
  };
  fill();
  /** @param {SetUpView} newest */
  const keep = (newest) => {
    typed = null;
    put($("said"), say("setup.players_kept", { n: newest.players.length }));
    next();
  };
  return [
    text("setup.players_lead"),
    list,
    ...(names.length < 12 ? [el("button", { type: "button", onclick: add }, say("setup.name_add"))] : []),
    button(
      "setup.players_ok",
      () => wish({ do: "players", names: names.filter((name) => name.trim()) }, keep),
      { main: true, disabled: busy },
    ),
  ];
}

/**
 * For each step: what it paints, and the parts of the view after whose change it is painted anew.
 * @type {Record<SetUpStep, StepPaint>}
 */
export const PAINT = {
  language: { paint: language, depends: (view) => [view.language] },
  camera: { paint: camera, depends: (view) => [view.cameras, view.camera_says] },
  lid: {
    paint: place,
    depends: (view) => [view.picture, view.done.includes("lid"), view.doubt, view.troubled, view.troubles],
  },
  empty: {
    paint: empty,
    depends: (view) => [view.empty, view.kept, view.done.includes("empty"), view.troubled, view.troubles],
  },
  dice: {
    paint: dice,
    depends: (
      view,
    ) => [
      view.dice_picture,
      view.kept,
      view.done.includes("dice"),
      view.warnings,
      view.troubled,
      view.troubles,
    ],
  },
  rolls: {
    paint: rolls,
    depends: (view) => [view.roll, view.right, view.done.includes("rolls"), view.troubled, view.troubles],
  },
  panel: { paint: panel, depends: (view) => [view.lamps, view.buttons] },
  players: { paint: players, depends: () => [] },
};

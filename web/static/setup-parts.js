// What the steps of the set-up are made of: buttons, sentences, and what is wrong. It knows no step.
// @ts-check

import { el, names, say } from "./dom.js";
import { inWords } from "./setup-talk.js";

/** @import { SetUpView } from "../types/api.d.ts" */
/** @import { Trouble, Values } from "../types/pages.d.ts" */

/**
 * @param {string} key
 * @param {() => unknown} onclick
 * @param {{ main?: boolean, disabled?: boolean }} [more]
 */
export const button = (key, onclick, more = {}) =>
  el(`button${more.main ? ".main" : ""}`, {
    type: "button",
    "data-keep": key,
    disabled: more.disabled,
    onclick,
  }, say(key));
/**
 * @param {string} key
 * @param {Values} [values]
 */
export const text = (key, values) => el("p", {}, say(key, values));
/** @param {string} key */
export const hint = (key) => el("p.hint", {}, say(key));
/**
 * @param {string} key
 * @param {Values} [values]
 */
export const fine = (key, values) => el("p.fine", { role: "status" }, say(key, values));
/** @param {Node[]} nodes */
export const row = (...nodes) => el("div.row-of", {}, ...nodes);
/** @param {boolean} busy */
export const busyLine = (busy) => (busy ? [el("p.hint", { role: "status" }, say("setup.busy"))] : []);
/**
 * @param {SetUpView} view
 * @param {string} step
 */
export const troubles = (
  view,
  step,
) => (view.troubled === step
  ? inShort(view.troubles).map((each) => el("p.trouble", { role: "alert" }, inWords(each, names)))
  : []);
/**
 * @param {SetUpView} view
 * @param {string} key
 */
export const simulated = (view, key) => (view.simulated ? [el("p.note", {}, say(key))] : []);

/**
 * One sentence for each kind, about all its dice, and two at most: more than that nobody reads.
 * @param {Trouble[]} list
 */
function inShort(list) {
  const kinds = new Map();
  for (const each of list) {
    const before = kinds.get(each.kind);
    kinds.set(
      each.kind,
      before ? { ...before, colours: [...new Set([...before.colours, ...each.colours])] } : each,
    );
  }
  return [...kinds.values()].slice(0, 2);
}

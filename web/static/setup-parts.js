// What the steps of the set-up are made of: buttons, sentences, and what is wrong. It knows no step.

import { el, names, say } from "./dom.js";
import { inWords } from "./setup-talk.js";

export const button = (key, onclick, more = {}) =>
  el(`button${more.main ? ".main" : ""}`, {
    type: "button",
    "data-keep": key,
    disabled: more.disabled,
    onclick,
  }, say(key));
export const text = (key, values) => el("p", {}, say(key, values));
export const hint = (key) => el("p.hint", {}, say(key));
export const fine = (key, values) => el("p.fine", { role: "status" }, say(key, values));
export const row = (...nodes) => el("div.row-of", {}, ...nodes);
export const busyLine = (busy) => (busy ? [el("p.hint", { role: "status" }, say("setup.busy"))] : []);
export const troubles = (
  view,
  step,
) => (view.troubled === step
  ? inShort(view.troubles).map((each) => el("p.trouble", { role: "alert" }, inWords(each, names)))
  : []);
export const simulated = (view, key) => (view.simulated ? [el("p.note", {}, say(key))] : []);

/** One sentence for each kind, about all its dice, and two at most: more than that nobody reads. */
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

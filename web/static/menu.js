// A phone's menu: how it speaks and calls, who plays, what is put right. Loaded when it is asked for.
// @ts-check

import { dialog, el, mark, say } from "./dom.js";
import { invite } from "./lobby.js";
import { repairs } from "./repairs.js";
import { ask } from "./taps.js";

/** @import { Message } from "../types/api.d.ts" */
/** @import { Hands, Wish } from "../types/pages.d.ts" */

/**
 * @param {string} text
 * @param {(event: MouseEvent & { currentTarget: HTMLElement }) => unknown} onclick
 * @param {string} [what]
 */
const button = (text, onclick, what = "button") => el(what, { type: "button", onclick }, text);

/**
 * @param {Message} message
 * @param {number} front
 * @param {Hands} hands
 * @param {{ on: boolean }} speech
 * @param {(seat: number) => void} correct
 */
export function openMenu(message, front, hands, speech, correct) {
  const { view } = message;
  const { game } = view;
  const { act: send, enter, offers, tone } = hands;
  /** @param {Wish} wish */
  const act = (wish) => () => (box.close(), send(wish));
  /**
   * @param {string} text
   * @param {string} key
   * @param {Wish} wish
   * @param {string} [name]
   */
  const grave = (text, key, wish, name = "") =>
    button(text, (event) => ask(event.currentTarget, key, { name }, act(wish)), "button.danger");
  const { fix, people, graves } = game
    ? repairs(view, front, { act: send, close: () => box.close(), enter, correct })
    : { fix: [], people: [], graves: [] };
  if (game && game.phase !== "over") graves.push(grave(say("menu.stop"), "stop", { do: "stop" }));
  for (const seat of view.seats) {
    if (seat.held && !seat.mine) {
      graves.push(
        grave(`${say("menu.free")} ${seat.name}`, "free", { do: "free", owner: seat.seat }, seat.name),
      );
    }
  }
  if (offers.setup) fix.push(el("a.button", { href: "/setup" }, say("menu.setup")));
  graves.push(
    grave(say("menu.leave"), "free", { do: "free", owner: front }, view.seats[front].name),
  );
  const template = /** @type {HTMLTemplateElement | null} */ (document.querySelector(".languages-here"));
  const languages = template?.content.cloneNode(true);
  /** @type {HTMLElement | null} */
  const voice = "speechSynthesis" in globalThis
    ? button(
      say("menu.speak"),
      ({ currentTarget }) => {
        speech.on = !speech.on;
        mark(currentTarget, "aria-pressed", String(speech.on));
      },
    )
    : null;
  if (voice) mark(voice, "aria-pressed", String(speech.on));
  const calls = button(
    say("menu.tone"),
    ({ currentTarget }) => {
      tone.on = !tone.on;
      mark(currentTarget, "aria-pressed", String(tone.on));
    },
  );
  mark(calls, "aria-pressed", String(tone.on));
  /** @type {HTMLDialogElement} */
  const box = dialog(
    say("menu.title"),
    languages,
    voice,
    calls,
    el("a.button", { href: "/help" }, say("menu.rules")),
    offers.seen ? el("a.button", { href: "/seen" }, say("menu.seen")) : null,
    el("a.button", { href: "/history" }, say("menu.history")),
    invite(message.code),
    people.length
      ? el("details", {}, el("summary", {}, say("menu.people")), el("div.stack", {}, ...people))
      : null,
    el("details", {}, el("summary", {}, say("menu.fix")), el("div.stack", {}, ...fix)),
    el("div.stack.graves", {}, ...graves),
  );
}

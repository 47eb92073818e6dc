// A phone that came while a game was played: it watches, and has a place in the next one.
// @ts-check

import { $, el, face, gameOf, mark, put, say } from "./dom.js";
import { playerCard } from "./player-card.js";

/** @import { View } from "../types/api.d.ts" */
/** @import { Act } from "../types/pages.d.ts" */

const PARTS = ["#dice", "#sheet", "#lobby", "#end", ".bottom", "#tabs", "#others", "#menu"];
/** @type {HTMLElement | null} */
let place = null;
let last = "";

/**
 * Shows the table to who waits; called with null once the phone plays itself.
 * @param {View | null} view
 * @param {Act} act
 */
export function watch(view, act) {
  for (const part of PARTS) {
    mark(/** @type {Element} */ (document.querySelector(part)), "hidden", view ? true : null);
  }
  if (!view) return place?.remove();
  const game = gameOf(view);
  const mine = view.waiting.find((seat) => seat.mine);
  put(
    $("headline"),
    game.phase === "over" ? say("end.title") : say("head.turn_of", { name: game.players[game.active].name }),
  );
  put($("hint"), say("watch.hint"));
  const key = JSON.stringify([game, view.waiting]);
  if (key === last) return undefined;
  last = key;
  place ??= el("section.watch");
  if (!place.isConnected) $("banners").after(place);
  const dice = el(
    "p.thrown",
    { "aria-label": say("dice.title") },
    ...game.dice.map((die) => face(die.colour, die.pips)),
  );
  const leave = el("button", {
    type: "button",
    onclick: () => mine && act({ do: "leave", seat: mine.seat, owner: mine.seat }),
  }, say("watch.leave"));
  return place.replaceChildren(
    ...(game.dice.length ? [dice] : []),
    ...game.players.map((player) => playerCard(view, player)),
    leave,
  );
}

// The lot for the first player, as a moment all watch together: the light runs round and stays with one.
// @ts-check

import { el, put, say } from "./dom.js";

/** @import { SeatView, View } from "../types/api.d.ts" */

const STEP = 110;
const LINGERS = 1400;
const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {HTMLElement | null} */
let node = null;
/** @type {number | null} */
let timer = null;

/**
 * Called with every view; shows while the lot is drawn, then who begins, then nothing.
 * @param {Pick<View, "game" | "seats">} view
 */
export function paintLot({ game, seats }) {
  if (game?.drawing) return node ?? begin(seats);
  if (!node || timer === null) return;
  clearInterval(timer);
  timer = null;
  const gone = node;
  if (!game || game.phase !== "roll" || game.number !== 1) return remove(gone);
  light(game.active);
  put(gone.children[0], say("lobby.first_is", { name: game.players[game.active].name }));
  setTimeout(() => remove(gone), LINGERS);
}

/** @param {SeatView[]} seats */
function begin(seats) {
  const players = seats.map((seat) => el("li", {}, el(`span.mark.${seat.mark}`), seat.name));
  node = el(
    "div.lot",
    { "aria-hidden": "true" },
    el("b", {}, say("lobby.drawing")),
    el("ul", {}, ...players),
  );
  document.body.append(node);
  let place = 0;
  timer = setInterval(() => still.matches || light(place++ % players.length), STEP);
}

/** @param {number} place */
function light(place) {
  [...(node?.lastElementChild?.children ?? [])].forEach((line, other) =>
    line.classList.toggle("lit", other === place)
  );
}

/** @param {HTMLElement} gone */
function remove(gone) {
  gone.remove();
  if (node === gone) node = null;
}

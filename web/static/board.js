// The board of On Board, on the table display and for phones that ask: forty spaces, whose piece stands
// where, what lies ahead.
// @ts-check

import { cellText, colourOf, el, gameOf, say } from "./dom.js";

/** @import { PlayerView, View } from "../types/api.d.ts" */

const NARROW = matchMedia("(max-aspect-ratio: 3/2)");

/**
 * Called when the shape of the screen asks for another board.
 * @param {() => void} paint
 */
export const onTurn = (paint) => NARROW.addEventListener("change", paint);

/**
 * The path winds: each row of spaces goes the other way than the one before, the start stands before all.
 * @param {number} number
 * @param {number} across
 */
function place(number, across) {
  const row = Math.floor((number - 1) / across);
  const along = (number - 1) % across;
  return { "grid-row": row + 1, "grid-column": 2 + (row % 2 ? across - 1 - along : along) };
}

/**
 * @param {View} view
 * @param {number} [across]
 */
export function board(view, across = NARROW.matches ? 10 : 20) {
  const game = gameOf(view);
  /** @param {PlayerView} player */
  const mark = (player) => el(`span.mark.${view.seats[player.seat].mark}`, { "aria-hidden": "true" });
  /** @param {number} number */
  const on = (number) => game.players.filter((player) => player.piece === number);
  const waiting = on(0);
  const start = el(
    "li.start",
    {
      style: { "grid-row": "1", "grid-column": "1" },
      "aria-label": waiting.length
        ? say("board.start_of", { names: waiting.map((player) => player.name).join(", ") })
        : say("board.start"),
    },
    el("small", { "aria-hidden": "true" }, say("board.start")),
    el("span.marks", {}, ...waiting.map(mark)),
  );
  const spaces = game.board.map((space, index) => {
    const number = index + 1;
    const colour = colourOf(space.cell);
    const [player] = on(number);
    const step = game.reach.indexOf(number) + 1;
    const lands = game.landings.includes(number);
    const what = say("board.space", { n: number, cell: cellText(space.cell), points: space.points });
    const state = player
      ? say("board.piece", { name: player.name })
      : lands
      ? say("board.landing", { n: step })
      : step
      ? say("board.ahead", { n: step })
      : "";
    const settings = {
      style: place(number, across),
      "aria-label": state ? `${what}, ${state}` : what,
      "data-step": step && !player ? step : null,
      "data-lands": lands,
      "data-active": player?.active,
      "data-last": space.near_end,
    };
    const top = player ? mark(player) : step ? el("i.step", { "aria-hidden": "true" }, String(step)) : null;
    return el(
      `li.space.${colour}${player ? ".taken" : ""}`,
      settings,
      el("span.spot", {}, top),
      el("b", { "aria-hidden": "true" }, space.cell.slice(1)),
      el(
        "span.under",
        { "aria-hidden": "true" },
        say(`letter.${colour}`),
        el("span.extra", {}, String(space.points)),
      ),
    );
  });
  const third = game.phase === "third" ? ".choosing" : "";
  return el(
    `ol.board${third}`,
    { "aria-label": say("board.title"), style: { "--across": across } },
    start,
    ...spaces,
  );
}

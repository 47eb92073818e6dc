// Anybody's sheet, small: for phones that ask, for who waits, for the demo.
// @ts-check

import { capital, el, gameOf, inWords, ownColour, say, seatNote } from "./dom.js";

/** @import { PlayerView, View } from "../types/api.d.ts" */

/**
 * Anybody's sheet, small: what is crossed, and the points unless they are hidden.
 * @param {View} view
 * @param {PlayerView} player
 */
export function playerCard(view, player) {
  const game = gameOf(view);
  /** @type {string[]} */
  const notes = [];
  if (player.presence !== "here") notes.push(say(`others.${player.presence}`));
  const note = seatNote(view.seats[player.seat]);
  if (note) notes.push(note);
  if (player.active) notes.push(say("others.active"));
  if (player.deciding && game.phase !== "roll") notes.push(say("others.deciding"));
  const score = player.score === null ? say("others.hidden") : say("others.points", { n: player.score });
  const head = el(
    "h3.player-head",
    {},
    el(`span.mark.${view.seats[player.seat].mark}`, { "aria-hidden": "true" }),
    el("span.seat-name", {}, player.name, notes.length ? el("small", {}, ` ${notes.join(", ")}`) : null),
    el("span.player-score", {}, score),
  );
  const rows = player.rows.map((row, place) => {
    const printed = game.layout[place];
    const crossed = new Set(row.crossed);
    const furthest = Math.max(-1, ...printed.cells.map((cell, at) => (crossed.has(cell) ? at : -1)));
    const cells = printed.cells.map((cell, at) =>
      el(`i${ownColour(cell, row.lock)}`, {
        "data-state": crossed.has(cell) ? "crossed" : at < furthest ? "skipped" : "open",
        "data-fresh": player.fresh.includes(cell) || null,
      }, cell.slice(1))
    );
    const said = `${say(`colour.${row.lock}`)}: ${row.crossed.map(inWords(printed)).join(", ") || "–"}`;
    const closed = game.closed.includes(row.lock);
    return el(
      `div.mini.${row.lock}${closed ? ".closed" : ""}`,
      { role: "img", "aria-label": said },
      el("b", {}, say(`letter.${row.lock}`)),
      ...cells,
      el(`span.lock${row.locked ? ".crossed" : ""}`, {}, el("i")),
    );
  });
  const board = player.piece === null ? "" : ` · ${say("board.title")}: ${player.piece}`;
  const misthrows = el("p.mini-foot", {}, capital(say("others.misthrows", { n: player.misthrows })) + board);
  return el("section.player", {}, head, el("div.minis", {}, ...rows), misthrows);
}

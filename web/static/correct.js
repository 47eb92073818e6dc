// Putting a sheet right by hand: tap what is crossed on the real table, save. The table checks and records
// it.
// @ts-check

import { capital, cellName, dialog, el, gameOf, ownColour, put, say } from "./dom.js";

/** @import { View } from "../types/api.d.ts" */

/**
 * @param {View} view
 * @param {number} seat
 * @param {(sheet: string) => void} save
 */
export function correctSheet(view, seat, save) {
  const game = gameOf(view);
  const player = game.players[seat];
  const crossed = new Set(player.rows.flatMap((row) => row.crossed));
  const before = new Set(crossed);
  // crosses of this turn stay
  const settled = new Set(["second", "third"].includes(game.phase) ? player.fresh : []);
  let misthrows = player.misthrows;
  const rows = game.layout.map((row) =>
    el(
      `div.mini.big.${row.lock}`,
      { role: "group", "aria-label": say(`colour.${row.lock}`) },
      el("b", { "aria-hidden": "true" }, say(`letter.${row.lock}`)),
      ...row.cells.map((cell) => {
        const button = el(`button.fix-cell${ownColour(cell, row.lock)}`, {
          type: "button",
          "aria-pressed": String(crossed.has(cell)),
          disabled: settled.has(cell),
          "aria-label": cellName(cell),
        }, cell.slice(1));
        button.addEventListener("click", () => {
          if (!crossed.delete(cell)) crossed.add(cell);
          button.setAttribute("aria-pressed", String(crossed.has(cell)));
        });
        return button;
      }),
    )
  );
  const count = el("output", {}, capital(say("others.misthrows", { n: misthrows })));
  /** @param {number} by */
  const step = (by) => () => {
    misthrows = Math.min(4, Math.max(0, misthrows + by));
    put(count, capital(say("others.misthrows", { n: misthrows })));
  };
  const foot = el(
    "p.field",
    {},
    count,
    el("button", { type: "button", onclick: step(-1), "aria-label": "−1" }, "−"),
    el("button", { type: "button", onclick: step(1), "aria-label": "+1" }, "+"),
  );
  const send = () => {
    const cells = game.layout.flatMap((row) => row.cells).filter((cell) => crossed.has(cell));
    const words = [
      ...(game.sheet === "classic" ? [] : [`${game.sheet}:`]),
      ...cells,
      ...(misthrows ? [`M${misthrows}`] : []),
    ];
    box.close();
    if (
      misthrows === player.misthrows && crossed.size === before.size &&
      cells.every((cell) => before.has(cell))
    ) return; // nothing to put right
    save(words.join(" ") || "empty");
  };
  /** @type {HTMLDialogElement} */
  const box = dialog(
    say("sheet.of", { name: player.name }),
    settled.size ? el("p.hint", {}, say("sheet.settled")) : null,
    el("div.minis", {}, ...rows),
    foot,
    el("p.dialog-foot", {}, el("button.main", { type: "button", onclick: send }, say("menu.save"))),
  );
}

// Putting a sheet right by hand: tap what is crossed on the real table, save. The table checks and records it.

import { dialog, el, put, say } from "./dom.js";

export function correctSheet(view, seat, save) {
  const { game } = view;
  const player = game.players[seat];
  const crossed = new Set(player.rows.flatMap((row) => row.crossed));
  let misthrows = player.misthrows;
  const rows = game.layout.map((row) =>
    el(
      `div.mini.big.${row.lock}`,
      { role: "group", "aria-label": say(`colour.${row.lock}`) },
      el("b", { "aria-hidden": "true" }, say(`letter.${row.lock}`)),
      ...row.cells.map((cell) => {
        const button = el("button.fix-cell", { type: "button", "aria-pressed": String(crossed.has(cell)), "aria-label": `${say(`letter.${row.lock}`)} ${cell.slice(1)}` }, cell.slice(1));
        button.addEventListener("click", () => {
          if (!crossed.delete(cell)) crossed.add(cell);
          button.setAttribute("aria-pressed", String(crossed.has(cell)));
        });
        return button;
      }),
    ),
  );
  const count = el("output", {}, say("others.misthrows", { n: misthrows }));
  const step = (by) => () => {
    misthrows = Math.min(4, Math.max(0, misthrows + by));
    put(count, say("others.misthrows", { n: misthrows }));
  };
  const foot = el("p.field", {}, count, el("button", { type: "button", onclick: step(-1), "aria-label": "−1" }, "−"), el("button", { type: "button", onclick: step(1), "aria-label": "+1" }, "+"));
  const send = () => {
    const cells = game.layout.flatMap((row) => row.cells).filter((cell) => crossed.has(cell));
    const words = [...(game.sheet === "classic" ? [] : [`${game.sheet}:`]), ...cells, ...(misthrows ? [`M${misthrows}`] : [])];
    box.close();
    save(words.join(" ") || "empty");
  };
  const box = dialog(say("sheet.of", { name: player.name }), el("div.minis", {}, ...rows), foot, el("p.dialog-foot", {}, el("button.main", { type: "button", onclick: send }, say("menu.save"))));
}

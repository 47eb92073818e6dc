// The end of a game: the reckoning column by column, who won and why it ended, the series.

import { $, el, names, put, say } from "./dom.js";

export function paintEnd(root, view, act) {
  const { game, series } = view;
  const winners = names(game.winners.map((seat) => game.players[seat].name));
  put($("headline"), say(game.winners.length > 1 ? "end.shared" : "end.wins", { name: winners, names: winners }));
  put($("hint"), say(`end.${game.ended_by}`));
  const going = series && !series.over;
  const buttons = el(
    "div.end-buttons",
    {},
    el("button.main", { type: "button", onclick: () => act({ do: "again" }) }, say(going ? "end.next" : "end.again")),
    el("button.calm", { type: "button", onclick: () => act({ do: "clear" }) }, say("end.lobby")),
  );
  const past = el("a.button", { href: `/history/${game.id}` }, say("end.history"));
  root.replaceChildren(reckoning(view), ...(series ? [standings(view)] : []), buttons, past);
}

export function reckoning(view) {
  const { game } = view;
  const columns = [...game.end].sort((a, b) => a.place - b.place);
  const mark = (seat) => el(`span.mark.${view.seats[seat].mark}`, { "aria-hidden": "true" });
  const head = el("tr", {}, el("td"), ...columns.map((end) => el("th", { scope: "col", class: end.place === 1 ? "won" : null }, mark(end.seat), el("span", {}, game.players[end.seat].name))));
  const line = (kind, title, values) => el(`tr${kind}`, {}, el("th", { scope: "row" }, title), ...values.map((value, place) => el("td", { class: columns[place].place === 1 ? "won" : null }, value)));
  const rows = game.layout.map((row, place) =>
    line(
      `.of.${row.lock}`,
      el("span.row-name", {}, el(`b.chip.${row.lock}`, {}, say(`letter.${row.lock}`)), say(`colour.${row.lock}`)),
      columns.map((end) => String(end.rows[place])),
    ),
  );
  const more = game.board.length ? [line("", say("end.extra"), columns.map((end) => `+${end.extra}`))] : [];
  const body = [...rows, line("", say("end.misthrows"), columns.map((end) => minus(end.misthrows))), ...more];
  const foot = [line(".total", say("end.total"), columns.map((end) => String(end.total))), line(".place", say("end.place"), columns.map((end) => `${end.place}.`))];
  return el("table", { class: "reckoning" }, el("thead", {}, head), el("tbody", {}, ...body), el("tfoot", {}, ...foot));
}

const minus = (points) => (points < 0 ? `−${-points}` : "0");

function standings(view) {
  const { series, game } = view;
  const rows = series.standings.map((standing) =>
    el("tr", {}, el("th", { scope: "row" }, `${standing.place}. ${game.players[standing.seat].name}`), ...series.results.map((result) => el("td", {}, String(result[standing.seat]))), el("td.sum-cell", {}, String(standing.total))),
  );
  const head = el("tr", {}, el("td"), ...series.results.map((_, place) => el("th", { scope: "col" }, String(place + 1))), el("th", { scope: "col" }, say("end.total")));
  const title = el("caption", {}, say("end.series", { n: series.results.length, games: series.games }));
  return el("div", {}, el("table", { class: "reckoning series" }, title, el("thead", {}, head), el("tbody", {}, ...rows)), el("p.hint", {}, say("end.series_note")));
}

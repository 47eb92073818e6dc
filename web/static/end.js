// The end of a game: the reckoning row by row, who won and why it ended, the series, what comes next.
// @ts-check

import { starting } from "./taps.js";
import { $, capital, el, fill, gameOf, mark, names, put, say, signed } from "./dom.js";

/** @import { EndColumn, SeriesView, View } from "../types/api.d.ts" */
/** @import { Act, Child, Reckoned } from "../types/pages.d.ts" */

const ROW = 1000; // milliseconds that a row is counted
const COUNTED = 0.6; // of it, until its points are added; then all look at it
const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Who won and why it ended, for the eyes and for the ears; of a game that was stopped nobody is the winner.
 * @param {View} view
 */
export function verdict(view) {
  const game = gameOf(view);
  /** @param {number[]} seats */
  const called = (seats) => {
    const all = names(seats.map((seat) => game.players[seat].name));
    return { several: seats.length > 1, name: all, names: all };
  };
  if (game.ended_by === "stopped") {
    const ahead = called(game.end.filter((end) => end.place === 1).map((end) => end.seat));
    return {
      title: say("end.early"),
      why: say(ahead.several ? "end.ahead_shared" : "end.ahead", ahead),
      said: say("said.stopped"),
    };
  }
  const won = called(game.winners);
  return {
    title: say(won.several ? "end.shared" : "end.wins", won),
    why: say(`end.${game.ended_by}`),
    said: say(won.several ? "said.over_shared" : "said.over", won),
  };
}

/**
 * On a phone. `fresh`: the game ended while somebody looked on, so the points are counted up first.
 * @param {HTMLElement} root
 * @param {View} view
 * @param {{ act: Act, front: number, fresh: boolean, tell: (text: string) => void }} hands
 */
export function paintEnd(root, view, { act, front, fresh, tell }) {
  const { title, why, said } = verdict(view);
  const table = reckoning(view);
  const after = el(
    "div.end-after",
    {},
    view.series ? standings(view.series, view) : null,
    nextButtons(view, act),
    keepPicture(view),
    el("a.button", { href: `/history/${gameOf(view).id}` }, say("end.history")),
  );
  const place = ownPlace(view, front);
  fill(root, place, table, after);
  const done = () => {
    put($("headline"), title);
    put($("hint"), why);
    for (const node of [place, after]) if (node) mark(node, "hidden", null);
    if (fresh) tell(said);
  };
  if (!fresh) return done();
  put($("headline"), say("end.title"));
  put($("hint"), "");
  for (const node of [place, after]) if (node) mark(node, "hidden", true);
  return countUp(table, view, done);
}

/**
 * @param {View} view
 * @param {Act} act
 */
export function nextButtons(view, act) {
  const { series } = view;
  const going = series && !series.over;
  return el(
    "div.end-buttons",
    {},
    el(
      "button.main",
      { type: "button", onclick: () => starting(view, { do: "again" }, act) },
      say(going ? "end.next" : "end.again"),
    ),
    el("button.calm", { type: "button", onclick: () => act({ do: "clear" }) }, say("end.lobby")),
  );
}

/** @param {View} view */
function keepPicture(view) {
  const show = async () => (await import("./result.js")).showPicture(view);
  return el("button.calm", { type: "button", onclick: show }, say("end.picture"));
}

const crown = () => el("i.crown", { "aria-hidden": "true" });

/**
 * How it went for whoever holds this phone.
 * @param {View} view
 * @param {number} front
 */
function ownPlace(view, front) {
  const game = gameOf(view);
  const mine = game.end.find((end) => end.seat === front);
  if (!mine || !game.winners.length || game.players.length < 2) return null;
  const won = game.winners.includes(front);
  const place = say("end.own_place", { n: mine.place, of: game.players.length });
  const whose = view.own.length > 1 ? `${game.players[front].name}: ` : "";
  return el(
    `p.own-place${won ? ".won" : ""}`,
    {},
    won ? crown() : null,
    el("b", {}, whose + place),
    el("span", {}, say("others.points", { n: mine.total })),
  );
}

// --- the reckoning --------------------------------------------------------------------------------------

/**
 * What is counted, in the order of the sheet: a title, and what it gives a player.
 * @param {View} view
 * @returns {Reckoned[]}
 */
export function parts(view) {
  const game = gameOf(view);
  const rows = game.layout.map((row, place) => ({
    kind: `.of.${row.lock}`,
    lock: row.lock,
    title: capital(say(`colour.${row.lock}`)),
    points: (/** @type {EndColumn} */ end) => end.rows[place],
  }));
  /** @type {Reckoned} */
  const misthrows = { kind: "", title: say("end.misthrows"), points: (end) => end.misthrows };
  /** @type {Reckoned} */
  const extra = { kind: "", title: say("end.extra"), points: (end) => end.extra };
  return [...rows, misthrows, ...(game.board.length ? [extra] : [])];
}

/**
 * @param {View} view
 * @returns {HTMLTableElement}
 */
export function reckoning(view) {
  const game = gameOf(view);
  /** @param {EndColumn} end */
  const won = (end) => (game.winners.includes(end.seat) ? "won" : null);
  const name = (/** @type {EndColumn} */ end) =>
    el(
      "th",
      { scope: "col", class: won(end) },
      won(end) ? crown() : null,
      el(`span.mark.${view.seats[end.seat].mark}`, { "aria-hidden": "true" }),
      el("span", {}, game.players[end.seat].name),
    );
  const head = el("tr", {}, el("td"), ...game.end.map(name));
  /**
   * @param {string} kind
   * @param {Child} title
   * @param {(end: EndColumn) => string} value
   */
  const line = (kind, title, value) =>
    el(
      `tr${kind}`,
      {},
      el("th", { scope: "row" }, title),
      ...game.end.map((end) => el("td", { class: won(end) }, value(end))),
    );
  const rows = parts(view).map(({ kind, lock, title, points }) =>
    line(
      kind,
      lock ? el("span.row-name", {}, el(`b.chip.${lock}`, {}, say(`letter.${lock}`)), title) : title,
      (end) => signed(points(end)),
    )
  );
  const foot = [
    line(".total", say("end.total"), (end) => signed(end.total)),
    line(".place", say("end.place"), (end) => say("end.nth", { n: end.place })),
  ];
  return el(
    "table",
    { class: "reckoning" },
    el("thead", {}, head),
    el("tbody", {}, ...rows),
    el("tfoot", {}, ...foot),
  );
}

/**
 * Row after row appears and its points go into the total; then crown and places. A tap or a key shows all at
 * once.
 * @param {HTMLTableElement} table
 * @param {View} view
 * @param {() => void} done
 */
export function countUp(table, view, done) {
  const { end } = gameOf(view);
  const counted = parts(view).map(({ points }) => end.map(points));
  const rows = [...table.tBodies[0].rows];
  const totals = [...table.querySelectorAll(".total td")];
  const isShown = () => table.getClientRects().length > 0;
  let over = false;
  const finish = () => {
    if (over) return;
    over = true;
    removeEventListener("pointerdown", finish, true);
    removeEventListener("keydown", finish, true);
    if (!isShown()) return; // the table went on meanwhile
    table.classList.remove("counting");
    rows.forEach((row) => row.classList.remove("waiting"));
    totals.forEach((node, seat) => put(node, signed(end[seat].total)));
    done();
  };
  /** @param {number} at */
  const paint = (at) => {
    const row = Math.min(rows.length - 1, Math.floor(at));
    const share = Math.min(1, (at - row) / COUNTED);
    rows.forEach((node, place) => node.classList.toggle("waiting", place > row));
    totals.forEach((node, seat) =>
      put(
        node,
        signed(
          counted.slice(0, row).reduce((sum, points) => sum + points[seat], 0) +
            Math.round(share * counted[row][seat]),
        ),
      )
    );
  };
  if (still.matches) return finish();
  table.classList.add("counting");
  addEventListener("pointerdown", finish, true);
  addEventListener("keydown", finish, true);
  const begun = performance.now();
  /** @param {number} now */
  const step = (now) => {
    const at = Math.max(0, now - begun) / ROW;
    if (at >= rows.length || !isShown()) finish();
    if (over) return;
    paint(at);
    requestAnimationFrame(step);
  };
  paint(0);
  requestAnimationFrame(step);
}

/**
 * @param {SeriesView} series
 * @param {View} view
 */
export function standings(series, view) {
  const game = gameOf(view);
  const rows = series.standings.map((standing) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, `${standing.place}. ${game.players[standing.seat].name}`),
      ...series.results.map((result) => el("td", {}, signed(result[standing.seat]))),
      el("td.sum-cell", {}, signed(standing.total)),
    )
  );
  const head = el(
    "tr",
    {},
    el("td"),
    ...series.results.map((_, place) => el("th", { scope: "col" }, String(place + 1))),
    el("th", { scope: "col" }, say("end.total")),
  );
  const title = el("caption", {}, say("end.series", { n: series.results.length, games: series.games }));
  return el(
    "div",
    {},
    el("table", { class: "reckoning series" }, title, el("thead", {}, head), el("tbody", {}, ...rows)),
    el("p.hint", {}, say("end.series_note")),
  );
}

// Every table live. The server sends what changed; only those cards are made anew.
// @ts-check

import { $, all, data, el, mark, names, put, say, signed } from "./dom.js";
import { Link } from "./link.js";

/** @import { ClubData, ClubGame, ClubMessage, ClubSeat, ClubTable } from "../types/pages.d.ts" */

const { message: begun } = /** @type {ClubData} */ (data);
const tables = $("tables");
const by = new Intl.Collator("en", { numeric: true }).compare; // lid-2 before lid-10
const cards = new Map(all(tables, ":scope > *").map((node) => [node.dataset.box, node]));
let ahead = 0; // of this screen's clock, the server's, in seconds
/** @type {ClubMessage | null} */
let seen = null;

// --- a table ---------------------------------------------------------------------------------------------

/** @param {ClubTable} table */
function phase({ online, phase, seats }) {
  const those = (/** @type {2 | 3 | 4} */ place) => seats.filter((seat) => seat[place]).map(([name]) => name);
  const [active, deciding, won] = [those(2), those(3), those(4)];
  if (!online) return say("club.said_away");
  if (phase === "lobby") return say(seats.length ? "club.phase_lobby_seats" : "club.phase_lobby");
  if (phase === "over") {
    return won.length ? say("club.phase_won", { names: names(won) }) : say("club.phase_over");
  }
  if (deciding.length && phase !== "roll") return say("club.phase_deciding", { names: names(deciding) });
  return active.length ? say("club.phase_roll", { name: active[0] }) : say("club.phase_");
}

/** @param {number} since */
const minutes = (since) => Math.floor((Date.now() / 1000 + ahead - since) / 60);

/** @param {ClubTable} table */
function card(table) {
  const { box, online, turn, seats, white, closed, since } = table;
  const over = table.phase === "over";
  /** @param {ClubSeat} told */
  const seat = ([name, score, active]) =>
    el(
      active && !over ? "li.active" : "li",
      {},
      el("span", {}, name),
      score === null ? null : " ",
      score === null ? null : el("b", {}, signed(score)),
    );
  const lasts = since !== null && !over && minutes(since) >= 0;
  return el(
    `li.club-table${online ? "" : ".away"}`,
    { "data-box": box, "data-playing": isPlaying(table) },
    el("h2", {}, box),
    el("p.club-phase", {}, phase(table)),
    seats.length ? el("ol.club-seats", {}, ...seats.map(seat)) : null,
    el(
      "p.club-more",
      {},
      turn === null ? null : el("span", {}, say("club.said_turn", { n: turn })),
      lasts ? el("span", { "data-since": since }, say("club.said_minutes", { n: minutes(since) })) : null,
      white === null ? null : el("span", {}, say("club.said_white", { n: white })),
      ...closed.map((row) => el(`span.club-row.${row}`, {}, say(`club_row.${row}`))),
    ),
  );
}

/** @param {ClubTable} table */
function paint(table) {
  const node = card(table);
  mark(node, "hidden", fits(node) ? null : true);
  const old = cards.get(table.box);
  if (old) old.replaceWith(node);
  else {tables.insertBefore(
      node,
      all(tables, ":scope > *").find(({ dataset }) => by(dataset.box ?? "", table.box) > 0) ?? null,
    );}
  cards.set(table.box, node);
}

// --- the page --------------------------------------------------------------------------------------------

/** @param {ClubTable} table */
const isPlaying = ({ online, phase }) => online && !["", "lobby", "over"].includes(phase);

function count() {
  put(
    $("count"),
    say("club.said_tables", { n: cards.size, playing: tables.querySelectorAll("[data-playing]").length }),
  );
  mark($("none"), "hidden", cards.size ? true : null);
}

/** @param {ClubGame} told */
function game({ box, at, stopped, players }) {
  /** @param {ClubGame["players"][number]} told */
  const player = ([name, points, place]) => {
    const won = place === 1 && !stopped;
    const crown = won
      ? [el("i.crown", { "aria-hidden": "true" }), el("span.said", {}, `${say("club.said_won")} `)]
      : [];
    return el(won ? "span.won" : "span", {}, ...crown, `${name} `, el("b", {}, signed(points)));
  };
  const when = new Date(at * 1000).toLocaleString(data.language, { dateStyle: "short", timeStyle: "short" });
  const about = el(
    "span.club-about",
    {},
    el("time", {}, when),
    ` · ${box}`,
    stopped ? ` · ${say("club.said_stopped")}` : null,
  );
  return el(
    `li.club-game${stopped ? ".out" : ""}`,
    {},
    about,
    el("span.club-points", {}, ...players.map(player)),
  );
}

/** @param {ClubMessage} message */
function show(message) {
  if (message === seen) return;
  seen = message;
  ahead = message.now - Date.now() / 1000;
  message.tables.forEach(paint);
  if (message.tables.length) {
    count();
    found();
  }
  if (message.games) {
    $("games").replaceChildren(...message.games.map(game));
    mark($("no-games"), "hidden", message.games.length ? true : null);
  }
  trouble(!message.kept ? "club.said_store" : message.connected ? "" : "club.said_broker");
}

/** @param {string} word */
function trouble(word) {
  if (word) put($("trouble"), say(word));
  mark($("trouble"), "hidden", word ? null : true);
}

// --- find ------------------------------------------------------------------------------------------------

const find = /** @type {HTMLInputElement} */ ($("find"));
const wanted = () => find.value.trim().toLocaleLowerCase();
const found = () =>
  mark($("not-found"), "hidden", !cards.size || [...cards.values()].some(fits) ? true : null);
/** @param {Element} node */
const fits = (node) => node.textContent.toLocaleLowerCase().includes(wanted());

find.addEventListener("input", () => {
  for (const node of cards.values()) mark(node, "hidden", fits(node) ? null : true);
  found();
});
mark(/** @type {Element} */ (find.closest("label")), "hidden", null);

setInterval(() => {
  for (const node of all(tables, "[data-since]")) {
    put(node, say("club.said_minutes", { n: minutes(Number(node.dataset.since)) }));
  }
}, 20000);

// --- live ------------------------------------------------------------------------------------------------

const has = () => link.message ?? begun;

/**
 * Asks for what is newer than what this page has.
 * @param {string} path
 */
const newer = (path) => `${path}?run=${has().run}&tables=${has().at}&books=${has().books}`;
/** @type {Link<ClubMessage>} */
const link = new Link(
  { view: show, state: (state) => state === "offline" && trouble("club.said_offline") },
  {
    get live() {
      return newer("/api/live");
    },
    get view() {
      return newer("/api/view");
    },
  },
);
link.start(begun);

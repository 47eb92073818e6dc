// A game on the table display: whose turn, the dice, the lid, every player; readable from across the room.
// @ts-check

import { away } from "./around.js";
import { board } from "./board.js";
import {
  $,
  cellText,
  data,
  el,
  face,
  gameOf,
  mark,
  names,
  phoneless,
  rowText,
  say,
  seatNote,
  signed,
} from "./dom.js";
import { asking, corrected, notice } from "./headline.js";

/** @import { DieView, PlayerView, View } from "../types/api.d.ts" */
/** @import { PlayData } from "../types/pages.d.ts" */

const { offers } = /** @type {PlayData} */ (data);
const LONG = 48; // letters of a sentence that stands smaller in the head, and of a heading
const LONG_TITLE = 28;
const LONG_TOLD = 64;
const LONG_NAME = 14;
/**
 * A long name stands smaller.
 * @param {string} name
 */
export const long = (name) => (name.length > LONG_NAME ? ".long" : "");

/** @param {View} view */
export function play(view) {
  const game = gameOf(view);
  const active = game.players[game.active];
  const said = status(view);
  const mark_ = view.seats[active.seat].mark;
  const head = el(
    "header.turn",
    { "data-mark": game.drawing ? null : mark_ },
    game.drawing ? null : el(`span.mark.${mark_}`, { "aria-hidden": "true" }),
    heading(
      game.drawing
        ? say("lobby.drawing")
        : game.phase === "roll"
        ? say(active.level ? "head.roll_for" : "head.rolls", { name: active.name })
        : say("head.turn_of", { name: active.name }),
    ),
    el(`p${said.length > LONG ? ".long" : ""}`, {}, said),
    seriesChip(view),
    ...game.closed.map((name) =>
      el(
        `span.closed-row.${name}`,
        {},
        el("i.padlock", { "aria-hidden": "true" }),
        say("said.closed", { row: rowText(name) }),
      )
    ),
  );
  const closes = game.announced.length > 1 ? "banner.closes_short" : "banner.closes_table";
  const told = view.corrected ? corrected(view, 3) : "";
  const loud = [
    ...(told && told.length <= LONG_TOLD ? [el("p.loud.told", {}, told)] : []), // phones tell the rest
    ...game.announced.map((closing) =>
      el(
        `p.loud.${closing.colour}`,
        {},
        say(closes, { name: game.players[closing.seat].name, row: rowText(closing.colour) }),
      )
    ),
    ...game.take_out.map((name) =>
      el(`p.loud.${name}`, {}, say("banner.take_out", { die: say(`die_it.${name}`) }))
    ),
  ];
  mark($("play"), "data-board", game.board.length > 0 || null);
  return [
    head,
    el(
      "div.middle",
      {},
      roll(view),
      el("div.lid-place", { style: { "--loud": Math.max(1, loud.length) } }, ...lid(view), ...loud),
    ),
    game.board.length ? board(view) : null,
    players(view),
  ].filter((part) => part !== null);
}

/** @param {string} text */
export const heading = (text) => el(`h1${text.length > LONG_TITLE ? ".long" : ""}`, {}, text);

/** @param {View} view */
export function seriesChip({ series }) {
  return series ? el("span.round", {}, say("end.series", { n: series.number, games: series.games })) : null;
}

/**
 * What stands at a player's card: who is away, who decides, what the program crossed. A missing phone is
 * what others wait for.
 * @param {View} view
 * @param {PlayerView} player
 */
function thinks(view, player) {
  const game = gameOf(view);
  const seat = view.seats[player.seat];
  if (player.presence !== "here") return say(`others.${player.presence}`);
  if (player.deciding && game.phase !== "roll" && !phoneless(seat)) return say("others.deciding");
  return player.fresh.filter(() => seat.level).map(cellText).join(", ") || seatNote(seat);
}

/**
 * What a player has from the games before, and the place that makes.
 * @param {View} view
 * @param {number} seat
 */
function standing({ series }, seat) {
  const found = series?.results.length ? series.standings.find((each) => each.seat === seat) : undefined;
  return found ? el("p.standing", {}, say("table.standing", { n: found.total, place: found.place })) : null;
}

/** @param {View} view */
function status(view) {
  const { eyes } = view;
  const game = gameOf(view);
  if (game.last_turns !== null && game.phase === "roll") {
    return say("head.last_turns", { n: game.last_turns });
  }
  if (game.phase === "roll" && eyes.state === "reading") return say("head.reading");
  if (game.phase === "roll" && eyes.state === "moving") return notice(eyes) || say("head.moving");
  if (game.phase === "roll" && eyes.state === "ask") return asking(eyes).join(" ");
  if (eyes.state === "trouble") return notice(eyes);
  if (game.phase === "second") return say("head.second");
  if (game.phase === "third") return say("head.third");
  if (game.phase === "first") {
    const waiting = say("head.waiting", {
      names: names(game.deciding.map((seat) => game.players[seat].name)),
    });
    // the cards say who
    return waiting.length > LONG ? say("head.waiting_many", { n: game.deciding.length }) : waiting;
  }
  return "";
}

/** @param {View} view */
function roll(view) {
  const game = gameOf(view);
  if (!game.dice.length) return el("section.roll.empty", {}, ...game.in_play.map((name) => face(name, null)));
  const white = game.dice.slice(0, 2);
  const coloured = game.dice.slice(2);
  /** @param {DieView} each */
  const die = (each) =>
    el(
      "span.table-die",
      {
        role: "img",
        "aria-label": say("die.label", { colour: say(`dice.${each.colour}`), pips: each.pips }),
      },
      face(each.colour, each.pips),
      el("b", { "aria-hidden": "true" }, each.by_hand ? say("die.by_hand") : say(`letter.${each.colour}`)),
    );
  return el(
    `section.roll${game.phase === "roll" ? ".old" : ""}`,
    { "aria-label": say("dice.title") },
    el(
      "div.white-side",
      {},
      el("div.white-dice", {}, ...white.map(die)),
      el("p.white-sum", {}, el("small", {}, say("table.white")), String(game.white_sum)),
    ),
    el("div.coloured", {}, ...coloured.map(die)),
  );
}

/** @param {View} view */
function lid(view) {
  if (!offers.picture || !view.pictured) return [];
  const picture = el("img.lid-picture", {
    src: `/api/picture.jpg?v=${view.version}`,
    alt: say(offers.seen ? "menu.seen" : "table.lid"),
  });
  return [offers.seen ? el("a", { href: "/seen" }, picture) : picture];
}

/** @param {View} view */
function players(view) {
  const game = gameOf(view);
  return el(
    "section.players",
    {},
    ...game.players.map((player) => {
      const state = player.deciding && game.phase !== "roll" ? ".deciding" : "";
      const rows = player.rows.map((row) =>
        el(
          `span.count.${row.lock}${row.locked ? ".locked" : ""}`,
          { "aria-label": `${say(`colour.${row.lock}`)} ${row.crosses}` },
          el("b", {}, say(`letter.${row.lock}`)),
          String(row.crosses),
        )
      );
      const boxes = el("span.boxes", {
        role: "img",
        "aria-label": say("foot.misthrows", { n: player.misthrows }),
      }, ...[0, 1, 2, 3].map((n) => el(n < player.misthrows ? "i.marked" : "i")));
      const head = el(
        "h2",
        {},
        el(`span.mark.${view.seats[player.seat].mark}`, { "aria-hidden": "true" }),
        el(`span.name${long(player.name)}`, {}, player.name),
      );
      const turn = player.active && !game.drawing;
      const gone = away(view, view.seats[player.seat]) ? ".away" : "";
      const itself = !state && !gone && player.level ? ".itself" : "";
      return el(
        `article.player${turn ? ".active" : ""}${state}${gone}`,
        { "data-mark": turn ? player.mark : null },
        head,
        el("p.points", {}, player.score === null ? "?" : signed(player.score)),
        boxes,
        standing(view, player.seat),
        el("p.counts", {}, ...rows),
        el(`p.thinks${itself}`, {}, thinks(view, player)),
      );
    }),
  );
}

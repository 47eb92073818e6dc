// The table display: lobby with the way in, then dice, sum, who decides; at the end who won. Needs no input.
// @ts-check

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
  put,
  rowText,
  say,
  seatNote,
  signed,
  stillDecides,
} from "./dom.js";
import { stayAwake } from "./awake.js";
import { starting } from "./taps.js";
import { away, corrected } from "./around.js";
import { board, onTurn } from "./board.js";
import { countUp, nextButtons, reckoning, verdict } from "./end.js";
import { Link, post } from "./link.js";
import { paintLot } from "./lot.js";
import { asking, heard, notice } from "./sheet.js";

/** @import { AskView, DieView, Message, PlayerView, SeriesView, View } from "../types/api.d.ts" */
/** @import { Child, LinkState, PlayData } from "../types/pages.d.ts" */

const { message, offers } = /** @type {PlayData} */ (data);
/** @type {Link<Message>} */
const link = new Link({ view: paint, state });
const LONG = 48; // letters of a sentence that stands smaller in the head, and of a heading
const LONG_TITLE = 28;
const LONG_TOLD = 64;
const LONG_NAME = 14;
/** @param {string} name */
const long = (name) => (name.length > LONG_NAME ? ".long" : "");
/** @param {string} name */
const colour = (name) => say(`colour.${name}`);
/** @type {View | null} */
let old = null;
/** @type {Record<string, string | null>} */
const keys = {};
/** @type {number | undefined} */
let answered;
let speaks = new URLSearchParams(location.search).has("speak");

/**
 * @param {string} what
 * @param {unknown} parts
 * @param {() => void} work
 */
function once(what, parts, work) {
  const key = JSON.stringify(parts);
  if (keys[what] === key) return;
  keys[what] = key;
  work();
}

/** @param {Message} message */
function paint({ view, asks, code }) {
  const { game } = view;
  mark($("lobby"), "hidden", game ? true : null);
  mark($("play"), "hidden", game ? null : true);
  once("asks", asks, () => paintAsks(asks));
  once("code", code, () => paintCode(code));
  once("seats", view.seats, () => paintSeats(view));
  if (game?.phase === "over") {
    once(
      "game",
      [game, view.series],
      () => paintOver(view, old?.game?.id === game.id && old.game.phase !== "over"),
    );
  } else if (game) {
    once(
      "game",
      [game, view.seats, view.eyes, view.pictured],
      () => $("play").replaceChildren(...play(view)),
    );
  }
  once("broken", [view.broken, view.doubt], () => paintBroken(view));
  paintLot(view);
  stayAwake(true, () => {}); // whoever stands a display there sets its screen to stay on
  if (old) announce(view, old);
  old = view;
}

/** @param {View} view */
function paintBroken({ broken, doubt }) {
  const parts = broken.length
    ? [say("broken.line", { parts: names(broken.map((part) => say(`broken.${part}`))) })]
    : [];
  if (doubt) parts.push(say(`doubt.${doubt.kind}`, { n: doubt.entries }));
  mark($("broken"), "hidden", parts.length ? null : true);
  put($("broken"), parts.join(" "));
}

// --- lobby ----------------------------------------------------------------------------------------------

/** @param {View} view */
function paintSeats(view) {
  $("seats").replaceChildren(
    ...view.seats.map((seat) =>
      el(
        "li",
        {},
        el(`span.mark.${seat.mark}`, { "aria-hidden": "true" }),
        el(`span${long(seat.name)}`, {}, seatNote(seat) ? `${seat.name} (${seatNote(seat)})` : seat.name),
      )
    ),
  );
  mark($("start"), "hidden", view.seats.length ? null : true);
}

$("start").addEventListener(
  "click",
  () => link.message && starting(link.message.view, { do: "start" }, (wish) => link.send(wish)),
);

/** @param {string} code */
function paintCode(code) {
  if ($("code").textContent === code) return;
  put($("code"), code);
  put($("live"), say("said.new_code", { code }));
  /** @type {HTMLImageElement} */ ($("qr")).src = `/qr.svg?${code}`;
}

/** @param {AskView[]} asks */
function paintAsks(asks) {
  /**
   * @param {AskView} ask
   * @param {boolean} yes
   */
  const answer = (ask, yes) => () => post(`/api/asks/${ask.id}`, { yes });
  const list = asks.map((ask) =>
    el(
      "div.banner.ask",
      { role: "status" },
      el("p", {}, say(ask.frees ? "banner.ask_free" : "banner.ask_seat", { name: ask.name })),
      el(
        "button",
        { type: "button", onclick: answer(ask, true) },
        say(ask.frees ? "banner.yes_free" : "banner.yes", { name: ask.name }),
      ),
      el("button", { type: "button", onclick: answer(ask, false) }, say("banner.no")),
    )
  );
  $("banners").replaceChildren(...list);
}

// --- the game -------------------------------------------------------------------------------------------

/** @param {View} view */
function play(view) {
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
const heading = (text) => el(`h1${text.length > LONG_TITLE ? ".long" : ""}`, {}, text);

/** @param {View} view */
function seriesChip({ series }) {
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
          { "aria-label": `${colour(row.lock)} ${row.crosses}` },
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

/**
 * `fresh`: everybody watched the game end, so the points are counted up before it is said who won.
 * @param {View} view
 * @param {boolean} fresh
 */
function paintOver(view, fresh) {
  const { title, why, said } = verdict(view);
  const table = reckoning(view);
  const next = nextButtons(view, (wish) => link.send(wish));
  /**
   * @param {string} text
   * @param {string} more
   * @param {Child} after
   */
  const head = (text, more, after) =>
    el("header.turn.over", {}, heading(text), el("p", {}, more), seriesChip(view), after);
  const place = el("div.end-table", {}, table);
  const done = () => {
    $("play").replaceChildren(head(title, why, standings(view)), place, next);
    if (fresh) tell(said);
  };
  if (!fresh) return done();
  $("play").replaceChildren(head(say("end.title"), "", null), place);
  return countUp(table, view, done);
}

/**
 * The series after this game, best first.
 * @param {View} view
 */
function standings(view) {
  const { series } = view;
  if (!series?.results.length) return null;
  const { players: named } = gameOf(view);
  return el(
    "ol.standings",
    {},
    ...series.standings.map(({ seat, total, place }) =>
      el("li", {}, `${place}. ${named[seat].name} `, el("b", {}, String(total)))
    ),
  );
}

// --- voice ----------------------------------------------------------------------------------------------

/**
 * @param {View} view
 * @param {View} before
 */
function announce(view, before) {
  const { game } = view;
  const { game: was } = before;
  if (!game || was?.id !== game.id) return;
  if (view.early > before.early && game.deciding.length) answer(stillDecides(game));
  const texts = [];
  if (game.phase === "first" && was.phase !== "first") {
    texts.push(say("said.white", { sum: game.white_sum }));
  }
  for (const { seat, name, presence } of game.players) {
    if (presence !== was.players[seat].presence) texts.push(say(`away.${presence}`, { name }));
  }
  for (const name of game.closed) {
    if (!was.closed.includes(name)) texts.push(say("said.closed", { row: rowText(name) }));
  }
  if (game.last_turns !== null && was.last_turns === null) texts.push(say("said.last_round"));
  texts.push(...heard(view, before));
  if (texts.length) tell(texts.join(" "));
}

/** @param {string} text */
function tell(text) {
  put($("live"), text);
  if (speaks && "speechSynthesis" in globalThis) {
    const words = new SpeechSynthesisUtterance(text);
    words.lang = data.language;
    speechSynthesis.speak(words);
  }
}

/**
 * To a press that came too early.
 * @param {string} text
 */
function answer(text) {
  put($("answer"), text);
  mark($("answer"), "hidden", null);
  clearTimeout(answered);
  answered = setTimeout(() => mark($("answer"), "hidden", true), 6000);
}

$("speak").addEventListener("click", () => {
  speaks = !speaks;
  mark($("speak"), "aria-pressed", speaks);
});
mark($("speak"), "aria-pressed", speaks);

/** @param {LinkState} now */
function state(now) {
  const line = $("line");
  if (now === "gone") return location.reload();
  mark(document.body, "data-link", now);
  mark(line, "hidden", now === "live" ? true : null);
  if (now !== "live") put(line, say("line.offline"));
}

// A picture that stands still for hours burns in: it wanders by a few points each minute.
let minute = 0;
setInterval(() => {
  minute += 1;
  $("screen").style.translate = `${(minute % 5) - 2}px ${((minute * 2) % 5) - 2}px`;
}, 60000);

onTurn(() => {
  keys.game = null;
  link.show();
});

link.start(message);

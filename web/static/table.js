// The table display: lobby with the way in, then dice, sum, who decides; at the end who won. Needs no input.
// @ts-check

import { $, data, el, gameOf, mark, names, put, say, seatNote, stillDecides } from "./dom.js";
import { stayAwake } from "./awake.js";
import { starting } from "./taps.js";
import { onTurn } from "./board.js";
import { countUp, nextButtons, reckoning, verdict } from "./end.js";
import { Link, post } from "./link.js";
import { paintLot } from "./lot.js";
import { heading, long, play, seriesChip } from "./table-game.js";
import { happened } from "./headline.js";

/** @import { AskView, Message, View } from "../types/api.d.ts" */
/** @import { Child, LinkState, PlayData } from "../types/pages.d.ts" */

const { message } = /** @type {PlayData} */ (data);
/** @type {Link<Message>} */
const link = new Link({ view: paint, state });
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

// --- the end --------------------------------------------------------------------------------------------

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
  if (!game || before.game?.id !== game.id) return;
  if (view.early > before.early && game.deciding.length) answer(stillDecides(game));
  const texts = happened(view, before);
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
  mark($("speak"), "aria-pressed", String(speaks));
});
mark($("speak"), "aria-pressed", String(speaks));

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

// The demo: the lid, one phone's sheet and the lamps side by side, drawn by the modules that draw the real
// ones.
// @ts-check

import { $, data, el, face, gameOf, mark, put, say } from "./dom.js";
import { reckoning } from "./end.js";
import { Lamps } from "./lamps.js";
import { Link, post } from "./link.js";
import { playerCard } from "./player-card.js";
import { Sheet } from "./sheet.js";

/** @import { DemoMessage, DieView, GameView, Posts, View } from "../types/api.d.ts" */
/** @import { DemoData, LinkState } from "../types/pages.d.ts" */

const ROLLING = 250;
const lamps = new Lamps($("lamps"));
const sheet = new Sheet($("sheet"), () => {});
/** @type {Link<DemoMessage>} */
const link = new Link({ view: paint, state }, {
  live: "/api/demo/live",
  view: "/api/demo",
});
const lid = /** @type {HTMLImageElement} */ ($("lid"));
/** @type {Record<string, string>} */
const last = {};
let rolling = false;
let pictures = 0;

/**
 * @param {string} what
 * @param {unknown[]} parts
 * @param {() => void} work
 */
function once(what, parts, work) {
  const key = JSON.stringify(parts);
  if (last[what] === key) return;
  last[what] = key;
  work();
}

/** @param {DemoMessage} message */
function paint(message) {
  const { view, ended } = message;
  const { eyes } = view;
  const game = gameOf(view);
  put($("caption"), message.caption);
  lamps.paint(message.lamps);
  sheet.paint(view.own[0]);
  once("dice", [game.dice, game.phase, game.closed], () => $("dice").replaceChildren(...dice(game)));
  once(
    "others",
    [game, view.seats],
    () =>
      $("others").replaceChildren(
        ...game.players.filter((player) => player.seat !== view.own[0].seat).map((player) =>
          playerCard(view, player)
        ),
      ),
  );
  once("after", [ended], () => paintAfter(view, ended));
  paintControls(message);
  rolling = eyes.state === "reading" || eyes.state === "moving";
  if (message.pictured) once("picture", [rolling, game.phase, game.dice, game.deciding], look);
}

/** @param {GameView} game */
function dice(game) {
  if (!game.dice.length) {
    return [
      el("div.white-ones", {}, ...game.in_play.slice(0, 2).map((name) => face(name, null))),
      el("div.coloured-ones", {}, ...game.in_play.slice(2).map((name) => face(name, null))),
    ];
  }
  /** @param {DieView} each */
  const die = (each) =>
    el(`span.demo-die${game.closed.includes(each.colour) ? ".gone" : ""}`, {
      role: "img",
      "aria-label": say("die.label", { colour: say(`dice.${each.colour}`), pips: each.pips }),
    }, face(each.colour, each.pips));
  const sum = el("output.demo-sum", { "aria-hidden": "true" }, `= ${game.white_sum}`);
  mark($("dice"), "data-old", game.phase === "roll" || null);
  return [
    el("div.white-ones", {}, ...game.dice.slice(0, 2).map(die), sum),
    el("div.coloured-ones", {}, ...game.dice.slice(2).map(die)),
  ];
}

/** While dice roll, picture after picture; then the one they were read from. */
function look() {
  lid.src = `/api/demo/picture.jpg?n=${(pictures += 1)}`;
}
lid.addEventListener("load", () => rolling && setTimeout(look, ROLLING));
lid.addEventListener("error", () => rolling && setTimeout(look, 2 * ROLLING));

/**
 * @param {View} view
 * @param {DemoMessage["ended"]} ended
 */
function paintAfter(view, ended) {
  mark($("after"), "hidden", ended ? null : true);
  if (!ended) return;
  $("reckoning").replaceChildren(...(gameOf(view).phase === "over" ? [reckoning(view)] : []));
  scrollTo(0, 0);
}

/** @param {DemoMessage} message */
function paintControls({ paused, fast, ended }) {
  mark($("controls"), "hidden", ended ? true : null);
  put($("pause"), say(paused ? "demo.go_on" : "demo.pause"));
  mark($("pause"), "aria-pressed", paused);
  mark($("faster"), "aria-pressed", fast);
}

/** @param {Posts["/api/demo"]["body"]["do"]} what */
async function order(what) {
  const { answer } = await post("/api/demo", { do: what });
  if (answer) link.accept(answer);
}
$("pause").addEventListener("click", () => order(link.message?.paused ? "go on" : "pause"));
$("faster").addEventListener("click", () => order(link.message?.fast ? "slower" : "faster"));
$("stop").addEventListener("click", () => order("stop"));

/**
 * Another show began, or this one is forgotten: the page says which.
 * @param {LinkState} now
 */
function state(now) {
  if (now === "gone") location.reload();
}

link.start(/** @type {DemoData} */ (data).message);

// The demo: the lid, one phone's sheet and the lamps side by side, drawn by the modules that draw the real
// ones.

import { playerCard } from "./around.js";
import { $, data, el, face, mark, put, say } from "./dom.js";
import { reckoning } from "./end.js";
import { Lamps } from "./lamps.js";
import { Link, post } from "./link.js";
import { Sheet } from "./sheet.js";

const ROLLING = 250;
const lamps = new Lamps($("lamps"));
const sheet = new Sheet($("sheet"), () => {});
const link = new Link({ view: paint, refused: () => {}, state }, {
  live: "/api/demo/live",
  view: "/api/demo",
});
const lid = $("lid");
const last = {};
let rolling = false;
let pictures = 0;

function once(what, parts, work) {
  const key = JSON.stringify(parts);
  if (last[what] === key) return;
  last[what] = key;
  work();
}

function paint(message) {
  const { view, ended } = message;
  const { game, eyes } = view;
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

function dice(game) {
  if (!game.dice.length) {
    return [
      el("div.white-ones", {}, ...game.in_play.slice(0, 2).map((name) => face(name, null))),
      el("div.coloured-ones", {}, ...game.in_play.slice(2).map((name) => face(name, null))),
    ];
  }
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

function paintAfter(view, ended) {
  mark($("after"), "hidden", ended ? null : true);
  if (!ended) return;
  $("reckoning").replaceChildren(...(view.game.phase === "over" ? [reckoning(view)] : []));
  scrollTo(0, 0);
}

function paintControls({ paused, fast, ended }) {
  mark($("controls"), "hidden", ended ? true : null);
  put($("pause"), say(paused ? "demo.go_on" : "demo.pause"));
  mark($("pause"), "aria-pressed", paused);
  mark($("faster"), "aria-pressed", fast);
}

async function order(what) {
  const { answer } = await post("/api/demo", { do: what });
  if (answer) link.accept(answer);
}
$("pause").addEventListener("click", () => order(link.message.paused ? "go on" : "pause"));
$("faster").addEventListener("click", () => order(link.message.fast ? "slower" : "faster"));
$("stop").addEventListener("click", () => order("stop"));

/** Another show began, or this one is forgotten: the page says which. */
function state(now) {
  if (now === "gone") location.reload();
}

link.start(data.message);

// The table display: lobby with the way in, then dice, sum, who decides; at the end who won. Needs no input.

import { $, data, el, face, mark, names, put, say } from "./dom.js";
import { board, onTurn } from "./board.js";
import { reckoning } from "./end.js";
import { Link, post } from "./link.js";
import { paintLot } from "./lot.js";
import { asking, notice } from "./sheet.js";

const link = new Link({ view: paint, refused: () => {}, state });
const colour = (name) => say(`colour.${name}`);
let old = null;
let keys = {};
let speaks = new URLSearchParams(location.search).has("speak");

function once(what, parts, work) {
  const key = JSON.stringify(parts);
  if (keys[what] === key) return;
  keys[what] = key;
  work();
}

function paint({ view, asks }) {
  const { game } = view;
  mark($("lobby"), "hidden", game ? true : null);
  mark($("play"), "hidden", game ? null : true);
  once("asks", asks, () => paintAsks(asks));
  once("seats", view.seats, () => paintSeats(view));
  if (game) once("game", [game, view.eyes, view.series], () => $("play").replaceChildren(...(game.phase === "over" ? over(view) : play(view))));
  paintLot(view);
  if (old) announce(view, old);
  old = view;
}

// --- lobby ----------------------------------------------------------------------------------------------

function paintSeats(view) {
  $("seats").replaceChildren(...view.seats.map((seat) => el("li", {}, el(`span.mark.${seat.mark}`, { "aria-hidden": "true" }), seat.name)));
  mark($("start"), "hidden", view.seats.length ? null : true);
}

$("start").addEventListener("click", () => link.send({ do: "start" }));

function paintAsks(asks) {
  const answer = (ask, yes) => () => post(`/api/asks/${ask.id}`, { yes });
  const list = asks.map((ask) =>
    el("div.banner.ask", { role: "status" }, el("p", {}, say("banner.ask_seat", { name: ask.name })), el("button", { type: "button", onclick: answer(ask, true) }, say("banner.yes", { name: ask.name })), el("button", { type: "button", onclick: answer(ask, false) }, say("banner.no"))),
  );
  $("banners").replaceChildren(...list);
}

// --- the game -------------------------------------------------------------------------------------------

function play(view) {
  const { game, eyes } = view;
  const active = game.players[game.active];
  const head = el(
    "header.turn",
    {},
    game.drawing ? null : el(`span.mark.${view.seats[active.seat].mark}`, { "aria-hidden": "true" }),
    el("h1", {}, game.drawing ? say("lobby.drawing") : game.phase === "roll" ? say("head.rolls", { name: active.name }) : say("head.turn_of", { name: active.name })),
    el("p", {}, status(view)),
    ...game.closed.map((name) => el(`span.closed-row.${name}`, {}, el("i.padlock", { "aria-hidden": "true" }), say("said.closed", { colour: colour(name) }))),
  );
  const loud = [
    ...game.announced.map((closing) => el(`p.loud.${closing.colour}`, {}, say("banner.closes", { name: game.players[closing.seat].name, colour: colour(closing.colour) }))),
    ...game.take_out.map((name) => el(`p.loud.${name}`, {}, say("banner.take_out", { die: say(`die_it.${name}`) }))),
  ];
  mark($("play"), "data-board", game.board.length > 0 || null);
  return [head, el("div.middle", {}, roll(view), el("div.lid-place", {}, ...lid(view, eyes), ...loud)), game.board.length ? board(view) : null, players(view)].filter(Boolean);
}

function status(view) {
  const { game, eyes } = view;
  if (game.last_turns !== null && game.phase === "roll") return say("head.last_turns", { n: game.last_turns });
  if (game.phase === "roll" && eyes.state === "reading") return say("head.reading");
  if (game.phase === "roll" && eyes.state === "moving") return notice(eyes) || say("head.moving");
  if (game.phase === "roll" && eyes.state === "ask") return asking(eyes).join(" ");
  if (eyes.state === "trouble") return notice(eyes);
  if (game.phase === "second") return say("head.second");
  if (game.phase === "third") return say("head.third");
  if (game.phase === "first") return say("head.waiting", { names: names(game.deciding.map((seat) => game.players[seat].name)) });
  return "";
}

function roll(view) {
  const { game } = view;
  if (!game.dice.length) return el("section.roll.empty", {}, ...game.in_play.map((name) => face(name, null)));
  const white = game.dice.slice(0, 2);
  const coloured = game.dice.slice(2);
  const die = (each) => el("span.table-die", { role: "img", "aria-label": say("die.label", { colour: say(`dice.${each.colour}`), pips: each.pips }) }, face(each.colour, each.pips), el("b", { "aria-hidden": "true" }, each.by_hand ? say("die.by_hand") : say(`letter.${each.colour}`)));
  return el(
    `section.roll${game.phase === "roll" ? ".old" : ""}`,
    { "aria-label": say("dice.title") },
    el("div.white-side", {}, el("div.white-dice", {}, ...white.map(die)), el("p.white-sum", {}, el("small", {}, say("table.white")), String(game.white_sum))),
    el("div.coloured", {}, ...coloured.map(die)),
  );
}

function lid(view, eyes) {
  if (!data.picture || eyes.state === "off") return [];
  const picture = el("img.lid-picture", { src: `/api/picture.jpg?v=${view.version}`, alt: say(data.seen ? "menu.seen" : "table.lid") });
  return [data.seen ? el("a", { href: "/seen" }, picture) : picture];
}

function players(view) {
  const { game } = view;
  return el(
    "section.players",
    {},
    ...game.players.map((player) => {
      const state = player.deciding && game.phase !== "roll" ? ".deciding" : "";
      const rows = player.rows.map((row) => el(`span.count.${row.lock}${row.locked ? ".locked" : ""}`, { "aria-label": `${colour(row.lock)} ${row.crosses}` }, el("b", {}, say(`letter.${row.lock}`)), String(row.crosses)));
      const boxes = el("span.boxes", { role: "img", "aria-label": say("foot.misthrows", { n: player.misthrows }) }, ...[0, 1, 2, 3].map((n) => el(n < player.misthrows ? "i.marked" : "i")));
      const head = el("h2", {}, el(`span.mark.${view.seats[player.seat].mark}`, { "aria-hidden": "true" }), el("span.name", {}, player.name));
      return el(`article.player${player.active && !game.drawing ? ".active" : ""}${state}`, {}, head, el("p.points", {}, player.score === null ? "?" : String(player.score)), el("p.counts", {}, ...rows), boxes, el("p.thinks", {}, state ? say("others.deciding") : ""));
    }),
  );
}

function over(view) {
  const { game } = view;
  const winners = names(game.winners.map((seat) => game.players[seat].name));
  const title = say(game.winners.length > 1 ? "end.shared" : "end.wins", { name: winners, names: winners });
  return [el("header.turn.over", {}, el("h1", {}, title), el("p", {}, say(`end.${game.ended_by}`))), el("div.end-table", {}, reckoning(view))];
}

// --- voice ----------------------------------------------------------------------------------------------

function announce(view, before) {
  const { game } = view;
  if (!game || before.game?.id !== game.id) return;
  const texts = [];
  if (game.phase === "first" && before.game.phase !== "first") texts.push(say("said.white", { sum: game.white_sum }));
  for (const name of game.closed) if (!before.game.closed.includes(name)) texts.push(say("said.closed", { colour: colour(name) }));
  if (game.last_turns !== null && before.game.last_turns === null) texts.push(say("said.last_round"));
  if (game.phase === "over" && before.game.phase !== "over") {
    const winners = names(game.winners.map((seat) => game.players[seat].name));
    texts.push(say(game.winners.length > 1 ? "said.over_shared" : "said.over", { names: winners }));
  }
  if (!texts.length) return;
  put($("live"), texts.join(" "));
  if (speaks && "speechSynthesis" in window) {
    const words = new SpeechSynthesisUtterance(texts.join(" "));
    words.lang = data.language;
    speechSynthesis.speak(words);
  }
}

$("speak").addEventListener("click", (event) => {
  speaks = !speaks;
  event.currentTarget.setAttribute("aria-pressed", String(speaks));
});
mark($("speak"), "aria-pressed", speaks);

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

link.start(data.message);

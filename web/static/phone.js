// A phone: joins the link to the screens. One seat's sheet is in front; a phone may hold several.

import { Around, corrected } from "./around.js";
import { $, cellText, data, el, knows, mark, names, put, say } from "./dom.js";
import { Dice } from "./dice.js";
import { Link, post } from "./link.js";
import { armed, headline, overlay, paintFooter, reason, Sheet, tapped } from "./sheet.js";

const offers = data;
let front = 0; // the seat whose sheet is shown
let shown = null;
let old = null;
let toastTimer = null;
let lastTurn = null;

const link = new Link({ view: paint, refused, state });
const act = (wish) => link.send({ seat: front, ...wish });
const sheet = new Sheet($("sheet"), tap);
const dice = new Dice($("dice"), {
  correct: (roll) => act({ do: "correct-dice", dice: roll }),
  roll: (roll) => act({ do: "roll", dice: roll, helping: front !== link.message.view.game.active }),
  move: (space) => act({ do: "move", space }),
  virtual: () => act({ do: "roll-virtual" }),
  refuse: toast,
});
const around = new Around({ act, toast, link, post, offers, enter: () => dice.enter(link.message.view) });

// --- what is shown --------------------------------------------------------------------------------------

function paint(message, pending, quick) {
  const { view } = message;
  if (quick && shown && view.game) return paintTap(view, pending);
  const mine = view.seats.filter((seat) => seat.mine).map((seat) => seat.seat);
  if (!mine.length) return link.stop("gone"); // a browser on the companion itself still sees the table
  if (!mine.includes(front)) front = mine[0];
  const screen = !view.game ? "lobby" : view.game.phase === "over" ? "over" : "game";
  mark($("screen"), "data-screen", screen);
  const own = view.own.find((each) => each.seat === front);
  shown = own ? overlay(own, pending) : null;
  paintTabs(view);
  around.paint(message, screen, front);
  if (view.game && shown) {
    if (screen === "game") {
      const [first, second] = headline(view, shown, offers);
      put($("headline"), first);
      put($("hint"), second);
      dice.paint(view, shown, offers);
    }
    sheet.paint(shown);
    paintFooter(view, shown, offers);
  }
  mark(document.querySelector(".bottom"), "hidden", screen !== "game" || null);
  mark($("sheet"), "hidden", screen === "lobby" || null);
  mark($("dice"), "hidden", screen !== "game" || null);
  if (view.game?.drawing || old?.game?.drawing) lot(view);
  if (old !== view) announce(view, old);
  old = view;
}

/** Loaded when lots are drawn, not with the sheet. */
async function lot(view) {
  const { paintLot } = await import("./lot.js");
  paintLot(view);
}

/** Only what a tap changes; the rest follows after the frame. */
function paintTap(view, pending) {
  const own = view.own.find((each) => each.seat === front);
  if (!own) return;
  shown = overlay(own, pending);
  sheet.paint(shown);
  paintFooter(view, shown, offers);
}

function paintTabs(view) {
  const tabs = $("tabs");
  mark(tabs, "hidden", view.own.length < 2 || null);
  if (view.own.length < 2) return;
  const key = view.own.map((own) => `${own.seat}${own.deciding}`).join() + front;
  if (tabs.dataset.key === key) return;
  tabs.dataset.key = key;
  tabs.replaceChildren(
    ...view.own.map((own) => {
      const seat = view.seats[own.seat];
      const tab = el(`button.tab${own.deciding ? ".deciding" : ""}`, { type: "button", role: "tab", "aria-selected": String(own.seat === front) });
      tab.append(el(`span.mark.${seat.mark}`, { "aria-hidden": "true" }), seat.name);
      tab.addEventListener("click", () => ((front = own.seat), link.show()));
      return tab;
    }),
  );
}

const rolls = (game) => game.number - (game.phase === "roll" ? 1 : 0);

/** Says to everybody's ears what changed; eyes see it on the sheet. */
function announce(view, before) {
  const game = view.game;
  if (!game) {
    lastTurn = null;
    return;
  }
  const now = `${game.id}.${game.number}`;
  const texts = [];
  if (before?.game?.id === game.id) {
    const missed = rolls(game) - rolls(before.game) - (game.phase === "first" ? 1 : 0);
    if (link.reopened && missed > 0) toast(missed === 1 ? say("said.missed_one") : say("said.missed", { n: missed }));
    for (const colour of game.closed) if (!before.game.closed.includes(colour)) texts.push(say("said.closed", { colour: say(`colour.${colour}`) }));
    if (view.corrected && JSON.stringify(view.corrected) !== JSON.stringify(before.corrected)) texts.push(corrected(view));
    if (game.phase === "first" && before.game.phase !== "first") texts.push(say("said.white", { sum: game.white_sum }));
    if (game.last_turns !== null && before.game.last_turns === null) texts.push(say("said.last_round"));
    if (game.phase === "over" && before.game.phase !== "over") {
      const winners = names(game.winners.map((seat) => game.players[seat].name));
      texts.push(say(game.winners.length > 1 ? "said.over_shared" : "said.over", { names: winners }));
    }
  }
  if (game.drawing) return;
  if (lastTurn !== now && game.phase === "roll") texts.push(say("said.turn", { name: game.players[game.active].name }));
  lastTurn = now;
  if (!texts.length) return;
  put($("live"), texts.join(" "));
  around.speak(texts.join(" "));
}

// --- taps -----------------------------------------------------------------------------------------------

function tap(name) {
  const { view } = link.message;
  const cell = shown.rows.flatMap((row) => row.cells).find((each) => each.cell === name);
  const action = tapped(cell, shown);
  if (action === null) {
    sheet.shake(name);
    return toast(reason(cell, view, shown));
  }
  if (action === 0) return takeBack(name);
  if (action === 2 && shown.first === name) takeBack(name);
  if (navigator.vibrate) navigator.vibrate(8);
  put($("live"), say("said.crossed", { cell: cellText(name) }));
  return act({ do: "cross", cell: name, action });
}

/** The table takes both choices of a seat back at once; the other one is chosen again. */
function takeBack(name) {
  const other = shown.first === name ? [shown.second, 2] : [shown.first, 1];
  act({ do: "take-back" });
  if (other[0] && other[0] !== name) act({ do: "cross", cell: other[0], action: other[1] });
  put($("live"), say("said.took_back"));
}

$("undo").addEventListener("click", () => {
  if (!shown?.undo) return;
  if (shown.second || shown.first) takeBack(shown.second ?? shown.first);
  else act({ do: "take-back" });
});

$("finish").addEventListener("click", async (event) => {
  const action = event.currentTarget.dataset.action;
  if (!action || !armed()) return;
  if (action === "done") act({ do: "done" });
  else if (action === "enter") dice.enter(link.message.view);
  else {
    const { error } = await post("/api/press", {});
    if (error) refused(error);
  }
});

// --- what went wrong ------------------------------------------------------------------------------------

function refused(error, wish) {
  if (wish?.cell) sheet.shake(wish.cell);
  const { view } = link.message;
  if (wish?.do === "correct-dice" && error.error === "not-active" && view.game) {
    return toast(say("pad.not_now", { name: view.game.players[view.game.active].name }));
  }
  if (error.why && view.game && shown) return toast(reason({ why: error.why }, view, shown));
  const key = `error.${error.error}`;
  return toast(knows(key) ? say(key, { n: error.number ?? error.retry_after }) : error.text);
}

export function toast(text) {
  const node = $("toast");
  node.hidden = false;
  node.classList.remove("fresh");
  put(node, text);
  put($("live"), text);
  requestAnimationFrame(() => node.classList.add("fresh"));
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (node.hidden = true), 4200);
}

function state(now) {
  const line = $("line");
  mark(document.body, "data-link", now);
  if (now === "live") return mark(line, "hidden", true);
  if (now === "gone") return location.replace("/join");
  mark(line, "hidden", null);
  if (now === "offline") return line.replaceChildren(say("line.offline"));
  return line.replaceChildren(say("line.elsewhere"), " ", el("button.small", { type: "button", onclick: () => link.resume() }, say("line.here")));
}

link.start(data.message);

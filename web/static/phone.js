// A phone: joins the link to the screens. One seat's sheet is in front; a phone may hold several.

import { Around, corrected } from "./around.js";
import { $, cellText, data, el, knows, mark, put, rowText, say, stillDecides } from "./dom.js";
import { Dice } from "./dice.js";
import { Link, post } from "./link.js";
import { acts, headline, heard, overlay, paintFooter, reason, Sheet, tapped, undoesDone } from "./sheet.js";

const offers = data;
let front = 0; // the seat whose sheet is shown
let shown = null;
let old = null;
let toastTimer = null;
let lastTurn = null;
let watching = null;
let awake = false;
let hints = null; // the module
let handed = ""; // for which moment the phone was handed on
let called = null; // whether somebody of this phone had to act

const link = new Link({ view: paint, refused, state });
const act = (wish) => link.send({ seat: front, ...wish });
const sheet = new Sheet($("sheet"), tap);
const dice = new Dice($("dice"), {
  correct: (roll) => act({ do: "correct-dice", dice: roll }),
  roll: (roll) => act({ do: "roll", dice: roll, helping: front !== link.message.view.game.active }),
  move: (space) => act({ do: "move", space }),
  virtual: () => act({ do: "roll-virtual" }),
  press: () => press(),
  photograph: () => photograph(),
  refuse: toast,
});
const tone = {
  module: null,
  get on() {
    return localStorage.getItem("boxlid-tone") !== "off";
  },
  set on(on) {
    localStorage.setItem("boxlid-tone", on ? "on" : "off");
    if (on) this.module?.call();
  },
};
const around = new Around({
  act,
  tell,
  toast,
  link,
  post,
  offers,
  tone,
  enter: () => dice.enter(link.message.view),
});

// --- what is shown --------------------------------------------------------------------------------------

function paint(message, pending, quick) {
  const { view } = message;
  if (data.code !== message.code) tellCode(message.code);
  if (quick && shown && view.game) return paintTap(view, pending);
  const mine = view.seats.filter((seat) => seat.mine).map((seat) => seat.seat);
  if (!mine.length && view.waiting.some((seat) => seat.mine)) return watch(view);
  if (!mine.length) return link.stop("gone"); // a browser on the companion itself still sees the table
  if (watching) watching = watching.watch(null) ?? null;
  if (!mine.includes(front)) front = mine[0];
  const left = acting(view);
  handOver(view, left);
  const screen = !view.game ? "lobby" : view.game.phase === "over" ? "over" : "game";
  mark($("screen"), "data-screen", screen);
  const own = view.own.find((each) => each.seat === front);
  shown = own ? overlay(own, pending, view.game.board) : null;
  paintTabs(view);
  around.paint(message, screen, front);
  if (view.game && shown) {
    if (screen === "game") {
      const [first, second] = headline(view, shown, offers);
      put($("headline"), first);
      put($("hint"), second);
      if (view.game.hints !== "off") paintHint(view);
      dice.paint(view, shown, offers);
    }
    sheet.paint(shown);
    paintFooter(view, shown, offers, nextOf(left));
  }
  paintTurn(view, screen);
  keepAwake(screen === "game");
  if (left.length && called === false && tone.on) tone.module?.call();
  called = left.length > 0;
  mark(document.querySelector(".bottom"), "hidden", screen !== "game" || null);
  mark($("sheet"), "hidden", screen === "lobby" || null);
  mark($("dice"), "hidden", screen !== "game" || null);
  if (view.game?.drawing || old?.game?.drawing) lot(view);
  if (old !== view) announce(view, old);
  old = view;
}

/** Who came late watches until the next game; loaded for them alone. */
async function watch(view) {
  watching ??= await import("./watch.js");
  watching.watch(view, act);
}

/** The seats of this phone that have to act. */
const acting = (
  view,
) => (view.game?.drawing ? [] : view.own.filter((own) => own.deciding).map((own) => own.seat));

/** The next of them after the one in front. */
const nextOf = (left) => left.find((seat) => seat > front) ?? left[0];

/** To the only one who is left the phone goes by itself, once: who looks at another sheet then may. */
function handOver(view, left) {
  const now = `${view.moment} ${left}`;
  if (now !== handed && left.length === 1) [front] = left;
  handed = now;
}

/** Who has to act sees it at a glance, and in the name of the page. */
function paintTurn(view, screen) {
  const now = screen === "game" && shown && acts(shown) && !view.game.drawing;
  mark($("screen"), "data-acts", now || null);
  const mine = view.game?.active === front ? "turn.yours" : "turn.choose";
  document.title = `${now ? `● ${say(mine)}` : $("headline").textContent} · Boxlid`;
}

/** The way in has changed: whoever has a seat can tell the others. */
function tellCode(fresh) {
  const first = !data.code;
  data.code = fresh;
  if (first) return;
  for (const picture of document.querySelectorAll("img.qr")) picture.src = `/qr.svg?${fresh}`;
  for (const shown of document.querySelectorAll(".invite-code")) shown.lastChild.data = fresh;
  toast(say("said.new_code", { code: fresh }));
}

/** Loaded when a game begins, not with the sheet. */
async function keepAwake(playing) {
  if (playing === awake) return;
  awake = playing;
  const { stayAwake } = await import("./awake.js");
  stayAwake(playing, () => toast(say("line.may_go_dark")));
}

/** Loaded when lots are drawn, not with the sheet. */
async function lot(view) {
  const { paintLot } = await import("./lot.js");
  paintLot(view);
}

/** Loaded where the table plays with hints. */
async function loadHints() {
  hints = await import("./hints.js");
  link.show();
}

function paintHint(view) {
  if (!hints) return void loadHints();
  hints.paintHints(view, shown, () => link.show());
  const found = hints.hinted(view, shown);
  shown = { ...shown, hinted: found?.cell ?? null, hinted_space: found?.space ?? null };
}

/** Only what a tap changes; the rest follows after the frame. */
function paintTap(view, pending) {
  const own = view.own.find((each) => each.seat === front);
  if (!own) return;
  shown = overlay(own, pending, view.game.board);
  if (hints) paintHint(view);
  sheet.paint(shown);
  paintFooter(view, shown, offers, nextOf(acting(view)));
  paintTurn(view, "game");
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
      const tab = el(`button.tab${own.deciding ? ".deciding" : ""}`, {
        type: "button",
        role: "tab",
        "aria-selected": String(own.seat === front),
      });
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
    if (link.reopened && missed > 0) toast(say("said.missed", { n: missed }));
    for (const { seat, name, presence } of game.players) {
      if (presence !== before.game.players[seat].presence) texts.push(say(`away.${presence}`, { name }));
    }
    for (const colour of game.closed) {
      if (!before.game.closed.includes(colour)) texts.push(say("said.closed", { row: rowText(colour) }));
    }
    if (view.corrected && JSON.stringify(view.corrected) !== JSON.stringify(before.corrected)) {
      texts.push(corrected(view));
    }
    if (game.phase === "first" && before.game.phase !== "first") {
      texts.push(say("said.white", { sum: game.white_sum }));
    }
    if (game.last_turns !== null && before.game.last_turns === null) texts.push(say("said.last_round"));
  }
  if (before && view.early > before.early && game.deciding.length) toast(stillDecides(view, front));
  texts.push(...heard(view, before));
  if (game.drawing) return;
  if (lastTurn !== now && game.phase === "roll") {
    texts.push(
      say(game.players[game.active].level ? "said.roll_for" : "said.turn", {
        name: game.players[game.active].name,
      }),
    );
  }
  lastTurn = now;
  if (texts.length) tell(texts.join(" "));
}

function tell(text) {
  put($("live"), text);
  around.speak(text);
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
  if (action === 3) {
    return act({
      do: "move",
      space: view.game.landings.find((space) => view.game.board[space - 1].cell === name),
    });
  }
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
  if (shown && undoesDone(shown, link.message.view)) return act({ do: "take-back-done" });
  if (!shown?.undo) return;
  if (shown.second || shown.first) takeBack(shown.second ?? shown.first);
  else act({ do: "take-back" });
});

$("finish").addEventListener("click", (event) => {
  const action = event.currentTarget.dataset.action;
  if (!action) return;
  if (action === "done") act({ do: "done" });
  else if (action === "back") act({ do: "come-back" });
  else if (action === "next") {
    front = nextOf(acting(link.message.view));
    link.show();
  } else if (action === "enter") dice.enter(link.message.view);
  else if (action === "photograph") photograph();
  else press();
});

async function press() {
  const { error } = await post("/api/press", {});
  if (error) refused(error);
}

/** Opens the phone's camera. */
const photograph = () => $("photo").click();

/** Loaded with the first photograph, not with the sheet. */
$("photo").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  const { photographed } = await import("./photo.js");
  await photographed(file, { read: (message) => link.accept(message), refuse: toast });
  target.value = ""; // the same file may be sent again
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
  return line.replaceChildren(
    say("line.elsewhere"),
    " ",
    el("button.small", { type: "button", onclick: () => link.resume() }, say("line.here")),
  );
}

/** Loaded with the first tap, not with the sheet. A phone that is offline then loads it with a later one. */
addEventListener("click", async () => {
  if (!tone.module && !navigator.onLine) return;
  tone.module ??= await import("./tone.js").catch(() => null);
  if (tone.on) tone.module?.wake();
}, true);

link.start(data.message);

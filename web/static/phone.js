// A phone: joins the link to the screens. One seat's sheet is in front; a phone may hold several.
// @ts-check

import { Around } from "./around.js";
import { $, all, cellText, data, el, gameOf, knows, mark, put, say, stillDecides } from "./dom.js";
import { Dice } from "./dice.js";
import {
  acts,
  corrected,
  happened,
  headline,
  paintFooter,
  paintTabs,
  reason,
  rollsBetween,
  turnText,
  undoesDone,
} from "./headline.js";
import { Link, post } from "./link.js";
import { overlay, Sheet, tapped } from "./sheet.js";

/** @import { ErrorBody, Message, OwnView, View } from "../types/api.d.ts" */
/** @import { LinkState, PlayData, Shown, Tone, Wish } from "../types/pages.d.ts" */

const { message: begun, offers } = /** @type {PlayData} */ (data);
let front = 0; // the seat whose sheet is shown
let shown = /** @type {Shown | null} */ (null);
let old = /** @type {View | null} */ (null);
let toastTimer = 0;
let lastTurn = /** @type {string | null} */ (null);
let watching = /** @type {typeof import("./watch.js") | null} */ (null);
let awake = false;
let hints = /** @type {typeof import("./hints.js") | null} */ (null);
let handed = ""; // for which moment the phone was handed on
let code = begun.code;
let called = /** @type {boolean | null} */ (null); // whether somebody of this phone had to act

/** @type {Link<Message>} */
const link = new Link({ view: paint, refused, state });
const newest = () => (link.message ?? begun).view;
/** @param {Wish} wish */
const act = (wish) => link.send({ seat: front, ...wish });
const photo = /** @type {HTMLInputElement} */ ($("photo")); // opens the phone's camera
const [bottom] = all(document, ".bottom");
const sheet = new Sheet($("sheet"), tap);
const dice = new Dice($("dice"), {
  correct: (roll) => act({ do: "correct-dice", dice: roll }),
  roll: (roll) => act({ do: "roll", dice: roll, helping: front !== newest().game?.active }),
  move: (space) => act({ do: "move", space }),
  virtual: () => act({ do: "roll-virtual" }),
  press: () => press(),
  photograph: () => photo.click(),
  refuse: toast,
});
/** @type {Tone} */
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
  link,
  post,
  offers,
  tone,
  enter: () => dice.enter(newest()),
});

// --- what is shown --------------------------------------------------------------------------------------

/**
 * @param {Message} message
 * @param {Wish[]} pending
 * @param {boolean} [quick]
 */
function paint(message, pending, quick) {
  const { view } = message;
  if (code !== message.code) tellCode(message.code);
  if (quick && shown && view.game) return paintTap(view, pending);
  const mine = view.seats.filter((seat) => seat.mine).map((seat) => seat.seat);
  if (!mine.length && view.waiting.some((seat) => seat.mine)) return watch(view);
  if (!mine.length) return link.stop("gone"); // a browser on the companion itself still sees the table
  if (watching) {
    watching.watch(null, act);
    watching = null;
  }
  if (!mine.includes(front)) front = mine[0];
  const left = acting(view);
  handOver(view, left);
  const screen = !view.game ? "lobby" : view.game.phase === "over" ? "over" : "game";
  mark($("screen"), "data-screen", screen);
  const own = view.own.find((each) => each.seat === front);
  shown = own ? overlay(own, pending, view.game?.board) : null;
  paintTabs(view, front, (seat) => ((front = seat), link.show()));
  around.paint(message, screen, front);
  if (view.game && shown) {
    if (screen === "game") {
      const [first, second] = headline(view, shown, offers);
      put($("headline"), first);
      put($("hint"), second);
      if (view.game.hints !== "off") shown = withHint(view, shown);
      dice.paint(view, shown, offers);
    }
    sheet.paint(shown);
    paintFooter(view, shown, offers, nextOf(left));
  }
  paintTurn(view, screen);
  keepAwake(screen === "game");
  if (left.length && called === false && tone.on) tone.module?.call();
  called = left.length > 0;
  mark(bottom, "hidden", screen !== "game" || null);
  mark($("sheet"), "hidden", screen === "lobby" || null);
  mark($("dice"), "hidden", screen !== "game" || null);
  if (view.game?.drawing || old?.game?.drawing) lot(view);
  if (old !== view) announce(view, old);
  old = view;
}

/**
 * Who came late watches until the next game; loaded for them alone.
 * @param {View} view
 */
async function watch(view) {
  if (!watching) {
    const loaded = await import("./watch.js");
    if (newest() !== view) return; // the newer view was painted already
    watching = loaded;
  }
  watching.watch(view, act);
}

/**
 * The seats of this phone that have to act.
 * @param {View} view
 */
const acting = (
  view,
) => (view.game?.drawing ? [] : view.own.filter((own) => own.deciding).map((own) => own.seat));

/**
 * The next of them after the one in front.
 * @param {number[]} left
 * @returns {number | undefined}
 */
const nextOf = (left) => left.find((seat) => seat > front) ?? left[0];

/**
 * To the only one who is left the phone goes by itself, once: who looks at another sheet then may.
 * @param {View} view
 * @param {number[]} left
 */
function handOver(view, left) {
  const now = `${view.moment} ${left}`;
  if (now !== handed && left.length === 1) [front] = left;
  handed = now;
}

/**
 * Who has to act sees it at a glance, and in the name of the page.
 * @param {View} view
 * @param {string} screen
 */
function paintTurn(view, screen) {
  const now = screen === "game" && shown && acts(shown) && !view.game?.drawing;
  mark($("screen"), "data-acts", now || null);
  const mine = view.game?.active === front ? "turn.yours" : "turn.choose";
  document.title = `${now ? `● ${say(mine)}` : $("headline").textContent} · Boxlid`;
}

/**
 * The way in has changed: whoever has a seat can tell the others.
 * @param {string} fresh
 */
function tellCode(fresh) {
  code = fresh;
  for (const picture of all(document, "img.qr")) picture.setAttribute("src", `/qr.svg?${fresh}`);
  for (const { lastChild } of all(document, ".invite-code")) if (lastChild) lastChild.textContent = fresh;
  toast(say("said.new_code", { code: fresh }));
}

/**
 * Loaded when a game begins, not with the sheet.
 * @param {boolean} playing
 */
async function keepAwake(playing) {
  if (playing === awake) return;
  awake = playing;
  const { stayAwake } = await import("./awake.js");
  stayAwake(playing, () => toast(say("line.may_go_dark")));
}

/**
 * Loaded when lots are drawn, not with the sheet.
 * @param {View} view
 */
async function lot(view) {
  const { paintLot } = await import("./lot.js");
  paintLot(view);
}

/** Loaded where the table plays with hints. */
async function loadHints() {
  hints = await import("./hints.js");
  link.show();
}

/**
 * The sheet with the hint that holds now.
 * @param {View} view
 * @param {Shown} own
 * @returns {Shown}
 */
function withHint(view, own) {
  if (!hints) {
    loadHints();
    return own;
  }
  hints.paintHints(view, own, () => link.show());
  const found = hints.hinted(view, own);
  return { ...own, hinted: found?.cell ?? null, hinted_space: found?.space ?? null };
}

/**
 * Only what a tap changes; the rest follows after the frame.
 * @param {View} view
 * @param {Wish[]} pending
 */
function paintTap(view, pending) {
  const own = view.own.find((each) => each.seat === front);
  if (!own) return;
  shown = overlay(own, pending, view.game?.board);
  if (hints) shown = withHint(view, shown);
  sheet.paint(shown);
  paintFooter(view, shown, offers, nextOf(acting(view)));
  paintTurn(view, "game");
}

/**
 * Says to everybody's ears what changed; eyes see it on the sheet.
 * @param {View} view
 * @param {View | null} before
 */
function announce(view, before) {
  const { game } = view;
  if (!game) {
    lastTurn = null;
    return;
  }
  const missed = link.reopened ? rollsBetween(view, before) : 0;
  if (missed > 0) toast(say("said.missed", { n: missed }));
  if (before && view.early > before.early && game.deciding.length) toast(stillDecides(game, front));
  const texts = happened(view, before);
  const news = JSON.stringify(view.corrected) !== JSON.stringify(before?.corrected);
  if (news && before?.game?.id === game.id) texts.push(corrected(view));
  if (!game.drawing) {
    const now = `${game.id}.${game.number}`;
    if (lastTurn !== now && game.phase === "roll") texts.push(turnText(game));
    lastTurn = now;
  }
  if (texts.length && !game.drawing) tell(texts.filter(Boolean).join(" "));
}

/** @param {string} text */
function tell(text) {
  put($("live"), text);
  around.speak(text);
}

// --- taps -----------------------------------------------------------------------------------------------

/** @param {string} name */
function tap(name) {
  const view = newest();
  const cell = shown?.rows.flatMap((row) => row.cells).find((each) => each.cell === name);
  if (!shown || !cell) return;
  const action = tapped(cell, shown);
  if (action === null) {
    sheet.shake(name);
    return toast(reason(cell, view, shown));
  }
  if (action === 0) return takeBack(shown, name);
  if (action === 2 && shown.first === name) takeBack(shown, name);
  if (navigator.vibrate) navigator.vibrate(8);
  put($("live"), say("said.crossed", { cell: cellText(name) }));
  if (action === 3) {
    const { landings, board } = gameOf(view);
    return act({ do: "move", space: landings.find((space) => board[space - 1].cell === name) ?? 0 });
  }
  act({ do: "cross", cell: name, action });
}

/**
 * The table takes both choices of a seat back at once; the other one is chosen again.
 * @param {Shown} own
 * @param {string} name
 */
function takeBack(own, name) {
  const [other, action] = own.first === name
    ? [own.second, /** @type {2} */ (2)]
    : [own.first, /** @type {1} */ (1)];
  act({ do: "take-back" });
  if (other && other !== name) act({ do: "cross", cell: other, action });
  put($("live"), say("said.took_back"));
}

$("undo").addEventListener("click", () => {
  if (shown && undoesDone(shown, newest())) return act({ do: "take-back-done" });
  if (!shown?.undo) return;
  const chosen = shown.second ?? shown.first;
  if (chosen) takeBack(shown, chosen);
  else act({ do: "take-back" });
});

$("finish").addEventListener("click", () => {
  const { action } = $("finish").dataset;
  if (!action) return;
  if (action === "done") act({ do: "done" });
  else if (action === "back") act({ do: "come-back" });
  else if (action === "next") {
    front = nextOf(acting(newest())) ?? front;
    link.show();
  } else if (action === "enter") dice.enter(newest());
  else if (action === "photograph") photo.click();
  else press();
});

async function press() {
  const { error } = await post("/api/press", {});
  if (error) refused(error);
}

/** Loaded with the first photograph, not with the sheet. */
photo.addEventListener("change", async () => {
  const file = photo.files?.[0];
  if (!file) return;
  const { photographed } = await import("./photo.js");
  await photographed(file, { read: (message) => link.accept(message), refuse: toast });
  photo.value = ""; // the same file may be sent again
});

// --- what went wrong ------------------------------------------------------------------------------------

/**
 * @param {ErrorBody} error
 * @param {Wish} [wish]
 */
function refused(error, wish) {
  if (wish?.do === "cross") sheet.shake(wish.cell);
  const view = newest();
  if (wish?.do === "correct-dice" && error.error === "not-active" && view.game) {
    return toast(say("pad.not_now", { name: view.game.players[view.game.active].name }));
  }
  if (error.why && view.game && shown) return toast(reason({ why: error.why }, view, shown));
  const key = `error.${error.error}`;
  return toast(knows(key) ? say(key, { n: error.number ?? error.retry_after }) : error.text);
}

/** @param {string} text */
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

/** @param {LinkState} now */
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

link.start(begun);

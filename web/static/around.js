// Everything around the sheet: lobby, banners, others' sheets, menu, and the end.
// @ts-check

import {
  $,
  capital,
  cellName,
  cellText,
  data,
  dialog,
  el,
  gameOf,
  inWords,
  mark,
  names,
  ownColour,
  phoneless,
  put,
  rowText,
  say,
  seatNote,
} from "./dom.js";
import { ask } from "./taps.js";

/**
 * @import {
 *   Change, ClosingView, GameView, Message, OwnView, PlayerView, SeatView, View
 * } from "../types/api.d.ts"
 */
/** @import { Hands, RepairHands, Wish } from "../types/pages.d.ts" */

/** @param {string} name */
const colour = (name) => say(`colour.${name}`);
/**
 * @template {string} What
 * @param {string} text
 * @param {(event: MouseEvent & { currentTarget: HTMLElement }) => unknown} onclick
 * @param {string} [what]
 */
const button = (text, onclick, what = "button") => el(what, { type: "button", onclick }, text);

export class Around {
  /** @param {Hands} hands */
  constructor(hands) {
    this.hands = hands;
    /** @type {Record<string, string | null>} */
    this.last = {};
    this.speaks = false;
    this.front = 0;
    /** @type {number | null} the game that is played */
    this.playing = null;
    /** @type {((view: View) => void) | null} */
    this.followOthers = null;
    this.opening = false;
    $("menu").addEventListener("click", () => this.menu());
    $("others").addEventListener("click", () => this.others());
  }

  get message() {
    const { message } = this.hands.link;
    if (!message) throw new Error("asked before the first view");
    return message;
  }

  get view() {
    return this.message.view;
  }

  /**
   * @param {Message} message
   * @param {"lobby" | "game" | "over"} screen
   * @param {number} front
   */
  paint(message, screen, front) {
    this.front = front;
    const { view } = message;
    this.once("marks", [
      view.seats,
      view.game?.players.map((player) => player.presence),
      view.game?.deciding,
      view.game?.active,
      view.game?.drawing,
    ], () => this.paintMarks(view));
    const own = view.own.find((each) => each.seat === front);
    this.once("banners", [
      message.asks,
      view.seats,
      view.corrected,
      view.game?.players.map((player) => player.presence),
      view.game?.announced,
      view.game?.take_out,
      view.game?.phase,
      view.game?.number,
      view.game?.deciding,
      own?.lost,
      own?.first,
      own?.second,
      own?.second_holds,
      view.game?.moving_on,
      screen,
      front,
    ], () => this.paintBanners(message, screen));
    mark($("lobby"), "hidden", screen !== "lobby" || null);
    mark($("end"), "hidden", screen !== "over" || null);
    if (screen === "lobby") {
      put($("headline"), say("lobby.title"));
      put($("hint"), say("lobby.hint", { n: view.seats.length }));
      this.once("lobby", [view.seats, message.boards, message.code], () => this.paintLobby(view));
    } else this.last.lobby = null;
    this.followOthers?.(view);
    const fresh = screen === "over" && this.playing === view.game?.id; // the page saw it being played
    this.playing = screen === "game" ? view.game?.id ?? null : null;
    if (screen === "over") {
      this.once("end", [view.game, view.series, front], () => this.paintEnd(view, front, fresh));
    }
  }

  /**
   * The end, the lobby and corrections are loaded when they are needed, not with the sheet.
   * @param {View} view
   * @param {number} front
   * @param {boolean} fresh
   */
  async paintEnd(view, front, fresh) {
    const { paintEnd } = await import("./end.js");
    paintEnd($("end"), view, { act: this.hands.act, tell: this.hands.tell, front, fresh });
  }

  /** @param {View} view */
  async paintLobby(view) {
    const { paintLobby } = await import("./lobby.js");
    paintLobby(view, this.hands);
  }

  /**
   * @param {View} view
   * @param {number} seat
   */
  async correct(view, seat) {
    const { correctSheet } = await import("./correct.js");
    correctSheet(
      view,
      seat,
      (sheet) => this.hands.act({ do: "correct-sheet", owner: seat, sheet, helping: true }),
    );
  }

  /**
   * The same announcements aloud, for who wants them.
   * @param {string} text
   */
  speak(text) {
    if (!this.speaks) return;
    const words = new SpeechSynthesisUtterance(text);
    words.lang = data.language;
    speechSynthesis.speak(words);
  }

  /**
   * @param {string} what
   * @param {unknown[]} parts
   * @param {() => void} paint
   */
  once(what, parts, paint) {
    const key = JSON.stringify(parts);
    if (this.last[what] === key) return;
    this.last[what] = key;
    paint();
  }

  /**
   * The marks of all players: who is on turn, who still decides.
   * @param {View} view
   */
  paintMarks(view) {
    const grid = el("span.mark-grid", { "aria-hidden": "true" });
    for (const seat of view.seats) {
      const node = el(`span.mark.${seat.mark}`);
      if (view.game?.deciding.includes(seat.seat) && !view.game.drawing) node.classList.add("deciding");
      if (view.game?.active === seat.seat && view.game.phase !== "over" && !view.game.drawing) {
        node.classList.add("active");
      }
      if (away(view, seat)) node.classList.add("away");
      grid.append(node);
    }
    $("others").replaceChildren(grid);
  }

  // --- banners ------------------------------------------------------------------------------------

  /**
   * @param {Message} message
   * @param {string} screen
   */
  paintBanners(message, screen) {
    const { view, asks } = message;
    const { game } = view;
    /** @type {Node[]} */
    const list = [];
    const { pictures_kept: minutes } = this.hands.offers;
    if (minutes && screen === "lobby") {
      list.push(banner("calm", say("banner.pictures", { n: minutes })));
    }
    for (const ask of asks) {
      if (ask.mine && ask.frees) list.push(banner("calm", say("banner.free_waits", { name: ask.name })));
      if (!ask.answer) continue;
      /** @param {boolean} yes */
      const answer = (yes) => this.hands.post(`/api/asks/${ask.id}`, { yes });
      list.push(
        banner(
          "ask",
          say(ask.frees ? "banner.ask_free" : "banner.ask_seat", { name: ask.name }),
          button(say(ask.frees ? "banner.yes_free" : "banner.yes", { name: ask.name }), () => answer(true)),
          button(say("banner.no"), () => answer(false)),
        ),
      );
    }
    if (game && screen === "game") {
      const own = view.own.find((each) => each.seat === this.front);
      if (view.corrected) list.push(banner("calm", corrected(view)));
      for (const { seat, name, presence } of game.players) {
        if (presence !== "here" && seat !== this.front) {
          list.push(banner(
            "calm",
            say(`away.${presence}`, { name }),
            button(say("away.back"), () => this.hands.act({ do: "come-back", owner: seat })),
          ));
        }
      }
      for (const { seat, name, presence, deciding } of game.players) {
        if (deciding && presence === "here" && view.seats[seat].phone_away) {
          list.push(banner(
            "calm",
            say("away.phone", { name }),
            button(say("away.out", { name }), () => this.hands.act({ do: "sit-out", owner: seat })),
          ));
        }
      }
      list.push(...closings(game, own));
      for (const name of game.take_out) {
        list.push(banner(`closing.${name}`, say("banner.take_out", { die: say(`die_it.${name}`) })));
      }
      if (own?.lost.length) {
        list.push(
          banner(
            "warn",
            say(own.deciding && !own.first && !own.second ? "banner.lost" : "banner.lost_gone", {
              cells: names(own.lost.map(cellText)),
              n: own.lost.length,
            }),
          ),
        );
      }
      if (own && !own.second_holds) list.push(banner("warn", say("banner.second_lost")));
      if (game.moving_on) {
        list.push(banner("warn", say("banner.moving_on", { name: game.players[game.active].name })));
      }
      if (
        own && game.patience && game.phase === "first" &&
        (game.active === this.front || game.players[game.active].level) && !own.deciding && !game.moving_on
      ) {
        list.push(
          banner(
            "calm",
            say("head.waiting", { names: names(game.deciding.map((seat) => game.players[seat].name)) }),
            button(say("foot.move_on"), () => this.hands.act({ do: "move-on" })),
          ),
        );
      }
    }
    $("banners").replaceChildren(...list);
  }

  // --- others -------------------------------------------------------------------------------------

  /** Everybody's sheets, and the board where there is one: it is loaded when somebody asks for it. */
  async others() {
    if (!this.view.game) return;
    const { board } = this.view.game.board.length ? await import("./board.js") : { board: null };
    if (this.followOthers) return; // a second tap while the board was loaded
    const sheets = el("div");
    const shown = dialog(say("others.title"), sheets);
    this.last.others = null;
    this.followOthers = (view) => {
      const { game } = view;
      if (!game) shown.close();
      else {this.once("others", [game, view.seats], () =>
          sheets.replaceChildren(
            ...(board && game.board.length ? [board(view, 10)] : []),
            ...game.players.map((player) => playerCard(view, player)),
          ));}
    };
    shown.addEventListener("close", () => (this.followOthers = null));
    this.followOthers(this.view);
  }

  // --- menu ---------------------------------------------------------------------------------------

  async menu() {
    const { view } = this;
    const { game } = view;
    /** @param {Wish} wish */
    const act = (wish) => () => (box.close(), this.hands.act(wish));
    /**
     * @param {string} text
     * @param {string} key
     * @param {Wish} wish
     * @param {string} [name]
     */
    const grave = (text, key, wish, name = "") =>
      button(text, (event) => ask(event.currentTarget, key, { name }, act(wish)), "button.danger");
    if (this.opening) return; // a second tap while it is loaded
    this.opening = true;
    const parts = Promise.all([import("./lobby.js"), game ? import("./repairs.js") : null]);
    const [{ invite }, repairing] = await parts.finally(() => (this.opening = false));
    /** @type {RepairHands} */
    const hands = {
      act: this.hands.act,
      close: () => box.close(),
      enter: this.hands.enter,
      correct: (seat) => this.correct(view, seat),
    };
    const { fix, people, graves } = repairing
      ? repairing.repairs(view, this.front, hands)
      : { fix: [], people: [], graves: [] };
    if (game && game.phase !== "over") graves.push(grave(say("menu.stop"), "stop", { do: "stop" }));
    for (const seat of view.seats) {
      if (seat.held && !seat.mine) {
        graves.push(
          grave(`${say("menu.free")} ${seat.name}`, "free", { do: "free", owner: seat.seat }, seat.name),
        );
      }
    }
    if (this.hands.offers.setup) fix.push(el("a.button", { href: "/setup" }, say("menu.setup")));
    graves.push(
      grave(say("menu.leave"), "free", { do: "free", owner: this.front }, view.seats[this.front].name),
    );
    const template = /** @type {HTMLTemplateElement | null} */ (document.querySelector(".languages-here"));
    const languages = template?.content.cloneNode(true);
    /** @type {HTMLElement | null} */
    const voice = "speechSynthesis" in globalThis
      ? button(
        say("menu.speak"),
        ({ currentTarget }) => {
          this.speaks = !this.speaks;
          mark(currentTarget, "aria-pressed", this.speaks);
        },
      )
      : null;
    if (voice) mark(voice, "aria-pressed", this.speaks);
    const { tone } = this.hands;
    const calls = button(
      say("menu.tone"),
      ({ currentTarget }) => {
        tone.on = !tone.on;
        mark(currentTarget, "aria-pressed", tone.on);
      },
    );
    mark(calls, "aria-pressed", tone.on);
    /** @type {HTMLDialogElement} */
    const box = dialog(
      say("menu.title"),
      languages,
      voice,
      calls,
      el("a.button", { href: "/help" }, say("menu.rules")),
      this.hands.offers.seen ? el("a.button", { href: "/seen" }, say("menu.seen")) : null,
      el("a.button", { href: "/history" }, say("menu.history")),
      invite(this.message.code),
      people.length
        ? el("details", {}, el("summary", {}, say("menu.people")), el("div.stack", {}, ...people))
        : null,
      el("details", {}, el("summary", {}, say("menu.fix")), el("div.stack", {}, ...fix)),
      el("div.stack.graves", {}, ...graves),
    );
  }
}

/**
 * Whether a seat's player takes no part, or has no phone that is here.
 * @param {View} view
 * @param {SeatView} seat
 */
export const away = (view, seat) =>
  phoneless(seat) || (view.game?.players[seat.seat]?.presence ?? "here") !== "here";

/** @type {Record<string, (change: Change) => string>} */
const CHANGED = {
  die: ({ colour, before, after }) => `${say(`colour.${colour}`)} ${before} → ${after}`,
  cross: (
    { before, after },
  ) => (after
    ? say("changed.crossed", { cell: cellText(after) })
    : say("changed.erased", { cell: cellText(before ?? "") })),
  misthrows: ({ before, after }) => say("others.misthrows", { n: `${before} → ${after}` }),
  piece: ({ before, after }) => `${space(before)} → ${space(after)}`,
};

/** @param {string | null} cell */
const space = (cell) => (cell ? cellName(cell) : say("board.start"));

/**
 * What was put right since the last roll, and by whom: everybody sees it. Of more than `most` changes none
 * is named.
 * @param {View} view
 * @param {number} [most]
 */
export function corrected(view, most = Infinity) {
  if (!view.corrected) return "";
  const { kind, seat, owner, turn, changes } = view.corrected;
  /** @param {number} each */
  const name = (each) => view.game?.players[each]?.name ?? "";
  const what = say(`corrected.${kind}`, { name: name(seat), owner: owner === null ? "" : name(owner), turn });
  return changes.length && changes.length <= most
    ? say("corrected.changes", {
      what,
      changes: changes.map((change) => CHANGED[change.what](change)).join(", "),
    })
    : `${what}.`;
}

/**
 * Who is closing which row, and what this seat may answer: one that can close it too is told so, and no
 * other.
 * @param {GameView} game
 * @param {OwnView | undefined} own
 */
function closings(game, own) {
  const mine = game.announced.filter((closing) => closing.seat === own?.seat).map((closing) =>
    closing.colour
  );
  const change = own?.rows.some((row) => row.cells.some((cell) => cell.legal.includes(1)));
  const answer = (
    /** @type {string} */ name,
  ) => (own?.closes.includes(name)
    ? (game.announced.length > 1 ? "banner.closes_too" : "banner.closes")
    : game.announced.length > 1 || !change
    ? "banner.closes_short"
    : "banner.closes_change");
  return game.announced
    // closing it too: nothing to answer
    .filter(({ seat, colour: name }) => seat === own?.seat || !mine.includes(name))
    .map(({ seat, colour: name }) =>
      banner(
        `closing.${name}`,
        say(seat === own?.seat ? "banner.you_close" : answer(name), {
          name: game.players[seat].name,
          row: rowText(name),
        }),
      )
    );
}

/**
 * @param {string} kind
 * @param {string} text
 * @param {Node[]} buttons
 */
function banner(kind, text, ...buttons) {
  return el(`div.banner.${kind}`, { role: "status" }, el("p", {}, text), ...buttons);
}

/**
 * Anybody's sheet, small: what is crossed, and the points unless they are hidden.
 * @param {View} view
 * @param {PlayerView} player
 */
export function playerCard(view, player) {
  const game = gameOf(view);
  /** @type {string[]} */
  const notes = [];
  if (player.presence !== "here") notes.push(say(`others.${player.presence}`));
  const note = seatNote(view.seats[player.seat]);
  if (note) notes.push(note);
  if (player.active) notes.push(say("others.active"));
  if (player.deciding && game.phase !== "roll") notes.push(say("others.deciding"));
  const score = player.score === null ? say("others.hidden") : say("others.points", { n: player.score });
  const head = el(
    "h3.player-head",
    {},
    el(`span.mark.${view.seats[player.seat].mark}`, { "aria-hidden": "true" }),
    el("span.seat-name", {}, player.name, notes.length ? el("small", {}, ` ${notes.join(", ")}`) : null),
    el("span.player-score", {}, score),
  );
  const rows = player.rows.map((row, place) => {
    const printed = game.layout[place];
    const crossed = new Set(row.crossed);
    const furthest = Math.max(-1, ...printed.cells.map((cell, at) => (crossed.has(cell) ? at : -1)));
    const cells = printed.cells.map((cell, at) =>
      el(`i${ownColour(cell, row.lock)}`, {
        "data-state": crossed.has(cell) ? "crossed" : at < furthest ? "skipped" : "open",
        "data-fresh": player.fresh.includes(cell) || null,
      }, cell.slice(1))
    );
    const said = `${colour(row.lock)}: ${row.crossed.map(inWords(printed)).join(", ") || "–"}`;
    const closed = game.closed.includes(row.lock);
    return el(
      `div.mini.${row.lock}${closed ? ".closed" : ""}`,
      { role: "img", "aria-label": said },
      el("b", {}, say(`letter.${row.lock}`)),
      ...cells,
      el(`span.lock${row.locked ? ".crossed" : ""}`, {}, el("i")),
    );
  });
  const board = player.piece === null ? "" : ` · ${say("board.title")}: ${player.piece}`;
  const misthrows = el("p.mini-foot", {}, capital(say("others.misthrows", { n: player.misthrows })) + board);
  return el("section.player", {}, head, el("div.minis", {}, ...rows), misthrows);
}

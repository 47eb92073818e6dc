// Everything around the sheet: lobby, banners, others' sheets, menu, and the end.
// @ts-check

import { $, cellText, data, dialog, el, mark, names, phoneless, put, rowText, say } from "./dom.js";
import { corrected } from "./headline.js";

/**
 * @import {
 *   ClosingView, GameView, Message, OwnView, PlayerView, SeatView, View
 * } from "../types/api.d.ts"
 */
/** @import { Hands, RepairHands, Wish } from "../types/pages.d.ts" */

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
    this.speech = { on: false };
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
    if (!this.speech.on) return;
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
  paintBanners({ view, asks }, screen) {
    $("banners").replaceChildren(
      ...asks.flatMap((ask) => this.ofAsk(ask)),
      ...(view.game && screen === "game" ? this.ofGame(view, view.game) : []),
    );
  }

  /**
   * Somebody wants a seat.
   * @param {Message["asks"][number]} ask
   */
  ofAsk({ id, name, frees, mine, answer: asked }) {
    /** @param {boolean} yes */
    const answer = (yes) => this.hands.post(`/api/asks/${id}`, { yes });
    return [
      ...(mine && frees ? [banner("calm", say("banner.free_waits", { name }))] : []),
      ...(asked
        ? [banner(
          "ask",
          say(frees ? "banner.ask_free" : "banner.ask_seat", { name }),
          button(say(frees ? "banner.yes_free" : "banner.yes", { name }), () => answer(true)),
          button(say("banner.no"), () => answer(false)),
        )]
        : []),
    ];
  }

  /**
   * @param {View} view
   * @param {GameView} game
   */
  ofGame(view, game) {
    const own = view.own.find((each) => each.seat === this.front);
    return [
      ...(view.corrected ? [banner("calm", corrected(view))] : []),
      ...this.ofAway(view, game),
      ...closings(game, own),
      ...game.take_out.map((name) =>
        banner(`closing.${name}`, say("banner.take_out", { die: say(`die_it.${name}`) }))
      ),
      ...(own ? ofOwn(own) : []),
      ...this.ofWaiting(game, own),
    ];
  }

  /**
   * Who is away, each with a tap back in; several of them in one line, for it stays all evening.
   * @param {View} view
   * @param {GameView} game
   */
  ofAway(view, game) {
    /** @type {(owner: number) => () => void} */
    const back = (owner) => () => this.hands.act({ do: "come-back", owner });
    const list = [];
    for (const presence of ["sits-out", "plays-no-more"]) {
      const away = game.players.filter((each) => each.presence === presence && each.seat !== this.front);
      const [{ name, seat } = { name: "", seat: 0 }, ...more] = away;
      if (more.length) {
        list.push(banner(
          "calm.several",
          say(`away.${presence}_several`),
          ...away.map(({ seat, name }) =>
            el(
              "button",
              { type: "button", onclick: back(seat), "aria-label": say("away.in", { name }) },
              name,
            )
          ),
        ));
      } else if (name) {
        list.push(banner("calm", say(`away.${presence}`, { name }), button(say("away.back"), back(seat))));
      }
    }
    for (const { seat, name, presence, deciding } of game.players) {
      if (deciding && presence === "here" && view.seats[seat].phone_away) {
        const out = () => this.hands.act({ do: "sit-out", owner: seat });
        list.push(banner("calm", say("away.phone", { name }), button(say("away.out", { name }), out)));
      }
    }
    return list;
  }

  /**
   * @param {GameView} game
   * @param {OwnView | undefined} own
   */
  ofWaiting(game, own) {
    if (game.moving_on) {
      return [banner("warn", say("banner.moving_on", { name: game.players[game.active].name }))];
    }
    const leads = game.active === this.front || game.players[game.active].level;
    if (!own || own.deciding || !game.patience || game.phase !== "first" || !leads) return [];
    return [banner(
      "calm",
      say("head.waiting", { names: names(game.deciding.map((seat) => game.players[seat].name)) }),
      button(say("foot.move_on"), () => this.hands.act({ do: "move-on" })),
    )];
  }

  // --- others -------------------------------------------------------------------------------------

  /** Everybody's sheets, and the board where there is one: it is loaded when somebody asks for it. */
  async others() {
    if (!this.view.game) return;
    const [{ playerCard }, boarding] = await Promise.all([
      import("./player-card.js"),
      this.view.game.board.length ? import("./board.js") : null,
    ]);
    if (this.followOthers) return; // a second tap while they were loaded
    const sheets = el("div");
    const shown = dialog(say("others.title"), sheets);
    this.last.others = null;
    /** @type {(view: View, game: GameView) => Node[]} */
    const shownOf = (view, game) => [
      ...(boarding && game.board.length ? [boarding.board(view, 10)] : []),
      ...game.players.map((player) => playerCard(view, player)),
    ];
    this.followOthers = (view) => {
      const { game } = view;
      if (!game) shown.close();
      else this.once("others", [game, view.seats], () => sheets.replaceChildren(...shownOf(view, game)));
    };
    shown.addEventListener("close", () => (this.followOthers = null));
    this.followOthers(this.view);
  }

  // --- menu ---------------------------------------------------------------------------------------

  async menu() {
    if (this.opening) return; // a second tap while it is loaded
    this.opening = true;
    const { openMenu } = await import("./menu.js").finally(() => (this.opening = false));
    const { message, front, hands, speech } = this;
    openMenu(message, front, hands, speech, (seat) => this.correct(this.view, seat));
  }
}

/**
 * Whether a seat's player takes no part, or has no phone that is here.
 * @param {View} view
 * @param {SeatView} seat
 */
export const away = (view, seat) =>
  phoneless(seat) || (view.game?.players[seat.seat]?.presence ?? "here") !== "here";

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
 * What this seat lost by what others did.
 * @param {OwnView} own
 */
function ofOwn({ deciding, first, second, second_holds, lost }) {
  const key = deciding && !first && !second ? "banner.lost" : "banner.lost_gone";
  return [
    ...(lost.length ? [banner("warn", say(key, { cells: names(lost.map(cellText)), n: lost.length }))] : []),
    ...(second_holds ? [] : [banner("warn", say("banner.second_lost"))]),
  ];
}

/**
 * @param {string} kind
 * @param {string} text
 * @param {Node[]} buttons
 */
function banner(kind, text, ...buttons) {
  return el(`div.banner.${kind}`, { role: "status" }, el("p", {}, text), ...buttons);
}

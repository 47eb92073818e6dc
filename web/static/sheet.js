// One's own sheet: cells, header, footer. Draws what the server says is legal; knows no rules.
// @ts-check

import {
  $,
  all,
  cellText,
  el,
  gameOf,
  knows,
  mark,
  names,
  numberOf,
  ownColour,
  put,
  rowText,
  say,
  signed,
  touched,
} from "./dom.js";
import { means } from "./taps.js";

/**
 * @import {
 *   CellView, Eyes, GameView, Offers, OwnView, PlayerView, RowView, SpaceView, View
 * } from "../types/api.d.ts"
 */
/** @import { Shown, Wish } from "../types/pages.d.ts" */

/**
 * The sheet with wishes that are under way drawn in already.
 * @param {OwnView} own
 * @param {Wish[]} pending
 * @param {SpaceView[]} [board]
 * @returns {Shown}
 */
export function overlay(own, pending, board = []) {
  /** @type {Shown} */
  let shown = own;
  for (const wish of pending) {
    if ((wish.owner ?? wish.seat) !== own.seat) continue;
    if (wish.do === "cross") {
      shown = { ...shown, [wish.action === 2 ? "second" : "first"]: wish.cell, undo: true, finish: "done" };
    } else if (wish.do === "take-back") {
      shown = { ...shown, first: null, second: null, landing: null, third: null, undo: false };
    } else if (wish.do === "move") {
      shown = {
        ...shown,
        landing: wish.space,
        third: landingCross(own, board[wish.space - 1]),
        undo: true,
        finish: "done",
      };
    } else if (wish.do === "done") shown = { ...shown, finish: "waiting", sent: true };
  }
  return shown;
}

/** @param {OwnView} own */
const cellsOf = (own) => own.rows.flatMap((row) => row.cells);

/**
 * What landing on that space would cross.
 * @param {OwnView} own
 * @param {SpaceView} space
 */
const landingCross = (own, space) =>
  cellsOf(own).find((cell) => cell.cell === space.cell && cell.legal.includes(3))?.cell ?? null;

/**
 * Which action a tap on the cell is for, or 0 for taking the choice back, or null if it is not legal.
 * @param {CellView} cell
 * @param {OwnView} own
 * @returns {0 | 1 | 2 | 3 | null}
 */
export function tapped(cell, own) {
  const first = cell.legal.includes(1);
  const second = cell.legal.includes(2);
  if (own.first === cell.cell) return second && !own.second ? 2 : 0;
  if (own.second === cell.cell || own.third === cell.cell) return 0;
  if (first && second) return own.first && !own.second ? 2 : 1;
  return first ? 1 : second ? 2 : cell.legal.includes(3) ? 3 : null;
}

/**
 * @param {CellView} cell
 * @param {number} chosen
 */
function label(cell, chosen) {
  let state = say(`state.${cell.state}`);
  if (chosen) state = say(`cell.chosen${chosen}`);
  else if (cell.legal.length) state = cell.legal.map((action) => say(`cell.legal${action}`)).join(", ");
  return say("cell.text", { colour: say(`colour.${cell.colour}`), number: cell.number, state });
}

/** @type {Record<string, [down: number, along: number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * The cell that was tapped, or has the focus.
 * @param {Event} event
 */
const cellAt = (event) => touched(event, ".cell")?.dataset.cell ?? null;

export class Sheet {
  /**
   * @param {HTMLElement} root
   * @param {(cell: string) => unknown} tap
   */
  constructor(root, tap) {
    this.root = root;
    this.tap = tap;
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map();
    /** @type {{ node: Element, points: Element, lock: Element, cells: string[] }[]} */
    this.rows = [];
    this.layout = "";
    /** @type {Map<string, string>} */
    this.last = new Map();
    root.addEventListener("click", (event) => {
      const cell = cellAt(event);
      if (cell) this.tap(cell);
    });
    root.addEventListener("keydown", (event) => this.walk(event));
  }

  /**
   * Arrow keys walk over the sheet; one cell at a time is in the tab order.
   * @param {KeyboardEvent} event
   */
  walk(event) {
    const step = STEPS[event.key];
    const here = cellAt(event);
    if (!step || !here) return;
    event.preventDefault();
    const row = this.rows.findIndex((each) => each.cells.includes(here));
    const place = this.rows[row].cells.indexOf(here);
    const line = this.rows[(row + step[0] + this.rows.length) % this.rows.length].cells;
    const next = line[Math.min(line.length - 1, Math.max(0, place + step[1]))];
    this.cells.get(next)?.focus();
  }

  /** @param {RowView[]} rows */
  build(rows) {
    const layout = rows.flatMap((row) => row.cells.map((cell) => cell.cell)).join(" ");
    if (layout === this.layout) return;
    const nodes = () => all(this.root, ".cell");
    const there = nodes().map((node) => node.dataset.cell).join(" ");
    if (there !== layout) this.root.replaceChildren(...rows.map(buildRow));
    this.layout = layout;
    this.last.clear();
    this.cells = new Map(nodes().map((node) => [node.dataset.cell ?? "", node]));
    this.rows = rows.map((row, place) => {
      const node = this.root.children[place];
      const [points] = node.getElementsByClassName("row-points");
      const [lock] = node.getElementsByClassName("lock");
      return { node, points, lock, cells: row.cells.map((cell) => cell.cell) };
    });
  }

  /** @param {Shown} own */
  paint(own) {
    this.build(own.rows);
    own.rows.forEach((row, place) => {
      const nodes = this.rows[place];
      nodes.node.classList.toggle("closed", row.closed);
      put(nodes.points, row.points === null ? "" : String(row.points));
      nodes.lock.classList.toggle("crossed", row.locked);
      mark(
        nodes.lock,
        "aria-label",
        say(row.locked ? "lock.mine" : row.closed ? "lock.closed" : "lock.open"),
      );
      for (const cell of row.cells) this.paintCell(cell, own);
    });
  }

  /**
   * @param {CellView} cell
   * @param {Shown} own
   */
  paintCell(cell, own) {
    const chosen = 1 + [own.first, own.second, own.third].indexOf(cell.cell);
    const meaning = `${own.seat} ${tapped(cell, own)}`;
    const hinted = own.hinted === cell.cell;
    const key = `${hinted}${cell.state}${chosen}${cell.legal}${cell.fresh}${meaning}`;
    if (this.last.get(cell.cell) === key) return;
    this.last.set(cell.cell, key);
    const node = this.cells.get(cell.cell);
    if (!node) return;
    means(node, meaning);
    mark(node, "data-state", cell.state);
    mark(node, "data-chosen", chosen || null);
    mark(node, "data-hint", hinted || null);
    mark(node, "data-legal", cell.legal.length ? cell.legal.join("") : null);
    mark(node, "data-fresh", cell.fresh || null);
    mark(node, "aria-pressed", chosen > 0 || cell.state === "crossed");
    mark(node, "aria-label", hinted ? say("cell.hint", { state: label(cell, chosen) }) : label(cell, chosen));
  }

  /** @param {string} cell */
  shake(cell) {
    const node = this.cells.get(cell);
    if (!node) return;
    node.classList.remove("refused");
    requestAnimationFrame(() => node.classList.add("refused"));
  }
}

/** @param {RowView} row */
function buildRow(row) {
  const head = el(
    "div.row-head",
    { "aria-hidden": "true" },
    el("b", {}, say(`letter.${row.lock}`)),
    el(`i.shape.${row.lock}`),
    el("span.row-points"),
  );
  const cells = row.cells.map((cell) => {
    const own = ownColour(cell.cell, row.lock);
    const badge = own ? el("i.badge", { "aria-hidden": "true" }, el(`i.shape.${cell.colour}`)) : null;
    return el(
      `button.cell${own}`,
      { type: "button", "data-cell": cell.cell },
      el("span", {}, String(cell.number)),
      badge,
    );
  });
  const lock = el("span.lock", { role: "img" }, el("i", { "aria-hidden": "true" }));
  const settings = { role: "group", "aria-label": say(`colour.${row.lock}`), "data-lock": row.lock };
  return el(`div.row.${row.lock}`, settings, head, ...cells, lock);
}

// --- header and footer --------------------------------------------------------------------------------

/**
 * The two lines above the sheet: what is going on, and what to do.
 * @param {View} view
 * @param {Shown} own
 * @param {Offers} offers
 * @returns {[string, string]}
 */
export function headline(view, own, offers) {
  const { eyes } = view;
  const game = gameOf(view);
  /** @param {number} seat */
  const name = (seat) => game.players[seat].name;
  // one phone, several people
  const called = view.own.length > 1 && acts(own) ? say("turn.of", { name: name(own.seat) }) : null;
  const whose = own.seat === game.active
    ? ""
    : `${say(called ? "head.rolled" : "head.turn_of", { name: name(game.active) })} · `;
  const waiting = names(game.deciding.filter((seat) => seat !== own.seat).map(name));
  const mine = own.seat === game.active;
  if (own.finish === "back" && !game.drawing) return [say("head.away"), say("head.away_hint")];
  const itself = game.players[game.active].level; // the program is on turn: anybody rolls
  const white = game.dice.length
    ? say("head.white", { a: game.dice[0].pips, b: game.dice[1].pips, sum: game.white_sum })
    : "";
  switch (game.phase) {
    case "roll":
      if (game.drawing) return [say("lobby.drawing"), ""];
      if (eyes.state === "reading") return [say("head.reading"), ""];
      if (eyes.state === "moving") return [say("head.moving"), notice(eyes)];
      if (eyes.state === "ask") return asking(eyes);
      if ((mine || itself) && eyes.state === "trouble") return [say("head.trouble"), notice(eyes)];
      if (mine) return [called ?? say("head.you_roll"), say(ROLL[wayToRoll(offers)])];
      if (itself) {
        return [
          say("head.roll_for", { name: name(game.active) }),
          company(game) || say(ROLL_FOR[wayToRoll(offers)]),
        ];
      }
      return [say("head.rolls", { name: name(game.active) }), rollHint(game, name(game.active))];
    case "first":
      if (own.finish === "waiting" || own.finish === "nothing") {
        const free = own.first || cellsOf(own).some((cell) => cell.legal.includes(1));
        return [
          white,
          whose +
          (free
            ? say("head.can_change", { names: waiting })
            : say("head.none_first", { sum: game.white_sum })),
        ];
      }
      return [
        called ?? white,
        whose + say(mine ? "head.cross_first_active" : "head.cross_first", { sum: game.white_sum }),
      ];
    case "second":
      if (!mine) return [say("head.second_other", { name: name(game.active) }), company(game) || white];
      if (own.finish === "misthrow") {
        return [
          called ?? say("head.second"),
          say(
            cellsOf(own).some((cell) => cell.legal.length) ? "head.second_misthrow" : "head.second_none",
          ),
        ];
      }
      return [called ?? say("head.second"), say("head.second_hint")];
    case "third":
      return mine
        ? [called ?? say("head.third"), say("head.third_hint")]
        : [say("head.third_other", { name: name(game.active) }), company(game) || white];
    default:
      return [say("end.title"), ""];
  }
}

/**
 * @param {GameView} game
 * @param {string} name
 */
function rollHint(game, name) {
  if (game.last_turns !== null) return say("head.last_turns", { n: game.last_turns });
  return game.number === 1 ? say("lobby.first_is", { name }) : company(game) || say("head.roll_other");
}

/**
 * What players of the program crossed in this turn.
 * @param {GameView} game
 */
const company = (game) =>
  game.players
    .filter((player) => player.level && player.fresh.length)
    .map((player) => say("head.crossed", { name: player.name, cells: player.fresh.map(cellText).join(", ") }))
    .join(" · ");

/**
 * What they did between two views, a sentence each: nobody else says it for them.
 * @param {View} view
 * @param {View | null} before
 * @returns {string[]}
 */
export function heard(view, before) {
  const [game, old] = [view.game, before?.game];
  if (!game || !old || game.id !== old.id) return [];
  if (JSON.stringify(view.corrected) !== JSON.stringify(before?.corrected)) return [];
  return game.players.flatMap((player, seat) => {
    const was = old.players[seat];
    if (!player.level) return [];
    const cells = crossedBy(player).filter((cell) => !crossedBy(was).includes(cell));
    const texts = cells.length
      ? [say("said.crosses", { name: player.name, cells: names(cells.map(cellText)) })]
      : [];
    return player.misthrows > was.misthrows ? [...texts, say("said.misthrow", { name: player.name })] : texts;
  });
}

/** @param {PlayerView} player */
const crossedBy = (player) => player.rows.flatMap((row) => row.crossed);

/**
 * A doubtful die is tapped; anything else wrong in the lid is put right there.
 * @param {Eyes} eyes
 * @returns {[string, string]}
 */
export function asking(eyes) {
  const kind = eyes.notices[0]?.kind ?? "pips-doubtful";
  if (kind === "pips-doubtful") return [say("head.ask"), say("head.ask_hint")];
  return [say(kind.startsWith("photo-") ? "head.photo" : "head.look"), notice(eyes)];
}

/** @param {Eyes} eyes */
export function notice(eyes) {
  const first = eyes.notices[0];
  if (!first) return "";
  const colour = `die_is.${first.colours[0]}`;
  return say(`notice.${first.kind}`, { die: say(knows(colour) ? colour : "die_is.any") });
}

/**
 * The table waits for this seat, as far as this phone knows.
 * @param {OwnView} own
 */
export const acts = (own) => own.deciding && own.finish !== "waiting";

/**
 * How dice come to the table first here: the big button, the words above it.
 * @param {Offers} offers
 * @returns {"photograph" | "press" | "hand"}
 */
const wayToRoll = (offers) => (offers.photograph_first ? "photograph" : offers.camera ? "press" : "hand");

const ROLL = { photograph: "head.roll_photograph", press: "head.roll_press", hand: "head.roll_hand" };
const ROLL_FOR = {
  photograph: "head.roll_for_photograph",
  press: "head.roll_for_press",
  hand: "head.roll_for_hand",
};

/**
 * What the one big button says and does.
 * @param {View} view
 * @param {Shown} own
 * @param {Offers} offers
 * @returns {[text: string, action: string | null, look: string]}
 */
function finishing(view, own, offers) {
  const game = gameOf(view);
  const third = game.phase === "third";
  switch (own.finish) {
    case "roll":
    case "roll-for": {
      const way = wayToRoll(offers);
      if (way === "photograph") return [say("photo.take"), way, "main"];
      if (way === "hand") return [say("foot.enter"), "enter", "main"];
      const { name } = game.players[game.active];
      return [own.finish === "roll" ? say("foot.rolled") : say("foot.rolled_for", { name }), "press", "main"];
    }
    case "done":
      return [say("foot.done"), "done", "main"];
    case "pass":
      return [say(third ? "foot.stay" : "foot.pass"), "done", "calm"];
    case "misthrow":
      return [say("foot.misthrow"), "done", "danger"];
    case "waiting":
      return [say("foot.changed"), null, "idle"];
    case "back":
      return [say("foot.back"), "back", "main"];
    default:
      return [say("foot.waiting"), null, "idle"];
  }
}

/**
 * Whether Undo takes the whole Done back: nobody has rolled or decided since. While action 1 is open, a
 * choice first.
 * @param {OwnView} own
 * @param {View} view
 */
export const undoesDone = (own, view) => own.undo_done && !(gameOf(view).phase === "first" && own.undo);

/**
 * `next`: the seat of this phone that has to decide after this one.
 * @param {View} view
 * @param {Shown} own
 * @param {Offers} offers
 * @param {number} [next]
 */
export function paintFooter(view, own, offers, next) {
  let [text, action, look] = finishing(view, own, offers);
  if (action === null && next !== undefined) {
    [text, action, look] = [`${say("turn.of", { name: view.seats[next].name })} ›`, "next", "main"];
  }
  const button = $("finish");
  means(button, `${own.seat} ${view.moment} ${action}`, look === "danger");
  put(button, text);
  mark(button, "data-look", look);
  mark(button, "aria-disabled", action === null || null);
  button.dataset.action = action ?? "";
  const undo = $("undo");
  mark(undo, "aria-disabled", !(own.undo || own.undo_done) || null);
  means(
    undo,
    `${own.seat} ${view.moment} ${own.undo_done} ${own.undo && (own.second ?? own.first ?? own.landing)}`,
  );
  mark($("misthrows"), "aria-label", say("foot.misthrows", { n: own.misthrows }));
  [...$("misthrows").children].forEach((box, place) => {
    box.classList.toggle("marked", place < own.misthrows);
    box.classList.toggle("next", look === "danger" && place === own.misthrows);
  });
  put($("score"), own.score === null ? "" : signed(own.score));
  mark($("score"), "aria-label", own.score === null ? null : say("foot.score", { n: own.score }));
}

/**
 * Why a tapped cell is not legal, in words.
 * @param {Partial<Pick<CellView, "cell" | "state">> & Pick<CellView, "why">} cell
 * @param {View} view
 * @param {OwnView} own
 */
export function reason(cell, view, own) {
  const game = gameOf(view);
  const name = game.players[game.active].name;
  if (cell.why) {
    const { why } = cell;
    return say(`why.${why.kind}`, {
      cell: cellText(why.cell),
      other: why.other ? numberOf(why.other) : "",
      needs: why.needs,
      has: why.has,
      row: why.lock ? rowText(why.lock) : "",
    });
  }
  if (game.phase === "over") return say("why.over");
  if (game.phase === "third" && own.seat === game.active) {
    return say(`why.${cell.state === "crossed" ? "crossed" : "no-landing"}`, {
      cell: cellText(cell.cell ?? ""),
    });
  }
  if (game.phase === "roll") return own.seat === game.active ? say("why.roll") : say("why.not-now", { name });
  return say("why.not-now", { name });
}

// One's own sheet: cells, header, footer. Draws what the server says is legal; knows no rules.
// @ts-check

import { all, el, mark, ownColour, put, say, touched } from "./dom.js";
import { means } from "./taps.js";

/** @import { CellView, OwnView, RowView, SpaceView } from "../types/api.d.ts" */
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
export const cellsOf = (own) => own.rows.flatMap((row) => row.cells);

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

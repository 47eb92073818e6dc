// A board while it is typed: spaces, the place of the next one, undo, the draft that this browser keeps.
// Makes no elements; knows no rules.
// @ts-check

/** @import { BoardView } from "../types/api.d.ts" */
/** @import { Draft, EntrySide, Space } from "../types/pages.d.ts" */

/** @type {EntrySide[]} */
export const SIDES = ["front", "back"];
/**
 * What the pad offers.
 * @type {{ cells: number[], points: number[] }}
 */
export const PAD = {
  cells: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  points: Array.from({ length: 20 }, (_, n) => n + 1),
};
/** @type {("cells" | "points")[]} */
export const MODES = ["cells", "points"];
const DRAFT = "boxlid-board";
const SPACES = 40;
const MOST_PAST = 400;

/**
 * Points rise along a board: two spaces each is a beginning to change from.
 * @returns {Space[]}
 */
const blank = () => Array.from({ length: SPACES }, (_, n) => ({ cell: "", points: String(1 + (n >> 1)) }));

/** @param {string[]} texts */
function read(texts) {
  return blank().map((empty, n) => {
    const [cell = "", points = ""] = (texts[n] ?? "").split(":");
    return texts[n] ? { cell, points } : empty;
  });
}

/**
 * What was typed here before and is kept nowhere else.
 * @returns {Draft | undefined}
 */
export function stored() {
  try {
    return JSON.parse(localStorage.getItem(DRAFT) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param {Entry} entry */
export function keepDraft(entry) {
  try {
    if (entry.changed) localStorage.setItem(DRAFT, JSON.stringify(entry.whole()));
    else localStorage.removeItem(DRAFT);
  } catch {
    // a browser that keeps nothing still takes a board in
  }
}

export class Entry {
  /** @param {Partial<Draft>} [board] */
  constructor(board = {}) {
    this.id = board.id ?? "";
    this.name = board.name ?? "";
    this.front = board.front ? read(board.front) : blank();
    this.back = board.back ? read(board.back) : blank();
    this.side = board.side ?? "front";
    /** @type {"cells" | "points"} */
    this.mode = "cells";
    this.changed = board.changed ?? false;
    this.pending = ""; // letters and digits of a space that is not finished
    /** @type {{ side: EntrySide, place: number, before: Space }[]} */
    this.past = [];
    const empty = this.spaces().findIndex((space) => !space.cell);
    this.place = empty < 0 ? 0 : empty;
  }

  spaces() {
    return this[this.side];
  }

  /** @param {EntrySide} side */
  filled(side) {
    return this[side].filter((space) => space.cell).length;
  }

  /**
   * As the server and the draft know it.
   * @returns {Draft}
   */
  whole() {
    return { ...this.board(), changed: this.changed };
  }

  /** The board as it is entered so far, as the server takes it. */
  board() {
    /** @param {EntrySide} side */
    const texts = (side) => this[side].map(({ cell, points }) => `${cell}:${points}`);
    return { id: this.id, name: this.name, front: texts("front"), back: texts("back") };
  }

  // --- places -------------------------------------------------------------------------------------------

  /** @param {number} place */
  go(place) {
    this.place = Math.min(SPACES - 1, Math.max(0, place));
    this.pending = "";
  }

  /** @param {number} by */
  step(by) {
    const answer = this.enter(false);
    this.go(this.place + by);
    return answer;
  }

  /** @param {EntrySide} side */
  turn(side) {
    this.side = side;
    const empty = this.spaces().findIndex((space) => !space.cell);
    this.go(empty < 0 ? 0 : empty);
  }

  /** @param {"cells" | "points"} mode */
  switch(mode) {
    this.mode = mode;
    this.go(mode === "points" ? 0 : Math.max(0, this.spaces().findIndex((space) => !space.cell)));
  }

  /** @param {string} name */
  rename(name) {
    this.name = name;
    this.changed = true;
  }

  // --- changes ------------------------------------------------------------------------------------------

  /** @param {Partial<Space>} part */
  change(part) {
    const { side, place } = this;
    const before = this[side][place];
    this.past.push({ side, place, before });
    if (this.past.length > MOST_PAST) this.past.shift();
    this[side][place] = { ...before, ...part };
    this.pending = "";
    this.changed = true;
  }

  /** @param {string} cell */
  put(cell) {
    this.change({ cell });
    return this.next();
  }

  /** @param {number} points */
  score(points) {
    this.change({ points: String(points) });
    return this.next();
  }

  /** On to the next space; after the last one it says that the side is full. */
  next() {
    if (this.place === SPACES - 1) return this.mode === "cells" ? "side_full" : "";
    this.place += 1;
    return "";
  }

  clear() {
    this.change(this.mode === "cells" ? { cell: "" } : { points: "" });
  }

  /** Backspace: a letter that was typed, else this space, else the one before. */
  erase() {
    if (this.pending) {
      this.pending = this.pending.slice(0, -1);
      return;
    }
    const what = this.mode === "cells" ? "cell" : "points";
    if (!this.spaces()[this.place][what] || this.mode === "points") this.place = Math.max(0, this.place - 1);
    if (this.spaces()[this.place][what]) this.clear();
  }

  undo() {
    this.pending = "";
    const last = this.past.pop();
    if (!last) return;
    this.side = last.side;
    this.place = last.place;
    this[last.side][last.place] = last.before;
    this.changed = true;
  }

  // --- typing -------------------------------------------------------------------------------------------

  /** @param {(short: string) => string} letter */
  pendingText(letter) {
    return this.pending.replace(/^[RYGB]/, letter);
  }

  /**
   * One key; answers with the name of what to say if it does not fit.
   * @param {string} key
   * @param {[string, string[]][]} keys
   */
  type(key, keys) {
    return this.mode === "cells" ? this.typeCell(key, keys) : this.typePoints(key);
  }

  /**
   * @param {string} key
   * @param {[string, string[]][]} keys
   */
  typeCell(key, keys) {
    if (!/\d/.test(key)) {
      const typed = /^[a-zäöüß]*$/.test(this.pending) ? this.pending + key : key;
      const colour = keys.find(([, names]) => names.includes(typed));
      const begun = colour || keys.some(([, names]) => names.some((name) => name.startsWith(typed)));
      this.pending = colour ? colour[0] : begun ? typed : "";
      return begun ? "" : "no_colour";
    }
    if (!/^[RYGB]/.test(this.pending)) return "colour_first";
    const digits = this.pending.slice(1) + key;
    const number = Number(digits);
    if (digits === "1") this.pending += key;
    else if (number >= 2 && number <= 12 && String(number) === digits) {
      return this.put(this.pending[0] + digits);
    } else {
      this.pending = this.pending[0];
      return "no_number";
    }
    return "";
  }

  /** @param {string} key */
  typePoints(key) {
    const before = Number(this.place ? this.spaces()[this.place - 1].points : 0) || 0;
    if (key === "+") return this.score(before + 1);
    if (key === "=") return this.score(before || 1);
    if (!/\d/.test(key)) return "no_points";
    const digits = this.pending + key;
    const more = (digits === "1" || digits === "2") && before < 20;
    if (Number(digits) > 20 || Number(digits) < 1) {
      this.pending = "";
      return "no_points";
    }
    if (more) this.pending = digits;
    else return this.score(Number(digits));
    return "";
  }

  /** Enter: takes what stands there so far, and goes on. */
  enter(on = true) {
    const digits = this.pending;
    this.pending = "";
    if (this.mode === "points" && digits) {
      this.change({ points: digits });
    } else if (digits) return "no_number";
    if (on) this.next();
    return "";
  }
}

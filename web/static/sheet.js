// One's own sheet: cells, header, footer. Draws what the server says is legal; knows no rules.

import { $, cellText, el, knows, mark, names, numberOf, put, say } from "./dom.js";

/** The sheet with wishes that are under way drawn in already. */
export function overlay(own, pending) {
  let shown = own;
  for (const wish of pending) {
    if ((wish.owner ?? wish.seat) !== own.seat) continue;
    if (wish.do === "cross") shown = { ...shown, [wish.action === 2 ? "second" : "first"]: wish.cell, undo: true, finish: "done" };
    else if (wish.do === "take-back") shown = { ...shown, first: null, second: null, landing: null, undo: false };
    else if (wish.do === "move") shown = { ...shown, landing: wish.space, undo: true, finish: "done" };
    else if (wish.do === "done") shown = { ...shown, finish: "waiting", sent: true };
  }
  return shown;
}

/** Which action a tap on the cell is for, or 0 for taking the choice back, or null if it is not legal. */
export function tapped(cell, own) {
  const first = cell.legal.includes(1);
  const second = cell.legal.includes(2);
  if (own.first === cell.cell) return second && !own.second ? 2 : 0;
  if (own.second === cell.cell) return 0;
  if (first && second) return own.first && !own.second ? 2 : 1;
  return first ? 1 : second ? 2 : null;
}

function label(cell, chosen) {
  let state = say(`state.${cell.state}`);
  if (chosen) state = say(`cell.chosen${chosen}`);
  else if (cell.legal.length) state = cell.legal.map((action) => say(`cell.legal${action}`)).join(", ");
  return say("cell.text", { colour: say(`colour.${cell.colour}`), number: cell.number, state });
}

export class Sheet {
  constructor(root, tap) {
    this.root = root;
    this.tap = tap;
    this.cells = new Map();
    this.rows = [];
    this.layout = "";
    this.last = new Map();
    root.addEventListener("click", (event) => {
      const button = event.target.closest(".cell");
      if (button) this.tap(button.dataset.cell, button);
    });
    root.addEventListener("keydown", (event) => this.walk(event));
  }

  /** Arrow keys walk over the sheet; one cell at a time is in the tab order. */
  walk(event) {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const here = event.target.closest?.(".cell");
    if (!step || !here) return;
    event.preventDefault();
    const row = this.rows.findIndex((each) => each.cells.includes(here.dataset.cell));
    const place = this.rows[row].cells.indexOf(here.dataset.cell);
    const line = this.rows[(row + step[0] + this.rows.length) % this.rows.length].cells;
    const next = line[Math.min(line.length - 1, Math.max(0, place + step[1]))];
    this.cells.get(next).focus();
  }

  build(rows) {
    const layout = rows.flatMap((row) => row.cells.map((cell) => cell.cell)).join(" ");
    if (layout === this.layout) return;
    const there = [...this.root.querySelectorAll(".cell")].map((node) => node.dataset.cell).join(" ");
    if (there !== layout) this.root.replaceChildren(...rows.map(buildRow));
    this.layout = layout;
    this.last.clear();
    this.cells = new Map([...this.root.querySelectorAll(".cell")].map((node) => [node.dataset.cell, node]));
    this.rows = rows.map((row, place) => ({
      node: this.root.children[place],
      points: this.root.children[place].querySelector(".row-points"),
      lock: this.root.children[place].querySelector(".lock"),
      cells: row.cells.map((cell) => cell.cell),
    }));
  }

  paint(own) {
    this.build(own.rows);
    own.rows.forEach((row, place) => {
      const nodes = this.rows[place];
      nodes.node.classList.toggle("closed", row.closed);
      put(nodes.points, row.points === null ? "" : String(row.points));
      nodes.lock.classList.toggle("crossed", row.locked);
      mark(nodes.lock, "aria-label", say(row.locked ? "lock.mine" : row.closed ? "lock.closed" : "lock.open"));
      for (const cell of row.cells) this.paintCell(cell, own);
    });
  }

  paintCell(cell, own) {
    const chosen = own.first === cell.cell ? 1 : own.second === cell.cell ? 2 : 0;
    const key = `${cell.state}${chosen}${cell.legal}${cell.fresh}`;
    if (this.last.get(cell.cell) === key) return;
    this.last.set(cell.cell, key);
    const node = this.cells.get(cell.cell);
    mark(node, "data-state", cell.state);
    mark(node, "data-chosen", chosen || null);
    mark(node, "data-legal", cell.legal.length ? cell.legal.join("") : null);
    mark(node, "data-fresh", cell.fresh || null);
    mark(node, "aria-pressed", chosen > 0 || cell.state === "crossed");
    mark(node, "aria-label", label(cell, chosen));
  }

  shake(cell) {
    const node = this.cells.get(cell);
    if (!node) return;
    node.classList.remove("refused");
    requestAnimationFrame(() => node.classList.add("refused"));
  }
}

function buildRow(row) {
  const head = el("div.row-head", { "aria-hidden": "true" }, el("b", {}, say(`letter.${row.lock}`)), el(`i.shape.${row.lock}`), el("span.row-points"));
  const cells = row.cells.map((cell) => {
    const other = cell.colour === row.lock ? "" : `.on-${cell.colour}`;
    return el(`button.cell${other}`, { type: "button", "data-cell": cell.cell }, el("span", {}, String(cell.number)));
  });
  const lock = el("span.lock", { role: "img" }, el("i", { "aria-hidden": "true" }));
  const settings = { role: "group", "aria-label": say(`colour.${row.lock}`), "data-lock": row.lock };
  return el(`div.row.${row.lock}`, settings, head, ...cells, lock);
}

// --- header and footer --------------------------------------------------------------------------------

/** The two lines above the sheet: what is going on, and what to do. */
export function headline(view, own, offers) {
  const { game, eyes } = view;
  const name = (seat) => game.players[seat].name;
  const waiting = names(game.deciding.filter((seat) => seat !== own.seat).map(name));
  const mine = own.seat === game.active;
  const white = game.dice.length ? say("head.white", { a: game.dice[0].pips, b: game.dice[1].pips, sum: game.white_sum }) : "";
  switch (game.phase) {
    case "roll":
      if (game.drawing) return [say("lobby.drawing"), ""];
      if (eyes.state === "reading") return [say("head.reading"), ""];
      if (eyes.state === "moving") return [say("head.moving"), notice(eyes)];
      if (eyes.state === "ask") return asking(eyes);
      if (mine && eyes.state === "trouble") return [say("head.trouble"), notice(eyes)];
      if (mine) return [say("head.you_roll"), say(offers.camera ? "head.roll_press" : "head.roll_hand")];
      return [say("head.rolls", { name: name(game.active) }), rollHint(game, name(game.active))];
    case "first":
      if (own.finish === "waiting" || own.finish === "nothing") {
        if (own.first) return [white, say("head.can_change", { names: waiting })];
        return [white, own.rows.some((row) => row.cells.some((cell) => cell.legal.includes(1))) ? say("head.can_change", { names: waiting }) : say("head.none_first", { sum: game.white_sum })];
      }
      return [white, say(mine ? "head.cross_first_active" : "head.cross_first", { sum: game.white_sum })];
    case "second":
      if (!mine) return [say("head.second_other", { name: name(game.active) }), white];
      if (own.finish === "misthrow") return [say("head.second"), say(own.rows.some((row) => row.cells.some((cell) => cell.legal.length)) ? "head.second_misthrow" : "head.second_none")];
      return [say("head.second"), say("head.second_hint")];
    case "third":
      return mine ? [say("head.third"), say("head.third_hint")] : [say("head.third_other", { name: name(game.active) }), white];
    default:
      return [say("end.title"), ""];
  }
}

function rollHint(game, name) {
  if (game.last_turns !== null) return say("head.last_turns", { n: game.last_turns });
  return game.number === 1 ? say("lobby.first_is", { name }) : say("head.roll_other");
}

/** A doubtful die is tapped; anything else wrong in the lid is put right there. */
export function asking(eyes) {
  const kind = eyes.notices[0]?.kind ?? "pips-doubtful";
  return kind === "pips-doubtful" ? [say("head.ask"), say("head.ask_hint")] : [say("head.look"), notice(eyes)];
}

export function notice(eyes) {
  const first = eyes.notices[0];
  if (!first) return "";
  const die = knows(`die_is.${first.colour}`) ? say(`die_is.${first.colour}`) : say("die_is.any");
  return knows(`notice.${first.kind}`) ? say(`notice.${first.kind}`, { die }) : first.text;
}

/** What the one big button says and does. */
export function finishing(view, own, offers) {
  const third = view.game.phase === "third";
  switch (own.finish) {
    case "roll":
      return offers.camera ? ["foot.rolled", "press", "main"] : ["foot.enter", "enter", "main"];
    case "done":
      return ["foot.done", "done", "main"];
    case "pass":
      return [third ? "foot.stay" : "foot.pass", "done", "calm"];
    case "misthrow":
      return ["foot.misthrow", "done", "danger"];
    case "waiting":
      return ["foot.changed", null, "idle"];
    default:
      return ["foot.waiting", null, "idle"];
  }
}

let armedLabel = "";
let armedAt = 0;

export function paintFooter(view, own, offers) {
  const [label_, action, look] = finishing(view, own, offers);
  const button = $("finish");
  if (label_ !== armedLabel) {
    // A second tap meant for "Done" must not become "Take −5".
    armedLabel = label_;
    armedAt = performance.now() + (look === "danger" ? 600 : 0);
  }
  put(button, say(label_));
  mark(button, "data-look", look);
  mark(button, "aria-disabled", action === null || null);
  button.dataset.action = action ?? "";
  const undo = $("undo");
  mark(undo, "aria-disabled", !own.undo || null);
  mark($("misthrows"), "aria-label", say("foot.misthrows", { n: own.misthrows }));
  [...$("misthrows").children].forEach((box, place) => {
    box.classList.toggle("marked", place < own.misthrows);
    box.classList.toggle("next", look === "danger" && place === own.misthrows);
  });
  put($("score"), own.score === null ? "" : String(own.score));
  mark($("score"), "aria-label", own.score === null ? null : say("foot.score", { n: own.score }));
}

export const armed = () => performance.now() >= armedAt;

/** Why a tapped cell is not legal, in words. */
export function reason(cell, view, own) {
  const { game } = view;
  const name = game.players[game.active].name;
  if (cell.why) {
    const { why } = cell;
    return say(`why.${why.kind}`, {
      cell: cellText(why.cell),
      other: why.other ? numberOf(why.other) : "",
      needs: why.needs,
      has: why.has,
      lock: why.lock ? say(`colour.${why.lock}`) : "",
    });
  }
  if (game.phase === "over") return say("why.over");
  if (game.phase === "roll") return own.seat === game.active ? say("why.roll") : say("why.not-now", { name });
  return say("why.not-now", { name });
}


// A past game turn by turn: the page holds all of it, this only shows one moment. Knows no rules.
// @ts-check

import { $, all, mark, put, signed, touched } from "./dom.js";

/** @import { PastRow, PastSheet, Span } from "../types/pages.d.ts" */

const SWIPE = 40; // points a finger has to go sideways

const replay = $("replay");
const slider = /** @type {HTMLInputElement} */ ($("slider"));
const steps = all(replay, "[data-step]");
const last = steps.length - 1;
const marker = document.getElementById("now"); // only where the lines are drawn
const lines = document.getElementById("lines");
let now = last;
let listed = false;

/**
 * "5-8 12-" as pairs of first and last step.
 * @param {string} text
 * @returns {Span[]}
 */
const spans = (text = "") =>
  text
    .split(" ")
    .filter(Boolean)
    .map((span) => span.split("-"))
    .map(([from, to]) => [Number(from), to ? Number(to) : last]);

/**
 * @param {Span[]} list
 * @param {number} step
 */
const at = (list, step) => list.some(([from, to]) => from <= step && step <= to);
/** @param {string} text */
const numbers = (text = "") => text.split(" ").filter(Boolean).map(Number);

/**
 * @param {HTMLElement} node
 * @returns {PastRow}
 */
function pastRow(node) {
  const marked = (/** @type {HTMLElement} */ each) => ({ node: each, on: spans(each.dataset.on) });
  const [lock] = all(node, ".past-lock");
  const cells = all(node, "[data-state]").map(marked);
  return { node, closed: spans(node.dataset.closed), cells, lock: marked(lock) };
}

/** @type {PastSheet[]} */
const sheets = all(replay, ".past-sheet").map((node) => ({
  misthrows: numbers(node.dataset.misthrows),
  scores: numbers(node.dataset.scores),
  pieces: numbers(node.dataset.pieces),
  score: all(node, ".past-score b")[0],
  piece: all(node, ".past-piece")[0],
  boxes: all(node, ".miss-boxes")[0],
  rows: all(node, ".past-row").map(pastRow),
}));

/**
 * @param {PastRow} row
 * @param {number} step
 */
function paintRow(row, step) {
  const crossed = row.cells.map((cell) => at(cell.on, step));
  const furthest = crossed.lastIndexOf(true);
  row.cells.forEach((cell, place) => {
    mark(cell.node, "data-state", crossed[place] ? "crossed" : place < furthest ? "skipped" : "open");
    mark(cell.node, "data-fresh", crossed[place] && cell.on.some(([from]) => from === step) ? true : null);
  });
  row.lock.node.classList.toggle("crossed", at(row.lock.on, step));
  row.node.classList.toggle("closed", at(row.closed, step));
  const said = row.cells.filter((_, place) => crossed[place]).map((cell) => cell.node.dataset.said);
  mark(row.node, "aria-label", `${row.node.dataset.colour}: ${said.join(", ") || "–"}`);
}

/**
 * @param {PastSheet} sheet
 * @param {number} step
 */
function paintSheet(sheet, step) {
  for (const row of sheet.rows) paintRow(row, step);
  if (sheet.score) put(sheet.score, signed(sheet.scores[step]));
  if (sheet.piece) put(sheet.piece, String(sheet.pieces[step]));
  const misthrows = sheet.misthrows[step];
  [...sheet.boxes.children].forEach((box, place) => box.classList.toggle("marked", place < misthrows));
  mark(sheet.boxes, "aria-label", sheet.boxes.dataset.texts?.split("|")[misthrows]);
}

/**
 * @param {number} step
 * @param {boolean} [say]
 */
function show(step, say = true) {
  now = Math.min(last, Math.max(0, step));
  steps.forEach((node, place) => mark(node, "hidden", listed || place === now ? null : true));
  steps.forEach((node, place) => mark(node, "aria-current", place === now ? "step" : null));
  for (const sheet of sheets) paintSheet(sheet, now);
  slider.value = String(now);
  mark(slider, "aria-valuetext", steps[now].dataset.said);
  for (const id of ["first", "back"]) mark($(id), "aria-disabled", now === 0 || null);
  for (const id of ["next", "last"]) mark($(id), "aria-disabled", now === last || null);
  if (marker && lines) {
    const x = Number(lines.dataset.left) +
      Math.min(now, Number(lines.dataset.most)) * Number(lines.dataset.step);
    mark(marker, "x1", x);
    mark(marker, "x2", x);
  }
  if (!say) return;
  put($("live"), steps[now].innerText.replace(/\s+/g, " "));
  window.history.replaceState(null, "", `#turn-${now}`);
}

// --- hands ----------------------------------------------------------------------------------------------

slider.addEventListener("input", () => show(Number(slider.value)));
const BUTTONS = { first: () => 0, back: () => now - 1, next: () => now + 1, last: () => last };
for (const [id, where] of Object.entries(BUTTONS)) $(id).addEventListener("click", () => show(where()));

/** @type {Record<string, () => number>} */
const KEYS = { ArrowLeft: () => now - 1, ArrowRight: () => now + 1, Home: () => 0, End: () => last };
const SCROLL = ["Home", "End"]; // they scroll the page, unless one is at the replay

document.addEventListener("keydown", (event) => {
  const where = KEYS[event.key];
  if (!where || event.altKey || event.ctrlKey || event.metaKey || event.target === slider) return;
  if (SCROLL.includes(event.key) && !touched(event, "#replay")) return;
  if (touched(event, ".scroll")) return; // a wide table scrolls with the same keys
  event.preventDefault();
  show(where());
});

/** @type {{ x: number, y: number } | null} */
let finger = null;
const [stage] = all(replay, ".stage");
stage.addEventListener("touchstart", (event) => {
  const touch = event.touches[0];
  finger = event.touches.length === 1 && event.target !== slider
    ? { x: touch.clientX, y: touch.clientY }
    : null;
}, { passive: true });
stage.addEventListener("touchend", (event) => {
  if (!finger) return;
  const touch = event.changedTouches[0];
  const across = touch.clientX - finger.x;
  if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(touch.clientY - finger.y)) {
    show(across < 0 ? now + 1 : now - 1);
  }
  finger = null;
}, { passive: true });
stage.addEventListener("touchcancel", () => (finger = null), { passive: true });

$("all").addEventListener("click", () => {
  listed = !listed;
  mark($("all"), "aria-pressed", listed);
  replay.classList.toggle("listed", listed);
  show(now, false);
});

for (const node of [...all(replay, ".controls"), $("all"), $("keys")]) mark(node, "hidden", null);
replay.classList.add("moving");
const asked = /^#turn-(\d+)$/.exec(location.hash);
show(asked ? Number(asked[1]) : last, false);

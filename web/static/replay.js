// A past game turn by turn: the page holds all of it, this only shows one moment. Knows no rules.

import { $, mark, put } from "./dom.js";

const SWIPE = 40; // points a finger has to go sideways

const replay = $("replay");
const slider = $("slider");
const steps = [...replay.querySelectorAll("[data-step]")];
const last = steps.length - 1;
const marker = $("now");
const lines = $("lines");
let now = last;
let listed = false;

/** "5-8 12-" as pairs of first and last step. */
const spans = (text) =>
  text
    .split(" ")
    .filter(Boolean)
    .map((span) => span.split("-"))
    .map(([from, to]) => [Number(from), to ? Number(to) : last]);

const at = (list, step) => list.some(([from, to]) => from <= step && step <= to);
const numbers = (text) => text.split(" ").filter(Boolean).map(Number);
const signed = (number) => (number < 0 ? `−${-number}` : String(number));

const sheets = [...replay.querySelectorAll(".past-sheet")].map((node) => ({
  misthrows: numbers(node.dataset.misthrows),
  scores: numbers(node.dataset.scores),
  pieces: numbers(node.dataset.pieces),
  score: node.querySelector(".past-score b"),
  piece: node.querySelector(".past-piece"),
  boxes: node.querySelector(".miss-boxes"),
  rows: [...node.querySelectorAll(".past-row")].map((row) => ({
    node: row,
    closed: spans(row.dataset.closed),
    cells: [...row.querySelectorAll("[data-state]")].map((cell) => ({
      node: cell,
      on: spans(cell.dataset.on),
    })),
    lock: { node: row.querySelector(".past-lock"), on: spans(row.querySelector(".past-lock").dataset.on) },
  })),
}));

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

function paintSheet(sheet, step) {
  for (const row of sheet.rows) paintRow(row, step);
  if (sheet.score) put(sheet.score, signed(sheet.scores[step]));
  if (sheet.piece) put(sheet.piece, String(sheet.pieces[step]));
  const misthrows = sheet.misthrows[step];
  [...sheet.boxes.children].forEach((box, place) => box.classList.toggle("marked", place < misthrows));
  mark(sheet.boxes, "aria-label", sheet.boxes.dataset.texts.split("|")[misthrows]);
}

function show(step, say = true) {
  now = Math.min(last, Math.max(0, step));
  steps.forEach((node, place) => mark(node, "hidden", listed || place === now ? null : true));
  steps.forEach((node, place) => mark(node, "aria-current", place === now ? "step" : null));
  for (const sheet of sheets) paintSheet(sheet, now);
  slider.value = String(now);
  mark(slider, "aria-valuetext", steps[now].dataset.said);
  for (
    const [id, off] of [["first", now === 0], ["back", now === 0], ["next", now === last], [
      "last",
      now === last,
    ]]
  ) mark($(id), "aria-disabled", off || null);
  if (marker) {
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
for (
  const [id, where] of [["first", () => 0], ["back", () => now - 1], ["next", () => now + 1], [
    "last",
    () => last,
  ]]
) {
  $(id).addEventListener("click", () => show(where()));
}

const KEYS = { ArrowLeft: () => now - 1, ArrowRight: () => now + 1, Home: () => 0, End: () => last };
const SCROLL = ["Home", "End"]; // they scroll the page, unless one is at the replay

document.addEventListener("keydown", (event) => {
  const where = KEYS[event.key];
  if (!where || event.altKey || event.ctrlKey || event.metaKey || event.target === slider) return;
  if (SCROLL.includes(event.key) && !replay.contains(event.target)) return;
  if (event.target.closest(".scroll")) return; // a wide table scrolls with the same keys
  event.preventDefault();
  show(where());
});

let finger = null;
const stage = replay.querySelector(".stage");
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

$("all").addEventListener("click", (event) => {
  listed = !listed;
  mark(event.currentTarget, "aria-pressed", listed);
  replay.classList.toggle("listed", listed);
  show(now, false);
});

for (const node of [replay.querySelector(".controls"), $("all"), $("keys")]) mark(node, "hidden", null);
replay.classList.add("moving");
const asked = /^#turn-(\d+)$/.exec(location.hash);
show(asked ? Number(asked[1]) : last, false);

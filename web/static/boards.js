// The owner's boards: the list, and the page that takes one in. What is typed stands in boards-entry.js.
// @ts-check

import { $, all, cellText, data, dialog, el, mark, put, say, touched } from "./dom.js";
import { Entry, keepDraft, MODES, PAD, SIDES, stored } from "./boards-entry.js";
import { post } from "./link.js";
import {
  button,
  COLOURS,
  errorText,
  faultText,
  findingNodes,
  findingText,
  shelfNodes,
} from "./boards-shown.js";

/** @import { BoardView, FindingView, Posts } from "../types/api.d.ts" */
/** @import { BoardsData, Space } from "../types/pages.d.ts" */

const CHECK_MS = 200;

let entry = new Entry(stored());
let { shelf } = /** @type {BoardsData} */ (data);
/** @type {FindingView[]} */
let found = [];
let chosen = "R"; // the colour of the pad
let timer = 0;
let message = "";
let saved = ""; // the name of what was just saved

// --- the boards that are kept ---------------------------------------------------------------------------

function paintShelf() {
  const hands = {
    open: (/** @type {BoardView | undefined} */ board, changed = false) => leave(() => open(board, changed)),
    remove,
    bring,
  };
  $("kept").replaceChildren(...shelfNodes(shelf, hands));
}

/**
 * Deletes a board that is kept.
 * @param {string} id
 */
async function remove(id) {
  await change(`/api/boards/${encodeURIComponent(id)}/delete`, {});
  if (entry.id === id) entry.changed = true; // what was open is kept nowhere any more
}

/**
 * @template {"/api/boards" | `/api/boards/${string}/delete`} Path
 * @param {Path} path
 * @param {Posts[Path]["body"]} body
 */
async function change(path, body) {
  const { done, answer, error } = await post(path, body);
  if (!done) tell(say("error.busy"));
  else if (error) tell(errorText(error));
  else if (answer) {
    shelf = answer;
    paintShelf();
    return true;
  }
  return false;
}

/**
 * Before another board is opened: what is typed and not kept would be lost.
 * @param {() => unknown} go
 */
function leave(go) {
  if (!entry.changed) return go();
  /** @type {HTMLDialogElement} */
  const box = dialog(
    say("boards.unsaved"),
    el(
      "p.dialog-foot",
      {},
      button(say("boards.drop"), () => (box.close(), go())),
      button(say("boards.stay"), () => box.close(), "button.main"),
    ),
  );
}

/**
 * @param {BoardView | undefined} board
 * @param {boolean} [changed]
 */
function open(board, changed = false) {
  entry = new Entry(board && { ...board, changed });
  message = saved = "";
  build();
  (entry.name ? spaceNode() : $("board-name")).focus();
}

/** @param {{ target: HTMLInputElement }} event */
async function bring(event) {
  const file = event.target.files?.[0];
  event.target.value = "";
  if (!file) return;
  const { done, answer, error } = await post("/api/boards/read", { text: await file.text() });
  if (!done) return tell(say("error.busy"));
  if (error) return tell(errorText(error));
  if (answer?.fault) return tell(faultText(file.name, answer.fault));
  leave(() => open(answer?.board ?? undefined, true));
}

// --- taking one in --------------------------------------------------------------------------------------

function build() {
  const name = el("input", {
    id: "board-name",
    maxlength: 40,
    value: entry.name,
    autocomplete: "off",
    oninput: (event) => (entry.rename(event.target.value), changed()),
  });
  const tabs = SIDES.map((side) =>
    el("button.tab", {
      type: "button",
      id: `side-${side}`,
      "aria-pressed": "false",
      onclick: () => (entry.turn(side), paint(), spaceNode().focus()),
    })
  );
  const modes = MODES.map((mode) =>
    el("button.tab", {
      type: "button",
      id: `mode-${mode}`,
      "aria-pressed": "false",
      onclick: () => (entry.switch(mode), paint(), spaceNode().focus()),
    }, say(`boards.mode_${mode}`))
  );
  const grid = el("div.grid", { id: "grid", role: "group", "aria-describedby": "keys" });
  for (let place = 0; place < 40; place++) {
    grid.append(
      el("button.space", { type: "button", "data-place": place, onclick: () => (entry.go(place), paint()) }),
    );
  }
  $("editor").replaceChildren(
    el("h2", { id: "editor-title" }),
    el("p.field", {}, el("label", { for: "board-name" }, say("boards.name")), name),
    el("div.tabs", { role: "group", "aria-label": say("boards.sides") }, ...tabs),
    el("div.tabs", { role: "group", "aria-label": say("boards.what") }, ...modes),
    el(
      "div.desk",
      {},
      grid,
      el(
        "div.pad",
        {},
        el("p.now", { id: "now" }),
        el("p.wrong", { id: "told", role: "alert", hidden: true }),
        el("div", { id: "pad" }),
        el(
          "p.tools",
          {},
          button(say("boards.undo"), () => act(() => entry.undo()), "button.undo"),
          button(say("boards.erase"), () => act(() => entry.erase()), "button.erase"),
          button(say("boards.skip"), () => act(() => entry.step(1)), "button.skip"),
        ),
      ),
    ),
    el("p.hint", { id: "keys" }),
    el("div", { id: "findings", class: "findings" }),
    el("p", {}, button(say("boards.save"), save, "button.main.save")),
  );
  mark($("editor"), "hidden", null);
  paint();
  check();
}

const spaceNode = () => all($("grid"), "button")[entry.place];

function paint() {
  put(
    $("editor-title"),
    entry.id ? say("boards.changing", { name: entry.name || "…" }) : say("boards.entering"),
  );
  for (const side of SIDES) {
    put($(`side-${side}`), say("boards.filled", { side: say(`boards.${side}`), n: entry.filled(side) }));
    mark($(`side-${side}`), "aria-pressed", String(side === entry.side));
  }
  for (const mode of MODES) {
    mark($(`mode-${mode}`), "aria-pressed", String(mode === entry.mode));
  }
  mark($("grid"), "aria-label", say(`boards.${entry.side}`));
  put($("keys"), say(`boards.keys_${entry.mode}`));
  entry.spaces().forEach((space, place) => paintSpace(all($("grid"), "button")[place], space, place));
  put(
    $("now"),
    entry.pending
      ? say("boards.typing", { n: entry.place + 1, text: entry.pendingText(letter) })
      : say("boards.now", { n: entry.place + 1 }),
  );
  paintPad();
  tell(message);
  keepDraft(entry);
}

/** @param {string} short */
const letter = (short) => say(`letter.${COLOURS[short]}`);

/**
 * @param {HTMLElement} node
 * @param {Space} space
 * @param {number} place
 */
function paintSpace(node, space, place) {
  const colour = COLOURS[space.cell[0]];
  const here = place === entry.place;
  const wrong = found.find((each) =>
    each.side === entry.side && each.space === place + 1 && each.kind !== "empty"
  );
  const key = JSON.stringify([space, here, wrong?.forbids, entry.mode]);
  if (node.dataset.key === key) return;
  node.dataset.key = key;
  node.className = `space ${colour ?? "none"}`;
  const what = space.cell
    ? say("board.space", { n: place + 1, cell: cellText(space.cell), points: space.points || "–" })
    : say("boards.nothing", { n: place + 1, points: space.points || "–" });
  mark(node, "aria-label", wrong ? `${what}. ${findingText(wrong)}` : what);
  mark(node, "aria-current", here || null);
  mark(node, "tabindex", here ? 0 : -1);
  mark(node, "data-wrong", wrong ? (wrong.forbids ? "yes" : "maybe") : null);
  node.replaceChildren(
    el("i.place", { "aria-hidden": "true" }, String(place + 1)),
    el(
      "b",
      { "aria-hidden": "true" },
      space.cell ? el("small", {}, letter(space.cell[0])) : null,
      space.cell ? space.cell.slice(1) : "·",
    ),
    el("span.points", { "aria-hidden": "true" }, space.points || "–"),
  );
}

function paintPad() {
  const key = `${entry.mode}${chosen}`;
  const pad = $("pad");
  if (pad.dataset.key === key) return;
  pad.dataset.key = key;
  pad.className = `keys-${entry.mode}`;
  const colours = Object.entries(COLOURS).map(([short, name]) =>
    el(
      `button.ink.${name}`,
      {
        type: "button",
        "aria-pressed": String(short === chosen),
        "aria-label": say(`colour.${name}`),
        onclick: () => ((chosen = short), paintPad()),
      },
      el(`i.shape.${name}`, { "aria-hidden": "true" }),
      say(`letter.${name}`),
    )
  );
  /** @param {number} n */
  const number = (n) =>
    button(
      String(n),
      () => act(() => (entry.mode === "cells" ? entry.put(`${chosen}${n}`) : entry.score(n))),
      `button.number${entry.mode === "cells" ? `.${COLOURS[chosen]}` : ""}`,
    );
  pad.replaceChildren(
    ...(entry.mode === "cells"
      ? [el("div.inks", { role: "group", "aria-label": say("boards.colour") }, ...colours)]
      : []),
    el("div.numbers", {}, ...PAD[entry.mode].map(number)),
  );
}

/**
 * Whatever changes the board: done, painted, checked, said.
 * @param {() => string | void} work
 * @param {boolean} [focus]
 */
function act(work, focus = false) {
  const answer = work() ?? "";
  message = answer && say(`boards.${answer}`, { keys: keysText() });
  changed();
  if (focus) spaceNode().focus();
  else spaceNode().scrollIntoView({ block: "nearest" });
}

function changed() {
  saved = "";
  paint();
  clearTimeout(timer);
  timer = setTimeout(check, CHECK_MS);
}

const keysText = () =>
  Object.values(COLOURS).map((name) =>
    `${say(`boards.key_${name}`).split(" ")[0]} = ${say(`colour.${name}`)}`
  ).join(", ");

/** @param {string} text */
function tell(text) {
  mark($("told"), "hidden", text ? null : true);
  put($("told"), text);
}

async function check() {
  const asked = entry.board();
  const { answer } = await post("/api/boards/check", asked);
  if (!answer || JSON.stringify(asked) !== JSON.stringify(entry.board())) return;
  found = answer.findings;
  entry.spaces().forEach((space, place) => paintSpace(all($("grid"), "button")[place], space, place));
  paintFindings();
}

/** @param {FindingView} finding */
function lead({ side, space }) {
  if (!space) return $("board-name").focus();
  entry.side = SIDES.find((each) => each === side) ?? entry.side;
  entry.go(space - 1);
  paint();
  spaceNode().focus();
}

const paintFindings = () => $("findings").replaceChildren(...findingNodes(found, saved, lead));

async function save() {
  await check();
  if (found.some((each) => each.forbids)) {
    message = say("boards.not_yet");
    return tell(message);
  }
  const name = entry.name.trim().split(/\s+/).join(" ");
  message = "";
  tell("");
  if (!(await change("/api/boards", { ...entry.board(), name }))) return;
  const kept = shelf.boards.find((board) => board.name === name);
  entry = new Entry({ ...kept, side: entry.side });
  build();
  saved = name;
  put($("said"), say("boards.saved", { name }));
  paintFindings();
}

// --- keys -----------------------------------------------------------------------------------------------

/** @type {[string, string[]][]} */
const KEYS = Object.entries(COLOURS).map((
  [short, name],
) => [short, say(`boards.key_${name}`).split(" ")]);

function columns() {
  const spaces = all($("grid"), "button");
  return spaces.filter((node) => node.offsetTop === spaces[0].offsetTop).length;
}

$("editor").addEventListener("keydown", (event) => {
  if (touched(event, "input") || event.altKey) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    return act(() => entry.undo(), true);
  }
  const onSpace = touched(event, ".space");
  /** @type {Record<string, number>} */
  const moves = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns(),
    ArrowDown: columns(),
    Home: -40,
    End: 40,
  };
  if (event.key in moves) {
    if (!onSpace) return;
    event.preventDefault();
    return act(() => entry.step(moves[event.key]), true);
  }
  /** @type {Record<string, () => string | void>} */
  const plain = {
    Enter: () => entry.enter(),
    " ": () => entry.enter(),
    Backspace: () => entry.erase(),
    Delete: () => entry.clear(),
  };
  if (event.key in plain) {
    if (!onSpace && (event.key === "Enter" || event.key === " ")) return; // that presses the button
    event.preventDefault();
    return act(plain[event.key], true);
  }
  if (event.key.length !== 1) return;
  event.preventDefault();
  act(() => entry.type(event.key.toLowerCase(), KEYS), true);
});

addEventListener("beforeunload", (event) => entry.changed && !stored() && event.preventDefault());

paintShelf();
build();

// What the owner's boards look like around the entering: those that are kept, and what is wrong with one.
// @ts-check

import { SIDES } from "./boards-entry.js";
import { cellText, el, knows, say } from "./dom.js";
import { ask } from "./taps.js";

/** @import { BoardView, ErrorBody, FileFault, FindingView, ShelfView } from "../types/api.d.ts" */

/** @type {Record<string, string>} */
export const COLOURS = { R: "red", Y: "yellow", G: "green", B: "blue" };

/**
 * @param {string} text
 * @param {(event: MouseEvent & { currentTarget: HTMLElement }) => unknown} onclick
 * @param {string} [what]
 */
export const button = (text, onclick, what = "button") => el(what, { type: "button", onclick }, text);

/**
 * The boards that are kept, the house board, and the ways to a new one.
 * @param {ShelfView} shelf
 * @param {object} hands
 * @param {(board: BoardView | undefined, changed?: boolean) => void} hands.open
 * @param {(id: string) => void} hands.remove
 * @param {(event: { target: HTMLInputElement }) => void} hands.bring
 */
export function shelfNodes(shelf, hands) {
  /** @param {string} id */
  const file = (id) =>
    el(
      "a.button",
      { href: `/api/boards/${encodeURIComponent(id)}.board`, download: "" },
      say("boards.export"),
    );
  /**
   * @param {BoardView} board
   * @param {string} name
   * @param {Node[]} buttons
   */
  const line = (board, name, ...buttons) => el("li", {}, el("strong", {}, name), ...buttons, file(board.id));
  /**
   * @param {string} id
   * @param {string} name
   */
  const remove = (id, name) =>
    button(
      say("boards.delete"),
      (event) => ask(event.currentTarget, "delete", { name }, () => hands.remove(id)),
    );
  const own = shelf.boards.map((board) =>
    line(
      board,
      board.name,
      button(say("boards.open"), () => hands.open(board)),
      remove(board.id, board.name),
    )
  );
  const broken = shelf.broken.map((board) =>
    el("li.broken", {}, el("strong", {}, board.id), el("span", {}, board.text), remove(board.id, board.id))
  );
  const house = line(
    shelf.house,
    say("boards.house"),
    button(say("boards.copy"), () => hands.open({ ...shelf.house, id: "", name: "" }, true)),
  );
  const input = el("input.said", {
    type: "file",
    accept: ".board,text/plain",
    id: "import",
    "aria-label": say("boards.import"),
    onchange: hands.bring,
  });
  const more = el(
    "li.more",
    {},
    button(say("boards.new"), () => hands.open(undefined)),
    el("label.button", { for: "import" }, say("boards.import")),
    input,
  );
  return [...own, ...broken, house, more];
}

/**
 * Why something was refused.
 * @param {ErrorBody} error
 */
export const errorText = (error) =>
  knows(`error.${error.error}`)
    ? say(`error.${error.error}`, { n: error.number ?? error.retry_after })
    : error.text;

/**
 * Why a file is no board.
 * @param {string} name
 * @param {FileFault} fault
 */
export function faultText(name, { kind, line, got, wanted }) {
  const what = say(`boards.file_${kind.replaceAll("-", "_")}`, { got, wanted });
  return line ? say("boards.file_line", { name, line, what }) : say("boards.file_whole", { name, what });
}

/** @param {FindingView} finding */
export function findingText({ kind, side, space, got, other }) {
  const cell = /^[RYGB]\d+$/.test(got) ? cellText(got) : got;
  return say(`boards.wrong_${kind.replaceAll("-", "_")}`, {
    side: side && say(`boards.${side}`),
    space,
    got,
    cell,
    other,
  });
}

/**
 * What is wrong with a board, what must be put right first; empty spaces are counted, not listed.
 * @param {FindingView[]} found
 * @param {string} saved the name of what was just saved
 * @param {(finding: FindingView) => void} lead
 */
export function findingNodes(found, saved, lead) {
  const empty = SIDES.map((side) => found.filter((each) => each.kind === "empty" && each.side === side))
    .filter((list) => list.length);
  const lines = [
    ...empty.map((list) => ({
      each: list[0],
      text: say("boards.wrong_empty", { side: say(`boards.${list[0].side}`), n: list.length }),
    })),
    ...found.filter((each) => each.kind !== "empty").map((each) => ({ each, text: findingText(each) })),
  ];
  const line = (/** @type {{ each: FindingView, text: string }} */ { each, text }) => {
    const leads = each.space || each.kind === "name";
    return el(
      `li.${each.forbids ? "must" : "may"}`,
      {},
      leads ? button(text, () => lead(each), "button.go") : text,
    );
  };
  const must = lines.filter(({ each }) => each.forbids);
  const may = lines.filter(({ each }) => !each.forbids);
  const list = (/** @type {string} */ title, /** @type {typeof lines} */ items) =>
    items.length ? [el("h3", {}, title), el("ul", {}, ...items.map(line))] : [];
  const kept = saved ? [el("p.saved", {}, say("boards.saved", { name: saved }))] : [];
  const fine = must.length || saved
    ? []
    : [el("p.fine", {}, say(may.length ? "boards.whole" : "boards.fine"))];
  return [...kept, ...fine, ...list(say("boards.must"), must), ...list(say("boards.may"), may)];
}

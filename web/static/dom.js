// Elements and words: the only place that makes nodes. Text goes in as text, never as markup.
// @ts-check

/** @import { GameView, SeatView } from "../types/api.d.ts" */
/** @import { Child, Made, PageData, Settings, Values } from "../types/pages.d.ts" */

const begin = document.getElementById("data");
/**
 * What the page begins with; what it has beside words and language, its own script names.
 * @type {PageData}
 */
export const data = begin ? JSON.parse(begin.textContent) : { words: {}, language: "en" };

/**
 * The words for a key, its holes filled as the server does: the form that {n} takes; {Row} begins a sentence.
 * @param {string} key
 * @param {Values} [values]
 * @returns {string}
 */
export function say(key, values = {}) {
  const found = data.words[key];
  if (found === undefined) throw new Error(`no words for ${key}`);
  const text = typeof found === "string" ? found : (found[formOf(values.n)] ?? found.other);
  return text.replace(
    /\{(\w+)\}/g,
    (_, name) => (name in values ? written(values[name]) : capital(written(values[lower(name)]))),
  );
}

/**
 * Which form of a text a number takes: a language gives a regular expression each for its digits.
 * @param {Values[string]} number
 */
function formOf(number) {
  const forms = Object.entries(data.words["language.plural"] ?? {});
  return forms.find(([, digits]) => new RegExp(`^(?:${digits})$`).test(String(number)))?.[0] ?? "other";
}

/**
 * A number as it is printed: with a minus that is as wide as a plus.
 * @param {number} number
 */
export const signed = (number) => (number < 0 ? `−${-number}` : String(number));
/** @param {Values[string]} value */
const written = (value) => (typeof value === "number" ? signed(value) : String(value));

/** @param {string} text */
const lower = (text) => text.charAt(0).toLowerCase() + text.slice(1);
/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} key */
export const knows = (key) => data.words[key] !== undefined;

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function $(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

/**
 * Elements below another one, in the order of the page.
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export const all = (root, selector) => [...root.querySelectorAll(selector)].map(asHTML);

/** @param {Element} node */
const asHTML = (node) => /** @type {HTMLElement} */ (node);

/**
 * The element that an event is about, or the next one around it, if it is such a one.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const touched = ({ target }, selector) => target instanceof Element ? target.closest(selector) : null;

/**
 * el("button.big", {type: "button", onclick}, "text", child, …)
 * @template {string} What
 * @param {What} what
 * @param {Settings} [settings]
 * @param {Child[]} children
 * @returns {Made<What>}
 */
export function el(what, settings = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") {
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (typeof value === "object") {
      for (const [key, text] of Object.entries(value)) node.style.setProperty(key, String(text));
    } else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...given(children));
  return /** @type {Made<What>} */ (node);
}

/** @param {Child[]} children */
const given = (children) => children.filter((child) => child !== null && child !== undefined);

/**
 * What stands in the node from now on; a child that is not there is left out, as in el().
 * @param {Element} node
 * @param {Child[]} children
 */
export const fill = (node, ...children) => node.replaceChildren(...given(children));

/**
 * Set text only when it differs, so that nothing is painted or read out for nothing.
 * @param {Element} node
 * @param {string} text
 */
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function mark(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

/**
 * Whether a person's seat has no phone here; players of the program need none.
 * @param {SeatView} seat
 */
export const phoneless = ({ level, held, phone_away }) => !level && (!held || phone_away);

/**
 * What is said behind a seat's name: how the program plays there, or that no phone is here.
 * @param {SeatView} seat
 */
export const seatNote = (
  seat,
) => (seat.level
  ? say(`level.${seat.level}`)
  : phoneless(seat)
  ? say(seat.held ? "others.phone_away" : "others.no_phone")
  : "");

/**
 * @param {string[]} list
 * @returns {string}
 */
export const names = (list) =>
  list.length < 2 ? list.join("") : say("and", { a: list.slice(0, -1).join(", "), b: list.at(-1) });

/** @type {Record<string, string>} */
const LETTER = { R: "red", Y: "yellow", G: "green", B: "blue", W: "white" };
/** @param {string} cell */
export const colourOf = (cell) => LETTER[cell[0]];
/** @param {string} cell */
export const numberOf = (cell) => Number(cell.slice(1));

/**
 * "the red 7" and "the red row", as a sentence in the phone's language has them.
 * @param {string} cell
 */
export const cellText = (cell) => say(`cell_it.${colourOf(cell)}`, { number: cell.slice(1) });
/** @param {string} colour */
export const rowText = (colour) => say(`row_it.${colour}`);

/**
 * On sheets of mixed rows a cell may have another colour than its row's lock: it brings its own.
 * @param {string} cell
 * @param {string} lock
 */
export const ownColour = (cell, lock) => (colourOf(cell) === lock ? "" : `.own.${colourOf(cell)}`);

/**
 * "blue 7", as it stands in a list.
 * @param {string} cell
 */
export const cellName = (cell) => `${say(`colour.${colourOf(cell)}`)} ${cell.slice(1)}`;

/**
 * A cell of that row as it is read out: by its number, and by its colour too where the row has several.
 * @param {{ lock: string, cells: string[] }} row
 * @returns {(cell: string) => string}
 */
export const inWords = (
  { lock, cells },
) => (cells.some((cell) => colourOf(cell) !== lock) ? cellName : (cell) => cell.slice(1));

/** @type {Record<number, string>} */
const pipsAt = { 1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679" };

/**
 * The game, where one is played.
 * @param {{ game: GameView | null }} view
 */
export function gameOf({ game }) {
  if (!game) throw new Error("no game is played");
  return game;
}

/**
 * Who has not decided yet, as the answer to a press for the next roll.
 * @param {GameView} game
 * @param {number} [seat]
 */
export function stillDecides(game, seat) {
  if (game.deciding.length === 1 && game.deciding[0] === seat) return say("said.still_you");
  const said = names(game.deciding.map((each) => game.players[each].name));
  return say("said.still", { n: game.deciding.length, names: said });
}

/**
 * A drawn die face: nine places, some of them pips.
 * @param {string} colour
 * @param {number | null} pips
 */
export function face(colour, pips) {
  const node = el(`span.face.${colour}`, { "aria-hidden": "true" });
  for (let place = 1; place <= 9; place++) {
    node.append(el(pips && pipsAt[pips].includes(String(place)) ? "i.pip" : "i"));
  }
  return node;
}

/**
 * @param {string} title
 * @param {Child[]} content
 * @returns {HTMLDialogElement}
 */
export function dialog(title, ...content) {
  const close = el("button.icon-button", {
    type: "button",
    "aria-label": say("menu.close"),
    onclick: () => node.close(),
  });
  close.append(el("i.cross-mark", { "aria-hidden": "true" }));
  const heading = el("h2", {}, title);
  /** @type {HTMLDialogElement} */
  const node = el("dialog", {}, el("div.dialog-head", {}, heading, close), ...content);
  node.setAttribute("aria-label", title);
  node.addEventListener("click", (event) => event.target === node && node.close());
  node.addEventListener("close", () => node.remove());
  document.body.append(node);
  node.showModal();
  return node;
}

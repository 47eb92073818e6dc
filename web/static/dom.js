// Elements and words: the only place that makes nodes. Text goes in as text, never as markup.

const begin = document.getElementById("data");
export const data = begin ? JSON.parse(begin.textContent) : { words: {} };

/**
 * The words for a key, its holes filled as the server does: the form that {n} takes; {Row} begins a sentence.
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

/** Which form of a text a number takes: a language gives a regular expression each for its digits. */
function formOf(number) {
  const forms = Object.entries(data.words["language.plural"]);
  return forms.find(([, digits]) => new RegExp(`^(?:${digits})$`).test(String(number)))?.[0] ?? "other";
}

/** A number as it is printed: with a minus that is as wide as a plus. */
export const signed = (number) => (number < 0 ? `−${-number}` : String(number));
const written = (value) => (typeof value === "number" ? signed(value) : String(value));

const lower = (text) => text.charAt(0).toLowerCase() + text.slice(1);
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export const knows = (key) => data.words[key] !== undefined;

export const $ = (id) => document.getElementById(id);

/** el("button.big", {type: "button", onclick}, "text", child, …) */
export function el(what, settings = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") {
      for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
    } else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...given(children));
  return node;
}

const given = (children) => children.filter((child) => child !== null && child !== undefined);

/** What stands in the node from now on; a child that is not there is left out, as in el(). */
export const fill = (node, ...children) => node.replaceChildren(...given(children));

/** Set text only when it differs, so that nothing is painted or read out for nothing. */
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function mark(node, name, value) {
  if (value === null || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

/** Whether a person's seat has no phone here; players of the program need none. */
export const phoneless = ({ level, held, phone_away }) => !level && (!held || phone_away);

/** What is said behind a seat's name: how the program plays there, or that no phone is here. */
export const seatNote = (
  seat,
) => (seat.level
  ? say(`level.${seat.level}`)
  : phoneless(seat)
  ? say(seat.held ? "others.phone_away" : "others.no_phone")
  : "");

export const names = (list) =>
  list.length < 2 ? list.join("") : say("and", { a: list.slice(0, -1).join(", "), b: list.at(-1) });

const LETTER = { R: "red", Y: "yellow", G: "green", B: "blue", W: "white" };
export const colourOf = (cell) => LETTER[cell[0]];
export const numberOf = (cell) => Number(cell.slice(1));

/** "the red 7" and "the red row", as a sentence in the phone's language has them. */
export const cellText = (cell) => say(`cell_it.${colourOf(cell)}`, { number: cell.slice(1) });
export const rowText = (colour) => say(`row_it.${colour}`);

/** On sheets of mixed rows a cell may have another colour than its row's lock: it brings its own. */
export const ownColour = (cell, lock) => (colourOf(cell) === lock ? "" : `.own.${colourOf(cell)}`);

/** "blue 7", as it stands in a list. */
export const cellName = (cell) => `${say(`colour.${colourOf(cell)}`)} ${cell.slice(1)}`;

/** A cell of that row as it is read out: by its number, and by its colour too where the row has several. */
export const inWords = (
  { lock, cells },
) => (cells.some((cell) => colourOf(cell) !== lock) ? cellName : (cell) => cell.slice(1));

const pipsAt = { 1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679" };

/** Who has not decided yet, as the answer to a press for the next roll. */
export function stillDecides({ game }, seat) {
  if (game.deciding.length === 1 && game.deciding[0] === seat) return say("said.still_you");
  const said = names(game.deciding.map((each) => game.players[each].name));
  return say("said.still", { n: game.deciding.length, names: said });
}

/** A drawn die face: nine places, some of them pips. */
export function face(colour, pips) {
  const node = el(`span.face.${colour}`, { "aria-hidden": "true" });
  for (let place = 1; place <= 9; place++) {
    node.append(el(pips && pipsAt[pips].includes(place) ? "i.pip" : "i"));
  }
  return node;
}

export function dialog(title, ...content) {
  const close = el("button.icon-button", {
    type: "button",
    "aria-label": say("menu.close"),
    onclick: () => node.close(),
  });
  close.append(el("i.cross-mark", { "aria-hidden": "true" }));
  const heading = el("h2", {}, title);
  const node = el("dialog", {}, el("div.dialog-head", {}, heading, close), ...content);
  node.setAttribute("aria-label", title);
  node.addEventListener("click", (event) => event.target === node && node.close());
  node.addEventListener("close", () => node.remove());
  document.body.append(node);
  node.showModal();
  return node;
}

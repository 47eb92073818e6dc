// Elements and words: the only place that makes nodes. Text goes in as text, never as markup.

const given = document.getElementById("data");
export const data = given ? JSON.parse(given.textContent) : { words: {} };

export function say(key, values = {}) {
  const text = data.words[key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

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
    else if (name === "style") for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Set text only when it differs, so that nothing is painted or read out for nothing. */
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function mark(node, name, value) {
  if (value === null || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

export const names = (list) =>
  list.length < 2 ? list.join("") : say("and", { a: list.slice(0, -1).join(", "), b: list.at(-1) });

const LETTER = { R: "red", Y: "yellow", G: "green", B: "blue", W: "white" };
export const colourOf = (cell) => LETTER[cell[0]];
export const numberOf = (cell) => Number(cell.slice(1));

/** "red 7" in the phone's language. */
export const cellText = (cell) => `${say(`colour.${colourOf(cell)}`)} ${cell.slice(1)}`;

const pipsAt = { 1: "5", 2: "19", 3: "159", 4: "1379", 5: "13579", 6: "134679" };

/** A drawn die face: nine places, some of them pips. */
export function face(colour, pips) {
  const node = el(`span.face.${colour}`, { "aria-hidden": "true" });
  for (let place = 1; place <= 9; place++) {
    node.append(el(pips && pipsAt[pips].includes(place) ? "i.pip" : "i"));
  }
  return node;
}

export function dialog(title, ...content) {
  const close = el("button.icon-button", { type: "button", "aria-label": say("menu.close"), onclick: () => node.close() });
  close.append(el("i.cross-mark", { "aria-hidden": "true" }));
  const heading = el("h2", {}, title);
  const node = el("dialog", {}, el("header.dialog-head", {}, heading, close), ...content);
  node.setAttribute("aria-label", title);
  node.addEventListener("click", (event) => event.target === node && node.close());
  node.addEventListener("close", () => node.remove());
  document.body.append(node);
  node.showModal();
  return node;
}

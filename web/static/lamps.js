// The panel's lamps on a page: they blink as the real ones would. Knows no buttons.
// @ts-check

import { el, knows, put, say } from "./dom.js";

/** @import { Lamp } from "../types/api.d.ts" */

const TICK = 100;
const started = performance.now();
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * A lamp's name in the page's language: seats by number, rows by colour.
 * @param {string} name
 */
function nameOf(name) {
  if (name.startsWith("seat ")) return say("panel.seat", { n: name.slice(5) });
  if (name === "status") return say("panel.status");
  return knows(`colour.${name}`) ? say(`colour.${name}`) : name;
}

export class Lamps {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Lamp[]} */
    this.lamps = [];
    setInterval(() => this.blink(), TICK);
  }

  /** @param {Lamp[]} lamps */
  paint(lamps) {
    this.lamps = lamps;
    if (this.root.children.length !== lamps.length) {
      this.root.replaceChildren(
        ...lamps.map((lamp) =>
          el(
            "li",
            {},
            el("span.lamp", { style: { "--lamp": lamp.colour } }),
            el("span", {}, nameOf(lamp.name)),
          )
        ),
      );
    }
    this.blink();
  }

  blink() {
    const tick = Math.floor((performance.now() - started) / TICK);
    this.lamps.forEach((lamp, place) => {
      const [node, said] = /** @type {HTMLCollectionOf<HTMLElement>} */ (this.root.children[place].children);
      const lit = [...lamp.pattern].filter((tick) => tick === "X").length;
      const state = lit === 0 ? "panel.dark" : lit === lamp.pattern.length ? "panel.lit" : "panel.blinks";
      put(said, say(state, { name: nameOf(lamp.name) }));
      node.classList.toggle("lit", calm.matches ? lit > 0 : lamp.pattern[tick % lamp.pattern.length] === "X");
      node.style.setProperty("--lamp", lamp.colour);
    });
  }
}

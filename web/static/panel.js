// The simulated panel: lamps blink as the real ones would, buttons press as fingers would.

import { $, el, knows, put, say } from "./dom.js";
import { post } from "./link.js";

const TICK = 100;
const started = performance.now();
let lamps = [];

/** A lamp's name in the page's language: seats by number, rows by colour. */
function nameOf(name) {
  if (name.startsWith("seat ")) return say("panel.seat", { n: name.slice(5) });
  if (name === "status") return say("panel.status");
  return knows(`colour.${name}`) ? say(`colour.${name}`) : name;
}

async function look() {
  try {
    lamps = (await (await fetch("/api/panel")).json()).lamps;
    if ($("lamps").children.length !== lamps.length) {
      $("lamps").replaceChildren(...lamps.map((lamp) => el("li", {}, el("span.lamp", { style: { "--lamp": lamp.colour } }), el("span", {}, nameOf(lamp.name)))));
    }
  } catch {
    // the next look tells
  }
  setTimeout(look, 400);
}

function blink() {
  const tick = Math.floor((performance.now() - started) / TICK);
  lamps.forEach((lamp, place) => {
    const node = $("lamps").children[place].firstChild;
    const lit = [...lamp.pattern].filter((tick) => tick === "X").length;
    const state = lit === 0 ? "panel.dark" : lit === lamp.pattern.length ? "panel.lit" : "panel.blinks";
    put(node.nextSibling, say(state, { name: nameOf(lamp.name) }));
    node.classList.toggle("lit", lamp.pattern[tick % lamp.pattern.length] === "X");
    node.style.setProperty("--lamp", lamp.colour);
  });
}

for (const button of document.querySelectorAll("[data-button]")) {
  button.addEventListener("click", async () => {
    const { done, error } = await post("/api/panel", { button: button.dataset.button });
    put($("answer"), done && !error ? say("panel.pressed") : say("error.busy"));
  });
}
look();
setInterval(blink, TICK);

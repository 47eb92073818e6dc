// The simulated panel: lamps blink as the real ones would, buttons press as fingers would.
// @ts-check

import { $, all, put, say } from "./dom.js";
import { Lamps } from "./lamps.js";
import { post } from "./link.js";

/** @import { PanelButton } from "../types/pages.d.ts" */

const lamps = new Lamps($("lamps"));

async function look() {
  try {
    lamps.paint((await (await fetch("/api/panel")).json()).lamps);
  } catch {
    // the next look tells
  }
  setTimeout(look, 400);
}

for (const button of all(document, "[data-button]")) {
  button.addEventListener("click", async () => {
    const { done, error } = await post("/api/panel", {
      button: /** @type {PanelButton} */ (button.dataset.button),
    });
    put($("answer"), done && !error ? say("panel.pressed") : say("error.busy"));
  });
}
look();

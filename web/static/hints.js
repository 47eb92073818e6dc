// What the program would choose, and why: asked for by a tap, or by itself where the table plays so.
// @ts-check

import { $, el, gameOf, mark, put, say } from "./dom.js";
import { acts } from "./headline.js";

/** @import { HintView, View } from "../types/api.d.ts" */
/** @import { Shown } from "../types/pages.d.ts" */

/** @type {HintView | null} */
let hint = null; // the newest one, for its moment and seat
let asked = ""; // the moment and the seat that were asked for last
let failed = ""; // and those for which nothing came back

/**
 * Whether the table plays with hints and this seat has something to decide.
 * @param {View} view
 * @param {Shown | null} own
 */
const open = (view, own) =>
  own && gameOf(view).hints !== "off" && !["roll", "over"].includes(gameOf(view).phase) && acts(own);

/**
 * @param {View} view
 * @param {Shown} own
 */
const known = (view, own) => hint?.moment === view.moment && hint.seat === own.seat;

/**
 * The hint that holds now, if there is one.
 * @param {View} view
 * @param {Shown} own
 */
export const hinted = (view, own) => (open(view, own) && known(view, own) ? hint : null);

/**
 * The button, and the hint in place of the second line once there is one; `again` paints it.
 * @param {View} view
 * @param {Shown} own
 * @param {() => void} again
 */
export function paintHints(view, own, again) {
  const { hints } = gameOf(view);
  const offered = open(view, own) && !known(view, own);
  const button = document.getElementById("ask-hint") ??
    place(
      el(
        "button.icon-button",
        { id: "ask-hint", type: "button", "aria-label": say("hint.ask") },
        el("i.bulb", { "aria-hidden": "true" }),
      ),
    );
  const unanswered = failed === `${view.moment} ${own.seat}`;
  mark(button, "hidden", offered && (hints === "asked" || unanswered) ? null : true);
  button.onclick = () => ask(view, own, again);
  if (offered && hints === "always" && asked !== `${view.moment} ${own.seat}`) {
    ask(view, own, again);
  }
  const found = hinted(view, own);
  if (found) put($("hint"), found.text);
  else if (offered && unanswered) put($("hint"), say("hint.failed"));
  mark($("hint"), "data-hint", found ? true : null);
  mark($("finish"), "data-hint", found && !found.cell && found.space === null ? true : null);
}

/** @param {HTMLElement} button */
const place = (button) => ($("others").before(button), button);

/**
 * Where nothing comes back, that is said and the button is there still; by itself it is asked once a moment.
 * @param {View} view
 * @param {Shown} own
 * @param {() => void} again
 */
async function ask(view, own, again) {
  const moment = `${view.moment} ${own.seat}`;
  [asked, failed] = [moment, ""];
  const answer = await fetch(`/api/hints/${own.seat}`).catch(() => null);
  if (!answer?.ok) {
    failed = moment;
    put($("live"), say("hint.failed"));
    return again();
  }
  /** @type {HintView} */
  const found = await answer.json();
  hint = found;
  if (asked === `${found.moment} ${found.seat}`) put($("live"), found.text);
  again();
}

// The step of the set-up that tries lamps and buttons, one by one.
// @ts-check

import { el, knows, say } from "./dom.js";
import { post } from "./link.js";
import { button, text } from "./setup-parts.js";

/** @import { SetUpView } from "../types/api.d.ts" */
/** @import { Lamp, PanelButton, StepHands, Wishes } from "../types/pages.d.ts" */

/** @param {StepHands} hands */
export function panel({ view, wish, busy, next }) {
  const lamps = view.lamps.map((lamp) => lampLine(lamp, wish, busy));
  const buttons = view.buttons.map((each) => buttonLine(each, view));
  return [
    text("setup.panel_lead"),
    ...(view.panel_simulated ? [el("p.note", {}, say("setup.panel_simulated"))] : []),
    el("h3", {}, say("setup.lamps")),
    el("ul.parts", {}, ...lamps),
    el("h3", {}, say("setup.buttons")),
    el("ul.parts", {}, ...buttons),
    button("setup.panel_ok", () => wish({ do: "panel" }, next), { main: true, disabled: busy }),
  ];
}

/** @param {Lamp} lamp */
function lampName({ name }) {
  if (name.startsWith("seat ")) return say("panel.seat", { n: name.slice(5) });
  if (knows(`colour.${name}`)) return say("setup.row_lamp", { colour: say(`colour.${name}`) });
  return say(`lamp.${name.replaceAll(" ", "_")}`);
}

/** @param {Lamp} lamp */
const bulb = (lamp) => el("i.bulb", { "aria-hidden": "true", style: { "--lamp": lamp.colour } });

/**
 * @param {Lamp} lamp
 * @param {Wishes} wish
 * @param {boolean} busy
 */
function lampLine(lamp, wish, busy) {
  const name = lampName(lamp);
  const answer = lamp.seen === null ? "" : say(lamp.seen ? "setup.lamp_seen" : "setup.lamp_unseen");
  const words = el("span", {}, name, el("small", {}, [lamp.pin, answer].filter(Boolean).join(" · ")));
  const light = el("button", {
    type: "button",
    disabled: busy,
    "data-keep": `lamp-${lamp.name}`,
    "aria-label": say("setup.light_one", { name }),
    onclick: () => wish({ do: "lamp", lamp: lamp.name }),
  }, say("setup.light"));
  if (!lamp.lit) return el("li", {}, bulb(lamp), words, light);
  const judge = (/** @type {boolean} */ seen) => () =>
    wish({ do: "judge-lamp", lamp: lamp.name, seen }, (newest) => lightNext(newest, lamp, wish));
  const ask = el(
    "div.ask",
    {},
    el("span", {}, say(lamp.name === "buzzer" ? "setup.hear_ask" : "setup.lamp_ask")),
    el(
      "button",
      { type: "button", disabled: busy, "data-keep": "lamp-yes", onclick: judge(true) },
      say("setup.yes"),
    ),
    el(
      "button",
      { type: "button", disabled: busy, "data-keep": "lamp-no", onclick: judge(false) },
      say("setup.no"),
    ),
  );
  return el("li.lit", {}, bulb(lamp), words, light, ask);
}

/**
 * One by one: the next lamp nobody has judged yet, until there is none.
 * @param {SetUpView} view
 * @param {Lamp} before
 * @param {Wishes} wish
 */
function lightNext(view, before, wish) {
  const place = view.lamps.findIndex((lamp) => lamp.name === before.name);
  const order = [...view.lamps.slice(place + 1), ...view.lamps.slice(0, place)];
  wish({ do: "lamp", lamp: order.find((lamp) => lamp.seen === null)?.name ?? "" });
}

/** @type {Record<string, string>} */
const BUTTON = {
  rolled: "panel.rolled",
  "read again": "panel.read_again",
  second: "panel.second",
  off: "setup.off_button",
};

/**
 * @param {SetUpView["buttons"][number]} told
 * @param {SetUpView} view
 */
function buttonLine({ name, pin, seen }, view) {
  const told = say(seen ? "setup.button_seen" : "setup.button_waits");
  const words = el(
    "span",
    {},
    say(BUTTON[name]),
    el("small", { role: "status" }, [pin, told].filter(Boolean).join(" · ")),
  );
  const press = view.panel_simulated
    ? el("button", {
      type: "button",
      "data-keep": `press-${name}`,
      "aria-label": say("setup.press_one", { name: say(BUTTON[name]) }),
      onclick: () => post("/api/panel", { button: /** @type {PanelButton} */ (name) }),
    }, say("setup.press"))
    : null;
  return el(
    seen ? "li.lit" : "li",
    {},
    el("span", { "aria-hidden": "true" }, seen ? "✓" : "…"),
    words,
    press,
  );
}

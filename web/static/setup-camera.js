// The step of the set-up that chooses a camera and looks whether its picture will do.
// @ts-check

import { el, names, say } from "./dom.js";
import { busyLine, button, hint, text } from "./setup-parts.js";
import { inWords } from "./setup-talk.js";

/** @import { SetUpView, Sight } from "../types/api.d.ts" */
/** @import { StepHands, Wishes } from "../types/pages.d.ts" */

/** @param {StepHands} hands */
export function camera({ view, wish, busy, live, next }) {
  const stage = live.stage([]);
  const list = el("ul.sights", {});
  let best = 0;
  live.sight(stage, (sight) => {
    best = Math.max(best, sight.sharpness);
    list.replaceChildren(...sightLines(sight, best));
  });
  list.append(el("li", {}, el("span", {}, "…"), el("span", {}, say("setup.looking"))));
  return [
    text("setup.camera_lead"),
    stage,
    list,
    ...cameraChoice(view, wish),
    ...busyLine(busy),
    button("setup.camera_ok", () => wish({ do: "camera" }, next), { main: true, disabled: busy }),
  ];
}

/** @param {boolean | null} good */
const sign = (good) => el("span", { "aria-hidden": "true" }, good === null ? "·" : good ? "✓" : "✗");

/**
 * Light, focus and lid in words, what is wrong with what to do; the bar helps to turn the lens.
 * @param {Sight} sight
 * @param {number} best
 */
function sightLines(sight, best) {
  if (sight.light === null) {
    return sight.troubles.map((each) => el("li", {}, sign(false), el("span", {}, inWords(each, names))));
  }
  const light = el(
    "li",
    {},
    sign(sight.light === "good" || sight.light === "dim"),
    el("span", {}, say(`sight.light_${sight.light}`)),
  );
  const top = Math.max(200, best);
  const meter = el("meter", {
    min: 0,
    max: top,
    low: 100,
    high: 125,
    optimum: top,
    value: sight.sharpness,
    "aria-label": say("setup.sharpness"),
  });
  const focus = el(
    "li",
    {},
    sign(sight.focus !== "soft"),
    el(
      "span",
      {},
      say(`sight.focus_${sight.focus}`),
      meter,
      el("small", {}, say("setup.sharpness_best", { n: sight.sharpness, best })),
    ),
  );
  const lid = el(
    "li",
    {},
    sign(sight.lid || null),
    el("span", {}, say(sight.lid ? "sight.lid_seen" : "sight.lid_missing")),
  );
  return [light, focus, lid];
}

/**
 * @param {SetUpView} view
 * @param {Wishes} wish
 */
function cameraChoice(view, wish) {
  if (view.camera_fixed) {
    return view.simulated
      ? [hint("setup.camera_simulated")]
      : [el("p.hint", {}, say("setup.camera_fixed", { name: view.camera })), ...says(view)];
  }
  /** @param {SetUpView["cameras"][number]} each */
  const pick = (each) =>
    el(
      "button.choice.camera",
      {
        type: "button",
        "aria-pressed": String(each.chosen),
        onclick: () => wish({ do: "choose-camera", camera: each.setting }),
      },
      el("span", {}, each.name, el("small", {}, ` ${each.setting}`)),
      ...(each.chosen ? [] : [preview(each)]),
    );
  const list = view.cameras.map(pick);
  const none = view.simulated ? [hint(list.length ? "setup.camera_restart" : "setup.camera_none")] : [];
  return [
    el("h3", {}, say("setup.camera_which")),
    ...(list.length ? [el("div.choices", {}, ...list)] : []),
    ...none,
    ...says(view),
    ...address(wish),
    hint("setup.camera_kept"),
  ];
}

/** @param {SetUpView} view */
const says = (
  view,
) => (view.camera_says && !view.simulated ? [el("p.trouble", { role: "status" }, view.camera_says)] : []);

/**
 * What another camera sees; the one in use is seen large above.
 * @param {SetUpView["cameras"][number]} each
 */
function preview(each) {
  const img = el("img", {
    src: `/api/setup/cameras/${encodeURIComponent(each.setting)}.jpg`,
    alt: say("setup.camera_sees", { name: each.name }),
    width: 160,
    height: 90,
  });
  img.addEventListener("error", () => img.replaceWith(el("small", {}, say("setup.camera_blind"))));
  return img;
}

let where = ""; // outlives a repaint

/** @param {Wishes} wish */
function address(wish) {
  const input = el("input", {
    id: "address",
    name: "address",
    type: "text",
    inputmode: "url",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    maxlength: 600,
    required: true,
    placeholder: "rtsp://192.168.1.20/live",
    "data-keep": "address",
  });
  input.value = where;
  input.addEventListener("input", () => (where = input.value));
  /** @param {Event} event */
  const send = (event) => {
    event.preventDefault();
    wish({ do: "camera-address", address: where.trim() }, () => {
      where = "";
      const painted = document.getElementById("address"); // another one by now
      if (painted instanceof HTMLInputElement) painted.value = "";
    });
  };
  return [
    el(
      "form.address",
      { onsubmit: send },
      el("label", { for: "address" }, say("setup.camera_address")),
      input,
      el("button", { type: "submit" }, say("setup.camera_use")),
    ),
    hint("setup.camera_address_hint"),
  ];
}

// What each step of the set-up shows and asks. It knows no order and sends nothing itself but presses.

import { data, el, face, knows, names, put, say } from "./dom.js";
import { post } from "./link.js";
import { busyLine, button, fine, hint, row, simulated, text, troubles } from "./setup-parts.js";
import { place } from "./setup-place.js";
import { inWords } from "./setup-talk.js";

// --- language -------------------------------------------------------------------------------------------

function language({ view, wish }) {
  const choose = (code) => () => wish({ do: "language", language: code }, () => location.reload());
  const list = data.languages.map(([code, name]) =>
    el("button.choice", {
      type: "button",
      lang: code,
      "aria-pressed": String(code === (view.language || data.language)),
      onclick: choose(code),
    }, name)
  );
  return [text("setup.language_lead"), el("div.choices", {}, ...list)];
}

// --- camera ---------------------------------------------------------------------------------------------

function camera({ view, wish, busy, live, next }) {
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

const sign = (good) => el("span", { "aria-hidden": "true" }, good === null ? "·" : good ? "✓" : "✗");

/** Light, focus and lid in words, what is wrong with what to do; the bar helps to turn the lens. */
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

function cameraChoice(view, wish) {
  if (view.camera_fixed) {
    return view.simulated
      ? [hint("setup.camera_simulated")]
      : [el("p.hint", {}, say("setup.camera_fixed", { name: view.camera })), ...says(view)];
  }
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

const says = (
  view,
) => (view.camera_says && !view.simulated ? [el("p.trouble", { role: "status" }, view.camera_says)] : []);

/** What another camera sees; the one in use is seen large above. */
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
  const send = (event) => {
    event.preventDefault();
    wish({ do: "camera-address", address: where.trim() }, () => {
      where = "";
      const painted = document.getElementById("address"); // another one by now
      if (painted) painted.value = "";
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

// --- empty lid and dice ---------------------------------------------------------------------------------

function empty({ view, wish, busy, live, overlay, next }) {
  const take = (key, main) => button(key, () => wish({ do: "empty" }), { main, disabled: busy });
  const found = troubles(view, "empty");
  const doubt = found.length > 0 && view.troubles.every((each) => each.kind === "like-a-die"); // it may be printed there
  if (view.done.includes("empty") && (doubt || !found.length)) {
    const picture = overlay(`/api/setup/pictures/empty.jpg?${view.empty}`, [], view.corners);
    const ways = doubt
      ? [take("setup.take_again", true), button("setup.printed", next, { disabled: busy })]
      : [button("setup.next", next, { main: true, disabled: busy }), take("setup.take_again")];
    return [
      text("setup.empty_lead"),
      picture,
      ...(doubt ? found : [fine("setup.empty_kept")]),
      ...busyLine(busy),
      row(...ways),
    ];
  }
  return [
    text("setup.empty_lead"),
    ...simulated(view, "setup.emptied"),
    live.stage(view.corners),
    ...found,
    ...busyLine(busy),
    take("setup.take", true),
  ];
}

function dice({ view, wish, busy, live, overlay, next, go }) {
  const learn = (key, main, outside = "ask") =>
    button(key, () => wish({ do: "dice", outside }), { main, disabled: busy });
  const found = troubles(view, "dice");
  const warnings = view.warnings.map((each) => el("p.trouble", { role: "status" }, inWords(each, names)));
  const seen = view.dice_picture
    ? overlay(`/api/setup/pictures/dice.jpg?${view.dice_picture}`, view.dice, view.corners)
    : null;
  if (view.done.includes("dice") && !found.length) {
    return [
      text("setup.dice_lead"),
      seen,
      fine("setup.dice_kept"),
      ...warnings,
      ...busyLine(busy),
      row(button("setup.next", next, { main: true, disabled: busy }), learn("setup.learn_again")),
    ];
  }
  if (found.length && view.troubles.some((each) => each.kind === "die-apart")) {
    const ways = row(
      button("setup.outline_change", () => go("lid"), { main: true, disabled: busy }),
      learn("setup.outline_drop", false, "whole"),
      learn("setup.outline_anyway", false, "keep"),
    );
    return [text("setup.dice_lead"), seen, ...found, ...busyLine(busy), ways];
  }
  const picture = found.length && seen && view.dice.length
    ? [seen, hint("setup.dice_seen")]
    : [live.stage(view.corners)];
  return [
    text("setup.dice_lead"),
    ...simulated(view, "setup.laid_out"),
    ...picture,
    ...found,
    ...busyLine(busy),
    learn("setup.learn", true),
  ];
}

// --- rolls ----------------------------------------------------------------------------------------------

function rolls({ view, wish, busy, live, overlay, next }) {
  const { roll } = view;
  const judge = (right) => () => wish({ do: "judge-roll", roll: roll.id, right });
  const read = (key) => button(key, () => wish({ do: "roll" }), { main: true, disabled: busy });
  const dots = el("p.dots", {
    role: "img",
    "aria-label": say("setup.rolls_right", { n: Math.min(3, view.right) }),
  }, ...[0, 1, 2].map((n) => el(n < view.right ? "i.full" : "i")));
  const found = troubles(view, "rolls");
  const first = [text("setup.rolls_lead"), dots];
  if (view.done.includes("rolls")) {
    const before = view.before
      ? [el("p.hint", {}, say("setup.before"), " ", el("code", {}, view.before))]
      : [];
    return [...first, fine("setup.in_force"), ...before, row(button("setup.next", next, { main: true }))];
  }
  if (!roll || roll.judged) {
    return [
      ...first,
      ...simulated(view, "setup.rolls_simulated"),
      live.stage(view.corners),
      ...found,
      ...busyLine(busy),
      read(view.simulated ? "setup.roll_for_me" : "setup.read"),
    ];
  }
  const picture = overlay(`/api/setup/pictures/roll.jpg?${roll.id}`, roll.dice, view.corners);
  if (!roll.certain) {
    return [
      ...first,
      picture,
      ...found,
      text("setup.rolls_unsure"),
      ...busyLine(busy),
      read(view.simulated ? "setup.roll_for_me" : "setup.read_again"),
    ];
  }
  const list = roll.dice.map((die) =>
    el(
      "li",
      {},
      el("span", {
        role: "img",
        "aria-label": say("die.label", { colour: say(`dice.${die.colour}`), pips: die.pips }),
      }, face(die.colour, die.pips)),
    )
  );
  const ask = [
    el("h3", {}, say("setup.rolls_ask")),
    row(
      button("setup.rolls_yes", judge(true), { main: true, disabled: busy }),
      button("setup.rolls_no", judge(false), { disabled: busy }),
    ),
  ];
  return [
    ...first,
    picture,
    el("ul.seen-dice", { "aria-label": say("setup.rolls_read") }, ...list),
    ...ask,
    ...busyLine(busy),
  ];
}

// --- panel ----------------------------------------------------------------------------------------------

function panel({ view, wish, busy, next }) {
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

function lampName({ name }) {
  if (name.startsWith("seat ")) return say("panel.seat", { n: name.slice(5) });
  if (knows(`colour.${name}`)) return say("setup.row_lamp", { colour: say(`colour.${name}`) });
  return say(`lamp.${name.replaceAll(" ", "_")}`);
}

const bulb = (lamp) => el("i.bulb", { "aria-hidden": "true", style: { "--lamp": lamp.colour } });

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
  const judge = (seen) => () =>
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

/** One by one: the next lamp nobody has judged yet, until there is none. */
function lightNext(view, before, wish) {
  const place = view.lamps.findIndex((lamp) => lamp.name === before.name);
  const order = [...view.lamps.slice(place + 1), ...view.lamps.slice(0, place)];
  wish({ do: "lamp", lamp: order.find((lamp) => lamp.seen === null)?.name ?? "" });
}

const BUTTON = {
  rolled: "panel.rolled",
  "read again": "panel.read_again",
  second: "panel.second",
  off: "setup.off_button",
};

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
      onclick: () => post("/api/panel", { button: name }),
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

// --- players --------------------------------------------------------------------------------------------

let typed = null;

function players({ view, wish, busy, next }) {
  typed ??= [...view.players, ""];
  const list = el("ul.name-list");
  const line = (name, place) => {
    const label = say("setup.name", { n: place + 1 });
    const input = el("input", {
      value: name,
      maxlength: data.longest_name,
      "aria-label": label,
      autocomplete: "off",
      autocapitalize: "words",
      spellcheck: "false",
      "data-keep": `name-${place}`,
      oninput: (event) => (typed[place] = event.target.value),
    });
    const drop = el("button.icon-button", {
      type: "button",
      "aria-label": say("setup.name_drop", { name: name || label }),
      onclick: () => (typed.splice(place, 1), fill()),
    }, el("i.leave-mark", { "aria-hidden": "true" }));
    return el("li", {}, input, drop);
  };
  const fill = () => list.replaceChildren(...typed.map(line));
  const add = () => {
    typed.push("");
    fill();
    list.lastChild.querySelector("input").focus();
  };
  fill();
  const keep = (newest) => {
    typed = null;
    put(document.getElementById("said"), say("setup.players_kept", { n: newest.players.length }));
    next();
  };
  return [
    text("setup.players_lead"),
    list,
    ...(typed.length < 12 ? [el("button", { type: "button", onclick: add }, say("setup.name_add"))] : []),
    button(
      "setup.players_ok",
      () => wish({ do: "players", names: typed.filter((name) => name.trim()) }, keep),
      { main: true, disabled: busy },
    ),
  ];
}

/** For each step: what it paints, and the parts of the view after whose change it is painted anew. */
export const PAINT = {
  language: { paint: language, depends: (view) => [view.language] },
  camera: { paint: camera, depends: (view) => [view.cameras, view.camera_says] },
  lid: {
    paint: place,
    depends: (view) => [view.picture, view.done.includes("lid"), view.doubt, view.troubled, view.troubles],
  },
  empty: {
    paint: empty,
    depends: (view) => [view.empty, view.corners, view.done.includes("empty"), view.troubled, view.troubles],
  },
  dice: {
    paint: dice,
    depends: (
      view,
    ) => [
      view.dice_picture,
      view.corners,
      view.done.includes("dice"),
      view.warnings,
      view.troubled,
      view.troubles,
    ],
  },
  rolls: {
    paint: rolls,
    depends: (view) => [view.roll, view.right, view.done.includes("rolls"), view.troubled, view.troubles],
  },
  panel: { paint: panel, depends: (view) => [view.lamps, view.buttons] },
  players: { paint: players, depends: () => [] },
};

// The lobby: who sits where, how to play, the way in for others. Loaded when it is shown.
// @ts-check

import { $, data, el, fill, mark, say, seatNote } from "./dom.js";
import { ask, starting } from "./taps.js";

/** @import { HouseRules, OfferedSide, View } from "../types/api.d.ts" */
/** @import { Do, Hands, PlayData } from "../types/pages.d.ts" */

/** @type {Do<"seat-program">["level"][]} */
const LEVELS = ["easy", "medium", "hard"];

/**
 * @param {View} view
 * @param {Hands} hands
 */
export function paintLobby(view, hands) {
  const { message } = hands.link;
  if (!message) return;
  const order = view.seats.map((seat) => seat.seat);
  /**
   * @param {number} a
   * @param {number} b
   */
  const swap = (a, b) => {
    [order[a], order[b]] = [order[b], order[a]];
    hands.act({ do: "order", order });
  };
  const list = el("ol.seats");
  view.seats.forEach((seat, place) => {
    const note = seat.mine ? say("lobby.you") : seatNote(seat);
    const line = el(
      "li",
      {},
      el(`span.mark.${seat.mark}`, { "aria-hidden": "true" }),
      el("span.seat-name", {}, seat.name, note ? el("small", {}, ` ${note}`) : null),
    );
    if (place > 0) {
      line.append(arrow("up", say("lobby.up", { name: seat.name }), () => swap(place - 1, place)));
    }
    if (place < view.seats.length - 1) {
      line.append(arrow("down", say("lobby.down", { name: seat.name }), () => swap(place, place + 1)));
    }
    line.append(
      arrow(
        "leave",
        `${say("lobby.leave")}: ${seat.name}`,
        (event) =>
          ask(
            event.currentTarget,
            "leave",
            { name: seat.name },
            () => hands.act({ do: "leave", owner: seat.seat }),
          ),
      ),
    );
    list.append(line);
  });
  const form = startForm(view, message.boards, hands);
  keepChoices($("lobby").querySelector("form"), form);
  const add = view.seats.length < 5 ? el("a.button", { href: "/join?add=1" }, say("join.add")) : null;
  /** @param {Do<"seat-program">["level"]} each */
  const level = (each) =>
    el(
      "button",
      { type: "button", onclick: () => hands.act({ do: "seat-program", level: each }) },
      say(`lobby.level.${each}`),
    );
  const program = view.seats.length < 5
    ? el(
      "fieldset.program",
      {},
      el("legend", {}, say("lobby.program")),
      ...LEVELS.map(level),
    )
    : null;
  fill(
    $("lobby"),
    el("p.hint", {}, say("lobby.order")),
    list,
    add,
    program,
    invite(message.code),
    form,
  );
}

/**
 * The way in for others: the code at a glance, the QR code and the address behind it.
 * @param {string} code
 */
export function invite(code) {
  const shown = el("strong.invite-code", {}, el("span.said", {}, `${say("join.code")} `), code);
  return el(
    "details.invite",
    {},
    el("summary", {}, say("lobby.invite"), shown),
    el("img.qr", { src: "/qr.svg", width: 200, height: 200, alt: say("table.qr"), loading: "lazy" }),
    el("p.hint", {}, /** @type {PlayData} */ (data).address.replace("http://", "")),
  );
}

/**
 * @param {string} kind
 * @param {string} label
 * @param {(event: MouseEvent & { currentTarget: HTMLElement }) => unknown} onclick
 */
function arrow(kind, label, onclick) {
  return el(
    `button.icon-button.${kind}`,
    { type: "button", "aria-label": label, onclick },
    el(`i.${kind}-mark`, { "aria-hidden": "true" }),
  );
}

/**
 * One person, alone or with players of the program: hints are offered then, unless the table says more.
 * @param {View} view
 * @param {HouseRules} house
 */
const practice = (view, house) =>
  view.seats.filter((seat) => !seat.level).length === 1 && house.hints === "off";

/**
 * What was chosen stays chosen when the lobby is drawn anew: by what it says, as places may have changed.
 * @param {HTMLFormElement | null} before
 * @param {HTMLFormElement} form
 */
function keepChoices(before, form) {
  if (!before) return void form.dispatchEvent(new Event("change"));
  const [now, then] = [form, before].map((each) => each.querySelector("details"));
  if (now && then) now.open = then.open;
  for (const field of fields(form)) {
    const old = fields(before).find((each) => each.name === field.name);
    if (!old?.dataset.chosen) continue; // what nobody chose is as is usual for who sits there now
    field.dataset.chosen = "true";
    if (field instanceof HTMLInputElement) field.checked = /** @type {HTMLInputElement} */ (old).checked;
    else choose(field, /** @type {HTMLSelectElement} */ (old).selectedOptions[0]?.text);
  }
  form.dispatchEvent(new Event("change"));
}

/**
 * @param {HTMLFormElement} form
 * @returns {(HTMLSelectElement | HTMLInputElement)[]}
 */
const fields = (form) => [...form.querySelectorAll("select"), ...form.querySelectorAll("input")];

/**
 * @param {HTMLSelectElement} field
 * @param {string | undefined} text
 */
function choose(field, text) {
  for (const option of field.options) if (option.text === text) option.selected = true;
}

/**
 * @param {View} view
 * @param {OfferedSide[]} boards
 * @param {Hands} hands
 */
function startForm(view, boards, hands) {
  const { house } = hands.offers;
  /**
   * @param {string} name
   * @param {(string | number)[][]} list
   * @param {string | number} [chosen]
   */
  const choice = (name, list, chosen) =>
    el(
      "select",
      { name, id: `start-${name}` },
      ...list.map(([value, text]) => el("option", { value, selected: value === chosen }, String(text))),
    );
  /**
   * @param {string} name
   * @param {string} key
   * @param {(string | number)[][]} list
   * @param {string | number} [chosen]
   */
  const field = (name, key, list, chosen) =>
    el("p.field", {}, el("label", { for: `start-${name}` }, say(key)), choice(name, list, chosen));
  /**
   * @param {string} name
   * @param {string} key
   * @param {boolean} checked
   */
  const tick = (name, key, checked) =>
    el("label.tick", {}, el("input", { type: "checkbox", name, checked }), say(key));
  const patience = [...new Set([15, 30, 60, house.patience])].filter(Boolean).sort((a, b) => a - b);
  const editions = [
    ["original", say("lobby.original")],
    ["deluxe", say("lobby.deluxe")],
    ...(boards.length ? [["on-board", say("lobby.on_board")]] : []),
  ];
  const form = el(
    "form.start-form",
    {},
    field("first", "lobby.starts", [
      ["", say("lobby.lot")],
      ...view.seats.map((seat) => [seat.seat, seat.name]),
    ]),
    el(
      "details",
      {},
      el("summary", {}, say("lobby.options")),
      field("edition", "lobby.edition", editions),
      boards.length
        ? field(
          "board",
          "lobby.board",
          boards.map((
            { key, name, side },
          ) => [key, name ? say(`board.${side}`, { name }) : say(`board.${key}`)]),
        )
        : null,
      field("sheet", "lobby.sheet", hands.offers.sheets),
      field("games", "lobby.games", [1, 2, 3, 4, 5].map((n) => [n, String(n)])),
      field("patience", "lobby.patience", [
        [0, say("lobby.never")],
        ...patience.map((n) => [n, say("lobby.seconds", { n })]),
      ], house.patience),
      tick("scores_hidden", "lobby.scores", house.scores_hidden),
      tick("locks_late", "lobby.locks_late", house.locks_take_effect === "end-of-turn"),
      tick("lean_again", "lobby.leaning", house.leaning === "rolled-again"),
      field(
        "hints",
        "lobby.hints",
        ["off", "asked", "always"].map((each) => [each, say(`lobby.hints.${each}`)]),
        practice(view, house) ? "asked" : house.hints,
      ),
      view.seats.some((seat) => seat.level)
        ? tick("at_once", "lobby.at_once", house.pace === "at-once")
        : null,
    ),
    el("button.main", {}, say("lobby.start")),
  );
  const board = fields(form).find((each) => each.name === "board")?.parentElement;
  form.addEventListener("change", ({ target }) => {
    // the form itself, where it is drawn anew: nobody chose anything
    if (target instanceof HTMLElement && target !== form) target.dataset.chosen = "true";
    if (board) mark(board, "hidden", new FormData(form).get("edition") !== "on-board");
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = new FormData(form);
    /** @type {Do<"start">} */
    const wish = {
      do: "start",
      edition: /** @type {Do<"start">["edition"]} */ (given.get("edition")),
      sheet: /** @type {Do<"start">["sheet"]} */ (given.get("sheet")),
      games: Number(given.get("games")),
      patience: Number(given.get("patience")),
      hints: /** @type {Do<"start">["hints"]} */ (given.get("hints")),
      scores_hidden: given.has("scores_hidden"),
      locks: given.has("locks_late") ? "end-of-turn" : "at-once",
      leaning: given.has("lean_again") ? "rolled-again" : "as-it-lies",
    };
    if (fields(form).some((each) => each.name === "at_once")) {
      wish.pace = given.has("at_once") ? "at-once" : "human";
    }
    if (given.get("first") !== "") wish.first = Number(given.get("first"));
    if (wish.edition === "on-board") wish.board = String(given.get("board"));
    starting(view, wish, hands.act);
  });
  return form;
}

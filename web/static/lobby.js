// The lobby: who sits where, how to play, the way in for others. Loaded when it is shown.

import { $, data, el, fill, mark, say, seatNote } from "./dom.js";
import { ask, starting } from "./taps.js";

export function paintLobby(view, hands) {
  const order = view.seats.map((seat) => seat.seat);
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
  const form = startForm(view, hands);
  keepChoices($("lobby").querySelector(".start-form"), form);
  const add = view.seats.length < 5 ? el("a.button", { href: "/join?add=1" }, say("join.add")) : null;
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
      ...["easy", "medium", "hard"].map(level),
    )
    : null;
  fill(
    $("lobby"),
    el("p.hint", {}, say("lobby.order")),
    list,
    add,
    program,
    invite(hands.link.message.code),
    form,
  );
}

/** The way in for others: the code at a glance, the QR code and the address behind it. */
export function invite(code) {
  const shown = el("strong.invite-code", {}, el("span.said", {}, `${say("join.code")} `), code);
  return el(
    "details.invite",
    {},
    el("summary", {}, say("lobby.invite"), shown),
    el("img.qr", { src: "/qr.svg", width: 200, height: 200, alt: say("table.qr"), loading: "lazy" }),
    el("p.hint", {}, data.address.replace("http://", "")),
  );
}

function arrow(kind, label, onclick) {
  return el(
    `button.icon-button.${kind}`,
    { type: "button", "aria-label": label, onclick },
    el(`i.${kind}-mark`, { "aria-hidden": "true" }),
  );
}

/** One person, alone or with players of the program: hints are offered then, unless the table says more. */
const practice = (view) =>
  view.seats.filter((seat) => !seat.level).length === 1 && data.house.hints === "off";

/** What was chosen stays chosen when the lobby is drawn anew: by what it says, as places may have changed. */
function keepChoices(before, form) {
  if (!before) return void form.dispatchEvent(new Event("change"));
  form.querySelector("details").open = before.querySelector("details").open;
  for (const field of form.querySelectorAll("select, input")) {
    const old = before.elements[field.name];
    if (!old?.dataset.chosen) continue; // what nobody chose is as is usual for who sits there now
    field.dataset.chosen = true;
    if (field.type === "checkbox") field.checked = old.checked;
    else {for (const option of field.options) {
        if (option.text === old.selectedOptions[0]?.text) option.selected = true;
      }}
  }
  form.dispatchEvent(new Event("change"));
}

function startForm(view, hands) {
  const { house } = hands.offers;
  const { boards } = hands.link.message;
  const choice = (name, list, chosen) =>
    el(
      "select",
      { name, id: `start-${name}` },
      ...list.map(([value, text]) => el("option", { value, selected: value === chosen }, text)),
    );
  const field = (name, key, list, chosen) =>
    el("p.field", {}, el("label", { for: `start-${name}` }, say(key)), choice(name, list, chosen));
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
        practice(view) ? "asked" : house.hints,
      ),
      view.seats.some((seat) => seat.level)
        ? tick("at_once", "lobby.at_once", house.pace === "at-once")
        : null,
    ),
    el("button.main", {}, say("lobby.start")),
  );
  const board = form.elements.board?.parentNode;
  form.addEventListener("change", (event) => event.target.name && (event.target.dataset.chosen = true));
  form.addEventListener(
    "change",
    () => board && mark(board, "hidden", form.elements.edition.value !== "on-board"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = new FormData(form);
    const wish = {
      do: "start",
      edition: given.get("edition"),
      sheet: given.get("sheet"),
      games: Number(given.get("games")),
      patience: Number(given.get("patience")),
      hints: given.get("hints"),
      scores_hidden: given.has("scores_hidden"),
      locks: given.has("locks_late") ? "end-of-turn" : "at-once",
      leaning: given.has("lean_again") ? "rolled-again" : "as-it-lies",
    };
    if (form.elements.at_once) wish.pace = given.has("at_once") ? "at-once" : "human";
    if (given.get("first") !== "") wish.first = Number(given.get("first"));
    if (wish.edition === "on-board") wish.board = given.get("board");
    starting(view, wish, hands.act);
  });
  return form;
}
